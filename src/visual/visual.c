#include "visual/visual.h"
#include "meshfile/format.h"
#include "visual/draft.h"
#include <string.h>

bool visual_is_gltf(const char* path)
{
    span extension = path_extension(path);
    return span_is(extension, ".gltf") || span_is(extension, ".glb");
}

bool visual_knows(const char* path)
{
    return visual_is_gltf(path) || span_is(path_extension(path), ".obj");
}

static bool add_mesh(visual_draft* d, const pliant_mesh_arrays* m)
{
    for (int64_t i = 0; i < m->vertex_count; ++i)
        if (!list_add(&d->positions, m->vertices + 3 * i)) return false;
    for (int64_t i = 0; i < m->triangle_count; ++i) {
        const int* t = m->triangles + 3 * i;
        const visual_corner corner[3] = {{t[0], -1, -1}, {t[1], -1, -1}, {t[2], -1, -1}};
        if (!draft_add_triangle(d, corner, -1)) return false;
    }
    return true;
}

static pliant_result make(const pliant_mesh* mesh, bool keep_points, visual** out)
{
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    visual_draft d = visual_draft_begin("mesh", NULL, NULL);
    *out = NULL;
    pliant_result result = add_mesh(&d, &view) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) result = visual_draft_finish(&d, keep_points, out);
    visual_draft_release(&d);
    return result;
}

pliant_result visual_of_mesh(const pliant_mesh* mesh, visual** out)
{
    return make(mesh, true, out);
}

// Anything else: triangles, or the boundary of tets. Files like .stl repeat their corners: they are
// joined.
static pliant_result load_plain(const char* path, pliant_read_fn* read, void* context, visual** out)
{
    pliant_mesh *mesh = NULL, *boundary = NULL;
    pliant_result result = pliant_mesh_load_with(path, read, context, &mesh);
    if (!result && pliant_mesh_view(mesh).tet_count)
        result = pliant_mesh_boundary(mesh, &boundary, NULL);
    if (!result) result = make(boundary ? boundary : mesh, false, out);
    pliant_mesh_destroy(boundary);
    pliant_mesh_destroy(mesh);
    return result;
}

pliant_result visual_load(const char* path, pliant_read_fn* read, void* context, visual** out)
{
    *out = NULL;
    if (!visual_knows(path)) return load_plain(path, read, context, out);
    void* data = NULL;
    size_t bytes = 0;
    pliant_result result = read(path, &data, &bytes, context);
    if (result) return result;
    visual_draft d = visual_draft_begin(path, read, context);
    result =
        visual_is_gltf(path) ? visual_read_gltf(&d, data, bytes) : visual_read_obj(&d, data, bytes);
    if (!result) result = visual_draft_finish(&d, false, out);
    visual_draft_release(&d);
    mem_free(data);
    return result;
}

pliant_result visual_mesh(const visual* v, pliant_mesh** out)
{
    int* triangles = (int*)mem_array(3 * (size_t)v->triangle_count, sizeof(int));
    *out = NULL;
    if (!triangles) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * (size_t)v->triangle_count; ++i)
        triangles[i] = v->vertex_point[v->triangle[i]];
    pliant_mesh_arrays arrays = {.vertices = v->point,
                                 .vertex_color = v->point_color,
                                 .vertex_count = v->point_count,
                                 .triangles = triangles,
                                 .triangle_count = v->triangle_count};
    pliant_result result = pliant_mesh_create(&arrays, out);
    mem_free(triangles);
    return result;
}

int* visual_corner_normals(const visual* v)
{
    size_t corners = 3 * (size_t)v->triangle_count;
    int* out = (int*)mem_array(corners, sizeof(int));
    for (size_t i = 0; out && i < corners; ++i) out[i] = v->vertex_normal[v->triangle[i]];
    return out;
}
