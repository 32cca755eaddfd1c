// Moves nodes from large colors to small ones. Colors are handled in sets of at most 64, so that
// the colors taken at a particle are the bits of one word; a particle has at most one node of each
// color, hence a bit can be cleared when its node leaves. First fit makes the early colors large
// and the late ones small: every set_count-th color is in the same set, so that each set has both.
#include "graph/graph.h"
#include <string.h>

enum { WORD = 64 };

typedef struct {
    const graph* g;
    int* color;
    int* size;       // of each color
    uint64_t* taken; // of each particle: bit b is color set + b * set_count
    int set, set_count, color_count;
} balance;

static uint64_t taken_around(const balance* b, int node)
{
    uint64_t all = 0;
    for (int i = b->g->offset[node]; i < b->g->offset[node + 1]; ++i)
        all |= b->taken[b->g->particle[i]];
    return all;
}

static void flip(balance* b, int node, uint64_t bits)
{
    for (int i = b->g->offset[node]; i < b->g->offset[node + 1]; ++i)
        b->taken[b->g->particle[i]] ^= bits;
}

static uint64_t bit_of(const balance* b, int color)
{
    return (uint64_t)1 << (color / b->set_count);
}

// The smallest color of the set that the neighbors leave; the node's own when none is smaller.
static int smallest_free(const balance* b, int node)
{
    int best = b->color[node];
    uint64_t free = ~taken_around(b, node);
    for (int c = b->set; c < b->color_count; c += b->set_count)
        if ((free & bit_of(b, c)) && b->size[c] < b->size[best]) best = c;
    return best;
}

static void balance_set(balance* b)
{
    int n = b->g->node_count;
    memset(b->taken, 0, (size_t)b->g->particle_count * sizeof *b->taken);
    for (int j = 0; j < n; ++j)
        if (b->color[j] % b->set_count == b->set) flip(b, j, bit_of(b, b->color[j]));
    for (int j = 0; j < n; ++j) {
        int from = b->color[j];
        if (from % b->set_count != b->set) continue;
        int to = smallest_free(b, j);
        if (b->size[to] + 1 >= b->size[from]) continue;
        flip(b, j, bit_of(b, from) | bit_of(b, to));
        b->color[j] = to;
        b->size[from]--;
        b->size[to]++;
    }
}

bool graph_balance(const graph* g, int color_count, int* color)
{
    if (color_count < 2) return true;
    balance b = {.g = g, .color = color, .color_count = color_count};
    b.set_count = (color_count + WORD - 1) / WORD;
    b.size = mem_array_zero((size_t)color_count, sizeof *b.size);
    b.taken = mem_array((size_t)g->particle_count, sizeof *b.taken);
    bool ready = b.size && b.taken;
    if (ready) {
        for (int j = 0; j < g->node_count; ++j) b.size[color[j]]++;
        for (b.set = 0; b.set < b.set_count; ++b.set) balance_set(&b);
    }
    mem_free(b.taken);
    mem_free(b.size);
    return ready;
}
