// Ten thousand small bodies in one world, and a thousand worlds in a batch: what it takes to make
// them, to step them, and to read and write their particles one body after the other or all at
// once.
#include "base/memory.h"
#include "base/platform.h"
#include "bench/bench.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { BODIES = 10000, WORLDS = 1000, QUICK = 100, ROUNDS = 10, STEPS = 20 };
static const char* const small = "box6:3x3x3:0.1"; // 64 particles, one patch

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"kind", COLUMN_TEXT, 6, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"count", COLUMN_INT, 6, 0}, // bodies, or worlds of one body
    {"particles", COLUMN_INT, 9, 0},
    {"make_s", COLUMN_NUMBER, 7, 3},
    {"ms_per_step", COLUMN_NUMBER, 11, 3}, // 10 substeps
    {"launches", COLUMN_INT, 8, 0},        // on a GPU, in a step
    {"read_each_ms", COLUMN_NUMBER, 12, 3},
    {"read_all_ms", COLUMN_NUMBER, 11, 3},
    {"read_ratio", COLUMN_NUMBER, 10, 1},
    {"write_each_ms", COLUMN_NUMBER, 13, 3}, // with the step after it, which sends what was written
    {"write_all_ms", COLUMN_NUMBER, 12, 3},
    {"write_ratio", COLUMN_NUMBER, 11, 1},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

typedef struct {
    pliant_batch* batch;
    pliant_body_id* id; // of each body
    pliant_world** home;
    int count, worlds;
    pliant_vec3* x;
    size_t particles;
} crowd;

typedef pliant_result work_fn(crowd* c);

static pliant_result step(crowd* c)
{
    pliant_result result = pliant_batch_step(c->batch, 0.002f);
    return result ? result : pliant_batch_wait(c->batch);
}

static pliant_result read_all(crowd* c)
{
    return pliant_batch_read(c->batch, PLIANT_QUANTITY_POSITION, c->x, c->particles);
}

static pliant_result write_all(crowd* c)
{
    pliant_result result =
        pliant_batch_write(c->batch, PLIANT_QUANTITY_POSITION, c->x, c->particles);
    return result ? result : step(c);
}

static pliant_result read_each(crowd* c)
{
    pliant_result result = PLIANT_OK;
    int each = (int)(c->particles / (size_t)c->count);
    for (int i = 0; i < c->count && !result; ++i)
        result =
            pliant_body_read_positions(c->home[i], c->id[i], c->x + (size_t)i * (size_t)each, each);
    return result;
}

static pliant_result write_each(crowd* c)
{
    pliant_result result = PLIANT_OK;
    int each = (int)(c->particles / (size_t)c->count);
    for (int i = 0; i < c->count && !result; ++i)
        result = pliant_body_write_positions(c->home[i], c->id[i], c->x + (size_t)i * (size_t)each,
                                             each);
    return result ? result : step(c);
}

// The best of some rounds [s], each after a step; NAN after a failure.
static double time_of(crowd* c, work_fn* work)
{
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; ++i) {
        if (step(c)) return NAN;
        double start = platform_seconds();
        if (work(c)) return NAN;
        best = fmin(best, platform_seconds() - start);
    }
    return best;
}

static pliant_result fill(crowd* c, const pliant_asset* asset)
{
    pliant_result result = PLIANT_OK;
    pliant_world* world = NULL;
    for (int i = 0; i < c->count && !result; ++i) {
        pliant_body_def def = pliant_body_defaults();
        def.position[0] = 2 * i;
        if (i % (c->count / c->worlds) == 0) result = pliant_batch_add(c->batch, &world);
        c->home[i] = world;
        if (!result) result = pliant_world_add_body(world, asset, &def, &c->id[i]);
    }
    c->particles = pliant_batch_particle_count(c->batch);
    return result;
}

static void discard(crowd* c)
{
    pliant_batch_destroy(c->batch);
    mem_free(c->id);
    mem_free(c->home);
    mem_free(c->x);
}

static pliant_result open_crowd(crowd* c, const pliant_asset* asset, pliant_backend backend)
{
    pliant_world_def def = pliant_world_defaults();
    def.substeps = 10;
    def.backend = backend;
    c->id = (pliant_body_id*)mem_array((size_t)c->count, sizeof *c->id);
    c->home = (pliant_world**)mem_array((size_t)c->count, sizeof *c->home);
    if (!c->id || !c->home) return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_batch_create(&def, &c->batch);
    return result ? result : fill(c, asset);
}

static void print_crowd(const rows* t, crowd* c, const char* backend, double made)
{
    double stepped = INFINITY;
    for (int i = 0; i < STEPS; ++i) {
        double start = platform_seconds();
        if (step(c)) stepped = NAN;
        stepped = fmin(stepped, platform_seconds() - start);
    }
    double read_one = time_of(c, read_each), read_many = time_of(c, read_all);
    double write_one = time_of(c, write_each), write_many = time_of(c, write_all);
    const cell row[] = {{.text = "many"},
                        {.text = c->worlds > 1 ? "worlds" : "bodies"},
                        {.text = backend},
                        {.number = c->count},
                        {.number = (double)c->particles},
                        {.number = made},
                        {.number = 1e3 * stepped},
                        {.number = pliant_world_profile(c->home[0]).launches},
                        {.number = 1e3 * read_one},
                        {.number = 1e3 * read_many},
                        {.number = read_one / read_many},
                        {.number = 1e3 * write_one},
                        {.number = 1e3 * write_many},
                        {.number = write_one / write_many}};
    rows_add(t, row);
}

static pliant_result run_crowd(const rows* t, const pliant_asset* asset, pliant_backend backend,
                               int count, int worlds)
{
    crowd c = {.count = count, .worlds = worlds};
    double start = platform_seconds();
    pliant_result result = open_crowd(&c, asset, backend);
    if (!result) result = step(&c); // what was made is there
    double made = platform_seconds() - start;
    c.x = (pliant_vec3*)mem_array(c.particles, sizeof *c.x);
    if (!result && !c.x) result = PLIANT_ERROR_MEMORY;
    if (!result) print_crowd(t, &c, backend == PLIANT_BACKEND_CUDA ? "cuda" : "cpu", made);
    discard(&c);
    return result;
}

int bench_many(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, COLUMNS);
    pliant_backend backend = settings->on_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def def = bench_rubber();
    pliant_result result = pliant_mesh_generate(small, &mesh);
    if (!result) result = pliant_asset_create(mesh, &def, &asset);
    rows_head(&t);
    int bodies = settings->quick ? QUICK : BODIES, worlds = settings->quick ? QUICK : WORLDS;
    if (!result) result = run_crowd(&t, asset, backend, bodies, 1);
    if (!result) result = run_crowd(&t, asset, backend, worlds, worlds);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return result ? tell_failure("bench many") : EXIT_DONE;
}
