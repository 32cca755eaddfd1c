// What liquids cost: who is near whom, viscosity, walls, pressures. On the CPU with one thread and
// with all, on a GPU with --backend cuda.
#include "base/memory.h"
#include "base/platform.h"
#include "base/random.h"
#include "bench/bench.h"
#include "facts.h"
#include "options.h"
#include "world/liquid_figures.h"
#include <math.h>
#include <string.h>

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"scene", COLUMN_TEXT, 5, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"threads", COLUMN_INT, 7, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"iterations", COLUMN_INT, 10, 0},
    {"neighbors", COLUMN_NUMBER, 9, 1},       // of a particle, on the last list
    {"lists", COLUMN_NUMBER, 6, 2},           // made in a substep
    {"ms_per_substep", COLUMN_NUMBER, 14, 4}, // the best step
    {"list_ms", COLUMN_NUMBER, 8, 4},         // mean, of a substep: places, and lists
    {"thin_ms", COLUMN_NUMBER, 8, 4},
    {"walls_ms", COLUMN_NUMBER, 8, 4},
    {"press_ms", COLUMN_NUMBER, 8, 4},
    {"push_ms", COLUMN_NUMBER, 8, 4},
    {"rest_ms", COLUMN_NUMBER, 8, 4},        // all others
    {"ns_per_pass", COLUMN_NUMBER, 11, 2},   // pressures, of a particle and iteration
    {"million_per_s", COLUMN_NUMBER, 13, 1}, // particles and substeps
};
enum { COLUMNS = sizeof columns / sizeof columns[0], SUBSTEPS = 4, ITERATIONS = 3 };

// Water in a tank that is wider than it by some part.
typedef struct {
    const char* name;
    double wider;
    int warm; // [steps] that are not timed
} basin;

static const basin basins[] = {{"rest", 0, 10}, {"dam", 1, 60}};
enum { BASINS = sizeof basins / sizeof basins[0] };

#define SPACING 0.01         // [m]
#define STEP    (1.0f / 240) // [s]

static pliant_result make_mesh(const int across[3], pliant_mesh** out)
{
    random_source random = {7};
    int count = across[0] * across[1] * across[2];
    double* x = (double*)mem_array(3 * (size_t)count, sizeof *x);
    if (!x) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < count; ++i) {
        const int at[3] = {i % across[0], i / across[0] / across[2], i / across[0] % across[2]};
        for (int k = 0; k < 3; ++k)
            x[3 * (size_t)i + (size_t)k] =
                SPACING * (at[k] + 0.5 + random_range(&random, -0.1, 0.1));
    }
    const pliant_mesh_arrays a = {.vertices = x, .vertex_count = count};
    pliant_result result = pliant_mesh_create(&a, out);
    mem_free(x);
    return result;
}

// A floor and four walls.
static pliant_result add_tank(pliant_world* world, const double size[3])
{
    static const int sides[5][2] = {{1, 0}, {0, 0}, {0, 1}, {2, 0}, {2, 1}};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 5 && !result; ++i) {
        pliant_collider_def def = pliant_collider_defaults();
        int axis = sides[i][0];
        def.shape = PLIANT_SHAPE_BOX;
        def.half_extents = (pliant_vec3){10, 10, 10};
        for (int k = 0; k < 3; ++k) def.position[k] = size[k] / 2;
        def.position[axis] = sides[i][1] ? size[axis] + 10 : -10;
        result = pliant_world_add_collider(world, &def, NULL);
    }
    return result;
}

static pliant_result make_world(const basin* p, int across, int threads, bool on_gpu,
                                pliant_world** out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = NULL;
    const int count[3] = {across, across, across};
    const double size[3] = {SPACING * across * (1 + p->wider), SPACING * across, SPACING * across};
    def.backend = on_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
    def.substeps = SUBSTEPS;
    def.iterations = ITERATIONS;
    def.threads = threads;
    soft.liquid.spacing = SPACING;
    soft.liquid.viscosity = 1e-3;
    pliant_result result = make_mesh(count, &mesh);
    if (!result) result = pliant_world_create(&def, out);
    if (!result) result = add_tank(*out, size);
    if (!result) result = pliant_world_add_soft(*out, mesh, &soft, &at, NULL);
    pliant_mesh_destroy(mesh);
    return result;
}

