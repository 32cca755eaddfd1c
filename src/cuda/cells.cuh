// Balls in cells of a grid, sorted by all threads of a crew: who is near whom. Keys are integers of
// a few bits. Cells that are far apart may have the same key, which costs time and no more than
// that, since distances decide.
#pragma once
#include "cuda/sort.cuh"

// ---- floats as integers in the same order -------------------------------------------------------

CREW int ordered(float a)
{
    int bits = __float_as_int(a);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}
CREW unsigned bits_of(float a) { return (unsigned)__float_as_int(a); } // of one that is not below 0
CREW float of_bits(unsigned a) { return __int_as_float((int)a); }
CREW double unordered(int a) { return (double)__int_as_float(a < 0 ? a ^ 0x7fffffff : a); }

// ---- what balls have in common ------------------------------------------------------------------

CREW void clear_extent(cell_extent* e)
{
    for (int k = 0; k < 3; ++k) {
        e->low[k] = INT32_MAX;
        e->high[k] = INT32_MIN;
    }
    e->least = bits_of(INFINITY);
    e->absent = 0;
    for (int k = 0; k < MOST_LEVELS; ++k) e->most[k] = 0;
}

CREW void join_extent(cell_extent* e, const cell_extent* of)
{
    int k = (int)threadIdx.x;
    if (k < 3) {
        atomicMin(&e->low[k], of->low[k]);
        atomicMax(&e->high[k], of->high[k]);
    }
    if (k == 0) atomicMin(&e->least, of->least);
    if (k == 0 && of->absent) atomicOr(&e->absent, 1);
    if (k < MOST_LEVELS && of->most[k]) atomicMax(&e->most[k], of->most[k]);
}

CREW void add_ball(cell_extent* e, const grid_ball& b)
{
    if (!(b.reach > 0)) {
        if (!*(volatile int*)&e->absent) atomicOr(&e->absent, 1);
        return;
    }
    const float x[3] = {b.x, b.y, b.z};
    unsigned reach = bits_of(b.reach);
    for (int k = 0; k < 3; ++k) {
        int at = ordered(x[k]);
        if (at < *(volatile int*)&e->low[k]) atomicMin(&e->low[k], at);
        if (at > *(volatile int*)&e->high[k]) atomicMax(&e->high[k], at);
    }
    if (reach < *(volatile unsigned*)&e->least) atomicMin(&e->least, reach);
}

// ---- the grid -----------------------------------------------------------------------------------

typedef struct {
    double size[MOST_LEVELS], reach[MOST_LEVELS]; // [m] of cells; of the largest ball, or 0
    int levels;
    int bits[4]; // of a key, from the lowest: along x, y, z; level
    int all;     // together
} cell_layout;

// Of balls that are at least so large.
CREW int level_of(float least, float reach)
{
    int level = 0;
    for (double most = 2 * (double)least; (double)reach >= most && level < MOST_LEVELS - 1;
         most *= 2)
        level++;
    return level;
}

CREW_LARGE void find_levels(const crew* m, device_cells* c)
{
    typedef unsigned of_levels[MOST_LEVELS];
    SHARED(of_levels, most);
    const float least = of_bits(c->extent.least);
    if (threadIdx.x < MOST_LEVELS) most[threadIdx.x] = 0;
    __syncthreads();
    for (int i = m->thread; i < c->count; i += m->threads) {
        float reach = c->ball[i].reach;
        if (!(reach > 0)) continue;
        unsigned bits = bits_of(reach), *of = &most[level_of(least, reach)];
        if (bits > *(volatile unsigned*)of) atomicMax(of, bits);
    }
    __syncthreads();
    if (threadIdx.x < MOST_LEVELS && most[threadIdx.x])
        atomicMax(&c->extent.most[threadIdx.x], most[threadIdx.x]);
    crew_barrier(m);
}

// Beyond the range of integers all are in one cell.
CREW long long cell_along(double x, double size)
{
    const double most = 4e15;
    return (long long)fmin(fmax(floor(x / size), -most), most);
}

CREW int bits_for(double count)
{
    int bits = 0;
    while (bits < 30 && count > (double)(1ll << bits)) bits++;
    return bits;
}

// Keys have as many bits along each axis as there are cells, as far as there is room for them.
CREW void choose_bits(const device_cells* c, cell_layout* g)
{
    double finest = INFINITY;
    for (int level = 0; level < g->levels; ++level)
        if (g->reach[level] > 0) finest = fmin(finest, g->size[level]);
    g->bits[3] = bits_for(g->levels);
    g->all = g->bits[3];
    for (int k = 0; k < 3; ++k) {
        double low = unordered(c->extent.low[k]), high = unordered(c->extent.high[k]);
        g->bits[k] = bits_for(floor(high / finest) - floor(low / finest) + 1);
        g->all += g->bits[k];
    }
    for (; g->all > c->cell_bits; g->all--) {
        int most = 0;
        for (int k = 1; k < 3; ++k)
            if (g->bits[k] > g->bits[most]) most = k;
        g->bits[most]--;
    }
}

CREW void choose_grid(const device_cells* c, cell_layout* g)
{
    if (threadIdx.x == 0) {
        g->levels = 0;
        for (int level = 0; level < MOST_LEVELS; ++level) {
            g->reach[level] = (double)of_bits(c->extent.most[level]);
            g->size[level] = 2.001 * g->reach[level];
            if (g->reach[level] > 0) g->levels = level + 1;
        }
        choose_bits(c, g);
    }
    __syncthreads();
}

