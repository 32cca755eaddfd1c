// Particles that come and go.
#pragma once
#include "world/world.h"

// Of a new body: those of its mesh are there. False when memory runs out.
bool body_create_presence(body* b);
void body_destroy_presence(body* b);

// What follows from the rest of its state.
void body_count_present(body* b);

// Those whose life ends by now go.
pliant_result world_end_lives(pliant_world* world);

// Those that nothing holds go, and are what is left in `numbers`: of particles that are there, each
// once.
pliant_result body_remove_free(pliant_world* world, body* b, int* numbers, int* count);
