// Heaps of loose particles in a box: what it takes to find who is near whom, and to push them
// apart. On the CPU with one thread and with all, on a GPU with --backend cuda.
#include "base/memory.h"
#include "base/platform.h"
#include "base/random.h"
#include "bench/bench.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>
#include <time.h>

static const column columns[] = {
    {"bench", COLUMN_TEXT, 9, 0},
    {"scene", COLUMN_TEXT, 8, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"threads", COLUMN_INT, 7, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"passes", COLUMN_INT, 6, 0},
    {"near_pairs", COLUMN_INT, 10, 0}, // when all is over, as contacts
    {"contacts", COLUMN_INT, 8, 0},
    {"lists", COLUMN_NUMBER, 6, 2},           // made in a substep
    {"ms_per_substep", COLUMN_NUMBER, 14, 4}, // the best step
    {"find_ms", COLUMN_NUMBER, 8, 4},         // mean, of a substep
    {"solve_ms", COLUMN_NUMBER, 8, 4},
    {"rest_ms", COLUMN_NUMBER, 8, 4},
    {"ns_per_pass", COLUMN_NUMBER, 11, 2},   // grid and contacts, of a particle and contact pass
    {"million_per_s", COLUMN_NUMBER, 13, 1}, // particles and substeps
};
enum { COLUMNS = sizeof columns / sizeof columns[0], SUBSTEPS = 10 };

// Close packing, a little uneven, in a box; `mixed`: numbers do
// not tell where a ball is, and radii differ by up to a half.
typedef struct {
    const char* name;
    double speed; // [m/s] downward when it starts
    bool mixed;
    int passes; // over contacts in a substep; 0: as many as by default
} heap;

static const heap heaps[] = {
    {"heap", 0, false, 0},
    {"mixed", 0, true, 0},
    {"falling", 3, true, 0},
    {"passes", 0, false, 4},
};
enum { HEAPS = sizeof heaps / sizeof heaps[0] };

#define HALF   0.70710678118654752 // of a right angle, in a quaternion
#define RADIUS 0.002               // [m]
#define STEP   (1.0f / 400)        // [s] whose substeps small grains need

static void place(const heap* h, int count, int across, double* x, double* r)
{
    random_source random = {7};
    for (int i = 0; i < count; ++i) {
        int at[3] = {i % across, i / across / across, i / across % across};
        double pitch = h->speed > 0 ? 2.6 : 2.02, row[3] = {at[0], at[1], at[2]};
        r[i] = h->mixed ? RADIUS * random_range(&random, 0.67, 1) : RADIUS;
        row[0] += at[1] % 2 * 0.5;
        row[2] += at[1] % 2 * 0.5;
        for (int k = 0; k < 3; ++k)
            x[3 * i + k] =
                RADIUS * (1 + pitch * row[k] * (k == 1 ? 0.72 : 1) + 0.01 * random_unit(&random));
    }
}

static void shuffle(int count, double* x, double* r)
{
    random_source random = {3};
    for (int i = count - 1; i > 0; --i) {
        int k = random_index(&random, i + 1);
        for (int j = 0; j < 3; ++j) {
            double one = x[3 * i + j];
            x[3 * i + j] = x[3 * k + j];
            x[3 * k + j] = one;
        }
        double one = r[i];
        r[i] = r[k];
        r[k] = one;
    }
}

static pliant_result make_mesh(const heap* h, int count, int across, pliant_mesh** out)
{
    double* x = (double*)mem_array(3 * (size_t)count, sizeof *x);
    double* r = (double*)mem_array((size_t)count, sizeof *r);
    pliant_result result = x && r ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) {
        place(h, count, across, x, r);
        if (h->mixed) shuffle(count, x, r);
        const pliant_mesh_arrays a = {.vertices = x, .vertex_count = count, .vertex_radius = r};
        result = pliant_mesh_create(&a, out);
    }
    mem_free(x);
    mem_free(r);
    return result;
}

// A floor and four walls.
static pliant_result add_box(pliant_world* world, double width)
{
    static const double turn[5][4] = {{0, 0, 0, 1},
                                      {0, 0, -HALF, HALF},
                                      {0, 0, HALF, HALF},
                                      {HALF, 0, 0, HALF},
                                      {-HALF, 0, 0, HALF}};
    const double at[5][3] = {{0, 0, 0}, {0, 0, 0}, {width, 0, 0}, {0, 0, 0}, {0, 0, width}};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 5 && !result; ++i) {
        pliant_collider_def def = pliant_collider_defaults();
        pliant_collider_id id;
        memcpy(def.position, at[i], sizeof at[i]);
        def.rotation = (pliant_quat){(float)turn[i][0], (float)turn[i][1], (float)turn[i][2],
                                     (float)turn[i][3]};
        result = pliant_world_add_collider(world, &def, &id);
    }
    return result;
}

