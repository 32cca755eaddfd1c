// Thin plates that the lattice has no tets for, like blades, wings and fins, as one layer of
// prisms of three tets each (plate.h). A plate that comes to the mesh stands on a strip of
// triangles of its boundary, and shares their vertices (seam.h).
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/solid.h"

typedef struct {
    int plates, tets;
    int leaves;  // that could become plates
    double area; // of sides that were looked at, in units of the solid
} plates_report;

typedef struct {
    const solid* solid;
    workers* threads;
    double edge; // [m] of the mesh
} plates_options;
// Adds to the report.
pliant_result grow_plates(const plates_options* o, pliant_mesh** mesh, plates_report* out);
