// A small generator with the same numbers everywhere (splitmix64).
#pragma once
#include <stdint.h>

typedef struct {
    uint64_t state;
} random_source;

static inline uint64_t random_bits(random_source* r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// In [0, 1).
static inline double random_unit(random_source* r)
{
    return (double)(random_bits(r) >> 11) * 0x1p-53;
}

// In [low, high).
static inline double random_range(random_source* r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

// In [0, count).
static inline int random_index(random_source* r, int count)
{
    return (int)(random_bits(r) % (uint64_t)count);
}

// A point of the unit ball, by rejection: no function whose last bit depends on the machine.
static inline void random_in_ball(random_source* r, double out[3])
{
    do
        for (int axis = 0; axis < 3; ++axis) out[axis] = random_range(r, -1, 1);
    while (out[0] * out[0] + out[1] * out[1] + out[2] * out[2] > 1);
}
