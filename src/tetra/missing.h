// What of a surface has no tets: parts that are too thin for the edges, as one can see from the
// vertices that stick out of the mesh by more than an edge.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/apart.h"

typedef struct {
    int parts;        // connected by triangles
    double share;     // of the surface's area
    double place[3];  // [m] the vertex that sticks out the farthest
    double distance;  // [m] how far
    double thickness; // [m] of its part
} missing_report;

// `center` and `size` [m] are those of the whole surface, `edge` [m] that of the mesh.
typedef struct {
    double center[3], size, edge;
} missing_scale;
pliant_result find_missing(const solid_list* solids, const missing_scale* scale, workers* threads,
                           const pliant_mesh* mesh, missing_report* out);
