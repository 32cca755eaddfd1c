// The tetrahedralizer: from surfaces, good and bad, to meshes with bounds.
#include "base/random.h"

#include "failing.h"
#include "filled.h"

// ---- making and checking

static pliant_mesh* fill(const pliant_mesh* surface, int tets, int threads)
{
    pliant_mesh* mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = tets;
    def.threads = threads;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL));
    return mesh;
}

static pliant_mesh* fill_soup(soup* s, int tets)
{
    pliant_mesh* surface = soup_mesh(s);
    pliant_mesh* mesh = fill(surface, tets, 2);
    pliant_mesh_destroy(surface);
    soup_free(s);
    return mesh;
}

// The count of a box whose faces lie along the lattice goes in steps.
static void check_filled(const char* words, double volume, double off)
{
    pliant_mesh* surface = surface_of(words);
    pliant_mesh* mesh = fill(surface, 20000, 2);
    pliant_mesh_destroy(surface);
    CHECK_CLOSE(pliant_mesh_view(mesh).tet_count, 20000, off);
    CHECK_CLOSE(check_mesh(mesh, 1).volume, volume, 0.01);
}

static const double pi = 3.14159265358979323846;

// ---- good surfaces

static void ball_is_filled(void** state)
{
    (void)state;
    check_filled("sphere:0.5:40", pi / 6, 0.02);
}

static void torus_is_filled(void** state)
{
    (void)state;
    check_filled("torus:1:0.3:20", 2 * pi * pi * 0.09, 0.02);
}

static void box_is_filled(void** state)
{
    (void)state;
    check_filled("box6:7x3x5", 0.105, 0.06);
}

static void blob_is_filled(void** state)
{
    (void)state;
    pliant_mesh* surface = surface_of("blob:0.5:30:7");
    double volume = measure(surface).volume;
    pliant_mesh_destroy(surface);
    check_filled("blob:0.5:30:7", volume, 0.02);
}

static void edges_have_the_length_that_was_asked_for(void** state)
{
    (void)state;
    pliant_mesh *surface = surface_of("sphere:0.5:40"), *mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    pliant_tet_report report;
    def.tets = 0;
    def.edge = 0.04;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, &report));
    pliant_mesh_destroy(surface);
    CHECK_CLOSE(report.edge, 0.04, 1e-9);
    CHECK_CLOSE(check_mesh(mesh, 1).mean_edge, 0.04, 0.06);
}

static void inner_vertices_have_24_tets(void** state)
{
    (void)state;
    pliant_mesh* surface = surface_of("sphere:0.5:40");
    pliant_mesh* mesh = fill(surface, 20000, 2);
    pliant_mesh_destroy(surface);
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int* tets = (int*)calloc((size_t)a.vertex_count, sizeof(int));
    int wrong = 0;
    for (int i = 0; i < 4 * a.tet_count; ++i) ++tets[a.tets[i]];
    for (int v = 0; v < a.vertex_count; ++v) {
        const double* x = a.vertices + 3 * v;
        bool deep = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) < 0.4;
        wrong += deep && tets[v] != 24;
    }
    free(tets);
    assert_int_equal(wrong, 0);
    assert_in_range(check_mesh(mesh, 1).max_valence, 24, 40);
}

static void boundary_is_near_the_surface(void** state)
{
    (void)state;
    pliant_mesh *surface = surface_of("sphere:0.5:60"), *boundary = NULL;
    pliant_mesh* mesh = fill(surface, 20000, 2);
    pliant_mesh_destroy(surface);
    CHECK_OK(pliant_mesh_boundary(mesh, &boundary, NULL));
    double edge = measure_last(mesh).mean_edge, worst = 0;
    pliant_mesh_arrays b = pliant_mesh_view(boundary);
    for (int v = 0; v < b.vertex_count; ++v) {
        const double* x = b.vertices + 3 * v;
        worst = fmax(worst, fabs(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 0.5));
    }
    CHECK_BETWEEN(worst / edge, 0, 0.1);
    pliant_mesh_destroy(boundary);
}

