// How many patches each component of the graph gets.
#pragma once
#include "partition/level.h"
#include "partition/memberships.h"
#include "partition/repair.h"

typedef struct components {
    int count;
    int* of;        // of each node of the level
    int* weight;    // of each component: nodes of the finest graph
    int* particles; // of each component, of the finest graph
    int* patches;   // of each component; 1: it fits, and may share one
} components;

// Components of a level, with a first guess of how many patches each needs. On failure `out` is
// empty.
bool components_create(const level* l, patch_bounds bounds, components* out);
void components_destroy(components* c);

// The first partition: one patch for each component, to be cut later, but components that fit
// share one as long as there is room. Fills an empty set and the patch of each node of the level.
bool allot(const components* c, patch_bounds bounds, patch_set* set, int node_count, int* patch);

typedef struct review {
    patch_bounds bounds;
    bool may_shrink; // or numbers only grow
    bool is_finest;
} review;

// Corrects the numbers of patches by what a partition of a coarse level (or the finest) shows.
// *out_again: some number has changed. False when memory runs out.
bool allot_again(components* c, const patch_set* set, const patch_sizes* sizes, review v,
                 bool* out_again);

// The size of patches that have `mean` on average, with the room that patches get.
int64_t allot_with_room(int64_t mean);
