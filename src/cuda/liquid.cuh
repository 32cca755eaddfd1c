// What kernels of liquids have in common.
#pragma once
#include "cuda/launch.h"
#include "cuda/liquid.h"

#define LIQUID static __device__

// As a launch sees it.
LIQUID fluid_set set_of(const liquid_world* w, bool swapped)
{
    fluid_set s = w->set;
    s.count = w->of->count;
    s.other = w->of->other;
    if (swapped) {
        void* motion = s.wall;
        s.wall = s.motion;
        s.motion = motion;
    }
    return s;
}

LIQUID int row_of(const liquid_body* b, int particle)
{
    return b->first_row ? b->first_row[particle] : particle;
}

// It left the finite numbers.
LIQUID bool stands_still(const liquid_world* w, const liquid_body* b, int substep)
{
    return *b->diverged < w->first_meeting + substep;
}
