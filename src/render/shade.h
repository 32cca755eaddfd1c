// Light on what the canvas has found.
#pragma once
#include "render/model.h"
#include "render/sky.h"
#include "render/smoke.h"
#include "render/trace.h"
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

// What a place on the screen shows, or a ray meets.
typedef struct {
    vec3 point, normal, color;
    double depth; // [m]; INFINITY: the background
    double gloss; // [-] of the highlight
    double fade;  // [-] into the background
} surface_point;

typedef struct {
    const model* model;
    tracer tracer;    // where there are liquids
    smoke_grid smoke; // where there is some
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

// Whether no solid is between a point and the sun.
bool shade_is_sunny(const void* lighting_of, vec3 point);
// Fills a row of cells. The canvas is drawn.
void shade_cells(const lighting* l, int row);
// Makes a row of `others` from `cells`, or the other way around: smoothed along or across. Single
// directions of the sky do not show.
void shade_smooth(const lighting* l, int row, bool across);
// For rays that go through liquids. What one of length 1 meets, but for liquids; its light; the
// sun's part of that; the normal of a face that it meets.
surface_point shade_trace(const lighting* l, vec3 origin, vec3 direction);
vec3 shade_lit(const lighting* l, const surface_point* s, vec3 toward);
double shade_sun(const lighting* l, const surface_point* s);
vec3 shade_normal(const lighting* l, int face, vec3 origin, vec3 direction);

// Linear light of a pixel. The cells are filled and smoothed.
vec3 shade_pixel(const lighting* l, int x, int y);
