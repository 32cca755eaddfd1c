// The outside of a mesh as contacts see it: points, edges, and elements, which are the triangles of
// the boundary of tets or of cloth, the segments of ropes, and loose particles.
//
// Elements are in the order of a curve through space, four to a leaf of a complete tree of boxes:
// children of node i are 2 i + 1 and 2 i + 2, and the leaves are the last. Every point and every
// edge belongs to one of the elements that have it, so that who looks at pairs of elements meets
// each pair of points, edges and triangles once.
#pragma once
#include "math/lane.h"
#include <stdbool.h>
#include <stddef.h>

struct pliant_mesh;

enum { SURFACE_LEAF = 4, SURFACE_LEVELS = 32 };

typedef struct {
    int point[3];                      // a segment has two, and -1
    int edge[3];                       // edge k is from corner k to the next; -1: none
    unsigned char own_point, own_edge; // bits: which of them belong to this element
} surface_element;

typedef struct {
    int point[2];
    int opposite[2]; // third corners of its triangles; -1: none. (Of more than two, the first two)
} surface_edge;

typedef struct contact_surface {
    int point_count, edge_count, element_count;
    int leaf_count;           // a power of two; leaves at the end may be empty
    int* particle;            // of each point
    surface_element* element; //
    int* source;              // of each element: triangle of the boundary or the cloth, or edge of
                              // the mesh, as queries count them
    surface_edge* edge;
    int* neighbor_start; // point_count + 1 (and one more), into neighbor: points at the other ends
                         // of its edges
    int* neighbor;
    const double* rest;   // [m] places of particles in the mesh, which outlives this
    double mean_edge;     // [m]
    double shortest_edge; // [m]
    bool closed;          // the boundary of tets: it has an inside
    bool rope;            // segments alone
    bool loose;           // particles alone: each is an element, and a ball of its own radius
    bool grains;          // of these, they move by themselves
    bool plane;           // three points of a plane, which reaches as far as anybody goes
    // Of loose particles that are in clusters (solver/clusters.h), else NULL: where the clusters of
    // each particle begin, and their numbers, ascending. These outlive it.
    const int *cluster_start, *cluster;
    double near; // [m] neighbors at rest are nearer than that
} contact_surface;

// NULL when memory runs out.
contact_surface* contact_surface_create(const struct pliant_mesh* mesh);
void contact_surface_destroy(contact_surface* s); // NULL is fine

// Whether two points of a body are held together by its clusters: they do not touch.
FUNCTION bool surface_binds(const contact_surface* s, int point, int other)
{
    if (!s->cluster_start) return false;
    const int a = s->particle[point], b = s->particle[other];
    int i = s->cluster_start[a], k = s->cluster_start[b];
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double d = s->rest[3 * (size_t)a + (size_t)axis] - s->rest[3 * (size_t)b + (size_t)axis];
        square += d * d;
    }
    if (square < s->near * s->near) return true;
    while (i < s->cluster_start[a + 1] && k < s->cluster_start[b + 1]) {
        if (s->cluster[i] == s->cluster[k]) return true;
        if (s->cluster[i] < s->cluster[k])
            ++i;
        else
            ++k;
    }
    return false;
}

FUNCTION bool surface_is_segment(const surface_element* e) { return e->point[2] < 0; }
FUNCTION int surface_corners(const surface_element* e) { return surface_is_segment(e) ? 2 : 3; }
