#include "collide/collider.h"
#include "collide/field.h"
#include "collide/hull.h"
#include "collide/net_build.h"
#include <math.h>
#include <string.h>

static void copy_box(const double low[3], const double high[3], double room, double out_low[3],
                     double out_high[3])
{
    for (int k = 0; k < 3; ++k) {
        out_low[k] = low[k] - room;
        out_high[k] = high[k] + room;
    }
}

// The box of a field's surface: samples begin some cells before it and end as many behind it.
static void field_box(const distance_field* f, double out_low[3], double out_high[3])
{
    for (int k = 0; k < 3; ++k) {
        double half = f->cell * (f->count[k] - 7) / 2,
               middle = f->origin[k] + f->cell * (f->count[k] - 1) / 2;
        out_low[k] = middle - half;
        out_high[k] = middle + half;
    }
}

void collider_box(const collider* c, double out_low[3], double out_high[3])
{
    double half[3] = {INFINITY, INFINITY, INFINITY};
    switch (c->shape) {
    case PLIANT_SHAPE_PLANE:
        break;
    case PLIANT_SHAPE_BOX:
        memcpy(half, c->half_extents, sizeof half);
        break;
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        half[0] = half[2] = c->radius;
        half[1] = c->radius + (c->shape == PLIANT_SHAPE_CAPSULE ? c->half_height : 0);
        break;
    case PLIANT_SHAPE_MESH:
        field_box(c->field, out_low, out_high);
        return;
    case PLIANT_SHAPE_CONVEX:
        copy_box(c->hull->low, c->hull->high, 0, out_low, out_high);
        return;
    case PLIANT_SHAPE_TRIANGLES:
        copy_box(c->net->low, c->net->high, c->thickness / 2, out_low, out_high);
        return;
    }
    for (int k = 0; k < 3; ++k) out_low[k] = -half[k], out_high[k] = half[k];
}

const void* collider_data(const collider* c, size_t* out_bytes)
{
    const distance_field* f = c->field;
    *out_bytes = 0;
    switch (c->shape) {
    case PLIANT_SHAPE_MESH:
        *out_bytes =
            (size_t)f->count[0] * (size_t)f->count[1] * (size_t)f->count[2] * sizeof(float);
        return f->value;
    case PLIANT_SHAPE_CONVEX:
        *out_bytes = c->hull->bytes;
        return c->hull->data;
    case PLIANT_SHAPE_TRIANGLES:
        *out_bytes = c->net->bytes;
        return c->net->data;
    case PLIANT_SHAPE_PLANE:
    case PLIANT_SHAPE_BOX:
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        break;
    }
    return NULL;
}

static double farthest(const double* corner, int count)
{
    double most = 0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, dot3(corner + 3 * (size_t)i, corner + 3 * (size_t)i));
    return sqrt(most);
}

double collider_reach(const collider* c)
{
    double square = 0;
    switch (c->shape) {
    case PLIANT_SHAPE_BOX:
        for (int k = 0; k < 3; ++k) square += c->half_extents[k] * c->half_extents[k];
        return sqrt(square);
    case PLIANT_SHAPE_SPHERE:
        return c->radius;
    case PLIANT_SHAPE_CAPSULE:
        return c->radius + c->half_height;
    case PLIANT_SHAPE_CONVEX:
        return farthest(c->hull->corner, c->hull->corner_count);
    case PLIANT_SHAPE_TRIANGLES:
        return farthest(c->net->corner, c->net->corner_count) + c->thickness / 2;
    case PLIANT_SHAPE_MESH:
        for (int k = 0; k < 3; ++k) {
            double low = c->field->origin[k],
                   high = low + c->field->cell * (c->field->count[k] - 1);
            double most = fmax(fabs(low), fabs(high));
            square += most * most;
        }
        return sqrt(square);
    case PLIANT_SHAPE_PLANE:
        break;
    }
    return INFINITY;
}

// [m] Radius of the largest ball inside of a field's surface, to a cell.
static double inner_radius(const distance_field* f)
{
    size_t count = (size_t)f->count[0] * (size_t)f->count[1] * (size_t)f->count[2];
    float least = 0; // gcc 12 for aarch64 fails on a double, which it widens in the loop
    for (size_t i = 0; i < count; ++i) least = fminf(least, f->value[i]);
    return -(double)least;
}

double collider_thin(const collider* c)
{
    const double* half = c->half_extents;
    switch (c->shape) {
    case PLIANT_SHAPE_PLANE:
        break;
    case PLIANT_SHAPE_BOX:
        return fmin(half[0], fmin(half[1], half[2]));
    case PLIANT_SHAPE_SPHERE:
    case PLIANT_SHAPE_CAPSULE:
        return c->radius;
    case PLIANT_SHAPE_MESH:
        return inner_radius(c->field);
    case PLIANT_SHAPE_CONVEX:
        return c->hull->thin;
    case PLIANT_SHAPE_TRIANGLES:
        return c->thickness / 2;
    }
    return INFINITY;
}

double collider_slim(const collider* c)
{
    const double* half = c->half_extents;
    if (c->shape == PLIANT_SHAPE_CONVEX) return c->hull->slim;
    if (c->shape != PLIANT_SHAPE_BOX) return collider_thin(c);
    // The middle one.
    double low = fmin(half[0], half[1]), high = fmax(half[0], half[1]);
    return fmax(low, fmin(high, half[2]));
}

// Whether the nearest point of the box is above the plane.
static bool is_above(const collider* c, const double low[3], const double high[3], double epsilon)
{
    double height = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
        double n = c->axis[1][k], away = (n > 0 ? low[k] : high[k]) - c->position[k];
        height += n * away;
        size += fmax(fabs(low[k] - c->position[k]), fabs(high[k] - c->position[k]));
    }
    return height > 8 * epsilon * size;
}

bool collider_is_far(const collider* c, const double low[3], const double high[3], double epsilon)
{
    if (c->shape == PLIANT_SHAPE_PLANE) return is_above(c, low, high, epsilon);
    double square = 0, reach = c->reach * (1 + 8 * epsilon);
    for (int k = 0; k < 3; ++k) {
        double at = c->position[k], beyond = fmax(fmax(low[k] - at, at - high[k]), 0);
        square += beyond * beyond;
    }
    return square > reach * reach;
}
