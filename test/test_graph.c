// The constraint graph: lists, contraction, ordering, coloring.
#include "graph_samples.h"

static const int beam_cells[3] = {21, 6, 6};

static void check_nothing_is_held(void) { assert_int_equal(pliant_allocated_bytes(), 0); }

static void check_ascending(const int* value, int first, int end)
{
    for (int i = first + 1; i < end; ++i) assert_true(value[i - 1] < value[i]);
}

static bool contains(const int* value, int first, int end, int wanted)
{
    for (int i = first; i < end; ++i)
        if (value[i] == wanted) return true;
    return false;
}

static void lists_are_sorted_without_repeats_and_mirror_each_other(void** state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        assert_int_equal(g.offset[g.node_count], g.node_offset[g.particle_count]);
        for (int j = 0; j < g.node_count; ++j) {
            check_ascending(g.particle, g.offset[j], g.offset[j + 1]);
            for (int i = g.offset[j]; i < g.offset[j + 1]; ++i) {
                int p = g.particle[i];
                assert_true(contains(g.node, g.node_offset[p], g.node_offset[p + 1], j));
            }
        }
        for (int p = 0; p < g.particle_count; ++p)
            check_ascending(g.node, g.node_offset[p], g.node_offset[p + 1]);
        graph_destroy(&g);
    }
    check_nothing_is_held();
}

static void creation_keeps_each_nodes_particles(void** state)
{
    (void)state;
    const int offset[] = {0, 3, 3, 7}, particle[] = {5, 1, 5, 2, 0, 2, 2};
    graph g;
    assert_true(graph_create(3, 6, offset, particle, &g));
    const int expected_offset[] = {0, 2, 2, 4}, expected[] = {1, 5, 0, 2};
    assert_memory_equal(g.offset, expected_offset, sizeof expected_offset);
    assert_memory_equal(g.particle, expected, sizeof expected);
    graph_destroy(&g);
}

static void contraction_has_exactly_the_union_of_the_members_particles(void** state)
{
    (void)state;
    enum { CLUSTERS = 37 };
    graph g = sample_random(500, 200, 5, 3), contracted;
    random_source r = {4};
    int* cluster = sample_ints(g.node_count);
    for (int j = 0; j < g.node_count; ++j) cluster[j] = random_index(&r, CLUSTERS - 1);
    bool expected[CLUSTERS][200] = {{false}}; // the last cluster has no members
    int total = 0;
    for (int j = 0; j < g.node_count; ++j)
        for (int i = g.offset[j]; i < g.offset[j + 1]; ++i) {
            total += !expected[cluster[j]][g.particle[i]];
            expected[cluster[j]][g.particle[i]] = true;
        }
    assert_true(graph_contract(&g, cluster, CLUSTERS, &contracted));
    assert_int_equal(contracted.node_count, CLUSTERS);
    assert_int_equal(contracted.offset[CLUSTERS], total);
    for (int c = 0; c < CLUSTERS; ++c)
        for (int i = contracted.offset[c]; i < contracted.offset[c + 1]; ++i)
            assert_true(expected[c][contracted.particle[i]]);
    mem_free(cluster);
    graph_destroy(&contracted);
    graph_destroy(&g);
    check_nothing_is_held();
}

static void reordering_moves_nodes_and_nothing_else(void** state)
{
    (void)state;
    const int offset[] = {0, 1, 3, 6}, particle[] = {4, 0, 1, 1, 2, 3}, order[] = {2, 0, 1};
    graph g, moved;
    assert_true(graph_create(3, 5, offset, particle, &g));
    assert_true(graph_reorder(&g, order, &moved));
    const int expected_offset[] = {0, 3, 4, 6}, expected[] = {1, 2, 3, 4, 0, 1};
    assert_memory_equal(moved.offset, expected_offset, sizeof expected_offset);
    assert_memory_equal(moved.particle, expected, sizeof expected);
    graph_destroy(&moved);
    graph_destroy(&g);
}

static void clique_is_the_highest_valence(void** state)
{
    (void)state;
    const int expected[] = {0, 0, 1, 1, 2, 700};
    for (int s = 0; s < 6; ++s) {
        graph g = sample(s);
        assert_int_equal(graph_clique(&g), expected[s]);
        graph_destroy(&g);
    }
    graph beam = sample_box(beam_cells, 5, NULL);
    assert_int_equal(graph_clique(&beam), 32);
    graph_destroy(&beam);
}

// Neighbors of `node` among the nodes with a place up to `last` in the order, by brute force.
static int degree_up_to(const graph* g, const int* place, int node, int last)
{
    int degree = 0;
    for (int j = 0; j < g->node_count; ++j) {
        if (j == node || place[j] > last) continue;
        bool shares = false;
        for (int i = g->offset[j]; i < g->offset[j + 1] && !shares; ++i)
            shares = contains(g->particle, g->offset[node], g->offset[node + 1], g->particle[i]);
        degree += shares;
    }
    return degree;
}

