// Speed of the default schedule on this processor: serial, colored, clustered and patched bodies
// and the explicit rival, each with one thread and with all, in the same minutes; what their order
// of solving costs in accuracy; and whether the patches keep what they are there for.
#include "base/platform.h"
#include "bench/files.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

static const double substep = 2e-4;              // [s] of 50 to a step of 0.01 s
static const double ground_below = 5;            // [m] the check runs and nothing touches
static const double wanted_ratio = 6;            // patched, one thread, to serial
static const double wanted_spread = 25;          // [%] from the fastest beam to the slowest
enum { ERROR_TETS = 60000 };                     // the double reference takes minutes beyond
enum { ERROR_STEPS = 20, ERROR_SUBSTEPS = 100 }; // of 0.01 s
static const float error_dt = 0.01f;             // [s]

// Short steps: some of them get through without losing the core.
typedef struct {
    int substeps, warm_steps;
    race_length length;
} pace;
static const pace usual = {10, 5, {15, 20}}, brief = {10, 3, {25, 2}}, large = {10, 1, {5, 20}};
enum { LARGE_TETS = 500000 };

// A number of bench_schedules, or the rival.
enum { SERIAL = 0, PATCHED = KINDS - 1, RIVAL = KINDS, CONTESTANTS };
enum { MOST_RUNNERS = 2 * CONTESTANTS };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"mesh", COLUMN_TEXT, 14, 0},
    {"tets", COLUMN_INT, 7, 0},
    {"schedule", COLUMN_TEXT, 9, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"threads", COLUMN_INT, 7, 0},
    {"lanes", COLUMN_INT, 5, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"patches", COLUMN_INT, 7, 0},
    {"copies", COLUMN_NUMBER, 6, 3},
    {"shared", COLUMN_NUMBER, 6, 3},
    {"ms_per_step", COLUMN_NUMBER, 11, 3},
    {"us_per_ktet", COLUMN_NUMBER, 11, 2},
    {"ratio", COLUMN_NUMBER, 6, 2},
    {"scaling", COLUMN_NUMBER, 7, 2},
    {"error", COLUMN_NUMBER, 8, 4},
    {"tip_error", COLUMN_NUMBER, 9, 4},
};

// Patched bodies with one thread, over all meshes of one formulation.
typedef struct {
    double least_ratio, fastest, slowest; // fastest and slowest beam in us_per_ktet
    char mesh[64];                        // of the least ratio
} summary;

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total; // contests
    summary sum[FORMS];
} cpu_bench;

// One mesh and formulation.
typedef struct {
    cpu_bench* bench;
    const char* name;
    trial body; // without an asset
    int form;   // of `forms`
    pace pace;
    pliant_asset* asset[RIVAL];      // by schedule
    trial_outcome off[CONTESTANTS];  // [%]
    runner runner[MOST_RUNNERS];     // serial first
    int kind[MOST_RUNNERS], runners; // schedule of each, or RIVAL
} contest;

static pliant_result make_assets(contest* c)
{
    pliant_result result = PLIANT_OK;
    for (int s = 0; s < RIVAL && !result; ++s) {
        pliant_soft_def def =
            bench_rubber_as(bench_forms[c->form], schedule_of_word(bench_schedules[s]));
        result = pliant_asset_create(c->body.mesh, &def, &c->asset[s]);
    }
    return result;
}

static trial trial_of(const contest* c, int kind)
{
    trial t = c->body;
    t.rival = kind == RIVAL;
    t.asset = c->asset[t.rival ? PATCHED : kind];
    t.lanes = kind == SERIAL ? 1 : platform_lanes();
    t.threads = kind == SERIAL ? 1 : trial_threads(&t);
    return t;
}

// ---- accuracy -----------------------------------------------------------------------------------

static pliant_result run_reference(const contest* c, int tip, trial_outcome* out)
{
    pliant_soft_def def = bench_rubber_as(bench_forms[c->form], schedule_of_word("serial"));
    def.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(c->body.mesh, &def, &asset);
    if (result) return result;
    trial t = c->body;
    t.asset = asset;
    t.substeps = ERROR_SUBSTEPS;
    t.threads = 1;
    result = trial_run(&t, ERROR_STEPS, error_dt, tip, out);
    pliant_asset_destroy(asset);
    return result;
}

