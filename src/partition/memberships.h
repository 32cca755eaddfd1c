// Rows: which patches each particle lies in, kept up to date while nodes move between patches.
//
// The rows of a partition (one per particle and patch) are what its interfaces cost, so this table
// is both the objective and the limits of everything that makes patches.
#pragma once
#include "partition/level.h"

typedef struct row {
    int patch;
    int count; // nodes of the patch at the particle
} row;

// The rows of a particle. Width and place are the graph's, here because they are needed together.
typedef struct row_list {
    int first; // in rows.row
    int count;
    int width; // of the particle
} row_list;

typedef struct rows {
    const level* l;
    const graph* g;      // of the level
    int* patch;          // of each node. The caller's
    row* row;            // by particle, in no order
    row_list* list;      // of each particle
    int* node_count;     // of each patch, of the finest graph
    int* particle_count; // the same
} rows;

// On failure `out` is empty.
bool rows_create(const level* l, int* patch, int patch_count, rows* out);
void rows_destroy(rows* r);

void rows_move(rows* r, int node, int to);

// Nodes and particles of each patch alone, of the finest graph.
typedef struct patch_sizes {
    int *nodes, *particles;
} patch_sizes;

bool patch_sizes_create(const level* l, const int* patch, int patch_count, patch_sizes* out);
void patch_sizes_destroy(patch_sizes* s);

// The row of a patch at a particle, NULL when there is none.
row* rows_find(const rows* r, int particle, int patch);
