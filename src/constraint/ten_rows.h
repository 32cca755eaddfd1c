// Stable neo-Hookean tetrahedron with shear implicit: the nine elements of F as linear rows of
// compliance 1 / (mu V) beside the volume row, solved together in closed form.
//
// Unknown multipliers: a matrix for the nine rows and a number for the volume row, in units of
// k = mu V h^2. Moving the corners by w_i k M b_i changes F by M T, T = k sum w_i b_i b_i^T. The
// ten equations
//     F + Lambda + beta dF = 0,    J - gamma + <K, dF> + mu/lambda L = 0,    dF = (Lambda + L K) T
// (K = cof F) have, with Q = (I + beta T)^-1 and N = T Q, the solution
//     L = -(J - gamma - <K N, F>) / (<K, K N> + mu/lambda),     dx_i = w_i k (L K - F) Q b_i.
// Nothing cancels in N, which is symmetric since T and Q commute, and nothing has units but
// w_i k b_i. Multipliers of earlier iterations enter as F + Lambda in the place of F, and as
// mu/lambda L. Since K^T F = J I, <K N, F> is J tr N, and <K, K N> is <K^T K, N>: no product of K
// and N is needed.
//
// beta scales the Hessian of the nine rows and leaves their force exact. It is how much of its own
// motion an element takes into account. All of it, 1, is what an equilibrium of this element alone
// asks for, but others at the same corners will push back: in one sweep a part of them before it
// and a part after. Taking all of it makes the body softer by h^2 omega^2, and none makes stiff
// elements burst. So it is (own + x) / (1 + x), x = tr T: a force that is as good as explicit where
// an element is soft for its masses, and never more than the whole way to rest, x / (1 + beta x) <=
// 1, where it is stiff. `own` is 0 with foresight, and 1 with implicit Euler.
#pragma once
#include "constraint/tet.h"

typedef struct {
    tet_shape shape;
    real stiffness; // mu V [Pa m^3]
    real gamma;
    real softness;   // mu / lambda [-]
    real relaxation; // [-] beta has so much more
} ten_rows;

INLINE void ten_rows_rest(ten_rows* c, const element* e)
{
    c->shape = tet_rest(e);
    c->gamma = lane_splat((scalar)e->gamma);
    c->stiffness = lane_splat((scalar)(e->mu * e->volume));
    c->softness = lane_splat((scalar)(e->mu * e->volume_compliance));
    c->relaxation = lane_splat((scalar)e->relaxation);
}

// What does not depend on where the corners are: a step's work before a chain of dependent ones.
typedef struct {
    tet_shape shape, moving; // b_i, Q b_i
    real weight[4];          // w_i k
    sym3 q, n;
    real trace; // of N
    real gamma, softness;
} ten_rows_ready;

// The divisions of the inverse take longest: they come first, and what does not need them runs in
// their shadow.
INLINE ten_rows_ready ten_rows_prepare(const ten_rows* c, const substep* s, const real w[4])
{
    ten_rows_ready r;
    tet_weights(s->h2, c->stiffness, w, r.weight);
    sym3 t = tet_mobility(&c->shape, r.weight);
    real x = s3_trace(t);
    real beta = c->relaxation * ((s->own + x) * lane_reciprocal(1.0f + x));
    r.q = s3_inverse_of_one_plus(s3_scale(beta, t));
    r.n = s3_product(t, r.q);
    r.trace = s3_trace(r.n);
    r.shape = c->shape;
    if (PREPARES_AHEAD) r.moving = tet_turned(&c->shape, r.q);
    r.gamma = c->gamma;
    r.softness = c->softness;
    return r;
}

// lambda: the nine of F by columns, then the volume's, all in units of k.
INLINE void ten_rows_finish(const ten_rows_ready* c, const substep* s, ends* e, real lambda[10])
{
    mat3 f = tet_gradient(&c->shape, e->x), cof = m3_cofactor(f), r = f;
    sym3 metric = m3_metric(cof);
    real j = v3_dot(f.a, cof.a);

    real residual = j - c->gamma - j * c->trace;
    if (s->multipliers) {
        mat3 before = {v3(lambda[0], lambda[1], lambda[2]), v3(lambda[3], lambda[4], lambda[5]),
                       v3(lambda[6], lambda[7], lambda[8])};
        r = m3_add(f, before);
        residual = residual + (c->softness * lambda[9] - m3_dot(m3_mul_s3(cof, c->n), before));
    }
    // The volume row of four fixed corners without compliance has no pivot: it does nothing.
    real pivot = s3_dot(metric, c->n) + c->softness;
    real l = -residual * lane_inverse_or_zero(pivot);

    mat3 push = m3_sub(m3_scale(l, cof), r);
    tet_shape moving = PREPARES_AHEAD ? c->moving : tet_turned(&c->shape, c->q);
    tet_move(&moving, push, c->weight, e->dx);
    if (!s->multipliers) return;

    mat3 change = m3_add_scaled(m3_mul_s3(push, c->q), -l, cof); // (-R + L K) Q - L K
    const real added[9] = {change.a.x, change.a.y, change.a.z, change.b.x, change.b.y,
                           change.b.z, change.c.x, change.c.y, change.c.z};
    UNROLL
    for (int i = 0; i < 9; ++i) lambda[i] = lambda[i] + added[i];
    lambda[9] = lambda[9] + l;
}
