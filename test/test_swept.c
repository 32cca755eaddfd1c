// Colliders that meet triangles and edges, at any speed.
#include "failing_world.h"
#include "swept_scenes.h"
#include "world/world.h"

static const double G = 9.81;
static const float dt = 1.0f / 240;

// ---- scenes -------------------------------------------------------------------------------------

typedef struct {
    double low, high;
} range;

// [m] along y.
static range extent(const pliant_world* world, pliant_body_id id)
{
    int count = pliant_body_particle_count(world, id);
    place* x = read_places(world, id);
    range r = {INFINITY, -INFINITY};
    for (int i = 0; i < count; ++i) {
        r.low = fmin(r.low, x[i].x[1]);
        r.high = fmax(r.high, x[i].x[1]);
    }
    free(x);
    return r;
}

static double force_up(const pliant_world* world, pliant_collider_id id)
{
    double force[3];
    CHECK_OK(pliant_collider_force(world, id, force, NULL));
    return force[1];
}

// ---- nothing passes -----------------------------------------------------------------------------

// The ball takes the sheet along.
static void check_ball(double speed, int substeps)
{
    pliant_world* world = ball_under_sheet(speed, substeps);
    pliant_body_id sheet = first_body(world);
    pliant_collider_id id = first_collider_of(world);
    double impulse = 0;
    for (int i = 0; i < 20; ++i) {
        CHECK_OK(pliant_world_step(world, dt));
        double y = get_collider(world, id).position[1], high = extent(world, sheet).high;
        impulse -= force_up(world, id) * (double)dt;
        if (!(high > y))
            fail_msg("at %g m/s and %d substeps the ball is at %g m, the sheet below %g m", speed,
                     substeps, y, high);
    }
    // All that the sheet has it got from the ball.
    CHECK_BETWEEN(impulse, 0.1, 50);
    CHECK_CLOSE(measure_motion(world, sheet).momentum[1], impulse, 1e-4);
    pliant_world_destroy(world);
}

static void a_small_ball_does_not_pass_cloth(void** unused)
{
    (void)unused;
    static const double speeds[] = {5, 20, 50};
    for (int i = 0; i < 3; ++i) {
        check_ball(speeds[i], 0);
        check_ball(speeds[i], 3);
    }
}

// Left to particles it does: the test above would see it.
static void by_particles_alone_it_does(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(0, 1);
    pliant_body_id sheet = add_sheet(world, 0, vec(0, 0, 0));
    pliant_collider_def ball = ball_def(0.033, 0.033, -0.2, 0.055);
    ball.velocity = vec(0, 5, 0);
    ball.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    pliant_collider_id id = new_collider(world, &ball);
    run(world, 20, (double)dt);
    assert_true(extent(world, sheet).high < get_collider(world, id).position[1]);
    pliant_world_destroy(world);
}

// A body at 50 m/s and a slab of 2 cm: it ends above, and the slab got what it lost.
static void check_plate(bool sheet, int substeps)
{
    pliant_world* world = body_over_plate(sheet, substeps);
    pliant_collider_id id = first_collider_of(world);
    pliant_body_id flies = first_body(world);
    motion before = measure_motion(world, flies);
    double impulse = 0;
    for (int i = 0; i < 24; ++i) {
        CHECK_OK(pliant_world_step(world, dt));
        impulse -= force_up(world, id) * (double)dt + before.mass * G * (double)dt;
    }
    motion after = measure_motion(world, flies);
    if (!(extent(world, flies).low > 0.0099))
        fail_msg("%s ended at %g m", sheet ? "the sheet" : "the block", extent(world, flies).low);
    CHECK_CLOSE(after.momentum[1] - before.momentum[1], impulse, 1e-3);
    pliant_world_destroy(world);
}

static void bodies_at_50_meters_per_second_do_not_pass_a_plate_of_2_cm(void** unused)
{
    (void)unused;
    for (int sheet = 0; sheet < 2; ++sheet) {
        check_plate(sheet, 0);
        check_plate(sheet, 3);
    }
}

static void a_thin_plate_does_not_pass_a_body(void** unused)
{
    (void)unused;
    for (int sheet = 0; sheet < 2; ++sheet) {
        pliant_world* world = body_over_fast_plate(sheet);
        pliant_collider_id id = first_collider_of(world);
        pliant_body_id rests = first_body(world);
        run(world, 24, (double)dt);
        double top = get_collider(world, id).position[1] + 0.0099;
        if (!(extent(world, rests).low > top))
            fail_msg("the slab is at %g m, %s at %g m", top, sheet ? "the sheet" : "the block",
                     extent(world, rests).low);
        pliant_world_destroy(world);
    }
}

