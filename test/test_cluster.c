// Clusters of constraints: Algorithm 4 of the 2022 paper and the compact variant.
#include "graph/breadth.h"
#include "graph_samples.h"

typedef int cluster_fn(const graph* g, int most_nodes, const int* order, int* out_cluster);
static cluster_fn* const methods[2] = {graph_cluster, graph_cluster_compact};

// All nodes are in a cluster, sizes are 1 to most_nodes, numbers go by the lowest node.
static void check_clusters(const graph* g, const int* cluster, int count, int most_nodes)
{
    int* size = sample_ints(count);
    int next = 0;
    for (int c = 0; c < count; ++c) size[c] = 0;
    for (int j = 0; j < g->node_count; ++j) {
        assert_in_range(cluster[j], 0, next);
        next += cluster[j] == next;
        size[cluster[j]]++;
    }
    assert_int_equal(next, count);
    for (int c = 0; c < count; ++c) CHECK_BETWEEN(size[c], 1, most_nodes);
    mem_free(size);
}

static void clusters_cover_all_nodes_once_and_keep_to_their_size(void** state)
{
    (void)state;
    const int sizes[] = {1, 2, 5, 12, 1000000};
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        int *order = sample_ints(g.node_count), *cluster = sample_ints(g.node_count);
        assert_true(graph_order_smallest_last(&g, order));
        for (int m = 0; m < 2; ++m)
            for (int k = 0; k < 5; ++k)
                for (int ordered = 0; ordered < 2; ++ordered) {
                    int count = methods[m](&g, sizes[k], ordered ? order : NULL, cluster);
                    check_clusters(&g, cluster, count, sizes[k]);
                }
        mem_free(cluster);
        mem_free(order);
        graph_destroy(&g);
    }
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static void clusters_of_one_node_are_the_nodes(void** state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s), contracted;
        int* cluster = sample_ints(g.node_count);
        for (int m = 0; m < 2; ++m) {
            assert_int_equal(methods[m](&g, 1, NULL, cluster), g.node_count);
            for (int j = 0; j < g.node_count; ++j) assert_int_equal(cluster[j], j);
            assert_true(graph_contract(&g, cluster, g.node_count, &contracted));
            size_t incidences = (size_t)g.offset[g.node_count];
            assert_int_equal(contracted.offset[g.node_count], incidences);
            assert_memory_equal(contracted.particle, g.particle, incidences * sizeof(int));
            graph_destroy(&contracted);
        }
        mem_free(cluster);
        graph_destroy(&g);
    }
}

// Figure 3 of the 2022 paper. Its mesh is not printed in numbers; this one fits all of the caption:
// four squares, each cut by the same diagonal. Node 1 has the neighbors 2, 4 and 5. Node 3 is
// adjacent to all nodes but 1. Breadth first from 1 gives 1, 2, 4, 5, 3, 6, 8, 7: the corner 7 is
// last because nothing before 3 touches it. 1 and 7 have the smallest sum of distances (2.1, the
// others 3.9 or 4.2), and 1 is first.
//
//     6-------7-------8
//     | \  6  | \  7  |
//     |  5  \ |  8  \ |
//     3-------4-------5
//     | \  2  | \  3  |
//     |  1  \ |  4  \ |
//     0-------1-------2
static const int figure3[8][3] = {{0, 1, 3}, {1, 4, 3}, {2, 5, 4}, {1, 2, 4},
                                  {3, 4, 6}, {4, 7, 6}, {5, 8, 7}, {4, 5, 7}};

static void figure_3_is_traversed_as_in_the_paper(void** state)
{
    (void)state;
    graph g = sample_of_elements(8, 9, 3, &figure3[0][0]);
    breadth b;
    assert_true(breadth_create(&g, &b));
    breadth_begin_sweep(&b);
    const int expected[8] = {0, 1, 3, 4, 2, 5, 7, 6};
    assert_int_equal(breadth_traverse(&b, 0), 8);
    assert_memory_equal(b.queue, expected, sizeof expected);
    breadth_destroy(&b);
    graph_destroy(&g);
}

