// Sizes of single elements, from an array of vertices.
#pragma once
#include "mesh/tet.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// An element is degenerate below this fraction of its longest edge's cube (tets) or square.
#define DEGENERATE_FRACTION 1e-12

typedef struct {
    double x, y, z;
} point;

static inline point vertex_at(const double* vertices, int index)
{
    const double* v = vertices + 3 * (ptrdiff_t)index;
    point p = {v[0], v[1], v[2]};
    return p;
}

static inline point point_between(point from, point to)
{
    point p = {to.x - from.x, to.y - from.y, to.z - from.z};
    return p;
}

static inline double point_dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline point point_cross(point a, point b)
{
    point p = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return p;
}

static inline double squared_distance(const double* vertices, int a, int b)
{
    point d = point_between(vertex_at(vertices, a), vertex_at(vertices, b));
    return point_dot(d, d);
}

// Exactly; a squared distance may underflow to zero.
static inline bool same_place(const double* vertices, int a, int b)
{
    point p = vertex_at(vertices, a), q = vertex_at(vertices, b);
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

// Signed, positive for det(x1 - x0, x2 - x0, x3 - x0) > 0.
static inline double tet_volume(const double* vertices, const int tet[4])
{
    point origin = vertex_at(vertices, tet[0]);
    point a = point_between(origin, vertex_at(vertices, tet[1]));
    point b = point_between(origin, vertex_at(vertices, tet[2]));
    point c = point_between(origin, vertex_at(vertices, tet[3]));
    return point_dot(point_cross(a, b), c) / 6;
}

// Half of the cross product of two sides: its length is the area.
static inline point triangle_area_vector(const double* vertices, const int triangle[3])
{
    point origin = vertex_at(vertices, triangle[0]);
    point a = point_between(origin, vertex_at(vertices, triangle[1]));
    point b = point_between(origin, vertex_at(vertices, triangle[2]));
    point half = point_cross(a, b);
    half.x *= 0.5, half.y *= 0.5, half.z *= 0.5;
    return half;
}

static inline double triangle_area(const double* vertices, const int triangle[3])
{
    point half = triangle_area_vector(vertices, triangle);
    return sqrt(point_dot(half, half));
}

// Of all pairs of the element's `arity` vertices.
static inline double longest_edge(const double* vertices, const int* corner, int arity)
{
    double longest = 0;
    for (int i = 0; i < arity; ++i)
        for (int j = i + 1; j < arity; ++j)
            longest = fmax(longest, squared_distance(vertices, corner[i], corner[j]));
    return sqrt(longest);
}

static inline bool tet_is_degenerate(const double* vertices, const int tet[4])
{
    double edge = longest_edge(vertices, tet, 4);
    return !(fabs(tet_volume(vertices, tet)) > DEGENERATE_FRACTION * edge * edge * edge);
}

static inline bool triangle_is_degenerate(const double* vertices, const int triangle[3])
{
    double edge = longest_edge(vertices, triangle, 3);
    return !(triangle_area(vertices, triangle) > DEGENERATE_FRACTION * edge * edge);
}

static inline void read_tet_face(const int tet[4], int face, int out_triangle[3])
{
    for (int i = 0; i < 3; ++i) out_triangle[i] = tet[tet_face[face][i]];
}
