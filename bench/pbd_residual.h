// How far bodies of distances and volumes are from rest.
#pragma once
#include "pliant.h"

// The edges of all triangles or tets, once each, as a mesh of edges.
pliant_result pbd_take_edges(const pliant_mesh_arrays* from, pliant_mesh** out);

// The root mean square of length (of edges, and volume of tets) over that at rest, minus 1, with
// the vertices at x [m]; infinite when one of them is not finite.
double pbd_residual(const pliant_mesh_arrays* mesh, const double* x);
