#include "cuda/packed.h"
#include <limits.h>
#include <string.h>

enum { COLUMNS = 8, CANDIDATES = 64 };

typedef struct {
    int times[ELEMENT_PARTICLES][COLUMNS]; // of each corner
} used_columns;

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
    o->count = 0;
    return mem_reserve((void**)&o->lane, &o->capacity, groups * BLOCK, sizeof(int));
}

// Its corners are BLOCK apart.
static const uint16_t* corners_of(const lane_order* o, int lane, int* out_count)
{
    int rounds;
    const round_block* r = round_of(o->plan, (size_t)lane / BLOCK, o->motion, &rounds);
    *out_count = type_infos[r->type].particles;
    return (const uint16_t*)o->plan->index + r->index_at + lane % BLOCK;
}

static int collisions(const lane_order* o, const used_columns* used, int lane)
{
    int sum = 0, count;
    const uint16_t* corner = corners_of(o, lane, &count);
    for (int i = 0; i < count; ++i) sum += used->times[i][corner[i * BLOCK] % COLUMNS];
    return sum;
}

// Moves the best of the candidates from `at` on to `at`.
static void choose_lane(lane_order* o, int at, int end, used_columns* used)
{
    int best = at, least = INT_MAX, count;
    if (end > at + CANDIDATES) end = at + CANDIDATES;
    for (int k = at; k < end && least > 0; ++k) {
        int cost = collisions(o, used, o->lane[k]);
        if (cost < least) best = k, least = cost;
    }
    int chosen = o->lane[best];
    memmove(&o->lane[at + 1], &o->lane[at], (size_t)(best - at) * sizeof(int));
    o->lane[at] = chosen;
    const uint16_t* corner = corners_of(o, chosen, &count);
    for (int i = 0; i < count; ++i) used->times[i][corner[i * BLOCK] % COLUMNS]++;
}

void lane_order_arrange(lane_order* o, int first, int end)
{
    used_columns used;
    for (int at = first; at < end; ++at) {
        if ((at - first) % COLUMNS == 0) memset(&used, 0, sizeof used);
        choose_lane(o, at, end, &used);
    }
}
