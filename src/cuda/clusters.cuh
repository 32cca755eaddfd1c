// Clusters of particles on a GPU (solver/cluster_set.h), and small bodies of particles that run
// together.
//
// A piece is looked at by a warp: its lanes are the 32 columns, which come together in shared
// memory, where each lane adds up one of the sums. A cluster is solved by a thread, while others
// solve theirs. A body of a crowd has a block for all of it.
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
#pragma unroll
    for (int stride = MATCH_COLUMNS / 2; stride > 0; stride /= 2)
#pragma unroll
        for (int i = 0; i < stride; ++i)
            if (i + stride < columns) sum[i] += sum[i + stride];
    m.state.sum[piece].term[lane] = sum[0];
    if (lane < 3 && piece == c.first_piece[p.cluster])
        m.state.pose[p.cluster].from[lane] = from[lane];
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
    device_match m = *b.match;
    cluster_solve(&m.set, &m.state, i);
}

DEVICE void push_row(const device_body& b, int row, int number, bool first)
{
    device_match m = *b.match;
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

// All of it, a block for each body.
static __global__ void crowd_match_kernel(const device_body* bodies, int number, bool first)
{
    SHARED(columns_of_warps, column);
    const device_body& b = bodies[blockIdx.x];
    const int thread = (int)threadIdx.x, warp = thread / WARP, lane = thread % WARP;
    if (!b.match || *b.diverged < b.first_meeting + number) return;
    const match_rows rows = rows_of_clusters(b);
    device_match m = *b.match;
    for (int i = warp; i < m.set.piece_count; i += CLUSTER_WARPS)
        look_at_piece(rows, m, i, lane, column[warp]);
    __syncthreads();
    for (int i = thread; i < m.set.count; i += CLUSTER_THREADS) cluster_solve(&m.set, &m.state, i);
    __syncthreads();
    for (int i = thread; i < b.particle_count; i += CLUSTER_THREADS)
        cluster_push(rows, &m.set, &m.state, &m.rules[number > 0][first], first, i);
}
