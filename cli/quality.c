#include "quality.h"
#include "base/keyset.h"
#include "mesh/mesh.h"
#include "tetra/star.h"
#include <math.h>
#include <string.h>

// What cleaning would change, found on a copy; zero where even that fails.
static pliant_clean_report rehearse_cleaning(const pliant_mesh* mesh)
{
    pliant_mesh_arrays arrays = pliant_mesh_view(mesh);
    pliant_clean_report found = {0};
    pliant_mesh* copy = NULL;
    if (pliant_mesh_create(&arrays, &copy)) return found;
    pliant_clean_def def = pliant_clean_defaults();
    def.orient = def.drop_degenerate = def.drop_duplicates = true;
    pliant_mesh_clean(copy, &def, &found);
    pliant_mesh_destroy(copy);
    return found;
}

// Whether parts touch where vertices are at the same place, and would grow together there.
static bool keeps_parts_apart(const pliant_mesh* mesh, const pliant_mesh_quality* q)
{
    pliant_mesh_arrays arrays = pliant_mesh_view(mesh);
    pliant_mesh_quality welded = {0};
    pliant_mesh* copy = NULL;
    pliant_clean_def def = pliant_clean_defaults();
    def.weld = true;
    if (q->duplicate_vertices == 0 || pliant_mesh_create(&arrays, &copy)) return false;
    bool known = !pliant_mesh_clean(copy, &def, NULL) && !pliant_mesh_measure(copy, &welded);
    bool apart = known && (welded.nonmanifold_edges > q->nonmanifold_edges ||
                           count_pinched_vertices(copy) > count_pinched_vertices(mesh));
    pliant_mesh_destroy(copy);
    return apart;
}

int find_problems(const pliant_mesh* mesh, const pliant_mesh_quality* q, problem out[MOST_PROBLEMS])
{
    pliant_clean_report would = rehearse_cleaning(mesh);
    const problem all[] = {
        {"inverted tets", q->inverted_tets, "--orient turns them"},
        {"wrongly turned triangles", would.oriented - q->inverted_tets, "--orient turns them"},
        {"degenerate elements", would.degenerate, "--drop-degenerate removes them"},
        {"repeated elements", would.duplicates, "--drop-duplicates removes them"},
        {"vertices at the same place", q->duplicate_vertices,
         keeps_parts_apart(mesh, q) ? "parts touch there; leave them: joined, they are no manifold"
                                    : "--weld 0 joins them"},
        {"vertices without elements", q->unreferenced_vertices, "--drop-unreferenced removes them"},
        {"edges with more than two triangles", q->nonmanifold_edges,
         "the surface crosses or touches itself; mend it where the mesh was made"},
        {"edges with one triangle", q->boundary_edges,
         "the surface is open: fine for cloth, not for a collider"},
    };
    int count = 0;
    for (int i = 0; i < MOST_PROBLEMS; ++i)
        if (all[i].count > 0) out[count++] = all[i];
    return count;
}

static void report_radii(facts* r, const pliant_mesh_arrays* a)
{
    double radius[3] = {INFINITY, 0, 0};
    if (!a->vertex_radius) return;
    for (int i = 0; i < a->vertex_count; ++i) {
        radius[0] = fmin(radius[0], a->vertex_radius[i]);
        radius[1] += a->vertex_radius[i] / a->vertex_count;
        radius[2] = fmax(radius[2], a->vertex_radius[i]);
    }
    facts_numbers(r, "radius_min_mean_max", radius, 3, "m");
}

