// Reading and writing the particles of a body.
#include "world/inside.h"
#include "world/residency.h"
#include <math.h>

typedef void read_fn(const state* s, int particle, double out[3]);

static void read_contact(const state* s, int particle, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = state_read(s, s->contact, CONTACT, particle, k);
}

// The body, with these arrays as they are now; its first particles are to be read.
static pliant_result open_body(const pliant_world* world, pliant_body_id id, unsigned arrays,
                               bool asked_well, body** out)
{
    *out = world_body(world, id);
    if (!*out || !REQUIRE(asked_well)) return PLIANT_ERROR_ARGUMENT;
    return body_fetch(world, *out, arrays) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

static int least(int a, int b) { return a < b ? a : b; }

static pliant_result read_vectors(const pliant_world* world, pliant_body_id id, unsigned arrays,
                                  read_fn* read, pliant_vec3* out, int capacity)
{
    body* b;
    pliant_result result = open_body(world, id, arrays, out && capacity >= 0, &b);
    for (int i = 0; !result && i < least(capacity, b->s.particle_count); ++i) {
        double v[3];
        read(&b->s, i, v);
        out[i] = (pliant_vec3){(float)v[0], (float)v[1], (float)v[2]};
    }
    return result;
}

pliant_result pliant_body_read_positions(const pliant_world* world, pliant_body_id id,
                                         pliant_vec3* out, int capacity)
{
    return read_vectors(world, id, STATE_ROWS | STATE_RESIDUES, state_read_position, out, capacity);
}

pliant_result pliant_body_read_velocities(const pliant_world* world, pliant_body_id id,
                                          pliant_vec3* out, int capacity)
{
    return read_vectors(world, id, STATE_VELOCITIES, state_read_velocity, out, capacity);
}

pliant_result pliant_body_read_contact_forces(const pliant_world* world, pliant_body_id id,
                                              pliant_vec3* out, int capacity)
{
    return read_vectors(world, id, STATE_CONTACTS, read_contact, out, capacity);
}

pliant_result pliant_body_read_positions_exact(const pliant_world* world, pliant_body_id id,
                                               double* out, int capacity)
{
    body* b;
    pliant_result result =
        open_body(world, id, STATE_ROWS | STATE_RESIDUES, out && capacity >= 0, &b);
    for (int i = 0; !result && i < least(capacity, b->s.particle_count); ++i)
        state_read_position(&b->s, i, out + 3 * (size_t)i);
    return result;
}

pliant_result pliant_body_read_masses(const pliant_world* world, pliant_body_id id, double* out,
                                      int capacity)
{
    body* b;
    pliant_result result = open_body(world, id, 0, out && capacity >= 0, &b);
    for (int i = 0; !result && i < least(capacity, b->s.particle_count); ++i)
        out[i] = b->asset->mass[i];
    return result;
}

typedef void write_fn(state* s, int particle, const double value[3]);

// Writing brings a frozen body back.
static pliant_result write_vectors(pliant_world* world, pliant_body_id id, write_fn* write,
                                   const pliant_vec3* in, int count)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(in && count >= 0 && count <= b->s.particle_count))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < count; ++i)
        if (!REQUIRE(isfinite(in[i].x) && isfinite(in[i].y) && isfinite(in[i].z)))
            return PLIANT_ERROR_ARGUMENT;
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    for (int i = 0; i < count; ++i) {
        const double v[3] = {(double)in[i].x, (double)in[i].y, (double)in[i].z};
        write(&b->s, i, v);
    }
    body_start_anew(b);
    return body_revive(world, b) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

pliant_result pliant_body_write_positions(pliant_world* world, pliant_body_id id,
                                          const pliant_vec3* positions, int count)
{
    pliant_result result = write_vectors(world, id, state_write_position, positions, count);
    if (!result) body_look_again(world_body(world, id));
    return result;
}

pliant_result pliant_body_write_velocities(pliant_world* world, pliant_body_id id,
                                           const pliant_vec3* velocities, int count)
{
    return write_vectors(world, id, state_write_velocity, velocities, count);
}

pliant_result pliant_body_write_positions_exact(pliant_world* world, pliant_body_id id,
                                                const double* positions, int count)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(positions && count >= 0 && count <= b->s.particle_count))
        return PLIANT_ERROR_ARGUMENT;
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        if (!REQUIRE(state_can_hold(positions[i], b->s.scalar_bytes))) return PLIANT_ERROR_ARGUMENT;
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    for (int i = 0; i < count; ++i) state_write_position(&b->s, i, positions + 3 * (size_t)i);
    body_start_anew(b);
    body_look_again(b);
    return body_revive(world, b) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

static pliant_view view_rows(const body* b, const void* rows, int scalars)
{
    return (pliant_view){.data = rows,
                         .stride = (size_t)scalars * (size_t)b->s.scalar_bytes,
                         .count = b->s.particle_count,
                         .scalar_bytes = b->s.scalar_bytes,
                         .row = b->asset->plan.copies.first};
}

pliant_result pliant_body_view_positions(const pliant_world* world, pliant_body_id id,
                                         pliant_view* out)
{
    body* b;
    if (out) *out = (pliant_view){0};
    pliant_result result = open_body(world, id, STATE_ROWS, out != NULL, &b);
    if (!result) *out = view_rows(b, b->s.row, ROW);
    return result;
}

pliant_result pliant_body_view_velocities(const pliant_world* world, pliant_body_id id,
                                          pliant_view* out)
{
    body* b;
    if (out) *out = (pliant_view){0};
    pliant_result result = open_body(world, id, STATE_VELOCITIES, out != NULL, &b);
    if (!result) *out = view_rows(b, b->s.velocity, ROW4);
    return result;
}
