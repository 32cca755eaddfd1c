// What a closed surface holds, particle by particle (enclosure.h). The same source for the
// processor (particles.c) and for CUDA; sums in double precision, whatever the rows' is.
#pragma once
#include "math/lane.h"
#include "solver/row.h"
#include <stdbool.h>

typedef struct {
    scalar* row;
    const scalar* velocity; // has a particle's whole inverse mass: its row may be one of its copies
} enclosed_rows;

// A particle seen from the first one.
INLINE void enclosed_place(const scalar* row, int particle, double out[3])
{
    const scalar* x = row + (size_t)particle * ROW;
    for (int k = 0; k < 3; ++k)
        out[k] = (double)x[k] - (double)row[k] + ((double)x[ROW_D + k] - (double)row[ROW_D + k]);
}

INLINE double enclosed_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The gradient of a particle [m^2], and what it adds to the sums. `pair` are the other corners of
// its triangles.
INLINE enclosed_sum enclosed_look(enclosed_rows of, int particle, const int* pair, int pair_count,
                                  double grad[3])
{
    const scalar* row = of.row;
    double x[3], a[3], b[3], w = (double)of.velocity[(size_t)particle * ROW4 + ROW4_W];
    grad[0] = grad[1] = grad[2] = 0;
    for (int i = 0; i < pair_count; ++i) {
        enclosed_place(row, pair[2 * i], a);
        enclosed_place(row, pair[2 * i + 1], b);
        grad[0] += (a[1] * b[2] - a[2] * b[1]) / 6;
        grad[1] += (a[2] * b[0] - a[0] * b[2]) / 6;
        grad[2] += (a[0] * b[1] - a[1] * b[0]) / 6;
    }
    enclosed_place(row, particle, x);
    enclosed_sum out = {enclosed_dot(x, grad), w * enclosed_dot(grad, grad)};
    return out;
}

// One row of XPBD: what the multiplier changes by.
INLINE double enclosed_solve(const enclosed_sum* piece, int piece_count, enclosed_rules rules,
                             bool first_iteration, double* lambda)
{
    double volume = 0, pivot = 0;
    if (first_iteration) *lambda = 0;
    for (int i = 0; i < piece_count; ++i) {
        volume += piece[i].volumes / 3;
        pivot += piece[i].pivot;
    }
    if (!(pivot + rules.alpha > 0)) return 0;
    double change = -(volume - rules.wanted + rules.alpha * *lambda) / (pivot + rules.alpha);
    *lambda += change;
    return change;
}

INLINE void enclosed_push(enclosed_rows of, int particle, const double grad[3], double change)
{
    scalar* x = of.row + (size_t)particle * ROW;
    double push = change * (double)of.velocity[(size_t)particle * ROW4 + ROW4_W];
    for (int k = 0; k < 3; ++k) x[ROW_D + k] = (scalar)((double)x[ROW_D + k] + push * grad[k]);
}
