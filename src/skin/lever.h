// What a vertex far from all tets hangs on. The nearest tet alone is small against its distance:
// the vertex would follow its every motion as the end of a long lever does, and the one beside it
// another's. Four particles that are as far from each other as the vertex is from them carry it
// calmly.
#pragma once
#ifndef PRECISION_DOUBLE
#error "levers are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/tet_tree.h"

// Four vertices of tets of one owner within `radius` [m] of a place, far from each other. False
// where they lie in a plane.
bool lever_find(const tet_tree* t, const int* owner, int chosen, vec3 center, double radius,
                int out_corner[4]);
