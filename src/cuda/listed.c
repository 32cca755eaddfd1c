#include "cuda/listed.h"
#include "base/hash.h"
#include <string.h>

static listed_kernel* add(device* d, arithmetic kind)
{
    if (!mem_reserve((void**)&d->list, &d->list_capacity, (int64_t)d->list_count + 1,
                     sizeof *d->list))
        return NULL;
    listed_kernel* k = &d->list[d->list_count++];
    memset(k, 0, sizeof *k); // all of it: it is hashed
    k->kind = kind;
    return k;
}

bool list_color(device* d, arithmetic kind, const color_work* work)
{
    listed_kernel* k = add(d, kind);
    if (k) memcpy(&k->color, work, sizeof *work);
    return k != NULL;
}

bool list_patches(device* d, arithmetic kind, const patched_work* work)
{
    listed_kernel* k = add(d, kind);
    if (k) memcpy(&k->patches, work, sizeof *work);
    if (k) k->patched = true;
    return k != NULL;
}

static cudaError_t launch_listed(device* d)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < d->list_count && !error; ++i) {
        const listed_kernel* k = &d->list[i];
        const device_kernels* kernels = kernels_for(k->kind);
        error = k->patched ? kernels->patched(&k->patches, d->stream)
                           : kernels->color(&k->color, d->stream);
    }
    return error;
}

static cudaError_t record(device* d, cudaGraphExec_t* out)
{
    cudaGraph_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal);
    if (!error) error = launch_listed(d);
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
    cudaError_t error = graph ? launch_graph(d, keep) : launch_listed(d);
    d->launches += graph ? 1 : d->list_count;
    d->list_count = 0;
    return cuda_check(error, "launching the step");
}