static void check_smallest_last(const graph* g)
{
    int n = g->node_count;
    int *order = sample_ints(n), *place = sample_ints(n);
    assert_true(graph_order_smallest_last(g, order));
    for (int j = 0; j < n; ++j) place[j] = -1;
    for (int i = 0; i < n; ++i) {
        assert_in_range(order[i], 0, n - 1);
        assert_int_equal(place[order[i]], -1);
        place[order[i]] = i;
    }
    for (int last = n - 1; last >= 0; --last) {
        int degree = degree_up_to(g, place, order[last], last);
        for (int i = 0; i < last; ++i)
            assert_true(degree <= degree_up_to(g, place, order[i], last));
    }
    mem_free(place);
    mem_free(order);
}

static void smallest_last_takes_the_smallest_degree_at_every_step(void** state)
{
    (void)state;
    for (int density = 0; density < 4; ++density) {
        graph g = sample_random(60, 10 << density, 4, (uint64_t)density);
        check_smallest_last(&g);
        graph_destroy(&g);
    }
    graph chains = sample_chains(3, 9);
    check_smallest_last(&chains);
    graph_destroy(&chains);
    check_nothing_is_held();
}

// A triangle of nodes 0, 1, 2 with the tail 2 - 3 - 4: the tail is last, its end at the very end.
static void smallest_last_of_a_triangle_with_a_tail(void** state)
{
    (void)state;
    const int offset[] = {0, 2, 4, 7, 9, 10}, particle[] = {0, 1, 1, 2, 0, 2, 3, 3, 4, 4};
    graph g;
    assert_true(graph_create(5, 5, offset, particle, &g));
    int order[5];
    assert_true(graph_order_smallest_last(&g, order));
    assert_int_equal(order[4], 4);
    assert_int_equal(order[3], 3);
    graph_destroy(&g);
}

// What graph_color promises, written as directly as possible.
static void plain_first_fit(const graph* g, const int* order, int* out_color)
{
    int n = g->node_count;
    int* seen = sample_ints(n + 1);
    for (int j = 0; j <= n; ++j) seen[j] = -1;
    for (int j = 0; j < n; ++j) out_color[j] = n;
    for (int o = 0; o < n; ++o) {
        int node = order ? order[o] : o, color = 0;
        for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
            int p = g->particle[i];
            for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k)
                seen[out_color[g->node[k]]] = node;
        }
        while (seen[color] == node) ++color;
        out_color[node] = color;
    }
    mem_free(seen);
}

static void coloring_is_first_fit_for_any_number_of_colors(void** state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        size_t bytes = (size_t)g.node_count * sizeof(int);
        int *order = sample_ints(g.node_count), *color = sample_ints(g.node_count);
        int* expected = sample_ints(g.node_count);
        assert_true(graph_order_smallest_last(&g, order));
        for (int ordered = 0; ordered < 2; ++ordered) {
            int count = graph_color(&g, ordered ? order : NULL, color);
            plain_first_fit(&g, ordered ? order : NULL, expected);
            check_coloring(&g, color, count);
            assert_memory_equal(color, expected, bytes);
        }
        mem_free(expected);
        mem_free(color);
        mem_free(order);
        graph_destroy(&g);
    }
    check_nothing_is_held();
}

static void recoloring_never_needs_more_colors(void** state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        int* color = sample_ints(g.node_count);
        int count = graph_color(&g, NULL, color);
        for (int pass = 0; pass < 4; ++pass) {
            int fewer = graph_recolor(&g, 1, count, color);
            assert_true(fewer <= count);
            check_coloring(&g, color, fewer);
            count = fewer;
        }
        mem_free(color);
        graph_destroy(&g);
    }
}

static void extent(const int* color, int nodes, int count, int* out_least, int* out_most)
{
    int* size = sample_ints(count);
    for (int c = 0; c < count; ++c) size[c] = 0;
    for (int j = 0; j < nodes; ++j) size[color[j]]++;
    *out_least = nodes;
    *out_most = 0;
    for (int c = 0; c < count; ++c) {
        if (size[c] < *out_least) *out_least = size[c];
        if (size[c] > *out_most) *out_most = size[c];
    }
    mem_free(size);
}

