// Movers and holders, which belong to particles, for the rows that a step works on.
#pragma once
#include "world/world.h"

// One for each row of each particle, in the order of the rows. False when memory runs out.
bool body_list_paths(body* b, particle_work* out);
