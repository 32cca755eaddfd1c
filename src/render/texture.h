// Pictures on surfaces.
#pragma once
#include "render/space.h"
#include "visual/visual.h"

typedef struct {
    int width, height;
    uint8_t* rgba; // row by row from the top; NULL: cannot be shown
} texture;

// Only PNG, and only where the build has libpng: anything else cannot be shown.
texture texture_decode(const visual_image* file);
void texture_release(texture* t);

// Linear light at a place, from the upper left corner; beyond 0 and 1 the picture repeats.
vec3 texture_color(const texture* t, double u, double v);
