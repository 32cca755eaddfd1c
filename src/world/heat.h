// What particles that flow, or are carried, know of heat; gases of a step.
#pragma once
#include "world/world.h"

// False when memory runs out.
bool body_create_heat(body* b);
void body_destroy_heat(body* b);

// Of a particle that comes, with a temperature [K], or 0: the body's; and of one that goes.
void body_enter_heat(body* b, int particle, double temperature);
void body_leave_heat(body* b, int particle);
// Whose velocity was written turns as the flow does.
void body_forget_spin(body* b, int particle);

// Before a step with substeps of h [s], when it is known who flows: what gases and heat do to them.
pliant_result world_prepare_gases(pliant_world* world, double h);
