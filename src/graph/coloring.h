// Which nodes of a plan are solved together, and when: clusters and their colors.
#pragma once
#include "graph/plan.h"

typedef struct {
    int cluster_count;
    int* cluster; // of each node
    int* color;   // of each cluster, counted over all patches
} coloring;

// Without patches: as the schedule says, in the one patch that `p` has.
bool coloring_create(const plan_source* source, const plan_settings* settings, plan* p,
                     coloring* out);

// With patches: every node by itself, colors within each patch of `p`, whose node_patch is set.
// out_corner_copy (as long as the source's `particle`) has for each corner which copy of its
// particle the node uses: not zero where colors would be more than the limit.
bool coloring_create_patched(const plan_source* source, const plan_settings* settings, plan* p,
                             uint16_t* out_corner_copy, coloring* out);

void coloring_destroy(coloring* c);
