// Which particles are in which cluster (solver/clusters.h), from their places at rest.
#pragma once
#include "solver/clusters.h"

typedef struct {
    const double* place; // [m] 3 each
    const double* mass;  // [kg]
    int count;
    double spacing; // [m] between centers; 0: one cluster of all
    double size;    // [m] from a center to its farthest members; 0: 1.5 times the spacing
} cluster_source;

// Centers are particles, each farther than the spacing from those before it; so every particle is
// near one, and is a member of all clusters whose centers are within the size. False when memory
// runs out.
bool cluster_set_create(const cluster_source* source, cluster_set* out);
void cluster_set_destroy(cluster_set* c);
