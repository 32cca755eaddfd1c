// What colliders can be told: ranges, rotations of any length, and ids of what was removed.
#include "failing.h"
#include "scene.h"

static const pliant_vec3 none = {0, 0, 0};
static const pliant_quat straight = {0, 0, 0, 1};

static pliant_collider_id add_ball(pliant_world* world)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_SPHERE;
    def.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    return new_collider(world, &def);
}

static void check_refused(pliant_result result, const char* part)
{
    assert_int_equal(result, PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), part))
        fail_msg("\"%s\" does not say \"%s\"", pliant_error_text(), part);
}

static void huge_numbers_are_refused_with_the_range(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(4, 1);
    pliant_collider_id ball = add_ball(world);
    const double far[3] = {0, 2e30, 0}, near[3] = {0, 1, 0};
    check_refused(pliant_collider_set_velocity(world, ball, none, vec(3e38, 0, 0)),
                  "1e+09 [rad/s]");
    check_refused(pliant_collider_set_velocity(world, ball, vec(0, -3e38, 0), none), "1e+12 [m/s]");
    check_refused(pliant_collider_set_surface_velocity(world, ball, vec(0, 0, 2e12), none),
                  "1e+12 [m/s]");
    check_refused(pliant_collider_move(world, ball, far, straight), "1e+30 [m]");
    check_refused(pliant_collider_set_pose(world, ball, far, straight), "1e+30 [m]");
    check_refused(pliant_collider_move(world, ball, near, (pliant_quat){0, 0, 0, 0}), "rotation");
    pliant_collider_def def = pliant_collider_defaults();
    def.angular_velocity.y = 3e38f;
    assert_int_equal(new_collider(world, &def).index1, 0);
    assert_non_null(strstr(pliant_error_text(), "1e+09 [rad/s]"));
    pliant_world_destroy(world);
}

// At the end of the range, whatever the step: a rotation, and a warning with a number.
static void the_fastest_motions_stay_rotations(void** unused)
{
    (void)unused;
    for (double dt = 1e-3; dt < 1e4; dt *= 100) {
        pliant_world* world = make_still_world(4, 1);
        pliant_collider_id ball = add_ball(world);
        CHECK_OK(pliant_collider_set_velocity(world, ball, vec(1, 2, 3), vec(1e9, -1e9, 5e8)));
        run(world, 3, dt);
        pliant_quat q = get_collider(world, ball).rotation;
        CHECK_CLOSE(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6);
        pliant_world_destroy(world);
    }
}

static void keep_text(const char* text, void* context)
{
    snprintf((char*)context, 600, "%s", text);
}

static void no_number_of_substeps_is_advised_beyond_what_is_chosen(void** unused)
{
    (void)unused;
    char text[600] = "";
    pliant_set_log(keep_text, text);
    pliant_world* world = make_still_world(4, 1);
    pliant_collider_id ball = add_ball(world);
    CHECK_OK(pliant_collider_set_velocity(world, ball, vec(1e12, 0, 0), none));
    run(world, 1, 1);
    assert_non_null(strstr(text, "move it slower, or make it thicker"));
    pliant_set_log(NULL, NULL);
    pliant_world_destroy(world);
}

// A turn by 90 degrees about y, by quaternions from 1e-30 to 1e30.
static void rotations_of_any_length_are_taken_and_told_as_units(void** unused)
{
    (void)unused;
    static const float sizes[] = {1e-30f, 1e-10f, 3, 1e30f};
    pliant_world* world = make_still_world(4, 1);
    pliant_collider_id ball = add_ball(world);
    for (int i = 0; i < 4; ++i) {
        const pliant_quat q = {0, sizes[i], 0, sizes[i]};
        CHECK_OK(pliant_collider_set_pose(world, ball, (double[3]){0}, q));
        pliant_quat told = get_collider(world, ball).rotation;
        CHECK_CLOSE(told.y, sqrt(0.5), 1e-7);
        CHECK_CLOSE(told.w, sqrt(0.5), 1e-7);
        pliant_body_def def = pliant_body_defaults();
        def.rotation = q;
        pliant_mesh* mesh = generate("rope:1:1");
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_body_id rope = new_soft(world, mesh, &soft, &def);
        CHECK_CLOSE(read_place(world, rope, 1).x[2], -1, 1e-6);
        pliant_mesh_destroy(mesh);
    }
    pliant_world_destroy(world);
}

static void a_look_tells_of_fast_colliders(void** unused)
{
    (void)unused;
    pliant_finding found[4];
    pliant_world* world = make_still_world(4, 1);
    pliant_collider_id ball = add_ball(world);
    assert_int_equal(get_findings(world, 0.01f, found, 4), 0);
    CHECK_OK(pliant_collider_set_velocity(world, ball, vec(1000, 0, 0), none));
    assert_int_equal(get_findings(world, 0.01f, found, 4), 1);
    assert_int_equal(found[0].kind, PLIANT_FINDING_FAST_COLLIDER);
    assert_int_equal(found[0].collider.index1, ball.index1);
    assert_int_equal(found[0].body.index1, 0);
    CHECK_CLOSE(found[0].size, 1000 * 0.01 / 4 / 0.5, 1e-6);
    assert_non_null(strstr(found[0].text, "use 20 substeps"));
    pliant_world_destroy(world);
}

static void ids_of_what_was_removed_say_so(void** unused)
{
    (void)unused;
    int misuses = 0;
    double low[3], high[3];
    pliant_world* world = make_still_world(4, 1);
    pliant_body_id body = add_box(world, 0);
    pliant_collider_id ball = add_ball(world);
    pliant_attachment_id held = new_attachment(world, body, 0, (double[3]){0}, 0);
    pliant_body_remove(world, body);
    pliant_collider_remove(world, ball);
    pliant_set_assert(count_misuse, &misuses);
    check_refused(pliant_body_bounds(world, body, low, high), "no body of this id (1, 1): it was");
    check_refused(pliant_body_teleport(world, body, low, straight, high), "it was removed");
    pliant_body_remove(world, body);
    assert_non_null(strstr(pliant_error_text(), "it was removed"));
    pliant_collider_remove(world, ball);
    assert_non_null(strstr(pliant_error_text(), "no collider of this id (1, 1): it was removed"));
    pliant_attachment_remove(world, held);
    assert_non_null(strstr(pliant_error_text(), "no attachment of this id (1, 1)"));
    pliant_set_assert(NULL, NULL);
    assert_int_equal(misuses, 5);
    pliant_world_destroy(world);
}

static void files_without_a_name_are_refused(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_asset* asset = box_asset(&soft);
    assert_int_equal(pliant_asset_save(asset, ""), PLIANT_ERROR_FILE);
    assert_string_equal(pliant_error_text(), "the name of the file to write is empty");
    pliant_asset_destroy(asset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(huge_numbers_are_refused_with_the_range),
        cmocka_unit_test(the_fastest_motions_stay_rotations),
        cmocka_unit_test(no_number_of_substeps_is_advised_beyond_what_is_chosen),
        cmocka_unit_test(rotations_of_any_length_are_taken_and_told_as_units),
        cmocka_unit_test(a_look_tells_of_fast_colliders),
        cmocka_unit_test(ids_of_what_was_removed_say_so),
        cmocka_unit_test(files_without_a_name_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
