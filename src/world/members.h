// The lists of what the definitions of worlds, bodies and colliders say, once: every member but for
// pointers. Defaults, checks, the keys of scene files and their reference come from them. Soft
// bodies have theirs in asset/members.h.
#pragma once
#include "base/key.h"

extern const key_table world_members, body_members, contact_members;
extern const key_table air_members, wind_members, airfoil_members, immersion_members;
extern const key_table collider_members; // effects look at a pliant_collider_def

// Of colliders with the shape of a mesh, for what scenes say of it besides.
extern const key_effect of_mesh;
