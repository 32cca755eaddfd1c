// What kernels of liquids have in common.
#pragma once
#include "cuda/launch.h"
#include "cuda/liquid.h"
#include "cuda/machine.cuh"

#define LIQUID static __device__

// As a launch sees it.
LIQUID fluid_set set_of(const liquid_work& work)
{
    const liquid_world* w = work.world;
    fluid_set s = w->set;
    s.count = w->of->count;
    s.other = w->of->other;
    s.notes = work.notes;
    if (work.swapped) {
        void* motion = s.wall;
        s.wall = s.motion;
        s.motion = motion;
    }
    return s;
}

// A launch begins, and the one before is done. What comes between steps counts for nobody.
LIQUID void note_start(const liquid_work& work)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    liquid_memory* l = work.world->of;
    long long now = nanoseconds();
    bool starts = work.kind == LIQUID_GATHER && work.first && work.substep == 0;
    if (!starts) l->spent[l->running] += now - l->since;
    l->since = now;
    l->running = work.kind;
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