static void place_and_size_do_not_matter(void** state)
{
    (void)state;
    static const double sizes[] = {1e-12, 1e12};
    for (int i = 0; i < 2; ++i) {
        pliant_mesh* surface = surface_of("torus:1:0.3:12");
        const double far[3] = {5 * sizes[i], 0, 0};
        pliant_mesh_transform(surface, sizes[i], (pliant_quat){0, 0, 0, 1}, far);
        double volume = measure(surface).volume;
        pliant_mesh* mesh = fill(surface, 3000, 1);
        pliant_mesh_destroy(surface);
        CHECK_CLOSE(check_mesh(mesh, 1).volume, volume, 0.02);
    }
}

static void inside_is_coarser_on_request(void** state)
{
    (void)state;
    pliant_mesh *ball = surface_of("sphere:0.5:40"), *mesh[3] = {NULL};
    pliant_tet_def def = pliant_tet_defaults();
    int tets[3];
    def.tets = 0;
    def.edge = scope_now() == ALL ? 0.02 : 0.03;
    for (int i = 0; i < 3; ++i) {
        def.coarsening = i;
        CHECK_OK(pliant_mesh_tetrahedralize(ball, &def, &mesh[i], NULL));
        tets[i] = pliant_mesh_view(mesh[i]).tet_count;
        pliant_mesh_quality q = check_mesh(mesh[i], 1);
        CHECK_CLOSE(q.volume, pi / 6, 0.01);
        // Large tets have edges of their cell's size.
        CHECK_BETWEEN(q.longest_edge / def.edge, 1.08 * (1 << i), 1.6 * (1 << i));
    }
    assert_true(tets[1] < 0.6 * tets[0]);
    assert_true(tets[2] < tets[1]);
    pliant_mesh_destroy(ball);
}

static void coarse_inside_keeps_the_number_of_tets(void** state)
{
    (void)state;
    pliant_mesh *ball = surface_of("sphere:0.5:40"), *mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.coarsening = 3;
    CHECK_OK(pliant_mesh_tetrahedralize(ball, &def, &mesh, NULL));
    CHECK_CLOSE(pliant_mesh_view(mesh).tet_count, 20000, 0.04);
    check_mesh(mesh, 1);
    pliant_mesh_destroy(ball);
}

// ---- bad surfaces

static void holes_are_closed(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    for (int t = 0; t < s.triangles; t += 30) // is flat, and so is left out
        for (int k = 0; k < 3; ++k) s.corner[3 * t + k] = s.corner[3 * t];
    CHECK_CLOSE(check_mesh(fill_soup(&s, 8000), 1).volume, 4 * pi / 3, 0.02);
}

static void flipped_triangles_do_not_matter(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    for (int t = 0; t < s.triangles; t += 4) soup_flip(&s, t, t);
    CHECK_CLOSE(check_mesh(fill_soup(&s, 8000), 1).volume, 4 * pi / 3, 0.01);
}

static void repeated_triangles_do_not_matter(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    soup_add_sphere(&s, 4);
    soup_flip(&s, 0, s.triangles / 2 - 1); // two sides
    CHECK_CLOSE(check_mesh(fill_soup(&s, 8000), 1).volume, 4 * pi / 3, 0.01);
}

static void parts_that_intersect_are_one(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{2, 2, 2}});
    soup_add_box(&s, (point){{1, 1, 1}}, (point){{3, 3, 3}});
    CHECK_CLOSE(check_mesh(fill_soup(&s, 20000), 1).volume, 15, 0.02);
}

static void parts_that_are_apart_stay_apart(void** state)
{
    (void)state;
    soup s = {0};
    for (int i = 0; i < 5; ++i) {
        double x = 1.5 * i;
        soup_add_box(&s, (point){{x, 0, 0}}, (point){{x + 1, 1, 1}});
    }
    CHECK_CLOSE(check_mesh(fill_soup(&s, 20000), 5).volume, 5, 0.01);
}

