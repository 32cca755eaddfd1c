#include "export/surfaces.h"
#include "export/path.h"
#include "meshfile/vtu_writer.h"
#include <stdio.h>
#include <string.h>

// ---- obj ----------------------------------------------------------------------------------------

// A word that is the same in the .mtl and in every frame: materials of two faces may have one name.
static void material_word(const frame* f, const body_face* face, int number, char out[160])
{
    const char* name = face->look->material[number].name;
    int length = snprintf(out, 160, "m%d_%d_%.120s", (int)(face - f->faces), number, name);
    for (int i = 0; i < length && out[i]; ++i)
        if ((unsigned char)out[i] <= ' ') out[i] = '_';
}

static void image_word(const frame* f, const body_face* face, int number, char out[160])
{
    const visual_image* image = &face->look->image[number];
    const char* type = image_type(image->data, image->bytes);
    const char* dot = strrchr(image->name, '.');
    int stem = dot ? (int)(dot - image->name) : (int)strlen(image->name);
    int length = snprintf(out, 160, "t%d_%d_%.*s.%s", (int)(face - f->faces), number,
                          stem < 100 ? stem : 100, image->name,
                          type && strcmp(type, "image/jpeg") == 0 ? "jpg" : "png");
    for (int i = 0; i < length && out[i]; ++i)
        if ((unsigned char)out[i] <= ' ' || out[i] == '/') out[i] = '_';
}

static void print_reals(sink* out, const char* keyword, const double* value, int count)
{
    sink_text(out, keyword);
    sink_reals(out, value, count);
    sink_text(out, "\n");
}

// Numbers of what is in front of a body.
typedef struct {
    int point, uv, normal;
} obj_base;

static void print_corner(sink* out, const visual* look, int vertex, const obj_base* base)
{
    sink_text(out, " ");
    sink_integer(out, (int64_t)base->point + look->vertex_point[vertex] + 1);
    sink_text(out, "/");
    if (look->vertex_uv) sink_integer(out, (int64_t)base->uv + vertex + 1);
    sink_text(out, "/");
    sink_integer(out, (int64_t)base->normal + look->vertex_normal[vertex] + 1);
}

static void print_triangles(const frame* f, const body_face* face, const obj_base* base, sink* out)
{
    const visual* look = face->look;
    int material = -1;
    for (int i = 0; i < look->triangle_count; ++i) {
        if (look->triangle_material[i] != material && look->triangle_material[i] >= 0) {
            char word[160];
            material = look->triangle_material[i];
            material_word(f, face, material, word);
            sink_print(out, "usemtl %s\n", word);
        }
        sink_text(out, "f");
        for (int k = 0; k < 3; ++k)
            print_corner(out, look, look->triangle[3 * (size_t)i + (size_t)k], base);
        sink_text(out, "\n");
    }
}

static void print_body(const frame* f, int number, obj_base* base, sink* out)
{
    const shown_body* b = &f->shown[number];
    const visual* look = b->face->look;
    const pliant_vec3* normal = frame_normals(f, b);
    int normals = look ? look->normal_count : 0;
    int uvs = look && look->vertex_uv ? look->vertex_count : 0, first = base->point;
    sink_print(out, "o body_%d\n", number);
    const double* radius = f->surface_radius ? f->surface_radius + b->first_point : NULL;
    for (int i = 0; i < b->face->point_count; ++i) {
        if (radius && radius[i] < 0) continue; // it is absent
        print_reals(out, "v ", frame_points(f, b) + 3 * (size_t)i, 3);
        base->point++;
    }
    for (int i = 0; i < uvs; ++i) {
        const double* at = look->vertex_uv + 2 * (size_t)i;
        const double uv[2] = {at[0], 1 - at[1]};
        print_reals(out, "vt ", uv, 2);
    }
    for (int i = 0; i < normals; ++i) {
        const double n[3] = {(double)normal[i].x, (double)normal[i].y, (double)normal[i].z};
        print_reals(out, "vn ", n, 3);
    }
    if (look) print_triangles(f, b->face, &(obj_base){first, base->uv, base->normal}, out);
    for (int i = 0; i < b->face->edge_count; ++i) {
        sink_text(out, "l ");
        sink_integers(out, b->face->edges + 2 * (size_t)i, 2, first + 1);
        sink_text(out, "\n");
    }
    base->uv += uvs;
    base->normal += normals;
}

void surfaces_obj(const frame* f, sink* out)
{
    obj_base base = {0, 0, 0};
    sink_text(out, "mtllib frames.mtl\n");
    for (int i = 0; i < f->shown_count; ++i) print_body(f, i, &base, out);
}

// ---- materials ----------------------------------------------------------------------------------

