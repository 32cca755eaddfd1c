// A surface as the solids that its parts enclose, each by itself.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/solid.h"

typedef struct {
    solid* solid;
    int count;
} solid_list;

// One solid per part of the surface (triangles connected by vertices). Parts that face inward, the
// cavities, go with the smallest part around them. Parts without an inside are left out; with none
// left it fails as solid_create does.
pliant_result solids_apart(const solid* whole, workers* threads, solid_list* out);

// A list of one solid, which it takes over. False when memory runs out.
bool solids_joined(solid* whole, solid_list* out);
void solids_destroy(solid_list* list);
