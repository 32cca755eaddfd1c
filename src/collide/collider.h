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
} collider;
