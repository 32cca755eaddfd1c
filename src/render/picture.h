// A picture of a run: bodies, colliders, ground and shadows, drawn without any GPU or window.
#pragma once
#include "export/frame.h"

typedef struct {
    double time;
    double* vertices; // of the surface, owned
} moment;

typedef struct {
    const scene_camera* camera; // outlives the picture
    double min[3], max[3];      // [m] of all frames so far
    moment moments[MOST_TIMES];
    int moment_count; // those that have come
} picture;

bool picture_is_available(void); // whether the build has libpng

void picture_begin(picture* out, const scene_camera* camera);
// Call it for every frame: it widens the view and keeps the moments that are to be drawn.
pliant_result picture_note(picture* p, const frame* f, double time);
// Draws the moments, or the last frame, and writes the .png.
pliant_result picture_write(picture* p, const stage* s, const frame* f, const char* path);
void picture_release(picture* p);
