// What of a surface sticks out of a mesh: parts that are too thin for its edges, as one can see
// from the vertices that are farther than an edge from it, or nearer to what is another part.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/solid.h"

// `center` and `size` [m] are those of a solid, or of the whole surface; `edge` [m] that of the
// mesh.
typedef struct {
    double center[3], size, edge;
} outline_scale;

// The boundary of a mesh, in units of the scale. It stays with the caller.
typedef struct {
    outline_scale scale;
    const pliant_mesh* boundary;
    double* place; // of its vertices
    tree tree;
} outline;
bool outline_create(const outline_scale* scale, const pliant_mesh* boundary, outline* out);
void outline_destroy(outline* o);
triangle outline_face(const outline* o, int face);

// Whether a place is near the mesh: within `most` edges with what is between of the solid, or
// within `anywhere`: what is near may belong to another part. `own` is the place in units of the
// solid.
bool outline_is_near(const outline* o, const solid* s, vec3 place, vec3 own, double most,
                     double anywhere);

// Vertices of a solid's surface.
typedef struct {
    double* distance; // [m] to the mesh of each that sticks out; else 0
    int* part;        // of each that sticks out, connected by triangles; else -1
    int count;        // of parts, in the order of their first vertices
} protrusions;
bool protrusions_find(const outline* o, const solid* s, workers* threads, protrusions* out);
void protrusions_release(protrusions* p);

// A corner of a triangle of the surface that sticks out, or -1.
int protruding_corner(const protrusions* p, const int corner[3]);
