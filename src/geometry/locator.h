// A surface of any size for questions about points in its own coordinates [m].
#pragma once
#include "geometry/tree.h"
#include "pliant.h"

typedef struct {
    tree tree;
    double middle[3], extent; // [m] a tree wants coordinates of -1 to 1
} locator;

// Of triangles, or the boundary of tets. Close it in every case.
pliant_result locator_open(const pliant_mesh* surface, locator* out);
void locator_close(locator* s);

// Whether the surface winds around the point, whichever way it faces.
bool locator_is_inside(const locator* s, const double point[3]);
// Number of the nearest triangle within the limit [m], or -1.
int locator_nearest(const locator* s, const double point[3], double limit);
