// Arithmetic that kernels do in a shorter way than the compiler's: the same bits as the longer one,
// for every number that it is made for. Without a GPU: skipped, with a word.
#include "solver/quad.h"
#include <cuda_runtime.h>
#include <stdio.h>

static __device__ unsigned random_word(unsigned long long* state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 32);
}

// Every float from 2^-126 to 2^126, of both signs, and the positive ones above, with infinity.
static __global__ void check_reciprocals(unsigned* wrong, float* example)
{
    unsigned step = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned long long bits = 0x00800000u + first; bits <= 0x7f800000u; bits += step)
        for (unsigned sign = 0; sign < (bits <= 0x7e800000u ? 2 : 1); ++sign) {
            float a = __uint_as_float((unsigned)bits | sign << 31);
            float expected = fmaxf(fabsf(1.0f / a), FLT_MIN); // no smaller ones
            if (lane_reciprocal(a) == copysignf(expected, a)) continue;
            if (atomicAdd(wrong, 1u) == 0) *example = a;
        }
}

// Numbers of all sizes over substeps of all lengths.
static __global__ void check_quotients(unsigned* wrong, float* example)
{
    unsigned long long state = blockIdx.x * blockDim.x + threadIdx.x + 1;
    for (int i = 0; i < 4096; ++i) {
        float a = __uint_as_float(random_word(&state));
        float h = __uint_as_float(0x33000000u + random_word(&state) % 0x0c000000u); // 3e-8 to 0.5
        if (!(fabsf(a) < 1e30f)) continue;
        float shorter = quad_divide(quad_of(1, a, -0.0f, 0), h, 1.0f / h)[1], longer = a / h;
        if (__float_as_uint(shorter) == __float_as_uint(longer)) continue;
        if (atomicAdd(wrong, 1u) == 0) *example = a;
    }
}

static int report(const char* what, const unsigned* wrong, const float* example)
{
    unsigned count;
    float a;
    cudaError_t error = cudaDeviceSynchronize();
    if (!error) error = cudaMemcpy(&count, wrong, sizeof count, cudaMemcpyDeviceToHost);
    if (!error) error = cudaMemcpy(&a, example, sizeof a, cudaMemcpyDeviceToHost);
    if (error) {
        printf("[ FAILED  ] %s: %s\n", what, cudaGetErrorString(error));
        return 1;
    }
    if (count)
        printf("[ FAILED  ] %s: %u differ, one of them for %a\n", what, count, (double)a);
    else
        printf("[ OK      ] %s\n", what);
    return count != 0;
}

int main(void)
{
    int devices = 0, failed = 0;
    unsigned* wrong;
    float* example;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: no GPU\n");
        return 77;
    }
    cudaMalloc((void**)&wrong, sizeof *wrong);
    cudaMalloc((void**)&example, sizeof *example);
    cudaMemset(wrong, 0, sizeof *wrong);
    check_reciprocals<<<1024, 256>>>(wrong, example);
    failed += report("reciprocals_are_rounded", wrong, example);
    cudaMemset(wrong, 0, sizeof *wrong);
    check_quotients<<<1024, 256>>>(wrong, example);
    failed += report("quotients_are_rounded", wrong, example);
    return failed;
}
