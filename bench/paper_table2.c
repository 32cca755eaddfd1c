// Table 2 of the 2022 paper on this machine: its baseline, clusters (C), blocks (B) and both, each
// with the paper's number of substeps and, on a GPU, one launch per color, and patches beside them;
// what each time buys: the error of the elastic energy after 0.2 s.
#include "base/error.h"
#include "bench/gpu.h"
#include "bench/paper_models.h"
#include "bench/papers.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { STEPS = 20, REFERENCE_SUBSTEPS = 1000, CPU_REFERENCE = 600, UNBLOCKED = 250, BLOCKED = 50 };
enum { MODELS = 6 };           // that are in the table
static const float dt = 0.01f; // [s]

// The paper's four, which see whole substeps, and ours.
typedef struct {
    const char* name;
    const char* schedule;
    pliant_formulation formulation;
    pliant_integrator integrator;
    int substeps, beam_substeps;
} method;
static const method methods[] = {
    {"baseline", "colored", PLIANT_FORMULATION_DECOUPLED, PLIANT_INTEGRATOR_IMPLICIT_EULER,
     UNBLOCKED, 200},
    {"C", "neighbors", PLIANT_FORMULATION_DECOUPLED, PLIANT_INTEGRATOR_IMPLICIT_EULER, UNBLOCKED,
     200},
    {"B", "colored", PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER, BLOCKED, 30},
    {"B+C", "neighbors", PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER, BLOCKED,
     30},
    {"patches", "patched", PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_FORESIGHT, BLOCKED, 30},
    {"patches", "patched", PLIANT_FORMULATION_TEN_ROWS, PLIANT_INTEGRATOR_FORESIGHT, BLOCKED, 30},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"model", COLUMN_TEXT, 9, 0},
    {"tets", COLUMN_INT, 6, 0},
    {"tets_2022", COLUMN_INT, 9, 0},
    {"method", COLUMN_TEXT, 8, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"colors_2022", COLUMN_INT, 11, 0},
    {"ms_per_step", COLUMN_NUMBER, 11, 3},
    {"ms_2022", COLUMN_NUMBER, 7, 2},
    {"speedup", COLUMN_NUMBER, 7, 2}, // over the baseline
    {"speedup_2022", COLUMN_NUMBER, 12, 2},
    {"error", COLUMN_NUMBER, 9, 3}, // [%] of the elastic energy
};

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total; // rows
    const paper_model* model;
    double expected; // [J] elastic energy of the converged run
    double baseline; // [s] of a step
} table2;

// Where it is stepped.
static trial trial_of(const table2* b, const trial* body, const pliant_asset* asset, int substeps)
{
    trial t = *body;
    t.asset = asset;
    t.substeps = substeps;
    t.threads = b->settings->on_gpu ? 1 : 0;
    t.backend = b->settings->on_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
    return t;
}

static pliant_soft_def def_of(const table2* b, pliant_formulation formulation, const char* schedule)
{
    const schedule_choice* choice = schedule_of_word(schedule);
    return b->settings->on_gpu ? gpu_rubber(formulation, choice)
                               : bench_rubber_as(formulation, choice);
}

// Exact Gauss-Seidel with far more substeps than anybody uses, on a GPU in double precision.
static pliant_result find_reference(table2* b, const trial* body)
{
    pliant_soft_def def = def_of(b, PLIANT_FORMULATION_TEN_ROWS, "clustered");
    bool there = b->settings->on_gpu;
    int substeps = b->settings->quick ? 200 : there ? REFERENCE_SUBSTEPS : CPU_REFERENCE;
    if (there) def.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_asset* asset = NULL;
    trial_outcome got = {NAN, NAN, NAN};
    pliant_result result = pliant_asset_create(body->mesh, &def, &asset);
    trial t = trial_of(b, body, asset, substeps);
    if (!result) result = trial_run(&t, STEPS, dt, 0, &got);
    pliant_asset_destroy(asset);
    b->expected = got.elastic;
    if (!result && !isfinite(got.elastic))
        result = fail(PLIANT_ERROR_DIVERGED, "%s: the reference diverged", b->model->mesh);
    return result;
}

