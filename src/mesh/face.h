// The faces of tets that only one tet has.
#pragma once
#include "mesh/mesh.h"

typedef struct {
    int* triangle; // 3 * count volume vertices, counter-clockwise from outside; in tet order
    int* tet;      // count: whose face it is
    int count;
    int crowded[3]; // tets that share one face, where there are such; {-1, ...} otherwise
} outer_faces;

// Linear time. Free `out` in every case.
pliant_result find_outer_faces(const pliant_mesh* mesh, outer_faces* out);
void outer_faces_free(outer_faces* faces);
