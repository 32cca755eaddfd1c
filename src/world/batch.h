// A batch inside.
#pragma once
#include "world/world.h"

// What a world goes back to: a snapshot, and `history.changes` when it fitted.
typedef struct {
    char* snapshot;
    uint64_t changes;
} kept_world;

struct pliant_batch {
    pliant_world* shared; // has the threads, the store and the device, and no bodies
    pliant_world** world;
    int count, capacity;
    step_scratch scratch;
    kept_world* kept; // of each that was there
    int kept_count;
};

void batch_forget(pliant_batch* batch); // what it keeps
