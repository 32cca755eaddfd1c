// How far a long piece of work is, for a caller who may end it. The work is a row of stages, each
// up to a part of the whole; within a stage its share is told, or only that it goes on. Every
// function returns false once the caller has said no: the work then ends as if memory had run out,
// and who started it looks at `canceled`. NULL: nobody looks.
#pragma once
#include <stdbool.h>

typedef struct {
    bool (*call)(double part, void* context); // NULL: nobody
    void* context;
    double begin, end; // [-] of the stage at hand
    double told;
    bool canceled;
} watcher;

// The stage at hand is over; the next one ends at `end`.
bool watcher_stage(watcher* p, double end);
// A share of the stage is done.
bool watcher_share(watcher* p, double share);
// Some of it is, nobody knows how much: an eighth of what was left.
bool watcher_tick(watcher* p);
