// A mesh with data at its points and cells as .vtu.
#pragma once
#include "meshfile/sink.h"
#include "pliant.h"

// One value of `components` numbers for each point, or for each cell: tets, triangles, edges,
// particles.
typedef struct {
    const char* name;
    const float* real; // one of the three
    const int* integer;
    int components;
    bool on_cells;
    const double* exact;
} vtu_field;

// Vertices that are cells by themselves.
typedef struct {
    const int* vertex; // NULL: the first `count`
    int count;
} vtu_particles;

// Every array as base64 in place, with 64-bit sizes, little-endian.
void vtu_write(const pliant_mesh_arrays* mesh, vtu_particles loose, const vtu_field* field,
               int field_count, sink* out);
