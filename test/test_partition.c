// Patches: cover, limits, connectivity, quality, same results, memory.
#include "partition/partition.h"

#include "failing.h"
#include "graph_samples.h"

// Patches of a graph, checked for what always holds: all are used, none is beyond its limits.
static int* partition_checked(const graph* g, partition_settings s, partition_quality* out)
{
    int* patch = sample_ints(g->node_count);
    int count = graph_partition(g, &s, patch);
    assert_in_range(count, g->node_count > 0, g->node_count);
    for (int j = 0; j < g->node_count; ++j) assert_in_range(patch[j], 0, count - 1);
    assert_true(graph_partition_measure(g, patch, count, out));
    assert_int_equal(out->patches, count);
    if (count > 0 && out->smallest < 1) fail_msg("an empty patch of %d", count);
    return patch;
}

static void every_patch_keeps_to_its_limits(void** state)
{
    (void)state;
    const partition_settings settings[] = {{1, 1000},  {2, 1000},  {7, 1000}, {60, 1000},
                                           {250, 120}, {1000, 30}, {5000, 9}};
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        for (int k = by_scope(s % 2, s % 2, 0); k < 7; k += by_scope(2, 2, 1)) {
            partition_quality q;
            mem_free(partition_checked(&g, settings[k], &q));
            if (q.largest > settings[k].most_nodes || q.most_particles > settings[k].most_particles)
                fail_msg("sample %d: %d nodes of %d, %d particles of %d", s, q.largest,
                         settings[k].most_nodes, q.most_particles, settings[k].most_particles);
        }
        graph_destroy(&g);
    }
    assert_int_equal(pliant_allocated_bytes(), 0);
}

// A node with more particles than a patch may have is a patch by itself.
static void a_node_beyond_the_limits_is_alone(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){3, 3, 3}, 5, NULL);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){100, 3}, &q));
    assert_int_equal(q.patches, g.node_count);
    assert_int_equal(q.most_particles, 4);
    graph_destroy(&g);
}

static void patches_of_connected_graphs_are_connected(void** state)
{
    (void)state;
    const int connected[] = {2, 5, 9, 10, 11}, sizes[] = {1, 2, 7, 60, 250};
    for (int s = 0; s < 5; ++s) {
        graph g = sample(connected[s]);
        if (connected[s] == 9) { // the random one has nodes without particles
            graph_destroy(&g);
            g = sample_box((int[3]){30, 2, 1}, 6, NULL);
        }
        for (int k = 0; k < 5; ++k) {
            partition_quality q;
            mem_free(partition_checked(&g, (partition_settings){sizes[k], 1000}, &q));
            assert_int_equal(q.unconnected, 0);
        }
        graph_destroy(&g);
    }
}

// 300 chains of 7 nodes and 8 particles.
static void small_components_share_a_patch_and_stay_whole(void** state)
{
    (void)state;
    graph g = sample_chains(300, 7);
    partition_quality q;
    int* patch = partition_checked(&g, (partition_settings){70, 1000}, &q);
    assert_int_equal(q.patches, 30);
    assert_int_equal(q.smallest, 70);
    assert_int_equal(q.shared_particles, 0);
    for (int j = 0; j < g.node_count; ++j) assert_int_equal(patch[j], j / 70);
    mem_free(patch);
    mem_free(partition_checked(&g, (partition_settings){70, 17}, &q)); // two chains have 16
    assert_int_equal(q.patches, 150);
    graph_destroy(&g);
}

static void what_fits_is_one_patch(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){9, 5, 4}, 5, NULL);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){900, 300}, &q));
    assert_int_equal(q.patches, 1);
    CHECK_CLOSE(q.copies, 1, 0);
    graph_destroy(&g);
}

static void an_empty_graph_has_no_patch_and_one_node_has_one(void** state)
{
    (void)state;
    graph none = sample_random(0, 5, 1, 1), one = sample_chains(1, 1);
    partition_quality q;
    int patch[1] = {-1};
    assert_int_equal(graph_partition(&none, NULL, patch), 0);
    assert_true(graph_partition_measure(&none, patch, 0, &q));
    assert_int_equal(q.patches, 0);
    assert_int_equal(graph_partition(&one, NULL, patch), 1);
    assert_int_equal(patch[0], 0);
    graph_destroy(&none);
    graph_destroy(&one);
}

