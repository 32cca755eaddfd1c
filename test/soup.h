// Triangle surfaces for tests, made as a soup: every triangle has its own three vertices, as in an
// STL file.
#pragma once
#include "check.h"

typedef struct {
    double x[3];
} point;

typedef struct {
    point* corner; // 3 * triangles
    int triangles, capacity;
} soup;

static inline void soup_add(soup* s, point a, point b, point c)
{
    if (s->triangles == s->capacity) {
        s->capacity = 2 * s->capacity + 16;
        s->corner = (point*)realloc(s->corner, 3 * (size_t)s->capacity * sizeof(point));
        assert_non_null(s->corner);
    }
    point* corner = s->corner + 3 * (size_t)s->triangles++;
    corner[0] = a, corner[1] = b, corner[2] = c;
}

static inline void soup_add_quad(soup* s, point a, point b, point c, point d)
{
    soup_add(s, a, b, c);
    soup_add(s, a, c, d);
}

static inline void soup_free(soup* s)
{
    free(s->corner);
    *s = (soup){0};
}

// Twelve triangles.
static inline void soup_add_box(soup* s, point low, point high)
{
    point c[8];
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k) c[i].x[k] = (i >> k & 1 ? high : low).x[k];
    soup_add_quad(s, c[0], c[4], c[6], c[2]);
    soup_add_quad(s, c[1], c[3], c[7], c[5]);
    soup_add_quad(s, c[0], c[1], c[5], c[4]);
    soup_add_quad(s, c[2], c[6], c[7], c[3]);
    soup_add_quad(s, c[0], c[2], c[3], c[1]);
    soup_add_quad(s, c[4], c[5], c[7], c[6]);
}

static inline point point_on_sphere(point a)
{
    double length = sqrt(a.x[0] * a.x[0] + a.x[1] * a.x[1] + a.x[2] * a.x[2]);
    for (int k = 0; k < 3; ++k) a.x[k] /= length;
    return a;
}

static inline point point_between(point a, point b)
{
    point middle = {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
    return point_on_sphere(middle);
}

static inline void soup_add_cap(soup* s, point a, point b, point c, int levels)
{
    if (levels == 0) {
        soup_add(s, a, b, c);
        return;
    }
    point ab = point_between(a, b), bc = point_between(b, c), ca = point_between(c, a);
    soup_add_cap(s, a, ab, ca, levels - 1);
    soup_add_cap(s, ab, b, bc, levels - 1);
    soup_add_cap(s, ca, bc, c, levels - 1);
    soup_add_cap(s, ab, bc, ca, levels - 1);
}

// An octahedron of radius 1, each face cut into 4^levels with the vertices on the unit sphere.
static inline void soup_add_sphere(soup* s, int levels)
{
    for (int octant = 0; octant < 8; ++octant) {
        double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
        point x = {{sx, 0, 0}}, y = {{0, sy, 0}}, z = {{0, 0, sz}};
        if (sx * sy * sz > 0)
            soup_add_cap(s, x, y, z, levels);
        else
            soup_add_cap(s, x, z, y, levels);
    }
}

static inline point point_on_torus(double ring, double tube, double u, double v)
{
    double r = ring + tube * cos(v);
    point p = {{r * cos(u), tube * sin(v), r * sin(u)}};
    return p;
}

// Axis y, `around` times `across` quads.
static inline void soup_add_torus(soup* s, double ring, double tube, int around, int across)
{
    double du = 2 * acos(-1) / around, dv = 2 * acos(-1) / across;
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            int i1 = (i + 1) % around, j1 = (j + 1) % across;
            soup_add_quad(s, point_on_torus(ring, tube, i * du, j * dv),
                          point_on_torus(ring, tube, i * du, j1 * dv),
                          point_on_torus(ring, tube, i1 * du, j1 * dv),
                          point_on_torus(ring, tube, i1 * du, j * dv));
        }
}

// Turns triangles first to last inside out.
static inline void soup_flip(soup* s, int first, int last)
{
    for (int t = first; t <= last; ++t) {
        point keep = s->corner[3 * t];
        s->corner[3 * t] = s->corner[3 * t + 1];
        s->corner[3 * t + 1] = keep;
    }
}

// From 0 to 4, with a cavity from 1 to 3.
static inline void soup_add_hollow_box(soup* s)
{
    soup_add_box(s, (point){{0, 0, 0}}, (point){{4, 4, 4}});
    int outer = s->triangles;
    soup_add_box(s, (point){{1, 1, 1}}, (point){{3, 3, 3}});
    soup_flip(s, outer, s->triangles - 1);
}

static inline pliant_mesh* soup_mesh(const soup* s)
{
    int* index = (int*)malloc(3 * (size_t)s->triangles * sizeof(int) + 1);
    assert_non_null(index);
    for (int i = 0; i < 3 * s->triangles; ++i) index[i] = i;
    pliant_mesh_arrays arrays = {.vertices = s->corner ? s->corner->x : NULL,
                                 .vertex_count = 3 * s->triangles,
                                 .triangles = index,
                                 .triangle_count = s->triangles};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    free(index);
    return mesh;
}
