// Loose particles that touch each other on a GPU: what the kernels of loose.cuh see, in device
// memory.
#pragma once
#include "contact/loose.h"
#include "cuda/cells.h"
#include <stdbool.h>

// A list, as loose_pairs has one.
typedef struct {
    int *neighbors, *start, *other;
    void *number, *flags;
} loose_list_memory;

// Two lists take turns; the third is as the step began.
enum { LOOSE_SAVED = 2, LOOSE_LISTS = 3 };

// Of a particle, who is near it, until it is known how many all have. Who has more looks twice.
enum { LOOSE_FOUND = 32 };

typedef struct {
    int count;  // particles that take part
    int bodies; // that have them
    bool due;   // the list does not reach any more
    bool mixes; // every two of them may touch
    bool only;  // nobody else meets anybody, but for colliders
    loose_list_memory list[LOOSE_LISTS];
    int saved_count; // particles of the saved list; 0: there was none

    // Of a list that is made.
    device_cells cells;
    int* found; // [blocks][LOOSE_FOUND][LOOSE_BLOCK]

    loose_rules* rules;
    // Of the increments of all particles: in parts of LOOSE_WAY_PART [m], and of how many. Two that
    // take turns.
    long long sum[2][4];
} device_loose;

#define LOOSE_WAY_PART (1.0 / (1ll << 36))
