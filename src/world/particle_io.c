// Reading and writing the particles of a body.
#include "world/particle_io.h"
#include "world/heat.h"
#include "world/inside.h"
#include "world/residency.h"
#include "world/rigid.h"
#include <math.h>

static void read_contact(const state* s, int particle, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = state_read(s, s->contact, CONTACT, particle, k);
}

// What is written to is read before, since rows have more than that.
const particle_quantity particle_quantities[PARTICLE_QUANTITIES] = {
    [PLIANT_QUANTITY_POSITION] = {STATE_ROWS | STATE_RESIDUES, state_read_position,
                                  state_write_position},
    [PLIANT_QUANTITY_VELOCITY] = {STATE_VELOCITIES, state_read_velocity, state_write_velocity},
    [PLIANT_QUANTITY_CONTACT_FORCE] = {STATE_CONTACTS, read_contact, NULL},
};

void body_read_vectors(const body* b, const particle_quantity* q, pliant_vec3* out, int count)
{
    for (int i = 0; i < count; ++i) {
        double v[3];
        q->read(&b->s, i, v);
        out[i] = (pliant_vec3){(float)v[0], (float)v[1], (float)v[2]};
    }
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

static pliant_result read_vectors(const pliant_world* world, pliant_body_id id,
                                  pliant_quantity what, pliant_vec3* out, int capacity)
{
    const particle_quantity* q = &particle_quantities[what];
    body* b;
    pliant_result result = open_body(world, id, q->arrays, out && capacity >= 0, &b);
    if (!result) body_read_vectors(b, q, out, least(capacity, b->s.particle_count));
    return result;
}

pliant_result pliant_body_read_positions(const pliant_world* world, pliant_body_id id,
                                         pliant_vec3* out, int capacity)
{
    return read_vectors(world, id, PLIANT_QUANTITY_POSITION, out, capacity);
}

pliant_result pliant_body_read_velocities(const pliant_world* world, pliant_body_id id,
                                          pliant_vec3* out, int capacity)
{
    return read_vectors(world, id, PLIANT_QUANTITY_VELOCITY, out, capacity);
}

pliant_result pliant_body_read_contact_forces(const pliant_world* world, pliant_body_id id,
                                              pliant_vec3* out, int capacity)
{
    return read_vectors(world, id, PLIANT_QUANTITY_CONTACT_FORCE, out, capacity);
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
    for (int i = 0; !result && i < least(capacity, b->s.particle_count); ++i) out[i] = b->mass[i];
    return result;
}

bool vectors_are_finite(const pliant_vec3* in, size_t count)
{
    float sum = 0;
    for (size_t i = 0; i < count; ++i) sum += 0 * in[i].x + 0 * in[i].y + 0 * in[i].z;
    return sum == 0;
}

// Writing brings a frozen body back.
pliant_result body_write_vectors(pliant_world* world, body* b, const particle_quantity* q,
                                 const pliant_vec3* in, int count)
{
    for (int i = 0; i < count; ++i) {
        const double v[3] = {(double)in[i].x, (double)in[i].y, (double)in[i].z};
        if (body_has(b, i)) q->write(&b->s, i, v);
        if (body_has(b, i) && q->write == state_write_velocity) body_forget_spin(b, i);
    }
    body_start_anew(b);
    if (q->write == state_write_position) body_look_again(b);
    return !b->failed || body_revive(world, b) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

static const char may_be_placed[] =
    "its particles cannot be written one by one, pliant_body_set_motion places all of it";

static pliant_result write_vectors(pliant_world* world, pliant_body_id id, pliant_quantity what,
                                   const pliant_vec3* in, int count)
{
    const particle_quantity* q = &particle_quantities[what];
    body* b = world_body(world, id);
    if (!b || !REQUIRE(in && count >= 0 && count <= b->s.particle_count) ||
        !REQUIRE(vectors_are_finite(in, (size_t)count)))
        return PLIANT_ERROR_ARGUMENT;
    if (!body_refuse_rigid(b, may_be_placed)) return PLIANT_ERROR_UNSUPPORTED;
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    return body_write_vectors(world, b, q, in, count);
}

pliant_result pliant_body_write_positions(pliant_world* world, pliant_body_id id,
                                          const pliant_vec3* positions, int count)
{
    return write_vectors(world, id, PLIANT_QUANTITY_POSITION, positions, count);
}

pliant_result pliant_body_write_velocities(pliant_world* world, pliant_body_id id,
                                           const pliant_vec3* velocities, int count)
{
    return write_vectors(world, id, PLIANT_QUANTITY_VELOCITY, velocities, count);
}

pliant_result pliant_body_write_positions_exact(pliant_world* world, pliant_body_id id,
                                                const double* positions, int count)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(positions && count >= 0 && count <= b->s.particle_count))
        return PLIANT_ERROR_ARGUMENT;
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        if (!REQUIRE(state_can_hold(positions[i], b->s.scalar_bytes))) return PLIANT_ERROR_ARGUMENT;
    if (!body_refuse_rigid(b, may_be_placed)) return PLIANT_ERROR_UNSUPPORTED;
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    for (int i = 0; i < count; ++i)
        if (body_has(b, i)) state_write_position(&b->s, i, positions + 3 * (size_t)i);
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