static void a_blade_that_turns_takes_a_block_along(void** unused)
{
    (void)unused;
    pliant_world* world = blade_and_block();
    pliant_collider_id id = first_collider_of(world);
    pliant_body_id block = first_body(world);
    double spin = 0;
    for (int i = 0; i < 12; ++i) {
        double torque[3];
        CHECK_OK(pliant_world_step(world, dt));
        CHECK_OK(pliant_collider_force(world, id, NULL, torque));
        spin -= torque[2] * (double)dt;
        double angle = 20 * (i + 1) * (double)dt;
        place* x = read_places(world, block);
        for (int k = 0; k < 27; ++k) {
            double above = cos(angle) * x[k].x[1] - sin(angle) * x[k].x[0];
            if (k != 13 && !(above > 0))
                fail_msg("step %d: particle %d is %g m above", i, k, above);
        }
        free(x);
    }
    motion m = measure_motion(world, block);
    double orbit = m.center[0] * m.momentum[1] - m.center[1] * m.momentum[0];
    CHECK_BETWEEN(spin, 1, 1e4);
    CHECK_CLOSE(m.angular[2] + orbit, spin, 0.01);
    pliant_world_destroy(world);
}

// ---- rest ---------------------------------------------------------------------------------------

// What lies on a collider presses it by its weight, in all and in every step, and moves by no more
// than it rocks.
static void check_rest(const pliant_collider_def* def, pliant_body_id (*add)(pliant_world*),
                       double speed)
{
    pliant_world* world = make_world(0, 1);
    pliant_collider_id id = new_collider(world, def);
    pliant_body_id lies = add(world);
    double weight = pliant_body_mass(world, lies) * G, mean = 0;
    run(world, 120, 1.0 / 60);
    for (int i = 0; i < 30; ++i) {
        run(world, 1, 1.0 / 60);
        mean -= force_up(world, id) / 30;
        CHECK_CLOSE(-force_up(world, id), weight, 0.05);
    }
    motion m = measure_motion(world, lies);
    print_message("    force %.4f of %.4f N, %.4f m/s\n", mean, weight, m.speed);
    CHECK_CLOSE(mean, weight, 0.01);
    CHECK_BETWEEN(m.speed, 0, speed);
    CHECK_BETWEEN(pliant_world_contact_stats(world).contacts, 1, 1000);
    CHECK_CLOSE(contact_force(world, lies).x[1], weight, 0.03);
    pliant_world_destroy(world);
}

static void a_sheet_rests_on_a_small_ball(void** unused)
{
    (void)unused;
    pliant_collider_def ball = ball_def(0.035, 0.005, 0, 0.01);
    ball.static_friction = ball.dynamic_friction = 1;
    check_rest(&ball, sheet_on_ball, 0.3);
}

static void a_sheet_rests_on_an_edge(void** unused)
{
    (void)unused;
    pliant_collider_def box = standing_box();
    check_rest(&box, sheet_on_edge, 0.03);
}

static void a_rope_hangs_over_a_thin_rod(void** unused)
{
    (void)unused;
    pliant_world* world = rope_over_rod();
    pliant_collider_id id = first_collider_of(world);
    pliant_body_id rope = first_body(world);
    double weight = pliant_body_mass(world, rope) * G, mean = 0;
    run(world, 60, 1.0 / 60);
    for (int i = 0; i < 30; ++i) {
        run(world, 1, 1.0 / 60);
        mean -= force_up(world, id) / 30;
    }
    double high = extent(world, rope).high;
    print_message("    force %.5f of %.5f N, highest at %.4f m\n", mean, weight, high);
    assert_true(high > 0);
    pliant_world_destroy(world);
}

// ---- friction -----------------------------------------------------------------------------------

static void a_turning_ball_drags_a_sheet(void** unused)
{
    (void)unused;
    for (int belt = 0; belt < 2; ++belt) {
        pliant_world* world = sheet_on_turning_ball(belt);
        pliant_collider_id id = first_collider_of(world);
        pliant_body_id sheet = first_body(world);
        double force[3], torque[3], push = 0, twist = 0;
        for (int i = 0; i < 6; ++i) {
            run(world, 1, 1.0 / 60);
            CHECK_OK(pliant_collider_force(world, id, force, torque));
            push -= force[0] / 60;
            twist += torque[2] / 60;
        }
        // To the left, on its upper side, and braked by as much.
        CHECK_BETWEEN(push, -1, -1e-3);
        CHECK_CLOSE(measure_motion(world, sheet).momentum[0], push, 0.01);
        CHECK_CLOSE(-twist, -push * 0.04, 0.2);
        pliant_world_destroy(world);
    }
}

