// Light on what the canvas has found.
#pragma once
#include "render/model.h"
#include "render/sky.h"
#include "render/view.h"

// Samples along each side of a pixel; pixels along each side of a cell in which light of the sky is
// found once.
enum { FINE = 2, SKY_CELL = 2 };

typedef struct {
    vec3 point, normal, right, color; // `right` lies in the plane
} floor_plane;

// The light of the sky in a cell of pixels, and where that is.
typedef struct {
    float light, depth; // [-], [m]; depth 0: nothing
    float normal[3];
} sky_cell;

typedef struct {
    const model* model;
    view view, sun_view;
    canvas canvas, shadow;
    sky* sky;
    sky_cell *cells, *others; // row by row; the second ones for smoothing
    int cell_width, cell_height;
    vec3 sun;    // toward it
    double size; // [m] of what is drawn
    double cell; // [m] of the grid on planes
    double haze; // [m] where planes vanish
    floor_plane* planes;
    int plane_count;
} lighting;

// Fills a row of cells. The canvas is drawn.
void shade_cells(const lighting* l, int row);
// Makes a row of `others` from `cells`, or the other way around: smoothed along or across. Single
// directions of the sky do not show.
void shade_smooth(const lighting* l, int row, bool across);
// Linear light of a pixel. The cells are filled and smoothed.
vec3 shade_pixel(const lighting* l, int x, int y);
