// Vertices of surfaces that hang on tets, by the formula of the processor.
#include "cuda/machine.cuh"
#include "cuda/skin.h"

static __global__ void place_vertices(const binding* bindings, int count, int body,
                                      const void* rows, int scalar_bytes, float* out)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count || bindings[i].body != body) return;
    binding_place(&bindings[i], rows, scalar_bytes, out + 3 * (size_t)i);
}

extern "C" cudaError_t skin_launch(const binding* bindings, int count, int body, const void* rows,
                                   int scalar_bytes, float* out, cudaStream_t stream)
{
    const int threads = 256;
    return start_kernel(place_vertices, (count + threads - 1) / threads, threads, stream, bindings,
                        count, body, rows, scalar_bytes, out);
}
