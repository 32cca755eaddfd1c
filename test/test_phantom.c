// Cliques of the constraint graph, and the phantoms that make do with few colors.
#include "graph/clique.h"
#include "graph/phantom.h"
#include "mesh/mesh.h"

#include "graph_samples.h"

// ---- cliques ------------------------------------------------------------------------------------

// The six particles of figures 3 and 4 of the 2015 paper: p0 in the middle of a ring of five.
enum { WHEEL_NODES = 10, WHEEL_PARTICLES = 6 };
static const int wheel[2 * WHEEL_NODES] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5,
                                           1, 2, 2, 3, 3, 4, 4, 5, 1, 5};

static graph sample_wheel(void)
{
    return sample_of_elements(WHEEL_NODES, WHEEL_PARTICLES, 2, wheel);
}

static bool are_neighbors(const graph* g, int a, int b)
{
    for (int i = g->offset[a]; i < g->offset[a + 1]; ++i)
        for (int k = g->offset[b]; k < g->offset[b + 1]; ++k)
            if (g->particle[i] == g->particle[k]) return true;
    return false;
}

typedef struct {
    const graph* g;
    int count, largest;
    int of_size[8];
    uint64_t sum; // of a number for each clique that tells sets of nodes apart
} tally;

static uint64_t number_of(int node)
{
    random_source r = {(uint64_t)node + 1};
    return random_bits(&r);
}

static void count_clique(const int* node, int count, void* context)
{
    tally* t = context;
    uint64_t number = 0;
    for (int i = 0; i < count; ++i) number += number_of(node[i]);
    t->sum += number ^ number >> 29;
    t->count++;
    if (count < 8) t->of_size[count]++;
    if (count > t->largest) t->largest = count;
}

static void check_clique(const int* node, int count, void* context)
{
    tally* t = context;
    const graph* g = t->g;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < i; ++k)
            if (!are_neighbors(g, node[i], node[k]))
                fail_msg("nodes %d and %d of a clique share nothing", node[i], node[k]);
    for (int other = 0; other < g->node_count; ++other) {
        int next = 0;
        while (next < count && node[next] != other && are_neighbors(g, other, node[next])) ++next;
        if (next == count) fail_msg("node %d could join a clique of %d", other, count);
    }
    count_clique(node, count, context);
}

// Five at the middle, three at each of the ring, and the five triangles.
static void wheel_has_eleven_cliques(void** unused)
{
    (void)unused;
    graph g = sample_wheel();
    tally t = {.g = &g};
    assert_true(graph_find_cliques(&g, 1, check_clique, &t));
    assert_int_equal(t.count, 11);
    assert_int_equal(t.of_size[5], 1);
    assert_int_equal(t.of_size[3], 10);
    assert_int_equal(graph_clique_number(&g), 5);
    graph_destroy(&g);
}

// The plain recursion of 1973, over all nodes at once, for graphs of up to 64 nodes.
static void extend_plainly(const uint64_t* next, uint64_t clique, uint64_t join, uint64_t tried,
                           tally* t)
{
    if (!join && !tried) {
        int node[64], count = 0;
        for (int i = 0; i < 64; ++i)
            if (clique >> i & 1) node[count++] = i;
        count_clique(node, count, t);
    }
    for (int i = 0; i < 64; ++i) {
        uint64_t bit = (uint64_t)1 << i;
        if (!(join & bit)) continue;
        extend_plainly(next, clique | bit, join & next[i], tried & next[i], t);
        join &= ~bit;
        tried |= bit;
    }
}

