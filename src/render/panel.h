// One view of a sketch at a moment, drawn into a part of an image on several threads: the same
// bytes for any number of them.
#pragma once
#include "base/workers.h"
#include "render/png.h"
#include "render/sketch.h"

typedef struct {
    const sketch* sketch;
    const scene_camera* camera;
    const double (*reach)[3]; // [m] reach_count points: no body goes beyond in any moment
    int reach_count;
    map_range range;
    bool revolve;       // a fitted camera stays as far away when it goes around
    int room;           // [pixels] at the right side that a fitted camera leaves free
    arrow_scale arrows; // its length is chosen by the panel
    workers* workers;
} studio;

// From column `left` on. PLIANT_ERROR_MEMORY is the only failure.
pliant_result panel_draw(const studio* from, const moment* at, image* out, int left, int width);
