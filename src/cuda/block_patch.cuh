// A patch in a block of threads: its rows, its sweeps, and what it publishes and merges when it
// meets the others. The blocks themselves are in patched.cuh.
#pragma once
#include "cuda/exchange.cuh"
#include "cuda/launch.h"
#include "cuda/patch_sweep.cuh"
#include "cuda/rows.cuh"
#include "cuda/torques.cuh"
#include <limits.h>

enum { MOST_THREADS = MOST_WARPS * WARP, NEAR_OBSTACLES = 8 };

// Where the rows of a patch are: in the block's shared memory for the whole step, or for one sweep
// after the other, or not at all.
typedef enum { ROWS_STAY, ROWS_COME, ROWS_ELSEWHERE } row_mode;

// What a block keeps in shared memory: of each row 4 quads (place, increment, velocity, residue),
// the first 2 of them, or none; and of its patch what is looked up in every sweep.
typedef struct {
    patched_work work;
    int row_quads;
    int team_threads; // of a team
    bool torques_here;
    int torques_at; // [bytes]
} patched_layout;

typedef struct {
    const scalar* share;     // of each source; elsewhere, of each slot
    const int* color_start;  // of its colors, in groups
    const int* source_start; // of its shared rows, into source
    const int* source;       // slots that they are merged from
} patch_tables;

static __host__ __device__ size_t table_bytes(const patched_work& w)
{
    return (size_t)w.sources * sizeof(scalar) +
           (size_t)(w.colors + 1 + w.shared + 1 + w.sources) * sizeof(int);
}

DEVICE patch_tables tables_here(const patched_layout& l, quad* memory)
{
    patch_tables t;
    t.share = (scalar*)(memory + l.row_quads * l.work.rows);
    t.color_start = (int*)(t.share + l.work.sources);
    t.source_start = t.color_start + l.work.colors + 1;
    t.source = t.source_start + l.work.shared + 1;
    return t;
}

// ---- one patch ----------------------------------------------------------------------------------

// What a block has of the patch at hand, the same for all its threads.
typedef struct {
    device_body body;
    patch part;
    row_place rows;
    int span; // rows with padding
    int last_meeting;
    bool alone; // nothing but gravity and a few colliders acts on single particles
    bool still; // the body left the finite numbers in a step before
    torque_place torques;
    bool leaves_twist; // to whoever reads the increments next
    twist turned;
    viewpoint from; // where that is seen from
#ifdef FAST_ARITHMETIC
    scalar sums[MOST_WARPS * TORQUE_SCALARS]; // of torques, a sum for each warp
#endif
    obstacle near[NEAR_OBSTACLES]; // the body's, unless they are more
} block_patch;

// What a thread remembers of its rows: some of them may touch something, or have contacts in their
// prediction.
typedef struct {
    bool touched, lifted;
} row_touches;
typedef struct {
    row_touches inner, shared;
} touches;
DEVICE touches all_may(void)
{
    touches t = {{true, true}, {true, true}};
    return t;
}
typedef struct {
    row_touches touches;
    bool finite;
} rows_found;

// What a sweep turned by itself is taken back where its increments are read next (torques.cuh):
// what is known of it where that is so.
template <bool TURNED> struct left_over {
    __device__ explicit left_over(const block_patch&) {}
    __device__ quad taken_from(quad, quad, quad d) const { return d; }
};
template <> struct left_over<true> {
    viewpoint from;
    twist turned;
    __device__ explicit left_over(const block_patch& held) : left_over(held.from, held.turned) {}
    __device__ left_over(const viewpoint& v, const twist& t) : from(v), turned(t) {}
    __device__ quad taken_from(quad x, quad residue, quad d) const
    {
        return untwist(turned.turn, turned.center, arm_in_patch(from, x, residue), d);
    }
};

