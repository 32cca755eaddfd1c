// Isosurface stuffing: the inside of a solid filled with the tets of a lattice.
#pragma once
#ifndef PRECISION_DOUBLE
#error "lattices are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/lattice.h"

// A mesh of tets, in the solid's world. `cell` is the side of the lattice's cells in units of the
// solid; more of them than `most_cells` are refused as unsupported. Vertices and tets come in the
// order of a curve through space. The mesh may be empty, and parts of it may touch in vertices or
// edges alone. out_surface (from mem_alloc) is not 0 for the vertices that may be on the boundary.
pliant_result stuff_solid(const solid* s, workers* threads, double cell, int most_cells,
                          pliant_mesh** out, unsigned char** out_surface);
