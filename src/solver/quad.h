// Four scalars side by side: a row x y z w, or half of one. What is done to all four alike needs no
// transpose. The same operators for a vector unit and for a CUDA thread.
#pragma once
#include "math/vec3.h"
#if defined(__SSE__) && !defined(__CUDACC__)
#include <immintrin.h>
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

// ---- several quads ------------------------------------------------------------------------------

// As many rows at once as vectors are wide, and one for a CUDA thread.
#if defined(__CUDACC__) || defined(PRECISION_DOUBLE)
#define QUADS 1
#elif defined(__AVX512F__)
#define QUADS 4
#elif defined(__AVX__)
#define QUADS 2
#else
#define QUADS 1
#endif

#ifdef __CUDACC__

typedef quad quads;
INLINE quads quads_of(quad q) { return q; }
INLINE quads quads_next(quads q) { return quad_of(q[1], q[2], q[0], q[3]); }
INLINE quads quads_add_three(quads kept, quads a, quads b)
{
    return quad_with_last_of(a + b, kept);
}
#else

typedef scalar quads __attribute__((vector_size(QUADS * 4 * sizeof(scalar))));
typedef __typeof__((quads){0} > 0) quads_mask;
typedef scalar quad_pair __attribute__((vector_size(8 * sizeof(scalar))));

#if __has_builtin(__builtin_shufflevector)
#define QUAD_SHUFFLE(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define QUAD_SHUFFLE(type, a, b, ...)                                                              \
    __builtin_shuffle(a, b, (__typeof__((type){0} > 0)){__VA_ARGS__})
#endif
#define FOUR_FROM(k)           (k), (k) + 1, (k) + 2, (k) + 3
#define FOUR_OF(n, a, b, c, d) 4 * (n) + (a), 4 * (n) + (b), 4 * (n) + (c), 4 * (n) + (d)
#if QUADS == 4
#define EACH_QUAD(...)                                                                             \
    FOUR_OF(0, __VA_ARGS__), FOUR_OF(1, __VA_ARGS__), FOUR_OF(2, __VA_ARGS__),                     \
        FOUR_OF(3, __VA_ARGS__)
#elif QUADS == 2
#define EACH_QUAD(...) FOUR_OF(0, __VA_ARGS__), FOUR_OF(1, __VA_ARGS__)
#else
#define EACH_QUAD(...) FOUR_OF(0, __VA_ARGS__)
#endif

// (Not through memory, where a store of parts would have to wait for the load of all.)
INLINE quad_pair quad_join(quad a, quad b)
{
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, FOUR_FROM(0), FOUR_FROM(4));
#else
    return (quad_pair){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
#endif
}
INLINE quads quads_join(const quad q[])
{
#if QUADS == 4
    quad_pair a = quad_join(q[0], q[1]), b = quad_join(q[2], q[3]);
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, FOUR_FROM(0), FOUR_FROM(4), FOUR_FROM(8), FOUR_FROM(12));
#else
    return (quads){a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7],
                   b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]};
#endif
#elif QUADS == 2
    return quad_join(q[0], q[1]);
#else
    return q[0];
#endif
}
INLINE quads quads_of(quad q)
{
    const quad alike[4] = {q, q, q, q};
    return quads_join(alike);
}
INLINE quad quads_part(quads q, int k)
{
    quad each[QUADS];
    memcpy(each, &q, sizeof q);
    return each[k];
}
// Of all quads: those that are two apart come together first.
INLINE quad quads_sum(quads q)
{
#if QUADS == 4
    return (quads_part(q, 0) + quads_part(q, 2)) + (quads_part(q, 1) + quads_part(q, 3));
#elif QUADS == 2
    return quads_part(q, 0) + quads_part(q, 1);
#else
    return q;
#endif
}

// y z x.
INLINE quads quads_next(quads q) { return QUAD_SHUFFLE(quads, q, q, EACH_QUAD(1, 2, 0, 3)); }
// a + b in the first three of every quad, `kept` in the fourth.
INLINE quads quads_add_three(quads kept, quads a, quads b)
{
#if QUADS == 4
    return (quads)_mm512_mask_add_ps((__m512)kept, 0x7777, (__m512)a, (__m512)b);
#else
    return QUAD_SHUFFLE(quads, a + b, kept, EACH_QUAD(0, 1, 2, 4 * QUADS + 3));
#endif
}

