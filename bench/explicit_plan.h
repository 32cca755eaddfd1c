// How the explicit rival lays out a mesh: patches of tets, each with rows of its own for the
// particles that it touches, and tets in blocks of 16 with their constants.
#pragma once
#include "asset/asset.h"
#include "bench/explicit_kernels.h"

// Rows of a patch: particles of this patch alone, copies of shared ones, one row for padding.
typedef struct {
    int first_row, own_end, row_end;
    int first_block, block_end;
} explicit_patch;

typedef struct {
    int row_count, patch_count, block_count, shared_count;
    explicit_patch* patch;
    unsigned* index; // [block][4][EXPLICIT_BLOCK] where the corners' rows start, in pairs of floats
    float* field;    // [block][EXPLICIT_FIELDS][EXPLICIT_BLOCK]
    int* particle;   // [row] the mesh's vertex; -1 for padding
    int* row;        // [vertex] its first row, which has its velocity
    int* copy_start; // [shared_count + 1]
    int* copy;       // rows of the shared particles, ascending
} explicit_plan;

pliant_result explicit_plan_create(const pliant_asset* asset, explicit_plan* out);
void explicit_plan_destroy(explicit_plan* p); // leaves it empty; an empty one is fine
