// Which rows of a body are pinned: along axes, and as its angular momentum needs to know
// (solver/torque.h).
#pragma once
#include "world/world.h"

// Fills in the pins of `out`. False when memory runs out.
bool body_list_pins(body* b, particle_work* out);
