// Equal quality, measured: the fewest substeps that keep to an error.
#pragma once
#include "bench/bench.h"

typedef struct {
    double expected; // [J] elastic energy of a converged run
    double limit;    // [%]
    int most;        // substeps that may be tried, but not so many themselves
    int steps;       // of
    float dt;        // [s]
} quest;

// Percent by which the energy is off.
pliant_result quest_error(const quest* q, const trial* body, int substeps, double* out_error);

// Tries numbers 15 % apart: from the first that is `start` or more down to the first failure; where
// it fails itself, up to the first success. 0: none will do. out_error may be NULL.
pliant_result quest_fewest(const quest* q, const trial* body, int start, int* out_substeps,
                           double* out_error);
