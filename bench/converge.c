// Time to 1 % of error: the fewest substeps whose elastic energy after 0.2 s is within 1 % of the
// converged one, for every schedule and formulation and for the explicit rival, what a step then
// costs, and what the automatic choice costs beside it. On the processor, or on a GPU, which has
// neither serial bodies nor the rival.
#include "base/platform.h"
#include "bench/fewest.h"
#include "bench/files.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

enum { STEPS = 20, ROUNDS = 8, WARM_STEPS = 2 };
static const float dt = 0.01f; // [s]
static const double limit = 1; // [%]
enum { SERIAL_TETS = 100000 }; // beyond, serial bodies take too long
enum { DOUBLE_TETS = 5000 };   // beyond, the reference is of single precision

typedef struct {
    pliant_precision precision;
    int substeps;
    const char* word;
} reference;
static const reference exact = {PLIANT_PRECISION_DOUBLE, 1000, "double 1000"},
                       fine = {PLIANT_PRECISION_SINGLE, 800, "single 800"},
                       brief = {PLIANT_PRECISION_SINGLE, 400, "single 400"};
enum { TURN = 5 }; // steps of a GPU that are timed together

static const column columns[] = {
    {"bench", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 14, 0},
    {"tets", COLUMN_INT, 7, 0},
    {"schedule", COLUMN_TEXT, 9, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"threads", COLUMN_INT, 7, 0},
    {"lanes", COLUMN_INT, 5, 0},
    {"reference", COLUMN_TEXT, 11, 0},
    {"energy_expected", COLUMN_NUMBER, 15, 3}, // [J]
    {"substeps", COLUMN_INT, 8, 0},            // the fewest
    {"error", COLUMN_NUMBER, 7, 3},            // [%]
    {"ms_per_step", COLUMN_NUMBER, 11, 2},     // with all threads
    {"ms_one_thread", COLUMN_NUMBER, 13, 2},
    {"auto_substeps", COLUMN_INT, 13, 0},
    {"auto_error", COLUMN_NUMBER, 10, 3},
    {"auto_ms", COLUMN_NUMBER, 9, 2},
    {"auto_ms_one_thread", COLUMN_NUMBER, 18, 2},
    {"factor", COLUMN_NUMBER, 6, 2}, // time of the automatic choice over the fewest
};

static const char rival_word[] = "explicit";

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total; // variants
    const char* name;   // of the mesh
    const reference* reference;
    double expected; // [J]
} converge;

static bool is_there(const trial* body) { return body->backend == PLIANT_BACKEND_CUDA; }

// A number of substeps, its error and its cost.
typedef struct {
    int substeps;   // 0: none will do
    double error;   // [%]
    double time[2]; // [s] of a step, with all threads and with one
} choice;

static quest quest_of(const converge* c)
{
    quest q = {c->expected, limit, c->reference->substeps, STEPS, dt};
    return q;
}

// Each choice with all threads and with one; a serial body has but one, and one on a GPU none.
static pliant_result open_runners(const trial* body, choice* const list[2], runner r[4])
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 4 && !result; ++i) {
        choice* at = list[i / 2];
        bool one = i % 2 == 1, serial = body->threads == 1;
        r[i] = (runner){.body = *body, .dt = dt, .turn = is_there(body) ? TURN : 1};
        r[i].body.substeps = at->substeps;
        if (one) r[i].body.threads = 1;
        at->time[i % 2] = NAN;
        bool wanted = is_there(body) ? !one : one || !serial;
        if (at->substeps > 0 && wanted) result = runner_open(&r[i]);
    }
    return result;
}

// They take turns. A body that diverges has no time.
static pliant_result find_times(const trial* body, choice* const list[2])
{
    const race_length once = {1, 0};
    runner r[4] = {{.best = 0}};
    pliant_result result = open_runners(body, list, r);
    for (int round = 0; round < WARM_STEPS + ROUNDS && !result; ++round)
        for (int i = 0; i < 4; ++i) {
            if (!r[i].world || race_run(&r[i], 1, once)) continue;
            if (round >= WARM_STEPS) list[i / 2]->time[i % 2] = r[i].best;
        }
    for (int i = 0; i < 4; ++i) runner_close(&r[i]);
    return result;
}

