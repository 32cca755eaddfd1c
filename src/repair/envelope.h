// The original surface and how far from it the repaired one may be.
#pragma once
#include "geometry/tree.h"
#include "mesh/mesh.h"

struct complex;

typedef struct {
    tree tree;
    double* vertex; // 3 each, relative to the box of the mesh
    int* corner;    // 3 for each triangle
    int vertex_count, triangle_count;
    double tolerance; // in the same units
} envelope;

// False when memory runs out; destroy in every case.
bool envelope_create(const struct complex* c, double tolerance, envelope* out);
void envelope_destroy(envelope* e);

// Whether all of the triangle is within the tolerance.
bool envelope_holds(const envelope* e, vec3 a, vec3 b, vec3 c);
// Farthest point of one surface from another, of points all over its triangles.
double envelope_farthest(const envelope* from, const envelope* to);
// The nearest point of the original surface.
vec3 envelope_nearest(const envelope* e, vec3 point);
