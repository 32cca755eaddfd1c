// Moves nodes between colors: from large ones to small ones, or so that groups fill up. Colors are
// handled in sets of at most 64, so that the colors taken at a particle are the bits of one word; a
// particle has at most one node of each color, hence a bit can be cleared when its node leaves.
// First fit makes the early colors large and the late ones small: every set_count-th color is in
// the same set, so that each set has both. Every other pass cuts the colors into ranges instead, so
// that sets trade with each other.
#include "graph/graph.h"
#include <string.h>

enum { WORD = 64 };

typedef struct balance balance;
struct balance {
    const graph* g;
    bool (*allows)(const balance* b, int from, int to); // a move, by the sizes of the colors
    int unit;                                           // of groups; 0: none
    int* color;
    int* size;       // of each color
    uint64_t* taken; // of each particle: bit b is the b-th color of the set
    int set, set_count, color_count;
    bool ranges; // sets are ranges of colors, not every set_count-th
};

static int set_size(const balance* b) { return (b->color_count + b->set_count - 1) / b->set_count; }

static int set_of(const balance* b, int color)
{
    return b->ranges ? color / set_size(b) : color % b->set_count;
}

static int bit_of(const balance* b, int color)
{
    return b->ranges ? color % set_size(b) : color / b->set_count;
}

// Of the set at hand; no color when it is color_count or more.
static int color_of(const balance* b, int bit)
{
    return b->ranges ? b->set * set_size(b) + bit : b->set + bit * b->set_count;
}

static uint64_t taken_around(const balance* b, int node)
{
    uint64_t all = 0;
    for (int i = b->g->offset[node]; i < b->g->offset[node + 1]; ++i)
        all |= b->taken[b->g->particle[i]];
    return all;
}

static void flip(balance* b, int node, int color)
{
    for (int i = b->g->offset[node]; i < b->g->offset[node + 1]; ++i)
        b->taken[b->g->particle[i]] ^= (uint64_t)1 << bit_of(b, color);
}

// Whether a node may leave a color of size `from` for another with this size: towards equal sizes.
static bool evens_out(const balance* b, int from, int to)
{
    (void)b;
    return to + 1 < from;
}

// Towards full groups: from one whose last group has few nodes to one whose last has more.
static bool fills_up(const balance* b, int from, int to)
{
    int leaving = (from + b->unit - 1) % b->unit + 1, joining = to % b->unit;
    return joining >= leaving;
}

// The best color of the set that the neighbors leave; the node's own when none is better.
static int best_free(const balance* b, int node)
{
    int best = b->color[node], own = b->size[best];
    uint64_t free = ~taken_around(b, node);
    for (int bit = 0; bit < set_size(b); ++bit) {
        int c = color_of(b, bit);
        if (c >= b->color_count || c == b->color[node] || !(free >> bit & 1)) continue;
        if (!b->allows(b, own, b->size[c])) continue;
        bool better =
            b->unit ? b->size[c] % b->unit > b->size[best] % b->unit : b->size[c] < b->size[best];
        if (best == b->color[node] || better) best = c;
    }
    return best;
}

// Returns how many nodes moved.
static int balance_set(balance* b)
{
    int n = b->g->node_count, moved = 0;
    memset(b->taken, 0, (size_t)b->g->particle_count * sizeof *b->taken);
    for (int j = 0; j < n; ++j)
        if (set_of(b, b->color[j]) == b->set) flip(b, j, b->color[j]);
    for (int j = 0; j < n; ++j) {
        int from = b->color[j];
        if (set_of(b, from) != b->set) continue;
        int to = best_free(b, j);
        if (to == from) continue;
        flip(b, j, from);
        flip(b, j, to);
        b->color[j] = to;
        b->size[from]--;
        b->size[to]++;
        moved++;
    }
    return moved;
}

static bool move_nodes(balance* b, int passes)
{
    if (b->color_count < 2) return true;
    b->set_count = (b->color_count + WORD - 1) / WORD;
    b->size = mem_array_zero((size_t)b->color_count, sizeof *b->size);
    b->taken = mem_array((size_t)b->g->particle_count, sizeof *b->taken);
    bool ready = b->size && b->taken;
    for (int j = 0; j < b->g->node_count && ready; ++j) b->size[b->color[j]]++;
    for (int pass = 0, idle = 0; ready && pass < passes && idle < 2; ++pass) {
        int moved = 0;
        b->ranges = pass % 2 == 1;
        for (b->set = 0; b->set < b->set_count; ++b->set) moved += balance_set(b);
        idle = moved ? 0 : idle + 1;
        ready = watcher_tick(b->g->watch);
    }
    mem_free(b->taken);
    mem_free(b->size);
    return ready;
}

bool graph_balance(const graph* g, int passes, int color_count, int* color)
{
    balance b = {.g = g, .color = color, .color_count = color_count, .allows = evens_out};
    return move_nodes(&b, passes);
}

bool graph_fill(const graph* g, int unit, int color_count, int* color)
{
    enum { PASSES = 20 };
    balance b = {
        .g = g, .color = color, .color_count = color_count, .allows = fills_up, .unit = unit};
    return move_nodes(&b, PASSES);
}
