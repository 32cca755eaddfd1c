// Plans and states in device memory.
#pragma once
#include "cuda/device.h"
#include "cuda/fill_device_body.h"
#include <cuda_runtime_api.h>

// The result of a CUDA call as Pliant's, with a sentence.
pliant_result cuda_check(cudaError_t error, const char* doing);

pliant_result upload_plan(const plan* p, const plan_parts* parts, device_plan* out);
void discard_plan(device_plan* p);

// One piece of memory for many arrays.
enum { MOST_PARTS = 32 };
typedef struct {
    void** pointer;
    const void* source; // NULL: cleared, or as it is
    size_t bytes;
} part;
typedef struct {
    part part[MOST_PARTS];
    int count;
    size_t bytes;
} layout;
void layout_add(layout* l, void** pointer, const void* source, size_t count, size_t each);
void layout_place(const layout* l, void* memory); // sets the pointers
// Memory for all of it, which has what the sources have.
pliant_result upload_layout(const layout* l, void** memory, const char* doing);
