// The size of the cells that gives a number of tets, from a few trials.
#pragma once

// A finished mesh: how many tets cells of this size gave.
typedef struct {
    double cell, tets;
} trial;

typedef struct {
    double target;      // tets
    trial last, before; // trials; no cell: none yet
    double low, high;   // the largest cell that gave too many, the smallest that gave too few
} target_search;

// The first size to try, for a solid of this volume.
double target_start(target_search* s, double tets, double volume);

// The next one, after a trial; 0 when the trial was near enough.
double target_next(target_search* s, trial done);
