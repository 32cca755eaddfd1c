// How far a body may go until pairs have to be looked for again. The same source for the processor
// and for CUDA.
#pragma once
#include "contact/set.h"

// A pair comes nearer by the ways of both bodies, and has to stay apart by a part of its distance.
#define PAIR_ROOM 1.125

// [m] A body moves by up to `way`; pushes may add some, and a little where nothing moves.
FUNCTION double calm_of(const contact_body* b, double way)
{
    return 1.1 * way + 1e-3 * b->surface->mean_edge;
}

FUNCTION void set_calm(contact_body* b)
{
    b->calm = calm_of(b, b->way);
    b->self_calm = calm_of(b, b->self_way);
}

// [m] Wide enough for some substeps like this one, for as many as cost little: pairs that are far
// sleep.
FUNCTION double margin_of(const contact_body* b, double calm)
{
    double little = 0.5 * b->surface->mean_edge, substeps = little / (PAIR_ROOM * calm);
    double most = substeps < 8 ? substeps : 8;
    return PAIR_ROOM * calm * (substeps > 2 ? most : 1.001);
}

FUNCTION void set_margins(contact_body* b)
{
    b->odometer = b->self_odometer = 0;
    b->margin = margin_of(b, b->calm);
    b->self_margin = b->self ? margin_of(b, b->self_calm) : 0;
}

// Whether the list has all that it may meet in the substep.
FUNCTION bool body_is_listed(const contact_body* b)
{
    if (!(b->odometer + PAIR_ROOM * b->calm <= b->margin)) return false;
    return !b->self || b->self_odometer + PAIR_ROOM * b->self_calm <= b->self_margin;
}
