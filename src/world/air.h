// Air of a world: where it meets bodies, and what it did to them.
#pragma once
#include "world/world.h"

// Of a body that air has met, or that has coefficients of its own.
typedef struct body_air {
    pliant_airfoil_def foil;
    air_skin* skin;   // NULL: there was none yet
    uint64_t step;    // the world's number of the last step with air, after it; 0: none
    bool newer_there; // what it did in that step is on a GPU
} body_air;

// False when memory runs out.
bool body_set_airfoil(body* b, const pliant_airfoil_def* foil);
void body_forget_surface(body* b); // it has another one from now on
void body_release_air(body* b);

// Before a step, and before contacts: the wind at all bodies that feel it. `out_any`: some do on
// the CPU; `out_there`: on a GPU.
pliant_result world_prepare_air(pliant_world* world, double dt, int substeps, bool* out_any,
                                bool* out_there);

// Before one on a GPU, which is prepared.
pliant_result world_describe_air(pliant_world* world);

// [N] On a particle, mean over the last step.
void body_air_force(const pliant_world* world, const body* b, int particle, double out[3]);

void world_release_air(pliant_world* world);
