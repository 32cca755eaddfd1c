// Clusters of particles: shape matching against what is kept, closed forms and awkward shapes.
#include "failing.h"
#include "scene.h"
#include "world/world.h"

// ---- bodies -------------------------------------------------------------------------------------

enum { MOST = 512 };

typedef struct {
    double x[3 * MOST];
    int count;
} points;

// A block of n[0] x n[1] x n[2] particles.
static points block(int a, int b, int c, double spacing)
{
    points p = {.count = 0};
    for (int z = 0; z < c; ++z)
        for (int y = 0; y < b; ++y)
            for (int x = 0; x < a; ++x) {
                p.x[3 * p.count] = spacing * x;
                p.x[3 * p.count + 1] = spacing * y;
                p.x[3 * p.count++ + 2] = spacing * z;
            }
    return p;
}

static pliant_mesh* points_mesh(const points* p)
{
    const pliant_mesh_arrays arrays = {.vertices = p->x, .vertex_count = p->count};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    return mesh;
}

static pliant_soft_def soft_of(double stiffness, pliant_precision precision)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.radius = 0.05;
    soft.clusters.stiffness = stiffness;
    soft.solver.precision = precision;
    return soft;
}

static pliant_body_id add_points(pliant_world* world, const points* p, const pliant_soft_def* soft,
                                 const pliant_body_def* def)
{
    pliant_mesh* mesh = points_mesh(p);
    pliant_body_id id = new_soft(world, mesh, soft, def);
    pliant_mesh_destroy(mesh);
    return id;
}

static void read_all(const pliant_world* world, pliant_body_id id, points* out, double* velocity)
{
    out->count = pliant_body_particle_count(world, id);
    CHECK_OK(pliant_body_read_positions_exact(world, id, out->x, MOST));
    const body* b = world_body(world, id);
    for (int i = 0; velocity && i < out->count; ++i)
        state_read_velocity(&b->s, i, velocity + 3 * i);
}

// ---- momentum -----------------------------------------------------------------------------------

typedef struct {
    double linear[3], angular[3], energy;
} momentum;

static momentum momentum_of(const pliant_world* world, pliant_body_id id)
{
    static points p;
    static double v[3 * MOST];
    const body* b = world_body(world, id);
    momentum m = {{0}, {0}, 0};
    read_all(world, id, &p, v);
    for (int i = 0; i < p.count; ++i) {
        const double *x = p.x + 3 * i, *u = v + 3 * i, mass = b->asset->mass[i];
        for (int k = 0; k < 3; ++k) {
            int j = (k + 1) % 3, l = (k + 2) % 3;
            m.linear[k] += mass * u[k];
            m.angular[k] += mass * (x[j] * u[l] - x[l] * u[j]);
            m.energy += mass / 2 * u[k] * u[k];
        }
    }
    return m;
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
static double distance_of(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length_of(d);
}

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

// Largest difference of a distance between two particles from that at rest [m].
static double misfit(const points* now, const points* rest)
{
    double most = 0;
    for (int i = 0; i < rest->count; ++i)
        for (int k = 0; k < i; ++k)
            most = fmax(most, fabs(distance_of(now->x + 3 * i, now->x + 3 * k) -
                                   distance_of(rest->x + 3 * i, rest->x + 3 * k)));
    return most;
}

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

// ---- the same bits ------------------------------------------------------------------------------

typedef struct {
    int threads, lanes;
    double stiffness, spacing, yield;
    pliant_precision precision;
} case_of;

static pliant_world* bits_world(case_of c)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    pliant_soft_def soft = soft_of(c.stiffness, c.precision);
    pliant_collider_def floor = pliant_collider_defaults();
    def.substeps = 8;
    def.threads = c.threads;
    def.lanes = c.lanes;
    CHECK_OK(pliant_world_create(&def, &world));
    soft.clusters.spacing = c.spacing;
    soft.clusters.yield_strain = c.yield;
    for (int i = 0; i < 3; ++i) {
        const points p = block(3 + i, 5, 9 - i, 0.1);
        pliant_body_def at = pliant_body_defaults();
        at.position[1] = 0.2 + 0.7 * i;
        at.velocity = vec(0.3, -3, 0.1);
        at.rotation = (pliant_quat){0.1f, 0.2f, 0.1f * (float)i, 0.9f};
        add_points(world, &p, &soft, &at);
    }
    new_collider(world, &floor);
    return world;
}

