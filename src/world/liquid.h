// Bodies that flow: who takes part in a step, and the pressures of their particles.
#pragma once
#include "world/liquid_figures.h"
#include "world/world.h"

// False when memory runs out.
bool body_create_liquid(body* b);

// Before a step with substeps of h [s]. `out_any`: some body flows.
pliant_result world_prepare_liquids(pliant_world* world, double h, bool* out_any);
// Before one on a GPU, which is prepared.
pliant_result world_describe_liquids(pliant_world* world);
