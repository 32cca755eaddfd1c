// Where a node of the tree is divided.
#pragma once
#ifndef PRECISION_DOUBLE
#error "trees are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/box.h"
#include "geometry/triangle.h"

// Brings the triangles, with their numbers, into two parts and returns the size of the first: by
// the plane that leaves the smallest boxes, or in halves unless `uneven`. At least two triangles.
int split_triangles(triangle* t, int* number, int count, bool uneven);
