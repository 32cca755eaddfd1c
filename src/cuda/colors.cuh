// Bodies without patches on a GPU, the way that was published: a kernel for each color and each
// pass over the particles (see colors.c).
#pragma once
#include "cuda/flow.cuh"
#include "cuda/launch.h"
#include "cuda/rows.cuh"
#include "cuda/sweep.cuh"
#include "cuda/torques.cuh"
#include "solver/enclosed.h"
#include "solver/phantoms.h"

DEVICE row_place all_rows(const device_body& b)
{
    quad* row = (quad*)b.row;
    row_place p = {row, row + 1, 2, (quad*)b.velocity, (quad*)b.residue};
    return p;
}

// Returns false when the particle left the finite numbers.
template <int KIND, bool PAST, bool SPECIAL>
DEVICE bool treat_row(const device_body& b, int row, int number, bool first, particle_row* a)
{
    bool touched = b.obstacle_count > 0 || b.meets;
    if (KIND == KERNEL_COAST) coast_row<PAST>(b, row, number, a);
    if (KIND == KERNEL_PREDICT) predict_row<PAST>(b, row, number, number == 0 || touched, a);
    if (KIND == KERNEL_TOUCH)
        touch_row<PAST, SPECIAL>(b, row, number, first, first && may_be_lifted<PAST>(b, number), a);
    return KIND != KERNEL_UPDATE || update_row<PAST, SPECIAL>(b, row, number, touched, a);
}

template <int KIND, bool SPECIAL>
static __global__ void particle_kernel(const device_body* body, int rows, int number, bool first)
{
    const device_body& b = *body;
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows || *b.diverged < b.first_meeting + number) return;
    row_place p = all_rows(b);
    particle_row a = load_row(p, row);
    bool finite = b.past ? treat_row<KIND, true, SPECIAL>(b, row, number, first, &a)
                         : treat_row<KIND, false, SPECIAL>(b, row, number, first, &a);
    if (!finite) atomicMin(b.diverged, b.first_meeting + number);
    store_row(p, row, a);
}

// Phantoms take the state of their particles, or give it back.
template <int KIND>
static __global__ void phantom_kernel(const device_body* body, int particles, int number)
{
    const device_body& b = *body;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= particles || *b.diverged < b.first_meeting + number) return;
    int first = particles + b.phantom[i], end = particles + b.phantom[i + 1];
    if (KIND == KERNEL_SPREAD)
        phantoms_spread(b.row, b.order.damped || b.flow ? b.residue : NULL, i, first, end);
    else
        phantoms_gather(b.row, b.share, i, first, end);
}

// A block for each piece of particles; terms are added in their order.
static __global__ void enclose_kernel(const device_body* body, int particles, int number)
{
    typedef enclosed_sum of_threads[ENCLOSURE_PIECE];
    SHARED(of_threads, term);
    const device_body& b = *body;
    int first = (int)blockIdx.x * ENCLOSURE_PIECE, i = first + (int)threadIdx.x;
    if (*b.diverged < b.first_meeting + number) return;
    if (i < particles) {
        int start = b.inside_start[i];
        enclosed_rows rows = {b.row, b.velocity};
        term[threadIdx.x] =
            enclosed_look(rows, i, b.inside_pair + 2 * (size_t)start, b.inside_start[i + 1] - start,
                          b.inside_grad + 3 * (size_t)i);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    enclosed_sum sum = {0, 0};
    for (int k = 0; k < ENCLOSURE_PIECE && first + k < particles; ++k) {
        sum.volumes += term[k].volumes;
        sum.pivot += term[k].pivot;
    }
    b.inside_sum[blockIdx.x] = sum;
}

static __global__ void hold_kernel(const device_body* body, int pieces, int number, bool first)
{
    const device_body& b = *body;
    b.inside_lambda[1] =
        enclosed_solve(b.inside_sum, pieces, b.inside[number > 0], first, b.inside_lambda);
}

static __global__ void inflate_kernel(const device_body* body, int particles, int number)
{
    const device_body& b = *body;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= particles || *b.diverged < b.first_meeting + number) return;
    enclosed_rows rows = {b.row, b.velocity};
    enclosed_push(rows, i, b.inside_grad + 3 * (size_t)i, b.inside_lambda[1]);
}

static __global__ void keep_kernel(const device_body* body, int particles, int number)
{
    const device_body& b = *body;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= particles || *b.diverged < b.first_meeting + number) return;
    quad_store(b.kept + (size_t)i * ROW4, quad_load(b.row + (size_t)i * ROW + ROW_D));
}

