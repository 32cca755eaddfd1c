// A step on the device: packed, copied, launched; and what it says when it is done.
#include "base/hash.h"
#include "cuda/pack.h"
#include <string.h>

// ---- bodies without patches ---------------------------------------------------------------------

static bool add_kernel(device* d, color_work work)
{
    if (!mem_reserve((void**)&d->work, &d->work_capacity, (int64_t)d->work_count + 1,
                     sizeof *d->work))
        return false;
    d->work[d->work_count++] = work;
    return true;
}

static bool add_rows(device* d, const body_run* b, color_work work, kernel_kind kind)
{
    work.kind = kind;
    work.threads = b->plan->particle_count;
    return add_kernel(d, work);
}

// What the body holds is looked at, solved for, and pushes.
static bool add_inside(device* d, const body_run* b, color_work work)
{
    return !b->inside ||
           (add_rows(d, b, work, KERNEL_ENCLOSE) && add_rows(d, b, work, KERNEL_HOLD) &&
            add_rows(d, b, work, KERNEL_INFLATE));
}

// A warp for each of some things.
static bool add_warps(device* d, color_work work, kernel_kind kind, int count)
{
    enum { WARP = 32 };
    work.kind = kind;
    work.threads = count * WARP;
    return add_kernel(d, work);
}

static bool add_torques(device* d, const body_run* b, color_work work)
{
    const plan* p = b->plan;
    return p->component_count == 0 || (add_warps(d, work, KERNEL_TORQUES, p->strip_count) &&
                                       add_warps(d, work, KERNEL_TWISTS, p->component_count) &&
                                       add_warps(d, work, KERNEL_UNTWIST, p->strip_count));
}

static bool add_sweep(device* d, const body_run* b, color_work work)
{
    const plan* p = b->plan;
    bool copied = p->copies.phantom != NULL;
    for (int c = 0; c < p->color_count; ++c) {
        if (copied && c == p->spread_color && !add_rows(d, b, work, KERNEL_SPREAD)) return false;
        work.kind = KERNEL_COLOR;
        work.color = c;
        work.averaged = copied && c >= p->spread_color;
        work.first_group = p->color_group[c];
        work.threads = (p->color_group[c + 1] - p->color_group[c]) * BLOCK;
        if (!add_kernel(d, work)) return false;
    }
    return !copied || add_rows(d, b, work, KERNEL_GATHER);
}

// All kernels of a body's substep, in their order.
static bool list_substep(device* d, const step_work* step, const body_run* b,
                         const device_copy* copy, const void* body, int number)
{
    const device_plan* there = &copy->plan->on_device;
    size_t bytes = (size_t)b->plan->scalar_bytes;
    color_work work;
    memset(&work, 0, sizeof work); // all of it: it is hashed
    work.body = body;
    work.number = number;
    work.type = (int)there->in_order;
    work.single = there->single;
    work.group = there->group;
    work.index = there->index;
    work.index_bytes = b->plan->index_bytes;
    work.field = (const char*)there->field + there->field_at * bytes;
    work.same = (const char*)there->field + there->same_at * bytes;
    work.row = copy->s.row;
    bool good = true, touches = b->work.collider_count > 0 || b->work.holder_count > 0 ||
                                b->work.roller_count > 0 || b->work.sees.motion < 1;
    if (b->plan->damped) {
        good = add_rows(d, b, work, KERNEL_COAST);
        work.braking = true;
        for (int i = 0; i < b->brakes && good; ++i) good = add_sweep(d, b, work);
        work.braking = false;
    }
    good = good && add_rows(d, b, work, KERNEL_PREDICT);
    for (int i = 0; i < step->iterations && good; ++i) {
        work.first = i == 0;
        bool keeps = b->plan->component_count > 0 && i > 0;
        good = (!keeps || add_rows(d, b, work, KERNEL_KEEP)) && add_sweep(d, b, work) &&
               add_inside(d, b, work) && add_torques(d, b, work) &&
               (!touches || add_rows(d, b, work, KERNEL_TOUCH));
    }
    return good && add_rows(d, b, work, KERNEL_UPDATE);
}

static cudaError_t launch_listed(device* d, const device_kernels* kernels)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < d->work_count && !error; ++i)
        error = kernels->color(&d->work[i], d->stream);
    return error;
}

// The same list as in the last step of this staging is launched as a whole.
static cudaError_t launch_graph(device* d, arithmetic kind)
{
    staging* g = &d->staging[d->turn];
    cudaGraphExec_t* ready = &g->graph[kind];
    uint64_t hash = hash_bytes(HASH_SEED, d->work, (size_t)d->work_count * sizeof *d->work);
    if (!*ready || hash != g->graph_hash[kind]) {
        cudaGraph_t graph = NULL;
        if (*ready) cudaGraphExecDestroy(*ready);
        *ready = NULL;
        cudaError_t error = cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal);
        if (!error) error = launch_listed(d, kernels_for(kind));
        cudaError_t ended = cudaStreamEndCapture(d->stream, &graph);
        if (!error) error = ended;
        if (!error) error = cudaGraphInstantiate(ready, graph, 0);
        if (graph) cudaGraphDestroy(graph);
        if (error) return error;
        g->graph_hash[kind] = hash;
    }
    return cudaGraphLaunch(*ready, d->stream);
}

