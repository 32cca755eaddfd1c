// Parts that are hardly thicker than an edge: they neither come off nor go missing.
#include "failing.h"
#include "filled.h"
#include "tetra/crowd.h"

static const double CELL = 0.05, EDGES_PER_CELL = 0.923; // [m]

static pliant_mesh* fill(const pliant_mesh* surface, int threads)
{
    pliant_mesh* mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = EDGES_PER_CELL * CELL;
    def.threads = threads;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL));
    return mesh;
}

// A box with the sides given in cells, turned somehow. At its end it is `end` times as thick.
static pliant_mesh* random_box(point sides, double end, uint64_t seed)
{
    soup s = {0};
    random_source random = {.state = seed};
    turn how = random_turn(&random);
    point low, high;
    for (int k = 0; k < 3; ++k) low.x[k] = -(high.x[k] = sides.x[k] * CELL / 2);
    soup_add_box(&s, low, high);
    for (int i = 0; i < 3 * s.triangles; ++i)
        if (s.corner[i].x[0] > 0) s.corner[i].x[2] *= end;
    soup_turn(&s, 0, &how);
    pliant_mesh* surface = soup_mesh(&s);
    soup_free(&s);
    return surface;
}

// The mesh is one piece, and reaches as far as its surface does.
static void check_whole(point sides, uint64_t seed)
{
    pliant_mesh* surface = random_box(sides, 1, seed);
    pliant_mesh_quality q = check_mesh(fill(surface, 2), 1), whole = measure_last(surface);
    for (int k = 0; k < 3; ++k) {
        CHECK_BETWEEN((whole.max[k] - q.max[k]) / CELL, -0.5, 1);
        CHECK_BETWEEN((q.min[k] - whole.min[k]) / CELL, -0.5, 1);
    }
    double volume = sides.x[0] * sides.x[1] * sides.x[2] * CELL * CELL * CELL;
    CHECK_CLOSE(q.volume, volume, 0.25);
}

static void bars_of_little_more_than_a_cell_stay_whole(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; ++seed) check_whole((point){{20, 1.3, 1.3}}, seed);
}

// Of these one lattice vertex or another is a little outside.
static void bars_that_would_come_apart_are_joined(void** state)
{
    (void)state;
    static const uint64_t seeds[] = {4, 10, 22};
    for (int i = 0; i < 3; ++i) {
        pliant_mesh* surface = random_box((point){{20, 0.8, 0.8}}, 1, seeds[i]);
        CHECK_CLOSE(check_mesh(fill(surface, 2), 1).volume, 20 * 0.64 * CELL * CELL * CELL, 0.1);
        pliant_mesh_destroy(surface);
    }
}

static void plates_of_less_than_a_cell_stay_whole(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; ++seed) check_whole((point){{12, 12, 0.9}}, seed);
}

// What is thick at one end and nothing at the other is held as far as it can be.
static void wedges_end_near_their_edge(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        pliant_mesh* surface = random_box((point){{16, 6, 3}}, 0.01, seed);
        pliant_mesh* mesh = fill(surface, 2);
        double volume = check_mesh(mesh, 1).volume / (CELL * CELL * CELL);
        CHECK_CLOSE(volume, 16 * 6 * 3 * 0.505, 0.04);
        pliant_mesh_destroy(surface);
    }
}

// Vertices that hold thin parts have no more tets than others at a surface.
static void no_vertex_of_a_wedge_is_crowded(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        pliant_mesh* surface = random_box((point){{16, 6, 3}}, 0.01, seed);
        CHECK_BETWEEN(measure_last(fill(surface, 2)).max_valence, 24, MOST_CROWD);
        pliant_mesh_destroy(surface);
    }
}

static int count_above(const pliant_mesh* mesh, int most)
{
    incidence tets;
    int count = 0;
    assert_true(incidence_create(mesh, &tets));
    for (int v = 0; v < mesh->vertex_count; ++v) count += tets.start[v + 1] - tets.start[v] > most;
    incidence_destroy(&tets);
    return count;
}

static pliant_mesh* wedge(void)
{
    pliant_mesh *surface = random_box((point){{16, 6, 3}}, 0.01, 5), *mesh = fill(surface, 2);
    pliant_mesh_destroy(surface);
    return mesh;
}

