// Vertices with too many tets: as many colors are needed to solve them, one after the other.
#pragma once
#include "mesh/mesh.h"

// In the lattice 24 tets meet in a vertex, and beside the surface up to this number; held vertices
// may have more.
enum { MOST_CROWD = 34 };

// Swaps inner edges of vertices with more than `most` tets, as far as no tet becomes flatter than
// 15 degrees and no other vertex gets too many. The boundary stays as it is.
pliant_result disperse_crowds(pliant_mesh* mesh, int most);
