// The benchmarks' own count of crossings: planted ones are found, and nothing else is.
#include "bench/crossings.h"
#include "check.h"

// Of one fixed triangle and another one, with `common` of their vertices in common.
static int pair_count(const double second[9], int common)
{
    double x[18] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 0; i < 9; ++i) x[9 + i] = second[i];
    int corners[6] = {0, 1, 2, 3, 4, 5};
    for (int i = 0; i < common; ++i) corners[3 + i] = i;
    crossings_soup soup = {.x = x, .triangles = corners, .triangle_count = 2};
    int count;
    CHECK_OK(crossings_count(&soup, &count));
    return count;
}

static void triangles_cross_where_an_edge_goes_through(void** state)
{
    (void)state;
    const double through[9] = {0.2, -1, 0.2, 0.2, 1, 0.2, 3, 0.5, 3};
    const double beside[9] = {2, -1, 2, 2, 1, 2, 3, 0.5, 3};
    const double above[9] = {0.2, 1e-9, 0.2, 0.2, 1, 0.2, 3, 0.5, 3};
    const double touching[9] = {0.2, 0, 0.2, 0.2, 1, 0.2, 3, 0.5, 3};
    const double in_plane[9] = {0.2, 0, 0.2, 0.9, 0, 0.9, -1, 0, 0.3};
    assert_int_equal(pair_count(through, 0), 1);
    assert_int_equal(pair_count(beside, 0), 0);
    assert_int_equal(pair_count(above, 0), 0);
    assert_int_equal(pair_count(touching, 0), 0);
    assert_int_equal(pair_count(in_plane, 0), 0);
}

// Their edges do not enter each other, but an edge of each enters the other's inside.
static void triangles_linked_at_their_corners_cross(void** state)
{
    (void)state;
    const double linked[9] = {0.3, 1, 0.3, 0.3, -0.2, 0.3, 2, 0.4, 2};
    assert_int_equal(pair_count(linked, 0), 1);
}

static void neighbors_cross_beyond_their_common_vertex_alone(void** state)
{
    (void)state;
    // The first vertex is common: the opposite edge goes through, goes beside, stays above.
    const double through[9] = {0, 0, 0, 0.3, -0.3, 0.3, 0.3, 0.3, 0.3};
    const double beside[9] = {0, 0, 0, -0.3, -0.3, -0.3, -0.3, 0.3, -0.3};
    const double above[9] = {0, 0, 0, 0.3, 0.1, 0.3, 0.3, 0.3, 0.2};
    // It is as long as the other one is not: the other's opposite edge goes through this one.
    const double around[9] = {0, 0, 0, 3, -3, 3, 3, 3, 3};
    assert_int_equal(pair_count(through, 1), 1);
    assert_int_equal(pair_count(around, 1), 1);
    assert_int_equal(pair_count(beside, 1), 0);
    assert_int_equal(pair_count(above, 1), 0);
    const double folded[9] = {0, 0, 0, 1, 0, 0, 0.5, 0.2, 0.5}; // a common edge
    assert_int_equal(pair_count(folded, 2), 0);
}

static void ropes_go_through_triangles(void** state)
{
    (void)state;
    const double x[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0.2, -1, 0.2, 0.2, 1, 0.2, 0.2, 2, 0.2};
    const int triangle[] = {0, 1, 2}, edges[] = {3, 4, 4, 5};
    crossings_soup soup = {x, triangle, edges, 1, 2};
    int count;
    CHECK_OK(crossings_count(&soup, &count));
    assert_int_equal(count, 1);
}

// Two sheets of n x n squares, one upright through the middle of the other, between its lines.
static void every_crossing_of_two_sheets_is_found(void** state)
{
    (void)state;
    pliant_mesh* sheet = NULL;
    CHECK_OK(pliant_mesh_cloth((int[2]){40, 40}, (double[2]){2, 2}, &sheet));
    pliant_mesh_arrays a = pliant_mesh_view(sheet);
    size_t n = 3 * (size_t)a.vertex_count, m = 3 * (size_t)a.triangle_count;
    double* x = (double*)calloc(2 * n, sizeof *x);
    int* corners = (int*)calloc(2 * m, sizeof *corners);
    for (size_t i = 0; i < n; ++i) x[i] = a.vertices[i];
    for (size_t i = 0; i < n; i += 3) { // turned about x, and moved between the lines
        x[n + i] = a.vertices[i] + 0.013;
        x[n + i + 1] = a.vertices[i + 2] + 0.0171;
        x[n + i + 2] = 0.0123;
    }
    for (size_t i = 0; i < m; ++i) {
        corners[i] = a.triangles[i];
        corners[m + i] = a.triangles[i] + a.vertex_count;
    }
    crossings_soup soup = {x, corners, NULL, a.triangle_count, 0};
    int count;
    CHECK_OK(crossings_count(&soup, &count));
    assert_int_equal(count, 0);
    soup.triangle_count *= 2;
    CHECK_OK(crossings_count(&soup, &count));
    // Along the line where they meet each sheet has 80 triangles. Between two ends of triangles, of
    // either sheet, one pair crosses.
    print_message("    %d pairs cross\n", count);
    CHECK_BETWEEN(count, 150, 162);
    free(x);
    free(corners);
    pliant_mesh_destroy(sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_cross_where_an_edge_goes_through),
        cmocka_unit_test(triangles_linked_at_their_corners_cross),
        cmocka_unit_test(neighbors_cross_beyond_their_common_vertex_alone),
        cmocka_unit_test(ropes_go_through_triangles),
        cmocka_unit_test(every_crossing_of_two_sheets_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
