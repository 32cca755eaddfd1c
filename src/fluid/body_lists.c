// Which particles of liquids are near which beads of other bodies. A list is good until somebody
// has strayed; what it has beyond those that are near changes no bit.
#include "base/memory.h"
#include "contact/list.h"
#include "fluid/system.h"
#include "solver/state.h"
#include <math.h>
#include <string.h>

enum { PART = 1024 }; // particles of a task

static double place_at(const fluid_system* s, int i, int k)
{
    return state_get(s->set.place, 4 * (size_t)i + (size_t)k, s->scalar_bytes);
}

// ---- has somebody strayed? ----------------------------------------------------------------------

static bool strays(const double now[3], const double then[3], double room)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (now[k] - then[k]) * (now[k] - then[k]);
    return !(square <= room * room);
}

static void look_for_particles(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    bool any = false;
    for (int i = first; i < last; ++i) {
        const double now[3] = {place_at(s, i, 0), place_at(s, i, 1), place_at(s, i, 2)};
        any = any || strays(now, s->bodies.from + 3 * (size_t)i, s->bodies.room);
    }
    if (any) __atomic_store_n(&s->bodies.strayed, true, __ATOMIC_RELAXED);
}

static void look_for_beads(void* system, int first, int last)
{
    fluid_bodies* b = &((fluid_system*)system)->bodies;
    bool any = false;
    for (int i = first; i < last; ++i)
        any = any || strays(b->place + 4 * (size_t)i, b->listed + 3 * (size_t)i, b->room);
    if (any) __atomic_store_n(&b->strayed, true, __ATOMIC_RELAXED);
}

static bool is_good(fluid_system* s)
{
    fluid_bodies* b = &s->bodies;
    if (!b->good || b->lists_then != s->figures.lists) return false;
    b->strayed = false;
    split_run(s->exec, look_for_beads, s, b->bead_count, PART);
    split_run(s->exec, look_for_particles, s, s->set.count, PART);
    return !b->strayed;
}

// ---- beads in cells -----------------------------------------------------------------------------

static bool reserve(fluid_system* s)
{
    fluid_bodies* b = &s->bodies;
    int64_t beads = b->bead_count, count = s->set.count, parts = count / PART + 1;
    int before = b->ranges_capacity;
    if (!mem_reserve((void**)&b->ball, &b->ball_capacity, beads, sizeof *b->ball) ||
        !mem_reserve((void**)&b->from, &b->from_capacity, count, 3 * sizeof(double)) ||
        !mem_reserve((void**)&b->start, &b->start_capacity, count + 1, sizeof(int)) ||
        !mem_reserve((void**)&b->bead_start, &b->bead_start_capacity, beads + 1, sizeof(int)) ||
        !mem_reserve((void**)&b->place_of, &b->place_of_capacity, s->total, sizeof(int)) ||
        !mem_reserve((void**)&b->next, &b->next_capacity, beads, sizeof(int)) ||
        !mem_reserve((void**)&b->ranges, &b->ranges_capacity, parts, sizeof *b->ranges))
        return false;
    if (b->ranges_capacity > before)
        memset(b->ranges + before, 0, (size_t)(b->ranges_capacity - before) * sizeof *b->ranges);
    return true;
}

static bool sort_beads(fluid_system* s)
{
    fluid_bodies* b = &s->bodies;
    float reach = (float)(s->set.kernel.reach / 2 + b->room);
    for (int k = 0; k < 3; ++k) b->low[k] = INFINITY, b->high[k] = -INFINITY;
    for (int i = 0; i < b->bead_count; ++i) {
        const double* x = b->place + 4 * (size_t)i;
        b->ball[i] = (grid_ball){(float)x[0], (float)x[1], (float)x[2], x[3] > 0 ? reach : -1};
        for (int k = 0; k < 3; ++k) {
            b->listed[3 * (size_t)i + (size_t)k] = x[k];
            if (!(x[3] > 0)) continue;
            b->low[k] = fmin(b->low[k], x[k] - s->set.kernel.reach - 2 * b->room);
            b->high[k] = fmax(b->high[k], x[k] + s->set.kernel.reach + 2 * b->room);
        }
    }
    return cells_sort(&b->cells, b->ball, b->bead_count);
}

// ---- particles beside them ----------------------------------------------------------------------

static bool may_meet(const fluid_system* s, int i, int bead)
{
    const fluid_member* m = &s->member[s->owner[i]];
    const wet_body* w = &s->bodies.body[s->bodies.owner[bead]];
    return (m->group & w->mask) && (w->group & m->mask);
}

