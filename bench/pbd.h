// What the sections of `bench pbd` share.
#pragma once
#include "bench/pbd_scenes.h"
#include "facts.h"
#include "options.h"

// Each prints a table of its own.
bench_fn pbd_counts_section, pbd_phantoms_section, pbd_frames_section, pbd_kernels_section,
    pbd_solvers_section, pbd_error_section, pbd_momentum_section, pbd_lanes_section,
    pbd_fall_section;
