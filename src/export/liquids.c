#include "export/liquids.h"
#include "base/memory.h"
#include "meshfile/vtu_writer.h"
#include <stdio.h>
#include <string.h>

bool liquids_any(const frame* f)
{
    for (int i = 0; i < f->shown_count; ++i)
        if (f->shown[i].face->liquid) return true;
    return false;
}

// ---- making them --------------------------------------------------------------------------------

pliant_result present_gather(const frame* f, int body, present_particles* out)
{
    int first = f->shown[body].first_particle, count = f->shown[body].face->ball_count;
    *out = (present_particles){.positions = (double*)mem_array(3 * (size_t)count, sizeof(double)),
                               .radii = (double*)mem_array((size_t)count, sizeof(double))};
    out->velocities = (pliant_vec3*)mem_array((size_t)count, sizeof *out->velocities);
    if (!out->positions || !out->radii || !out->velocities) return PLIANT_ERROR_MEMORY;
    for (int i = first; i < first + count; ++i) {
        if (!(f->radius[i] > 0)) continue;
        memcpy(out->positions + 3 * (size_t)out->count, f->vertices + 3 * (size_t)i,
               sizeof(double[3]));
        memcpy(&out->velocities[out->count], f->velocity + 3 * (size_t)i, sizeof(float[3]));
        out->radii[out->count++] = (double)f->radius[i];
    }
    return PLIANT_OK;
}

void present_release(present_particles* p)
{
    mem_free(p->positions);
    mem_free(p->radii);
    mem_free(p->velocities);
}

// One particle that is left, or several that fell on one, are no failure of a run.
static bool is_one_place(const present_particles* p)
{
    for (int i = 3; i < 3 * p->count; ++i)
        if (p->positions[i] != p->positions[i - 3]) return false;
    return true;
}

static pliant_result make(const frame* f, int body, liquid* out)
{
    present_particles there;
    pliant_result result = present_gather(f, body, &there);
    pliant_points p = {there.positions, there.radii, there.velocities, there.count};
    pliant_surface_def def = f->shown[body].face->liquid->def;
    pliant_surface_report report = {.normals = NULL};
    def.cookie = pliant_surface_defaults().cookie;
    def.threads = f->threads;
    *out = (liquid){.body = body};
    if (!result && is_one_place(&there)) p.count = p.count > 1 ? 1 : p.count;
    if (!result && p.count) result = pliant_mesh_surface(&p, &def, &out->mesh, &report);
    out->normals = report.normals;
    out->velocities = report.velocities;
    present_release(&there);
    return result;
}

pliant_result liquids_make(const frame* f, liquid_list* out)
{
    pliant_result result = PLIANT_OK;
    *out = (liquid_list){(liquid*)mem_array_zero((size_t)f->shown_count + 1, sizeof(liquid)), 0};
    if (!out->item) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < f->shown_count && !result; ++i) {
        if (!f->shown[i].face->liquid) continue;
        result = make(f, i, &out->item[out->count]);
        out->count += out->item[out->count].mesh != NULL;
    }
    return result;
}

void liquids_release(liquid_list* l)
{
    for (int i = 0; i < l->count; ++i) {
        pliant_mesh_destroy(l->item[i].mesh);
        mem_free(l->item[i].normals);
        mem_free(l->item[i].velocities);
    }
    mem_free(l->item);
    *l = (liquid_list){NULL, 0};
}

// ---- files --------------------------------------------------------------------------------------

static int count_vertices(const liquid_list* l)
{
    int sum = 0;
    for (int i = 0; i < l->count; ++i) sum += pliant_mesh_view(l->item[i].mesh).vertex_count;
    return sum;
}

static int count_triangles(const liquid_list* l)
{
    int sum = 0;
    for (int i = 0; i < l->count; ++i) sum += pliant_mesh_view(l->item[i].mesh).triangle_count;
    return sum;
}

static void put_reals(sink* out, const char* word, double x, double y, double z)
{
    const double value[3] = {x, y, z};
    sink_text(out, word);
    sink_reals(out, value, 3);
    sink_text(out, "\n");
}

