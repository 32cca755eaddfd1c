// Phantoms (Fratarcangeli and Pellacini 2015): more rows for crowded particles, so that few colors
// are enough. The nodes of a particle share its copies; the copies are brought together after each
// sweep (plan.h). Two ways:
//
//   grouped  ours: a particle of v nodes has v / colors rows, rounded up, and more only where a
//   node
//            finds no color that all its particles have left
//   single   Algorithm 2 of the paper as it is meant: the largest cliques first, the particle that
//            most of a clique's nodes share gets a phantom for each of them
//
// Averaged Jacobi is the same thing carried to the end: a row for each corner, and one color.
#pragma once
#include "base/memory.h"

// Which row each corner of each node works on.
typedef struct {
    int node_count, row_count;
    int* offset; // node_count + 1, into row
    int* row;    // of each corner
    int* color;  // of each node
    int* copy;   // of each row: which copy of its particle it is; 0: the particle's own. Room for
                 // row_count + offset[node_count]; zeros on entry
} placement;

// Both start from a row for each particle, add rows until most_colors (at most 256) are enough, and
// return the number of colors, -1 when memory runs out.
int phantoms_group(placement* p, int most_colors);

// The cliques of the graph are found again until none has more than most_colors nodes: a list made
// once would go stale. That is not enough for as many colors (odd rings have no clique of three and
// need three), so the limit of the cliques is lowered until the greedy coloring fits.
int phantoms_single(placement* p, int most_colors);

// Colors from `exact` on become one, in which each corner has a row of its own. Colors before it
// stay on the particles' own rows. Returns the number of colors that there are then.
int phantoms_average(placement* p, int colors, int exact);
