#include "bench/contact_surfaces.h"
#include "base/memory.h"
#include "bench/crossings.h"
#include <string.h>

void contact_surfaces_free(contact_surfaces* s)
{
    mem_free(s->triangles);
    mem_free(s->edges);
    mem_free(s->x);
}

static bool make_room(contact_surfaces* s, const pliant_mesh_arrays* a,
                      const pliant_mesh_arrays* outer)
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
static void append(contact_surfaces* s, const pliant_mesh_arrays* a,
                   const pliant_mesh_arrays* outer, const int* vertex)
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

static pliant_result add_surface(contact_surfaces* s, const pliant_mesh* mesh)
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

pliant_result contact_surfaces_make(const contact_stage* on, contact_surfaces* s)
{
    pliant_result result = PLIANT_OK;
    *s = (contact_surfaces){.x = NULL};
    for (int i = 0; i < on->count && !result; ++i)
        result = add_surface(s, pliant_asset_mesh(pliant_body_asset(on->world, on->body[i])));
    if (!result) s->x = (double*)mem_array((size_t)s->vertices, 3 * sizeof *s->x);
    return result ? result : s->x ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

pliant_result contact_surfaces_cross(const contact_surfaces* s, const contact_stage* on, int* most)
{
    pliant_result result = PLIANT_OK;
    double* x = s->x;
    for (int i = 0; i < on->count && !result; ++i) {
        int count = pliant_body_particle_count(on->world, on->body[i]);
        result = pliant_body_read_positions_exact(on->world, on->body[i], x, count);
        x += 3 * (ptrdiff_t)count;
    }
    crossings_soup soup = {s->x, s->triangles, s->edges, s->triangle_count, s->edge_count};
    int count = 0;
    if (!result) result = crossings_count(&soup, &count);
    if (count > *most) *most = count;
    return result;
}
