// Bodies of patches on a GPU: one kernel for a whole step. A block holds a patch in its shared
// memory, runs every sweep of it alone, and meets the others once per sweep (see patches.c, whose
// order of work this is).
#pragma once
#include "cuda/crews.cuh"
#include "cuda/exchange.cuh"
#include "cuda/launch.h"
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
    int crew; // threads
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
    bool alone; // nothing but gravity and colliders acts on single particles
    bool still; // the body left the finite numbers in a step before
    torque_place torques;
    bool leaves_twist; // to whoever reads the increments next
    twist turned;
    viewpoint from; // where that is seen from
#ifdef FAST_ARITHMETIC
    scalar sums[MOST_WARPS * TORQUE_SCALARS]; // of torques, a sum for each warp
#endif
    obstacle near[NEAR_OBSTACLES]; // the body's, unless they are more
} seat;

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
    __device__ explicit left_over(const seat&) {}
    __device__ quad taken_from(quad, quad, quad d) const { return d; }
};
template <> struct left_over<true> {
    viewpoint from;
    twist turned;
    __device__ explicit left_over(const seat& s) : left_over(s.from, s.turned) {}
    __device__ left_over(const viewpoint& v, const twist& t) : from(v), turned(t) {}
    __device__ quad taken_from(quad x, quad residue, quad d) const
    {
        return untwist(turned.turn, turned.center, arm_in_patch(from, x, residue), d);
    }
};

// What comes after a sweep, for one row. Returns false when it left the finite numbers.
template <bool PAST, bool TURNED>
DEVICE bool finish_row(const seat& s, const sweep_pass& part, int i, const left_over<TURNED>& left,
                       bool lifted, bool* touched)
{
    const device_body& b = s.body;
    int row = s.part.first_row + i;
    particle_row a = load_row(s.rows, i);
    a.d = left.taken_from(a.x, a.residue, a.d);
    bool touching = touch_row<PAST>(b, row, part.substep, part.first, lifted, &a), finite = true;
    *touched = *touched || touching;
    if (part.last) {
        finite = update_row<PAST>(b, row, part.substep, *touched, &a);
        if (finite && order_goes_on(&b.order, part.substep, PAST))
            predict_row<PAST>(b, row, part.substep + 1, *touched, &a);
    }
    store_row(s.rows, i, a);
    return finite;
}

// The common case, from the end of one substep to the next, away from everything. False, and
// nothing done, when it is not that.
template <bool TURNED>
DEVICE bool go_on_alone(const seat& s, const substep_rules& rules, int i,
                        const left_over<TURNED>& left, bool settles)
{
    const device_body& b = s.body;
    particle_row a = load_row(s.rows, i);
    a.d = left.taken_from(a.x, a.residue, a.d);
    if (b.sees.motion < 1) a.d = completed_increment(&rules, a.d, a.residue, a.v);
    for (int k = 0; k < b.obstacle_count; ++k)
        if (!particle_is_far(&b.obstacles[k], &a)) return false;
    if (settles) particle_settle(&a);
    if (!particle_update(particle_velocity(&rules, &a, NULL), &a)) return false;
    particle_predict(&rules, quad_gravity(&rules), a.v[3], &a, NULL);
    store_row(s.rows, i, a);
    return true;
}

// Between the iterations of a substep, nothing happens to what is away from everything.
DEVICE bool is_left_alone(const seat& s, int i)
{
    const device_body& b = s.body;
    particle_row a;
    a.x = s.rows.x[i * s.rows.x_stride], a.d = s.rows.d[i * s.rows.x_stride];
    for (int k = 0; k < b.obstacle_count; ++k)
        if (!particle_is_far(&b.obstacles[k], &a)) return false;
    return true;
}

