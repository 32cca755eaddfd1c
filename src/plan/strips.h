// What hangs together: the connected components of the constraints of each patch, and their rows.
#pragma once
#include "plan/plan.h"

// Fills in the components and strips of `p`, whose patches and rows are set. corner_row has the
// corners of the source's nodes as rows of their patches. False when memory runs out.
bool strips_create(const plan_source* source, const int* corner_row, plan* p);
