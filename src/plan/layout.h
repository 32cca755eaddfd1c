// Rows for the patches of a plan: which particles they have, and who shares them.
#pragma once
#include "graph/graph.h"
#include "plan/plan.h"

// Corners of the source's nodes as rows of their patches, counted from the patch's first row.
//
// Fills in patch rows, slots and copies of `p`, whose patch_count, node_patch and patch turns are
// set. corner_copy (as long as the source's `particle`) tells nodes apart that use different copies
// of a particle within one patch. False when memory runs out.
bool layout_create(const plan_source* source, const int* corner_copy, plan* p, int* out_corner_row);

// The same for one patch whose rows are the particles, and their copies behind them. node_color has
// the color of each node.
bool layout_copied(const plan_source* source, const int* corner_copy, const int* node_color,
                   plan* p, int* out_corner_row);

// One patch whose rows are the particles.
void layout_trivial(const plan_source* source, plan* p, int* out_corner_row);

// The first rows of the particles, and the sources of the slots, from patches, starts and rows.
// False when memory runs out.
bool layout_find_sources(plan* p);

// Rows that a patch takes, with those that nobody uses.
int64_t patch_room(int rows);

void copies_destroy(copies* c);

// Nodes by patch: those of patch i are node[start[i]] to node[start[i + 1] - 1], ascending.
typedef struct {
    int *start, *node;
} patch_nodes;
bool patch_nodes_create(const plan* p, patch_nodes* out);
void patch_nodes_destroy(patch_nodes* n);
