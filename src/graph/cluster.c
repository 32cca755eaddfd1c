// Clusters of neighbors: Algorithm 4 of the 2022 paper, and a variant with fewer colors.
//
// Both go through the nodes in breadth first order from a seed and let an unclaimed node claim the
// closest of its unclaimed neighbors. In the paper, closeness is the share of common particles with
// that first node, and a cluster that does not reach its size is undone and left to a next pass
// with smaller clusters. The compact variant measures closeness to the cluster as it grows.
#include "graph/breadth.h"
#include "graph/growth.h"
#include <string.h>

typedef struct {
    const graph* g;
    int* cluster;   // of each node; -1: unclaimed
    int* component; // of each node: its connected component
    int* seed;      // of each component; -1: everything is claimed
    int64_t* seed_sum;
    breadth breadth;
    growth growth;
    int component_count, cluster_count, claimed;
    bool ended; // by who watches
} clustering;

static void destroy(clustering* c)
{
    mem_free(c->cluster);
    mem_free(c->component);
    mem_free(c->seed);
    mem_free(c->seed_sum);
    breadth_destroy(&c->breadth);
    growth_destroy(&c->growth);
}

static bool create(const graph* g, clustering* c)
{
    size_t nodes = (size_t)g->node_count;
    *c = (clustering){.g = g};
    c->cluster = mem_array(nodes, sizeof *c->cluster);
    c->component = mem_array(nodes, sizeof *c->component);
    c->seed = mem_array(nodes, sizeof *c->seed);
    c->seed_sum = mem_array(nodes, sizeof *c->seed_sum);
    if (c->cluster && c->component && c->seed && c->seed_sum && breadth_create(g, &c->breadth) &&
        growth_create(g, c->cluster, &c->growth))
        return true;
    destroy(c);
    return false;
}

static int size_of(const graph* g, int node) { return g->offset[node + 1] - g->offset[node]; }

// Distances are whole multiples of 1 / UNIT, so that sums do not depend on the order of their terms
// and ties are ties. All numbers up to 16 divide it: exact for constraints of up to 8 particles.
static const int64_t UNIT = (int64_t)720720 << 10;

// 1 - d of equation 15.
static int64_t similarity(const graph* g, int node, candidate a)
{
    return a.shared * UNIT / (size_of(g, node) + size_of(g, a.node) - a.shared);
}

static int64_t sum_of_distances(clustering* c, int node)
{
    growth_begin(&c->growth, node);
    int64_t sum = c->growth.candidate_count * UNIT;
    for (int i = 0; i < c->growth.candidate_count; ++i)
        sum -= similarity(c->g, node, c->growth.candidate[i]);
    return sum;
}

// Equation 16: the first unclaimed node with the smallest sum of distances to its unclaimed
// neighbors, of all components at once, because claims in one change nothing in another.
static void find_seeds(clustering* c)
{
    for (int i = 0; i < c->component_count; ++i) c->seed[i] = -1;
    for (int j = 0; j < c->g->node_count; ++j) {
        if (c->cluster[j] >= 0) continue;
        int component = c->component[j];
        int64_t sum = sum_of_distances(c, j);
        if (c->seed[component] >= 0 && c->seed_sum[component] <= sum) continue;
        c->seed[component] = j;
        c->seed_sum[component] = sum;
    }
}

static void claim(clustering* c, int node)
{
    c->cluster[node] = c->cluster_count;
    c->claimed++;
}

// Makes a cluster of `size` nodes, or less; returns `size` if it did. Otherwise nothing is claimed,
// and the size that can be reached is returned.
typedef int grow_fn(clustering* c, int node, int size);

static int grow_nearest(clustering* c, int node, int size)
{
    growth* w = &c->growth;
    growth_begin(w, node);
    int reach = w->candidate_count + 1;
    if (reach < size) return reach;
    for (int i = 0; i < w->candidate_count; ++i)
        w->candidate[i].closeness = similarity(c->g, node, w->candidate[i]);
    claim(c, node);
    for (int count = 1; count < size; ++count) claim(c, growth_take_closest(w));
    c->cluster_count++;
    return size;
}

// Takes neighbors of all members. The cluster remains smaller than `size` only where it has no
// unclaimed neighbor left; a later pass would make the same cluster, hence nothing is undone.
static int grow_compact(clustering* c, int node, int size)
{
    growth* w = &c->growth;
    growth_begin(w, node);
    claim(c, node);
    for (int count = 1; count < size && w->candidate_count > 0; ++count) {
        int next = growth_take_closest(w);
        claim(c, next);
        growth_absorb(w, next);
    }
    c->cluster_count++;
    return size;
}