// ---- what can be read ---------------------------------------------------------------------------

static void contacts_name_the_collider(void** unused)
{
    (void)unused;
    pliant_contact found[16];
    int count = 0;
    pliant_world* world = make_world(0, 1);
    pliant_collider_def ball = ball_def(0.035, 0.03, 0, 0.06);
    pliant_collider_id id = new_collider(world, &ball);
    pliant_body_id sheet = stiff_sheet(world, 0.042);
    run(world, 6, 1.0 / 60);
    CHECK_OK(pliant_world_read_contacts(world, found, 16, &count));
    CHECK_BETWEEN(count, 1, 16);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        double share = 0;
        assert_int_equal(found[i].collider.index1, id.index1);
        assert_int_equal(found[i].body[0].index1, sheet.index1);
        assert_int_equal(found[i].body[1].index1, 0);
        CHECK_BETWEEN(found[i].count[0], 1, 3);
        assert_int_equal(found[i].count[1], 0);
        for (int k = 0; k < found[i].count[0]; ++k) share += found[i].share[k];
        CHECK_CLOSE(share, 1, 1e-5);
        CHECK_BETWEEN(found[i].normal[1], 0.5, 1.0001);
        sum += found[i].force[1];
    }
    // Pairs that left before the end of the step are in the collider's force alone.
    CHECK_BETWEEN(sum, 0, -1.001 * force_up(world, id));
    pliant_touch_event events[4];
    CHECK_OK(pliant_world_read_touch_events(world, events, 4, &count));
    assert_int_equal(count, 0); // of bodies alone
    pliant_world_destroy(world);
}

// In the substep in which a fast ball comes, pairs are found again after the guard held some back:
// what it did is in their contacts all the same.
static void contacts_have_what_the_guard_did(void** unused)
{
    (void)unused;
    enum { MOST = 256 };
    pliant_contact found[MOST];
    int count = 0;
    pliant_world* world = ball_under_sheet(50, 3);
    pliant_collider_id id;
    assert_int_equal(pliant_world_colliders(world, &id, 1), 1);
    run(world, 1, 1.0 / 240);
    CHECK_OK(pliant_world_read_contacts(world, found, MOST, &count));
    CHECK_BETWEEN(count, 1, MOST);
    double sum = 0, force = -force_up(world, id);
    for (int i = 0; i < count; ++i) sum += found[i].force[1];
    print_message("    %d contacts with %.4f of %.4f N\n", count, sum, force);
    CHECK_BETWEEN(force, 1, INFINITY);
    CHECK_CLOSE(sum, force, 1e-4);
    pliant_world_destroy(world);
}

// ---- the same bits ------------------------------------------------------------------------------

static uint64_t digest_of(int threads, bool fresh)
{
    pliant_world* world = make_balls(threads);
    world->contacts.fresh = fresh;
    run(world, 8, 1.0 / 120);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void threads_and_lists_change_no_bit(void** unused)
{
    (void)unused;
    uint64_t one = digest_of(1, false);
    assert_true(digest_of(2, false) == one);
    assert_true(digest_of(3, false) == one);
    assert_true(digest_of(1, true) == one);
}

static void a_snapshot_goes_on_with_the_same_bits(void** unused)
{
    (void)unused;
    pliant_world *world = make_balls(1), *other = make_balls(1);
    run(world, 5, 1.0 / 120);
    size_t bytes = pliant_world_snapshot_size(world);
    void* snapshot = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, snapshot, bytes));
    CHECK_OK(pliant_world_snapshot_restore(other, snapshot, bytes));
    free(snapshot);
    run(world, 4, 1.0 / 120);
    run(other, 4, 1.0 / 120);
    assert_true(get_digest(world) == get_digest(other));
    pliant_world_destroy(world);
    pliant_world_destroy(other);
}

