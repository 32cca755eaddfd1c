// Which lanes of a plan can flow (plan_flow, plan.h).
#pragma once
#include "plan/plan.h"

// Room for flow.count blocks. False when memory runs out.
bool flow_allocate(plan* p);
