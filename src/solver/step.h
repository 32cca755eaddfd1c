// One step of all bodies: the story of the solver.
//
//   for each substep
//     brake                damped bodies: viscosity takes its part of the velocity
//     predict              every particle: velocity, increment
//     for each iteration
//       sweep              color after color, the groups of a color in parallel
//       touch              attachments, contacts with friction
//     update               velocity and position from the increment, restitution
//
// Viscosity comes first and sees the velocity alone, so that it only takes energy, whatever its
// strength, and does not touch an equilibrium. Between the elastic constraints it would resist
// their corrections instead, and its one-sided sweeps would drive a body that is strongly damped
// (damping times h times the square of the highest frequency above 1) until it bursts.
//
// Work is cut into slices, one per thread, the same for every run; since no two slices of a phase
// touch the same row, results do not depend on the number of threads.
#pragma once
#include "base/workers.h"
#include "solver/particles.h"
#include "solver/sweep.h"

typedef struct {
    workers* own;             // used unless the caller has threads of its own
    pliant_run_tasks_fn* run; // NULL: own
    void* context;
    int width; // slices per phase
} executor;

typedef struct {
    const plan* plan;
    state* s;
    const sweep_kernels* sweep;
    const particle_kernels* particles;
    particle_work work;
    bool* failed;   // set when the body left the finite numbers; it is then no longer stepped
    bool* diverged; // one for each slice
} body_run;

typedef struct {
    body_run* body;
    int body_count;
    executor* exec;
    int substeps, iterations;
    double dt;              // [s]
    bool anything_to_touch; // attachments or colliders
    bool anything_damped;
    pliant_profile* profile;
} step_work;

void step_run(step_work* step);
