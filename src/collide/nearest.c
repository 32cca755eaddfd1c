// Two stages. Every triangle visits the samples near it: those distances are exact. From there each
// sample passes its triangle on to its neighbors, in eight sweeps, one per octant of directions:
// the way from a surface point to a sample is a straight line, so it lies in one of them.
#define PRECISION_DOUBLE
#include "collide/nearest.h"
#include "collide/samples.h"
#include "geometry/triangle.h"

enum { BAND = 4 }; // [cells] around each triangle

typedef struct {
    const surface* surface;
    distance_field* field;
    int* nearest;
} search;

static size_t sample_index(const distance_field* f, int x, int y, int z)
{
    return (size_t)x + (size_t)f->count[0] * ((size_t)y + (size_t)f->count[1] * (size_t)z);
}

static vec3 sample_point(const distance_field* f, int x, int y, int z)
{
    return v3(x * f->cell, y * f->cell, z * f->cell);
}

static triangle triangle_at(const search* s, int index)
{
    return triangle_make(s->surface->vertex, s->surface->triangle + 3 * (size_t)index);
}

static void offer(const search* s, size_t sample, double distance, int index)
{
    float value = (float)distance;
    if (!(value < s->field->value[sample])) return;
    s->field->value[sample] = value;
    s->nearest[sample] = index;
}

// ---- near the triangles -------------------------------------------------------------------------

typedef struct {
    triangle shape;
    vec3 center;
    double radius; // [m] around the center
    int index;
} visitor;

static visitor visitor_make(const search* s, int index)
{
    visitor v = {.shape = triangle_at(s, index), .index = index};
    const vec3* corner = v.shape.corner;
    v.center = v3_scale(1.0 / 3, v3_add(v3_add(corner[0], corner[1]), corner[2]));
    double radius2 = 0;
    for (int k = 0; k < 3; ++k) {
        vec3 arm = v3_sub(corner[k], v.center);
        radius2 = lane_max(radius2, v3_dot(arm, arm));
    }
    v.radius = sqrt(radius2);
    return v;
}

// Most samples have seen a nearer triangle: the plane and the enclosing sphere tell it cheaply.
static void visit_sample(const search* s, const visitor* v, vec3 point, size_t sample)
{
    double best = s->field->value[sample];
    double height = v3_dot(v->shape.normal, v3_sub(point, v->shape.corner[0]));
    if (fabs(height) > best) return;
    vec3 arm = v3_sub(point, v->center);
    double reach = best + v->radius;
    if (v3_dot(arm, arm) > reach * reach) return;
    offer(s, sample, sqrt(triangle_distance2(&v->shape, point)), v->index);
}

static sample_range shared_by(sample_range a, sample_range b)
{
    if (b.first > a.first) a.first = b.first;
    if (b.last < a.last) a.last = b.last;
    return a;
}

// The part of a row of samples along x that is within the band of the triangle's plane. `start` is
// the row's first sample.
static sample_range near_plane(const visitor* v, const distance_field* f, vec3 start)
{
    double slope = v->shape.normal.x, band = BAND * f->cell;
    double height = v3_dot(v->shape.normal, v3_sub(start, v->shape.corner[0]));
    if (slope == 0) return (sample_range){0, fabs(height) <= band ? f->count[0] - 1 : -1};
    double a = (-band - height) / slope, b = (band - height) / slope;
    return samples_between(a < b ? a : b, a < b ? b : a, f->cell, f->count[0]);
}

// The same for the sphere around the triangle, which is what cuts rows short for small triangles.
static sample_range near_sphere(const visitor* v, const distance_field* f, vec3 start)
{
    double reach = BAND * f->cell + v->radius;
    double y = start.y - v->center.y, z = start.z - v->center.z;
    double half2 = reach * reach - y * y - z * z;
    if (half2 < 0) return (sample_range){0, -1};
    double half = sqrt(half2);
    return samples_between(v->center.x - half, v->center.x + half, f->cell, f->count[0]);
}

static void visit_row(const search* s, const visitor* v, int y, int z, sample_range range)
{
    const distance_field* f = s->field;
    vec3 start = sample_point(f, 0, y, z);
    range = shared_by(range, shared_by(near_plane(v, f, start), near_sphere(v, f, start)));
    size_t row = sample_index(f, 0, y, z);
    for (int x = range.first; x <= range.last; ++x)
        visit_sample(s, v, sample_point(f, x, y, z), row + (size_t)x);
}

