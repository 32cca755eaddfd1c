// Signed distance and normal of the shapes, in the solver's precision. Points are local: relative
// to the shape's position, in its axes.
#pragma once
#include "collide/collider.h"
#include "collide/field.h"
#include "collide/hull.h"
#include "collide/net_build.h"
#include "math/vec3.h"

typedef struct {
    scalar distance; // [m] negative inside
    vec3 normal;     // unit, outward
} probe;

// A collider, and what it is made of where numbers are not enough.
typedef struct {
    pliant_shape shape;
    double position[3];         // [m]
    vec3 axis[3];               // the local axes in the world
    scalar half[3];             // [m] box
    scalar radius, half_height; // [m] sphere, capsule
    // Of a field the samples along x, y, z; of a hull its planes, its triangles and its faces; of a
    // net its nodes, its triangles, and whether they have two sides.
    int count[3];
    scalar origin[3], cell; // [m] of a field first sample, distance of samples; of a net half of
                            // its thickness
    const void* data;       // of a field [m], of a hull (hull.h), of a net (net.h)
} probe_shape;

INLINE void probe_shape_fill(const collider* c, probe_shape* s)
{
    if (c->shape == PLIANT_SHAPE_MESH) {
        for (int k = 0; k < 3; ++k) {
            s->count[k] = c->field->count[k];
            s->origin[k] = (scalar)c->field->origin[k];
        }
        s->cell = (scalar)c->field->cell;
        s->data = c->field->value;
    } else if (c->shape == PLIANT_SHAPE_CONVEX) {
        s->count[0] = c->hull->plane_count;
        s->count[1] = c->hull->triangle_count;
        s->count[2] = c->hull->face_count;
        s->data = c->hull->data;
    } else if (c->shape == PLIANT_SHAPE_TRIANGLES) {
        s->count[0] = c->net->node_count;
        s->count[1] = c->net->triangle_count;
        s->count[2] = c->two_sided;
        s->cell = (scalar)(c->thickness / 2);
        s->data = c->net->data;
    }
}

INLINE probe_shape probe_shape_of(const collider* c)
{
    probe_shape s;
    memset(&s, 0, sizeof s);
    s.shape = c->shape;
    s.radius = (scalar)c->radius;
    s.half_height = (scalar)c->half_height;
    for (int k = 0; k < 3; ++k) {
        s.position[k] = c->position[k];
        s.axis[k] = v3((scalar)c->axis[k][0], (scalar)c->axis[k][1], (scalar)c->axis[k][2]);
        s.half[k] = (scalar)c->half_extents[k];
    }
    probe_shape_fill(c, &s);
    return s;
}

// All of it in double: what is left of two large numbers is a depth, which for short substeps is
// smaller than single precision would have it.
typedef struct {
    double distance;
    double normal[3];
} local_probe;

// Away from a center, with a direction even at the center itself.
INLINE local_probe probe_center(double x, double y, double z, double radius)
{
    double length = sqrt(x * x + y * y + z * z);
    local_probe out = {length - radius, {0, 1, 0}};
    if (length > 0)
        out.normal[0] = x / length, out.normal[1] = y / length, out.normal[2] = z / length;
    return out;
}

INLINE local_probe probe_capsule(const double p[3], double radius, double half_height)
{
    double y = p[1] < -half_height ? -half_height : p[1] > half_height ? half_height : p[1];
    return probe_center(p[0], p[1] - y, p[2], radius);
}

// Inside, the nearest face; outside, the nearest point of the box.
INLINE local_probe probe_box(const double at[3], const scalar half[3])
{
    double beyond[3], square = 0;
    int nearest = 0;
    for (int k = 0; k < 3; ++k) {
        beyond[k] = (at[k] < 0 ? -at[k] : at[k]) - (double)half[k];
        if (beyond[k] > 0) square += beyond[k] * beyond[k];
        if (beyond[k] > beyond[nearest]) nearest = k;
    }
    local_probe out = {beyond[nearest], {0, 0, 0}};
    if (square > 0) {
        out.distance = sqrt(square);
        for (int k = 0; k < 3; ++k)
            if (beyond[k] > 0) out.normal[k] = (at[k] < 0 ? -beyond[k] : beyond[k]) / out.distance;
    } else {
        out.normal[nearest] = at[nearest] < 0 ? -1 : 1;
    }
    return out;
}

