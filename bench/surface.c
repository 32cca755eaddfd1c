// Surfaces around the particles of a liquid: parts of the time, one thread and all.
#include "base/memory.h"
#include "base/platform.h"
#include "base/random.h"
#include "bench/bench.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

static const column columns[] = {
    {"bench", COLUMN_TEXT, 7, 0},
    {"scene", COLUMN_TEXT, 6, 0},
    {"threads", COLUMN_INT, 7, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"cell", COLUMN_NUMBER, 5, 2}, // in radii
    {"triangles", COLUMN_INT, 9, 0},
    {"seconds", COLUMN_NUMBER, 7, 3},
    {"sort", COLUMN_NUMBER, 6, 3},
    {"share", COLUMN_NUMBER, 6, 3},
    {"sample", COLUMN_NUMBER, 6, 3},
    {"smooth", COLUMN_NUMBER, 6, 3},
    {"million_per_s", COLUMN_NUMBER, 13, 2}, // particles
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };
#define RADIUS 0.005 // [m]

// A tank whose water has waves, and drops above it: a hundredth of the particles.
static void place_tank(random_source* r, int count, double* x)
{
    int across = (int)cbrt(2.0 * count), at = 0;
    for (int y = 0; at < count; ++y)
        for (int i = 0; i < across * across && at < count; ++i, ++at) {
            double *p = x + 3 * (ptrdiff_t)at, u = i % across, v = i / across; // NOLINT
            double wave = 1 + 0.15 * sin(12.0 * u / across) * sin(9.0 * v / across);
            bool drop = at % 100 == 0;
            p[0] = 2 * RADIUS * (u + 0.4 * random_unit(r));
            p[1] = 2 * RADIUS * (drop ? across * (0.7 + 0.3 * random_unit(r)) : wave * y);
            p[2] = 2 * RADIUS * (v + 0.4 * random_unit(r));
        }
}

// A shallow layer that is all surface.
static void place_sheet(random_source* r, int count, double* x)
{
    int across = (int)ceil(sqrt(count / 2.0));
    for (int i = 0; i < count; ++i) {
        x[3 * (ptrdiff_t)i] = 2 * RADIUS * (i / 2 % across + 0.4 * random_unit(r)); // NOLINT
        x[3 * (ptrdiff_t)i + 1] = 2 * RADIUS * (i % 2 + 0.4 * random_unit(r));
        x[3 * (ptrdiff_t)i + 2] = 2 * RADIUS * (i / 2 / across + 0.4 * random_unit(r)); // NOLINT
    }
}

static const struct {
    const char* name;
    void (*place)(random_source* r, int count, double* x);
} scenes[] = {{"tank", place_tank}, {"sheet", place_sheet}};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static pliant_result run(const rows* t, int scene, const double* x, int count, double size,
                         int threads)
{
    const pliant_points p = {.positions = x, .count = count};
    pliant_surface_def def = pliant_surface_defaults();
    pliant_mesh* mesh = NULL;
    pliant_surface_report r;
    def.radius = RADIUS;
    def.cell = size * RADIUS;
    def.threads = threads;
    double start = platform_seconds();
    pliant_result result = pliant_mesh_surface(&p, &def, &mesh, &r);
    double seconds = platform_seconds() - start;
    if (result) return result;
    const cell row[] = {{.text = "surface"},
                        {.text = scenes[scene].name},
                        {.number = threads},
                        {.number = count},
                        {.number = size},
                        {.number = pliant_mesh_view(mesh).triangle_count},
                        {.number = seconds},
                        {.number = r.sort_seconds},
                        {.number = r.share_seconds},
                        {.number = r.sample_seconds},
                        {.number = r.smooth_seconds},
                        {.number = 1e-6 * count / seconds}};
    rows_add(t, row);
    pliant_release(r.normals);
    pliant_release(r.velocities);
    pliant_mesh_destroy(mesh);
    return PLIANT_OK;
}

// Cells of one radius, as pictures have them, and larger ones. The largest count is for machines
// with many cores.
static pliant_result run_scene(const rows* t, int scene, int count)
{
    random_source random = {5};
    int all = platform_core_count();
    double* x = (double*)mem_array(3 * (size_t)count, sizeof *x);
    if (!x) return PLIANT_ERROR_MEMORY;
    scenes[scene].place(&random, count, x);
    pliant_result result = count > 2000000 ? PLIANT_OK : run(t, scene, x, count, 1, 1);
    if (!result) result = run(t, scene, x, count, 1, all);
    if (!result) result = run(t, scene, x, count, 1.5, all);
    mem_free(x);
    return result;
}

int bench_surface(const bench_settings* settings)
{
    enum { MANY_CORES = 8 };
    rows t = bench_rows(settings, columns, COLUMNS);
    pliant_result result = PLIANT_OK;
    rows_head(&t);
    for (int i = 0; i < SCENES && !result; ++i) {
        if (settings->only && strcmp(settings->only, scenes[i].name) != 0) continue;
        result = run_scene(&t, i, settings->quick ? 20000 : 1000000);
        if (!result && !settings->quick && platform_core_count() >= MANY_CORES)
            result = run_scene(&t, i, 13353401);
    }
    return result ? tell_failure("bench surface") : EXIT_DONE;
}
