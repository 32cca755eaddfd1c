// Joints of a world during a step: bodies whose points are held together. A meeting place of the
// step (solver/step.h): after each join, when all rows of the world are at the same instant, points
// take their rows, joints pull them, and rows take the points again.
//
//   load     points take place, motion, velocity and masses of their rows
//   begin    gaps; what joints did in the substep before is tried first
//   pull     each joint by itself: what its gap needs
//   move     each point by itself: the sum of what its joints do, in their order
//   end      what lasts is kept for the next substep, and expected by its prediction (step.h)
//   store    rows take the motion of the points
//
// A pass over joints reads points and writes joints, one over points reads joints and writes
// points: no order of threads is in it.
#pragma once
#include "joint/passes.h"
#include "solver/step.h"

typedef struct {
    joint_set set;
    int* slot;       // of each joint
    uint64_t* key;   // body and particle of each point, ascending
    body_run** body; // of each of the set's
    int joint_capacity, slot_capacity, key_capacity, point_capacity, row_capacity;
    int start_capacity, incidence_capacity, body_capacity, run_capacity;

    executor* exec;
    double h, last_h; // [s] the substep of the step at hand, and the last one of the step before;
                      // 0: what was does not count
    _Atomic bool off; // some joint was not done yet
} joint_system;

// Before a step: room for joints with that many particles in all (false when memory runs out), then
// the caller fills the set's joints, `slot` and `key`; then points are numbered, the caller gives
// each joint the points of its keys and each point its row; then points know their joints.
bool joint_system_reserve(joint_system* s, int joints, int particles);
void joint_system_number(joint_system* s, int particles);
int joint_system_point(const joint_system* s, uint64_t key);
void joint_system_link(joint_system* s);
void joint_system_destroy(joint_system* s);

// What a prepared step brings for the bodies and their points: of those that are stepped on a
// device, where their arrays are comes later.
void joint_set_tell(joint_system* s);

// The pieces of their bodies have a lift to look at.
void joint_mark_pieces(const joint_system* s);

pliant_result joint_meet(void* system, step_work* step, const sweep_pass* pass);
void joint_bounce(void* system, step_work* step); // does nothing
