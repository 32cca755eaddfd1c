// Plans and states in device memory.
#pragma once
#include "cuda/fill.h"
#include <cuda_runtime_api.h>

// The result of a CUDA call as Pliant's, with a sentence.
pliant_result cuda_check(cudaError_t error, const char* doing);

// `inside`: what its bodies hold, or NULL.
pliant_result upload_plan(const plan* p, const enclosure* inside, device_plan* out);
void discard_plan(device_plan* p);

pliant_result create_state(const plan* p, const enclosure* inside, const device_plan* d,
                           int iterations, device_state* out);
void discard_state(device_state* s);
