// The field of particles, many nodes or many particles at once. All widths give the same bits.
#pragma once
#include "surfacing/surfacing.h"

// Particles around a bin or a block, as seen from its lowest corner [cells]. Sums over them are
// made in SUMS parts, in turn, whatever the width of lanes is.
enum { SUMS = 16 };
typedef struct {
    float *x[3], *tight;
    int count, capacity; // with SUMS free at the end
} near_particles;

// Of one block: what a particle adds, and where it is from the corner of its bin and that from the
// block's [cells]. Two blocks have the same distances from a node that both have: the difference of
// node and bin is a whole number.
typedef struct {
    float place[3], bin[3];
    float tight, share, speed[3];
} block_particle;

// Fields of a block: the level field, and the same with each component of the velocity; node (x, y,
// z) is at x + 16 (y + 16 z).
enum { FIELDS = 4 };
typedef struct {
    _Alignas(64) float node[FIELDS][ALL_NODES];
} block_fields;

typedef struct {
    // The sum of (1 - d^2 tight)^3 at a place. Fills up the last SUMS of the particles with none.
    float (*crowd)(const near_particles* p, const float at[3]);
    // Adds particles, one after the other, to the first of the fields or to all of them.
    void (*add)(const block_particle* p, int count, bool all, block_fields* to);
} field_kernels;

const field_kernels* field_kernels_for(int lanes);
