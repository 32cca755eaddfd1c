// The order of the work, and its constants, packed: what a step reads and never writes.
//
//   patch    a piece of the mesh with rows of its own, copies of the particles that it works on;
//            schedules without patches have one, whose rows are the particles
//   color    groups of a patch that may run at the same time; colors run one after the other
//   group    16 lanes, each a cluster of constraints that is solved in order by one lane
//   round    the r-th constraint of every lane of a group: 16 constraints of one type, as a block:
//            index [particles][16], field [fields][16]; blocks lie in the order of the work
//
// A lane without an r-th constraint is padded with a copy of another's constants on rows that never
// move, so that no kernel has a remainder: one row for all padding of a patch, which is the work of
// one thread, and rows of its own for each lane elsewhere, so that no two threads share one.
#pragma once
#include "base/memory.h"
#include "base/watcher.h"
#include "plan/work.h"

enum { MAX_RECIPE = 4 };

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
    const int* cell;           // node_count, or NULL: clusters for PLIANT_CLUSTERING_CELLS
    bool one_material;         // all nodes have the same constants of the material
    bool flows;                // the rest shapes of some tets can flow
    const double* corner_mass; // node_count: what a node adds to the mass of each corner [kg]
    void (*describe)(const void* context, int node, element* out);
    const void* context;
} plan_source;

typedef struct {
    pliant_schedule schedule;
    pliant_clustering clustering;
    int cluster_size;
    pliant_interface interface;
    int patch_rows, patch_colors; // 0: defaults
    int most_colors;              // of a body with copies but without patches; 0: half the clique
    pliant_phantoms phantoms;
    pliant_merge merge;
    double relaxation; // [-] of constraints that are averaged
    bool many_patches; // defaults for a GPU: as many patches as run at the same time
    int scalar_bytes;  // 4 or 8, of the fields
    bool classic;      // see plan
    bool second_order;
    bool apart;     // colored, patched, phantom: every recipe has colors of its own
    bool twisting;  // the torque of the constraints is left as it is
    watcher* watch; // NULL: nobody
} plan_settings;

// The rows of a particle: more than one where it is shared. Such rows are numbered as slots. The
// slots of one particle, in the order of their patches' turns, are the sources of each of them:
// what it is merged from.
typedef struct {
    int slot_count, shared_count; // rows, and particles, that are shared
    int* start;                   // particle_count + 1, into row; NULL: row i is particle i
    int* row;                     // the first one is read, all are written
    int* first;                   // of each particle: its first row
    int* source_start;            // slot_count + 1, into source
    int* source;                  // once for each slot: patches read them in their own order
    int* before;                  // of each slot: the one before it among its sources; -1: none
    double* share;                // of each slot: of the particle's mass
    // Without patches row i is particle i, and a particle's copies, its phantoms, stand behind all
    // of them: rows particle_count + phantom[i] to particle_count + phantom[i + 1] - 1. They are
    // there for the constraints alone. `share` is then that of each row; a particle's own row has
    // none when no constraint works on it after the copies were made.
    int* phantom; // particle_count + 1; NULL: none
} copies;

// Nodes whose rest shapes can flow: 16 of them, the lanes of a group, are a block. Their state is
// the body's, and so are the constants that follow from it (state.h).
typedef struct {
    size_t count;      // of blocks; 0: nothing flows
    int* start;        // group_count + 1, into block
    flow_block* block; // in the order of the groups
    int* node;         // [count][BLOCK] of each lane; -1: padding, or a node that never flows
    int* lane;         // node_count: where a node is among all lanes of blocks; -1: nowhere
    void* rule;        // [count][FLOW_RULES][BLOCK] constants of the material (flow.h)
} plan_flow;

typedef struct plan {
    int particle_count;
    int row_count; // with padding
    int node_count, cluster_count, constraint_count, clique;
    int patch_count, turn_count;
    int color_count;                   // of all patches
    int most_colors;                   // of one patch
    int largest_color, smallest_color; // [nodes]
    int unfit_node;    // the first one with a constant beyond the fields' scalar; -1: none
    bool serial;       // lanes of a group one after the other, all rounds of a lane at once
    bool patched;      // a patch is the work of one thread, else a color is shared by all
    bool split;        // copies have their share of the mass, not all of it
    bool damped;       // has constraints on the motion
    bool classic;      // rows have decays in place of compliances (xpbd.h)
    bool second_order; // particles remember the substep before (step.h)
    bool large;        // more than a cache holds: blocks are asked for ahead
    int spread_color;  // the color before which phantoms take the state of their particles
    double relaxation; // [-] of that color and those after it
    int scalar_bytes, index_bytes; // 2: no patch has more rows than 16 bits count
    patch* patch;
    copies copies;
    component* component; // by patch; none: angular momentum is left to the constraints
    strip* strip;         // by component
    int component_count, strip_count;
    int* color_group; // color_count + 1
    lane_group* group;
    round_block* round;
    int* node_color; // node_count, within its patch
    int* node_patch; // node_count
    void* index;     // uint16_t or int
    void* field;
    size_t group_count, round_count, index_count, field_count, lambda_count;
    plan_flow flow;
} plan;

// False when memory runs out, or who watches ends it. The plan is then empty.
bool plan_create(const plan_source* source, const plan_settings* settings, plan* out);
void plan_destroy(plan* p);
size_t plan_bytes(const plan* p);
double plan_copies(const plan* p); // rows per particle, 1 or more

// The two ends of making one: what the settings say, and what follows from all the rest.
plan plan_start(const plan_settings* settings);
void plan_finish(plan* p);
int plan_index_bytes(const plan* p); // that rows of its patches need

typedef void describe_node_fn(const void* context, int node, element* out);
// What follows from the nodes of the lanes that flow: their rules, and where they are. False when
// memory runs out.
bool plan_find_flow(plan* p, describe_node_fn* describe, const void* context);

static inline int plan_index(const plan* p, size_t at)
{
    return p->index_bytes == 2 ? ((const uint16_t*)p->index)[at] : ((const int*)p->index)[at];
}

// Whether the rest shape of a node can flow.
static inline bool plan_flows(const plan* p, int node)
{
    return p->flow.count > 0 && p->flow.lane[node] >= 0;
}

// The rows of a particle, counted from 0: how many, and which.
static inline int plan_copy_count(const plan* p, int particle)
{
    return p->copies.start ? p->copies.start[particle + 1] - p->copies.start[particle] : 1;
}
static inline int plan_phantom_count(const plan* p)
{
    return p->copies.phantom ? p->copies.phantom[p->particle_count] : 0;
}
// Of slots, or of rows where there are phantoms.
static inline int plan_share_count(const plan* p)
{
    return p->copies.phantom ? p->particle_count + plan_phantom_count(p) : p->copies.slot_count;
}
static inline int plan_row(const plan* p, int particle, int copy)
{
    return p->copies.start ? p->copies.row[p->copies.start[particle] + copy] : particle;
}

// Of the components of a patch.
static inline int plan_strip_count(const plan* p, const patch* t)
{
    const component *first = p->component + t->first_component,
                    *last = first + t->component_count - 1;
    return t->component_count ? last->first_strip + last->strip_count - first->first_strip : 0;
}

// Some sweep goes on from another one, and its torque matters.
static inline bool plan_keeps_increments(const plan* p, int iterations)
{
    return p->component_count > 0 && (iterations > 1 || p->turn_count > 1);
}

// Which patch a row belongs to, and which slot a shared one is.
int plan_patch_of_row(const plan* p, int row);
int plan_slot_of_row(const plan* p, int row);
