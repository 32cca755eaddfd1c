// Two triangles at an edge: corners 0 and 1 are the edge, 2 and 3 the tips, triangles 0 1 2 and
// 1 0 3. What the two ways of bending share of it, at rest.
#pragma once
#include "constraint/element.h"

INLINE double hinge_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE double hinge_twice_area(const double a[3], const double b[3])
{
    double square = hinge_dot(a, a) * hinge_dot(b, b) - hinge_dot(a, b) * hinge_dot(a, b);
    return square > 0 ? sqrt(square) : 0;
}

// Weights k_i with sum 0: k_i x_i, summed up, is to first order the length of the edge times the
// angle of the hinge, along its normal (Bergou and others, 2006: sums of cotangents).
INLINE void hinge_weights(const element* e, double out[4])
{
    double edge[3], back[3];
    for (int k = 0; k < 3; ++k) edge[k] = e->rest[1][k] - e->rest[0][k], back[k] = -edge[k];
    out[0] = out[1] = 0;
    for (int tip = 2; tip < 4; ++tip) {
        double a[3], b[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = e->rest[tip][k] - e->rest[0][k];
            b[k] = e->rest[tip][k] - e->rest[1][k];
        }
        double twice = hinge_twice_area(edge, a);
        double cot0 = hinge_dot(edge, a) / twice, cot1 = hinge_dot(back, b) / twice;
        out[0] += cot1;
        out[1] += cot0;
        out[tip] = -(cot0 + cot1);
    }
}
