// Bodies that are timed against each other, by the solver or by its explicit rival. Variants take
// turns over several rounds and each keeps its best time, so that other work on the machine hits
// all of them alike.
#pragma once
#include "bench/bench.h"
#include "bench/explicit.h"

// One way to run a body. Set `body` and `dt`, and `turn` where single steps are too short to be
// timed; leave the rest zero.
typedef struct {
    trial body;
    float dt;            // [s] of a step
    int turn;            // steps that are timed together; 0: one
    pliant_world* world; // of the rival too: it knows energies
    pliant_body_id id;
    explicit_body* fem; // NULL for the solver
    double best;        // [s] of a step; INFINITY before the first
} runner;

pliant_result runner_open(runner* r);
void runner_close(runner* r); // one that is not open is fine

// One turn; out_seconds [s] is the mean of its steps and may be NULL. Work on a GPU is waited for.
// PLIANT_ERROR_DIVERGED when the body left the finite numbers; the rival notices only when it is
// read.
pliant_result runner_step(runner* r, double* out_seconds);
pliant_result runner_read(runner* r, int tip, trial_outcome* out);

// The last runner that is no rival moves by `warm_steps`, so that what is timed is a body in
// motion; the others, of the same mesh, start from there.
pliant_result race_warm_up(runner* r, int count, int warm_steps);

// One turn of each in every round; no further round after `seconds`, but at least 3. A body that
// diverged is an error here.
typedef struct {
    int rounds;
    double seconds;
} race_length;
pliant_result race_run(runner* r, int count, race_length length);
