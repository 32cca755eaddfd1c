// Lengths and directions, one at a time: for double precision outside of the solver.
#pragma once
#ifndef PRECISION_DOUBLE
#error "directions are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "math/vec3.h"
#include <math.h>

static inline double v3_length(vec3 a) { return sqrt(v3_dot(a, a)); }
// Of length 1; 0 stays 0.
static inline vec3 v3_unit(vec3 a)
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : a;
}