static pliant_mesh* fill_apart(soup* s, int tets)
{
    pliant_mesh *surface = soup_mesh(s), *mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = tets;
    def.separate_parts = true;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL));
    pliant_mesh_destroy(surface);
    soup_free(s);
    return mesh;
}

static void parts_that_intersect_stay_apart_on_request(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{2, 2, 2}});
    soup_add_box(&s, (point){{1, 1, 1}}, (point){{3, 3, 3}});
    soup_add_quad(&s, (point){{0, 0, 4}}, (point){{1, 0, 4}}, (point){{1, 1, 4}},
                  (point){{0, 1, 4}}); // is left out
    CHECK_CLOSE(check_mesh(fill_apart(&s, 20000), 2).volume, 16, 0.01);
}

static void cavities_go_with_the_part_around_them(void** state)
{
    (void)state;
    soup s = {0};
    for (int i = 0; i < 2; ++i) {
        double x = 3 * i;
        soup_add_box(&s, (point){{x, 0, 0}}, (point){{x + 4, 4, 4}});
        int outer = s.triangles;
        soup_add_box(&s, (point){{x + 1.2, 1, 1}}, (point){{x + 2.8, 3, 3}});
        soup_flip(&s, outer, s.triangles - 1);
    }
    CHECK_CLOSE(check_mesh(fill_apart(&s, 20000), 2).volume, 2 * (64 - 6.4), 0.01);
}

static void cavity_stays_empty(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_hollow_box(&s);
    CHECK_CLOSE(check_mesh(fill_soup(&s, 20000), 1).volume, 56, 0.01);
}

// Two boxes that share an edge, and two that share a corner.
static void parts_that_touch_are_split(void** state)
{
    (void)state;
    for (int corner = 0; corner < 2; ++corner) {
        soup s = {0};
        soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 1}});
        soup_add_box(&s, (point){{1, 1, corner}}, (point){{2, 2, 1 + corner}});
        pliant_mesh* mesh = fill_soup(&s, 5000);
        pliant_mesh_quality q = measure(mesh);
        check_mesh(mesh, q.components);
        assert_in_range(q.components, 1, 2);
    }
}

// Slabs and needles in all directions through each other: every kind of cut there is.
static void add_random_box(soup* s, random_source* random)
{
    int first = s->triangles;
    turn how = random_turn(random);
    double place[3];
    point half;
    random_in_ball(random, place);
    for (int k = 0; k < 3; ++k) half.x[k] = random_range(random, 0.05, 0.6);
    soup_add_box(s, (point){{-half.x[0], -half.x[1], -half.x[2]}}, half);
    soup_turn(s, first, &how);
    for (int i = 3 * first; i < 3 * s->triangles; ++i)
        for (int k = 0; k < 3; ++k) s->corner[i].x[k] += place[k];
}

static void angles_hold_for_random_surfaces(void** state)
{
    (void)state;
    double least = 90;
    int surfaces = by_scope(2, 3, 6);
    for (uint64_t seed = 1; seed <= (uint64_t)surfaces; ++seed) {
        soup s = {0};
        random_source random = {.state = seed};
        for (int i = 0; i < 12; ++i) add_random_box(&s, &random);
        pliant_mesh* mesh = fill_soup(&s, 8000);
        pliant_mesh_quality q = measure(mesh);
        least = fmin(least, check_mesh(mesh, q.components).min_dihedral);
    }
    print_message("smallest dihedral angle of %d random surfaces: %.2f degrees\n", surfaces, least);
}

// ---- refusals

static void check_refused(const pliant_mesh* surface, pliant_tet_def def, const char* reason)
{
    pliant_mesh* mesh = (pliant_mesh*)(intptr_t)1;
    assert_int_equal(pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL), PLIANT_ERROR_ARGUMENT);
    assert_null(mesh);
    if (!strstr(pliant_error_text(), reason))
        fail_msg("'%s' does not say '%s'", pliant_error_text(), reason);
}

