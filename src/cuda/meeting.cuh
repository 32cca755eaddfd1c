// All threads that meet for a world: passes with a barrier after each, and sums over items in their
// order.
#pragma once
#include "contact/pass_list.h"
#include "cuda/machine.cuh"
#include "cuda/meeting.h"

enum { MEETING_THREADS = THREADS_THAT_MEET, MEETING_BLOCKS = 2, MEETING_WARP = 32 };

// One of the threads that work on a world.
struct meeting {
    device_meeting* of;
    const meeting_world* world; // as the step brings it
    contact_set* set;           // the block's
    int thread, threads, block, blocks;
    bool listed[2];          // the lists have all that may meet
    long long first_meeting; // of the step
};

#define MEETING       static __device__
#define MEETING_LARGE static __device__ __noinline__ // what many places call

// Everybody has come here, and sees what the others wrote.
MEETING void barrier(const meeting* m)
{
    if (m->blocks > 1)
        grid_barrier();
    else
        __syncthreads();
}

MEETING void start_time(const meeting* m)
{
    if (m->thread == 0) m->of->since = nanoseconds();
}
// The time since then was spent on a part.
MEETING void note_time(const meeting* m, meeting_part part)
{
    if (m->thread != 0) return;
    long long now = nanoseconds();
    m->of->spent[part] += now - m->of->since;
    m->of->since = now;
}

MEETING contact_set* meeting_set(meeting* m) { return m->set; }

// ---- passes -------------------------------------------------------------------------------------

#define RUN(one, number)                                                                           \
    case PASS_##one:                                                                               \
        for (int i = m->thread; i < count; i += m->threads) one(s, number);                        \
        break;
#define RUN_ALL(one)   RUN(one, i)
#define RUN_TOUCH(one) RUN(one, s->touch[i])
#define RUN_HOLD(one)  RUN(one, s->hold[i])
#define RUN_LIVE(one)  RUN(one, s->live[i])
#define RUN_NONE(one)  // of rigid bodies

// The number of the next pass, for all threads of the block.
MEETING void next_pass(meeting* m)
{
    if (threadIdx.x == 0) m->set->pass++;
    __syncthreads();
}

MEETING_LARGE void meeting_run(meeting* m, contact_pass pass)
{
    contact_set* s = m->set;
    next_pass(m);
    int count = pass_size(s, pass);
    switch (pass) {
        PASSES(RUN_ALL, RUN_TOUCH, RUN_HOLD, RUN_NONE, RUN_NONE, RUN_LIVE, RUN_NONE, RUN_ALL,
               RUN_ALL)
    default:
        break;
    }
    barrier(m);
}

MEETING bool said(meeting* m, const unsigned* flag)
{
    bool yes = flag_is_raised(flag, m->set->pass);
    __syncthreads(); // before the number changes
    return yes;
}
// Loose particles are elements there.
MEETING bool meeting_loose(meeting* m, loose_step which, double carry)
{
    (void)m, (void)which, (void)carry;
    return false;
}
MEETING bool meeting_said(meeting* m, const unsigned* flag) { return said(m, flag); }

MEETING void meeting_note_round(meeting* m)
{
    if (threadIdx.x == 0) m->set->guarded_rounds++;
}
MEETING void meeting_note_squeezed(meeting* m)
{
    if (threadIdx.x == 0) m->set->squeezed++;
}

// ---- sums over items in their order -------------------------------------------------------------

// The sum over the threads of the block before this one; out_all: of all.
MEETING long long block_scan(long long value, long long* out_all)
{
    typedef long long of_warps[MEETING_THREADS / MEETING_WARP];
    SHARED(of_warps, warp_sum);
    int lane = (int)threadIdx.x % MEETING_WARP, warp = (int)threadIdx.x / MEETING_WARP;
    long long sum = value;
    for (int k = 1; k < MEETING_WARP; k *= 2) {
        long long before = __shfl_up_sync(~0u, sum, (unsigned)k);
        if (lane >= k) sum += before;
    }
    if (lane == MEETING_WARP - 1) warp_sum[warp] = sum;
    __syncthreads();
    long long base = 0, all = 0;
    for (int k = 0; k < MEETING_THREADS / MEETING_WARP; ++k) {
        if (k == warp) base = all;
        all += warp_sum[k];
    }
    __syncthreads();
    *out_all = all;
    return base + sum - value;
}

// The items of a block are side by side.
MEETING int first_item(const meeting* m, int count, int block)
{
    long long tiles = (count + MEETING_THREADS - 1) / MEETING_THREADS;
    long long first = (tiles * block / m->blocks) * MEETING_THREADS;
    return first < count ? (int)first : count;
}

// Counts, before a barrier; `sums` are of the blocks.
template <class Value> MEETING void scan_count(meeting* m, int count, long long* sums, Value value)
{
    int last = first_item(m, count, m->block + 1);
    long long sum = 0, all;
    for (int i = first_item(m, count, m->block) + (int)threadIdx.x; i < last; i += MEETING_THREADS)
        sum += value(i);
    block_scan(sum, &all);
    if (threadIdx.x == 0) sums[m->block] = all;
}

// After it: place(i, sum of the values before). Returns the sum of all.
template <class Value, class Place>
MEETING long long scan_place(meeting* m, int count, const long long* sums, Value value, Place place)
{
    long long mine = 0, before = 0, all, base;
    for (int k = (int)threadIdx.x; k < m->blocks; k += MEETING_THREADS) {
        mine += sums[k];
        if (k < m->block) before += sums[k];
    }
    block_scan(mine, &all);
    block_scan(before, &base);
    int first = first_item(m, count, m->block), last = first_item(m, count, m->block + 1);
    for (int tile = first; tile < last; tile += MEETING_THREADS) {
        int i = tile + (int)threadIdx.x;
        long long tile_sum, own = i < last ? value(i) : 0, at = block_scan(own, &tile_sum);
        if (i < last) place(i, base + at);
        base += tile_sum;
    }
    return all;
}

// There is no room for what was found: the step ends here, and is repeated with more.
MEETING bool stop(meeting* m, int* needed, long long count)
{
    if (m->thread == 0) {
        *needed = (int)(count < INT32_MAX ? count : INT32_MAX);
        m->of->stopped = true;
    }
    return false;
}
