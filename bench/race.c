#include "bench/race.h"
#include "base/memory.h"
#include "base/platform.h"
#include <math.h>

static pliant_result open_rival(runner* r)
{
    const trial* t = &r->body;
    pliant_mesh_arrays a = pliant_mesh_view(t->mesh);
    bool* pinned = (bool*)mem_array((size_t)a.vertex_count, sizeof *pinned);
    if (!pinned) return PLIANT_ERROR_MEMORY;
    double end = trial_pinned_x(t);
    for (int v = 0; v < a.vertex_count; ++v) pinned[v] = a.vertices[3 * (ptrdiff_t)v] <= end;
    const explicit_def def = {.asset = t->asset,
                              .pinned = pinned,
                              .gravity = {0, -9.81, 0},
                              .ground = trial_ground(t),
                              .threads = t->threads,
                              .lanes = t->lanes};
    pliant_result result = explicit_create(&def, &r->fem);
    mem_free(pinned);
    return result;
}

pliant_result runner_open(runner* r)
{
    trial t = r->body;
    if (t.rival) t.threads = 1; // its world does not step
    r->best = INFINITY;
    r->world = trial_create(&t, &r->id);
    if (!r->world) return PLIANT_ERROR_ARGUMENT;
    return t.rival ? open_rival(r) : PLIANT_OK;
}

void runner_close(runner* r)
{
    explicit_destroy(r->fem);
    if (r->world) pliant_world_destroy(r->world);
    r->fem = NULL;
    r->world = NULL;
}

pliant_result runner_step(runner* r, double* out_seconds)
{
    int steps = r->turn ? r->turn : 1;
    double start = platform_seconds();
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < steps && !result; ++i) {
        if (r->fem)
            explicit_step(r->fem, (double)r->dt, r->body.substeps);
        else
            result = pliant_world_step(r->world, r->dt);
    }
    if (!result) result = pliant_world_wait(r->world);
    if (out_seconds) *out_seconds = (platform_seconds() - start) / steps;
    return result;
}

// ---- states -------------------------------------------------------------------------------------

typedef struct {
    double* position;      // [m]
    pliant_vec3* velocity; // [m/s]
    int count;
} motion;

static void motion_destroy(motion* m)
{
    mem_free(m->position);
    mem_free(m->velocity);
}

static pliant_result read_motion(const runner* r, motion* out)
{
    int count = out->count = pliant_body_particle_count(r->world, r->id);
    out->position = (double*)mem_array((size_t)count, 3 * sizeof(double));
    out->velocity = (pliant_vec3*)mem_array((size_t)count, sizeof(pliant_vec3));
    if (!out->position || !out->velocity) return PLIANT_ERROR_MEMORY;
    if (r->fem && !explicit_read(r->fem, out->position, out->velocity))
        return fail(PLIANT_ERROR_DIVERGED,
                    "the explicit body left the finite numbers: it needs more than %d substeps",
                    r->body.substeps);
    if (r->fem) return PLIANT_OK;
    pliant_result result = pliant_body_read_positions_exact(r->world, r->id, out->position, count);
    return result ? result : pliant_body_read_velocities(r->world, r->id, out->velocity, count);
}

static void write_world(runner* r, const motion* m)
{
    pliant_body_write_positions_exact(r->world, r->id, m->position, m->count);
    pliant_body_write_velocities(r->world, r->id, m->velocity, m->count);
}

pliant_result runner_read(runner* r, int tip, trial_outcome* out)
{
    motion m = {0};
    *out = (trial_outcome){NAN, NAN, NAN};
    pliant_result result = read_motion(r, &m);
    if (!result && r->fem) write_world(r, &m);
    pliant_energies energies;
    if (!result) result = pliant_world_energies(r->world, &energies);
    if (!result) {
        out->elastic = energies.elastic;
        out->unresolved = energies.unresolved;
        out->tip = m.position[3 * (ptrdiff_t)tip + 1];
    }
    motion_destroy(&m);
    return result;
}

// ---- races --------------------------------------------------------------------------------------

static runner* find_leader(runner* r, int count)
{
    for (int i = count - 1; i > 0; --i)
        if (!r[i].fem) return &r[i];
    return r;
}

pliant_result race_warm_up(runner* r, int count, int warm_steps)
{
    runner* leader = find_leader(r, count);
    motion m = {0};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < warm_steps && !result; ++i) result = runner_step(leader, NULL);
    if (!result) result = read_motion(leader, &m);
    for (int i = 0; i < count && !result; ++i) {
        if (&r[i] != leader) write_world(&r[i], &m);
        if (r[i].fem) explicit_write(r[i].fem, m.position, m.velocity);
    }
    motion_destroy(&m);
    return result;
}

static pliant_result run_round(runner* r, int count)
{
    for (int i = 0; i < count; ++i) {
        double seconds = 0;
        pliant_result result = runner_step(&r[i], &seconds);
        if (result) return result;
        r[i].best = fmin(r[i].best, seconds);
    }
    return PLIANT_OK;
}

pliant_result race_run(runner* r, int count, race_length length)
{
    enum { LEAST_ROUNDS = 3 };
    double start = platform_seconds();
    for (int round = 0; round < length.rounds; ++round) {
        pliant_result result = run_round(r, count);
        if (result) return result;
        if (round + 1 >= LEAST_ROUNDS && platform_seconds() - start > length.seconds) break;
    }
    return PLIANT_OK;
}
