// Table 2 of the 2022 paper on this GPU: its baseline, clusters (C), blocks (B) and both, each with
// the paper's number of substeps and one launch per color, and patches beside them; what each time
// buys: the error of the elastic energy after 0.2 s.
#include "base/error.h"
#include "bench_gpu.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { STEPS = 20, REFERENCE_SUBSTEPS = 1000, UNBLOCKED = 250, BLOCKED = 50 };
static const float dt = 0.01f; // [s]

enum { BASELINE, CLUSTERS, BLOCKS, BOTH, PUBLISHED };

// A model of the table and the mesh that stands for it.
typedef struct {
    const char *model, *mesh; // a word, or a file without its ending
    int tets, colors[2];      // as published: plain, clustered
    double ms[PUBLISHED];
    double bytes; // per tet, by Table 3
} model;
static const model models[] = {
    {"Beam", "beam:21x6x6", 3727, {40, 17}, {285.03, 170.49, 41.29, 20.46}, 0.78e6 / 3727},
    {"Bunny", "bunny", 56371, {52, 21}, {432.28, 315.33, 90.86, 52.81}, 11.97e6 / 56371},
    {"Armadillo", "armadillo_45k", 45593, {62, 26}, {528.26, 374.81, 108.89, 61.13}, 9.5e6 / 45593},
    {"Spot", "spot", 19835, {104, 25}, {885.07, 324.18, 173.78, 54.25}, 4.19e6 / 19835},
    {"Octopus", "octopus", 22213, {78, 22}, {663.96, 299.78, 132.76, 49.10}, 4.79e6 / 22213},
    {"Squirrel", "squirrel", 64768, {56, 22}, {457.91, 332.16, 94.78, 55.41}, 13.73e6 / 64768},
};
enum { MODELS = sizeof models / sizeof models[0], BEAM = 0 };

// The paper's four, which see whole substeps, and ours.
typedef struct {
    const char* name;
    const char* schedule;
    pliant_formulation formulation;
    pliant_integrator integrator;
    int substeps, beam_substeps;
} method;
static const method methods[] = {
    {"baseline", "colored", PLIANT_DECOUPLED, PLIANT_IMPLICIT_EULER, UNBLOCKED, 200},
    {"C", "neighbors", PLIANT_DECOUPLED, PLIANT_IMPLICIT_EULER, UNBLOCKED, 200},
    {"B", "colored", PLIANT_TWO_ROWS, PLIANT_IMPLICIT_EULER, BLOCKED, 30},
    {"B+C", "neighbors", PLIANT_TWO_ROWS, PLIANT_IMPLICIT_EULER, BLOCKED, 30},
    {"patches", "patched", PLIANT_TWO_ROWS, PLIANT_FORESIGHT, BLOCKED, 30},
    {"patches", "patched", PLIANT_TEN_ROWS, PLIANT_FORESIGHT, BLOCKED, 30},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},
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
    {"bytes_per_tet", COLUMN_NUMBER, 13, 1},
    {"bytes_2022", COLUMN_NUMBER, 10, 1},
};

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total; // rows
    const model* model;
    double expected; // [J] elastic energy of the converged run
    double baseline; // [s] of a step
} table2;

// A body on the GPU.
static trial trial_of(const trial* body, const pliant_asset* asset, int substeps)
{
    trial t = *body;
    t.asset = asset;
    t.substeps = substeps;
    t.threads = 1;
    t.backend = PLIANT_BACKEND_CUDA;
    return t;
}

// Double precision, exact Gauss-Seidel, far more substeps than anybody uses.
static pliant_result find_reference(table2* b, const trial* body)
{
    pliant_soft_def def = gpu_rubber(PLIANT_TEN_ROWS, schedule_of_word("clustered"));
    def.precision = PLIANT_DOUBLE;
    pliant_asset* asset = NULL;
    trial_outcome got = {NAN, NAN, NAN};
    pliant_result result = pliant_asset_create(body->mesh, &def, &asset);
    trial t = trial_of(body, asset, b->settings->quick ? 400 : REFERENCE_SUBSTEPS);
    if (!result) result = trial_run(&t, STEPS, dt, 0, &got);
    pliant_asset_destroy(asset);
    b->expected = got.elastic;
    if (!result && !isfinite(got.elastic))
        result = fail(PLIANT_ERROR_DIVERGED, "%s: the reference diverged", b->model->mesh);
    return result;
}

static void print_method(table2* b, int number, const runner* r, double elastic)
{
    const model* m = b->model;
    const method* how = &methods[number];
    bool published = number < PUBLISHED;
    double tets = pliant_mesh_view(r->body.mesh).tet_count;
    if (number == BASELINE) b->baseline = r->best;
    const cell row[] = {
        {.text = "table2"},
        {.text = m->model},
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
        {.number = (double)pliant_world_profile(r->world).device_bytes / tets},
        {.number = number == BOTH ? m->bytes : (double)NAN},
    };
    bench_row(&b->bar, b->table, row);
}

static pliant_result run_method(table2* b, const trial* body, int number)
{
    const method* how = &methods[number];
    int substeps = b->model == &models[BEAM] ? how->beam_substeps : how->substeps;
    pliant_soft_def def = gpu_rubber(how->formulation, schedule_of_word(how->schedule));
    pliant_asset* asset = NULL;
    trial_outcome got = {NAN, NAN, NAN};
    def.integrator = how->integrator;
    pliant_result result = pliant_asset_create(body->mesh, &def, &asset);
    runner r = {.body = trial_of(body, asset, substeps), .dt = dt};
    if (!result) result = trial_run(&r.body, STEPS, dt, 0, &got);
    r.body.launches = PLIANT_LAUNCH_EACH;
    if (!result) result = gpu_time(&r, b->settings->quick);
    if (!result) print_method(b, number, &r, got.elastic);
    runner_close(&r);
    pliant_asset_destroy(asset);
    progress_show(&b->bar, ++b->done, b->total);
    return result;
}

// The mesh of a model: a word, or a file that may be missing.
static pliant_result find_mesh(const table2* b, mesh_list* out)
{
    const char* const name[] = {b->model->mesh};
    if (b->model == &models[BEAM]) return mesh_list_add(out, NULL, name[0]);
    return b->settings->meshes ? mesh_list_add_files(out, b->settings->meshes, name, 1) : PLIANT_OK;
}

static pliant_result run_model(table2* b)
{
    mesh_list file = {0};
    pliant_mesh* mesh = NULL;
    trial body = {0};
    pliant_result result = find_mesh(b, &file);
    if (!result && file.count > 0) {
        result = load_body(file.name[0], &mesh, &body);
        if (!result) result = find_reference(b, &body);
        for (int i = 0; i < METHODS && !result; ++i) result = run_method(b, &body, i);
    }
    pliant_mesh_destroy(mesh);
    mesh_list_destroy(&file);
    return result;
}

int gpu_table2(const bench_settings* settings)
{
    rows t = {columns, sizeof columns / sizeof columns[0], settings->form, stdout};
    table2 b = {.table = &t, .settings = settings, .bar = progress_start("rows", false)};
    int status = EXIT_DONE, count = settings->quick || !settings->meshes ? 1 : MODELS;
    b.total = (double)count * METHODS;
    rows_head(&t);
    for (int i = 0; i < count; ++i) {
        b.model = &models[i];
        if (run_model(&b)) status = tell_failure("bench gpu");
    }
    progress_end(&b.bar);
    return status;
}
