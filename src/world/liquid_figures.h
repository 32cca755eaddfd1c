// What liquids of a world took so far, for benchmarks.
#pragma once
#include "fluid/figures.h"
#include "pliant.h"

pliant_result world_liquid_figures(const pliant_world* world, fluid_figures* out);