static sample_range band_along(double a, double b, double c, double cell, int count)
{
    double low = lane_min(a, lane_min(b, c)), high = lane_max(a, lane_max(b, c));
    return samples_between(low - BAND * cell, high + BAND * cell, cell, count);
}

static void visit_band(const search* s, int index)
{
    const distance_field* f = s->field;
    visitor v = visitor_make(s, index);
    const vec3* c = v.shape.corner;
    sample_range x = band_along(c[0].x, c[1].x, c[2].x, f->cell, f->count[0]);
    sample_range y = band_along(c[0].y, c[1].y, c[2].y, f->cell, f->count[1]);
    sample_range z = band_along(c[0].z, c[1].z, c[2].z, f->cell, f->count[2]);
    for (int k = z.first; k <= z.last; ++k)
        for (int j = y.first; j <= y.last; ++j) visit_row(s, &v, j, k, x);
}

// ---- and on from there --------------------------------------------------------------------------

// One of eight directions of travel. Neighbors are where the sweep comes from: bits 0, 1 and 2 of
// their number say whether they are one step behind along x, y and z.
typedef struct {
    int step[3];               // 1 or -1
    ptrdiff_t neighbor[8];     // from a sample's index to that of its neighbor
    double neighbor_length[8]; // [m]
} sweep;

static sweep sweep_make(const distance_field* f, int octant)
{
    sweep w = {.step = {0}};
    ptrdiff_t stride[3] = {1, f->count[0], (ptrdiff_t)f->count[0] * f->count[1]};
    for (int k = 0; k < 3; ++k) w.step[k] = octant >> k & 1 ? -1 : 1;
    for (int n = 1; n < 8; ++n) {
        int steps = 0;
        for (int k = 0; k < 3; ++k) {
            if (!(n >> k & 1)) continue;
            w.neighbor[n] -= w.step[k] * stride[k];
            ++steps;
        }
        w.neighbor_length[n] = sqrt(steps) * f->cell;
    }
    return w;
}

// Of the 26 directions to neighbors one is within 28 degrees of the way to the surface, so the
// neighbor there is nearer to it by 0.88 of the step, less 0.05 for the turn of the way from sample
// to sample. Neighbors that are not have nothing to say.
static const double STEP_GAIN = 0.75;

// `behind` has the bits of the axes along which there is a sample behind this one.
static void ask_neighbors(const search* s, const sweep* w, vec3 point, size_t sample, int behind)
{
    for (int n = 1; n < 8; ++n) {
        if (n & ~behind) continue;
        size_t neighbor = (size_t)((ptrdiff_t)sample + w->neighbor[n]);
        int index = s->nearest[neighbor];
        double enough = s->field->value[sample] - STEP_GAIN * w->neighbor_length[n];
        if (index == s->nearest[sample] || !(s->field->value[neighbor] <= enough)) continue;
        triangle t = triangle_at(s, index);
        offer(s, sample, sqrt(triangle_distance2(&t, point)), index);
    }
}

static void sweep_row(const search* s, const sweep* w, int y, int z, int behind)
{
    const distance_field* f = s->field;
    double exact = BAND * f->cell;
    size_t row = sample_index(f, 0, y, z);
    for (int i = 0; i < f->count[0]; ++i) {
        int x = w->step[0] > 0 ? i : f->count[0] - 1 - i;
        size_t sample = row + (size_t)x;
        if (f->value[sample] <= exact) continue;
        ask_neighbors(s, w, sample_point(f, x, y, z), sample, behind | (i > 0));
    }
}

static void sweep_octant(const search* s, int octant)
{
    const distance_field* f = s->field;
    sweep w = sweep_make(f, octant);
    for (int k = 0; k < f->count[2]; ++k)
        for (int j = 0; j < f->count[1]; ++j) {
            int y = w.step[1] > 0 ? j : f->count[1] - 1 - j;
            int z = w.step[2] > 0 ? k : f->count[2] - 1 - k;
            sweep_row(s, &w, y, z, (j > 0) << 1 | (k > 0) << 2);
        }
}

void nearest_fill(const surface* s, distance_field* field, int* nearest)
{
    search all = {s, field, nearest};
    size_t samples = sample_index(field, 0, 0, field->count[2]);
    for (size_t i = 0; i < samples; ++i) {
        field->value[i] = INFINITY;
        nearest[i] = -1;
    }
    for (int t = 0; t < s->triangle_count; ++t) visit_band(&all, t);
    for (int octant = 0; octant < 8; ++octant) sweep_octant(&all, octant);
}
