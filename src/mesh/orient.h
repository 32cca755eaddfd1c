// Tets of positive volume, triangles that agree with their neighbors.
#pragma once
#include "mesh/mesh.h"

// Swaps two vertices of each tet of negative volume; returns how many.
int orient_tets(pliant_mesh* mesh);

// Turns triangles so that neighbors across an edge of two triangles run through it in opposite
// senses. A piece without boundary then encloses a positive volume; in an open one the smaller part
// is turned. Linear time.
pliant_result orient_triangles(pliant_mesh* mesh, int* out_turned);

// Turns triangles to agree with their neighbors, as above, but leaves every piece, closed or not,
// the way that most of its triangles face. out_piece[t] is the number of the triangle's piece;
// returns through out_pieces how many there are.
pliant_result orient_pieces(pliant_mesh* mesh, int* out_piece, int* out_pieces);
