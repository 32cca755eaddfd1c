// Worlds: bodies, pins, attachments, forces, ropes, failures.
#include "scene.h"

// ---- bodies come and go -------------------------------------------------------------------------

static void empty_world_steps(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(0, 1);
    run(world, 3, 0.5);
    CHECK_CLOSE(pliant_world_time(world), 1.5, 1e-12);
    assert_int_equal(pliant_world_step_count(world), 3);
    pliant_world_destroy(world);
}

static void removed_bodies_leave_the_others_alone(void** unused)
{
    (void)unused;
    pliant_world *world = make_world(4, 1), *alone = make_world(4, 1);
    pliant_body_id gone = add_box(world, 5), kept = add_box(world, 1), same = add_box(alone, 1);
    run(world, 2, 0.01);
    run(alone, 2, 0.01);
    pliant_body_remove(world, gone);
    pliant_body_id ids[4];
    assert_int_equal(pliant_world_bodies(world, ids, 4), 1);
    assert_memory_equal(&ids[0], &kept, sizeof kept);
    run(world, 2, 0.01);
    run(alone, 2, 0.01);
    add_box(world, 7);
    run(world, 2, 0.01);
    run(alone, 2, 0.01);
    place *a = read_places(world, kept), *b = read_places(alone, same);
    assert_memory_equal(a, b, 27 * sizeof *a);
    assert_int_equal(pliant_world_body_count(world), 2);
    free(a);
    free(b);
    pliant_world_destroy(world);
    pliant_world_destroy(alone);
}

static void asset_may_be_destroyed_while_in_use(void** unused)
{
    (void)unused;
    size_t held = pliant_allocated_bytes();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    pliant_mesh_destroy(mesh);
    pliant_world* world = make_world(4, 1);
    pliant_body_id one = new_body(world, asset, &def);
    new_body(world, asset, &def);
    pliant_asset_destroy(asset);
    run(world, 2, 0.01);
    pliant_body_remove(world, one);
    run(world, 2, 0.01);
    pliant_world_destroy(world);
    assert_int_equal(pliant_allocated_bytes(), held);
}

static void body_starts_where_it_is_put(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = 1000;
    def.rotation = (pliant_quat){0, 0, 2, 2}; // a quarter turn about z, not normalized
    def.velocity = vec(1, 2, 3);
    pliant_mesh* mesh = one_tet(0.1);
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    place* x = read_places(world, body);
    CHECK_CLOSE(x[1].x[0], 1000, 1e-15);
    CHECK_CLOSE(x[1].x[1], 0.1, 1e-7);
    CHECK_CLOSE(x[2].x[0], 999.9, 1e-12); // digits that a float does not have
    motion m = measure_motion(world, body);
    CHECK_CLOSE(m.velocity[2], 3, 1e-6);
    free(x);
    pliant_world_destroy(world);
}

// ---- reading ------------------------------------------------------------------------------------

