// A static shape with its surface properties.
#pragma once
#include "pliant.h"

struct distance_field;

typedef struct collider {
    pliant_shape shape;
    double position[3];                 // [m]
    double axis[3][3];                  // the local axes in the world, unit length
    double half_extents[3];             // [m] box
    double radius, half_height;         // [m] sphere, capsule
    const struct distance_field* field; // mesh, in local coordinates
    double static_friction, dynamic_friction, restitution;
    double reach; // [m] no part of it is farther from its position
    uint64_t key; // hash of shape and place
} collider;

double collider_reach(const collider* c);

// Whether nothing in the box touches it, as a probe sees it that rounds its numbers by `epsilon`:
// false when that takes a closer look, or when the box is not finite.
bool collider_is_far(const collider* c, const double low[3], const double high[3], double epsilon);
