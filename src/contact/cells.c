#include "contact/cells.h"
#include "base/memory.h"
#include "base/sort.h"
#include <math.h>
#include <string.h>

// ---- keys ---------------------------------------------------------------------------------------

#define CELL_MASK ((1u << CELL_BITS) - 1)

// Beyond the range of integers all are in one cell.
static int64_t along(double x, double size)
{
    const double most = 4e15;
    return (int64_t)fmin(fmax(floor(x / size), -most), most);
}

static uint64_t row_key(int level, int64_t y, int64_t z)
{
    return (uint64_t)level << 3 * CELL_BITS | (uint64_t)(z & CELL_MASK) << 2 * CELL_BITS |
           (uint64_t)(y & CELL_MASK) << CELL_BITS;
}

static uint64_t key_of(const cell_grid* c, int level, const grid_ball* b)
{
    double size = c->size[level];
    return row_key(level, along((double)b->y, size), along((double)b->z, size)) |
           (uint64_t)(along((double)b->x, size) & CELL_MASK);
}

// Of balls that are at least so large.
static int level_of(double least, double reach)
{
    int level = 0;
    for (double most = 2 * least; reach >= most && level < MOST_LEVELS - 1; most *= 2) level++;
    return level;
}

static double find_levels(cell_grid* c, const grid_ball* balls, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; ++i)
        if (balls[i].reach > 0) least = fmin(least, (double)balls[i].reach);
    memset(c->reach, 0, sizeof c->reach);
    c->levels = 0;
    for (int i = 0; i < count; ++i) {
        if (!(balls[i].reach > 0)) continue;
        int level = level_of(least, (double)balls[i].reach);
        c->reach[level] = fmax(c->reach[level], (double)balls[i].reach);
        if (level >= c->levels) c->levels = level + 1;
    }
    for (int level = 0; level < c->levels; ++level) c->size[level] = 2.001 * c->reach[level];
    return least;
}

// ---- the order ----------------------------------------------------------------------------------

static bool reserve(cell_grid* c, int count)
{
    for (int k = 0; k < 4; ++k)
        if (!mem_reserve((void**)&c->sorted[k], &c->sorted_capacity[k], count, sizeof(float)))
            return false;
    return mem_reserve((void**)&c->order, &c->order_capacity, count, sizeof *c->order) &&
           mem_reserve((void**)&c->key, &c->key_capacity, count, sizeof *c->key) &&
           mem_reserve((void**)&c->start, &c->start_capacity, (int64_t)count + 1,
                       sizeof *c->start) &&
           mem_reserve((void**)&c->ball_key, &c->ball_key_capacity, count, sizeof *c->ball_key);
}

static void cut(cell_grid* c)
{
    c->cell_count = 0;
    for (int i = 0; i < c->count; ++i) {
        if (i > 0 && c->ball_key[i] == c->ball_key[i - 1]) continue;
        c->key[c->cell_count] = c->ball_key[i];
        c->start[c->cell_count++] = i;
    }
    c->start[c->cell_count] = c->count;
    int cell = 0;
    for (int level = 0; level <= MOST_LEVELS; ++level) {
        while (cell < c->cell_count && (int)(c->key[cell] >> 3 * CELL_BITS) < level) ++cell;
        c->level_cell[level] = cell;
    }
}

bool cells_sort(cell_grid* c, const grid_ball* balls, int count)
{
    c->count = 0;
    if (!reserve(c, count)) return false;
    double least = find_levels(c, balls, count);
    int there = 0;
    for (int i = 0; i < count; ++i) {
        if (!(balls[i].reach > 0)) continue;
        c->ball_key[there] = key_of(c, level_of(least, (double)balls[i].reach), &balls[i]);
        c->order[there++] = i;
    }
    if (!sort_with_order(c->ball_key, c->order, there)) return false;
    for (int i = 0; i < there; ++i) {
        const grid_ball* b = &balls[c->order[i]];
        c->sorted[0][i] = b->x;
        c->sorted[1][i] = b->y;
        c->sorted[2][i] = b->z;
        c->sorted[3][i] = b->reach;
    }
    memcpy(c->first_reach, c->reach, sizeof c->reach);
    c->count = there;
    cut(c);
    return true;
}

void cells_destroy(cell_grid* c)
{
    mem_free(c->order);
    for (int k = 0; k < 4; ++k) mem_free(c->sorted[k]);
    mem_free(c->key);
    mem_free(c->start);
    mem_free(c->ball_key);
    memset(c, 0, sizeof *c);
}

