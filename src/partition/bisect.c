#include "partition/bisect.h"
#include "graph/breadth.h"
#include "partition/halves.h"
#include "partition/pieces.h"
#include <string.h>

bool bisector_create(const level* l, bisector* out)
{
    const graph* g = &l->g;
    size_t nodes = (size_t)g->node_count, particles = (size_t)g->particle_count;
    *out = (bisector){.l = l};
    out->local = mem_array(particles, sizeof *out->local);
    out->width = mem_array(particles, sizeof *out->width);
    out->seen = mem_array_zero(particles, sizeof *out->seen);
    out->particle = mem_array((size_t)g->offset[g->node_count], sizeof *out->particle);
    out->offset = mem_array(nodes + 1, sizeof *out->offset);
    out->rest = mem_array(nodes, sizeof *out->rest);
    if (out->local && out->width && out->seen && out->particle && out->offset && out->rest)
        return true;
    bisector_destroy(out);
    return false;
}

void bisector_destroy(bisector* b)
{
    mem_free(b->local);
    mem_free(b->width);
    mem_free(b->seen);
    mem_free(b->particle);
    mem_free(b->offset);
    mem_free(b->rest);
    *b = (bisector){0};
}

// The graph of the given nodes alone.
static bool extract(bisector* b, const int* node, int node_count, graph* out)
{
    const graph* g = &b->l->g;
    int particles = 0, end = 0;
    b->cuts++;
    for (int j = 0; j < node_count; ++j) {
        b->offset[j] = end;
        for (int i = g->offset[node[j]]; i < g->offset[node[j] + 1]; ++i) {
            int p = g->particle[i];
            if (b->seen[p] != b->cuts) {
                b->seen[p] = b->cuts;
                b->width[particles] = b->l->width[p];
                b->local[p] = particles++;
            }
            b->particle[end++] = b->local[p];
        }
    }
    b->offset[node_count] = end;
    return graph_create(node_count, particles, b->offset, b->particle, out);
}

// ---- the best of several cuts -------------------------------------------------------------------

enum { SEEDS = 3 };

typedef struct {
    graph g;
    int *weight, *order, *side, *best, *piece;
    halves h;
    breadth sweep;
} attempt;

static void attempt_destroy(attempt* a)
{
    graph_destroy(&a->g);
    halves_destroy(&a->h);
    mem_free(a->weight);
    breadth_destroy(&a->sweep);
    mem_free(a->order);
    mem_free(a->side);
    mem_free(a->best);
    mem_free(a->piece);
}

static bool attempt_create(bisector* b, const int* node, int node_count, attempt* out)
{
    size_t nodes = (size_t)node_count;
    *out = (attempt){.weight = mem_array(nodes, sizeof *out->weight),
                     .order = mem_array(nodes, sizeof *out->order),
                     .side = mem_array(nodes, sizeof *out->side),
                     .best = mem_array_zero(nodes, sizeof *out->best),
                     .piece = mem_array(nodes, sizeof *out->piece)};
    if (out->weight && out->order && out->side && out->best && out->piece &&
        extract(b, node, node_count, &out->g) &&
        halves_create(&out->g, out->weight, b->width, &out->h) &&
        breadth_create(&out->g, &out->sweep)) {
        for (int j = 0; j < node_count; ++j) out->weight[j] = b->l->weight[node[j]];
        return true;
    }
    attempt_destroy(out);
    return false;
}

// All nodes breadth first from the seed; those not connected to it last.
static void order_from(breadth* b, int seed, int* out_order)
{
    int count = 0;
    breadth_begin_sweep(b);
    for (int i = -1; i < b->g->node_count; ++i) {
        int start = i < 0 ? seed : i;
        if (b->visited[start] == b->sweep) continue;
        int reached = breadth_traverse(b, start);
        memcpy(out_order + count, b->queue, (size_t)reached * sizeof *out_order);
        count += reached;
    }
}

// The weight of the nodes that are cut off from the rest of their side.
static bool judge(attempt* a, int64_t* out_stray)
{
    int nodes = a->g.node_count, largest[2] = {0, 0};
    int64_t kept = 0, total = 0;
    for (int j = 0; j < nodes; ++j) a->side[j] = a->h.side[j];
    if (!find_pieces(&a->g, a->side, 2, a->piece)) return false;
    int* size = a->h.gain; // free between cuts
    memset(size, 0, (size_t)nodes * sizeof *size);
    for (int j = 0; j < nodes; ++j) {
        int* piece = size + a->piece[j];
        *piece += a->weight[j];
        total += a->weight[j];
        if (*piece > largest[a->side[j]]) largest[a->side[j]] = *piece;
    }
    kept = (int64_t)largest[0] + largest[1];
    *out_stray = total - kept;
    return true;
}

// From one end of the graph, from its other end, and from the middle as seen from there, if no cut
// so far leaves both sides whole.
static bool try_seeds(attempt* a, breadth* b, int64_t share, int64_t slack)
{
    int nodes = a->g.node_count;
    int64_t best = INT64_MAX, stray, least_stray = 1;
    order_from(b, 0, a->order);
    for (int i = 0; i < 2 || (i < SEEDS && least_stray > 0); ++i) {
        order_from(b, a->order[i < 2 ? nodes - 1 : nodes / 2], a->order);
        halves_cut(&a->h, a->order, share, slack);
        if (!judge(a, &stray)) return false;
        if (a->h.cut + stray >= best) continue;
        best = a->h.cut + stray;
        least_stray = stray;
        memcpy(a->best, a->side, (size_t)nodes * sizeof *a->best);
    }
    return true;
}

// ---- the cut
// ---------------------------------------------------------------------------------------

// Those of side 0 before the others. Returns how many.
static int divide(bisector* b, const int* side, int* node, int node_count)
{
    int count = 0, others = 0;
    for (int i = 0; i < node_count; ++i) {
        if (side[i] == 0)
            node[count++] = node[i];
        else
            b->rest[others++] = node[i];
    }
    memcpy(node + count, b->rest, (size_t)others * sizeof *node);
    return count;
}

int bisect(bisector* b, int share, int whole, int* node, int node_count)
{
    if (node_count < 2) return 0;
    attempt a;
    int64_t total = 0, most = 0;
    if (!attempt_create(b, node, node_count, &a)) return -1;
    for (int j = 0; j < node_count; ++j) {
        total += a.weight[j];
        if (a.weight[j] > most) most = a.weight[j];
    }
    // Refinement evens out the rest, but no half may become empty.
    int64_t part = total * share / whole, slack = total / 100 + most;
    if (slack > part / 2) slack = part / 2;
    int left = -1;
    if (try_seeds(&a, &a.sweep, part, slack)) left = divide(b, a.best, node, node_count);
    attempt_destroy(&a);
    return left;
}
