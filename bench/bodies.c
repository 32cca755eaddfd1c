// Many small bodies in one world, which share one compiled asset, against one large body with as
// many tets: time per 1000 tets and substep.
#include "base/platform.h"
#include "bench/files.h"
#include "bench/race.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { SUBSTEPS = 10, WARM_STEPS = 2 };
static const race_length length = {12, 30};
static const float dt = 0.002f; // [s]

typedef struct {
    const char* mesh;
    int bodies;
} crowd;
// The large body first: the others are compared with it.
static const crowd crowds[] = {{"beam:148x37x37", 1}, {"beam:21x6x6", 268}, {"beam:21x6x6", 1000}};
static const crowd quick_crowds[] = {{"beam:40x10x10", 1}, {"beam:21x6x6", 5}};

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},          {"mesh", COLUMN_TEXT, 14, 0},
    {"bodies", COLUMN_INT, 6, 0},          {"tets", COLUMN_INT, 8, 0}, // of all bodies
    {"schedule", COLUMN_TEXT, 8, 0},       {"formulation", COLUMN_TEXT, 11, 0},
    {"threads", COLUMN_INT, 7, 0},         {"lanes", COLUMN_INT, 5, 0},
    {"substeps", COLUMN_INT, 8, 0},        {"patches", COLUMN_INT, 7, 0}, // of a body
    {"ms_per_step", COLUMN_NUMBER, 11, 3}, {"us_per_ktet", COLUMN_NUMBER, 11, 2},
    {"ratio", COLUMN_NUMBER, 6, 2}, // speed per tet over the large body's, with as many threads
};

typedef struct {
    const rows* table;
    progress bar;
    double done, total; // runs
    double large[2];    // [us] of the large body, with one thread and with all
} bodies;

static void print_crowd(bodies* b, const crowd* c, const runner* r, int all, double tets)
{
    double us = 1e9 * r->best / SUBSTEPS / tets;
    if (isnan(b->large[all])) b->large[all] = us;
    const cell row[] = {
        {.text = "bodies"},
        {.text = c->mesh},
        {.number = c->bodies},
        {.number = tets},
        {.text = "patched"},
        {.text = formulation_word(PLIANT_FORMULATION_TEN_ROWS)},
        {.number = r->body.threads},
        {.number = pliant_world_profile(r->world).lanes},
        {.number = SUBSTEPS},
        {.number = pliant_asset_describe(r->body.asset).patches},
        {.number = 1e3 * r->best},
        {.number = us},
        {.number = b->large[all] / us},
    };
    bench_row(&b->bar, b->table, row);
}

static pliant_result time_crowd(bodies* b, const crowd* c, const trial* body, int all)
{
    runner r = {.body = *body, .dt = dt};
    r.body.threads = all ? platform_core_count() : 1;
    pliant_result result = runner_open(&r);
    for (int i = 0; i < WARM_STEPS && !result; ++i) result = runner_step(&r, NULL);
    if (!result) result = race_run(&r, 1, length);
    double tets = (double)c->bodies * pliant_mesh_view(body->mesh).tet_count;
    if (!result) print_crowd(b, c, &r, all, tets);
    runner_close(&r);
    progress_show(&b->bar, ++b->done, b->total);
    return result;
}

static pliant_result run_crowd(bodies* b, const crowd* c)
{
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def def = bench_rubber();
    pliant_result result = load_tets(c->mesh, &mesh);
    if (!result) result = pliant_asset_create(mesh, &def, &asset);
    trial body = {
        .mesh = mesh, .asset = asset, .bodies = c->bodies, .clearance = 10, .substeps = SUBSTEPS};
    for (int all = 0; all < (platform_core_count() > 1 ? 2 : 1) && !result; ++all)
        result = time_crowd(b, c, &body, all);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return result;
}

int bench_bodies(const bench_settings* settings)
{
    const crowd* list = settings->quick ? quick_crowds : crowds;
    int count = settings->quick ? 2 : 3;
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    bodies b = {.table = &t,
                .bar = progress_start("worlds", false),
                .total = 2.0 * count,
                .large = {NAN, NAN}};
    pliant_result result = PLIANT_OK;
    rows_head(&t);
    for (int i = 0; i < count && !result; ++i) result = run_crowd(&b, &list[i]);
    progress_end(&b.bar);
    return result ? tell_failure("bench bodies") : EXIT_DONE;
}
