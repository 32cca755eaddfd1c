// A tree over triangles that answers two questions about a point: how far is the surface, and how
// often does it wind around the point.
//
// Triangles are divided again and again, large ones from small ones too. A node knows its bounding
// box, for distances, and the first two moments of its triangles' areas, for winding
// numbers: from afar a node looks like a few numbers (Barill et al. 2018), so that a winding number
// takes about log(triangles) steps.
#pragma once
#ifndef PRECISION_DOUBLE
#error "trees are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/triangle.h"

// Three cache lines; what decides whether a node is far is on the first.
typedef struct {
    vec3 center;            // [m] of the area
    double reach2;          // [m^2] farthest corner from the center, squared
    int first, count, next; // triangles; next node behind this one's subtree
    vec3 area;              // [m^2] sum of the area vectors
    vec3 moment[3];         // [m^3] row i: sum of (x - center)_i times the area vector
    vec3 low, high;         // [m] bounding box
} tree_node;

enum { TREE_DEPTH = 80 }; // most levels

typedef struct tree {
    triangle* triangle; // in the order of the tree
    int* number;        // of each in the mesh
    tree_node* node;    // parents before children; a node's first child follows it
    int triangle_count, node_count;
} tree;

// False when memory runs out. Coordinates are between -1 and 1.
bool tree_create(const double* vertex, const int* corners, int count, tree* out);
void tree_destroy(tree* t);

// Distance [m] from a point to the surface, or `limit` if that is nearer. `out_nearest` (may be
// NULL) receives the number of the nearest triangle in the mesh, -1 if none is within the limit.
double tree_distance(const tree* t, vec3 point, double limit, int* out_nearest);

// 1 inside a closed surface that faces outward, 0 outside; between them in holes. Off by up to
// 0.03, mostly by less than 0.005.
double tree_winding(const tree* t, vec3 point);
