#include "fluid/system.h"
#include "base/memory.h"
#include "base/platform.h"
#include "contact/list.h"
#include "solver/state.h"
#include <math.h>
#include <string.h>

#ifdef PLIANT_X86
extern const fluid_kernels fluid_8_avx2, fluid_16_avx512;
#endif
extern const fluid_kernels fluid_double, fluid_1, fluid_4;

// No wider than the processor, which the bits do not tell.
const fluid_kernels* fluid_kernels_for(int lanes, int scalar_bytes)
{
    if (scalar_bytes == 8) return &fluid_double;
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return &fluid_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &fluid_8_avx2;
#endif
    return lanes >= 4 ? &fluid_4 : &fluid_1;
}

// ---- members ------------------------------------------------------------------------------------

bool fluid_start(fluid_system* s, int members)
{
    s->member_count = s->total = 0;
    s->set.give = NULL;
    return mem_reserve((void**)&s->member, &s->member_capacity, members, sizeof *s->member);
}

void fluid_add(fluid_system* s, fluid_member m)
{
    m.first = s->total;
    s->total += m.run->s->particle_count;
    s->member[s->member_count++] = m;
}

void fluid_destroy(fluid_system* s)
{
    fluid_set* set = &s->set;
    void* const owned[] = {s->member,   s->owner,       s->row,     s->particle,   s->from,
                           s->course,   s->ball,        s->way,     s->sorted_way, s->found_at,
                           s->finder,   set->neighbors, set->start, set->other,    set->place,
                           set->motion, set->press,     set->move,  set->wall};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    for (int i = 0; i < s->chunk_capacity; ++i) {
        mem_free(s->chunk[i].found);
        mem_free(s->chunk[i].key);
        mem_free(s->chunk[i].way);
        mem_free(s->chunk[i].picked);
        for (int k = 0; k < 4; ++k) mem_free(s->chunk[i].ball[k]);
        mem_free(s->chunk[i].ranges.range);
    }
    mem_free(s->chunk);
    mem_free(s->give);
    cells_destroy(&s->cells);
    fluid_bodies_destroy(&s->bodies);
    memset(s, 0, sizeof *s);
}

// ---- the origin ---------------------------------------------------------------------------------

static void widen(const fluid_member* m, double low[3], double high[3])
{
    const state* of = m->run->s;
    for (int i = 0; i < of->particle_count; ++i) {
        size_t row = (size_t)plan_row(of->plan, i, 0) * ROW;
        if (!(state_get(of->row, row + ROW_RADIUS, of->scalar_bytes) > 0)) continue;
        for (size_t k = 0; k < 3; ++k) {
            double x = state_get(of->row, row + k, of->scalar_bytes);
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    }
}

static void choose_origin(fluid_system* s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int m = 0; m < s->member_count; ++m) widen(&s->member[m], low, high);
    for (int k = 0; k < 3; ++k) {
        double origin = fluid_origin(low[k], high[k], s->spacing);
        if (origin != s->origin[k]) s->listed = false;
        s->origin[k] = origin;
    }
}

static double lap(double* since)
{
    double now = platform_seconds(), passed = now - *since;
    *since = now;
    return passed;
}

// ---- rows ---------------------------------------------------------------------------------------

static inline void put(const fluid_system* s, void* array, size_t at, double value)
{
    if (s->scalar_bytes == 4)
        ((float*)array)[at] = (float)value;
    else
        ((double*)array)[at] = value;
}

static void load_places(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    fluid_set* set = &s->set;
    bool strayed = false;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        const fluid_member* m = &s->member[s->owner[i]];
        const state* of = m->run->s;
        size_t row = (size_t)s->row[i] * ROW;
        double place[3];
        for (size_t k = 0; k < 3; ++k) {
            double d = state_get(of->row, row + ROW_D + k, s->scalar_bytes);
            place[k] = state_get(of->row, row + k, s->scalar_bytes) - s->origin[k] + d;
            put(s, set->place, 4 * i + k, place[k]);
            put(s, set->motion, 4 * i + k, d);
            put(s, set->move, 4 * i + k, 0);
        }
        put(s, set->place, 4 * i + 3, state_get(of->row, row + ROW_W, s->scalar_bytes));
        put(s, set->motion, 4 * i + 3, m->viscosity);
        if (s->pass->first) put(s, set->move, 4 * i + 3, 0);
        strayed = strayed || !span_holds(&s->span, s->from + 4 * i, s->course + 4 * i, place);
    }
    if (strayed) __atomic_store_n(&s->strayed, true, __ATOMIC_RELAXED);
}

// From here on they are expected to go on as they do now.
static void expect(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (size_t i = 4 * (size_t)first; i < 4 * (size_t)last; ++i) {
        s->from[i] = (float)state_get(s->set.place, i, s->scalar_bytes);
        s->course[i] = (float)state_get(s->set.motion, i, s->scalar_bytes);
    }
}

