// src/cuda/machine.cuh for kernels that the processor runs.
#pragma once
#include "kernel.h"

#define SHARED(type, name)                                                                         \
    static const char name##_key = 0;                                                              \
    type& name = *(type*)emulated_shared(&name##_key, sizeof(type))
#define block_memory (emulated_now->memory)

#define MACHINE static inline

enum { THREADS_THAT_MEET = 64 }; // few, since each costs what a barrier costs

typedef struct {
    unsigned long long low, high;
} piece;

MACHINE void write_piece(void* to, piece p)
{
    *(piece*)to = p;
    emulated_note_change();
}
MACHINE piece read_piece(const void* from)
{
    emulated_note_look();
    return *(const piece*)from;
}

MACHINE void barrier_wait(int number, int threads) { emulated_barrier(number, threads); }
MACHINE void barrier_arrive(int number, int threads) { emulated_arrive(number, threads); }
MACHINE void grid_barrier(void) { emulated_grid_barrier(); }
MACHINE long long nanoseconds(void) { return emulated_nanoseconds(); }
MACHINE unsigned opaque(unsigned a) { return a; }
