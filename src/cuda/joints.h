// Joints of worlds on a device: memory, what a step is told of them, and steps that are repeated.
#pragma once
#include "cuda/joining.h"
#include "cuda/pack.h"

// The joints of all worlds of a step, as it brings them along: joint_world of each. NULL: there are
// none, or there is no memory yet.
const joint_world* pack_joints(packer* p, const device* d, const step_work* step);
// Those of a step that is repeated, as they were before it.
cudaError_t joints_start_again(device* d, const device_joints* j);
