// A mesh in memory: the arrays of pliant_mesh_arrays, owned.
#pragma once
#include "base/memory.h"

struct pliant_mesh {
    double* vertices;      // 3 * vertex_count
    double* vertex_color;  // 3 * vertex_count, or NULL
    double* vertex_radius; // vertex_count, or NULL
    int* tets;             // 4 * tet_count
    int* triangles;        // 3 * triangle_count
    int* edges;            // 2 * edge_count
    int* tet_region;       // tet_count, or NULL
    int* tet_cell;         // tet_count, or NULL
    int vertex_count, tet_count, triangle_count, edge_count;
};

// Vertices alone: particles that no element holds together.
static inline bool mesh_is_loose(const struct pliant_mesh* m)
{
    return m->tet_count == 0 && m->triangle_count == 0 && m->edge_count == 0;
}

// Room for the given numbers of elements, not initialized; NULL when memory runs out. Colors,
// radii, regions and cells start as NULL.
pliant_mesh* mesh_allocate(int vertices, int tets, int triangles, int edges);
// Refuses indices out of range and coordinates that are not finite, with the element's number.
pliant_result mesh_check_arrays(const pliant_mesh_arrays* arrays);
// Room for the colors of the vertices, not initialized. False when memory runs out.
bool mesh_add_colors(pliant_mesh* mesh);
// Likewise of their radii.
bool mesh_add_radii(pliant_mesh* mesh);
