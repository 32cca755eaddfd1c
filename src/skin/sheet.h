// Surfaces that cloth carries: every vertex is above, below or in a triangle of it.
//
// A vertex is at a place of the triangle's plane, plus a height along a smooth normal: the mean of
// the normals at the triangle's corners, weighted by where the vertex is seen from. So the height
// of neighbors goes to one direction where triangles meet, and a fold makes no crack.
#pragma once
#include "mesh/normals.h"
#include "skin/bind.h"

typedef struct {
    int corner[3];  // vertices of the cloth, all bodies together
    float share[2]; // of the last two corners, of the place in the plane
    float lean[2];  // of the same, of the normal; below 0: the triangle's own
    float height;   // [m] along the normal
} sheet_binding;

typedef struct {
    sheet_binding* binding; // of each vertex of the surface
    int binding_count;
    normal_plan plan;            // of the cloth
    double* x;                   // [m] 3 for each of its vertices
    pliant_vec3 *local, *normal; // [m] from its body's first vertex: exact far from the origin
    int* first;                  // vertex of each body, and their number behind the last
    int body_count;
} sheet;

// Where a body's particles are now: rows of its state, and the row of each particle or NULL.
typedef struct {
    const void* rows;
    const int* row;
    int scalar_bytes;
    const double* turn; // 9 for each cluster of particles (cloud.h), or NULL
} sheet_source;

// False when memory runs out; fills what pliant_skin_info says of the distances.
bool sheet_create(carrier_pose* pose, executor* exec, const pliant_mesh* surface, sheet* out,
                  pliant_skin_info* info);
void sheet_destroy(sheet* s);

// Positions of the surface's vertices where the bodies are now.
void sheet_place(sheet* s, executor* exec, const sheet_source* source, pliant_vec3* out);
