// What can be read of particles, and some of it written, as vectors.
#pragma once
#include "world/world.h"

typedef struct {
    unsigned arrays; // of the state (device.h)
    void (*read)(const state* s, int particle, double out[3]);
    void (*write)(state* s, int particle, const double value[3]); // NULL: it cannot be
} particle_quantity;
extern const particle_quantity particle_quantities[];
enum { PARTICLE_QUANTITIES = PLIANT_QUANTITY_CONTACT_FORCE + 1 };

void body_read_vectors(const body* b, const particle_quantity* q, pliant_vec3* out, int count);
// After its arrays were fetched, as somebody's who will send them.
pliant_result body_write_vectors(pliant_world* world, body* b, const particle_quantity* q,
                                 const pliant_vec3* in, int count);
bool vectors_are_finite(const pliant_vec3* in, size_t count);
