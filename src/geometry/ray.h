// Rays against boxes, triangles and convex shapes, in double.
#pragma once
#ifndef PRECISION_DOUBLE
#error "rays are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/box_tree.h"

typedef struct {
    double origin[3];    // [m]
    double direction[3]; // of length 1
    double shear[2];     // that brings the direction onto its longest axis,
    int axis[3];         // which is the last of these
} ray;

// `direction` has a length; neither it nor the origin is beyond 1e100.
static inline ray ray_make(const double origin[3], const double direction[3])
{
    ray r;
    double most = 0, square = 0;
    int longest = 0;
    for (int k = 0; k < 3; ++k) {
        r.origin[k] = origin[k];
        if (fabs(direction[k]) > most) most = fabs(direction[k]), longest = k;
    }
    for (int k = 0; k < 3; ++k) { // squares of what is tiny would vanish
        r.direction[k] = direction[k] / most;
        square += r.direction[k] * r.direction[k];
    }
    for (int k = 0; k < 3; ++k) {
        r.direction[k] /= sqrt(square);
        r.axis[k] = (longest + 1 + k) % 3;
    }
    for (int k = 0; k < 2; ++k) r.shear[k] = r.direction[r.axis[k]] / r.direction[longest];
    return r;
}

static inline void ray_at(const ray* r, double distance, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = r->origin[k] + distance * r->direction[k];
}

// Where a line is inside of a convex shape [m]; it is nowhere where `enter` is above `leave`.
typedef struct {
    double enter, leave;
} ray_span;

static inline ray_span span_everywhere(void)
{
    ray_span s = {-INFINITY, INFINITY};
    return s;
}

// Between two parallel planes across an axis, on which the origin is at 0.
static inline ray_span span_slab(ray_span s, double low, double high, double direction)
{
    if (direction == 0) return low <= 0 && high >= 0 ? s : (ray_span){INFINITY, -INFINITY};
    double a = low / direction, b = high / direction;
    s.enter = fmax(s.enter, fmin(a, b));
    s.leave = fmin(s.leave, fmax(a, b));
    return s;
}

// The distance from which on a ray may be in a box; infinite where it passes by. A little too
// small, and the box a little too large, so that rounding hides nothing that is in it.
static inline double ray_meets_box(const ray* r, const tree_box* box)
{
    const double low[3] = {box->low.x, box->low.y, box->low.z},
                 high[3] = {box->high.x, box->high.y, box->high.z};
    double size = 0;
    for (int k = 0; k < 3; ++k)
        size = fmax(size, fmax(fabs(low[k] - r->origin[k]), fabs(high[k] - r->origin[k])));
    if (!(size < INFINITY)) return INFINITY; // there is nothing in the box
    double margin = 0x1p-44 * size;
    ray_span s = span_everywhere();
    for (int k = 0; k < 3; ++k)
        s = span_slab(s, low[k] - r->origin[k] - margin, high[k] - r->origin[k] + margin,
                      r->direction[k]);
    return s.enter <= s.leave + margin && s.leave >= 0 ? fmax(s.enter - margin, 0) : INFINITY;
}

// Distance to a triangle, from either side, and the shares of its corners; infinite where the ray
// passes by. It never passes between triangles that have an edge in common: both see the same
// numbers there (Woop, Benthin and Wald 2013).
static inline double ray_meets_triangle(const ray* r, const double* const corner[3],
                                        double share[3])
{
    double x[3], y[3], z[3];
    for (int i = 0; i < 3; ++i) {
        double from[3];
        for (int k = 0; k < 3; ++k) from[k] = corner[i][k] - r->origin[k];
        z[i] = from[r->axis[2]];
        x[i] = from[r->axis[0]] - r->shear[0] * z[i];
        y[i] = from[r->axis[1]] - r->shear[1] * z[i];
    }
    double sum = 0, along = 0;
    bool below = false, above = false;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        share[i] = x[k] * y[j] - y[k] * x[j];
        below = below || share[i] < 0;
        above = above || share[i] > 0;
        sum += share[i];
        along += share[i] * z[i];
    }
    if ((below && above) || sum == 0) return INFINITY;
    for (int i = 0; i < 3; ++i) share[i] /= sum;
    double distance = along / sum / r->direction[r->axis[2]];
    return distance >= 0 ? distance : INFINITY;
}

// ---- round shapes -------------------------------------------------------------------------------

static inline vec3 ray_origin_from(const ray* r, const double middle[3])
{
    return v3(r->origin[0] - middle[0], r->origin[1] - middle[1], r->origin[2] - middle[2]);
}

static inline ray_span span_none(void)
{
    ray_span s = {INFINITY, -INFINITY};
    return s;
}

// Around the point of the line that is nearest to the middle, whose distance from it is `off`.
static inline ray_span span_around(double nearest, double off2, double radius, double speed2)
{
    double rest = radius * radius - off2;
    if (rest < 0) return span_none();
    double half = sqrt(rest / speed2);
    ray_span s = {nearest - half, nearest + half};
    return s;
}

static inline ray_span span_ball(const ray* r, const double center[3], double radius)
{
    vec3 d = v3(r->direction[0], r->direction[1], r->direction[2]);
    vec3 from = ray_origin_from(r, center);
    double nearest = -v3_dot(from, d);
    vec3 off = v3_add_scaled(from, nearest, d);
    return span_around(nearest, v3_dot(off, off), radius, 1);
}

// Between the two ends of a cylinder.
static inline ray_span span_cylinder(const ray* r, const double a[3], vec3 axis, double radius)
{
    vec3 d = v3(r->direction[0], r->direction[1], r->direction[2]), from = ray_origin_from(r, a);
    double length2 = v3_dot(axis, axis);
    if (!(length2 > 0)) return span_none();
    vec3 across = v3_add_scaled(d, -v3_dot(d, axis) / length2, axis);
    vec3 off = v3_add_scaled(from, -v3_dot(from, axis) / length2, axis);
    double speed2 = v3_dot(across, across);
    ray_span s = v3_dot(off, off) <= radius * radius ? span_everywhere() : span_none();
    if (speed2 > 1e-30) { // else it goes along the axis
        double nearest = -v3_dot(off, across) / speed2;
        vec3 least = v3_add_scaled(off, nearest, across);
        s = span_around(nearest, v3_dot(least, least), radius, speed2);
    }
    double start = v3_dot(from, axis);
    return span_slab(s, -start, length2 - start, v3_dot(d, axis));
}

// A capsule is what its ends and what is between them are together, and convex.
static inline ray_span span_capsule(const ray* r, const double a[3], const double b[3],
                                    double radius)
{
    const ray_span part[3] = {
        span_ball(r, a, radius), span_ball(r, b, radius),
        span_cylinder(r, a, v3(b[0] - a[0], b[1] - a[1], b[2] - a[2]), radius)};
    ray_span s = span_none();
    for (int i = 0; i < 3; ++i) {
        if (!(part[i].enter <= part[i].leave)) continue;
        s.enter = fmin(s.enter, part[i].enter);
        s.leave = fmax(s.leave, part[i].leave);
    }
    return s;
}

// Where a ray meets the surface: from outside, or from inside where it starts there.
static inline double span_meets(ray_span s)
{
    if (!(s.enter <= s.leave)) return INFINITY;
    double distance = s.enter >= 0 ? s.enter : s.leave;
    return distance >= 0 ? distance + 0.0 : INFINITY;
}
