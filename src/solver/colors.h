// Phases of bodies without patches: each is cut into slices, one per thread, and ends when all are
// done.
#pragma once
#include "solver/step.h"

// What there is to do for those of a step that are still stepped.
typedef struct {
    bool any, to_touch, inside, clustered, untwisted, rods;
} colored_bodies;
colored_bodies colors_find(const step_work* step);

void colors_begin(step_work* step, const sweep_pass* pass); // coast, or predict
// Color after color; of places with what closed surfaces hold, and without what the sweep turned by
// itself; then rods.
void colors_sweep(step_work* step, colored_bodies found, const sweep_pass* pass);
void colors_touch(step_work* step, const sweep_pass* pass);
void colors_update(step_work* step);
