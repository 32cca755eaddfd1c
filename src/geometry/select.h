// Points of a region, of which there may be none.
#pragma once
#include "pliant.h"

// As pliant_region_select, but that none is no error. Without points it tells whether the region is
// in order.
pliant_result region_find(const pliant_region* region, const double* points, int count,
                          int* out_index, int* out_count);
