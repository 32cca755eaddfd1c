// Particles are rows of four scalars (x y z w), lanes want columns. Loading LANES rows is a
// transpose, and the transpose is the only code in the solver that knows the width. `base` is the
// first row; `at` says where each lane's row starts, in pairs of scalars, which is as much as an
// address can be scaled by.
//
// Nearly half of a projection's time goes into this: what can be done on rows is done before they
// are transposed.
#pragma once
#include "math/vec3.h"

#if LANES == 1

// The four of a row, before they become columns.
typedef struct {
    scalar m[4];
} rows;

INLINE rows rows_load(const scalar* base, const unsigned* at)
{
    rows r;
    memcpy(r.m, base + 2 * (size_t)*at, sizeof r.m);
    return r;
}

// Rows of eight, by halves.
INLINE void rows_load_long(const scalar* base, const unsigned* at, rows* first, rows* second)
{
    *first = rows_load(base, at);
    *second = rows_load(base + 4, at);
}

INLINE rows rows_edge(const rows* x, const rows* d, const rows* x0, const rows* d0)
{
    rows r = {{(x->m[0] - x0->m[0]) + (d->m[0] - d0->m[0]),
               (x->m[1] - x0->m[1]) + (d->m[1] - d0->m[1]),
               (x->m[2] - x0->m[2]) + (d->m[2] - d0->m[2]), x->m[3]}};
    return r;
}

INLINE void rows_transpose(rows r, vec3* x, real* w)
{
    *x = v3(r.m[0], r.m[1], r.m[2]);
    *w = r.m[3];
}

INLINE void scatter_add(scalar* base, const unsigned* at, const rows* before, vec3 x)
{
    scalar* row = base + 2 * (size_t)*at;
    row[0] = before->m[0] + x.x;
    row[1] = before->m[1] + x.y;
    row[2] = before->m[2] + x.z;
}

#else

typedef float row4 __attribute__((vector_size(16)));
typedef float row8 __attribute__((vector_size(32)));

INLINE row4 load_row(const float* base, unsigned at)
{
    row4 r;
    memcpy(&r, base + 2 * (size_t)at, sizeof r);
    return r;
}
INLINE row8 load_long_row(const float* base, unsigned at)
{
    row8 r;
    memcpy(&r, base + 2 * (size_t)at, sizeof r);
    return r;
}
INLINE void store_row(float* base, unsigned at, row4 r)
{
    memcpy(base + 2 * (size_t)at, &r, sizeof r);
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

INLINE row8 load_two_rows(const float* base, const unsigned* at)
{
    row4 a = load_row(base, at[0]), b = load_row(base, at[4]);
    return JOIN_ROWS(a, b);
}

// Row k of every group of four lanes, side by side: the transpose then stays within groups.
INLINE real load_rows(const float* base, const unsigned* at)
{
#if LANES == 4
    return load_row(base, at[0]);
#elif LANES == 8
    return load_two_rows(base, at);
#else
    row8 lo = load_two_rows(base, at), hi = load_two_rows(base, at + 8);
    return JOIN_HALVES(lo, hi);
#endif
}

// The same for rows of eight, a half each: both come with one load.
INLINE void load_long_rows(const float* base, const unsigned* at, real* first, real* second)
{
#if LANES == 4
    *first = load_row(base, at[0]);
    *second = load_row(base + 4, at[0]);
#elif LANES == 8
    row8 a = load_long_row(base, at[0]), b = load_long_row(base, at[4]);
    *first = SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    *second = SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
#else
    row8 r0 = load_long_row(base, at[0]), r1 = load_long_row(base, at[4]);
    row8 r2 = load_long_row(base, at[8]), r3 = load_long_row(base, at[12]);
    real lo = JOIN_HALVES(r0, r1), hi = JOIN_HALVES(r2, r3);
    *first = SHUFFLE(lo, hi, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    *second = SHUFFLE(lo, hi, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
#endif
}

// X(k) for the first lane k of every group of four.
#if LANES == 4
#define EACH_GROUP(X)   X(0)
#define GROUP_ROW(a, k) (a)
#elif LANES == 8
#define EACH_GROUP(X)   X(0) X(4)
#define GROUP_ROW(a, k) FOUR_LANES(a, k)
#else
#define EACH_GROUP(X)   X(0) X(4) X(8) X(12)
#define GROUP_ROW(a, k) FOUR_LANES(a, k)
#endif

INLINE void store_rows(float* base, const unsigned* at, real a)
{
#define STORE_GROUP(k) store_row(base, at[k], GROUP_ROW(a, k));
    EACH_GROUP(STORE_GROUP)
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

// Row k of every group of four lanes is in m[k].
typedef struct {
    real m[4];
} rows;

INLINE rows rows_load(const float* base, const unsigned* at)
{
    rows r = {{load_rows(base, at), load_rows(base, at + 1), load_rows(base, at + 2),
               load_rows(base, at + 3)}};
    return r;
}

INLINE void rows_load_long(const float* base, const unsigned* at, rows* first, rows* second)
{
    UNROLL
    for (int k = 0; k < 4; ++k) load_long_rows(base, at + k, &first->m[k], &second->m[k]);
}

// a + b in the first three of every row, `kept` in the fourth.
INLINE real add_three(real kept, real a, real b)
{
#if LANES == 16 && defined(__AVX512F__)
    return (real)_mm512_mask_add_ps((__m512)kept, 0x7777, (__m512)a, (__m512)b);
#else
    mask three = {0};
    for (int i = 0; i < LANES; ++i) three[i] = i % 4 < 3 ? -1 : 0;
    return lane_select(three, a + b, kept);
#endif
}

// (x - x0) + (d - d0) beside the inverse mass that came with x.
INLINE rows rows_edge(const rows* x, const rows* d, const rows* x0, const rows* d0)
{
    rows r;
    UNROLL
    for (int k = 0; k < 4; ++k) r.m[k] = add_three(x->m[k], x->m[k] - x0->m[k], d->m[k] - d0->m[k]);
    return r;
}

INLINE void rows_transpose(rows r, vec3* x, real* w)
{
    transpose(r.m);
    *x = v3(r.m[0], r.m[1], r.m[2]);
    *w = r.m[3];
}

// Adds to the first three of each row; the fourth stays. Lanes of one row would lose all but one.
INLINE void scatter_add(float* base, const unsigned* at, const rows* before, vec3 x)
{
    real m[4] = {x.x, x.y, x.z, lane_splat(0)};
    transpose(m);
    for (int k = 0; k < 4; ++k) store_rows(base, at + k, before->m[k] + m[k]);
}

#endif
