// Four scalars side by side: a row x y z w, or half of one. What is done to all four alike needs no
// transpose. The same operators for a vector unit and for a CUDA thread.
#pragma once
#include "math/vec3.h"
#if defined(__SSE__) && !defined(__CUDACC__)
#include <xmmintrin.h>
#endif

#ifdef __CUDACC__

struct __align__(16) quad
{
    scalar m[4];
    __host__ __device__ scalar operator[](int k) const { return m[k]; }
};

INLINE quad quad_of(scalar x, scalar y, scalar z, scalar w)
{
    quad q = {{x, y, z, w}};
    return q;
}
#define QUAD_OPERATOR(op)                                                                          \
    INLINE quad operator op(quad a, quad b)                                                        \
    {                                                                                              \
        return quad_of(a[0] op b[0], a[1] op b[1], a[2] op b[2], a[3] op b[3]);                    \
    }
QUAD_OPERATOR(+)
QUAD_OPERATOR(-)
QUAD_OPERATOR(*)
#undef QUAD_OPERATOR
INLINE quad operator*(scalar s, quad a) { return quad_of(s * a[0], s * a[1], s * a[2], s * a[3]); }
INLINE quad operator/(quad a, scalar s) { return quad_of(a[0] / s, a[1] / s, a[2] / s, a[3] / s); }

// a / s, with the reciprocal of s at hand; the last element is 0. A quotient and its correction by
// fused multiply-add are a / s rounded, where nothing is near the end of the range: what is goes
// the long way, apart from the others, who keep their few instructions.
#if defined(PRECISION_DOUBLE) || !defined(__CUDA_ARCH__)
INLINE quad quad_divide(quad a, scalar s, scalar inverse)
{
    (void)inverse;
    return a / s;
}
#elif defined(FAST_ARITHMETIC)
INLINE quad quad_divide(quad a, scalar, scalar inverse) { return inverse * a; }
#else
static __device__ __noinline__ quad divide_tiny(quad a, scalar s) { return a / s; }
INLINE quad quad_divide(quad a, scalar s, scalar inverse)
{
    const float least = 1e-30f;
    quad q = inverse * a;
    bool tiny = false;
    float quotient[3];
    for (int k = 0; k < 3; ++k) {
        float corrected = __fmaf_rn(__fmaf_rn(-s, q[k], a[k]), inverse, q[k]);
        quotient[k] = a[k] == 0 ? q[k] : corrected; // of a zero with its sign
        tiny = tiny || (a[k] != 0 && !(fabsf(a[k]) > least));
    }
    if (tiny) return divide_tiny(a, s);
    return quad_of(quotient[0], quotient[1], quotient[2], 0);
}
#endif

INLINE quad quad_load(const scalar* a) { return *(const quad*)a; }
INLINE void quad_store(scalar* a, quad q) { *(quad*)a = q; }
INLINE quad quad_with_last(quad q, scalar last) { return quad_of(q[0], q[1], q[2], last); }
INLINE quad quad_with_last_of(quad q, quad r) { return quad_of(q[0], q[1], q[2], r[3]); }
INLINE quad quad_where_small(quad a, scalar least, quad yes, quad no)
{
    return quad_of(fabs(a[0]) < least ? yes[0] : no[0], fabs(a[1]) < least ? yes[1] : no[1],
                   fabs(a[2]) < least ? yes[2] : no[2], fabs(a[3]) < least ? yes[3] : no[3]);
}
INLINE quad quad_min(quad a, quad b)
{
    return quad_of(a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1], a[2] < b[2] ? a[2] : b[2],
                   a[3] < b[3] ? a[3] : b[3]);
}
INLINE quad quad_max(quad a, quad b)
{
    return quad_of(a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1], a[2] > b[2] ? a[2] : b[2],
                   a[3] > b[3] ? a[3] : b[3]);
}
INLINE int quad_xyz_above(quad a, scalar limit)
{
    return (a[0] > limit) | (a[1] > limit) | (a[2] > limit);
}
INLINE int quad_is_finite(quad a)
{
    quad z = a - a;
    return z[0] == 0 && z[1] == 0 && z[2] == 0 && z[3] == 0;
}