static void open_sheets_are_refused(void** state)
{
    (void)state;
    pliant_mesh* sheet = generate("cloth:10x10:1x1");
    check_refused(sheet, pliant_tet_defaults(), "no inside");
    pliant_mesh_arrays a = pliant_mesh_view(sheet);
    double* bent = (double*)malloc(3 * sizeof(double) * (size_t)a.vertex_count);
    memcpy(bent, a.vertices, 3 * sizeof(double) * (size_t)a.vertex_count);
    for (int v = 0; v < a.vertex_count; ++v) bent[3 * v + 1] = 0.1 * sin(5 * bent[3 * v]);
    a.vertices = bent;
    pliant_mesh* waves = create(a);
    check_refused(waves, pliant_tet_defaults(), "open sheet");
    pliant_mesh_destroy(sheet);
    pliant_mesh_destroy(waves);
    free(bent);
}

static void meshes_without_triangles_are_refused(void** state)
{
    (void)state;
    pliant_mesh* rope = generate("rope:1:4");
    check_refused(rope, pliant_tet_defaults(), "no inside");
    pliant_mesh_destroy(rope);
}

static void impossible_numbers_are_refused(void** state)
{
    (void)state;
    pliant_mesh* ball = surface_of("sphere:0.5:4");
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = -1;
    check_refused(ball, def, "-1 tets");
    def.tets = 0;
    check_refused(ball, def, "the edge of the tets is 0");
    def.edge = NAN;
    check_refused(ball, def, "the edge of the tets");
    def.edge = 100;
    check_refused(ball, def, "shorter edges");
    def.threads = -1;
    check_refused(ball, def, "-1 threads");
    def.coarsening = 9;
    check_refused(ball, def, "a coarsening of 9");
    pliant_mesh_destroy(ball);
}

static void edges_that_are_too_short_are_refused(void** state)
{
    (void)state;
    pliant_mesh *ball = surface_of("sphere:0.5:4"), *mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = 1e-9;
    assert_int_equal(pliant_mesh_tetrahedralize(ball, &def, &mesh, NULL), PLIANT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(pliant_error_text(), "longer edges"));
    pliant_mesh_destroy(ball);
}

static void definition_from_nowhere_is_misuse(void** state)
{
    (void)state;
    int calls = 0;
    pliant_tet_def def = {.tets = 100};
    pliant_mesh *ball = surface_of("sphere:0.5:4"), *mesh = NULL;
    pliant_set_assert(count_misuse, &calls);
    assert_int_equal(pliant_mesh_tetrahedralize(ball, &def, &mesh, NULL), PLIANT_ERROR_ARGUMENT);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(calls, 1);
    pliant_mesh_destroy(ball);
}

// ---- sameness and memory

static void threads_do_not_change_a_bit(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_torus(&s, 1, 0.3, 60, 24);
    soup_add_sphere(&s, 3);
    s.triangles -= 5; // a hole
    pliant_mesh* surface = soup_mesh(&s);
    soup_free(&s);
    uint64_t hash[3];
    static const int threads[3] = {5, 1, 2};
    const int count = by_scope(2, 3, 3);
    for (int i = 0; i < count; ++i) {
        pliant_mesh* mesh = fill(surface, by_scope(2000, 5000, 10000), threads[i]);
        hash[i] = hash_mesh(mesh);
        pliant_mesh_destroy(mesh);
        assert_true(hash[i] == hash[0]);
    }
    pliant_mesh_destroy(surface);
}

// Vertices that are near in the order are near in space.
static void order_is_local(void** state)
{
    (void)state;
    pliant_mesh* surface = surface_of("sphere:0.5:40");
    pliant_mesh* mesh = fill(surface, 20000, 2);
    pliant_mesh_destroy(surface);
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    double span = 0;
    for (int t = 0; t < a.tet_count; ++t) {
        const int* c = a.tets + 4 * t;
        int low = c[0], high = c[0];
        for (int k = 1; k < 4; ++k) low = c[k] < low ? c[k] : low, high = c[k] > high ? c[k] : high;
        span += high - low;
    }
    CHECK_BETWEEN(span / a.tet_count / a.vertex_count, 0, 0.1);
    pliant_mesh_destroy(mesh);
}