static void cliques_are_those_of_the_plain_search(void** unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        graph g = sample_random(60, 8 + (int)seed, 4, seed);
        uint64_t next[64] = {0};
        tally found = {.g = &g}, plain = {.g = &g};
        for (int a = 0; a < g.node_count; ++a)
            for (int b = 0; b < g.node_count; ++b)
                if (a != b && are_neighbors(&g, a, b)) next[a] |= (uint64_t)1 << b;
        extend_plainly(next, 0, ((uint64_t)1 << g.node_count) - 1, 0, &plain);
        assert_true(graph_find_cliques(&g, 1, count_clique, &found));
        if (found.count != plain.count || found.sum != plain.sum || found.largest != plain.largest)
            fail_msg("graph %d: %d cliques up to %d, %d up to %d by the plain search", (int)seed,
                     found.count, found.largest, plain.count, plain.largest);
        assert_int_equal(graph_clique_number(&g), plain.largest);
        graph_destroy(&g);
    }
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static void small_cliques_are_left_out(void** unused)
{
    (void)unused;
    graph g = sample_box((int[3]){3, 3, 3}, 5, NULL);
    for (int least = 2; least < 34; least += 4) {
        tally all = {.g = &g}, large = {.g = &g};
        assert_true(graph_find_cliques(&g, 1, check_clique, &all));
        assert_true(graph_find_cliques(&g, least, count_clique, &large));
        int expected = all.count;
        for (int i = 0; i < least && i < 8; ++i) expected -= all.of_size[i];
        if (least <= 8) assert_int_equal(large.count, expected);
        assert_int_equal(large.largest, least <= all.largest ? all.largest : 0);
    }
    graph_destroy(&g);
}

// More nodes at a particle than the search has room for: found without it.
static void huge_star_is_one_clique(void** unused)
{
    (void)unused;
    for (int size = 4000; size <= 20000; size += 16000) {
        graph g = sample_star(size);
        tally t = {.g = &g};
        assert_true(graph_find_cliques(&g, 1, count_clique, &t));
        assert_int_equal(t.largest, size);
        assert_int_equal(t.count, 1);
        graph_destroy(&g);
    }
}

// Pairs of a dozen particles, many times each, are all next to each other in a dozen ways: 3^n
// cliques. The search ends all the same.
static void search_is_bounded(void** unused)
{
    (void)unused;
    enum { GROUPS = 40 };
    // Node (i, k), k < 3, is next to all nodes of other i: a particle for each such pair.
    int nodes = 3 * GROUPS, per_node = 3 * (GROUPS - 1), count = 0;
    int *offset = sample_ints(nodes + 1), *particle = sample_ints(nodes * per_node);
    for (int a = 0; a < nodes; ++a) {
        offset[a] = count;
        for (int b = 0; b < nodes; ++b)
            if (a / 3 != b / 3) particle[count++] = a < b ? a * nodes + b : b * nodes + a;
    }
    offset[nodes] = count;
    graph g;
    tally t = {.g = &g};
    assert_true(graph_create(nodes, nodes * nodes, offset, particle, &g));
    assert_true(graph_find_cliques(&g, 3, count_clique, &t));
    print_message("    %d cliques up to %d nodes before the search ends\n", t.count, t.largest);
    assert_int_equal(t.largest, GROUPS);
    graph_destroy(&g);
    mem_free(offset);
    mem_free(particle);
}

// ---- phantoms -----------------------------------------------------------------------------------

typedef struct {
    placement p;
    int particles, colors;
    int phantoms; // rows beyond the particles' own
} placed;

static placed place(const graph* g, int most_colors, bool single)
{
    int corners = g->offset[g->node_count];
    placed d = {.particles = g->particle_count};
    d.p = (placement){.node_count = g->node_count,
                      .row_count = g->particle_count,
                      .offset = sample_ints(g->node_count + 1),
                      .row = sample_ints(corners),
                      .color = sample_ints(g->node_count),
                      .copy = sample_ints(g->particle_count + corners)};
    memcpy(d.p.offset, g->offset, ((size_t)g->node_count + 1) * sizeof(int));
    memcpy(d.p.row, g->particle, (size_t)corners * sizeof(int));
    memset(d.p.copy, 0, ((size_t)g->particle_count + (size_t)corners) * sizeof(int));
    if (single) {
        d.colors = phantoms_single(&d.p, most_colors);
    } else {
        d.colors = phantoms_group(&d.p, most_colors);
    }
    d.phantoms = d.p.row_count - g->particle_count;
    return d;
}

static void placed_destroy(placed* d)
{
    mem_free(d->p.offset);
    mem_free(d->p.row);
    mem_free(d->p.color);
    mem_free(d->p.copy);
}

