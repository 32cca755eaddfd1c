// Kernels as C sees them: a table for each arithmetic, filled by the compilations of kernels.cu.
// Valid C17 and C++.
#pragma once
#include "solver/order.h"
#include <cuda_runtime_api.h>
#include <stddef.h>

// Of a body that did not fail: bytes that are all alike, so that memory is filled with them.
#define NEVER      0x7f7f7f7f7f7f7f7fll
#define NEVER_BYTE 0x7f

#ifdef __cplusplus
extern "C" {
#endif

// A patch of a body, among those of all bodies of a launch.
typedef struct {
    int body, patch;
} device_task;

// The type of sweeps of bodies whose rest shapes flow: of all types, with constants that change.
enum { FLOWING = -1 };

// Tasks of patches that run together.
typedef struct {
    const void* body; // device_body of the precision
    const device_task* task;
    int task_count, turn_count;
    int bodies;                        // of a crowd: tasks are pieces of their rows (match.h)
    int pieces, clusters;              // of the body with most of them; 0: none has clusters
    int last_meeting;                  // of all
    bool alone;                        // nobody meets anybody
    bool past;                         // of second order
    bool special;                      // some of their colliders may be (rows.cuh)
    int rows, colors, shared, sources; // of the patch with most of them
    int components, strips;            // likewise
    int lanes;                         // of the largest color
    int type; // of the sweep of places where all have the same, packed; else TYPE_COUNT, or, of
              // those of one-row constraints (body.h), TYPE_COUNT plus their number of fields, or,
              // of those that flow, FLOWING
    bool in_phases; // not the whole step, but one phase of it for all patches:
    work_phase phase;
    bool braking; // of sweep `number` of its kind in that substep; of patches of that turn
    int substep, number, turn;
    bool brakes_too; // the substep's sweeps of the motion, and then its first one of places, in one
} patched_work;

// One kernel of a body without patches.
typedef enum {
    KERNEL_COAST,
    KERNEL_PREDICT,
    KERNEL_TOUCH,
    KERNEL_UPDATE,
    KERNEL_SPREAD,
    KERNEL_GATHER,
    KERNEL_ENCLOSE,
    KERNEL_HOLD,
    KERNEL_INFLATE,
    KERNEL_LOOK,  // at clusters of particles, whose pieces are the threads, 32 each
    KERNEL_MATCH, // clusters
    KERNEL_SHAPE,
    KERNEL_RIGID_BEGIN, // of rigid bodies, which are the threads
    KERNEL_RIGID_END,
    KERNEL_KEEP,
    KERNEL_TORQUES, // of strips, which are the threads, 32 each
    KERNEL_TWISTS,  // of components, likewise
    KERNEL_UNTWIST, // strips
    KERNEL_COLOR,
} kernel_kind;

typedef struct {
    kernel_kind kind;
    const void* body;
    int threads; // rows, or lanes of the color
    int number;  // of the substep
    int color;
    const device_task* task; // of a crowd: rows, which `threads` counts; NULL: of one body
    int each; // where clusters are looked at or solved, `threads` counts bodies of a crowd, which
              // have so many warps or threads each; so do rigid bodies
    bool braking, first; // of the sweep; first of the substep's iterations
    bool averaged;       // constraints on phantoms, which may be relaxed
    bool special;        // some of its colliders may be (rows.cuh)
    // Where all rounds of the body have one type and lie in the order of the work, they are found
    // without looking: type is that one, else TYPE_COUNT, or FLOWING.
    int type, first_group, index_bytes;
    bool single; // every group has one round, with its number
    const void *group, *index, *field, *same;
    void* row;
} color_work;

typedef struct {
    size_t body_bytes, obstacle_bytes; // as the kernels see them
    cudaError_t (*patched)(const patched_work* work, cudaStream_t stream);
    bool (*are_at_once)(const patched_work* work); // whether patches may wait for each other in it
    cudaError_t (*color)(const color_work* work, cudaStream_t stream);
} device_kernels;

extern const device_kernels device_kernels_single, device_kernels_fast, device_kernels_double;

#ifdef __cplusplus
}
#endif
