// Light on what the canvas has found.
#pragma once
#include "render/model.h"
#include "render/view.h"

typedef struct {
    vec3 point, normal, right, color; // `right` lies in the plane
} floor_plane;

typedef struct {
    const model* model;
    view view, sun_view;
    canvas canvas, shadow;
    vec3 sun;    // toward it
    double cell; // [m] of the grid on planes
    double haze; // [m] where planes vanish
    floor_plane* planes;
    int plane_count;
} lighting;

// Linear light of the sample at column x and row y of the canvas.
vec3 shade(const lighting* l, int x, int y);
