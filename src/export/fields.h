// What follows from the positions of a frame: data for files and colors.
#pragma once
#include "export/frame.h"

typedef struct {
    float* displacement;   // [m] 3 for each vertex: from where it would be at the start, at rest
    float* strain;         // [-] 6 for each cell (tets, triangles, edges, particles): strain.h
    float* von_mises;      // [Pa] of each cell; 0 of all but tets
    float* plastic_strain; // [-] likewise; NULL where nothing can flow
} fields;

// False when memory runs out; nothing is held then.
bool fields_find(const frame* f, fields* out);
void fields_release(fields* d);
