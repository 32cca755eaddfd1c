// Colliders as triangles.
#include "math/rotation.h"
#include "render/model.h"
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

enum { AROUND = 48, HALF = 17 }; // rings of half a ball, from the pole to the equator

// A ring of a ball, `down` [rad] from its pole and shifted along its axis; poles are one vertex, so
// that light does not break there.
static void add_ring(model* m, const stand* at, double radius, double down, double shift,
                     int out[AROUND])
{
    const double turn = 6.283185307179586 / AROUND, wide = radius * sin(down);
    for (int j = 0; j < AROUND; ++j) {
        vec3 p = v3(wide * sin(turn * j), radius * cos(down) + shift, wide * cos(turn * j));
        out[j] = j && wide < 1e-9 * radius ? out[0] : model_vertex(m, stand_point(at, p));
    }
}

static void join_rings(model* m, const int upper[AROUND], const int lower[AROUND], int number)
{
    for (int j = 0; j < AROUND; ++j) {
        int k = (j + 1) % AROUND;
        if (lower[j] != lower[k]) model_face(m, upper[j], lower[j], lower[k], number);
        if (upper[j] != upper[k]) model_face(m, upper[j], lower[k], upper[k], number);
    }
}

// A sphere whose halves are `half_height` away from the middle, which a ball has only once.
static void add_capsule(model* m, const stand* at, double radius, double half_height, int number)
{
    int ring[2 * HALF][AROUND], count = 0;
    for (int i = 0; i < 2 * HALF; ++i) {
        int row = i < HALF ? i : i - 1;
        if (i == HALF && !(half_height > 0)) continue;
        add_ring(m, at, radius, 3.141592653589793 * row / (2 * HALF - 2),
                 i < HALF ? half_height : -half_height, ring[count++]);
    }
    for (int i = 0; i + 1 < count; ++i) join_rings(m, ring[i], ring[i + 1], number);
}

// Moves vertices from `first` on against the mean of their faces' normals.
static void draw_in(model* m, int first, int first_face, double give)
{
    int count = m->vertex_count - first;
    vec3* normal = (vec3*)mem_array_zero((size_t)count, sizeof *normal);
    if (!normal || m->failed) m->failed = true;
    for (int i = first_face; i < m->face_count && !m->failed; ++i) {
        const int* c = m->face[i].corner;
        vec3 a = m->vertex[c[0]];
        vec3 area = v3_cross(v3_sub(m->vertex[c[1]], a), v3_sub(m->vertex[c[2]], a));
        for (int k = 0; k < 3; ++k) normal[c[k] - first] = v3_add(normal[c[k] - first], area);
    }
    for (int i = 0; i < count && !m->failed; ++i)
        m->vertex[first + i] = v3_add_scaled(m->vertex[first + i], -give, v3_unit(normal[i]));
    mem_free(normal);
}

static void add_mesh(model* m, const stand* at, const pliant_mesh* mesh, double give, int number)
{
    pliant_mesh* boundary = NULL;
    if (pliant_mesh_view(mesh).tet_count) {
        if (pliant_mesh_boundary(mesh, &boundary, NULL)) return;
        mesh = boundary;
    }
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    int first = m->vertex_count, first_face = m->face_count;
    for (int i = 0; i < view.vertex_count; ++i)
        model_vertex(m, stand_point(at, v3_of(view.vertices + 3 * (size_t)i)));
    for (int i = 0; i < view.triangle_count; ++i) {
        const int* t = view.triangles + 3 * (size_t)i;
        model_face(m, first + t[0], first + t[1], first + t[2], number);
    }
    draw_in(m, first, first_face, give);
    pliant_mesh_destroy(boundary);
}

// At least half of a radius or side is left.
static double less(double length, double give) { return fmax(length - give, 0.5 * length); }

void model_add_collider(model* m, const stage* s, int number, const pliant_collider_info* there,
                        double give)
{
    const scene_collider* c = scene_collider_at(s->scene, number);
    double axis[3][3], half[3];
    if (c->def.shape == PLIANT_SHAPE_PLANE) return;
    rotation_axes(there->rotation, axis);
    const pliant_vec3 sides = c->def.half_extents;
    half[0] = less((double)sides.x, give);
    half[1] = less((double)sides.y, give);
    half[2] = less((double)sides.z, give);
    const stand at = {v3_of(there->position), {v3_of(axis[0]), v3_of(axis[1]), v3_of(axis[2])}};
    int own = model_paint(m, paint_color(c->color, paint_color(gray, v3(0, 0, 0))), false);
    double radius = less((double)c->def.radius, give);
    if (c->def.shape == PLIANT_SHAPE_BOX) add_box(m, &at, half, own);
    if (c->def.shape == PLIANT_SHAPE_SPHERE) add_capsule(m, &at, radius, 0, own);
    if (c->def.shape == PLIANT_SHAPE_CAPSULE)
        add_capsule(m, &at, radius, (double)c->def.half_height, own);
    if (s->shapes[number])
        add_mesh(m, &at, s->shapes[number], c->def.shape == PLIANT_SHAPE_TRIANGLES ? 0 : give, own);
}
