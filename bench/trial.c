#include "base/platform.h"
#include "bench/bench.h"
#include "bench/race.h"
#include <math.h>

const pliant_formulation bench_forms[FORMS] = {
    PLIANT_FORMULATION_TEN_ROWS, PLIANT_FORMULATION_TWO_ROWS, PLIANT_FORMULATION_DECOUPLED};
const char* const bench_schedules[KINDS] = {"serial", "colored", "clustered", "patched"};

rows bench_rows(const bench_settings* settings, const column* columns, int count)
{
    rows t = {columns, count, settings->form, stdout, settings->keep};
    return t;
}

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
    def.research.lame_convention = PLIANT_LAME_PLAIN;
    return def;
}

pliant_soft_def bench_rubber_as(pliant_formulation formulation, const schedule_choice* choice)
{
    pliant_soft_def def = bench_rubber();
    def.solver.formulation = formulation;
    def.solver.schedule = choice->schedule;
    def.research.clustering = choice->clustering;
    return def;
}

double bench_percent_off(double value, double expected)
{
    return isnan(expected) ? NAN : 100 * fabs(value / expected - 1);
}

typedef struct {
    double low, high; // [m]
} extent;

static extent find_extent(const trial* t, int axis)
{
    pliant_mesh_arrays a = pliant_mesh_view(t->mesh);
    extent e = {INFINITY, -INFINITY};
    for (int v = 0; v < a.vertex_count; ++v) {
        e.low = fmin(e.low, a.vertices[3 * (ptrdiff_t)v + axis]);
        e.high = fmax(e.high, a.vertices[3 * (ptrdiff_t)v + axis]);
    }
    return e;
}

double trial_pinned_x(const trial* t)
{
    extent x = find_extent(t, 0);
    return x.low + t->pinned * (x.high - x.low);
}

double trial_ground(const trial* t)
{
    return t->clearance > 0 ? find_extent(t, 1).low - t->clearance : -INFINITY;
}

int trial_threads(const trial* t)
{
    enum { SMALL_TETS = 10000 };
    return pliant_mesh_view(t->mesh).tet_count < SMALL_TETS ? 1 : platform_core_count();
}

int trial_tip(const trial* t, double* out_rest)
{
    pliant_mesh_arrays a = pliant_mesh_view(t->mesh);
    int tip = 0;
    for (int v = 1; v < a.vertex_count; ++v)
        if (a.vertices[3 * (ptrdiff_t)v] > a.vertices[3 * (ptrdiff_t)tip]) tip = v;
    *out_rest = a.vertices[3 * (ptrdiff_t)tip + 1];
    return tip;
}

static void pin_end(pliant_world* world, pliant_body_id body, const trial* t)
{
    pliant_mesh_arrays a = pliant_mesh_view(t->mesh);
    double end = trial_pinned_x(t);
    for (int v = 0; v < a.vertex_count; ++v)
        if (a.vertices[3 * (ptrdiff_t)v] <= end) pliant_body_pin(world, body, v);
}

static bool add_ground(pliant_world* world, const trial* t)
{
    if (!(t->clearance > 0)) return true;
    pliant_collider_def plane = pliant_collider_defaults();
    plane.position[1] = trial_ground(t);
    return pliant_world_add_collider(world, &plane, NULL) == PLIANT_OK;
}

// `out_body` is the first one.
static bool add_bodies(pliant_world* world, const trial* t, pliant_body_id* out_body)
{
    pliant_body_def place = pliant_body_defaults();
    place.position[0] = t->place;
    for (int i = 0; i < (t->bodies ? t->bodies : 1); ++i) {
        place.position[2] = 2.0 * i; // they do not see each other
        pliant_body_id body;
        if (pliant_world_add_body(world, t->asset, &place, &body)) return false;
        pin_end(world, body, t);
        if (i == 0) *out_body = body;
    }
    return true;
}

pliant_world* trial_create(const trial* t, pliant_body_id* out_body)
{
    pliant_world_def def = pliant_world_defaults();
    def.gravity = (pliant_vec3){0, -9.81f, 0};
    def.substeps = t->substeps;
    def.threads = t->threads;
    def.lanes = t->lanes;
    def.backend = t->backend;
    def.arithmetic = t->arithmetic;
    def.launch_mode = t->launch_mode;
    pliant_world* world = NULL;
    if (pliant_world_create(&def, &world)) return NULL;
    if (add_bodies(world, t, out_body) && add_ground(world, t)) return world;
    pliant_world_destroy(world);
    return NULL;
}

pliant_result trial_run(const trial* t, int steps, float dt, int tip, trial_outcome* out)
{
    runner r = {.body = *t, .dt = dt};
    *out = (trial_outcome){NAN, NAN, NAN};
    pliant_result result = runner_open(&r);
    for (int i = 0; i < steps && !result; ++i) result = runner_step(&r, NULL);
    if (!result) result = runner_read(&r, tip, out);
    // A body that left the finite numbers is an outcome too.
    if (result == PLIANT_ERROR_DIVERGED) result = PLIANT_OK;
    runner_close(&r);
    return result;
}