static uint64_t digest_now(const pliant_world* world)
{
    uint64_t digest = 0;
    CHECK_OK(pliant_world_digest(world, &digest));
    return digest;
}

static uint64_t digest_after(case_of c, int steps)
{
    pliant_world* world = bits_world(c);
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    uint64_t digest = digest_now(world);
    pliant_world_destroy(world);
    return digest;
}

static void threads_and_lanes_change_no_bit(void** unused)
{
    (void)unused;
    const int steps = by_scope(8, 30, 60);
    for (int k = 0; k < 3; ++k) {
        case_of c = {1,
                     1,
                     k == 0 ? 1 : 0.8,
                     k == 2 ? 0.2 : 0,
                     k == 2 ? 0.1 : 0,
                     k == 1 ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE};
        uint64_t expected = digest_after(c, steps);
        c.threads = 3, c.lanes = 16;
        assert_true(digest_after(c, steps) == expected);
        c.threads = 2, c.lanes = 4;
        assert_true(digest_after(c, steps) == expected);
    }
}

// Contacts of particles in lists of their own, or as pairs of elements: the same places.
static void contacts_are_those_of_elements(void** unused)
{
    (void)unused;
    static points found[2][3];
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = bits_world((case_of){2, 8, 1, 0, 0, PLIANT_PRECISION_SINGLE});
        pliant_body_id id[3];
        int contacts = 0;
        world->contacts.plain = k;
        for (int i = 0; i < 60; ++i) {
            CHECK_OK(pliant_world_step(world, 1.0f / 60));
            contacts += pliant_world_contact_stats(world).contacts;
        }
        CHECK_BETWEEN(contacts, 20, 1000000);
        assert_int_equal(pliant_world_bodies(world, id, 3), 3);
        for (int i = 0; i < 3; ++i) read_all(world, id[i], &found[k][i], NULL);
        pliant_world_destroy(world);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
}

static void restored_world_goes_on_alike(void** unused)
{
    (void)unused;
    pliant_world* world = bits_world((case_of){2, 8, 0.9, 0.2, 0.05, PLIANT_PRECISION_SINGLE});
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    size_t bytes = pliant_world_snapshot_size(world);
    void* kept = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, kept, bytes));
    uint64_t before = digest_now(world);
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    uint64_t after = digest_now(world);
    CHECK_OK(pliant_world_snapshot_restore(world, kept, bytes));
    assert_true(digest_now(world) == before);
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    assert_true(digest_now(world) == after);
    free(kept);
    pliant_world_destroy(world);
}

static void saved_asset_has_the_same_clusters(void** unused)
{
    (void)unused;
    const points p = block(4, 5, 6, 0.1);
    pliant_mesh* mesh = points_mesh(&p);
    pliant_soft_def soft = soft_of(0.7, PLIANT_PRECISION_SINGLE);
    pliant_asset *asset = NULL, *loaded = NULL;
    soft.clusters.spacing = 0.25;
    soft.clusters.yield_strain = 0.1;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    size_t bytes = pliant_asset_write_size(asset);
    void* data = malloc(bytes);
    CHECK_OK(pliant_asset_write(asset, data, bytes));
    CHECK_OK(pliant_asset_parse(data, bytes, "memory", &loaded));
    const cluster_set *a = &asset->clusters, *b = &loaded->clusters;
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->member_count, b->member_count);
    assert_memory_equal(a->particle, b->particle, (size_t)a->member_count * sizeof(int));
    assert_memory_equal(a->rest, b->rest, 3 * (size_t)a->member_count * sizeof(double));
    assert_true(a->frequency == b->frequency && a->yield == b->yield);
    free(data);
    pliant_mesh_destroy(mesh);
    pliant_asset_destroy(asset);
    pliant_asset_destroy(loaded);
}

// ---- reading and writing ------------------------------------------------------------------------

