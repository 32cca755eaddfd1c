// Air on a GPU: what the kernels of air.cu see. Included by C and CUDA.
#pragma once
#include "air/passes.h"
#include "air/wind.h"
#include <cuda_runtime_api.h>

enum { AIR_THREADS = 64 }; // of a block: a piece of elements or points (air/skin.h)

// A body that feels it, in the step at hand.
typedef struct {
    air_view view;
    air_rules rules;
    int elements, points, row_count;
    const int *copy_start, *copy; // rows of each point's particle
    const void *force, *residue;  // rows
    void* pushed;                 // with what else pushes them
    air_sum *sum, *total;         // of each piece; of the step so far
    double* wind;
    const long long* diverged;
    long long first_meeting;
    const wind_field* field; // of its world
    double time;             // [s] there, in the middle of the step
} air_body;

// START: before a step, the wind and no sums. LOOK, PUSH: before a substep.
typedef enum { AIR_START, AIR_LOOK, AIR_PUSH } air_kind;

typedef struct {
    air_kind kind;
    const air_body* body; // in device memory
    int count, pieces;    // bodies; pieces of the one with most
    int substep;
} air_work;

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t air_launch(const air_work* work, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
