// A particle held at a point in space: C = x - point, three rows with one compliance. The position
// comes relative to the point.
#pragma once
#include "constraint/xpbd.h"

typedef struct {
    real compliance;
} attachment;

INLINE void attachment_rest(attachment* c, const element* e)
{
    (void)e;
    c->compliance = lane_splat(0);
}

INLINE void attachment_eval(const attachment* c, const vec3 x[1], row_set* out)
{
    real o = lane_splat(0), one = lane_splat(1);
    out->value[0] = x[0].x;
    out->value[1] = x[0].y;
    out->value[2] = x[0].z;
    out->grad[0][0] = v3(one, o, o);
    out->grad[1][0] = v3(o, one, o);
    out->grad[2][0] = v3(o, o, one);
    for (int r = 0; r < 3; ++r) out->compliance[r] = c->compliance;
}
