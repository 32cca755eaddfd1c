// Bends that stay: the curvature of a plate at rest follows where it is bent beyond its yield
// curvature. With the rows C of what is bent elastically, weighed by their stiffness as that of the
// first, |C|^2 = sum of C_r^2 stiffness_r / stiffness_0 is the square of the curvature of a strip
// with that energy. Beyond the limit, C becomes (1 - omega) C,
//     omega = (|C| - limit) / |C| / (1 + H) * h / (h + time),
// for a hardening H, over the bending (what flows raises the limit), and a relaxation time. As all
// flow it looks at the places at the start of a substep (flow.h), whose rules and room it has.
#pragma once
#include "constraint/flow.h"
#include "constraint/list.h"

static inline bool is_plate(constraint_type type)
{
    return type == TYPE_plate || type == TYPE_plate_side || type == TYPE_plate_end ||
           type == TYPE_plate_rate || type == TYPE_plate_side_rate || type == TYPE_plate_end_rate;
}

typedef struct {
    real added[PLATE_ROWS]; // [1/m] to the rest of the rows
    real unused[FLOW_STATE - PLATE_ROWS - 1];
    real strain; // [1/m] that has flowed
} crease_state;

// Lets a plate flow for a substep of h. Returns whether it did in any lane.
INLINE int crease_advance(const flow_rules* r, const row_set* c, scalar h, crease_state* s)
{
    real square = c->value[0] * c->value[0];
    UNROLL
    for (int i = 1; i < PLATE_ROWS; ++i)
        square = square + c->value[i] * c->value[i] * (c->compliance[0] / c->compliance[i]);
    real norm = lane_sqrt(square), over = norm - (r->limit + r->hardening * s->strain);
    mask yields = over > lane_splat(0);
    if (!lane_any(yields)) return 0;
    real slower = (lane_splat(1) + r->hardening) * (h + r->time);
    real share = lane_select(yields, over * h / (norm * slower), lane_splat(0));
    UNROLL
    for (int i = 0; i < PLATE_ROWS; ++i) s->added[i] = s->added[i] + share * c->value[i];
    s->strain = s->strain + share * norm;
    return 1;
}
