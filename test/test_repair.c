// Repair of tet meshes by local operations.
#include "failing.h"
#include "meshes.h"

static pliant_repair_report repair_mesh(pliant_mesh* mesh, const pliant_repair_def* def)
{
    pliant_repair_report report;
    CHECK_OK(pliant_mesh_repair(mesh, def, &report));
    return report;
}

// All triangles of a sphere joined to its center: one vertex has all the tets.
static pliant_mesh* cone_of_sphere(const char* sphere)
{
    enum { MOST = 4096 };
    static double vertex[3 * MOST];
    static int tet[4 * MOST];
    pliant_mesh* surface = surface_of(sphere);
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    assert_true(a.vertex_count < MOST && a.triangle_count < MOST);
    memcpy(vertex, a.vertices, 3 * sizeof(double) * (size_t)a.vertex_count);
    for (int k = 0; k < 3; ++k) vertex[3 * a.vertex_count + k] = 0;
    for (int t = 0; t < a.triangle_count; ++t) {
        memcpy(tet + 4 * t, a.triangles + 3 * t, 3 * sizeof(int));
        tet[4 * t + 3] = a.vertex_count;
        int second = tet[4 * t + 1];
        tet[4 * t + 1] = tet[4 * t + 2], tet[4 * t + 2] = second;
    }
    pliant_mesh* mesh = create_tets(vertex, a.vertex_count + 1, tet, a.triangle_count);
    pliant_mesh_destroy(surface);
    return mesh;
}

// A box whose inner vertices lie nearly on each other in pairs, and with two regions if asked for.
static pliant_mesh* box_of_slivers(bool regions)
{
    static double vertex[3 * 4096];
    static int region[8192];
    pliant_mesh* box = generate("box6:8x8x8");
    pliant_mesh_quality q = measure(box);
    pliant_mesh_arrays a = pliant_mesh_view(box);
    double cell = (q.max[0] - q.min[0]) / 8;
    memcpy(vertex, a.vertices, 3 * sizeof(double) * (size_t)a.vertex_count);
    for (int v = 0; v < a.vertex_count; ++v) {
        double* x = vertex + 3 * v;
        int place = (int)(x[0] / cell + 0.5);
        bool inner = x[1] > cell / 2 && x[1] < 7.5 * cell && x[2] > cell / 2 && x[2] < 7.5 * cell;
        if (inner && place > 0 && place < 8 && place % 2 && place != 4) x[0] += 0.97 * cell;
    }
    for (int t = 0; t < a.tet_count; ++t) {
        double middle = 0;
        for (int k = 0; k < 4; ++k) middle += a.vertices[3 * a.tets[4 * t + k]] / 4;
        region[t] = middle > 4 * cell;
    }
    a.vertices = vertex;
    if (regions) a.tet_region = region;
    pliant_mesh* mesh = create(a);
    pliant_mesh_destroy(box);
    return mesh;
}

static double region_volume(const pliant_mesh* mesh, int region)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    double sum = 0;
    for (int t = 0; t < a.tet_count; ++t) {
        double e[3][3];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                e[i][k] =
                    a.vertices[3 * a.tets[4 * t + i + 1] + k] - a.vertices[3 * a.tets[4 * t] + k];
        if (a.tet_region[t] != region) continue;
        sum += (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
               6;
    }
    return sum;
}

static void check_valid(const pliant_mesh* mesh, double min_dihedral, int max_valence)
{
    pliant_mesh_quality q = measure(mesh);
    CHECK_BETWEEN(q.min_dihedral, min_dihedral, 60);
    CHECK_BETWEEN(q.max_dihedral, 60, 180 - min_dihedral);
    CHECK_BETWEEN(q.max_valence, 8, max_valence);
    assert_int_equal(q.inverted_tets, 0);
    assert_int_equal(q.components, 1);
    assert_int_equal(q.boundary_edges, 0);
    assert_int_equal(q.nonmanifold_edges, 0);
    assert_int_equal(q.unreferenced_vertices, 0);
}

// ---- what becomes of bad meshes

static void a_crowded_vertex_becomes_an_even_mesh(void** state)
{
    (void)state;
    pliant_mesh* mesh = cone_of_sphere(scope_now() == ALL ? "sphere:0.5:8" : "sphere:0.5:6");
    pliant_mesh_quality before = measure(mesh);
    assert_true(before.max_valence > by_scope(100, 100, 200));
    pliant_repair_def def = pliant_repair_defaults();
    pliant_repair_report report = repair_mesh(mesh, &def);
    check_valid(mesh, def.min_dihedral, def.max_valence);
    CHECK_CLOSE(measure(mesh).volume, before.volume, 0.005);
    CHECK_BETWEEN(report.out_distance, 0, 1.0 / 150);
    assert_true(report.reached);
    pliant_mesh_destroy(mesh);
}

static void slivers_go(void** state)
{
    (void)state;
    pliant_mesh* mesh = box_of_slivers(false);
    pliant_mesh_quality before = measure(mesh);
    CHECK_BETWEEN(before.min_dihedral, 0.1, 3);
    pliant_repair_def def = pliant_repair_defaults();
    def.min_dihedral = 12;
    repair_mesh(mesh, &def);
    check_valid(mesh, 12, 60);
    CHECK_CLOSE(measure(mesh).volume, before.volume, 1e-3);
    pliant_mesh_destroy(mesh);
}

static void regions_keep_their_volumes(void** state)
{
    (void)state;
    pliant_mesh* mesh = box_of_slivers(true);
    double left = region_volume(mesh, 0), right = region_volume(mesh, 1);
    pliant_repair_def def = pliant_repair_defaults();
    repair_mesh(mesh, &def);
    check_valid(mesh, 8, 60);
    CHECK_CLOSE(region_volume(mesh, 0), left, 2e-3);
    CHECK_CLOSE(region_volume(mesh, 1), right, 2e-3);
    pliant_mesh_destroy(mesh);
}

