// What the sections of `bench pbd` share.
#pragma once
#include "facts.h"
#include "options.h"
#include "pbd_scenes.h"

// Each prints a table of its own.
bench_fn pbd_counts_section, pbd_phantoms_section, pbd_frames_section, pbd_kernels_section,
    pbd_solvers_section, pbd_error_section, pbd_momentum_section, pbd_lanes_section,
    pbd_fall_section;
