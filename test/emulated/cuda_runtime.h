// The words of CUDA C++ for kernels that the processor runs: nvcc includes its own header of this
// name before a source, another compiler is told to include this one.
#pragma once
#include "cuda_runtime_api.h"
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utility>

#define __host__
#define __device__
#define __global__
#define __forceinline__  inline // as the compiler likes: it takes a quarter of the time
#define __noinline__     __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(threads)
#define __grid_constant__

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(8) ushort4 {
    unsigned short x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

#define threadIdx (emulated_now->index)
#define blockIdx  (emulated_now->block_index)
#define blockDim  (emulated_grid.block)
#define gridDim   (emulated_grid.grid)

// ---- launches -----------------------------------------------------------------------------------

template <class... Parameters, size_t... I>
static void emulated_call(void (*kernel)(Parameters...), void** arguments,
                          std::index_sequence<I...>)
{
    kernel(*(Parameters*)arguments[I]...);
}

// Knows the types of a kernel's parameters.
template <class... Parameters> static void emulated_run(void* kernel, void** arguments)
{
    emulated_call((void (*)(Parameters...))kernel, arguments,
                  std::make_index_sequence<sizeof...(Parameters)>());
}

template <class... Parameters>
static cudaError_t emulated_start(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                  void** arguments, size_t shared, cudaStream_t stream,
                                  bool cooperative)
{
    const size_t bytes[] = {sizeof(Parameters)...};
    emulated_launch l = {(void*)kernel,
                         emulated_run<Parameters...>,
                         {grid.x, grid.y, grid.z},
                         {block.x, block.y, block.z},
                         shared,
                         cooperative};
    return emulated_enqueue(&l, arguments, bytes, (int)sizeof...(Parameters), stream);
}

template <class... Parameters>
static inline cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                           void** arguments, size_t shared, cudaStream_t stream)
{
    return emulated_start(kernel, grid, block, arguments, shared, stream, false);
}
template <class... Parameters>
static inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid,
                                                      dim3 block, void** arguments, size_t shared,
                                                      cudaStream_t stream)
{
    return emulated_start(kernel, grid, block, arguments, shared, stream, true);
}

struct cudaFuncAttributes {
    size_t sharedSizeBytes;
};
enum { cudaFuncAttributeMaxDynamicSharedMemorySize };
template <class Kernel>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, Kernel*)
{
    out->sharedSizeBytes = EMULATED_STATIC_BYTES;
    return cudaSuccess;
}
template <class Kernel> static inline cudaError_t cudaFuncSetAttribute(Kernel*, int, int)
{
    return cudaSuccess;
}
template <class Kernel>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* out, Kernel*,
                                                                        int threads, size_t shared)
{
    *out = emulated_blocks_per_processor(threads, shared);
    return cudaSuccess;
}

// ---- threads of a warp and of a block -----------------------------------------------------------

static inline void __syncthreads(void) { emulated_barrier(0, 0); }
static inline void __syncwarp(unsigned lanes = ~0u) { emulated_meet(EMULATED_SYNC, lanes, 0); }

template <class T> static inline uint64_t emulated_word(T value)
{
    uint64_t word = 0;
    static_assert(sizeof value <= sizeof word, "lanes exchange words");
    memcpy(&word, &value, sizeof value);
    return word;
}
template <class T> static inline T emulated_take(uint64_t word)
{
    T value;
    memcpy(&value, &word, sizeof value);
    return value;
}
// The value of another lane; of this one where there is no other.
template <class T>
static inline T emulated_exchange(emulated_meeting_kind kind, unsigned lanes, T value, int from)
{
    emulated_meet(kind, lanes, emulated_word(value));
    return from < 0 || from > 31 ? value : emulated_take<T>(emulated_word_of(from));
}
template <class T> static inline T __shfl_sync(unsigned lanes, T value, int from)
{
    return emulated_exchange(EMULATED_SHFL, lanes, value, from & 31);
}
template <class T> static inline T __shfl_xor_sync(unsigned lanes, T value, int apart)
{
    return emulated_exchange(EMULATED_SHFL_XOR, lanes, value, emulated_lane() ^ apart);
}
template <class T> static inline T __shfl_up_sync(unsigned lanes, T value, unsigned apart)
{
    return emulated_exchange(EMULATED_SHFL_UP, lanes, value, emulated_lane() - (int)apart);
}
template <class T> static inline T __shfl_down_sync(unsigned lanes, T value, unsigned apart)
{
    return emulated_exchange(EMULATED_SHFL_DOWN, lanes, value, emulated_lane() + (int)apart);
}
static inline unsigned __ballot_sync(unsigned lanes, int yes)
{
    return emulated_vote(EMULATED_BALLOT, lanes, yes != 0);
}
static inline int __all_sync(unsigned lanes, int yes)
{
    return emulated_vote(EMULATED_ALL, lanes, yes == 0) == 0;
}
static inline int __any_sync(unsigned lanes, int yes)
{
    return emulated_vote(EMULATED_ANY, lanes, yes != 0) != 0;
}

// ---- memory -------------------------------------------------------------------------------------

static inline void __threadfence(void) { emulated_pause(); }
template <class T> static inline T __ldg(const T* at) { return *at; }
template <class T> static inline T __ldcg(const T* at) { return *at; }

// One thread runs at a time, and others only at a pause.
#define EMULATED_ATOMIC(name, expression)                                                          \
    template <class T> static inline T name(T* at, decltype(T()) value)                            \
    {                                                                                              \
        emulated_pause();                                                                          \
        T old = *at;                                                                               \
        *at = (T)(expression);                                                                     \
        return old;                                                                                \
    }
EMULATED_ATOMIC(atomicAdd, old + value)
EMULATED_ATOMIC(atomicMin, value < old ? value : old)
EMULATED_ATOMIC(atomicMax, value > old ? value : old)
EMULATED_ATOMIC(atomicAnd, old& value)
EMULATED_ATOMIC(atomicOr, old | value)
EMULATED_ATOMIC(atomicXor, old ^ value)
EMULATED_ATOMIC(atomicExch, value)
#undef EMULATED_ATOMIC
template <class T> static inline T atomicCAS(T* at, decltype(T()) expected, decltype(T()) value)
{
    emulated_pause();
    T old = *at;
    if (old == expected) *at = value;
    return old;
}

// ---- arithmetic ---------------------------------------------------------------------------------

static inline float __int_as_float(int a) { return emulated_take<float>(emulated_word(a)); }
static inline int __float_as_int(float a) { return emulated_take<int>(emulated_word(a)); }
static inline float __uint_as_float(unsigned a) { return emulated_take<float>(emulated_word(a)); }
static inline unsigned __float_as_uint(float a)
{
    return emulated_take<unsigned>(emulated_word(a));
}
static inline double __longlong_as_double(long long a)
{
    return emulated_take<double>(emulated_word(a));
}
static inline long long __double_as_longlong(double a)
{
    return emulated_take<long long>(emulated_word(a));
}
static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __ffsll(long long a) { return __builtin_ffsll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline int min(int a, int b) { return b < a ? b : a; }
static inline int max(int a, int b) { return a < b ? b : a; }
static inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
static inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
