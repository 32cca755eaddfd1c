// Distance constraints on one core: scalar, and 4, 8 and 16 at once. Section lanes of `bench pbd`.
#include "base/platform.h"
#include "bench/pbd.h"
#include <math.h>

enum { ITERATIONS = 16, WIDTHS = 4 };
static const int widths[WIDTHS] = {1, 4, 8, 16};

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"section", COLUMN_TEXT, 7, 0},
    {"mesh", COLUMN_TEXT, 17, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"constraints", COLUMN_INT, 11, 0},
    {"stiffness_mode", COLUMN_TEXT, 14, 0},
    {"schedule", COLUMN_TEXT, 8, 0},
    {"lanes", COLUMN_INT, 5, 0},
    {"iterations", COLUMN_INT, 10, 0},
    {"ns_per_constraint", COLUMN_NUMBER, 17, 2}, // and iteration, with all else of a substep
    {"ns_in_sweeps", COLUMN_NUMBER, 12, 2},      // in the constraints alone
    {"ratio", COLUMN_NUMBER, 6, 2},              // speed over scalar, in sweeps
};

typedef struct {
    pliant_world* world[WIDTHS];
    double best[WIDTHS], sweep[WIDTHS]; // [s] of a step, and of its sweeps
} race;

static pliant_result open_race(const pliant_asset* asset, race* r)
{
    for (int i = 0; i < WIDTHS; ++i) {
        pliant_world_def def = pliant_world_defaults();
        pliant_body_def place = pliant_body_defaults();
        def.substeps = 1;
        def.iterations = ITERATIONS;
        def.threads = 1;
        def.lanes = widths[i];
        r->best[i] = r->sweep[i] = INFINITY;
        if (widths[i] > platform_lanes()) continue;
        pliant_result result = pliant_world_create(&def, &r->world[i]);
        if (!result) result = pliant_world_add_body(r->world[i], asset, &place, NULL);
        if (result) return result;
    }
    return PLIANT_OK;
}

// They take turns, so that other work on the machine hits all of them alike.
static pliant_result run_race(race* r, int rounds)
{
    pliant_result result = PLIANT_OK;
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < WIDTHS && !result; ++i) {
            if (!r->world[i]) continue;
            double start = platform_seconds();
            result = pliant_world_step(r->world[i], pbd_dt);
            r->best[i] = fmin(r->best[i], platform_seconds() - start);
            r->sweep[i] = fmin(r->sweep[i], pliant_world_profile(r->world[i]).sweep);
        }
    return result;
}

static pliant_result run_mesh(progress* bar, const rows* t, const char* name,
                              const pliant_soft_def* def, bool quick)
{
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    race r = {{NULL}, {0}, {0}};
    pliant_result result = pliant_mesh_generate(name, &mesh);
    if (!result) result = pliant_asset_create(mesh, def, &asset);
    if (!result) result = open_race(asset, &r);
    if (!result) result = run_race(&r, quick ? 3 : 60);
    for (int i = 0; i < WIDTHS && !result; ++i) {
        pliant_asset_info info = pliant_asset_describe(asset);
        double work = 1e9 / ITERATIONS / info.constraints;
        const cell row[] = {
            {.text = "pbd"},
            {.text = "lanes"},
            {.text = name},
            {.number = info.particles},
            {.number = info.constraints},
            {.text = def->research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC ? "classic"
                                                                                   : "compliant"},
            {.text = schedule_words[def->solver.schedule]},
            {.number = widths[i]},
            {.number = ITERATIONS},
            {.number = work * r.best[i]},
            {.number = work * r.sweep[i]},
            {.number = r.sweep[0] / r.sweep[i]},
        };
        if (r.world[i]) bench_row(bar, t, row);
    }
    for (int i = 0; i < WIDTHS; ++i)
        if (r.world[i]) pliant_world_destroy(r.world[i]);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return result;
}

int pbd_lanes_section(const bench_settings* settings)
{
    static const char* const names[] = {"cloth:99x99", "rope:100:10000"};
    static const pliant_schedule schedules[] = {PLIANT_SCHEDULE_COLORED, PLIANT_SCHEDULE_PATCHED};
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    progress bar = progress_start("rows", false);
    pliant_result result = PLIANT_OK;
    rows_head(&t);
    for (int i = 0; i < (settings->quick ? 1 : 8); ++i) {
        pliant_soft_def def = pliant_soft_defaults();
        def.research.stiffness_mode =
            i / 2 % 2 ? PLIANT_STIFFNESS_MODE_COMPLIANT : PLIANT_STIFFNESS_MODE_CLASSIC;
        def.solver.schedule = schedules[i % 2 == 0];
        def.cloth.bending = 0;
        if (!result) result = run_mesh(&bar, &t, names[i / 4], &def, settings->quick);
    }
    progress_end(&bar);
    return result ? tell_failure("bench pbd") : EXIT_DONE;
}