// All nodes meet in one particle: any cut is as good, and only sizes matter.
static void a_star_is_cut_into_equal_parts(void** state)
{
    (void)state;
    graph g = sample_star(3000);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){300, 1000}, &q));
    CHECK_BETWEEN(q.patches, 10, 12);
    CHECK_BETWEEN(q.smallest, 220, 300);
    assert_int_equal(q.unconnected, 0);
    assert_int_equal(q.shared_particles, 1);
    graph_destroy(&g);
}

static void check_balanced(const partition_quality* q, int nodes)
{
    double mean = (double)nodes / q->patches;
    CHECK_BETWEEN(q->smallest, 0.9 * mean, mean);
    CHECK_BETWEEN(q->largest, mean, 1.1 * mean);
}

// METIS has 1.300 and 1.136 copies for the same numbers of patches.
static void a_beam_of_3780_tets_has_small_interfaces(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){21, 6, 6}, 5, NULL);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){500, 1536}, &q));
    assert_int_equal(q.patches, 9);
    check_balanced(&q, g.node_count);
    CHECK_BETWEEN(q.copies, 1.2, 1.38);
    mem_free(partition_checked(&g, (partition_settings){1200, 1536}, &q));
    assert_int_equal(q.patches, 4);
    check_balanced(&q, g.node_count);
    CHECK_BETWEEN(q.copies, 1.1, 1.16);
    graph_destroy(&g);
}

static void a_beam_of_20000_tets_has_small_interfaces(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){40, 10, 10}, 5, NULL);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){500, 1536}, &q));
    check_balanced(&q, g.node_count);
    assert_int_equal(q.unconnected, 0);
    CHECK_BETWEEN(q.copies, 1.3, 1.55);
    mem_free(partition_checked(&g, (partition_settings){4000, 1536}, &q));
    check_balanced(&q, g.node_count);
    CHECK_BETWEEN(q.copies, 1.05, 1.16);
    graph_destroy(&g);
}

// ---- defaults -----------------------------------------------------------------------------------

enum { MOST_PARTICLES = 1536 };

static double mean_fill(const graph* g, const partition_quality* q)
{
    int used = 0;
    for (int p = 0; p < g->particle_count; ++p) used += g->node_offset[p] < g->node_offset[p + 1];
    return q->copies * used / q->patches / MOST_PARTICLES;
}

static void defaults_are_the_documented_limits(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){40, 10, 10}, 5, NULL);
    partition_quality q;
    int* zero = partition_checked(&g, (partition_settings){0}, &q);
    int* same = partition_checked(&g, (partition_settings){65535, MOST_PARTICLES}, &q);
    assert_memory_equal(zero, same, (size_t)g.node_count * sizeof *zero);
    assert_int_equal(graph_partition(&g, NULL, same), q.patches);
    assert_memory_equal(zero, same, (size_t)g.node_count * sizeof *zero);
    mem_free(same);
    mem_free(zero);
    graph_destroy(&g);
}

static void a_beam_of_3780_tets_is_one_patch(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){21, 6, 6}, 5, NULL);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){0}, &q));
    assert_int_equal(q.patches, 1);
    graph_destroy(&g);
}

static void patches_of_beams_are_full_and_balanced(void** state)
{
    (void)state;
    const int cells[4][3] = {{40, 10, 10}, {50, 16, 12}, {56, 14, 14}, {60, 25, 25}};
    for (int i = 0; i < 4; ++i) {
        graph g = sample_box(cells[i], 5, NULL);
        partition_quality q;
        mem_free(partition_checked(&g, (partition_settings){0}, &q));
        CHECK_BETWEEN(mean_fill(&g, &q), 0.85, 1);
        CHECK_BETWEEN(q.most_particles, 1, MOST_PARTICLES);
        check_balanced(&q, g.node_count);
        assert_int_equal(q.unconnected, 0);
        graph_destroy(&g);
    }
}

// Two triangles for each of `cells` * `cells` squares.
static graph sheet(int cells)
{
    int* element = sample_ints(6 * cells * cells);
    for (int c = 0; c < cells * cells; ++c) {
        int corner = c % cells + (cells + 1) * (c / cells), above = corner + cells + 1;
        const int triangles[6] = {corner, corner + 1, above + 1, corner, above + 1, above};
        for (int i = 0; i < 6; ++i) element[6 * c + i] = triangles[i];
    }
    graph g = sample_of_elements(2 * cells * cells, (cells + 1) * (cells + 1), 3, element);
    mem_free(element);
    return g;
}

