// Boxes along the axes, as trees have them.
#pragma once
#ifndef PRECISION_DOUBLE
#error "boxes are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "math/vec3.h"

static inline vec3 v3_low(vec3 a, vec3 b)
{
    return v3(lane_min(a.x, b.x), lane_min(a.y, b.y), lane_min(a.z, b.z));
}

static inline vec3 v3_high(vec3 a, vec3 b)
{
    return v3(lane_max(a.x, b.x), lane_max(a.y, b.y), lane_max(a.z, b.z));
}

static inline double box_outside(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0;
}

// Squared distance from a point to a box; 0 inside.
static inline double box_distance2(vec3 low, vec3 high, vec3 p)
{
    double x = box_outside(p.x, low.x, high.x);
    double y = box_outside(p.y, low.y, high.y);
    double z = box_outside(p.z, low.z, high.z);
    return x * x + y * y + z * z;
}
