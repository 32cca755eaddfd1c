// Recursive bisection: cuts sets of nodes into patches of equal size.
#pragma once
#include "graph/breadth.h"
#include "graph/refine.h"

typedef struct bisector {
    rows* r;
    patch_limits* limits;
    refiner refine;
    breadth sweep;
    int* order; // node_count
} bisector;

// patch_count: of all patches that there will ever be in `r`. On failure `out` is empty.
bool bisector_create(rows* r, patch_limits* limits, int patch_count, bisector* out);
void bisector_destroy(bisector* b);

// Cuts the nodes, which are all those of patch `first`, into the patches first, first + 1, ...,
// first + count - 1, numbered along the cuts. Their limits are set to the mean size with a
// tolerance. The nodes are put in the order of their patches.
void bisect(bisector* b, int first, int count, int* node, int node_count);

// The limits of `count` patches that share `nodes` nodes.
void bisect_limits(patch_limits* l, int first, int count, int nodes);