static void a_good_mesh_stays_as_it_is(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("sphere:0.5:6");
    uint64_t before = hash_mesh(mesh);
    pliant_repair_def def = pliant_repair_defaults();
    pliant_repair_report report = repair_mesh(mesh, &def);
    assert_true(hash_mesh(mesh) == before);
    assert_true(report.reached);
    assert_int_equal(report.splits + report.collapses + report.swaps + report.shifts, 0);
    pliant_mesh_destroy(mesh);
}

static void edges_get_the_length_that_is_asked_for(void** state)
{
    (void)state;
    pliant_mesh* mesh = generate("beam:6x6x6");
    pliant_repair_def def = pliant_repair_defaults();
    def.edge = 2 * measure(mesh).mean_edge;
    repair_mesh(mesh, &def);
    CHECK_CLOSE(measure(mesh).mean_edge, def.edge, 0.25);
    pliant_mesh_destroy(mesh);
}

static void the_surface_stays_within_the_tolerance(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        pliant_mesh* mesh = cone_of_sphere("sphere:0.5:8");
        pliant_repair_def def = pliant_repair_defaults();
        def.tolerance = i ? 0.02 : 0.002;
        pliant_repair_report report = repair_mesh(mesh, &def);
        CHECK_BETWEEN(report.out_distance, 0, 1.001 * def.tolerance);
        CHECK_BETWEEN(report.back_distance, 0, 1.3 * def.tolerance);
        pliant_mesh_destroy(mesh);
    }
}

static void the_same_mesh_every_time(void** state)
{
    (void)state;
    pliant_repair_def def = pliant_repair_defaults();
    const char* sphere = scope_now() == ALL ? "sphere:0.5:8" : "sphere:0.5:4";
    pliant_mesh *first = cone_of_sphere(sphere), *second = cone_of_sphere(sphere);
    repair_mesh(first, &def);
    repair_mesh(second, &def);
    assert_true(hash_mesh(first) == hash_mesh(second));
    pliant_mesh_destroy(first);
    pliant_mesh_destroy(second);
}

static int substeps_of(const pliant_mesh* mesh)
{
    pliant_soft_def def = pliant_soft_defaults();
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, &def, &asset));
    int substeps = pliant_asset_substeps(asset, 1.0f / 60);
    pliant_asset_destroy(asset);
    return substeps;
}

static void the_sliver_bunny_needs_a_fifth_of_the_substeps(void** state)
{
    (void)state;
    pliant_mesh* mesh = NULL;
    if (pliant_mesh_load(SHARED_MESHES "tets/bunny_8k.mesh", &mesh)) {
        print_message("no meshes beside the project: skipped\n");
        skip();
    }
    pliant_mesh_quality before = measure(mesh);
    int substeps = substeps_of(mesh);
    pliant_repair_def def = pliant_repair_defaults();
    repair_mesh(mesh, &def);
    check_valid(mesh, 8, 60);
    CHECK_CLOSE(measure(mesh).volume, before.volume, 0.01);
    CHECK_BETWEEN(substeps_of(mesh), 1, substeps / 5);
    pliant_mesh_destroy(mesh);
}

// ---- what is refused

static void what_cannot_be_repaired_is_refused(void** state)
{
    (void)state;
    static const double vertex[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int inverted[] = {0, 2, 1, 3};
    pliant_repair_def def = pliant_repair_defaults();
    pliant_mesh *surface = surface_of("sphere:0.5:4"),
                *turned = create_tets(vertex, 4, inverted, 1), *box = generate("box6:1x1x1");
    assert_int_equal(pliant_mesh_repair(surface, &def, NULL), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_mesh_repair(turned, &def, NULL), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "tet 0"));
    def.min_dihedral = 40;
    assert_int_equal(pliant_mesh_repair(box, &def, NULL), PLIANT_ERROR_ARGUMENT);
    def = pliant_repair_defaults();
    def.max_valence = 3;
    assert_int_equal(pliant_mesh_repair(box, &def, NULL), PLIANT_ERROR_ARGUMENT);
    def = pliant_repair_defaults();
    def.tolerance = (double)NAN;
    assert_int_equal(pliant_mesh_repair(box, &def, NULL), PLIANT_ERROR_ARGUMENT);
    def = pliant_repair_defaults();
    def.edge = 1e-6;
    assert_int_equal(pliant_mesh_repair(box, &def, NULL), PLIANT_ERROR_ARGUMENT);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(turned);
    pliant_mesh_destroy(box);
}

static pliant_result repair_small(const void* context)
{
    pliant_mesh* mesh = NULL;
    pliant_repair_def def = pliant_repair_defaults();
    def.edge = 0.3;
    pliant_result result = pliant_mesh_generate((const char*)context, &mesh);
    if (!result) result = pliant_mesh_repair(mesh, &def, NULL);
    pliant_mesh_destroy(mesh);
    return result;
}

static void no_failed_allocation_leaks(void** state)
{
    (void)state;
    assert_true(check_every_failure(repair_small, "box6:1x1x1") > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowded_vertex_becomes_an_even_mesh),
        numbers_test(slivers_go),
        numbers_test(regions_keep_their_volumes),
        cmocka_unit_test(a_good_mesh_stays_as_it_is),
        cmocka_unit_test(edges_get_the_length_that_is_asked_for),
        numbers_test(the_surface_stays_within_the_tolerance),
        numbers_test(the_same_mesh_every_time),
        long_test(the_sliver_bunny_needs_a_fifth_of_the_substeps),
        cmocka_unit_test(what_cannot_be_repaired_is_refused),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