// `one`: with one thread.
static double milliseconds(const choice* at, bool one)
{
    return at->substeps ? 1e3 * at->time[one ? 1 : 0] : (double)NAN;
}

static void print_variant(converge* c, const trial* body, const pliant_soft_def* def,
                          choice* const list[2])
{
    const choice *fewest = list[0], *automatic = list[1];
    bool found = fewest->substeps > 0, serial = body->threads == 1;
    const cell row[] = {
        {.text = is_there(body) ? "gpu" : "converge"},
        {.text = c->name},
        {.number = pliant_mesh_view(body->mesh).tet_count},
        {.text = body->rival ? rival_word : schedule_words[def->solver.schedule]},
        {.text = body->rival ? NULL : formulation_word(def->solver.formulation)},
        {.number = is_there(body) ? (double)NAN
                   : serial       ? 1
                                  : platform_core_count()},
        {.number = is_there(body) ? (double)NAN : body->lanes},
        {.text = c->reference->word},
        {.number = c->expected},
        {.number = found ? fewest->substeps : (double)NAN},
        {.number = found ? fewest->error : (double)NAN},
        {.number = milliseconds(fewest, serial)},
        {.number = milliseconds(fewest, true)},
        {.number = automatic->substeps},
        {.number = automatic->error},
        {.number = milliseconds(automatic, serial)},
        {.number = milliseconds(automatic, true)},
        {.number = milliseconds(automatic, serial) / milliseconds(fewest, serial)},
    };
    bench_row(&c->bar, c->table, row);
}

static pliant_result run_variant(converge* c, trial body, const pliant_soft_def* def)
{
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(body.mesh, def, &asset);
    if (result) return result;
    bool serial = def->solver.schedule == PLIANT_SCHEDULE_SERIAL;
    body.asset = asset;
    body.threads = serial ? 1 : 0;
    body.lanes = serial ? 1 : platform_lanes();
    choice fewest = {0}, automatic = {0};
    automatic.substeps =
        body.rival ? explicit_substeps(asset, (double)dt) : pliant_asset_substeps(asset, dt);
    choice* const list[2] = {&fewest, &automatic};
    const quest q = quest_of(c);
    result = quest_fewest(&q, &body, (int)ceil(1.25 * automatic.substeps), &fewest.substeps,
                          &fewest.error);
    if (!result) result = quest_error(&q, &body, automatic.substeps, &automatic.error);
    if (!result) result = find_times(&body, list);
    if (!result) print_variant(c, &body, def, list);
    pliant_asset_destroy(asset);
    progress_show(&c->bar, ++c->done, c->total);
    return result;
}

// Clustered: exact Gauss-Seidel, no copies.
static pliant_result find_reference(converge* c, const trial* body)
{
    bool fast = is_there(body) || pliant_mesh_view(body->mesh).tet_count <= DOUBLE_TETS;
    c->reference = c->settings->quick ? &brief : fast ? &exact : &fine;
    pliant_soft_def def =
        bench_rubber_as(PLIANT_FORMULATION_TEN_ROWS, schedule_of_word("clustered"));
    def.solver.precision = c->reference->precision;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(body->mesh, &def, &asset);
    if (result) return result;
    trial t = *body;
    trial_outcome got = {NAN, NAN, NAN};
    t.asset = asset;
    t.substeps = c->reference->substeps;
    t.threads = trial_threads(&t);
    result = trial_run(&t, STEPS, dt, 0, &got);
    c->expected = got.elastic;
    if (!result && !isfinite(got.elastic))
        result = fail(PLIANT_ERROR_DIVERGED, "%s: the reference diverged", c->name);
    pliant_asset_destroy(asset);
    return result;
}

