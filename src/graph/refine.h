// Moves nodes between patches so that there are fewer rows and sizes keep to their limits
// (Fiduccia and Mattheyses 1982, for any number of patches).
//
// The objective is the number of rows plus a penalty for every node and particle beyond the limits,
// high enough that no saving of rows is worth one. The best move goes first, also when it makes
// things worse for a while; every node moves at most once in a pass, and what did not help in the
// end is undone.
#pragma once
#include "graph/rows.h"

typedef struct patch_limits {
    int *most, *least;  // nodes of each patch
    int most_particles; // of any
    int penalty;        // for each node and particle beyond, in rows
} patch_limits;

// Replaces the arrays by zeros for so many patches. False when memory runs out.
bool patch_limits_allocate(patch_limits* l, int patch_count);
void patch_limits_destroy(patch_limits* l);

typedef struct move {
    int to;
    int64_t gain;  // of the objective
    int64_t order; // the highest goes first
} move;

typedef struct refiner {
    rows* r;
    const patch_limits* limits;
    int* heap;         // nodes, the best move first
    int* place;        // of each node in the heap, below 0: not there
    int* last_pass;    // of each node, the last pass that moved it
    int* last_move;    // of each node, the last move that it was told of
    move* best;        // of each node in the heap
    struct undo* undo; // moves of this pass
    int* present;      // of each patch; zero between calls: particles of a node that it has
    int* touched;      // patches where that is not zero
    int heap_count, pass, moves;
} refiner;

// On failure `out` is empty.
bool refiner_create(rows* r, const patch_limits* limits, int patch_count, refiner* out);
void refiner_destroy(refiner* f);

// Passes until one brings nothing. A pass ends after `patience` moves without a new best.
void refine(refiner* f, int patience, int most_passes);
