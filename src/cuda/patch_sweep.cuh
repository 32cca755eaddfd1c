// Sweeps over a patch. Its colors are a chain: each waits for the one before. So the warps of a
// block (patched.cuh) form teams that take the colors in turn. While one team solves its color, the
// others fetch and prepare theirs, and only the part of a projection that depends on the increments
// is in the chain.
#pragma once
#include "cuda/flow.cuh"
#include "cuda/launch.h"
#include "cuda/one_row.cuh"
#include "cuda/sweep.cuh"

typedef struct {
    int number, count; // of this thread's team, of teams: two or more
    int lane, width;   // of this thread in its team, of threads in a team
} warp_team;

DEVICE warp_team find_team(int width)
{
    int thread = (int)threadIdx.x;
    warp_team team = {thread / width, (int)blockDim.x / width, thread % width, width};
    return team;
}

// Barriers 1 to 8 are for the turns, 0 is everybody's. Those who pass a turn on do not wait.
DEVICE void wait_for_turn(const warp_team& team, int turn)
{
    barrier_wait(1 + (turn & 7), 2 * team.width);
}
DEVICE void pass_turn(const warp_team& team, int turn)
{
    barrier_arrive(1 + ((turn + 1) & 7), 2 * team.width);
}

// ---- sweeps -------------------------------------------------------------------------------------

// Solves what was prepared, unless it is padding (all its corners are on one row) or another
// lane's.
template <class K, bool SEVERAL, class R>
DEVICE void solve_here(const device_body& b, const stream& st, const prepared<K>& p,
                       const substep& s, const R& rows, const quad* residue, unsigned place,
                       unsigned end, bool first)
{
    size_t at = (size_t)(place / BLOCK) * (K::rows * BLOCK) + place % BLOCK;
    if (place < end && (K::particles == 1 || p.at[0] != p.at[K::particles - 1]))
        solve<K>(p, s, rows, residue, SEVERAL ? b.lambda + st.lambda_at + at : NULL, first);
}

// The places of a color; of the last one where there are no more.
typedef struct {
    unsigned start, end;
} span;
DEVICE span span_of(const int* starts, int colors, int color)
{
    color = min(color, colors - 1);
    span s = {(unsigned)starts[color] * BLOCK, (unsigned)starts[color + 1] * BLOCK};
    return s;
}

// What a lane solves first of a color: the last one where there are not enough.
DEVICE unsigned first_place(const span& s, const warp_team& team)
{
    return min(s.start + (unsigned)team.lane, s.end - 1);
}
DEVICE unsigned first_place(const int* starts, int colors, int color, const warp_team& team)
{
    return first_place(span_of(starts, colors, color), team);
}

// Several iterations, or a single one, whose multipliers are nobody's business. Lanes of a warp
// stay together: those behind the end of a color prepare what another one solves. There is one way
// to the barrier, so that what is fetched stays in flight until it is used: where two ways meet,
// the compiler copies it, and waits. Apart from its callers, whose needs would cost it registers.
template <class K, bool SEVERAL, class R>
static __device__ __noinline__ void sweep_packed(const device_body& b, const stream& in,
                                                 const int* starts, int colors, warp_team team,
                                                 R rows, const quad* residue, int seen, bool first)
{
    if (colors == 0) return;
    const stream st = in;
    const substep s = b.sees_substep[seen];
    const packed_source<K> source(st);
    fetched<K> next = source.fetch(first_place(starts, colors, team.number, team));
    for (int color = team.number; color < colors; color += team.count) {
        unsigned start = (unsigned)starts[color] * BLOCK, end = (unsigned)starts[color + 1] * BLOCK;
        unsigned place = start + (unsigned)team.lane;
        const prepared<K> p = prepare<K>(next, s, rows);
        next = source.fetch(first_place(starts, colors, color + team.count, team));
        if (color > 0) wait_for_turn(team, color);
        solve_here<K, SEVERAL>(b, st, p, s, rows, residue, place, end, first);
        // What one team cannot hold.
        for (place += (unsigned)team.width; place < end; place += (unsigned)team.width)
            solve_here<K, SEVERAL>(b, st, prepare<K>(source.fetch(place), s, rows), s, rows,
                                   residue, place, end, first);
        __syncwarp();
        if (color + 1 < colors) pass_turn(team, color);
    }
}

// Of whatever types: what the first lanes of a color need is asked for before their turn.
template <bool FLOWS, class R>
static __device__ __noinline__ void sweep_blocks(const device_body& b, const int* starts,
                                                 int colors, warp_team team, R rows,
                                                 const quad* residue, int seen, bool first)
{
    for (int color = team.number; color < colors; color += team.count) {
        int lanes = (starts[color + 1] - starts[color]) * BLOCK, place = min(team.lane, lanes - 1);
        ahead came;
        came.group.lanes = 0;
        if (lanes > 0) came = fetch_ahead(b, starts[color] + place / BLOCK, place % BLOCK);
        if (color > 0) wait_for_turn(team, color);
        for (int at = team.lane; at < lanes; at += team.width) {
            bool here = at == team.lane; // the rest is what one team cannot hold
            const lane_group g = here ? came.group : b.group[starts[color] + at / BLOCK];
            if (at % BLOCK < g.lanes)
                solve_lane<FLOWS>(b, g, at % BLOCK, seen, first, rows, residue, 1, here, came);
        }
        __syncwarp();
        if (color + 1 < colors) pass_turn(team, color);
    }
}

