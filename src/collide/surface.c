#include "collide/surface.h"
#include "base/keyset.h"
#include <string.h>

void surface_destroy(surface* s)
{
    mem_free(s->vertex);
    mem_free(s->triangle);
    *s = (surface){0};
}

static int add_position(keyset* positions, const double* vertex)
{
    double key[3];
    for (int k = 0; k < 3; ++k) key[k] = vertex[k] + 0.0; // -0.0 becomes 0.0
    return keyset_add(positions, key);
}

static void add_triangle(surface* s, const int corner[3])
{
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) return;
    memcpy(s->triangle + 3 * (size_t)s->triangle_count++, corner, 3 * sizeof(int));
}

static pliant_result weld(const pliant_mesh_arrays* mesh, surface* out)
{
    keyset positions;
    if (!keyset_create(&positions, 3 * sizeof(double), mesh->vertex_count))
        return PLIANT_ERROR_MEMORY;
    out->triangle = (int*)mem_array((size_t)mesh->triangle_count, 3 * sizeof(int));
    if (!out->triangle) {
        keyset_destroy(&positions);
        return PLIANT_ERROR_MEMORY;
    }
    for (int t = 0; t < mesh->triangle_count; ++t) {
        int corner[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = add_position(&positions,
                                     mesh->vertices +
                                         3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)k]);
        add_triangle(out, corner);
    }
    out->vertex = (double*)(void*)positions.keys;
    out->vertex_count = positions.count;
    positions.keys = NULL;
    keyset_destroy(&positions);
    return PLIANT_OK;
}

typedef struct {
    int triangles; // at this edge
    int balance;   // of those that walk it from the lower to the higher vertex
} edge_use;

static void count_edges(const surface* s, keyset* edges, edge_use* use)
{
    for (int t = 0; t < s->triangle_count; ++t) {
        const int* corner = s->triangle + 3 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            int a = corner[k], b = corner[(k + 1) % 3];
            int key[2] = {a < b ? a : b, a < b ? b : a};
            edge_use* edge = &use[keyset_add(edges, key)];
            edge->triangles += 1;
            edge->balance += a < b ? 1 : -1;
        }
    }
}

static pliant_result fail_open(const surface* s, const int edge[2], int open_edges)
{
    const double *a = s->vertex + 3 * (size_t)edge[0], *b = s->vertex + 3 * (size_t)edge[1];
    return fail(
        PLIANT_ERROR_ARGUMENT,
        "the surface is not closed: it has %d open edges, the first at (%g, %g, %g) m; "
        "clean it first (pliant mesh FILE --weld 0 --drop-duplicates -o CLEAN), or close its "
        "holes",
        open_edges, 0.5 * a[0] + 0.5 * b[0], 0.5 * a[1] + 0.5 * b[1], 0.5 * a[2] + 0.5 * b[2]);
}

// An even number of triangles at every edge is what makes inside and outside exist.
static pliant_result judge_edges(surface* s, const keyset* edges, const edge_use* use)
{
    int open_edges = 0, first = 0;
    s->oriented = true;
    for (int e = edges->count; e-- > 0;) {
        if (use[e].balance) s->oriented = false;
        if (use[e].triangles % 2 == 0) continue;
        ++open_edges;
        first = e;
    }
    return open_edges ? fail_open(s, (const int*)(void*)edges->keys + 2 * (size_t)first, open_edges)
                      : PLIANT_OK;
}

static pliant_result check_closed(surface* s)
{
    int64_t sides = 3 * (int64_t)s->triangle_count;
    keyset edges;
    if (!keyset_create(&edges, 2 * sizeof(int), sides)) return PLIANT_ERROR_MEMORY;
    edge_use* use = (edge_use*)mem_array_zero((size_t)sides, sizeof *use);
    pliant_result result = PLIANT_ERROR_MEMORY;
    if (use) {
        count_edges(s, &edges, use);
        result = judge_edges(s, &edges, use);
    }
    mem_free(use);
    keyset_destroy(&edges);
    return result;
}

static pliant_result weld_triangles(const pliant_mesh* mesh, surface* out)
{
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    pliant_result result = weld(&view, out);
    if (!result && out->triangle_count == 0)
        result = fail(PLIANT_ERROR_ARGUMENT,
                      "the surface has no triangles (of %d given, those with a repeated vertex do "
                      "not count): give a surface, or tets",
                      view.triangle_count);
    if (result) surface_destroy(out);
    return result;
}

pliant_result surface_weld(const pliant_mesh* mesh, surface* out)
{
    *out = (surface){0};
    if (pliant_mesh_view(mesh).tet_count == 0) return weld_triangles(mesh, out);
    pliant_mesh* boundary = NULL;
    pliant_result result = pliant_mesh_boundary(mesh, &boundary, NULL);
    if (!result) result = weld_triangles(boundary, out);
    pliant_mesh_destroy(boundary);
    return result;
}

pliant_result surface_create(const pliant_mesh* mesh, surface* out)
{
    pliant_result result = surface_weld(mesh, out);
    if (result) return result;
    result = check_closed(out);
    if (result) surface_destroy(out);
    return result;
}

void surface_bounds(const surface* s, double out_min[3], double out_max[3])
{
    for (int k = 0; k < 3; ++k) out_min[k] = out_max[k] = s->vertex[k];
    for (size_t i = 3; i < 3 * (size_t)s->vertex_count; ++i) {
        double x = s->vertex[i];
        if (x < out_min[i % 3]) out_min[i % 3] = x;
        if (x > out_max[i % 3]) out_max[i % 3] = x;
    }
}

void surface_set_origin(surface* s, const double origin[3])
{
    for (size_t i = 0; i < 3 * (size_t)s->vertex_count; ++i) s->vertex[i] -= origin[i % 3];
}
