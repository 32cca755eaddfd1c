// All bodies of a stage as one mesh, with its surface: what the writers and the renderer use.
// Topology is fixed; positions and data are read from the world once a frame.
#pragma once
#include "scene/stage.h"

typedef struct {
    int vertex_count, tet_count, cloth_count, edge_count;
    double* vertices; // [m] 3 each
    int *tets, *cloth, *edges;
    int* body;            // of each vertex: its number, from 0
    int* color;           // of each tet: of the schedule; 0 of triangles and edges, which follow
    float* velocity;      // [m/s] 3 each
    float* contact_force; // [N] 3 each
    // The surface of the tets, then cloth, and the edges.
    int surface_count, triangle_count;
    int* surface_vertex;            // the vertex above of each surface vertex
    double* surface_vertices;       // [m] 3 each
    int *triangles, *surface_edges; // in surface vertices
} frame;

pliant_result frame_create(const stage* s, frame* out);
void frame_update(frame* f, const stage* s);
void frame_destroy(frame* f);

pliant_mesh_arrays frame_volume(const frame* f);
pliant_mesh_arrays frame_surface(const frame* f);
