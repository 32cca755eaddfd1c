// A leaf as a plate: prisms of three tets each, one layer of them.
#pragma once
#ifndef PRECISION_DOUBLE
#error "leaves are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/solid.h"
#include "tetra/leaf.h"

// In edges: thinner plates become so thick, so that no angle is too small, and thicker ones are
// none.
#define LEAST_PLATE 0.2
#define MOST_PLATE  0.9
// Of a leaf: somewhat shorter, for the sake of the angles.
#define PLATE_EDGE 0.85

// What a plate stands on: two vertices of a mesh, above and below the leaf. Of two columns that are
// neighbors on the mesh's boundary the lower rank has its lower vertex on the edge between them.
typedef struct {
    int above, below;
    int rank;
} column;

// Adds the plate to the mesh, which is in the solid's world. `edge` is in units of the solid.
// Refuses, by false, tets that are turned over or too sharp; the mesh is as before then.
typedef struct {
    const solid* solid;
    leaf* leaf; // its points move where that gives better tets
    const column* columns;
    double edge;
} plate;
pliant_result plate_append(const plate* p, pliant_mesh** mesh, bool* out_done);
