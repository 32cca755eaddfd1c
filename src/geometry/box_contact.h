// What touches a box along the axes. Touching is enough.
#pragma once
#ifndef PRECISION_DOUBLE
#error "boxes are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/box_tree.h"

static inline bool box_holds(const tree_box* b, vec3 p)
{
    return box_distance2(b->low, b->high, p) == 0;
}

static inline double signed_outside(double x, double low, double high)
{
    return x < low ? x - low : x > high ? x - high : 0;
}

// How fast the squared distance of a point from the box grows as it goes, by half.
static inline double leaving(const tree_box* b, vec3 p, vec3 along)
{
    return along.x * signed_outside(p.x, b->low.x, b->high.x) +
           along.y * signed_outside(p.y, b->low.y, b->high.y) +
           along.z * signed_outside(p.z, b->low.z, b->high.z);
}

// Squared distance from a segment to the box: the distance falls along it, and then grows.
static inline double box_segment_distance2(const tree_box* b, vec3 start, vec3 end)
{
    vec3 along = v3_sub(end, start);
    double low = 0, high = 1;
    if (leaving(b, start, along) >= 0) high = 0;
    if (leaving(b, end, along) <= 0) low = 1;
    for (int i = 0; i < 60 && low < high; ++i) {
        double middle = 0.5 * (low + high);
        if (leaving(b, v3_add_scaled(start, middle, along), along) < 0)
            low = middle;
        else
            high = middle;
    }
    return box_distance2(b->low, b->high, v3_add_scaled(start, low < high ? low : high, along));
}

// ---- convex shapes are apart when an axis tells -------------------------------------------------

static inline double box_reach(vec3 half, vec3 axis)
{
    return half.x * fabs(axis.x) + half.y * fabs(axis.y) + half.z * fabs(axis.z);
}

static inline bool axis_parts_triangle(vec3 half, const vec3 corner[3], vec3 axis)
{
    double reach = box_reach(half, axis), low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        double at = v3_dot(corner[i], axis);
        low = fmin(low, at), high = fmax(high, at);
    }
    return low > reach || high < -reach;
}

static inline bool box_meets_triangle(const tree_box* b, const vec3 place[3])
{
    const vec3 unit[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    vec3 middle = v3_scale(0.5, v3_add(b->low, b->high));
    vec3 half = v3_scale(0.5, v3_sub(b->high, b->low)), corner[3], edge[3];
    for (int i = 0; i < 3; ++i) corner[i] = v3_sub(place[i], middle);
    for (int i = 0; i < 3; ++i) edge[i] = v3_sub(corner[(i + 1) % 3], corner[i]);
    for (int k = 0; k < 3; ++k)
        if (axis_parts_triangle(half, corner, unit[k])) return false;
    if (axis_parts_triangle(half, corner, v3_cross(edge[0], edge[1]))) return false;
    for (int i = 0; i < 9; ++i)
        if (axis_parts_triangle(half, corner, v3_cross(edge[i / 3], unit[i % 3]))) return false;
    return true;
}

// Another box, with axes of its own.
typedef struct {
    vec3 center, axis[3]; // [m], of length 1
    double half[3];       // [m]
} turned_box;

static inline bool axis_parts_box(vec3 half, const turned_box* other, vec3 from, vec3 axis)
{
    double reach = box_reach(half, axis);
    for (int k = 0; k < 3; ++k) reach += other->half[k] * fabs(v3_dot(other->axis[k], axis));
    return fabs(v3_dot(from, axis)) > reach;
}

static inline bool box_meets_turned_box(const tree_box* b, const turned_box* other)
{
    const vec3 unit[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    vec3 half = v3_scale(0.5, v3_sub(b->high, b->low));
    vec3 from = v3_sub(other->center, v3_scale(0.5, v3_add(b->low, b->high)));
    for (int k = 0; k < 3; ++k)
        if (axis_parts_box(half, other, from, unit[k]) ||
            axis_parts_box(half, other, from, other->axis[k]))
            return false;
    for (int i = 0; i < 9; ++i) {
        vec3 across = v3_cross(unit[i / 3], other->axis[i % 3]);
        bool parallel = v3_dot(across, across) < 1e-20; // then faces have told
        if (!parallel && axis_parts_box(half, other, from, across)) return false;
    }
    return true;
}
