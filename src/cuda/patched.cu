// Bodies of patches on a GPU: one kernel for a whole step. A block holds a patch in its shared
// memory, runs every sweep of it alone, and meets the others once per sweep (see patches.c, whose
// order of work this is).
//
// The colors of a patch are a chain: each waits for the one before. So crews of warps take the
// colors in turn. While one crew solves its color, the others fetch and prepare theirs, and only the
// part of a projection that depends on the increments is in the chain.
//
// Compiled once per precision: -DLAUNCHES=the table's name [-DPRECISION_DOUBLE].
#include "cuda/launch.h"
#include "cuda/rows.cuh"
#include "cuda/sweep.cuh"
#include <limits.h>

enum { MOST_THREADS = 512, WARP = 32 };

// ---- crews --------------------------------------------------------------------------------------

typedef struct {
    int number, count; // of this thread's crew, of crews
    int lane, width;   // of this thread in its crew, of threads in a crew
} crew;

DEVICE crew find_crew(int width)
{
    int thread = (int)threadIdx.x;
    crew c = {thread / width, (int)blockDim.x / width, thread % width, width};
    return c;
}

// Barriers 1 to 15 are for the turns, 0 is everybody's. Those who pass a turn on do not wait.
DEVICE void wait_for_turn(const crew& c, int turn)
{
    asm volatile("bar.sync %0, %1;" ::"r"(1 + turn % 15), "r"(2 * c.width) : "memory");
}
DEVICE void pass_turn(const crew& c, int turn)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(1 + (turn + 1) % 15), "r"(2 * c.width) : "memory");
}

// ---- sweeps -------------------------------------------------------------------------------------

typedef struct {
    bool braking, first, last;
    int number; // of the substep
} sweep_part;

template <class K, class R>
DEVICE void sweep_packed(const device_body& b, const stream& st, const int* starts, int colors,
                         const crew& c, const R& rows, const quad* residue, bool first)
{
    const substep s = b.sees_substep[K::on_motion];
    for (int color = c.number; color < colors; color += c.count) {
        unsigned place = (unsigned)(starts[color] * BLOCK + c.lane);
        unsigned end = (unsigned)starts[color + 1] * BLOCK;
        prepared<K> p;
        bool here = place < end;
        if (here) p = prepare<K>(fetch_packed<K>(st, place), s, rows);
        if (c.count > 1 && color > 0) wait_for_turn(c, color);
        while (here) {
            scalar* lambda = s.multipliers ? b.lambda + st.lambda_at +
                                                 (size_t)(place / BLOCK) * (K::rows * BLOCK) +
                                                 place % BLOCK
                                           : NULL;
            // Padding has all corners on one row.
            if (K::particles == 1 || p.at[0] != p.at[K::particles - 1])
                solve<K>(p, s, rows, residue, lambda, first);
            place += (unsigned)c.width;
            here = place < end;
            if (here) p = prepare<K>(fetch_packed<K>(st, place), s, rows);
        }
        if (c.count > 1 && color + 1 < colors) pass_turn(c, color);
        if (c.count == 1) __syncthreads();
    }
}

template <class R>
__device__ __noinline__ void sweep_blocks(const device_body& b, const int* starts, int colors,
                                          const crew& c, const R& rows, const quad* residue,
                                          bool braking, bool first)
{
    for (int color = c.number; color < colors; color += c.count) {
        if (c.count > 1 && color > 0) wait_for_turn(c, color);
        for (int place = c.lane; place < (starts[color + 1] - starts[color]) * BLOCK;
             place += c.width) {
            const lane_group g = b.group[starts[color] + place / BLOCK];
            if (place % BLOCK < g.lanes)
                solve_lane(b, g, place % BLOCK, braking, first, rows, residue);
        }
        if (c.count > 1 && color + 1 < colors) pass_turn(c, color);
        if (c.count == 1) __syncthreads();
    }
}

