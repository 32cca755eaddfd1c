// Bodies of patches on a GPU: one kernel for a whole step. A block holds a patch in its shared
// memory, runs every sweep of it alone, and meets the others once per sweep (see patches.c, whose
// order of work this is).
#pragma once
#include "cuda/block_patch.cuh"

// ---- blocks -------------------------------------------------------------------------------------

DEVICE void copy_words(void* to, const void* from, int bytes)
{
    for (int i = (int)threadIdx.x; i < bytes / 4; i += (int)blockDim.x)
        ((int*)to)[i] = ((const int*)from)[i];
}

DEVICE void fill_tables(const patched_layout& l, const block_patch& held, quad* memory)
{
    const device_body& b = held.body;
    const patch_tables t = tables_here(l, memory);
    int shared = held.part.row_count - held.part.inner_count, threads = (int)blockDim.x;
    for (int i = (int)threadIdx.x; i <= held.part.color_count; i += threads)
        ((int*)t.color_start)[i] = b.color_group[held.part.first_color + i];
    if (shared == 0) return;
    const int* start = b.source_start + held.part.first_slot;
    for (int i = (int)threadIdx.x; i <= shared; i += threads)
        ((int*)t.source_start)[i] = start[i] - start[0];
    for (int i = (int)threadIdx.x; i < start[shared] - start[0]; i += threads) {
        int slot = b.source[start[0] + i];
        ((int*)t.source)[i] = slot;
        ((scalar*)t.share)[i] = b.share[slot];
    }
}

// Takes a patch: what is known of it, and where its rows are.
static __device__ __noinline__ void take_patch(const patched_layout& l, bool shared, int task,
                                               block_patch& held, quad* memory)
{
    const device_task t = l.work.task[task];
    const device_body* body = (const device_body*)l.work.body + t.body;
    __syncthreads();
    copy_words(&held.body, body, sizeof held.body);
    if (body->obstacle_count <= NEAR_OBSTACLES)
        copy_words(held.near, body->obstacles, body->obstacle_count * (int)sizeof(obstacle));
    copy_words(&held.part, &body->patches[t.patch], sizeof held.part);
#ifdef FAST_ARITHMETIC
    for (int i = (int)threadIdx.x; i < MOST_WARPS * TORQUE_SCALARS; i += (int)blockDim.x)
        held.sums[i] = 0;
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
        device_body& b = held.body;
        if (b.obstacle_count <= NEAR_OBSTACLES) b.obstacles = held.near;
        int first = held.part.first_row, rows = l.work.rows;
        int end = t.patch + 1 < b.patch_count ? b.patches[t.patch + 1].first_row : b.row_count;
        quad* row = (quad*)(b.row + (size_t)first * ROW);
        row_place elsewhere = {row, row + 1, 2, (quad*)(b.velocity + (size_t)first * ROW4),
                               (quad*)(b.residue + (size_t)first * ROW4)};
        row_place here = {memory, memory + rows, 1, memory + 2 * rows, memory + 3 * rows};
        if (l.row_quads != 4) here.v = elsewhere.v, here.residue = elsewhere.residue;
        held.span = end - first;
        held.rows = shared ? here : elsewhere;
        held.last_meeting = order_last_meeting(&b.order);
        held.alone = b.mover_count == 0 && b.holder_count == 0 && b.roller_count == 0 &&
                     !b.pushed && !b.nearby;
        held.still = *(const volatile long long*)b.diverged < b.first_meeting;
        place_torques(l, held, memory);
    }
    __syncthreads();
    if (shared) fill_tables(l, held, memory);
}

