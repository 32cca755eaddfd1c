// Numbers in arrays of floats or doubles, for those who know only when they run which it is. The
// same source for the processor and for CUDA.
#pragma once
#include "math/lane.h"

FUNCTION double state_get(const void* array, size_t at, int scalar_bytes)
{
    return scalar_bytes == 4 ? (double)((const float*)array)[at] : ((const double*)array)[at];
}

// What comes from outside and is below the normal numbers is zero, whatever the caller's thread
// makes of it: nobody means it, and it would be slow in every substep.
FUNCTION void state_set(void* array, size_t at, double value, int scalar_bytes)
{
    if (fabs(value) < (scalar_bytes == 4 ? (double)FLT_MIN : DBL_MIN)) value = 0;
    if (scalar_bytes == 4)
        ((float*)array)[at] = (float)value;
    else
        ((double*)array)[at] = value;
}
