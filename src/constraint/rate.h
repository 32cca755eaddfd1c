// Damping of a row (Kelvin-Voigt): the force tau / compliance times the rate of C, against it, so
// that a mode of angular frequency omega loses energy as exp(-tau omega^2 t) and a rigid motion
// nothing. Like all viscosity it acts on the motion that the velocities bring, is taken where the
// motion starts, and is implicit: with m the motion, the row has the value G m, the pivot G W G^T
// and the compliance of the row over tau h (brake.h). A row that only pulls and is slack has no
// damping.
#pragma once
#include "constraint/brake.h"
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
INLINE void rate_project(int n, bool pulls, const row_set* r, const substep* s, ends* e)
{
    const vec3* grad = r->grad[0];
    real value = lane_splat(0), pivot = value;
    UNROLL
    for (int i = 0; i < n; ++i) {
        value = value + v3_dot(grad[i], e->moved[i]);
        pivot = pivot + e->w[i] * v3_dot(grad[i], grad[i]);
    }
    real l = value * brake_answer(pivot, s->h * s->inv_h2 * r->compliance[0]);
    if (pulls) l = lane_select(r->value[0] > 0, l, lane_splat(0));
    UNROLL
    for (int i = 0; i < n; ++i) e->dx[i] = v3_scale(e->w[i] * l, grad[i]);
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
        (void)lambda; /* every sweep is a viscosity of its own */                                  \
        row_set r;                                                                                 \
        vec3 start[n];                                                                             \
        rate_places(n, e, start);                                                                  \
        name##_eval(c, start, &r);                                                                 \
        rate_project(n, pulls, &r, s, e);                                                          \
    }
