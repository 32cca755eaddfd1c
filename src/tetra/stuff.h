// Isosurface stuffing: the inside of a solid filled with the tets of a lattice.
#pragma once
#ifndef PRECISION_DOUBLE
#error "lattices are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/lattice.h"

typedef struct {
    double cell;    // side of the lattice's cells, in units of the solid
    int most_cells; // more are refused as unsupported
    int levels;     // cells deep inside are up to 2^levels times as large
} stuff_options;

// A mesh of tets, in the solid's world. Vertices and tets come in the order of a curve through
// space. The mesh may be empty, and parts of it may touch in vertices or edges alone. out_surface
// (from mem_alloc) is not 0 for the vertices that may be on the boundary.
pliant_result stuff_solid(const solid* s, workers* threads, const stuff_options* o,
                          pliant_mesh** out, unsigned char** out_surface);
