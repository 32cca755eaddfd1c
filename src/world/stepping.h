// The step of one or many worlds.
#pragma once
#include "world/world.h"

// What the definition says, or the most that a body needs for a step of dt [s].
int world_choose_substeps(const pliant_world* world, float dt);

// All worlds have the same threads, device, iterations and lanes. Substeps are the most that one of
// them wants. Failures of bodies are not reported here.
pliant_result worlds_step(pliant_world* const* worlds, int count, step_scratch* s, float dt);