static void view_and_copy_agree(void** unused)
{
    (void)unused;
    for (int twice = 0; twice < 2; ++twice) {
        pliant_world* world = make_world(7, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.precision = twice ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE;
        pliant_body_id body = add_soft(world, one_tet(0.3), &soft, 3);
        run(world, 5, 0.01);
        pliant_vec3 x[4], v[4];
        CHECK_OK(pliant_body_read_positions(world, body, x, 4));
        CHECK_OK(pliant_body_read_velocities(world, body, v, 4));
        pliant_view px = get_positions_view(world, body);
        pliant_view pv = get_velocities_view(world, body);
        assert_int_equal(px.count, 4);
        assert_int_equal(px.scalar_bytes, twice ? 8 : 4);
        for (int i = 0; i < 4; ++i) {
            const void* row = (const char*)px.data + (size_t)px.row[i] * px.stride;
            const void* speed = (const char*)pv.data + (size_t)pv.row[i] * pv.stride;
            double y = twice ? ((const double*)row)[1] : (double)((const float*)row)[1];
            double w = twice ? ((const double*)speed)[1] : (double)((const float*)speed)[1];
            assert_true((float)y == x[i].y && (float)w == v[i].y);
        }
        CHECK_OK(pliant_body_read_positions(world, body, x, 2));
        pliant_world_destroy(world);
    }
}

// ---- pins, attachments, forces ------------------------------------------------------------------

static void moving_pin_arrives_at_constant_velocity(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(8, 1);
    pliant_body_id body = add_box(world, 0);
    const double target[3] = {0.3, 1.1, -0.7};
    place from = read_place(world, body, 26);
    pliant_body_move_pin(world, body, 26, target);
    run(world, 1, 0.25);
    place to = read_place(world, body, 26);
    pliant_vec3 v[27];
    pliant_body_read_velocities(world, body, v, 27);
    for (int k = 0; k < 3; ++k) CHECK_BETWEEN(to.x[k] - target[k], -2e-8, 2e-8);
    CHECK_CLOSE(v[26].x, (target[0] - from.x[0]) / 0.25, 1e-5);
    CHECK_CLOSE(v[26].y, (target[1] - from.x[1]) / 0.25, 1e-5);
    run(world, 2, 0.25);
    place later = read_place(world, body, 26);
    for (int k = 0; k < 3; ++k) CHECK_BETWEEN(later.x[k] - to.x[k], 0, 0); // and stays
    assert_true(get_particle(world, body, 26).pinned);
    pliant_body_unpin(world, body, 26);
    assert_false(get_particle(world, body, 26).pinned);
    pliant_world_destroy(world);
}

// A step of no time is no step: paths wait.
static void pause_does_not_lose_a_path(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(4, 1);
    pliant_body_id body = add_box(world, 0);
    pliant_body_move_pin(world, body, 0, (const double[3]){0, 0.25, 0});
    run(world, 1, 0);
    run(world, 1, 0.1);
    CHECK_CLOSE(read_place(world, body, 0).x[1], 0.25, 1e-6);
    pliant_world_destroy(world);
}

// m g hangs at m g times compliance below its point.
static void attachment_stretches_by_force_times_compliance(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.02;
    pliant_body_id body = add_soft(world, one_tet(0.1), &soft, 0);
    double mass = pliant_body_mass(world, body), compliance = 0.01 / (mass * 9.81);
    place* rest = read_places(world, body);
    for (int i = 0; i < 4; ++i) new_attachment(world, body, i, rest[i].x, 4 * compliance);
    free(rest);
    double start = measure_motion(world, body).center[1];
    for (int i = 0; i < 150; ++i) {
        run(world, 1, 0.01);
        if (i % 3 == 2) write_velocity(world, body, vec(0, 0, 0));
    }
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, body).center[1] - start, -0.01, 0.02);
    pliant_world_destroy(world);
}

static void stiff_attachment_holds_its_point(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(10, 1);
    pliant_body_id body = add_box(world, 0);
    pliant_attachment_id held = new_attachment(world, body, 8, (const double[3]){0.2, 0.2, 0}, 0);
    run(world, 20, 0.01);
    CHECK_BETWEEN(read_place(world, body, 8).x[1], 0.2 - 1e-6, 0.2 + 1e-6);
    pliant_attachment_move(world, held, (const double[3]){0.2, 0.3, 0});
    run(world, 1, 0.05);
    CHECK_BETWEEN(read_place(world, body, 8).x[1], 0.3 - 1e-6, 0.3 + 1e-6);
    pliant_attachment_remove(world, held);
    run(world, 20, 0.01);
    assert_true(read_place(world, body, 8).x[1] < 0.25);
    pliant_world_destroy(world);
}

// Opposite to the weight: nothing moves. Cleared: it falls.
static void forces_stay_until_cleared(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(5, 1);
    pliant_body_id body = add_box(world, 0);
    double mass[27];
    pliant_vec3 force[27];
    CHECK_OK(pliant_body_read_masses(world, body, mass, 27));
    for (int i = 0; i < 27; ++i) force[i] = vec(0, mass[i] * (double)9.81f, 0);
    pliant_body_set_forces(world, body, force, 27);
    run(world, 10, 0.01);
    CHECK_BETWEEN(measure_motion(world, body).velocity[1], -1e-5, 1e-5);
    pliant_body_set_forces(world, body, NULL, 0);
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, body).velocity[1], -0.981, 1e-4);
    pliant_body_add_force(world, body, 3, vec(pliant_body_mass(world, body), 0, 0));
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, body).velocity[0], 0.1, 1e-4);
    pliant_world_destroy(world);
}

static void gravity_scale_scales_gravity(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(5, 1);
    pliant_body_id light = add_box(world, 0), heavy = add_box(world, 2);
    pliant_body_set_gravity_scale(world, light, -0.5f);
    pliant_body_set_gravity_scale(world, heavy, 2);
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, light).velocity[1], 0.4905, 1e-4);
    CHECK_CLOSE(measure_motion(world, heavy).velocity[1], -1.962, 1e-4);
    pliant_world_destroy(world);
}

