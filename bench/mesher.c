// Surfaces filled with tets: how long it takes and how good the meshes are.
#define PRECISION_DOUBLE
#include "base/platform.h"
#include "bench/files.h"
#include "facts.h"
#include "geometry/tree.h"
#include "load.h"
#include "options.h"
#include <math.h>
#include <string.h>

static const int targets[] = {5000, 50000, 500000};
enum { QUICK_TARGETS = 1, USUAL_TARGETS = 2, ALL_TARGETS = 3 };

// Distances are in mean edges: `distance` the farthest of the mesh's boundary from the surface,
// `missed` the farthest of the surface's vertices from the boundary (thin and buried parts), and
// `missed_mean` their mean.
static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},
    {"mesh", COLUMN_TEXT, 24, 0},
    {"triangles", COLUMN_INT, 9, 0},
    {"target", COLUMN_INT, 6, 0},
    {"tets", COLUMN_INT, 6, 0},
    {"seconds", COLUMN_NUMBER, 7, 2},
    {"min_dihedral", COLUMN_NUMBER, 12, 2},
    {"max_dihedral", COLUMN_NUMBER, 12, 2},
    {"max_valence", COLUMN_INT, 11, 0},
    {"mean_valence", COLUMN_NUMBER, 12, 2},
    {"colors", COLUMN_INT, 6, 0},
    {"surface_parts", COLUMN_INT, 13, 0},
    {"parts", COLUMN_INT, 5, 0},
    {"dropped_tets", COLUMN_INT, 12, 0},
    {"nonmanifold", COLUMN_INT, 11, 0},
    {"volume_error", COLUMN_NUMBER, 12, 3},
    {"distance", COLUMN_NUMBER, 8, 3},
    {"missed", COLUMN_NUMBER, 7, 3},
    {"missed_mean", COLUMN_NUMBER, 11, 3},
    {"refused", COLUMN_TEXT, 7, 0},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

// ---- distances ----------------------------------------------------------------------------------

typedef struct {
    double most, mean;
} spread;

// A tree wants coordinates about 1: everything is relative to the surface's box.
static double* scaled_vertices(const pliant_mesh* mesh, const pliant_mesh_quality* box, double size)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    double* x = (double*)pliant_allocate(3 * sizeof(double) * (size_t)a.vertex_count);
    for (size_t i = 0; x && i < 3 * (size_t)a.vertex_count; ++i)
        x[i] = (a.vertices[i] - box->min[i % 3]) / size;
    return x;
}

// From the vertices of one mesh to the triangles of another, in units of the size.
static bool measure_distances(const double* from, int count, const double* to,
                              const pliant_mesh_arrays* mesh, spread* out)
{
    tree t;
    *out = (spread){0, 0};
    if (!tree_create(to, mesh->triangles, mesh->triangle_count, &t)) return false;
    for (int v = 0; v < count; ++v) {
        vec3 point = v3(from[3 * (size_t)v], from[3 * (size_t)v + 1], from[3 * (size_t)v + 2]);
        double distance = tree_distance(&t, point, 4, NULL);
        out->most = fmax(out->most, distance);
        out->mean += distance / count;
    }
    tree_destroy(&t);
    return true;
}

