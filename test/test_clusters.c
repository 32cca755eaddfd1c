// Clusters of particles: shape matching against what is kept, closed forms and awkward shapes.
#include "clustered.h"

// An uneven body spins freely.
static void check_spin(double stiffness, pliant_precision precision, int steps, double bound)
{
    pliant_world* world = make_still_world(4, 1);
    pliant_soft_def soft = soft_of(stiffness, precision);
    pliant_body_def def = pliant_body_defaults();
    points p = block(2, 3, 5, 0.1);
    def.angular_velocity = vec(3, -1, 2);
    pliant_body_id id = add_points(world, &p, &soft, &def);
    momentum before = momentum_of(world, id);
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    momentum after = momentum_of(world, id);
    double lost = distance_of(after.angular, before.angular) / length_of(before.angular);
    print_message("    stiffness %g: angular momentum off by %.1e after %d steps, energy %.6f\n",
                  stiffness, lost, steps, after.energy / before.energy);
    CHECK_BETWEEN(lost, 0, bound);
    if (stiffness >= 1) CHECK_CLOSE(after.energy, before.energy, 2e-3);
    pliant_world_destroy(world);
}

static void free_rotation_keeps_angular_momentum(void** unused)
{
    (void)unused;
    int steps = by_scope(300, 10000, 10000);
    check_spin(1, PLIANT_PRECISION_DOUBLE, steps, 1e-7);
    check_spin(1, PLIANT_PRECISION_SINGLE, steps, 1e-5);
    check_spin(0.9, PLIANT_PRECISION_SINGLE, steps / 4, 1e-5);
}

// ---- the flip about the middle axis -------------------------------------------------------------

// dw/dt of Euler's equations for the principal moments I.
static void euler(const double moment[3], const double w[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        int j = (k + 1) % 3, l = (k + 2) % 3;
        out[k] = (moment[j] - moment[l]) / moment[k] * w[j] * w[l];
    }
}

