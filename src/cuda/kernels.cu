// Compiled once per arithmetic: -DKERNELS=the table's name [-DPRECISION_DOUBLE or
// -DFAST_ARITHMETIC].
#include "cuda/colors.cuh"
#include "cuda/patched.cuh"
#include "cuda/rigid.cuh"
#include <string.h>

// ---- patches ------------------------------------------------------------------------------------

typedef void patched_kernel(const patched_layout);

// The kernel with the projection of one type in its chain, or with all types. Rest shapes that flow
// are not worth kernels without special colliders.
template <row_mode MODE, bool SPECIAL> static patched_kernel* kernel_of(int type, bool past)
{
    if (type == FLOWING)
        return past ? patched_step<FLOWING, MODE, true, true>
                    : patched_step<FLOWING, MODE, false, true>;
#ifndef PRECISION_DOUBLE
    if (past && type == TYPE_ten_rows) return patched_step<TYPE_ten_rows, MODE, true, SPECIAL>;
    if (type == TYPE_ten_rows) return patched_step<TYPE_ten_rows, MODE, false, SPECIAL>;
    if (type == TYPE_two_rows) return patched_step<TYPE_two_rows, MODE, false, SPECIAL>;
    if (type == ONE_ROW + ONE_ROW_FEW)
        return patched_step<ONE_ROW + ONE_ROW_FEW, MODE, false, SPECIAL>;
    if (type == ONE_ROW + ONE_ROW_MOST)
        return patched_step<ONE_ROW + ONE_ROW_MOST, MODE, false, SPECIAL>;
#endif
    (void)type;
    return past ? patched_step<TYPE_COUNT, MODE, true, SPECIAL>
                : patched_step<TYPE_COUNT, MODE, false, SPECIAL>;
}

template <row_mode MODE> static patched_kernel* kernel_for(const patched_work* w)
{
    return w->special ? kernel_of<MODE, true>(w->type, w->past)
                      : kernel_of<MODE, false>(w->type, w->past);
}

static int round_up(int count, int multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

typedef struct {
    patched_kernel* kernel;
    patched_layout layout;
    int threads, blocks; // blocks: most that run at the same time
    size_t shared_bytes, most_shared_bytes;
} patched_choice;

// Lets a kernel take as much shared memory as there is, once and for all: two worlds on two threads
// may launch it with different amounts. Returns how much that is, 0 when it fails.
static size_t open_shared_memory(patched_kernel* kernel)
{
    int device = 0, most = 0;
    cudaFuncAttributes own;
    if (cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ||
        cudaFuncGetAttributes(&own, kernel))
        return 0;
    size_t bytes = (size_t)most - own.sharedSizeBytes;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes)
               ? 0
               : bytes;
}

static size_t torque_bytes(const patched_work& w)
{
    return (size_t)w.components * sizeof(twist) +
           (size_t)w.strips * TORQUE_SCALARS * sizeof(scalar);
}

// Blocks of a kernel that run at the same time on a multiprocessor, each with so much shared
// memory; 0: it does not fit.
static int blocks_per_processor(const patched_choice* c, size_t shared_bytes)
{
    int count = 0;
    if (shared_bytes > c->most_shared_bytes || cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                                   &count, c->kernel, c->threads, shared_bytes)) {
        cudaGetLastError();
        return 0;
    }
    return count;
}

// How many blocks of a kernel would run at the same time with so many quads a row in shared memory.
static void try_layout(patched_choice* c, row_mode mode, int quads_per_row)
{
    const patched_work* w = &c->layout.work;
    int device = 0, processors = 0, per_processor = 0;
    c->kernel = mode == ROWS_STAY   ? kernel_for<ROWS_STAY>(w)
                : mode == ROWS_COME ? kernel_for<ROWS_COME>(w)
                                    : kernel_for<ROWS_ELSEWHERE>(w);
    c->layout.row_quads = quads_per_row;
    c->shared_bytes = quads_per_row
                          ? (size_t)quads_per_row * (size_t)w->rows * sizeof(quad) + table_bytes(*w)
                          : 0;
    c->most_shared_bytes = open_shared_memory(c->kernel);
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    per_processor = blocks_per_processor(c, c->shared_bytes);
    // What torques need is there, too, unless fewer blocks had room then.
    size_t at = (c->shared_bytes + sizeof(twist) - 1) / sizeof(twist) * sizeof(twist);
    size_t with_torques = at + torque_bytes(*w);
    c->layout.torques_at = (int)at;
    c->layout.torques_here =
        quads_per_row > 0 && blocks_per_processor(c, with_torques) == per_processor;
    if (c->layout.torques_here) c->shared_bytes = with_torques;
    c->blocks = per_processor * processors;
}

