// How often surfaces cross, found without any code of the contacts: for the benchmarks that judge
// them.
#pragma once
#include "pliant.h"

// Triangles and edges of all bodies together, with their own numbers of vertices.
typedef struct {
    const double* x;                // [m] 3 of each vertex
    const int *triangles, *edges;   // 3 and 2 vertices each
    int triangle_count, edge_count; // 0: none
} crossings_soup;

// Pairs of triangles that cross, and of a triangle and an edge of its own right (a rope's) that
// goes through it. Those with a common vertex count where they cross beyond it; what only touches,
// or lies in the same plane, does not.
pliant_result crossings_count(const crossings_soup* soup, int* out_count);