// [s] until w[1] changes its sign, by Runge and Kutta's rule.
static double flip_time(const double moment[3], double w[3])
{
    const double h = 1e-4;
    double time = 0;
    for (; w[1] > 0 && time < 100; time += h) {
        double k[4][3], at[3];
        static const double part[4] = {0, 0.5, 0.5, 1};
        for (int s = 0; s < 4; ++s) {
            for (int i = 0; i < 3; ++i) at[i] = w[i] + (s ? h * part[s] * k[s - 1][i] : 0);
            euler(moment, at, k[s]);
        }
        for (int i = 0; i < 3; ++i) w[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    return time;
}

// [rad/s] about the second axis of the body.
static double spin_about_middle(const pliant_world* world, pliant_body_id id)
{
    const double* turn = world_body(world, id)->matched.turn;
    const double axis[3] = {turn[1], turn[4], turn[7]};
    momentum m = momentum_of(world, id);
    return m.angular[0] * axis[0] + m.angular[1] * axis[1] + m.angular[2] * axis[2];
}

static void middle_axis_flips_when_euler_says(void** unused)
{
    (void)unused;
    // Masses at the ends of three axes: moments are 1 : 2 : 3 for squares of arms 2 : 1 : 0.
    const double arm = 0.2, root = sqrt(2);
    points p = {{root * arm, 0, 0, -root * arm, 0, 0, 0, arm, 0, 0, -arm, 0}, 4};
    const double moment[3] = {1, 2, 3}, tilt = 3.14159265358979 / 180, speed = 6;
    double w[3] = {speed * sin(tilt), speed * cos(tilt), 0};
    pliant_world* world = make_still_world(8, 1);
    pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_SINGLE);
    pliant_body_def def = pliant_body_defaults();
    def.angular_velocity = vec(w[0], w[1], w[2]);
    pliant_body_id id = add_points(world, &p, &soft, &def);
    double expected = flip_time(moment, w), time = 0;
    for (; spin_about_middle(world, id) > 0 && time < 10; time += 1.0 / 240)
        CHECK_OK(pliant_world_step(world, 1.0f / 240));
    print_message("    flips after %.4f s, Euler's equations: %.4f s\n", time, expected);
    CHECK_CLOSE(time, expected, 0.02);
    pliant_world_destroy(world);
}

// ---- rest ---------------------------------------------------------------------------------------

static void turned_shape_at_rest_stays_where_it_is(void** unused)
{
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = make_still_world(4, 1 + k);
        pliant_soft_def soft = soft_of(k ? 0.5 : 1, PLIANT_PRECISION_DOUBLE);
        pliant_body_def def = pliant_body_defaults();
        points p = block(3, 4, 5, 0.1), before, after;
        soft.clusters.spacing = k ? 0.15 : 0;
        def.rotation = (pliant_quat){0.3f, -0.5f, 0.2f, 0.7f};
        def.position[0] = 5;
        pliant_body_id id = add_points(world, &p, &soft, &def);
        read_all(world, id, &before, NULL);
        for (int i = 0; i < 100; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
        read_all(world, id, &after, NULL);
        double most = 0;
        for (int i = 0; i < 3 * p.count; ++i) most = fmax(most, fabs(after.x[i] - before.x[i]));
        CHECK_BETWEEN(most, 0, 1e-11);
        pliant_world_destroy(world);
    }
}

// ---- what a body becomes that was pressed out of its shape --------------------------------------

// Of three edges at a corner, over that at rest.
static double handedness(const points* p, int a, int b, int c)
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = p->x[3 * a + k] - p->x[k];
        v[k] = p->x[3 * b + k] - p->x[k];
        w[k] = p->x[3 * c + k] - p->x[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static void recover(const points* rest, const points* start, points* out)
{
    pliant_world* world = make_still_world(4, 1);
    pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_DOUBLE);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id id = add_points(world, rest, &soft, &def);
    CHECK_OK(pliant_body_write_positions_exact(world, id, start->x, start->count));
    pliant_body_id ids[1] = {id};
    momentum before = momentum_of(world, id);
    for (int i = 0; i < 2; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    momentum after = momentum_of(world, id);
    double mass = pliant_body_mass(world, ids[0]);
    CHECK_BETWEEN(distance_of(after.linear, before.linear) / mass, 0, 1e-9);
    read_all(world, id, out, NULL);
    pliant_world_destroy(world);
}

static void mirrored_and_flattened_bodies_come_back(void** unused)
{
    (void)unused;
    const points rest = block(2, 3, 4, 0.1);
    for (int way = 0; way < 9; ++way) {
        points start = rest, now;
        for (int i = 0; i < rest.count; ++i)
            for (int k = 0; k < 3; ++k) {
                double* x = &start.x[3 * i + k];
                if (way < 3 && k == way) *x = -*x;                 // mirrored
                if (way >= 3 && way < 6 && k == way - 3) *x = 0.1; // in a plane
                if (way == 6) *x = -*x;                            // inside out
                if (way == 7 && k > 0) *x = 0;                     // in a line
                if (way == 8) *x = 0.3;                            // at one place
            }
        recover(&rest, &start, &now);
        CHECK_BETWEEN(misfit(&now, &rest), 0, 1e-9);
        CHECK_CLOSE(handedness(&now, 1, 2, 6), handedness(&rest, 1, 2, 6), 1e-6);
    }
}

static void flat_thin_and_small_bodies_spin(void** unused)
{
    (void)unused;
    static const int sizes[][3] = {{4, 3, 1}, {1, 1, 6}, {1, 2, 1}, {1, 1, 1}, {40, 2, 2}};
    for (int i = 0; i < 5; ++i) {
        pliant_world* world = make_still_world(4, 1);
        pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_DOUBLE);
        pliant_body_def def = pliant_body_defaults();
        points rest = block(sizes[i][0], sizes[i][1], sizes[i][2], 0.1), now;
        def.angular_velocity = vec(1, 2, 3);
        def.velocity = vec(1, 0, 0);
        pliant_body_id id = add_points(world, &rest, &soft, &def);
        momentum before = momentum_of(world, id);
        for (int s = 0; s < 300; ++s) CHECK_OK(pliant_world_step(world, 1.0f / 60));
        momentum after = momentum_of(world, id);
        read_all(world, id, &now, NULL);
        print_message("    %d x %d x %d: angular momentum off by %.1e\n", sizes[i][0], sizes[i][1],
                      sizes[i][2], distance_of(after.angular, before.angular));
        CHECK_BETWEEN(misfit(&now, &rest), 0, 1e-9);
        CHECK_BETWEEN(distance_of(after.angular, before.angular), 0,
                      1e-8 * (length_of(before.angular) + 1e-9));
        CHECK_BETWEEN(distance_of(after.linear, before.linear), 0, 1e-9 * length_of(before.linear));
        pliant_world_destroy(world);
    }
}

// ---- stiffness ----------------------------------------------------------------------------------

// [s] Period of the swelling of a body that was made larger by a tenth.
static double swelling_period(double stiffness, int substeps, int iterations)
{
    pliant_world* world = make_still_world(substeps, iterations);
    pliant_soft_def soft = soft_of(stiffness, PLIANT_PRECISION_DOUBLE);
    pliant_body_def def = pliant_body_defaults();
    points p = block(3, 3, 3, 0.1), now, rest = p;
    pliant_body_id id = add_points(world, &p, &soft, &def);
    for (int i = 0; i < 3 * p.count; ++i) p.x[i] *= 1.1;
    CHECK_OK(pliant_body_write_positions_exact(world, id, p.x, p.count));
    double last = 1, first = 0, time = 0, at = 0;
    int crossings = 0;
    for (int i = 0; i < 4000 && crossings < 11; ++i) {
        CHECK_OK(pliant_world_step(world, 0.002f));
        time += 0.002;
        read_all(world, id, &now, NULL);
        double wide = distance_of(now.x, now.x + 78) / distance_of(rest.x, rest.x + 78) - 1;
        if (wide * last < 0) {
            at = time - 0.002 * wide / (wide - last);
            if (crossings++ == 0) first = at;
        }
        last = wide;
    }
    pliant_world_destroy(world);
    return (at - first) / 5;
}

static void stiffness_does_not_depend_on_substeps(void** unused)
{
    (void)unused;
    for (int i = 0; i < 2; ++i) {
        double s = i ? 0.2 : 0.5, expected = 2 * 3.14159265358979 / (60 * sqrt(s / (1 - s)));
        static const int steps[][2] = {{1, 1}, {4, 1}, {8, 1}, {4, 3}};
        for (int k = 0; k < 4; ++k) {
            double period = swelling_period(s, steps[k][0], steps[k][1]);
            print_message("    stiffness %g, %d substeps, %d iterations: period %.5f s of %.5f\n",
                          s, steps[k][0], steps[k][1], period, expected);
            CHECK_CLOSE(period, expected, 0.01);
        }
    }
}

// Several clusters: what one particle is given, all keep together.
static void clusters_keep_both_momenta(void** unused)
{
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = make_still_world(4, 1 + k);
        pliant_soft_def soft = soft_of(k ? 1 : 0.6, PLIANT_PRECISION_DOUBLE);
        pliant_body_def def = pliant_body_defaults();
        points p = block(4, 4, 8, 0.1);
        soft.clusters.spacing = 0.2;
        soft.material.density = 500;
        pliant_body_id id = add_points(world, &p, &soft, &def);
        CHECK_BETWEEN(pliant_body_cluster_count(world, id), 4, 64);
        static double v[3 * MOST];
        memset(v, 0, sizeof v);
        v[0] = 3, v[1] = -2, v[3 * 60 + 2] = 4;
        body* b = world_body(world, id);
        for (int i = 0; i < p.count; ++i) state_write_velocity(&b->s, i, v + 3 * i);
        momentum before = momentum_of(world, id);
        for (int i = 0; i < 200; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
        momentum after = momentum_of(world, id);
        CHECK_BETWEEN(distance_of(after.linear, before.linear), 0, 1e-9 * length_of(before.linear));
        CHECK_BETWEEN(distance_of(after.angular, before.angular), 0,
                      1e-8 * length_of(before.angular));
        assert_true(after.energy < before.energy);
        pliant_world_destroy(world);
    }
}

// ---- contacts -----------------------------------------------------------------------------------

// Particles that overlap in a body rest as they are; two bodies touch.
static void particles_of_a_body_do_not_push_each_other(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(8, 1);
    pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_SINGLE);
    pliant_body_def def = pliant_body_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    const points p = block(4, 4, 4, 0.07); // radius 0.05
    points now;
    pliant_body_id id[2];
    new_collider(world, &floor);
    for (int i = 0; i < 2; ++i) {
        def.position[1] = 0.05 + 0.31 * i;
        def.contact.static_friction = def.contact.dynamic_friction = 0.5f;
        id[i] = add_points(world, &p, &soft, &def);
    }
    for (int i = 0; i < 120; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    for (int i = 0; i < 2; ++i) {
        read_all(world, id[i], &now, NULL);
        double height = 0;
        for (int k = 0; k < p.count; ++k) height += now.x[3 * k + 1] / p.count;
        print_message("    body %d rests at %.4f m, out of shape by %.1e m\n", i, height,
                      misfit(&now, &p));
        CHECK_BETWEEN(misfit(&now, &p), 0, 1e-3);
        CHECK_BETWEEN(height, 0.155 + 0.31 * i - 0.02, 0.155 + 0.31 * i + 0.02);
    }
    pliant_world_destroy(world);
}

// Two cubes in one body, each a cluster of its own, fly towards each other: they meet where the
// body is asked to meet itself.
static void clusters_of_a_body_meet_where_that_is_asked_for(void** unused)
{
    (void)unused;
    for (int self = 0; self < 2; ++self) {
        pliant_world* world = make_still_world(8, 2);
        pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_SINGLE);
        pliant_body_def def = pliant_body_defaults();
        points p = block(3, 3, 3, 0.1), other = p, now;
        for (int i = 0; i < 27; ++i, ++p.count)
            for (int k = 0; k < 3; ++k) p.x[81 + 3 * i + k] = other.x[3 * i + k] + (k ? 0 : 1);
        soft.clusters.spacing = 0.5;
        soft.clusters.size = 0.5;
        def.contact.self = self;
        pliant_body_id id = add_points(world, &p, &soft, &def);
        assert_int_equal(pliant_body_cluster_count(world, id), 2);
        body* b = world_body(world, id);
        for (int i = 0; i < p.count; ++i) {
            const double v[3] = {i < 27 ? 1 : -1, 0, 0};
            state_write_velocity(&b->s, i, v);
        }
        momentum before = momentum_of(world, id);
        for (int i = 0; i < 36; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
        momentum after = momentum_of(world, id);
        CHECK_BETWEEN(after.energy, 0, 1.0001 * before.energy); // nothing else is near
        CHECK_BETWEEN(length_of(after.linear), 0, 1e-4);
        read_all(world, id, &now, NULL);
        double apart = (now.x[3 * 40] - now.x[3 * 13]); // of the middles
        print_message("    self %d: the cubes are %.3f m apart\n", self, apart);
        if (self) CHECK_BETWEEN(apart, 0.25, 1.5);
        if (!self) CHECK_CLOSE(apart, -0.2, 0.01);
        pliant_world_destroy(world);
    }
}

// A body that hangs on one particle swings as a pendulum.
static void pinned_rigid_body_is_a_pendulum(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(16, 1);
    pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_DOUBLE);
    pliant_body_def def = pliant_body_defaults();
    points p = block(1, 6, 1, 0.1), now;
    for (int i = 0; i < 18; ++i) p.x[i] = -p.x[i]; // hangs down from particle 0
    pliant_body_id id = add_points(world, &p, &soft, &def);
    pliant_body_pin(world, id, 0);
    body* b = world_body(world, id);
    for (int i = 1; i < 6; ++i) { // 0.05 rad/s
        const double v[3] = {0.05 * 0.1 * i, 0, 0};
        state_write_velocity(&b->s, i, v);
    }
    // omega^2 = m g l / I about the pin.
    double moment = 0, inertia = 0;
    for (int i = 0; i < 6; ++i) moment += 0.1 * i, inertia += 0.01 * i * i;
    double expected = 3.14159265358979 / sqrt(9.81 * moment / inertia), time = 0, last = 1;
    for (; time < 3; time += 0.005) {
        CHECK_OK(pliant_world_step(world, 0.005f));
        read_all(world, id, &now, NULL);
        if (last > 0 && now.x[15] <= 0) break;
        last = now.x[15];
    }
    print_message("    swings back after %.4f s of %.4f\n", time + 0.0025, expected);
    CHECK_CLOSE(time + 0.0025, expected, 0.01);
    CHECK_BETWEEN(misfit(&now, &p), 0, 1e-3);
    pliant_world_destroy(world);
}

