// Who is near whom among particles of liquids, on a GPU, by a sorted grid (cells.cuh).
#pragma once
#include "cuda/cells.cuh"
#include "cuda/liquid.cuh"
#include "solver/row.h"
#include "solver/scalars.h"

// All threads that gather a world's liquids.
struct gathering : crew {
    const liquid_world* world;
    liquid_memory* of;
    fluid_set set;    // of which the memory knows the count,
    list_span span;   // and how long its lists last
    double origin[3]; // [m]
    unsigned pass;
    int substep;
    bool first;
};

// ---- particles ----------------------------------------------------------------------------------

LIQUID int body_of_number(const liquid_world* w, int number)
{
    int b = 0;
    while (b + 1 < w->body_count && number >= w->body[b + 1].first) ++b;
    return b;
}

LIQUID const scalar* row_at(const liquid_body* b, int particle)
{
    return (const scalar*)b->row + (size_t)row_of(b, particle) * ROW;
}

// Where it is, and where it goes in a substep [m].
LIQUID void look_at(const gathering* m, int number)
{
    const liquid_body* b = &m->world->body[body_of_number(m->world, number)];
    const scalar* row = row_at(b, number - b->first);
    const device_cells* c = &m->of->cells;
    bool there = row[ROW_RADIUS] > 0 && !stands_still(m->world, b, m->substep);
    double at[3], go[3];
    for (int k = 0; k < 3; ++k) {
        go[k] = (double)row[ROW_D + k];
        at[k] = (double)row[k] - m->origin[k] + go[k];
    }
    grid_ball ball = {(float)at[0], (float)at[1], (float)at[2], there ? 1.0f : -1.0f};
    grid_ball way = {(float)go[0], (float)go[1], (float)go[2], there ? 1.0f : -1.0f};
    c->ball[number] = ball;
    c->way[number] = way;
}

LIQUID void add_way(const grid_ball& way, long long sum[4])
{
    const float go[3] = {way.x, way.y, way.z};
    for (int k = 0; k < 3; ++k)
        sum[k] += (long long)(fmin(fmax((double)go[k], -1.0), 1.0) * (1 / LIQUID_WAY_PART));
    sum[3]++;
}

static __device__ __noinline__ void look_at_all(const gathering* m)
{
    liquid_memory* l = m->of;
    long long sum[4] = {0, 0, 0, 0};
    if (m->thread == 0) {
        clear_extent(&l->cells.extent);
        for (int k = 0; k < 4; ++k) l->way[k] = 0;
        l->count = m->world->total;
    }
    crew_barrier(m);
    for (int i = m->thread; i < m->world->total; i += m->threads) {
        look_at(m, i);
        if (l->cells.ball[i].reach > 0) add_way(l->cells.way[i], sum);
    }
    for (int k = 0; k < 4; ++k) {
        long long all;
        block_scan(sum[k], &all);
        if (threadIdx.x == 0) atomic_sum(&l->way[k], all);
    }
    crew_barrier(m);
}

static __device__ __noinline__ void find_reaches(const gathering* m)
{
    SHARED(cell_extent, extent);
    liquid_memory* l = m->of;
    float drift[3];
    double count = (double)l->way[3] / LIQUID_WAY_PART;
    for (int k = 0; k < 3; ++k) drift[k] = l->way[3] > 0 ? (float)((double)l->way[k] / count) : 0;
    if (threadIdx.x == 0) clear_extent(&extent);
    __syncthreads();
    for (int i = m->thread; i < m->world->total; i += m->threads) {
        grid_ball ball = l->cells.ball[i], way = l->cells.way[i];
        if (ball.reach > 0) span_reach(&m->span, m->set.kernel.reach, drift, &ball, &way);
        l->cells.ball[i] = ball;
        l->cells.way[i] = way;
        add_ball(&extent, ball);
    }
    __syncthreads();
    join_extent(&l->cells.extent, &extent);
    crew_barrier(m);
}

// ---- places -------------------------------------------------------------------------------------

// Those of the order of cells, of all who are there.
LIQUID void take_places(const gathering* m, const cell_layout* g, int turn)
{
    liquid_memory* l = m->of;
    const unsigned* key = l->cells.key[turn];
    for (int i = m->thread; i < m->world->total; i += m->threads) {
        int number = l->cells.order[turn][i], body = body_of_number(m->world, number);
        bool absent = key[i] >> g->all;
        if (absent && (i == 0 || !(key[i - 1] >> g->all))) l->count = i;
        l->owner[i] = body;
        l->particle[i] = number - m->world->body[body].first;
        l->place_of[number] = i;
    }
    crew_barrier(m);
}

// ---- who is near --------------------------------------------------------------------------------

typedef struct {
    const device_cells* cells;
    const cell_layout* grid;
    const int* order;
    float life;
} liquid_search;

