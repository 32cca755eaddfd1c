// Cleaning of broken meshes.
#include "base/random.h"
#include "failing.h"
#include "meshes.h"

static void nothing_is_cleaned_by_default(void** state)
{
    (void)state;
    const double vertices[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const int tets[8] = {0, 2, 1, 3, 0, 0, 0, 0};
    pliant_mesh* mesh = create_tets(vertices, 5, tets, 2);
    uint64_t before = hash_mesh(mesh);
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
    assert_true(hash_mesh(mesh) == before);
    const pliant_clean_report nothing = {0};
    assert_memory_equal(&report, &nothing, sizeof report);
    pliant_mesh_destroy(mesh);
}

static void a_triangle_soup_welds_into_a_solid(void** state)
{
    (void)state;
    pliant_mesh* surface = surface_of("torus:1:0.3:6");
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    int sides = 3 * a.triangle_count;
    double* vertices = (double*)malloc((size_t)sides * 3 * sizeof(double));
    int* triangles = (int*)malloc((size_t)sides * sizeof(int));
    assert_true(vertices && triangles);
    for (int i = 0; i < sides; ++i) {
        memcpy(vertices + 3 * i, a.vertices + 3 * a.triangles[i], 3 * sizeof(double));
        triangles[i] = i;
    }
    pliant_mesh* soup = create_triangles(vertices, sides, triangles, sides / 3);
    assert_int_equal(measure(soup).components, sides / 3);
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    def.weld = true;
    CHECK_OK(pliant_mesh_clean(soup, &def, &report));
    assert_int_equal(report.welded, sides - a.vertex_count);
    assert_int_equal(pliant_mesh_view(soup).vertex_count, a.vertex_count);
    pliant_mesh_quality q = measure_last(soup);
    assert_int_equal(q.components, 1);
    assert_int_equal(q.boundary_edges + q.nonmanifold_edges, 0);
    CHECK_CLOSE(q.volume, measure_last(surface).volume, 1e-12);
    free(vertices);
    free(triangles);
}

// The rule written down plainly: the lowest-numbered vertex within reach that joins nobody.
static int join_by_force(const double* vertices, int count, double distance, int* first)
{
    int joined = 0;
    for (int v = 0; v < count; ++v) {
        first[v] = v;
        for (int u = 0; u < v && first[v] == v; ++u) {
            const double *p = vertices + 3 * u, *q = vertices + 3 * v;
            double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
            if (first[u] == u && x * x + y * y + z * z <= distance * distance) first[v] = u;
        }
        joined += first[v] != v;
    }
    return joined;
}

static void welding_by_distance_follows_its_rule(void** state)
{
    (void)state;
    enum { COUNT = 600 };
    double vertices[3 * COUNT];
    int edges[2 * COUNT], first[COUNT];
    random_source random = {5};
    for (int i = 0; i < 3 * COUNT; ++i) vertices[i] = random_range(&random, -1, 1);
    for (int i = 0; i < COUNT; ++i) edges[2 * i] = edges[2 * i + 1] = i;
    static const double distances[3] = {0.01, 0.1, 0.5};
    for (int d = 0; d < 3; ++d) {
        pliant_mesh* mesh = create((pliant_mesh_arrays){
            .vertices = vertices, .vertex_count = COUNT, .edges = edges, .edge_count = COUNT});
        pliant_clean_def def = pliant_clean_defaults();
        pliant_clean_report report;
        def.weld = true;
        def.weld_distance = distances[d];
        CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
        int joined = join_by_force(vertices, COUNT, distances[d], first);
        assert_int_equal(report.welded, joined);
        pliant_mesh_arrays a = pliant_mesh_view(mesh);
        assert_int_equal(a.vertex_count, COUNT - joined);
        for (int i = 0; i < COUNT; ++i)
            assert_memory_equal(a.vertices + 3 * a.edges[2 * i], vertices + 3 * first[i], 24);
        pliant_mesh_destroy(mesh);
    }
}

// The cells of the search are as wide as the distance and start at the lowest vertex. Many vertices
// make many buckets, so that the two that meet do not share one by chance.
static void welding_sees_across_all_sides_of_a_cell(void** state)
{
    (void)state;
    enum { COUNT = 1000 };
    double vertices[3 * COUNT] = {0};
    for (int v = 3; v < COUNT; ++v) vertices[3 * v] = 10.0 * v;
    for (int side = 0; side < 27; ++side) {
        const int toward[3] = {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1};
        for (int axis = 0; axis < 3; ++axis) {
            double middle = toward[axis] ? 10 : 10.5;
            vertices[3 + axis] = middle - 0.1 * toward[axis];
            vertices[6 + axis] = middle + 0.1 * toward[axis];
        }
        pliant_mesh* mesh =
            create((pliant_mesh_arrays){.vertices = vertices, .vertex_count = COUNT});
        pliant_clean_def def = pliant_clean_defaults();
        pliant_clean_report report;
        def.weld = true;
        def.weld_distance = 1;
        CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
        assert_int_equal(report.welded, 1);
        pliant_mesh_destroy(mesh);
    }
}

static void exact_welding_knows_both_zeros_and_nothing_else(void** state)
{
    (void)state;
    const double vertices[9] = {0, 1, 2, -0.0, 1, 2, 1e-300, 1, 2};
    const int edges[4] = {0, 1, 1, 2};
    pliant_mesh* mesh = create((pliant_mesh_arrays){
        .vertices = vertices, .vertex_count = 3, .edges = edges, .edge_count = 2});
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    def.weld = true;
    CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
    assert_int_equal(report.welded, 1);
    def.drop_degenerate = true; // the first edge has lost its length
    CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
    assert_int_equal(report.degenerate, 1);
    pliant_mesh_destroy(mesh);
}

static void inverted_tets_are_turned(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("sphere:1:6");
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int* tets = (int*)malloc((size_t)a.tet_count * 4 * sizeof(int));
    assert_non_null(tets);
    memcpy(tets, a.tets, (size_t)a.tet_count * 4 * sizeof(int));
    for (int t = 0; t < a.tet_count; t += 3) {
        tets[4 * t] = a.tets[4 * t + 1];
        tets[4 * t + 1] = a.tets[4 * t];
    }
    pliant_mesh* broken = create_tets(a.vertices, a.vertex_count, tets, a.tet_count);
    assert_int_equal(measure(broken).inverted_tets, (a.tet_count + 2) / 3);
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    def.orient = true;
    CHECK_OK(pliant_mesh_clean(broken, &def, &report));
    assert_int_equal(report.oriented, (a.tet_count + 2) / 3);
    assert_int_equal(measure_last(broken).inverted_tets, 0);
    pliant_mesh_destroy(mesh);
    free(tets);
}

// A copy of a surface with the triangles turned that `choose` names.
static pliant_mesh* turned(const pliant_mesh* surface, bool (*choose)(int))
{
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    int* triangles = (int*)malloc((size_t)a.triangle_count * 3 * sizeof(int));
    assert_non_null(triangles);
    for (int t = 0; t < a.triangle_count; ++t)
        for (int v = 0; v < 3; ++v)
            triangles[3 * t + v] = a.triangles[3 * t + (choose(t) ? 2 - v : v)];
    pliant_mesh* mesh = create_triangles(a.vertices, a.vertex_count, triangles, a.triangle_count);
    free(triangles);
    return mesh;
}

static bool some(int triangle) { return triangle % 7 < 4; }
static bool few(int triangle) { return triangle < 5; }
static bool all(int triangle) { return triangle >= 0; }

static int orient(pliant_mesh* mesh)
{
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    def.orient = true;
    CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
    return report.oriented;
}

static void closed_surfaces_turn_outward(void** state)
{
    (void)state;
    pliant_mesh* surface = surface_of("torus:1:0.3:4");
    bool (*const choices[3])(int) = {some, few, all};
    for (int c = 0; c < 3; ++c) {
        pliant_mesh* mesh = turned(surface, choices[c]);
        int chosen = 0;
        for (int t = 0; t < pliant_mesh_view(mesh).triangle_count; ++t) chosen += choices[c](t);
        assert_int_equal(orient(mesh), chosen);
        CHECK_CLOSE(measure_last(mesh).volume, measure(surface).volume, 1e-12);
    }
    pliant_mesh_destroy(surface);
}

static void open_sheets_turn_their_smaller_part(void** state)
{
    (void)state;
    pliant_mesh* sheet = generate("cloth:6x6");
    pliant_mesh *five = turned(sheet, few), *whole = turned(sheet, all);
    assert_int_equal(orient(five), 5);
    assert_int_equal(orient(whole), 0);
    pliant_mesh_destroy(sheet);
    pliant_mesh_destroy(five);
    pliant_mesh_destroy(whole);
}

static void drops_keep_regions_and_cells_in_step(void** state)
{
    (void)state;
    const double vertices[18] = {7, 7, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0};
    // Repeated vertex, good, flat, the good one again, another good one.
    const int tets[20] = {1, 1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 5, 4, 3, 2, 1, 2, 5, 3, 4};
    const int region[5] = {10, 11, 12, 13, 14}, cell[5] = {20, 21, 22, 23, 24};
    const int triangles[6] = {1, 2, 3, 3, 1, 2}, edges[4] = {1, 2, 2, 1};
    pliant_mesh* mesh = create((pliant_mesh_arrays){.vertices = vertices,
                                                    .tets = tets,
                                                    .triangles = triangles,
                                                    .edges = edges,
                                                    .tet_region = region,
                                                    .tet_cell = cell,
                                                    .vertex_count = 6,
                                                    .tet_count = 5,
                                                    .triangle_count = 2,
                                                    .edge_count = 2});
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    def.drop_degenerate = def.drop_duplicates = def.drop_unreferenced = true;
    CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
    assert_int_equal(report.degenerate, 2);
    assert_int_equal(report.duplicates, 3);
    assert_int_equal(report.unreferenced, 1);
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    assert_int_equal(a.tet_count, 2);
    assert_int_equal(a.triangle_count, 1);
    assert_int_equal(a.edge_count, 1);
    assert_int_equal(a.vertex_count, 5);
    assert_true(a.tet_region[0] == 11 && a.tet_region[1] == 14);
    assert_true(a.tet_cell[0] == 21 && a.tet_cell[1] == 24);
    const int expected[8] = {0, 1, 2, 3, 1, 4, 2, 3};
    assert_memory_equal(a.tets, expected, sizeof expected);
    pliant_mesh_destroy(mesh);
}

static void degenerate_is_relative_to_the_size(void** state)
{
    (void)state;
    static const double scales[2] = {1e-7, 1e7};
    const double stay[3] = {0, 0, 0};
    for (int i = 0; i < 2; ++i) {
        pliant_mesh* mesh = generate("sphere:1:4");
        pliant_mesh_transform(mesh, scales[i], (pliant_quat){0, 0, 0, 1}, stay);
        assert_int_equal(measure_last(mesh).degenerate_tets, 0);
    }
}

static void bad_clean_definitions_change_nothing(void** state)
{
    (void)state;
    int calls = 0;
    pliant_mesh* mesh = generate("sphere:1:4");
    uint64_t before = hash_mesh(mesh);
    pliant_clean_def def = pliant_clean_defaults();
    def.weld = true;
    def.weld_distance = NAN;
    assert_int_equal(pliant_mesh_clean(mesh, &def, NULL), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "weld distance"));
    def.weld_distance = -1;
    assert_int_equal(pliant_mesh_clean(mesh, &def, NULL), PLIANT_ERROR_ARGUMENT);
    def.weld_distance = 10;
    def.cookie = 0;
    pliant_set_assert(count_misuse, &calls);
    assert_int_equal(pliant_mesh_clean(mesh, &def, NULL), PLIANT_ERROR_ARGUMENT);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(calls, 1);
    assert_true(hash_mesh(mesh) == before);
    pliant_mesh_destroy(mesh);
}

