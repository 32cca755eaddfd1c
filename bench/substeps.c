// How many substeps an accurate elastic energy needs: bodies that fall for 0.2 s with one end
// fixed, against a converged reference. h * omega says which substep is fine for any mesh.
#include "bench/bench.h"
#include "bench/files.h"
#include "facts.h"
#include "options.h"
#include "progress.h"
#include <math.h>

enum { STEPS = 20 };
static const float dt = 0.01f; // [s]
static const int substeps[] = {5, 7, 10, 14, 20, 30, 40, 50, 70, 100, 140, 200, 280, 400};
enum { COUNTS = sizeof substeps / sizeof substeps[0] };
enum { QUICK_COUNTS = 10, REFERENCE = 1000, QUICK_REFERENCE = 400 };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 20, 0},
    {"tets", COLUMN_INT, 7, 0},
    {"schedule", COLUMN_TEXT, 9, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"h_omega", COLUMN_NUMBER, 8, 3},        // of the typical frequency
    {"h_omega_shear", COLUMN_NUMBER, 13, 3}, // of the highest shear frequency
    {"energy", COLUMN_NUMBER, 12, 3},        // [J]
    {"energy_expected", COLUMN_NUMBER, 15, 3},
    {"error", COLUMN_NUMBER, 9, 3},       // [%]
    {"unresolved", COLUMN_NUMBER, 10, 3}, // [%] of the expected energy: the library's estimate
    {"verdict", COLUMN_TEXT, 7, 0},
};

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total; // runs
    const char* name;   // of the mesh
    trial body;         // mesh and pins
} calibration;

static void print_outcome(calibration* c, pliant_formulation form, const trial_outcome* outcome,
                          double expected)
{
    pliant_asset_info info = pliant_asset_describe(c->body.asset);
    double h = (double)dt / c->body.substeps;
    double error = 100 * fabs(outcome->elastic / expected - 1);
    const cell row[] = {
        {.text = "substeps"},
        {.text = c->name},
        {.number = pliant_mesh_view(c->body.mesh).tet_count},
        {.text = schedule_words[bench_rubber().solver.schedule]},
        {.text = formulation_word(form)},
        {.number = c->body.substeps},
        {.number = h * info.typical_frequency},
        {.number = h * info.shear_frequency},
        {.number = outcome->elastic},
        {.number = expected},
        {.number = error},
        {.number = 100 * outcome->unresolved / expected},
        {.text = error <= 1     ? "1 %"
                 : error <= 5   ? "5 %"
                 : error <= 100 ? "poor"
                                : "blown"},
    };
    bench_row(&c->bar, c->table, row);
}

static pliant_result run_body(calibration* c, int count, trial_outcome* out)
{
    c->body.substeps = count;
    pliant_result result = trial_run(&c->body, STEPS, dt, 0, out);
    progress_show(&c->bar, ++c->done, c->total);
    return result;
}

// All numbers of substeps for one formulation; the reference, without copies, where none is known.
static pliant_result run_formulation(calibration* c, pliant_formulation form, double* expected)
{
    pliant_soft_def def = bench_rubber();
    def.solver.formulation = form;
    if (isnan(*expected)) {
        def.solver.precision = PLIANT_PRECISION_DOUBLE;
        def.solver.schedule = PLIANT_SCHEDULE_CLUSTERED;
    }
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(c->body.mesh, &def, &asset);
    if (result) return result;
    c->body.asset = asset;
    bool quick = c->settings->quick;
    trial_outcome outcome = {NAN, NAN, NAN};
    if (isnan(*expected)) {
        result = run_body(c, quick ? QUICK_REFERENCE : REFERENCE, &outcome);
        *expected = outcome.elastic;
    } else {
        for (int i = 0; i < (quick ? QUICK_COUNTS : COUNTS) && !result; ++i) {
            result = run_body(c, substeps[i], &outcome);
            if (!result) print_outcome(c, form, &outcome, *expected);
        }
    }
    pliant_asset_destroy(asset);
    return result;
}

static pliant_result run_mesh(calibration* c, const char* path)
{
    pliant_mesh* mesh = NULL;
    c->body = (trial){.threads = 1};
    pliant_result result = load_body(path, &mesh, &c->body);
    if (result) return result;
    char name[64];
    mesh_short_name(path, name);
    c->name = name;
    double expected = NAN;
    result = run_formulation(c, PLIANT_FORMULATION_TEN_ROWS, &expected);
    if (!result && isnan(expected))
        fprintf(stderr, "pliant bench substeps: %s: the reference diverged\n", path);
    for (int f = 0; f < FORMS && !result && !isnan(expected); ++f)
        result = run_formulation(c, bench_forms[f], &expected);
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result list_meshes(const bench_settings* settings, mesh_list* list)
{
    static const char* const words[] = {"beam:21x6x6", "beam:40x10x10:0.0525"};
    static const char* const files[] = {"armadillo_3k.mesh", "spot.mesh", "bunny_28k_cgal.mesh"};
    pliant_result result = mesh_list_add_all(list, NULL, words, settings->quick ? 1 : 2);
    if (result || settings->quick || !settings->meshes) return result;
    return mesh_list_add_all(list, settings->meshes, files, 3);
}

int bench_substeps(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    calibration c = {.table = &t, .settings = settings, .bar = progress_start("runs", false)};
    mesh_list list = {0};
    int status = EXIT_DONE;
    if (list_meshes(settings, &list)) status = tell_failure("bench substeps");
    c.total = list.count * (1.0 + FORMS * (settings->quick ? QUICK_COUNTS : COUNTS));
    if (!status) rows_head(&t);
    for (int i = 0; i < list.count; ++i)
        if (run_mesh(&c, list.name[i])) status = tell_failure("bench substeps");
    progress_end(&c.bar);
    mesh_list_destroy(&list);
    return status;
}
