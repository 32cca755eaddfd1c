// Clusters of particles between here and the device.
#include "solver/clusters.h"
#include "cuda/mirror.h"
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

void clusters_list(const cluster_set* c, int iterations, cluster_state* out, layout* l)
{
    size_t clusters = (size_t)c->count, members = (size_t)c->member_count;
    bool keeps = iterations > 1 && !clusters_are_rigid(c);
    layout_add(l, (void**)&out->turn, NULL, 9 * clusters, sizeof(double));
    layout_add(l, (void**)&out->rest, NULL, clusters_flow(c) ? 3 * members : 0, sizeof(double));
    layout_add(l, (void**)&out->done, NULL, keeps ? 3 * members : 0, sizeof(double));
    layout_add(l, (void**)&out->sum, NULL, (size_t)c->piece_count, sizeof(match_sums));
    layout_add(l, (void**)&out->pose, NULL, clusters, sizeof(match_pose));
}

// What is state: rotations, and shapes at rest where they flow.
static size_t turn_bytes(const device_copy* c)
{
    return 9 * (size_t)c->plan->on_device.clusters.count * sizeof(double);
}
static size_t rest_bytes(const device_copy* c)
{
    return c->s.matched.rest ? 3 * (size_t)c->plan->on_device.clusters.member_count * sizeof(double)
                             : 0;
}

// ---- there and back -----------------------------------------------------------------------------

pliant_result device_send_clusters(device* d, device_copy* c, const cluster_state* s)
{
    ON_DEVICE(d);
    cudaError_t error = cudaMemcpyAsync(c->s.matched.turn, s->turn, turn_bytes(c),
                                        cudaMemcpyHostToDevice, d->stream);
    if (!error && s->rest)
        error = cudaMemcpyAsync(c->s.matched.rest, s->rest, rest_bytes(c), cudaMemcpyHostToDevice,
                                d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying to the GPU");
}

pliant_result device_fetch_clusters(device* d, device_copy* c, cluster_state* s)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    ON_DEVICE(d);
    cudaError_t error = cudaMemcpyAsync(s->turn, c->s.matched.turn, turn_bytes(c),
                                        cudaMemcpyDeviceToHost, d->stream);
    if (!error && s->rest)
        error = cudaMemcpyAsync(s->rest, c->s.matched.rest, rest_bytes(c), cudaMemcpyDeviceToHost,
                                d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "copying from the GPU");
}

// ---- steps that may have to be repeated ---------------------------------------------------------

cudaError_t clusters_keep(device* d, device_copy* c)
{
    size_t turns = turn_bytes(c), rests = rest_bytes(c);
    if (!c->s.matched.turn) return cudaSuccess;
    if (!c->clusters_before) {
        cudaError_t error = cudaMalloc(&c->clusters_before, turns + rests);
        if (error) return error;
        d->bytes += turns + rests;
    }
    cudaError_t error = cudaMemcpyAsync(c->clusters_before, c->s.matched.turn, turns,
                                        cudaMemcpyDeviceToDevice, d->stream);
    if (error || !rests) return error;
    return cudaMemcpyAsync((char*)c->clusters_before + turns, c->s.matched.rest, rests,
                           cudaMemcpyDeviceToDevice, d->stream);
}

cudaError_t clusters_take_back(device* d, const device_copy* c)
{
    size_t turns = turn_bytes(c), rests = rest_bytes(c);
    if (!c->s.matched.turn) return cudaSuccess;
    cudaError_t error = cudaMemcpyAsync(c->s.matched.turn, c->clusters_before, turns,
                                        cudaMemcpyDeviceToDevice, d->stream);
    if (error || !rests) return error;
    return cudaMemcpyAsync(c->s.matched.rest, (const char*)c->clusters_before + turns, rests,
                           cudaMemcpyDeviceToDevice, d->stream);
}

void clusters_forget(device* d, device_copy* c)
{
    if (c->clusters_before) d->bytes -= turn_bytes(c) + rest_bytes(c);
    cudaFree(c->clusters_before);
    c->clusters_before = NULL;
}
