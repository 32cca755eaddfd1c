// Colliders that move: what they were told, and where they are in each substep of a step.
#pragma once
#include "world/world.h"

// Hash of its shape and of where it is.
uint64_t collider_hash(const collider* c, const distance_field* f);
// After colliders were added, removed or put elsewhere.
void world_relink_colliders(pliant_world* world);

// Before a step of dt [s]: the poses of what moves, and warnings of what moves too fast. False when
// memory runs out.
bool world_start_motion(pliant_world* world, double dt, int substeps);
// After it: colliders are where it has led them.
void world_finish_motion(pliant_world* world, double dt);

// Where a collider is now, from its position and rotation.
void collider_place(collider* c, const double position[3], quaternion rotation);
