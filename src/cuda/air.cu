// Air on a GPU: the passes of air/passes.h, a block for each piece of a body.
#include "air/blowing.h"
#include "cuda/airs.h"
#include "cuda/launch.h"
#include "cuda/machine.cuh"

#define AIRY static __device__

AIRY bool stands_still(const air_body& b, int substep)
{
    return *b.diverged < b.first_meeting + substep;
}

// ---- before a step ------------------------------------------------------------------------------

AIRY void find_wind(const air_body& b, int point)
{
    size_t row = (size_t)b.view.row[point];
    double place[3];
    for (size_t k = 0; k < 3; ++k)
        place[k] = state_get(b.view.rows, row * ROW + k, b.view.scalar_bytes) +
                   state_get(b.residue, row * ROW4 + k, b.view.scalar_bytes);
    wind_sum(b.field, b.time, place, b.wind + 3 * (size_t)point);
    for (int k = 0; k < 3; ++k) b.view.mean[3 * (size_t)point + (size_t)k] = 0;
}

AIRY void start_row(const air_body& b, int row)
{
    for (size_t k = 0; k < ROW4; ++k)
        if (b.view.scalar_bytes == 4)
            ((float*)b.pushed)[(size_t)row * ROW4 + k] =
                ((const float*)b.force)[(size_t)row * ROW4 + k];
        else
            ((double*)b.pushed)[(size_t)row * ROW4 + k] =
                ((const double*)b.force)[(size_t)row * ROW4 + k];
}

static __global__ void __launch_bounds__(AIR_THREADS) open_air(const air_body* bodies)
{
    const air_body& b = bodies[blockIdx.y];
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < b.points) find_wind(b, i);
    if (i < b.row_count) start_row(b, i);
    if (i < AIR_SUMS) air_numbers(b.total)[i] = 0;
}

// ---- before a substep ---------------------------------------------------------------------------

// A number of the sum for each thread, so that all are added up in the order of the elements.
static __global__ void __launch_bounds__(AIR_THREADS) look_air(const air_body* bodies, int substep)
{
    typedef air_sum of_threads[AIR_THREADS];
    SHARED(of_threads, part);
    const air_body& b = bodies[blockIdx.y];
    int first = (int)blockIdx.x * AIR_THREADS, i = first + (int)threadIdx.x;
    if (first >= b.elements || stands_still(b, substep)) return; // the whole block
    if (i < b.elements) blow_at_element(&b.view, &b.rules, i, &part[threadIdx.x]);
    __syncthreads();
    int which = (int)threadIdx.x;
    if (which >= AIR_SUMS) return;
    double sum = 0;
    for (int k = 0; k < AIR_THREADS && first + k < b.elements; ++k)
        sum += air_numbers(&part[k])[which];
    air_numbers(&b.sum[blockIdx.x])[which] = sum;
}

AIRY void push_rows(const air_body& b, int point, const double force[3])
{
    const int bytes = b.view.scalar_bytes;
    for (int i = b.copy_start[point]; i < b.copy_start[point + 1]; ++i) {
        size_t at = (size_t)b.copy[i] * ROW4;
        for (size_t k = 0; k < 3; ++k)
            state_set(b.pushed, at + k, state_get(b.force, at + k, bytes) + force[k], bytes);
    }
}

static __global__ void __launch_bounds__(AIR_THREADS) push_air(const air_body* bodies, int substep)
{
    const air_body& b = bodies[blockIdx.y];
    int i = (int)(blockIdx.x * AIR_THREADS + threadIdx.x);
    if (stands_still(b, substep)) return;
    if (i < b.points) {
        double sum[3];
        blow_at_point(&b.view, &b.rules, i, sum);
        push_rows(b, i, sum);
    }
    if (i >= AIR_SUMS) return;
    int pieces = (b.elements + AIR_THREADS - 1) / AIR_THREADS;
    for (int k = 0; k < pieces; ++k)
        air_numbers(b.total)[i] += air_numbers(&b.sum[k])[i] / b.rules.substeps;
}

extern "C" cudaError_t air_launch(const air_work* w, cudaStream_t stream)
{
    dim3 grid((unsigned)w->pieces, (unsigned)w->count);
    switch (w->kind) {
    case AIR_START:
        return start_kernel(open_air, grid, AIR_THREADS, stream, w->body);
    case AIR_LOOK:
        return start_kernel(look_air, grid, AIR_THREADS, stream, w->body, w->substep);
    case AIR_PUSH:
        return start_kernel(push_air, grid, AIR_THREADS, stream, w->body, w->substep);
    }
    return cudaErrorInvalidValue;
}