void liquids_obj(const liquid_list* l, sink* out)
{
    for (int i = 0, first = 1; i < l->count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(l->item[i].mesh);
        const pliant_vec3* n = l->item[i].normals;
        sink_print(out, "o body_%d\n", l->item[i].body);
        for (ptrdiff_t k = 0; k < m.vertex_count; ++k)
            put_reals(out, "v ", m.vertices[3 * k], m.vertices[3 * k + 1], m.vertices[3 * k + 2]);
        for (int k = 0; k < m.vertex_count; ++k)
            put_reals(out, "vn ", (double)n[k].x, (double)n[k].y, (double)n[k].z);
        for (ptrdiff_t k = 0; k < m.triangle_count; ++k) {
            const int* t = m.triangles + 3 * k;
            sink_print(out, "f %d//%d %d//%d %d//%d\n", t[0] + first, t[0] + first, t[1] + first,
                       t[1] + first, t[2] + first, t[2] + first);
        }
        first += m.vertex_count;
    }
}

void liquids_ply(const liquid_list* l, sink* out)
{
    static const char* const names[] = {"nx", "ny", "nz", "vx", "vy", "vz"};
    sink_print(out,
               "ply\nformat binary_little_endian 1.0\ncomment vx vy vz: velocity in m/s\n"
               "element vertex %d\nproperty double x\nproperty double y\nproperty double z\n",
               count_vertices(l));
    for (int i = 0; i < 6; ++i) sink_print(out, "property float %s\n", names[i]);
    sink_print(out,
               "element face %d\nproperty list uchar int vertex_indices\nproperty int body\n"
               "end_header\n",
               count_triangles(l));
    for (int i = 0; i < l->count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(l->item[i].mesh);
        for (ptrdiff_t k = 0; k < m.vertex_count; ++k) {
            const pliant_vec3 both[2] = {l->item[i].normals[k], l->item[i].velocities[k]};
            for (int c = 0; c < 3; ++c) sink_f64(out, m.vertices[3 * k + c]);
            for (int b = 0; b < 2; ++b)
                sink_f32(out, both[b].x), sink_f32(out, both[b].y), sink_f32(out, both[b].z);
        }
    }
    for (int i = 0, first = 0; i < l->count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(l->item[i].mesh);
        for (ptrdiff_t k = 0; k < m.triangle_count; ++k) {
            sink_u8(out, 3);
            for (int c = 0; c < 3; ++c) sink_i32(out, m.triangles[3 * k + c] + first);
            sink_i32(out, l->item[i].body);
        }
        first += m.vertex_count;
    }
}

typedef struct {
    double* vertices;
    float *normals, *velocities;
    int *triangles, *body;
} joined;

static void join(const liquid_list* l, joined* out)
{
    size_t vertex = 0, triangle = 0;
    for (int i = 0; i < l->count; ++i) {
        const liquid* one = &l->item[i];
        pliant_mesh_arrays m = pliant_mesh_view(one->mesh);
        size_t vertices = (size_t)m.vertex_count, triangles = (size_t)m.triangle_count;
        memcpy(out->vertices + 3 * vertex, m.vertices, 3 * vertices * sizeof(double));
        memcpy(out->normals + 3 * vertex, one->normals, vertices * sizeof(float[3]));
        memcpy(out->velocities + 3 * vertex, one->velocities, vertices * sizeof(float[3]));
        for (size_t k = 0; k < 3 * triangles; ++k)
            out->triangles[3 * triangle + k] = m.triangles[k] + (int)vertex;
        for (size_t k = 0; k < vertices; ++k) out->body[vertex + k] = one->body;
        vertex += vertices;
        triangle += triangles;
    }
}

void liquids_vtu(const liquid_list* l, sink* out)
{
    size_t vertices = (size_t)count_vertices(l), triangles = (size_t)count_triangles(l);
    joined all = {(double*)mem_array(3 * vertices, sizeof(double)),
                  (float*)mem_array(3 * vertices, sizeof(float)),
                  (float*)mem_array(3 * vertices, sizeof(float)),
                  (int*)mem_array(3 * triangles, sizeof(int)),
                  (int*)mem_array(vertices, sizeof(int))};
    if (all.vertices && all.normals && all.velocities && all.triangles && all.body) {
        join(l, &all);
        const vtu_field field[] = {{"normal", all.normals, NULL, 3, false, NULL},
                                   {"velocity", all.velocities, NULL, 3, false, NULL},
                                   {"body", NULL, all.body, 1, false, NULL}};
        const pliant_mesh_arrays mesh = {.vertices = all.vertices,
                                         .vertex_count = (int)vertices,
                                         .triangles = all.triangles,
                                         .triangle_count = (int)triangles};
        vtu_write(&mesh, (vtu_particles){NULL, 0}, field, sizeof field / sizeof field[0], out);
    } else {
        out->failed = true;
    }
    mem_free(all.vertices);
    mem_free(all.normals);
    mem_free(all.velocities);
    mem_free(all.triangles);
    mem_free(all.body);
}
