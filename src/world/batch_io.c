// All particles of a batch at once: worlds in their order, bodies in theirs.
#include "world/batch.h"
#include "world/particle_io.h"
#include "world/residency.h"
#include "world/rigid.h"

typedef struct {
    body* b;
    pliant_world* world;
    size_t first; // particle
} member;

typedef struct {
    member* member;
    int count;
    const particle_quantity* what;
    pliant_vec3* out;
    const pliant_vec3* in;
} transfer;

size_t pliant_batch_particle_count(const pliant_batch* batch)
{
    size_t count = 0;
    for (int w = 0; REQUIRE(batch) && w < batch->count; ++w)
        for (int i = 0; i < batch->world[w]->bodies.count; ++i) {
            const body* b = world_body_at(batch->world[w], i);
            if (b) count += (size_t)b->s.particle_count;
        }
    return count;
}

static int count_bodies(const pliant_batch* batch)
{
    int count = 0;
    for (int w = 0; w < batch->count; ++w) count += pliant_world_body_count(batch->world[w]);
    return count;
}

static bool list_members(const pliant_batch* batch, transfer* t)
{
    size_t first = 0;
    t->member = (member*)mem_array((size_t)count_bodies(batch), sizeof *t->member);
    if (!t->member) return false;
    for (int w = 0; w < batch->count; ++w)
        for (int i = 0; i < batch->world[w]->bodies.count; ++i) {
            body* b = world_body_at(batch->world[w], i);
            if (!b) continue;
            t->member[t->count++] = (member){b, batch->world[w], first};
            first += (size_t)b->s.particle_count;
        }
    return true;
}

static pliant_result check(const pliant_batch* batch, pliant_quantity what, size_t count)
{
    if (!REQUIRE((unsigned)what < PARTICLE_QUANTITIES)) return PLIANT_ERROR_ARGUMENT;
    size_t wanted = pliant_batch_particle_count(batch);
    if (count == wanted) return PLIANT_OK;
    return fail(
        PLIANT_ERROR_ARGUMENT,
        "the batch has %zu particles, and there are %zu vectors: pliant_batch_particle_count "
        "says how many are needed",
        wanted, count);
}

static pliant_result start(const pliant_batch* batch, pliant_quantity what, size_t count,
                           transfer* t)
{
    pliant_result result = check(batch, what, count);
    if (result) return result;
    t->what = &particle_quantities[what];
    result = worlds_fetch(batch->world, batch->count, t->what->arrays);
    if (result) return result;
    return list_members(batch, t) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void read_member(int i, void* argument)
{
    const transfer* t = (const transfer*)argument;
    const member* m = &t->member[i];
    body_read_vectors(m->b, t->what, t->out + m->first, m->b->s.particle_count);
}

pliant_result pliant_batch_read(const pliant_batch* batch, pliant_quantity what, pliant_vec3* out,
                                size_t count)
{
    if (!REQUIRE(batch && (out || count == 0))) return PLIANT_ERROR_ARGUMENT;
    transfer t = {.out = out};
    pliant_result result = start(batch, what, count, &t);
    if (!result) executor_run(&batch->shared->exec, read_member, &t, t.count);
    mem_free(t.member);
    return result;
}

pliant_result pliant_batch_write(pliant_batch* batch, pliant_quantity what, const pliant_vec3* in,
                                 size_t count)
{
    if (!REQUIRE(batch && (in || count == 0)) || !REQUIRE(vectors_are_finite(in, count)))
        return PLIANT_ERROR_ARGUMENT;
    transfer t = {.in = in};
    pliant_result result = start(batch, what, count, &t);
    if (!result && !t.what->write)
        result = fail(PLIANT_ERROR_ARGUMENT, "contact forces are read, and cannot be written");
    for (int i = 0; i < t.count && !result; ++i)
        if (!body_refuse_rigid(t.member[i].b,
                               "a batch with rigid bodies is not written particle by particle, "
                               "pliant_body_set_motion places one of them"))
            result = PLIANT_ERROR_UNSUPPORTED;
    for (int i = 0; i < t.count && !result; ++i) {
        const member* m = &t.member[i];
        if (m->b->remote) m->b->newer_here |= t.what->arrays;
        result = body_write_vectors(m->world, m->b, t.what, in + m->first, m->b->s.particle_count);
    }
    mem_free(t.member);
    return result;
}