// What comes after a sweep, for one row. Returns false when it left the finite numbers.
template <bool PAST, bool TURNED, bool SPECIAL>
DEVICE bool finish_row(const block_patch& held, const sweep_pass& part, int i,
                       const left_over<TURNED>& left, bool lifted, bool* touched)
{
    const device_body& b = held.body;
    int row = held.part.first_row + i;
    particle_row a = load_row(held.rows, i);
    a.d = left.taken_from(a.x, a.residue, a.d);
    bool touching = touch_row<PAST, SPECIAL>(b, row, part.substep, part.first, lifted, &a),
         finite = true;
    *touched = *touched || touching;
    if (part.last) {
        finite = update_row<PAST, SPECIAL>(b, row, part.substep, *touched, &a);
        if (finite && order_goes_on(&b.order, part.substep, PAST))
            predict_row<PAST>(b, row, part.substep + 1, *touched, &a);
    }
    store_row(held.rows, i, a);
    return finite;
}

// The common case, from the end of one substep to the next, away from everything. False, and
// nothing done, when it is not that.
template <bool TURNED, bool SPECIAL>
DEVICE bool go_on_alone(const block_patch& held, const substep_rules& rules, int i,
                        const left_over<TURNED>& left, bool settles)
{
    const device_body& b = held.body;
    particle_row a = load_row(held.rows, i);
    a.d = left.taken_from(a.x, a.residue, a.d);
    if (b.sees.motion < 1) a.d = completed_increment(&rules, a.d, a.residue, a.v);
    if (!is_away<SPECIAL>(b, &a)) return false;
    if (settles) particle_settle(&a);
    if (!particle_update(particle_velocity(&rules, &a, NULL), &a)) return false;
    particle_predict(&rules, quad_gravity(&rules), a.v[3], &a, NULL);
    store_row(held.rows, i, a);
    return true;
}

// Between the iterations of a substep, nothing happens to what is away from everything.
template <bool SPECIAL> DEVICE bool is_left_alone(const block_patch& held, int i)
{
    const device_body& b = held.body;
    particle_row a;
    a.x = held.rows.x[i * held.rows.x_stride], a.d = held.rows.d[i * held.rows.x_stride];
    return is_away<SPECIAL>(b, &a);
}

// Of a thread, from row i on, whatever happens to them.
template <bool PAST, bool TURNED, bool SPECIAL>
static __device__ __noinline__ rows_found finish_any_rows(const block_patch& held, sweep_pass part,
                                                          int i, int last, row_touches t)
{
    if (part.braking) return {t, true};
    const device_body& b = held.body;
    const left_over<TURNED> left(held);
    bool finite = true, goes = part.last && order_goes_on(&b.order, part.substep, PAST);
    bool touched = t.touched;
    bool lifted = part.first && (t.lifted || !order_is_begun(&b.order, &part, PAST)) &&
                  may_be_lifted<PAST>(b, part.substep);
    bool between = !part.last && !lifted && b.sees.motion >= 1 && b.holder_count == 0 &&
                   b.roller_count == 0 && !b.nearby;
    for (; i < last; i += (int)blockDim.x) {
        if (between && is_left_alone<SPECIAL>(held, i)) continue;
        finite = finish_row<PAST, TURNED, SPECIAL>(held, part, i, left, lifted, &touched) && finite;
    }
    return {{touched && !goes, touched && goes}, finite};
}

// Most of the time nothing happens but the end of one substep and the begin of the next. That is
// apart, so that it keeps its few registers.
template <bool PAST, bool TURNED, bool SPECIAL>
DEVICE rows_found finish_rows(const block_patch& held, const sweep_pass& part, int first, int last,
                              const row_touches& t)
{
    const device_body& b = held.body;
    int i = first + (int)threadIdx.x;
    if (!PAST && held.alone && !t.touched && !t.lifted && part.last &&
        order_is_begun(&b.order, &part, PAST) && order_goes_on(&b.order, part.substep, PAST)) {
        const left_over<TURNED> left(held);
        const substep_rules rules = *rules_at<false>(b, part.substep);
        while (i < last && go_on_alone<TURNED, SPECIAL>(held, rules, i, left, part.substep == 0))
            i += (int)blockDim.x;
        if (i >= last) return {{false, false}, true};
    }
    return finish_any_rows<PAST, TURNED, SPECIAL>(held, part, i, last, t);
}