static pliant_result make_world(const heap* h, int count, int threads, bool on_gpu,
                                pliant_world** out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = NULL;
    pliant_body_id id;
    int across = (int)ceil(cbrt(count));
    double pitch = h->speed > 0 ? 2.6 : 2.02;
    def.backend = on_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
    def.substeps = SUBSTEPS;
    def.threads = threads;
    if (h->passes > 0) def.contact_passes = h->passes;
    soft.material.density = 2600;
    at.velocity.y = (float)-h->speed;
    pliant_result result = make_mesh(h, count, across, &mesh);
    if (!result) result = pliant_world_create(&def, out);
    if (!result) result = add_box(*out, RADIUS * (2.5 + pitch * (across - 0.5)));
    if (!result) result = pliant_world_add_soft(*out, mesh, &soft, &at, &id);
    pliant_mesh_destroy(mesh);
    return result;
}

typedef struct {
    double best, find, solve, lists; // [s]
    pliant_contact_stats last;
} tally;

typedef struct {
    int warm, steps; // that are not timed, and that are
} count_of;

// [s] One thread of the processor is timed by what it had of it, whoever else was there.
static double seconds_of(bool one_thread)
{
    return one_thread ? (double)clock() / CLOCKS_PER_SEC : platform_seconds();
}

// What contacts took of a step is read where that costs nothing, and of a GPU at the end.
static pliant_result run(pliant_world* world, const count_of* count, bool on_gpu, bool alone,
                         tally* sum)
{
    const int warm = count->warm, steps = count->steps;
    pliant_result result = PLIANT_OK;
    int read = 0;
    *sum = (tally){.best = INFINITY};
    for (int i = 0; i < warm + steps && !result; ++i) {
        double start = seconds_of(alone), wall = platform_seconds();
        result = pliant_world_step(world, STEP);
        if (!result) result = pliant_world_wait(world);
        double passed = seconds_of(alone) - start;
        double share = passed / (platform_seconds() - wall);
        if (i >= warm) sum->best = fmin(sum->best, passed);
        if (result || i < warm || (on_gpu && i + 1 < warm + steps)) continue;
        sum->last = pliant_world_contact_stats(world);
        sum->find += share * sum->last.find;
        sum->solve += share * (sum->last.solve + sum->last.guard);
        sum->lists += sum->last.lists;
        read++;
    }
    sum->find /= read * SUBSTEPS;
    sum->solve /= read * SUBSTEPS;
    sum->lists /= read * SUBSTEPS;
    sum->best /= SUBSTEPS;
    return result;
}

static pliant_result run_heap(const rows* t, const heap* h, int count, int threads, bool on_gpu,
                              bool quick)
{
    pliant_world* world = NULL;
    tally sum;
    pliant_result result = make_world(h, count, threads, on_gpu, &world);
    const count_of steps = {h->speed > 0 ? 10 : quick ? 20 : 60, quick ? 5 : 20};
    if (!result) result = run(world, &steps, on_gpu, !on_gpu && threads == 1, &sum);
    if (!result) {
        int passes = h->passes > 0 ? h->passes : pliant_world_defaults().contact_passes;
        const cell row[] = {{.text = "particles"},
                            {.text = h->name},
                            {.text = on_gpu ? "cuda" : "cpu"},
                            {.number = pliant_world_profile(world).threads},
                            {.number = count},
                            {.number = SUBSTEPS},
                            {.number = passes},
                            {.number = sum.last.near_pairs},
                            {.number = sum.last.contacts},
                            {.number = sum.lists},
                            {.number = 1e3 * sum.best},
                            {.number = 1e3 * sum.find},
                            {.number = 1e3 * sum.solve},
                            {.number = 1e3 * (sum.best - sum.find - sum.solve)},
                            {.number = 1e9 * (sum.find + sum.solve) / count / passes},
                            {.number = 1e-6 * count / sum.best}};
        rows_add(t, row);
    }
    pliant_world_destroy(world);
    return result;
}

int bench_particles(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, COLUMNS);
    pliant_result result = PLIANT_OK;
    int all = 2;
    rows_head(&t);
    for (int i = 0; i < HEAPS && !result; ++i) {
        if (settings->only && strcmp(settings->only, heaps[i].name) != 0) continue;
        int few = settings->quick ? 20000 : 100000;
        if (settings->on_gpu) {
            result = run_heap(&t, &heaps[i], few, 1, true, settings->quick);
            if (!result && !settings->quick)
                result = run_heap(&t, &heaps[i], 1000000, 1, true, false);
            continue;
        }
        result = run_heap(&t, &heaps[i], few, 1, false, settings->quick);
        if (!result && all > 1) result = run_heap(&t, &heaps[i], few, all, false, settings->quick);
    }
    return result ? tell_failure("bench particles") : EXIT_DONE;
}