template <int TYPE, class R>
DEVICE void sweep(const device_body& b, const int* starts, int colors, const crew& c, const R& rows,
                  const quad* residue, const sweep_part& part)
{
    const stream& st = b.sweep[part.braking];
    if (!st.any) return;
    if (TYPE != TYPE_COUNT && st.uniform && st.type == TYPE)
        sweep_packed<kind<TYPE == TYPE_COUNT ? 0 : TYPE>>(b, st, starts, colors, c, rows, residue,
                                                          part.first);
    else
        sweep_blocks(b, starts, colors, c, rows, residue, part.braking, part.first);
    __syncthreads();
}

// ---- one patch ----------------------------------------------------------------------------------

// What a block has of the patch at hand, the same for all its threads.
typedef struct {
    device_body body;
    patch part;
    row_place rows;
    int span;    // rows with padding
    int* starts; // of its colors, in groups
    int last_meeting;
} seat;

// What a thread remembers of its rows: some of them touch something.
typedef struct {
    bool inner, shared;
} touches;

DEVICE int passes_per_substep(const device_body& b)
{
    return (b.damped ? 2 : 1) * b.iterations;
}

DEVICE sweep_part part_number(const device_body& b, int meeting)
{
    int passes = passes_per_substep(b), i = meeting % passes;
    sweep_part p = {b.damped && i < b.iterations, i % b.iterations == 0,
                    i % b.iterations == b.iterations - 1, meeting / passes};
    return p;
}

// Rows go on to the next substep as soon as they are through with this one, unless viscosity comes
// first.
DEVICE bool goes_on(const device_body& b, int number)
{
    return !b.damped && number + 1 < b.substeps;
}

// What comes after a sweep, for one row. Returns false when it left the finite numbers.
DEVICE bool finish_row(const seat& s, const sweep_part& part, int i, bool* touched)
{
    const device_body& b = s.body;
    int row = s.part.first_row + i;
    particle a = load_row(s.rows, i);
    bool touching = touch_row(b, row, part.number, part.first, &a), finite = true;
    *touched = *touched || touching;
    if (part.last) {
        finite = update_row(b, row, *touched, &a);
        if (finite && goes_on(b, part.number))
            predict_row(b, row, part.number + 1, *touched, &a);
    }
    store_row(s.rows, i, a);
    return finite;
}

DEVICE bool finish_rows(const seat& s, const sweep_part& part, int first, int last, bool* touched)
{
    bool finite = true;
    if (part.braking) return true;
    for (int i = first + (int)threadIdx.x; i < last; i += (int)blockDim.x)
        finite = finish_row(s, part, i, touched) && finite;
    if (part.last && goes_on(s.body, part.number)) *touched = false;
    return finite;
}

// d = the mean of what all copies published, weighted by their shares: relative to the last one, so
// that equal copies stay as they are.
DEVICE void merge(const seat& s, int buffer)
{
    const device_body& b = s.body;
    const quad* from = (const quad*)b.exchange[buffer];
    int shared = s.part.row_count - s.part.inner_count;
    for (int i = (int)threadIdx.x; i < shared; i += (int)blockDim.x) {
        const int* start = b.source_start + s.part.first_slot + i;
        int first = __ldg(start), last = __ldg(start + 1) - 1;
        quad base = quad_load_fresh(from + __ldg(b.source + last)), mean = base;
        for (int k = first; k < last; ++k) {
            int slot = __ldg(b.source + k);
            mean = mean + b.share[slot] * (quad_load_fresh(from + slot) - base);
        }
        s.rows.d[(s.part.inner_count + i) * s.rows.x_stride] = mean;
    }
}

DEVICE void publish(const seat& s, int buffer)
{
    quad* out = (quad*)s.body.exchange[buffer] + s.part.first_slot;
    int shared = s.part.row_count - s.part.inner_count;
    for (int i = (int)threadIdx.x; i < shared; i += (int)blockDim.x)
        out[i] = s.rows.d[(s.part.inner_count + i) * s.rows.x_stride];
}

