// Elastic rods with an orientation for each segment (Cosserat): stretch and shear of a segment
// against its orientation, bending and twist between two orientations. Each is a block of three
// rows that is solved exactly, in axes in which the material is diagonal:
//
//     C = R^T (x1 - x0) - (0, 0, length)    [m]      of a segment with the rotation R,
//     C = theta                             [rad]    the rotation vector from A to B, as B sees it.
//
// A = Qa half and B = Qb half^-1 are the orientations of the two segments, each turned by half of
// the way to the other at rest: there A = B, so that what is bent and twisted at rest has C = 0,
// and the third axis is the tangent in their middle.
//
// A turn is a vector, of which an orientation gains what its inverse inertia makes of a torque.
// What a block does is equal and opposite: forces f on the ends of a segment, and on its
// orientation the torque that their arm has at the start of the substep. In that place the angular
// momentum of a substep is counted (m x times the increment is that of the new place, too), so that
// it is kept exactly, spins included.
//
// Damping comes before the prediction, as everywhere (solver/step.h): the same rows on the motion,
// of the change of C in the substep, with the compliance / (tau h) instead of that / h^2.
#pragma once
#include "constraint/xpbd.h"
#include "math/quat.h"

typedef struct {
    real length;         // [m]
    real shear, stretch; // [m/N] compliance
} rod_segment;

typedef struct {
    quat half;
    real bend, twist; // [1/(N m)] compliance
} rod_joint;

typedef struct {
    scalar scale;     // [1/s^2] of compliances: 1 / h^2, or of damping 1 / (tau h)
    bool multipliers; // of several iterations
    bool braking;     // the change alone counts
} rod_rules;

typedef struct {
    vec3 edge, start;  // [m] from end to end, now and at the start of the substep
    real w[2];         // [1/kg]
    quat q;            // at the start of the substep
    vec3 turn;         // [rad] since then
    real inverse;      // [1/(kg m^2)]
    vec3 dx[2], dturn; // out
} segment_ends;

typedef struct {
    quat q[2];
    vec3 turn[2];
    real inverse[2];
    vec3 dturn[2]; // out
} joint_ends;

// ---- strains ------------------------------------------------------------------------------------

INLINE vec3 segment_strain(const rod_segment* c, quat q, vec3 edge)
{
    vec3 own = quat_turn(quat_back(q), edge);
    return v3(own.x, own.y, own.z - c->length);
}

// The rotation from A to B.
typedef struct {
    vec3 v;    // of its quaternion, whose last is not negative:
    real w;    //
    real g;    // theta / 2 over its sine,
    real rise; // and its change, less for more w
    quat to;   // B
} joint_bend;

INLINE vec3 joint_strain(const joint_bend* b) { return v3_scale(b->g + b->g, b->v); }

// g = sum of n! / (2n + 1)!! (1 - w)^n. Beyond a right angle the series, cut off, is no angle any
// more, but goes on growing; the rows know its own change, not that of the angle.
INLINE joint_bend joint_find(const rod_joint* c, quat a, quat b)
{
    enum { TERMS = 12 };
    joint_bend out;
    out.to = quat_after(b, quat_back(c->half));
    quat d = quat_after(quat_back(quat_after(a, c->half)), out.to);
    real sign = lane_select(d.w < 0, lane_splat(-1), lane_splat(1));
    out.v = v3_scale(sign, d.v);
    out.w = sign * d.w;
    // Of a small angle 1 - w has no digits, |v|^2 has them all.
    real y = v3_dot(out.v, out.v) * lane_reciprocal(lane_splat(1) + out.w);
    real factor[TERMS + 1], value, slope;
    scalar f = 1;
    UNROLL
    for (int n = 1; n <= TERMS; ++n) {
        f = f * (scalar)n / (scalar)(2 * n + 1);
        factor[n] = lane_splat(f);
    }
    value = factor[TERMS];
    slope = (scalar)TERMS * factor[TERMS];
    UNROLL
    for (int n = TERMS - 1; n > 0; --n) {
        value = value * y + factor[n];
        slope = slope * y + (scalar)n * factor[n];
    }
    out.g = value * y + lane_splat(1);
    out.rise = slope;
    return out;
}

