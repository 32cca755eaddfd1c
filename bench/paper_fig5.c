// Figure 5 of the 2022 paper: the beam in the frame of its highest elastic energy, and what 100
// substeps make of that energy. The frame is one of the baseline with 30 substeps a step, whose
// energy is mostly wrinkles; the substeps are as long as its own.
#include "base/memory.h"
#include "bench/files.h"
#include "bench/papers.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

enum { STEPS = 100, SUBSTEPS = 30, AFTER = 100 };
static const float dt = 0.01f; // [s]
static const char beam[] = "beam:21x6x6";

typedef struct {
    const char *name, *schedule;
    pliant_formulation formulation;
    pliant_integrator integrator;
} variant;
static const variant variants[] = {
    {"decoupled", "colored", PLIANT_FORMULATION_DECOUPLED, PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"decoupled, clusters", "neighbors", PLIANT_FORMULATION_DECOUPLED,
     PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"coupled", "colored", PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"coupled, clusters", "neighbors", PLIANT_FORMULATION_TWO_ROWS,
     PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"coupled, patches", "patched", PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"ten rows", "colored", PLIANT_FORMULATION_TEN_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"ten rows, clusters", "neighbors", PLIANT_FORMULATION_TEN_ROWS,
     PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"ten rows, patches", "patched", PLIANT_FORMULATION_TEN_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"ten rows, patches, foresight", "patched", PLIANT_FORMULATION_TEN_ROWS,
     PLIANT_INTEGRATOR_FORESIGHT},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},         {"variant", COLUMN_TEXT, 28, 0},
    {"tets", COLUMN_INT, 5, 0},           {"energy_0", COLUMN_NUMBER, 9, 1}, // [J] at the start
    {"energy_1", COLUMN_NUMBER, 9, 1},    {"energy_10", COLUMN_NUMBER, 9, 1},
    {"energy_100", COLUMN_NUMBER, 10, 1}, {"substeps_to_1.2", COLUMN_INT, 15, 0},
};
static const column curve_columns[] = {
    {"variant", COLUMN_TEXT, 28, 0},
    {"substep", COLUMN_INT, 7, 0},
    {"energy", COLUMN_NUMBER, 12, 4},
};

typedef struct {
    trial body;
    int count; // particles
    double* x;
    pliant_vec3* v;
    double calm; // [J] of the converged beam at the same time
    double curve[VARIANTS][AFTER + 1];
} fig5;

// The frame of the highest energy: places and velocities, and when it is.
static pliant_result find_frame(fig5* f, const pliant_asset* asset, int* out_step)
{
    pliant_body_id id;
    double most = -INFINITY;
    f->body.asset = asset;
    f->body.substeps = SUBSTEPS;
    pliant_world* world = trial_create(&f->body, &id);
    pliant_result result = world ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int i = 1; i <= STEPS && !result; ++i) {
        pliant_energies e;
        result = pliant_world_step(world, dt);
        if (!result) result = pliant_world_energies(world, &e);
        if (result || !(e.elastic > most)) continue;
        most = e.elastic;
        *out_step = i;
        result = pliant_body_read_positions_exact(world, id, f->x, f->count);
        if (!result) result = pliant_body_read_velocities(world, id, f->v, f->count);
    }
    if (world) pliant_world_destroy(world);
    return result;
}

static pliant_result follow(fig5* f, const pliant_asset* asset, double* out)
{
    pliant_body_id id;
    f->body.asset = asset;
    f->body.substeps = 1;
    pliant_world* world = trial_create(&f->body, &id);
    pliant_result result = world ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (world) {
        pliant_body_write_positions_exact(world, id, f->x, f->count);
        pliant_body_write_velocities(world, id, f->v, f->count);
    }
    for (int i = 0; i <= AFTER && !result; ++i) {
        if (i) result = pliant_world_step(world, dt / SUBSTEPS);
        pliant_energies e;
        if (!result) result = pliant_world_energies(world, &e);
        out[i] = result ? NAN : e.elastic;
    }
    if (world) pliant_world_destroy(world);
    return result == PLIANT_ERROR_DIVERGED ? PLIANT_OK : result;
}

