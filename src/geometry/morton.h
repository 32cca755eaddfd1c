// Numbers that order places along a curve through space: near in the order is near in space.
#pragma once
#include <stdint.h>

enum { MORTON_BITS = 21 }; // of each coordinate

// Moves bit i to bit 3 i.
static inline uint64_t morton_spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

// The reverse; bits that do not belong to the coordinate are passed over.
static inline uint32_t morton_gather(uint64_t x)
{
    x &= 0x1249249249249249u;
    x = (x | x >> 2) & 0x10c30c30c30c30c3u;
    x = (x | x >> 4) & 0x100f00f00f00f00fu;
    x = (x | x >> 8) & 0x001f0000ff0000ffu;
    x = (x | x >> 16) & 0x001f00000000ffffu;
    return (uint32_t)((x | x >> 32) & 0x1fffff);
}

static inline uint64_t morton_key(uint32_t x, uint32_t y, uint32_t z)
{
    return morton_spread(x) | morton_spread(y) << 1 | morton_spread(z) << 2;
}