void report_quality(facts* r, const pliant_mesh* mesh, const pliant_mesh_quality* q)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    facts_int(r, "vertices", a.vertex_count);
    facts_int(r, "tets", a.tet_count);
    facts_int(r, "triangles", a.triangle_count);
    facts_int(r, "edges", a.edge_count);
    facts_int(r, "components", q->components);
    double size = fmax(q->max[0] - q->min[0], fmax(q->max[1] - q->min[1], q->max[2] - q->min[2]));
    facts_place(r, "min", q->min, size);
    facts_place(r, "max", q->max, size);
    facts_number(r, "volume", q->volume, "m^3");
    facts_number(r, "area", q->area, "m^2");
    if (mesh_is_loose(mesh)) {
        report_radii(r, &a);
        return;
    }
    const double length[3] = {q->shortest_edge, q->mean_edge, q->longest_edge};
    facts_numbers(r, "edge_min_mean_max", length, 3, "m");
    if (a.tet_count) {
        const double dihedral[2] = {q->min_dihedral, q->max_dihedral};
        facts_numbers(r, "dihedral_min_max", dihedral, 2, "degrees");
        facts_number(r, "min_tet_volume", q->min_tet_volume, "m^3");
    }
    facts_number(r, "mean_valence", q->mean_valence, "elements at a vertex");
    facts_int(r, "max_valence", q->max_valence);
}

// ---- colors -------------------------------------------------------------------------------------

enum { COLOR_COLUMNS = 4, MOST_COLORS = 8 };

// Different colors and how many vertices have each; NULL when memory runs out.
static int* count_colors(const pliant_mesh_arrays* a, keyset* colors)
{
    int* count = (int*)mem_array_zero((size_t)a->vertex_count, sizeof(int));
    for (int64_t v = 0; count && v < a->vertex_count; ++v) {
        double color[3];
        for (int k = 0; k < 3; ++k) color[k] = a->vertex_color[3 * v + k] + 0.0; // no -0
        ++count[keyset_add(colors, color)];
    }
    return count;
}

static int most_common(const int* count, int colors)
{
    int most = 0;
    for (int i = 1; i < colors; ++i)
        if (count[i] > count[most]) most = i;
    return most;
}

void report_colors(facts* r, const pliant_mesh* mesh)
{
    static const column columns[COLOR_COLUMNS] = {{"red", COLUMN_NUMBER, 8, 3},
                                                  {"green", COLUMN_NUMBER, 8, 3},
                                                  {"blue", COLUMN_NUMBER, 8, 3},
                                                  {"vertices", COLUMN_INT, 9, 0}};
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    cell cells[MOST_COLORS * COLOR_COLUMNS];
    keyset colors;
    if (!a.vertex_color || !keyset_create(&colors, sizeof(double[3]), a.vertex_count)) return;
    int shown = 0, *count = count_colors(&a, &colors);
    for (; count && shown < MOST_COLORS && shown < colors.count; ++shown) {
        double color[3];
        int most = most_common(count, colors.count);
        memcpy(color, colors.keys + (size_t)most * sizeof color, sizeof color);
        for (int k = 0; k < 3; ++k) cells[COLOR_COLUMNS * shown + k].number = color[k];
        cells[COLOR_COLUMNS * shown + 3].number = count[most];
        count[most] = 0;
    }
    facts_rows(r, "most_common_colors", columns, COLOR_COLUMNS, cells, shown);
    mem_free(count);
    keyset_destroy(&colors);
}

void report_problems(facts* r, const problem* problems, int count)
{
    enum { COLUMNS = 3 };
    static const column columns[COLUMNS] = {
        {"count", COLUMN_INT, 8, 0}, {"what", COLUMN_TEXT, 34, 0}, {"hint", COLUMN_TEXT, 0, 0}};
    cell cells[MOST_PROBLEMS * COLUMNS];
    for (int i = 0; i < count; ++i) {
        cells[COLUMNS * i + 0].number = problems[i].count;
        cells[COLUMNS * i + 1].text = problems[i].what;
        cells[COLUMNS * i + 2].text = problems[i].hint;
    }
    if (!r->root && count == 0) {
        printf("\nnothing is wrong with the mesh\n");
        return;
    }
    facts_rows(r, "problems", columns, COLUMNS, cells, count);
}