// The transposed change of the strain: what a moment in the middle axes is as a torque on B in
// them.
INLINE vec3 joint_torque(const joint_bend* b, vec3 moment)
{
    vec3 turned = v3_sub(v3_scale(b->w, moment), v3_cross(b->v, moment));
    return v3_add_scaled(v3_scale(b->g, turned), b->rise * v3_dot(b->v, moment), b->v);
}

// ---- projections --------------------------------------------------------------------------------

// Solves A dl = -(C + compliance lambda) for the lower triangle of A in `a`, without compliance.
INLINE vec3 rod_solve(const rod_rules* s, vec3 strain, const real compliance[3], real a[3][3],
                      real lambda[3])
{
    const real value[3] = {strain.x, strain.y, strain.z};
    real dl[3];
    UNROLL
    for (int k = 0; k < 3; ++k) {
        real alpha = s->scale * compliance[k];
        a[k][k] = a[k][k] + alpha;
        dl[k] = s->multipliers ? -(value[k] + alpha * lambda[k]) : -value[k];
    }
    xpbd_solve(3, a, dl);
    UNROLL
    for (int k = 0; k < 3; ++k) lambda[k] = lambda[k] + dl[k];
    return v3(dl[0], dl[1], dl[2]);
}

INLINE void rod_segment_project(const rod_segment* c, const rod_rules* s, segment_ends* e,
                                real lambda[3])
{
    quat q = quat_after(quat_by(e->turn), e->q);
    vec3 strain = segment_strain(c, q, e->edge);
    const real b[3] = {strain.x, strain.y, strain.z + c->length};
    const real compliance[3] = {c->shear, c->shear, c->stretch};
    real w = e->w[0] + e->w[1], i = e->inverse, a[3][3];
    real all = w + i * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    UNROLL
    for (int r = 0; r < 3; ++r) {
        UNROLL
        for (int k = 0; k <= r; ++k)
            a[r][k] = r == k ? all - i * b[r] * b[r] : lane_splat(0) - i * b[r] * b[k];
    }
    if (s->braking) strain = v3_sub(strain, segment_strain(c, e->q, e->start));
    vec3 f = quat_turn(q, rod_solve(s, strain, compliance, a, lambda));
    e->dx[0] = v3_scale(-e->w[0], f);
    e->dx[1] = v3_scale(e->w[1], f);
    e->dturn = v3_scale(-i, v3_cross(e->start, f));
}

// J J^T is g^2 I + (c^2 |v|^2 + 2 c g w - g^2) v v^T for J = g (w I + [v]x) + c v v^T, c the rise.
INLINE void rod_joint_project(const rod_joint* c, const rod_rules* s, joint_ends* e, real lambda[3])
{
    joint_bend now = joint_find(c, quat_after(quat_by(e->turn[0]), e->q[0]),
                                quat_after(quat_by(e->turn[1]), e->q[1]));
    vec3 strain = joint_strain(&now);
    const real v[3] = {now.v.x, now.v.y, now.v.z};
    const real compliance[3] = {c->bend, c->bend, c->twist};
    real w = e->inverse[0] + e->inverse[1], square = now.g * now.g, a[3][3];
    real along = now.rise * (now.rise * v3_dot(now.v, now.v) + 2.0f * now.g * now.w) - square;
    UNROLL
    for (int r = 0; r < 3; ++r) {
        UNROLL
        for (int k = 0; k <= r; ++k)
            a[r][k] = w * (r == k ? square + along * v[r] * v[r] : along * v[r] * v[k]);
    }
    if (s->braking) {
        joint_bend start = joint_find(c, e->q[0], e->q[1]);
        strain = v3_sub(strain, joint_strain(&start));
    }
    vec3 moment = rod_solve(s, strain, compliance, a, lambda);
    vec3 torque = quat_turn(now.to, joint_torque(&now, moment));
    e->dturn[0] = v3_scale(-e->inverse[0], torque);
    e->dturn[1] = v3_scale(e->inverse[1], torque);
}