static void balancing_narrows_the_sizes_of_colors(void** state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        int* color = sample_ints(g.node_count);
        int count = graph_color(&g, NULL, color), least, most, new_least, new_most;
        extent(color, g.node_count, count, &least, &most);
        assert_true(graph_balance(&g, 1, count, color));
        check_coloring(&g, color, count);
        extent(color, g.node_count, count, &new_least, &new_most);
        assert_true(new_least >= least);
        assert_true(new_most <= most);
        mem_free(color);
        graph_destroy(&g);
    }
}

static void colors_of_a_beam_have_the_same_size_within_a_tenth(void** state)
{
    (void)state;
    graph beam = sample_box(beam_cells, 5, NULL);
    int* color = sample_ints(beam.node_count);
    int count = graph_color_best(&beam, color), least, most;
    extent(color, beam.node_count, count, &least, &most);
    double mean = (double)beam.node_count / count;
    CHECK_BETWEEN(least, 0.9 * mean, mean);
    CHECK_BETWEEN(most, mean, 1.1 * mean);
    mem_free(color);
    graph_destroy(&beam);
}

// Also with more colors than one set of the balance holds.
static void balancing_fills_colors_that_had_no_node(void** state)
{
    (void)state;
    enum { PASSES = 8 };
    static const int more[] = {50, 64, 65, 100, 200};
    graph beam = sample_box(beam_cells, 5, NULL);
    int* color = sample_ints(beam.node_count);
    for (int i = 0; i < 5; ++i) {
        int least, most, mean = beam.node_count / more[i];
        assert_true(graph_color_best(&beam, color) < more[i]);
        assert_true(graph_balance(&beam, PASSES, more[i], color));
        check_coloring(&beam, color, more[i]);
        extent(color, beam.node_count, more[i], &least, &most);
        CHECK_BETWEEN(least, mean - 1, mean);
        CHECK_BETWEEN(most, mean, mean + 2);
    }
    mem_free(color);
    graph_destroy(&beam);
}

static void best_coloring_is_valid_and_no_worse_than_smallest_last(void** state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        int *order = sample_ints(g.node_count), *color = sample_ints(g.node_count);
        assert_true(graph_order_smallest_last(&g, order));
        int count = graph_color(&g, order, color);
        int best = graph_color_best(&g, color);
        check_coloring(&g, color, best);
        assert_true(best <= count);
        mem_free(color);
        mem_free(order);
        graph_destroy(&g);
    }
}

static void a_beam_of_3780_tets_needs_at_most_35_colors(void** state)
{
    (void)state;
    graph beam = sample_box(beam_cells, 5, NULL);
    assert_int_equal(beam.node_count, 3780);
    int* color = sample_ints(beam.node_count);
    CHECK_BETWEEN(graph_color_best(&beam, color), 32, 35);
    mem_free(color);
    graph_destroy(&beam);
}

static void cells_of_a_box_need_8_colors(void** state)
{
    (void)state;
    const int boxes[3][3] = {{21, 6, 6}, {2, 3, 5}, {10, 9, 8}};
    for (int b = 0; b < 3; ++b)
        for (int tets = 5; tets <= 6; ++tets) {
            int cells = boxes[b][0] * boxes[b][1] * boxes[b][2];
            int *cell = sample_ints(cells * tets), *color = sample_ints(cells);
            graph g = sample_box(boxes[b], tets, cell), contracted;
            assert_true(graph_contract(&g, cell, cells, &contracted));
            assert_int_equal(graph_color(&contracted, NULL, color), 8);
            assert_int_equal(graph_color_best(&contracted, color), 8);
            check_coloring(&contracted, color, 8);
            graph_destroy(&contracted);
            graph_destroy(&g);
            mem_free(color);
            mem_free(cell);
        }
    check_nothing_is_held();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_sorted_without_repeats_and_mirror_each_other),
        cmocka_unit_test(creation_keeps_each_nodes_particles),
        cmocka_unit_test(contraction_has_exactly_the_union_of_the_members_particles),
        cmocka_unit_test(reordering_moves_nodes_and_nothing_else),
        cmocka_unit_test(clique_is_the_highest_valence),
        cmocka_unit_test(smallest_last_takes_the_smallest_degree_at_every_step),
        cmocka_unit_test(smallest_last_of_a_triangle_with_a_tail),
        cmocka_unit_test(coloring_is_first_fit_for_any_number_of_colors),
        cmocka_unit_test(recoloring_never_needs_more_colors),
        cmocka_unit_test(balancing_narrows_the_sizes_of_colors),
        cmocka_unit_test(colors_of_a_beam_have_the_same_size_within_a_tenth),
        cmocka_unit_test(balancing_fills_colors_that_had_no_node),
        cmocka_unit_test(best_coloring_is_valid_and_no_worse_than_smallest_last),
        cmocka_unit_test(a_beam_of_3780_tets_needs_at_most_35_colors),
        cmocka_unit_test(cells_of_a_box_need_8_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
