// Keys sorted together with numbers, by all threads of a crew: by eight bits at a time, from the
// lowest on. Stable: who has the same key keeps his order, whatever blocks or threads there are.
#pragma once
#include "cuda/cells.h"
#include "cuda/crew.cuh"

enum { SORT_BITS = 8, SORT_BINS = CELL_BINS, SORT_WARPS = CREW_THREADS / CREW_WARP };

typedef struct {
    const unsigned* key;
    const int* order;
    unsigned* out_key;
    int* out_order;
    int count, shift;
    int* histogram; // [blocks][SORT_BINS]
} sort_pass;

CREW int digit_of(const sort_pass& p, int i)
{
    return (int)(p.key[i] >> p.shift & (SORT_BINS - 1));
}

// How many of a block's keys have each digit.
CREW void count_digits(const crew* m, const sort_pass& p, int* bin)
{
    int last = first_item(m, p.count, m->block + 1);
    for (int k = (int)threadIdx.x; k < SORT_BINS; k += CREW_THREADS) bin[k] = 0;
    __syncthreads();
    for (int i = first_item(m, p.count, m->block) + (int)threadIdx.x; i < last; i += CREW_THREADS)
        atomicAdd(&bin[digit_of(p, i)], 1);
    __syncthreads();
    for (int k = (int)threadIdx.x; k < SORT_BINS; k += CREW_THREADS)
        p.histogram[m->block * SORT_BINS + k] = bin[k];
}

// Where the block's first key of each digit goes.
CREW void find_bases(const crew* m, const sort_pass& p, int* base)
{
    long long lower = 0; // keys of lower digits
    for (int tile = 0; tile < SORT_BINS; tile += CREW_THREADS) {
        int digit = tile + (int)threadIdx.x;
        long long all = 0, before = 0, sum;
        for (int b = 0; b < m->blocks && digit < SORT_BINS; ++b) {
            int count = p.histogram[b * SORT_BINS + digit];
            if (b < m->block) before += count;
            all += count;
        }
        long long first = lower + block_scan(all, &sum);
        if (digit < SORT_BINS) base[digit] = (int)(first + before);
        lower += sum;
    }
    __syncthreads();
}

// Lanes of the warp whose digit is the same; a lane without a key has digit -1.
CREW unsigned lanes_alike(int digit)
{
    unsigned alike = ~0u;
    for (int bit = 0; bit <= SORT_BITS; ++bit) {
        bool set = digit >> bit & 1;
        unsigned all = __ballot_sync(~0u, set);
        alike &= set ? all : ~all;
    }
    return alike;
}

// Keys that are side by side, a tile: warp after warp, lane after lane.
CREW void place_tile(const sort_pass& p, int tile, int last, int* base, int (*of_warp)[SORT_BINS])
{
    int lane = (int)threadIdx.x % CREW_WARP, warp = (int)threadIdx.x / CREW_WARP;
    int i = tile + (int)threadIdx.x, digit = i < last ? digit_of(p, i) : -1;
    for (int k = (int)threadIdx.x; k < SORT_WARPS * SORT_BINS; k += CREW_THREADS)
        of_warp[k / SORT_BINS][k % SORT_BINS] = 0;
    __syncthreads();
    unsigned alike = lanes_alike(digit);
    int rank = __popc(alike & ((1u << lane) - 1));
    if (digit >= 0 && rank == 0) of_warp[warp][digit] = __popc(alike);
    __syncthreads();
    for (int k = (int)threadIdx.x; k < SORT_BINS; k += CREW_THREADS)
        for (int w = 0; w < SORT_WARPS; ++w) {
            int count = of_warp[w][k];
            of_warp[w][k] = base[k];
            base[k] += count;
        }
    __syncthreads();
    if (digit >= 0) {
        int at = of_warp[warp][digit] + rank;
        p.out_key[at] = p.key[i];
        p.out_order[at] = p.order[i];
    }
    __syncthreads();
}

CREW_LARGE void sort_by_digit(const crew* m, const sort_pass& p)
{
    typedef int of_warps[SORT_WARPS][SORT_BINS];
    typedef int of_digits[SORT_BINS];
    SHARED(of_warps, of_warp);
    SHARED(of_digits, base);
    count_digits(m, p, base);
    crew_barrier(m);
    find_bases(m, p, base);
    int last = first_item(m, p.count, m->block + 1);
    for (int tile = first_item(m, p.count, m->block); tile < last; tile += CREW_THREADS)
        place_tile(p, tile, last, base, of_warp);
    crew_barrier(m);
}

// Sorts by the lowest `bits` of the keys; returns which of the two memories has the result.
CREW int sort_keys(const crew* m, unsigned* const key[2], int* const order[2], int count, int bits,
                   int* histogram)
{
    int turn = 0;
    for (int shift = 0; shift < bits; shift += SORT_BITS, turn = 1 - turn) {
        sort_pass p = {key[turn], order[turn], key[1 - turn], order[1 - turn],
                       count,     shift,       histogram};
        sort_by_digit(m, p);
    }
    return turn;
}