// The nodes of a color share no row; first fit, color by color, needs no more than that.
static void check_placed(const graph* before, const placed* d, int most_colors)
{
    graph g;
    const placement* p = &d->p;
    int *order = sample_ints(p->node_count), *color = sample_ints(p->node_count), count = 0;
    assert_true(graph_create(p->node_count, p->row_count, p->offset, p->row, &g));
    if (d->colors < 1 || d->colors > most_colors)
        fail_msg("%d colors, at most %d wanted", d->colors, most_colors);
    for (int i = 0; i < g.particle_count; ++i)
        for (int k = g.node_offset[i]; k < g.node_offset[i + 1]; ++k)
            for (int j = g.node_offset[i]; j < k; ++j)
                if (p->color[g.node[k]] == p->color[g.node[j]])
                    fail_msg("two nodes of color %d share row %d", p->color[g.node[k]], i);
    for (int c = 0; c < d->colors; ++c)
        for (int n = 0; n < p->node_count; ++n)
            if (p->color[n] == c) order[count++] = n;
    assert_int_equal(count, p->node_count);
    int greedy = graph_color(&g, order, color);
    if (greedy > most_colors) fail_msg("greedy: %d colors, at most %d wanted", greedy, most_colors);
    for (int n = 0; n < p->node_count; ++n) // its own row, or a copy of the same particle
        for (int c = p->offset[n]; c < p->offset[n + 1]; ++c)
            if ((p->copy[p->row[c]] == 0) != (p->row[c] == before->particle[c]))
                fail_msg("corner %d is on row %d, copy %d", c, p->row[c], p->copy[p->row[c]]);
    mem_free(order);
    mem_free(color);
    graph_destroy(&g);
}

// With three colors only p0 is too crowded: five phantoms as in figure 4d, and p0 itself is left
// without a constraint. The figure says that two colors are then enough; but the ring is odd, and
// its particles have three constraints each.
static void wheel_is_split_as_in_figure_4(void** unused)
{
    (void)unused;
    graph g = sample_wheel();
    placed three = place(&g, 3, true), grouped = place(&g, 3, false);
    check_placed(&g, &three, 3);
    check_placed(&g, &grouped, 3);
    assert_int_equal(three.phantoms, 5);
    for (int c = 0; c < 2 * WHEEL_NODES; ++c)
        assert_int_equal(three.p.row[c] >= WHEEL_PARTICLES, wheel[c] == 0);
    assert_int_equal(three.colors, 3);
    assert_in_range(grouped.phantoms, 1, 3); // five constraints on two rows at least
    placed_destroy(&three);
    placed_destroy(&grouped);
    graph_destroy(&g);
}

static void wheel_takes_any_number_of_colors(void** unused)
{
    (void)unused;
    graph g = sample_wheel();
    for (int most = 1; most <= 5; ++most)
        for (int single = 0; single < 2; ++single) {
            placed d = place(&g, most, single);
            check_placed(&g, &d, most);
            print_message("    %d colors, %s: %d phantoms\n", most, single ? "single" : "grouped",
                          d.phantoms);
            if (most == 5) assert_int_equal(d.phantoms, 0);
            placed_destroy(&d);
        }
    graph_destroy(&g);
}

static void all_kinds_of_graphs_take_few_colors(void** unused)
{
    (void)unused;
    for (int s = 2; s < SAMPLE_COUNT; ++s) {
        graph g = sample(s);
        for (int k = by_scope(s % 2, s % 2, 0); k < 6; k += by_scope(2, 2, 1)) {
            int most = k / 2 == 0 ? 2 : k / 2 == 1 ? 4 : (graph_clique(&g) + 1) / 2;
            if (most < 1 || most > 256) continue;
            placed d = place(&g, most, k % 2);
            check_placed(&g, &d, most);
            placed_destroy(&d);
        }
        graph_destroy(&g);
    }
    assert_int_equal(pliant_allocated_bytes(), 0);
}

