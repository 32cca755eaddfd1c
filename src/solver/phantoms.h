// Phantoms of a particle (plan.h): rows `first` to end - 1, and its own. The same source for the
// processor (particles.c) and for CUDA.
#pragma once
#include "solver/quad.h"
#include "solver/row.h"

// They take its place and increment; their inverse masses are their own. `residue` is NULL where
// nothing looks at it.
INLINE void phantoms_spread(scalar* row, scalar* residue, int particle, int first, int end)
{
    if (first == end) return;
    quad x = quad_load(row + (size_t)particle * ROW),
         d = quad_load(row + (size_t)particle * ROW + ROW_D);
    for (int k = first; k < end; ++k) {
        scalar* copy = row + (size_t)k * ROW;
        quad_store(copy, quad_with_last_of(x, quad_load(copy)));
        quad_store(copy + ROW_D, d);
        if (residue)
            quad_store(residue + (size_t)k * ROW4, quad_load(residue + (size_t)particle * ROW4));
    }
}

// It takes the mean of the increments, weighted by the shares of the rows. Relative to the last
// one, so that equal ones stay as they are, to the bit.
INLINE void phantoms_gather(scalar* row, const scalar* share, int particle, int first, int end)
{
    if (first == end) return;
    scalar* own = row + (size_t)particle * ROW + ROW_D;
    quad base = quad_load(row + (size_t)(end - 1) * ROW + ROW_D), mean = base;
    if (share[particle] > 0) mean = mean + share[particle] * (quad_load(own) - base);
    for (int k = first; k < end - 1; ++k)
        mean = mean + share[k] * (quad_load(row + (size_t)k * ROW + ROW_D) - base);
    quad_store(own, quad_with_last_of(mean, quad_load(own)));
}
