// The plates of a solid that a mesh has no tets for, as leaves.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/leaf.h"
#include "tetra/outline.h"

// In units of the solid.
typedef struct {
    const solid* solid;
    workers* threads;
    double edge; // of the mesh
} leaves_options;

// The sides of the solid where they are sides of plates: the other side is less than an edge
// behind them.
typedef struct {
    leaves_options o;
    leaf skin;         // triangles of less than an edge, with their corners on the surface
    double* thickness; // of triangles; 0: they are no side of a plate
    int* side;         // of triangles: the first one of those that are connected
    double* area;      // of sides, at their first triangle
    double whole;      // area of the side that was taken last
} leaves;

// `mesh` is what is there already, or NULL: only what sticks out of it is looked at.
bool leaves_open(const leaves_options* o, const outline* mesh, leaves* out);
void leaves_close(leaves* l);

// The largest side that is left; -1: there is none.
int leaves_next(leaves* l);

// A side in the middle of its plate, where that is farther than `gap` edges from the mesh, with
// edges of about the mesh's length. It is empty where most of it is near: then the plate's other
// side was taken before. False when memory runs out.
#define LEAST_GAP 0.35
bool leaves_take(const leaves* l, int side, const outline* mesh, double gap, leaf* out);
