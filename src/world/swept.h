// Colliders that meet the surfaces of bodies (contact/colliders.h): what the world's contact system
// is told of them.
#pragma once
#include "world/world.h"

// The surface of a collider: triangles of a box, a mesh or a hull, or its own, the axis of a
// capsule, the center of a ball, three points of a plane. Planes, triangles that have one side, and
// colliders whose definition wants none, have theirs for rigid bodies alone. What it is made of is
// in the slot. [m] Of triangles.
double collider_sheet_thickness(const pliant_collider_def* def, const net* n);
pliant_result collider_surface_create(const pliant_collider_def* def, collider_slot* out);
void collider_surface_destroy(collider_slot* slot);

// Behind the bodies of the system, which has room for them: those that have a surface, in the order
// of the world's list; and whether it has them there already.
void world_enter_colliders(pliant_world* world);
bool world_knows_colliders(const pliant_world* world);
// Before a step of dt [s]: how they are and go.
void world_tell_colliders(pliant_world* world, double dt);

// Whether all bodies meet its surface where they need to: those that are not where the others meet,
// on the CPU or on a GPU, do not.
bool world_sweeps_collider(const pliant_world* world, int number);
static inline bool collider_has_surface(const pliant_world* world, int number)
{
    const collider_slot* slot = world_collider_at(world, number);
    return slot->outside && (world->rigid_count > 0 || !slot->only_rigid);
}
