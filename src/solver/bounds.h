// The box around rows, two rows at once.
#pragma once
#include "solver/particle.h"
#include "solver/particles.h"

typedef struct {
    twin low, high; // of places
    twin radius;    // in the last element of each
} bounds;

INLINE bounds no_bounds(void)
{
    twin all = (twin){0} + (scalar)INFINITY;
    return (bounds){all, -all, (twin){0}};
}

// What is no number is left out: it touches nothing.
INLINE void bounds_add(bounds* box, twin x, twin d)
{
    twin at = x + d;
    box->low = twin_select(at < box->low, at, box->low);
    box->high = twin_select(at > box->high, at, box->high);
    box->radius = twin_select(d > box->radius, d, box->radius);
}

INLINE row_box bounds_widen(const bounds* box)
{
    row_box out;
    double radius = fmax((double)box->radius[3], (double)box->radius[7]);
    for (int k = 0; k < 3; ++k) {
        double low = fmin((double)box->low[k], (double)box->low[k + 4]);
        double high = fmax((double)box->high[k], (double)box->high[k + 4]);
        double margin = radius + 4 * (double)SCALAR_EPSILON * fmax(fabs(low), fabs(high));
        out.low[k] = low - margin;
        out.high[k] = high + margin;
    }
    return out;
}
