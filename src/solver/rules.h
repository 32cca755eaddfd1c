// The numbers of a body's step, in the precision of its particles.
#pragma once
#include "solver/particle.h"
#include "solver/particles.h"

static inline second_rules second_rules_of(const particle_work* w)
{
    double r = work_ratio(w, w->substep), lean = work_lean(w, w->substep);
    return (second_rules){.reach = (scalar)((1 - lean) * w->h),
                          .h = (scalar)work_past_h(w, w->substep),
                          .ratio = (scalar)r,
                          .change = (scalar)(lean * r),
                          .lean = (scalar)lean,
                          .turn = (scalar)(lean / (1 - lean)),
                          .onward = (scalar)(r > 0 ? (1 + 1 / r) * lean / (1 - lean) : 0)};
}

// Gravity has no negative zeros: rows that expect no contact are the same bits whether or not one
// beside them does.
static inline substep_rules substep_rules_of(const particle_work* w)
{
    const double* g = w->acceleration;
    return (substep_rules){.h = (scalar)w->h,
                           .inv_h = 1 / (scalar)w->h,
                           .seen = (scalar)(w->sees.motion * w->h),
                           .past = second_rules_of(w),
                           .keep = (scalar)(1 - w->drag),
                           .lift = (scalar)work_lift(w),
                           .whole = (scalar)(1 / w->sees.push),
                           .substeps = (scalar)w->substeps,
                           .rest_speed = (scalar)w->rest_speed,
                           .gravity = v3((scalar)g[0] + 0, (scalar)g[1] + 0, (scalar)g[2] + 0),
                           .damped = w->damped,
                           .owed = (scalar)work_owed(w)};
}

static inline obstacle obstacle_of(const particle_work* w, const collider* c)
{
    obstacle o = {probe_shape_of(c),
                  (scalar)(w->friction * c->static_friction),
                  (scalar)(w->friction * c->dynamic_friction),
                  (scalar)(w->restitution * c->restitution),
                  (scalar)(c->reach * (1 + 8 * SCALAR_EPSILON)),
                  0,
                  c->way,
                  c->load};
    for (int k = 0; k < 3; ++k) o.shape.position[k] -= w->aside[k];
    for (int i = 0; w->sunk && i < MOST_SUNK; ++i)
        if (w->sunk[i].depth > 0 && w->sunk[i].key == c->key) o.sunk = (scalar)w->sunk[i].depth;
    return o;
}
