// Which particles of liquids are near each other. Lists are kept as long as everybody goes on about
// as he did; what they have beyond those that are near changes no bit.
#include "base/memory.h"
#include "base/sort.h"
#include "contact/list.h"
#include "fluid/system.h"
#include "solver/state.h"
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

static bool reserve_numbers(fluid_system* s)
{
    int count = s->total;
    return mem_reserve((void**)&s->ball, &s->ball_capacity, count, sizeof *s->ball) &&
           mem_reserve((void**)&s->way, &s->way_capacity, count, sizeof *s->way) &&
           mem_reserve((void**)&s->sorted_way, &s->sorted_way_capacity, count,
                       sizeof *s->sorted_way) &&
           mem_reserve((void**)&s->owner, &s->owner_capacity, count, sizeof(int)) &&
           mem_reserve((void**)&s->row, &s->row_capacity, count, sizeof(int)) &&
           mem_reserve((void**)&s->particle, &s->particle_capacity, count, sizeof(int)) &&
           mem_reserve((void**)&s->from, &s->from_capacity, count, 4 * sizeof(float)) &&
           mem_reserve((void**)&s->course, &s->course_capacity, count, 4 * sizeof(float)) &&
           mem_reserve((void**)&s->found_at, &s->found_at_capacity, count, sizeof(int)) &&
           mem_reserve((void**)&s->finder, &s->finder_capacity, count, sizeof(int));
}

static bool reserve_places(fluid_system* s)
{
    fluid_set* set = &s->set;
    size_t four = 4 * (size_t)s->scalar_bytes;
    int64_t count = (int64_t)s->total + 1;
    return mem_reserve((void**)&set->neighbors, &s->neighbors_capacity, count, sizeof(int)) &&
           mem_reserve((void**)&set->start, &s->start_capacity, count / FLUID_BLOCK + 2,
                       sizeof(int)) &&
           mem_reserve(&set->place, &s->place_capacity, count, four) &&
           mem_reserve(&set->motion, &s->motion_capacity, count, four) &&
           mem_reserve(&set->press, &s->press_capacity, count, four) &&
           mem_reserve(&set->move, &s->move_capacity, count, four) &&
           mem_reserve(&set->wall, &s->wall_capacity, count, four);
}

static bool cut_chunks(fluid_system* s)
{
    enum { CHUNK = 128 }; // cells
    int before = s->chunk_capacity, count = (s->cells.cell_count + CHUNK - 1) / CHUNK;
    if (!mem_reserve((void**)&s->chunk, &s->chunk_capacity, count, sizeof *s->chunk)) return false;
    if (s->chunk_capacity > before)
        memset(s->chunk + before, 0, (size_t)(s->chunk_capacity - before) * sizeof *s->chunk);
    for (int i = 0; i < count; ++i) {
        int last = (i + 1) * CHUNK;
        s->chunk[i].first = i * CHUNK;
        s->chunk[i].last = last < s->cells.cell_count ? last : s->cells.cell_count;
    }
    s->chunk_count = count;
    return true;
}

// ---- where everybody is -------------------------------------------------------------------------

static int member_of(const fluid_system* s, int number)
{
    int m = 0;
    while (m + 1 < s->member_count && number >= s->member[m + 1].first) ++m;
    return m;
}

// Of particle `number`: where it is, and where it goes in a substep [m].
static void look_at(fluid_system* s, int number, grid_ball* place, grid_ball* way)
{
    const fluid_member* m = &s->member[member_of(s, number)];
    const state* of = m->run->s;
    size_t row = (size_t)plan_row(of->plan, number - m->first, 0);
    int bytes = of->scalar_bytes;
    double at[3], go[3];
    for (size_t k = 0; k < 3; ++k) {
        go[k] = state_get(of->row, row * ROW + ROW_D + k, bytes);
        at[k] = state_get(of->row, row * ROW + k, bytes) - s->origin[k] + go[k];
    }
    bool there = state_get(of->row, row * ROW + ROW_RADIUS, bytes) > 0 && !*m->run->failed;
    *place = (grid_ball){(float)at[0], (float)at[1], (float)at[2], there ? 1 : -1};
    *way = (grid_ball){(float)go[0], (float)go[1], (float)go[2], there ? 1 : -1};
}

