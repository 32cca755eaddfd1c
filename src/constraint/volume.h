// Signed volume of a tetrahedron: C = ((x1 - x0) x (x2 - x0)) . (x3 - x0) / 6 - volume [m^3], as in
// the 2013 paper, whose equations 8 to 12 give the gradients to the wrong particles. An inverted
// element is twice its volume away from rest.
#pragma once
#include "constraint/xpbd.h"

typedef struct {
    real volume, compliance;
} solid_volume;

INLINE void solid_volume_rest(solid_volume* c, const element* e)
{
    c->volume = lane_splat((scalar)e->volume);
    c->compliance = lane_splat((scalar)e->compliance);
}

INLINE void solid_volume_eval(const solid_volume* c, const vec3 x[4], row_set* out)
{
    const real sixth = lane_splat((scalar)(1.0 / 6));
    vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), d = v3_sub(x[3], x[0]);
    out->grad[0][1] = v3_scale(sixth, v3_cross(b, d));
    out->grad[0][2] = v3_scale(sixth, v3_cross(d, a));
    out->grad[0][3] = v3_scale(sixth, v3_cross(a, b));
    out->grad[0][0] = v3_neg(v3_add(v3_add(out->grad[0][1], out->grad[0][2]), out->grad[0][3]));
    out->value[0] = v3_dot(out->grad[0][3], d) - c->volume;
    out->compliance[0] = c->compliance;
}
