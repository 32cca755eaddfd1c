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

INLINE void scatter_add(scalar* base, int stride, const int* i, vec3 x)
{
    scalar* row = base + (size_t)*i * (size_t)stride;
    row[0] = row[0] + x.x;
    row[1] = row[1] + x.y;
    row[2] = row[2] + x.z;
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
INLINE void add_row(float* base, int stride, int i, row4 r)
{
    row4 sum = load_row(base, stride, i) + r;
    memcpy(base + (size_t)i * (size_t)stride, &sum, sizeof sum);
}

// Vectors of another width: two rows or two halves side by side, and the four lanes from k on.
// gcc 11 only shuffles within one width, so there they are spelled out: slower, the same bits.
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLE           __builtin_shufflevector
#define IOTA8             0, 1, 2, 3, 4, 5, 6, 7
#define JOIN_ROWS(a, b)   SHUFFLE(a, b, IOTA8)
#define JOIN_HALVES(a, b) SHUFFLE(a, b, IOTA8, 8, 9, 10, 11, 12, 13, 14, 15)
#define FOUR_LANES(a, k)  SHUFFLE(a, a, k, k + 1, k + 2, k + 3)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (mask){__VA_ARGS__})
#define EACH4(a, k)        a[k], a[k + 1], a[k + 2], a[k + 3]
#define JOIN_ROWS(a, b)    ((row8){EACH4(a, 0), EACH4(b, 0)})
#define JOIN_HALVES(a, b)  ((real){EACH4(a, 0), EACH4(a, 4), EACH4(b, 0), EACH4(b, 4)})
#define FOUR_LANES(a, k)   ((row4){EACH4(a, k)})
#endif

INLINE row8 load_two_rows(const float* base, int stride, const int* i)
{
    row4 a = load_row(base, stride, i[0]), b = load_row(base, stride, i[4]);
    return JOIN_ROWS(a, b);
}

// Row k of every group of four lanes, side by side: the transpose then stays within groups.
INLINE real load_rows(const float* base, int stride, const int* i)
{
#if LANES == 4
    return load_row(base, stride, i[0]);
#elif LANES == 8
    return load_two_rows(base, stride, i);
#else
    row8 lo = load_two_rows(base, stride, i), hi = load_two_rows(base, stride, i + 8);
    return JOIN_HALVES(lo, hi);
#endif
}

INLINE void add_rows(float* base, int stride, const int* i, real a)
{
#if LANES == 4
    add_row(base, stride, i[0], a);
#else
    add_row(base, stride, i[0], FOUR_LANES(a, 0));
    add_row(base, stride, i[4], FOUR_LANES(a, 4));
#if LANES == 16
    add_row(base, stride, i[8], FOUR_LANES(a, 8));
    add_row(base, stride, i[12], FOUR_LANES(a, 12));
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

// Adds to the first three of each row; the fourth stays. Lanes of one row would lose all but one.
INLINE void scatter_add(float* base, int stride, const int* i, vec3 x)
{
    real m[4] = {x.x, x.y, x.z, lane_splat(0)};
    transpose(m);
    for (int k = 0; k < 4; ++k) add_rows(base, stride, i + k, m[k]);
}

#endif
