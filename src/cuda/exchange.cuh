// How patches tell each other what they did to the particles that they share: what a copy publishes
// comes with the number of the meeting, in one piece of 16 bytes that is written and read at once.
// So there is no barrier, and nothing to wait for but the data itself.
//
// Publishing goes to two buffers in turn. A patch writes to one of them again when it has merged
// what the others published after they had read what is there.
#pragma once
#include "cuda/body.h"
#include "cuda/machine.cuh"

#ifdef PRECISION_DOUBLE

enum { PIECES = 3 }; // x, y, z, each with the number

DEVICE void publish_one(void* buffer, int slot, quad q, unsigned number)
{
    piece* to = (piece*)buffer + (size_t)slot * PIECES;
    for (int k = 0; k < 3; ++k) {
        piece p = {(unsigned long long)__double_as_longlong(q[k]), number};
        write_piece(to + k, p);
    }
}

// False when it is not there yet.
DEVICE bool look_at_one(const void* buffer, int slot, unsigned number, quad* out)
{
    const piece* from = (const piece*)buffer + (size_t)slot * PIECES;
    piece p[3] = {read_piece(from), read_piece(from + 1), read_piece(from + 2)};
    *out = quad_of(__longlong_as_double((long long)p[0].low),
                   __longlong_as_double((long long)p[1].low),
                   __longlong_as_double((long long)p[2].low), 0);
    return (p[0].high == number) & (p[1].high == number) & (p[2].high == number);
}

#else

DEVICE unsigned long long two_words(float a, unsigned b)
{
    return (unsigned long long)b << 32 | __float_as_uint(a);
}

DEVICE void publish_one(void* buffer, int slot, quad q, unsigned number)
{
    piece p = {two_words(q[0], __float_as_uint(q[1])), two_words(q[2], number)};
    write_piece((piece*)buffer + slot, p);
}

// False when it is not there yet.
DEVICE bool look_at_one(const void* buffer, int slot, unsigned number, quad* out)
{
    piece p = read_piece((const piece*)buffer + slot);
    *out = quad_of(__uint_as_float((unsigned)p.low), __uint_as_float((unsigned)(p.low >> 32)),
                   __uint_as_float((unsigned)p.high), 0);
    return (unsigned)(p.high >> 32) == number;
}

#endif

// Lanes of a warp that leave a loop of waiting one after the other stay apart (neither __syncwarp
// nor
// __syncthreads brings them together again), and the barriers of teams then count their warp twice.
// So whole warps wait, without a branch that lanes could part at, until all is there.
DEVICE bool all_lanes(bool there) { return __all_sync(0xffffffff, there); }
DEVICE int most_of_lanes(int count)
{
    for (int i = 16; i > 0; i /= 2) count = max(count, __shfl_xor_sync(0xffffffff, count, i));
    return count;
}

// Also for lanes that want nothing, which look at whatever slot they name.
DEVICE quad wait_for_one(const void* buffer, int slot, unsigned number, bool wanted)
{
    quad q;
    bool there;
    do {
        there = look_at_one(buffer, slot, number, &q);
    } while (!all_lanes(there || !wanted));
    return q;
}
