// Connected parts of a tet mesh, and fragments of them.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/solid.h"

// Elements of `arity` vertices, connected by vertices.
typedef struct {
    int* part; // of each vertex, from mem_alloc; vertices of no element are parts of their own
    int count;
} partition;
bool find_parts(const int* element, int count, int arity, int vertices, partition* out);

typedef struct {
    int surface_parts; // of the surface: triangles connected by vertices
    int parts;         // of the mesh that stay
    int dropped_parts; // fragments
    int dropped_tets;
} parts_report;

// Where a part of the surface is too thin for the lattice, its tets come in several pieces. Those
// with less than a tenth of the tets of the largest piece of the same part of the surface are
// dropped. Vertices that no tet uses go too.
pliant_result drop_fragments(const solid* s, pliant_mesh* mesh, parts_report* out);
