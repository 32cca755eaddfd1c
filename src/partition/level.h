// A graph that stands for a finer one: its nodes are clusters, its particles what they share.
//
// What only matters inside a cluster, and how many particles two clusters share, are numbers and
// not lists: so every level is smaller than the one below in particles too.
#pragma once
#include "graph/graph.h"

typedef struct level {
    graph g;
    int* weight;  // of each node: how many nodes of the finest graph it stands for
    int* inner;   // of each node: particles of the finest graph that no other node has
    int* width;   // of each particle: how many particles of the finest graph it stands for
    int* cluster; // of each node: the node of the next level; NULL: there is none
} level;

// The finest level, which borrows the graph. On failure `out` is empty.
bool level_begin(const graph* g, level* out);

// The level above: the clusters of `fine` become nodes. Particles of one node become inner ones,
// particles of the same nodes become one. On failure `out` is empty.
bool level_contract(const level* fine, int cluster_count, level* out);

// level_release gives back all but a borrowed graph.
void level_release(level* l);
void level_destroy(level* l);
