#include "mesh/mesh.h"
#include <math.h>
#include <string.h>

pliant_mesh* mesh_allocate(int vertices, int tets, int triangles, int edges)
{
    pliant_mesh* mesh = (pliant_mesh*)mem_alloc_zero(sizeof *mesh);
    if (!mesh) return NULL;
    mesh->vertices = (double*)mem_array((size_t)vertices * 3, sizeof(double));
    mesh->tets = (int*)mem_array((size_t)tets * 4, sizeof(int));
    mesh->triangles = (int*)mem_array((size_t)triangles * 3, sizeof(int));
    mesh->edges = (int*)mem_array((size_t)edges * 2, sizeof(int));
    mesh->vertex_count = vertices;
    mesh->tet_count = tets;
    mesh->triangle_count = triangles;
    mesh->edge_count = edges;
    if (mesh->vertices && mesh->tets && mesh->triangles && mesh->edges) return mesh;
    pliant_mesh_destroy(mesh);
    return NULL;
}

bool mesh_add_colors(pliant_mesh* mesh)
{
    mesh->vertex_color = (double*)mem_array((size_t)mesh->vertex_count * 3, sizeof(double));
    return mesh->vertex_color != NULL;
}

bool mesh_add_radii(pliant_mesh* mesh)
{
    mesh->vertex_radius = (double*)mem_array((size_t)mesh->vertex_count, sizeof(double));
    return mesh->vertex_radius != NULL;
}

void pliant_mesh_destroy(pliant_mesh* mesh)
{
    if (!mesh) return;
    mem_free(mesh->vertices);
    mem_free(mesh->vertex_color);
    mem_free(mesh->vertex_radius);
    mem_free(mesh->tets);
    mem_free(mesh->triangles);
    mem_free(mesh->edges);
    mem_free(mesh->tet_region);
    mem_free(mesh->tet_cell);
    mem_free(mesh);
}

pliant_mesh_arrays pliant_mesh_view(const pliant_mesh* mesh)
{
    pliant_mesh_arrays none = {0};
    if (!REQUIRE(mesh)) return none;
    pliant_mesh_arrays view = {
        .vertices = mesh->vertices,
        .vertex_color = mesh->vertex_color,
        .vertex_radius = mesh->vertex_radius,
        .tets = mesh->tets,
        .triangles = mesh->triangles,
        .edges = mesh->edges,
        .tet_region = mesh->tet_region,
        .tet_cell = mesh->tet_cell,
        .vertex_count = mesh->vertex_count,
        .tet_count = mesh->tet_count,
        .triangle_count = mesh->triangle_count,
        .edge_count = mesh->edge_count,
    };
    return view;
}

static pliant_result check_indices(const char* what, const int* index, int count, int arity,
                                   int vertices)
{
    for (int64_t i = 0; i < (int64_t)count * arity; ++i)
        if (index[i] < 0 || index[i] >= vertices)
            return fail(PLIANT_ERROR_ARGUMENT, "%s %d uses vertex %d, but there are %d vertices",
                        what, (int)(i / arity), index[i], vertices);
    return PLIANT_OK;
}

static pliant_result check_reals(const double* real, int vertices, const char* what)
{
    for (int64_t i = 0; i < 3 * (int64_t)vertices; ++i)
        if (!isfinite(real[i]))
            return fail(PLIANT_ERROR_ARGUMENT, "vertex %d has a %s that is not finite",
                        (int)(i / 3), what);
    return PLIANT_OK;
}

static pliant_result check_radii(const double* radius, int vertices)
{
    for (int i = 0; radius && i < vertices; ++i)
        if (!(radius[i] > 0 && isfinite(radius[i])))
            return fail(PLIANT_ERROR_ARGUMENT, "vertex %d has a radius of %g m: give one above 0",
                        i, radius[i]);
    return PLIANT_OK;
}

pliant_result mesh_check_arrays(const pliant_mesh_arrays* a)
{
    if (a->vertex_count < 0 || a->tet_count < 0 || a->triangle_count < 0 || a->edge_count < 0)
        return fail(PLIANT_ERROR_ARGUMENT, "a mesh with a negative number of elements");
    pliant_result result = check_reals(a->vertices, a->vertex_count, "coordinate");
    if (!result && a->vertex_color) result = check_reals(a->vertex_color, a->vertex_count, "color");
    if (!result) result = check_radii(a->vertex_radius, a->vertex_count);
    if (!result) result = check_indices("tet", a->tets, a->tet_count, 4, a->vertex_count);
    if (!result)
        result = check_indices("triangle", a->triangles, a->triangle_count, 3, a->vertex_count);
    if (!result) result = check_indices("edge", a->edges, a->edge_count, 2, a->vertex_count);
    return result;
}

static void copy_array(void* to, const void* from, int count, size_t bytes)
{
    if (count > 0) memcpy(to, from, (size_t)count * bytes);
}

static bool copy_numbers(int** to, const int* from, int count)
{
    if (!from) return true;
    *to = (int*)mem_array((size_t)count, sizeof(int));
    if (*to) copy_array(*to, from, count, sizeof(int));
    return *to != NULL;
}

static bool copy_colors(pliant_mesh* mesh, const double* from)
{
    if (from && !mesh_add_colors(mesh)) return false;
    if (from) copy_array(mesh->vertex_color, from, mesh->vertex_count, 3 * sizeof(double));
    return true;
}

static bool copy_radii(pliant_mesh* mesh, const double* from)
{
    if (from && !mesh_add_radii(mesh)) return false;
    if (from) copy_array(mesh->vertex_radius, from, mesh->vertex_count, sizeof(double));
    return true;
}

pliant_result pliant_mesh_create(const pliant_mesh_arrays* arrays, pliant_mesh** out)
{
    if (!REQUIRE(arrays && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = mesh_check_arrays(arrays);
    if (result) return result;
    pliant_mesh* mesh = mesh_allocate(arrays->vertex_count, arrays->tet_count,
                                      arrays->triangle_count, arrays->edge_count);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    copy_array(mesh->vertices, arrays->vertices, mesh->vertex_count, 3 * sizeof(double));
    copy_array(mesh->tets, arrays->tets, mesh->tet_count, 4 * sizeof(int));
    copy_array(mesh->triangles, arrays->triangles, mesh->triangle_count, 3 * sizeof(int));
    copy_array(mesh->edges, arrays->edges, mesh->edge_count, 2 * sizeof(int));
    if (!copy_colors(mesh, arrays->vertex_color) || !copy_radii(mesh, arrays->vertex_radius) ||
        !copy_numbers(&mesh->tet_region, arrays->tet_region, mesh->tet_count) ||
        !copy_numbers(&mesh->tet_cell, arrays->tet_cell, mesh->tet_count)) {
        pliant_mesh_destroy(mesh);
        return PLIANT_ERROR_MEMORY;
    }
    *out = mesh;
    return PLIANT_OK;
}
