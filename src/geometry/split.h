// Where a node of the tree is divided.
#pragma once
#ifndef PRECISION_DOUBLE
#error "trees are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/triangle.h"

static inline vec3 v3_low(vec3 a, vec3 b)
{
    return v3(lane_min(a.x, b.x), lane_min(a.y, b.y), lane_min(a.z, b.z));
}

static inline vec3 v3_high(vec3 a, vec3 b)
{
    return v3(lane_max(a.x, b.x), lane_max(a.y, b.y), lane_max(a.z, b.z));
}

static inline vec3 middle_of(const triangle* t)
{
    return v3_scale(1.0 / 3, v3_add(t->corner[0], v3_add(t->corner[1], t->corner[2])));
}

// Brings the triangles, with their numbers, into two parts and returns the size of the first: by
// the plane that leaves the smallest boxes, or in halves unless `uneven`. At least two triangles.
int split_triangles(triangle* t, int* number, int count, bool uneven);
