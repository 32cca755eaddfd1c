// Threads that wait for work together. Between two runs they spin briefly and then sleep, so that
// runs that follow each other within microseconds (one per color) cost no system call.
#pragma once
#include "base/error.h"

typedef struct workers workers;

// `threads` counts the caller: 1 starts none. NULL when memory or threads run out.
workers* workers_create(int threads);
void workers_destroy(workers* w);
int workers_count(const workers* w);

// Calls task(index, argument) for each index below count and returns when all are done. The caller
// takes part. Each thread has a range of indices, the same for every run with this count, and takes
// from the others' when its own is done.
void workers_run(workers* w, pliant_task_fn* task, void* argument, int count);