// Pressures so far, of those whose place is another one now.
static void load_pressures(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i)
        put(s, s->set.move, 4 * i + 3, s->member[s->owner[i]].pressure[s->particle[i]]);
}

// Nobody: at the place behind the last.
static void place_nobody(fluid_system* s)
{
    void* const array[] = {s->set.place, s->set.motion, s->set.press, s->set.move, s->set.wall};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; ++i)
        for (size_t k = 0; k < 4; ++k)
            put(s, array[i], 4 * (size_t)s->set.count + k, k < 3 ? 1e15 : 0);
}

static bool load(fluid_system* s)
{
    enum { GRAIN = 2048 };
    s->strayed = false;
    if (s->span.age > s->span.life) s->listed = false;
    if (s->listed) split_run(s->exec, load_places, s, s->set.count, GRAIN);
    if (s->listed && !s->strayed) return true;
    if (!fluid_list(s)) return false;
    place_nobody(s);
    split_run(s->exec, load_places, s, s->set.count, GRAIN);
    split_run(s->exec, expect, s, s->set.count, GRAIN);
    if (!s->pass->first) split_run(s->exec, load_pressures, s, s->set.count, GRAIN);
    return true;
}

static void store_rows(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        const fluid_member* m = &s->member[s->owner[i]];
        state* of = m->run->s;
        size_t row = (size_t)s->row[i];
        int axes = of->axes[s->particle[i]];
        if (*m->run->failed) continue;
        for (size_t k = 0; k < 3; ++k) {
            size_t at = row * ROW + ROW_D + k;
            double move = axes >> k & 1 ? 0 : state_get(s->set.move, 4 * i + k, s->scalar_bytes);
            put(s, of->row, at, state_get(of->row, at, s->scalar_bytes) + move);
        }
        m->pressure[s->particle[i]] = state_get(s->set.move, 4 * i + 3, s->scalar_bytes);
    }
}

// ---- passes -------------------------------------------------------------------------------------

typedef struct {
    const fluid_set* set;
    fluid_pass* pass;
} pass_work;

static void run_blocks(void* work, int first, int last)
{
    const pass_work* w = (const pass_work*)work;
    w->pass(w->set, first, last);
}

static void run_pass(fluid_system* s, fluid_pass* pass)
{
    enum { GRAIN = 16 };
    pass_work w = {&s->set, pass};
    split_run(s->exec, run_blocks, &w, fluid_blocks(&s->set), GRAIN);
}

static void take_moves(void* system, int first, int last)
{
    const fluid_system* s = (const fluid_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i)
        for (size_t k = 0; k < 3; ++k) {
            size_t at = 4 * i + k;
            put(s, s->set.place, at,
                state_get(s->set.place, at, s->scalar_bytes) +
                    state_get(s->set.move, at, s->scalar_bytes));
        }
}

// The place and the root of the tension.
static void put_roots(void* system, int first, int last)
{
    const fluid_system* s = (const fluid_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        for (size_t k = 0; k < 3; ++k)
            put(s, s->set.press, 4 * i + k, state_get(s->set.place, 4 * i + k, s->scalar_bytes));
        put(s, s->set.press, 4 * i + 3, sqrt(s->member[s->owner[i]].tension));
    }
}

// The pressure that is in it, for readers.
static void note_draws(void* system, int first, int last)
{
    const fluid_system* s = (const fluid_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        const fluid_member* m = &s->member[s->owner[i]];
        if (!m->drawn) continue;
        m->drawn[s->particle[i]] = state_get(s->set.wall, 4 * i + 3, s->scalar_bytes);
    }
}

static void draw_surfaces(fluid_system* s, const fluid_kernels* kernels)
{
    enum { GRAIN = 2048 };
    if (!s->tense) return;
    split_run(s->exec, put_roots, s, s->set.count, GRAIN);
    run_pass(s, kernels->draw);
    split_run(s->exec, note_draws, s, s->set.count, GRAIN);
}

static void take_whirls(fluid_system* s)
{
    const fluid_set* set = &s->set;
    for (size_t i = 0; i < (size_t)set->count; ++i) {
        double w = state_get(set->place, 4 * i + 3, s->scalar_bytes);
        double unit = w > 0 ? s->spacing * s->member[s->owner[i]].vorticity : 0;
        for (size_t k = 0; k < 3; ++k) {
            double go = unit * state_get(set->press, 4 * i + k, s->scalar_bytes);
            put(s, set->move, 4 * i + k, state_get(set->move, 4 * i + k, s->scalar_bytes) + go);
            if (w > 0) s->stats.driven[k] += go / (w * set->h);
        }
    }
}

static void drive_whirls(fluid_system* s, const fluid_kernels* kernels)
{
    if (!s->whirls) return;
    run_pass(s, kernels->curl);
    run_pass(s, kernels->whirl);
    take_whirls(s);
}

