// Rigid bodies between here and the device. All of them come at once, and go in runs of numbers
// that follow each other.
#include "cuda/rigid.h"
#include "cuda/device_internal.h"
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

static cudaError_t grow_there(device* d, int capacity)
{
    rigid_pool* p = &d->rigid;
    rigid_state* larger[2] = {NULL, NULL};
    size_t bytes = (size_t)capacity * sizeof **larger;
    cudaError_t error = cudaMalloc((void**)&larger[0], bytes);
    if (!error) error = cudaMalloc((void**)&larger[1], bytes);
    if (!error) error = cudaMemsetAsync(larger[0], 0, bytes, d->stream);
    if (!error && p->count)
        error = cudaMemcpyAsync(larger[0], p->there, (size_t)p->count * sizeof **larger,
                                cudaMemcpyDeviceToDevice, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    cudaFree(error ? larger[0] : p->there);
    cudaFree(error ? larger[1] : p->before);
    if (error) return error;
    p->there = larger[0];
    p->before = larger[1];
    d->bytes += 2 * (bytes - (size_t)p->capacity * sizeof **larger);
    p->capacity = capacity;
    return cudaSuccess;
}

// Room for one more. Nobody uses the others while they move.
static pliant_result grow(device* d)
{
    rigid_pool* p = &d->rigid;
    if (p->count < p->capacity) return PLIANT_OK;
    int capacity = p->capacity ? 2 * p->capacity : 16;
    pliant_result result = device_wait(d);
    if (result) return result;
    if (!mem_reserve((void**)&p->here, &p->here_capacity, capacity, sizeof *p->here) ||
        !mem_reserve((void**)&p->state, &p->state_capacity, capacity, 1))
        return PLIANT_ERROR_MEMORY;
    return cuda_check(grow_there(d, capacity), "a rigid body");
}

pliant_result rigid_take(device* d, int* out_number)
{
    rigid_pool* p = &d->rigid;
    int number = p->free;
    while (number < p->count && p->state[number] != RIGID_FREE) ++number;
    pliant_result result = number == p->count ? grow(d) : PLIANT_OK;
    if (result) return result;
    if (number == p->count) p->count++;
    p->state[number] = RIGID_TAKEN;
    p->free = number + 1;
    *out_number = number;
    return PLIANT_OK;
}

void rigid_leave(device* d, int number)
{
    if (number < 0) return;
    d->rigid.state[number] = RIGID_FREE;
    if (number < d->rigid.free) d->rigid.free = number;
}

void rigid_destroy(device* d)
{
    cudaFree(d->rigid.there);
    cudaFree(d->rigid.before);
    mem_free(d->rigid.here);
    mem_free(d->rigid.state);
}

// ---- there and back -----------------------------------------------------------------------------

cudaError_t rigid_send(device* d)
{
    rigid_pool* p = &d->rigid;
    cudaError_t error = cudaSuccess;
    if (!p->marked) return error;
    for (int first = 0, last; first < p->count && !error; first = last + 1) {
        for (last = first; last < p->count && p->state[last] == RIGID_MARKED; ++last) {
        }
        if (last > first)
            error = cudaMemcpyAsync(p->there + first, p->here + first,
                                    (size_t)(last - first) * sizeof *p->here,
                                    cudaMemcpyHostToDevice, d->stream);
    }
    if (!error) error = cudaStreamSynchronize(d->stream);
    for (int i = 0; i < p->count && !error; ++i)
        if (p->state[i] == RIGID_MARKED) p->state[i] = RIGID_TAKEN;
    p->marked = error != cudaSuccess;
    return error;
}

void device_send_rigid(device* d, const device_copy* c, const rigid_state* r)
{
    d->rigid.here[c->rigid] = *r;
    d->rigid.state[c->rigid] = RIGID_MARKED;
    d->rigid.marked = true;
}

pliant_result device_fetch_rigid(device* d, const device_copy* c, rigid_state* out)
{
    rigid_pool* p = &d->rigid;
    pliant_result result = device_wait(d);
    if (result) return result;
    ON_DEVICE(d);
    cudaError_t error = rigid_send(d);
    if (!error && !p->known) {
        error = cudaMemcpyAsync(p->here, p->there, (size_t)p->count * sizeof *p->here,
                                cudaMemcpyDeviceToHost, d->stream);
        if (!error) error = cudaStreamSynchronize(d->stream);
        p->known = !error;
    }
    if (error) return cuda_check(error, "copying from the GPU");
    *out = p->here[c->rigid];
    return PLIANT_OK;
}

// ---- steps --------------------------------------------------------------------------------------

cudaError_t rigid_keep(device* d)
{
    const rigid_pool* p = &d->rigid;
    if (p->count == 0) return cudaSuccess;
    return cudaMemcpyAsync(p->before, p->there, (size_t)p->count * sizeof *p->there,
                           cudaMemcpyDeviceToDevice, d->stream);
}

cudaError_t rigid_take_back(device* d)
{
    const rigid_pool* p = &d->rigid;
    if (p->count == 0) return cudaSuccess;
    return cudaMemcpyAsync(p->there, p->before, (size_t)p->count * sizeof *p->there,
                           cudaMemcpyDeviceToDevice, d->stream);
}