// ---- plastic flow -------------------------------------------------------------------------------

// One particle is pushed out of its place by a force, and let go.
static void dent_is_what_was_beyond_the_yield_strain(void** unused)
{
    (void)unused;
    const double yield = 0.05;
    pliant_world* world = make_still_world(16, 1);
    pliant_soft_def soft = soft_of(0.5, PLIANT_PRECISION_DOUBLE);
    pliant_body_def def = pliant_body_defaults();
    const points p = block(5, 5, 5, 0.1);
    points now;
    soft.clusters.yield_strain = yield;
    soft.clusters.plastic_time = 0.01;
    soft.material.damping = 0;
    pliant_body_id id = add_points(world, &p, &soft, &def);
    const body* b = world_body(world, id);
    const cluster_set* c = &b->asset->clusters;
    // Particle 12 is the middle of a side, held by a spring of m omega^2.
    double mass = b->asset->mass[12], stiff = mass * c->frequency * c->frequency;
    double limit = yield * c->radius[0], largest = 0, push = 1.25 * limit * stiff;
    for (int i = 0; i < 240; ++i) {
        double force = push * (i < 60 ? i / 60.0 : i < 80 ? (80 - i) / 20.0 : 0);
        pliant_vec3 forces[125] = {{0, 0, 0}};
        forces[12].z = (float)force;
        for (int k = 0; k < 125; ++k) // the rest of the body is held by gentle ones
            if (k != 12) forces[k].z = (float)(-force / 124);
        CHECK_OK(pliant_body_set_forces(world, id, forces, 125));
        CHECK_OK(pliant_world_step(world, 1.0f / 120));
        read_all(world, id, &now, NULL);
        double deep = now.x[38] - (now.x[3 * 24 + 2] + now.x[2]) / 2;
        largest = fmax(largest, deep);
        if (i == 239) {
            print_message("    largest dent %.4f m, kept %.4f, elastic part %.4f\n", largest, deep,
                          limit);
            CHECK_CLOSE(deep, largest - limit, 0.05);
        }
    }
    CHECK_OK(pliant_body_forget_plastic_strains(world, id));
    assert_memory_equal(b->matched.rest, c->rest, 3 * sizeof(double) * (size_t)p.count);
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_rotation_keeps_angular_momentum),
        cmocka_unit_test(middle_axis_flips_when_euler_says),
        cmocka_unit_test(turned_shape_at_rest_stays_where_it_is),
        cmocka_unit_test(mirrored_and_flattened_bodies_come_back),
        cmocka_unit_test(flat_thin_and_small_bodies_spin),
        cmocka_unit_test(stiffness_does_not_depend_on_substeps),
        cmocka_unit_test(clusters_keep_both_momenta),
        cmocka_unit_test(particles_of_a_body_do_not_push_each_other),
        cmocka_unit_test(clusters_of_a_body_meet_where_that_is_asked_for),
        cmocka_unit_test(pinned_rigid_body_is_a_pendulum),
        cmocka_unit_test(dent_is_what_was_beyond_the_yield_strain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
