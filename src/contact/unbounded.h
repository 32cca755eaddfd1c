// Where planes and lines are nearest, as closest.h has it for what has ends: weights may be beyond
// 0 and 1. False where there is no plane or line, or where lines are parallel.
#pragma once
#include "contact/closest.h"

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
