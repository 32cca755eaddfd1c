// A graph in two halves with a small cut between them (Fiduccia and Mattheyses 1982).
#pragma once
#include "graph/graph.h"

typedef struct halves {
    const graph* g;
    const int* weight; // of each node
    const int* width;  // of each particle: how many it stands for
    signed char* side; // of each node, 0 or 1
    int* count;        // of each particle and side: nodes there
    int* gain;         // of each node: particles that are cut less if it changes sides
    int *next, *back;  // of each node in a bucket; back of the first is below 0
    int* bucket;       // of each side and gain: the first node, below 0: none
    bool *queued, *locked;
    int* moved;       // nodes, in the order of a pass
    int most_gain;    // buckets are from -most_gain to most_gain
    int highest[2];   // no bucket of the side above this one has nodes
    int64_t total[2]; // weights
    int64_t most[2];  // limits of them
    int cut;          // particles with nodes on both sides
} halves;

// On failure `out` is empty.
bool halves_create(const graph* g, const int* weight, const int* width, halves* out);
void halves_destroy(halves* h);

// Side 0 becomes the first of `order` (all nodes), of about the weight `share`; then nodes change
// sides where that makes the cut smaller. Sides keep to their share within `slack`.
void halves_cut(halves* h, const int* order, int64_t share, int64_t slack);
