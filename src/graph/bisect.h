// Recursive bisection: cuts a set of nodes into parts of equal weight with few particles between.
#pragma once
#include "graph/graph.h"

typedef struct bisector {
    const graph* g;
    const int* weight;
    int* part;     // of each node. The caller's: only the nodes that are cut are written
    int* local;    // of each particle: its number in the part at hand
    int* seen;     // of each particle: the last cut that met it
    int* particle; // incidences of the part at hand
    int* offset;
    int* rest; // nodes
    int cuts;
} bisector;

// On failure `out` is empty.
bool bisector_create(const graph* g, const int* weight, int* part, bisector* out);
void bisector_destroy(bisector* b);

// Cuts the nodes into the parts first, first + 1, ..., first + count - 1, numbered along the cuts,
// and puts them in that order. Parts may be empty if nodes are few or heavy. False when memory runs
// out.
bool bisect(bisector* b, int first, int count, int* node, int node_count);
