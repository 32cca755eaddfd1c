// Four scalars side by side: a row x y z w, or half of one. What is done to all four alike needs no
// transpose.
#pragma once
#include "math/lane.h"

typedef scalar quad __attribute__((vector_size(4 * sizeof(scalar))));
#ifdef PRECISION_DOUBLE
typedef long long quad_mask __attribute__((vector_size(4 * sizeof(scalar))));
#else
typedef int quad_mask __attribute__((vector_size(4 * sizeof(scalar))));
#endif

INLINE quad quad_load(const scalar* a)
{
    quad q;
    memcpy(&q, a, sizeof q);
    return q;
}

INLINE void quad_store(scalar* a, quad q) { memcpy(a, &q, sizeof q); }

INLINE quad quad_with_last(quad q, scalar last)
{
    q[3] = last;
    return q;
}

// The first three of q beside the last of r. (Taken out as r[3], it would go through memory.)
INLINE quad quad_with_last_of(quad q, quad r)
{
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(q, r, 0, 1, 2, 7);
#else
    return __builtin_shuffle(q, r, (quad_mask){0, 1, 2, 7});
#endif
}

INLINE quad quad_if(int condition, quad q) { return condition ? q : (quad){0, 0, 0, 0}; }

INLINE quad quad_select(quad_mask m, quad yes, quad no)
{
    return (quad)((m & (quad_mask)yes) | (~m & (quad_mask)no));
}
INLINE quad quad_min(quad a, quad b) { return quad_select(a < b, a, b); }
INLINE quad quad_max(quad a, quad b) { return quad_select(a > b, a, b); }

// x - x is zero for every finite number, and for no other.
INLINE int quad_is_finite(quad a)
{
    typedef long long words __attribute__((vector_size(sizeof(quad))));
    words yes = (words)(a - a == 0);
#ifdef PRECISION_DOUBLE
    return (yes[0] & yes[1] & yes[2] & yes[3]) == -1;
#else
    return (yes[0] & yes[1]) == -1;
#endif
}
