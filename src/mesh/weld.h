// Vertices that are at the same place, or near it.
#pragma once
#include "base/memory.h"

// out_first[v] is the vertex that v joins: the lowest-numbered one no farther than `distance` [m]
// among those that join nobody themselves, or v. With distance 0 only exactly equal places join.
// Writes how many vertices join another one. Linear in the number of vertices.
pliant_result find_joined(const double* vertices, int count, double distance, int* out_first,
                          int* out_joined);
