// What bad surfaces enclose: winding numbers, distances, refusals.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "geometry/solid.h"

#include "failing.h"
#include "soup.h"

// ---- surfaces

static workers* make_threads(int count)
{
    workers* threads = workers_create(count);
    assert_non_null(threads);
    return threads;
}

static solid solid_of(soup* s)
{
    solid out;
    pliant_mesh* mesh = soup_mesh(s);
    workers* threads = make_threads(2);
    CHECK_OK(solid_create(mesh, HOLES_FLAT, threads, &out));
    workers_destroy(threads);
    pliant_mesh_destroy(mesh);
    soup_free(s);
    return out;
}

static bool is_inside(const solid* s, double x, double y, double z)
{
    double world[3] = {x, y, z};
    return solid_distance(s, solid_point(s, world), 1, NULL) < 0;
}

// Compares inside and outside of the unit ball at random points that are not near its surface.
static void check_ball(solid s, double tolerance)
{
    random_source random = {.state = 7};
    int wrong = 0;
    for (int i = 0; i < 2000; ++i) {
        double x[3], r2 = 0;
        for (int k = 0; k < 3; ++k) x[k] = random_range(&random, -1.2, 1.2), r2 += x[k] * x[k];
        if (fabs(sqrt(r2) - 1) < tolerance) continue;
        wrong += is_inside(&s, x[0], x[1], x[2]) != (r2 < 1);
    }
    assert_int_equal(wrong, 0);
    solid_destroy(&s);
}

// ---- tests

static void ball_is_inside_its_surface(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    check_ball(solid_of(&s), 0.01);
}

static void distances_are_those_of_all_triangles(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_torus(&s, 1, 0.3, 40, 16);
    solid torus = solid_of(&s);
    random_source random = {.state = 3};
    for (int i = 0; i < 500; ++i) {
        vec3 p = v3(random_range(&random, -0.6, 0.6), random_range(&random, -0.6, 0.6),
                    random_range(&random, -0.6, 0.6));
        double least = INFINITY;
        for (int t = 0; t < torus.tree.triangle_count; ++t)
            least = fmin(least, triangle_distance2(&torus.tree.triangle[t], p));
        CHECK_CLOSE(tree_distance(&torus.tree, p, 10, NULL), sqrt(least), 1e-12);
    }
    solid_destroy(&torus);
}

static void winding_number_is_the_sum_of_all_triangles(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_torus(&s, 1, 0.3, 60, 24);
    solid torus = solid_of(&s);
    random_source random = {.state = 4};
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
        vec3 p = v3(random_range(&random, -0.6, 0.6), random_range(&random, -0.2, 0.2),
                    random_range(&random, -0.6, 0.6));
        double w = tree_winding(&torus.tree, p);
        worst = fmax(worst, fabs(w - rint(w))); // a closed surface has whole numbers
    }
    CHECK_BETWEEN(worst, 0, 0.03);
    solid_destroy(&torus);
}

static void small_holes_do_not_matter(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    for (int t = 0; t < s.triangles; t += 40) // one of forty is missing
        for (int k = 0; k < 3; ++k) s.corner[3 * t + k] = s.corner[3 * t];
    check_ball(solid_of(&s), 0.08);
}

static void flipped_triangles_do_not_matter(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    for (int t = 0; t < s.triangles; t += 3) soup_flip(&s, t, t);
    check_ball(solid_of(&s), 0.01);
}

static void surface_inside_out_does_not_matter(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    soup_flip(&s, 0, s.triangles - 1);
    check_ball(solid_of(&s), 0.01);
}

static void repeated_triangles_do_not_matter(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 3);
    soup_add_sphere(&s, 3);
    check_ball(solid_of(&s), 0.02);
}

static void two_sided_surface_has_one_inside(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 3);
    int half = s.triangles;
    soup_add_sphere(&s, 3);
    soup_flip(&s, half, s.triangles - 1);
    check_ball(solid_of(&s), 0.02);
}

static void cavity_is_outside(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_hollow_box(&s);
    solid box = solid_of(&s);
    assert_true(is_inside(&box, 0.5, 0.5, 0.5));
    assert_false(is_inside(&box, 2, 2, 2));
    solid_destroy(&box);
}

static void cavity_of_a_surface_inside_out_is_outside(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{4, 4, 4}});
    soup_flip(&s, 0, s.triangles - 1);
    soup_add_box(&s, (point){{1, 1, 1}}, (point){{3, 3, 3}});
    solid box = solid_of(&s);
    assert_true(is_inside(&box, 0.5, 0.5, 0.5));
    assert_false(is_inside(&box, 2, 2, 2));
    solid_destroy(&box);
}

// Half of it is inside the other one, where it looks like a cavity.
static void part_inside_out_that_overlaps_another_is_inside(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{2, 2, 2}});
    int first = s.triangles;
    soup_add_box(&s, (point){{0.5, 0.5, 0.9}}, (point){{1.5, 1.5, 3}});
    soup_flip(&s, first, s.triangles - 1);
    solid boxes = solid_of(&s);
    assert_true(is_inside(&boxes, 1, 1, 1.5));
    assert_true(is_inside(&boxes, 1, 1, 2.5));
    assert_false(is_inside(&boxes, 1, 1, 3.5));
    solid_destroy(&boxes);
}

