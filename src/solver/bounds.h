// The box around rows, several rows at once.
#pragma once
#include "solver/particle.h"
#include "solver/particles.h"

typedef struct {
    quads low, high; // of places
    quads radius;    // in the last element of each
} bounds;

INLINE bounds no_bounds(void)
{
    quads all = (quads){0} + (scalar)INFINITY;
    return (bounds){all, -all, (quads){0}};
}

// What is no number is left out: it touches nothing.
INLINE void bounds_add(bounds* box, quads x, quads d)
{
    quads at = x + d;
    box->low = quads_min(at, box->low);
    box->high = quads_max(at, box->high);
    box->radius = quads_max(d, box->radius);
}

INLINE row_box bounds_widen(const bounds* box)
{
    quad least = quads_part(box->low, 0), most = quads_part(box->high, 0);
    quad size = quads_part(box->radius, 0);
    for (int k = 1; k < QUADS; ++k) {
        least = quad_min(least, quads_part(box->low, k));
        most = quad_max(most, quads_part(box->high, k));
        size = quad_max(size, quads_part(box->radius, k));
    }
    row_box out;
    for (int k = 0; k < 3; ++k) {
        double low = (double)least[k], high = (double)most[k];
        double margin = (double)size[3] + 4 * (double)SCALAR_EPSILON * fmax(fabs(low), fabs(high));
        out.low[k] = low - margin;
        out.high[k] = high + margin;
    }
    return out;
}