// Beads near a particle, in the order of cells; into `out`, if there is one. Returns how many.
static int find_beads(const fluid_system* s, int i, cell_ranges* ranges, int* out)
{
    const fluid_bodies* b = &s->bodies;
    const double at[3] = {place_at(s, i, 0), place_at(s, i, 1), place_at(s, i, 2)};
    double reach = s->set.kernel.reach + 2 * b->room;
    const grid_ball ball = {(float)at[0], (float)at[1], (float)at[2],
                            (float)(s->set.kernel.reach / 2 + b->room)};
    int count = 0;
    for (int k = 0; k < 3; ++k)
        if (at[k] < b->low[k] || at[k] > b->high[k]) return 0;
    if (!cells_near(&b->cells, &ball, ranges)) return -1;
    for (int r = 0; r < ranges->count; ++r)
        for (int n = ranges->range[r][0]; n < ranges->range[r][1]; ++n) {
            int bead = b->cells.order[n];
            const double* x = b->place + 4 * (size_t)bead;
            double square = 0;
            for (int k = 0; k < 3; ++k) square += (x[k] - at[k]) * (x[k] - at[k]);
            if (square > reach * reach || !may_meet(s, i, bead)) continue;
            if (out) out[count] = bead;
            count++;
        }
    return count;
}

static void count_beads(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    for (int part = first; part < last; ++part)
        for (int i = part * PART; i < (part + 1) * PART && i < s->set.count; ++i) {
            s->bodies.start[i] = find_beads(s, i, &s->bodies.ranges[part], NULL);
            for (int k = 0; k < 3; ++k)
                s->bodies.from[3 * (size_t)i + (size_t)k] = place_at(s, i, k);
        }
}

static void fill_beads(void* system, int first, int last)
{
    fluid_system* s = (fluid_system*)system;
    fluid_bodies* b = &s->bodies;
    for (int part = first; part < last; ++part)
        for (int i = part * PART; i < (part + 1) * PART && i < s->set.count; ++i) {
            int* own = b->bead + b->start[i];
            int count = b->start[i + 1] - b->start[i];
            if (count) find_beads(s, i, &b->ranges[part], own);
            for (int n = 1; n < count; ++n) {
                int one = own[n], at = n;
                for (; at > 0 && own[at - 1] > one; --at) own[at] = own[at - 1];
                own[at] = one;
            }
        }
}

// Starts from counts; -1 where memory ran out.
static bool add_up(int* start, int count, int64_t* out_total)
{
    int64_t total = 0;
    bool good = true;
    for (int i = 0; i < count; ++i) {
        int own = start[i];
        good = good && own >= 0;
        start[i] = (int)total;
        total += own;
        if (total >= INT32_MAX) good = false;
    }
    start[count] = (int)total;
    *out_total = total;
    return good;
}

// ---- and the other way around -------------------------------------------------------------------

static void list_particles(fluid_system* s)
{
    fluid_bodies* b = &s->bodies;
    int* start = b->bead_start;
    memset(start, 0, ((size_t)b->bead_count + 1) * sizeof *start);
    for (int n = 0; n < b->start[s->set.count]; ++n) start[b->bead[n] + 1]++;
    for (int i = 0; i < b->bead_count; ++i) start[i + 1] += start[i];
    memcpy(b->next, start, (size_t)b->bead_count * sizeof *start);
    for (int i = 0; i < s->total; ++i) b->place_of[i] = -1;
    for (int i = 0; i < s->set.count; ++i) b->place_of[s->cells.order[i]] = i;
    for (int number = 0; number < s->total; ++number) {
        int i = b->place_of[number];
        for (int n = i < 0 ? 0 : b->start[i]; i >= 0 && n < b->start[i + 1]; ++n) {
            b->pair[n].place = i;
            b->near[b->next[b->bead[n]]++] = n;
        }
    }
}

bool fluid_list_bodies(fluid_system* s)
{
    fluid_bodies* b = &s->bodies;
    int64_t total = 0;
    int parts = (s->set.count + PART - 1) / PART;
    if (is_good(s)) return true;
    b->good = false;
    b->room = 0.2 * s->spacing;
    if (!reserve(s) || !sort_beads(s)) return false;
    split_run(s->exec, count_beads, s, parts, 1);
    if (!add_up(b->start, s->set.count, &total) ||
        !mem_reserve((void**)&b->bead, &b->bead_capacity, total, sizeof(int)) ||
        !mem_reserve((void**)&b->near, &b->near_capacity, total, sizeof(int)) ||
        !mem_reserve((void**)&b->pair, &b->pair_capacity, total, sizeof *b->pair))
        return false;
    split_run(s->exec, fill_beads, s, parts, 1);
    list_particles(s);
    b->lists_then = s->figures.lists;
    return b->good = true;
}
