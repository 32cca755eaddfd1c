#include "export/face.h"
#include "mesh/mesh.h"
#include <string.h>

// Numbers vertices that the face does not have yet behind its own.
static void add_vertices(body_face* f, const int* vertex, int64_t count, int* number1, int* out)
{
    for (int64_t i = 0; i < count; ++i) {
        if (!number1[vertex[i]]) {
            f->particle[f->point_count++] = vertex[i];
            number1[vertex[i]] = f->point_count;
        }
        out[i] = number1[vertex[i]] - 1;
    }
}

static pliant_result make_look(body_face* f, const pliant_mesh_arrays* m, const int* triangles,
                               int triangle_count)
{
    pliant_mesh* mesh = NULL;
    double* vertices = (double*)mem_array(3 * (size_t)f->point_count, sizeof(double));
    if (!vertices) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < f->point_count; ++i)
        memcpy(vertices + 3 * (size_t)i, m->vertices + 3 * (size_t)f->particle[i],
               sizeof(double[3]));
    pliant_mesh_arrays arrays = {.vertices = vertices,
                                 .vertex_count = f->point_count,
                                 .triangles = triangles,
                                 .triangle_count = triangle_count};
    pliant_result result = pliant_mesh_create(&arrays, &mesh);
    if (!result) result = visual_of_mesh(mesh, &f->made);
    f->look = f->made;
    pliant_mesh_destroy(mesh);
    mem_free(vertices);
    return result;
}

// Triangles of the surface first, then edges.
static pliant_result number_points(body_face* f, const pliant_mesh_arrays* m,
                                   const pliant_mesh_arrays* surface, const int* surface_vertex)
{
    size_t corners = 3 * (size_t)surface->triangle_count;
    int* number1 = (int*)mem_array_zero((size_t)m->vertex_count, sizeof(int));
    int* triangles = (int*)mem_array(corners, sizeof(int));
    int* own = (int*)mem_array(corners, sizeof(int));
    f->edges = (int*)mem_array(2 * (size_t)m->edge_count, sizeof(int));
    f->edge_count = m->edge_count;
    bool good = number1 && triangles && own && f->edges;
    // The boundary's vertices ascend; so do the points.
    for (int i = 0; good && surface_vertex && i < surface->vertex_count; ++i) {
        f->particle[f->point_count++] = surface_vertex[i];
        number1[surface_vertex[i]] = f->point_count;
    }
    for (size_t i = 0; good && i < corners; ++i)
        own[i] = surface_vertex ? surface_vertex[surface->triangles[i]] : surface->triangles[i];
    if (good) {
        add_vertices(f, own, (int64_t)corners, number1, triangles);
        add_vertices(f, m->edges, 2 * (int64_t)m->edge_count, number1, f->edges);
    }
    pliant_result result = good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (good && corners) result = make_look(f, m, triangles, surface->triangle_count);
    mem_free(number1);
    mem_free(triangles);
    mem_free(own);
    return result;
}

static pliant_result show_own(const pliant_mesh* mesh, body_face* f)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh), surface = m;
    pliant_mesh* boundary = NULL;
    int* vertex = NULL;
    pliant_result result = PLIANT_OK;
    f->particle = (int*)mem_array((size_t)m.vertex_count, sizeof(int));
    if (!f->particle) return PLIANT_ERROR_MEMORY;
    if (m.tet_count) {
        vertex = (int*)mem_array((size_t)m.vertex_count, sizeof(int));
        result = vertex ? pliant_mesh_boundary(mesh, &boundary, vertex) : PLIANT_ERROR_MEMORY;
        if (!result) surface = pliant_mesh_view(boundary);
    }
    if (!result) result = number_points(f, &m, &surface, vertex);
    pliant_mesh_destroy(boundary);
    mem_free(vertex);
    return result;
}

// Those that flow have half of their spacing.
static pliant_result measure_balls(const pliant_mesh* mesh, const pliant_soft_def* soft,
                                   body_face* f)
{
    const double spacing = soft->gas.spacing > 0 ? soft->gas.spacing : soft->liquid.spacing;
    bool flows = spacing > 0;
    double radius = flows ? spacing / 2 : soft->radius;
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    f->ball_radius = (double*)mem_array((size_t)m.vertex_count, sizeof(double));
    f->ball_count = m.vertex_count;
    for (int i = 0; f->ball_radius && i < m.vertex_count; ++i)
        f->ball_radius[i] = m.vertex_radius && !flows ? m.vertex_radius[i] : radius;
    return f->ball_radius ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// A ball at each point.
static pliant_result show_loose(const pliant_mesh* mesh, body_face* f)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    size_t count = (size_t)m.vertex_count;
    f->particle = (int*)mem_array(count, sizeof(int));
    if (m.vertex_color) f->point_color = (double*)mem_array(3 * count, sizeof(double));
    if (!f->particle || (m.vertex_color && !f->point_color)) return PLIANT_ERROR_MEMORY;
    f->point_count = m.vertex_count;
    f->point_radius = f->ball_radius;
    for (int i = 0; i < m.vertex_count; ++i) f->particle[i] = i;
    if (m.vertex_color) memcpy(f->point_color, m.vertex_color, 3 * count * sizeof(double));
    return PLIANT_OK;
}

static pliant_result show_carried(const visual* look, body_face* f)
{
    f->look = look;
    f->point_count = look->point_count;
    f->skin_normals = visual_corner_normals(look);
    return f->skin_normals ? visual_mesh(look, &f->skin_mesh) : PLIANT_ERROR_MEMORY;
}

pliant_result face_create(const stage_entry* entry, body_face* out)
{
    memset(out, 0, sizeof *out);
    const pliant_soft_def soft = pliant_asset_definition(entry->asset);
    out->rope_radius = soft.rope.radius;
    if (entry->source->surface.count)
        out->liquid = (const scene_liquid*)entry->source->surface.item;
    if (entry->source->smoke.count) out->smoke = (const scene_smoke*)entry->source->smoke.item;
    out->hidden = entry->source->hidden;
    bool loose = mesh_is_loose(entry->mesh);
    pliant_result result = loose ? measure_balls(entry->mesh, &soft, out) : PLIANT_OK;
    if (!result)
        result = entry->look ? show_carried(entry->look, out)
                 : loose     ? show_loose(entry->mesh, out)
                             : show_own(entry->mesh, out);
    if (result) face_destroy(out);
    return result;
}

pliant_result face_create_torn(const stage* s, int body, body_face* out)
{
    stage_entry torn = s->entries[s->bodies[body].entry];
    torn.asset = (pliant_asset*)stage_asset(s, body);
    torn.mesh = (pliant_mesh*)stage_mesh(s, body);
    return face_create(&torn, out);
}

void face_destroy(body_face* f)
{
    visual_destroy(f->made);
    mem_free(f->particle);
    mem_free(f->edges);
    mem_free(f->ball_radius);
    mem_free(f->point_color);
    mem_free(f->skin_normals);
    pliant_mesh_destroy(f->skin_mesh);
    memset(f, 0, sizeof *f);
}