static void substeps_of_a_world_can_be_changed(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(5, 1);
    add_box(world, 0);
    CHECK_OK(pliant_world_set_substeps(world, 40));
    run(world, 1, 0.01);
    assert_int_equal(pliant_world_profile(world).substeps, 40);
    assert_int_equal(pliant_world_set_substeps(world, -1), PLIANT_ERROR_ARGUMENT);
    run(world, 1, 0.01);
    assert_int_equal(pliant_world_profile(world).substeps, 40);
    pliant_world_destroy(world);
}

// ---- ropes --------------------------------------------------------------------------------------

// A weight F at the end of a vertical rope, its own weight m g: stretch (F + m g / 2) L / (E A).
static void rope_stretches_like_a_rod(void** unused)
{
    (void)unused;
    const double length = 2, radius = 0.01, area = 3.14159265358979 * radius * radius, load = 20;
    pliant_world* world = make_world(100, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope.radius = radius;
    soft.material.young = 2e6;
    pliant_body_def def = pliant_body_defaults();
    def.rotation = (pliant_quat){0, 0, -1, 1}; // x goes down
    pliant_mesh* mesh = generate("rope:2:10");
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    pliant_body_pin(world, body, 0);
    pliant_body_add_force(world, body, 10, vec(0, -load, 0));
    for (int i = 0; i < 400; ++i) { // to rest: all speed taken away again and again
        run(world, 1, 0.01);
        if (i % 5 == 4) write_velocity(world, body, vec(0, 0, 0));
    }
    double weight = pliant_body_mass(world, body) * 9.81;
    double stretch = -read_place(world, body, 10).x[1] - length;
    CHECK_CLOSE(pliant_body_mass(world, body), 1000 * area * length, 1e-9);
    CHECK_CLOSE(stretch, (load + weight / 2) * length / (2e6 * area), 0.01);
    pliant_world_destroy(world);
}

// ---- what goes wrong ----------------------------------------------------------------------------

static void inverted_element_recovers(void** unused)
{
    (void)unused;
    static const pliant_formulation forms[] = {
        PLIANT_FORMULATION_TEN_ROWS, PLIANT_FORMULATION_TWO_ROWS, PLIANT_FORMULATION_DECOUPLED};
    for (int f = 0; f < 3; ++f) {
        pliant_world* world = make_still_world(20, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.formulation = forms[f];
        soft.material.damping = 0.005;
        pliant_body_id body = add_soft(world, one_tet(0.1), &soft, 0);
        const double inside_out[12] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0.01, 0.01, -0.03};
        pliant_body_write_positions_exact(world, body, inside_out, 4);
        run(world, 200, 0.01);
        place* x = read_places(world, body);
        double d[3][3];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) d[i][k] = x[i + 1].x[k] - x[0].x[k];
        double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                     d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
                     d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        print_message("    formulation %d: det %.4g of 1e-3\n", f, det);
        CHECK_CLOSE(det, 1e-3, 0.1);
        free(x);
        pliant_world_destroy(world);
    }
}

static void divergence_is_reported_and_contained(void** unused)
{
    (void)unused;
    pliant_world *world = make_world(4, 1), *alone = make_world(4, 1);
    pliant_body_id wild = add_box(world, 0), calm = add_box(world, 2), same = add_box(alone, 2);
    pliant_vec3 v[27] = {{1e30f, -1e30f, 3e30f}, {-2e30f, 1e30f, 0}};
    pliant_body_write_velocities(world, wild, v, 27);
    pliant_result result = pliant_world_step(world, 0.01f);
    run(alone, 1, 0.01);
    assert_int_equal(result, PLIANT_ERROR_DIVERGED);
    if (!strstr(pliant_error_text(), "body 0")) fail_msg("%s", pliant_error_text());
    place *a = read_places(world, calm), *b = read_places(alone, same),
          *w = read_places(world, wild);
    assert_memory_equal(a, b, 27 * sizeof *a);
    for (int i = 0; i < 27; ++i)
        if (!isfinite(w[i].x[0] + w[i].x[1] + w[i].x[2])) fail_msg("particle %d is not finite", i);
    // Writing brings it back.
    place rest[27];
    for (int i = 0; i < 27; ++i)
        rest[i] = (place){{0.1 * (i % 3), 0.1 * (i / 3 % 3), 0.1 * (i / 9)}};
    pliant_body_write_positions_exact(world, wild, rest->x, 27);
    memset(v, 0, sizeof v);
    pliant_body_write_velocities(world, wild, v, 27);
    run(world, 2, 0.01);
    free(a);
    free(b);
    free(w);
    pliant_world_destroy(world);
    pliant_world_destroy(alone);
}

