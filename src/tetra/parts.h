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
// dropped, and those with less than a tenth of the largest piece of all go to `out_spare` (NULL
// where there are none): stalks may have what they have, and more. Vertices that no tet uses go
// too.
// Where there is no piece of `least` tets, all go there.
pliant_result part_pieces(const solid* s, pliant_mesh* mesh, int least, pliant_mesh** out_spare,
                          parts_report* out);

// Puts the pieces of `spare` back that are not covered by what the mesh has become. `edge` [m] is
// that of the mesh. Returns through out_parts how many.
pliant_result restore_pieces(const pliant_mesh* spare, double edge, pliant_mesh** mesh,
                             int* out_parts);
