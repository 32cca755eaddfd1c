// Steps in which bodies meet may find more than there is room for. They end there, and are repeated
// with more room before anybody sees them, or the next step starts.
#pragma once
#include "cuda/device_internal.h"

// Before a step: what it starts from is kept.
pliant_result prepare_to_repeat(device* d, staging* g, const step_work* step,
                                device_copy* const* copy);
// Its kernels, as they are listed now. False when memory runs out.
bool keep_list(device* d, staging* g);
// After it, on the stream: what it has to say.
cudaError_t send_report(device* d, staging* g);
// Waits for a step in which bodies meet, until it had room for all.
pliant_result repeat_if_needed(device* d, staging* g);
