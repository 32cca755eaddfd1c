// Makes what net.h reads.
#pragma once
#include "collide/net.h"
#include "pliant.h"

typedef struct net {
    double* corner; // [m] 3 * corner_count, no two at one place
    int* triangle;  // 3 * triangle_count, as they were given
    int corner_count, triangle_count;
    double low[3], high[3]; // [m] its box
    double mean_edge;       // [m]
    void* data;
    size_t bytes;
    int node_count;
} net;

// From triangles, or the boundary of tets. Refused, with a sentence: no triangles, one without an
// area.
pliant_result net_create(const pliant_mesh* mesh, net* out);
void net_destroy(net* n);