static void figure_3_is_clustered_as_in_the_paper(void** state)
{
    (void)state;
    graph g = sample_of_elements(8, 9, 3, &figure3[0][0]);
    int cluster[8];
    const int expected[8] = {0, 0, 1, 0, 0, 1, 1, 1};
    assert_int_equal(graph_cluster(&g, 4, NULL, cluster), 2);
    assert_memory_equal(cluster, expected, sizeof expected);
    graph_destroy(&g);
}

// ---- Algorithm 4 as printed, with all distances in a table --------------------------------------

enum { SMALL = 40, UNITS = 840 }; // distances of nodes with up to 4 particles are whole in 1/840

typedef struct {
    int count;
    int distance[SMALL][SMALL]; // UNITS: not neighbors
    int cluster[SMALL];         // -1: unclaimed
    bool reached[SMALL];
} printed;

static void measure(const graph* g, printed* a)
{
    a->count = g->node_count;
    for (int j = 0; j < a->count; ++j)
        for (int k = 0; k < a->count; ++k) {
            int shared = 0,
                joint = g->offset[j + 1] - g->offset[j] + g->offset[k + 1] - g->offset[k];
            for (int i = g->offset[j]; i < g->offset[j + 1]; ++i)
                for (int l = g->offset[k]; l < g->offset[k + 1]; ++l)
                    shared += g->particle[i] == g->particle[l];
            a->distance[j][k] = shared ? UNITS - UNITS * shared / (joint - shared) : UNITS;
        }
    for (int j = 0; j < a->count; ++j) {
        a->cluster[j] = -1;
        a->distance[j][j] = UNITS;
    }
}

// Equation 16 over the nodes that this pass has not reached; -1 when there is none.
static int printed_seed(const printed* a)
{
    int best = -1, best_sum = 0;
    for (int j = 0; j < a->count; ++j) {
        if (a->cluster[j] >= 0 || a->reached[j]) continue;
        int sum = 0;
        for (int k = 0; k < a->count; ++k)
            if (a->cluster[k] < 0 && a->distance[j][k] < UNITS) sum += a->distance[j][k];
        if (best >= 0 && sum >= best_sum) continue;
        best = j;
        best_sum = sum;
    }
    return best;
}

static int printed_traversal(printed* a, int seed, int* queue)
{
    int count = 1;
    queue[0] = seed;
    a->reached[seed] = true;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < a->count; ++k) {
            if (a->reached[k] || a->distance[queue[i]][k] == UNITS) continue;
            a->reached[k] = true;
            queue[count++] = k;
        }
    return count;
}

// Claims node and neighbors for `cluster`, and undoes it when they are too few.
static bool printed_claim(printed* a, int node, int size, int cluster)
{
    int members = 1;
    a->cluster[node] = cluster;
    for (int d = 0; d < UNITS; ++d)
        for (int k = 0; k < a->count; ++k)
            if (a->distance[node][k] == d && a->cluster[k] < 0 && members < size) {
                a->cluster[k] = cluster;
                members++;
            }
    if (members == size) return true;
    for (int k = 0; k < a->count; ++k)
        if (a->cluster[k] == cluster) a->cluster[k] = -1;
    return false;
}

static int printed_algorithm(const graph* g, int most_nodes, printed* a)
{
    int clusters = 0, queue[SMALL];
    measure(g, a);
    for (int size = most_nodes; size >= 1; --size) {
        memset(a->reached, 0, sizeof a->reached);
        for (int seed = printed_seed(a); seed >= 0; seed = printed_seed(a)) {
            int count = printed_traversal(a, seed, queue);
            for (int i = 0; i < count; ++i)
                if (a->cluster[queue[i]] < 0)
                    clusters += printed_claim(a, queue[i], size, clusters);
        }
    }
    return clusters;
}

static void check_same_clusters(const int* a, const int* b, int count)
{
    for (int j = 0; j < count; ++j)
        for (int k = 0; k < j; ++k) assert_int_equal(a[j] == a[k], b[j] == b[k]);
}

static void clustering_is_algorithm_4_as_printed(void** state)
{
    (void)state;
    static printed a;
    int cluster[SMALL], connected = 0, runs = by_scope(45, 100, 300);
    for (int run = 0; run < runs; ++run) {
        graph g = sample_random(SMALL - run % 3, 15 + run % 60, 4, (uint64_t)run);
        int most_nodes = 1 + run % 9;
        int expected = printed_algorithm(&g, most_nodes, &a);
        assert_int_equal(graph_cluster(&g, most_nodes, NULL, cluster), expected);
        check_same_clusters(cluster, a.cluster, g.node_count);
        connected += expected < g.node_count;
        graph_destroy(&g);
    }
    assert_true(3 * connected > 2 * runs);
}

