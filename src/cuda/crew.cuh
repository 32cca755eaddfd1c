// All threads of a launch that work together, of one block or of all: where they wait for each
// other, and sums over items in their order.
#pragma once
#include "cuda/machine.cuh"
#include "math/lane.h"

enum { CREW_THREADS = THREADS_THAT_MEET, CREW_WARP = 32 };

// One of them.
struct crew {
    int thread, threads, block, blocks;
};

#define CREW       static __device__
#define CREW_LARGE static __device__ __noinline__ // what many places call

// Of all blocks of the launch, or each for itself.
CREW void join_crew(crew* m, bool all_blocks)
{
    m->blocks = all_blocks ? (int)gridDim.x : 1;
    m->block = all_blocks ? (int)blockIdx.x : 0;
    m->threads = m->blocks * (int)blockDim.x;
    m->thread = m->block * (int)blockDim.x + (int)threadIdx.x;
}

// Everybody has come here, and sees what the others wrote.
CREW_LARGE void crew_barrier(const crew* m)
{
    if (m->blocks > 1)
        grid_barrier();
    else
        __syncthreads();
}

// ---- sums over items in their order -------------------------------------------------------------

// The sum over the threads of the block before this one; out_all: of all.
CREW long long block_scan(long long value, long long* out_all)
{
    typedef long long of_warps[CREW_THREADS / CREW_WARP];
    SHARED(of_warps, warp_sum);
    int lane = (int)threadIdx.x % CREW_WARP, warp = (int)threadIdx.x / CREW_WARP;
    long long sum = value;
    for (int k = 1; k < CREW_WARP; k *= 2) {
        long long before = __shfl_up_sync(~0u, sum, (unsigned)k);
        if (lane >= k) sum += before;
    }
    if (lane == CREW_WARP - 1) warp_sum[warp] = sum;
    __syncthreads();
    long long base = 0, all = 0;
    for (int k = 0; k < CREW_THREADS / CREW_WARP; ++k) {
        if (k == warp) base = all;
        all += warp_sum[k];
    }
    __syncthreads();
    *out_all = all;
    return base + sum - value;
}

// The items of a block are side by side.
CREW int first_item(const crew* m, int count, int block)
{
    long long tiles = (count + CREW_THREADS - 1) / CREW_THREADS;
    long long first = (tiles * block / m->blocks) * CREW_THREADS;
    return first < count ? (int)first : count;
}

// Counts, before a barrier; `sums` are of the blocks.
template <class Value> CREW void scan_count(const crew* m, int count, long long* sums, Value value)
{
    int last = first_item(m, count, m->block + 1);
    long long sum = 0, all;
    ROLLED
    for (int i = first_item(m, count, m->block) + (int)threadIdx.x; i < last; i += CREW_THREADS)
        sum += value(i);
    block_scan(sum, &all);
    if (threadIdx.x == 0) sums[m->block] = all;
}

// After it: place(i, sum of the values before). Returns the sum of all.
template <class Value, class Place>
CREW long long scan_place(const crew* m, int count, const long long* sums, Value value, Place place)
{
    long long mine = 0, before = 0, all, base;
    ROLLED
    for (int k = (int)threadIdx.x; k < m->blocks; k += CREW_THREADS) {
        mine += sums[k];
        if (k < m->block) before += sums[k];
    }
    block_scan(mine, &all);
    block_scan(before, &base);
    int first = first_item(m, count, m->block), last = first_item(m, count, m->block + 1);
    ROLLED
    for (int tile = first; tile < last; tile += CREW_THREADS) {
        int i = tile + (int)threadIdx.x;
        long long tile_sum, own = i < last ? value(i) : 0, at = block_scan(own, &tile_sum);
        if (i < last) place(i, base + at);
        base += tile_sum;
    }
    return all;
}