// ---- neighbors ----------------------------------------------------------------------------------

// The first cell from `first` on whose key is at least that.
static int lower_bound(const cell_grid* c, int first, int last, uint64_t key)
{
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (c->key[middle] < key)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// The same, near to where the last one was found.
static int bound_from(const cell_grid* c, int level, int* hint, uint64_t key)
{
    int first = c->level_cell[level], last = c->level_cell[level + 1], at = *hint;
    bool good = at >= first && at <= last && (at == first || c->key[at - 1] < key);
    for (int steps = 0; good && at < last && c->key[at] < key; ++at) good = ++steps < 16;
    if (!good) at = lower_bound(c, first, last, key);
    return *hint = at;
}

static bool add_cells(const cell_grid* c, int first, int last, cell_ranges* out)
{
    if (first == last) return true;
    if (!mem_reserve((void**)&out->range, &out->capacity, out->count + 1, sizeof *out->range))
        return false;
    out->range[out->count][0] = c->start[first];
    out->range[out->count++][1] = c->start[last];
    return true;
}

// Cells x0 to x1 of a row; where the numbers begin anew they are two pieces.
static bool add_row(const cell_grid* c, int level, int* hint, uint64_t row, int64_t x0, int64_t x1,
                    cell_ranges* out)
{
    while (x0 <= x1) {
        int64_t room = CELL_MASK - (x0 & CELL_MASK), end = x1 - x0 <= room ? x1 : x0 + room;
        int first = bound_from(c, level, hint, row | (uint64_t)(x0 & CELL_MASK)), last = first;
        uint64_t stop = row | (uint64_t)(end & CELL_MASK);
        while (last < c->level_cell[level + 1] && c->key[last] <= stop) ++last;
        if (!add_cells(c, first, last, out)) return false;
        x0 = end + 1;
    }
    return true;
}

// Cells of a level around a box [m].
static bool add_level(const cell_grid* c, int level, const double low[3], const double high[3],
                      cell_ranges* out)
{
    int64_t from[3], to[3];
    int cell_count = c->level_cell[level + 1] - c->level_cell[level], other = 0;
    double rows = 1;
    for (int k = 0; k < 3; ++k) {
        from[k] = along(low[k], c->size[level]);
        to[k] = along(high[k], c->size[level]);
        // All the way around, each cell once.
        if (to[k] - from[k] > (int64_t)CELL_MASK) to[k] = from[k] + (int64_t)CELL_MASK;
        if (k > 0) rows *= (double)(to[k] - from[k] + 1);
    }
    if (rows > cell_count) return add_cells(c, c->level_cell[level], c->level_cell[level + 1], out);
    bool few = rows <= 9;
    int number = 0;
    for (int64_t z = from[2]; z <= to[2]; ++z)
        for (int64_t y = from[1]; y <= to[1]; ++y) {
            int* hint = few && c->levels == 1 ? &out->hint[number++] : &other;
            if (!add_row(c, level, hint, row_key(level, y, z), from[0], to[0], out)) return false;
        }
    return true;
}

bool cells_around(const cell_grid* c, int cell, cell_ranges* out)
{
    int own = (int)(c->key[cell] >> 3 * CELL_BITS);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = c->start[cell]; i < c->start[cell + 1]; ++i) {
        for (int k = 0; k < 3; ++k) {
            double x = (double)c->sorted[k][i];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    }
    out->count = 0;
    for (int level = 0; level < c->levels; ++level) {
        double around[2][3], reach = c->reach[own] + c->reach[level];
        for (int k = 0; k < 3; ++k) {
            around[0][k] = low[k] - reach;
            around[1][k] = high[k] + reach;
        }
        if (c->level_cell[level] == c->level_cell[level + 1]) continue;
        if (!add_level(c, level, around[0], around[1], out)) return false;
    }
    return true;
}

bool cells_near(const cell_grid* c, const grid_ball* b, cell_ranges* out)
{
    const double at[3] = {(double)b->x, (double)b->y, (double)b->z};
    out->count = 0;
    for (int level = 0; level < c->levels; ++level) {
        double low[3], high[3], reach = 1.0001 * ((double)b->reach + c->reach[level]);
        if (c->level_cell[level] == c->level_cell[level + 1]) continue;
        for (int k = 0; k < 3; ++k) {
            low[k] = at[k] - reach;
            high[k] = at[k] + reach;
        }
        if (!add_level(c, level, low, high, out)) return false;
    }
    return true;
}