// Meetings have numbers of their own in all steps of a body.
DEVICE unsigned number_of(const block_patch& held, int meeting)
{
    return (unsigned)(held.body.first_meeting + meeting);
}

template <row_mode MODE> DEVICE scalar share_of(const patch_tables& t, int source)
{
    return t.share[MODE == ROWS_ELSEWHERE ? t.source[source] : source];
}

// d = the mean of what all copies published, weighted by their shares: relative to the last one, so
// that equal copies stay as they are. Some are asked for at once, since each takes a while.
template <row_mode MODE>
DEVICE void merge(const block_patch& held, const patch_tables& t, int meeting)
{
    enum { AT_ONCE = 3 };
    const void* from = held.body.exchange[meeting & 1];
    unsigned number = number_of(held, meeting);
    int shared = held.part.row_count - held.part.inner_count;
    for (int start = 0; start < shared; start += (int)blockDim.x) {
        int i = start + (int)threadIdx.x;
        bool mine = i < shared, there;
        int first = mine ? t.source_start[i] : 0, last = mine ? t.source_start[i + 1] - 1 : 0;
        int most = most_of_lanes(last - first);
        quad base, mean, copy[AT_ONCE];
        do {
            there = look_at_one(from, t.source[last], number, &base);
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k)
                if (k < most)
                    there &= look_at_one(from, t.source[min(first + k, last)], number, &copy[k]);
        } while (!all_lanes(there || !mine));
        mean = base;
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k)
            if (first + k < last) mean = mean + share_of<MODE>(t, first + k) * (copy[k] - base);
        for (int k = AT_ONCE; k < most; ++k) {
            int at = min(first + k, last);
            quad more = wait_for_one(from, t.source[at], number, mine);
            if (at < last) mean = mean + share_of<MODE>(t, at) * (more - base);
        }
        quad* d = &held.rows.d[(held.part.inner_count + i) * held.rows.x_stride];
        if (mine) *d = quad_with_last_of(mean, *d);
    }
}

template <bool TURNED>
DEVICE void publish(const block_patch& held, const left_over<TURNED>& left, int meeting)
{
    void* to = held.body.exchange[meeting & 1];
    unsigned number = number_of(held, meeting);
    int shared = held.part.row_count - held.part.inner_count;
    for (int i = (int)threadIdx.x; i < shared; i += (int)blockDim.x) {
        int row = held.part.inner_count + i, at = row * held.rows.x_stride;
        quad d = left.taken_from(held.rows.x[at], held.rows.residue[row], held.rows.d[at]);
        publish_one(to, held.part.first_slot + i, d, number);
    }
}

// d = what the copy of the turn before has published, where there is one.
DEVICE void take_over(const block_patch& held, int meeting)
{
    const void* from = held.body.exchange[meeting & 1];
    int shared = held.part.row_count - held.part.inner_count;
    for (int start = 0; start < shared; start += (int)blockDim.x) {
        int i = start + (int)threadIdx.x, before = -1;
        if (i < shared) before = held.body.before[held.part.first_slot + i];
        quad* d = &held.rows.d[(held.part.inner_count + i) * held.rows.x_stride];
        quad there = wait_for_one(from, max(before, 0), number_of(held, meeting), before >= 0);
        if (before >= 0) *d = quad_with_last_of(there, *d);
    }
}

// A sweep of places that goes on from another one, and whose torque matters.
DEVICE bool has_to_keep(const device_body& b, const sweep_pass& part)
{
    return b.kept && !part.braking && order_goes_on_from_sweep(&b.order, &part);
}