// The digest after a divergence is the same for all lanes: no NaN stays in the state.
static void divergence_has_a_digest(void** unused)
{
    (void)unused;
    uint64_t digest[2];
    for (int i = 0; i < 2; ++i) {
        pliant_world_def def = pliant_world_defaults();
        pliant_world* world = NULL;
        def.substeps = 4;
        def.threads = 1;
        def.lanes = i ? 16 : 1;
        CHECK_OK(pliant_world_create(&def, &world));
        pliant_collider_def floor = pliant_collider_defaults();
        new_collider(world, &floor);
        pliant_body_id body = add_box(world, 0);
        pliant_vec3 v[27] = {{1e30f, -1e30f, 3e30f}, {-2e30f, 1e30f, 0}};
        pliant_body_write_velocities(world, body, v, 27);
        assert_int_equal(pliant_world_step(world, 0.01f), PLIANT_ERROR_DIVERGED);
        place force = contact_force(world, body);
        if (!isfinite(force.x[0] + force.x[1] + force.x[2]))
            fail_msg("a contact force is not finite");
        digest[i] = get_digest(world);
        pliant_world_destroy(world);
    }
    assert_true(digest[0] == digest[1]);
}

static void count_warnings(const char* text, void* context)
{
    if (strstr(text, "substeps")) ++*(int*)context;
}

static void too_few_substeps_warn_once(void** unused)
{
    (void)unused;
    int warnings = 0;
    pliant_world *coarse = make_world(1, 1), *chosen = make_world(0, 1);
    add_box(coarse, 0);
    add_box(chosen, 0);
    pliant_set_log(count_warnings, &warnings);
    pliant_world_step(chosen, 0.03f);
    assert_int_equal(warnings, 0);
    for (int i = 0; i < 3; ++i) pliant_world_step(coarse, 0.03f);
    pliant_set_log(NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_true(pliant_world_profile(chosen).substeps > 1);
    pliant_world_destroy(coarse);
    pliant_world_destroy(chosen);
}

static void many_bodies_of_one_asset_warn_together(void** unused)
{
    (void)unused;
    int warnings = 0;
    pliant_world* world = make_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = one_tet(0.1);
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    for (int i = 0; i < 100; ++i) new_body(world, asset, &at);
    pliant_set_log(count_warnings, &warnings);
    for (int i = 0; i < 2; ++i) pliant_world_step(world, 0.03f);
    pliant_set_log(NULL, NULL);
    assert_int_equal(warnings, 1);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
}

// Strong damping wants substeps of its own, and there is a limit to what is chosen.
static void what_substeps_cannot_do_is_told(void** unused)
{
    (void)unused;
    static const struct {
        double young, damping, dt;
    } beyond[] = {{1e6, 10, 0.01}, {1e12, 0, 1}};
    for (int i = 0; i < 2; ++i) {
        int warnings = 0;
        pliant_world* world = make_world(0, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.material.young = beyond[i].young;
        soft.material.damping = beyond[i].damping;
        add_soft(world, one_tet(0.1), &soft, 0);
        pliant_set_log(count_warnings, &warnings);
        for (int k = 0; k < 2; ++k) pliant_world_step(world, (float)beyond[i].dt);
        pliant_set_log(NULL, NULL);
        assert_int_equal(warnings, 1);
        pliant_world_destroy(world);
    }
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_world_steps),
        cmocka_unit_test(removed_bodies_leave_the_others_alone),
        cmocka_unit_test(asset_may_be_destroyed_while_in_use),
        cmocka_unit_test(body_starts_where_it_is_put),
        cmocka_unit_test(view_and_copy_agree),
        cmocka_unit_test(moving_pin_arrives_at_constant_velocity),
        cmocka_unit_test(pause_does_not_lose_a_path),
        cmocka_unit_test(attachment_stretches_by_force_times_compliance),
        cmocka_unit_test(stiff_attachment_holds_its_point),
        cmocka_unit_test(forces_stay_until_cleared),
        cmocka_unit_test(gravity_scale_scales_gravity),
        cmocka_unit_test(substeps_of_a_world_can_be_changed),
        spare_threads_test(rope_stretches_like_a_rod),
        cmocka_unit_test(inverted_element_recovers),
        cmocka_unit_test(divergence_is_reported_and_contained),
        cmocka_unit_test(divergence_has_a_digest),
        cmocka_unit_test(too_few_substeps_warn_once),
        spare_threads_test(many_bodies_of_one_asset_warn_together),
        spare_threads_test(what_substeps_cannot_do_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
