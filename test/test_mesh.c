// Meshes in memory: arrays are copied, and bad ones refused by name.
#include "check.h"

static const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

static void arrays_are_copied(void** state)
{
    (void)state;
    int tet[4] = {0, 1, 2, 3};
    pliant_mesh_arrays arrays = {
        .vertices = corner, .vertex_count = 4, .tets = tet, .tet_count = 1};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    tet[0] = 99;
    assert_int_equal(pliant_mesh_view(mesh).tets[0], 0);
    pliant_mesh_destroy(mesh);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static void bad_arrays_are_refused_with_the_element(void** state)
{
    (void)state;
    int tets[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    pliant_mesh_arrays arrays = {
        .vertices = corner, .vertex_count = 4, .tets = tets, .tet_count = 2};
    pliant_mesh* mesh = NULL;
    assert_int_equal(pliant_mesh_create(&arrays, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_null(mesh);
    assert_non_null(strstr(pliant_error_text(), "tet 1"));
    double broken[3] = {0, NAN, 0};
    pliant_mesh_arrays one = {.vertices = broken, .vertex_count = 1};
    assert_int_equal(pliant_mesh_create(&one, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "vertex 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_copied),
        cmocka_unit_test(bad_arrays_are_refused_with_the_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