// Rows between the state and shared memory.
static __device__ __noinline__ void move_rows(const patched_layout& l, const block_patch& held,
                                              bool in)
{
    const device_body& b = held.body;
    quad* row = (quad*)(b.row + (size_t)held.part.first_row * ROW);
    quad* velocity = (quad*)(b.velocity + (size_t)held.part.first_row * ROW4);
    quad* residue = (quad*)(b.residue + (size_t)held.part.first_row * ROW4);
    for (int i = (int)threadIdx.x; i < held.span; i += (int)blockDim.x) {
        if (in) {
            held.rows.x[i] = row[2 * i], held.rows.d[i] = row[2 * i + 1];
            if (l.row_quads == 4) held.rows.v[i] = velocity[i], held.rows.residue[i] = residue[i];
        } else {
            row[2 * i] = held.rows.x[i], row[2 * i + 1] = held.rows.d[i];
            if (l.row_quads == 4) velocity[i] = held.rows.v[i], residue[i] = held.rows.residue[i];
        }
    }
}

// A block that holds one patch during the whole step.
template <int TYPE, bool PAST, bool SPECIAL>
DEVICE void run_staying(const patched_layout& l, block_patch& held, quad* memory,
                        const warp_team& team)
{
    touches t = all_may();
    take_patch(l, true, (int)blockIdx.x, held, memory);
    __syncthreads();
    if (held.still) return; // all blocks of the body do
    move_rows(l, held, true);
    __syncthreads();
    sweep_pass before, part = order_pass(&held.body.order, -1);
    for (int meeting = 0; meeting <= held.last_meeting; ++meeting) {
        before = part;
        part = order_pass(&held.body.order, meeting);
        work_before<TYPE, ROWS_STAY, PAST, SPECIAL>(l, held, memory, team, meeting, before, part,
                                                    &t);
        __syncthreads();
        work_after<ROWS_STAY, PAST, SPECIAL>(held, meeting, part, &t);
    }
    __syncthreads();
    move_rows(l, held, false);
}

// Blocks that take one patch after the other, in every turn of every meeting.
template <int TYPE, row_mode MODE, bool PAST, bool SPECIAL>
DEVICE void run_waves(const patched_layout& l, block_patch& held, quad* memory,
                      const warp_team& team)
{
    const patched_work& w = l.work;
    bool shared = MODE != ROWS_ELSEWHERE;
    for (int meeting = 0; meeting <= w.last_meeting; ++meeting)
        for (int turn = 0; turn < w.turn_count; ++turn)
            for (int task = (int)blockIdx.x; task < w.task_count; task += (int)gridDim.x) {
                touches t = all_may();
                take_patch(l, shared, task, held, memory);
                __syncthreads();
                if (held.part.turn != turn || meeting > held.last_meeting || held.still) continue;
                sweep_pass before = order_pass(&held.body.order, meeting - 1);
                sweep_pass part = order_pass(&held.body.order, meeting);
                if (shared) move_rows(l, held, true);
                __syncthreads();
                work_before<TYPE, MODE, PAST, SPECIAL>(l, held, memory, team, meeting, before, part,
                                                       &t);
                __syncthreads();
                work_after<MODE, PAST, SPECIAL>(held, meeting, part, &t);
                __syncthreads();
                if (shared) move_rows(l, held, false);
            }
}

// ---- phases -------------------------------------------------------------------------------------

// From the prediction to what is published.
template <int TYPE, row_mode MODE, bool PAST>
DEVICE void sweep_and_publish(const patched_layout& l, const block_patch& held, quad* memory,
                              const warp_team& team, const sweep_pass& part)
{
    int meeting = order_meeting(&held.body.order, &part);
    __syncthreads();
    if (has_to_begin<PAST>(held.body, part)) begin_rows<PAST>(held, part, meeting);
    __syncthreads();
    sweep_patch<TYPE, MODE, PAST>(l, held, tables_of<MODE>(l, held, memory), team, part);
    untwist_rows<MODE, PAST>(l, held, part);
    publish(held, left_over<false>(held), meeting);
    __syncthreads();
}

