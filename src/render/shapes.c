// Bodies and colliders as triangles.
#include "export/palette.h"
#include "render/model.h"
#include "world/rotation.h"
#include <math.h>

// As a screen has it.
static const double gray[3] = {0.62, 0.65, 0.70};

vec3 paint_color(const double color[3], vec3 fallback)
{
    if (isnan(color[0])) return fallback;
    return v3(color[0] * color[0], color[1] * color[1], color[2] * color[2]);
}

// ---- bodies -------------------------------------------------------------------------------------

// A tube of six sides along an edge.
static void add_tube(model* m, vec3 a, vec3 b, double radius, int number)
{
    enum { SIDES = 6 };
    const double turn = 6.283185307179586 / SIDES;
    vec3 along = v3_unit(v3_sub(b, a));
    vec3 other = fabs(along.y) < 0.9 ? v3(0, 1, 0) : v3(1, 0, 0);
    vec3 u = v3_unit(v3_cross(along, other)), w = v3_cross(along, u);
    int ring[2][SIDES];
    for (int i = 0; i < SIDES; ++i) {
        vec3 out = v3_add(v3_scale(radius * cos(turn * i), u), v3_scale(radius * sin(turn * i), w));
        ring[0][i] = model_vertex(m, v3_add(a, out));
        ring[1][i] = model_vertex(m, v3_add(b, out));
    }
    for (int i = 0; i < SIDES; ++i) {
        int j = (i + 1) % SIDES;
        model_face(m, ring[0][i], ring[0][j], ring[1][i], number);
        model_face(m, ring[0][j], ring[1][j], ring[1][i], number);
    }
}

// The paint of each material of a surface that is carried, one after the other; those whose texture
// cannot be shown have the body's.
static int paint_materials(model* m, const visual* look, vec3 own)
{
    int first = m->paint_count;
    for (int i = 0; i < look->material_count; ++i) {
        const visual_material* material = &look->material[i];
        const float* c = material->color;
        bool textured = material->image >= 0 && look->vertex_uv;
        int number = textured ? model_texture(m, &look->image[material->image]) : -1;
        bool plain = textured && number < 0;
        int p = model_paint(m, plain ? own : v3((double)c[0], (double)c[1], (double)c[2]), false);
        if (!m->failed) m->paint[p].texture = number;
    }
    return first;
}

static void set_uvs(model* m, const visual* look, int triangle)
{
    if (m->failed || !look->vertex_uv) return;
    face* f = &m->face[m->face_count - 1];
    for (int k = 0; k < 3; ++k) {
        const double* uv = look->vertex_uv + 2 * (size_t)look->triangle[3 * triangle + k];
        f->uv[k][0] = (float)uv[0];
        f->uv[k][1] = (float)uv[1];
    }
}

static void add_look(model* m, const visual* look, int first, int body_paint, int materials)
{
    for (int i = 0; i < look->triangle_count; ++i) {
        int corner[3], material = materials < 0 ? -1 : look->triangle_material[i];
        for (int k = 0; k < 3; ++k)
            corner[k] = first + look->vertex_point[look->triangle[3 * (size_t)i + (size_t)k]];
        model_face(m, corner[0], corner[1], corner[2],
                   material < 0 ? body_paint : materials + material);
        set_uvs(m, look, i);
    }
}

void model_add_bodies(model* m, const stage* s, const frame* f, const double* vertices,
                      double line_radius)
{
    int first = m->vertex_count;
    for (int i = 0; i < f->surface_count; ++i) model_vertex(m, v3_of(vertices + 3 * (size_t)i));
    for (int i = 0; i < f->shown_count; ++i) {
        const body_face* b = f->shown[i].face;
        const double* x = vertices + 3 * (size_t)f->shown[i].first_point;
        bool carried = face_is_carried(b);
        double color[3];
        palette_color(s, i, color);
        vec3 own = paint_color(color, v3(0, 0, 0));
        int number = model_paint(m, own, !carried);
        int materials = carried ? paint_materials(m, b->look, own) : -1;
        if (b->look) add_look(m, b->look, first + f->shown[i].first_point, number, materials);
        for (int k = 0; k < b->edge_count; ++k) {
            const int* e = b->edges + 2 * (size_t)k;
            add_tube(m, v3_of(x + 3 * (size_t)e[0]), v3_of(x + 3 * (size_t)e[1]), line_radius,
                     number);
        }
    }
}