static void tell(double part, void* context)
{
    double* last = (double*)context;
    assert_true(part >= *last && part <= 1);
    *last = part;
}

static void progress_comes_to_its_end(void** state)
{
    (void)state;
    pliant_mesh *ball = surface_of("sphere:0.5:10"), *mesh = NULL;
    double last = 0;
    pliant_tet_def def = pliant_tet_defaults();
    def.progress = tell;
    def.context = &last;
    CHECK_OK(pliant_mesh_tetrahedralize(ball, &def, &mesh, NULL));
    CHECK_CLOSE(last, 1, 0);
    pliant_mesh_destroy(ball);
    pliant_mesh_destroy(mesh);
}

static pliant_result attempt_fill(const void* context)
{
    pliant_mesh* mesh = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 0;
    def.edge = 0.3;
    def.coarsening = 2;
    def.separate_parts = true;
    def.threads = 1;
    pliant_result result =
        pliant_mesh_tetrahedralize((const pliant_mesh*)context, &def, &mesh, NULL);
    if (result) assert_null(mesh);
    pliant_mesh_destroy(mesh);
    return result;
}

static void filling_survives_refused_allocations(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{2, 2, 2}});
    soup_add_box(&s, (point){{2, 2, 2}}, (point){{4, 4, 4}}); // they touch
    pliant_mesh* surface = soup_mesh(&s);
    soup_free(&s);
    assert_true(check_some_failures(attempt_fill, surface, by_scope(61, 41, 1)) > 40);
    pliant_mesh_destroy(surface);
}

// ---- the models

// Volume within 1 %, distance below half an edge: bench mesher looks at all of them.
static void clean_model_keeps_its_volume(void** state)
{
    (void)state;
    pliant_mesh *surface = NULL, *mesh = NULL;
    if (pliant_mesh_load(SHARED_MESHES "surfaces/dragon_lowres.obj", &surface)) {
        print_message("no models at %s: skipped\n", SHARED_MESHES);
        skip();
    }
    double volume = measure(surface).volume;
    mesh = fill(surface, by_scope(10000, 10000, 50000), 2);
    pliant_mesh_destroy(surface);
    CHECK_CLOSE(check_mesh(mesh, 1).volume, volume, 0.01);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        usual_test(ball_is_filled),
        numbers_test(torus_is_filled),
        numbers_test(box_is_filled),
        numbers_test(blob_is_filled),
        known_threads_test(edges_have_the_length_that_was_asked_for),
        numbers_test(inner_vertices_have_24_tets),
        numbers_test(boundary_is_near_the_surface),
        known_threads_test(place_and_size_do_not_matter),
        numbers_test(inside_is_coarser_on_request),
        numbers_test(coarse_inside_keeps_the_number_of_tets),
        known_threads_test(holes_are_closed),
        known_threads_test(flipped_triangles_do_not_matter),
        known_threads_test(repeated_triangles_do_not_matter),
        known_threads_test(parts_that_intersect_are_one),
        spare_threads_test(parts_that_are_apart_stay_apart),
        spare_threads_test(parts_that_intersect_stay_apart_on_request),
        usual_test(cavities_go_with_the_part_around_them),
        known_threads_test(cavity_stays_empty),
        spare_threads_test(parts_that_touch_are_split),
        known_threads_test(angles_hold_for_random_surfaces),
        cmocka_unit_test(open_sheets_are_refused),
        cmocka_unit_test(meshes_without_triangles_are_refused),
        cmocka_unit_test(impossible_numbers_are_refused),
        cmocka_unit_test(edges_that_are_too_short_are_refused),
        cmocka_unit_test(definition_from_nowhere_is_misuse),
        cmocka_unit_test(threads_do_not_change_a_bit),
        numbers_test(order_is_local),
        cmocka_unit_test(progress_comes_to_its_end),
        known_threads_test(filling_survives_refused_allocations),
        numbers_test(clean_model_keeps_its_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
