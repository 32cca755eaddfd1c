// Colliders that move, and what bodies do to colliders: against closed forms.
#include "base/hash.h"
#include "math/turn.h"
#include "scene.h"

static const double g = 9.81;

static pliant_soft_def stiff_material(void)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = 2e6;
    soft.material.damping = 0.003;
    return soft;
}

static pliant_collider_id add_collider(pliant_world* world, const pliant_collider_def* def)
{
    pliant_collider_id id = new_collider(world, def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    return id;
}

static pliant_collider_def plane_with(double friction)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.static_friction = def.dynamic_friction = (float)friction;
    def.measure_force = true;
    return def;
}

// A flat box that does not tip: 0.4 x 0.1 x 0.4 m, its middle above (x, 0).
static pliant_body_id add_slab(pliant_world* world, const pliant_soft_def* soft, double x)
{
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = x - 0.2;
    def.position[2] = -0.2;
    pliant_mesh* mesh = box_mesh((int[3]){4, 1, 4}, 0.1, 0);
    pliant_body_id body = new_soft(world, mesh, soft, &def);
    pliant_mesh_destroy(mesh);
    if (!body.index1) fail_msg("%s", pliant_error_text());
    return body;
}

static place force_on(const pliant_world* world, pliant_collider_id id, place* out_torque)
{
    place force, torque;
    CHECK_OK(pliant_collider_force(world, id, force.x, torque.x));
    if (out_torque) *out_torque = torque;
    return force;
}

static const pliant_vec3 none = {0, 0, 0};

// ---- signs --------------------------------------------------------------------------------------

