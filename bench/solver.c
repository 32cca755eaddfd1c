// Speed of the sweep: microseconds per 1000 tets and substep, for every width and number of
// threads.
#include "base/platform.h"
#include "bench/files.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include "progress.h"
#include <math.h>

// Short steps: some of them get through without losing the core. Not so short that waking the
// threads once a step counts.
enum { SUBSTEPS = 10, WARM_STEPS = 10 };
static const race_length length = {25, 20};
static const float dt = 0.002f; // [s] the substep of 50 to a step of 0.01 s
static const int widths[] = {1, 4, 8, 16};
enum { WIDTHS = sizeof widths / sizeof widths[0], MOST_VARIANTS = 2 * WIDTHS };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},
    {"mesh", COLUMN_TEXT, 13, 0},
    {"tets", COLUMN_INT, 7, 0},
    {"schedule", COLUMN_TEXT, 9, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"precision", COLUMN_TEXT, 9, 0},
    {"threads", COLUMN_INT, 7, 0},
    {"lanes", COLUMN_INT, 5, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"ms_per_step", COLUMN_NUMBER, 11, 3},
    {"us_per_ktet", COLUMN_NUMBER, 11, 2},
    {"ratio", COLUMN_NUMBER, 6, 2},
};

typedef struct {
    const rows* table;
    progress bar;
    double done, total; // assets
} race;

// Every width with one thread and with all cores; a serial schedule has one lane and one thread.
static int list_runners(const trial* body, const schedule_choice* choice, runner out[MOST_VARIANTS])
{
    int cores = platform_core_count(), count = 0;
    bool serial = choice->schedule == PLIANT_SCHEDULE_SERIAL;
    for (int all = 0; all < (cores > 1 && !serial ? 2 : 1); ++all)
        for (int w = 0; w < (serial ? 1 : WIDTHS); ++w) {
            runner* r = &out[count++];
            *r = (runner){.body = *body, .dt = dt};
            r->body.threads = all ? cores : 1;
            r->body.lanes = widths[w];
        }
    return count;
}

static pliant_result run_runners(runner* r, int count)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count && !result; ++i) result = runner_open(&r[i]);
    if (!result) result = race_warm_up(r, count, WARM_STEPS);
    return result ? result : race_run(r, count, length);
}

static void print_runners(race* field, const char* mesh, const schedule_choice* choice,
                          pliant_formulation form, const trial* body, const runner* r, int count)
{
    int tets = pliant_mesh_view(body->mesh).tet_count;
    for (int i = 0; i < count; ++i) {
        const cell row[] = {
            {.text = "solver"},
            {.text = mesh},
            {.number = tets},
            {.text = schedule_word(choice)},
            {.text = formulation_word(form)},
            {.text = "single"},
            {.number = r[i].body.threads},
            {.number = r[i].body.lanes},
            {.number = SUBSTEPS},
            {.number = pliant_asset_describe(body->asset).colors},
            {.number = 1e3 * r[i].best},
            {.number = 1e9 * r[i].best / SUBSTEPS / tets},
            {.number = r[0].best / r[i].best},
        };
        bench_row(&field->bar, field->table, row);
    }
}

static pliant_result measure(race* field, const char* name, const pliant_mesh* mesh,
                             const schedule_choice* choice, pliant_formulation form)
{
    pliant_soft_def def = bench_rubber_as(form, choice);
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, &def, &asset);
    if (result) return result;
    trial body = {.mesh = mesh, .asset = asset, .substeps = SUBSTEPS};
    runner r[MOST_VARIANTS];
    int count = list_runners(&body, choice, r);
    result = run_runners(r, count);
    if (!result) print_runners(field, name, choice, form, &body, r, count);
    for (int i = 0; i < count; ++i) runner_close(&r[i]);
    pliant_asset_destroy(asset);
    progress_show(&field->bar, ++field->done, field->total);
    return result;
}

static pliant_result measure_mesh(race* field, const char* name)
{
    pliant_mesh* mesh = NULL;
    pliant_result result = load_tets(name, &mesh);
    if (result) return result;
    for (int f = 0; f < FORMS; ++f)
        for (int s = 0; s < SCHEDULES && !result; ++s)
            result = measure(field, name, mesh, &schedule_choices[s], bench_forms[f]);
    pliant_mesh_destroy(mesh);
    return result;
}

int bench_solver(const bench_settings* settings)
{
    static const char* const meshes[] = {"beam:40x10x10", "beam:21x6x6", "beam:56x14x14",
                                         "beam:80x20x20"};
    int count = settings->quick ? 1 : 4;
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    race field = {.table = &t,
                  .bar = progress_start("bodies", false),
                  .total = (double)count * FORMS * SCHEDULES};
    pliant_result result = PLIANT_OK;
    rows_head(&t);
    for (int i = 0; i < count && !result; ++i) result = measure_mesh(&field, meshes[i]);
    progress_end(&field.bar);
    return result ? tell_failure("bench solver") : EXIT_DONE;
}
