#include "base/memory.h"
#include "bench.h"
#include <math.h>

void bench_row(progress* bar, const rows* t, const cell* row)
{
    progress_clear(bar);
    rows_add(t, row);
}

pliant_soft_def bench_rubber(void)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.material.young = 1e7;
    def.material.poisson = 0.45;
    def.material.density = 1000;
    def.material.parameters = PLIANT_PARAMETERS_PLAIN;
    return def;
}

static void pin_end(pliant_world* world, pliant_body_id body, const trial* t)
{
    pliant_mesh_arrays a = pliant_mesh_view(t->mesh);
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < a.vertex_count; ++v) {
        low = fmin(low, a.vertices[3 * (ptrdiff_t)v]);
        high = fmax(high, a.vertices[3 * (ptrdiff_t)v]);
    }
    for (int v = 0; v < a.vertex_count; ++v)
        if (a.vertices[3 * (ptrdiff_t)v] <= low + t->pinned * (high - low))
            pliant_pin(world, body, v);
}

pliant_world* trial_create(const trial* t, pliant_body_id* out_body)
{
    pliant_world_def def = pliant_world_defaults();
    def.gravity = (pliant_vec3){0, -9.81f, 0};
    def.substeps = t->substeps;
    def.threads = t->threads;
    def.lanes = t->lanes;
    pliant_world* world = NULL;
    if (pliant_world_create(&def, &world)) return NULL;
    pliant_body_def place = pliant_body_defaults();
    place.position[0] = t->place;
    *out_body = pliant_add_body(world, t->asset, &place);
    if (!out_body->index1) {
        pliant_world_destroy(world);
        return NULL;
    }
    pin_end(world, *out_body, t);
    return world;
}

static pliant_result read_tip(const pliant_world* world, pliant_body_id body, int tip, double* out)
{
    int count = pliant_body_particle_count(world, body);
    double* position = (double*)mem_array((size_t)count, 3 * sizeof(double));
    if (!position) return PLIANT_ERROR_MEMORY;
    pliant_body_read_positions_exact(world, body, position, count);
    *out = position[3 * (ptrdiff_t)tip + 1];
    mem_free(position);
    return PLIANT_OK;
}

pliant_result trial_run(const trial* t, int steps, float dt, int tip, trial_outcome* out)
{
    pliant_body_id body;
    pliant_world* world = trial_create(t, &body);
    if (!world) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < steps && !result; ++i) result = pliant_world_step(world, dt);
    pliant_energies energies = pliant_world_energies(world);
    out->elastic = result ? NAN : energies.elastic;
    out->unresolved = result ? NAN : energies.unresolved;
    out->tip = NAN;
    // A body that left the finite numbers is an outcome too.
    if (result == PLIANT_ERROR_DIVERGED) result = PLIANT_OK;
    if (!result && !isnan(out->elastic)) result = read_tip(world, body, tip, &out->tip);
    pliant_world_destroy(world);
    return result;
}
