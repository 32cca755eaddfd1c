// A distance that only pulls: C = |x1 - x0| - length [m], and nothing where C is negative. Ropes
// that go slack, and long-range attachments: tethers from the particles of a cloth to those that
// hold it.
#pragma once
#include "constraint/distance.h"

typedef distance tether;

INLINE void tether_rest(tether* c, const element* e)
{
    distance_rest(c, e);
    c->length = c->length * (scalar)(1 + e->slack);
}

INLINE void tether_eval(const tether* c, const vec3 x[2], row_set* out)
{
    distance_eval(c, x, out);
}
