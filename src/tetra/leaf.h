// The middle of a plate, as a surface of triangles that become prisms: every point knows how thick
// the plate is there, and across which direction.
#pragma once
#ifndef PRECISION_DOUBLE
#error "leaves are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "math/vec3.h"
#include <stdbool.h>

// In units of a solid.
typedef struct {
    vec3 place;
    vec3 normal; // of length 1: from the middle to the upper side
    double thickness;
    bool loose; // on a border that is none of the plate: it may change its shape
    int root;   // of what the plate stands on: number of a column, which stays as it is; else -1
} leaf_point;

typedef struct {
    leaf_point* point;
    int* triangle; // three points each, counter-clockwise as seen from above
    int points, point_capacity;
    int triangles, triangle_capacity;
} leaf;

void leaf_release(leaf* l);
// False when memory runs out. The number of the new point is l->points - 1.
bool leaf_add_point(leaf* l, const leaf_point* p);
bool leaf_add_triangle(leaf* l, int a, int b, int c);

// Sides of triangles, as one sees them from the triangles: side s of triangle t, from corner s to
// the next, is number 3 t + s.
static inline int leaf_side_start(const leaf* l, int side) { return l->triangle[side]; }
static inline int leaf_side_end(const leaf* l, int side)
{
    return l->triangle[side / 3 * 3 + (side + 1) % 3];
}
// The side of the other triangle at the same edge, for each, or -1: a border. NULL when memory runs
// out; from mem_alloc. Where three triangles meet, two of them are neighbors.
int* leaf_partners(const leaf* l);

// Splits every edge that is longer.
bool leaf_refine(leaf* l, double longest);

// Makes edges about as long as asked for and triangles nearly equal-sided. The border keeps its
// shape where it is not loose, and points with a root their places. Points that no triangle uses
// go. A crumpled surface, which does not become such triangles, is left empty.
bool leaf_remesh(leaf* l, double edge);
// The same without points to go or come: what can be done by swapping edges and moving points.
bool leaf_smooth(leaf* l);
