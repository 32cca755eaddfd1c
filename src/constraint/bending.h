// Isometric bending of a hinge: C = |sum of k_i x_i| - rest [m], the square root of the quadratic
// form of Bergou and others (2006). The sum is linear in the places, so that one projection of a
// hinge that is flat at rest is exact: nothing to compute but a length. It does not know up from
// down: a hinge that is bent at rest is also at rest bent the other way.
#pragma once
#include "constraint/hinge.h"
#include "constraint/xpbd.h"

typedef struct {
    real k1, k2, k3; // k0 is minus their sum
    real rest, compliance;
} bending;

INLINE vec3 bending_sum(const bending* c, const vec3 x[4])
{
    vec3 sum = v3_scale(c->k1, v3_sub(x[1], x[0]));
    sum = v3_add_scaled(sum, c->k2, v3_sub(x[2], x[0]));
    return v3_add_scaled(sum, c->k3, v3_sub(x[3], x[0]));
}

INLINE void bending_rest(bending* c, const element* e)
{
    double k[4], square = 0, size = 0;
    hinge_weights(e, k);
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0;
        for (int i = 1; i < 4; ++i) {
            sum += k[i] * (e->rest[i][axis] - e->rest[0][axis]);
            size += fabs(k[i] * (e->rest[i][axis] - e->rest[0][axis]));
        }
        square += sum * sum;
    }
    // Flat but for rounding is flat.
    bool flat = sqrt(square) <= 1e-9 * size;
    c->k1 = lane_splat((scalar)k[1]);
    c->k2 = lane_splat((scalar)k[2]);
    c->k3 = lane_splat((scalar)k[3]);
    c->rest = lane_splat((scalar)(flat ? 0 : sqrt(square)));
    c->compliance = lane_splat((scalar)e->compliance);
}

INLINE void bending_eval(const bending* c, const vec3 x[4], row_set* out)
{
    // A flat hinge has no direction to bend in: a zero gradient leaves it alone.
    vec3 sum = bending_sum(c, x);
    real length = lane_sqrt(v3_dot(sum, sum));
    vec3 along = v3_scale(lane_inverse_or_zero(length), sum);
    out->grad[0][1] = v3_scale(c->k1, along);
    out->grad[0][2] = v3_scale(c->k2, along);
    out->grad[0][3] = v3_scale(c->k3, along);
    out->grad[0][0] = v3_neg(v3_add(v3_add(out->grad[0][1], out->grad[0][2]), out->grad[0][3]));
    out->value[0] = length - c->rest;
    out->compliance[0] = c->compliance;
}
