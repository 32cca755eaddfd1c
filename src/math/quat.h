// Rotations as quaternions of length 1, in reals.
#pragma once
#include "math/vec3.h"

typedef struct {
    vec3 v;
    real w;
} quat;

INLINE quat quat_of(vec3 v, real w)
{
    quat q = {v, w};
    return q;
}

INLINE quat quat_back(quat q) { return quat_of(v3_neg(q.v), q.w); }

// First b, then a.
INLINE quat quat_after(quat a, quat b)
{
    vec3 v = v3_add(v3_cross(a.v, b.v), v3_add(v3_scale(a.w, b.v), v3_scale(b.w, a.v)));
    return quat_of(v, a.w * b.w - v3_dot(a.v, b.v));
}

INLINE vec3 quat_turn(quat q, vec3 x)
{
    vec3 t = v3_cross(q.v, x);
    t = v3_add(t, t);
    return v3_add(v3_add_scaled(x, q.w, t), v3_cross(q.v, t));
}

// By |angle| about `angle` [rad]: sine and cosine of half of it by their series, as far as floats
// know them up to an angle of 1, and of length 1 for any other.
INLINE quat quat_by(vec3 angle)
{
    const real one = lane_splat(1);
    vec3 half = v3_scale(lane_splat(0.5f), angle);
    real s = v3_dot(half, half);
    const scalar sixth = (scalar)1 / 6, twelfth = (scalar)1 / 12, thirtieth = (scalar)1 / 30,
                 part = (scalar)1 / 20, least = (scalar)1 / 42;
    real sinc = one - sixth * s * (one - part * s * (one - least * s));
    real cosine = one - 0.5f * s * (one - twelfth * s * (one - thirtieth * s));
    real length = sinc * sinc * s + cosine * cosine;
    real scale = lane_reciprocal(lane_sqrt(length));
    return quat_of(v3_scale(scale * sinc, half), scale * cosine);
}