// Threads of a team hold a color. A block with a multiprocessor of its own hides its latencies with
// more teams, and has a thread for each shared row if it can; several blocks hide each other's.
static void choose_threads(const patched_work* w, bool spread, patched_choice* c)
{
    enum { FEW_TEAMS = 2, SOME_TEAMS = 4, MOST_TEAMS = 8 };
    int team = round_up(w->lanes < 1 ? 1 : w->lanes, WARP);
    if (team > MOST_THREADS / FEW_TEAMS) team = MOST_THREADS / FEW_TEAMS;
    int teams = spread ? SOME_TEAMS : FEW_TEAMS;
    if (spread && teams * team < w->shared) teams = MOST_TEAMS;
    if (teams * team > MOST_THREADS) teams = MOST_THREADS / team;
    c->layout.team_threads = team;
    c->threads = team * teams;
}

// So much shared memory that no two blocks share a multiprocessor while others have none.
static void spread_blocks(patched_choice* c)
{
    int device = 0, of_all = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&of_all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    size_t half = (size_t)of_all / 2;
    if (c->shared_bytes < half && half <= c->most_shared_bytes) c->shared_bytes = half;
}

// The first way of those below that a launch may take: rows stay for a whole step only, and all but
// the sweep looks at each row once.
static int first_way(const patched_work* w)
{
    if (!w->in_phases) return 0;
    return w->phase == PHASE_SWEEP ? 2 : 4;
}

static patched_choice choose(const patched_work* w)
{
    static const struct {
        row_mode mode;
        int quads;
    } way[] = {{ROWS_STAY, 4}, {ROWS_STAY, 2}, {ROWS_COME, 4}, {ROWS_COME, 2}, {ROWS_ELSEWHERE, 0}};
    patched_choice c;
    int device = 0, processors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    bool spread = w->task_count <= processors;
    memset(&c, 0, sizeof c);
    c.layout.work = *w;
    choose_threads(w, spread, &c);
    for (int i = first_way(w); i < 5; ++i) {
        try_layout(&c, way[i].mode, way[i].quads);
        bool all = way[i].mode == ROWS_STAY || w->brakes_too;
        if (c.blocks >= (all && !w->alone ? w->task_count : 1)) break;
    }
    if (spread && !w->in_phases) spread_blocks(&c);
    return c;
}

static cudaError_t launch_patched(const patched_work* w, cudaStream_t stream)
{
    patched_choice c = choose(w);
    if (c.blocks == 0) return cudaErrorLaunchOutOfResources;
    void* arguments[] = {&c.layout};
    bool apart = w->alone || (w->in_phases && !w->brakes_too); // nobody waits for anybody
    dim3 grid((unsigned)(apart || w->task_count < c.blocks ? w->task_count : c.blocks));
    dim3 block((unsigned)c.threads);
    if (apart) return cudaLaunchKernel(c.kernel, grid, block, arguments, c.shared_bytes, stream);
    return cudaLaunchCooperativeKernel(c.kernel, grid, block, arguments, c.shared_bytes, stream);
}

static bool are_at_once(const patched_work* w)
{
    patched_choice c = choose(w);
    return c.layout.row_quads > 0 && (w->alone || c.blocks >= w->task_count);
}

// ---- colors -------------------------------------------------------------------------------------

static color_in_order in_order(const color_work* w)
{
    color_in_order c = {(const device_body*)w->body,
                        (const lane_group*)w->group,
                        w->index,
                        (const scalar*)w->field,
                        (const scalar*)w->same,
                        (scalar*)w->row,
                        w->threads,
                        w->first_group,
                        w->index_bytes,
                        w->number,
                        w->single,
                        w->first,
                        w->averaged};
    return c;
}

// Of a crowd whose bodies have some warps or threads each.
static unsigned blocks_for(const color_work* w, int in_block)
{
    return (unsigned)(((long long)w->threads * w->each + in_block - 1) / in_block);
}

static cudaError_t launch_crowd(const color_work* w, cudaStream_t stream)
{
    const device_body* bodies = (const device_body*)w->body;
    unsigned blocks = (unsigned)w->threads;
    switch (w->kind) {
#define PARTICLES(kind)                                                                            \
    case kind:                                                                                     \
        return start_kernel(w->special ? crowd_kernel<kind, true> : crowd_kernel<kind, false>,     \
                            blocks, CROWD_ROWS, stream, bodies, w->task, w->number, w->first);
        PARTICLES(KERNEL_PREDICT)
        PARTICLES(KERNEL_TOUCH)
        PARTICLES(KERNEL_UPDATE)
#undef PARTICLES
    case KERNEL_LOOK:
        return start_kernel(crowd_look_kernel, blocks_for(w, CLUSTER_WARPS), CLUSTER_THREADS,
                            stream, bodies, w->threads, w->each, w->number);
    case KERNEL_MATCH:
        return start_kernel(crowd_match_kernel, blocks_for(w, WARP), WARP, stream, bodies,
                            w->threads, w->each, w->number);
    case KERNEL_SHAPE:
        return start_kernel(crowd_shape_kernel, blocks, CROWD_ROWS, stream, bodies, w->task,
                            w->number, w->first);
    default:
        return cudaErrorInvalidValue;
    }
}

