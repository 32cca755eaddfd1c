// Surfaces that clusters of particles carry, by linear skinning.
//
// A vertex is at the weighted mean of the particles around it, and goes on from there by an arm
// that turns as the clusters of these particles do:
//     x = sum u_p x_p + sum w_c R_c a.
// Weights u fall with the distance and reach zero at the first particle that has none, so that they
// change smoothly along the surface, and lean so that the mean of the particles is near the vertex;
// a cluster has the part w of them that its members have by
// their shares. Where everything moves as a rigid body, so does the surface, exactly. A dent of the
// particles is a dent of the surface, whether clusters have flowed or are under load.
#pragma once
#include "skin/bind.h"
#include "skin/sheet.h"

typedef struct {
    int number; // of a particle, or of a cluster, all bodies together
    float weight;
} cloud_part;

typedef struct {
    int vertex_count, body_count;
    int *first_near, *first_turn; // [vertex_count + 1] of each vertex:
    cloud_part *near, *turns;     // its particles, and its clusters
    float* arm;                   // [m] 3 each
    int *first, *first_cluster;   // of each body, and their number behind the last
    double *then, *turn;          // 9 for each cluster: the rotation at first, and that since
} cloud;

// False when memory runs out; fills what pliant_skin_info says of the distances. `in_world`: as the
// bodies are turned now.
bool cloud_create(const carrier_pose* pose, executor* exec, body* const* bodies, bool in_world,
                  const pliant_mesh* surface, cloud* out, pliant_skin_info* info);
void cloud_destroy(cloud* c);

// Positions of the surface's vertices where the bodies are now.
void cloud_place(cloud* c, executor* exec, const sheet_source* source, pliant_vec3* out);
