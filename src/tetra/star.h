// The tets around one vertex, and what of the boundary is among them.
#pragma once
#include "mesh/mesh.h"

// Tets of each vertex, one after the other.
typedef struct {
    int* start; // vertex_count + 1
    int* tet;
} incidence;
bool incidence_create(const pliant_mesh* mesh, incidence* out);
void incidence_destroy(incidence* i);

enum { MOST_STAR = 255 }; // tets of a vertex; stuffing makes at most 24 times 3

typedef struct {
    int vertex;
    const int* tet; // in the mesh
    int count;
    int parent[MOST_STAR]; // union over the tets: those that share a face at the vertex
    int parts;
    int open[3 * MOST_STAR][2]; // faces of one tet alone: the other two vertices of each
    int open_count;
} star;

// False if the vertex has more tets than a star may have.
bool star_read(const pliant_mesh* mesh, const incidence* all, int vertex, star* out);

// How the boundary goes around the vertex.
typedef enum {
    STAR_GOOD,   // one fan of triangles, or none
    STAR_EDGE,   // an edge with more than two triangles; out_end is its other end
    STAR_VERTEX, // several fans
} star_kind;
star_kind star_judge(const star* s, int* out_end);

// Vertices of a tet mesh around which tets or triangles of the boundary are not all connected:
// where parts touch in a vertex or an edge alone. -1 when memory runs out.
int count_pinched_vertices(const pliant_mesh* mesh);
