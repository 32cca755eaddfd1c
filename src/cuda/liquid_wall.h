// Colliders beside liquids on a GPU. In double: PRECISION_DOUBLE is defined by whoever includes it.
#pragma once
#include "fluid/walls.h"

typedef struct {
    wall at;      // where it rests; its way leads to the step's first substep
    double reach; // [m] no part of it is farther from its position
} liquid_wall;