static pliant_result write_face(const frame* f, const body_face* face, const char* folder,
                                sink* out)
{
    const visual* look = face->look;
    char word[160];
    pliant_result result = PLIANT_OK;
    if (!face_is_carried(face)) return PLIANT_OK;
    for (int i = 0; i < look->image_count && !result; ++i) {
        image_word(f, face, i, word);
        result = path_save(folder, word, look->image[i].data, look->image[i].bytes);
    }
    for (int i = 0; i < look->material_count; ++i) {
        const visual_material* m = &look->material[i];
        const double color[3] = {(double)m->color[0], (double)m->color[1], (double)m->color[2]};
        material_word(f, face, i, word);
        sink_print(out, "newmtl %s\n", word);
        print_reals(out, "Kd ", color, 3);
        sink_text(out, "d ");
        sink_real(out, (double)m->color[3]);
        sink_text(out, "\n");
        if (m->image < 0) continue;
        image_word(f, face, m->image, word);
        sink_print(out, "map_Kd %s\n", word);
    }
    return result;
}

pliant_result surfaces_write_materials(const frame* f, const char* folder)
{
    sink out = {0};
    pliant_result result = PLIANT_OK;
    sink_text(&out, "# materials of the frames\n");
    for (int i = 0; i < f->face_count && !result; ++i)
        result = write_face(f, &f->faces[i], folder, &out);
    if (!result && out.failed) result = PLIANT_ERROR_MEMORY;
    if (!result) result = path_save(folder, "frames.mtl", out.data, out.bytes);
    sink_release(&out);
    return result;
}

// ---- vtu ----------------------------------------------------------------------------------------

// Vertices of all carried surfaces in one list.
typedef struct {
    double* vertices;
    float *normal, *texture;
    int *triangles, *body;
    int vertex_count, triangle_count;
} seen_mesh;

static bool allocate(const frame* f, seen_mesh* m)
{
    size_t vertices = 0, triangles = 0;
    for (int i = 0; i < f->shown_count; ++i) {
        const body_face* face = f->shown[i].face;
        if (!face_is_carried(face)) continue;
        vertices += (size_t)face->look->vertex_count;
        triangles += (size_t)face->look->triangle_count;
    }
    m->vertices = (double*)mem_array(3 * vertices, sizeof(double));
    m->normal = (float*)mem_array(3 * vertices, sizeof(float));
    m->texture = (float*)mem_array_zero(2 * vertices, sizeof(float));
    m->triangles = (int*)mem_array(3 * triangles, sizeof(int));
    m->body = (int*)mem_array(vertices, sizeof(int));
    return m->vertices && m->normal && m->texture && m->triangles && m->body;
}

static void add_body(const frame* f, int number, seen_mesh* m)
{
    const shown_body* b = &f->shown[number];
    const visual* look = b->face->look;
    for (int i = 0; i < 3 * look->triangle_count; ++i)
        m->triangles[3 * (size_t)m->triangle_count + (size_t)i] =
            look->triangle[i] + m->vertex_count;
    for (int i = 0; i < look->vertex_count; ++i) {
        size_t at = (size_t)m->vertex_count + (size_t)i;
        const double* p = frame_points(f, b) + 3 * (size_t)look->vertex_point[i];
        memcpy(m->vertices + 3 * at, p, sizeof(double[3]));
        memcpy(m->normal + 3 * at, &frame_normals(f, b)[look->vertex_normal[i]], sizeof(float[3]));
        m->body[at] = number;
        if (!look->vertex_uv) continue;
        m->texture[2 * at] = (float)look->vertex_uv[2 * (size_t)i];
        m->texture[2 * at + 1] = (float)(1 - look->vertex_uv[2 * (size_t)i + 1]);
    }
    m->vertex_count += look->vertex_count;
    m->triangle_count += look->triangle_count;
}

bool surfaces_vtu(const frame* f, sink* out)
{
    seen_mesh m = {0};
    bool good = allocate(f, &m);
    for (int i = 0; good && i < f->shown_count; ++i)
        if (face_is_carried(f->shown[i].face)) add_body(f, i, &m);
    const vtu_field field[] = {{"normal", m.normal, NULL, 3, false, NULL},
                               {"texture", m.texture, NULL, 2, false, NULL},
                               {"body", NULL, m.body, 1, false, NULL}};
    const pliant_mesh_arrays mesh = {.vertices = m.vertices,
                                     .vertex_count = m.vertex_count,
                                     .triangles = m.triangles,
                                     .triangle_count = m.triangle_count};
    if (good)
        vtu_write(&mesh, (vtu_particles){NULL, 0}, field, sizeof field / sizeof field[0], out);
    mem_free(m.vertices);
    mem_free(m.normal);
    mem_free(m.texture);
    mem_free(m.triangles);
    mem_free(m.body);
    return good;
}
