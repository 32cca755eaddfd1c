// Which elements meet at the vertices of a mesh, and how vertices part: how bodies tear and are
// cut. The star of a vertex is the elements that have it. When a vertex parts, some elements of its
// star get a new vertex at the same place, with the next number; no element goes or comes, so that
// all keep their numbers, and so do the vertices that were there.
//
// What hangs together by too little comes apart by itself: two tets of a star need a common face
// with the vertex, two triangles a common edge; a tip alone holds nothing. An edge of a rope holds
// all that it meets, and so does a vertex that is held.
#pragma once
#include "mesh/mesh.h"

typedef struct {
    int tet_count, triangle_count, edge_count; // triangles of cloth: none where there are tets
    int corner_count;
    int* corner; // the vertices of all elements: 4 of each tet, 3 of each triangle, 2 of each edge
    int* head;   // of each vertex: the first of its corners
    int* next;   // of each corner: the next one of its vertex, ascending; -1: it is the last
    int* parent; // of each vertex: the one that it parted from, a lower number; -1: it was there
    int vertex_count;
    int first_count;     // of vertices that were there
    unsigned char* held; // of each vertex, set by the caller: nothing comes apart there by itself
    int head_capacity, parent_capacity, held_capacity;
    int* member; // scratch: the corners of a star,
    int* part;   // and which part of it they are in
    int member_capacity, part_capacity;
} mesh_stars;

typedef struct {
    int first, count; // corners
    int number;       // of its kind
} star_element;

// Of a mesh that nothing has parted. False when memory runs out; destroy it in every case.
bool stars_create(const pliant_mesh* mesh, mesh_stars* out);
void stars_destroy(mesh_stars* s);

star_element stars_element(const mesh_stars* s, int corner);
// The corners of a star, ascending; returns how many, or -1 when memory runs out. They are in
// `member`.
int stars_take(mesh_stars* s, int vertex);

// Those corners of the star that `side` (one for each, in their order) is not 0 for get a new
// vertex; then what hangs together by too little comes apart, there and at the neighbors. Both
// sides have some. False when memory runs out.
bool stars_part(mesh_stars* s, int vertex, const unsigned char* side);
// Vertices from `count` on go back to what they parted from.
void stars_forget(mesh_stars* s, int count);
// All vertices and corners at once, as another mesh_stars of the same mesh had them. False when
// memory runs out, and nothing has changed.
bool stars_set(mesh_stars* s, const int* corner, const int* parent, int vertex_count);

// The vertex of the first mesh that a vertex was.
static inline int stars_root(const mesh_stars* s, int vertex)
{
    while (s->parent[vertex] >= 0) vertex = s->parent[vertex];
    return vertex;
}
// The vertex below `count` that it was when there were so many.
static inline int stars_before(const mesh_stars* s, int vertex, int count)
{
    while (vertex >= count) vertex = s->parent[vertex];
    return vertex;
}

// The mesh as it is now: what new vertices are, they have from their roots in `first`. NULL when
// memory runs out.
pliant_mesh* stars_mesh(const mesh_stars* s, const pliant_mesh* first);
