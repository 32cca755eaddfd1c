#include "collide/collider.h"
#include "collide/field.h"
#include <math.h>

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
    if (c->shape == PLIANT_SHAPE_PLANE) return INFINITY;
    if (c->shape == PLIANT_SHAPE_BOX) return fmin(half[0], fmin(half[1], half[2]));
    return c->shape == PLIANT_SHAPE_MESH ? inner_radius(c->field) : c->radius;
}

double collider_slim(const collider* c)
{
    const double* half = c->half_extents;
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
