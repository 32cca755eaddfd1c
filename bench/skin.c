// Surfaces that are carried: how long binding takes, and moving them.
#include "base/memory.h"
#include "base/platform.h"
#include "bench/bench.h"
#include "facts.h"
#include "options.h"
#include <math.h>

// Times of moving are the best of 20.
static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},       {"triangles", COLUMN_INT, 9, 0},
    {"vertices", COLUMN_INT, 9, 0},     {"tets", COLUMN_INT, 7, 0},
    {"threads", COLUMN_INT, 7, 0},      {"bind_ms", COLUMN_NUMBER, 8, 1},
    {"update_ms", COLUMN_NUMBER, 9, 2}, {"outside", COLUMN_NUMBER, 7, 3},
    {"farthest", COLUMN_NUMBER, 8, 4},  {"rest_error", COLUMN_NUMBER, 10, 9},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

// Every triangle cut into parts * parts; corners are not shared, which costs a little more.
static pliant_result refine(const pliant_mesh* coarse, int parts, pliant_mesh** out)
{
    pliant_mesh_arrays m = pliant_mesh_view(coarse);
    int per_triangle = (parts + 1) * (parts + 2) / 2;
    int64_t vertices = (int64_t)m.triangle_count * per_triangle, corner = 0;
    int64_t triangles = (int64_t)m.triangle_count * parts * parts;
    double* x = (double*)mem_array(3 * (size_t)vertices, sizeof(double));
    int* t = (int*)mem_array(3 * (size_t)triangles, sizeof(int));
    for (int64_t i = 0; x && t && i < m.triangle_count; ++i) {
        int at = (int)(i * per_triangle);
        const int* c = m.triangles + 3 * i;
        double* to = x + 3 * (size_t)at;
        for (int a = 0; a <= parts; ++a)
            for (int b = 0; b <= a; ++b, to += 3)
                for (int k = 0; k < 3; ++k)
                    to[k] = ((parts - a) * m.vertices[3 * (size_t)c[0] + (size_t)k] +
                             (a - b) * m.vertices[3 * (size_t)c[1] + (size_t)k] +
                             b * m.vertices[3 * (size_t)c[2] + (size_t)k]) /
                            parts;
        for (int a = 0; a < parts; ++a) {
            int first = at + a * (a + 1) / 2, next = first + a + 1;
            for (int b = 0; b <= a; ++b) {
                const int two[6] = {first + b, next + b,     next + b + 1,
                                    first + b, next + b + 1, first + b + 1};
                for (int k = 0; k < (b < a ? 6 : 3); ++k) t[corner++] = two[k];
            }
        }
    }
    pliant_mesh_arrays fine = {.vertices = x,
                               .vertex_count = (int)vertices,
                               .triangles = t,
                               .triangle_count = (int)triangles};
    pliant_result result = x && t ? pliant_mesh_create(&fine, out) : PLIANT_ERROR_MEMORY;
    mem_free(x);
    mem_free(t);
    return result;
}

typedef struct {
    const pliant_mesh *surface, *tets;
    int threads;
} skin_trial;

// Farthest of the skin's vertices from the surface at rest, relative to its size of about a meter.
static double rest_error(const pliant_mesh* surface, const pliant_skin* skin)
{
    pliant_mesh_arrays m = pliant_mesh_view(surface);
    const pliant_vec3* x = pliant_skin_positions(skin);
    double most = 0;
    for (size_t i = 0; i < (size_t)m.vertex_count; ++i) {
        const double at[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        for (size_t k = 0; k < 3; ++k) most = fmax(most, fabs(at[k] - m.vertices[3 * i + k]));
    }
    return most;
}

static double best_update(pliant_skin* skin, int rounds)
{
    double best = INFINITY;
    for (int i = 0; i < rounds; ++i) {
        double start = platform_seconds();
        if (pliant_skin_update(skin)) return NAN;
        best = fmin(best, platform_seconds() - start);
    }
    return best;
}

static pliant_result measure(const skin_trial* t, const rows* table, progress* bar)
{
    pliant_world_def world_def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def place = pliant_body_defaults();
    pliant_skin_def def = pliant_skin_defaults();
    pliant_world* world = NULL;
    pliant_skin* skin = NULL;
    world_def.threads = t->threads;
    pliant_result result = pliant_world_create(&world_def, &world);
    if (result) return result;
    pliant_body_id body;
    result = pliant_world_add_soft(world, t->tets, &soft, &place, &body);
    def.surface = t->surface;
    def.bodies = &body;
    if (!result) result = pliant_skin_create(world, &def, &skin);
    if (!result) {
        pliant_skin_info info = pliant_skin_describe(skin);
        const cell row[COLUMNS] = {
            {.text = "skin"},
            {.number = info.triangles},
            {.number = info.vertices},
            {.number = pliant_mesh_view(t->tets).tet_count},
            {.number = t->threads ? t->threads : platform_core_count()},
            {.number = 1e3 * info.seconds},
            {.number = 1e3 * best_update(skin, 20)},
            {.number = (double)info.outside / info.vertices},
            {.number = info.farthest},
            {.number = rest_error(t->surface, skin)},
        };
        bench_row(bar, table, row);
    }
    pliant_skin_destroy(skin);
    pliant_world_destroy(world);
    return result;
}

static pliant_result measure_all(const bench_settings* settings, const rows* table, progress* bar)
{
    pliant_mesh *volume = NULL, *coarse = NULL, *surface = NULL, *tets = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    pliant_result result = pliant_mesh_generate("blob:0.5:30:3", &volume);
    if (!result) result = pliant_mesh_boundary(volume, &coarse, NULL);
    if (!result) result = pliant_mesh_tetrahedralize(coarse, &def, &tets, NULL);
    // 4 500 triangles, each cut into 121, or 9.
    if (!result) result = refine(coarse, settings->quick ? 3 : 11, &surface);
    for (int threads = 1; threads >= 0 && !result; --threads) {
        const skin_trial t = {surface, tets, threads};
        result = measure(&t, table, bar);
    }
    pliant_mesh_destroy(volume);
    pliant_mesh_destroy(coarse);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(tets);
    return result;
}

int bench_skin(const bench_settings* settings)
{
    progress bar = progress_start("rows", settings->form != FORM_ALIGNED);
    rows table = bench_rows(settings, columns, COLUMNS);
    rows_head(&table);
    pliant_result result = measure_all(settings, &table, &bar);
    progress_end(&bar);
    return result ? tell_failure("bench") : EXIT_DONE;
}
