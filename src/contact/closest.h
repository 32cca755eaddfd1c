// Where two elements of surfaces are nearest. The same source for the processor and for CUDA.
//
// All is relative to the first point, so that it is as exact far from the origin as near to it.
#pragma once
#include "math/vec3.h"
#include <stdbool.h>

// The nearest points of two sides as sums over up to four points with weights: positive ones of the
// first side, negative ones of the other.
typedef struct {
    scalar weight[4];
    vec3 apart; // [m] from the second side to the first
} closest;

INLINE scalar clamp01(scalar a) { return lane_min(lane_max(a, 0), 1); }

INLINE scalar ratio_or_zero(scalar a, scalar b) { return b >= SCALAR_LEAST ? a / b : 0; }

// A point p and the triangle a b c. Weights that are 0 say on which edge or corner the nearest
// point is.
INLINE closest closest_of_triangle(vec3 p, vec3 a, vec3 b, vec3 c)
{
    vec3 ab = v3_sub(b, a), ac = v3_sub(c, a), ap = v3_sub(p, a), bp = v3_sub(p, b),
         cp = v3_sub(p, c);
    scalar d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap), d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp),
           d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
    scalar va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, v, w;
    if (d1 <= 0 && d2 <= 0) {
        v = w = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1;
        w = 0;
    } else if (d6 >= 0 && d5 <= d6) {
        v = 0;
        w = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = clamp01(ratio_or_zero(d1, d1 - d3));
        w = 0;
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        v = 0;
        w = clamp01(ratio_or_zero(d2, d2 - d6));
    } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
        w = clamp01(ratio_or_zero(d4 - d3, (d4 - d3) + (d5 - d6)));
        v = 1 - w;
    } else {
        scalar sum = va + vb + vc;
        v = ratio_or_zero(vb, sum);
        w = ratio_or_zero(vc, sum);
    }
    closest out = {{1, -(1 - v - w), -v, -w}, v3_sub(ap, v3_add_scaled(v3_scale(v, ab), w, ac))};
    // On the edge b c nothing is left of a.
    if (v + w == 1) out.weight[1] = 0;
    return out;
}

// A point p and the segment a b; the fourth weight is 0.
INLINE closest closest_of_segment(vec3 p, vec3 a, vec3 b)
{
    vec3 ab = v3_sub(b, a), ap = v3_sub(p, a);
    scalar t = clamp01(ratio_or_zero(v3_dot(ab, ap), v3_dot(ab, ab)));
    closest out = {{1, -(1 - t), -t, 0}, v3_add_scaled(ap, -t, ab)};
    return out;
}

// Segments a b and c d.
INLINE closest closest_of_edges(vec3 a, vec3 b, vec3 c, vec3 d)
{
    vec3 u = v3_sub(b, a), v = v3_sub(d, c), r = v3_sub(a, c);
    scalar uu = v3_dot(u, u), vv = v3_dot(v, v), uv = v3_dot(u, v), ur = v3_dot(u, r),
           vr = v3_dot(v, r);
    // Parallel ones have no single answer: any will do, and 0 is one.
    scalar det = uu * vv - uv * uv, least = 16 * SCALAR_EPSILON * uu * vv;
    scalar s = det > least ? clamp01((uv * vr - vv * ur) / det) : 0;
    scalar t = clamp01(ratio_or_zero(uv * s + vr, vv));
    s = clamp01(ratio_or_zero(uv * t - ur, uu));
    closest out = {{1 - s, s, -(1 - t), -t}, v3_sub(v3_add_scaled(r, s, u), v3_scale(t, v))};
    return out;
}

// ---- without ends -------------------------------------------------------------------------------

// Likewise of a point and a plane, a point and a line, and two lines: weights may be beyond 0 and
// 1. False where there is no plane, or where lines are parallel.

INLINE bool closest_of_plane(vec3 p, vec3 a, vec3 b, vec3 c, closest* out)
{
    vec3 ab = v3_sub(b, a), ac = v3_sub(c, a), ap = v3_sub(p, a), n = v3_cross(ab, ac);
    scalar square = v3_dot(n, n), ratio = 1 / square;
    scalar v = ratio * v3_dot(v3_cross(ap, ac), n), w = ratio * v3_dot(v3_cross(ab, ap), n);
    closest found = {{1, -(1 - v - w), -v, -w}, v3_scale(ratio * v3_dot(ap, n), n)};
    *out = found;
    return square >= 16 * SCALAR_EPSILON * v3_dot(ab, ab) * v3_dot(ac, ac) &&
           square >= SCALAR_LEAST;
}

INLINE bool closest_of_line(vec3 p, vec3 a, vec3 b, closest* out)
{
    vec3 ab = v3_sub(b, a), ap = v3_sub(p, a);
    scalar square = v3_dot(ab, ab), t = v3_dot(ab, ap) / square;
    closest found = {{1, -(1 - t), -t, 0}, v3_add_scaled(ap, -t, ab)};
    *out = found;
    return square >= SCALAR_LEAST;
}

INLINE bool closest_of_lines(vec3 a, vec3 b, vec3 c, vec3 d, closest* out)
{
    vec3 u = v3_sub(b, a), v = v3_sub(d, c), r = v3_sub(a, c);
    scalar uu = v3_dot(u, u), vv = v3_dot(v, v), uv = v3_dot(u, v), ur = v3_dot(u, r),
           vr = v3_dot(v, r), det = uu * vv - uv * uv;
    scalar s = (uv * vr - vv * ur) / det, t = (uv * s + vr) / vv;
    closest found = {{1 - s, s, -(1 - t), -t}, v3_sub(v3_add_scaled(r, s, u), v3_scale(t, v))};
    *out = found;
    return det > 16 * SCALAR_EPSILON * uu * vv && vv >= SCALAR_LEAST;
}
