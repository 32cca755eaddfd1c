// Where a solid is thin, and which vertices of the lattice could hold it together there.
//
// From the surface inward the distance to it rises and, in a part that is thin, falls again: where
// it turns is the middle. The Voronoi cells of the lattice share faces with those of the 14
// neighbors, so the vertices nearest to a connected middle are connected by edges: if all of them
// count as inside, the mesh is connected too.
#pragma once
#ifndef PRECISION_DOUBLE
#error "lattices are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/lattice.h"

// Keys of the vertices nearest to the middle of thin parts, ascending. Parts too thin to be held
// have none. False when memory runs out; the keys are the caller's in any case.
bool thin_find(const lattice* l, key_list* out);

// Vertices in plates that the lattice cannot hold count as outside: what tets it would make there
// are no plate, and in the way of one.
void thin_clear_plates(lattice* l);
