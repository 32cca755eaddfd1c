// Bodies that meet, on a GPU: the order of contact/order.h in one kernel for each meeting.
// Compiled once per precision: -DKERNELS=the table's name [-DPRECISION_DOUBLE], and for worlds that
// have loose particles and nobody else: -DLOOSE_ALONE, or that have rigid bodies: -DRIGID_TOO. The
// first knows the others as ALONE and RIGID.
//
// All blocks work on one world and wait for each other after each pass; where many worlds step
// together, each block has one of its own. What a world has is read into shared memory (the
// contact_set), so that passes look at it at no cost; what changes there changes in all blocks
// alike.
#include "contact/guard.h"
#include "contact/near.h"
#include "contact/zones_rigid.h"
#include "cuda/contact_colliders.cuh"

#define ORDER static __device__

#if MEETS_RIGID
#include "contact/order_rigid.h"
#else
static __device__ bool meeting_press_rigid(meeting*) { return true; }
static __device__ bool meeting_rebound_rigid(meeting*) { return true; }
#endif

#include "contact/order.h"

// ---- kernels ------------------------------------------------------------------------------------

static __device__ meeting_rules rules_of_work(const meeting* m, const meeting_work& w)
{
    const device_meeting* of = m->of;
    double ratio = of->last_h > 0 ? w.h / of->last_h : 0;
    meeting_rules r;
    r.passes = of->passes;
    r.carry = ratio * ratio;
    r.first = w.first;
    r.last = w.last;
    r.look_crossed = w.substep == 0 && (of->look_for_crossed || m->set->crossed_count > 0);
    return r;
}

static __device__ void run_meeting(meeting* m, const meeting_work& w)
{
    const meeting_rules r = rules_of_work(m, w);
    start_time(m);
    if (w.first) place_colliders(m);
    if (!order_start(m, &r)) return;
    note_time(m, SPENT_FINDING);
    if (!order_press(m, &r)) return;
    note_time(m, SPENT_SOLVING);
    if (!order_guard(m, &r)) return;
    note_time(m, SPENT_GUARDING);
    order_end(m, &r);
    note_time(m, SPENT_SOLVING);
}

static __global__ void __launch_bounds__(MEETING_THREADS)
    meeting_kernel(const __grid_constant__ meeting_work w, bool spread)
{
    SHARED(contact_set, set);
    meeting m;
    m.world = &w.step->world[spread ? 0 : blockIdx.x];
    m.of = m.world->of;
    m.first_meeting = w.step->first_meeting;
    join_crew(&m, spread);
    m.set = &set;
    if (m.of->stopped) return;
    open_meeting(&m, w);
    if (w.kind == MEETING_START && start_step(&m, w.h)) {
        select_swept(&m);
        see_who_is_alone(&m);
    }
    if (w.kind == MEETING_MEET) run_meeting(&m, w);
    if (w.kind == MEETING_BOUNCE) order_bounce(&m);
    close_meeting(&m);
}

// ---- bounds -------------------------------------------------------------------------------------

enum { MEASURE_THREADS = 128 };

MEETING void join_bounds(body_bounds* to, const body_bounds& other)
{
    for (int k = 0; k < 3; ++k) {
        to->low[k] = fminf(to->low[k], other.low[k]);
        to->high[k] = fmaxf(to->high[k], other.high[k]);
    }
    to->fastest = fmaxf(to->fastest, other.fastest);
}

MEETING void add_to_bounds(const contact_body* b, int point, body_bounds* to)
{
    const scalar* x = row_at_point(b, point);
    const scalar* v = (const scalar*)b->at.velocity + (size_t)b->row[point] * ROW4;
    body_bounds one;
    float square = 0;
    for (int k = 0; k < 3; ++k) {
        one.low[k] = one.high[k] = (float)x[k];
        square += (float)v[k] * (float)v[k];
    }
    one.fastest = sqrtf(square);
    join_bounds(to, one);
}

// Who slept was near nobody, and has moved without counting it.
MEETING void forget(device_meeting* of)
{
    long long marks = (long long)of->set.first_collider * of->columns;
    for (long long i = threadIdx.x; i < marks; i += MEASURE_THREADS) of->swept[i] = 0;
    if (threadIdx.x > 0) return;
    of->listed[OF_TWO] = of->listed[OF_ONE] = of->paired = false;
    of->kept_count = of->set.pair_count = of->set.live_count = of->set.loose.count = 0;
    of->loose.due = true;
    of->last_h = 0;
}

// A block for each body of each world.
static __global__ void __launch_bounds__(MEASURE_THREADS)
    measure_kernel(const __grid_constant__ meeting_work w)
{
    typedef body_bounds of_threads[MEASURE_THREADS];
    SHARED(of_threads, part);
    device_meeting* of = w.step->world[blockIdx.y].of;
    int thread = (int)threadIdx.x;
    if ((int)blockIdx.x >= of->set.body_count) return;
    const contact_body* b = &of->set.body[blockIdx.x];
    body_bounds found = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    int points = b->meets && !b->collider ? b->surface->point_count : 0;
    for (int i = thread; i < points; i += MEASURE_THREADS) add_to_bounds(b, i, &found);
    part[thread] = found;
    for (int half = MEASURE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half) join_bounds(&part[thread], part[thread + half]);
    }
    if (thread == 0) of->bounds[blockIdx.x] = part[0];
    if (blockIdx.x == 0 && (int)blockIdx.y >= w.awake) forget(of);
}

// ---- launches -----------------------------------------------------------------------------------

static int own_blocks(void)
{
    int device = 0, processors = 0, each = 0;
    if (cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, meeting_kernel, MEETING_THREADS, 0)) {
        cudaGetLastError();
        return 0;
    }
    return processors * (each < MEETING_BLOCKS ? each : MEETING_BLOCKS);
}

// For all three.
static int blocks_at_once(void)
{
    int blocks = own_blocks();
#ifdef RIGID
    if (ALONE.blocks() > blocks) blocks = ALONE.blocks();
    if (RIGID.blocks() > blocks) blocks = RIGID.blocks();
#endif
    return blocks;
}

static cudaError_t launch(const meeting_work* w, cudaStream_t stream)
{
#ifdef RIGID
    if (w->alone) return ALONE.launch(w, stream);
    if (w->rigid && w->kind != MEETING_MEASURE) return RIGID.launch(w, stream);
#endif
    if (w->kind == MEETING_MEASURE) {
        dim3 all((unsigned)w->bodies, (unsigned)w->count);
        return start_kernel(measure_kernel, all, MEASURE_THREADS, stream, *w);
    }
    bool spread = w->count == 1;
    int blocks = spread ? own_blocks() : w->count;
    void* arguments[] = {(void*)w, &spread};
    if (blocks == 0) return cudaErrorLaunchOutOfResources;
    dim3 grid((unsigned)blocks), block(MEETING_THREADS);
    if (!spread) return cudaLaunchKernel(meeting_kernel, grid, block, arguments, 0, stream);
    return cudaLaunchCooperativeKernel(meeting_kernel, grid, block, arguments, 0, stream);
}

extern "C" const meeting_kernels KERNELS = {sizeof(contact_body), sizeof(device_meeting),
                                            sizeof(node_box),     sizeof(listed_pair),
                                            sizeof(pair_state),   launch,
                                            blocks_at_once};
