// Hydrostatic half of the decoupled neo-Hookean pair (2022, eq. 8): C = det F - gamma.
#pragma once
#include "constraint/tet.h"
#include "constraint/xpbd.h"

typedef struct {
    tet_shape shape;
    real compliance, gamma;
} hydrostatic;

INLINE void hydrostatic_rest(hydrostatic* c, const element* e)
{
    c->shape = tet_rest(e);
    c->gamma = lane_splat((scalar)e->gamma);
    c->compliance = lane_splat((scalar)(e->volume_compliance / e->volume));
}

INLINE void hydrostatic_eval(const hydrostatic* c, const vec3 x[4], row_set* out)
{
    mat3 f = tet_gradient(&c->shape, x);
    out->value[0] = tet_hydrostatic(&c->shape, f, c->gamma, out->grad[0]);
    out->compliance[0] = c->compliance;
}
