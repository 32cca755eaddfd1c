// What kernels ask of the machine that C++ has no words for. An emulated device (test/emulated) has
// its own.
#pragma once
#ifdef EMULATED_DEVICE
#include "machine.h"
#else
#include <cooperative_groups.h>

// A variable of the block, and what a launch gives it of shared memory beside.
#define SHARED(type, name) __shared__ type name
extern __shared__ __align__(32) char block_memory[];

#define MACHINE static __device__ __forceinline__

enum { THREADS_THAT_MEET = 512 }; // of a block

// 16 bytes that are written and read at once.
typedef struct {
    unsigned long long low, high;
} piece;

MACHINE void write_piece(void* to, piece p)
{
    asm volatile(
        "{ .reg .b128 v; mov.b128 v, {%1, %2}; st.relaxed.gpu.global.b128 [%0], v; }" ::"l"(to),
        "l"(p.low), "l"(p.high)
        : "memory");
}

MACHINE piece read_piece(const void* from)
{
    piece p;
    asm volatile("{ .reg .b128 v; ld.relaxed.gpu.global.b128 v, [%2]; mov.b128 {%0, %1}, v; }"
                 : "=l"(p.low), "=l"(p.high)
                 : "l"(from)
                 : "memory");
    return p;
}

// Barriers of some of the block's threads, for which some wait, while others only say that they
// came. The tool that looks for races does not see the order that comes of saying so: then all
// wait. What it puts between the instructions may part the lanes of a warp, so that they are
// counted one by one then.
#ifdef PLIANT_RACECHECK
#define WAIT   "barrier.sync"
#define ARRIVE "barrier.sync"
#else
#define WAIT   "bar.sync"
#define ARRIVE "bar.arrive"
#endif
MACHINE void barrier_wait(int number, int threads)
{
    asm volatile(WAIT " %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
MACHINE void barrier_arrive(int number, int threads)
{
    asm volatile(ARRIVE " %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// For all threads of all blocks of a cooperative launch.
MACHINE void grid_barrier(void) { cooperative_groups::this_grid().sync(); }

MACHINE long long nanoseconds(void)
{
    long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

// The same number, of which the compiler knows nothing.
MACHINE unsigned opaque(unsigned a)
{
    asm("" : "+r"(a));
    return a;
}
#endif

// Starts a kernel without shared memory of the launch.
template <class T> struct as_declared {
    typedef T type;
};
template <class... Parameters>
static cudaError_t start_kernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                cudaStream_t stream,
                                typename as_declared<Parameters>::type... values)
{
    void* arguments[] = {(void*)&values...};
    return cudaLaunchKernel(kernel, grid, block, arguments, 0, stream);
}