// d = what the copy of the turn before has published, where there is one.
DEVICE void take_over(const seat& s, int buffer)
{
    const quad* from = (const quad*)s.body.exchange[buffer];
    int shared = s.part.row_count - s.part.inner_count;
    for (int i = (int)threadIdx.x; i < shared; i += (int)blockDim.x) {
        int before = s.body.before[s.part.first_slot + i];
        if (before >= 0)
            s.rows.d[(s.part.inner_count + i) * s.rows.x_stride] = quad_load_fresh(from + before);
    }
}

DEVICE void begin_rows(const seat& s, const sweep_part& part, int buffer)
{
    const device_body& b = s.body;
    bool begun = part.number > 0 && goes_on(b, part.number - 1);
    for (int i = (int)threadIdx.x; part.first && !begun && i < s.part.row_count;
         i += (int)blockDim.x) {
        particle a = load_row(s.rows, i);
        if (part.braking)
            coast_row(b, s.part.first_row + i, part.number, &a);
        else
            predict_row(b, s.part.first_row + i, part.number, true, &a);
        store_row(s.rows, i, a);
    }
    if (b.turn_count > 1) {
        __syncthreads();
        take_over(s, buffer);
    }
}

DEVICE void note_failure(const seat& s, bool finite, int meeting)
{
    if (!finite) atomicMin(s.body.diverged, meeting + 1);
}

// From the meeting before to the end of the sweep; then everybody may know what is shared.
template <int TYPE, bool SHARED>
DEVICE void work_before(const seat& s, const crew& c, int meeting, touches* t)
{
    int buffer = meeting % 2;
    if (meeting > 0 && s.part.inner_count < s.part.row_count) {
        sweep_part before = part_number(s.body, meeting - 1);
        merge(s, !buffer);
        note_failure(s, finish_rows(s, before, s.part.inner_count, s.part.row_count, &t->shared),
                     meeting);
    }
    if (meeting == s.last_meeting) return;
    sweep_part part = part_number(s.body, meeting);
    begin_rows(s, part, buffer);
    __syncthreads();
    if (SHARED) {
        shared_rows rows = {s.rows.x, s.rows.d};
        sweep<TYPE>(s.body, s.starts, s.part.color_count, c, rows, s.rows.residue, part);
    } else {
        global_rows rows = {(scalar*)s.rows.x};
        sweep<TYPE>(s.body, s.starts, s.part.color_count, c, rows, s.rows.residue, part);
    }
    publish(s, buffer);
}

// What nobody else waits for.
DEVICE void work_after(const seat& s, int meeting, touches* t)
{
    if (meeting == s.last_meeting) return;
    sweep_part part = part_number(s.body, meeting);
    note_failure(s, finish_rows(s, part, 0, s.part.inner_count, &t->inner), meeting);
}

// ---- blocks -------------------------------------------------------------------------------------

DEVICE void copy_words(void* to, const void* from, int bytes)
{
    for (int i = (int)threadIdx.x; i < bytes / 4; i += (int)blockDim.x)
        ((int*)to)[i] = ((const int*)from)[i];
}

// Takes a patch: what is known of it, and where its rows are.
template <bool SHARED> DEVICE void take_seat(const patched_launch& l, seat& s, quad* memory, int task)
{
    const device_task t = l.task[task];
    __syncthreads();
    copy_words(&s.body, &l.body[t.body], sizeof s.body);
    copy_words(&s.part, &l.body[t.body].patches[t.patch], sizeof s.part);
    __syncthreads();
    if (threadIdx.x == 0) {
        const device_body& b = s.body;
        int first = s.part.first_row, rows = l.row_capacity;
        int end = t.patch + 1 < b.patch_count ? b.patches[t.patch + 1].first_row : b.row_count;
        quad* row = (quad*)(b.row + (size_t)first * ROW);
        row_place elsewhere = {row, row + 1, 2, (quad*)(b.velocity + (size_t)first * ROW4),
                               (quad*)(b.residue + (size_t)first * ROW4)};
        row_place here = {memory, memory + rows, 1, memory + 2 * rows, memory + 3 * rows};
        if (!l.motion_in_shared) here.v = elsewhere.v, here.residue = elsewhere.residue;
        s.span = end - first;
        s.rows = SHARED ? here : elsewhere;
        s.starts = (int*)(memory + (SHARED ? (l.motion_in_shared ? 4 : 2) * rows : 0));
        s.last_meeting = b.substeps * passes_per_substep(b);
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i <= s.part.color_count; i += (int)blockDim.x)
        s.starts[i] = s.body.color_group[s.part.first_color + i];
}

