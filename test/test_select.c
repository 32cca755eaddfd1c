// Regions instead of numbers: points in them, tets, pins.
#include "failing.h"
#include "scene.h"

static int count_in(const pliant_region* region, const pliant_mesh* mesh)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int count = 0, *index = malloc(sizeof(int) * (size_t)a.vertex_count);
    pliant_result result = pliant_region_select(region, a.vertices, a.vertex_count, index, &count);
    for (int i = 1; i < count; ++i) assert_true(index[i] > index[i - 1]);
    assert_int_equal(result, count ? PLIANT_OK : PLIANT_ERROR_ARGUMENT);
    free(index);
    return count;
}

// 5 x 5 x 5 vertices of the cube from 0 to 1.
static pliant_mesh* cube(void) { return generate("box6:4x4x4:0.25"); }

static void the_defaults_are_everything(void** state)
{
    (void)state;
    pliant_mesh* mesh = cube();
    pliant_region all = pliant_region_defaults();
    assert_int_equal(count_in(&all, mesh), 125);
    pliant_mesh_destroy(mesh);
}

static void shapes_hold_what_is_inside_of_all(void** state)
{
    (void)state;
    pliant_mesh* mesh = cube();
    pliant_region box = pliant_region_defaults(), ball = box, half = box;
    box.max[0] = 0.3;
    ball.radius = 0.26;
    half.point[1] = 0.6;
    half.normal[1] = 2;
    assert_int_equal(count_in(&box, mesh), 50);
    assert_int_equal(count_in(&ball, mesh), 4);
    assert_int_equal(count_in(&half, mesh), 75);
    box.radius = 0.26;
    box.normal[2] = 1;
    assert_int_equal(count_in(&box, mesh), 3);
    pliant_mesh_destroy(mesh);
}

// A ball of radius 0.55 about the corner at the origin; the distance makes it larger.
static void surfaces_hold_what_is_inside_or_near(void** state)
{
    (void)state;
    pliant_mesh *mesh = cube(), *ball = surface_of("sphere:0.55:20");
    pliant_region inside = pliant_region_defaults(), of_ball = inside;
    inside.surface = ball;
    of_ball.radius = 0.55;
    assert_int_equal(count_in(&inside, mesh), count_in(&of_ball, mesh));
    inside.distance = 0.17;
    of_ball.radius = 0.72;
    assert_int_equal(count_in(&inside, mesh), count_in(&of_ball, mesh));
    inside.hollow = true;
    assert_int_equal(count_in(&inside, mesh), count_in(&of_ball, mesh) - 7);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(ball);
}

static void an_open_surface_has_things_near_to_it(void** state)
{
    (void)state;
    pliant_mesh *mesh = cube(), *sheet = generate("cloth:4x4:4x4");
    pliant_region near = pliant_region_defaults();
    near.surface = sheet; // y = 0
    near.distance = 0.3;
    assert_int_equal(count_in(&near, mesh), 50);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(sheet);
}

static void an_empty_selection_is_refused_with_the_place_of_the_points(void** state)
{
    (void)state;
    pliant_mesh* mesh = cube();
    pliant_region far = pliant_region_defaults();
    far.min[0] = 5;
    assert_int_equal(count_in(&far, mesh), 0);
    assert_non_null(strstr(pliant_error_text(), "none of 125 points"));
    assert_non_null(strstr(pliant_error_text(), "(1, 1, 1)"));
    assert_int_equal(pliant_mesh_paint(mesh, &far, 1), PLIANT_ERROR_ARGUMENT);
    assert_null(pliant_mesh_view(mesh).tet_region);
    far.max[0] = 4;
    assert_int_equal(count_in(&far, mesh), 0);
    assert_non_null(strstr(pliant_error_text(), "empty"));
    pliant_mesh_destroy(mesh);
}

static void painted_tets_get_their_number(void** state)
{
    (void)state;
    pliant_mesh* mesh = cube();
    pliant_region left = pliant_region_defaults();
    left.max[0] = 0.5;
    CHECK_OK(pliant_mesh_paint(mesh, &left, 3));
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int painted = 0;
    for (int t = 0; t < a.tet_count; ++t) {
        assert_true(a.tet_region[t] == 3 || a.tet_region[t] == 0);
        painted += a.tet_region[t] == 3;
    }
    assert_int_equal(painted, a.tet_count / 2);
    pliant_mesh_destroy(mesh);
}

static void a_region_of_a_body_is_pinned_where_it_is(void** state)
{
    (void)state;
    pliant_world* world = make_world(4, 1);
    pliant_body_def above = pliant_body_defaults();
    above.position[1] = 2;
    pliant_mesh* mesh = cube();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id body = new_soft(world, mesh, &soft, &above);
    pliant_region top = pliant_region_defaults();
    int count = 0;
    top.min[1] = 2.9;
    CHECK_OK(pliant_body_pin_region(world, body, &top, &count));
    assert_int_equal(count, 25);
    top.min[1] = 5;
    assert_int_equal(pliant_body_pin_region(world, body, &top, &count), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(count, 0);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

static pliant_result paint_by_surface(const void* context)
{
    pliant_mesh *mesh = NULL, *ball = NULL;
    pliant_region region = pliant_region_defaults();
    (void)context;
    pliant_result result = pliant_mesh_generate("box6:2x2x2:0.5", &mesh);
    if (!result) result = pliant_mesh_generate("sphere:0.55:4", &ball);
    region.surface = ball;
    if (!result) result = pliant_mesh_paint(mesh, &region, 1);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(ball);
    return result;
}

static void no_failed_allocation_leaks(void** state)
{
    (void)state;
    assert_true(check_every_failure(paint_by_surface, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_everything),
        cmocka_unit_test(shapes_hold_what_is_inside_of_all),
        cmocka_unit_test(surfaces_hold_what_is_inside_or_near),
        cmocka_unit_test(an_open_surface_has_things_near_to_it),
        cmocka_unit_test(an_empty_selection_is_refused_with_the_place_of_the_points),
        cmocka_unit_test(painted_tets_get_their_number),
        cmocka_unit_test(a_region_of_a_body_is_pinned_where_it_is),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
