#include "cuda/listed.h"
#include "base/hash.h"
#include <string.h>

static listed_kernel* add(device* d, arithmetic kind, listed_type type)
{
    if (!mem_reserve((void**)&d->list, &d->list_capacity, (int64_t)d->list_count + 1,
                     sizeof *d->list))
        return NULL;
    listed_kernel* k = &d->list[d->list_count++];
    memset(k, 0, sizeof *k); // all of it: it is hashed
    k->kind = kind;
    k->type = type;
    return k;
}

bool list_color(device* d, arithmetic kind, const color_work* work)
{
    listed_kernel* k = add(d, kind, LISTED_COLOR);
    if (k) memcpy(&k->work.color, work, sizeof *work);
    return k != NULL;
}

bool list_patches(device* d, arithmetic kind, const patched_work* work)
{
    listed_kernel* k = add(d, kind, LISTED_PATCHES);
    if (k) memcpy(&k->work.patches, work, sizeof *work);
    return k != NULL;
}

bool list_meeting(device* d, arithmetic kind, const meeting_work* work)
{
    listed_kernel* k = add(d, kind, LISTED_MEETING);
    if (k) memcpy(&k->work.meeting, work, sizeof *work);
    return k != NULL;
}

bool list_joints(device* d, const joint_work* work)
{
    listed_kernel* k = add(d, ARITHMETIC_DOUBLE, LISTED_JOINTS);
    if (k) memcpy(&k->work.joints, work, sizeof *work);
    return k != NULL;
}

bool list_air(device* d, const air_work* work)
{
    listed_kernel* k = add(d, ARITHMETIC_DOUBLE, LISTED_AIR);
    if (k) memcpy(&k->work.air, work, sizeof *work);
    return k != NULL;
}

bool list_liquids(device* d, arithmetic kind, const liquid_work* work)
{
    listed_kernel* k = add(d, kind, LISTED_LIQUIDS);
    if (k) memcpy(&k->work.liquids, work, sizeof *work);
    return k != NULL;
}

static cudaError_t launch_liquids(const listed_kernel* k, cudaStream_t stream)
{
    const liquid_work* w = &k->work.liquids;
    bool exact = k->kind == ARITHMETIC_DOUBLE;
    if (w->kind == LIQUID_WALLS || w->kind == LIQUID_LEAVE)
        return liquid_walls_launch(w, exact ? 8 : 4, stream);
    return (exact ? &liquid_kernels_double : &liquid_kernels_single)->launch(w, stream);
}

static cudaError_t launch_one(const listed_kernel* k, cudaStream_t stream)
{
    const device_kernels* kernels = kernels_for(k->kind);
    if (k->type == LISTED_COLOR) return kernels->color(&k->work.color, stream);
    if (k->type == LISTED_PATCHES) return kernels->patched(&k->work.patches, stream);
    if (k->type == LISTED_JOINTS) return joint_launch(&k->work.joints, stream);
    if (k->type == LISTED_LIQUIDS) return launch_liquids(k, stream);
    if (k->type == LISTED_AIR) return air_launch(&k->work.air, stream);
    return (k->kind == ARITHMETIC_DOUBLE ? &meeting_kernels_double : &meeting_kernels_single)
        ->launch(&k->work.meeting, stream);
}

cudaError_t launch_kernels(const listed_kernel* list, int count, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < count && !error; ++i) error = launch_one(&list[i], stream);
    return error;
}

static cudaError_t record(device* d, cudaGraphExec_t* out)
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal);
    if (!error) error = launch_kernels(d->list, d->list_count, d->stream);
    cudaError_t ended = cudaStreamEndCapture(d->stream, &graph);
    if (!error) error = ended;
    if (!error) error = cudaGraphInstantiate(out, graph, 0);
    if (graph) cudaGraphDestroy(graph);
    return error;
}

// The same list as in the last step of this staging is launched as a whole.
static cudaError_t launch_graph(device* d, int keep)
{
    staging* g = &d->staging[d->turn];
    cudaGraphExec_t* ready = &g->graph[keep];
    uint64_t hash = hash_bytes(HASH_SEED, d->list, (size_t)d->list_count * sizeof *d->list);
    if (!*ready || hash != g->graph_hash[keep]) {
        if (*ready) cudaGraphExecDestroy(*ready);
        *ready = NULL;
        cudaError_t error = record(d, ready);
        if (error) return error;
        g->graph_hash[keep] = hash;
    }
    return cudaGraphLaunch(*ready, d->stream);
}

pliant_result launch_list(device* d, bool graph, int keep)
{
    cudaError_t error =
        graph ? launch_graph(d, keep) : launch_kernels(d->list, d->list_count, d->stream);
    d->launches += graph ? 1 : d->list_count;
    d->list_count = 0;
    return cuda_check(error, "launching the step");
}