// A plate that comes makes speed and force at once: the rope goes with it and is not taken for one
// that starts inside.
static void plate_pushes_and_feels_it(void** unused)
{
    (void)unused;
    for (int order = 0; order < 2; ++order) {
        pliant_world* world = make_still_world(10, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.integrator = order ? PLIANT_INTEGRATOR_BDF2 : PLIANT_INTEGRATOR_FORESIGHT;
        pliant_collider_def def = plane_with(0);
        def.position[1] = -0.05;
        pliant_collider_id plate = add_collider(world, &def);
        pliant_body_id body = add_soft(world, generate("rope:1:4"), &soft, 0);
        CHECK_OK(pliant_collider_set_velocity(world, plate, vec(0, 1, 0), none));
        double impulse = 0, mass = pliant_body_mass(world, body);
        for (int i = 0; i < 10; ++i) {
            run(world, 1, 0.01);
            impulse += 0.01 * force_on(world, plate, NULL).x[1];
        }
        motion m = measure_motion(world, body);
        CHECK_CLOSE(m.velocity[1], 1, 1e-3);
        CHECK_CLOSE(impulse, -mass, 1e-3);
        CHECK_CLOSE(m.center[1], 0.05, 1e-3);
        CHECK_CLOSE(get_collider(world, plate).position[1], 0.05, 1e-6);
        // It stops; the rope flies on.
        CHECK_OK(pliant_collider_set_velocity(world, plate, none, none));
        run(world, 10, 0.01);
        CHECK_CLOSE(measure_motion(world, body).center[1], 0.15, 1e-2);
        pliant_world_destroy(world);
    }
}

// A collider that leaves does not pull, and one that comes after takes over.
static void plate_that_goes_away_does_not_pull(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(10, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_collider_def def = plane_with(1);
    pliant_collider_id plate = add_collider(world, &def);
    pliant_body_id body = add_soft(world, generate("rope:1:4"), &soft, 0);
    CHECK_OK(pliant_collider_set_velocity(world, plate, vec(0, -1, 0), none));
    run(world, 10, 0.01);
    CHECK_BETWEEN(measure_motion(world, body).speed, 0, 1e-6);
    pliant_world_destroy(world);
}

// v' = 2 V + v off a wall that does not lose anything, whatever the integrator and the substeps.
static void wall_throws_back_with_twice_its_speed(void** unused)
{
    (void)unused;
    static const pliant_integrator kinds[] = {
        PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_IMPLICIT_EULER,
        PLIANT_INTEGRATOR_SYMPLECTIC_EULER, PLIANT_INTEGRATOR_BDF2};
    for (int i = 0; i < 4; ++i)
        for (double e = 0; e < 2; ++e) {
            pliant_world* world = make_still_world(20, 1);
            pliant_soft_def soft = pliant_soft_defaults();
            soft.solver.integrator = kinds[i];
            pliant_collider_def def = plane_with(0);
            def.restitution = (float)e;
            def.velocity = vec(0, 3, 0);
            pliant_collider_id wall = add_collider(world, &def);
            pliant_body_id body = add_soft(world, generate("rope:1:2"), &soft, 0.1);
            write_velocity(world, body, vec(0, -2, 0));
            run(world, 10, 0.01);
            double v = measure_motion(world, body).velocity[1];
            print_message("    integrator %d, restitution %g: %.5f m/s\n", i, e, v);
            CHECK_CLOSE(v, 3 + e * 5, 1e-3);
            (void)wall;
            pliant_world_destroy(world);
        }
}

// ---- friction -----------------------------------------------------------------------------------

// Slips with mu g until it has the belt's speed, and is behind by V^2 / (2 mu g) then.
static void check_belt(pliant_integrator integrator, bool whole)
{
    const double mu = 0.3, speed = 1;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = stiff_material();
    soft.solver.integrator = integrator;
    pliant_collider_def def = plane_with(mu);
    pliant_collider_id belt = add_collider(world, &def);
    pliant_body_id body = add_slab(world, &soft, 0);
    run(world, 50, 0.01);
    double start = measure_motion(world, body).center[0];
    // The surface alone, or all of it.
    if (whole)
        CHECK_OK(pliant_collider_set_velocity(world, belt, vec(speed, 0, 0), none));
    else
        CHECK_OK(pliant_collider_set_surface_velocity(world, belt, vec(speed, 0, 0), none));
    run(world, 20, 0.01);
    double early = measure_motion(world, body).velocity[0];
    double pull = force_on(world, belt, NULL).x[0] / pliant_body_mass(world, body);
    run(world, 40, 0.01);
    motion m = measure_motion(world, body);
    double behind = 0.6 * speed - (m.center[0] - start);
    print_message("    belt, integrator %d: %.4f m/s^2 (mu g %.4f), reached after %.4f s (%.4f), "
                  "behind by %.4f m (%.4f)\n",
                  (int)integrator, early / 0.2, mu * g, speed / (early / 0.2), speed / (mu * g),
                  behind, speed * speed / (2 * mu * g));
    CHECK_CLOSE(early, mu * g * 0.2, 0.01);
    CHECK_CLOSE(pull, -mu * g, 0.02);
    CHECK_CLOSE(m.velocity[0], speed, 1e-3);
    CHECK_CLOSE(behind, speed * speed / (2 * mu * g), 0.01);
    run(world, 50, 0.01);
    CHECK_CLOSE(measure_motion(world, body).center[0] - m.center[0], 0.5 * speed, 1e-3);
    pliant_world_destroy(world);
}

static void belt_takes_a_block_along(void** unused)
{
    (void)unused;
    check_belt(PLIANT_INTEGRATOR_FORESIGHT, false);
    check_belt(PLIANT_INTEGRATOR_FORESIGHT, true);
    check_belt(PLIANT_INTEGRATOR_IMPLICIT_EULER, false);
    check_belt(PLIANT_INTEGRATOR_BDF2, false);
    check_belt(PLIANT_INTEGRATOR_BDF2, true);
}

// A belt in its own axes: a slope that carries a block up as fast as it runs.
static void belt_runs_in_its_own_axes(void** unused)
{
    (void)unused;
    const double angle = 0.3;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = stiff_material();
    pliant_collider_def def = plane_with(0.8);
    def.rotation = (pliant_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
    def.surface_velocity = vec(0.5, 0, 0);
    add_collider(world, &def);
    pliant_body_def at = pliant_body_defaults();
    at.rotation = def.rotation;
    pliant_mesh* mesh = box_mesh((int[3]){4, 1, 4}, 0.1, 0);
    pliant_body_id body = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    run(world, 100, 0.01);
    motion m = measure_motion(world, body);
    CHECK_CLOSE(m.velocity[0], 0.5 * cos(angle), 0.01);
    CHECK_CLOSE(m.velocity[1], 0.5 * sin(angle), 0.01);
    pliant_world_destroy(world);
}

// On a table that turns, its surface alone or all of it. Returns the last radius of the block.
static double turn_table(double omega, bool whole, pliant_integrator integrator, double* out_ratio)
{
    const double radius = 0.6;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = stiff_material();
    soft.solver.integrator = integrator;
    pliant_collider_def def = plane_with(0.5);
    if (whole) {
        def.shape = PLIANT_SHAPE_BOX;
        def.half_extents = vec(4, 0.1, 4);
        def.position[1] = -0.1;
    }
    pliant_collider_id table = add_collider(world, &def);
    pliant_body_id body = add_slab(world, &soft, radius);
    run(world, 30, 0.01);
    for (int i = 0; i < 250; ++i) { // it gets faster for a second
        pliant_vec3 w = vec(0, omega * fmin((i + 1) / 100.0, 1), 0);
        if (whole)
            CHECK_OK(pliant_collider_set_velocity(world, table, none, w));
        else
            CHECK_OK(pliant_collider_set_surface_velocity(world, table, none, w));
        run(world, 1, 0.01);
    }
    motion m = measure_motion(world, body);
    double far = hypot(m.center[0], m.center[2]);
    // w x r for w along y is (w z, 0, -w x).
    double along = (m.velocity[0] * m.center[2] - m.velocity[2] * m.center[0]) / far;
    *out_ratio = along / (omega * far);
    print_message("    table, %s, integrator %d, %.1f rad/s: radius %.4f m, speed %.5f of the "
                  "table's\n",
                  whole ? "a box" : "a surface", (int)integrator, omega, far, *out_ratio);
    pliant_world_destroy(world);
    return far;
}

static void table_carries_below_the_slip_limit(void** unused)
{
    (void)unused;
    static const pliant_integrator kinds[] = {PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_BDF2};
    double ratio; // omega^2 r = 2.4 m/s^2, mu g = 4.9
    for (int i = 0; i < 2; ++i)
        for (int whole = 0; whole < 2; ++whole) {
            CHECK_CLOSE(turn_table(2, whole, kinds[i], &ratio), 0.6, 0.01);
            CHECK_CLOSE(ratio, 1, 0.01);
        }
}

static void table_loses_what_is_above_it(void** unused)
{
    (void)unused;
    double ratio; // omega^2 r = 9.6 m/s^2
    assert_true(turn_table(4, true, PLIANT_INTEGRATOR_FORESIGHT, &ratio) > 1);
    assert_true(turn_table(4, false, PLIANT_INTEGRATOR_FORESIGHT, &ratio) > 1);
}

// The torque on a table that gets faster is what it gives to the angular momentum about its axis.
static void torque_is_the_rate_of_angular_momentum(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = stiff_material();
    pliant_collider_def def = plane_with(0.5);
    pliant_collider_id table = add_collider(world, &def);
    pliant_body_id body = add_slab(world, &soft, 0.4);
    run(world, 50, 0.01);
    double given = 0;
    for (int i = 0; i < 50; ++i) {
        CHECK_OK(pliant_collider_set_surface_velocity(world, table, none, vec(0, 0.04 * i, 0)));
        run(world, 1, 0.01);
        place torque;
        force_on(world, table, &torque);
        given -= 0.01 * torque.x[1];
    }
    motion m = measure_motion(world, body);
    double spin = m.angular[1] + m.center[2] * m.momentum[0] -
                  m.center[0] * m.momentum[2]; // about the origin
    print_message("    given %.6f, angular momentum %.6f kg m^2/s\n", given, spin);
    assert_true(fabs(spin) > 0.5);
    CHECK_CLOSE(given, spin, 1e-3);
    pliant_world_destroy(world);
}

// ---- forces -------------------------------------------------------------------------------------

// Two plates without friction press a cube of side 0.4 m by 1 % of its height.
static void press_feels_the_modulus(void** unused)
{
    (void)unused;
    const double young = 1e5, side = 0.4, strain = 0.01;
    pliant_world* world = make_still_world(0, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = young;
    soft.material.poisson = 0.3;
    soft.material.damping = 0.02;
    pliant_collider_def def = plane_with(0);
    pliant_collider_id low = add_collider(world, &def);
    def.position[1] = side;
    def.rotation = (pliant_quat){1, 0, 0, 0}; // upside down
    pliant_collider_id high = add_collider(world, &def);
    add_soft(world, box_mesh((int[3]){4, 4, 4}, side / 4, 0), &soft, 0);
    for (int i = 0; i < 100; ++i) {
        const double at[3] = {0, side * (1 - strain * fmin((i + 1) / 50.0, 1)), 0};
        CHECK_OK(pliant_collider_move(world, high, at, def.rotation));
        run(world, 1, 0.01);
    }
    double down = force_on(world, low, NULL).x[1], up = force_on(world, high, NULL).x[1];
    double expected = young * side * side * strain;
    print_message("    press: %.4f and %.4f N, E A strain %.4f N\n", down, up, expected);
    CHECK_CLOSE(up, expected, 0.02);
    CHECK_CLOSE(down, -up, 1e-3);
    pliant_world_destroy(world);
}

// Dropped into a corner of three moving shapes: forces on all of them and the weight are the rate
// of change of the momentum, for every integrator.
static void check_momentum(pliant_integrator integrator, double restitution)
{
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.005;
    soft.solver.integrator = integrator;
    pliant_collider_def def = plane_with(0.4);
    pliant_collider_id id[3];
    def.restitution = (float)restitution;
    def.surface_velocity = vec(0.5, 0, 0.2);
    id[0] = add_collider(world, &def);
    def.surface_velocity = none;
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = vec(0.1, 0.5, 0.5);
    def.position[0] = 0.75;
    def.velocity = vec(-1, 0, 0);
    id[1] = add_collider(world, &def);
    def.shape = PLIANT_SHAPE_SPHERE;
    def.radius = 0.3f;
    def.position[0] = -0.5;
    def.velocity = vec(0.5, 0.1, 0);
    def.angular_velocity = vec(0, 3, 8);
    id[2] = add_collider(world, &def);
    pliant_body_id body = add_slab(world, &soft, 0.1);
    double mass = pliant_body_mass(world, body), impulse[3] = {0, 0, 0}, each[3] = {0, 0, 0};
    for (int i = 0; i < 60; ++i) {
        run(world, 1, 0.01);
        for (int c = 0; c < 3; ++c) {
            place f = force_on(world, id[c], NULL);
            for (int k = 0; k < 3; ++k) impulse[k] -= 0.01 * f.x[k];
            each[c] += fabs(f.x[0]) + fabs(f.x[1]) + fabs(f.x[2]);
        }
        place on_body = contact_force(world, body), sum = {{0, 0, 0}};
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) sum.x[k] += force_on(world, id[c], NULL).x[k];
        for (int k = 0; k < 3; ++k)
            CHECK_BETWEEN(sum.x[k] + on_body.x[k], -1e-3 * mass * g, 1e-3 * mass * g);
    }
    motion m = measure_motion(world, body);
    impulse[1] -= mass * g * 0.6;
    double size = sqrt(m.momentum[0] * m.momentum[0] + m.momentum[1] * m.momentum[1] +
                       m.momentum[2] * m.momentum[2]) +
                  mass * g * 0.6;
    print_message("    impulse %.4f %.4f %.4f, momentum %.4f %.4f %.4f kg m/s\n", impulse[0],
                  impulse[1], impulse[2], m.momentum[0], m.momentum[1], m.momentum[2]);
    for (int c = 0; c < 3; ++c) assert_true(each[c] > 0);
    for (int k = 0; k < 3; ++k)
        CHECK_BETWEEN(impulse[k] - m.momentum[k], -1e-3 * size, 1e-3 * size);
    pliant_world_destroy(world);
}

static void forces_and_weight_are_the_rate_of_momentum(void** unused)
{
    (void)unused;
    check_momentum(PLIANT_INTEGRATOR_FORESIGHT, 0);
    check_momentum(PLIANT_INTEGRATOR_FORESIGHT, 0.6);
    check_momentum(PLIANT_INTEGRATOR_IMPLICIT_EULER, 0.3);
    check_momentum(PLIANT_INTEGRATOR_BDF2, 0.3);
}

// Up with constant acceleration: the block goes along and weighs m (g + a).
static void elevator_adds_to_the_weight(void** unused)
{
    (void)unused;
    const double a = 3;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = stiff_material();
    pliant_collider_def def = plane_with(0.5);
    pliant_collider_id floor = add_collider(world, &def);
    pliant_body_id body = add_slab(world, &soft, 0);
    run(world, 50, 0.01);
    double start = measure_motion(world, body).center[1], mean = 0;
    for (int i = 0; i < 100; ++i) {
        const double t = 0.01 * (i + 1), at[3] = {0, a * t * t / 2, 0};
        CHECK_OK(pliant_collider_move(world, floor, at, (pliant_quat){0, 0, 0, 1}));
        run(world, 1, 0.01);
        if (i >= 50) mean -= force_on(world, floor, NULL).x[1] / 50;
    }
    motion m = measure_motion(world, body);
    double expected = m.mass * (g + a);
    print_message("    elevator: %.4f of m (g + a), %.4f m, %.4f m/s\n", mean / expected,
                  m.center[1] - start, m.velocity[1]);
    CHECK_CLOSE(mean, expected, 0.01);
    CHECK_CLOSE(m.center[1] - start, a / 2, 0.01);
    CHECK_CLOSE(m.velocity[1], a, 0.01);
    pliant_world_destroy(world);
}

static void attachments_tell_their_force(void** unused)
{
    (void)unused;
    for (int order = 0; order < 2; ++order) {
        pliant_world* world = make_world(20, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.material.damping = 0.01;
        soft.solver.integrator = order ? PLIANT_INTEGRATOR_BDF2 : PLIANT_INTEGRATOR_FORESIGHT;
        pliant_body_id body = add_soft(world, generate("rope:0.2:2"), &soft, 0);
        double weight = pliant_body_mass(world, body) * g, given = 0;
        const double point[3] = {0, 0.05, 0};
        pliant_attachment_id held = new_attachment(world, body, 0, point, 0.02 / weight);
        assert_true(pliant_attachment_is_valid(world, held));
        assert_int_equal(pliant_world_attachment_count(world), 1);
        for (int i = 0; i < 200; ++i) {
            run(world, 1, 0.01);
            given += 0.01 * get_attachment(world, held).force[1];
        }
        double expected = measure_motion(world, body).momentum[1] + 2 * weight;
        pliant_attachment_info info = get_attachment(world, held);
        assert_int_equal(info.body.index1, body.index1);
        assert_int_equal(info.particle, 0);
        CHECK_CLOSE(info.point[1], 0.05, 1e-9);
        print_message("    attachment: %.5f of the change of momentum\n", given / expected);
        CHECK_CLOSE(given, expected, 2e-3);
        pliant_attachment_id list[2];
        assert_int_equal(pliant_world_attachments(world, list, 2), 1);
        assert_int_equal(list[0].index1, held.index1);
        pliant_attachment_remove(world, held);
        assert_false(pliant_attachment_is_valid(world, held));
        assert_int_equal(pliant_world_attachment_count(world), 0);
        pliant_world_destroy(world);
    }
}

// Rotations without libm are those of libm, and back.
static void turns_are_those_of_libm(void** unused)
{
    (void)unused;
    const double axis[3] = {2.0 / 7, -3.0 / 7, 6.0 / 7};
    for (double angle = 1e-9; angle < 60; angle *= 1.7) {
        double by[3], back[3];
        for (int k = 0; k < 3; ++k) by[k] = angle * axis[k];
        quaternion q = turn_by(by);
        CHECK_BETWEEN(q.w - cos(angle / 2), -1e-14, 1e-14);
        CHECK_BETWEEN(q.y - sin(angle / 2) * axis[1], -1e-14, 1e-14);
        turn_angle(q, back);
        double shorter = remainder(angle, 2 * acos(-1)), motion_of[3][3], axes[3][3];
        for (int k = 0; k < 3; ++k) CHECK_BETWEEN(back[k] - shorter * axis[k], -1e-13, 1e-13);
        turn_motion(q, motion_of);
        turn_axes(q, axes);
        for (int r = 0; r < 3; ++r)
            for (int k = 0; k < 3; ++k)
                CHECK_BETWEEN(axes[k][r] - (r == k) - motion_of[r][k], -1e-15, 1e-15);
    }
}

// ---- the way of a collider ----------------------------------------------------------------------

static void colliders_go_where_they_are_told(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(7, 1);
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    pliant_collider_id id = add_collider(world, &def);
    const double to[3] = {1, 2, 3}, angle = 2.5;
    const pliant_quat q = {(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)};
    CHECK_OK(pliant_collider_move(world, id, to, q));
    run(world, 1, 0.1);
    pliant_collider_info info = get_collider(world, id);
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(info.position[k], to[k], 1e-15);
    CHECK_CLOSE(info.velocity.y, 20, 1e-6);
    CHECK_CLOSE(info.angular_velocity.x, angle / 0.1, 1e-6);
    CHECK_CLOSE(info.rotation.x, q.x, 1e-6);
    run(world, 1, 0.1); // and then it stands
    info = get_collider(world, id);
    CHECK_CLOSE(info.position[2], 3, 1e-15);
    CHECK_BETWEEN(info.velocity.y, 0, 0);
    // A velocity lasts; a whole turn comes back to where it began.
    const double pi = acos(-1);
    CHECK_OK(pliant_collider_set_velocity(world, id, vec(1, 0, 0), vec(0, 2 * pi, 0)));
    run(world, 10, 0.1);
    info = get_collider(world, id);
    CHECK_CLOSE(info.position[0], 2, 1e-6);
    CHECK_BETWEEN(fabs((double)info.rotation.x) - (double)q.x, -1e-6, 1e-6);
    CHECK_BETWEEN(info.rotation.y, -1e-6, 1e-6);
    CHECK_CLOSE(info.angular_velocity.y, 2 * pi, 1e-6);
    pliant_world_destroy(world);
}

typedef struct {
    int count;
    char last[600];
} heard;

static void hear(const char* text, void* context)
{
    heard* h = (heard*)context;
    h->count++;
    snprintf(h->last, sizeof h->last, "%s", text);
}

// Only what is put into a body is a bad start, not what comes into it.
static void coming_in_is_no_bad_start_but_putting_is(void** unused)
{
    (void)unused;
    heard h = {0};
    pliant_world* world = make_still_world(20, 1);
    pliant_soft_def soft = stiff_material();
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_SPHERE;
    def.radius = 0.2f;
    def.position[1] = 0.35;
    pliant_collider_id ball = add_collider(world, &def);
    def = plane_with(0.5);
    add_collider(world, &def);
    add_slab(world, &soft, 0);
    pliant_set_log(hear, &h);
    CHECK_OK(pliant_collider_set_velocity(world, ball, vec(0, -0.3, 0), none));
    run(world, 30, 0.01);
    assert_int_equal(h.count, 0);
    CHECK_OK(pliant_collider_set_velocity(world, ball, none, none));
    const double in[3] = {0, 0.15, 0};
    CHECK_OK(pliant_collider_set_pose(world, ball, in, (pliant_quat){0, 0, 0, 1}));
    run(world, 1, 0.01);
    assert_int_equal(h.count, 1);
    if (!strstr(h.last, "inside")) fail_msg("%s", h.last);
    pliant_set_log(NULL, NULL);
    pliant_world_destroy(world);
}

static void fast_colliders_are_told_with_a_number(void** unused)
{
    (void)unused;
    heard h = {0};
    pliant_world* world = make_world(10, 1);
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = vec(1, 0.01, 1);
    def.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    pliant_collider_id plate = add_collider(world, &def);
    pliant_set_log(hear, &h);
    CHECK_OK(pliant_collider_set_velocity(world, plate, vec(100, 0, 0), vec(0, 100, 0)));
    run(world, 1, 0.01); // along itself: nothing can be missed but at its edges
    assert_int_equal(h.count, 0);
    CHECK_OK(pliant_collider_set_velocity(world, plate, vec(0, 25, 0), none));
    run(world, 3, 0.01);
    assert_int_equal(h.count, 1);
    if (!strstr(h.last, "use 25 substeps") || !strstr(h.last, "collider 0 (box)"))
        fail_msg("%s", h.last);
    pliant_set_log(NULL, NULL);
    pliant_world_destroy(world);
}

// ---- the same bits ------------------------------------------------------------------------------

typedef struct {
    pliant_world* world;
    pliant_body_id body;
    pliant_collider_id id[4];
} mill;

// A belt, a drum that turns, a piston and a ball between them.
static mill fill_mill(pliant_world* world, pliant_integrator integrator)
{
    mill m = {.world = world};
    pliant_collider_def def = plane_with(0.4);
    def.surface_velocity = vec(0.8, 0, 0.1);
    m.id[0] = add_collider(m.world, &def);
    def.surface_velocity = none;
    def.shape = PLIANT_SHAPE_CAPSULE;
    def.radius = 0.2f;
    def.rotation = (pliant_quat){1, 0, 0, 1};
    def.position[0] = 0.7;
    def.position[1] = 0.15;
    def.angular_velocity = vec(0, 0, 6);
    m.id[1] = add_collider(m.world, &def);
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = vec(0.2, 0.2, 0.2);
    def.position[0] = -0.22;
    def.angular_velocity = vec(0.5, 0.2, 0);
    def.velocity = vec(0.4, 0, 0);
    def.restitution = 0.3f;
    m.id[2] = add_collider(m.world, &def);
    pliant_mesh* ring = generate("torus:0.3:0.12:6");
    def.shape = PLIANT_SHAPE_MESH;
    def.mesh = ring;
    def.cell = 0.03f;
    def.position[0] = 0;
    def.position[1] = 0.6;
    def.velocity = vec(0, -0.7, 0);
    def.angular_velocity = vec(0, 2, 0);
    m.id[3] = add_collider(m.world, &def);
    pliant_mesh_destroy(ring);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.patch_rows = 32;
    soft.radius = 0.01;
    soft.solver.integrator = integrator;
    m.body = add_soft(m.world, generate("box6:4x2x4:0.1"), &soft, 0.01);
    return m;
}

static pliant_world_def mill_world(int threads, int lanes, int history)
{
    pliant_world_def def = pliant_world_defaults();
    def.substeps = 8;
    def.threads = threads;
    def.lanes = lanes;
    def.history = history;
    return def;
}

static mill make_mill(int threads, int lanes, int history, pliant_integrator integrator)
{
    pliant_world_def def = mill_world(threads, lanes, history);
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    return fill_mill(world, integrator);
}

// What it is told before step i.
static void tell_mill(const mill* m, int i)
{
    const double up[3] = {-0.22 + 0.004 * i, 0.15 + 0.001 * i, 0.001 * i};
    if (i == 10) CHECK_OK(pliant_collider_set_velocity(m->world, m->id[1], none, vec(0, 0.5, -6)));
    if (i == 15) CHECK_OK(pliant_collider_set_friction(m->world, m->id[0], 0.7f, 0.6f));
    if (i >= 20)
        CHECK_OK(pliant_collider_move(m->world, m->id[2], up, (pliant_quat){0, 0, 0.1f, 1}));
}

static void run_mill(const mill* m, int first, int steps)
{
    for (int i = first; i < first + steps; ++i) {
        tell_mill(m, i);
        CHECK_OK(pliant_world_step(m->world, 0.01f));
    }
}

// Steps the mill; a digest of all forces and torques on the way. All four colliders have some.
static uint64_t digest_of_forces(const mill* m, int steps)
{
    uint64_t hash = HASH_SEED;
    bool touched[4] = {false, false, false, false};
    for (int n = 0; n < steps; ++n) {
        run_mill(m, n, 1);
        for (int i = 0; i < 4; ++i) {
            place torque, force = force_on(m->world, m->id[i], &torque);
            hash = hash_bytes(hash_bytes(hash, force.x, sizeof force), torque.x, sizeof torque);
            touched[i] = touched[i] || force.x[1] != 0;
        }
    }
    for (int i = 0; i < 4; ++i)
        if (!touched[i]) fail_msg("nothing touches collider %d", i);
    return hash;
}

static void threads_and_lanes_give_the_same_bits(void** unused)
{
    (void)unused;
    static const int threads[] = {1, 2, 3, 8}, lanes[] = {1, 4, 8, 16};
    static const pliant_integrator kinds[] = {PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_BDF2};
    int apart = by_scope(4, 2, 1); // pairs that are taken
    for (int k = 0; k < 2; ++k) {
        uint64_t first = 0, forces = 0;
        for (int t = 0; t < 4; ++t)
            for (int l = t % apart; l < 4; l += apart) {
                mill m = make_mill(threads[t], lanes[l], 0, kinds[k]);
                uint64_t sums = digest_of_forces(&m, 40), digest = get_digest(m.world);
                if (t == 0 && l == 0) first = digest, forces = sums;
                if (digest != first || sums != forces)
                    fail_msg("%d threads, %d lanes: others", threads[t], lanes[l]);
                pliant_world_destroy(m.world);
            }
    }
}

// Worlds of a batch, one of them behind the others, do what they do alone.
static void batches_give_the_same_bits(void** unused)
{
    (void)unused;
    pliant_world_def def = mill_world(2, 0, 0);
    pliant_batch* batch = NULL;
    CHECK_OK(pliant_batch_create(&def, &batch));
    mill m[3], alone = make_mill(1, 0, 0, PLIANT_INTEGRATOR_FORESIGHT);
    for (int k = 0; k < 3; ++k) m[k] = fill_mill(new_world_of(batch), PLIANT_INTEGRATOR_FORESIGHT);
    for (int i = 0; i < 25; ++i) {
        for (int k = 0; k < 3; ++k) tell_mill(&m[k], k == 1 ? 0 : i);
        CHECK_OK(pliant_batch_step(batch, 0.01f));
    }
    run_mill(&alone, 0, 25);
    uint64_t digest = get_digest(alone.world);
    assert_true(get_digest(m[0].world) == digest);
    assert_true(get_digest(m[1].world) != digest);
    assert_true(get_digest(m[2].world) == digest);
    place a = force_on(alone.world, alone.id[0], NULL), b = force_on(m[2].world, m[2].id[0], NULL);
    assert_memory_equal(a.x, b.x, sizeof a);
    pliant_batch_destroy(batch);
    pliant_world_destroy(alone.world);
}

// Measuring changes nothing.
static void measuring_changes_no_bit(void** unused)
{
    (void)unused;
    mill a = make_mill(1, 0, 0, PLIANT_INTEGRATOR_FORESIGHT),
         b = make_mill(1, 0, 0, PLIANT_INTEGRATOR_FORESIGHT);
    for (int i = 0; i < 4; ++i) CHECK_OK(pliant_collider_measure_force(b.world, b.id[i], false));
    run_mill(&a, 0, 30);
    run_mill(&b, 0, 30);
    assert_true(get_digest(a.world) == get_digest(b.world));
    assert_int_equal(pliant_collider_force(b.world, b.id[0], NULL, NULL), PLIANT_ERROR_ARGUMENT);
    CHECK_OK(pliant_collider_measure_force(b.world, b.id[1], true));
    run_mill(&a, 30, 1);
    run_mill(&b, 30, 1);
    place p = force_on(a.world, a.id[1], NULL), q = force_on(b.world, b.id[1], NULL);
    assert_memory_equal(p.x, q.x, sizeof p);
    pliant_world_destroy(a.world);
    pliant_world_destroy(b.world);
}

static void snapshots_and_rewinds_have_the_poses(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < 2; ++kind) {
        pliant_integrator integrator = kind ? PLIANT_INTEGRATOR_BDF2 : PLIANT_INTEGRATOR_FORESIGHT;
        mill m = make_mill(2, 0, 30, integrator);
        size_t bytes = pliant_world_snapshot_size(m.world);
        char *start = (char*)malloc(bytes), *middle = (char*)malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(m.world, start, bytes));
        run_mill(&m, 0, 18);
        assert_int_equal(pliant_world_snapshot_size(m.world), bytes);
        CHECK_OK(pliant_world_snapshot_save(m.world, middle, bytes));
        uint64_t at_middle = get_digest(m.world);
        run_mill(&m, 18, 22);
        uint64_t end = get_digest(m.world);
        // From the middle, from the start, by rewinding, and in a world that never ran.
        CHECK_OK(pliant_world_snapshot_restore(m.world, middle, bytes));
        assert_true(get_digest(m.world) == at_middle);
        run_mill(&m, 18, 22);
        assert_true(get_digest(m.world) == end);
        CHECK_OK(pliant_world_rewind(m.world, 15));
        run_mill(&m, 25, 15);
        assert_true(get_digest(m.world) == end);
        CHECK_OK(pliant_world_snapshot_restore(m.world, start, bytes));
        CHECK_CLOSE(get_collider(m.world, m.id[3]).position[1], 0.6, 1e-12);
        run_mill(&m, 0, 40);
        // Friction that was set comes back with the snapshot from before it was.
        assert_true(get_digest(m.world) == end);
        mill other = make_mill(1, 4, 0, integrator);
        CHECK_OK(pliant_world_snapshot_restore(other.world, middle, bytes));
        assert_true(get_digest(other.world) == at_middle);
        run_mill(&other, 18, 22);
        assert_true(get_digest(other.world) == end);
        free(start);
        free(middle);
        pliant_world_destroy(m.world);
        pliant_world_destroy(other.world);
    }
}

// ---- input --------------------------------------------------------------------------------------

static void check_refusal(pliant_result result, const char* word)
{
    assert_int_equal(result, PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), word)) fail_msg("%s", pliant_error_text());
}