static void look_at_all(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (int i = first; i < last; ++i) look_at(s, i, &s->ball[i], &s->way[i]);
}

// What all do does not bring them nearer.
static void find_drift(const fluid_system* s, float out[3])
{
    double sum[3] = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < s->total; ++i) {
        if (!(s->ball[i].reach > 0)) continue;
        sum[0] += (double)s->way[i].x, sum[1] += (double)s->way[i].y, sum[2] += (double)s->way[i].z;
        count++;
    }
    for (int k = 0; k < 3; ++k) out[k] = count ? (float)(sum[k] / count) : 0;
}

static void find_reaches(fluid_system* s)
{
    float drift[3];
    find_drift(s, drift);
    for (int i = 0; i < s->total; ++i)
        if (s->ball[i].reach > 0)
            span_reach(&s->span, s->set.kernel.reach, drift, &s->ball[i], &s->way[i]);
}

// ---- who is near --------------------------------------------------------------------------------

// All that may be near to the particles of a cell, in the order of their numbers.
static bool gather_around(const fluid_system* s, fluid_chunk* c)
{
    const cell_grid* of = &s->cells;
    int64_t most = 0;
    c->near = 0;
    for (int r = 0; r < c->ranges.count; ++r) most += c->ranges.range[r][1] - c->ranges.range[r][0];
    if (!mem_reserve((void**)&c->key, &c->key_capacity, most, sizeof *c->key) ||
        !mem_reserve((void**)&c->picked, &c->picked_capacity, most, sizeof(int)) ||
        !mem_reserve((void**)&c->way, &c->way_capacity, most, sizeof *c->way))
        return false;
    for (int k = 0; k < 4; ++k)
        if (!mem_reserve((void**)&c->ball[k], &c->ball_capacity[k], most, sizeof(float)))
            return false;
    for (int r = 0; r < c->ranges.count; ++r)
        for (int i = c->ranges.range[r][0]; i < c->ranges.range[r][1]; ++i)
            c->key[c->near++] = (uint64_t)of->order[i] << 32 | (uint64_t)i;
    sort_keys(c->key, c->near);
    for (int i = 0; i < c->near; ++i) {
        int at = (int)(uint32_t)c->key[i];
        for (int k = 0; k < 4; ++k) c->ball[k][i] = of->sorted[k][at];
        c->way[i] = s->sorted_way[at];
    }
    return true;
}

static bool comes_near(const fluid_chunk* c, int a, int b, int life)
{
    const float apart[] = {c->ball[0][a] - c->ball[0][b], c->ball[1][a] - c->ball[1][b],
                           c->ball[2][a] - c->ball[2][b]};
    return loose_comes_near(apart, &c->way[a], &c->way[b], (float)life);
}

// Neighbors of one of those that were gathered, in the same order.
static bool find_neighbors(fluid_system* s, fluid_chunk* c, int one)
{
    int first = c->count, at = (int)(uint32_t)c->key[one];
    if (!mem_reserve((void**)&c->found, &c->capacity, (int64_t)first + c->near, sizeof(int)))
        return false;
    int picked = loose_kernels_for(s->lanes, 4)
                     ->pick((const float* const*)c->ball, 0, c->near, one, c->picked);
    for (int i = 0; i < picked; ++i) {
        int other = c->picked[i];
        if (other != one && comes_near(c, one, other, s->span.life))
            c->found[c->count++] = (int)(uint32_t)c->key[other];
    }
    s->found_at[at] = first;
    s->finder[at] = (int)(c - s->chunk);
    s->set.neighbors[at] = c->count - first;
    return true;
}

