// Repairs, each on demand. They work on a copy that replaces the mesh at the end.
#include "base/cookie.h"
#include "mesh/limit.h"
#include "mesh/orient.h"
#include "mesh/shape.h"
#include "mesh/tuple.h"
#include "mesh/weld.h"
#include <string.h>

// One of the three kinds of elements of a mesh.
typedef struct {
    int* item; // arity * *count vertices
    int* count;
    int arity;
    int* numbers[2]; // per element, or NULL: they move with it
} element_kind;

enum { KINDS = 3 };

static void list_kinds(pliant_mesh* mesh, element_kind out[KINDS])
{
    const element_kind kinds[KINDS] = {
        {mesh->tets, &mesh->tet_count, 4, {mesh->tet_region, mesh->tet_cell}},
        {mesh->triangles, &mesh->triangle_count, 3, {NULL, NULL}},
        {mesh->edges, &mesh->edge_count, 2, {NULL, NULL}},
    };
    memcpy(out, kinds, sizeof kinds);
}

// Removes the marked elements and returns how many they were.
static int drop_elements(const element_kind* kind, const unsigned char* drop)
{
    int kept = 0, before = *kind->count;
    for (int i = 0; i < before; ++i) {
        if (drop[i]) continue;
        memmove(kind->item + (ptrdiff_t)kept * kind->arity, kind->item + (ptrdiff_t)i * kind->arity,
                (size_t)kind->arity * sizeof(int));
        for (int n = 0; n < 2; ++n)
            if (kind->numbers[n]) kind->numbers[n][kept] = kind->numbers[n][i];
        ++kept;
    }
    *kind->count = kept;
    return before - kept;
}

// Replaces every vertex number in the elements.
static void map_vertices(pliant_mesh* mesh, const int* to)
{
    element_kind kinds[KINDS];
    list_kinds(mesh, kinds);
    for (int k = 0; k < KINDS; ++k)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)*kinds[k].count * kinds[k].arity; ++i)
            kinds[k].item[i] = to[kinds[k].item[i]];
}

static void move_three(double* values, int from, int to)
{
    memmove(values + 3 * (ptrdiff_t)to, values + 3 * (ptrdiff_t)from, 3 * sizeof(double));
}

// Keeps the vertices with number[v] >= 0, which receives their new number; returns how many went.
static int drop_vertices(pliant_mesh* mesh, int* number)
{
    int kept = 0, before = mesh->vertex_count;
    for (int v = 0; v < before; ++v) {
        if (number[v] < 0) continue;
        move_three(mesh->vertices, v, kept);
        if (mesh->vertex_color) move_three(mesh->vertex_color, v, kept);
        if (mesh->vertex_radius) mesh->vertex_radius[kept] = mesh->vertex_radius[v];
        number[v] = kept++;
    }
    map_vertices(mesh, number);
    mesh->vertex_count = kept;
    return before - kept;
}

static pliant_result weld(pliant_mesh* mesh, double distance, int* out_welded)
{
    int* first = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    if (!first) return PLIANT_ERROR_MEMORY;
    pliant_result result =
        find_joined(mesh->vertices, mesh->vertex_count, distance, first, out_welded);
    if (!result) {
        map_vertices(mesh, first);
        for (int v = 0; v < mesh->vertex_count; ++v)
            if (first[v] != v) first[v] = -1;
        drop_vertices(mesh, first);
    }
    mem_free(first);
    return result;
}

static bool has_repeated_vertex(const int* element, int arity)
{
    for (int i = 0; i < arity; ++i)
        for (int j = i + 1; j < arity; ++j)
            if (element[i] == element[j]) return true;
    return false;
}

static bool is_degenerate(const double* vertices, const int* element, int arity)
{
    if (has_repeated_vertex(element, arity)) return true;
    if (arity == 4) return tet_is_degenerate(vertices, element);
    if (arity == 3) return triangle_is_degenerate(vertices, element);
    return same_place(vertices, element[0], element[1]);
}

static pliant_result mark_degenerate(const pliant_mesh* mesh, const element_kind* kind,
                                     unsigned char* drop)
{
    for (int i = 0; i < *kind->count; ++i)
        drop[i] =
            is_degenerate(mesh->vertices, kind->item + (ptrdiff_t)i * kind->arity, kind->arity);
    return PLIANT_OK;
}

