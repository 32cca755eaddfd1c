// Boundary, measure and transform.
#include "failing.h"
#include "meshes.h"

static const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

// ---- boundary -----------------------------------------------------------------------------------

static void boundary_of_a_tet_faces_outward(void** state)
{
    (void)state;
    // Vertex 0 belongs to nothing: surface vertices skip it.
    const double vertices[15] = {9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int tet[4] = {1, 2, 3, 4};
    int origin[5] = {-1, -1, -1, -1, -1};
    pliant_mesh *mesh = create_tets(vertices, 5, tet, 1), *surface = NULL;
    CHECK_OK(pliant_mesh_boundary(mesh, &surface, origin));
    assert_int_equal(pliant_mesh_view(surface).vertex_count, 4);
    assert_int_equal(pliant_mesh_view(surface).triangle_count, 4);
    for (int v = 0; v < 4; ++v) assert_int_equal(origin[v], v + 1);
    assert_int_equal(origin[4], -1);
    CHECK_CLOSE(measure(surface).volume, 1.0 / 6, 1e-14);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(surface);
}

static void boundary_triangles_agree_with_their_neighbors(void** state)
{
    (void)state;
    pliant_mesh* surface = surface_of("torus:1:0.3:4");
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    def.orient = true;
    CHECK_OK(pliant_mesh_clean(surface, &def, &report));
    assert_int_equal(report.oriented, 0);
    pliant_mesh_destroy(surface);
}

static void a_face_of_three_tets_is_refused_with_their_numbers(void** state)
{
    (void)state;
    const double vertices[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0, -1};
    const int tets[12] = {0, 1, 2, 3, 0, 1, 2, 4, 0, 2, 1, 5};
    pliant_mesh *mesh = create_tets(vertices, 6, tets, 3), *surface = mesh;
    assert_int_equal(pliant_mesh_boundary(mesh, &surface, NULL), PLIANT_ERROR_ARGUMENT);
    assert_null(surface);
    assert_non_null(strstr(pliant_error_text(), "tets 0, 1 and 2 share a face"));
    pliant_mesh_destroy(mesh);
}

// ---- measure ------------------------------------------------------------------------------------

static void a_corner_tet_has_its_known_measures(void** state)
{
    (void)state;
    const int tet[4] = {0, 1, 2, 3};
    pliant_mesh_quality q = measure_last(create_tets(corner, 4, tet, 1));
    CHECK_CLOSE(q.volume, 1.0 / 6, 1e-15);
    CHECK_CLOSE(q.min_tet_volume, 1.0 / 6, 1e-15);
    CHECK_CLOSE(q.area, 1.5 + sqrt(3) / 2, 1e-14);
    CHECK_CLOSE(q.shortest_edge, 1, 1e-15);
    CHECK_CLOSE(q.longest_edge, sqrt(2), 1e-15);
    CHECK_CLOSE(q.mean_edge, (1 + sqrt(2)) / 2, 1e-14);
    CHECK_CLOSE(q.min_dihedral, 54.735610317245346, 1e-12);
    CHECK_CLOSE(q.max_dihedral, 90, 1e-12);
    assert_true(q.min[0] == 0 && q.max[2] == 1);
    assert_int_equal(q.max_valence, 1);
    assert_int_equal(q.components, 1);
}

static void broken_tets_are_counted(void** state)
{
    (void)state;
    const double vertices[30] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0,
                                 5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6, 0, 0, -0.0};
    // The first is inverted, the second flat, the third a piece of its own; vertex 9 is unused and
    // at the same place as vertex 0.
    const int tets[12] = {0, 2, 1, 3, 0, 1, 2, 4, 5, 6, 7, 8};
    pliant_mesh_quality q = measure_last(create_tets(vertices, 10, tets, 3));
    assert_int_equal(q.inverted_tets, 1);
    assert_int_equal(q.degenerate_tets, 1);
    assert_int_equal(q.components, 2);
    assert_int_equal(q.unreferenced_vertices, 1);
    assert_int_equal(q.duplicate_vertices, 1);
    assert_int_equal(q.max_valence, 2);
    CHECK_CLOSE(q.mean_valence, 12.0 / 9, 1e-14);
    CHECK_CLOSE(q.min_tet_volume, -1.0 / 6, 1e-14);
    assert_true(q.min_dihedral < 1e-6 && q.max_dihedral > 180 - 1e-6);
}

