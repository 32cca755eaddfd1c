// Clusters of particles on a GPU (solver/cluster_set.h), and small bodies of particles that run
// together.
//
// A piece is looked at by a warp: its lanes are the 32 columns, which come together in shared
// memory, where each lane adds up one of the sums. A cluster is solved by a thread, while others
// solve theirs.
#pragma once
#include "cuda/launch.h"
#include "cuda/rows.cuh"
#include "cuda/torques.cuh"

typedef double match_columns[MATCH_COLUMNS][MATCH_TERMS + 1]; // one more: no two in one bank

DEVICE match_rows rows_of_clusters(const device_body& b)
{
    match_rows rows = {b.row, b.velocity, b.residue};
    return rows;
}

template <int STRIDE> DEVICE void halve(double* sum, int columns)
{
#pragma unroll
    for (int i = 0; i < STRIDE; ++i)
        if (i + STRIDE < columns) sum[i] += sum[i + STRIDE];
}

DEVICE void look_at_piece(const match_rows& rows, const device_match& m, int piece, int lane,
                          match_columns& column)
{
    const cluster_set& c = m.set;
    const cluster_piece p = cluster_open_piece(&c, piece);
    const double* rest = cluster_rest(&c, &m.state);
    const int columns = p.count < MATCH_COLUMNS ? p.count : MATCH_COLUMNS;
    double from[3], term[MATCH_TERMS], second[MATCH_TERMS], sum[MATCH_COLUMNS];
    cluster_see_from(rows, &c, p.cluster, from);
    if (lane < columns) {
        size_t k = (size_t)(p.first + lane);
        match_term(rows, c.particle[k], c.weight[k], rest + 3 * k, from, term);
        if (lane + MATCH_COLUMNS < p.count) {
            k += MATCH_COLUMNS;
            match_term(rows, c.particle[k], c.weight[k], rest + 3 * k, from, second);
            match_add(term, second);
        }
#pragma unroll
        for (int i = 0; i < MATCH_TERMS; ++i) column[lane][i] = term[i];
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < MATCH_COLUMNS; ++i) sum[i] = i < columns ? column[i][lane] : 0;
    halve<16>(sum, columns);
    halve<8>(sum, columns);
    halve<4>(sum, columns);
    halve<2>(sum, columns);
    halve<1>(sum, columns);
    m.state.sum[piece].term[lane] = sum[0];
    for (int k = 0; k < 3 && lane == 0 && piece == c.first_piece[p.cluster]; ++k)
        m.state.pose[p.cluster].from[k] = from[k];
    __syncwarp();
}

enum { CLUSTER_THREADS = 64, CLUSTER_WARPS = CLUSTER_THREADS / WARP };
typedef match_columns columns_of_warps[CLUSTER_WARPS];

static __global__ void look_kernel(const device_body* body, int pieces, int number)
{
    SHARED(columns_of_warps, column);
    const device_body& b = *body;
    const int warp = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;
    const int piece = (int)blockIdx.x * CLUSTER_WARPS + warp;
    if (piece >= pieces || *b.diverged < b.first_meeting + number) return;
    look_at_piece(rows_of_clusters(b), *b.match, piece, lane, column[warp]);
}

static __global__ void match_kernel(const device_body* body, int clusters, int number)
{
    const device_body& b = *body;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= clusters || *b.diverged < b.first_meeting + number) return;
    cluster_solve(&b.match->set, &b.match->state, i);
}

DEVICE void push_row(const device_body& b, int row, int number, bool first)
{
    const device_match& m = *b.match;
    cluster_push(rows_of_clusters(b), &m.set, &m.state, &m.rules[number > 0][first], first, row);
}

static __global__ void shape_kernel(const device_body* body, int particles, int number, bool first)
{
    const device_body& b = *body;
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= particles || *b.diverged < b.first_meeting + number) return;
    push_row(b, i, number, first);
}

// ---- crowds -------------------------------------------------------------------------------------

// Each body has so many warps, or threads, side by side: as many as the one with most has use for,
// up to a block.
typedef struct {
    int body, first; // of all bodies; pieces or clusters of it: from there on, in steps of `each`
    int each;
} crowd_part;

DEVICE crowd_part part_of_crowd(int number, int each)
{
    crowd_part p = {number / each, number % each, each};
    return p;
}

// Whether there is something to match of it.
DEVICE bool is_matched(const device_body& b, int number)
{
    return b.match && *b.diverged >= b.first_meeting + number;
}

static __global__ void crowd_look_kernel(const device_body* bodies, int count, int each, int number)
{
    SHARED(columns_of_warps, column);
    const int warp = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;
    const crowd_part p = part_of_crowd((int)blockIdx.x * CLUSTER_WARPS + warp, each);
    if (p.body >= count || !is_matched(bodies[p.body], number)) return;
    const device_body& b = bodies[p.body];
    const int pieces = b.match->set.piece_count;
    for (int i = p.first; i < pieces; i += p.each)
        look_at_piece(rows_of_clusters(b), *b.match, i, lane, column[warp]);
}

static __global__ void crowd_match_kernel(const device_body* bodies, int count, int each,
                                          int number)
{
    const crowd_part p = part_of_crowd((int)(blockIdx.x * blockDim.x + threadIdx.x), each);
    if (p.body >= count || !is_matched(bodies[p.body], number)) return;
    const device_match& m = *bodies[p.body].match;
    for (int i = p.first; i < m.set.count; i += p.each) cluster_solve(&m.set, &m.state, i);
}

static __global__ void crowd_shape_kernel(const device_body* bodies, const device_task* task,
                                          int number, bool first)
{
    const device_task t = task[blockIdx.x];
    const int row = t.patch * CROWD_ROWS + (int)threadIdx.x;
    const device_body& b = bodies[t.body];
    if (row < b.particle_count && is_matched(b, number)) push_row(b, row, number, first);
}
