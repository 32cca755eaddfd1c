// What a body displaces: beads, places of the body that each stand for a part of its volume. The
// density of a liquid counts them as it counts particles. They follow from the shape at rest.
//
// Tets, sheets and ropes are cut until their pieces are about as small as the liquid's particles,
// and smaller ones are merged; what a rigid surface encloses is cut along a grid; loose particles
// are balls, and large ones of them have several beads.
#pragma once
#include "mesh/mesh.h"
#include <stdbool.h>

typedef struct {
    int corner[4];    // particles that carry it,
    int corners;      // and how many
    double weight[4]; // [-] of each
    double at[3];     // [m] of a rigid body, in its axes; of a ball, in its radii from the middle
    double volume;    // [m^3]; of a ball over the cube of its radius
} fluid_bead;

typedef struct fluid_beads {
    fluid_bead* bead;
    int count, capacity;
    bool balls; // of loose particles, whose radii are in their rows
} fluid_beads;

// What of a body is not in its mesh.
typedef struct {
    const pliant_mesh* mesh;
    const double* local; // [m] places of a rigid body's particles in its axes; NULL: it deforms
    bool encloses;       // it is what its triangles enclose
    double thickness;    // [m] of sheets
    double area;         // [m^2] of the section of ropes
    double radius;       // [m] the largest of loose particles
    double spacing;      // [m] of the liquid
} bead_source;

// An error when there are too many, or memory runs out.
pliant_result fluid_beads_create(const bead_source* from, fluid_beads* out);
void fluid_beads_destroy(fluid_beads* b);

// What a closed surface encloses (bead_fill.c).
bool fluid_beads_fill(const bead_source* from, fluid_beads* out);
bool fluid_beads_add(fluid_beads* b, const fluid_bead* one);
