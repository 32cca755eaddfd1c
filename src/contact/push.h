// What a contact does, in numbers of two sides alone: how deep they overlap, how hard they push and
// are held by friction. In `real`: of one pair, or of as many as there are lanes.
#pragma once
#include "math/vec3.h"

// ---- push ---------------------------------------------------------------------------------------

// Of a pair that overlaps when the substep begins [m], by which it may come apart in this one. What
// overlaps although it was pushed, since one pass does not solve all, is let out little by little,
// unless it is as little as bodies at rest have: all at once it would gain energy. What comes
// nearer is stopped in any case.
INLINE real calmed_depth(real depth, real overlap, scalar little)
{
    const scalar part = (scalar)0.05;
    real leaves = overlap - depth; // [m] by which it goes apart already
    real most = lane_max(part * overlap, lane_splat(little));
    return lane_select(overlap > 0, lane_min(depth, most - leaves), depth);
}

// [m/s] At which any overlap is let out, in speeds of rest (substep.h): balls that lie on each
// other in heaps have many overlaps, and would boil if these were let out as fast as those of
// surfaces.
#define CALM_OF_SURFACES 10
#define CALM_OF_BALLS    1
// And of what balls do to each other, the share that goes on: pushes that went on as they are would
// swing where one pass of many contacts takes back a small part of what is too much.
#define BALLS_LAST 0.95

// Of rigid bodies. What overlaps, and what still pushes although it is apart, comes to its place
// little by little, from both sides: contacts that others are piled on are not solved to the end in
// a substep, and what is left over would come back as a speed, and rock the pile until it falls.
// What is deeper than a `little` comes out faster.
INLINE real resting_depth(real depth, real overlap, mask rests, real little)
{
    const scalar part = (scalar)0.003, more = (scalar)0.05;
    real comes_out = part * overlap + more * lane_max(overlap - little, overlap - overlap);
    return lane_select((overlap > 0) | rests, depth - (overlap - comes_out), depth);
}

// [kg m] By how much a push of `lambda` changes. A contact does not pull.
INLINE real push_change(real depth, real lambda, real pivot, real yield)
{
    return lane_max((depth - yield * lambda) / (pivot + yield), -lambda);
}

// Coulomb's law on what friction has done in all: as much as it takes up to the static limit, and
// beyond that the dynamic one.
INLINE vec3 coulomb(real stick, real slip, real lambda, vec3 slide)
{
    real length = lane_sqrt(v3_dot(slide, slide)), most = slip * lambda;
    mask holds = length <= lane_max(stick * lambda, most);
    real share = most / lane_select(holds, lane_splat(1), length);
    vec3 less = v3_scale(share, slide);
    return v3(lane_select(holds, slide.x, less.x), lane_select(holds, slide.y, less.y),
              lane_select(holds, slide.z, less.z));
}

// ---- what goes on -------------------------------------------------------------------------------

// A pair takes over what it remembers where its courses alone, which bring it nearer by `way` [m],
// bring it near: that does not depend on lists.
#define PAIR_ROOM    1.125 // a pair has to stay apart by a part of its distance
#define OWN_LEEWAY   0.05  // of a course, at least
#define WAY_ROUNDING 1e-5  // more than what rounding takes of a sum of ways

INLINE mask courses_meet(real apart, real thickness, real way)
{
    const scalar room = (scalar)(PAIR_ROOM * (1 + OWN_LEEWAY));
    return apart <= thickness * (scalar)(1 + WAY_ROUNDING) + room * way;
}

// Of a push, the share that will go on: not what took the speed of approach [m/s], unless that is
// no more than what gravity brings between two contacts. (Friction that bodies at rest lost again
// and again would have to be won again by slipping.)
INLINE real share_that_lasts(real lambda, real pivot, real approach, scalar h, scalar rest_speed)
{
    const real none = lane_splat(0);
    real impact = lane_select(approach > rest_speed, approach * h, none), needed = pivot * lambda;
    mask lasts = needed > impact;
    return lane_select(lasts, (needed - impact) / lane_select(lasts, needed, lane_splat(1)), none);
}
