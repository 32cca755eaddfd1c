#include "cuda/packed.h"
#include <limits.h>
#include <string.h>

enum { COLUMNS = 8, CANDIDATES = 64 };
enum { SWAP_ROUNDS = 4, SWAP_TRIES = 1 << 24, SWAP_FEWEST = 8 };

const round_block* round_of(const plan* p, size_t group, bool motion, int* out_count)
{
    const lane_group* g = &p->group[group];
    const round_block* found = NULL;
    *out_count = 0;
    for (int i = 0; i < g->round_count; ++i) {
        const round_block* r = &p->round[g->first_round + i];
        if (type_infos[r->type].on_motion != motion) continue;
        if (!found) found = r;
        ++*out_count;
    }
    return found;
}

bool lane_order_reserve(lane_order* o, int color)
{
    int64_t groups = o->plan->color_group[color + 1] - o->plan->color_group[color];
    int64_t lanes = groups * BLOCK;
    int capacity = o->capacity, eights = o->capacity;
    o->count = 0;
    return mem_reserve((void**)&o->columns, &capacity, lanes, sizeof *o->columns) &&
           mem_reserve((void**)&o->eight, &eights, lanes, sizeof *o->eight) &&
           mem_reserve((void**)&o->lane, &o->capacity, lanes, sizeof(int));
}

void lane_order_discard(lane_order* o)
{
    mem_free(o->lane);
    mem_free(o->columns);
    mem_free(o->eight);
}

// Its corners are BLOCK apart.
static const uint16_t* corners_of(const lane_order* o, int lane, int* out_count)
{
    int rounds;
    const round_block* r = round_of(o->plan, (size_t)lane / BLOCK, o->motion, &rounds);
    *out_count = type_infos[r->type].particles;
    return (const uint16_t*)o->plan->index + r->index_at + lane % BLOCK;
}

static column_counts columns_of(const lane_order* o, int lane)
{
    column_counts c = {{0}};
    int count;
    const uint16_t* corner = corners_of(o, lane, &count);
    for (int i = 0; i < count; ++i) c.corner[i] = 1u << 4 * (corner[i * BLOCK] % COLUMNS);
    return c;
}

// How often the columns of a lane are used already.
static int collisions(const column_counts* used, const column_counts* lane)
{
    int sum = 0;
    for (int i = 0; i < ELEMENT_PARTICLES; ++i)
        if (lane->corner[i]) sum += (int)(used->corner[i] / lane->corner[i] % 16);
    return sum;
}

// Moves the best of the candidates from `at` on to `at`.
static void choose_lane(lane_order* o, int at, int end, column_counts* used)
{
    int best = at, least = INT_MAX;
    column_counts chosen = {{0}};
    if (end > at + CANDIDATES) end = at + CANDIDATES;
    for (int k = at; k < end && least > 0; ++k) {
        column_counts lane = columns_of(o, o->lane[k]);
        int cost = collisions(used, &lane);
        if (cost < least) best = k, least = cost, chosen = lane;
    }
    int lane = o->lane[best];
    memmove(&o->lane[at + 1], &o->lane[at], (size_t)(best - at) * sizeof(int));
    o->lane[at] = lane;
    for (int i = 0; i < ELEMENT_PARTICLES; ++i) used->corner[i] += chosen.corner[i];
}

// Each of eight lanes as the best of the next few.
static void choose_eights(lane_order* o, int first, int end)
{
    column_counts used;
    for (int at = first; at < end; ++at) {
        if ((at - first) % COLUMNS == 0) memset(&used, 0, sizeof used);
        choose_lane(o, at, end, &used);
    }
}

// ---- swaps --------------------------------------------------------------------------------------

// `of`, where a lane leaves and another comes.
static column_counts exchange(const column_counts* of, const column_counts* out,
                              const column_counts* in)
{
    column_counts c;
    for (int i = 0; i < ELEMENT_PARTICLES; ++i)
        c.corner[i] = of->corner[i] - out->corner[i] + in->corner[i];
    return c;
}

// First of all the number of accesses: what the fullest column holds (4 are as bad as more). Then
// that of columns which are used more than once, so that swaps can go on from there.
static int cost_of(const column_counts* c)
{
    int sum = 0;
    for (int i = 0; i < ELEMENT_PARTICLES; ++i) {
        uint32_t n = c->corner[i], four = (n >> 2 | n >> 3) & 0x11111111;
        uint32_t three = four | (n & n >> 1 & 0x11111111), two = four | (n >> 1 & 0x11111111);
        sum += COLUMNS * ((two != 0) + (three != 0) + (four != 0)) + __builtin_popcount(two);
    }
    return sum;
}

// Swaps lane a of those from `first` on with the first of the candidates that is better off, too.
static bool swap_lane(lane_order* o, int first, int count, int a, int candidates)
{
    column_counts *mine = &o->columns[a], *here = &o->eight[a / COLUMNS];
    int cost = cost_of(here);
    for (int k = 1; k <= candidates && k < count; ++k) {
        int b = a + k < count ? a + k : a + k - count;
        column_counts *other = &o->columns[b], *there = &o->eight[b / COLUMNS];
        if (there == here) continue;
        column_counts now_here = exchange(here, mine, other);
        int now = cost_of(&now_here);
        if (now >= cost) continue;
        column_counts now_there = exchange(there, other, mine), moved = *mine;
        if (now + cost_of(&now_there) >= cost + cost_of(there)) continue;
        int lane = o->lane[first + a];
        o->lane[first + a] = o->lane[first + b], o->lane[first + b] = lane;
        *mine = *other, *other = moved;
        *here = now_here, *there = now_there;
        return true;
    }
    return false;
}

// So many that a round takes about as long for any plan.
static int swap_candidates(const plan* p)
{
    size_t tries = SWAP_TRIES / (p->group_count * BLOCK + 1);
    return tries < SWAP_FEWEST ? SWAP_FEWEST : (int)tries;
}

void lane_order_arrange(lane_order* o, int first, int end)
{
    const column_counts none = {{0}};
    int count = end - first, candidates = swap_candidates(o->plan);
    choose_eights(o, first, end);
    for (int i = 0; i < count; ++i) {
        column_counts* eight = &o->eight[i / COLUMNS];
        o->columns[i] = columns_of(o, o->lane[first + i]);
        if (i % COLUMNS == 0) *eight = none;
        *eight = exchange(eight, &none, &o->columns[i]);
    }
    bool any = true;
    for (int round = 0; round < SWAP_ROUNDS && any; ++round) {
        any = false;
        for (int a = 0; a < count; ++a)
            if (cost_of(&o->eight[a / COLUMNS]) > 0 && swap_lane(o, first, count, a, candidates))
                any = true;
    }
}
