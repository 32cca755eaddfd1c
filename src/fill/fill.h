// Shapes filled with particles: balls that stay inside of a surface, or have their centers on it.
#pragma once
#define PRECISION_DOUBLE
#include "base/watcher.h"
#include "fill/balls.h"
#include "geometry/solid.h"

// A shape while it is filled, in units of its solid.
typedef struct {
    const pliant_fill_def* def;
    solid solid;
    vec3 low, high;     // of the surface
    double spacing;     // between centers
    double least, most; // radii
    double shift;       // how far a pattern moves its points, at most
    workers* threads;
    watcher* watch;
    ball_list balls;
} filling;

// Balls touch the surface up to rounding: this much of the shape's size may be missing.
static const double TOUCH = 1e-9;

// Every function below returns false when memory ran out or the caller ended the work.

// Places of a pattern where balls of the least radius are inside, owned.
bool lattice_find(const filling* f, pliant_pattern pattern, vec3** out_place, int* out_count);
// As many places as a pattern has in the surface's box.
double lattice_places(const filling* f, pliant_pattern pattern);

bool noise_fill(filling* f);

// Blue noise on triangles, in the mesh's own coordinates [m].
pliant_result surface_scatter(const pliant_mesh* shape, const pliant_fill_def* def, watcher* watch,
                              ball_list* out);