static bool is_wanted(const char* only, const char* schedule, const char* formulation)
{
    return !only || strcmp(only, schedule) == 0 || (formulation && strcmp(only, formulation) == 0);
}

static pliant_result run_variants(converge* c, const trial* body)
{
    bool quick = c->settings->quick;
    const char* only = c->settings->only;
    int tets = pliant_mesh_view(body->mesh).tet_count;
    int first = is_there(body) || tets > SERIAL_TETS ? 1 : 0;
    if (quick) first = KINDS - 1; // the default alone
    pliant_result result = find_reference(c, body);
    trial rival = *body;
    rival.rival = true;
    for (int f = 0; f < (quick ? 1 : FORMS); ++f)
        for (int s = first; s < KINDS && !result; ++s) {
            pliant_soft_def def =
                bench_rubber_as(bench_forms[f], schedule_of_word(bench_schedules[s]));
            if (is_there(body)) def.solver.target_backend = PLIANT_BACKEND_CUDA;
            if (is_wanted(only, bench_schedules[s], formulation_word(bench_forms[f])))
                result = run_variant(c, *body, &def);
        }
    if (is_there(body) || !is_wanted(only, rival_word, NULL)) return result;
    pliant_soft_def any = bench_rubber_as(PLIANT_FORMULATION_TEN_ROWS, schedule_of_word("colored"));
    return result ? result : run_variant(c, rival, &any);
}

static pliant_result run_mesh(converge* c, const char* path)
{
    pliant_mesh* mesh = NULL;
    trial body = {0};
    pliant_result result = load_body(path, &mesh, &body);
    if (result) return result;
    char name[64];
    mesh_short_name(path, name);
    c->name = name;
    if (c->settings->on_gpu) body.backend = PLIANT_BACKEND_CUDA;
    result = run_variants(c, &body);
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result list_meshes(const bench_settings* settings, mesh_list* list)
{
    static const char* const beams[] = {"beam:21x6x6", "beam:40x10x10", "beam:56x14x14",
                                        "beam:80x20x20"};
    static const char* const files[] = {"armadillo_3k", "armadillo_162k"};
    const char* section = settings->section ? settings->section : "";
    bool one = settings->quick || strcmp(section, "beam") == 0;
    int count = one ? 1 : settings->on_gpu ? 4 : 3;
    pliant_result result = PLIANT_OK;
    if (strcmp(section, "files") != 0) result = mesh_list_add_all(list, NULL, beams, count);
    if (result || !settings->meshes || strncmp(section, "beam", 4) == 0) return result;
    return mesh_list_add_files(list, settings->meshes, files, settings->quick ? 1 : 2);
}

static bool is_any_wanted(const char* only)
{
    bool any = is_wanted(only, rival_word, NULL);
    for (int f = 0; f < FORMS; ++f)
        for (int s = 0; s < KINDS; ++s)
            any |= is_wanted(only, bench_schedules[s], formulation_word(bench_forms[f]));
    return any;
}

int bench_converge(const bench_settings* settings)
{
    if (!is_any_wanted(settings->only))
        return tell_usage("bench", "--only",
                          "use a schedule (patched), a formulation (ten_rows) or explicit");
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    converge c = {.table = &t, .settings = settings, .bar = progress_start("variants", false)};
    mesh_list list = {0};
    int status = EXIT_DONE;
    if (list_meshes(settings, &list)) status = tell_failure("bench converge");
    double variants = settings->on_gpu ? FORMS * (KINDS - 1.0) : FORMS * KINDS + 1.0;
    c.total = list.count * (settings->quick ? 2.0 : variants);
    if (!status) rows_head(&t);
    for (int i = 0; i < list.count; ++i)
        if (run_mesh(&c, list.name[i])) status = tell_failure("bench converge");
    progress_end(&c.bar);
    mesh_list_destroy(&list);
    return status;
}
