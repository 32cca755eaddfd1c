#include "collide/collider.h"
#include "collide/field.h"
#include <math.h>

double collider_reach(const collider* c)
{
    double square = 0;
    switch (c->shape) {
    case PLIANT_BOX:
        for (int k = 0; k < 3; ++k) square += c->half_extents[k] * c->half_extents[k];
        return sqrt(square);
    case PLIANT_SPHERE:
        return c->radius;
    case PLIANT_CAPSULE:
        return c->radius + c->half_height;
    case PLIANT_MESH:
        for (int k = 0; k < 3; ++k) {
            double low = c->field->origin[k],
                   high = low + c->field->cell * (c->field->count[k] - 1);
            double most = fmax(fabs(low), fabs(high));
            square += most * most;
        }
        return sqrt(square);
    case PLIANT_PLANE:
        break;
    }
    return INFINITY;
}

// How far the nearest point of the box is above the plane.
static double height_of_box(const collider* c, const double low[3], const double high[3])
{
    double height = 0;
    for (int k = 0; k < 3; ++k) {
        double n = c->axis[1][k];
        height += n * ((n > 0 ? low[k] : high[k]) - c->position[k]);
    }
    return height;
}

bool collider_is_far(const collider* c, const double low[3], const double high[3])
{
    if (c->shape == PLIANT_PLANE) return height_of_box(c, low, high) > 0;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double at = c->position[k], beyond = fmax(fmax(low[k] - at, at - high[k]), 0);
        square += beyond * beyond;
    }
    return square > c->reach * c->reach;
}