// Of a thread, from row i on, whatever happens to them.
template <bool PAST, bool TURNED>
static __device__ __noinline__ rows_found finish_any_rows(const seat& s, sweep_pass part, int i,
                                                          int last, row_touches t)
{
    if (part.braking) return {t, true};
    const device_body& b = s.body;
    const left_over<TURNED> left(s);
    bool finite = true, goes = part.last && order_goes_on(&b.order, part.substep, PAST);
    bool touched = t.touched;
    bool lifted = part.first && (t.lifted || !order_is_begun(&b.order, &part, PAST)) &&
                  may_be_lifted<PAST>(b, part.substep);
    bool between =
        !part.last && !lifted && b.sees.motion >= 1 && b.holder_count == 0 && b.roller_count == 0;
    for (; i < last; i += (int)blockDim.x) {
        if (between && is_left_alone(s, i)) continue;
        finite = finish_row<PAST, TURNED>(s, part, i, left, lifted, &touched) && finite;
    }
    return {{touched && !goes, touched && goes}, finite};
}

// Most of the time nothing happens but the end of one substep and the begin of the next. That is
// apart, so that it keeps its few registers.
template <bool PAST, bool TURNED>
DEVICE rows_found finish_rows(const seat& s, const sweep_pass& part, int first, int last,
                              const row_touches& t)
{
    const device_body& b = s.body;
    int i = first + (int)threadIdx.x;
    if (!PAST && s.alone && !t.touched && !t.lifted && part.last &&
        order_is_begun(&b.order, &part, PAST) && order_goes_on(&b.order, part.substep, PAST)) {
        const left_over<TURNED> left(s);
        const substep_rules rules = *rules_at<false>(b, part.substep);
        while (i < last && go_on_alone(s, rules, i, left, part.substep == 0)) i += (int)blockDim.x;
        if (i >= last) return {{false, false}, true};
    }
    return finish_any_rows<PAST, TURNED>(s, part, i, last, t);
}

// Meetings have numbers of their own in all steps of a body.
DEVICE unsigned number_of(const seat& s, int meeting)
{
    return (unsigned)(s.body.first_meeting + meeting);
}

template <row_mode MODE> DEVICE scalar share_of(const patch_tables& t, int source)
{
    return t.share[MODE == ROWS_ELSEWHERE ? t.source[source] : source];
}

// d = the mean of what all copies published, weighted by their shares: relative to the last one, so
// that equal copies stay as they are. Some are asked for at once, since each takes a while.
template <row_mode MODE> DEVICE void merge(const seat& s, const patch_tables& t, int meeting)
{
    enum { AT_ONCE = 3 };
    const void* from = s.body.exchange[meeting & 1];
    unsigned number = number_of(s, meeting);
    int shared = s.part.row_count - s.part.inner_count;
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
        quad* d = &s.rows.d[(s.part.inner_count + i) * s.rows.x_stride];
        if (mine) *d = quad_with_last_of(mean, *d);
    }
}

template <bool TURNED>
DEVICE void publish(const seat& s, const left_over<TURNED>& left, int meeting)
{
    void* to = s.body.exchange[meeting & 1];
    unsigned number = number_of(s, meeting);
    int shared = s.part.row_count - s.part.inner_count;
    for (int i = (int)threadIdx.x; i < shared; i += (int)blockDim.x) {
        int row = s.part.inner_count + i, at = row * s.rows.x_stride;
        quad d = left.taken_from(s.rows.x[at], s.rows.residue[row], s.rows.d[at]);
        publish_one(to, s.part.first_slot + i, d, number);
    }
}

