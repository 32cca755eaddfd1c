// A tank of water, for the cases of `bench physics` that look at liquids.
#pragma once
#include "bench/physics.h"

// Water between the walls of a tank without a lid, whose corner is the origin.
typedef struct {
    pliant_world* world;
    pliant_body_id water;
    pliant_collider_id floor, gate; // the wall at the far end
    double spacing;
    int count;
    pliant_vec3* at; // of the particles, as they were read
} tank;

// Whether there is water at a place at first.
typedef bool fill_fn(const double size[3], double x, double y);
bool everywhere(const double size[3], double x, double y);

// `high`: as far up as there may be water. Close it in every case.
pliant_result open_tank(const double size[3], double high, double spacing, int substeps,
                        fill_fn* fill, tank* out);
void close_tank(tank* t);
// And reads where its water is.
pliant_result step_tank(tank* t, float dt);
