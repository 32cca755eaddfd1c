// The kernels of a step that has many: listed, then launched one by one or as a graph, which is
// kept while the list stays the same.
#pragma once
#include "cuda/pack.h"

// False when memory runs out.
bool list_color(device* d, arithmetic kind, const color_work* work);
bool list_patches(device* d, arithmetic kind, const patched_work* work);
bool list_meeting(device* d, arithmetic kind, const meeting_work* work);
bool list_joints(device* d, const joint_work* work);
bool list_air(device* d, const air_work* work);
bool list_liquids(device* d, arithmetic kind, const liquid_work* work);

// Kernels of one body without patches in one phase of a sweep. `body`: on the device.
bool list_colored(device* d, const body_run* b, const device_copy* copy, const void* body,
                  work_phase phase, const sweep_pass* pass);

// Those of all rigid bodies of a family.
bool list_rigid(device* d, arithmetic kind, const patched_work* of, work_phase phase,
                const sweep_pass* pass);

// Those of all bodies of a crowd.
bool list_crowd(device* d, arithmetic kind, const patched_work* of, work_phase phase,
                const sweep_pass* pass);

cudaError_t launch_kernels(const listed_kernel* list, int count, cudaStream_t stream);

// Launches what is listed, and empties the list. `keep`: which of the staging's graphs it is.
pliant_result launch_list(device* d, bool graph, int keep);
