// What the cases of `bench physics` share: a small world of bodies that touch, sums over its
// bodies, and rows that are judged.
#pragma once
#include "bench/bench.h"

enum { MOST_BODIES = 12 };

typedef struct {
    pliant_world* world;
    pliant_body_id body[MOST_BODIES];
    int count;
    pliant_result result; // the first failure; nothing is done after one
} lab;

// What is different from the defaults of worlds and bodies.
typedef struct {
    pliant_vec3 gravity; // [m/s^2]
    int substeps;        // of a step of lab_dt
    pliant_precision precision;
    double young, damping;       // [Pa, s] of all bodies
    float friction, restitution; // [-] between bodies
    float thickness;             // [m] of their surfaces; 0: the default
} lab_def;

extern const float lab_dt;  // [s]
extern const double lab_g;  // [m/s^2]
lab_def lab_defaults(void); // rubber of 1 MPa, damped, with weight and friction 0.5

lab lab_open(const lab_def* def);
void lab_close(lab* l);
// A body of a generator's word, with the origin of its mesh at `place` [m].
pliant_body_id lab_add(lab* l, const lab_def* def, const char* words, const double place[3],
                       pliant_vec3 velocity);
// The same, pinned where y is at most `height` [m].
pliant_body_id lab_add_pinned(lab* l, const lab_def* def, const char* words, const double place[3],
                              double height);
void lab_run(lab* l, double seconds);

typedef struct {
    double mass;            // [kg]
    double center[3];       // [m] of mass
    double momentum[3];     // [kg m/s]
    double spin[3];         // [kg m^2/s] angular momentum about the origin
    double moving, turning; // the sums of sizes that momentum and spin are parts of
    double energy;          // [J] kinetic and elastic
} motion_sums;
motion_sums lab_sums(lab* l, pliant_body_id body);
motion_sums lab_sums_of_all(lab* l);
// Of `other` on `body` [N], mean over so many seconds from now on.
void lab_mean_force(lab* l, pliant_body_id body, pliant_body_id other, double seconds,
                    double out[3]);

// A row: how far a value may be from what is expected.
typedef struct {
    const char *name, *quantity;
    double expected, value, bound; // error <= bound passes
    double scale;                  // the error is |value - expected| / scale
} judgment;

typedef struct {
    const rows* table;
    progress bar;
    int broken;
    bool quick;
} judge;
void judge_row(judge* j, const judgment* row);

// Cases. Each adds its rows.
typedef pliant_result physics_fn(judge* j);
physics_fn physics_slide, physics_grid, physics_stay, physics_stack, physics_press, physics_squeeze,
    physics_rope, physics_momentum, physics_links, physics_bounce, physics_rigid_grid,
    physics_rigid_slide, physics_rigid_stop, physics_rigid_roll, physics_rigid_stack,
    physics_rigid_wall, physics_rigid_collide, physics_rigid_cards, physics_air_fall,
    physics_air_glide, physics_liquid_rest, physics_liquid_wave, physics_liquid_slosh,
    physics_liquid_dam, physics_liquid_box, physics_liquid_drop, physics_liquid_plates,
    physics_liquid_vortex, physics_liquid_layers, physics_liquid_float, physics_rod_twist,
    physics_rod_elastica, physics_rod_ring, physics_rod_spring, physics_rod_cost,
    physics_gas_thermal, physics_gas_plume, physics_gas_ring, physics_cloth_strip,
    physics_cloth_drape;
