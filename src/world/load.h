// What bodies do to colliders. Only those that are asked for it have sums, one for each row: the
// rows of a body are worked on by many threads, and sums over them are taken when somebody reads,
// in the order of the particles.
#pragma once
#include "world/world.h"

// Room for the sums of a step. False when memory runs out.
bool body_reserve_loads(pliant_world* world, body* b);
void body_release_loads(pliant_world* world, body* b);
// What the last step has measured is of another state.
void world_forget_loads(pliant_world* world);
