#include "graph/bisect.h"
#include <limits.h>
#include <string.h>

// Sizes differ from their mean by this part of it, in percent.
enum { TOLERANCE = 4 };

bool bisector_create(rows* r, patch_limits* limits, int patch_count, bisector* out)
{
    *out = (bisector){.r = r, .limits = limits};
    out->order = mem_array((size_t)r->g->node_count, sizeof *out->order);
    if (out->order && refiner_create(r, limits, patch_count, &out->refine) &&
        breadth_create(r->g, &out->sweep)) {
        out->sweep.label = r->patch;
        return true;
    }
    bisector_destroy(out);
    return false;
}

void bisector_destroy(bisector* b)
{
    mem_free(b->order);
    refiner_destroy(&b->refine);
    breadth_destroy(&b->sweep);
    *b = (bisector){0};
}

// Breadth first from a node at the far end, then the nodes that are not connected to it.
static void order_from_end(bisector* b, const int* node, int node_count)
{
    breadth* s = &b->sweep;
    int start = node[0], count = 0;
    for (int i = 0; i < 2; ++i) {
        breadth_begin_sweep(s);
        start = s->queue[breadth_traverse(s, start) - 1];
    }
    breadth_begin_sweep(s);
    for (int i = -1; i < node_count; ++i) {
        int seed = i < 0 ? start : node[i];
        if (s->visited[seed] == s->sweep) continue;
        int reached = breadth_traverse(s, seed);
        memcpy(b->order + count, s->queue, (size_t)reached * sizeof *s->queue);
        count += reached;
    }
}

void bisect_limits(patch_limits* l, int first, int count, int nodes)
{
    for (int i = 0; i < count; ++i) {
        int slack = nodes / count * TOLERANCE / 100;
        l->most[first + i] = (nodes + count - 1) / count + slack;
        l->least[first + i] = nodes / count - slack;
    }
}

// While two halves are cut, each stands for several patches: half the tolerance is left for later.
static void limit_part(patch_limits* l, int patch, int64_t mean)
{
    int slack = (int)(mean * TOLERANCE / 200);
    l->most[patch] = (int)mean + 1 + slack;
    l->least[patch] = (int)mean - slack;
}

// Moves the nodes beyond the first `share` to patch `to`.
static void cut_order(bisector* b, int node_count, int64_t share, int to)
{
    int64_t taken = 0;
    for (int i = 0; i < node_count; ++i) {
        int w = b->r->weight[b->order[i]];
        if (taken + w / 2 >= share) rows_move(b->r, b->order[i], to);
        taken += w;
    }
}

// Those of patch `first` before the others. Returns how many.
static int divide(bisector* b, int first, int* node, int node_count)
{
    int count = 0, others = 0;
    for (int i = 0; i < node_count; ++i) {
        if (b->r->patch[node[i]] == first)
            node[count++] = node[i];
        else
            b->order[others++] = node[i];
    }
    memcpy(node + count, b->order, (size_t)others * sizeof *node);
    return count;
}

static void cut_in_two(bisector* b, int first, int count, const int* node, int node_count)
{
    int left = count / 2, second = first + left, most_particles = b->limits->most_particles;
    int64_t nodes = b->r->node_count[first], share = nodes * left / count;
    limit_part(b->limits, first, share);
    limit_part(b->limits, second, nodes - share);
    b->limits->most_particles = INT_MAX;
    b->sweep.within = first;
    order_from_end(b, node, node_count);
    cut_order(b, node_count, share, second);
    b->refine.first = first;
    b->refine.end = first + count;
    refine(&b->refine, node, node_count, 50 + node_count / 4, 8);
    b->limits->most_particles = most_particles;
}

void bisect(bisector* b, int first, int count, int* node, int node_count)
{
    if (count < 2 || node_count < 2) return;
    cut_in_two(b, first, count, node, node_count);
    int left = divide(b, first, node, node_count);
    bisect(b, first, count / 2, node, left);
    bisect(b, first + count / 2, count - count / 2, node + left, node_count - left);
}