enum { CLUSTERS_PER_TICK = 1 << 12 };

static bool goes_on(clustering* c)
{
    if (c->cluster_count % CLUSTERS_PER_TICK == 0) c->ended = !watcher_tick(c->g->watch);
    return !c->ended;
}

// One pass over all components. Returns the largest size that a node left over can reach: passes
// with sizes in between would find nothing.
static int make_clusters(clustering* c, grow_fn* grow, int size)
{
    int most = 0;
    find_seeds(c);
    breadth_begin_sweep(&c->breadth);
    for (int component = 0; component < c->component_count; ++component) {
        if (c->seed[component] < 0) continue;
        int count = breadth_traverse(&c->breadth, c->seed[component]);
        for (int i = 0; i < count && !c->ended; ++i) {
            int node = c->breadth.queue[i];
            if (c->cluster[node] >= 0 || !goes_on(c)) continue;
            int reach = grow(c, node, size);
            if (reach < size && reach > most) most = reach;
        }
    }
    return most;
}

// False: it was ended.
static bool make_all_clusters(clustering* c, grow_fn* grow, int most_nodes)
{
    int n = c->g->node_count;
    for (int j = 0; j < n; ++j) c->cluster[j] = -1;
    c->component_count = breadth_components(&c->breadth, c->component);
    int size = most_nodes < n ? most_nodes : n;
    while (c->claimed < n && !c->ended) size = make_clusters(c, grow, size);
    return !c->ended;
}

// Node i of the clustering is order[i] outside. Clusters get the numbers of their first nodes.
static void number_clusters(const clustering* c, const int* order, int* number, int* out_cluster)
{
    int n = c->g->node_count, next = 0;
    for (int i = 0; i < n; ++i) {
        out_cluster[order ? order[i] : i] = c->cluster[i];
        number[i] = -1;
    }
    for (int i = 0; i < n; ++i) {
        int old = out_cluster[i];
        if (number[old] < 0) number[old] = next++;
        out_cluster[i] = number[old];
    }
}

static int cluster(const graph* g, grow_fn* grow, int most_nodes, const int* order,
                   int* out_cluster)
{
    graph reordered = {0};
    if (order) {
        if (!graph_reorder(g, order, &reordered)) return -1;
        g = &reordered;
    }
    clustering c;
    int count = -1;
    if (create(g, &c)) {
        if (make_all_clusters(&c, grow, most_nodes)) {
            number_clusters(&c, order, c.seed, out_cluster);
            count = c.cluster_count;
        }
        destroy(&c);
    }
    graph_destroy(&reordered);
    return count;
}

int graph_cluster(const graph* g, int most_nodes, const int* order, int* out_cluster)
{
    return cluster(g, grow_nearest, most_nodes, order, out_cluster);
}

int graph_cluster_compact(const graph* g, int most_nodes, const int* order, int* out_cluster)
{
    return cluster(g, grow_compact, most_nodes, order, out_cluster);
}

// Most clusters at one particle, or -1 when memory runs out: no coloring has fewer colors.
static int clique_of_clusters(const graph* g, const int* cluster_of, int cluster_count)
{
    graph contracted;
    if (!graph_contract(g, cluster_of, cluster_count, &contracted)) return -1;
    int clique = graph_clique(&contracted);
    graph_destroy(&contracted);
    return clique;
}

int graph_cluster_best(const graph* g, int most_nodes, int* out_cluster)
{
    size_t bytes = (size_t)g->node_count * sizeof(int);
    int* order = mem_alloc(bytes);
    int* other = mem_alloc(bytes);
    int count = -1, other_count = -1, clique = -1, other_clique = -1;
    if (order && other && graph_order_smallest_last(g, order)) {
        count = graph_cluster_compact(g, most_nodes, NULL, out_cluster);
        other_count = graph_cluster_compact(g, most_nodes, order, other);
    }
    if (count >= 0 && other_count >= 0) {
        clique = clique_of_clusters(g, out_cluster, count);
        other_clique = clique_of_clusters(g, other, other_count);
    }
    if (other_clique < clique) {
        memcpy(out_cluster, other, bytes);
        count = other_count;
    }
    mem_free(other);
    mem_free(order);
    return clique < 0 || other_clique < 0 ? -1 : count;
}

int graph_cluster_neighbors(const graph* g, int most_nodes, int* out_cluster)
{
    int* order = (int*)mem_array((size_t)g->node_count, sizeof(int));
    int count = -1;
    if (order && graph_order_smallest_last(g, order))
        count = graph_cluster(g, most_nodes, order, out_cluster);
    mem_free(order);
    return count;
}
