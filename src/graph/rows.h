// Rows: which patches each particle lies in, kept up to date while nodes move between patches.
//
// The rows of a partition (one per particle and patch) are what its interfaces cost, so this table
// is both the objective and the limits of everything that makes patches.
#pragma once
#include "graph/level.h"

typedef struct row {
    int patch;
    int count; // nodes of the patch at the particle
} row;

typedef struct rows {
    const level* l;
    const graph* g;      // of the level
    int* patch;          // of each node. The caller's
    row* row;            // those of particle p start at g->node_offset[p], in no order
    int* row_count;      // of each particle
    int* node_count;     // of each patch, of the finest graph
    int* particle_count; // the same
} rows;

// Nodes with a patch below 0 have no rows. On failure `out` is empty.
bool rows_create(const level* l, int* patch, int patch_count, rows* out);
void rows_destroy(rows* r);

void rows_move(rows* r, int node, int to);

// The row of a patch at a particle, NULL when there is none.
row* rows_find(const rows* r, int particle, int patch);
