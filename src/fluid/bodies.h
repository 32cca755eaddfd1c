// Other bodies in a world's liquids. Beads of a body (beads.h) fill a part of the kernels of the
// particles beside them, as walls do, and get back what they push, to the bit of rounding.
//
//   place    beads go to where their rows are; has somebody strayed from the list?
//   list     then which particles are near which beads is found anew
//   drag     once a substep: what flows along a body takes it with it
//   fill     each particle by itself: what beads fill of its kernel, and how they would give way
//   push     each bead by itself: what the pressures of its particles do to it
//
// Passes over particles add up their beads in the order of those, and passes over beads their
// particles in the order of their numbers: who is on a list and out of reach adds zero.
#pragma once
#include "contact/cells.h"
#include "fluid/beads.h"
#include "solver/step.h"

// What a liquid does to a body: on the mean of a step [N], about the origin [N m].
typedef struct {
    double force[3], torque[3];
} fluid_load;

// What a body keeps.
typedef struct fluid_hull {
    fluid_beads beads;
    double spacing;  // [m] of the liquid that they were made for
    fluid_load load; // of the last step
    uint64_t step;   // which that was, counted from 1
    double* push;    // [particles][3] [kg m] of a pass; of a rigid body one
    double* press;   // [particles] how hard it could be pushed in a pass; of a rigid body one
} fluid_hull;

// A particle and a bead.
typedef struct {
    float way[3], length; // [m] from the bead to the particle
    float slope;          // [1/m^2] what times the way is the bead's part of the particle's slope
    int place;            // of the particle
} wet_pair;

// A body that is in a liquid in the step at hand.
typedef struct {
    body_run* run;
    fluid_hull* hull;
    uint32_t group, mask; // whom it meets
    int first;            // its first bead, among all
} wet_body;

typedef struct {
    wet_body* body;
    int count;      // bodies
    int bead_count; // of all of them
    double* place;  // [beads][4] [m] from the liquids' origin, volume over that of a particle
    double* motion; // [beads][3] [m] of the substep
    double* push;   // [beads][3] [kg m] on each, of a pass
    double* light;  // [beads] how hard it is pushed, and by how much it gives way (bodies.c)
    double* listed; // [beads][3] place when they were listed
    int* owner;     // body of each bead
    double* from;   // [particles][3] of liquids, when they were listed
    double room;    // [m] by which each may stray
    bool strayed;
    int lists_then; // count of the liquids' lists then: particles have other places since
    bool good;      // there is a list

    cell_grid cells;
    grid_ball* ball;
    cell_ranges* ranges;    // one for each part of the particles
    double low[3], high[3]; // around all beads

    // Pairs, of each particle its beads, ascending,
    int* start; // [particles + 1]
    int* bead;
    wet_pair* pair;
    // and of each bead its pairs, in the order of the particles' numbers.
    int* bead_start; // [beads + 1]
    int* near;
    int *next, *place_of; // scratch

    int body_capacity, place_capacity, motion_capacity, push_capacity, light_capacity;
    int listed_capacity, owner_capacity, from_capacity, ball_capacity, ranges_capacity,
        start_capacity;
    int bead_capacity, pair_capacity, bead_start_capacity, near_capacity;
    int next_capacity, place_of_capacity;
} fluid_bodies;

static inline const fluid_bead* fluid_bead_of(const wet_body* w, int i)
{
    return &w->hull->beads.bead[i - w->first];
}

// NULL when memory runs out.
fluid_hull* fluid_hull_create(const state* s, bool rigid, fluid_beads* beads);
void fluid_hull_destroy(fluid_hull* h); // NULL is fine

// Before a step: room for so many, which the caller then adds. False when memory runs out.
bool fluid_bodies_start(fluid_bodies* b, int count);
bool fluid_bodies_add(fluid_bodies* b, wet_body one);
void fluid_bodies_destroy(fluid_bodies* b);