#else

typedef scalar quad __attribute__((vector_size(4 * sizeof(scalar))));
#ifdef PRECISION_DOUBLE
typedef long long quad_mask __attribute__((vector_size(4 * sizeof(scalar))));
#else
typedef int quad_mask __attribute__((vector_size(4 * sizeof(scalar))));
#endif

INLINE quad quad_of(scalar x, scalar y, scalar z, scalar w) { return (quad){x, y, z, w}; }

INLINE quad quad_divide(quad a, scalar s, scalar inverse)
{
    (void)inverse;
    return a / s;
}

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

INLINE quad quad_select(quad_mask m, quad yes, quad no)
{
    return (quad)((m & (quad_mask)yes) | (~m & (quad_mask)no));
}
// |a| < least ? yes : no
INLINE quad quad_where_small(quad a, scalar least, quad yes, quad no)
{
    return quad_select((a < least) & (a > -least), yes, no);
}
#if defined(__SSE__) && !defined(PRECISION_DOUBLE)
INLINE quad quad_min(quad a, quad b) { return (quad)_mm_min_ps((__m128)a, (__m128)b); }
INLINE quad quad_max(quad a, quad b) { return (quad)_mm_max_ps((__m128)a, (__m128)b); }
#else
INLINE quad quad_min(quad a, quad b) { return quad_select(a < b, a, b); }
INLINE quad quad_max(quad a, quad b) { return quad_select(a > b, a, b); }
#endif

// Whether any of the first three is.
INLINE int quad_xyz_above(quad a, scalar limit)
{
#if defined(__SSE__) && !defined(PRECISION_DOUBLE)
    return (_mm_movemask_ps((__m128)(a > limit)) & 7) != 0;
#else
    return (a[0] > limit) | (a[1] > limit) | (a[2] > limit);
#endif
}

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

#endif

INLINE quad quad_if(int condition, quad q) { return condition ? q : quad_of(0, 0, 0, 0); }
INLINE vec3 quad_xyz(quad q) { return v3(q[0], q[1], q[2]); }
INLINE quad quad_with_xyz(quad q, vec3 v) { return quad_of(v.x, v.y, v.z, q[3]); }

// ---- two quads ----------------------------------------------------------------------------------

// Two rows at once where vectors are as wide as that, and one for a CUDA thread.
#ifdef __CUDACC__

typedef quad twin;
INLINE twin twin_of(quad q) { return q; }
INLINE twin twin_next(twin q) { return quad_of(q[1], q[2], q[0], q[3]); }
INLINE twin twin_with_one(twin q) { return quad_with_last(q, 1); }
INLINE twin twin_with_last_of(twin q, twin r) { return quad_with_last_of(q, r); }
#else

typedef scalar twin __attribute__((vector_size(8 * sizeof(scalar))));
typedef __typeof__((twin){0} > 0) twin_mask;
#if __has_builtin(__builtin_shufflevector)
#define TWIN_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TWIN_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (twin_mask){__VA_ARGS__})
#endif

// (Not through memory, where a store of halves would have to wait for the load of both.)
INLINE twin twin_join(quad a, quad b)
{
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
#else
    return (twin){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
#endif
}
INLINE quad twin_half(twin q, int second)
{
    quad half[2];
    memcpy(half, &q, sizeof q);
    return half[second];
}
INLINE twin twin_of(quad q) { return twin_join(q, q); }

INLINE twin twin_load(const scalar* at)
{
    twin both;
    memcpy(&both, at, sizeof both);
    return both;
}

// y z x.
INLINE twin twin_next(twin q) { return TWIN_SHUFFLE(q, q, 1, 2, 0, 3, 5, 6, 4, 7); }

INLINE twin twin_with_last_of(twin q, twin r)
{
    return TWIN_SHUFFLE(q, r, 0, 1, 2, 11, 4, 5, 6, 15);
}
INLINE twin twin_with_one(twin q) { return twin_with_last_of(q, (twin){0} + 1); }

INLINE twin twin_select(twin_mask m, twin yes, twin no)
{
    return (twin)((m & (twin_mask)yes) | (~m & (twin_mask)no));
}

#endif
