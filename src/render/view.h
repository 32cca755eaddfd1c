// Cameras: the viewer's, with perspective, and the sun's, without.
#pragma once
#include "render/canvas.h"
#include "scene/scene.h"

typedef struct {
    vec3 eye, right, up, forward; // of length 1
    double scale;                 // samples per tangent, or per meter without perspective
    double width, height;         // [samples]
    bool parallel;
    double far; // [m] without perspective: nothing is farther
} view;

// The scene's camera, or one from which the box from min to max fits the picture.
view view_of_camera(const scene_camera* camera, vec3 min, vec3 max, int width, int height);
// Along -sun, wide enough for the box.
view view_of_sun(vec3 sun, vec3 min, vec3 max, int size);

// False for what is behind the viewer.
bool view_project(const view* v, vec3 point, spot* out);
// The direction through a place on the screen, with a part of 1 along `forward`.
vec3 view_ray(const view* v, double x, double y);
