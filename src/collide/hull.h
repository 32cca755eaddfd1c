// The convex hull of points: planes and triangles, for colliders that are convex.
#pragma once
#include "collide/facet.h"
#include "pliant.h"
#include <stddef.h>

enum { HULL_LANES = 4 }; // planes that are looked at together

typedef struct hull {
    double* corner; // [m] 3 * corner_count
    int* triangle;  // 3 * triangle_count, counter-clockwise from outside, face after face
    int corner_count, triangle_count;
    int face_count;         // plane ones: what lies in one plane is one face
    int plane_count;        // padded to whole lanes by planes that nothing is above
    double low[3], high[3]; // [m] its box
    double thin, slim;      // [m] half of its least width, and of the hole that it fits through
    // What probes read, in one piece of memory:
    //   double  plane[4][plane_count]   normals x, y, z, and heights: inside is below all
    //   facet   [triangle_count]
    //   int     first[plane_count + 1]  triangles of each face
    void* data;
    size_t bytes;
} hull;

INLINE const facet* hull_facets(const void* data, int planes)
{
    return (const facet*)((const double*)data + 4 * (size_t)planes);
}
INLINE const int* hull_firsts(const void* data, int planes, int triangles)
{
    return (const int*)(hull_facets(data, planes) + triangles);
}

// Points may repeat, and those inside do not count. Refused, with a sentence: fewer than four,
// numbers that are not finite or beyond 1e30 m, and what is a point, a line or (to a millionth of
// its size) flat.
pliant_result hull_create(const double* points, int count, hull* out);
void hull_destroy(hull* h);
