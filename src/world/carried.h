// Particles that a gas and the air carry along, and nothing else: smoke.
#pragma once
#include "world/world.h"

// After a step of dt [s]: they go where it took those around them.
pliant_result world_carry(pliant_world* world, double dt);
