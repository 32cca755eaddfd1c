// What learners ask of a batch: back to the start, a look at some particles, a push for some.
#include "world/batch.h"
#include "world/particle_io.h"
#include "world/residency.h"
#include <string.h>

// ---- back to what was kept ----------------------------------------------------------------------

static void forget(kept_world* kept, int count)
{
    for (int i = 0; i < count; ++i) mem_free(kept[i].snapshot);
    mem_free(kept);
}

void batch_forget(pliant_batch* batch)
{
    forget(batch->kept, batch->kept_count);
    batch->kept = NULL;
    batch->kept_count = 0;
}

static pliant_result keep_world(const pliant_world* world, kept_world* out)
{
    size_t bytes = snapshot_bytes(world);
    if (bytes == 0) return PLIANT_ERROR_DEVICE;
    *out = (kept_world){(char*)mem_alloc(bytes), world->past.changes};
    if (!out->snapshot) return PLIANT_ERROR_MEMORY;
    return snapshot_write(world, out->snapshot) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

pliant_result pliant_batch_keep(pliant_batch* batch)
{
    if (!REQUIRE(batch)) return PLIANT_ERROR_ARGUMENT;
    int count = batch->count;
    kept_world* kept = (kept_world*)mem_array_zero((size_t)count + 1, sizeof *kept);
    if (!kept) return PLIANT_ERROR_MEMORY;
    pliant_result result = worlds_fetch(batch->world, count, STATE_ALL);
    for (int i = 0; i < count && !result; ++i) result = keep_world(batch->world[i], &kept[i]);
    if (result) {
        forget(kept, count);
        return result;
    }
    batch_forget(batch);
    batch->kept = kept;
    batch->kept_count = count;
    return PLIANT_OK;
}

static bool is_meant(const uint8_t* which, int world) { return !which || which[world]; }

static pliant_result check_count(const pliant_batch* batch, int count)
{
    if (count == batch->count) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "the batch has %d worlds, and the list is for %d",
                batch->count, count);
}

// Nothing came or went, or what did is as it was.
static bool still_fits(const pliant_world* world, kept_world* kept)
{
    if (kept->changes == world->past.changes) return true;
    if (!snapshot_fits(world, kept->snapshot)) return false;
    kept->changes = world->past.changes;
    return true;
}

static pliant_result check_kept(const pliant_batch* batch, const uint8_t* which)
{
    for (int i = 0; i < batch->count; ++i) {
        if (!is_meant(which, i)) continue;
        if (i >= batch->kept_count)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "world %d: nothing is kept to go back to: call pliant_batch_keep first", i);
        if (!still_fits(batch->world[i], &batch->kept[i]))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "world %d has other bodies, joints or attachments than what is kept: call "
                        "pliant_batch_keep again",
                        i);
    }
    return PLIANT_OK;
}

pliant_result pliant_batch_reset(pliant_batch* batch, const uint8_t* which, int count)
{
    if (!REQUIRE(batch)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_count(batch, count);
    if (!result) result = check_kept(batch, which);
    for (int i = 0; i < count && !result; ++i)
        if (is_meant(which, i))
            result = snapshot_put_back(batch->world[i], batch->kept[i].snapshot);
    return result;
}

// ---- what is seen -------------------------------------------------------------------------------

// NULL: misuse.
static body* find(const pliant_batch* batch, const pliant_batch_particle* p)
{
    if (!REQUIRE(p->world >= 0 && p->world < batch->count)) return NULL;
    return world_body_with(batch->world[p->world], p->body, p->particle);
}

pliant_result pliant_batch_gather(const pliant_batch* batch, pliant_quantity what,
                                  const pliant_batch_particle* particles, int count,
                                  pliant_vec3* out)
{
    if (!REQUIRE(batch && count >= 0 && ((particles && out) || count == 0)) ||
        !REQUIRE((unsigned)what < PARTICLE_QUANTITIES))
        return PLIANT_ERROR_ARGUMENT;
    const particle_quantity* q = &particle_quantities[what];
    pliant_result result = worlds_fetch(batch->world, batch->count, q->arrays);
    for (int i = 0; i < count && !result; ++i) {
        const body* b = find(batch, &particles[i]);
        double value[3];
        if (!b) return PLIANT_ERROR_ARGUMENT;
        q->read(&b->s, particles[i].particle, value);
        out[i] = (pliant_vec3){(float)value[0], (float)value[1], (float)value[2]};
    }
    return result;
}

pliant_result pliant_batch_read_energies(const pliant_batch* batch, pliant_energies* out, int count)
{
    if (!REQUIRE(batch && (out || count == 0))) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_count(batch, count);
    if (!result) result = worlds_fetch(batch->world, batch->count, STATE_ALL);
    for (int i = 0; i < count && !result; ++i)
        result = pliant_world_energies(batch->world[i], &out[i]);
    return result;
}

// ---- what is done -------------------------------------------------------------------------------

pliant_result pliant_batch_move_pins(pliant_batch* batch, const pliant_batch_particle* particles,
                                     int count, const double* targets)
{
    pliant_result result = PLIANT_OK;
    if (!REQUIRE(batch && count >= 0 && ((particles && targets) || count == 0)))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < count && !result; ++i) {
        const pliant_batch_particle* p = &particles[i];
        if (!find(batch, p)) return PLIANT_ERROR_ARGUMENT;
        result = pliant_body_move_pin(batch->world[p->world], p->body, p->particle,
                                      targets + 3 * (size_t)i);
    }
    return result;
}

pliant_result pliant_batch_set_forces(pliant_batch* batch, const pliant_batch_particle* particles,
                                      int count, const pliant_vec3* forces)
{
    pliant_result result = PLIANT_OK;
    if (!REQUIRE(batch && count >= 0 && ((particles && forces) || count == 0)))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < count && !result; ++i) {
        const pliant_batch_particle* p = &particles[i];
        body* b = find(batch, p);
        if (!b) return PLIANT_ERROR_ARGUMENT;
        result = body_set_force(batch->world[p->world], b, p->particle, forces[i]);
    }
    return result;
}

pliant_result pliant_batch_move_colliders(pliant_batch* batch,
                                          const pliant_batch_collider* colliders, int count,
                                          const double* positions, const pliant_quat* rotations)
{
    const pliant_quat straight = {0, 0, 0, 1};
    pliant_result result = PLIANT_OK;
    if (!REQUIRE(batch && count >= 0 && ((colliders && positions) || count == 0)))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < count && !result; ++i) {
        const pliant_batch_collider* c = &colliders[i];
        if (!REQUIRE(c->world >= 0 && c->world < batch->count)) return PLIANT_ERROR_ARGUMENT;
        result =
            pliant_collider_move(batch->world[c->world], c->collider, positions + 3 * (size_t)i,
                                 rotations ? rotations[i] : straight);
    }
    return result;
}
