// Signed distance and normal of the shapes, in the solver's precision. Points are local: relative
// to the shape's position, in its axes.
#pragma once
#include "collide/collider.h"
#include "collide/field.h"
#include "math/vec3.h"

typedef struct {
    scalar distance; // [m] negative inside
    vec3 normal;     // unit, outward
} probe;

// A collider, and the samples of its field where it has one.
typedef struct {
    pliant_shape shape;
    double position[3];         // [m]
    vec3 axis[3];               // the local axes in the world
    scalar half[3];             // [m] box
    scalar radius, half_height; // [m] sphere, capsule
    int count[3];               // samples along x, y, z
    scalar origin[3], cell;     // [m] first sample, distance of samples
    const float* value;         // [m]
} probe_shape;

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
        if (!c->field) continue;
        s.count[k] = c->field->count[k];
        s.origin[k] = (scalar)c->field->origin[k];
        s.cell = (scalar)c->field->cell;
        s.value = c->field->value;
    }
    return s;
}

// Away from a center, with a direction even at the center itself.
INLINE probe probe_center(vec3 p, scalar radius)
{
    scalar length = lane_sqrt(v3_dot(p, p));
    probe out = {length - radius, length > 0 ? v3_scale(1 / length, p) : v3(0, 1, 0)};
    return out;
}

INLINE probe probe_capsule(vec3 p, scalar radius, scalar half_height)
{
    scalar y = p.y < -half_height ? -half_height : p.y > half_height ? half_height : p.y;
    return probe_center(v3(p.x, p.y - y, p.z), radius);
}

// Inside, the nearest face; outside, the nearest point of the box.
INLINE probe probe_box(vec3 p, const scalar half[3])
{
    const scalar at[3] = {p.x, p.y, p.z};
    scalar beyond[3], square = 0;
    int nearest = 0;
    for (int k = 0; k < 3; ++k) {
        beyond[k] = (at[k] < 0 ? -at[k] : at[k]) - half[k];
        if (beyond[k] > 0) square += beyond[k] * beyond[k];
        if (beyond[k] > beyond[nearest]) nearest = k;
    }
    scalar normal[3] = {0, 0, 0}, away = beyond[nearest];
    if (square > 0) {
        away = lane_sqrt(square);
        for (int k = 0; k < 3; ++k)
            if (beyond[k] > 0) normal[k] = (at[k] < 0 ? -beyond[k] : beyond[k]) / away;
    } else {
        normal[nearest] = at[nearest] < 0 ? -1 : 1;
    }
    probe out = {away, v3(normal[0], normal[1], normal[2])};
    return out;
}

// Where a coordinate falls in the samples: the lower sample, the fraction, and how far outside.
INLINE int field_cell(const probe_shape* f, int axis, scalar p, scalar* fraction, scalar* outside)
{
    scalar at = (p - f->origin[axis]) / f->cell, last = (scalar)(f->count[axis] - 1);
    scalar inside = at > 0 ? (at > last ? last : at) : 0; // what is no number, too
    int cell = (int)inside;
    if (cell > f->count[axis] - 2) cell = f->count[axis] - 2;
    *fraction = inside - (scalar)cell;
    *outside = (at - inside) * f->cell;
    return cell;
}

INLINE scalar mix(scalar a, scalar b, scalar t) { return a + t * (b - a); }

// Trilinear between the eight samples around the point. Beyond the samples the distance grows by
// the distance to them, which is never less than a cell from the surface.
INLINE probe probe_field(const probe_shape* f, vec3 p)
{
    scalar t[3], out[3];
    int i = field_cell(f, 0, p.x, &t[0], &out[0]), j = field_cell(f, 1, p.y, &t[1], &out[1]);
    int k = field_cell(f, 2, p.z, &t[2], &out[2]);
    size_t row = (size_t)f->count[0], layer = row * (size_t)f->count[1];
    const float* v = f->value + (size_t)i + row * (size_t)j + layer * (size_t)k;
    scalar x00 = mix(v[0], v[1], t[0]), x10 = mix(v[row], v[row + 1], t[0]);
    scalar x01 = mix(v[layer], v[layer + 1], t[0]);
    scalar x11 = mix(v[layer + row], v[layer + row + 1], t[0]);
    scalar y0 = mix(x00, x10, t[1]), y1 = mix(x01, x11, t[1]);
    scalar dx0 = mix(v[1] - v[0], v[row + 1] - v[row], t[1]);
    scalar dx1 = mix(v[layer + 1] - v[layer], v[layer + row + 1] - v[layer + row], t[1]);
    vec3 slope = v3(mix(dx0, dx1, t[2]), mix(x10 - x00, x11 - x01, t[2]), y1 - y0);
    probe direction = probe_center(slope, 0);
    direction.distance =
        mix(y0, y1, t[2]) + lane_sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    return direction;
}

INLINE probe probe_local(const probe_shape* s, vec3 p)
{
    probe plane = {p.y, v3(0, 1, 0)};
    switch (s->shape) {
    case PLIANT_BOX:
        return probe_box(p, s->half);
    case PLIANT_SPHERE:
        return probe_center(p, s->radius);
    case PLIANT_CAPSULE:
        return probe_capsule(p, s->radius, s->half_height);
    case PLIANT_MESH:
        return probe_field(s, p);
    case PLIANT_PLANE:
        break;
    }
    return plane;
}

// The same for a point relative to the shape's position, in the axes of the world.
INLINE probe probe_world(const probe_shape* s, vec3 p)
{
    const vec3* axis = s->axis;
    probe out = probe_local(s, v3(v3_dot(axis[0], p), v3_dot(axis[1], p), v3_dot(axis[2], p)));
    vec3 n = v3_scale(out.normal.x, axis[0]);
    out.normal = v3_add_scaled(v3_add_scaled(n, out.normal.y, axis[1]), out.normal.z, axis[2]);
    return out;
}
