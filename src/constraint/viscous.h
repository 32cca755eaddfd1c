// Kelvin-Voigt damping of a tetrahedron: the stress tau * (2 mu E' + lambda_s tr(E') I) for the
// rate E' of the Green strain, so that every mode of angular frequency omega loses energy as
// exp(-tau omega^2 t), and a rigid motion loses nothing. (Damping the rows |F| and det F instead
// would reach volume changes only.)
//
// Implicit in the substep: rows are the six components of the rate of the strain and its trace,
// with compliance 1/2 (diagonal), 1/4 (off-diagonal) and mu / lambda_s (trace) in units of 1 / (tau
// mu V h). They act on the motion of the coming substep and are taken where it starts: there the
// rate is linear in the motion, so that every row only ever shortens it, however large it is; a
// spin has none; and forces F times a symmetric matrix exert no moment. The seven rows are solved
// one after the other (brake.h).
#pragma once
#include "constraint/brake.h"
#include "constraint/tet.h"

typedef struct {
    tet_shape shape;
    real viscosity;   // tau mu V [Pa s m^3]
    real trace_ratio; // mu / lambda_s [-]
} viscous;

INLINE void viscous_rest(viscous* c, const element* e)
{
    // Lame's lambda of the small-strain limit is lambda - mu. A material without it, or with a
    // negative one, has no bulk viscosity beyond the shear rows: the row is made ineffective.
    double inverse_ratio = 1 - e->mu * e->volume_compliance; // lambda_s / lambda
    double ratio = inverse_ratio > 1e-9 ? e->mu * e->volume_compliance / inverse_ratio : 1e9;
    c->shape = tet_rest(e);
    c->viscosity = lane_splat((scalar)(e->damping * e->mu * e->volume));
    c->trace_ratio = lane_splat((scalar)ratio);
}

// Element (i, j) of the symmetric part of F^T M.
INLINE sym3 viscous_strain(mat3 f, mat3 m)
{
    sym3 r = {v3_dot(f.a, m.a),
              v3_dot(f.b, m.b),
              v3_dot(f.c, m.c),
              0.5f * (v3_dot(f.a, m.b) + v3_dot(f.b, m.a)),
              0.5f * (v3_dot(f.a, m.c) + v3_dot(f.c, m.a)),
              0.5f * (v3_dot(f.b, m.c) + v3_dot(f.c, m.b))};
    return r;
}

// The symmetric part of a b^T.
INLINE sym3 viscous_outer(vec3 a, vec3 b)
{
    sym3 r = {a.x * b.x,
              a.y * b.y,
              a.z * b.z,
              0.5f * (a.x * b.y + a.y * b.x),
              0.5f * (a.x * b.z + a.z * b.x),
              0.5f * (a.y * b.z + a.z * b.y)};
    return r;
}

// One row: a component of the strain rate, which answers to a unit of its own force by `answer`,
// and in that component by `pivot`. Returns the force. An incompressible material's trace on fixed
// corners has neither pivot nor compliance: it does nothing.
INLINE real viscous_row(sym3 answer, real pivot, real value, real compliance, sym3* strain)
{
    real l = value * brake_answer(0.2f, pivot, compliance);
    *strain = s3_add_scaled(*strain, l, answer);
    return l;
}

// A symmetric force p moves F by F p T, and the strain rate by the symmetric part of G p T, with
// G = F^T F: for a diagonal component of p that is g_i t_i^T, for an off-diagonal one the mean of
// g_i t_j^T and g_j t_i^T, for the trace G T.
INLINE sym3 viscous_force(sym3 g, sym3 t, real trace_ratio, sym3 strain)
{
    const vec3 gx = v3(g.xx, g.xy, g.xz), gy = v3(g.xy, g.yy, g.yz), gz = v3(g.xz, g.yz, g.zz);
    const vec3 tx = v3(t.xx, t.xy, t.xz), ty = v3(t.xy, t.yy, t.yz), tz = v3(t.xz, t.yz, t.zz);
    const real half = lane_splat(0.5f), quarter = lane_splat(0.25f);
    sym3 p, xx = viscous_outer(gx, tx), yy = viscous_outer(gy, ty), zz = viscous_outer(gz, tz);
    sym3 xy =
        s3_scale(half, s3_add_scaled(viscous_outer(gx, ty), lane_splat(1), viscous_outer(gy, tx)));
    sym3 xz =
        s3_scale(half, s3_add_scaled(viscous_outer(gx, tz), lane_splat(1), viscous_outer(gz, tx)));
    sym3 yz =
        s3_scale(half, s3_add_scaled(viscous_outer(gy, tz), lane_splat(1), viscous_outer(gz, ty)));
    sym3 trace = s3_add_scaled(s3_add_scaled(xx, lane_splat(1), yy), lane_splat(1), zz);
    p.xx = viscous_row(xx, xx.xx, strain.xx, half, &strain);
    p.yy = viscous_row(yy, yy.yy, strain.yy, half, &strain);
    p.zz = viscous_row(zz, zz.zz, strain.zz, half, &strain);
    p.xy = half * viscous_row(xy, xy.xy, strain.xy, quarter, &strain);
    p.xz = half * viscous_row(xz, xz.xz, strain.xz, quarter, &strain);
    p.yz = half * viscous_row(yz, yz.yz, strain.yz, quarter, &strain);
    real all = viscous_row(trace, s3_trace(trace), s3_trace(strain), trace_ratio, &strain);
    p.xx = p.xx + all;
    p.yy = p.yy + all;
    p.zz = p.zz + all;
    return p;
}

// What a motion that turns has too much: a particle that spins has gone to its place along a chord,
// and a motion goes on along it, outwards. In the middle of the chord, half of the motion before,
// there is no such thing: the rate there is less by half of m^T m. That share of the rate at the
// start counts which is along the one in the middle. A share of a rate that rows take energy from
// has them take energy, too.
INLINE real viscous_dot(sym3 a, sym3 b)
{
    real sides = a.xy * b.xy + a.xz * b.xz + a.yz * b.yz;
    return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + (sides + sides);
}

INLINE sym3 viscous_rate(mat3 f, mat3 m)
{
    sym3 rate = viscous_strain(f, m);
    real square = viscous_dot(rate, rate),
         turning = lane_splat(0.5f) * viscous_dot(rate, m3_metric(m));
    real share = (square - turning) * lane_inverse_or_zero(square);
    return s3_scale(lane_max(lane_min(share, lane_splat(1)), lane_splat(0)), rate);
}

INLINE void viscous_project(const viscous* c, const substep* s, ends* e, real lambda[7])
{
    (void)lambda; // every sweep is a viscosity of its own
    mat3 df = tet_gradient(&c->shape, e->moved);
    mat3 f = m3_sub(tet_gradient(&c->shape, e->x), df);
    real kw[4];
    tet_weights(s->h, c->viscosity, e->w, kw);
    sym3 t = tet_mobility(&c->shape, kw);
    sym3 force = viscous_force(m3_metric(f), t, c->trace_ratio, viscous_rate(f, df));
    tet_move(&c->shape, m3_mul_s3(f, force), kw, e->dx);
}
