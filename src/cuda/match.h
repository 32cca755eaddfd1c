// Clusters of particles (solver/cluster_set.h) of a body on a device.
#pragma once
#include "solver/cluster_set.h"

// As kernels see them in a step. Rules: of its first substep and of the others, and in each of the
// first iteration and of the others.
typedef struct {
    cluster_set set;
    cluster_state state;
    match_rules rules[2][2];
} device_match;

// Small bodies of particles without constraints run together: a task is so many rows of one.
enum { CROWD_ROWS = 64, CROWD_PARTICLES = 1024 };
