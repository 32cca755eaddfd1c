// Whether two bodies overlap: their tets, triangles, edges or particles, where they
// are now.
#pragma once
#include "world/world.h"

// What a body takes of space. Owned.
typedef struct {
    double* x;              // [m] 3 for each particle
    const int* corner;      // of its elements,
    int corners, count;     // so many each; 1 without a list: loose particles,
    double* radius;         // [m] whose radii these are; below 0 of one that is absent
    double low[3], high[3]; // [m]
} body_space;

// Of a body whose positions are here. False when memory runs out.
bool body_space_create(const body* b, body_space* out);
void body_space_destroy(body_space* s);

typedef enum { APART, OVERLAPPING, UNDECIDED } overlap; // undecided: too many pairs of elements

// Touching is apart. Also undecided when memory runs out.
overlap spaces_overlap(const body_space* a, const body_space* b);
bool boxes_overlap(const body_space* a, const body_space* b);
