// Rods as tubes along a smooth curve through their particles (Catmull and Rom's), with a stripe
// along the x axis of their segments: it shows how they are twisted.
#pragma once
#include "render/model.h"

typedef struct {
    const pliant_rod_segment* segment; // [count] in the order of the mesh's edges
    const int* edge;                   // [count][2] of the mesh, in points
    const int* corner;                 // [count][2] the same, in the mesh's vertices
    const double* point;               // [m] 3 each
    int count, point_count;
    double radius; // [m]
    int paint, stripe;
} rod_look;

void rod_draw(const rod_look* r, model* m);
