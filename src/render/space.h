// Vectors of the renderer: doubles.
#pragma once
#define PRECISION_DOUBLE
#include "math/direction.h"

static inline vec3 v3_of(const double* a) { return v3(a[0], a[1], a[2]); }
static inline vec3 v3_mix(vec3 a, vec3 b, double t) { return v3_add_scaled(a, t, v3_sub(b, a)); }
static inline vec3 v3_times(vec3 a, vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
