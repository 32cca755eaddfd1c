// Which nodes of a plan are solved together, and when: clusters and their colors.
#pragma once
#include "plan/plan.h"

typedef struct {
    int cluster_count;
    int* cluster; // of each node
    int* color;   // of each cluster, counted over all patches
} coloring;

// Without patches: as the schedule says, in the one patch that `p` has.
bool coloring_create(const plan_source* source, const plan_settings* settings, plan* p,
                     coloring* out);

// With patches: every node by itself, colors within each patch of `p`, whose node_patch is set; all
// together or, where settings say so, recipe after recipe. out_corner_copy (as long as the source's
// `particle`) has for each corner which copy of its particle the node uses: not zero where colors
// would be more than the limit.
bool coloring_create_patched(const plan_source* source, const plan_settings* settings, plan* p,
                             int* out_corner_copy, coloring* out);

// In the one patch that `p` has, likewise, with copies: phantoms, or constraints that are averaged.
// Sets p->spread_color. Colored, without copies (out_corner_copy may be NULL): recipe after recipe.
bool coloring_create_copied(const plan_source* source, const plan_settings* settings, plan* p,
                            int* out_corner_copy, coloring* out);

// Every node by itself, no colors yet.
bool coloring_start(const plan_source* source, coloring* out);

// Gives the next `count` colors of the plan to a patch.
void coloring_take(plan* p, patch* t, int count);

void coloring_destroy(coloring* c);
