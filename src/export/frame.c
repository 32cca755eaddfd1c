#include "export/frame.h"
#include "base/memory.h"
#include <limits.h>
#include <string.h>

// ---- layout -------------------------------------------------------------------------------------

// A solid's triangles are not part of the body.
static int cloth_of(const pliant_mesh_arrays* m) { return m->tet_count ? 0 : m->triangle_count; }

static pliant_result count_all(const stage* s, frame* f)
{
    int64_t vertices = 0, tets = 0, cloth = 0, edges = 0;
    for (int i = 0; i < s->body_count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(s->entries[s->bodies[i].entry].mesh);
        vertices += m.vertex_count;
        tets += m.tet_count;
        cloth += cloth_of(&m);
        edges += m.edge_count;
    }
    if (vertices > INT_MAX / 4 || tets + cloth + edges > INT_MAX / 4)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "%lld vertices are too many for one file: run without --out and --picture",
                    (long long)vertices);
    f->vertex_count = (int)vertices;
    f->tet_count = (int)tets;
    f->cloth_count = (int)cloth;
    f->edge_count = (int)edges;
    return PLIANT_OK;
}

static bool allocate(frame* f)
{
    size_t vertices = (size_t)f->vertex_count, tets = (size_t)f->tet_count,
           cloth = (size_t)f->cloth_count, edges = (size_t)f->edge_count;
    f->vertices = (double*)mem_array(3 * vertices, sizeof(double));
    f->tets = (int*)mem_array(4 * tets, sizeof(int));
    f->cloth = (int*)mem_array(3 * cloth, sizeof(int));
    f->edges = (int*)mem_array(2 * edges, sizeof(int));
    f->body = (int*)mem_array(vertices, sizeof(int));
    f->color = (int*)mem_array_zero(tets + cloth + edges, sizeof(int));
    f->velocity = (float*)mem_array(3 * vertices, sizeof(float));
    f->contact_force = (float*)mem_array(3 * vertices, sizeof(float));
    f->surface_vertex = (int*)mem_array(vertices, sizeof(int));
    f->surface_edges = (int*)mem_array(2 * edges, sizeof(int));
    return f->vertices && f->tets && f->cloth && f->edges && f->body && f->color && f->velocity &&
           f->contact_force && f->surface_vertex && f->surface_edges;
}

static void copy_shifted(int* out, const int* in, size_t count, int shift)
{
    for (size_t i = 0; i < count; ++i) out[i] = in[i] + shift;
}

static void copy_topology(const stage* s, frame* f)
{
    int vertex = 0, tet = 0, triangle = 0, edge = 0;
    for (int i = 0; i < s->body_count; ++i) {
        const stage_entry* entry = &s->entries[s->bodies[i].entry];
        pliant_mesh_arrays m = pliant_mesh_view(entry->mesh);
        copy_shifted(f->tets + 4 * (size_t)tet, m.tets, 4 * (size_t)m.tet_count, vertex);
        copy_shifted(f->cloth + 3 * (size_t)triangle, m.triangles, 3 * (size_t)cloth_of(&m),
                     vertex);
        copy_shifted(f->edges + 2 * (size_t)edge, m.edges, 2 * (size_t)m.edge_count, vertex);
        for (int k = 0; k < m.vertex_count; ++k) f->body[vertex + k] = i;
        if (m.tet_count) pliant_asset_read_colors(entry->asset, f->color + tet, m.tet_count);
        vertex += m.vertex_count;
        tet += m.tet_count;
        triangle += cloth_of(&m);
        edge += m.edge_count;
    }
}

// ---- surface ------------------------------------------------------------------------------------

static pliant_result find_boundary(frame* f)
{
    pliant_mesh_arrays tets = frame_volume(f);
    pliant_mesh *volume = NULL, *surface = NULL;
    tets.triangle_count = tets.edge_count = 0;
    if (f->tet_count == 0) {
        f->triangles = (int*)mem_array(3 * (size_t)f->cloth_count, sizeof(int));
        return f->triangles ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    }
    pliant_result result = pliant_mesh_create(&tets, &volume);
    if (!result) result = pliant_mesh_boundary(volume, &surface, f->surface_vertex);
    if (!result) {
        pliant_mesh_arrays view = pliant_mesh_view(surface);
        f->surface_count = view.vertex_count;
        f->triangle_count = view.triangle_count;
        f->triangles = (int*)mem_array(3 * ((size_t)view.triangle_count + (size_t)f->cloth_count),
                                       sizeof(int));
        if (f->triangles)
            copy_shifted(f->triangles, view.triangles, 3 * (size_t)view.triangle_count, 0);
        else
            result = PLIANT_ERROR_MEMORY;
    }
    pliant_mesh_destroy(volume);
    pliant_mesh_destroy(surface);
    return result;
}