// Numbers of those near to a place, as far as there is room, `stride` apart. Returns how many there
// are.
static __device__ __noinline__ int find_near(const liquid_search& f, int at, int* out, int stride,
                                             int room)
{
    const grid_ball own = load_ball(&f.cells->sorted_ball[at]),
                    way = load_ball(&f.cells->sorted_way[at]);
    int count = 0;
    see_around(f.cells, f.grid, own, [&](int i, const grid_ball& b) {
        const float apart[3] = {own.x - b.x, own.y - b.y, own.z - b.z};
        float reach = own.reach + b.reach;
        float square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
        if (i == at || !(square <= reach * reach)) return;
        const grid_ball other = load_ball(&f.cells->sorted_way[i]);
        if (!loose_comes_near(apart, &way, &other, f.life)) return;
        if (count < room) out[count * stride] = f.order[i];
        count++;
    });
    return count;
}

// Of numbers that are `stride` apart.
LIQUID void sort_numbers(int* of, int stride, int count)
{
    ROLLED
    for (int k = 1; k < count; ++k) {
        int one = of[k * stride], at = k;
        for (; at > 0 && of[(at - 1) * stride] > one; --at) of[at * stride] = of[(at - 1) * stride];
        of[at * stride] = one;
    }
}

// Where entry k of a place is, of lists that have so many rows a block.
LIQUID size_t entry_at(int first_row, int place, int k)
{
    return ((size_t)first_row + (size_t)k) * FLUID_BLOCK + (size_t)(place % FLUID_BLOCK);
}
LIQUID size_t found_at(int place, int k)
{
    return entry_at(place / FLUID_BLOCK * LIQUID_FOUND, place, k);
}

// In the order of their numbers.
static __device__ __noinline__ void count_near(const gathering* m, const liquid_search& f)
{
    liquid_memory* l = m->of;
    int found[LIQUID_FOUND];
    long long sum = 0, all;
    for (int at = m->thread; at < l->count; at += m->threads) {
        int count = find_near(f, at, found, 1, LIQUID_FOUND);
        l->neighbors[at] = count;
        sum += count;
        if (count > LIQUID_FOUND) continue; // they are looked for again when there is a place
        sort_numbers(found, 1, count);
        for (int k = 0; k < count; ++k) l->found[found_at(at, k)] = l->place_of[found[k]];
    }
    block_scan(sum, &all);
    if (threadIdx.x == 0) atomic_sum(&l->neighbors_listed, all);
    crew_barrier(m);
}

// ---- lists --------------------------------------------------------------------------------------

// As many rows for a block as its place with most neighbors has. False: there is no room.
LIQUID bool cut_rows(const gathering* m)
{
    liquid_memory* l = m->of;
    const int count = l->count, blocks = (count + FLUID_BLOCK - 1) / FLUID_BLOCK;
    auto value = [=](int b) {
        int most = 0;
        for (int i = b * FLUID_BLOCK; i < (b + 1) * FLUID_BLOCK && i < count; ++i)
            most = max(most, l->neighbors[i]);
        return (long long)most;
    };
    scan_count(m, blocks, l->sums, value);
    crew_barrier(m);
    long long all =
        scan_place(m, blocks, l->sums, value, [=](int b, long long at) { l->start[b] = (int)at; });
    if (m->thread == 0) {
        l->start[blocks] = (int)all;
        if (all > l->rows) {
            l->needed = (int)(all < INT32_MAX ? all : INT32_MAX);
            l->stopped = true;
        }
    }
    crew_barrier(m);
    return all <= l->rows;
}

LIQUID void fill_place(const gathering* m, const liquid_search& f, int at)
{
    liquid_memory* l = m->of;
    int first = l->start[at / FLUID_BLOCK], rows = l->start[at / FLUID_BLOCK + 1] - first;
    int count = l->neighbors[at];
    int* to = l->other + entry_at(first, at, 0);
    if (count > LIQUID_FOUND) {
        find_near(f, at, to, FLUID_BLOCK, count);
        sort_numbers(to, FLUID_BLOCK, count);
    }
    for (int k = 0; k < rows; ++k) {
        int* entry = &to[k * FLUID_BLOCK];
        *entry = k >= count              ? l->count
                 : count <= LIQUID_FOUND ? l->found[found_at(at, k)]
                                         : l->place_of[*entry];
    }
}

// Nobody: at the place behind the last.
LIQUID void place_nobody(const gathering* m)
{
    void* const array[] = {m->set.place, m->set.motion, m->set.press, m->set.move, m->set.wall};
    if (m->thread >= 5) return;
    scalar* at = (scalar*)array[m->thread] + 4 * (size_t)m->of->count;
    for (int k = 0; k < 4; ++k) at[k] = k < 3 ? (scalar)1e15 : 0;
}

// False: there is no room for them.
static __device__ __noinline__ bool list_liquid(gathering* m)
{
    SHARED(cell_layout, grid);
    liquid_memory* l = m->of;
    span_renew(&m->span, m->world->spacing);
    look_at_all(m);
    find_reaches(m);
    find_levels(m, &l->cells);
    choose_grid(&l->cells, &grid);
    int turn = sort_balls(m, &l->cells, &grid);
    if (m->thread == 0) l->neighbors_listed = 0;
    take_places(m, &grid, turn);
    const liquid_search f = {&l->cells, &grid, l->cells.order[turn], (float)m->span.life};
    count_near(m, f);
    if (!cut_rows(m)) return false;
    for (int i = m->thread; i < l->count; i += m->threads) fill_place(m, f, i);
    place_nobody(m);
    if (m->thread == 0) l->lists++;
    crew_barrier(m);
    return true;
}
