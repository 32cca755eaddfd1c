// What the constraints of a tetrahedron share. F = sum over i of (x_i - x_0) b_i^T, where b_1 to
// b_3 are the rows of the inverse of the rest edges and b_0 is minus their sum: the gradient of any
// function of F with respect to x_i is (dC/dF) b_i.
#pragma once
#include "constraint/element.h"

typedef struct {
    vec3 b1, b2, b3; // [1/m]
} tet_shape;

INLINE tet_shape tet_rest(const element* e)
{
    double d[3][3], m[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) d[i][k] = e->rest[i + 1][k] - e->rest[0][k];
    // rows of the inverse: m_i = d_j x d_k / det
    for (int i = 0; i < 3; ++i) {
        const double *p = d[(i + 1) % 3], *q = d[(i + 2) % 3];
        for (int k = 0; k < 3; ++k)
            m[i][k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
    }
    double det = d[0][0] * m[0][0] + d[0][1] * m[0][1] + d[0][2] * m[0][2];
    vec3 b[3];
    for (int i = 0; i < 3; ++i)
        b[i] = v3(lane_splat((scalar)(m[i][0] / det)), lane_splat((scalar)(m[i][1] / det)),
                  lane_splat((scalar)(m[i][2] / det)));
    tet_shape shape = {b[0], b[1], b[2]};
    return shape;
}

// The matrix sum of e_i b_i^T for four points: F for positions, its change for displacements.
INLINE mat3 tet_gradient(const tet_shape* t, const vec3 x[4])
{
    vec3 e1 = v3_sub(x[1], x[0]), e2 = v3_sub(x[2], x[0]), e3 = v3_sub(x[3], x[0]);
    mat3 f = {
        v3_add_scaled(v3_add_scaled(v3_scale(t->b1.x, e1), t->b2.x, e2), t->b3.x, e3),
        v3_add_scaled(v3_add_scaled(v3_scale(t->b1.y, e1), t->b2.y, e2), t->b3.y, e3),
        v3_add_scaled(v3_add_scaled(v3_scale(t->b1.z, e1), t->b2.z, e2), t->b3.z, e3),
    };
    return f;
}

// Gradients of a function of F whose derivative is p.
INLINE void tet_gradients(const tet_shape* t, mat3 p, vec3 grad[4])
{
    grad[1] = m3_mul(p, t->b1);
    grad[2] = m3_mul(p, t->b2);
    grad[3] = m3_mul(p, t->b3);
    grad[0] = v3_neg(v3_add(v3_add(grad[1], grad[2]), grad[3]));
}

// out_i = time * stiffness * w_i, in an order that stays in the range of floats for elements of any
// size: stiffness times inverse mass first (w_i b_i b_i^T alone overflows for nanometers).
INLINE void tet_weights(scalar time, real stiffness, const real w[4], real out[4])
{
    UNROLL
    for (int i = 0; i < 4; ++i) out[i] = time * (stiffness * w[i]);
}

// sum of w_i b_i b_i^T: moving the corners by w_i M b_i changes F by M times it. With b_0 minus the
// sum of the others it is the sum of c_i b_i^T, c_i = w_i b_i - w_0 b_0, over those.
INLINE sym3 tet_mobility(const tet_shape* t, const real w[4])
{
    vec3 b0 = v3_scale(w[0], v3_add(v3_add(t->b1, t->b2), t->b3));
    vec3 c1 = v3_add_scaled(b0, w[1], t->b1), c2 = v3_add_scaled(b0, w[2], t->b2);
    vec3 c3 = v3_add_scaled(b0, w[3], t->b3);
    sym3 s = {c1.x * t->b1.x + c2.x * t->b2.x + c3.x * t->b3.x,
              c1.y * t->b1.y + c2.y * t->b2.y + c3.y * t->b3.y,
              c1.z * t->b1.z + c2.z * t->b2.z + c3.z * t->b3.z,
              c1.x * t->b1.y + c2.x * t->b2.y + c3.x * t->b3.y,
              c1.x * t->b1.z + c2.x * t->b2.z + c3.x * t->b3.z,
              c1.y * t->b1.z + c2.y * t->b2.z + c3.y * t->b3.z};
    return s;
}

// m b_i in the place of b_i
INLINE tet_shape tet_turned(const tet_shape* t, sym3 m)
{
    tet_shape r = {s3_mul(m, t->b1), s3_mul(m, t->b2), s3_mul(m, t->b3)};
    return r;
}

// dx_i = w_i m b_i
INLINE void tet_move(const tet_shape* t, mat3 m, const real w[4], vec3 dx[4])
{
    vec3 push[4];
    tet_gradients(t, m, push);
    UNROLL
    for (int i = 0; i < 4; ++i) dx[i] = v3_scale(w[i], push[i]);
}

// Deviatoric row C = |F|, compliance 1 / (mu V). At F = 0 there is no direction: a zero gradient
// leaves the corners to their other constraints.
INLINE real tet_deviatoric(const tet_shape* t, mat3 f, vec3 grad[4])
{
    real norm = lane_sqrt(m3_dot(f, f));
    tet_gradients(t, m3_scale(lane_inverse_or_zero(norm), f), grad);
    return norm;
}

// Hydrostatic row C = det F - gamma, compliance 1 / (lambda V).
INLINE real tet_hydrostatic(const tet_shape* t, mat3 f, real gamma, vec3 grad[4])
{
    mat3 cof = m3_cofactor(f);
    tet_gradients(t, cof, grad);
    return v3_dot(f.a, cof.a) - gamma;
}
