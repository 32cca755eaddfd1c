// Bodies in a world's liquids: what of them counts there, and what it did to them.
#pragma once
#include "world/world.h"

void body_forget_hull(body* b); // it has another shape at rest from now on

// Before a step, once liquids are known: tells them of all other bodies.
pliant_result world_immerse_bodies(pliant_world* world);
