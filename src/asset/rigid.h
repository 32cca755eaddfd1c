// What a rigid body is made of: its mass, its center, its inertia, and where its particles are.
#pragma once
#include "base/archive.h"
#include "mesh/mesh.h"

typedef struct {
    double mass, volume; // [kg, m^3]
    double inertia[3];   // [kg m^2] about its axes
    double center[3];    // [m] in the mesh
    double axis[3][3];   // in the mesh, one a row, right-handed
    double* local;       // [m] [vertex_count][3] places in its axes
    bool encloses;       // it is what a surface of triangles encloses
    double turn[4];      // what turns x, y, z to its axes in the mesh, as a quaternion
    double size;         // [m] the least extent along an axis
    double reach;        // [m] no particle is farther from its center
} rigid_shape;

struct pliant_asset;

// Of tets, of what a closed surface encloses, of sheets, edges and balls. An error when it has no
// mass or is a single point.
pliant_result rigid_shape_create(const struct pliant_asset* asset, rigid_shape* out);
void rigid_shape_destroy(rigid_shape* s);
