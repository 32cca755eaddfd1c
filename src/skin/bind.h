// Finds the tets that the vertices of a surface hang on. (Of cloth: sheet.h, of particles:
// cloud.h.)
#pragma once
#include "solver/binding.h"
#include "world/world.h"

// The tets of several bodies as one list, or the triangles of their cloth, or their particles, at
// the pose in which the surface lies.
typedef struct {
    double* vertex; // [m] 3 each
    int corners;    // 4: tets, 3: triangles, 1: particles
    int* corner;    // of each element
    int* owner;     // body of each element
    int* first;     // vertex of each body, and their number behind the last
    int vertex_count, element_count, body_count;
    double mean_edge; // [m] of particles the mean diameter
    double low[3];    // [m] smallest corner of the bounding box
} carrier_pose;

pliant_result pose_create(const pliant_world* world, body* const* bodies, int count, bool in_world,
                          carrier_pose* out);
void pose_destroy(carrier_pose* p);

// How far vertices are from what they hang on: of a piece, and of all in the words of the skin.
enum { BIND_PIECE = 1024 }; // vertices
typedef struct {
    int outside, farthest_vertex;
    double farthest; // [m]
} piece_report;
void report_distance(piece_report* r, int vertex, double distance, double tolerance);
void sum_reports(const piece_report* report, int count, pliant_skin_info* info);

// Fills `out` for each vertex of the surface, and what pliant_skin_info says of the distances.
pliant_result pose_bind(const carrier_pose* p, executor* exec, body* const* bodies,
                        const pliant_mesh* surface, binding* out, pliant_skin_info* info);
