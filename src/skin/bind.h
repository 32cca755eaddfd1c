// Finds the tets that the vertices of a surface hang on.
#pragma once
#include "solver/binding.h"
#include "world/world.h"

// The tets of several bodies as one list, at the pose in which the surface lies.
typedef struct {
    double* vertex;    // [m] 3 each
    int *tets, *owner; // owner: body of each tet
    int* first;        // vertex of each body, and their number behind the last
    int vertex_count, tet_count, body_count;
    double mean_edge; // [m]
    double low[3];    // [m] smallest corner of the bounding box
} tet_pose;

pliant_result pose_create(const pliant_world* world, body* const* bodies, int count, bool in_world,
                          tet_pose* out);
void pose_destroy(tet_pose* p);

// Fills `out` for each vertex of the surface, and what pliant_skin_info says of the distances.
pliant_result pose_bind(const tet_pose* p, executor* exec, body* const* bodies,
                        const pliant_mesh* surface, binding* out, pliant_skin_info* info);