// Where a coordinate falls in the samples: the lower sample, the fraction, and how far outside.
INLINE int field_cell(const probe_shape* f, int axis, double p, double* fraction, double* outside)
{
    double at = (p - (double)f->origin[axis]) / (double)f->cell, last = f->count[axis] - 1;
    double inside = at > 0 ? (at > last ? last : at) : 0; // what is no number, too
    int cell = (int)inside;
    if (cell > f->count[axis] - 2) cell = f->count[axis] - 2;
    *fraction = inside - cell;
    *outside = (at - inside) * (double)f->cell;
    return cell;
}

INLINE double mix(double a, double b, double t) { return a + t * (b - a); }

// Trilinear between the eight samples around the point. Beyond the samples the distance grows by
// the distance to them, which is never less than a cell from the surface.
INLINE local_probe probe_field(const probe_shape* f, const double p[3])
{
    double t[3], out[3];
    int i = field_cell(f, 0, p[0], &t[0], &out[0]), j = field_cell(f, 1, p[1], &t[1], &out[1]);
    int k = field_cell(f, 2, p[2], &t[2], &out[2]);
    size_t row = (size_t)f->count[0], layer = row * (size_t)f->count[1];
    const float* at = (const float*)f->data + (size_t)i + row * (size_t)j + layer * (size_t)k;
    double v[8]; // of the corners: x, then y, then z
    for (int c = 0; c < 8; ++c)
        v[c] = (double)at[(size_t)(c & 1) + (c & 2 ? row : 0) + (c & 4 ? layer : 0)];
    double x00 = mix(v[0], v[1], t[0]), x10 = mix(v[2], v[3], t[0]);
    double x01 = mix(v[4], v[5], t[0]), x11 = mix(v[6], v[7], t[0]);
    double y0 = mix(x00, x10, t[1]), y1 = mix(x01, x11, t[1]);
    double dx0 = mix(v[1] - v[0], v[3] - v[2], t[1]), dx1 = mix(v[5] - v[4], v[7] - v[6], t[1]);
    local_probe along =
        probe_center(mix(dx0, dx1, t[2]), mix(x10 - x00, x11 - x01, t[2]), y1 - y0, 0);
    along.distance = mix(y0, y1, t[2]) + sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    return along;
}

// ---- hulls --------------------------------------------------------------------------------------

typedef struct {
    double height; // [m]
    int number;
} hull_plane;

INLINE double hull_height(const double* plane, int count, int i, const double p[3])
{
    return (plane[i] * p[0] + plane[count + i] * p[1]) +
           (plane[2 * count + i] * p[2] - plane[3 * count + i]);
}

#ifdef __CUDACC__
INLINE double highest_of(const double* plane, int count, const double p[3])
{
    double most = -INFINITY;
    for (int i = 0; i < count; ++i) {
        double height = hull_height(plane, count, i, p);
        if (height > most) most = height;
    }
    return most;
}
#else
// Two vectors of two: as wide as every processor has them.
typedef double hull_pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long hull_mask __attribute__((vector_size(16)));

INLINE hull_pair higher_pair(hull_pair a, hull_pair b)
{
    hull_mask higher = a > b;
    return (hull_pair)((higher & (hull_mask)a) | (~higher & (hull_mask)b));
}

INLINE hull_pair pair_of_heights(const double* plane, int count, int i, const double p[3])
{
    const hull_pair *x = (const hull_pair*)(plane + i), *y = (const hull_pair*)(plane + count + i),
                    *z = (const hull_pair*)(plane + 2 * count + i),
                    *up = (const hull_pair*)(plane + 3 * count + i);
    return (*x * p[0] + *y * p[1]) + (*z * p[2] - *up);
}

INLINE double highest_of(const double* plane, int count, const double p[3])
{
    hull_pair most = (hull_pair){0} - INFINITY, other = most;
    for (int i = 0; i < count; i += HULL_LANES) {
        most = higher_pair(pair_of_heights(plane, count, i, p), most);
        other = higher_pair(pair_of_heights(plane, count, i + 2, p), other);
    }
    most = higher_pair(most, other);
    return most[0] > most[1] ? most[0] : most[1];
}
#endif

// The plane that the point is above the most, or below the least; the first of several.
INLINE hull_plane hull_top(const probe_shape* s, const double p[3])
{
    const double* plane = (const double*)s->data;
    hull_plane top = {highest_of(plane, s->count[0], p), 0};
    while (top.number + 1 < s->count[2] &&
           hull_height(plane, s->count[0], top.number, p) != top.height)
        top.number++;
    return top;
}