static void crowds_are_dispersed_and_the_boundary_stays(void** state)
{
    (void)state;
    enum { MOST = 30 };
    pliant_mesh *mesh = wedge(), *before = NULL, *after = NULL;
    int crowded = count_above(mesh, MOST);
    assert_true(crowded > 3);
    CHECK_OK(pliant_mesh_boundary(mesh, &before, NULL));
    CHECK_OK(disperse_crowds(mesh, MOST));
    CHECK_OK(pliant_mesh_boundary(mesh, &after, NULL));
    print_message("    %d crowded vertices became %d\n", crowded, count_above(mesh, MOST));
    assert_int_equal(count_above(mesh, MOST), 0);
    assert_true(measure(after).area == measure(before).area);
    assert_true(measure(after).volume == measure(before).volume);
    check_mesh(mesh, 1);
    pliant_mesh_destroy(before);
    pliant_mesh_destroy(after);
}

static pliant_result disperse(const void* context)
{
    pliant_mesh_arrays a = pliant_mesh_view((const pliant_mesh*)context);
    pliant_mesh* mesh = NULL;
    pliant_result result = pliant_mesh_create(&a, &mesh);
    if (!result) result = disperse_crowds(mesh, 30);
    pliant_mesh_destroy(mesh);
    return result;
}

static void dispersing_survives_every_refused_allocation(void** state)
{
    (void)state;
    pliant_mesh* mesh = wedge();
    assert_true(check_every_failure(disperse, mesh) > 20);
    pliant_mesh_destroy(mesh);
}

static pliant_tet_report report_of(soup* s)
{
    pliant_mesh *surface = soup_mesh(s), *mesh = NULL;
    pliant_tet_report report;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = EDGES_PER_CELL * CELL;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, &report));
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(mesh);
    soup_free(s);
    return report;
}

// A block with a ring around it, which nothing but finer tets holds.
static soup block_and_ring(double thickness)
{
    soup s = {0};
    soup_add_box(&s, (point){{-0.2, -0.2, -0.2}}, (point){{0.2, 0.2, 0.2}});
    soup_add_torus(&s, 0.5, thickness * CELL / 2, 60, 12);
    return s;
}

static void what_is_missing_is_told_with_place_and_thickness(void** state)
{
    (void)state;
    soup thin = block_and_ring(0.2), thick = block_and_ring(1.5);
    pliant_tet_report r = report_of(&thin);
    assert_int_equal(r.missing_parts, 1);
    CHECK_BETWEEN(r.missing_share, 0.05, 0.3);
    CHECK_BETWEEN(fabs(r.missing_place[1]), 0, 0.11 * CELL);
    CHECK_CLOSE(hypot(r.missing_place[0], r.missing_place[2]), 0.5, 0.02);
    CHECK_CLOSE(r.missing_distance, 0.3, 0.1);
    CHECK_CLOSE(r.missing_thickness, 0.2 * CELL, 0.3);
    r = report_of(&thick);
    assert_int_equal(r.missing_parts, 0);
    CHECK_BETWEEN(r.missing_share, 0, 0);
}

// A small block with a ring of such a tube around it; its sections are `flat` times as high as
// wide.
static soup block_and_flat_ring(double tube, double flat)
{
    soup s = {0};
    soup_add_torus(&s, 0.3, tube, 48, 12);
    for (int i = 0; i < 3 * s.triangles; ++i) s.corner[i].x[1] *= flat;
    soup_add_box(&s, (point){{-0.06, -0.06, -0.06}}, (point){{0.06, 0.06, 0.06}});
    return s;
}

// [m] "edges of 0.02 m would hold most of it"
static void keep_advice(const char* text, void* context)
{
    const char* held = strstr(text, " m would hold most of it");
    while (held && held > text && strncmp(held, "edges of ", 9) != 0) --held;
    if (held) *(double*)context = atof(held + 9);
}

static pliant_tet_report report_with_edge(const soup* s, double edge)
{
    pliant_mesh *surface = soup_mesh(s), *mesh = NULL;
    pliant_tet_report report;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = edge;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, &report));
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(mesh);
    return report;
}