template <bool PAST> DEVICE bool has_to_begin(const device_body& b, const sweep_pass& part)
{
    return !order_is_begun(&b.order, &part, PAST) || b.order.turns > 1 || has_to_keep(b, part);
}

template <bool PAST>
static __device__ __noinline__ void begin_rows(const block_patch& held, sweep_pass part,
                                               int meeting)
{
    const device_body& b = held.body;
    for (int i = (int)threadIdx.x;
         !order_is_begun(&b.order, &part, PAST) && i < held.part.row_count; i += (int)blockDim.x) {
        particle_row a = load_row(held.rows, i);
        if (part.braking)
            coast_row<PAST>(b, held.part.first_row + i, part.substep, &a);
        else
            predict_row<PAST>(b, held.part.first_row + i, part.substep, true, &a);
        store_row(held.rows, i, a);
    }
    if (b.order.turns > 1) {
        __syncthreads();
        take_over(held, meeting);
    }
    if (has_to_keep(b, part)) {
        __syncthreads();
        keep_increments(b, held.part, held.rows);
    }
}

// What is not finite stands still from now on; the body from the next step on, so that all its
// patches do the same.
DEVICE void note(const block_patch& held, const rows_found& found, int meeting, row_touches* t)
{
    if (!found.finite) atomicMin(held.body.diverged, held.body.first_meeting + meeting);
    *t = found.touches;
}

// In shared memory, or, of patches that are too large for it, where they are.
template <row_mode MODE>
DEVICE patch_tables tables_of(const patched_layout& l, const block_patch& held, quad* memory)
{
    const device_body& b = held.body;
    patch_tables there = {b.share, b.color_group + held.part.first_color,
                          b.source_start + held.part.first_slot, b.source};
    return MODE == ROWS_ELSEWHERE ? there : tables_here(l, memory);
}

// In shared memory behind the tables, where there is room; else in the body's state.
static __device__ __noinline__ void place_torques(const patched_layout& l, block_patch& held,
                                                  quad* memory)
{
    const device_body& b = held.body;
    const patch& t = held.part;
    torque_place p = {NULL, NULL, 0, 0, 0, 0, PINS_NONE, 0, false};
    if (b.components) {
        const component first = b.components[t.first_component],
                        last = b.components[t.first_component + t.component_count - 1];
        p.first_component = t.first_component;
        p.first_strip = first.first_strip;
        p.strip_count = last.first_strip + last.strip_count - first.first_strip;
        if (t.component_count == 1) {
            p.rows = t.row_count;
            if (b.pins) p.pins = b.pins[p.first_component].kind;
            p.held = p.pins == PINS_HOLD;
            if (p.pins == PINS_POINT) p.center = b.pins[p.first_component].row - t.first_row;
        }
        p.sums = b.torque_sums + (size_t)p.first_strip * TORQUE_SCALARS;
        p.twists = (twist*)b.twists + p.first_component;
    }
    if (l.torques_here) {
        p.twists = (twist*)((char*)memory + l.torques_at);
        p.sums = (scalar*)(p.twists + l.work.components);
    }
    held.torques = p;
    bool here = p.pins == PINS_NONE;
#ifdef FAST_ARITHMETIC
    here = here || p.pins == PINS_POINT;
#endif
    held.leaves_twist = p.rows > 0 && here && l.row_quads == 4 && !b.past &&
                        b.order.iterations == 1 && b.order.turns == 1 && b.holder_count == 0;
}

template <row_mode MODE> DEVICE bool is_near(const patched_layout& l)
{
    return MODE != ROWS_ELSEWHERE && l.row_quads == 4;
}
template <row_mode MODE, bool PAST>
DEVICE bool is_left_over(const block_patch& held, const sweep_pass& part)
{
    return !PAST && MODE != ROWS_ELSEWHERE && held.leaves_twist && !part.braking;
}

