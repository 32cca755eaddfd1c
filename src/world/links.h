// Joints of a world that have a rigid side, or hold something to the world.
#pragma once
#include "world/joints.h"

// Checks of a definition, one of whose sides is rigid or the world, or that has an axis. All of its
// bodies are in the world.
bool def_is_link(const pliant_world* world, const pliant_joint_def* def);
pliant_result check_link(const pliant_world* world, const pliant_joint_def* def);
// What a slot has of it, as its bodies are now.
pliant_result link_slot_create(const pliant_world* world, const pliant_joint_def* def,
                               link_slot** out);
void world_free_links(pliant_world* world);

// Before a step, after contacts were prepared; `out_any`: there are some.
pliant_result world_prepare_links(pliant_world* world, bool* out_any);
void world_finish_links(pliant_world* world, double dt);

// [m] Where a side is now.
void link_find_place(const pliant_world* world, const joint_slot* j, int side, double out[3]);
void link_describe(const pliant_world* world, const joint_slot* j, pliant_joint_info* out);

// What is state: numbers of 8 bytes alone, hashed as they are.
typedef struct {
    double lambda[LINK_ROWS], angle, place[3], target[3];
    double motor_angle, motor_speed, motor_torque;
    uint64_t motor, closing, broken, jumped;
} link_record;
link_record world_link_record(const pliant_world* world, const joint_slot* j);
void world_restore_link(pliant_world* world, joint_slot* j, const link_record* from);