static void print_method(table2* b, int number, const runner* r, double elastic)
{
    const paper_model* m = b->model;
    const method* how = &methods[number];
    bool published = number < PUBLISHED;
    double tets = pliant_mesh_view(r->body.mesh).tet_count;
    if (number == BASELINE) b->baseline = r->best;
    const cell row[] = {
        {.text = "table2"},
        {.text = backend_words[r->body.backend]},
        {.text = m->name},
        {.number = tets},
        {.number = m->tets},
        {.text = how->name},
        {.text = formulation_word(how->formulation)},
        {.number = r->body.substeps},
        {.number = pliant_asset_describe(r->body.asset).colors},
        {.number = published ? m->colors[number == CLUSTERS || number == BOTH] : (double)NAN},
        {.number = 1e3 * r->best},
        {.number = published ? m->ms[number] : (double)NAN},
        {.number = b->baseline / r->best},
        {.number = published ? m->ms[BASELINE] / m->ms[number] : (double)NAN},
        {.number = bench_percent_off(elastic, b->expected)},
    };
    bench_row(&b->bar, b->table, row);
}

// On the processor the steps that find the energy are timed as well, and the best counts.
static pliant_result run_here(runner* r, trial_outcome* out)
{
    pliant_result result = runner_open(r);
    for (int i = 0; i < STEPS && !result; ++i) {
        double seconds;
        result = runner_step(r, &seconds);
        if (!result) r->best = fmin(r->best, seconds);
    }
    if (!result) result = runner_read(r, 0, out);
    return result == PLIANT_ERROR_DIVERGED ? PLIANT_OK : result; // an outcome too
}

static pliant_result run_there(const table2* b, runner* r, trial_outcome* out)
{
    pliant_result result = trial_run(&r->body, STEPS, dt, 0, out);
    r->body.launch_mode = PLIANT_LAUNCH_MODE_EACH;
    return result ? result : gpu_time(r, b->settings->quick);
}

static pliant_result run_method(table2* b, const trial* body, int number)
{
    const method* how = &methods[number];
    int substeps = b->model->is_file ? how->substeps : how->beam_substeps;
    pliant_soft_def def = def_of(b, how->formulation, how->schedule);
    pliant_asset* asset = NULL;
    trial_outcome got = {NAN, NAN, NAN};
    def.solver.integrator = how->integrator;
    pliant_result result = pliant_asset_create(body->mesh, &def, &asset);
    runner r = {.body = trial_of(b, body, asset, substeps), .dt = dt};
    if (!result) result = b->settings->on_gpu ? run_there(b, &r, &got) : run_here(&r, &got);
    if (!result) print_method(b, number, &r, got.elastic);
    runner_close(&r);
    pliant_asset_destroy(asset);
    progress_show(&b->bar, ++b->done, b->total);
    return result;
}

static pliant_result run_model(table2* b)
{
    pliant_mesh* mesh = NULL;
    trial body = {0};
    pliant_result result = paper_mesh(b->model, b->settings, &mesh, &body);
    if (!result && mesh) {
        result = find_reference(b, &body);
        for (int i = 0; i < METHODS && !result; ++i) result = run_method(b, &body, i);
    }
    pliant_mesh_destroy(mesh);
    return result;
}

int paper_table2(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    table2 b = {.table = &t, .settings = settings, .bar = progress_start("rows", false)};
    int status = EXIT_DONE, count = settings->quick ? 1 : MODELS;
    b.total = (double)count * METHODS;
    rows_head(&t);
    for (int i = 0; i < count; ++i) {
        b.model = &paper_models[i];
        if (run_model(&b)) status = tell_failure("bench table2");
    }
    progress_end(&b.bar);
    return status;
}
