// What the kernels see of a body: its plan and state in device memory, and the numbers of the step.
#pragma once
#include "constraint/types.h"
#include "graph/plan.h"
#include "solver/particle.h"
#include "solver/particles.h"

// One kind of sweep (places, or the motion before the prediction). Where every group has one round
// of the same type, blocks are packed again, so that a thread takes its constants in few loads:
//   index   [group][lane] four or two uint16_t
//   field   [group][fields / 4][lane][4], then the rest [fields % 4][lane]
typedef struct {
    bool any;     // there is something to do
    bool uniform; // packed; else the blocks of the plan are read as they are
    constraint_type type;
    const uint16_t* index;
    const scalar* field;
    const scalar* same; // constants of the material
    size_t lambda_at;   // where its multipliers start
} stream;

typedef struct {
    // plan
    const patch* patches;
    const int* color_group;
    const lane_group* group;
    const round_block* round;
    const void* index;
    const scalar* field;
    const int *source_start, *source, *before;
    int patch_count, turn_count, color_count, row_count, index_bytes;
    bool patched, damped;
    stream sweep[2]; // of places, of motion

    // state
    scalar *row, *velocity, *residue, *force, *contact, *lambda, *share, *exchange[2];
    int* diverged; // the meeting from which on the body stands still; INT_MAX: never

    // step
    substep_rules rules;
    substep sees_substep[2]; // as constraints see it: of places, of motion
    foresight sees;
    int substeps, iterations;
    bool pushed;
    const path* movers;
    path* holders;
    int mover_count, holder_count;
    const obstacle* obstacles;
    int obstacle_count;
} device_body;

// A patch of a body, among those of all bodies of a launch.
typedef struct {
    int body, patch;
} device_task;

typedef struct {
    const device_body* body;
    const device_task* task;
    int task_count, turn_count, last_meeting;
    int row_capacity;          // rows of shared memory
    int color_capacity;        // colors of the patch with most of them
    bool motion_in_shared;     // velocities and residues too
    unsigned* arrived;         // counts blocks at the barrier
} patched_launch;
