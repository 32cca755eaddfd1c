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
INLINE real rate_compliance_of(double compliance, double damping)
{
    double limit = (double)FLT_MAX;
    return lane_splat((scalar)(compliance < limit * damping ? compliance / damping : limit));
}
INLINE real rate_compliance(const element* e)
{
    return rate_compliance_of(e->compliance, e->damping);
}

// `back` motions before its end.
INLINE void rate_places(int n, const ends* e, scalar back, vec3 out[])
{
    UNROLL
    for (int i = 0; i < n; ++i) out[i] = v3_add_scaled(e->x[i], lane_splat(-back), e->moved[i]);
}

INLINE real rate_along(int n, const row_set* r, int row, const vec3 moved[])
{
    real value = lane_splat(0);
    UNROLL
    for (int i = 0; i < n; ++i) value = value + v3_dot(r->grad[row][i], moved[i]);
    return value;
}

// What a row does to a motion, as corrections.
//
// `r` is the row where the motion starts, `middle` half a motion before that: the rate of what
// turns is right there (viscous.h). It never counts for more than where the motion starts, nor the
// other way, so that the row takes energy.
INLINE void rate_answer(int n, int row, bool pulls, const row_set* r, const row_set* middle,
                        const substep* s, const real w[], const vec3 moved[], vec3 dx[])
{
    const vec3* grad = r->grad[row];
    const real none = lane_splat(0), start = rate_along(n, r, row, moved);
    real value = lane_min(rate_along(n, middle, row, moved), lane_max(start, none)), pivot = none;
    value = lane_max(value, lane_min(start, none));
    UNROLL
    for (int i = 0; i < n; ++i) pivot = pivot + w[i] * v3_dot(grad[i], grad[i]);
    real l = value * brake_answer(0.35f, pivot, s->h * s->inv_h2 * r->compliance[row]);
    if (pulls) l = lane_select(r->value[row] > 0, l, lane_splat(0));
    UNROLL
    for (int i = 0; i < n; ++i) dx[i] = v3_scale(w[i] * l, grad[i]);
}

INLINE void rate_project(int n, bool pulls, const row_set* r, const row_set* middle,
                         const substep* s, ends* e)
{
    rate_answer(n, 0, pulls, r, middle, s, e->w, e->moved, e->dx);
}

// The rows of a block one after the other, each on the motion that the last one left.
INLINE void rate_project_block(int n, int m, const row_set* r, const row_set* middle,
                               const substep* s, ends* e)
{
    vec3 moved[ELEMENT_PARTICLES], dx[ELEMENT_PARTICLES];
    UNROLL
    for (int i = 0; i < n; ++i) moved[i] = e->moved[i], e->dx[i] = v3_zero();
    UNROLL
    for (int row = 0; row < m; ++row) {
        rate_answer(n, row, false, r, middle, s, e->w, moved, dx);
        UNROLL
        for (int i = 0; i < n; ++i) {
            moved[i] = v3_add(moved[i], dx[i]);
            e->dx[i] = v3_add(e->dx[i], dx[i]);
        }
    }
}

// The rows at the middle of the motion and at its end, and what answers them.
#define RATE_PROJECT(name, n, answer)                                                              \
    INLINE void name##_rate_project(const name* c, const substep* s, ends* e, real lambda[])       \
    {                                                                                              \
        (void)lambda; /* every sweep is a viscosity of its own */                                  \
        row_set r, middle;                                                                         \
        vec3 at[n];                                                                                \
        rate_places(n, e, 1.5f, at);                                                               \
        name##_eval(c, at, &middle);                                                               \
        rate_places(n, e, 1, at);                                                                  \
        name##_eval(c, at, &r);                                                                    \
        answer;                                                                                    \
    }

// NAME_rate, from a type of one row.
#define RATE_OF(name, n, pulls)                                                                    \
    typedef name name##_rate;                                                                      \
    INLINE void name##_rate_rest(name* c, const element* e)                                        \
    {                                                                                              \
        name##_rest(c, e);                                                                         \
        c->compliance = rate_compliance(e);                                                        \
    }                                                                                              \
    RATE_PROJECT(name, n, rate_project(n, pulls, &r, &middle, s, e))

// The same of a block of m rows, from whose constants in double precision it takes the compliances.
#define RATE_OF_BLOCK(name, n, m)                                                                  \
    typedef name name##_rate;                                                                      \
    INLINE void name##_rate_rest(name* c, const element* e)                                        \
    {                                                                                              \
        double stiffness[m];                                                                       \
        name##_rest(c, e);                                                                         \
        name##_stiffness(e, stiffness);                                                            \
        for (int i = 0; i < m; ++i)                                                                \
            c->compliance[i] = rate_compliance_of(1 / stiffness[i], e->damping);                   \
    }                                                                                              \
    RATE_PROJECT(name, n, rate_project_block(n, m, &r, &middle, s, e))
