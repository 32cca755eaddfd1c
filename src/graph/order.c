// Smallest degree last, in time proportional to the number of walked neighbors.
#include "graph/graph.h"
#include <string.h>

// The nodes not yet taken, sorted by degree: sorted[taken] is the next to take.
typedef struct {
    int *degree, *sorted, *place; // of each node; place is the inverse of sorted
    int* start;                   // first place with at least this degree; below taken: it is taken
    int* seen;                    // the last node that counted this one as a neighbor
    int *rest, *rest_count;       // of each particle, its nodes not yet taken
    int taken;
} queue;

static void destroy(queue* q)
{
    mem_free(q->degree);
    mem_free(q->sorted);
    mem_free(q->place);
    mem_free(q->start);
    mem_free(q->seen);
    mem_free(q->rest);
    mem_free(q->rest_count);
}

static bool allocate(queue* q, const graph* g)
{
    size_t nodes = (size_t)g->node_count, particles = (size_t)g->particle_count;
    size_t incidences = (size_t)g->offset[g->node_count];
    *q = (queue){0};
    q->degree = mem_array_zero(nodes, sizeof(int));
    q->sorted = mem_array(nodes, sizeof(int));
    q->place = mem_array(nodes, sizeof(int));
    q->start = mem_array_zero(nodes + 1, sizeof(int));
    q->seen = mem_array(nodes, sizeof(int));
    q->rest = mem_array(incidences, sizeof(int));
    q->rest_count = mem_array(particles, sizeof(int));
    if (q->degree && q->sorted && q->place && q->start && q->seen && q->rest && q->rest_count)
        return true;
    destroy(q);
    return false;
}

static void count_neighbors(queue* q, const graph* g)
{
    for (int j = 0; j < g->node_count; ++j) q->seen[j] = -1;
    for (int j = 0; j < g->node_count; ++j) {
        q->seen[j] = j;
        for (int i = g->offset[j]; i < g->offset[j + 1]; ++i) {
            int p = g->particle[i];
            for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k) {
                int other = g->node[k];
                q->degree[j] += q->seen[other] != j;
                q->seen[other] = j;
            }
        }
    }
}

// Counting sort by degree; equal degrees from the highest node to the lowest, because the queue
// is emptied into the order from its end.
static void sort_by_degree(queue* q, int node_count)
{
    for (int j = 0; j < node_count; ++j) q->start[q->degree[j] + 1]++;
    for (int d = 0; d < node_count; ++d) q->start[d + 1] += q->start[d];
    for (int j = node_count - 1; j >= 0; --j) {
        int place = q->start[q->degree[j]]++;
        q->sorted[place] = j;
        q->place[j] = place;
    }
    for (int d = node_count; d > 0; --d) q->start[d] = q->start[d - 1];
    q->start[0] = 0;
}

static void decrement(queue* q, int node)
{
    int d = q->degree[node]--;
    int first = q->start[d] > q->taken ? q->start[d] : q->taken;
    int from = q->place[node], other = q->sorted[first];
    q->sorted[first] = node;
    q->place[node] = first;
    q->sorted[from] = other;
    q->place[other] = from;
    q->start[d] = first + 1;
}

// Decrements the node's neighbors in the queue, and drops taken nodes from the lists on the way.
static void release_neighbors(queue* q, const graph* g, int node)
{
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i], kept = 0;
        int* rest = q->rest + g->node_offset[p];
        for (int k = 0; k < q->rest_count[p]; ++k) {
            int other = rest[k];
            if (q->place[other] < q->taken) continue;
            rest[kept++] = other;
            if (q->seen[other] == node) continue;
            q->seen[other] = node;
            decrement(q, other);
        }
        q->rest_count[p] = kept;
    }
}

enum { NODES_PER_TICK = 1 << 15 };

bool graph_order_smallest_last(const graph* g, int* out_order)
{
    queue q;
    if (!allocate(&q, g)) return false;
    int n = g->node_count;
    count_neighbors(&q, g);
    sort_by_degree(&q, n);
    memcpy(q.rest, g->node, (size_t)g->offset[n] * sizeof *q.rest);
    for (int p = 0; p < g->particle_count; ++p)
        q.rest_count[p] = g->node_offset[p + 1] - g->node_offset[p];
    for (int j = 0; j < n; ++j) q.seen[j] = -1;
    bool goes_on = true;
    while (q.taken < n && goes_on) {
        int node = q.sorted[q.taken++];
        out_order[n - q.taken] = node;
        release_neighbors(&q, g, node);
        if (q.taken % NODES_PER_TICK == 0) goes_on = watcher_tick(g->watch);
    }
    destroy(&q);
    return goes_on;
}
