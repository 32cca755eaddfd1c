// Breadth first traversal of a graph, in linear time.
#pragma once
#include "graph/graph.h"

typedef struct breadth {
    const graph* g;
    int* queue;    // node_count: the nodes of the last traversal, in breadth first order
    int* visited;  // of each node, the last sweep that reached it
    int* expanded; // of each particle, the last sweep that reached all of its nodes
    int sweep;
} breadth;

bool breadth_create(const graph* g, breadth* out); // on failure `out` is empty
void breadth_destroy(breadth* b);

// A sweep is a set of traversals that reach every node at most once.
void breadth_begin_sweep(breadth* b);

// Leaves the nodes connected to `seed` in the queue, neighbors of one node in ascending order.
// Returns how many; the seed has not been reached in this sweep.
int breadth_traverse(breadth* b, int seed);

// The number of each node's connected component (node_count entries), by the lowest node. Is a
// sweep of its own. Returns the number of components.
int breadth_components(breadth* b, int* out_component);