INLINE quads quads_select(quads_mask m, quads yes, quads no)
{
    return (quads)((m & (quads_mask)yes) | (~m & (quads_mask)no));
}
// a < b ? a : b, and a > b ? a : b.
INLINE quads quads_min(quads a, quads b)
{
#if QUADS == 4
    return (quads)_mm512_min_ps((__m512)a, (__m512)b);
#elif QUADS == 2
    return (quads)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return quad_min(a, b);
#endif
}
INLINE quads quads_max(quads a, quads b)
{
#if QUADS == 4
    return (quads)_mm512_max_ps((__m512)a, (__m512)b);
#elif QUADS == 2
    return (quads)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return quad_max(a, b);
#endif
}

// ---- rows of several particles ------------------------------------------------------------------

// Rows i, i + 1, i + apart, i + apart + 1, as many of them as are looked at at once. All are there.
INLINE size_t quads_row(size_t i, size_t apart, int k)
{
    return i + (size_t)(k % 2) + (k / 2 ? apart : 0);
}

INLINE quad_pair quad_pair_load(const scalar* at)
{
    quad_pair both;
    memcpy(&both, at, sizeof both);
    return both;
}

// Of rows of four.
INLINE quads quads_load(const scalar* base, size_t i, size_t apart)
{
#if QUADS == 4
    quad_pair a = quad_pair_load(base + 4 * i), b = quad_pair_load(base + 4 * (i + apart));
    return (quads)_mm512_insertf32x8(_mm512_castps256_ps512((__m256)a), (__m256)b, 1);
#elif QUADS == 2
    (void)apart;
    return quad_pair_load(base + 4 * i);
#else
    (void)apart;
    return quad_load(base + 4 * i);
#endif
}

// Of rows of eight, by halves.
INLINE void quads_load_long(const scalar* base, size_t i, size_t apart, quads* first, quads* second)
{
    const scalar* at = base + 8 * i;
#if QUADS == 4
    quads a, b;
    memcpy(&a, at, sizeof a);
    memcpy(&b, at + 8 * apart, sizeof b);
    *first = QUAD_SHUFFLE(quads, a, b, FOUR_FROM(0), FOUR_FROM(8), FOUR_FROM(16), FOUR_FROM(24));
    *second = QUAD_SHUFFLE(quads, a, b, FOUR_FROM(4), FOUR_FROM(12), FOUR_FROM(20), FOUR_FROM(28));
#elif QUADS == 2
    (void)apart;
    quads a = quad_pair_load(at), b = quad_pair_load(at + 8);
    *first = QUAD_SHUFFLE(quads, a, b, FOUR_FROM(0), FOUR_FROM(8));
    *second = QUAD_SHUFFLE(quads, a, b, FOUR_FROM(4), FOUR_FROM(12));
#else
    (void)apart;
    *first = quad_load(at);
    *second = quad_load(at + 4);
#endif
}

// Into the second halves of rows of eight.
INLINE void quads_store_second(scalar* base, size_t i, size_t apart, quads second)
{
    scalar* at = base + 8 * i;
#if QUADS == 4
    const __mmask16 halves = 0xf0f0;
    const __m512i low = _mm512_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7);
    const __m512i high =
        _mm512_setr_epi32(8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15, 12, 13, 14, 15);
    _mm512_mask_storeu_ps(at, halves, _mm512_permutexvar_ps(low, (__m512)second));
    _mm512_mask_storeu_ps(at + 8 * apart, halves, _mm512_permutexvar_ps(high, (__m512)second));
#else
    (void)apart;
    for (int k = 0; k < QUADS; ++k) quad_store(at + 8 * k + 4, quads_part(second, k));
#endif
}

// Of one scalar each, in all elements of its quad. Looks up to six beyond the end.
INLINE quads quads_load_alike(const scalar* base, size_t i, size_t apart)
{
#if QUADS == 4
    const __m512i each = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 4, 4, 4, 4, 5, 5, 5, 5);
    quad_pair both = quad_join(quad_load(base + i), quad_load(base + i + apart));
    return (quads)_mm512_permutexvar_ps(each, _mm512_castps256_ps512((__m256)both));
#elif QUADS == 2
    (void)apart;
    quads q = quad_pair_load(base + i);
    return QUAD_SHUFFLE(quads, q, q, 0, 0, 0, 0, 1, 1, 1, 1);
#else
    (void)apart;
    return quad_of(1, 1, 1, 1) * base[i];
#endif
}

#endif
