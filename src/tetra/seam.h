// Where a leaf comes to a mesh: a strip of triangles of the mesh's boundary, which the plate stands
// on, and triangles of the leaf between them.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/leaf.h"
#include "tetra/outline.h"
#include "tetra/plate.h"

typedef struct {
    const solid* solid;
    const outline* outline;
    const int* vertex; // of the mesh, of each of the outline's
    double edge;       // in units of the solid
    double beyond;     // edges by which a seam is longer than the leaf's border, at either end
} seam_site;

typedef struct {
    column* column;
    int count, capacity;
} column_list;

// Sews all parts of the leaf's border that are near the mesh to it. Returns through out_seams how
// many there are, and through out_sewn whether one is, or nothing is near.
pliant_result sew_leaf(const seam_site* at, leaf* l, column_list* columns, int* out_seams,
                       bool* out_sewn);
