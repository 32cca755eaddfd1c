// Joints of a world: what a step is told of them, what it leaves, and the snapshot's part of it.
#pragma once
#include "world/world.h"

// Before a step of substeps of h [s], after contacts were prepared: the joint systems know the
// joints and rows as they are, and contacts which points are joined. `out_here`, `out_there`: there
// are some on the CPU, on a GPU; their bodies run in phases.
pliant_result world_prepare_joints(pliant_world* world, double h, bool* out_here, bool* out_there);
// Those of a GPU, once the step is prepared.
void world_tell_joints(pliant_world* world);
// After it: forces, and who breaks.
void world_finish_joints(pliant_world* world);

// What the last step left on a GPU, here, for whoever reads it; and that nobody asks for it any
// more, since something else was written here.
pliant_result world_fetch_joints(const pliant_world* world);
void world_forget_joints(pliant_world* world);

// [m/s] what joints may give to bodies in a step of dt [s]: the fastest particle, or moving pin, of
// any body that has one.
double world_fastest_joined(const pliant_world* world, double dt);

// Point `i` of a system, of its key; and which bodies points are of, which run in phases.
void world_enter_joint_point(const pliant_world* world, joint_system* s, int i);
void world_tell_joint_points(const pliant_world* world, joint_system* s);

// The joint of an id, or NULL, with the error text.
joint_slot* world_find_joint(const pliant_world* world, pliant_joint_id id);

void joined_points_destroy(joined_points* j);

// Those of a body that is removed.
void world_remove_joints_of(pliant_world* world, pliant_body_id id);

// The joint of a slot, or NULL while it is free: for loops from 0 to joints.count - 1.
static inline joint_slot* world_joint_at(const pliant_world* world, int index)
{
    return (joint_slot*)pool_at(&world->joints, index);
}

// All of the state of a body, with what joints do, is here; before any lock for readers. False when
// a device fails.
bool body_fetch_joined(const pliant_world* world, body* b);

// What joints do to a body, mean over the last step: of each particle of each joint, in their
// order. They have been fetched.
typedef void joint_force_fn(void* context, int particle, const double force[3]);
void world_each_joint_force(const pliant_world* world, const body* b, joint_force_fn* each,
                            void* context);

// What is state: numbers of 8 bytes alone, hashed as they are.
typedef struct {
    double lambda[3], rest[3];
    uint64_t broken;
    uint64_t jumped; // its bodies were moved, or it is new: the next step looks at its gap
} joint_record;
joint_record world_joint_record(const pliant_world* world, const joint_slot* j);
void world_restore_joint(pliant_world* world, joint_slot* j, const joint_record* from);