static cudaError_t launch_color(const color_work* w, cudaStream_t stream)
{
    enum { THREADS = 128 };
    const device_body* body = (const device_body*)w->body;
    unsigned blocks = (unsigned)(w->threads + THREADS - 1) / THREADS;
    unsigned pieces = (unsigned)(w->threads + ENCLOSURE_PIECE - 1) / ENCLOSURE_PIECE;
    if (blocks == 0) return cudaSuccess;
    if (w->task) return launch_crowd(w, stream);
    switch (w->kind) {
#define PARTICLES(kind)                                                                            \
    case kind:                                                                                     \
        return start_kernel(w->special ? particle_kernel<kind, true>                               \
                                       : particle_kernel<kind, false>,                             \
                            blocks, THREADS, stream, body, w->threads, w->number, w->first);
        PARTICLES(KERNEL_COAST)
        PARTICLES(KERNEL_PREDICT)
        PARTICLES(KERNEL_TOUCH)
        PARTICLES(KERNEL_UPDATE)
#undef PARTICLES
    case KERNEL_SPREAD:
        return start_kernel(phantom_kernel<KERNEL_SPREAD>, blocks, THREADS, stream, body,
                            w->threads, w->number);
    case KERNEL_GATHER:
        return start_kernel(phantom_kernel<KERNEL_GATHER>, blocks, THREADS, stream, body,
                            w->threads, w->number);
    case KERNEL_ENCLOSE:
        return start_kernel(enclose_kernel, pieces, ENCLOSURE_PIECE, stream, body, w->threads,
                            w->number);
    case KERNEL_HOLD:
        return start_kernel(hold_kernel, 1, 1, stream, body, (int)pieces, w->number, w->first);
    case KERNEL_INFLATE:
        return start_kernel(inflate_kernel, blocks, THREADS, stream, body, w->threads, w->number);
    case KERNEL_LOOK:
        return start_kernel(look_kernel,
                            (unsigned)(w->threads + CLUSTER_THREADS - 1) / CLUSTER_THREADS,
                            CLUSTER_THREADS, stream, body, w->threads / WARP, w->number);
    case KERNEL_MATCH:
        return start_kernel(match_kernel, blocks, THREADS, stream, body, w->threads, w->number);
    case KERNEL_SHAPE:
        return start_kernel(shape_kernel, blocks, THREADS, stream, body, w->threads, w->number,
                            w->first);
    case KERNEL_RIGID_BEGIN:
        return start_kernel(rigid_begin_kernel, (unsigned)w->threads, w->each, stream, body,
                            w->number);
    case KERNEL_RIGID_END:
        return start_kernel(rigid_end_kernel, (unsigned)w->threads, w->each, stream, body,
                            w->number);
    case KERNEL_KEEP:
        return start_kernel(keep_kernel, blocks, THREADS, stream, body, w->threads, w->number);
#define TORQUES(kind)                                                                              \
    case kind:                                                                                     \
        return start_kernel(torque_kernel<kind>, blocks, THREADS, stream, body, w->threads / WARP, \
                            w->number, w->first);
        TORQUES(KERNEL_TORQUES)
        TORQUES(KERNEL_TWISTS)
        TORQUES(KERNEL_UNTWIST)
#undef TORQUES
    case KERNEL_COLOR:
        if (w->type == TYPE_ten_rows)
            return start_kernel(color_kernel_in_order<TYPE_ten_rows>, blocks, THREADS, stream,
                                in_order(w));
        if (w->type == TYPE_two_rows)
            return start_kernel(color_kernel_in_order<TYPE_two_rows>, blocks, THREADS, stream,
                                in_order(w));
        if (w->type == FLOWING)
            return start_kernel(color_kernel<true>, blocks, THREADS, stream, body, w->threads,
                                w->color, w->braking, w->first, w->averaged, w->number);
        return start_kernel(color_kernel<false>, blocks, THREADS, stream, body, w->threads,
                            w->color, w->braking, w->first, w->averaged, w->number);
    }
    return cudaErrorInvalidValue;
}

extern "C" const device_kernels KERNELS = {sizeof(device_body), sizeof(obstacle), launch_patched,
                                           are_at_once, launch_color};
