// First fit with 64 colors at a time: the colors taken at a particle are the bits of one word. A
// node that finds no free color among them waits for the next 64; since only earlier nodes can have
// taken the lower colors, the result is that of plain first fit, for any number of colors.
#include "graph/graph.h"
#include <string.h>

enum { WORD = 64 };

// Colors the nodes that fit below base + WORD and returns how many of the `count` are left waiting.
static int color_word(const graph* g, int* waiting, int count, int base, uint64_t* taken,
                      int* out_color)
{
    int left = 0;
    for (int i = 0; i < count; ++i) {
        int node = waiting[i];
        const int* particle = g->particle + g->offset[node];
        int particles = g->offset[node + 1] - g->offset[node];
        uint64_t all = 0;
        for (int p = 0; p < particles; ++p) all |= taken[particle[p]];
        if (~all == 0) {
            waiting[left++] = node;
            continue;
        }
        int bit = __builtin_ctzll(~all);
        out_color[node] = base + bit;
        for (int p = 0; p < particles; ++p) taken[particle[p]] |= (uint64_t)1 << bit;
    }
    return left;
}

static int highest(const int* value, int count)
{
    int most = -1;
    for (int i = 0; i < count; ++i)
        if (value[i] > most) most = value[i];
    return most;
}

// `waiting` is the order, and is used up; `taken` has one word per particle.
static int first_fit(const graph* g, int* waiting, uint64_t* taken, int* out_color)
{
    int left = g->node_count;
    for (int base = 0; left > 0; base += WORD) {
        memset(taken, 0, (size_t)g->particle_count * sizeof *taken);
        left = color_word(g, waiting, left, base, taken, out_color);
    }
    return highest(out_color, g->node_count) + 1;
}

int graph_color(const graph* g, const int* order, int* out_color)
{
    int* waiting = mem_array((size_t)g->node_count, sizeof *waiting);
    uint64_t* taken = mem_array((size_t)g->particle_count, sizeof *taken);
    int colors = -1;
    if (waiting && taken) {
        for (int i = 0; i < g->node_count; ++i) waiting[i] = order ? order[i] : i;
        colors = first_fit(g, waiting, taken, out_color);
    }
    mem_free(taken);
    mem_free(waiting);
    return colors;
}

// The nodes of the last color first, then those of the one before it, ...
static void order_backward(int node_count, int color_count, const int* color, int* start,
                           int* out_order)
{
    memset(start, 0, (size_t)color_count * sizeof *start);
    for (int j = 0; j < node_count; ++j) start[color[j]]++;
    int end = node_count;
    for (int c = 0; c < color_count; ++c) {
        end -= start[c];
        start[c] = end;
    }
    for (int j = 0; j < node_count; ++j) out_order[start[color[j]]++] = j;
}

// Backward is the order that pays: the last colors are the small ones, and taken first they fill up
// with nodes of the others. Random orders and orders by size were tried and gain nothing more.
int graph_recolor(const graph* g, int passes, int color_count, int* color)
{
    int clique = graph_clique(g);
    if (color_count <= clique || passes <= 0) return color_count;
    int* start = mem_array((size_t)color_count, sizeof *start);
    int* order = mem_array((size_t)g->node_count, sizeof *order);
    uint64_t* taken = mem_array((size_t)g->particle_count, sizeof *taken);
    bool ready = start && order && taken;
    for (int pass = 0; ready && pass < passes && color_count > clique; ++pass) {
        order_backward(g->node_count, color_count, color, start, order);
        color_count = first_fit(g, order, taken, color);
        ready = watcher_tick(g->watch);
    }
    mem_free(taken);
    mem_free(order);
    mem_free(start);
    return ready ? color_count : -1;
}

static int color_smallest_last(const graph* g, int* out_color)
{
    int* order = mem_array((size_t)g->node_count, sizeof *order);
    int colors = -1;
    if (order && graph_order_smallest_last(g, order)) colors = graph_color(g, order, out_color);
    mem_free(order);
    return colors;
}

// `color` has color_count colors; returns how many are left, -1 when memory runs out.
static int improve(const graph* g, int color_count, int* color)
{
    enum { PASSES = 8 }; // more gain nothing
    size_t bytes = (size_t)g->node_count * sizeof(int);
    int* other = mem_alloc(bytes);
    int colors = other ? color_smallest_last(g, other) : -1;
    if (colors >= 0 && colors <= color_count)
        memcpy(color, other, bytes);
    else if (colors > color_count)
        colors = color_count;
    mem_free(other);
    return colors < 0 ? colors : graph_recolor(g, PASSES, colors, color);
}

int graph_color_best(const graph* g, int* out_color)
{
    int colors = graph_color(g, NULL, out_color);
    if (colors > graph_clique(g)) colors = improve(g, colors, out_color);
    return colors < 0 || graph_balance(g, 1, colors, out_color) ? colors : -1;
}
