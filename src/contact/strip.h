// Lanes of a block of particles that look at their neighbors: rows of four scalars, by number.
#pragma once
#include "solver/gather.h"
#if LANES == 1
#include "solver/quad.h"
#endif

INLINE mask lanes_of(unsigned bits)
{
#if LANES == 1
    return (mask)(bits & 1);
#else
    mask m;
    for (int i = 0; i < LANES; ++i) m[i] = -(int)(bits >> i & 1);
    return m;
#endif
}

INLINE vec3 select3(mask m, vec3 yes, vec3 no)
{
    return v3(lane_select(m, yes.x, no.x), lane_select(m, yes.y, no.y),
              lane_select(m, yes.z, no.z));
}

// Rows of four, one for each lane.
INLINE vec3 columns(const void* array, const unsigned* at, real* last)
{
#if LANES == 1
    quad q = quad_load((const scalar*)array + 2 * (size_t)*at);
    *last = q[3];
    return quad_xyz(q);
#else
    vec3 x;
    rows_transpose(rows_load((const scalar*)array, at), &x, last);
    return x;
#endif
}
