// The units of work of a plan (plan.h). Valid C17 and C++ so that nvcc reads it too.
#pragma once
#include "constraint/types.h"
#include <stddef.h>

enum { BLOCK = 16 }; // lanes: as wide as the widest vectors

typedef struct {
    constraint_type type;
    bool mixed; // its lanes differ in the constants of the material, which are then in the block
    size_t index_at, field_at, lambda_at; // where its block starts, in elements
    size_t same_at;                       // where the constants of the material are, unless mixed
} round_block;

typedef struct {
    int first_round, round_count;
    int lanes; // in use; the others are padding
} lane_group;

// Rounds of a group that are of the same nodes, whose rest shapes can flow (constraint/flow.h).
typedef struct {
    int first_round, round_count;
} flow_block;

// Rows of particles that have no other row come first, then those that are shared. Indices of its
// blocks count from first_row.
typedef struct {
    int first_row, inner_count, row_count;
    int first_slot; // its shared rows are slots first_slot, first_slot + 1, ...
    int first_color, color_count;
    int turn; // ordered interfaces: patches of one turn share no particle
    int first_component, component_count;
} patch;

// Rows of a patch whose constraints hang together. Sums over its rows (torque.h) are taken strip by
// strip, so that they have the same bits however many threads work on them.
typedef struct {
    int first_strip, strip_count;
} component;

enum { STRIP = 32 }; // rows: as many as a GPU's warp has lanes
typedef struct {
    int first_row, count; // rows in succession, all of one component
    int component;
} strip;