// Numbers vertices that the surface does not have yet behind its own.
static void add_vertices(frame* f, const int* vertex, int64_t count, int* number1, int* out)
{
    for (int64_t i = 0; i < count; ++i) {
        if (!number1[vertex[i]]) {
            f->surface_vertex[f->surface_count++] = vertex[i];
            number1[vertex[i]] = f->surface_count;
        }
        out[i] = number1[vertex[i]] - 1;
    }
}

// Cloth and edges come after the boundary of the tets.
static pliant_result add_thin(frame* f)
{
    int* number1 = (int*)mem_array_zero((size_t)f->vertex_count, sizeof(int));
    if (!number1) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < f->surface_count; ++i) number1[f->surface_vertex[i]] = i + 1;
    add_vertices(f, f->cloth, 3 * (int64_t)f->cloth_count, number1,
                 f->triangles + 3 * (size_t)f->triangle_count);
    f->triangle_count += f->cloth_count;
    add_vertices(f, f->edges, 2 * (int64_t)f->edge_count, number1, f->surface_edges);
    mem_free(number1);
    f->surface_vertices = (double*)mem_array(3 * (size_t)f->surface_count, sizeof(double));
    return f->surface_vertices ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- the whole ----------------------------------------------------------------------------------

void frame_update(frame* f, const stage* s)
{
    int at = 0;
    for (int i = 0; i < s->body_count; ++i) {
        pliant_body_id id = s->bodies[i].id;
        int count = pliant_body_particle_count(s->world, id);
        size_t first = 3 * (size_t)at;
        pliant_body_read_positions_exact(s->world, id, f->vertices + first, count);
        pliant_body_read_velocities(s->world, id, (pliant_vec3*)(void*)(f->velocity + first),
                                    count);
        pliant_body_read_contact_forces(s->world, id,
                                        (pliant_vec3*)(void*)(f->contact_force + first), count);
        at += count;
    }
    for (int i = 0; i < f->surface_count; ++i)
        memcpy(f->surface_vertices + 3 * (size_t)i, f->vertices + 3 * (size_t)f->surface_vertex[i],
               sizeof(double[3]));
}

pliant_result frame_create(const stage* s, frame* out)
{
    memset(out, 0, sizeof *out);
    pliant_result result = count_all(s, out);
    if (!result && !allocate(out)) result = PLIANT_ERROR_MEMORY;
    if (!result) {
        copy_topology(s, out);
        frame_update(out, s);
        result = find_boundary(out);
    }
    if (!result) result = add_thin(out);
    if (result)
        frame_destroy(out);
    else
        frame_update(out, s);
    return result;
}

void frame_destroy(frame* f)
{
    void* const owned[] = {
        f->vertices,  f->tets,         f->edges,         f->cloth,          f->body,
        f->color,     f->velocity,     f->contact_force, f->surface_vertex, f->surface_vertices,
        f->triangles, f->surface_edges};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    memset(f, 0, sizeof *f);
}

pliant_mesh_arrays frame_volume(const frame* f)
{
    pliant_mesh_arrays out = {.vertices = f->vertices,
                              .vertex_count = f->vertex_count,
                              .tets = f->tets,
                              .tet_count = f->tet_count,
                              .triangles = f->cloth,
                              .triangle_count = f->cloth_count,
                              .edges = f->edges,
                              .edge_count = f->edge_count};
    return out;
}

pliant_mesh_arrays frame_surface(const frame* f)
{
    pliant_mesh_arrays out = {.vertices = f->surface_vertices,
                              .vertex_count = f->surface_count,
                              .triangles = f->triangles,
                              .triangle_count = f->triangle_count,
                              .edges = f->surface_edges,
                              .edge_count = f->edge_count};
    return out;
}
