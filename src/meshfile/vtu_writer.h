// A mesh with data at its points and cells as .vtu.
#pragma once
#include "meshfile/sink.h"
#include "pliant.h"

// One value of `components` numbers for each point, or for each cell: tets, triangles, edges.
typedef struct {
    const char* name;
    const float* real; // one of the two
    const int* integer;
    int components;
    bool on_cells;
} vtu_field;

// Every array as base64 in place, with 64-bit sizes, little-endian.
void vtu_write(const pliant_mesh_arrays* mesh, const vtu_field* field, int field_count, sink* out);
