// A triangle of woven cloth. With F u and F v what its warp and its weft have become, of unit
// length at rest, the strains are |F u| - 1, |F v| - 1 and (F u) . (F v), the sine of the angle
// that is missing between them. The energy per area of a plane orthotropic sheet,
//     1/2 (Q11 warp^2 + 2 Q12 warp weft + Q22 weft^2 + shear angle^2),
// is a sum of squares with the rows
//     C0 = warp + Q12 / Q11 weft,   C1 = weft,   C2 = angle
// and the stiffnesses Q11, Q22 - Q12^2 / Q11 and shear. With the moduli E1 and E2 of a strip that
// is free across, and n the mean ratio of Poisson, sqrt(n12 n21), these are E1 / (1 - n^2), E2 and
// shear, and Q12 / Q11 is n sqrt(E2 / E1).
//
// Lengths count by themselves, as those of edges do, instead of by their squares: a row that is
// linear along its thread does not stiffen with stretch, and pulls back as firmly where it is
// pressed to nothing.
#pragma once
#include "constraint/xpbd.h"

typedef struct {
    real warp1, warp2, weft1, weft2; // [1/m] F u = warp1 (x1 - x0) + warp2 (x2 - x0), F v likewise
    real compliance[3];              // [1/J]
    real coupling;                   // [-] Q12 / Q11
} membrane;

// The direction of the warp, within the triangle and of length 1: that of `along`, or of the first
// edge where that has none.
INLINE void membrane_axes(double edge[2][3], const double along[3], double warp[3], double weft[3])
{
    double normal[3], square = 0, part = 0, length = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        normal[k] = edge[0][p] * edge[1][q] - edge[0][q] * edge[1][p];
        square += normal[k] * normal[k];
        size += along[k] * along[k];
        part += along[k] * normal[k];
    }
    for (int k = 0; k < 3; ++k) {
        warp[k] = along[k] - part / square * normal[k];
        length += warp[k] * warp[k];
    }
    if (!(length > 1e-12 * size)) {
        length = 0;
        for (int k = 0; k < 3; ++k) warp[k] = edge[0][k], length += warp[k] * warp[k];
    }
    for (int k = 0; k < 3; ++k) warp[k] /= sqrt(length);
    for (int k = 0; k < 3; ++k) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        weft[k] = (normal[p] * warp[q] - normal[q] * warp[p]) / sqrt(square);
    }
}

// Its edges from corner 0, along the warp and across, and twice its area.
INLINE double membrane_lay_flat(const element* e, double flat[2][2])
{
    double edge[2][3], warp[3], weft[3];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) edge[i][k] = e->rest[i + 1][k] - e->rest[0][k];
    membrane_axes(edge, e->along, warp, weft);
    for (int i = 0; i < 2; ++i) {
        flat[i][0] = flat[i][1] = 0;
        for (int k = 0; k < 3; ++k) {
            flat[i][0] += edge[i][k] * warp[k];
            flat[i][1] += edge[i][k] * weft[k];
        }
    }
    return flat[0][0] * flat[1][1] - flat[0][1] * flat[1][0];
}

// [J] of its rows, 1 / compliance.
INLINE void membrane_stiffness(const element* e, double out[3])
{
    double flat[2][2], area = membrane_lay_flat(e, flat) / 2;
    out[0] = area * (e->warp / (1 - e->poisson * e->poisson));
    out[1] = area * e->weft;
    out[2] = area * e->shear;
}

INLINE void membrane_rest(membrane* c, const element* e)
{
    double flat[2][2], stiffness[3], twice = membrane_lay_flat(e, flat);
    membrane_stiffness(e, stiffness);
    c->warp1 = lane_splat((scalar)(flat[1][1] / twice));
    c->warp2 = lane_splat((scalar)(-flat[0][1] / twice));
    c->weft1 = lane_splat((scalar)(-flat[1][0] / twice));
    c->weft2 = lane_splat((scalar)(flat[0][0] / twice));
    for (int r = 0; r < 3; ++r) c->compliance[r] = lane_splat((scalar)(1 / stiffness[r]));
    c->coupling = lane_splat((scalar)(e->poisson * sqrt(e->weft / e->warp)));
}

// Gradients of a function of F u and F v by what it is by each.
INLINE void membrane_gradients(const membrane* c, vec3 by_warp, vec3 by_weft, vec3 grad[3])
{
    grad[1] = v3_add_scaled(v3_scale(c->warp1, by_warp), c->weft1, by_weft);
    grad[2] = v3_add_scaled(v3_scale(c->warp2, by_warp), c->weft2, by_weft);
    grad[0] = v3_neg(v3_add(grad[1], grad[2]));
}

INLINE void membrane_eval(const membrane* c, const vec3 x[3], row_set* out)
{
    // A thread that is pressed to a point has no direction: a zero gradient leaves it to others.
    const real one = lane_splat(1);
    vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]);
    vec3 warp = v3_add_scaled(v3_scale(c->warp1, a), c->warp2, b);
    vec3 weft = v3_add_scaled(v3_scale(c->weft1, a), c->weft2, b);
    real warp_length = lane_sqrt(v3_dot(warp, warp)), weft_length = lane_sqrt(v3_dot(weft, weft));
    vec3 along = v3_scale(lane_inverse_or_zero(warp_length), warp);
    vec3 across = v3_scale(lane_inverse_or_zero(weft_length), weft);
    out->value[1] = weft_length - one;
    out->value[0] = warp_length - one + c->coupling * out->value[1];
    out->value[2] = v3_dot(warp, weft);
    membrane_gradients(c, along, v3_scale(c->coupling, across), out->grad[0]);
    membrane_gradients(c, v3_zero(), across, out->grad[1]);
    membrane_gradients(c, weft, warp, out->grad[2]);
    UNROLL
    for (int r = 0; r < 3; ++r) out->compliance[r] = c->compliance[r];
}
