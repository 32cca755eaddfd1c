// How much a rope is bent at a particle between two others: C = |t1 - t0| - rest [-], with t0 and
// t1 its two edges over their lengths at rest. Of edges that hardly stretch that is 2 sin(theta /
// 2), theta for small angles, and grows up to 180 degrees. The sum is linear in the places (as in
// bending.h), so that one projection of what is straight at rest is exact. It does not know in
// which plane a rope is bent at rest: that is what rods are for.
#pragma once
#include "constraint/xpbd.h"

typedef struct {
    real k0, k2; // [1/m] of the ends; k1 is minus their sum
    real rest, compliance;
} kink;

INLINE void kink_rest(kink* c, const element* e)
{
    double square[2] = {0}, bent = 0;
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i) {
            double along = e->rest[i + 1][k] - e->rest[i][k];
            square[i] += along * along;
        }
    double k0 = 1 / sqrt(square[0]), k2 = 1 / sqrt(square[1]);
    for (int k = 0; k < 3; ++k) {
        double turn = k0 * (e->rest[0][k] - e->rest[1][k]) + k2 * (e->rest[2][k] - e->rest[1][k]);
        bent += turn * turn;
    }
    // Straight but for rounding is straight.
    c->rest = lane_splat((scalar)(sqrt(bent) <= 1e-9 ? 0 : sqrt(bent)));
    c->k0 = lane_splat((scalar)k0);
    c->k2 = lane_splat((scalar)k2);
    c->compliance = lane_splat((scalar)e->compliance);
}

INLINE void kink_eval(const kink* c, const vec3 x[3], row_set* out)
{
    // What is straight has no direction to bend in: a zero gradient leaves it alone.
    vec3 turn = v3_scale(c->k0, v3_sub(x[0], x[1]));
    turn = v3_add_scaled(turn, c->k2, v3_sub(x[2], x[1]));
    real length = lane_sqrt(v3_dot(turn, turn));
    vec3 along = v3_scale(lane_inverse_or_zero(length), turn);
    out->grad[0][0] = v3_scale(c->k0, along);
    out->grad[0][2] = v3_scale(c->k2, along);
    out->grad[0][1] = v3_neg(v3_add(out->grad[0][0], out->grad[0][2]));
    out->value[0] = length - c->rest;
    out->compliance[0] = c->compliance;
}
