// Normals of a surface that moves. Every corner of a triangle names the normal it has; a normal is
// the mean over the triangles that name it, weighted by their areas. Corners that meet in a vertex
// and name different normals are an edge that stays sharp.
#pragma once
#include "base/memory.h"

typedef struct {
    int* triangles;      // 3 vertices each
    int *first, *around; // triangles of normal i: around[first[i]] to around[first[i + 1] - 1]
    pliant_vec3* area;   // [m^2] twice the area of each triangle, along its normal
    int triangle_count, normal_count;
} normal_plan;

// Copies the triangles; `named` has 3 numbers below normal_count for each. False when memory runs
// out.
bool normal_plan_create(const int* triangles, const int* named, int triangle_count,
                        int normal_count, normal_plan* out);
void normal_plan_destroy(normal_plan* p);

// First all areas, then all normals, each in any pieces: from `begin` to `end` - 1.
void normal_plan_areas(normal_plan* p, const pliant_vec3* positions, int begin, int end);
// Of length 1. Where the triangles have no area the normal stays as it is.
void normal_plan_means(const normal_plan* p, pliant_vec3* normals, int begin, int end);
