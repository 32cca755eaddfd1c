// Larger cells deep inside: an octree of cells whose neighbors, across edges too, are at most twice
// as large or half as large (Labelle and Shewchuk 2007). Its tets:
// - Two cells of one size: both centers and an edge of the square between them, as in the lattice;
//   in two halves where a smaller cell beside has a vertex in the middle of the edge.
// - A cell and four smaller ones: the large center and an eighth of the square between them, which
//   is divided about its middle; and each small center with the two triangles in front of it.
// All are uncut: the surface stays in cells of the smallest size.
#pragma once
#ifndef PRECISION_DOUBLE
#error "lattices are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "base/keyset.h"
#include "tetra/lattice.h"

typedef struct coarse {
    const lattice* lattice;
    keyset keys;          // of the lattice's vertices
    unsigned char* level; // for the center of each small cell: its cell has 2^level on a side
} coarse;

// Cells of up to 2^levels small ones on a side, where nothing is warped or cut. False when memory
// runs out.
bool coarse_create(const lattice* l, int levels, coarse* out);
void coarse_destroy(coarse* c);

// Takes four vertices of the lattice; false ends it.
typedef bool coarse_tet_fn(const int vertex[4], void* context);

// The tets of the large cell whose first small cell has this center: those toward cells that are
// smaller, or of the same size and behind it. Nothing for other centers.
bool coarse_fill(const coarse* c, int center, coarse_tet_fn* add, void* context);
