// Gases and heat, as the kernels see them: the particles, lists and places of what flows
// (fluid/fluid.h), and what these know beyond that. Sums over neighbors are in passes.h, in `real`;
// what a particle does with them by itself is in system.c.
#pragma once
#include "fluid/fluid.h"

typedef struct {
    const fluid_set* of;
    // [of->count + 1][4] scalars.
    void* heat;    // [K] above the base; heat that warms it [K/J]; conductivity [W/(m K)]; [-]
    void* warm;    // [-] by how much heat goes through what is there of its surroundings as through
                   // all of them; what a sweep of conduction would take of differences
    void* spin;    // [1/s] vorticity; then what of it is to be driven; [-]
    void* turn;    // [1/s] of the flow; how much of its surroundings is there [-]. Of a sweep of
                   // conduction: by how much it becomes warmer [K]
    void* climb;   // [K/m] of the temperature; how dense it lies [-]
    void* stretch; // [1/s^2] of its vorticity, by the flow; [-]
    void* side;    // [1/m] away from where others are; [-]
    void* push;    // [m/s] by vorticity; [-]
    double part;   // [s] that a sweep of conduction is for
} gas_set;

// What happens to blocks first to last - 1.
typedef void gas_pass(const gas_set* s, int first, int last);

typedef struct {
    gas_pass* weigh;   // how much heat would pairs exchange?
    gas_pass* conduct; // what each becomes warmer by
    gas_pass* look;    // how does it turn, where is it warmer, who is there?
    gas_pass* drive;   // vorticity drives those around
} gas_kernels;

const gas_kernels* gas_kernels_for(int lanes, int scalar_bytes);
