// Rigid bodies on a device: where they are, one after the other in an array of the device; its
// places are their numbers. (rigid.c)
#pragma once
#include "rigid/rigid.h"

// As kernels see one of them in a step.
typedef struct {
    rigid_state* state;
    const double* local;       // [m] places of its particles in its axes
    double h, acceleration[3]; // [s] the substep, [m/s^2] gravity as it sees it
} device_rigid;
