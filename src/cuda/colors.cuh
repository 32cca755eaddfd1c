// Bodies without patches on a GPU, the way that was published: a kernel for each color and each
// pass over the particles (see colors.c).
#pragma once
#include "cuda/launch.h"
#include "cuda/rows.cuh"
#include "cuda/sweep.cuh"

DEVICE row_place all_rows(const device_body& b)
{
    quad* row = (quad*)b.row;
    row_place p = {row, row + 1, 2, (quad*)b.velocity, (quad*)b.residue};
    return p;
}

template <int KIND>
static __global__ void particle_kernel(const device_body* body, int rows, int number, bool first)
{
    const device_body& b = *body;
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows || *b.diverged < b.first_meeting + number) return;
    row_place p = all_rows(b);
    particle_row a = load_row(p, row);
    if (KIND == KERNEL_COAST) coast_row(b, row, number, &a);
    if (KIND == KERNEL_PREDICT) predict_row(b, row, number, b.obstacle_count > 0, &a);
    if (KIND == KERNEL_TOUCH) touch_row(b, row, number, first, &a);
    if (KIND == KERNEL_UPDATE && !update_row(b, row, b.obstacle_count > 0, &a))
        atomicMin(b.diverged, b.first_meeting + number);
    store_row(p, row, a);
}

static __global__ void color_kernel(const device_body* body, int lanes, int color, bool braking,
                                    bool first, int number)
{
    const device_body& b = *body;
    int place = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (place >= lanes || *b.diverged < b.first_meeting + number) return;
    const lane_group g = b.group[b.color_group[color] + place / BLOCK];
    global_rows rows = {b.row};
    if (place % BLOCK < g.lanes)
        solve_lane(b, g, place % BLOCK, braking, first, rows, (const quad*)b.residue);
}
