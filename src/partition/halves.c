#include "partition/halves.h"
#include <string.h>

void halves_destroy(halves* h)
{
    mem_free(h->side);
    mem_free(h->count);
    mem_free(h->gain);
    mem_free(h->next);
    mem_free(h->back);
    mem_free(h->bucket);
    mem_free(h->queued);
    mem_free(h->locked);
    mem_free(h->moved);
    *h = (halves){0};
}

static int widest_node(const graph* g, const int* width)
{
    int widest = 0;
    for (int j = 0; j < g->node_count; ++j) {
        int total = 0;
        for (int i = g->offset[j]; i < g->offset[j + 1]; ++i) total += width[g->particle[i]];
        if (total > widest) widest = total;
    }
    return widest;
}

bool halves_create(const graph* g, const int* weight, const int* width, halves* out)
{
    size_t nodes = (size_t)g->node_count;
    *out = (halves){.g = g, .weight = weight, .width = width, .most_gain = widest_node(g, width)};
    out->side = mem_array(nodes, sizeof *out->side);
    out->count = mem_array((size_t)g->particle_count, 2 * sizeof *out->count);
    out->gain = mem_array(nodes, sizeof *out->gain);
    out->next = mem_array(nodes, sizeof *out->next);
    out->back = mem_array(nodes, sizeof *out->back);
    out->bucket = mem_array(2 * (2 * (size_t)out->most_gain + 1), sizeof *out->bucket);
    out->queued = mem_array(nodes, sizeof *out->queued);
    out->locked = mem_array(nodes, sizeof *out->locked);
    out->moved = mem_array(nodes, sizeof *out->moved);
    if (out->side && out->count && out->gain && out->next && out->back && out->bucket &&
        out->queued && out->locked && out->moved)
        return true;
    halves_destroy(out);
    return false;
}

// ---- buckets ------------------------------------------------------------------------------------

static int* bucket_of(halves* h, int side, int gain)
{
    return h->bucket + side * (2 * h->most_gain + 1) + gain + h->most_gain;
}

static void insert(halves* h, int node)
{
    int side = h->side[node], gain = h->gain[node];
    int* first = bucket_of(h, side, gain);
    h->next[node] = *first;
    h->back[node] = -1;
    if (*first >= 0) h->back[*first] = node;
    *first = node;
    h->queued[node] = true;
    if (gain > h->highest[side]) h->highest[side] = gain;
}

static void take_out(halves* h, int node)
{
    if (h->next[node] >= 0) h->back[h->next[node]] = h->back[node];
    if (h->back[node] >= 0)
        h->next[h->back[node]] = h->next[node];
    else
        *bucket_of(h, h->side[node], h->gain[node]) = h->next[node];
    h->queued[node] = false;
}

static void change_gain(halves* h, int node, int by)
{
    bool queued = h->queued[node];
    if (queued) take_out(h, node);
    h->gain[node] += by;
    if (!h->locked[node]) insert(h, node);
}

// The node with the highest gain on a side, below 0: none.
static int best_of(halves* h, int side)
{
    while (h->highest[side] > -h->most_gain && *bucket_of(h, side, h->highest[side]) < 0)
        h->highest[side]--;
    return *bucket_of(h, side, h->highest[side]);
}

static void clear_queue(halves* h)
{
    size_t buckets = 2 * (2 * (size_t)h->most_gain + 1);
    for (size_t i = 0; i < buckets; ++i) h->bucket[i] = -1;
    memset(h->queued, 0, (size_t)h->g->node_count * sizeof *h->queued);
    memset(h->locked, 0, (size_t)h->g->node_count * sizeof *h->locked);
    h->highest[0] = h->highest[1] = -h->most_gain;
}

// ---- moves --------------------------------------------------------------------------------------

static void change_gains(halves* h, int particle, int side, int by, int except)
{
    const graph* g = h->g;
    for (int k = g->node_offset[particle]; k < g->node_offset[particle + 1]; ++k)
        if (h->side[g->node[k]] == side && g->node[k] != except) change_gain(h, g->node[k], by);
}