// Every end has a row of its own, and all nodes one color.
static void averaging_separates_every_corner(void** unused)
{
    (void)unused;
    graph g = sample_box((int[3]){3, 2, 2}, 5, NULL);
    for (int exact = 9; exact >= 0; exact -= 9) {
        placed d = place(&g, 64, false); // more than it needs: no phantoms
        assert_int_equal(d.phantoms, 0);
        int colors = phantoms_average(&d.p, d.colors, exact), rest = 0;
        assert_int_equal(colors, exact + 1);
        for (int n = 0; n < g.node_count; ++n) {
            bool copied = d.p.row[4 * n] >= g.particle_count;
            if (copied != (d.p.color[n] == exact)) fail_msg("node %d of color %d", n, d.p.color[n]);
            rest += copied;
        }
        if (exact == 0) assert_int_equal(rest, g.node_count);
        assert_int_equal(d.p.row_count, g.particle_count + 4 * rest);
        placed_destroy(&d);
    }
    graph_destroy(&g);
}

// ---- meshes -------------------------------------------------------------------------------------

static graph graph_of_tets(const pliant_mesh* mesh)
{
    return sample_of_elements(mesh->tet_count, mesh->vertex_count, 4, mesh->tets);
}

static double share_of(const graph* g, int most_colors, bool single)
{
    placed d = place(g, most_colors, single);
    check_placed(g, &d, most_colors);
    double share = (double)d.phantoms / g->particle_count;
    placed_destroy(&d);
    return share;
}

// Shares of phantom particles at q = 2, 4 and omega / 2, for both ways.
static double print_shares(const char* name, const graph* g)
{
    int omega = graph_clique_number(g), half = omega / 2;
    assert_true(omega >= graph_clique(g));
    double grouped = share_of(g, half, false);
    print_message("    %-18s omega %3d: grouped %5.0f, %5.0f, %6.2f %%, single %5.0f, %5.0f, "
                  "%7.2f %% at q = 2, 4, %d\n",
                  name, omega, 100 * share_of(g, 2, false), 100 * share_of(g, 4, false),
                  100 * grouped, 100 * share_of(g, 2, true), 100 * share_of(g, 4, true),
                  100 * share_of(g, half, true), half);
    return grouped;
}

// Valences of 32 and 24, twice the colors: every row of such a particle must be full.
static void beams_have_few_grouped_phantoms(void** unused)
{
    (void)unused;
    for (int i = 0; i < 2; ++i) {
        pliant_mesh* mesh = NULL;
        const char* name = i ? "box6:12x5x5" : "beam:12x5x5";
        CHECK_OK(pliant_mesh_generate(name, &mesh));
        graph g = graph_of_tets(mesh);
        double share = print_shares(name, &g);
        if (share > 1.1) fail_msg("%s: %g of the particles are copies", name, share);
        graph_destroy(&g);
        pliant_mesh_destroy(mesh);
    }
}

static void real_meshes_have_few_grouped_phantoms(void** unused)
{
    (void)unused;
    static const char* const names[] = {"spot", "octopus", "bunny_8k", "squirrel_small_hv"};
    for (int i = 0; i < 4; ++i) {
        char path[512];
        pliant_mesh* mesh = NULL;
        snprintf(path, sizeof path, "%stets/%s.mesh", SHARED_MESHES, names[i]);
        if (pliant_mesh_load(path, &mesh) != PLIANT_OK) {
            print_message("no %s: skipped\n", path);
            skip();
        }
        graph g = graph_of_tets(mesh);
        double share = print_shares(names[i], &g);
        if (share > 0.05) fail_msg("%s: %g of the particles are copies", names[i], share);
        graph_destroy(&g);
        pliant_mesh_destroy(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheel_has_eleven_cliques),
        cmocka_unit_test(cliques_are_those_of_the_plain_search),
        cmocka_unit_test(small_cliques_are_left_out),
        long_test(huge_star_is_one_clique),
        cmocka_unit_test(search_is_bounded),
        cmocka_unit_test(wheel_is_split_as_in_figure_4),
        cmocka_unit_test(wheel_takes_any_number_of_colors),
        numbers_test(all_kinds_of_graphs_take_few_colors),
        cmocka_unit_test(averaging_separates_every_corner),
        cmocka_unit_test(beams_have_few_grouped_phantoms),
        long_test(real_meshes_have_few_grouped_phantoms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