// Sweeps up to the first one of places: of the motion no other body asks for anything in between.
// Patches wait for each other.
template <int TYPE, row_mode MODE, bool PAST>
DEVICE void sweep_in_phase(const patched_layout& l, const block_patch& held, quad* memory,
                           const warp_team& team, const sweep_pass& part)
{
    const work_order& o = held.body.order;
    int last = order_meeting(&o, &part), meeting = l.work.brakes_too ? last - o.brakes : last;
    if (MODE != ROWS_ELSEWHERE) move_rows(l, held, true);
    for (int first = meeting; meeting <= last; ++meeting) {
        if (meeting > first && held.part.inner_count < held.part.row_count)
            merge<MODE>(held, tables_of<MODE>(l, held, memory), meeting - 1);
        sweep_and_publish<TYPE, MODE, PAST>(l, held, memory, team, order_pass(&o, meeting));
    }
    if (MODE != ROWS_ELSEWHERE) move_rows(l, held, false);
}

// All rows are complete then.
template <bool PAST, bool SPECIAL>
DEVICE void join_rows(const patched_layout& l, const block_patch& held, sweep_pass part)
{
    const row_touches any = {true, true};
    if (held.part.inner_count < held.part.row_count) {
        merge<ROWS_ELSEWHERE>(held, tables_of<ROWS_ELSEWHERE>(l, held, NULL),
                              order_meeting(&held.body.order, &part));
        __syncthreads();
    }
    part.last = false; // the end is a phase of its own
    finish_any_rows<PAST, false, SPECIAL>(held, part, (int)threadIdx.x, held.part.row_count, any);
}

template <bool PAST, bool SPECIAL>
DEVICE void end_rows(const block_patch& held, const sweep_pass& part)
{
    bool finite = true;
    for (int i = (int)threadIdx.x; i < held.part.row_count; i += (int)blockDim.x) {
        particle_row a = load_row(held.rows, i);
        finite =
            update_row<PAST, SPECIAL>(held.body, held.part.first_row + i, part.substep, true, &a) &&
            finite;
        store_row(held.rows, i, a);
    }
    row_touches nobody_asks;
    note(held, {{true, true}, finite}, order_meeting(&held.body.order, &part), &nobody_asks);
}

// One phase for all patches: those of a sweep in shared memory where they fit, others where their
// rows are.
template <int TYPE, row_mode MODE, bool PAST, bool SPECIAL>
DEVICE void run_phase(const patched_layout& l, block_patch& held, quad* memory,
                      const warp_team& team)
{
    const patched_work& w = l.work;
    for (int task = (int)blockIdx.x; task < w.task_count; task += (int)gridDim.x) {
        take_patch(l, MODE != ROWS_ELSEWHERE, task, held, memory);
        __syncthreads();
        const work_order& o = held.body.order;
        sweep_pass part =
            w.braking ? order_brake(&o, w.substep, w.number) : order_sweep(&o, w.substep, w.number);
        if (held.still || !order_has(&o, &part)) continue;
        if (w.phase == PHASE_SWEEP && held.part.turn == w.turn)
            sweep_in_phase<TYPE, MODE, PAST>(l, held, memory, team, part);
        if (MODE == ROWS_ELSEWHERE && w.phase == PHASE_JOIN)
            join_rows<PAST, SPECIAL>(l, held, part);
        if (MODE == ROWS_ELSEWHERE && w.phase == PHASE_END) end_rows<PAST, SPECIAL>(held, part);
    }
}

// SPECIAL: some colliders of its bodies may be special (rows.cuh).
template <int TYPE, row_mode MODE, bool PAST, bool SPECIAL>
static __global__ void __launch_bounds__(MOST_THREADS)
    patched_step(const __grid_constant__ patched_layout l)
{
    quad* memory = (quad*)block_memory;
    SHARED(block_patch, held);
    warp_team team = find_team(l.team_threads);
    if (MODE == ROWS_STAY)
        run_staying<TYPE, PAST, SPECIAL>(l, held, memory, team);
    else if (l.work.in_phases)
        run_phase<TYPE, MODE, PAST, SPECIAL>(l, held, memory, team);
    else
        run_waves<TYPE, MODE, PAST, SPECIAL>(l, held, memory, team);
}