// Of the cells that have these places along y and z: the lowest bits tell where along x.
CREW unsigned row_key(const cell_layout* g, int level, long long y, long long z)
{
    unsigned key = (unsigned)level;
    key = key << g->bits[2] | ((unsigned)z & ((1u << g->bits[2]) - 1));
    key = key << g->bits[1] | ((unsigned)y & ((1u << g->bits[1]) - 1));
    return key << g->bits[0];
}
CREW unsigned cell_key(const cell_layout* g, unsigned row, long long x)
{
    return row | ((unsigned)x & ((1u << g->bits[0]) - 1));
}

CREW void find_keys(const crew* m, const device_cells* c, const cell_layout* g)
{
    const float least = of_bits(c->extent.least);
    for (int i = m->thread; i < c->count; i += m->threads) {
        const grid_ball b = c->ball[i];
        c->order[0][i] = i;
        if (!(b.reach > 0)) { // those that are absent come last
            c->key[0][i] = 1u << g->all;
            continue;
        }
        int level = level_of(least, b.reach);
        double size = g->size[level];
        unsigned row =
            row_key(g, level, cell_along((double)b.y, size), cell_along((double)b.z, size));
        c->key[0][i] = cell_key(g, row, cell_along((double)b.x, size));
    }
    const cell_range nobody = {0, 0};
    for (int i = m->thread; i < 1 << g->all; i += m->threads) c->cell[i] = nobody;
    crew_barrier(m);
}

// Returns which of the two memories has keys and numbers in their order.
CREW_LARGE int sort_balls(const crew* m, const device_cells* c, const cell_layout* g)
{
    find_keys(m, c, g);
    int bits = g->all + c->extent.absent;
    int turn = sort_keys(m, c->key, c->order, c->count, bits, c->histogram);
    for (int i = m->thread; i < c->count; i += m->threads) {
        unsigned key = c->key[turn][i];
        int number = c->order[turn][i];
        c->sorted_ball[i] = c->ball[number];
        c->sorted_way[i] = c->way[number];
        if (key >> g->all) continue;
        if (i == 0 || c->key[turn][i - 1] != key) c->cell[key].first = i;
        if (i + 1 == c->count || c->key[turn][i + 1] != key) c->cell[key].end = i + 1;
    }
    crew_barrier(m);
    return turn;
}

// ---- who is near --------------------------------------------------------------------------------

CREW grid_ball load_ball(const grid_ball* from)
{
    const float4 q = *(const float4*)from;
    const grid_ball b = {q.x, q.y, q.z, q.w};
    return b;
}

// Calls see(i, ball) for balls of a range of the order. Some are asked for at once, since each
// takes a while.
template <class See> CREW void see_balls(const device_cells* c, cell_range run, See& see)
{
    enum { AT_ONCE = 4 };
    grid_ball b[AT_ONCE];
    ROLLED
    for (int i = run.first; i < run.end; i += AT_ONCE) {
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k)
            b[k] = load_ball(&c->sorted_ball[min(i + k, run.end - 1)]);
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k)
            if (i + k < run.end) see(i + k, b[k]);
    }
}

// Cells of a row that are side by side have their balls side by side, too.
template <class See>
CREW void see_row(const device_cells* c, const cell_layout* g, unsigned row, long long first,
                  int count, See& see)
{
    enum { AT_ONCE = 3 };
    cell_range cell[AT_ONCE], run = {0, 0};
    ROLLED
    for (int i = 0; i < count; i += AT_ONCE) {
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            cell[k] = c->cell[cell_key(g, row, first + min(i + k, count - 1))];
            if (i + k >= count) cell[k].end = cell[k].first;
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            if (cell[k].first == cell[k].end) continue;
            if (cell[k].first != run.end) {
                see_balls(c, run, see);
                run.first = cell[k].first;
            }
            run.end = cell[k].end;
        }
    }
    see_balls(c, run, see);
}

// Cells of a level that have who may be near, each once: no more than there are along an axis.
template <class See>
CREW void see_level(const device_cells* c, const cell_layout* g, int level, const grid_ball& own,
                    See& see)
{
    const float x[3] = {own.x, own.y, own.z};
    long long first[3];
    int count[3];
    double around = 1.00001 * ((double)own.reach + g->reach[level]);
    for (int k = 0; k < 3; ++k) {
        first[k] = cell_along((double)x[k] - around, g->size[level]);
        long long last = cell_along((double)x[k] + around, g->size[level]);
        long long most = 1ll << g->bits[k];
        count[k] = (int)(last - first[k] + 1 < most ? last - first[k] + 1 : most);
    }
    ROLLED
    for (int yz = 0; yz < count[1] * count[2]; ++yz) {
        long long y = first[1] + yz % count[1], z = first[2] + yz / count[1];
        see_row(c, g, row_key(g, level, y, z), first[0], count[0], see);
    }
}

// Calls see(i, ball) for all balls of the order that may be near to this one, by their places
// there, and for some that are not.
template <class See>
CREW void see_around(const device_cells* c, const cell_layout* g, const grid_ball& own, See see)
{
    ROLLED
    for (int level = 0; level < g->levels; ++level)
        if (g->reach[level] > 0) see_level(c, g, level, own, see);
}
