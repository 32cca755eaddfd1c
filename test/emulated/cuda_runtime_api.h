// CUDA's runtime, as much of it as the library uses, for a device that is emulated by the
// processor (docs/rooms/cuda.md). Functions do what CUDA's documentation says of them. Valid C17
// and C++.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define CUDART_VERSION 12000

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNotReady = 600,
    cudaErrorLaunchOutOfResources = 701,
} cudaError_t;

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);

// ---- devices ------------------------------------------------------------------------------------

struct cudaDeviceProp {
    char name[256];
    int major, minor;
};
typedef enum {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
} cudaDeviceAttr;

cudaError_t cudaGetDeviceCount(int* out);
cudaError_t cudaGetDevice(int* out);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* out, int device);
cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize(void);

// ---- streams and events -------------------------------------------------------------------------

typedef struct emulated_stream* cudaStream_t;
typedef struct emulated_event* cudaEvent_t;
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);

// ---- memory -------------------------------------------------------------------------------------

typedef enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
} cudaMemcpyKind;

cudaError_t cudaMalloc(void** out, size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** out, size_t bytes);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream);

// ---- graphs -------------------------------------------------------------------------------------

typedef struct emulated_graph* cudaGraph_t;
typedef struct emulated_graph* cudaGraphExec_t;
enum { cudaStreamCaptureModeThreadLocal = 1 };

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* out);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);

#ifdef __cplusplus
}
#endif