static pliant_result make_asset(const fig5* f, const variant* v, pliant_asset** out)
{
    pliant_soft_def def = bench_rubber_as(v->formulation, schedule_of_word(v->schedule));
    def.solver.integrator = v->integrator;
    def.solver.patch_rows = 1024; // so that this small body is more than one
    return pliant_asset_create(f->body.mesh, &def, out);
}

// The beam without wrinkles: what is left of the energy where a solver has converged.
static pliant_result find_calm(fig5* f, int step)
{
    static const variant calm = {"", "clustered", PLIANT_FORMULATION_TEN_ROWS,
                                 PLIANT_INTEGRATOR_FORESIGHT};
    pliant_asset* asset = NULL;
    trial_outcome got = {NAN, NAN, NAN};
    pliant_result result = make_asset(f, &calm, &asset);
    f->body.asset = asset;
    f->body.substeps = 400;
    if (!result) result = trial_run(&f->body, step + AFTER / SUBSTEPS, dt, 0, &got);
    f->calm = got.elastic;
    pliant_asset_destroy(asset);
    return result;
}

static int first_below(const double* curve, double limit)
{
    for (int i = 0; i <= AFTER; ++i)
        if (curve[i] <= limit) return i;
    return -1;
}

static void print_results(const fig5* f, const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    rows_head(&t);
    for (int i = 0; i < VARIANTS; ++i) {
        const double* e = f->curve[i];
        int calm = first_below(e, 1.2 * f->calm);
        const cell row[] = {
            {.text = "fig5"},
            {.text = variants[i].name},
            {.number = pliant_mesh_view(f->body.mesh).tet_count},
            {.number = e[0]},
            {.number = e[1]},
            {.number = e[10]},
            {.number = e[AFTER]},
            {.number = calm < 0 ? (double)NAN : calm},
        };
        rows_add(&t, row);
    }
    if (!settings->keep) return;
    sheet_begin(settings->keep, curve_columns, sizeof curve_columns / sizeof curve_columns[0]);
    for (int i = 0; i < VARIANTS; ++i)
        for (int k = 0; k <= AFTER; ++k) {
            const cell point[] = {
                {.text = variants[i].name}, {.number = k}, {.number = f->curve[i][k]}};
            sheet_add(settings->keep, point);
        }
}

static pliant_result run(fig5* f, const bench_settings* settings)
{
    pliant_asset* asset = NULL;
    int step = 0;
    f->count = pliant_mesh_view(f->body.mesh).vertex_count;
    f->x = (double*)mem_array(3 * (size_t)f->count, sizeof(double));
    f->v = (pliant_vec3*)mem_array((size_t)f->count, sizeof *f->v);
    pliant_result result = f->x && f->v ? make_asset(f, &variants[0], &asset) : PLIANT_ERROR_MEMORY;
    if (!result) result = find_frame(f, asset, &step);
    pliant_asset_destroy(asset);
    if (!result) result = find_calm(f, step);
    for (int i = 0; i < VARIANTS && !result; ++i) {
        asset = NULL;
        result = make_asset(f, &variants[i], &asset);
        if (!result) result = follow(f, asset, f->curve[i]);
        pliant_asset_destroy(asset);
    }
    if (!result) {
        fprintf(stderr, "the frame at %.2f s; without wrinkles the energy is %.1f J\n",
                step * (double)dt, f->calm);
        print_results(f, settings);
    }
    mem_free(f->x);
    mem_free(f->v);
    return result;
}

int paper_fig5(const bench_settings* settings)
{
    pliant_mesh* mesh = NULL;
    fig5* f = (fig5*)mem_alloc_zero(sizeof *f);
    pliant_result result = f ? load_body(beam, &mesh, &f->body) : PLIANT_ERROR_MEMORY;
    if (!result) {
        f->body.threads = 1;
        result = run(f, settings);
    }
    pliant_mesh_destroy(mesh);
    mem_free(f);
    return result ? tell_failure("bench fig5") : EXIT_DONE;
}
