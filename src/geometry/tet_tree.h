// A tree over tets that finds the tet a point is in, or the nearest one.
#pragma once
#ifndef PRECISION_DOUBLE
#error "trees are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/box_tree.h"

typedef struct {
    const double* vertex; // the caller's, as long as the tree is used
    const int* tets;
    box_tree boxes;
} tet_tree;

// Where a point is: in a tet, or how far from it. `share` are its barycentric coordinates, below 0
// and above 1 outside.
typedef struct {
    int tet;         // -1: there is none that has a volume
    double distance; // [m] 0 inside
    double share[4];
} tet_place;

// False when memory runs out.
bool tet_tree_create(const double* vertex, const int* tets, int tet_count, tet_tree* out);
void tet_tree_destroy(tet_tree* t);

// Barycentric coordinates of a point in the tet of four vertices; false where it has no volume.
bool tet_shares(const double* vertex, const int corner[4], vec3 point, double share[4]);

// Calls visit(tet, context) for one tet of every leaf that reaches into a ball: for what needs a
// look around and not every tet.
typedef void tet_visit_fn(int tet, void* context);
void tet_tree_look_around(const tet_tree* t, vec3 center, double radius, tet_visit_fn* visit,
                          void* context);

// Outside of all tets, the nearest one, where flat ones count as farther: what is near to them can
// be many of their heights away, and would follow their smallest motion as many times.
// A tet that is probably near makes it faster; -1: none is known.
tet_place tet_tree_find(const tet_tree* t, vec3 point, int guess);