static void open_and_crowded_edges_are_counted(void** state)
{
    (void)state;
    const double vertices[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0};
    const int fan[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    pliant_mesh_quality q = measure_last(create_triangles(vertices, 5, fan, 3));
    assert_int_equal(q.nonmanifold_edges, 1);
    assert_int_equal(q.boundary_edges, 6);
    assert_true(q.volume == 0);
    CHECK_CLOSE(q.area, 1.5, 1e-14);
    const int flat[6] = {0, 2, 4, 0, 0, 1};
    assert_int_equal(measure_last(create_triangles(vertices, 5, flat, 2)).degenerate_triangles, 2);
}

static void a_far_away_surface_keeps_its_volume(void** state)
{
    (void)state;
    const double away[3] = {1e6, 1e6, 1e6};
    pliant_mesh* surface = surface_of("sphere:1:8");
    double before = measure(surface).volume;
    pliant_mesh_transform(surface, 1, (pliant_quat){0, 0, 0, 1}, away);
    CHECK_CLOSE(measure_last(surface).volume, before, 1e-8);
}

static void an_empty_mesh_measures_zero(void** state)
{
    (void)state;
    pliant_mesh_quality q = measure_last(create((pliant_mesh_arrays){.vertex_count = 0}));
    const pliant_mesh_quality zero = {.volume = 0};
    assert_memory_equal(&q, &zero, sizeof q);
}

// The vertex of a closed fan is in every tet: a quadratic method would take minutes here.
static void a_vertex_of_huge_valence_is_no_problem(void** state)
{
    (void)state;
    enum { AROUND = 60000 };
    double* vertices = (double*)malloc((AROUND + 2) * 3 * sizeof(double));
    int* tets = (int*)malloc(AROUND * 4 * sizeof(int));
    assert_true(vertices && tets);
    const double poles[6] = {0, 0, 0, 0, 0, 1};
    memcpy(vertices, poles, sizeof poles);
    for (int i = 0; i < AROUND; ++i) {
        double angle = 6.283185307179586 * i / AROUND;
        double* v = vertices + 3 * (i + 2);
        v[0] = cos(angle), v[1] = sin(angle), v[2] = 0;
        const int tet[4] = {0, i + 2, (i + 1) % AROUND + 2, 1};
        memcpy(tets + 4 * i, tet, sizeof tet);
    }
    pliant_mesh_quality q = measure_last(create_tets(vertices, AROUND + 2, tets, AROUND));
    assert_int_equal(q.max_valence, AROUND);
    assert_int_equal(q.inverted_tets + q.boundary_edges, 0);
    CHECK_CLOSE(q.volume, 3.14159265358979 / 3, 1e-6);
    free(vertices);
    free(tets);
}

// ---- transform ----------------------------------------------------------------------------------

static void transform_scales_then_turns_then_moves(void** state)
{
    (void)state;
    const int tet[4] = {0, 1, 2, 3};
    const double move[3] = {10, 20, 30};
    pliant_mesh* mesh = create_tets(corner, 4, tet, 1);
    // A quarter turn about z, not normalized.
    pliant_mesh_transform(mesh, 2, (pliant_quat){0, 0, 3, 3}, move);
    const double* v = pliant_mesh_view(mesh).vertices;
    const double expected[12] = {10, 20, 30, 10, 22, 30, 8, 20, 30, 10, 20, 32};
    for (int i = 0; i < 12; ++i) CHECK_CLOSE(v[i], expected[i], 1e-14);
    CHECK_CLOSE(measure_last(mesh).volume, 8.0 / 6, 1e-13);
}

static void the_identity_changes_no_bit(void** state)
{
    (void)state;
    const double stay[3] = {0, 0, 0};
    pliant_mesh* mesh = generate("sphere:0.7:6");
    uint64_t before = hash_mesh(mesh);
    pliant_mesh_transform(mesh, 1, (pliant_quat){0, 0, 0, 1}, stay);
    assert_true(hash_mesh(mesh) == before);
    pliant_mesh_destroy(mesh);
}

static void impossible_transforms_are_misuse(void** state)
{
    (void)state;
    int calls = 0;
    const double stay[3] = {0, 0, 0};
    pliant_mesh* mesh = generate("sphere:0.7:2");
    uint64_t before = hash_mesh(mesh);
    pliant_set_assert(count_misuse, &calls);
    pliant_mesh_transform(mesh, -1, (pliant_quat){0, 0, 0, 1}, stay);
    pliant_mesh_transform(mesh, 1, (pliant_quat){0, 0, 0, 0}, stay);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(calls, 2);
    assert_true(hash_mesh(mesh) == before);
    pliant_mesh_destroy(mesh);
}

// ---- failed allocations -------------------------------------------------------------------------

static pliant_result attempt_boundary(const void* mesh)
{
    pliant_mesh* surface = (pliant_mesh*)&surface;
    pliant_result result = pliant_mesh_boundary((const pliant_mesh*)mesh, &surface, NULL);
    assert_true((surface == NULL) == (result != PLIANT_OK));
    pliant_mesh_destroy(surface);
    return result;
}

static pliant_result attempt_measure(const void* mesh)
{
    pliant_mesh_quality q;
    pliant_result result = pliant_mesh_measure((const pliant_mesh*)mesh, &q);
    assert_true((q.components == 1) == (result == PLIANT_OK));
    return result;
}

static void tools_survive_every_failed_allocation(void** state)
{
    (void)state;
    pliant_mesh *mesh = generate("sphere:1:4"), *surface = surface_of("sphere:1:4");
    assert_true(check_every_failure(attempt_boundary, mesh) > 5);
    assert_true(check_every_failure(attempt_measure, mesh) > 5);
    assert_true(check_every_failure(attempt_measure, surface) > 5);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(surface);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundary_of_a_tet_faces_outward),
        cmocka_unit_test(boundary_triangles_agree_with_their_neighbors),
        cmocka_unit_test(a_face_of_three_tets_is_refused_with_their_numbers),
        cmocka_unit_test(a_corner_tet_has_its_known_measures),
        cmocka_unit_test(broken_tets_are_counted),
        cmocka_unit_test(open_and_crowded_edges_are_counted),
        cmocka_unit_test(a_far_away_surface_keeps_its_volume),
        cmocka_unit_test(an_empty_mesh_measures_zero),
        cmocka_unit_test(a_vertex_of_huge_valence_is_no_problem),
        cmocka_unit_test(transform_scales_then_turns_then_moves),
        cmocka_unit_test(the_identity_changes_no_bit),
        cmocka_unit_test(impossible_transforms_are_misuse),
        cmocka_unit_test(tools_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
