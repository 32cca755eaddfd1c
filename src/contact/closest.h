// Where two elements of surfaces are nearest, for one pair or for lanes. The same source for the
// processor and for CUDA.
//
// All is relative to the first point, so that it is as exact far from the origin as near to it.
#pragma once
#include "math/vec3.h"
#include <stdbool.h>

// The nearest points of two sides as sums over up to four points with weights: positive ones of the
// first side, negative ones of the other.
typedef struct {
    real weight[4];
    vec3 apart; // [m] from the second side to the first
} closest;

INLINE real clamp01(real a) { return lane_min(lane_max(a, lane_splat(0)), lane_splat(1)); }

INLINE real ratio_or_zero(real a, real b)
{
    return lane_select(b >= SCALAR_LEAST, a / b, lane_splat(0));
}

// A point p and the triangle a b c. Weights that are 0 say on which edge or corner the nearest
// point is. What comes later in the order of questions goes before: corners, then edges, then the
// inside.
INLINE closest closest_of_triangle(vec3 p, vec3 a, vec3 b, vec3 c)
{
    const real none = lane_splat(0), all = lane_splat(1);
    vec3 ab = v3_sub(b, a), ac = v3_sub(c, a), ap = v3_sub(p, a), bp = v3_sub(p, b),
         cp = v3_sub(p, c);
    real d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap), d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp),
         d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
    real va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    mask on_bc = (va <= 0) & (d4 >= d3) & (d5 >= d6);
    mask on_ac = (vb <= 0) & (d2 >= 0) & (d6 <= 0);
    mask on_ab = (vc <= 0) & (d1 >= 0) & (d3 <= 0);
    mask at_c = (d6 >= 0) & (d5 <= d6);
    mask at_b = (d3 >= 0) & (d4 <= d3);
    mask at_a = (d1 <= 0) & (d2 <= 0);

    // One division serves all edges and the inside, a second one the inside.
    real sum = va + vb + vc, part = vb, of = sum;
    part = lane_select(on_bc, d4 - d3, part);
    of = lane_select(on_bc, (d4 - d3) + (d5 - d6), of);
    part = lane_select(on_ac, d2, part);
    of = lane_select(on_ac, d2 - d6, of);
    part = lane_select(on_ab, d1, part);
    of = lane_select(on_ab, d1 - d3, of);
    real t = ratio_or_zero(part, of), along = clamp01(t);
    real v = t, w = ratio_or_zero(vc, sum);
    v = lane_select(on_bc, 1 - along, v);
    w = lane_select(on_bc, along, w);
    v = lane_select(on_ac, none, v);
    w = lane_select(on_ac, along, w);
    v = lane_select(on_ab, along, v);
    w = lane_select(on_ab, none, w);
    v = lane_select(at_c, none, v);
    w = lane_select(at_c, all, w);
    v = lane_select(at_b, all, v);
    w = lane_select(at_b, none, w);
    v = lane_select(at_a, none, v);
    w = lane_select(at_a, none, w);
    // On the edge b c nothing is left of a.
    real of_a = lane_select(v + w == 1, none, -(1 - v - w));
    closest out = {{all, of_a, -v, -w}, v3_sub(ap, v3_add_scaled(v3_scale(v, ab), w, ac))};
    return out;
}

// A point p and the segment a b; the fourth weight is 0.
INLINE closest closest_of_segment(vec3 p, vec3 a, vec3 b)
{
    vec3 ab = v3_sub(b, a), ap = v3_sub(p, a);
    real t = clamp01(ratio_or_zero(v3_dot(ab, ap), v3_dot(ab, ab)));
    closest out = {{lane_splat(1), -(1 - t), -t, lane_splat(0)}, v3_add_scaled(ap, -t, ab)};
    return out;
}

// Segments a b and c d.
INLINE closest closest_of_edges(vec3 a, vec3 b, vec3 c, vec3 d)
{
    vec3 u = v3_sub(b, a), v = v3_sub(d, c), r = v3_sub(a, c);
    real uu = v3_dot(u, u), vv = v3_dot(v, v), uv = v3_dot(u, v), ur = v3_dot(u, r),
         vr = v3_dot(v, r);
    // Parallel ones have no single answer: any will do, and 0 is one.
    real det = uu * vv - uv * uv, least = 16 * SCALAR_EPSILON * uu * vv;
    real s = lane_select(det > least, clamp01((uv * vr - vv * ur) / det), lane_splat(0));
    real t = clamp01(ratio_or_zero(uv * s + vr, vv));
    s = clamp01(ratio_or_zero(uv * t - ur, uu));
    closest out = {{1 - s, s, -(1 - t), -t}, v3_sub(v3_add_scaled(r, s, u), v3_scale(t, v))};
    return out;
}

// How far they are apart, and in which direction; both are 0 where they are at the same place.
typedef struct {
    real weight[4];
    vec3 normal;   // from the second side to the first
    real distance; // [m]
} closest_way;

INLINE closest_way closest_way_of(const closest* c)
{
    real square = v3_dot(c->apart, c->apart), length = lane_sqrt(square);
    mask apart = square >= SCALAR_LEAST * 4;
    vec3 normal = v3_scale(1 / length, c->apart);
    closest_way out = {{c->weight[0], c->weight[1], c->weight[2], c->weight[3]},
                       v3(lane_select(apart, normal.x, lane_splat(0)),
                          lane_select(apart, normal.y, lane_splat(0)),
                          lane_select(apart, normal.z, lane_splat(0))),
                       lane_select(apart, length, lane_splat(0))};
    return out;
}
