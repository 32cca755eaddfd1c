// The surfaces of all bodies of a stage, for the count of crossings.
#pragma once
#include "bench/contact_scenes.h"

typedef struct {
    int *triangles, *edges; // of the particles of all bodies, one body after the other
    int triangle_count, edge_count;
    double* x;
    int vertices;
} contact_surfaces;

// To be freed, also after a failure.
pliant_result contact_surfaces_make(const contact_stage* on, contact_surfaces* out);
void contact_surfaces_free(contact_surfaces* s);
// How many pairs cross now, in `most` if that is more.
pliant_result contact_surfaces_cross(const contact_surfaces* s, const contact_stage* on, int* most);
