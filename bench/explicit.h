// The honest rival: explicit symplectic Euler of the same finite elements, energy and lumped masses
// as a soft body, at the same care for speed (vectors, threads, patches that a cache holds). It has
// no colors and two meetings of the threads a substep, and is stable only for h omega < 2 of the
// highest frequency of the mesh.
#pragma once
#include "pliant.h"

typedef struct {
    const pliant_asset* asset; // mesh, masses and materials; needed during the creation only
    const bool* pinned;        // of each vertex; NULL: none
    double gravity[3];         // [m/s^2]
    double ground;             // [m] the plane y = ground is solid below; -INFINITY: none
    int threads, lanes;        // 0: what the machine has
} explicit_def;

typedef struct explicit_body explicit_body;
pliant_result explicit_create(const explicit_def* def, explicit_body** out);
void explicit_destroy(explicit_body* body); // NULL is fine

void explicit_step(explicit_body* body, double dt, int substeps); // [s]
int explicit_lanes(const explicit_body* body);
int explicit_patches(const explicit_body* body);

// In the mesh's vertex order [m, m/s]. False when the body left the finite numbers.
bool explicit_read(const explicit_body* body, double* out_positions, pliant_vec3* out_velocities);
void explicit_write(explicit_body* body, const double* positions, const pliant_vec3* velocities);

// Substeps of a step of dt [s] at nine tenths of the limit of stability. omega^2 is at most the sum
// of the squares of the highest shear and volume frequencies.
int explicit_substeps(const pliant_asset* asset, double dt);
