// Distance between two particles: C = |x1 - x0| - length [m]. Edges of ropes, cloth and solids.
#pragma once
#include "constraint/xpbd.h"

typedef struct {
    real length, compliance;
} distance;

INLINE void distance_rest(distance* c, const element* e)
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (e->rest[1][k] - e->rest[0][k]) * (e->rest[1][k] - e->rest[0][k]);
    c->length = lane_splat((scalar)sqrt(square));
    c->compliance = lane_splat((scalar)e->compliance);
}

INLINE void distance_eval(const distance* c, const vec3 x[2], row_set* out)
{
    // Coincident particles have no direction: a zero gradient leaves them to their other
    // constraints.
    vec3 d = v3_sub(x[1], x[0]);
    real length = lane_sqrt(v3_dot(d, d));
    out->grad[0][1] = v3_scale(lane_inverse_or_zero(length), d);
    out->grad[0][0] = v3_neg(out->grad[0][1]);
    out->value[0] = length - c->length;
    out->compliance[0] = c->compliance;
}
