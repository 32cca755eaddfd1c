// One arithmetic type, three meanings. A translation unit picks LANES and PRECISION_DOUBLE once;
// the constraints are written in `real` and never learn which it is.
//
//   LANES 1                      real is a float          scalar solver, tests, CUDA thread
//   LANES 1, PRECISION_DOUBLE    real is a double         reference solver, rest states
//   LANES 4, 8, 16               real is LANES floats     gcc/clang vector extension
//
// `scalar` is one element of a real: what memory holds, and what is the same for all lanes (the
// substep). Rules for code written in `real`: no branches on a real (use lane_select, and lane_any
// around work that changes nothing where no lane needs it), no math but the functions below,
// constants enter by an operator (2.0f * a) or by lane_splat.
#pragma once
#include <float.h>
#include <math.h>
#include <string.h>

#ifndef LANES
#define LANES 1
#endif
#if LANES > 1 && defined(__SSE2__)
#include <immintrin.h> // for single instructions that compilers do not find
#endif

// Whether what can be computed ahead should be: where it waits in registers for its turn, and not
// where it would have to wait in memory.
#ifdef __CUDACC__
#define INLINE         static __host__ __device__ __forceinline__
#define FUNCTION       static inline __host__ __device__ // inlined or not, as the compiler likes
#define LARGE          static __host__ __device__ __noinline__ // there once, as instructions are far
#define UNROLL         _Pragma("unroll")
#define ROLLED         _Pragma("unroll 1") // likewise: code that runs once must be short
#define PREPARES_AHEAD 1
#else
#define INLINE   static inline __attribute__((always_inline))
#define FUNCTION static inline
#define LARGE    INLINE
#define UNROLL   _Pragma("GCC unroll 16")
#define ROLLED
#define PREPARES_AHEAD 0
#endif

#ifdef PRECISION_DOUBLE
typedef double scalar;
#define SCALAR_EPSILON DBL_EPSILON
#define SCALAR_LEAST   DBL_MIN // of the normal numbers
#else
typedef float scalar;
#define SCALAR_EPSILON FLT_EPSILON
#define SCALAR_LEAST   FLT_MIN
#endif

#if LANES == 1

typedef scalar real;
typedef int mask;

INLINE real lane_splat(scalar a) { return a; }
INLINE real lane_select(mask m, real yes, real no) { return m ? yes : no; }
INLINE int lane_any(mask m) { return m; }
INLINE mask lane_both(mask a, mask b) { return a && b; }
INLINE unsigned lane_bits(mask m) { return m != 0; }
INLINE real lane_load(const scalar* a) { return *a; }
INLINE void lane_store(scalar* a, real v) { *a = v; }
#ifdef PRECISION_DOUBLE
INLINE real lane_sqrt(real a) { return sqrt(a); }
#else
INLINE real lane_sqrt(real a) { return sqrtf(a); }
#endif

#else

typedef float real __attribute__((vector_size(4 * LANES)));
typedef int mask __attribute__((vector_size(4 * LANES)));

INLINE real lane_splat(float a) { return a - (real){0}; }
INLINE real lane_select(mask m, real yes, real no)
{
    return (real)((m & (mask)yes) | (~m & (mask)no));
}

INLINE mask lane_both(mask a, mask b) { return a & b; }
// Whether it is so in any lane.
INLINE int lane_any(mask m)
{
    unsigned long long word[LANES / 2], any = 0;
    memcpy(word, &m, sizeof m);
    for (int i = 0; i < LANES / 2; ++i) any |= word[i];
    return any != 0;
}

// Lane i as bit i.
INLINE unsigned lane_bits(mask m)
{
#if LANES == 16 && defined(__AVX512DQ__)
    return (unsigned)_mm512_movepi32_mask((__m512i)m);
#elif LANES == 8 && defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)m);
#elif LANES == 4 && defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)m);
#else
    unsigned bits = 0;
    for (int i = 0; i < LANES; ++i) bits |= (unsigned)(m[i] & 1) << i;
    return bits;
#endif
}

INLINE real lane_load(const float* a)
{
    real v;
    memcpy(&v, a, sizeof v);
    return v;
}

INLINE void lane_store(float* a, real v) { memcpy(a, &v, sizeof v); }

INLINE real lane_sqrt(real a)
{
    for (int i = 0; i < LANES; ++i) a[i] = sqrtf(a[i]);
    return a;
}

#endif

INLINE real lane_max(real a, real b)
{
#if LANES == 16 && defined(__AVX512F__)
    return (real)_mm512_max_ps((__m512)a, (__m512)b);
#elif LANES == 8 && defined(__AVX2__)
    return (real)_mm256_max_ps((__m256)a, (__m256)b);
#elif LANES == 4 && defined(__SSE2__)
    return (real)_mm_max_ps((__m128)a, (__m128)b);
#else
    return lane_select(a > b, a, b);
#endif
}
INLINE real lane_min(real a, real b)
{
#if LANES == 16 && defined(__AVX512F__)
    return (real)_mm512_min_ps((__m512)a, (__m512)b);
#elif LANES == 8 && defined(__AVX2__)
    return (real)_mm256_min_ps((__m256)a, (__m256)b);
#elif LANES == 4 && defined(__SSE2__)
    return (real)_mm_min_ps((__m128)a, (__m128)b);
#else
    return lane_select(a < b, a, b);
#endif
}

// 1 / a of a normal number up to LARGEST_TO_INVERT: beyond it would be denormal. On CUDA without
// the branch that the compiler's division has for the rest: the approximation and one step of
// Newton's with fused multiply-add are 1 / a rounded (test/arithmetic looks at them all).
#define LARGEST_TO_INVERT (1 / SCALAR_LEAST)
INLINE real lane_inverse_of_normal(real a)
{
#if defined(__CUDA_ARCH__) && !defined(PRECISION_DOUBLE)
    real r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
#ifdef FAST_ARITHMETIC
    return r;
#else
    return __fmaf_rn(r, __fmaf_rn(-a, r, 1.0f), r);
#endif
#else
    return 1.0f / a;
#endif
}

// 1 / a of a normal number, at least the smallest normal one for positive a.
INLINE real lane_reciprocal(real a)
{
#if defined(__CUDA_ARCH__) && !defined(PRECISION_DOUBLE)
    return lane_inverse_of_normal(fminf(a, LARGEST_TO_INVERT));
#else
    return lane_inverse_of_normal(lane_min(lane_splat(LARGEST_TO_INVERT), a));
#endif
}

// 1 / a where it is so, else 0; and 0 where a is so large that nothing is left. Nobody waits for
// the comparisons: they run beside the division.
INLINE real lane_inverse_where(mask so, real a)
{
    return lane_select(so & (a <= LARGEST_TO_INVERT), lane_inverse_of_normal(a), lane_splat(0));
}

// 1 / a, or 0 where a is 0 or nearly so: no direction, no pivot, no answer.
INLINE real lane_inverse_or_zero(real a) { return lane_inverse_where(a >= SCALAR_LEAST, a); }
