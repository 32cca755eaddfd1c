// Deviatoric half of the decoupled neo-Hookean pair (2022, eq. 9): C = |F|.
#pragma once
#include "constraint/tet.h"
#include "constraint/xpbd.h"

typedef struct {
    tet_shape shape;
    real compliance;
} deviatoric;

INLINE void deviatoric_rest(deviatoric* c, const element* e)
{
    c->shape = tet_rest(e);
    c->compliance = lane_splat((scalar)(1 / (e->mu * e->volume)));
}

INLINE void deviatoric_eval(const deviatoric* c, const vec3 x[4], row_set* out)
{
    out->value[0] = tet_deviatoric(&c->shape, tet_gradient(&c->shape, x), out->grad[0]);
    out->compliance[0] = c->compliance;
}
