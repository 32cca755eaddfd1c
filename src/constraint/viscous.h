// Kelvin-Voigt damping of a tetrahedron: the stress tau * (2 mu E' + lambda_s tr(E') I) for the
// rate E' of the Green strain, so that every mode of angular frequency omega loses energy as
// exp(-tau omega^2 t), and a rigid motion loses nothing. (Damping the rows |F| and det F instead
// would reach volume changes only.)
//
// Implicit in the substep: rows are the six components of the change dE of the strain and its
// trace, with compliance 1/2 (diagonal), 1/4 (off-diagonal) and mu / lambda_s (trace) in units of
// 1 / (tau mu V h). They are taken at the middle of the motion, where the change of the
// Green strain is linear in the motion: so every row only ever shortens the motion, however large,
// and forces F times a symmetric matrix exert no moment. The seven rows are solved one after the
// other.
#pragma once
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

// How the strain answers to a symmetric force p on F p: the symmetric part of G p T, G = F^T F.
INLINE sym3 viscous_answer(sym3 g, sym3 p, sym3 t)
{
    mat3 pt = {s3_mul(p, v3(t.xx, t.xy, t.xz)), s3_mul(p, v3(t.xy, t.yy, t.yz)),
               s3_mul(p, v3(t.xz, t.yz, t.zz))};
    mat3 rows_of_g = {v3(g.xx, g.xy, g.xz), v3(g.xy, g.yy, g.yz), v3(g.xz, g.yz, g.zz)};
    return viscous_strain(rows_of_g, pt);
}

INLINE sym3 s3_add_scaled(sym3 a, real s, sym3 b)
{
    sym3 r = {a.xx + s * b.xx, a.yy + s * b.yy, a.zz + s * b.zz,
              a.xy + s * b.xy, a.xz + s * b.xz, a.yz + s * b.yz};
    return r;
}

// One row: the strain component <p, dE> with compliance c.
INLINE void viscous_row(sym3 g, sym3 t, sym3 p, real compliance, sym3* strain, sym3* force,
                        real* lambda)
{
    sym3 answer = viscous_answer(g, p, t);
    real off = p.xy * strain->xy + p.xz * strain->xz + p.yz * strain->yz;
    real value = p.xx * strain->xx + p.yy * strain->yy + p.zz * strain->zz + 2.0f * off;
    real answer_off = p.xy * answer.xy + p.xz * answer.xz + p.yz * answer.yz;
    real pivot = p.xx * answer.xx + p.yy * answer.yy + p.zz * answer.zz + 2.0f * answer_off;
    // An incompressible material's trace on fixed corners has neither: it does nothing.
    real l = -(value + compliance * *lambda) * lane_inverse_or_zero(pivot + compliance);
    *strain = s3_add_scaled(*strain, l, answer);
    *force = s3_add_scaled(*force, l, p);
    *lambda = *lambda + l;
}

INLINE void viscous_project(const viscous* c, const substep* s, ends* e, real lambda[7])
{
    mat3 df = tet_gradient(&c->shape, e->moved);
    mat3 f = m3_add_scaled(tet_gradient(&c->shape, e->x), lane_splat(-0.5f), df);
    real k = s->h * c->viscosity, o = lane_splat(0), one = lane_splat(1), half = lane_splat(0.5f);
    sym3 t = s3_scale(k, tet_mobility(&c->shape, e->w)), g = m3_metric(f);
    sym3 strain = viscous_strain(f, df); // E now - E before
    sym3 force = {o, o, o, o, o, o};
    const sym3 unit[7] = {{one, o, o, o, o, o},    {o, one, o, o, o, o},  {o, o, one, o, o, o},
                          {o, o, o, half, o, o},   {o, o, o, o, half, o}, {o, o, o, o, o, half},
                          {one, one, one, o, o, o}};
    UNROLL
    for (int i = 0; i < 7; ++i) {
        real compliance = i < 3 ? half : i < 6 ? lane_splat(0.25f) : c->trace_ratio;
        viscous_row(g, t, unit[i], compliance, &strain, &force, &lambda[i]);
    }
    tet_move(&c->shape, m3_scale(k, m3_mul_s3(f, force)), e->w, e->dx);
}
