// What of a surface has no tets, for the report.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/apart.h"
#include "tetra/outline.h"

typedef struct {
    int parts;        // connected by triangles
    double share;     // of the surface's area
    double place[3];  // [m] the vertex that sticks out the farthest
    double distance;  // [m] how far
    double thickness; // [m] of its part
} missing_report;

pliant_result find_missing(const solid_list* solids, const outline_scale* scale, workers* threads,
                           const pliant_mesh* mesh, missing_report* out);
