// Places in cells of a grid, sorted: who is near whom among many balls. A ball is in the cell of
// its middle, on a grid whose cells are as wide as two of the largest balls there; balls of very
// different sizes are on grids of different levels. Keys are integers, and the order is that of
// (key, number). Cells that are 2^19 apart along an axis have the same key: it costs time, and no
// more than that, since distances decide.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    float x, y, z, reach; // [m]
} grid_ball;

enum { CELL_BITS = 19, MOST_LEVELS = 32 };

typedef struct {
    int count;                       // of the balls that are there
    int* order;                      // numbers of the balls, cell after cell
    float* sorted[4];                // x, y, z and reach of each, in that order
    uint64_t* key;                   // of each cell
    int* start;                      // of each cell and behind the last, in the order
    int cell_count;                  //
    int level_cell[MOST_LEVELS + 1]; // first cell of each level
    double size[MOST_LEVELS];        // [m] of its cells
    double reach[MOST_LEVELS];       // [m] of its largest ball,
    double first_reach[MOST_LEVELS]; // and when they were sorted: balls may grow
    int levels;
    uint64_t* ball_key; // scratch
    int order_capacity, sorted_capacity[4], key_capacity, start_capacity, ball_key_capacity;
} cell_grid;

// False when memory runs out. Balls are finite; a reach above 0, or below: nobody is there, and the
// order leaves it out.
bool cells_sort(cell_grid* c, const grid_ball* balls, int count);
void cells_destroy(cell_grid* c);

// Ranges of the order that have all balls which a ball of some cell may reach; a scratch of the
// thread that looks, who goes through cells in ascending order.
typedef struct {
    int (*range)[2];
    int count, capacity;
    int hint[9];
} cell_ranges;
bool cells_around(const cell_grid* c, int cell, cell_ranges* out);
// The same for one ball, in any order.
bool cells_near(const cell_grid* c, const grid_ball* b, cell_ranges* out);
