// Bodies that fall on each other: what it costs to keep them apart, and whether they stay apart.
// Every scene runs twice side by side, with contacts and without.
#include "base/memory.h"
#include "base/platform.h"
#include "bench/contact_scenes.h"
#include "bench/crossings.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

enum { LOOK = 5 }; // steps from one count of crossings to the next

static const column columns[] = {
    {"bench", COLUMN_TEXT, 7, 0},
    {"scene", COLUMN_TEXT, 6, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"bodies", COLUMN_INT, 6, 0},
    {"triangles", COLUMN_INT, 9, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"near_pairs", COLUMN_INT, 10, 0}, // the most of all steps, as contacts, crossings and deepest
    {"contacts", COLUMN_INT, 8, 0},
    {"ms_per_step", COLUMN_NUMBER, 11, 3}, // mean, as its parts
    {"find_ms", COLUMN_NUMBER, 8, 3},
    {"solve_ms", COLUMN_NUMBER, 8, 3},
    {"guard_ms", COLUMN_NUMBER, 8, 3},
    {"sweep_ms", COLUMN_NUMBER, 8, 3},
    {"ratio", COLUMN_NUMBER, 6, 2}, // of the time to that without contacts
    {"crossings", COLUMN_INT, 9, 0},
    {"crossings_without", COLUMN_INT, 17, 0}, // contacts: that the count finds some
    {"deepest", COLUMN_NUMBER, 7, 3},         // in thicknesses
    {"guard_rounds", COLUMN_INT, 12, 0},
    {"stopped", COLUMN_INT, 7, 0},
    {"squeezed", COLUMN_INT, 8, 0},
    {"guarded", COLUMN_NUMBER, 8, 5}, // [N s] in all
};

// The surfaces of all bodies of a stage, for the count of crossings.
typedef struct {
    int *triangles, *edges; // of the particles of all bodies, one body after the other
    int triangle_count, edge_count;
    double* x;
    int vertices;
} surfaces;

typedef struct {
    int near_pairs, contacts, crossings, crossings_without, rounds, stopped, squeezed;
    double seconds, seconds_without, find, solve, guard, sweep, deepest, guarded;
    int steps;
} tally;

static void free_surfaces(surfaces* s)
{
    mem_free(s->triangles);
    mem_free(s->edges);
    mem_free(s->x);
}

static bool make_room(surfaces* s, const pliant_mesh_arrays* a, const pliant_mesh_arrays* outer)
{
    static const size_t item = sizeof(int);
    size_t triangles = 3 * (size_t)(s->triangle_count + outer->triangle_count);
    size_t edges = 2 * (size_t)(s->edge_count + a->edge_count);
    int* more[2] = {(int*)mem_array(triangles + 1, item), (int*)mem_array(edges + 1, item)};
    if (more[0] && s->triangles)
        memcpy(more[0], s->triangles, 3 * (size_t)s->triangle_count * item);
    if (more[1] && s->edges) memcpy(more[1], s->edges, 2 * (size_t)s->edge_count * item);
    mem_free(s->triangles);
    mem_free(s->edges);
    s->triangles = more[0];
    s->edges = more[1];
    return more[0] && more[1];
}

// `vertex`: the particle of each vertex of the surface; NULL: the same number.
static void append(surfaces* s, const pliant_mesh_arrays* a, const pliant_mesh_arrays* outer,
                   const int* vertex)
{
    int* triangle = s->triangles + 3 * (ptrdiff_t)s->triangle_count;
    int* edge = s->edges + 2 * (ptrdiff_t)s->edge_count;
    for (int i = 0; i < 3 * outer->triangle_count; ++i) {
        int v = outer->triangles[i];
        triangle[i] = s->vertices + (vertex ? vertex[v] : v);
    }
    for (int i = 0; i < 2 * a->edge_count; ++i) edge[i] = s->vertices + a->edges[i];
    s->triangle_count += outer->triangle_count;
    s->edge_count += a->edge_count;
    s->vertices += a->vertex_count;
}

static pliant_result add_surface(surfaces* s, const pliant_mesh* mesh)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh), outer = a;
    pliant_mesh* boundary = NULL;
    int* vertex = NULL;
    pliant_result result = PLIANT_OK;
    if (a.tet_count) {
        vertex = (int*)mem_array((size_t)a.vertex_count, sizeof *vertex);
        result = vertex ? pliant_mesh_boundary(mesh, &boundary, vertex) : PLIANT_ERROR_MEMORY;
        if (!result) outer = pliant_mesh_view(boundary);
    }
    if (!result && !make_room(s, &a, &outer)) result = PLIANT_ERROR_MEMORY;
    if (!result) append(s, &a, &outer, vertex);
    if (boundary) pliant_mesh_destroy(boundary);
    mem_free(vertex);
    return result;
}

static pliant_result gather(surfaces* s, const contact_stage* stage)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < stage->count && !result; ++i)
        result = add_surface(s, pliant_asset_mesh(pliant_body_asset(stage->world, stage->body[i])));
    if (!result) s->x = (double*)mem_array((size_t)s->vertices, 3 * sizeof *s->x);
    return result ? result : s->x ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// The larger of what is there and what is found now.