// A soup of two tets, one inverted, with triangles.
static pliant_mesh_arrays broken_arrays(void)
{
    static const double vertices[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1};
    static const int tets[8] = {0, 2, 1, 3, 4, 2, 3, 5}, triangles[6] = {0, 1, 2, 4, 2, 3};
    pliant_mesh_arrays arrays = {.vertices = vertices,
                                 .tets = tets,
                                 .triangles = triangles,
                                 .vertex_count = 6,
                                 .tet_count = 2,
                                 .triangle_count = 2};
    return arrays;
}

// Cleans the same mesh, which is not const here, and looks that a failure left it alone.
static pliant_result attempt_clean(const void* broken)
{
    pliant_mesh* mesh = *(pliant_mesh* const*)broken;
    uint64_t before = hash_mesh(mesh);
    pliant_clean_def def = pliant_clean_defaults();
    def.weld = def.orient = def.drop_degenerate = def.drop_duplicates = true;
    def.drop_unreferenced = true;
    pliant_clean_report report;
    pliant_result result = pliant_mesh_clean(mesh, &def, &report);
    assert_true((hash_mesh(mesh) == before) == (result != PLIANT_OK));
    assert_true((report.welded == 1) == (result == PLIANT_OK));
    return result;
}

static void cleaning_survives_every_failed_allocation(void** state)
{
    (void)state;
    pliant_mesh* broken = create(broken_arrays());
    assert_true(check_every_failure(attempt_clean, &broken) > 10);
    pliant_mesh_destroy(broken);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_cleaned_by_default),
        cmocka_unit_test(a_triangle_soup_welds_into_a_solid),
        cmocka_unit_test(welding_by_distance_follows_its_rule),
        cmocka_unit_test(welding_sees_across_all_sides_of_a_cell),
        cmocka_unit_test(exact_welding_knows_both_zeros_and_nothing_else),
        cmocka_unit_test(inverted_tets_are_turned),
        cmocka_unit_test(closed_surfaces_turn_outward),
        cmocka_unit_test(open_sheets_turn_their_smaller_part),
        cmocka_unit_test(drops_keep_regions_and_cells_in_step),
        cmocka_unit_test(degenerate_is_relative_to_the_size),
        cmocka_unit_test(bad_clean_definitions_change_nothing),
        cmocka_unit_test(cleaning_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
