// Thin parts that the lattice has no tets for, as stalks: stacks of prisms of three tets each that
// stand on triangles of the mesh's boundary and follow the middle of the part, with the perimeters
// of its sections, or more where tets would be too sharp, and end in a single tet where it ends in
// a point. What is no stalk, like a thin plate or a handle, stays missing.
//
// On its triangle a stalk is a bump: the boundary stays a manifold of the same kind.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/outline.h"

typedef struct {
    int stalks, tets;
    int left; // parts that stick out all the same, as far as was looked
} stalks_report;

typedef struct {
    const solid* solid;
    workers* threads;
    double edge;      // [m] of the mesh
    int most_valence; // no vertex of the mesh gets more tets by it
} stalks_options;
// Adds to the report.
pliant_result grow_stalks(const stalks_options* o, pliant_mesh** mesh, stalks_report* out);