static pliant_result launch_colors(const selection* s, const patched_work* work, bool graph)
{
    device* d = s->d;
    const char* body = (const char*)work->body;
    const arithmetic kind = s->kind.kind;
    d->work_count = 0;
    for (int i = 0; i < s->step->body_count; ++i) {
        const body_run* b = &s->step->body[i];
        if (!is_selected(s, i)) continue;
        for (int n = 0; n < s->step->substeps; ++n)
            if (!list_substep(d, s->step, b, s->copy[i], body, n)) return PLIANT_ERROR_MEMORY;
        body += fill_for(b)->body_bytes;
    }
    return cuda_check(graph ? launch_graph(d, kind) : launch_listed(d, kernels_for(kind)),
                      "launching the step");
}

// ---- all bodies ---------------------------------------------------------------------------------

// Nobody uses it: the step before the last is done.
static pliant_result reserve_staging(staging* g, size_t bytes)
{
    if (bytes <= g->capacity) return PLIANT_OK;
    cudaFreeHost(g->memory);
    cudaFree(g->there);
    g->memory = g->there = NULL;
    g->capacity = 0;
    cudaError_t error = cudaMallocHost((void**)&g->memory, 2 * bytes);
    if (!error) error = cudaMalloc((void**)&g->there, 2 * bytes);
    if (!error) g->capacity = 2 * bytes;
    return cuda_check(error, "the step");
}

static pliant_result launch_family(const selection* s, const patched_work* work, bool graph)
{
    if (!s->kind.patched) return launch_colors(s, work, graph);
    return cuda_check(kernels_for(s->kind.kind)->patched(work, s->d->stream), "launching the step");
}

// What a step brings along is there before it starts.
static cudaError_t bring(device* d, staging* g, const walk* w)
{
    cudaError_t error =
        cudaMemcpyAsync(w->there, w->here, w->bytes, cudaMemcpyHostToDevice, d->bring);
    if (!error) error = cudaEventRecord(g->brought, d->bring);
    return error ? error : cudaStreamWaitEvent(d->stream, g->brought, 0);
}

static pliant_result launch_families(selection* s, const walk* w, const family* kind, int count,
                                     const patched_work* work, bool graph)
{
    device* d = s->d;
    pliant_result result = cuda_check(bring(d, &d->staging[d->turn], w), "copying to the GPU");
    for (int i = 0; i < count && !result; ++i) {
        s->number = i;
        s->kind = kind[i];
        result = launch_family(s, &work[i], graph);
    }
    return result;
}

static long long meetings_of(const step_work* step)
{
    long long most = 0;
    for (int i = 0; i < step->body_count; ++i) {
        const body_run* b = &step->body[i];
        long long last = order_last_meeting(&b->order);
        if (last > most) most = last;
    }
    return most + 1; // more than anybody says in this step
}

// Says when it is done, and with what failures. Also after a launch that failed: some of it may be
// on its way.
static pliant_result finish_step(device* d, staging* g)
{
    cudaError_t error = cudaEventRecord(g->ran, d->stream);
    g->end = d->next_meeting;
    if (!error) error = cudaStreamWaitEvent(d->report, g->ran, 0);
    if (!error)
        error = cudaMemcpyAsync(g->said, d->diverged, (size_t)d->slot_count * sizeof(long long),
                                cudaMemcpyDeviceToHost, d->report);
    if (!error) error = cudaEventRecord(g->done, d->report);
    g->used = !error;
    d->turn = !d->turn;
    return cuda_check(error, "the step");
}

// Waits for a step, and hears what it says.
static cudaError_t hear(device* d, staging* g)
{
    if (!g->used) return cudaSuccess;
    cudaError_t error = cudaEventSynchronize(g->done);
    g->used = false;
    for (int i = 0; i < d->slot_count && !error; ++i)
        d->known[i] = g->said[i] < g->end ? g->said[i] : NEVER;
    return error;
}

pliant_result device_step(device* d, step_work* step, device_copy* const* copy, bool graph)
{
    selection s = {.d = d, .step = step, .copy = copy};
    staging* g = &d->staging[d->turn];
    family kind[MOST_FAMILIES];
    patched_work work[MOST_FAMILIES];
    walk measured = {0};
    ON_DEVICE(d);
    cudaError_t error = hear(d, g);
    if (error) return cuda_check(error, "the step before");
    int count = find_families(&s, kind);
    if (count < 0) return PLIANT_ERROR_MEMORY;
    pack_families(&s, &measured, kind, count, work);
    pliant_result result = reserve_staging(g, measured.bytes + 1);
    if (result) return result;
    walk packed = {.here = g->memory, .there = g->there};
    pack_families(&s, &packed, kind, count, work);
    result = launch_families(&s, &packed, kind, count, work, graph);
    d->next_meeting += meetings_of(step);
    pliant_result finished = finish_step(d, g);
    return result ? result : finished;
}

pliant_result device_wait(device* d)
{
    ON_DEVICE(d);
    cudaError_t error = hear(d, &d->staging[d->turn]); // the older one
    if (!error) error = hear(d, &d->staging[!d->turn]);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "the step");
}

bool device_has_failed(const device* d, const device_copy* c) { return d->known[c->slot] != NEVER; }