// ---- colliders ----------------------------------------------------------------------------------

// A collider's placement in the world.
typedef struct {
    vec3 origin, axis[3];
} stand;

static vec3 stand_point(const stand* at, vec3 local)
{
    vec3 p = v3_add_scaled(at->origin, local.x, at->axis[0]);
    return v3_add_scaled(v3_add_scaled(p, local.y, at->axis[1]), local.z, at->axis[2]);
}

static void add_box(model* m, const stand* at, const double half[3], int number)
{
    // Corner i has the signs of its bits; each side is counter-clockwise from outside.
    static const int side[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int v[8];
    for (int i = 0; i < 8; ++i)
        v[i] = model_vertex(
            m, stand_point(at, v3(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                                  i & 4 ? half[2] : -half[2])));
    for (int i = 0; i < 6; ++i) {
        model_face(m, v[side[i][0]], v[side[i][1]], v[side[i][2]], number);
        model_face(m, v[side[i][0]], v[side[i][2]], v[side[i][3]], number);
    }
}

// A sphere whose halves are `half_height` away from the middle: rings from pole to pole.
static void add_capsule(model* m, const stand* at, double radius, double half_height, int number)
{
    enum { AROUND = 48, RINGS = 34 };
    const double pi = 3.141592653589793;
    int v[RINGS][AROUND];
    for (int i = 0; i < RINGS; ++i) {
        int row = i < RINGS / 2 ? i : i - 1; // the equator twice, once for each half
        double down = pi * row / (RINGS - 2), y = radius * cos(down);
        for (int j = 0; j < AROUND; ++j) {
            double turn = 2 * pi * j / AROUND, out = radius * sin(down);
            double shift = i < RINGS / 2 ? half_height : -half_height;
            v[i][j] =
                model_vertex(m, stand_point(at, v3(out * sin(turn), y + shift, out * cos(turn))));
        }
    }
    for (int i = 0; i + 1 < RINGS; ++i)
        for (int j = 0; j < AROUND; ++j) {
            int k = (j + 1) % AROUND;
            model_face(m, v[i][j], v[i + 1][j], v[i + 1][k], number);
            model_face(m, v[i][j], v[i + 1][k], v[i][k], number);
        }
}

static void add_mesh(model* m, const stand* at, const pliant_mesh* mesh, int number)
{
    pliant_mesh* boundary = NULL;
    if (pliant_mesh_view(mesh).tet_count) {
        if (pliant_mesh_boundary(mesh, &boundary, NULL)) return;
        mesh = boundary;
    }
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    int first = m->vertex_count;
    for (int i = 0; i < view.vertex_count; ++i)
        model_vertex(m, stand_point(at, v3_of(view.vertices + 3 * (size_t)i)));
    for (int i = 0; i < view.triangle_count; ++i) {
        const int* t = view.triangles + 3 * (size_t)i;
        model_face(m, first + t[0], first + t[1], first + t[2], number);
    }
    pliant_mesh_destroy(boundary);
}

void model_add_colliders(model* m, const stage* s)
{
    for (int i = 0; i < s->scene->colliders.count; ++i) {
        const scene_collider* c = scene_collider_at(s->scene, i);
        double axis[3][3];
        rotation_axes(c->rotation, axis);
        const stand at = {v3_of(c->position), {v3_of(axis[0]), v3_of(axis[1]), v3_of(axis[2])}};
        int number = model_paint(m, paint_color(c->color, paint_color(gray, v3(0, 0, 0))), false);
        if (c->shape == PLIANT_BOX) add_box(m, &at, c->half_extents, number);
        if (c->shape == PLIANT_SPHERE) add_capsule(m, &at, c->radius, 0, number);
        if (c->shape == PLIANT_CAPSULE) add_capsule(m, &at, c->radius, c->half_height, number);
        if (c->shape == PLIANT_MESH) add_mesh(m, &at, s->shapes[i], number);
    }
}
