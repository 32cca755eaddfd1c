// Liquids of a world on a device: memory, what a step is told of them, and steps that are repeated
// where lists had no room.
#pragma once
#include "cuda/liquid.h"
#include "cuda/pack.h"

// How their kernels are launched in a step.
typedef struct {
    const liquid_world* world; // on the device; NULL: there are none, or there is no memory yet
    int total, scalar_bytes, sweeps;
    bool thick, tense, whirls, special;
} packed_liquids;
packed_liquids pack_liquids(packer* p, const device* d, const step_work* step);

// After a step, on its stream: what they have to say, for liquids_need_more once it has come.
cudaError_t liquids_report(const device* d, device_liquids* l);
// There was no room for all that the step found.
bool liquids_need_more(const device_liquids* l);
// As before the step, with more room.
pliant_result liquids_start_again(device* d, device_liquids* l);
