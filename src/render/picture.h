// A picture of a run: bodies, colliders, ground and shadows, drawn without any GPU or window.
#pragma once
#include "render/album.h"

typedef struct {
    album album; // as the first frame has opened it
    scene_camera camera;
} picture;

bool picture_is_available(void); // whether the build has libpng

void picture_begin(picture* out, const scene_camera* camera);
// Call it for every frame: it keeps the moments that are to be drawn.
pliant_result picture_note(picture* p, const stage* s, const frame* f, double time);
// Draws the moments, or the last frame, and writes the .png.
pliant_result picture_write(picture* p, const stage* s, const frame* f, const char* path);
void picture_release(picture* p);
