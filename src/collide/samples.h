// Ranges of samples along one axis. Positions are relative to the field's origin.
#pragma once
#include <math.h>

typedef struct {
    int first, last; // both included; empty if last < first
} sample_range;

// The samples of `count` that lie in [low, high], and the next on either side. Infinite ends are
// fine.
static inline sample_range samples_between(double low, double high, double cell, int count)
{
    double first = floor(low / cell), last = ceil(high / cell);
    if (!(first > 0)) first = 0;
    if (first > count) first = count;
    if (!(last < count)) last = count - 1;
    if (last < 0) last = -1;
    sample_range range = {(int)first, (int)last};
    return range;
}
