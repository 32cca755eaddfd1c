// The surface of a tet mesh as a mesh of its own.
#include "mesh/face.h"
#include "mesh/limit.h"
#include <string.h>

// Numbers the vertices that the triangles use, in ascending order; -1 for the others.
static int number_used(const outer_faces* faces, int vertex_count, int* out_number)
{
    int used = 0;
    for (int v = 0; v < vertex_count; ++v) out_number[v] = -1;
    for (int i = 0; i < 3 * faces->count; ++i) out_number[faces->triangle[i]] = 0;
    for (int v = 0; v < vertex_count; ++v)
        if (out_number[v] == 0) out_number[v] = used++;
    return used;
}

static void fill_surface(const pliant_mesh* volume, const outer_faces* faces, const int* number,
                         pliant_mesh* surface)
{
    for (int i = 0; i < 3 * faces->count; ++i) surface->triangles[i] = number[faces->triangle[i]];
    for (int v = 0; v < volume->vertex_count; ++v) {
        ptrdiff_t from = 3 * (ptrdiff_t)v, to = 3 * (ptrdiff_t)number[v];
        if (to < 0) continue;
        memcpy(surface->vertices + to, volume->vertices + from, 3 * sizeof(double));
        if (volume->vertex_color)
            memcpy(surface->vertex_color + to, volume->vertex_color + from, 3 * sizeof(double));
    }
}

static pliant_result make_surface(const pliant_mesh* volume, const outer_faces* faces,
                                  pliant_mesh** out, int* out_vertex)
{
    if (faces->crowded[0] >= 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "tets %d, %d and %d share a face: at most two may (remove duplicates with "
                    "pliant mesh --drop-duplicates)",
                    faces->crowded[0], faces->crowded[1], faces->crowded[2]);
    int* number = (int*)mem_array((size_t)volume->vertex_count, sizeof(int));
    if (!number) return PLIANT_ERROR_MEMORY;
    int used = number_used(faces, volume->vertex_count, number);
    pliant_mesh* surface = mesh_allocate(used, 0, faces->count, 0);
    if (surface && volume->vertex_color && !mesh_add_colors(surface)) {
        pliant_mesh_destroy(surface);
        surface = NULL;
    }
    if (surface) fill_surface(volume, faces, number, surface);
    for (int v = 0; surface && out_vertex && v < volume->vertex_count; ++v)
        if (number[v] >= 0) out_vertex[number[v]] = v;
    mem_free(number);
    *out = surface;
    return surface ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

pliant_result pliant_mesh_boundary(const pliant_mesh* volume, pliant_mesh** out, int* out_vertex)
{
    if (!REQUIRE(volume && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_mesh_size(volume);
    if (result) return result;
    outer_faces faces;
    result = find_outer_faces(volume, &faces);
    if (!result) result = make_surface(volume, &faces, out, out_vertex);
    outer_faces_free(&faces);
    return result;
}
