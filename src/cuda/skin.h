// The kernel of surfaces as C sees it. Valid C17 and C++.
#pragma once
#include "solver/binding.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Places the vertices that hang on one body; all pointers are the device's.
cudaError_t skin_launch(const binding* bindings, int count, int body, const void* rows,
                        int scalar_bytes, float* out, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