static bool find_in_cell(fluid_system* s, fluid_chunk* c, int cell)
{
    const int first = s->cells.start[cell], last = s->cells.start[cell + 1];
    if (!cells_around(&s->cells, cell, &c->ranges) || !gather_around(s, c)) return false;
    for (int i = 0; i < c->near; ++i) {
        int at = (int)(uint32_t)c->key[i];
        if (at >= first && at < last && !find_neighbors(s, c, i)) return false;
    }
    return true;
}

static void find_in_chunks(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (int i = first; i < last; ++i) {
        fluid_chunk* c = &s->chunk[i];
        c->good = true;
        c->count = 0;
        memset(c->ranges.hint, 0, sizeof c->ranges.hint);
        for (int cell = c->first; cell < c->last && c->good; ++cell)
            c->good = find_in_cell(s, c, cell);
    }
}

// ---- lists --------------------------------------------------------------------------------------

static bool count_rows(fluid_system* s)
{
    fluid_set* set = &s->set;
    int64_t rows = 0;
    s->figures.neighbors = 0;
    for (int block = 0; block < fluid_blocks(set); ++block) {
        int depth = 0;
        for (int i = block * FLUID_BLOCK; i < (block + 1) * FLUID_BLOCK && i < set->count; ++i) {
            depth = set->neighbors[i] > depth ? set->neighbors[i] : depth;
            s->figures.neighbors += set->neighbors[i];
        }
        set->start[block] = (int)rows;
        rows += depth;
        if (rows * FLUID_BLOCK < INT32_MAX) continue;
        fail(
            PLIANT_ERROR_MEMORY,
            "more than %d pairs of particles of liquids are near each other: use a larger spacing, "
            "or do not put many at one place",
            INT32_MAX);
        return false;
    }
    set->start[fluid_blocks(set)] = (int)rows;
    return mem_reserve((void**)&set->other, &s->other_capacity, rows, FLUID_BLOCK * sizeof(int));
}

static void fill_blocks(void* system, int first, int last)
{
    const fluid_system* s = (const fluid_system*)system;
    const fluid_set* set = &s->set;
    for (int block = first; block < last; ++block) {
        size_t row = (size_t)set->start[block], rows = (size_t)set->start[block + 1] - row;
        for (int lane = 0; lane < FLUID_BLOCK; ++lane) {
            int i = block * FLUID_BLOCK + lane, count = i < set->count ? set->neighbors[i] : 0;
            const int* found = count ? s->chunk[s->finder[i]].found + s->found_at[i] : NULL;
            int* to = set->other + row * FLUID_BLOCK + lane;
            for (size_t k = 0; k < rows; ++k)
                to[k * FLUID_BLOCK] = (int)k < count ? found[k] : set->count;
        }
    }
}

// Places are those of the order of cells from now on.
static void take_places(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (int i = first; i < last; ++i) {
        int number = s->cells.order[i], m = member_of(s, number);
        const grid_ball* way = &s->way[number];
        s->owner[i] = m;
        s->particle[i] = number - s->member[m].first;
        s->row[i] = plan_row(s->member[m].run->s->plan, s->particle[i], 0);
        s->sorted_way[i] = *way;
    }
}

bool fluid_list(fluid_system* s)
{
    enum { GRAIN = 1024, FILL_GRAIN = 64 };
    span_renew(&s->span, s->spacing);
    s->listed = false;
    s->set.count = 0;
    s->figures.lists++;
    if (!reserve_numbers(s) || !reserve_places(s)) return false;
    split_run(s->exec, look_at_all, s, s->total, GRAIN);
    find_reaches(s);
    if (!cells_sort(&s->cells, s->ball, s->total) || !cut_chunks(s)) return false;
    s->set.count = s->cells.count;
    split_run(s->exec, take_places, s, s->set.count, GRAIN);
    split_run(s->exec, find_in_chunks, s, s->chunk_count, 1);
    for (int i = 0; i < s->chunk_count; ++i)
        if (!s->chunk[i].good) return false;
    if (!count_rows(s)) return false;
    split_run(s->exec, fill_blocks, s, fluid_blocks(&s->set), FILL_GRAIN);
    s->listed = true;
    return true;
}