// Rows between the state and shared memory.
DEVICE void move_rows(const patched_launch& l, const seat& s, bool in)
{
    const device_body& b = s.body;
    quad* row = (quad*)(b.row + (size_t)s.part.first_row * ROW);
    quad* velocity = (quad*)(b.velocity + (size_t)s.part.first_row * ROW4);
    quad* residue = (quad*)(b.residue + (size_t)s.part.first_row * ROW4);
    for (int i = (int)threadIdx.x; i < s.span; i += (int)blockDim.x) {
        if (in) {
            s.rows.x[i] = row[2 * i], s.rows.d[i] = row[2 * i + 1];
            if (l.motion_in_shared) s.rows.v[i] = velocity[i], s.rows.residue[i] = residue[i];
        } else {
            row[2 * i] = s.rows.x[i], row[2 * i + 1] = s.rows.d[i];
            if (l.motion_in_shared) velocity[i] = s.rows.v[i], residue[i] = s.rows.residue[i];
        }
    }
}

// The barrier of all blocks, in two halves: what is done between them hides its latency.
DEVICE void arrive(const patched_launch& l)
{
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    atomicAdd(l.arrived, 1u);
}

DEVICE void wait_for_all(const patched_launch& l, unsigned round)
{
    if (threadIdx.x == 0) {
        unsigned seen, wanted = round * gridDim.x;
        do {
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(l.arrived) : "memory");
        } while (seen < wanted);
    }
    __syncthreads();
}

// All blocks have agreed on failures before the meeting.
DEVICE bool stands_still(const seat& s, int meeting)
{
    return meeting > s.last_meeting || *(volatile int*)s.body.diverged <= meeting - 1;
}

template <int TYPE, bool SHARED> __global__ void __launch_bounds__(MOST_THREADS)
    patched_step(const patched_launch l, int crew_width)
{
    extern __shared__ quad memory[];
    __shared__ seat s;
    crew c = find_crew(crew_width);
    bool resident = l.task_count <= (int)gridDim.x;
    bool meeting_others = l.last_meeting > 0;
    touches t = {true, true};
    unsigned round = 0;
    if (resident) {
        take_seat<SHARED>(l, s, memory, (int)blockIdx.x);
        if (SHARED) move_rows(l, s, true);
        __syncthreads();
    }
    int last = meeting_others ? l.last_meeting : s.last_meeting;
    for (int meeting = 0; meeting <= last; ++meeting)
        for (int turn = 0; turn < l.turn_count; ++turn) {
            bool arrived = false;
            for (int task = (int)blockIdx.x; task < l.task_count; task += (int)gridDim.x) {
                if (!resident) {
                    take_seat<SHARED>(l, s, memory, task);
                    t.inner = t.shared = true;
                }
                if (s.part.turn != turn || stands_still(s, meeting)) continue;
                if (!resident && SHARED) move_rows(l, s, true);
                __syncthreads();
                work_before<TYPE, SHARED>(s, c, meeting, &t);
                if (resident && meeting_others) arrive(l), arrived = true;
                work_after(s, meeting, &t);
                __syncthreads();
                if (!resident && SHARED) move_rows(l, s, false);
            }
            if (!meeting_others) continue;
            if (!arrived) arrive(l);
            wait_for_all(l, ++round);
        }
    __syncthreads();
    if (resident && SHARED) move_rows(l, s, false);
}
