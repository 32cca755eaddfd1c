// A box of liquids, whose lowest corner is the origin.
#pragma once
#include "bench/physics.h"

// Which liquid is at a place at first: 0, 1, or -1 where there is none.
typedef int tank_fill(const double size[3], const double at[3]);
int tank_all(const double size[3], const double at[3]); // 0 everywhere

typedef struct {
    double size[3]; // [m] between its walls; x is where the gate is
    double high;    // [m] up to which there may be liquid; 0: size[1]
    double pitch;   // [m] between particles at first; 0: their spacing
    double uneven;  // [m] by which they are moved at random at first
    double gravity; // [m/s^2] downward
    bool lid;       // there is one, at size[1]
    bool open[3];   // axes whose two walls are left out
    int substeps;   // of a step
    tank_fill* fill;
    double density[2]; // [kg/m^3]
    pliant_liquid_def liquid;
} tank_def;
// Water with the spacing, in a box without a lid.
tank_def tank_defaults(const double size[3], double spacing, int substeps);

typedef struct {
    pliant_world* world;
    pliant_body_id body[2];
    pliant_collider_id floor, gate; // the wall at the far end of x
    double spacing;
    int count[2], total; // particles of both liquids, the second one's behind the first one's
    pliant_vec3* at;     // [m] of all, after tank_step
    pliant_vec3* velocity;
    float* pressure; // [Pa] of all, where they were read
} tank;
pliant_result tank_open(const tank_def* def, tank* out);
void tank_close(tank* t);
pliant_result tank_step(tank* t, float dt);
pliant_result tank_read_velocities(tank* t);
pliant_result tank_write_velocities(tank* t);
pliant_result tank_read_pressures(tank* t);
