// Where points that overlap colliders have room: the least translation of all of them together that
// takes them out.
#pragma once
#include "collide/collider.h"

typedef struct {
    const double* point;  // [m] 3 each
    const double* radius; // [m] one each
    int count;
} point_set;

// [m] How deep the deepest of them is in a collider; not above zero when all are outside.
double points_depth(const point_set* set, const collider* c);

// The least translation [m] after which no point is inside of any collider, if there is one that is
// not longer than `farthest`. Directions are tried, not proved: the way out of the planes at the
// deepest points, normals, axes, those away from the middle, 26 all around, and what lies near the
// best of them.
bool points_find_room(const point_set* set, const collider* list, int count, double farthest,
                      double out[3]);
