// Colliders that meet triangles and edges, at any speed.
#include "failing_world.h"
#include "scene.h"
#include "world/world.h"

static const double G = 9.81;
static const float dt = 1.0f / 240;

// ---- scenes -------------------------------------------------------------------------------------

static pliant_collider_def ball_def(double radius, double x, double y, double z)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_SPHERE;
    def.radius = (float)radius;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    def.measure_force = true;
    return def;
}

static pliant_collider_def plate_def(double half_x, double half_y, double half_z, double y)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = vec(half_x, half_y, half_z);
    def.position[1] = y;
    def.measure_force = true;
    return def;
}

static pliant_body_id add_mesh(pliant_world* world, pliant_mesh* mesh, double y,
                               pliant_vec3 velocity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.material.damping = 0.001;
    def.position[1] = y;
    def.velocity = velocity;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

// Cells of 0.1 m around the y axis.
static pliant_body_id add_sheet(pliant_world* world, double y, pliant_vec3 velocity)
{
    return add_mesh(world, generate("cloth:10x10:1x1"), y, velocity);
}

static pliant_body_id add_block(pliant_world* world, double y, pliant_vec3 velocity)
{
    return add_mesh(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), y, velocity);
}

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

// A ball of a third of a cell goes up through the middle of a triangle of a sheet, and takes it
// along.
static void check_ball(double speed, int substeps)
{
    pliant_world* world = make_still_world(substeps, 1);
    pliant_body_id sheet = add_sheet(world, 0, vec(0, 0, 0));
    pliant_collider_def ball = ball_def(0.033, 0.033, -0.2, 0.055);
    ball.velocity = vec(0, speed, 0);
    pliant_collider_id id = new_collider(world, &ball);
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

// A body at 50 m/s and a plate of 2 cm: it ends above, and the plate got what it lost.
static void check_plate(bool sheet, int substeps)
{
    pliant_world* world = make_world(substeps, 1);
    pliant_collider_def plate = plate_def(2, 0.01, 2, 0);
    pliant_collider_id id = new_collider(world, &plate);
    const pliant_vec3 down = vec(0.3, -50, 0);
    pliant_body_id flies = sheet ? add_sheet(world, 0.5, down) : add_block(world, 0.5, down);
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

// The plate comes from below, at the same speed.
static void a_thin_plate_does_not_pass_a_body(void** unused)
{
    (void)unused;
    for (int sheet = 0; sheet < 2; ++sheet) {
        pliant_world* world = make_still_world(4, 1);
        pliant_collider_def plate = plate_def(0.7, 0.01, 0.7, -0.5);
        plate.velocity = vec(0, 50, 0);
        pliant_collider_id id = new_collider(world, &plate);
        const pliant_vec3 none = vec(0, 0, 0);
        pliant_body_id rests = sheet ? add_sheet(world, 0, none) : add_block(world, 0, none);
        run(world, 24, (double)dt);
        double top = get_collider(world, id).position[1] + 0.0099;
        if (!(extent(world, rests).low > top))
            fail_msg("the plate is at %g m, %s at %g m", top, sheet ? "the sheet" : "the block",
                     extent(world, rests).low);
        pliant_world_destroy(world);
    }
}

// A blade that turns: 1 m long, 1 cm thick, 20 rad/s, against a block that hangs in its way.
static void a_blade_that_turns_takes_a_block_along(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(2, 1);
    pliant_collider_def blade = plate_def(1, 0.005, 0.2, 0);
    blade.angular_velocity = vec(0, 0, 20);
    pliant_collider_id id = new_collider(world, &blade);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = 0.5;
    def.position[1] = 0.3;
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    pliant_body_id block = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
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

static pliant_body_id stiff_sheet(pliant_world* world, double y)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.cloth =
        (pliant_cloth_def){.density = 0.2, .stretch = 200, .bending = 0.02, .damping = 0.05};
    def.position[1] = y;
    pliant_mesh* mesh = generate("cloth:5x5:0.5x0.5");
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    return id;
}
static pliant_body_id sheet_on_ball(pliant_world* world) { return stiff_sheet(world, 0.042); }
static pliant_body_id sheet_on_edge(pliant_world* world) { return stiff_sheet(world, 0.01); }

static void a_sheet_rests_on_a_small_ball(void** unused)
{
    (void)unused;
    pliant_collider_def ball = ball_def(0.035, 0.005, 0, 0.01);
    ball.static_friction = ball.dynamic_friction = 1;
    check_rest(&ball, sheet_on_ball, 0.3);
}

// The upper edge of a box that stands on another one.
static void a_sheet_rests_on_an_edge(void** unused)
{
    (void)unused;
    pliant_collider_def box = plate_def(0.2, 0.2, 1, -0.2 * sqrt(2));
    box.position[0] = 0.03;
    box.rotation = (pliant_quat){0, 0, 0.38268343f, 0.92387953f};
    box.surface_contacts = PLIANT_SURFACE_CONTACTS_ALWAYS;
    box.static_friction = box.dynamic_friction = 1;
    check_rest(&box, sheet_on_edge, 0.03);
}

// A rope over a rod that is thinner than a tenth of its segments.
static void a_rope_hangs_over_a_thin_rod(void** unused)
{
    (void)unused;
    pliant_collider_def rod = ball_def(0.005, 0.02, 0, 0);
    rod.shape = PLIANT_SHAPE_CAPSULE;
    rod.half_height = 0.5f;
    rod.rotation = (pliant_quat){(float)sqrt(0.5), 0, 0, (float)sqrt(0.5)}; // along z
    rod.static_friction = rod.dynamic_friction = 3;
    pliant_world* world = make_world(0, 1);
    pliant_collider_id id = new_collider(world, &rod);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.rope.radius = 0.004;
    soft.material.damping = 0.02;
    def.position[0] = -0.5;
    def.position[1] = 0.015;
    pliant_mesh* mesh = generate("rope:1:9");
    pliant_body_id rope = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
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

// A ball of one point turns, and a belt stays where it is: both take along what lies on them.
static void a_turning_ball_drags_a_sheet(void** unused)
{
    (void)unused;
    for (int belt = 0; belt < 2; ++belt) {
        pliant_world* world = make_world(0, 1);
        pliant_collider_def ball = ball_def(0.035, 0.03, 0, 0.06);
        const pliant_vec3 turn = vec(0, 0, 10);
        if (belt)
            ball.surface_angular_velocity = turn;
        else
            ball.angular_velocity = turn;
        pliant_collider_id id = new_collider(world, &ball);
        pliant_body_id sheet = stiff_sheet(world, 0.042);
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

// ---- the same bits ------------------------------------------------------------------------------

// Two sheets that lie on each other, on small balls, of which one goes and one is taken away.
static pliant_world* make_balls(int threads, bool fresh)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.threads = threads;
    CHECK_OK(pliant_world_create(&def, &world));
    world->contacts.fresh = fresh;
    pliant_collider_def ball = ball_def(0.035, 0.03, 0, 0.06);
    new_collider(world, &ball);
    ball = ball_def(0.03, -0.13, -0.05, 0.06);
    ball.velocity = vec(0, 2, 0);
    new_collider(world, &ball);
    pliant_collider_def plate = plate_def(0.1, 0.01, 0.1, -0.3);
    plate.position[0] = 0.2;
    plate.velocity = vec(0, 20, 0);
    new_collider(world, &plate);
    stiff_sheet(world, 0.06);
    stiff_sheet(world, 0.12);
    return world;
}

static uint64_t digest_of(int threads, bool fresh)
{
    pliant_world* world = make_balls(threads, fresh);
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
    pliant_world *world = make_balls(1, false), *other = make_balls(1, false);
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
    pliant_collider_def ball = ball_def(0.3, 0, -0.31, 0), plate = plate_def(1, 0.1, 1, -0.5);
    ball.surface_contacts = plate.surface_contacts = choice;
    new_collider(world, &ball);
    new_collider(world, &plate);
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
    pliant_world* world = make_balls(1, false);
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

// A mesh is met by its triangles: a small one, as the ball is.
static void a_small_mesh_does_not_pass_cloth(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(4, 1);
    pliant_mesh* mesh = surface_of("sphere:0.033:4");
    pliant_collider_def def = ball_def(0.5, 0.033, -0.2, 0.055);
    def.shape = PLIANT_SHAPE_MESH;
    def.mesh = mesh;
    def.velocity = vec(0, 20, 0);
    pliant_collider_id id = new_collider(world, &def);
    pliant_mesh_destroy(mesh);
    pliant_body_id sheet = add_sheet(world, 0, vec(0, 0, 0));
    run(world, 16, (double)dt);
    double y = get_collider(world, id).position[1], high = extent(world, sheet).high;
    if (!(high > y)) fail_msg("the mesh is at %g m, the sheet below %g m", y, high);
    pliant_world_destroy(world);
}

static pliant_result add_ball_and_plate(pliant_world* world, const pliant_body_id* bodies)
{
    (void)bodies;
    pliant_collider_def ball = ball_def(0.02, 0.01, 0, 0.02), plate = plate_def(1, 0.01, 1, -0.1);
    plate.velocity = vec(0, 40, 0);
    pliant_result result = pliant_world_add_collider(world, &ball, NULL);
    return result ? result : pliant_world_add_collider(world, &plate, NULL);
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    const failing_world swept = {"cloth:2x2:0.2x0.2", 1, {0.02}, 0.002f, add_ball_and_plate};
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
        cmocka_unit_test(threads_and_lists_change_no_bit),
        known_threads_test(a_snapshot_goes_on_with_the_same_bits),
        known_threads_test(nothing_changes_where_nobody_needs_it),
        known_threads_test(colliders_come_and_go),
        known_threads_test(warm_steps_take_no_memory),
        known_threads_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
