// Isosurface stuffing: the inside of a solid filled with the tets of a lattice.
#pragma once
#ifndef PRECISION_DOUBLE
#error "lattices are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/coarse.h"
#include "tetra/lattice.h"

typedef struct {
    double cell;       // side of the lattice's cells, in units of the solid
    int most_cells;    // more are refused as unsupported
    int levels;        // cells deep inside are up to 2^levels times as large
    bool clear_plates; // thin ones are left to others
} stuff_options;

// A lattice and the tets in it.
typedef struct {
    lattice lattice;
    int levels;     // of larger cells inside
    coarse cells;   // where there are such, while it is filled
    double sampled; // volume, by the lattice's vertices; all volumes in units of the solid
    int64_t* point; // of the tets, four each
    int tets, capacity;
    bool too_many;
} stuffing;

pliant_result stuffing_create(const solid* s, workers* threads, const stuff_options* o,
                              stuffing* out);
void stuffing_destroy(stuffing* s);

// How much more the surface encloses than a mesh of this volume; 0 where that is not known.
double stuffing_lack(const stuffing* s, double volume);
double stuffing_volume(const stuffing* s);

// Moves the surface outward by this distance, in units of the solid, or by a tenth of a cell if
// that is less.
pliant_result stuffing_swell(stuffing* s, double distance);

// A mesh of tets, in the solid's world. Vertices and tets come in the order of a curve through
// space. The mesh may be empty, and parts of it may touch in vertices or edges alone. out_surface
// (from mem_alloc) is not 0 for the vertices that may be on the boundary.
pliant_result stuffing_mesh(const stuffing* s, pliant_mesh** out, unsigned char** out_surface);
