// A signed distance field: the distance to a closed triangle surface, sampled on a regular grid.
// Static mesh colliders are seen through it.
//
// The distance is to the nearest triangle. A sample is inside where the surface winds around it: a
// cavity (a shell turned inward) is outside, and where closed parts overlap it is inside, although
// triangles buried in another part still count as surface for the distance. A surface whose
// triangles disagree about the outside is judged by the parity of crossings instead.
#pragma once
#include "pliant.h"

// Most samples of a field: 1 GiB of values, and as much again while it is made.
#define DISTANCE_FIELD_LIMIT (256 * 1024 * 1024)

typedef struct distance_field {
    int count[3];     // samples along x, y, z
    double origin[3]; // [m] of sample (0, 0, 0)
    double cell;      // [m] between samples
    float* value;     // [m] negative inside; index x + count[0] * (y + count[1] * z)
} distance_field;

// `cell` [m]; 0: 1/64 of the longest side of the surface's bounding box. The first samples lie
// three cells before the bounding box and the last at least three cells behind it. Values up to
// four cells are exact (computed in double, rounded once); larger ones may come out too large, by
// less than a cell. Tets stand for their boundary. Refused, with a sentence: no triangles, open
// edges, a flat bounding box, a cell that is negative or needs more samples than the limit.
pliant_result distance_field_create(const pliant_mesh* mesh, double cell, distance_field* out);
void distance_field_destroy(distance_field* field);
