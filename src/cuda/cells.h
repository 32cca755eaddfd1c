// Balls in cells of a grid, sorted, on a GPU (contact/cells.h): what the kernels of cells.cuh see,
// in device memory.
#pragma once
#include "contact/cells.h"

enum { CELL_BINS = 256 }; // of a pass of the sort

// Balls first to end - 1 in the order of cells.
typedef struct {
    int first, end;
} cell_range;

// What all balls have in common, gathered by many threads.
typedef struct {
    int low[3], high[3];        // of their places: floats as integers in the same order
    unsigned least;             // reach, as bits of a float
    unsigned most[MOST_LEVELS]; // likewise, of each level
    int absent;                 // 1: somebody is not there
} cell_extent;

typedef struct {
    int count;                                        // balls, of which some may be absent
    grid_ball *ball, *way, *sorted_ball, *sorted_way; // by number; in the order of cells
    unsigned* key[2];                                 // and numbers, and room to sort
    int* order[2];
    int* histogram;   // [blocks][bins]
    cell_range* cell; // of each key
    int cell_bits;    // keys have no more
    cell_extent extent;
} device_cells;

// Bits of keys, so that there are a few for each ball.
static inline int cell_bits_for(int count)
{
    int bits = 8;
    while (bits < 28 && 1 << bits < count) bits++;
    return bits + 2;
}