// The rival has no serial double to be compared with; `bench converge` has its error.
static pliant_result find_errors(contest* c)
{
    double rest;
    int tip = trial_tip(&c->body, &rest);
    trial_outcome expected = {NAN, NAN, NAN};
    for (int k = 0; k < CONTESTANTS; ++k) c->off[k] = (trial_outcome){NAN, NAN, NAN};
    if (c->bench->settings->quick || pliant_mesh_view(c->body.mesh).tet_count > ERROR_TETS)
        return PLIANT_OK;
    pliant_result result = run_reference(c, tip, &expected);
    for (int s = 0; s < RIVAL && !result; ++s) {
        trial_outcome got = {NAN, NAN, NAN};
        trial t = trial_of(c, s);
        t.substeps = ERROR_SUBSTEPS;
        result = trial_run(&t, ERROR_STEPS, error_dt, tip, &got);
        c->off[s].elastic = bench_percent_off(got.elastic, expected.elastic);
        c->off[s].tip = bench_percent_off(got.tip - rest, expected.tip - rest);
    }
    return result;
}

// ---- speed --------------------------------------------------------------------------------------

// The rival takes the same substeps, or smaller ones where it would explode.
static double substep_of(const trial* t)
{
    double own = 1.0 / explicit_substeps(t->asset, 1); // [s]
    return t->rival ? fmin(own, substep) : substep;
}

// Serial steps are shorter, so that they last about as long as the others': on a busy machine the
// best of many long steps is worse than the best of many short ones.
static int substeps_of(const contest* c, int kind)
{
    int fewer = c->pace.substeps / 5;
    return kind != SERIAL ? c->pace.substeps : fewer > 1 ? fewer : 1;
}

static pliant_result add_runner(contest* c, int kind, int threads)
{
    runner* r = &c->runner[c->runners];
    *r = (runner){.body = trial_of(c, kind)};
    r->body.substeps = substeps_of(c, kind);
    r->body.threads = threads;
    r->dt = (float)(r->body.substeps * substep_of(&r->body));
    c->kind[c->runners++] = kind;
    return runner_open(r);
}

// Every kind with one thread and, but for the serial one, with all. The rival is the same for
// every formulation.
static pliant_result list_runners(contest* c)
{
    int cores = platform_core_count();
    pliant_result result = PLIANT_OK;
    for (int all = 0; all < (cores > 1 ? 2 : 1); ++all)
        for (int k = all;
             k < (bench_forms[c->form] == PLIANT_FORMULATION_TEN_ROWS ? CONTESTANTS : RIVAL) &&
             !result;
             ++k)
            result = add_runner(c, k, all ? cores : 1);
    return result;
}

static pliant_result measure_speed(contest* c)
{
    pliant_result result = list_runners(c);
    if (!result) result = race_warm_up(c->runner, c->runners, c->pace.warm_steps);
    return result ? result : race_run(c->runner, c->runners, c->pace.length);
}

static double time_of_substep(const runner* r) { return r->best / r->body.substeps; } // [s]

static double ratio(const runner* to, const runner* r)
{
    return time_of_substep(to) / time_of_substep(r);
}

static double us_per_ktet(const contest* c, const runner* r)
{
    return 1e9 * time_of_substep(r) / pliant_mesh_view(c->body.mesh).tet_count;
}

// All threads against one of the same kind.
static double scaling(const contest* c, int number)
{
    const runner* r = &c->runner[number];
    for (int i = 0; i < c->runners && r->body.threads > 1; ++i)
        if (c->kind[i] == c->kind[number] && c->runner[i].body.threads == 1)
            return ratio(&c->runner[i], r);
    return NAN;
}

static void print_runner(const contest* c, int i)
{
    const runner* r = &c->runner[i];
    int kind = c->kind[i];
    bool rival = kind == RIVAL;
    pliant_asset_info info = pliant_asset_describe(r->body.asset);
    const cell row[] = {
        {.text = "cpu"},
        {.text = c->name},
        {.number = pliant_mesh_view(c->body.mesh).tet_count},
        {.text = rival ? "explicit" : bench_schedules[kind]},
        {.text = rival ? NULL : formulation_word(bench_forms[c->form])},
        {.number = r->body.threads},
        {.number = rival ? explicit_lanes(r->fem) : r->body.lanes},
        {.number = c->pace.substeps},
        {.number = rival ? (double)NAN : info.colors},
        {.number = rival ? explicit_patches(r->fem) : info.patches},
        {.number = rival ? (double)NAN : info.copies},
        {.number = rival ? (double)NAN : info.shared},
        {.number = 1e3 * time_of_substep(r) * c->pace.substeps},
        {.number = us_per_ktet(c, r)},
        {.number = ratio(&c->runner[0], r)},
        {.number = scaling(c, i)},
        {.number = c->off[kind].elastic},
        {.number = c->off[kind].tip},
    };
    bench_row(&c->bench->bar, c->bench->table, row);
}