DEVICE free_patch patch_here(const patched_layout& l, block_patch& held)
{
    const torque_place& t = held.torques;
    free_patch p = {{l.work.rows},
                    held.part.row_count,
                    t.strip_count,
                    t.sums,
                    held.body.mass_unit,
                    PINS_NONE,
                    0};
#ifdef FAST_ARITHMETIC
    p.sums = held.sums;
    p.pins = t.pins;
    p.center = t.center;
#endif
    return p;
}

// The twist is known then, and left to whoever reads the increments next.
DEVICE void publish_untwisted(const free_patch& p, block_patch& held, int meeting)
{
    const warp_of w = warp_of_block();
    sum_strips(p, *rules_at<false>(held.body, 1), w);
    __syncthreads();
    const left_over<true> left(view_patch(p), solve_patch(p, w.lane));
    if (threadIdx.x == 0) held.from = left.from, held.turned = left.turned;
    publish(held, left, meeting);
}

template <int TYPE, row_mode MODE, bool PAST>
DEVICE void sweep_patch(const patched_layout& l, const block_patch& held,
                        const patch_tables& tables, const warp_team& team, const sweep_pass& part)
{
    if (MODE != ROWS_ELSEWHERE) {
        shared_rows rows = {(unsigned)l.work.rows};
        sweep<TYPE, PAST>(held.body, tables.color_start, held.part.color_count, team, rows,
                          held.rows.residue, part);
    } else {
        global_rows rows = {(scalar*)held.rows.x};
        sweep<TYPE, PAST>(held.body, tables.color_start, held.part.color_count, team, rows,
                          held.rows.residue, part);
    }
}

template <row_mode MODE, bool PAST>
DEVICE void untwist_rows(const patched_layout& l, const block_patch& held, const sweep_pass& part)
{
    near_rows near = {l.work.rows};
    far_rows far = {held.rows};
    if (!held.body.components || part.braking || held.torques.held)
        ;
    else if (is_near<MODE>(l))
        untwist_patch<PAST>(held.body, held.part, near, part, held.torques);
    else
        untwist_patch<PAST>(held.body, held.part, far, part, held.torques);
}

// From the meeting before to the end of the sweep; then everybody may know what is shared.
template <int TYPE, row_mode MODE, bool PAST, bool SPECIAL>
DEVICE void work_before(const patched_layout& l, block_patch& held, quad* memory,
                        const warp_team& team, int meeting, const sweep_pass& before,
                        const sweep_pass& part, touches* t)
{
    const patch_tables tables = tables_of<MODE>(l, held, memory);
    if (meeting > 0 && held.part.inner_count < held.part.row_count) {
        merge<MODE>(held, tables, meeting - 1);
        note(held,
             finish_rows<PAST, false, SPECIAL>(held, before, held.part.inner_count,
                                               held.part.row_count, t->shared),
             meeting, &t->shared);
    }
    if (meeting == held.last_meeting) return;
    if (has_to_begin<PAST>(held.body, part)) {
        __syncthreads(); // other threads have merged these rows
        begin_rows<PAST>(held, part, meeting);
    }
    __syncthreads();
    sweep_patch<TYPE, MODE, PAST>(l, held, tables, team, part);
    if (is_left_over<MODE, PAST>(held, part)) {
        publish_untwisted(patch_here(l, held), held, meeting);
        return;
    }
    untwist_rows<MODE, PAST>(l, held, part);
    publish(held, left_over<false>(held), meeting);
}

// What nobody else waits for.
template <row_mode MODE, bool PAST, bool SPECIAL>
DEVICE void work_after(const block_patch& held, int meeting, const sweep_pass& part, touches* t)
{
    if (meeting == held.last_meeting) return;
    int count = held.part.inner_count;
    if (is_left_over<MODE, PAST>(held, part))
        note(held, finish_rows<PAST, true, SPECIAL>(held, part, 0, count, t->inner), meeting,
             &t->inner);
    else
        note(held, finish_rows<PAST, false, SPECIAL>(held, part, 0, count, t->inner), meeting,
             &t->inner);
}