// Claims for `cluster` what the compact variant promises: one after the other the node with the
// highest sum, over the particles that it shares with the cluster, of the nodes there.
static void compact_claim(const graph* g, printed* a, int node, int size, int cluster)
{
    a->cluster[node] = cluster;
    for (int members = 1; members < size; ++members) {
        int best = -1, best_sum = 0;
        for (int k = 0; k < a->count; ++k) {
            if (a->cluster[k] >= 0) continue;
            int sum = 0;
            for (int i = g->offset[k]; i < g->offset[k + 1]; ++i) {
                int first = g->node_offset[g->particle[i]];
                int end = g->node_offset[g->particle[i] + 1];
                bool shared = false;
                for (int n = first; n < end; ++n) shared |= a->cluster[g->node[n]] == cluster;
                if (shared) sum += end - first;
            }
            if (sum <= best_sum) continue;
            best = k;
            best_sum = sum;
        }
        if (best < 0) return;
        a->cluster[best] = cluster;
    }
}

static void compact_clustering_takes_the_closest_to_the_whole_cluster(void** state)
{
    (void)state;
    static printed a;
    int cluster[SMALL], queue[SMALL];
    for (int run = 0; run < 300; ++run) {
        graph g = sample_random(SMALL - run % 3, 15 + run % 60, 4, (uint64_t)run);
        int most_nodes = 1 + run % 9, expected = 0;
        measure(&g, &a);
        memset(a.reached, 0, sizeof a.reached);
        for (int seed = printed_seed(&a); seed >= 0; seed = printed_seed(&a)) {
            int count = printed_traversal(&a, seed, queue);
            for (int i = 0; i < count; ++i)
                if (a.cluster[queue[i]] < 0)
                    compact_claim(&g, &a, queue[i], most_nodes, expected++);
        }
        assert_int_equal(graph_cluster_compact(&g, most_nodes, NULL, cluster), expected);
        check_same_clusters(cluster, a.cluster, g.node_count);
        graph_destroy(&g);
    }
}

// ---- counts -------------------------------------------------------------------------------------

static int colors_of_clusters(const graph* g, const int* cluster, int count)
{
    graph contracted;
    int* color = sample_ints(count);
    assert_true(graph_contract(g, cluster, count, &contracted));
    int colors = graph_color_best(&contracted, color);
    check_coloring(&contracted, color, colors);
    graph_destroy(&contracted);
    mem_free(color);
    return colors;
}

static void clusters_of_5_color_a_beam_of_3780_tets_with_few_colors(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){21, 6, 6}, 5, NULL);
    int *order = sample_ints(g.node_count), *cluster = sample_ints(g.node_count);
    assert_true(graph_order_smallest_last(&g, order));
    int count = graph_cluster(&g, 5, NULL, cluster);
    CHECK_BETWEEN(count, 756, 800);
    CHECK_BETWEEN(colors_of_clusters(&g, cluster, count), 8, 18);
    count = graph_cluster(&g, 5, order, cluster);
    CHECK_BETWEEN(count, 756, 800);
    CHECK_BETWEEN(colors_of_clusters(&g, cluster, count), 8, 20);
    count = graph_cluster_best(&g, 5, cluster);
    check_clusters(&g, cluster, count, 5);
    CHECK_BETWEEN(count, 756, 770);
    CHECK_BETWEEN(colors_of_clusters(&g, cluster, count), 8, 15);
    mem_free(cluster);
    mem_free(order);
    graph_destroy(&g);
}

static int clique_of_clusters(const graph* g, const int* cluster, int count)
{
    graph contracted;
    assert_true(graph_contract(g, cluster, count, &contracted));
    int clique = graph_clique(&contracted);
    graph_destroy(&contracted);
    return clique;
}

