// Colliders that move: what they were told, and where they are in each substep of a step.
#pragma once
#include "world/world.h"

// Hash of its shape and of where it is.
uint64_t collider_hash(const collider* c);
// Of one that goes: what it is made of, here and on a GPU.
void world_discard_collider(pliant_world* world, collider_slot* slot, const collider* c);
// After colliders were added, removed or put elsewhere.
void world_relink_colliders(pliant_world* world);

// Before a step of dt [s]: the poses of what moves, and warnings of what moves too fast. False when
// memory runs out.
bool world_start_motion(pliant_world* world, double dt, int substeps);
// After it: colliders are where it has led them.
void world_finish_motion(pliant_world* world, double dt);

// What a collider can be told. The sentence of a refusal has the range.
pliant_result motion_check_pose(const double position[3], pliant_quat rotation);
pliant_result motion_check_velocity(pliant_vec3 linear, pliant_vec3 angular);

// How far its surface goes in a substep of the next step, in halves of its thickness: beyond 1 it
// may leave particles behind. `out_text` then says so, with the number of substeps.
double world_collider_haste(const pliant_world* world, int number, double dt, int substeps,
                            char* out_text, size_t bytes);

// [1/s] The same in a second, by turning alone.
double world_collider_spin_pace(const pliant_world* world, int number, double dt);

// Where a collider is now, from its position and rotation.
void collider_place(collider* c, const double position[3], quaternion rotation);