// A warp for each strip or component.
template <int KIND, bool PAST>
DEVICE void treat_torque(const device_body& b, int i, const sweep_pass& part, int lane)
{
    torque_place at = {b.torque_sums, (twist*)b.twists, 0, 0, 0, 0, PINS_NONE, 0, false};
    const far_rows rows = {all_rows(b)};
    const torque_work<far_rows> w = start_torques<PAST>(b, rows, 0, part);
    if (KIND == KERNEL_TORQUES) sum_strip<PAST>(w, i, at, lane);
    if (KIND == KERNEL_TWISTS)
        solve_component<PAST>(w, i, b.components[i].first_strip, b.components[i].strip_count, at,
                              lane);
    if (KIND == KERNEL_UNTWIST) untwist_strip<PAST>(w, i, at, lane);
}

template <int KIND>
static __global__ void torque_kernel(const device_body* body, int count, int number, bool first)
{
    const device_body& b = *body;
    warp_of w = warp_of_block();
    int i = (int)blockIdx.x * w.count + w.number;
    if (i >= count || *b.diverged < b.first_meeting + number) return;
    sweep_pass part = {false, first, false, false, 0, number};
    if (b.past)
        treat_torque<KIND, true>(b, i, part, w.lane);
    else
        treat_torque<KIND, false>(b, i, part, w.lane);
}

// What is known of a color without asking the device's memory: fewer loads that wait for each
// other.
typedef struct {
    const device_body* body;
    const lane_group* group;
    const void* index;
    const scalar *field, *same;
    scalar* row;
    int lanes, first_group, index_bytes, number;
    bool single, first, averaged;
} color_in_order;

template <class K> DEVICE fetched<K> fetch_round(const color_in_order& c, int round, int lane)
{
    fetched<K> f;
    const scalar* field = c.field + (size_t)round * (K::own * BLOCK) + lane;
    size_t at = (size_t)round * (K::particles * BLOCK) + (size_t)lane;
#pragma unroll
    for (int i = 0; i < K::particles; ++i)
        f.at[i] = c.index_bytes == 2 ? __ldg((const uint16_t*)c.index + at + i * BLOCK)
                                     : (unsigned)__ldg((const int*)c.index + at + i * BLOCK);
#pragma unroll
    for (int i = 0; i < K::fields; ++i)
        f.field[i] = i < K::own ? __ldg(field + i * BLOCK) : __ldg(c.same + i - K::own);
    return f;
}

// The rounds of a lane, each fetched while the one before is solved.
template <int TYPE> static __global__ void color_kernel_in_order(const color_in_order c)
{
    typedef kind<TYPE> K;
    int place = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (place >= c.lanes) return;
    const device_body& b = *c.body;
    int group = c.first_group + place / BLOCK, lane = place % BLOCK, round = group, end = group + 1;
    if (!c.single) {
        round = c.group[group].first_round;
        end = round + c.group[group].round_count;
    }
    fetched<K> next = fetch_round<K>(c, round, lane);
    const substep s = b.sees_substep[seen_at<true>(false, c.number)];
    if (*b.diverged < b.first_meeting + c.number) return;
    global_rows rows = {c.row};
    scalar relaxation = c.averaged ? b.relaxation : 1;
    for (; round < end; ++round) {
        const fetched<K> f = next;
        if (round + 1 < end) next = fetch_round<K>(c, round + 1, lane);
        scalar* lambda = s.multipliers ? b.lambda + (size_t)round * (K::rows * BLOCK) + lane : NULL;
        solve<K>(prepare<K>(f, s, rows), s, rows, NULL, lambda, c.first, relaxation);
    }
}

template <bool FLOWS>
static __global__ void color_kernel(const device_body* body, int lanes, int color, bool braking,
                                    bool first, bool averaged, int number)
{
    const device_body& b = *body;
    int place = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (place >= lanes || *b.diverged < b.first_meeting + number) return;
    const int number_of_group = b.color_group[color] + place / BLOCK;
    const lane_group g = b.group[number_of_group];
    const sweep_pass part = {braking, first, false, averaged, 0, number};
    global_rows rows = {b.row};
    ahead none;
    if (FLOWS && order_starts(&b.order, &part))
        for (int i = b.flow->start[number_of_group]; i < b.flow->start[number_of_group + 1]; ++i)
            flow_lane(*b.flow, b, i, place % BLOCK, rows, (const quad*)b.residue);
    if (place % BLOCK < g.lanes)
        solve_lane<FLOWS>(b, g, place % BLOCK, seen_at<true>(braking, number), first, rows,
                          (const quad*)b.residue, averaged ? b.relaxation : 1, false, none);
}
