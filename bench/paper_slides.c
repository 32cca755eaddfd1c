// The three scenes of the slides to the 2022 paper, with their numbers of tets, materials and 50
// substeps: what a step costs, what its elastic energy is over the converged one after 0.1 s, and
// how many substeps 5 % of error takes. The slides do not tell sizes, which decide that: 2 m here.
#include "base/error.h"
#include "bench/fewest.h"
#include "bench/files.h"
#include "bench/papers.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { STEPS = 10, SUBSTEPS = 50, CONVERGED = 100000 }; // tets up to which a reference is found
static const float dt = 0.01f;                          // [s]
static const double limit = 5;                          // [%]

typedef struct {
    const char* mesh; // a file
    int tets;         // of the slides
    double young, poisson;
} scene;
static const scene scenes[] = {
    {"armadillo_162k", 162000, 400e6, 0.499},
    {"spot", 19800, 30e6, 0.45},
    {"bunny", 56400, 20e6, 0.45},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

typedef struct {
    const char *name, *schedule;
    pliant_formulation formulation;
    pliant_integrator integrator;
} method;
static const method methods[] = {
    {"B+C", "neighbors", PLIANT_FORMULATION_TWO_ROWS, PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"patches, ten rows", "patched", PLIANT_FORMULATION_TEN_ROWS, PLIANT_INTEGRATOR_FORESIGHT},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},
    {"mesh", COLUMN_TEXT, 14, 0},
    {"tets", COLUMN_INT, 6, 0},
    {"tets_2022", COLUMN_INT, 9, 0},
    {"size", COLUMN_NUMBER, 4, 1}, // [m]
    {"young", COLUMN_NUMBER, 9, 0},
    {"poisson", COLUMN_NUMBER, 7, 3},
    {"method", COLUMN_TEXT, 17, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"ms_per_step", COLUMN_NUMBER, 11, 1},
    {"energy_ratio", COLUMN_NUMBER, 12, 3}, // to the converged one
    {"unresolved", COLUMN_NUMBER, 10, 0},   // [%] of the energy, by the library's estimate
    {"fewest_substeps", COLUMN_INT, 15, 0}, // for 5 % of error
    {"auto_substeps", COLUMN_INT, 13, 0},
    {"auto_ratio", COLUMN_NUMBER, 10, 3},
    {"auto_ms", COLUMN_NUMBER, 8, 1},
};

typedef struct {
    const rows* table;
    const scene* scene;
    trial body;
    double expected; // [J]
} slides;

static pliant_result make_asset(const slides* s, const method* how, pliant_asset** out)
{
    pliant_soft_def def = bench_rubber_as(how->formulation, schedule_of_word(how->schedule));
    def.solver.integrator = how->integrator;
    def.material.young = s->scene->young;
    def.material.poisson = s->scene->poisson;
    return pliant_asset_create(s->body.mesh, &def, out);
}

// Energy and the best step.
static pliant_result run(const slides* s, int substeps, trial_outcome* out, double* out_seconds)
{
    runner r = {.body = s->body, .dt = dt};
    *out = (trial_outcome){NAN, NAN, NAN};
    r.body.substeps = substeps;
    *out_seconds = INFINITY;
    pliant_result result = runner_open(&r);
    for (int i = 0; i < STEPS && !result; ++i) {
        double seconds;
        result = runner_step(&r, &seconds);
        if (!result) *out_seconds = fmin(*out_seconds, seconds);
    }
    if (!result) result = runner_read(&r, 0, out);
    runner_close(&r);
    return result == PLIANT_ERROR_DIVERGED ? PLIANT_OK : result;
}

static pliant_result run_method(slides* s, const method* how, bool searches)
{
    pliant_asset* asset = NULL;
    trial_outcome got[2] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    double seconds[2] = {NAN, NAN};
    int fewest = 0;
    pliant_result result = make_asset(s, how, &asset);
    if (result) return result;
    s->body.asset = asset;
    int chosen = pliant_asset_substeps(asset, dt), tets = pliant_mesh_view(s->body.mesh).tet_count;
    bool ours = how->integrator == PLIANT_INTEGRATOR_FORESIGHT;
    result = run(s, SUBSTEPS, &got[0], &seconds[0]);
    if (!result && ours && isfinite(s->expected)) result = run(s, chosen, &got[1], &seconds[1]);
    const quest q = {s->expected, limit, 2 * chosen, STEPS, dt};
    if (!result && searches && isfinite(s->expected))
        result = quest_fewest(&q, &s->body, chosen / 2, &fewest, NULL);
    char name[64];
    mesh_short_name(s->scene->mesh, name);
    const cell row[] = {
        {.text = "slides"},
        {.text = name},
        {.number = tets},
        {.number = s->scene->tets},
        {.number = 2},
        {.number = s->scene->young},
        {.number = s->scene->poisson},
        {.text = how->name},
        {.number = SUBSTEPS},
        {.number = 1e3 * seconds[0]},
        {.number = got[0].elastic / s->expected},
        {.number = 100 * got[0].unresolved / got[0].elastic},
        {.number = fewest ? fewest : (double)NAN},
        {.number = ours ? chosen : (double)NAN},
        {.number = got[1].elastic / s->expected},
        {.number = 1e3 * seconds[1]},
    };
    if (!result) rows_add(s->table, row);
    pliant_asset_destroy(asset);
    return result;
}

// Ten rows, clustered, with three times what the library would choose.
static pliant_result find_reference(slides* s)
{
    static const method exact = {"", "clustered", PLIANT_FORMULATION_TEN_ROWS,
                                 PLIANT_INTEGRATOR_FORESIGHT};
    pliant_asset* asset = NULL;
    double seconds;
    trial_outcome got;
    s->expected = NAN;
    if (pliant_mesh_view(s->body.mesh).tet_count > CONVERGED) return PLIANT_OK;
    pliant_result result = make_asset(s, &exact, &asset);
    if (result) return result;
    s->body.asset = asset;
    result = run(s, 3 * pliant_asset_substeps(asset, dt), &got, &seconds);
    s->expected = got.elastic;
    pliant_asset_destroy(asset);
    return result;
}

static pliant_result run_scene(slides* s, const bench_settings* settings)
{
    mesh_list file = {0};
    pliant_mesh* mesh = NULL;
    s->body = (trial){0};
    pliant_result result = mesh_list_add_files(&file, settings->meshes, &s->scene->mesh, 1);
    if (!result && file.count) result = load_body(file.name[0], &mesh, &s->body);
    if (!result && mesh) result = find_reference(s);
    for (int i = 0; i < METHODS && !result && mesh; ++i)
        result = run_method(s, &methods[i], !settings->quick);
    mesh_list_destroy(&file);
    pliant_mesh_destroy(mesh);
    return result;
}

int paper_slides(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    slides s = {.table = &t};
    int status = EXIT_DONE;
    rows_head(&t);
    for (int i = settings->quick ? 1 : 0; i < (settings->quick ? 2 : SCENES); ++i) {
        s.scene = &scenes[i];
        if (!settings->meshes)
            fprintf(stderr, "pliant bench: %s: no folder of meshes, left out\n", s.scene->mesh);
        else if (run_scene(&s, settings))
            status = tell_failure("bench slides");
    }
    return status;
}
