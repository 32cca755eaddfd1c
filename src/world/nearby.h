// The tree over the boxes of a world's colliders, where they are many.
#pragma once
#include "world/world.h"

// Before a step, when it is known where colliders go. False when memory runs out.
bool world_start_nearby(pliant_world* world, int substeps);
void nearby_destroy(nearby_colliders* n);