// d = what the copy of the turn before has published, where there is one.
DEVICE void take_over(const seat& s, int meeting)
{
    const void* from = s.body.exchange[meeting & 1];
    int shared = s.part.row_count - s.part.inner_count;
    for (int start = 0; start < shared; start += (int)blockDim.x) {
        int i = start + (int)threadIdx.x, before = -1;
        if (i < shared) before = s.body.before[s.part.first_slot + i];
        quad* d = &s.rows.d[(s.part.inner_count + i) * s.rows.x_stride];
        quad there = wait_for_one(from, max(before, 0), number_of(s, meeting), before >= 0);
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
static __device__ __noinline__ void begin_rows(const seat& s, sweep_pass part, int meeting)
{
    const device_body& b = s.body;
    for (int i = (int)threadIdx.x; !order_is_begun(&b.order, &part, PAST) && i < s.part.row_count;
         i += (int)blockDim.x) {
        particle_row a = load_row(s.rows, i);
        if (part.braking)
            coast_row<PAST>(b, s.part.first_row + i, part.substep, &a);
        else
            predict_row<PAST>(b, s.part.first_row + i, part.substep, true, &a);
        store_row(s.rows, i, a);
    }
    if (b.order.turns > 1) {
        __syncthreads();
        take_over(s, meeting);
    }
    if (has_to_keep(b, part)) {
        __syncthreads();
        keep_increments(b, s.part, s.rows);
    }
}

// What is not finite stands still from now on; the body from the next step on, so that all its
// patches do the same.
DEVICE void note(const seat& s, const rows_found& found, int meeting, row_touches* t)
{
    if (!found.finite) atomicMin(s.body.diverged, s.body.first_meeting + meeting);
    *t = found.touches;
}

// In shared memory, or, of patches that are too large for it, where they are.
template <row_mode MODE>
DEVICE patch_tables tables_of(const patched_layout& l, const seat& s, quad* memory)
{
    const device_body& b = s.body;
    patch_tables there = {b.share, b.color_group + s.part.first_color,
                          b.source_start + s.part.first_slot, b.source};
    return MODE == ROWS_ELSEWHERE ? there : tables_here(l, memory);
}

// In shared memory behind the tables, where there is room; else in the body's state.
static __device__ __noinline__ void place_torques(const patched_layout& l, seat& s, quad* memory)
{
    const device_body& b = s.body;
    const patch& t = s.part;
    torque_place p = {NULL, NULL, 0, 0, 0, 0, PINS_NONE, 0, false};
    if (b.component) {
        const component first = b.component[t.first_component],
                        last = b.component[t.first_component + t.component_count - 1];
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
    s.torques = p;
    bool here = p.pins == PINS_NONE;
#ifdef FAST_ARITHMETIC
    here = here || p.pins == PINS_POINT;
#endif
    s.leaves_twist = p.rows > 0 && here && l.row_quads == 4 && !b.past && b.order.iterations == 1 &&
                     b.order.turns == 1 && b.holder_count == 0;
}

template <row_mode MODE> DEVICE bool is_near(const patched_layout& l)
{
    return MODE != ROWS_ELSEWHERE && l.row_quads == 4;
}
template <row_mode MODE, bool PAST> DEVICE bool is_left_over(const seat& s, const sweep_pass& part)
{
    return !PAST && MODE != ROWS_ELSEWHERE && s.leaves_twist && !part.braking;
}

DEVICE free_patch patch_here(const patched_layout& l, seat& s)
{
    const torque_place& t = s.torques;
    free_patch p = {
        {l.work.rows}, s.part.row_count, t.strip_count, t.sums, s.body.mass_unit, PINS_NONE, 0};
#ifdef FAST_ARITHMETIC
    p.sums = s.sums;
    p.pins = t.pins;
    p.center = t.center;
#endif
    return p;
}

// The twist is known then, and left to whoever reads the increments next.
DEVICE void publish_untwisted(const free_patch& p, seat& s, int meeting)
{
    const warp_of w = warp_of_block();
    sum_strips(p, *rules_at<false>(s.body, 1), w);
    __syncthreads();
    const left_over<true> left(view_patch(p), solve_patch(p, w.lane));
    if (threadIdx.x == 0) s.from = left.from, s.turned = left.turned;
    publish(s, left, meeting);
}

template <int TYPE, row_mode MODE, bool PAST>
DEVICE void sweep_patch(const patched_layout& l, const seat& s, const patch_tables& tables,
                        const crew& c, const sweep_pass& part)
{
    if (MODE != ROWS_ELSEWHERE) {
        shared_rows rows = {(unsigned)l.work.rows};
        sweep<TYPE, PAST>(s.body, tables.color_start, s.part.color_count, c, rows, s.rows.residue,
                          part);
    } else {
        global_rows rows = {(scalar*)s.rows.x};
        sweep<TYPE, PAST>(s.body, tables.color_start, s.part.color_count, c, rows, s.rows.residue,
                          part);
    }
}

template <row_mode MODE, bool PAST>
DEVICE void untwist_rows(const patched_layout& l, const seat& s, const sweep_pass& part)
{
    near_rows near = {l.work.rows};
    far_rows far = {s.rows};
    if (!s.body.component || part.braking || s.torques.held)
        ;
    else if (is_near<MODE>(l))
        untwist_patch<PAST>(s.body, s.part, near, part, s.torques);
    else
        untwist_patch<PAST>(s.body, s.part, far, part, s.torques);
}

// From the meeting before to the end of the sweep; then everybody may know what is shared.
template <int TYPE, row_mode MODE, bool PAST>
DEVICE void work_before(const patched_layout& l, seat& s, quad* memory, const crew& c, int meeting,
                        const sweep_pass& before, const sweep_pass& part, touches* t)
{
    const patch_tables tables = tables_of<MODE>(l, s, memory);
    if (meeting > 0 && s.part.inner_count < s.part.row_count) {
        merge<MODE>(s, tables, meeting - 1);
        note(s,
             finish_rows<PAST, false>(s, before, s.part.inner_count, s.part.row_count, t->shared),
             meeting, &t->shared);
    }
    if (meeting == s.last_meeting) return;
    if (has_to_begin<PAST>(s.body, part)) {
        __syncthreads(); // other threads have merged these rows
        begin_rows<PAST>(s, part, meeting);
    }
    __syncthreads();
    sweep_patch<TYPE, MODE, PAST>(l, s, tables, c, part);
    if (is_left_over<MODE, PAST>(s, part)) {
        publish_untwisted(patch_here(l, s), s, meeting);
        return;
    }
    untwist_rows<MODE, PAST>(l, s, part);
    publish(s, left_over<false>(s), meeting);
}

// What nobody else waits for.
template <row_mode MODE, bool PAST>
DEVICE void work_after(const seat& s, int meeting, const sweep_pass& part, touches* t)
{
    if (meeting == s.last_meeting) return;
    int count = s.part.inner_count;
    if (is_left_over<MODE, PAST>(s, part))
        note(s, finish_rows<PAST, true>(s, part, 0, count, t->inner), meeting, &t->inner);
    else
        note(s, finish_rows<PAST, false>(s, part, 0, count, t->inner), meeting, &t->inner);
}

// ---- blocks -------------------------------------------------------------------------------------

DEVICE void copy_words(void* to, const void* from, int bytes)
{
    for (int i = (int)threadIdx.x; i < bytes / 4; i += (int)blockDim.x)
        ((int*)to)[i] = ((const int*)from)[i];
}

DEVICE void fill_tables(const patched_layout& l, const seat& s, quad* memory)
{
    const device_body& b = s.body;
    const patch_tables t = tables_here(l, memory);
    int shared = s.part.row_count - s.part.inner_count, threads = (int)blockDim.x;
    for (int i = (int)threadIdx.x; i <= s.part.color_count; i += threads)
        ((int*)t.color_start)[i] = b.color_group[s.part.first_color + i];
    if (shared == 0) return;
    const int* start = b.source_start + s.part.first_slot;
    for (int i = (int)threadIdx.x; i <= shared; i += threads)
        ((int*)t.source_start)[i] = start[i] - start[0];
    for (int i = (int)threadIdx.x; i < start[shared] - start[0]; i += threads) {
        int slot = b.source[start[0] + i];
        ((int*)t.source)[i] = slot;
        ((scalar*)t.share)[i] = b.share[slot];
    }
}

// Takes a patch: what is known of it, and where its rows are.
static __device__ __noinline__ void take_seat(const patched_layout& l, bool shared, int task,
                                              seat& s, quad* memory)
{
    const device_task t = l.work.task[task];
    const device_body* body = (const device_body*)l.work.body + t.body;
    __syncthreads();
    copy_words(&s.body, body, sizeof s.body);
    if (body->obstacle_count <= NEAR_OBSTACLES)
        copy_words(s.near, body->obstacles, body->obstacle_count * (int)sizeof(obstacle));
    copy_words(&s.part, &body->patches[t.patch], sizeof s.part);
#ifdef FAST_ARITHMETIC
    for (int i = (int)threadIdx.x; i < MOST_WARPS * TORQUE_SCALARS; i += (int)blockDim.x)
        s.sums[i] = 0;
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
        device_body& b = s.body;
        if (b.obstacle_count <= NEAR_OBSTACLES) b.obstacles = s.near;
        int first = s.part.first_row, rows = l.work.rows;
        int end = t.patch + 1 < b.patch_count ? b.patches[t.patch + 1].first_row : b.row_count;
        quad* row = (quad*)(b.row + (size_t)first * ROW);
        row_place elsewhere = {row, row + 1, 2, (quad*)(b.velocity + (size_t)first * ROW4),
                               (quad*)(b.residue + (size_t)first * ROW4)};
        row_place here = {memory, memory + rows, 1, memory + 2 * rows, memory + 3 * rows};
        if (l.row_quads != 4) here.v = elsewhere.v, here.residue = elsewhere.residue;
        s.span = end - first;
        s.rows = shared ? here : elsewhere;
        s.last_meeting = order_last_meeting(&b.order);
        s.alone = b.mover_count == 0 && b.holder_count == 0 && b.roller_count == 0 && !b.pushed;
        s.still = *(const volatile long long*)b.diverged < b.first_meeting;
        place_torques(l, s, memory);
    }
    __syncthreads();
    if (shared) fill_tables(l, s, memory);
}

// Rows between the state and shared memory.
static __device__ __noinline__ void move_rows(const patched_layout& l, const seat& s, bool in)
{
    const device_body& b = s.body;
    quad* row = (quad*)(b.row + (size_t)s.part.first_row * ROW);
    quad* velocity = (quad*)(b.velocity + (size_t)s.part.first_row * ROW4);
    quad* residue = (quad*)(b.residue + (size_t)s.part.first_row * ROW4);
    for (int i = (int)threadIdx.x; i < s.span; i += (int)blockDim.x) {
        if (in) {
            s.rows.x[i] = row[2 * i], s.rows.d[i] = row[2 * i + 1];
            if (l.row_quads == 4) s.rows.v[i] = velocity[i], s.rows.residue[i] = residue[i];
        } else {
            row[2 * i] = s.rows.x[i], row[2 * i + 1] = s.rows.d[i];
            if (l.row_quads == 4) velocity[i] = s.rows.v[i], residue[i] = s.rows.residue[i];
        }
    }
}

// A block that holds one patch during the whole step.
template <int TYPE, bool PAST>
DEVICE void run_staying(const patched_layout& l, seat& s, quad* memory, const crew& c)
{
    touches t = all_may();
    take_seat(l, true, (int)blockIdx.x, s, memory);
    __syncthreads();
    if (s.still) return; // all blocks of the body do
    move_rows(l, s, true);
    __syncthreads();
    sweep_pass before, part = order_pass(&s.body.order, -1);
    for (int meeting = 0; meeting <= s.last_meeting; ++meeting) {
        before = part;
        part = order_pass(&s.body.order, meeting);
        work_before<TYPE, ROWS_STAY, PAST>(l, s, memory, c, meeting, before, part, &t);
        __syncthreads();
        work_after<ROWS_STAY, PAST>(s, meeting, part, &t);
    }
    __syncthreads();
    move_rows(l, s, false);
}

// Blocks that take one patch after the other, in every turn of every meeting.
template <int TYPE, row_mode MODE, bool PAST>
DEVICE void run_waves(const patched_layout& l, seat& s, quad* memory, const crew& c)
{
    const patched_work& w = l.work;
    bool shared = MODE != ROWS_ELSEWHERE;
    for (int meeting = 0; meeting <= w.last_meeting; ++meeting)
        for (int turn = 0; turn < w.turn_count; ++turn)
            for (int task = (int)blockIdx.x; task < w.task_count; task += (int)gridDim.x) {
                touches t = all_may();
                take_seat(l, shared, task, s, memory);
                __syncthreads();
                if (s.part.turn != turn || meeting > s.last_meeting || s.still) continue;
                sweep_pass before = order_pass(&s.body.order, meeting - 1);
                sweep_pass part = order_pass(&s.body.order, meeting);
                if (shared) move_rows(l, s, true);
                __syncthreads();
                work_before<TYPE, MODE, PAST>(l, s, memory, c, meeting, before, part, &t);
                __syncthreads();
                work_after<MODE, PAST>(s, meeting, part, &t);
                __syncthreads();
                if (shared) move_rows(l, s, false);
            }
}

// ---- phases -------------------------------------------------------------------------------------

// From the prediction to what is published.
template <int TYPE, row_mode MODE, bool PAST>
DEVICE void sweep_in_phase(const patched_layout& l, const seat& s, quad* memory, const crew& c,
                           const sweep_pass& part, int meeting)
{
    if (MODE != ROWS_ELSEWHERE) move_rows(l, s, true);
    __syncthreads();
    if (has_to_begin<PAST>(s.body, part)) begin_rows<PAST>(s, part, meeting);
    __syncthreads();
    sweep_patch<TYPE, MODE, PAST>(l, s, tables_of<MODE>(l, s, memory), c, part);
    untwist_rows<MODE, PAST>(l, s, part);
    publish(s, left_over<false>(s), meeting);
    __syncthreads();
    if (MODE != ROWS_ELSEWHERE) move_rows(l, s, false);
}

// All rows are complete then.
template <bool PAST> DEVICE void join_rows(const patched_layout& l, const seat& s, sweep_pass part)
{
    const row_touches any = {true, true};
    if (s.part.inner_count < s.part.row_count) {
        merge<ROWS_ELSEWHERE>(s, tables_of<ROWS_ELSEWHERE>(l, s, NULL),
                              order_meeting(&s.body.order, &part));
        __syncthreads();
    }
    part.last = false; // the end is a phase of its own
    finish_any_rows<PAST, false>(s, part, (int)threadIdx.x, s.part.row_count, any);
}

template <bool PAST> DEVICE void end_rows(const seat& s, const sweep_pass& part)
{
    bool finite = true;
    for (int i = (int)threadIdx.x; i < s.part.row_count; i += (int)blockDim.x) {
        particle_row a = load_row(s.rows, i);
        finite = update_row<PAST>(s.body, s.part.first_row + i, part.substep, true, &a) && finite;
        store_row(s.rows, i, a);
    }
    row_touches nobody_asks;
    note(s, {{true, true}, finite}, order_meeting(&s.body.order, &part), &nobody_asks);
}

// One phase for all patches: those of a sweep in shared memory where they fit, others where their
// rows are.
template <int TYPE, row_mode MODE, bool PAST>
DEVICE void run_phase(const patched_layout& l, seat& s, quad* memory, const crew& c)
{
    const patched_work& w = l.work;
    for (int task = (int)blockIdx.x; task < w.task_count; task += (int)gridDim.x) {
        take_seat(l, MODE != ROWS_ELSEWHERE, task, s, memory);
        __syncthreads();
        const work_order& o = s.body.order;
        sweep_pass part =
            w.braking ? order_brake(&o, w.substep, w.number) : order_sweep(&o, w.substep, w.number);
        if (s.still || !order_has(&o, &part)) continue;
        if (w.phase == PHASE_SWEEP && s.part.turn == w.turn)
            sweep_in_phase<TYPE, MODE, PAST>(l, s, memory, c, part, order_meeting(&o, &part));
        if (MODE == ROWS_ELSEWHERE && w.phase == PHASE_JOIN) join_rows<PAST>(l, s, part);
        if (MODE == ROWS_ELSEWHERE && w.phase == PHASE_END) end_rows<PAST>(s, part);
    }
}

template <int TYPE, row_mode MODE, bool PAST>
static __global__ void __launch_bounds__(MOST_THREADS)
    patched_step(const __grid_constant__ patched_layout l)
{
    quad* memory = (quad*)block_memory;
    __shared__ seat s;
    crew c = find_crew(l.crew);
    if (MODE == ROWS_STAY)
        run_staying<TYPE, PAST>(l, s, memory, c);
    else if (l.work.in_phases)
        run_phase<TYPE, MODE, PAST>(l, s, memory, c);
    else
        run_waves<TYPE, MODE, PAST>(l, s, memory, c);
}