// So thin that no pairs can take too much.
static void stick_nobody(void* system, int first, int last)
{
    const fluid_system* s = (const fluid_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i)
        for (size_t k = 0; k < 4; ++k)
            put(s, s->set.press, 4 * i + k,
                k < 3 ? state_get(s->set.place, 4 * i + k, s->scalar_bytes) : 0);
}

static void make_thin(fluid_system* s, const fluid_kernels* kernels)
{
    enum { GRAIN = 2048 };
    fluid_set* set = &s->set;
    if (s->sweeps == 0) return;
    set->part = set->h / s->sweeps;
    if (s->thick)
        run_pass(s, kernels->stick);
    else
        split_run(s->exec, stick_nobody, s, set->count, GRAIN);
    for (int i = 0; i < s->sweeps; ++i) {
        run_pass(s, kernels->thin);
        void* motion = set->wall;
        int capacity = s->wall_capacity;
        set->wall = set->motion;
        s->wall_capacity = s->motion_capacity;
        set->motion = motion;
        s->motion_capacity = capacity;
    }
}

// What happens once a substep, before pressures do.
static void go_on(fluid_system* s, const fluid_kernels* kernels)
{
    enum { GRAIN = 2048 };
    draw_surfaces(s, kernels);
    drive_whirls(s, kernels);
    make_thin(s, kernels);
    if (s->tense || s->whirls || s->sweeps > 0)
        split_run(s->exec, take_moves, s, s->set.count, GRAIN);
}

static void start(fluid_system* s, const step_work* step, const sweep_pass* pass)
{
    s->step = step;
    s->pass = pass;
    s->exec = step->exec;
    s->set.h = step->dt / step->substeps;
    s->set.kernel = fluid_kernel_of(s->spacing);
    if (pass->first && pass->substep == 0) {
        s->stats = (pliant_liquid_stats){0};
        choose_origin(s);
    }
    if (pass->first) s->span.age++;
    s->set.notes = pass->last && pass->substep == step->substeps - 1;
}

// Of those that press, after a step: how dense they are.
static void note_densities(fluid_system* s)
{
    const fluid_set* set = &s->set;
    double sum = 0, most = 0;
    int count = 0;
    for (size_t i = 0; i < (size_t)set->count; ++i) {
        double dense = state_get(set->motion, 4 * i + 3, s->scalar_bytes);
        if (!(state_get(set->move, 4 * i + 3, s->scalar_bytes) > 0)) continue;
        sum += dense;
        most = fmax(most, dense);
        count++;
    }
    s->stats.particles = set->count;
    s->stats.denser = count ? sum / count : 0;
    s->stats.densest = most;
}

// Pressures for readers are what pairs push with, of surface tension and of pressures; what those
// alone would be, readers add.
static void note_gauges(void* system, int first, int last)
{
    const fluid_system* s = (const fluid_system*)system;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        const fluid_member* m = &s->member[s->owner[i]];
        double pressure = state_get(s->set.move, 4 * i + 3, s->scalar_bytes);
        if (!m->drawn) continue;
        m->drawn[s->particle[i]] +=
            state_get(s->set.wall, 4 * i + 3, s->scalar_bytes) - FLUID_PRESSURE * pressure;
    }
}

// After a step.
static void read_gauges(fluid_system* s, const fluid_kernels* kernels)
{
    enum { GRAIN = 2048 };
    note_densities(s);
    if (!s->tense) return;
    run_pass(s, kernels->gauge);
    split_run(s->exec, note_gauges, s, s->set.count, GRAIN);
}

pliant_result fluid_meet(void* system, step_work* step, const sweep_pass* pass)
{
    enum { GRAIN = 2048 };
    fluid_system* s = (fluid_system*)system;
    const fluid_kernels* kernels = fluid_kernels_for(s->lanes, s->scalar_bytes);
    double clock = platform_seconds();
    start(s, step, pass);
    if (!load(s)) return PLIANT_ERROR_MEMORY;
    s->figures.list += lap(&clock);
    if (pass->first) go_on(s, kernels);
    s->figures.thin += lap(&clock);
    fluid_find_walls(s);
    s->figures.walls += lap(&clock);
    if (pass->first && s->flow && !s->flow(s->flowing, s)) return PLIANT_ERROR_MEMORY;
    if (!fluid_find_bodies(s)) return PLIANT_ERROR_MEMORY;
    s->figures.rest += lap(&clock);
    run_pass(s, kernels->press);
    s->figures.press += lap(&clock);
    run_pass(s, kernels->push);
    s->figures.push += lap(&clock);
    fluid_note_walls(s);
    fluid_push_bodies(s);
    split_run(s->exec, store_rows, s, s->set.count, GRAIN);
    if (s->set.notes) read_gauges(s, kernels);
    s->figures.rest += lap(&clock);
    return PLIANT_OK;
}