static void patches_of_cloth_are_full_and_have_short_seams(void** state)
{
    (void)state;
    graph g = sheet(150);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){0}, &q));
    CHECK_BETWEEN(q.patches, 15, 18);
    CHECK_BETWEEN(q.most_particles, 1, MOST_PARTICLES);
    check_balanced(&q, g.node_count);
    assert_int_equal(q.unconnected, 0);
    CHECK_BETWEEN(q.copies, 1.02, 1.06);
    graph_destroy(&g);
}

static void a_rope_is_cut_at_single_particles(void** state)
{
    (void)state;
    graph g = sample_chains(1, 30000);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){0}, &q));
    CHECK_BETWEEN(q.patches, 20, 22);
    check_balanced(&q, g.node_count);
    assert_int_equal(q.unconnected, 0);
    assert_int_equal(q.shared_particles, q.patches - 1);
    graph_destroy(&g);
}

// 900 chains of 8 particles: 192 fill a patch.
static void small_bodies_share_patches_by_default(void** state)
{
    (void)state;
    graph g = sample_chains(900, 7);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){0}, &q));
    assert_int_equal(q.patches, 5);
    assert_int_equal(q.most_particles, MOST_PARTICLES);
    assert_int_equal(q.shared_particles, 0);
    graph_destroy(&g);
}

// Unlike a beam's, its surface has more particles for each tet than its inside.
static void patches_of_a_real_mesh_are_full_and_balanced(void** state)
{
    (void)state;
    pliant_mesh* mesh;
    if (pliant_mesh_load(SHARED_MESHES "tets/spot.mesh", &mesh) != PLIANT_OK) {
        print_message("no spot.mesh in " SHARED_MESHES "tets: skipped\n");
        skip();
    }
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    graph g = sample_of_elements(a.tet_count, a.vertex_count, 4, a.tets);
    partition_quality q;
    mem_free(partition_checked(&g, (partition_settings){0}, &q));
    CHECK_BETWEEN(mean_fill(&g, &q), 0.85, 1);
    CHECK_BETWEEN(q.most_particles, 1, MOST_PARTICLES);
    check_balanced(&q, g.node_count);
    assert_int_equal(q.unconnected, 0);
    CHECK_BETWEEN(q.copies, 1.03, 1.09);
    graph_destroy(&g);
    pliant_mesh_destroy(mesh);
}

// ---- colors of patches --------------------------------------------------------------------------

// Colors the patches of a graph and checks that no particle has two of one color.
static int color_checked(const graph* g, partition_settings s, int* out_size)
{
    partition_quality q;
    int* patch = partition_checked(g, s, &q);
    int* color = sample_ints(q.patches);
    int colors = graph_color_patches(g, patch, q.patches, color);
    assert_in_range(colors, g->node_count > 0, q.patches);
    for (int i = 0; i < colors; ++i) out_size[i] = 0;
    for (int i = 0; i < q.patches; ++i) out_size[color[i]]++;
    for (int p = 0; p < g->particle_count; ++p)
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k)
            for (int m = g->node_offset[p]; m < k; ++m) {
                int a = patch[g->node[k]], b = patch[g->node[m]];
                if (a != b && color[a] == color[b])
                    fail_msg("patches %d and %d have color %d and particle %d", a, b, color[a], p);
            }
    mem_free(color);
    mem_free(patch);
    return colors;
}

static void patches_of_one_color_share_no_particle(void** state)
{
    (void)state;
    int size[5000];
    for (int s = 0; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        color_checked(&g, (partition_settings){60, 1000}, size);
        graph_destroy(&g);
    }
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static void colors_of_patches_are_few_and_balanced(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){40, 10, 10}, 5, NULL);
    int size[100], colors = color_checked(&g, (partition_settings){500, 0}, size), patches = 0;
    CHECK_BETWEEN(colors, 4, 8);
    for (int i = 0; i < colors; ++i) patches += size[i];
    for (int i = 0; i < colors; ++i)
        CHECK_BETWEEN(size[i], patches / colors - 1, patches / colors + 2);
    graph_destroy(&g);
}

// ---- numbers, the measure -----------------------------------------------------------------------