// Both ways between a surface and the boundary of its mesh.
static pliant_result compare_surfaces(const pliant_mesh* surface, const pliant_mesh* boundary,
                                      spread* out_there, spread* out_back)
{
    pliant_mesh_quality q;
    pliant_result result = pliant_mesh_measure(surface, &q);
    if (result) return result;
    double size = fmax(q.max[0] - q.min[0], fmax(q.max[1] - q.min[1], q.max[2] - q.min[2]));
    pliant_mesh_arrays s = pliant_mesh_view(surface), b = pliant_mesh_view(boundary);
    double *x = scaled_vertices(surface, &q, size), *y = scaled_vertices(boundary, &q, size);
    bool ok = x && y && measure_distances(y, b.vertex_count, x, &s, out_there) &&
              measure_distances(x, s.vertex_count, y, &b, out_back);
    pliant_release(x);
    pliant_release(y);
    out_there->most *= size, out_back->most *= size, out_back->mean *= size;
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- rows ---------------------------------------------------------------------------------------

typedef struct {
    const rows* table;
    progress bar;
    char name[64];
    const pliant_mesh* surface;
    double volume; // [m^3] of a surface without boundary; NAN
} mesher_bench;

static int count_colors(const pliant_mesh* mesh)
{
    pliant_soft_def def = bench_rubber_as(PLIANT_FORMULATION_TWO_ROWS, schedule_of_word("colored"));
    pliant_asset* asset = NULL;
    if (pliant_asset_create(mesh, &def, &asset)) return -1;
    int colors = pliant_asset_describe(asset).colors;
    pliant_asset_destroy(asset);
    return colors;
}

static pliant_result add_row(mesher_bench* b, int target, const pliant_mesh* mesh,
                             const pliant_tet_report* report, double seconds)
{
    pliant_mesh* boundary = NULL;
    pliant_mesh_quality q;
    spread there = {0, 0}, back = {0, 0};
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (!result) result = pliant_mesh_boundary(mesh, &boundary, NULL);
    if (!result) result = compare_surfaces(b->surface, boundary, &there, &back);
    pliant_mesh_destroy(boundary);
    if (result) return result;
    const cell row[COLUMNS] = {
        {.text = "mesher"},
        {.text = b->name},
        {.number = pliant_mesh_view(b->surface).triangle_count},
        {.number = target},
        {.number = pliant_mesh_view(mesh).tet_count},
        {.number = seconds},
        {.number = q.min_dihedral},
        {.number = q.max_dihedral},
        {.number = q.max_valence},
        {.number = q.mean_valence},
        {.number = count_colors(mesh)},
        {.number = report->surface_parts},
        {.number = report->parts},
        {.number = report->dropped_tets},
        {.number = q.nonmanifold_edges + q.boundary_edges},
        {.number = 100 * (q.volume / b->volume - 1)},
        {.number = there.most / q.mean_edge},
        {.number = back.most / q.mean_edge},
        {.number = back.mean / q.mean_edge},
        {.text = NULL},
    };
    bench_row(&b->bar, b->table, row);
    return PLIANT_OK;
}

// What has no inside gets a row with the reason.
static void add_refusal(mesher_bench* b, int target)
{
    cell row[COLUMNS];
    for (int c = 0; c < COLUMNS; ++c) {
        row[c].number = (double)NAN;
        if (columns[c].kind == COLUMN_TEXT) row[c].text = NULL;
    }
    row[0].text = "mesher", row[1].text = b->name;
    row[2].number = pliant_mesh_view(b->surface).triangle_count;
    row[3].number = target;
    row[COLUMNS - 1].text = pliant_error_text();
    bench_row(&b->bar, b->table, row);
}

static pliant_result fill(mesher_bench* b, int target)
{
    pliant_tet_def def = pliant_tet_defaults();
    pliant_tet_report report;
    pliant_mesh* mesh = NULL;
    def.tets = target;
    double start = platform_seconds();
    pliant_result result = pliant_mesh_tetrahedralize(b->surface, &def, &mesh, &report);
    double seconds = platform_seconds() - start;
    if (result == PLIANT_ERROR_ARGUMENT) {
        add_refusal(b, target);
        return PLIANT_OK;
    }
    if (!result) result = add_row(b, target, mesh, &report, seconds);
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result load_surface(const char* path, pliant_mesh** out)
{
    pliant_mesh* loaded = NULL;
    pliant_result result = load_mesh(path, &loaded);
    if (result) return result;
    if (pliant_mesh_view(loaded).tet_count == 0) {
        *out = loaded;
        return PLIANT_OK;
    }
    result = pliant_mesh_boundary(loaded, out, NULL);
    pliant_mesh_destroy(loaded);
    return result;
}

static pliant_result fill_all(mesher_bench* b, const char* path, int target_count)
{
    pliant_mesh* surface = NULL;
    pliant_mesh_quality q;
    pliant_result result = load_surface(path, &surface);
    if (!result) result = pliant_mesh_measure(surface, &q);
    mesh_short_name(path, b->name);
    b->surface = surface;
    if (!result) b->volume = q.volume > 0 && q.boundary_edges == 0 ? q.volume : (double)NAN;
    for (int i = 0; i < target_count && !result; ++i) result = fill(b, targets[i]);
    pliant_mesh_destroy(surface);
    return result;
}

static pliant_result list_surfaces(const bench_settings* settings, mesh_list* list)
{
    static const char* const solids[] = {"sphere:0.5:20", "torus:1:0.3:12"};
    pliant_result result = mesh_list_add_all(list, NULL, solids, 2);
    if (result || settings->quick || !settings->meshes) return result;
    return mesh_list_add_surfaces(list, settings->meshes);
}

int bench_mesher(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, COLUMNS);
    mesher_bench b = {.table = &t};
    mesh_list list = {0};
    int status = EXIT_DONE, count = settings->quick ? QUICK_TARGETS : USUAL_TARGETS;
    if (settings->section && strcmp(settings->section, "large") == 0) count = ALL_TARGETS;
    if (list_surfaces(settings, &list)) status = tell_failure("bench mesher");
    b.bar = progress_start("surfaces", false);
    if (!status) rows_head(&t);
    for (int i = 0; i < list.count; ++i) {
        if (fill_all(&b, list.name[i], count)) status = tell_failure("bench mesher");
        progress_show(&b.bar, i + 1, list.count);
    }
    progress_end(&b.bar);
    mesh_list_destroy(&list);
    return status;
}
