// What the sections of `bench gpu` share.
#pragma once
#include "bench/files.h"
#include "bench/race.h"

bench_fn gpu_speed, gpu_batch;

// The GPU's name on stderr; a failure where there is none.
pliant_result gpu_greet(void);

// The time that no program can go below on an H200 [s] for a step: constants and indices of the
// constraints streamed once per substep at 4.3 TB/s, or their arithmetic at 33.5 TFLOP/s, whichever
// is more. The arithmetic is about 500 operations per tet for ten rows and 350 for two; 33.5
// TFLOP/s is half of what the card is said to do, since the same bits as the processor's exclude
// fused multiply-add.
double gpu_floor(const pliant_asset* asset, int bodies, int substeps);

// Opens the runner, warms it up and leaves its best time in it; `turn` is chosen. NAN where the
// body left the finite numbers, which is no error. The caller closes it.
pliant_result gpu_time(runner* r, bool quick);

// Rubber for a GPU.
pliant_soft_def gpu_rubber(pliant_formulation formulation, const schedule_choice* choice);
