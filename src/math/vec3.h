// Three reals. Valid C17 and C++ so that nvcc reads it too.
#pragma once
#include "math/lane.h"

typedef struct {
    real x, y, z;
} vec3;

INLINE vec3 v3(real x, real y, real z)
{
    vec3 v = {x, y, z};
    return v;
}
INLINE vec3 v3_zero(void) { return v3(lane_splat(0), lane_splat(0), lane_splat(0)); }
INLINE vec3 v3_add(vec3 a, vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
INLINE vec3 v3_sub(vec3 a, vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
INLINE vec3 v3_scale(real s, vec3 a) { return v3(s * a.x, s * a.y, s * a.z); }
INLINE vec3 v3_add_scaled(vec3 a, real s, vec3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
INLINE vec3 v3_neg(vec3 a) { return v3(-a.x, -a.y, -a.z); }
INLINE real v3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE vec3 v3_cross(vec3 a, vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