static void best_clusters_crowd_no_particle_more_than_either_order(void** state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        int *order = sample_ints(g.node_count), *cluster = sample_ints(g.node_count);
        assert_true(graph_order_smallest_last(&g, order));
        int count = graph_cluster_best(&g, 5, cluster);
        check_clusters(&g, cluster, count, 5);
        int best = clique_of_clusters(&g, cluster, count);
        for (int ordered = 0; ordered < 2; ++ordered) {
            count = graph_cluster_compact(&g, 5, ordered ? order : NULL, cluster);
            assert_true(best <= clique_of_clusters(&g, cluster, count));
        }
        mem_free(cluster);
        mem_free(order);
        graph_destroy(&g);
    }
}

// A chain of 7 nodes can be cut into 4 + 3.
static void compact_clusters_leave_no_crumbs_in_separate_chains(void** state)
{
    (void)state;
    graph g = sample_chains(300, 7);
    int* cluster = sample_ints(g.node_count);
    assert_int_equal(graph_cluster_compact(&g, 4, NULL, cluster), 600);
    assert_int_equal(colors_of_clusters(&g, cluster, 600), 2);
    mem_free(cluster);
    graph_destroy(&g);
}

static void a_star_of_700_has_140_clusters_of_5(void** state)
{
    (void)state;
    graph g = sample_star(700);
    int* cluster = sample_ints(g.node_count);
    for (int m = 0; m < 2; ++m) {
        assert_int_equal(methods[m](&g, 5, NULL, cluster), 140);
        assert_int_equal(colors_of_clusters(&g, cluster, 140), 140);
    }
    mem_free(cluster);
    graph_destroy(&g);
}

// ---- memory -------------------------------------------------------------------------------------

static void* allocate_some(size_t bytes, size_t alignment, void* context)
{
    int* left = context;
    return (*left)-- > 0 ? aligned_alloc(alignment, bytes) : NULL;
}

static void release(void* memory, void* context)
{
    (void)context;
    free(memory);
}

// Every function once; false when one of them ran out of memory. Arrays are the caller's.
static bool run_all(int* cluster, int* color)
{
    const int offset[] = {0, 2, 4, 6, 8, 10, 12, 14};
    const int particle[] = {0, 1, 1, 2, 0, 2, 2, 3, 3, 4, 4, 0, 5, 6}; // a five-cycle with a chord
    const int order[] = {6, 5, 4, 3, 2, 1, 0};
    graph g = {0}, contracted = {0}, reordered = {0};
    bool done =
        graph_create(7, 7, offset, particle, &g) && graph_cluster(&g, 2, order, cluster) > 0;
    int count = done ? graph_cluster_best(&g, 2, cluster) : -1;
    done = count > 0 && graph_contract(&g, cluster, count, &contracted) &&
           graph_reorder(&g, order, &reordered) && graph_color_best(&contracted, color) > 0 &&
           graph_color_best(&g, color) > 0 && graph_recolor(&g, 1, 7, color) > 0;
    graph_destroy(&reordered);
    graph_destroy(&contracted);
    graph_destroy(&g);
    return done;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void** state)
{
    (void)state;
    int left, cluster[7], color[7], failures = 0;
    pliant_allocator few = {allocate_some, release, &left};
    pliant_set_allocator(&few);
    bool done = false;
    for (; !done && failures < 1000; failures += !done) {
        left = failures;
        done = run_all(cluster, color);
        assert_int_equal(pliant_allocated_bytes(), 0);
    }
    pliant_set_allocator(NULL);
    assert_true(done);
    CHECK_BETWEEN(failures, 50, 999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_cover_all_nodes_once_and_keep_to_their_size),
        cmocka_unit_test(clusters_of_one_node_are_the_nodes),
        cmocka_unit_test(figure_3_is_traversed_as_in_the_paper),
        cmocka_unit_test(figure_3_is_clustered_as_in_the_paper),
        cmocka_unit_test(clustering_is_algorithm_4_as_printed),
        cmocka_unit_test(compact_clustering_takes_the_closest_to_the_whole_cluster),
        cmocka_unit_test(clusters_of_5_color_a_beam_of_3780_tets_with_few_colors),
        cmocka_unit_test(best_clusters_crowd_no_particle_more_than_either_order),
        cmocka_unit_test(compact_clusters_leave_no_crumbs_in_separate_chains),
        cmocka_unit_test(a_star_of_700_has_140_clusters_of_5),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
