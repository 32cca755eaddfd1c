// Vectors of the renderer: doubles.
#pragma once
#define PRECISION_DOUBLE
#include "math/vec3.h"

static inline vec3 v3_of(const double* a) { return v3(a[0], a[1], a[2]); }
static inline double v3_length(vec3 a) { return sqrt(v3_dot(a, a)); }
// Zero stays zero.
static inline vec3 v3_unit(vec3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : a;
}
static inline vec3 v3_mix(vec3 a, vec3 b, double t) { return v3_add_scaled(a, t, v3_sub(b, a)); }
static inline vec3 v3_times(vec3 a, vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
