// Makes the boundary of a tet mesh a manifold: every edge of it has two triangles, and the
// triangles at a vertex are one fan.
#pragma once
#include "mesh/mesh.h"

typedef struct {
    int split;   // vertices that were added where parts touched in a vertex or an edge alone
    int removed; // tets that had to go where the outside touched itself
} manifold_report;

// surface[v] is not 0 for the vertices that may be on the boundary; the array is the caller's and
// has no entry for vertices that are added.
pliant_result make_manifold(pliant_mesh* mesh, const unsigned char* surface, manifold_report* out);
