// How a vertex of a surface hangs on a tet. The one formula of it, for the processor and for a GPU:
// valid C17 and C++.
#pragma once
#include "solver/row.h"
#include <stddef.h>

#ifdef __CUDACC__
#define BINDING_INLINE static __host__ __device__ __forceinline__
#else
#define BINDING_INLINE static inline
#endif

typedef struct {
    int body;       // among those of the surface
    int row[4];     // of the tet's corners in the body's state
    float share[3]; // barycentric coordinates of the last three corners; any numbers outside
} binding;

BINDING_INLINE double binding_read(const void* rows, size_t at, int scalar_bytes)
{
    return scalar_bytes == 4 ? (double)((const float*)rows)[at] : ((const double*)rows)[at];
}

// Relative to a corner, so that it is as exact far from the origin as near to it.
BINDING_INLINE void binding_place(const binding* b, const void* rows, int scalar_bytes,
                                  float out[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        double at = binding_read(rows, ROW * (size_t)b->row[0] + (size_t)axis, scalar_bytes);
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            size_t corner = ROW * (size_t)b->row[k + 1] + (size_t)axis;
            sum += (double)b->share[k] * (binding_read(rows, corner, scalar_bytes) - at);
        }
        out[axis] = (float)(at + sum);
    }
}