static void patches_with_near_numbers_are_near(void** state)
{
    (void)state;
    graph g = sample_box((int[3]){40, 10, 10}, 5, NULL), patches;
    partition_quality q;
    int* patch = partition_checked(&g, (partition_settings){500, 1536}, &q);
    assert_true(graph_contract(&g, patch, q.patches, &patches));
    int neighbors = 0;
    for (int i = 0; i + 1 < q.patches; ++i) {
        bool meet = false;
        for (int a = patches.offset[i]; a < patches.offset[i + 1]; ++a)
            for (int b = patches.offset[i + 1]; b < patches.offset[i + 2]; ++b)
                meet |= patches.particle[a] == patches.particle[b];
        neighbors += meet;
    }
    CHECK_BETWEEN(neighbors, 0.7 * q.patches, q.patches);
    graph_destroy(&patches);
    mem_free(patch);
    graph_destroy(&g);
}

static void the_same_graph_gives_the_same_patches(void** state)
{
    (void)state;
    for (int s = 2; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        partition_quality q;
        int* a = partition_checked(&g, (partition_settings){50, 100}, &q);
        int* b = partition_checked(&g, (partition_settings){50, 100}, &q);
        assert_memory_equal(a, b, (size_t)g.node_count * sizeof *a);
        mem_free(b);
        mem_free(a);
        graph_destroy(&g);
    }
}

// Two tets on a face, one on an edge, one apart: in patches 0, 0, 1, 1.
static void the_measure_counts_rows_and_pieces(void** state)
{
    (void)state;
    const int element[4][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {4, 3, 5, 6}, {7, 8, 9, 10}};
    const int patch[4] = {0, 0, 1, 1};
    graph g = sample_of_elements(4, 12, 4, &element[0][0]);
    partition_quality q;
    assert_true(graph_partition_measure(&g, patch, 2, &q));
    assert_int_equal(q.patches, 2);
    assert_int_equal(q.smallest, 2);
    assert_int_equal(q.largest, 2);
    assert_int_equal(q.most_particles, 8);
    assert_int_equal(q.shared_particles, 2);
    assert_int_equal(q.unconnected, 1);
    CHECK_CLOSE(q.copies, 13.0 / 11, 1e-15); // particle 11 belongs to nothing
    graph_destroy(&g);
}

// ---- memory -------------------------------------------------------------------------------------

static pliant_result partition_attempt(const void* context)
{
    const graph* g = (const graph*)context;
    int patch[400], color[400];
    partition_quality q;
    partition_settings s = {20, 12}; // too many nodes for the particles: patches are cut again
    int count = graph_partition(g, &s, patch);
    if (count < 0 || !graph_partition_measure(g, patch, count, &q) ||
        graph_color_patches(g, patch, count, color) < 0)
        return PLIANT_ERROR_MEMORY;
    return PLIANT_OK;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void** state)
{
    (void)state;
    graph g = sample_random(120, 150, 3, 5);
    assert_true(check_some_failures(partition_attempt, &g, by_scope(7, 2, 1)) > 100);
    graph_destroy(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(every_patch_keeps_to_its_limits),
        cmocka_unit_test(a_node_beyond_the_limits_is_alone),
        cmocka_unit_test(patches_of_connected_graphs_are_connected),
        cmocka_unit_test(small_components_share_a_patch_and_stay_whole),
        cmocka_unit_test(what_fits_is_one_patch),
        cmocka_unit_test(an_empty_graph_has_no_patch_and_one_node_has_one),
        cmocka_unit_test(a_star_is_cut_into_equal_parts),
        cmocka_unit_test(a_beam_of_3780_tets_has_small_interfaces),
        cmocka_unit_test(a_beam_of_20000_tets_has_small_interfaces),
        cmocka_unit_test(defaults_are_the_documented_limits),
        cmocka_unit_test(a_beam_of_3780_tets_is_one_patch),
        numbers_test(patches_of_beams_are_full_and_balanced),
        cmocka_unit_test(patches_of_cloth_are_full_and_have_short_seams),
        cmocka_unit_test(a_rope_is_cut_at_single_particles),
        cmocka_unit_test(small_bodies_share_patches_by_default),
        numbers_test(patches_of_a_real_mesh_are_full_and_balanced),
        cmocka_unit_test(patches_of_one_color_share_no_particle),
        cmocka_unit_test(colors_of_patches_are_few_and_balanced),
        cmocka_unit_test(patches_with_near_numbers_are_near),
        cmocka_unit_test(the_same_graph_gives_the_same_patches),
        cmocka_unit_test(the_measure_counts_rows_and_pieces),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
