// Damping of a row (Kelvin-Voigt): the force tau / compliance times the rate of C, against it, so
// that a mode of angular frequency omega loses energy as exp(-tau omega^2 t) and a rigid motion
// nothing. Like all viscosity it acts on the motion that the velocities bring, is taken where the
// motion starts, and is implicit: with m the motion, dl = -(G m) / (G W G^T + compliance / (tau
// h)). That is the projection of another row, whose value is G m, and which has compliance / tau
// and h in the places of compliance and h^2. A row that only pulls and is slack has no damping.
#pragma once
#include "constraint/xpbd.h"
#include <float.h>

// The constants are those of the row, with compliance / tau. A row without damping among damped
// ones has as much compliance as a number can say.
INLINE real rate_compliance(const element* e)
{
    double limit = (double)FLT_MAX, damping = e->damping;
    return lane_splat((scalar)(e->compliance < limit * damping ? e->compliance / damping : limit));
}

INLINE void rate_places(int n, const ends* e, vec3 out[])
{
    UNROLL
    for (int i = 0; i < n; ++i) out[i] = v3_sub(e->x[i], e->moved[i]);
}

// `r` is the row where the motion starts.
INLINE void rate_project(int n, bool pulls, row_set* r, const substep* s, ends* e, real lambda[])
{
    const substep rate = {s->h, s->h, s->h * s->inv_h2, 1, s->multipliers, false, 1};
    real sum = lane_splat(0), keep = lane_splat(1);
    if (pulls) keep = lane_select(r->value[0] > 0, keep, sum);
    UNROLL
    for (int i = 0; i < n; ++i) {
        r->grad[0][i] = v3_scale(keep, r->grad[0][i]);
        sum = sum + v3_dot(r->grad[0][i], e->moved[i]);
    }
    r->value[0] = sum;
    xpbd_see_rows(1, &rate, r);
    xpbd_project(n, 1, ROWS_HOLD, r, &rate, e, lambda);
}

// NAME_rate, from a type of one row.
#define RATE_OF(name, n, pulls)                                                                    \
    typedef name name##_rate;                                                                      \
    INLINE void name##_rate_rest(name* c, const element* e)                                        \
    {                                                                                              \
        name##_rest(c, e);                                                                         \
        c->compliance = rate_compliance(e);                                                        \
    }                                                                                              \
    INLINE void name##_rate_project(const name* c, const substep* s, ends* e, real lambda[])       \
    {                                                                                              \
        row_set r;                                                                                 \
        vec3 start[n];                                                                             \
        rate_places(n, e, start);                                                                  \
        name##_eval(c, start, &r);                                                                 \
        rate_project(n, pulls, &r, s, e, lambda);                                                  \
    }
