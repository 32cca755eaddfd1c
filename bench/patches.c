// What patches cost in accuracy: error of tip and energy against the same number of serial substeps
// in double precision, for patches of every size and both ways to meet at their interfaces.
#include "base/platform.h"
#include "bench/files.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { STEPS = 20, SPEED_SUBSTEPS = 10, WARM_STEPS = 2 };
static const race_length length = {10, 1};
static const float dt = 0.01f, speed_dt = 0.002f; // [s]
static const int substeps[] = {100, 50};
static const int sizes[] = {1536, 128, 256, 512, 1024, 4096, 65535}; // rows; the default first
static const pliant_interface interfaces[] = {PLIANT_INTERFACE_MERGED, PLIANT_INTERFACE_ORDERED};
enum { COUNTS = 2, SIZES = 7, INTERFACES = 2 };
enum { COUPLED = 2, QUICK_COUPLED = 1 }; // of bench_forms
enum { QUICK_COUNTS = 1, QUICK_SIZES = 2 };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 7, 0},
    {"mesh", COLUMN_TEXT, 13, 0},
    {"tets", COLUMN_INT, 6, 0},
    {"schedule", COLUMN_TEXT, 8, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"interface", COLUMN_TEXT, 9, 0},
    {"patch_rows", COLUMN_INT, 10, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"patches", COLUMN_INT, 7, 0},
    {"copies", COLUMN_NUMBER, 6, 3},
    {"shared", COLUMN_NUMBER, 6, 3},
    {"tip_error", COLUMN_NUMBER, 9, 4},
    {"error", COLUMN_NUMBER, 9, 4},
    {"us_per_ktet", COLUMN_NUMBER, 11, 2},
    {"us_all_threads", COLUMN_NUMBER, 14, 2},
};

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total; // assets
    const char* name;
    trial body;                     // mesh and pins
    double rest;                    // [m] y of the tip
    int tip;                        // vertex
    trial_outcome expected[COUNTS]; // of one formulation
} patch_bench;

static int count_of(const patch_bench* b, int quick, int all)
{
    return b->settings->quick ? quick : all;
}

static pliant_result run_counts(const patch_bench* b, const pliant_asset* asset, int threads,
                                trial_outcome out[COUNTS])
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count_of(b, QUICK_COUNTS, COUNTS) && !result; ++i) {
        trial t = b->body;
        t.asset = asset;
        t.substeps = substeps[i];
        t.threads = threads;
        result = trial_run(&t, STEPS, dt, b->tip, &out[i]);
    }
    return result;
}

static pliant_result find_references(patch_bench* b, pliant_formulation form)
{
    pliant_soft_def def = bench_rubber_as(form, schedule_of_word("serial"));
    def.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(b->body.mesh, &def, &asset);
    if (result) return result;
    result = run_counts(b, asset, 1, b->expected);
    pliant_asset_destroy(asset);
    return result;
}

// Microseconds per 1000 tets and substep with one thread and with all.
static pliant_result find_speeds(const patch_bench* b, const pliant_asset* asset, double out[2])
{
    runner r[2] = {{.best = 0}};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 2 && !result; ++i) {
        r[i].body = b->body;
        r[i].body.asset = asset;
        r[i].body.substeps = SPEED_SUBSTEPS;
        r[i].body.threads = i ? 0 : 1;
        r[i].dt = speed_dt;
        result = runner_open(&r[i]);
    }
    if (!result) result = race_warm_up(r, 2, WARM_STEPS);
    if (!result) result = race_run(r, 2, length);
    for (int i = 0; i < 2; ++i) {
        out[i] = 1e9 * r[i].best / SPEED_SUBSTEPS / pliant_mesh_view(b->body.mesh).tet_count;
        runner_close(&r[i]);
    }
    return result;
}

static void print_count(patch_bench* b, const pliant_soft_def* def, const pliant_asset_info* info,
                        int count, const trial_outcome* got, const double speed[2])
{
    const trial_outcome* expected = &b->expected[count];
    const cell row[] = {
        {.text = "patches"},
        {.text = b->name},
        {.number = pliant_mesh_view(b->body.mesh).tet_count},
        {.text = "patched"},
        {.text = formulation_word(def->solver.formulation)},
        {.text = interface_words[def->solver.patch_interface]},
        {.number = def->solver.patch_rows},
        {.number = substeps[count]},
        {.number = info->colors},
        {.number = info->patches},
        {.number = info->copies},
        {.number = info->shared},
        {.number = bench_percent_off(got->tip - b->rest, expected->tip - b->rest)},
        {.number = bench_percent_off(got->elastic, expected->elastic)},
        {.number = speed[0]},
        {.number = speed[1]},
    };
    bench_row(&b->bar, b->table, row);
}

static pliant_result run_patches(patch_bench* b, const pliant_soft_def* def)
{
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(b->body.mesh, def, &asset);
    if (result) return result;
    pliant_asset_info info = pliant_asset_describe(asset);
    trial_outcome got[COUNTS];
    double speed[2];
    result = run_counts(b, asset, trial_threads(&b->body), got);
    if (!result) result = find_speeds(b, asset, speed);
    for (int i = 0; i < count_of(b, QUICK_COUNTS, COUNTS) && !result; ++i)
        print_count(b, def, &info, i, &got[i], speed);
    pliant_asset_destroy(asset);
    progress_show(&b->bar, ++b->done, b->total);
    return result;
}

static pliant_result run_formulation(patch_bench* b, pliant_formulation form)
{
    pliant_result result = find_references(b, form);
    for (int i = 0; i < INTERFACES; ++i)
        for (int s = 0; s < count_of(b, QUICK_SIZES, SIZES) && !result; ++s) {
            pliant_soft_def def = bench_rubber_as(form, schedule_of_word("patched"));
            def.solver.patch_interface = interfaces[i];
            def.solver.patch_rows = sizes[s];
            result = run_patches(b, &def);
        }
    return result;
}

static pliant_result run_mesh(patch_bench* b, const char* name)
{
    pliant_mesh* mesh = NULL;
    b->body = (trial){0};
    pliant_result result = load_body(name, &mesh, &b->body);
    if (result) return result;
    b->name = name;
    b->tip = trial_tip(&b->body, &b->rest);
    for (int f = 0; f < count_of(b, QUICK_COUPLED, COUPLED) && !result; ++f)
        result = run_formulation(b, bench_forms[f]);
    pliant_mesh_destroy(mesh);
    return result;
}

int bench_patches(const bench_settings* settings)
{
    static const char* const meshes[] = {"beam:21x6x6", "beam:40x10x10", "beam:56x14x14"};
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    patch_bench b = {.table = &t, .settings = settings, .bar = progress_start("bodies", false)};
    int count = count_of(&b, 1, 3), status = EXIT_DONE;
    b.total =
        (double)count * INTERFACES * count_of(&b, QUICK_SIZES * QUICK_COUPLED, SIZES * COUPLED);
    rows_head(&t);
    for (int i = 0; i < count; ++i)
        if (run_mesh(&b, meshes[i])) status = tell_failure("bench patches");
    progress_end(&b.bar);
    return status;
}