// The same as sweep_packed for bodies of one-row constraints.
template <int FIELDS, bool SEVERAL, class R>
static __device__ __noinline__ void sweep_one_row(const device_body& b, const int* starts,
                                                  int colors, warp_team team, R rows, int seen,
                                                  bool first)
{
    if (colors == 0) return;
    const substep s = b.sees_substep[seen];
    const stream st = b.sweep[0];
    seen_compliance sees(s);
    scalar* lambda = SEVERAL ? b.lambda + st.lambda_at : NULL;
    span ahead = span_of(starts, colors, team.number);
    one_row_record<FIELDS> next =
        fetch_one_row<FIELDS, SEVERAL>(st, lambda, first_place(ahead, team));
    for (int color = team.number; color < colors; color += team.count) {
        unsigned place = ahead.start + (unsigned)team.lane, first_of = place, end = ahead.end;
        one_row_record<FIELDS> now = next;
        ahead = span_of(starts, colors, color + team.count);
        next = fetch_one_row<FIELDS, SEVERAL>(st, lambda, first_place(ahead, team));
        do {
            one_row_ready<FIELDS> r = prepare_one_row<FIELDS>(now, sees, rows);
            if (place == first_of && color > 0) wait_for_turn(team, color);
            if (place < end) solve_one_row<FIELDS, SEVERAL>(&r, s, rows, lambda, place, first);
            // What one team cannot hold.
            place += (unsigned)team.width;
            if (place < end) now = fetch_one_row<FIELDS, SEVERAL>(st, lambda, place);
        } while (place < end);
        __syncwarp();
        if (color + 1 < colors) pass_turn(team, color);
    }
}

template <int FIELDS, class R>
DEVICE void sweep_one_row_body(const device_body& b, const int* starts, int colors,
                               const warp_team& team, const R& rows, int seen, bool first)
{
    if (b.sees_substep[seen].multipliers)
        sweep_one_row<FIELDS, true>(b, starts, colors, team, rows, seen, first);
    else
        sweep_one_row<FIELDS, false>(b, starts, colors, team, rows, seen, first);
}

template <int TYPE, class R>
DEVICE void sweep_one_type(const device_body& b, const stream& st, const int* starts, int colors,
                           const warp_team& team, const R& rows, const quad* residue, int seen,
                           bool first)
{
    typedef kind<TYPE> K;
    typedef kind<TYPE_viscous> V;
    bool several = b.order.iterations > 1, braking = seen == SEEN_MOTION;
    if (braking)
        sweep_packed<V, false>(b, st, starts, colors, team, rows, residue, seen, first);
    else if (several)
        sweep_packed<K, true>(b, st, starts, colors, team, rows, residue, seen, first);
    else
        sweep_packed<K, false>(b, st, starts, colors, team, rows, residue, seen, first);
}

// All blocks of the patch that flow, each lane by a thread.
template <class R>
static __device__ __noinline__ void flow_patch(const device_flow f, const device_body& b,
                                               const int* starts, int colors, R rows,
                                               const quad* residue)
{
    int first = f.start[starts[0]] * BLOCK, end = f.start[starts[colors]] * BLOCK;
    for (int i = first + (int)threadIdx.x; i < end; i += (int)blockDim.x)
        flow_lane(f, b, i / BLOCK, i % BLOCK, rows, residue);
}

template <int TYPE, bool PAST, class R>
DEVICE void sweep(const device_body& b, const int* starts, int colors, const warp_team& team,
                  const R& rows, const quad* residue, const sweep_pass& part)
{
    const stream& st = b.sweep[part.braking];
    if (!st.any) return;
    int seen = seen_at<PAST>(part.braking, part.substep);
    if constexpr (TYPE > ONE_ROW)
        sweep_one_row_body<TYPE - ONE_ROW>(b, starts, colors, team, rows, seen, part.first);
    else if constexpr (TYPE == TYPE_COUNT)
        sweep_blocks<false>(b, starts, colors, team, rows, residue, seen, part.first);
    else if constexpr (TYPE == FLOWING) {
        if (order_starts(&b.order, &part)) flow_patch(*b.flow, b, starts, colors, rows, residue);
        __syncthreads();
        sweep_blocks<true>(b, starts, colors, team, rows, residue, seen, part.first);
    } else
        sweep_one_type<TYPE>(b, st, starts, colors, team, rows, residue, seen, part.first);
    __syncthreads();
}
