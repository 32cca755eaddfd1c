// The order of the work, and its constants, packed: what a step reads and never writes.
//
//   color    groups that may run at the same time; colors run one after the other
//   group    32 lanes, each a cluster of constraints that is solved in order by one lane
//   round    the r-th constraint of every lane of a group: 32 constraints of one type, as a block:
//            index [particles][32], field [fields][32]
//
// A lane without an r-th constraint is padded with a copy of another's constants on rows of its own
// that never move, so that no kernel has a remainder and no two threads share a row.
#pragma once
#include "base/memory.h"
#include "constraint/types.h"

enum { BLOCK = 32, MAX_RECIPE = 4 };

// What a node of the constraint graph consists of: constraints on the same particles, solved in
// this order.
typedef struct {
    int type_count;
    constraint_type type[MAX_RECIPE];
} recipe;

// Where a plan comes from.
typedef struct {
    int node_count, particle_count;
    const int* offset;           // node_count + 1, into particle
    const int* particle;         // corners of each node, in the order of its element
    const unsigned char* recipe; // node_count: which of recipes
    const recipe* recipes;
    const int* cell; // node_count, or NULL: clusters for PLIANT_CLUSTER_CELLS
    void (*describe)(const void* context, int node, element* out);
    const void* context;
} plan_source;

typedef struct {
    pliant_schedule schedule;
    pliant_clustering clustering;
    int cluster_size;
    int scalar_bytes; // 4 or 8, of the fields
} plan_settings;

typedef struct {
    constraint_type type;
    size_t index_at, field_at, lambda_at; // where its block starts, in elements
} round_block;

typedef struct {
    int first_round, round_count;
} lane_group;

typedef struct plan {
    int particle_count;
    int row_count; // particles and padding rows
    int node_count, cluster_count, constraint_count, color_count, clique;
    int largest_color, smallest_color; // [nodes]
    int unfit_node; // the first one with a constant beyond the fields' scalar; -1: none
    bool serial;    // lanes of a group one after the other, all rounds of a lane at once
    bool damped;    // has constraints on the motion
    int scalar_bytes;
    int* color_group; // color_count + 1
    lane_group* group;
    round_block* round;
    int* node_color; // node_count
    int* index;
    void* field;
    size_t group_count, round_count, index_count, field_count, lambda_count;
} plan;

// False when memory runs out. The plan is then empty.
bool plan_create(const plan_source* source, const plan_settings* settings, plan* out);
void plan_destroy(plan* p);
size_t plan_bytes(const plan* p);