static pliant_result mark_duplicates(const pliant_mesh* mesh, const element_kind* kind,
                                     unsigned char* drop)
{
    tuple_list list;
    bool ok = tuples_allocate(&list, kind->arity, *kind->count);
    for (int i = 0; ok && i < *kind->count; ++i)
        tuples_set(&list, i, kind->item + (ptrdiff_t)i * kind->arity);
    ok = ok && tuples_sort(&list, mesh->vertex_count);
    for (int first = 0, end; ok && first < list.count; first = end) {
        end = tuples_run_end(&list, first);
        for (int i = first; i < end; ++i) drop[list.order[i]] = i > first;
    }
    tuples_free(&list);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

typedef pliant_result mark_fn(const pliant_mesh* mesh, const element_kind* kind,
                              unsigned char* drop);

// Removes what `mark` marks, in all kinds of elements.
static pliant_result drop_marked(pliant_mesh* mesh, mark_fn* mark, int* out_dropped)
{
    element_kind kinds[KINDS];
    list_kinds(mesh, kinds);
    for (int k = 0; k < KINDS; ++k) {
        unsigned char* drop = (unsigned char*)mem_array((size_t)*kinds[k].count, 1);
        pliant_result result = drop ? mark(mesh, &kinds[k], drop) : PLIANT_ERROR_MEMORY;
        if (!result) *out_dropped += drop_elements(&kinds[k], drop);
        mem_free(drop);
        if (result) return result;
    }
    return PLIANT_OK;
}

static pliant_result orient(pliant_mesh* mesh, int* out_oriented)
{
    int triangles = 0;
    pliant_result result = orient_triangles(mesh, &triangles);
    if (!result) *out_oriented = triangles + orient_tets(mesh);
    return result;
}

static pliant_result drop_unreferenced(pliant_mesh* mesh, int* out_dropped)
{
    int* number = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    if (!number) return PLIANT_ERROR_MEMORY;
    // Particles need no elements.
    for (int v = 0; v < mesh->vertex_count; ++v) number[v] = mesh_is_loose(mesh) ? 0 : -1;
    element_kind kinds[KINDS];
    list_kinds(mesh, kinds);
    for (int k = 0; k < KINDS; ++k)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)*kinds[k].count * kinds[k].arity; ++i)
            number[kinds[k].item[i]] = 0;
    *out_dropped = drop_vertices(mesh, number);
    mem_free(number);
    return PLIANT_OK;
}

// Triangles are oriented after the drops: a duplicate would hide its edges' neighbors.
static pliant_result repair(pliant_mesh* mesh, const pliant_clean_def* def,
                            pliant_clean_report* report)
{
    pliant_result result = PLIANT_OK;
    if (def->weld) result = weld(mesh, def->weld_distance, &report->welded);
    if (!result && def->drop_degenerate)
        result = drop_marked(mesh, mark_degenerate, &report->degenerate);
    if (!result && def->drop_duplicates)
        result = drop_marked(mesh, mark_duplicates, &report->duplicates);
    if (!result && def->orient) result = orient(mesh, &report->oriented);
    if (!result && def->drop_unreferenced) result = drop_unreferenced(mesh, &report->unreferenced);
    return result;
}

pliant_clean_def pliant_clean_defaults(void)
{
    pliant_clean_def def = {.cookie = COOKIE_CLEAN};
    return def;
}

pliant_result pliant_mesh_clean(pliant_mesh* mesh, const pliant_clean_def* def,
                                pliant_clean_report* out_report)
{
    pliant_clean_report report = {0};
    if (out_report) *out_report = report;
    if (!REQUIRE(mesh) || !REQUIRE_DEF(def, COOKIE_CLEAN)) return PLIANT_ERROR_ARGUMENT;
    if (!(isfinite(def->weld_distance) && def->weld_distance >= 0))
        return fail(PLIANT_ERROR_ARGUMENT, "the weld distance is %g: it has to be 0 or more",
                    def->weld_distance);
    pliant_result result = check_mesh_size(mesh);
    if (result) return result;
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    pliant_mesh* copy = NULL;
    result = pliant_mesh_create(&view, &copy);
    if (!result) result = repair(copy, def, &report);
    if (!result) {
        const pliant_mesh before = *mesh;
        *mesh = *copy;
        *copy = before;
        if (out_report) *out_report = report;
    }
    pliant_mesh_destroy(copy);
    return result;
}