// ---- verdict ------------------------------------------------------------------------------------

static void remember(const contest* c)
{
    summary* s = &c->bench->sum[c->form];
    for (int i = 0; i < c->runners; ++i) {
        const runner* r = &c->runner[i];
        if (c->kind[i] != PATCHED || r->body.threads != 1) continue;
        double here = ratio(&c->runner[0], r);
        if (here < s->least_ratio) {
            s->least_ratio = here;
            snprintf(s->mesh, sizeof s->mesh, "%s", c->name);
        }
        if (strncmp(c->name, "beam:", 5) != 0) continue;
        s->fastest = fmin(s->fastest, us_per_ktet(c, r));
        s->slowest = fmax(s->slowest, us_per_ktet(c, r));
    }
}

static void print_verdict(const cpu_bench* b)
{
    printf(
        "\npatched, %d lanes, one thread; wanted: %g times the serial speed for every mesh, beams "
        "within %g %%\n",
        platform_lanes(), wanted_ratio, wanted_spread);
    for (int f = 0; f < FORMS; ++f) {
        const summary* s = &b->sum[f];
        double spread = 100 * (s->slowest / s->fastest - 1);
        if (!isfinite(s->least_ratio)) continue;
        printf("%-10s %5.2f times or more (%s): %s; beams %.2f to %.2f us, %.0f %% apart: %s\n",
               formulation_word(bench_forms[f]), s->least_ratio, s->mesh,
               s->least_ratio >= wanted_ratio ? "met" : "MISSED", s->fastest, s->slowest, spread,
               spread <= wanted_spread ? "met" : "MISSED");
    }
}

// ---- meshes -------------------------------------------------------------------------------------

static pliant_result run_contest(contest* c)
{
    pliant_result result = make_assets(c);
    if (!result) result = find_errors(c);
    if (!result) result = measure_speed(c);
    for (int i = 0; i < c->runners && !result; ++i) print_runner(c, i);
    if (!result) remember(c);
    for (int i = 0; i < c->runners; ++i) runner_close(&c->runner[i]);
    for (int s = 0; s < RIVAL; ++s)
        if (c->asset[s]) pliant_asset_destroy(c->asset[s]);
    progress_show(&c->bench->bar, ++c->bench->done, c->bench->total);
    return result;
}

static pliant_result run_mesh(cpu_bench* b, const char* path)
{
    pliant_mesh* mesh = NULL;
    trial body = {.clearance = ground_below};
    pliant_result result = load_body(path, &mesh, &body);
    if (result) return result;
    char name[64];
    mesh_short_name(path, name);
    bool is_large = pliant_mesh_view(mesh).tet_count > LARGE_TETS;
    for (int f = 0; f < (b->settings->quick ? 1 : FORMS) && !result; ++f) {
        contest c = {.bench = b,
                     .name = name,
                     .body = body,
                     .form = f,
                     .pace = b->settings->quick ? brief
                             : is_large         ? large
                                                : usual};
        result = run_contest(&c);
    }
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result list_meshes(const bench_settings* settings, mesh_list* list)
{
    static const char* const beams[] = {"beam:40x10x10", "beam:21x6x6", "beam:56x14x14",
                                        "beam:80x20x20", "beam:148x37x37"};
    static const char* const files[] = {"spot.mesh", "bunny.mesh.gz", "armadillo_162k.mesh.gz",
                                        "bunny_1m.mesh.gz"};
    pliant_result result = mesh_list_add_all(list, NULL, beams, settings->quick ? 1 : 5);
    if (result || settings->quick || !settings->meshes) return result;
    return mesh_list_add_all(list, settings->meshes, files, 4);
}

int bench_cpu(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    cpu_bench b = {.table = &t, .settings = settings, .bar = progress_start("contests", false)};
    for (int f = 0; f < FORMS; ++f)
        b.sum[f] = (summary){.least_ratio = INFINITY, .fastest = INFINITY, .slowest = 0};
    mesh_list list = {0};
    int status = EXIT_DONE;
    if (list_meshes(settings, &list)) status = tell_failure("bench cpu");
    b.total = list.count * (settings->quick ? 1.0 : FORMS);
    if (!status) rows_head(&t);
    for (int i = 0; i < list.count; ++i)
        if (run_mesh(&b, list.name[i])) status = tell_failure("bench cpu");
    progress_end(&b.bar);
    if (settings->form == FORM_ALIGNED) print_verdict(&b);
    mesh_list_destroy(&list);
    return status; // speed alone never fails
}