// Gains of others change only where the particle had, or now has, none or one node on a side. The
// mover's own gain just changes its sign.
static void flip(halves* h, int node)
{
    const graph* g = h->g;
    int from = h->side[node], to = 1 - from;
    if (h->queued[node]) take_out(h, node);
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i], *count = h->count + 2 * p, width = h->width[p];
        if (count[to] == 0) change_gains(h, p, from, width, node);
        if (count[to] == 1) change_gains(h, p, to, -width, node);
        count[from]--;
        count[to]++;
        if (count[from] == 0) change_gains(h, p, to, -width, node);
        if (count[from] == 1) change_gains(h, p, from, width, node);
    }
    h->cut -= h->gain[node];
    h->gain[node] = -h->gain[node];
    h->side[node] = (signed char)to;
    h->total[from] -= h->weight[node];
    h->total[to] += h->weight[node];
}

// ---- passes -------------------------------------------------------------------------------------

static void queue_cut(halves* h)
{
    const graph* g = h->g;
    clear_queue(h);
    for (int p = 0; p < g->particle_count; ++p) {
        if (h->count[2 * p] == 0 || h->count[2 * p + 1] == 0) continue;
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k)
            if (!h->queued[g->node[k]]) insert(h, g->node[k]);
    }
}

static int64_t beyond(const halves* h)
{
    int64_t a = h->total[0] - h->most[0], b = h->total[1] - h->most[1];
    return (a > 0 ? a : 0) + (b > 0 ? b : 0);
}

// The best node that may change sides; below 0: none.
static int choose(halves* h)
{
    int best = -1;
    for (int side = 0; side < 2; ++side) {
        int node = best_of(h, side);
        bool over = h->total[side] > h->most[side];
        if (node < 0 || (!over && h->total[1 - side] + h->weight[node] > h->most[1 - side]))
            continue;
        if (over) return node;
        if (best < 0 || h->gain[node] > h->gain[best]) best = node;
    }
    return best;
}

// Returns whether it made anything better.
static bool improve(halves* h, int patience)
{
    int done = 0, kept = 0, best_cut = h->cut;
    int64_t best_beyond = beyond(h);
    queue_cut(h);
    while (done - kept <= patience) {
        int node = choose(h);
        if (node < 0) break;
        h->locked[node] = true;
        flip(h, node);
        h->moved[done++] = node;
        int64_t now = beyond(h);
        if (now > best_beyond || (now == best_beyond && h->cut >= best_cut)) continue;
        best_beyond = now;
        best_cut = h->cut;
        kept = done;
    }
    while (done > kept) flip(h, h->moved[--done]);
    return kept > 0;
}

// The first of the order up to `share` on side 0, the others on side 1.
static void divide(halves* h, const int* order, int64_t share)
{
    const graph* g = h->g;
    h->total[0] = h->total[1] = 0;
    memset(h->count, 0, (size_t)g->particle_count * 2 * sizeof *h->count);
    for (int i = 0; i < g->node_count; ++i) {
        int j = order[i], side = h->total[0] + h->weight[j] / 2 >= share || h->total[1] > 0;
        h->side[j] = (signed char)side;
        h->total[side] += h->weight[j];
        for (int k = g->offset[j]; k < g->offset[j + 1]; ++k) h->count[2 * g->particle[k] + side]++;
    }
}

static void find_gains(halves* h)
{
    const graph* g = h->g;
    h->cut = 0;
    for (int p = 0; p < g->particle_count; ++p)
        if (h->count[2 * p] > 0 && h->count[2 * p + 1] > 0) h->cut += h->width[p];
    for (int j = 0; j < g->node_count; ++j) {
        int side = h->side[j], gain = 0;
        for (int k = g->offset[j]; k < g->offset[j + 1]; ++k) {
            const int* count = h->count + 2 * g->particle[k];
            gain += ((count[side] == 1) - (count[1 - side] == 0)) * h->width[g->particle[k]];
        }
        h->gain[j] = gain;
    }
}

void halves_cut(halves* h, const int* order, int64_t share, int64_t slack)
{
    enum { PASSES = 4 };
    divide(h, order, share);
    find_gains(h);
    h->most[0] = share + slack;
    h->most[1] = h->total[0] + h->total[1] - share + slack;
    int patience = 50 + h->g->node_count / 50;
    for (int pass = 0; pass < PASSES; ++pass)
        if (!improve(h, patience)) break;
}
