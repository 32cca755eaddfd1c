// Speed on a GPU: one large body in patches, and with one kernel per color as published, by single
// launches and as a graph; and many small bodies in one world.
#include "bench/gpu.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

enum { SUBSTEPS = 50 };
static const float dt = 0.01f;                          // [s]
enum { LARGE_TETS = 500000 };                           // compiling takes seconds beyond
static const double published_bytes = 34.44e6 / 162385; // per tet: Table 3 of 2022, the armadillo

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"mesh", COLUMN_TEXT, 14, 0},
    {"bodies", COLUMN_INT, 6, 0},
    {"tets", COLUMN_INT, 8, 0}, // of all bodies
    {"schedule", COLUMN_TEXT, 9, 0},
    {"launches", COLUMN_TEXT, 8, 0},
    {"arithmetic", COLUMN_TEXT, 10, 0},
    {"formulation", COLUMN_TEXT, 11, 0},
    {"rotation", COLUMN_TEXT, 12, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"patches", COLUMN_INT, 7, 0}, // of one body
    {"ms_per_step", COLUMN_NUMBER, 11, 3},
    {"gtets_per_s", COLUMN_NUMBER, 11, 3},   // 1e9 tets and substeps per second
    {"bytes_per_tet", COLUMN_NUMBER, 13, 1}, // on the device
    {"floor_percent", COLUMN_NUMBER, 13, 1}, // gpu_floor over the time
    {"ratio", COLUMN_NUMBER, 6, 2}, // speed per tet over the first row of this mesh and formulation
};

// A way to run a body, in the order of the rows.
typedef struct {
    const char* schedule;
    pliant_launch_mode launch_mode;
    const char* word; // NULL: the schedule has no choice
    bool small_only;  // of the second formulation
    pliant_arithmetic arithmetic;
    pliant_rotation rotation;
} way;
#define EACH  .launch_mode = PLIANT_LAUNCH_MODE_EACH, .word = "each"
#define GRAPH .launch_mode = PLIANT_LAUNCH_MODE_GRAPH, .word = "graph"
static const way ways[] = {
    {.schedule = "clustered", EACH},
    {.schedule = "clustered", GRAPH},
    {.schedule = "colored", EACH, .small_only = true},
    {.schedule = "colored", GRAPH, .small_only = true},
    {.schedule = "patched"},
    {.schedule = "patched", .arithmetic = PLIANT_ARITHMETIC_FAST},
    {.schedule = "patched", .rotation = PLIANT_ROTATION_AS_PUBLISHED},
};
enum { WAYS = sizeof ways / sizeof ways[0], EXACT_PATCHES = WAYS - 3 };

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total; // rows
    const char* name;   // of the mesh
    double first;       // [s] per tet of the mesh and formulation's first row; NAN before
} speed;

static void print_row(speed* b, const runner* r, const way* w, pliant_formulation formulation)
{
    int bodies = r->body.bodies ? r->body.bodies : 1;
    double tets = (double)bodies * pliant_mesh_view(r->body.mesh).tet_count;
    pliant_asset_info info = pliant_asset_describe(r->body.asset);
    if (isnan(b->first)) b->first = r->best / tets;
    const cell row[] = {
        {.text = "gpu"},
        {.text = b->name},
        {.number = bodies},
        {.number = tets},
        {.text = w->schedule},
        {.text = w->word},
        {.text = arithmetic_words[w->arithmetic]},
        {.text = formulation_word(formulation)},
        {.text = w->rotation == PLIANT_ROTATION_KEPT ? "kept" : "as published"},
        {.number = SUBSTEPS},
        {.number = info.colors},
        {.number = info.patches},
        {.number = 1e3 * r->best},
        {.number = 1e-9 * tets * SUBSTEPS / r->best},
        {.number = (double)pliant_world_profile(r->world).device_bytes / tets},
        {.number = 100 * gpu_floor(r->body.asset, bodies, SUBSTEPS) / r->best},
        {.number = b->first / (r->best / tets)},
    };
    bench_row(&b->bar, b->table, row);
}

static pliant_result run_way(speed* b, const trial* body, const way* w,
                             pliant_formulation formulation)
{
    runner r = {.body = *body, .dt = dt};
    r.body.substeps = SUBSTEPS;
    r.body.threads = 1;
    r.body.backend = PLIANT_BACKEND_CUDA;
    r.body.launch_mode = w->launch_mode;
    r.body.arithmetic = w->arithmetic;
    pliant_result result = gpu_time(&r, b->settings->quick);
    if (!result) print_row(b, &r, w, formulation);
    runner_close(&r);
    progress_show(&b->bar, ++b->done, b->total);
    return result;
}