// Large colliders and slow bodies: nobody needs a surface.
static uint64_t calm_digest(pliant_surface_contacts choice)
{
    pliant_world* world = make_world(0, 1);
    pliant_collider_def ball = ball_def(0.3, 0, -0.31, 0), slab = plate_def(1, 0.1, 1, -0.5);
    ball.surface_contacts = slab.surface_contacts = choice;
    new_collider(world, &ball);
    new_collider(world, &slab);
    add_sheet(world, 0, vec(0, 0, 0));
    run(world, 30, 1.0 / 60);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void nothing_changes_where_nobody_needs_it(void** unused)
{
    (void)unused;
    uint64_t never = calm_digest(PLIANT_SURFACE_CONTACTS_NEVER);
    assert_true(calm_digest(PLIANT_SURFACE_CONTACTS_AUTO) == never);
    assert_true(calm_digest(PLIANT_SURFACE_CONTACTS_ALWAYS) != never);
}

// ---- changes between steps ----------------------------------------------------------------------

// What the bodies remember of each other does not depend on the colliders that come and go.
static void colliders_come_and_go(void** unused)
{
    (void)unused;
    pliant_world* world = make_balls(1);
    pliant_collider_id ids[3];
    run(world, 4, 1.0 / 120);
    assert_int_equal(pliant_world_colliders(world, ids, 3), 3);
    pliant_collider_remove(world, ids[0]);
    run(world, 2, 1.0 / 120);
    pliant_collider_def ball = ball_def(0.02, 0, -0.2, 0);
    pliant_collider_id more = new_collider(world, &ball);
    CHECK_OK(pliant_collider_set_pose(world, ids[1], (double[3]){0.1, -0.3, 0},
                                      (pliant_quat){0, 0, 0, 1}));
    run(world, 4, 1.0 / 120);
    pliant_collider_remove(world, ids[1]);
    pliant_collider_remove(world, ids[2]);
    pliant_collider_remove(world, more);
    run(world, 2, 1.0 / 120);
    assert_int_equal(pliant_world_contact_stats(world).squeezed, 0);
    pliant_world_destroy(world);
}

static void a_small_mesh_does_not_pass_cloth(void** unused)
{
    (void)unused;
    pliant_world* world = mesh_under_sheet();
    pliant_collider_id id = first_collider_of(world);
    pliant_body_id sheet = first_body(world);
    run(world, 16, (double)dt);
    double y = get_collider(world, id).position[1], high = extent(world, sheet).high;
    if (!(high > y)) fail_msg("the mesh is at %g m, the sheet below %g m", y, high);
    pliant_world_destroy(world);
}

static pliant_result add_ball_and_plate(pliant_world* world, const pliant_body_id* bodies)
{
    (void)bodies;
    pliant_collider_def ball = ball_def(0.02, 0.01, 0, 0.02), slab = plate_def(1, 0.01, 1, -0.1);
    slab.velocity = vec(0, 40, 0);
    pliant_result result = pliant_world_add_collider(world, &ball, NULL);
    return result ? result : pliant_world_add_collider(world, &slab, NULL);
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    const failing_world swept = {"cloth:2x2:0.2x0.2", 1, {0.02}, 0.002f, add_ball_and_plate, false};
    check_failing_world(&swept);
}

static void warm_steps_take_no_memory(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(0, 1);
    pliant_collider_def ball = ball_def(0.035, 0.005, 0, 0.01);
    ball.static_friction = ball.dynamic_friction = 1;
    new_collider(world, &ball);
    stiff_sheet(world, 0.042);
    run(world, 60, 1.0 / 60);
    uint64_t before = pliant_allocation_count();
    run(world, 20, 1.0 / 60);
    assert_int_equal(pliant_allocation_count() - before, 0);
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        known_threads_test(a_small_ball_does_not_pass_cloth),
        known_threads_test(by_particles_alone_it_does),
        known_threads_test(bodies_at_50_meters_per_second_do_not_pass_a_plate_of_2_cm),
        known_threads_test(a_thin_plate_does_not_pass_a_body),
        known_threads_test(a_blade_that_turns_takes_a_block_along),
        known_threads_test(a_small_mesh_does_not_pass_cloth),
        numbers_test(a_sheet_rests_on_a_small_ball),
        numbers_test(a_sheet_rests_on_an_edge),
        numbers_test(a_rope_hangs_over_a_thin_rod),
        numbers_test(a_turning_ball_drags_a_sheet),
        known_threads_test(contacts_name_the_collider),
        known_threads_test(contacts_have_what_the_guard_did),
        cmocka_unit_test(threads_and_lists_change_no_bit),
        known_threads_test(a_snapshot_goes_on_with_the_same_bits),
        known_threads_test(nothing_changes_where_nobody_needs_it),
        known_threads_test(colliders_come_and_go),
        known_threads_test(warm_steps_take_no_memory),
        known_threads_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
