// A surface around loose particles: the level of a field that they make together.
//
// Every particle adds share * (1 - d^2 / support^2)^3 to the field, d being the distance from it.
// Its share is 1 over the sum of the same over its neighbors, so that the field is about 1 inside
// of many, however they lie, and 1 in the middle of a particle alone. The surface is where it is
// LEVEL: there it is half a layer outside of the outermost of a packing, and one radius around a
// particle alone, whose support is smaller for that.
//
// Space is a grid that is anchored in the world: nothing flickers because a box around all has
// changed. Particles are sorted into bins. Blocks of cells that a particle reaches are sampled one
// by one, each by one thread, from the particles around it in the order of their bins: nodes that
// blocks have in common get the same bits. What is kept of a block is which nodes are inside and
// where edges are cut: as much as there is surface.
#pragma once
#include "base/memory.h"
#include "base/sort.h"
#include "base/watcher.h"
#include "base/workers.h"

static const double SUPPORT = 3.5;        // in radii, of a particle among others
static const double LONE_SUPPORT = 2.528; // of one alone: (1 - 1 / 2.528^2)^3 is LEVEL
static const double LEVEL = 0.6;

enum {
    BLOCK_CELLS = 15, // along an edge
    BLOCK_NODES = 16, // as many as the widest lanes
    ALL_NODES = BLOCK_NODES * BLOCK_NODES * BLOCK_NODES,
    CELL_LIMIT = 1 << 30, // from the origin
};

// Particles, sorted by bins: cubes of `width` cells. A bin is known by its key: its number along x,
// y and z from the lowest, x first.
typedef struct {
    int width;
    int64_t low[3], across[3]; // of bins
    uint64_t* key;             // count, ascending
    int* start;                // count + 1: of its particles
    int count;
} bin_list;

typedef struct {
    const pliant_points* in;
    const pliant_surface_def* def;
    double radius, cell; // [m] the largest radius
    workers* threads;
    watcher* watch;
    bin_list bins;
    int count;
    int* order;      // which particle
    float* place[3]; // [cells] from the lowest corner of its bin
    float* tight;    // [1/cells^2] 1 / support^2
    float* share;
    float* speed[3]; // NULL: nobody asks
} surfacing;

// Sorts the particles. False when memory runs out; with an error text of its own where they are too
// far apart or too many in one place.
pliant_result bins_fill(surfacing* s);
void bins_release(surfacing* s);

// The place of a bin from the lowest corner of the grid's origin [bins].
static inline void bin_place(const bin_list* b, uint64_t key, int64_t out[3])
{
    uint64_t nx = (uint64_t)b->across[0], ny = (uint64_t)b->across[1];
    out[0] = b->low[0] + (int64_t)(key % nx);
    out[1] = b->low[1] + (int64_t)(key / nx % ny);
    out[2] = b->low[2] + (int64_t)(key / nx / ny);
}
// The first bin that does not stand before that key.
int bins_seek(const bin_list* b, uint64_t key);
// Bins begin to end - 1 are those from x = low to high in a row; false where there are none.
bool bins_row(const bin_list* b, int64_t low, int64_t high, int64_t y, int64_t z, int* out_begin,
              int* out_end);
