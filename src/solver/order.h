// The order of work of a step: which sweep comes when, and what happens to rows before and after
// it. The same source for the processor and for CUDA.
//
//   substep    brakes sweeps of the motion (damped bodies), then iterations sweeps of places
//   before the first     coast or predict, unless the rows have gone on to this substep already
//   after each           of places: complete, touch
//   after the last       update; and predict for the next substep, where rows go on
//
// A sweep has a number among those of its step. Patches meet before each of them and once after the
// last, so numbers of sweeps are numbers of meetings.
#pragma once
#include "math/lane.h"
#include <stdbool.h>

typedef struct {
    int substeps, iterations; // of the step, of a substep
    int brakes;               // sweeps of the motion in a substep; 0: no damping
    int turns;                // in which patches work one after the other
    bool damped;
    bool steady; // the step's first substep is of the same order as the others
    bool phased; // all rows of a world are at the same substep: none goes on by itself
} work_order;

// One sweep among those of a substep.
typedef struct {
    bool braking;     // constraints on the motion, or on places
    bool first, last; // of its kind in the substep. First: multipliers start at zero
    bool averaged;    // constraints on phantoms, which may be relaxed: known to who sweeps them
    int turn;         // number among those of its kind
    int substep;
} sweep_pass;

INLINE int order_passes(const work_order* o) { return o->brakes + o->iterations; }
INLINE int order_last_meeting(const work_order* o) { return o->substeps * order_passes(o); }

INLINE sweep_pass order_brake(const work_order* o, int number, int turn)
{
    sweep_pass p = {true, turn == 0, turn + 1 == o->brakes, false, turn, number};
    return p;
}

INLINE sweep_pass order_sweep(const work_order* o, int number, int turn)
{
    sweep_pass p = {false, turn == 0, turn + 1 == o->iterations, false, turn, number};
    return p;
}

// The sweep of a meeting; of meeting -1, what nobody looks at.
INLINE sweep_pass order_pass(const work_order* o, int meeting)
{
    int passes = order_passes(o);
    if (passes == 1) return order_sweep(o, meeting, 0); // without a division
    int i = (meeting + passes) % passes, number = (meeting + passes) / passes - 1;
    return i < o->brakes ? order_brake(o, number, i) : order_sweep(o, number, i - o->brakes);
}

// Rows go on to the next substep as soon as they are through with this one, unless viscosity comes
// first or the order changes. `second`: of second order; a literal where that saves something.
INLINE bool order_goes_on(const work_order* o, int number, bool second)
{
    return !o->damped && !o->phased && number + 1 < o->substeps &&
           (!second || number > 0 || o->steady);
}

// Whether rows have been begun for a sweep.
INLINE bool order_is_begun(const work_order* o, const sweep_pass* pass, bool second)
{
    return !pass->first || (pass->substep > 0 && order_goes_on(o, pass->substep - 1, second));
}

// The first sweep of a substep, of motion or of places: before it, rest shapes flow.
INLINE bool order_starts(const work_order* o, const sweep_pass* pass)
{
    return pass->first && pass->braking == (o->brakes > 0);
}

// A sweep of places that does not start from the prediction.
INLINE bool order_goes_on_from_sweep(const work_order* o, const sweep_pass* pass)
{
    return !pass->first || o->turns > 1;
}

// ---- phases -------------------------------------------------------------------------------------

// Where bodies may meet, all of them do the same at the same time.
typedef enum {
    PHASE_BEGIN, // the motion, or the prediction
    PHASE_SWEEP, // color after color, or patch by patch, turn after turn
    PHASE_JOIN,  // shared rows are merged; of places: the whole increment, attachments, static
                // contacts. From here on all rows of the world are complete and at the same instant
    PHASE_END, // velocity and position from the increment, restitution
} work_phase;

// Of one kind of sweeps: begin, then sweep and join in turn.
INLINE int order_brake_phases(const work_order* o) { return o->brakes ? 1 + 2 * o->brakes : 0; }
INLINE int order_phases(const work_order* o)
{
    return order_brake_phases(o) + 1 + 2 * o->iterations + 1;
}

// Phase i of those of a substep, and its sweep.
INLINE work_phase order_phase(const work_order* o, int number, int i, sweep_pass* out)
{
    int brakes = order_brake_phases(o), at = i < brakes ? i : i - brakes;
    int turn = at > 0 ? (at - 1) / 2 : 0;
    *out = i < brakes ? order_brake(o, number, turn) : order_sweep(o, number, turn);
    if (at == 0) return PHASE_BEGIN;
    if (i + 1 < order_phases(o)) return at % 2 ? PHASE_SWEEP : PHASE_JOIN;
    *out = order_sweep(o, number, o->iterations - 1);
    return PHASE_END;
}

// The number of a sweep among those of its step.
INLINE int order_meeting(const work_order* o, const sweep_pass* pass)
{
    return pass->substep * order_passes(o) + (pass->braking ? 0 : o->brakes) + pass->turn;
}

// Whether a body has that sweep: others may have more of viscosity.
INLINE bool order_has(const work_order* o, const sweep_pass* pass)
{
    return !pass->braking || pass->turn < o->brakes;
}