static pliant_result count_crossings(const surfaces* s, const contact_stage* stage, int* most)
{
    pliant_result result = PLIANT_OK;
    double* x = s->x;
    for (int i = 0; i < stage->count && !result; ++i) {
        int count = pliant_body_particle_count(stage->world, stage->body[i]);
        result = pliant_body_read_positions_exact(stage->world, stage->body[i], x, count);
        x += 3 * (ptrdiff_t)count;
    }
    crossings_soup soup = {s->x, s->triangles, s->edges, s->triangle_count, s->edge_count};
    int count = 0;
    if (!result) result = crossings_count(&soup, &count);
    if (count > *most) *most = count;
    return result;
}

static void add_stats(tally* sum, const pliant_world* world, double thickness)
{
    pliant_contact_stats c = pliant_world_contact_stats(world);
    sum->near_pairs = c.near_pairs > sum->near_pairs ? c.near_pairs : sum->near_pairs;
    sum->contacts = c.contacts > sum->contacts ? c.contacts : sum->contacts;
    sum->rounds += c.guard_rounds;
    sum->stopped += c.stopped;
    sum->squeezed += c.squeezed;
    sum->guarded += c.guarded;
    sum->deepest = fmax(sum->deepest, c.deepest / thickness);
    sum->find += c.find;
    sum->solve += c.solve;
    sum->guard += c.guard;
    sum->sweep += pliant_world_profile(world).sweep;
}

static pliant_result timed_step(const contact_scene* scene, contact_stage* s, double* seconds)
{
    double start = platform_seconds();
    pliant_result result = contact_stage_step(scene, s);
    *seconds += platform_seconds() - start;
    return result;
}

// Both worlds take turns, so that other work on the machine hits both.
static pliant_result run_both(const contact_scene* scene, contact_stage stage[2], const surfaces* s,
                              int steps, tally* sum)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < steps && !result; ++i) {
        result = timed_step(scene, &stage[1], &sum->seconds);
        if (!result) add_stats(sum, stage[1].world, scene->thickness);
        if (!result) result = timed_step(scene, &stage[0], &sum->seconds_without);
        bool look = (i + 1) % LOOK == 0 || i + 1 == steps;
        if (!result && look) result = count_crossings(s, &stage[1], &sum->crossings);
        if (!result && i + 1 == steps)
            result = count_crossings(s, &stage[0], &sum->crossings_without);
    }
    sum->steps = steps;
    return result;
}

static void print_row(const rows* t, const contact_scene* scene, const contact_stage* stage,
                      const surfaces* s, const tally* sum)
{
    double ms = 1e3 / sum->steps;
    const cell row[] = {{.text = "contact"},
                        {.text = scene->name},
                        {.text = "cpu"},
                        {.number = stage->count},
                        {.number = s->triangle_count},
                        {.number = scene->substeps},
                        {.number = sum->near_pairs},
                        {.number = sum->contacts},
                        {.number = ms * sum->seconds},
                        {.number = ms * sum->find},
                        {.number = ms * sum->solve},
                        {.number = ms * sum->guard},
                        {.number = ms * sum->sweep},
                        {.number = sum->seconds / sum->seconds_without},
                        {.number = sum->crossings},
                        {.number = sum->crossings_without},
                        {.number = sum->deepest},
                        {.number = sum->rounds},
                        {.number = sum->stopped},
                        {.number = sum->squeezed},
                        {.number = sum->guarded}};
    rows_add(t, row);
}

static pliant_result run_scene(const rows* t, const contact_scene* scene, bool quick,
                               int* crossings)
{
    contact_stage stage[2] = {{.world = NULL}, {.world = NULL}};
    surfaces s = {.x = NULL};
    tally sum = {0};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 2 && !result; ++i)
        result = contact_stage_open(scene, quick, i == 1, &stage[i]);
    if (!result) result = gather(&s, &stage[1]);
    if (!result) result = run_both(scene, stage, &s, quick ? scene->steps / 2 : scene->steps, &sum);
    if (!result) print_row(t, scene, &stage[1], &s, &sum);
    *crossings += sum.crossings;
    for (int i = 0; i < 2; ++i) contact_stage_close(&stage[i]);
    free_surfaces(&s);
    return result;
}

static bool is_wanted(const bench_settings* settings, const contact_scene* scene)
{
    return !settings->section || strcmp(settings->section, "all") == 0 ||
           strcmp(settings->section, scene->name) == 0;
}

int bench_contact(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    pliant_result result = PLIANT_OK;
    int crossings = 0, run = 0;
    for (int i = 0; i < CONTACT_SCENES; ++i) run += is_wanted(settings, &contact_scenes[i]);
    if (!run)
        return tell_usage("bench contact", "--section", "use tori, stack, sheets, rope or all");
    rows_head(&t);
    for (int i = 0; i < CONTACT_SCENES && !result; ++i)
        if (is_wanted(settings, &contact_scenes[i]))
            result = run_scene(&t, &contact_scenes[i], settings->quick, &crossings);
    if (result) return tell_failure("bench contact");
    if (crossings) fprintf(stderr, "pliant bench contact: surfaces crossed\n");
    return crossings ? EXIT_FAILED : EXIT_DONE;
}
