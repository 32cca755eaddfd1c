// What a gas carries along: at each of many places, how fast and how warm the gas is there, by its
// kernel. Places are sorted into the cells of the gas, so that those of a cell see the same
// particles and lanes go over them together. Each place adds up in the order of the gas's cells,
// whatever the lanes and threads.
#pragma once
#include "contact/cells.h"
#include "fluid/kernel.h"
#include "solver/step.h"

enum { CARRY_GAS = 7, CARRY_FOUND = 5 };

// Some places, and the gas that may be near them.
typedef struct {
    const float* gas[CARRY_GAS]; // [m] place, [m/s] velocity, [K] above some base
    int near;
    const float* place[3];     // [m]
    float* found[CARRY_FOUND]; // sums over the gas: of the kernel [-], times velocity, times warmth
    int count;
    float reach, weight; // [m, -] of the kernel
} carry_work;
typedef void carry_kernel(const carry_work* w);
carry_kernel* carry_kernel_for(int lanes);

// What threads need: a part of the cells.
typedef struct {
    float* gas[CARRY_GAS];
    int capacity[CARRY_GAS];
    cell_ranges ranges;
    bool good;
} carry_chunk;

typedef struct {
    // Given: `reach` of a ball below 0 where nobody is, and else half of the kernel's.
    grid_ball *gas, *place;
    float (*flow)[4]; // of each of the gas: [m/s], [K]
    int gas_count, count;
    // Found, of each place: of the kernel, which is about 1 inside of the gas, times the rest.
    float (*found)[CARRY_FOUND];

    cell_grid gas_cells, cells;
    carry_chunk* chunk;
    int chunk_count;
    int gas_capacity, place_capacity, flow_capacity, found_capacity;
    int chunk_capacity;
    fluid_kernel kernel;
    carry_kernel* run;
} carrier;

// Room for so many. False when memory runs out.
bool carry_reserve(carrier* c, int gas_count, int count);
// Finds what the gas does at all places. False when memory runs out.
bool carry_find(carrier* c, executor* exec);
void carry_destroy(carrier* c);
