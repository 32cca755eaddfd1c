// One triangle in double precision, prepared for distances to many points.
#pragma once
#ifndef PRECISION_DOUBLE
#error "distances to triangles are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "math/vec3.h"
#include <stdbool.h>

typedef struct triangle {
    vec3 corner[3];
    vec3 edge[3]; // from corner k to the next
    vec3 normal;  // of length 1; 0 if the triangle is flat
    bool flat;    // a line: its edges are all there is
} triangle;

static inline triangle triangle_make(const double* vertex, const int index[3])
{
    triangle t;
    for (int k = 0; k < 3; ++k) {
        const double* x = vertex + 3 * (size_t)index[k];
        t.corner[k] = v3(x[0], x[1], x[2]);
    }
    double longest2 = 0;
    for (int k = 0; k < 3; ++k) {
        t.edge[k] = v3_sub(t.corner[(k + 1) % 3], t.corner[k]);
        longest2 = lane_max(longest2, v3_dot(t.edge[k], t.edge[k]));
    }
    vec3 area = v3_cross(t.edge[0], t.edge[1]);
    double area2 = v3_dot(area, area);
    // Narrower than 2^-30 of its length the normal is mostly rounding, and the edges are near
    // enough.
    t.flat = !(area2 > 0x1p-60 * longest2 * longest2);
    t.normal = t.flat ? v3_zero() : v3_scale(1 / sqrt(area2), area);
    return t;
}

static inline vec3 triangle_middle(const triangle* t)
{
    return v3_scale(1.0 / 3, v3_add(t->corner[0], v3_add(t->corner[1], t->corner[2])));
}

// Its length is the area.
static inline vec3 triangle_area_vector(const triangle* t)
{
    return v3_scale(0.5, v3_cross(t->edge[0], t->edge[1]));
}

static inline double triangle_area(const triangle* t)
{
    vec3 area = triangle_area_vector(t);
    return sqrt(v3_dot(area, area));
}

// The point of a segment from `start` along `edge` that is nearest to another.
static inline vec3 segment_nearest(vec3 start, vec3 edge, vec3 point)
{
    double along = v3_dot(v3_sub(point, start), edge) * lane_inverse_or_zero(v3_dot(edge, edge));
    return v3_add_scaled(start, along < 0 ? 0 : along > 1 ? 1 : along, edge);
}

// Squared distance from the start of a segment `edge` plus `offset` to the segment.
static inline double segment_distance2(vec3 edge, vec3 offset)
{
    double along = v3_dot(offset, edge) * lane_inverse_or_zero(v3_dot(edge, edge));
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    vec3 rest = v3_add_scaled(offset, -along, edge);
    return v3_dot(rest, rest);
}

// The nearest point lies on an edge that has the point on its outer side, or else in the middle.
static inline double triangle_distance2(const triangle* t, vec3 point)
{
    double nearest = INFINITY;
    for (int k = 0; k < 3; ++k) {
        vec3 offset = v3_sub(point, t->corner[k]);
        vec3 inward = v3_cross(t->normal, t->edge[k]);
        if (!t->flat && v3_dot(inward, offset) >= 0) continue;
        nearest = lane_min(nearest, segment_distance2(t->edge[k], offset));
    }
    if (nearest < INFINITY) return nearest;
    double height = v3_dot(t->normal, v3_sub(point, t->corner[0]));
    return height * height;
}

// The point at that distance.
static inline vec3 triangle_nearest(const triangle* t, vec3 point)
{
    vec3 nearest = v3_add_scaled(point, -v3_dot(t->normal, v3_sub(point, t->corner[0])), t->normal);
    double least2 = INFINITY;
    for (int k = 0; k < 3; ++k) {
        vec3 inward = v3_cross(t->normal, t->edge[k]);
        if (!t->flat && v3_dot(inward, v3_sub(point, t->corner[k])) >= 0) continue;
        vec3 candidate = segment_nearest(t->corner[k], t->edge[k], point);
        vec3 way = v3_sub(candidate, point);
        if (v3_dot(way, way) < least2) least2 = v3_dot(way, way), nearest = candidate;
    }
    return nearest;
}
