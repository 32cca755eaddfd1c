// How the part of a lattice tet that is inside becomes up to three tets.
#pragma once
#include <stdbool.h>

// A corner of a lattice tet.
typedef struct {
    int vertex; // number in the lattice
    int at[3];  // coordinates in half cells; only differences matter
    int sign;   // -1 inside, 0 on the surface, 1 outside
} stencil_corner;

// What a stencil's tets are made of: a lattice vertex (first == second) or the cut of the edge from
// one to the other.
typedef struct {
    int first, second; // corners, 0 to 3
} stencil_point;

typedef stencil_point stencil_tet[4];

// Writes up to three tets of positive volume and returns how many. Tets that share a face divide it
// alike, whichever comes first.
int stencil_fill(const stencil_corner corner[4], stencil_tet out[3]);
