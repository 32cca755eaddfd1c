// 3 x 3 matrices, general and symmetric.
#pragma once
#include "math/vec3.h"

// Columns a, b, c.
typedef struct {
    vec3 a, b, c;
} mat3;

INLINE vec3 m3_mul(mat3 m, vec3 v)
{
    return v3_add_scaled(v3_add_scaled(v3_scale(v.x, m.a), v.y, m.b), v.z, m.c);
}
INLINE mat3 m3_mul_m3(mat3 m, mat3 n)
{
    mat3 r = {m3_mul(m, n.a), m3_mul(m, n.b), m3_mul(m, n.c)};
    return r;
}
INLINE mat3 m3_add_scaled(mat3 m, real s, mat3 n)
{
    mat3 r = {v3_add_scaled(m.a, s, n.a), v3_add_scaled(m.b, s, n.b), v3_add_scaled(m.c, s, n.c)};
    return r;
}
INLINE mat3 m3_scale(real s, mat3 m)
{
    mat3 r = {v3_scale(s, m.a), v3_scale(s, m.b), v3_scale(s, m.c)};
    return r;
}
INLINE mat3 m3_add(mat3 m, mat3 n)
{
    mat3 r = {v3_add(m.a, n.a), v3_add(m.b, n.b), v3_add(m.c, n.c)};
    return r;
}
INLINE mat3 m3_sub(mat3 m, mat3 n)
{
    mat3 r = {v3_sub(m.a, n.a), v3_sub(m.b, n.b), v3_sub(m.c, n.c)};
    return r;
}
INLINE mat3 m3_transpose(mat3 m)
{
    mat3 r = {v3(m.a.x, m.b.x, m.c.x), v3(m.a.y, m.b.y, m.c.y), v3(m.a.z, m.b.z, m.c.z)};
    return r;
}
// Sum of the products of the elements: <m, n>.
INLINE real m3_dot(mat3 m, mat3 n)
{
    return v3_dot(m.a, n.a) + v3_dot(m.b, n.b) + v3_dot(m.c, n.c);
}
// det(m) = <cof m, m> / 3, and the gradient of det is cof m.
INLINE mat3 m3_cofactor(mat3 m)
{
    mat3 r = {v3_cross(m.b, m.c), v3_cross(m.c, m.a), v3_cross(m.a, m.b)};
    return r;
}

// Symmetric.
typedef struct {
    real xx, yy, zz, xy, xz, yz;
} sym3;

INLINE sym3 s3_scale(real s, sym3 m)
{
    sym3 r = {s * m.xx, s * m.yy, s * m.zz, s * m.xy, s * m.xz, s * m.yz};
    return r;
}
INLINE sym3 s3_add_scaled(sym3 a, real s, sym3 b)
{
    sym3 r = {a.xx + s * b.xx, a.yy + s * b.yy, a.zz + s * b.zz,
              a.xy + s * b.xy, a.xz + s * b.xz, a.yz + s * b.yz};
    return r;
}
INLINE real s3_trace(sym3 m) { return m.xx + m.yy + m.zz; }
// Sum of the products of all nine elements.
INLINE real s3_dot(sym3 a, sym3 b)
{
    return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz +
           2.0f * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
INLINE vec3 s3_mul(sym3 m, vec3 v)
{
    return v3(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
              m.xz * v.x + m.yz * v.y + m.zz * v.z);
}
// a b where the two commute, so that it is symmetric.
INLINE sym3 s3_product(sym3 a, sym3 b)
{
    sym3 r = {
        a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
        a.xz * b.xz + a.yz * b.yz + a.zz * b.zz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz,
        a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xy * b.xz + a.yy * b.yz + a.yz * b.zz,
    };
    return r;
}
// m s, for a general m.
INLINE mat3 m3_mul_s3(mat3 m, sym3 s)
{
    mat3 r = {m3_mul(m, v3(s.xx, s.xy, s.xz)), m3_mul(m, v3(s.xy, s.yy, s.yz)),
              m3_mul(m, v3(s.xz, s.yz, s.zz))};
    return r;
}
// m^T m
INLINE sym3 m3_metric(mat3 m)
{
    sym3 r = {v3_dot(m.a, m.a), v3_dot(m.b, m.b), v3_dot(m.c, m.c),
              v3_dot(m.a, m.b), v3_dot(m.a, m.c), v3_dot(m.b, m.c)};
    return r;
}

// (I + t)^-1 for a positive semidefinite t of any size, by L D L^T. The pivots are 1 or more but
// for rounding: near-singular t of any size (an element with one free corner) give a positive
// definite result with 1 / (epsilon t) digits, where cofactors would have 1 / (epsilon t^2).
INLINE sym3 s3_inverse_of_one_plus(sym3 t)
{
    real one = lane_splat(1);
    real ix = lane_reciprocal(1.0f + t.xx);
    real yx = t.xy * ix, zx = t.xz * ix;
    real iy = lane_reciprocal(lane_max(1.0f + (t.yy - yx * t.xy), one));
    real off = t.yz - zx * t.xy, zy = off * iy;
    real iz = lane_reciprocal(lane_max(1.0f + (t.zz - zx * t.xz - zy * off), one));
    real u = yx * zy - zx;
    sym3 r = {ix + yx * yx * iy + u * u * iz,
              iy + zy * zy * iz,
              iz,
              -(yx * iy) - zy * u * iz,
              u * iz,
              -(zy * iz)};
    return r;
}