// Looks at the triangles of a face; true when the point is above one of them.
INLINE bool look_at_face(const probe_shape* s, int face, const double p[3], double* least,
                         double nearest[3])
{
    const facet* f = hull_facets(s->data, s->count[0]);
    const int* first = hull_firsts(s->data, s->count[0], s->count[1]);
    for (int i = first[face]; i < first[face + 1]; ++i) {
        double at[3];
        bool inside;
        double square = facet_nearest(&f[i], p, at, &inside);
        if (inside) return true;
        if (!(square < *least)) continue;
        *least = square;
        for (int k = 0; k < 3; ++k) nearest[k] = at[k];
    }
    return false;
}

// Inside, the nearest face. Outside, the nearest place is on a face that the point is above; it is
// that of the highest plane, if the point is above the face itself. A distance of `enough` or more
// is no less than that, but not exact.
FUNCTION local_probe probe_hull(const probe_shape* s, const double p[3], double enough)
{
    const double* plane = (const double*)s->data;
    const int count = s->count[0];
    hull_plane top = hull_top(s, p);
    local_probe out = {top.height > -INFINITY ? top.height : NAN, {0, 0, 0}}; // p is no number
    for (int k = 0; k < 3; ++k) out.normal[k] = plane[k * count + top.number];
    if (!(top.height > 0) || top.height >= enough) return out;
    double least = INFINITY, nearest[3] = {0, 0, 0};
    if (look_at_face(s, top.number, p, &least, nearest)) return out;
    for (int i = 0; i < s->count[2]; ++i) {
        double height = hull_height(plane, count, i, p);
        if (i != top.number && height > 0 && height * height < least)
            look_at_face(s, i, p, &least, nearest);
    }
    double apart = sqrt(least), size = fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
    if (!(apart > 0x1p-44 * size)) return out; // on the surface
    out.distance = apart;
    for (int k = 0; k < 3; ++k) out.normal[k] = (p[k] - nearest[k]) / apart;
    return out;
}

// ---- nets ---------------------------------------------------------------------------------------

INLINE net_view net_of(const probe_shape* s)
{
    return net_view_of(s->data, s->count[0], !s->count[2]);
}

// Nothing is inside of a net: away from the nearest triangle.
FUNCTION local_probe probe_net(const probe_shape* s, const double p[3], double enough)
{
    net_view v = net_of(s);
    net_hit hit;
    v.one_sided = false;
    double half = (double)s->cell;
    local_probe out = {enough, {0, 1, 0}};
    if (!net_nearest(&v, p, p, enough + half, &hit)) return out;
    out.distance = hit.distance - half;
    for (int k = 0; k < 3; ++k) out.normal[k] = hit.normal[k];
    return out;
}

// ---- any shape ----------------------------------------------------------------------------------

// Shapes that a few numbers or a field describe.
INLINE local_probe probe_simple(const probe_shape* s, const double p[3])
{
    local_probe plane = {p[1], {0, 1, 0}};
    switch (s->shape) {
    case PLIANT_SHAPE_BOX:
        return probe_box(p, s->half);
    case PLIANT_SHAPE_SPHERE:
        return probe_center(p[0], p[1], p[2], (double)s->radius);
    case PLIANT_SHAPE_CAPSULE:
        return probe_capsule(p, (double)s->radius, (double)s->half_height);
    case PLIANT_SHAPE_MESH:
        return probe_field(s, p);
    case PLIANT_SHAPE_PLANE:
    case PLIANT_SHAPE_CONVEX:
    case PLIANT_SHAPE_TRIANGLES:
        break;
    }
    return plane;
}

// Distances of `enough` [m] or more need not be exact: they are that at least.
INLINE local_probe probe_local(const probe_shape* s, const double p[3], double enough)
{
    if (s->shape == PLIANT_SHAPE_CONVEX) return probe_hull(s, p, enough);
    if (s->shape == PLIANT_SHAPE_TRIANGLES) return probe_net(s, p, enough);
    return probe_simple(s, p);
}

// The same for a point relative to the shape's position, in the axes of the world. `simple`: it is
// a simple shape, which spares kernels the code of the others.
INLINE probe probe_world(const probe_shape* s, const double p[3], double enough, bool simple)
{
    const vec3* axis = s->axis;
    double local[3];
    for (int k = 0; k < 3; ++k)
        local[k] = (double)axis[k].x * p[0] + (double)axis[k].y * p[1] + (double)axis[k].z * p[2];
    local_probe at = simple ? probe_simple(s, local) : probe_local(s, local, enough);
    vec3 n = v3_scale((scalar)at.normal[0], axis[0]);
    n = v3_add_scaled(n, (scalar)at.normal[1], axis[1]);
    probe out = {(scalar)at.distance, v3_add_scaled(n, (scalar)at.normal[2], axis[2])};
    return out;
}
