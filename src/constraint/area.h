// Area of a triangle: C = |(x1 - x0) x (x2 - x0)| / 2 - area [m^2].
#pragma once
#include "constraint/xpbd.h"

typedef struct {
    real area, compliance;
} surface_area;

INLINE void surface_area_eval(const surface_area* c, const vec3 x[3], row_set* out)
{
    // A triangle without area has no normal: a zero gradient leaves it to its edges.
    vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), twice = v3_cross(a, b);
    real length = lane_sqrt(v3_dot(twice, twice));
    vec3 half = v3_scale(0.5f * lane_inverse_or_zero(length), twice);
    out->grad[0][1] = v3_cross(b, half);
    out->grad[0][2] = v3_cross(half, a);
    out->grad[0][0] = v3_neg(v3_add(out->grad[0][1], out->grad[0][2]));
    out->value[0] = 0.5f * length - c->area;
    out->compliance[0] = c->compliance;
}

INLINE void surface_area_rest(surface_area* c, const element* e)
{
    double d[2][3], square = 0;
    for (int k = 0; k < 3; ++k) {
        d[0][k] = e->rest[1][k] - e->rest[0][k];
        d[1][k] = e->rest[2][k] - e->rest[0][k];
    }
    for (int k = 0; k < 3; ++k) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        double part = d[0][p] * d[1][q] - d[0][q] * d[1][p];
        square += part * part;
    }
    c->area = lane_splat((scalar)(sqrt(square) / 2));
    c->compliance = lane_splat((scalar)e->compliance);
}
