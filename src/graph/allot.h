// The first partition, of the coarsest graph: components that fit share patches, the others are
// cut.
#pragma once
#include "graph/coarsen.h"
#include "graph/refine.h"
#include "graph/repair.h"

// patch has an entry for each node of the level. Fills an empty set; `limits` gets arrays for its
// patches, which the caller gives back, also when false is returned (out of memory).
bool allot(const level* coarse, patch_bounds bounds, patch_set* set, patch_limits* limits,
           int* patch);

// Patches that a component of so many nodes and particles is cut into, for a start.
int allot_count(int nodes, int particles, patch_bounds bounds);
