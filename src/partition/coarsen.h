// Coarser and coarser graphs: each level's nodes are connected clusters of the level below.
#pragma once
#include "partition/level.h"

enum { MAX_LEVELS = 32 };

typedef struct levels {
    int count;
    level level[MAX_LEVELS]; // level 0 borrows the graph
} levels;

// No cluster stands for more than most_weight nodes of `g`, which outlives the levels. Stops where
// clusters no longer become much larger. On failure `out` is empty.
bool levels_create(const graph* g, int most_weight, levels* out);
void levels_destroy(levels* l);