static bool is_left_out(const speed* b, const trial* body, const way* w, int form)
{
    bool large = pliant_mesh_view(body->mesh).tet_count > LARGE_TETS;
    return w->small_only && form > 0 && (large || b->settings->quick);
}

static bool has_asset_of(const way* a, const way* b)
{
    return strcmp(a->schedule, b->schedule) == 0 && a->rotation == b->rotation;
}

// Ways of one asset follow each other.
static pliant_result run_ways(speed* b, trial* body, int form)
{
    pliant_asset* asset = NULL;
    pliant_result result = PLIANT_OK;
    b->first = NAN;
    for (int i = 0; i < WAYS && !result; ++i) {
        const way* w = &ways[i];
        if (is_left_out(b, body, w, form)) continue;
        if (!asset || !has_asset_of(w, &w[-1])) {
            pliant_soft_def def = gpu_rubber(bench_forms[form], schedule_of_word(w->schedule));
            def.research.rotation = w->rotation;
            pliant_asset_destroy(asset);
            asset = NULL;
            result = pliant_asset_create(body->mesh, &def, &asset);
        }
        body->asset = asset;
        if (!result) result = run_way(b, body, w, bench_forms[form]);
    }
    pliant_asset_destroy(asset);
    return result;
}

static pliant_result run_mesh(speed* b, const char* path)
{
    pliant_mesh* mesh = NULL;
    trial body = {0};
    char name[64];
    pliant_result result = load_body(path, &mesh, &body);
    mesh_short_name(path, name);
    b->name = name;
    const char* only = b->settings->only;
    for (int form = 0; form < 2 && !result; ++form)
        if (!only || strcmp(only, formulation_word(bench_forms[form])) == 0)
            result = run_ways(b, &body, form);
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result list_meshes(const bench_settings* settings, mesh_list* list)
{
    static const char* const beams[] = {"beam:21x6x6", "beam:56x14x14", "beam:80x20x20",
                                        "beam:148x37x37"};
    static const char* const files[] = {"spot", "bunny", "armadillo_162k", "bunny_1m"};
    pliant_result result = mesh_list_add_all(list, NULL, beams, settings->quick ? 2 : 4);
    if (result || !settings->meshes) return result;
    return mesh_list_add_files(list, settings->meshes, files, settings->quick ? 2 : 4);
}

static speed start(const rows* t, const bench_settings* settings)
{
    speed b = {.table = t, .settings = settings, .bar = progress_start("rows", false)};
    rows_head(t);
    return b;
}

int gpu_speed(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    mesh_list list = {0};
    int status = EXIT_DONE;
    if (list_meshes(settings, &list)) status = tell_failure("bench gpu");
    speed b = start(&t, settings);
    b.total = 2.0 * WAYS * list.count;
    for (int i = 0; i < list.count; ++i)
        if (run_mesh(&b, list.name[i])) status = tell_failure("bench gpu");
    progress_end(&b.bar);
    mesh_list_destroy(&list);
    fprintf(stderr,
            "bytes_per_tet: the 2022 paper's method takes %.0f (its Table 3). floor_percent: what "
            "streaming the constants at 4.3 TB/s or about 500 operations per tet (two rows: 350) "
            "at 33.5 TFLOP/s would take, whichever is more, over the time. ratio: to clustered "
            "launches of the same mesh and formulation.\n",
            published_bytes);
    return status;
}

// ---- many bodies --------------------------------------------------------------------------------

// `whole`: each body is one patch, else it is cut for a GPU that it has for itself.
static pliant_result run_crowds(speed* b, trial* body, int form, bool whole)
{
    static const int crowds[] = {1, 10, 100, 1000};
    pliant_asset* asset = NULL;
    pliant_soft_def def = gpu_rubber(bench_forms[form], schedule_of_word("patched"));
    if (whole) def.solver.patch_rows = pliant_mesh_view(body->mesh).vertex_count;
    pliant_result result = pliant_asset_create(body->mesh, &def, &asset);
    b->first = NAN;
    body->asset = asset;
    for (int i = 0; i < (b->settings->quick ? 3 : 4) && !result; ++i) {
        body->bodies = crowds[i];
        result = run_way(b, body, &ways[EXACT_PATCHES], bench_forms[form]);
    }
    pliant_asset_destroy(asset);
    return result;
}

int gpu_batch(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    pliant_mesh* mesh = NULL;
    trial body = {0};
    speed b = start(&t, settings);
    b.name = "beam:21x6x6";
    b.total = settings->quick ? 12 : 16;
    pliant_result result = load_body(b.name, &mesh, &body);
    for (int i = 0; i < 4 && !result; ++i) result = run_crowds(&b, &body, i / 2, i % 2 == 1);
    pliant_mesh_destroy(mesh);
    progress_end(&b.bar);
    return result ? tell_failure("bench gpu") : EXIT_DONE;
}
