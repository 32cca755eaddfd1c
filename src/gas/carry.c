#include "gas/carry.h"
#include "base/memory.h"
#include "base/platform.h"
#include "contact/list.h"
#include <math.h>
#include <string.h>

#ifdef PLIANT_X86
carry_kernel carry_8_avx2, carry_16_avx512;
#endif
carry_kernel carry_1, carry_4;

carry_kernel* carry_kernel_for(int lanes)
{
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return carry_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return carry_8_avx2;
#endif
    return lanes >= 4 ? carry_4 : carry_1;
}

// ---- memory -------------------------------------------------------------------------------------

enum { CHUNK = 64 }; // cells of a task, and places that are looked at together: whole lanes

bool carry_reserve(carrier* c, int gas_count, int count)
{
    c->gas_count = gas_count;
    c->count = count;
    return mem_reserve((void**)&c->gas, &c->gas_capacity, gas_count, sizeof *c->gas) &&
           mem_reserve((void**)&c->flow, &c->flow_capacity, gas_count, sizeof *c->flow) &&
           mem_reserve((void**)&c->place, &c->place_capacity, count, sizeof *c->place) &&
           mem_reserve((void**)&c->found, &c->found_capacity, count, sizeof *c->found);
}

void carry_destroy(carrier* c)
{
    for (int i = 0; i < c->chunk_capacity; ++i) {
        for (int k = 0; k < CARRY_GAS; ++k) mem_free(c->chunk[i].gas[k]);
        mem_free(c->chunk[i].ranges.range);
    }
    void* const owned[] = {c->gas, c->place, c->flow, c->found, c->chunk};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    cells_destroy(&c->gas_cells);
    cells_destroy(&c->cells);
    memset(c, 0, sizeof *c);
}

static bool cut_chunks(carrier* c)
{
    int before = c->chunk_capacity, count = (c->cells.cell_count + CHUNK - 1) / CHUNK;
    if (!mem_reserve((void**)&c->chunk, &c->chunk_capacity, count, sizeof *c->chunk)) return false;
    if (c->chunk_capacity > before)
        memset(c->chunk + before, 0, (size_t)(c->chunk_capacity - before) * sizeof *c->chunk);
    c->chunk_count = count;
    return true;
}

// ---- who is near --------------------------------------------------------------------------------

// A ball around the places of a cell.
static grid_ball around(const carrier* c, int cell)
{
    const cell_grid* of = &c->cells;
    float middle[3], widest = 0;
    for (int k = 0; k < 3; ++k) {
        float low = INFINITY, high = -INFINITY;
        for (int i = of->start[cell]; i < of->start[cell + 1]; ++i) {
            low = fminf(low, of->sorted[k][i]);
            high = fmaxf(high, of->sorted[k][i]);
        }
        middle[k] = low + (high - low) / 2;
        widest = fmaxf(widest, high - low);
    }
    float rounding = 4e-7f * (fabsf(middle[0]) + fabsf(middle[1]) + fabsf(middle[2]));
    return (grid_ball){middle[0], middle[1], middle[2],
                       widest / 2 + (float)c->kernel.reach / 2 + rounding};
}

// The gas near a cell; how much of it, or -1 when memory runs out.
static int gather(const carrier* c, int cell, carry_chunk* to)
{
    const grid_ball ball = around(c, cell);
    int64_t most = 0;
    int near = 0;
    if (!cells_near(&c->gas_cells, &ball, &to->ranges)) return -1;
    for (int r = 0; r < to->ranges.count; ++r)
        most += to->ranges.range[r][1] - to->ranges.range[r][0];
    for (int k = 0; k < CARRY_GAS; ++k)
        if (!mem_reserve((void**)&to->gas[k], &to->capacity[k], most, sizeof(float))) return -1;
    for (int r = 0; r < to->ranges.count; ++r)
        for (int i = to->ranges.range[r][0]; i < to->ranges.range[r][1]; ++i, ++near) {
            const float* flow = c->flow[c->gas_cells.order[i]];
            for (int k = 0; k < 3; ++k) to->gas[k][near] = c->gas_cells.sorted[k][i];
            for (int k = 0; k < 4; ++k) to->gas[3 + k][near] = flow[k];
        }
    return near;
}

// ---- what is found ------------------------------------------------------------------------------

static void note(carrier* c, int first, int count, float found[CARRY_FOUND][CHUNK])
{
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < CARRY_FOUND; ++k) c->found[c->cells.order[first + i]][k] = found[k][i];
}

// Some of a cell's places, in memory with room behind them.
static void look(carrier* c, const carry_chunk* from, int near, int first, int count)
{
    float place[3][CHUNK] = {{0}}, found[CARRY_FOUND][CHUNK];
    carry_work w = {.near = near,
                    .count = count,
                    .reach = (float)c->kernel.reach,
                    .weight = (float)c->kernel.weight};
    for (int k = 0; k < 3; ++k)
        memcpy(place[k], c->cells.sorted[k] + first, (size_t)count * sizeof(float));
    for (int k = 0; k < CARRY_GAS; ++k) w.gas[k] = from->gas[k];
    for (int k = 0; k < 3; ++k) w.place[k] = place[k];
    for (int k = 0; k < CARRY_FOUND; ++k) w.found[k] = found[k];
    c->run(&w);
    note(c, first, count, found);
}

static void look_in_chunks(void* argument, int first, int last)
{
    carrier* c = (carrier*)argument;
    for (int i = first; i < last; ++i) {
        carry_chunk* to = &c->chunk[i];
        int end = (i + 1) * CHUNK < c->cells.cell_count ? (i + 1) * CHUNK : c->cells.cell_count;
        to->good = true;
        memset(to->ranges.hint, 0, sizeof to->ranges.hint);
        for (int cell = i * CHUNK; cell < end && to->good; ++cell) {
            int near = gather(c, cell, to);
            to->good = near >= 0;
            for (int p = c->cells.start[cell]; p < c->cells.start[cell + 1] && to->good;
                 p += CHUNK) {
                int left = c->cells.start[cell + 1] - p;
                look(c, to, near, p, left < CHUNK ? left : CHUNK);
            }
        }
    }
}

bool carry_find(carrier* c, executor* exec)
{
    if (!cells_sort(&c->gas_cells, c->gas, c->gas_count) ||
        !cells_sort(&c->cells, c->place, c->count) || !cut_chunks(c))
        return false;
    split_run(exec, look_in_chunks, c, c->chunk_count, 1);
    for (int i = 0; i < c->chunk_count; ++i)
        if (!c->chunk[i].good) return false;
    return true;
}