typedef struct {
    double best, sum;           // [s] of a substep
    fluid_figures before, last; // of the steps that were timed
} tally;

static pliant_result run(pliant_world* world, int warm, int steps, tally* out)
{
    pliant_result result = PLIANT_OK;
    *out = (tally){.best = INFINITY};
    for (int i = 0; i < warm + steps && !result; ++i) {
        if (i == warm) result = world_liquid_figures(world, &out->before);
        double start = platform_seconds();
        if (!result) result = pliant_world_step(world, STEP);
        if (!result && i >= warm) result = pliant_world_wait(world);
        double passed = (platform_seconds() - start) / SUBSTEPS;
        if (i < warm) continue;
        out->best = fmin(out->best, passed);
        out->sum += passed;
    }
    return result ? result : world_liquid_figures(world, &out->last);
}

static void add_row(const rows* t, const basin* p, const pliant_world* world, int count,
                    bool on_gpu, int steps, const tally* y)
{
    const fluid_figures *a = &y->before, *b = &y->last;
    const double each = 1e3 / (steps * SUBSTEPS); // [ms]
    double list = each * (b->list - a->list), thin = each * (b->thin - a->thin),
           walls = each * (b->walls - a->walls), press = each * (b->press - a->press),
           push = each * (b->push - a->push), all = 1e3 * y->sum / steps;
    const cell row[] = {{.text = "fluid"},
                        {.text = p->name},
                        {.text = on_gpu ? "cuda" : "cpu"},
                        {.number = pliant_world_profile(world).threads},
                        {.number = count},
                        {.number = SUBSTEPS},
                        {.number = ITERATIONS},
                        {.number = (double)b->neighbors / count},
                        {.number = (double)(b->lists - a->lists) / (steps * SUBSTEPS)},
                        {.number = 1e3 * y->best},
                        {.number = list},
                        {.number = thin},
                        {.number = walls},
                        {.number = press},
                        {.number = push},
                        {.number = all - list - thin - walls - press - push},
                        {.number = 1e6 * (press + push) / count / ITERATIONS},
                        {.number = 1e-6 * count / y->best}};
    rows_add(t, row);
}

static pliant_result run_basin(const rows* t, const basin* p, int across, int threads,
                               const bench_settings* s)
{
    pliant_world* world = NULL;
    tally y;
    int steps = s->quick ? 3 : 10, warm = s->quick ? 2 : p->warm;
    pliant_result result = make_world(p, across, threads, s->on_gpu, &world);
    if (!result) result = run(world, warm, steps, &y);
    if (!result) add_row(t, p, world, across * across * across, s->on_gpu, steps, &y);
    pliant_world_destroy(world);
    return result;
}

// About a hundred thousand particles; on a GPU also a million, and ten of water at rest.
int bench_fluid(const bench_settings* settings)
{
    enum { FEW = 46, MANY = 100, MOST = 215 };
    rows t = bench_rows(settings, columns, COLUMNS);
    pliant_result result = PLIANT_OK;
    rows_head(&t);
    for (int i = 0; i < BASINS && !result; ++i) {
        if (settings->only && strcmp(settings->only, basins[i].name) != 0) continue;
        int few = settings->quick ? 12 : FEW;
        result = run_basin(&t, &basins[i], few, 1, settings);
        if (!result && !settings->on_gpu) result = run_basin(&t, &basins[i], few, 2, settings);
        if (settings->quick || !settings->on_gpu) continue;
        if (!result) result = run_basin(&t, &basins[i], MANY, 1, settings);
        if (!result && i == 0) result = run_basin(&t, &basins[i], MOST, 1, settings);
    }
    return result ? tell_failure("bench fluid") : EXIT_DONE;
}