static int missing_with_edge(const soup* s, double edge)
{
    return report_with_edge(s, edge).missing_parts;
}

static void edges_as_advised_hold_what_was_missing(void** state)
{
    (void)state;
    static const double tube[2] = {0.015, 0.04}, flat[2] = {1, 0.25}; // [m]
    for (int i = 0; i < 2; ++i) {
        double edge = 0;
        soup s = block_and_flat_ring(tube[i], flat[i]);
        pliant_set_log(keep_advice, &edge);
        assert_int_equal(missing_with_edge(&s, 0.08), 1);
        pliant_set_log(NULL, NULL);
        print_message("    edges of %g m, for a thickness of %g m\n", edge, 2 * tube[i] * flat[i]);
        CHECK_BETWEEN(edge / (tube[i] * flat[i]), 1, 2);
        assert_int_equal(missing_with_edge(&s, edge), 0);
        soup_free(&s);
    }
}

// A bracelet that gets thin to a fiftieth on one side, where its triangles are the largest: what
// holds that would be uselessly fine.
static void advice_does_not_count_the_thinnest_end(void** state)
{
    (void)state;
    static const double TUBE = 0.04; // [m]
    double edge = 0;
    soup s = {0};
    soup_add_torus(&s, 0.3, TUBE, 96, 12);
    for (int i = 0; i < 3 * s.triangles; ++i) {
        double *x = s.corner[i].x, r = hypot(x[0], x[2]), angle = atan2(x[2], x[0]);
        angle += 0.8 * sin(angle);
        x[0] = r * cos(angle), x[1] *= 0.51 - 0.49 * cos(angle), x[2] = r * sin(angle);
    }
    soup_add_box(&s, (point){{-0.06, -0.06, -0.06}}, (point){{0.06, 0.06, 0.06}});
    pliant_set_log(keep_advice, &edge);
    double before = report_with_edge(&s, 0.08).missing_share;
    pliant_set_log(NULL, NULL);
    double after = report_with_edge(&s, edge).missing_share;
    print_message("    edges of %g m: %.2g %% missing after %.2g %%\n", edge, 100 * after,
                  100 * before);
    CHECK_BETWEEN(edge, 0.2 * TUBE, TUBE);
    CHECK_BETWEEN(after, 0, 0.25 * before);
    soup_free(&s);
}

static void threads_do_not_change_a_bit(void** state)
{
    (void)state;
    pliant_mesh* surface = random_box((point){{20, 1.3, 1.3}}, 1, 3);
    pliant_mesh *one = fill(surface, 1), *three = fill(surface, 3);
    assert_true(hash_mesh(one) == hash_mesh(three));
    pliant_mesh_destroy(one);
    pliant_mesh_destroy(three);
    pliant_mesh_destroy(surface);
}

// Eight arms that are as thin as the edges at their ends.
static void arms_of_a_model_stay(void** state)
{
    (void)state;
    pliant_mesh *surface = NULL, *mesh = NULL;
    pliant_tet_report report;
    if (pliant_mesh_load(SHARED_MESHES "surfaces/octopus.ply", &surface)) {
        print_message("no models at %s: skipped\n", SHARED_MESHES);
        skip();
    }
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 5000;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, &report));
    CHECK_CLOSE(check_mesh(mesh, 1).volume, measure_last(surface).volume, 0.02);
    CHECK_BETWEEN(report.dropped_tets, 0, 100);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        known_threads_test(bars_of_little_more_than_a_cell_stay_whole),
        known_threads_test(bars_that_would_come_apart_are_joined),
        known_threads_test(plates_of_less_than_a_cell_stay_whole),
        known_threads_test(wedges_end_near_their_edge),
        known_threads_test(no_vertex_of_a_wedge_is_crowded),
        cmocka_unit_test(crowds_are_dispersed_and_the_boundary_stays),
        spare_threads_test(dispersing_survives_every_refused_allocation),
        spare_threads_test(what_is_missing_is_told_with_place_and_thickness),
        spare_threads_test(edges_as_advised_hold_what_was_missing),
        long_test(advice_does_not_count_the_thinnest_end),
        cmocka_unit_test(threads_do_not_change_a_bit),
        numbers_test(arms_of_a_model_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
