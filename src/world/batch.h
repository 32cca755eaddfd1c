// A batch inside.
#pragma once
#include "world/world.h"

struct pliant_batch {
    pliant_world* shared; // has the threads, the store and the device, and no bodies
    pliant_world** world;
    int count, capacity;
    step_scratch scratch;
};
