// Bisection: cuts a set of nodes in two parts with few particles between.
#pragma once
#include "partition/level.h"

typedef struct bisector {
    const level* l;
    int* local;    // of each particle: its number in the part at hand
    int* width;    // of each particle of the part at hand
    int* seen;     // of each particle: the last cut that met it
    int* particle; // incidences of the part at hand
    int* offset;
    int* rest; // nodes
    int cuts;
} bisector;

// On failure `out` is empty.
bool bisector_create(const level* l, bisector* out);
void bisector_destroy(bisector* b);

// Puts the nodes of one part before those of the other: about `share` of `whole` of the weight.
// Returns how many; none if they cannot be cut. Below 0: memory ran out.
int bisect(bisector* b, int share, int whole, int* node, int node_count);
