// What one patch does in a step, piece by piece: the drivers (patches.c, phases.c) decide when.
#pragma once
#include "solver/step.h"

enum { TIME_PREDICT, TIME_SWEEP, TIME_TOUCH, TIME_UPDATE, TIMES };

typedef struct {
    body_run* b;
    const patch* t;
    piece_run* run;
    particle_work work; // the body's, at the substep at hand
    bool timed;         // the first substep stands for all
    double clock;
} patch_work;

patch_work patch_open(body_run* b, int number, int at_substep);
void patch_lap(patch_work* w, int phase);

// Before the first sweep of its kind in a substep: the motion, or the prediction.
void patch_begin(patch_work* w, const sweep_pass* pass);
// From the copies that had their turn before, to what the sweep made of the rows, for others to
// see. Of places, without what it turned by itself.
void patch_sweep(patch_work* w, const sweep_pass* pass, int buffer);
// The rows that are shared become what all copies made of them.
void patch_merge(patch_work* w, int buffer);
// After a sweep of places, for the rows that the patch has alone or those that it shares; `on`: and
// into the next substep.
void patch_touch(patch_work* w, bool shared, const sweep_pass* pass);
void patch_update(patch_work* w, bool shared, bool on);

// ---- all of them --------------------------------------------------------------------------------

// The patches of all bodies that run fused, or of those that do not, and are still stepped, by
// turns, into step->tasks. Returns how many.
int patches_list(step_work* step, bool fused);
// Runs them turn after turn; *at is the first of the turn at hand, which task number 0 is for.
void patches_run_turns(step_work* step, int count, pliant_task_fn* task, void* argument,
                       const patch_task** at);
