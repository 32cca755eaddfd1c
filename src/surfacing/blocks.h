// The blocks that have a part of the surface, and what is kept of them.
#pragma once
#include "surfacing/cases.h"
#include "surfacing/field.h"

// Bit x of row (y, z): the node is inside. The owner of an edge is the block in which its lower end
// is node 0 to 14 along each axis; vertices are numbered by z, y, axis and x of that end.
typedef struct {
    uint64_t key;
    uint16_t inside[BLOCK_NODES][BLOCK_NODES];    // z, y
    uint16_t before[BLOCK_CELLS][BLOCK_CELLS][3]; // vertices in rows before
    int first_vertex, first_triangle, vertices, triangles;
} surface_block;

// Where an edge is cut: its lower node, and which part of the way along its axis.
typedef struct {
    unsigned char node[3], axis;
    float part;
} block_cut_place;

enum { MOST_CUTS = 3 * BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS };
typedef struct {
    block_cut_place place[MOST_CUTS];
    pliant_vec3 speed[MOST_CUTS];
} block_cuts;

// Which nodes are inside; false where all are, or none is.
bool block_look(const block_fields* from, surface_block* out);
// The vertices that the block owns, and how many triangles its cells have.
void block_cut(const block_fields* from, bool with_speed, const cell_cases* cases, surface_block* b,
               block_cuts* out);

typedef struct {
    int64_t low[3], across[3]; // of blocks
    uint64_t* key;             // count, ascending: those that particles reach
    int count, capacity;
    surface_block* surface; // surface_count, ascending
    int surface_count, surface_capacity;
    double* vertex;     // [m] 3 each
    pliant_vec3* speed; // [m/s] or NULL
    int vertex_count, vertex_capacity, speed_capacity;
    int triangle_count;
} block_list;

static inline void block_place(const block_list* b, uint64_t key, int64_t out[3])
{
    uint64_t nx = (uint64_t)b->across[0], ny = (uint64_t)b->across[1];
    out[0] = b->low[0] + (int64_t)(key % nx);
    out[1] = b->low[1] + (int64_t)(key / nx % ny);
    out[2] = b->low[2] + (int64_t)(key / nx / ny);
}

// The share of each particle. False: memory ran out.
bool field_share(surfacing* s);
// The blocks that particles reach.
bool blocks_find(const surfacing* s, block_list* out);
// Samples them, and keeps the vertices.
pliant_result blocks_sample(const surfacing* s, block_list* b);
// The triangles between the vertices, 3 numbers each.
void blocks_connect(const surfacing* s, const block_list* b, int* triangles);
void blocks_release(block_list* b);
