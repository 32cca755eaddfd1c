// Joints on a GPU: the order of joint/order.h, a block for each world. Of both precisions, since
// joints compute in double.
#include "cuda/joining.h"
#include "cuda/launch.h"
#include "cuda/machine.cuh"

// One of the threads that work on a world.
struct joining {
    joint_set* set; // the block's
    int* off;       // likewise: some joint was not done yet
};

#define JOINING static __device__

// ---- passes -------------------------------------------------------------------------------------

#define RUN(one)                                                                                   \
    case JOINT_##one:                                                                              \
        for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x) one(s, i);                 \
        break;

JOINING void joining_run(joining* m, joint_pass pass)
{
    joint_set* s = m->set;
    const int count = joint_pass_size(s, pass);
    switch (pass) {
        JOINT_PASSES(RUN, RUN)
    default:
        break;
    }
    __syncthreads();
}

JOINING bool joining_pull(joining* m)
{
    if (threadIdx.x == 0) *m->off = 0;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < m->set->count; i += (int)blockDim.x)
        if (pull_joint(m->set, i)) atomicOr(m->off, 1);
    __syncthreads();
    bool off = *m->off != 0;
    __syncthreads(); // before it is cleared
    return off;
}

#define ORDER JOINING
#include "joint/order.h"

// ---- the step -----------------------------------------------------------------------------------

JOINING void start_step(joining* m, const joint_world& w)
{
    joint_set* s = m->set;
    for (int i = (int)threadIdx.x; i < s->count; i += (int)blockDim.x) {
        s->joint[i].jumped = w.jumped[i] != 0;
        w.before[i] = s->joint[i];
        w.broken[i] = s->joint[i].broken;
    }
    for (int i = (int)threadIdx.x; i < s->point_count; i += (int)blockDim.x)
        s->row[i].axes = w.axes[i];
    __syncthreads();
    joining_run(m, JOINT_count_joints);
}

// Contacts, which come later in the substep, see from the next step on who is broken.
JOINING void finish_step(joining* m, const joint_work& work)
{
    joint_set* s = m->set;
    for (int i = (int)threadIdx.x; i < s->count; i += (int)blockDim.x)
        joint_finish(&s->joint[i], s->h, work.substeps);
}

JOINING void open_substep(joining* m, const joint_world& w, const joint_work& work)
{
    if (threadIdx.x == 0) {
        *m->set = w.set;
        m->set->substep = work.substep;
        m->set->h = work.h;
        if (work.substep > 0) m->set->last_h = work.h;
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < m->set->body_count; i += (int)blockDim.x)
        m->set->body[i].frozen = w.diverged[w.slot[i]] != NEVER;
    __syncthreads();
}

enum { JOINT_THREADS = THREADS_THAT_MEET / 2 };

static __global__ void __launch_bounds__(JOINT_THREADS)
    joint_kernel(const __grid_constant__ joint_work work)
{
    SHARED(joint_set, set);
    SHARED(int, off);
    const joint_world& w = work.world[blockIdx.x];
    joining m = {&set, &off};
    open_substep(&m, w, work);
    if (work.substep == 0 && work.first) start_step(&m, w);
    order_join(&m, work.first, work.last);
    if (work.substep + 1 == work.substeps && work.last) finish_step(&m, work);
}

extern "C" cudaError_t joint_launch(const joint_work* work, cudaStream_t stream)
{
    return start_kernel(joint_kernel, (unsigned)work->count, JOINT_THREADS, stream, *work);
}
