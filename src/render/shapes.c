// Colliders as triangles.
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
