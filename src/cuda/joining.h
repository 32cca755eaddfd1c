// Joints of worlds on a GPU: what the kernel of joint.cu sees. Included by C and CUDA.
#pragma once
#include "joint/passes.h"
#include <cuda_runtime_api.h>

// The joints of a world in the step at hand. All of it comes with the step, but for what the set's
// pointers lead to.
typedef struct {
    joint_set set;
    const unsigned char* jumped; // of each joint
    const unsigned char* axes;   // of each point
    const int* slot;             // of each body on the device,
    const long long* diverged;   // and of each slot the meeting from which on it stands still
    joint_state* before;         // of each joint, as the step found it: it may be repeated
    unsigned char* broken;       // likewise, for contacts
} joint_world;

// One launch for all worlds that step together: a block for each.
typedef struct {
    const joint_world* world; // in device memory
    int count;
    int substeps, substep;
    bool first, last; // of the substep's iterations
    double h;         // [s]
} joint_work;

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t joint_launch(const joint_work* work, cudaStream_t stream);
#ifdef __cplusplus
}
#endif
