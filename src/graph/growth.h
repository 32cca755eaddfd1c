// A cluster that grows: the unclaimed nodes around it, and how close they are.
#pragma once
#include "graph/graph.h"

typedef struct candidate {
    int node;
    int shared;        // particles in common with the cluster
    int64_t closeness; // the closest joins next
} candidate;

typedef struct growth {
    const graph* g;
    const int* cluster;   // of each node; below 0: unclaimed. The caller's
    candidate* candidate; // unclaimed nodes that share a particle with the cluster, in no order
    int* slot;            // of each node, its place among the candidates if it is one
    int* absorbed;        // of each particle, the last growth that it was part of
    int candidate_count, number;
} growth;

bool growth_create(const graph* g, const int* cluster, growth* out); // on failure `out` is empty
void growth_destroy(growth* w);

// A new cluster that so far is one unclaimed node.
void growth_begin(growth* w, int node);

// The node's particles become the cluster's, and their unclaimed nodes candidates. A candidate's
// closeness is the sum over its shared particles of the number of nodes there.
void growth_absorb(growth* w, int node);

// Removes the closest candidate (there is one), the lowest of equals, and returns its node.
int growth_take_closest(growth* w);
