// Particles are rows of four scalars (x y z w), lanes want columns. Loading LANES rows is a
// transpose, and the transpose is the only code in the solver that knows the width. `base` is the
// first row, `stride` the scalars from one row to the next.
#pragma once
#include "math/vec3.h"

#if LANES == 1

INLINE void gather(const scalar* base, int stride, const int* i, vec3* x, real* w)
{
    const scalar* row = base + (size_t)*i * (size_t)stride;
    *x = v3(row[0], row[1], row[2]);
    *w = row[3];
}

INLINE void scatter(scalar* base, int stride, const int* i, vec3 x, real w)
{
    scalar* row = base + (size_t)*i * (size_t)stride;
    row[0] = x.x;
    row[1] = x.y;
    row[2] = x.z;
    row[3] = w;
}

#else

typedef float row4 __attribute__((vector_size(16)));
typedef float row8 __attribute__((vector_size(32)));

INLINE row4 load_row(const float* base, int stride, int i)
{
    row4 r;
    memcpy(&r, base + (size_t)i * (size_t)stride, sizeof r);
    return r;
}
INLINE void store_row(float* base, int stride, int i, row4 r)
{
    memcpy(base + (size_t)i * (size_t)stride, &r, sizeof r);
}

#define SHUFFLE __builtin_shufflevector
#define IOTA8   0, 1, 2, 3, 4, 5, 6, 7
#define IOTA16  IOTA8, 8, 9, 10, 11, 12, 13, 14, 15

// Row k of every group of four lanes, side by side: the transpose then stays within groups.
INLINE real load_rows(const float* base, int stride, const int* i)
{
#if LANES == 4
    return load_row(base, stride, i[0]);
#elif LANES == 8
    return SHUFFLE(load_row(base, stride, i[0]), load_row(base, stride, i[4]), IOTA8);
#else
    row8 lo = SHUFFLE(load_row(base, stride, i[0]), load_row(base, stride, i[4]), IOTA8);
    row8 hi = SHUFFLE(load_row(base, stride, i[8]), load_row(base, stride, i[12]), IOTA8);
    return SHUFFLE(lo, hi, IOTA16);
#endif
}

INLINE void store_rows(float* base, int stride, const int* i, real a)
{
#if LANES == 4
    store_row(base, stride, i[0], a);
#else
    store_row(base, stride, i[0], SHUFFLE(a, a, 0, 1, 2, 3));
    store_row(base, stride, i[4], SHUFFLE(a, a, 4, 5, 6, 7));
#if LANES == 16
    store_row(base, stride, i[8], SHUFFLE(a, a, 8, 9, 10, 11));
    store_row(base, stride, i[12], SHUFFLE(a, a, 12, 13, 14, 15));
#endif
#endif
}

#if LANES == 4
#define INTERLEAVE(a, b, j, k) SHUFFLE(a, b, j, j + 4, k, k + 4)
#define CONCAT(a, b, j, k)     SHUFFLE(a, b, j, k, j + 4, k + 4)
#elif LANES == 8
#define INTERLEAVE(a, b, j, k) SHUFFLE(a, b, j, j + 8, k, k + 8, j + 4, j + 12, k + 4, k + 12)
#define CONCAT(a, b, j, k)     SHUFFLE(a, b, j, k, j + 8, k + 8, j + 4, k + 4, j + 12, k + 12)
#else
#define INTERLEAVE(a, b, j, k)                                                                     \
    SHUFFLE(a, b, j, j + 16, k, k + 16, j + 4, j + 20, k + 4, k + 20, j + 8, j + 24, k + 8,        \
            k + 24, j + 12, j + 28, k + 12, k + 28)
#define CONCAT(a, b, j, k)                                                                         \
    SHUFFLE(a, b, j, k, j + 16, k + 16, j + 4, k + 4, j + 20, k + 20, j + 8, k + 8, j + 24,        \
            k + 24, j + 12, k + 12, j + 28, k + 28)
#endif

INLINE void transpose(real m[4])
{
    real ab0 = INTERLEAVE(m[0], m[1], 0, 1), ab1 = INTERLEAVE(m[0], m[1], 2, 3);
    real cd0 = INTERLEAVE(m[2], m[3], 0, 1), cd1 = INTERLEAVE(m[2], m[3], 2, 3);
    m[0] = CONCAT(ab0, cd0, 0, 1);
    m[1] = CONCAT(ab0, cd0, 2, 3);
    m[2] = CONCAT(ab1, cd1, 0, 1);
    m[3] = CONCAT(ab1, cd1, 2, 3);
}

INLINE void gather(const float* base, int stride, const int* i, vec3* x, real* w)
{
    real m[4] = {load_rows(base, stride, i), load_rows(base, stride, i + 1),
                 load_rows(base, stride, i + 2), load_rows(base, stride, i + 3)};
    transpose(m);
    *x = v3(m[0], m[1], m[2]);
    *w = m[3];
}

INLINE void scatter(float* base, int stride, const int* i, vec3 x, real w)
{
    real m[4] = {x.x, x.y, x.z, w};
    transpose(m);
    for (int k = 0; k < 4; ++k) store_rows(base, stride, i + k, m[k]);
}

#endif