static void poses_are_written_and_read(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(4, 1);
    pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_DOUBLE);
    pliant_body_def def = pliant_body_defaults();
    const points p = block(2, 3, 4, 0.1);
    points now;
    pliant_body_id id = add_points(world, &p, &soft, &def);
    pliant_cluster_pose pose = {{1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}, 0}, read;
    CHECK_OK(pliant_body_write_clusters(world, id, &pose, 1));
    CHECK_OK(pliant_world_step(world, 1.0f / 60));
    CHECK_OK(pliant_body_read_clusters(world, id, &read, 1));
    assert_int_equal(read.particles, p.count);
    CHECK_BETWEEN(distance_of(read.position, pose.position), 0, 1e-9);
    CHECK_CLOSE(fabs(read.rotation.x * 0.5f + read.rotation.y * 0.5f + read.rotation.z * 0.5f +
                     read.rotation.w * 0.5f),
                1, 1e-6);
    read_all(world, id, &now, NULL);
    CHECK_BETWEEN(misfit(&now, &p), 0, 1e-9);
    CHECK_CLOSE(now.x[3] - now.x[0] + now.x[4] - now.x[1] + now.x[5] - now.x[2], 0.1, 1e-6);
    assert_int_equal(pliant_body_write_clusters(world, id, &pose, 0), PLIANT_ERROR_ARGUMENT);
    pose.position[1] = INFINITY;
    assert_int_equal(pliant_body_write_clusters(world, id, &pose, 1), PLIANT_ERROR_ARGUMENT);
    pose.position[1] = 0, pose.rotation = (pliant_quat){0, 0, 0, 0};
    assert_int_equal(pliant_body_write_clusters(world, id, &pose, 1), PLIANT_ERROR_ARGUMENT);
    pliant_world_destroy(world);
}

static void check_refused(const pliant_mesh* mesh, const pliant_soft_def* soft, const char* words)
{
    pliant_asset* asset = NULL;
    assert_int_not_equal(pliant_asset_create(mesh, soft, &asset), PLIANT_OK);
    if (!strstr(pliant_error_text(), words)) fail_msg("'%s': %s", words, pliant_error_text());
}

static void what_makes_no_cluster_is_refused(void** unused)
{
    (void)unused;
    const points p = block(2, 2, 2, 0.1);
    pliant_mesh *mesh = points_mesh(&p), *tet = one_tet(0.1);
    pliant_soft_def soft = soft_of(0, PLIANT_PRECISION_SINGLE);
    soft.clusters.spacing = 0.1;
    check_refused(mesh, &soft, "give them a stiffness");
    soft.clusters.stiffness = 1.5;
    check_refused(mesh, &soft, "stiffness");
    soft.clusters.stiffness = 0.5;
    soft.clusters.size = 0.05;
    check_refused(mesh, &soft, "leaves particles out");
    soft.clusters.size = 0;
    soft.clusters.plastic_time = 1;
    check_refused(mesh, &soft, "yield_strain");
    soft.clusters.plastic_time = 0;
    check_refused(tet, &soft, "loose particles");
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(tet);
}

static pliant_result make_and_step(const void* unused)
{
    (void)unused;
    const points p = block(3, 3, 4, 0.1);
    const pliant_mesh_arrays arrays = {.vertices = p.x, .vertex_count = p.count};
    pliant_world_def world_def = pliant_world_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_soft_def soft = soft_of(0.8, PLIANT_PRECISION_SINGLE);
    pliant_skin_def skin_def = pliant_skin_defaults();
    pliant_mesh *mesh = NULL, *surface = NULL;
    pliant_world* world = NULL;
    pliant_skin* skin = NULL;
    pliant_body_id id;
    soft.clusters.spacing = 0.15;
    soft.clusters.yield_strain = 0.1;
    world_def.threads = 1;
    world_def.iterations = 2;
    world_def.substeps = 2;
    pliant_result result = pliant_mesh_create(&arrays, &mesh);
    if (!result) result = pliant_world_create(&world_def, &world);
    if (!result) result = pliant_world_add_soft(world, mesh, &soft, &def, &id);
    if (!result) result = pliant_mesh_generate("cloth:2x2:0.2x0.2", &surface);
    skin_def.surface = surface;
    skin_def.bodies = &id;
    if (!result) result = pliant_skin_create(world, &skin_def, &skin);
    if (!result) result = pliant_world_step(world, 0.01f);
    pliant_skin_destroy(skin);
    pliant_world_destroy(world);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_failed_allocation_is_survived(void** unused)
{
    (void)unused;
    CHECK_BETWEEN(check_every_failure(make_and_step, NULL), 30, 1000);
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
        cmocka_unit_test(threads_and_lanes_change_no_bit),
        cmocka_unit_test(contacts_are_those_of_elements),
        cmocka_unit_test(restored_world_goes_on_alike),
        cmocka_unit_test(saved_asset_has_the_same_clusters),
        cmocka_unit_test(poses_are_written_and_read),
        cmocka_unit_test(what_makes_no_cluster_is_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
