// Stable neo-Hookean tetrahedron as one block of two rows (2022, eqs. 17 to 19): hydrostatic and
// deviatoric row solved together. At rest their gradients are parallel, so shear is explicit.
#pragma once
#include "constraint/tet.h"
#include "constraint/xpbd.h"

typedef struct {
    tet_shape shape;
    real volume_compliance, shear_compliance;
    real gamma;
} two_rows;

INLINE void two_rows_rest(two_rows* c, const element* e)
{
    c->shape = tet_rest(e);
    c->gamma = lane_splat((scalar)e->gamma);
    c->volume_compliance = lane_splat((scalar)(e->volume_compliance / e->volume));
    c->shear_compliance = lane_splat((scalar)(1 / (e->mu * e->volume)));
}

INLINE void two_rows_eval(const two_rows* c, const vec3 x[4], row_set* out)
{
    mat3 f = tet_gradient(&c->shape, x);
    out->value[0] = tet_hydrostatic(&c->shape, f, c->gamma, out->grad[0]);
    out->value[1] = tet_deviatoric(&c->shape, f, out->grad[1]);
    out->compliance[0] = c->volume_compliance;
    out->compliance[1] = c->shear_compliance;
}
