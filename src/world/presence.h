// Particles that come and go.
#pragma once
#include "world/world.h"

// Of a new body: those of its mesh are there. False when memory runs out.
bool body_create_presence(body* b);
void body_destroy_presence(body* b);

// What follows from the rest of its state.
void body_count_present(body* b);

// Those whose life ends by now go. False when a device or memory fails.
bool world_end_lives(pliant_world* world);

// Those that nothing holds go; returns how many, or -1 when a device or memory fails. `numbers` are
// of particles that are there, each once.
int body_remove_free(pliant_world* world, body* b, const int* numbers, int count);
