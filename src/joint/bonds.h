// What holds the two sides of a tear together while it opens: bonds between particles that have
// parted, which take the energy of the tear. A meeting place of the step (solver/step.h), as joints
// are, and with their points (passes.h).
//
// A bond holds two particles of a body, at the same place at first. It pulls along the line between
// them, with what keeps the gap as wide as it was at its widest, and at most with the force
//     f (1 - opening / reach),
// so that in all it takes f reach / 2 [J], whatever way it opens. Closing meets no force. Pushes on
// both are equal and opposite: momentum is kept.
#pragma once
#include "joint/system.h"

typedef struct {
    int particle[2];
    double force, reach; // [N, m]
    double opening;      // [m] the widest so far; at the reach it holds nothing
    double spent;        // [J] so far
} tear_bond;

typedef struct {
    tear_bond* bond; // the body's own
    int point[2];
    double limit, lambda; // [kg m] of the substep: the most, and what it did
} bond_state;

typedef struct {
    joint_system at; // points of bodies, without joints
    bond_state* bond;
    int count, capacity;
} bond_system;

void bond_system_destroy(bond_system* s);
pliant_result bonds_meet(void* system, step_work* step, const sweep_pass* pass);
void bonds_bounce(void* system, step_work* step); // does nothing

static inline bool bond_holds(const tear_bond* b) { return b->opening < b->reach; }