static void overlap_of_two_boxes_is_inside(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{2, 2, 2}});
    soup_add_box(&s, (point){{1, 1, 1}}, (point){{3, 3, 3}});
    solid boxes = solid_of(&s);
    assert_true(is_inside(&boxes, 0.5, 0.5, 0.5));
    assert_true(is_inside(&boxes, 1.5, 1.5, 1.5));
    assert_true(is_inside(&boxes, 2.5, 2.5, 2.5));
    assert_false(is_inside(&boxes, 2.5, 0.5, 0.5));
    solid_destroy(&boxes);
}

static void wall_between_two_boxes_is_inside(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 1}});
    soup_add_box(&s, (point){{1, 0, 0}}, (point){{2, 1, 1}});
    solid boxes = solid_of(&s);
    assert_true(is_inside(&boxes, 0.99, 0.4, 0.5));
    assert_true(is_inside(&boxes, 1.01, 0.4, 0.5));
    solid_destroy(&boxes);
}

static void size_does_not_matter(void** state)
{
    (void)state;
    static const double sizes[] = {1e-150, 1e-20, 1e20, 1e150};
    for (int i = 0; i < 4; ++i) {
        soup s = {0};
        double size = sizes[i];
        soup_add_box(&s, (point){{0, 0, 0}}, (point){{size, size, size}});
        solid box = solid_of(&s);
        assert_true(is_inside(&box, 0.9 * size, 0.5 * size, 0.5 * size));
        assert_false(is_inside(&box, 1.1 * size, 0.5 * size, 0.5 * size));
        solid_destroy(&box);
    }
}

static void check_refused(soup* s, const char* reason)
{
    solid out;
    pliant_mesh* mesh = soup_mesh(s);
    workers* threads = make_threads(1);
    assert_int_equal(solid_create(mesh, HOLES_FLAT, threads, &out), PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), reason))
        fail_msg("'%s' does not say '%s'", pliant_error_text(), reason);
    workers_destroy(threads);
    pliant_mesh_destroy(mesh);
    soup_free(s);
}

static void open_sheet_is_refused(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 4);
    int kept = 0; // a shallow cap
    for (int t = 0; t < s.triangles; ++t) {
        if (s.corner[3 * t].x[1] < 0.85) continue;
        memmove(s.corner + 3 * kept++, s.corner + 3 * t, 3 * sizeof(point));
    }
    s.triangles = kept;
    check_refused(&s, "open sheet");
}

static void loose_triangles_are_refused(void** state)
{
    (void)state;
    soup s = {0};
    random_source random = {.state = 11};
    for (int t = 0; t < 100; ++t) {
        point c[3];
        for (int k = 0; k < 9; ++k) c[k / 3].x[k % 3] = random_unit(&random);
        soup_add(&s, c[0], c[1], c[2]);
    }
    check_refused(&s, "loose triangles");
}

static void flat_surface_is_refused(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 0}});
    check_refused(&s, "flat");
}

static void points_are_refused(void** state)
{
    (void)state;
    soup s = {0};
    soup_add(&s, (point){{0, 0, 0}}, (point){{0, 0, 0}}, (point){{1, 1, 1}});
    check_refused(&s, "none has an area");
}

static pliant_result attempt_solid(const void* context)
{
    solid s;
    workers* threads = workers_create(1);
    if (!threads) return PLIANT_ERROR_MEMORY;
    pliant_result result = solid_create((const pliant_mesh*)context, HOLES_FLAT, threads, &s);
    if (!result) solid_destroy(&s);
    workers_destroy(threads);
    return result;
}

static void solid_survives_every_refused_allocation(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 1);
    soup_flip(&s, 0, s.triangles - 1); // is planted twice
    --s.triangles;                     // and has a flat hole
    pliant_mesh* mesh = soup_mesh(&s);
    assert_true(check_every_failure(attempt_solid, mesh) > 30);
    pliant_mesh_destroy(mesh);
    soup_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_is_inside_its_surface),
        cmocka_unit_test(distances_are_those_of_all_triangles),
        cmocka_unit_test(winding_number_is_the_sum_of_all_triangles),
        cmocka_unit_test(small_holes_do_not_matter),
        cmocka_unit_test(flipped_triangles_do_not_matter),
        cmocka_unit_test(surface_inside_out_does_not_matter),
        cmocka_unit_test(repeated_triangles_do_not_matter),
        cmocka_unit_test(two_sided_surface_has_one_inside),
        cmocka_unit_test(cavity_is_outside),
        cmocka_unit_test(cavity_of_a_surface_inside_out_is_outside),
        cmocka_unit_test(part_inside_out_that_overlaps_another_is_inside),
        cmocka_unit_test(overlap_of_two_boxes_is_inside),
        cmocka_unit_test(wall_between_two_boxes_is_inside),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(open_sheet_is_refused),
        cmocka_unit_test(loose_triangles_are_refused),
        cmocka_unit_test(flat_surface_is_refused),
        cmocka_unit_test(points_are_refused),
        cmocka_unit_test(solid_survives_every_refused_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
