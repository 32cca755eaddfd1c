// Solving blocks of constraints. The same source is compiled for every width and precision
// (sweep.c); this is the table that each compilation fills.
#pragma once
#include "plan/plan.h"
#include "solver/state.h"

// The arguments of a block of 16 constraints.
typedef struct {
    const void* index; // [particles][BLOCK] uint16_t or int
    const void* field; // [fields][BLOCK], but for the last ones where they are the same for all:
    const void* same;  // [same], or NULL
    void* lambda;      // [rows][BLOCK], or NULL with a single iteration: multipliers are dropped
    void* row;         // state.row, from the patch's first on
    const void* residue;
    double h, own; // [s], [-] of the substep as constraints see it
    double share;  // [-] of the classic manner: 1 / iterations; 0: it is XPBD's
    int index_bytes;
    bool first_iteration; // multipliers start at zero
    double relaxation;    // [-] factor on corrections, and on the change of multipliers
} block_work;

// Solves the constraints of lanes first to first + count - 1. With more than one lane per vector,
// first and count are multiples of the width.
typedef void solve_fn(const block_work* work, int first, int count);

// The arguments of a block of 16 nodes whose rest shapes can flow (constraint/flow.h).
typedef struct {
    constraint_type type; // of the constraints: those of tets, or plates (crease.h)
    const void* index;    // [corners][BLOCK]
    const void* rest;     // [TET_SHAPE or PLATE_ROWS][BLOCK] their shapes before anything flowed
    void* shape;          // and as they are, before the type's other constants
    const void* rule;     // [FLOW_RULES][BLOCK]
    void* state;          // [FLOW_STATE][BLOCK]
    const void *row, *residue;
    double h; // [s]
    int index_bytes;
} flow_work;

// Both for lanes first to first + count - 1. What flows in a substep: whether any lane did. The
// shapes that belong to what has flowed.
typedef bool flow_fn(const flow_work* work, int first, int count);
typedef void reshape_fn(const flow_work* work, int first, int count);

typedef struct {
    int lanes, scalar_bytes;
    solve_fn* solve[TYPE_COUNT];
    flow_fn* flow;
    reshape_fn* reshape;
} sweep_kernels;

// The kernels for 1, 4, 8 or 16 lanes on this processor (double precision is scalar).
const sweep_kernels* sweep_kernels_for(int lanes, int scalar_bytes);
