// Figures 6 and 7 of the 2022 paper in numbers: where the decoupled pair fails and the coupled
// forms hold at the same number of substeps. The measure is the elastic energy over the converged
// one.
#include "bench/files.h"
#include "bench/papers.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { STEPS = 20, REFERENCE = 400 };
static const float dt = 0.01f; // [s]

// The energy of a body that hangs from one end for 0.2 s.
typedef struct {
    int figure;
    const char *mesh, *file; // a word, or a file of --meshes
    double young, poisson;   // [Pa, -] with the papers' plain parameters, density 1000 kg/m^3
    int substeps;
} scene;
static const scene scenes[] = {
    // The paper's own: 2.1 m x 0.6 m x 0.6 m.
    {6, "beam:21x6x6", NULL, 1e7, 0.45, 30},
    // The paper has no material for this one. 2 m at its longest, the first 5 % along x are pinned.
    {7, NULL, "armadillo_3k.mesh", 3e6, 0.3, 20},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

// What the figures show: how far from 1 the energies are.
typedef struct {
    int figure;
    pliant_formulation formulation;
    pliant_integrator integrator;
    bool fails;   // the energy over the converged one is the limit or more; otherwise
    double limit; // it is within this factor, up or down
} claim;
static const claim claims[] = {
    // The paper's methods, then ours.
    {6, PLIANT_FORMULATION_DECOUPLED, PLIANT_INTEGRATOR_IMPLICIT_EULER, true, 1.5},
    {6, PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER, false, 1.05},
    {6, PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_FORESIGHT, false, 1.05},
    {6, PLIANT_FORMULATION_TEN_ROWS, PLIANT_INTEGRATOR_FORESIGHT, false, 1.05},
    {7, PLIANT_FORMULATION_DECOUPLED, PLIANT_INTEGRATOR_IMPLICIT_EULER, true, 2.5},
    {7, PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER, false, 1.10},
    {7, PLIANT_FORMULATION_TEN_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER, false, 1.10},
    {7, PLIANT_FORMULATION_TEN_ROWS, PLIANT_INTEGRATOR_FORESIGHT, false, 1.10},
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };
static const char* const schedules[] = {"serial", "patched"};
enum { SCHEDULE_COUNT = sizeof schedules / sizeof schedules[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 7, 0},
    {"figure", COLUMN_INT, 6, 0},
    {"mesh", COLUMN_TEXT, 12, 0},
    {"tets", COLUMN_INT, 5, 0},
    {"young", COLUMN_NUMBER, 8, 0},
    {"poisson", COLUMN_NUMBER, 7, 2},
    {"schedule", COLUMN_TEXT, 8, 0},
    {"patches", COLUMN_INT, 7, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"integrator", COLUMN_TEXT, 14, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"energy", COLUMN_NUMBER, 10, 2},
    {"energy_expected", COLUMN_NUMBER, 15, 2},
    {"ratio", COLUMN_NUMBER, 8, 3},
    {"claim", COLUMN_TEXT, 13, 0},
    {"verdict", COLUMN_TEXT, 7, 0},
};

typedef struct {
    const rows* table;
    progress bar;
    double done, total; // runs
    const scene* scene;
    const char* name;
    trial body;      // mesh and pins
    double expected; // [J]
    int patches;     // of the last run
    int broken;
} figures;

// So that these small bodies are two patches and have an interface.
enum { PATCH_ROWS = 1024 };

static pliant_result run_body(figures* f, const claim* c, const char* schedule, int substeps,
                              double* out_energy)
{
    pliant_soft_def def = bench_rubber_as(c->formulation, schedule_of_word(schedule));
    def.solver.integrator = c->integrator;
    def.solver.patch_rows = PATCH_ROWS;
    def.material.young = f->scene->young;
    def.material.poisson = f->scene->poisson;
    pliant_asset* asset = NULL;
    trial_outcome got = {NAN, NAN, NAN};
    pliant_result result = pliant_asset_create(f->body.mesh, &def, &asset);
    if (result) return result;
    f->body.asset = asset;
    f->patches = pliant_asset_describe(asset).patches;
    f->body.substeps = substeps;
    f->body.threads = trial_threads(&f->body);
    result = trial_run(&f->body, STEPS, dt, 0, &got);
    *out_energy = got.elastic;
    pliant_asset_destroy(asset);
    progress_show(&f->bar, ++f->done, f->total);
    return result;
}

// A body that diverged has failed, and holds no claim to stay calm.
static bool holds(const claim* c, double ratio)
{
    return c->fails ? !(ratio < c->limit) : ratio <= c->limit && ratio * c->limit >= 1;
}

static void judge(figures* f, const claim* c, const char* schedule, double energy)
{
    double ratio = energy / f->expected;
    bool held = holds(c, ratio);
    char text[32];
    snprintf(text, sizeof text, "%s %.2f", c->fails ? "at least" : "within", c->limit);
    const cell row[] = {
        {.text = "figures"},
        {.number = c->figure},
        {.text = f->name},
        {.number = pliant_mesh_view(f->body.mesh).tet_count},
        {.number = f->scene->young},
        {.number = f->scene->poisson},
        {.text = schedule},
        {.number = f->patches},
        {.text = formulation_word(c->formulation)},
        {.text = integrator_words[c->integrator]},
        {.number = f->scene->substeps},
        {.number = energy},
        {.number = f->expected},
        {.number = ratio},
        {.text = text},
        {.text = held ? "pass" : "FAIL"},
    };
    bench_row(&f->bar, f->table, row);
    if (!held) f->broken++;
}

static pliant_result check_claims(figures* f)
{
    static const claim reference = {.formulation = PLIANT_FORMULATION_TEN_ROWS};
    pliant_result result = run_body(f, &reference, "clustered", REFERENCE, &f->expected);
    for (int c = 0; c < CLAIMS; ++c)
        for (int s = 0; s < SCHEDULE_COUNT && !result && claims[c].figure == f->scene->figure;
             ++s) {
            double energy = NAN;
            result = run_body(f, &claims[c], schedules[s], f->scene->substeps, &energy);
            if (!result) judge(f, &claims[c], schedules[s], energy);
        }
    return result;
}

static pliant_result run_scene(figures* f, const char* path)
{
    pliant_mesh* mesh = NULL;
    f->body = (trial){0};
    pliant_result result = load_body(path, &mesh, &f->body);
    if (result) return result;
    char name[64];
    mesh_short_name(path, name);
    f->name = name;
    result = check_claims(f);
    pliant_mesh_destroy(mesh);
    return result;
}

// Scenes whose files are not there are left out: the folder's absence has been told.
static int run_scenes(figures* f, const bench_settings* settings, int figure)
{
    int status = EXIT_DONE;
    for (int i = 0; i < SCENES; ++i) {
        mesh_list one = {0};
        if (figure && scenes[i].figure != figure) continue;
        const char* folder = scenes[i].file ? settings->meshes : NULL;
        if (scenes[i].file && !folder) continue;
        f->scene = &scenes[i];
        if (mesh_list_add(&one, folder, folder ? scenes[i].file : scenes[i].mesh) ||
            run_scene(f, one.name[0]))
            status = tell_failure("bench figures");
        mesh_list_destroy(&one);
    }
    return status;
}

// 0: both.
static int run_figure(const bench_settings* settings, int figure)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    figures f = {.table = &t, .bar = progress_start("runs", false)};
    f.total = (figure ? 0.5 : 1) * (SCENES + CLAIMS * SCHEDULE_COUNT);
    rows_head(&t);
    int status = run_scenes(&f, settings, figure);
    progress_end(&f.bar);
    if (f.broken) fprintf(stderr, "pliant bench figures: %d claims are broken\n", f.broken);
    return f.broken ? EXIT_FAILED : status;
}

int bench_figures(const bench_settings* settings) { return run_figure(settings, 0); }

// With pictures of the same budget side by side.
int paper_fig6(const bench_settings* settings)
{
    int status = run_figure(settings, 6);
    return paper_draw_fig6(settings) ? tell_failure("bench fig6") : status;
}

int paper_fig7(const bench_settings* settings)
{
    int status = run_figure(settings, 7);
    return paper_draw_fig7(settings) ? tell_failure("bench fig7") : status;
}
