// A shape with its surface properties, where it is now, and how it goes through a step.
#pragma once
#include "pliant.h"

struct distance_field;
struct hull;
struct net;

// A collider in one substep: where it is at its end, and how far its surface moves during it, which
// is shift + turn (x - position) for what touches it and started from x.
typedef struct {
    double position[3]; // [m]
    double axis[3][3];
    double shift[3];   // [m]
    double turn[3][3]; // [-] row by row
} collider_pose;

typedef struct collider {
    pliant_shape shape;
    double position[3];         // [m]
    double axis[3][3];          // the local axes in the world, unit length
    double half_extents[3];     // [m] box
    double radius, half_height; // [m] sphere, capsule
    // In local coordinates:
    const struct distance_field* field; // mesh
    const struct hull* hull;            // convex
    const struct net* net;              // triangles,
    double thickness;                   // [m] of these,
    bool two_sided;
    double static_friction, dynamic_friction, restitution;
    double reach;             // [m] no part of it is farther from its position
    uint64_t key;             // hash of shape and of the place where it was put
    double thin;              // [m] half of its thickness where that is least; infinite for a plane
    double slim;              // [m] half of the hole that it fits through; likewise
    const collider_pose* way; // of each substep of the step at hand, and before the first one, at
                              // -1, where it is at the start; NULL: it stands still
    bool turns;               // during that step
    int load;                 // number of its sum of forces (particle.h); -1: nobody asks
    pliant_surface_contacts surface_contacts;
} collider;

// The box around it in its own axes; infinite for a plane.
void collider_box(const collider* c, double out_low[3], double out_high[3]);
// What kernels read beside the collider's numbers, or NULL: there is nothing.
const void* collider_data(const collider* c, size_t* out_bytes);

double collider_reach(const collider* c);
double collider_thin(const collider* c);
double collider_slim(const collider* c);

// Whether nothing in the box touches it, as a probe sees it that rounds its numbers by `epsilon`:
// false when that takes a closer look, or when the box is not finite.
bool collider_is_far(const collider* c, const double low[3], const double high[3], double epsilon);
