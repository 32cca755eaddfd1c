// Surfaces that bodies on the device carry: bindings go there once, places come back.
#include "cuda/device_internal.h"
#include "cuda/skin.h"

struct device_skin {
    binding* bindings;
    float* places; // 3 each
    int count;
    size_t bytes;
};

pliant_result device_add_skin(device* d, const binding* bindings, int count, device_skin** out)
{
    device_skin* s = (device_skin*)mem_alloc_zero(sizeof *s);
    size_t bytes = (size_t)count * sizeof(binding), places = 3 * (size_t)count * sizeof(float);
    *out = NULL;
    if (!s) return PLIANT_ERROR_MEMORY;
    ON_DEVICE(d);
    s->count = count;
    s->bytes = bytes + places;
    cudaError_t error = cudaMalloc((void**)&s->bindings, bytes);
    if (!error) error = cudaMalloc((void**)&s->places, places);
    if (!error)
        error = cudaMemcpyAsync(s->bindings, bindings, bytes, cudaMemcpyHostToDevice, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    d->bytes += s->bytes;
    if (error) {
        cudaGetLastError();
        device_remove_skin(d, s);
        return cuda_check(error, "a surface");
    }
    *out = s;
    return PLIANT_OK;
}

void device_remove_skin(device* d, device_skin* s)
{
    if (!s) return;
    ON_DEVICE(d);
    cudaStreamSynchronize(d->stream);
    cudaFree(s->bindings);
    cudaFree(s->places);
    d->bytes -= s->bytes;
    mem_free(s);
}

pliant_result device_place_skin(device* d, const device_skin* s, const device_place* bodies,
                                int body_count, float* out_places)
{
    cudaError_t error = cudaSuccess;
    ON_DEVICE(d);
    for (int i = 0; i < body_count && !error; ++i)
        error = skin_launch(s->bindings, s->count, i, bodies[i].copy->s.row, bodies[i].scalar_bytes,
                            s->places, d->stream);
    if (!error)
        error = cudaMemcpyAsync(out_places, s->places, 3 * (size_t)s->count * sizeof(float),
                                cudaMemcpyDeviceToHost, d->stream);
    pliant_result result = cuda_check(error, "moving a surface");
    return result ? result : device_wait(d);
}
