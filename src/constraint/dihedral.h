// Bending of a hinge by its angle: C = 4 tan(theta / 4) - rest [-], with theta the angle between
// the normals of its triangles, negative where the tips rise on the side of the normals. The
// function is theta for small angles, needs no arc function, grows all the way from -180 to 180
// degrees, and its slope by theta, 1 + tan^2(theta / 4), is 1 to 2: a hinge that is folded flat is
// pulled as firmly as any other (the sine of half the angle would let go of it). At 180 degrees the
// sign changes: from there on the way back is the other way round.
#pragma once
#include "constraint/hinge.h"
#include "constraint/xpbd.h"

typedef struct {
    real rest, compliance;
} dihedral;

// tan(theta / 4) from the cosine and sine of theta, without cancellation on either side.
INLINE real dihedral_quarter(real cosine, real sine)
{
    const real one = lane_splat(1), zero = lane_splat(0);
    mask wide = cosine > zero;
    real large = lane_sqrt(0.5f * (one + lane_select(wide, cosine, -cosine)));
    real small = lane_select(sine < zero, -sine, sine) * (0.5f * lane_reciprocal(large));
    real cos_half = lane_select(wide, large, small), sin_half = lane_select(wide, small, large);
    real t = sin_half * lane_reciprocal(one + cos_half);
    return lane_select(sine < zero, -t, t);
}

typedef struct {
    vec3 normal;         // unit, 0 where the triangle has no area
    real inverse_height; // [1/m] of the tip above the edge
    real foot;           // [-] of the tip along the edge, from corner 0
    mask good;
} dihedral_side;

INLINE dihedral_side dihedral_find(vec3 edge, vec3 tip, vec3 cross, real edge_square)
{
    dihedral_side s;
    real square = v3_dot(cross, cross), lost = (64 * SCALAR_EPSILON * SCALAR_EPSILON) * edge_square;
    real inverse = lane_inverse_or_zero(lane_sqrt(square));
    s.good = square > lost * v3_dot(tip, tip);
    s.normal = v3_scale(inverse, cross);
    s.inverse_height = lane_sqrt(edge_square) * inverse;
    s.foot = v3_dot(edge, tip) * lane_inverse_or_zero(edge_square);
    return s;
}

// Value without the rest, and gradient.
INLINE real dihedral_bend(const vec3 x[4], vec3 grad[4])
{
    const real zero = lane_splat(0);
    vec3 edge = v3_sub(x[1], x[0]), a = v3_sub(x[2], x[0]), b = v3_sub(x[3], x[0]);
    real square = v3_dot(edge, edge);
    dihedral_side p = dihedral_find(edge, a, v3_cross(edge, a), square);
    dihedral_side q = dihedral_find(edge, b, v3_cross(b, edge), square);
    real sine =
        v3_dot(v3_cross(p.normal, q.normal), edge) * lane_inverse_or_zero(lane_sqrt(square));
    real t = dihedral_quarter(v3_dot(p.normal, q.normal), sine);
    // A triangle without area has no angle: a zero gradient leaves it to its edges.
    real slope = lane_select(p.good, lane_select(q.good, lane_splat(1) + t * t, zero), zero);
    grad[2] = v3_scale(-slope * p.inverse_height, p.normal);
    grad[3] = v3_scale(-slope * q.inverse_height, q.normal);
    grad[1] = v3_neg(v3_add_scaled(v3_scale(p.foot, grad[2]), q.foot, grad[3]));
    grad[0] = v3_neg(v3_add(v3_add(grad[1], grad[2]), grad[3]));
    return 4.0f * t;
}

INLINE void dihedral_eval(const dihedral* c, const vec3 x[4], row_set* out)
{
    out->value[0] = dihedral_bend(x, out->grad[0]) - c->rest;
    out->compliance[0] = c->compliance;
}

INLINE void dihedral_rest(dihedral* c, const element* e)
{
    vec3 x[4], unused[4];
    for (int i = 0; i < 4; ++i)
        x[i] = v3(lane_splat((scalar)(e->rest[i][0] - e->rest[0][0])),
                  lane_splat((scalar)(e->rest[i][1] - e->rest[0][1])),
                  lane_splat((scalar)(e->rest[i][2] - e->rest[0][2])));
    c->rest = dihedral_bend(x, unused);
    c->compliance = lane_splat((scalar)e->compliance);
}
