// Moves nodes between patches so that there are fewer rows and sizes keep to their limits
// (Fiduccia and Mattheyses 1982, for any number of patches).
//
// The objective is the number of rows plus a penalty for every node and particle beyond the limits,
// high enough that no saving of rows is worth one. The best move goes first, also when it makes
// things worse for a while; every node moves at most once in a pass, and what did not help in the
// end is undone.
#pragma once
#include "partition/limits.h"

typedef struct move {
    int to;
    int64_t gain;  // of the objective
    int64_t order; // the highest goes first
} move;

typedef struct refiner {
    rows* r;
    const patch_limit* limit; // of each patch
    int* heap;                // nodes, the best move first
    int* place;               // of each node in the heap, below 0: not there
    int* last_pass;           // of each node, the last pass that moved it
    int* last_move;           // of each node, the last move that it was told of
    move* best;               // of each node in the heap
    struct undo* undo;        // moves of this pass
    int* present;             // of each patch; zero between calls: particles of a node that it has
    int* touched;             // patches where that is not zero
    int heap_count, pass, moves;
} refiner;

// On failure `out` is empty.
bool refiner_create(rows* r, int patch_count, refiner* out);
void refiner_destroy(refiner* f);

// Passes until one brings little.
void refine(refiner* f, const patch_limit* limit, int most_passes);
