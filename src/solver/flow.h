// Rest shapes that flow (constraint/flow.h): the state of a body whose plan has blocks that do.
#pragma once
#include "constraint/flow.h"
#include "solver/sweep.h"

// Nothing has flowed: the constants are those of the plan.
void flow_begin(state* s);

// What has flowed of a node of the plan, as numbers (flow_state). What is written changes its
// constants. A node that cannot flow is at rest, and stays so.
void flow_read(const state* s, int node, double out[FLOW_STATE]);
void flow_write(state* s, int node, const double flow[FLOW_STATE]);

// Before the first sweep of a substep of h [s]: lanes `lane` to lane + lanes - 1 of a group, which
// is on rows of that patch.
void flow_group(state* s, const sweep_kernels* kernels, const patch* t, const lane_group* g,
                double h, int lane, int lanes);