static void bad_input_gets_a_sentence_and_changes_nothing(void** unused)
{
    (void)unused;
    mill m = make_mill(1, 0, 0, PLIANT_INTEGRATOR_FORESIGHT);
    pliant_collider_id id = m.id[1], stale = {77, 1};
    const double bad[3] = {0, (double)NAN, 0}, good[3] = {0, 0, 0};
    const pliant_quat turned = {0, 0, 0, 1}, zero = {0, 0, 0, 0}, odd = {0, NAN, 0, 1};
    const pliant_vec3 nan = {NAN, 0, 0};
    uint64_t before = get_digest(m.world);
    check_refusal(pliant_collider_move(m.world, id, bad, turned), "position");
    check_refusal(pliant_collider_move(m.world, id, good, zero), "rotation");
    check_refusal(pliant_collider_move(m.world, id, good, odd), "rotation");
    check_refusal(pliant_collider_move(m.world, stale, good, turned), "no collider");
    check_refusal(pliant_collider_set_pose(m.world, id, bad, turned), "position");
    check_refusal(pliant_collider_set_pose(m.world, id, good, zero), "rotation");
    check_refusal(pliant_collider_set_pose(m.world, stale, good, turned), "no collider");
    check_refusal(pliant_collider_set_velocity(m.world, id, nan, none), "velocity");
    check_refusal(pliant_collider_set_velocity(m.world, id, none, nan), "velocity");
    check_refusal(pliant_collider_set_velocity(m.world, stale, none, none), "no collider");
    check_refusal(pliant_collider_set_surface_velocity(m.world, id, nan, none), "velocity");
    check_refusal(pliant_collider_set_friction(m.world, id, -1, 0), "friction");
    check_refusal(pliant_collider_set_friction(m.world, id, 0, NAN), "friction");
    check_refusal(pliant_collider_set_restitution(m.world, id, 2), "restitution");
    check_refusal(pliant_collider_set_restitution(m.world, stale, 1), "no collider");
    check_refusal(pliant_collider_force(m.world, stale, NULL, NULL), "no collider");
    check_refusal(pliant_collider_measure_force(m.world, stale, true), "no collider");
    assert_true(get_digest(m.world) == before);
    pliant_collider_def def = pliant_collider_defaults();
    def.surface_velocity = nan;
    assert_int_equal(new_collider(m.world, &def).index1, 0);
    pliant_collider_id list[8];
    assert_int_equal(pliant_world_collider_count(m.world), 4);
    assert_int_equal(pliant_world_colliders(m.world, list, 8), 4);
    assert_int_equal(pliant_world_colliders(m.world, list, 2), 2);
    assert_int_equal(list[1].index1, id.index1);
    assert_true(pliant_collider_is_valid(m.world, id));
    pliant_collider_remove(m.world, id);
    assert_false(pliant_collider_is_valid(m.world, id));
    assert_int_equal(pliant_world_collider_count(m.world), 3);
    check_refusal(pliant_collider_set_restitution(m.world, id, 1), "no collider");
    run(m.world, 5, 0.01);
    force_on(m.world, m.id[3], NULL);
    pliant_world_destroy(m.world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plate_pushes_and_feels_it),
        cmocka_unit_test(plate_that_goes_away_does_not_pull),
        cmocka_unit_test(wall_throws_back_with_twice_its_speed),
        usual_test(belt_takes_a_block_along),
        cmocka_unit_test(belt_runs_in_its_own_axes),
        numbers_test(table_carries_below_the_slip_limit),
        numbers_test(table_loses_what_is_above_it),
        cmocka_unit_test(torque_is_the_rate_of_angular_momentum),
        cmocka_unit_test(press_feels_the_modulus),
        cmocka_unit_test(forces_and_weight_are_the_rate_of_momentum),
        cmocka_unit_test(elevator_adds_to_the_weight),
        cmocka_unit_test(attachments_tell_their_force),
        cmocka_unit_test(turns_are_those_of_libm),
        cmocka_unit_test(colliders_go_where_they_are_told),
        cmocka_unit_test(coming_in_is_no_bad_start_but_putting_is),
        cmocka_unit_test(fast_colliders_are_told_with_a_number),
        cmocka_unit_test(threads_and_lanes_give_the_same_bits),
        cmocka_unit_test(batches_give_the_same_bits),
        cmocka_unit_test(measuring_changes_no_bit),
        cmocka_unit_test(snapshots_and_rewinds_have_the_poses),
        cmocka_unit_test(bad_input_gets_a_sentence_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
