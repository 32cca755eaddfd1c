// Rods of a body: their orientations go through a substep beside the particles (particles.h), and
// after the colors of its constraints come those of the rods.
//
//     brake      of damped ones: turn = h spin, and the sweeps
//     predict    spin += h torque / inertia, turn = what constraints see of h spin
//     sweep      segments, color by color, then joints, color by color (constraint/rod.h)
//     update     the whole turn; spin = turn / h, orientation = turn times orientation
//
// Orientations are in double, whatever the precision of the body: a substep may turn them by less
// than a float knows of them. The kernels see them rounded, and what rounding left over as a part
// of the turn.
#pragma once
#include "solver/rod_set.h"
#include "solver/state.h"

// What a substep of h [s] is for them.
typedef struct {
    double h, seen; // [s], and how much of the motion constraints see
    double whole;   // [-] the whole correction for one of what is seen
    double scale;   // [1/s^2] of compliances (constraint/rod.h)
    double keep;    // [-] of the spin, by drag
    bool damped;    // the prediction goes on from what damping has left
    bool braking;   // a sweep of damping
    bool first;     // of the iterations
} rod_step;

// As in the mesh, at rest. False when memory runs out.
rod_state* rod_state_create(const rod_set* r, int iterations, int scalar_bytes);
void rod_state_destroy(rod_state* s);
void rod_state_turn(const rod_set* r, rod_state* s, const double by[4]);

// Before a step of dt: what is clamped turns so that it arrives.
void rods_aim(const rod_set* r, rod_state* s, double dt);

// [J] between steps.
typedef struct {
    double kinetic, elastic;
} rod_energies;
rod_energies rods_energy(const rod_set* r, const rod_state* s, const state* of);

// [N] What a segment holds its second end back with, and [N m] what the first segment of a joint
// twists and bends the second back with: both in space.
void rods_read_force(const rod_set* r, const rod_state* s, const state* of, int segment,
                     double out[3]);
void rods_read_moment(const rod_set* r, const rod_state* s, int joint, double out[3]);

typedef struct {
    int lanes, scalar_bytes;
    // Segments first to last - 1: the motion for damping to correct, and the prediction.
    void (*coast)(const rod_set* r, rod_state* s, const rod_step* h, int first, int last);
    void (*predict)(const rod_set* r, rod_state* s, const rod_step* h, int first, int last);
    // Groups first to last - 1, all of segments or all of joints.
    void (*sweep)(const rod_set* r, rod_state* s, state* of, const rod_step* h, int first,
                  int last);
    // False when one left the finite numbers.
    bool (*update)(const rod_set* r, rod_state* s, const rod_step* h, int first, int last);
} rod_kernels;

const rod_kernels* rod_kernels_for(int lanes, int scalar_bytes);
