// Joints of rigid bodies: with each other, with the world, with bodies that deform.
#include "failing_world.h"
#include "rigid_bodies.h"

static const double G = 9.81, PI = 3.14159265358979323846;
static const pliant_body_id the_world = {0, 0};

// ---- worlds -------------------------------------------------------------------------------------

static pliant_world* make_linked_world(double gravity, int substeps, int threads)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.gravity = vec(0, -gravity, 0);
    def.substeps = substeps;
    def.threads = threads;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

// A brick that touches nobody.
static pliant_body_id add_brick(pliant_world* world, const char* words, const pliant_body_def* at)
{
    pliant_asset* asset = rigid_asset(words, 1000);
    pliant_body_def def = *at;
    def.contact.mask = 0;
    pliant_body_id id = place_body(world, asset, &def);
    pliant_asset_destroy(asset);
    return id;
}

static pliant_joint_def joint_at(const pliant_world* world, pliant_body_id a, pliant_body_id b,
                                 double x, double y, double z)
{
    const double at[3] = {x, y, z};
    pliant_joint_def def = pliant_joint_defaults();
    CHECK_OK(pliant_body_place_joint_point(world, a, at, &def.point[0]));
    CHECK_OK(pliant_body_place_joint_point(world, b, at, &def.point[1]));
    return def;
}

static pliant_joint_def hinge_at(const pliant_world* world, pliant_body_id a, pliant_body_id b,
                                 double x, double y, double z)
{
    pliant_joint_def def = joint_at(world, a, b, x, y, z);
    def.kind = PLIANT_JOINT_HINGE;
    def.axis[0] = 0, def.axis[2] = 1;
    return def;
}

static pliant_joint_id add_joint(pliant_world* world, const pliant_joint_def* def)
{
    pliant_joint_id id;
    CHECK_OK(pliant_world_add_joint(world, def, &id));
    return id;
}

static pliant_joint_info joint_info(const pliant_world* world, pliant_joint_id id)
{
    pliant_joint_info info;
    CHECK_OK(pliant_joint_describe(world, id, &info));
    return info;
}

// [kg m^2] of a brick of a * b * c about the axis of c.
static double brick_inertia(double m, double a, double b) { return m / 12 * (a * a + b * b); }

// [s] Between the first and the last time that an angle rises through 0, for one turn.
typedef struct {
    double first, last, before, t;
    int turns;
} swings;

static void watch(swings* s, double angle, double dt)
{
    s->t += dt;
    if (s->before < 0 && angle >= 0) {
        double at = s->t - dt * angle / (angle - s->before);
        if (s->turns++ == 0) s->first = at;
        s->last = at;
    }
    s->before = angle;
}
static double period_of(const swings* s) { return (s->last - s->first) / (s->turns - 1); }

// ---- closed forms -------------------------------------------------------------------------------

// A brick of 0.1 x 0.4 x 0.1 hangs by the middle of its upper face, tilted by 3 degrees.
static void check_pendulum(pliant_joint_kind kind)
{
    pliant_world* world = make_linked_world(G, 8, 1);
    pliant_body_def at = body_at(0, -0.2, 0);
    pliant_body_id brick = add_brick(world, "brick:0.1x0.4x0.1", &at);
    pliant_joint_def def = hinge_at(world, the_world, brick, 0, 0, 0);
    def.kind = kind;
    pliant_joint_id joint = add_joint(world, &def);
    const double up[3] = {0, 0, 0};
    CHECK_OK(pliant_body_teleport(world, brick, up, about_z(3 * PI / 180), up));
    double m = 1000 * 0.004, d = 0.2, inertia = brick_inertia(m, 0.1, 0.4) + m * d * d;
    double wanted = 2 * PI * sqrt(inertia / (m * G * d)) * (1 + 9 * PI * PI / 180 / 180 / 16);
    swings s = {0};
    pliant_energies start, end;
    CHECK_OK(pliant_world_energies(world, &start));
    for (int i = 0; i < 600; ++i) {
        run(world, 1, 1.0 / 60);
        watch(&s, joint_info(world, joint).angle, 1.0 / 60);
    }
    CHECK_OK(pliant_world_energies(world, &end));
    CHECK_CLOSE(period_of(&s), wanted, 2e-4);
    CHECK_BETWEEN(joint_info(world, joint).gap, 0, 1e-12);
    pliant_world_destroy(world);
}

static void a_pendulum_has_the_period_of_its_inertia(void** unused)
{
    (void)unused;
    check_pendulum(PLIANT_JOINT_HINGE);
    check_pendulum(PLIANT_JOINT_POINT);
}

// A wheel on a hinge: a motor of limited torque speeds it up by torque / inertia, then holds the
// speed without torque.
static void a_motor_speeds_up_by_torque_over_inertia(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(0, 8, 1);
    pliant_body_def at = body_at(0, 0, 0);
    pliant_body_id wheel = add_brick(world, "brick:0.2x0.2x0.1", &at);
    pliant_joint_def def = hinge_at(world, the_world, wheel, 0, 0, 0);
    double inertia = brick_inertia(4, 0.2, 0.2);
    def.motor = PLIANT_MOTOR_VELOCITY;
    def.motor_speed = 10;
    def.motor_torque = 0.1;
    pliant_joint_id joint = add_joint(world, &def);
    run(world, 30, 1.0 / 60);
    pliant_joint_info info = joint_info(world, joint);
    CHECK_CLOSE(info.speed, 0.1 / inertia * 0.5, 1e-6);
    CHECK_CLOSE(info.angle, 0.5 * 0.1 / inertia * 0.25, 0.01);
    CHECK_CLOSE(info.motor_torque, 0.1, 1e-9);
    CHECK_CLOSE(info.torque[2], -0.1, 1e-9);
    run(world, 150, 1.0 / 60);
    info = joint_info(world, joint);
    CHECK_CLOSE(info.speed, 10, 1e-4);
    CHECK_BETWEEN(fabs(info.motor_torque), 0, 1e-6);
    CHECK_OK(pliant_joint_set_motor(world, joint, PLIANT_MOTOR_POSITION, 0.5, 3, INFINITY));
    run(world, 1000, 1.0 / 60);
    info = joint_info(world, joint);
    CHECK_BETWEEN(info.angle, 0.5 - 1e-9, 0.5 + 1e-9);
    pliant_world_destroy(world);
}

// A beam on a hinge at its end falls onto its limit and rests there: the limit has the torque of
// its weight, the hinge the weight.
static void a_limit_carries_the_torque_of_the_weight(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(G, 8, 1);
    pliant_body_def at = body_at(0.5, 0, 0);
    pliant_body_id beam = add_brick(world, "brick:1x0.1x0.1", &at);
    pliant_joint_def def = hinge_at(world, the_world, beam, 0, 0, 0);
    def.angle_limits[0] = -0.3;
    def.angle_limits[1] = 0.2;
    pliant_joint_id joint = add_joint(world, &def);
    run(world, 60, 1.0 / 60);
    pliant_joint_info info = joint_info(world, joint);
    CHECK_BETWEEN(info.angle, -0.3 - 1e-7, -0.3 + 1e-7);
    CHECK_CLOSE(info.torque[2], -10 * G * 0.5 * cos(0.3), 1e-6); // what the world feels
    CHECK_CLOSE(info.force[1], -10 * G, 1e-6);
    pliant_world_set_gravity(world, vec(0, G, 0));
    run(world, 90, 1.0 / 60);
    info = joint_info(world, joint);
    CHECK_BETWEEN(info.angle, 0.2 - 1e-7, 0.2 + 1e-7);
    CHECK_CLOSE(info.torque[2], 10 * G * 0.5 * cos(0.2), 1e-6);
    pliant_world_destroy(world);
}

static void a_fixed_joint_carries_a_beam_that_stands_out(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(G, 4, 1);
    pliant_body_def at = body_at(0.5, 0, 0);
    pliant_body_id beam = add_brick(world, "brick:1x0.1x0.1", &at);
    pliant_joint_def def = joint_at(world, the_world, beam, 0, 0, 0);
    def.kind = PLIANT_JOINT_FIXED;
    def.breaking_torque = 60;
    pliant_joint_id joint = add_joint(world, &def);
    run(world, 30, 1.0 / 60);
    pliant_joint_info info = joint_info(world, joint);
    CHECK_CLOSE(info.torque[2], -10 * G * 0.5, 1e-6);
    CHECK_CLOSE(info.force[1], -10 * G, 1e-6);
    CHECK_BETWEEN(fabs(info.angle), 0, 1e-9);
    CHECK_OK(
        pliant_body_push(world, beam, (const double[3]){1, 0, 0}, (const double[3]){0, -1, 0}));
    run(world, 2, 1.0 / 60);
    assert_true(joint_info(world, joint).broken);
    pliant_world_destroy(world);
}

static void a_spring_swings_with_its_period_and_hangs_by_its_stiffness(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(0, 8, 1);
    pliant_body_def at = body_at(0, 0, 0);
    pliant_body_id wheel = add_brick(world, "brick:0.2x0.2x0.1", &at);
    pliant_joint_def def = hinge_at(world, the_world, wheel, 0, 0, 0);
    double inertia = brick_inertia(4, 0.2, 0.2);
    def.stiffness = 2;
    def.rest_angle = 0.1;
    pliant_joint_id joint = add_joint(world, &def);
    swings s = {0};
    double most = 0;
    for (int i = 0; i < 600; ++i) {
        run(world, 1, 1.0 / 60);
        double angle = joint_info(world, joint).angle - 0.1;
        watch(&s, angle, 1.0 / 60);
        if (i > 540) most = fmax(most, fabs(angle));
    }
    CHECK_CLOSE(period_of(&s), 2 * PI * sqrt(inertia / 2), 2e-3);
    CHECK_CLOSE(most, 0.1, 0.02); // it goes on
    pliant_world_destroy(world);
}

// Friction holds what is weaker than it, and takes its part of what is stronger.
static void friction_takes_its_torque(void** unused)
{
    (void)unused;
    for (int kind = PLIANT_JOINT_POINT; kind <= PLIANT_JOINT_HINGE; ++kind) {
        pliant_world* world = make_linked_world(0, 8, 1);
        pliant_body_def at = body_at(0, 0, 0);
        at.angular_velocity = vec(0, 0, 8);
        pliant_body_id wheel = add_brick(world, "brick:0.2x0.2x0.1", &at);
        pliant_joint_def def = hinge_at(world, the_world, wheel, 0, 0, 0);
        double inertia = brick_inertia(4, 0.2, 0.2);
        def.kind = (pliant_joint_kind)kind;
        def.friction = 0.1;
        pliant_joint_id joint = add_joint(world, &def);
        run(world, 60, 1.0 / 60);
        CHECK_CLOSE(joint_info(world, joint).speed, 8 - 0.1 / inertia, 1e-5);
        CHECK_CLOSE(joint_info(world, joint).torque[2], 0.1, 1e-6); // it takes the world along
        run(world, 75, 1.0 / 60);
        CHECK_BETWEEN(fabs(joint_info(world, joint).speed), 0, 1e-6);
        pliant_world_destroy(world);
    }
}

// Points of a chain of that many bars between two places, as long as 1.25 times their distance: its
// middles lie on a catenary.
static void a_chain_hangs_as_a_catenary(void** unused)
{
    (void)unused;
    enum { LINKS = 40 };
    const double span = 1, length = 1.25;
    pliant_world* world = make_linked_world(G, 8, 1);
    pliant_joint_id joint[LINKS + 1];
    pliant_body_id before = the_world;
    double x = 0, y = 0, bar = length / LINKS;
    // Of equal bars, the slopes of the joints' pulls go up by equal steps: bar i has the slope
    // (i + 1/2 - n/2) w / H. H is found so that the bars span it.
    double low = 0.01, high = 10, h = 1;
    for (int round = 0; round < 100; ++round) {
        double sum = 0;
        h = 0.5 * (low + high);
        for (int i = 0; i < LINKS; ++i) {
            double slope = (i + 0.5 - 0.5 * LINKS) / (h * LINKS);
            sum += bar / sqrt(1 + slope * slope);
        }
        *(sum < span ? &low : &high) = h;
    }
    for (int i = 0; i < LINKS; ++i) {
        double slope = (i + 0.5 - 0.5 * LINKS) / (h * LINKS), angle = atan(slope);
        pliant_body_def at = body_at(x + 0.5 * bar * cos(angle), y + 0.5 * bar * sin(angle), 0);
        char words[40];
        snprintf(words, sizeof words, "brick:%.9gx0.01x0.01", bar);
        at.rotation = about_z(angle);
        pliant_body_id link = add_brick(world, words, &at);
        pliant_joint_def def = joint_at(world, before, link, x, y, 0);
        joint[i] = add_joint(world, &def);
        x += bar * cos(angle), y += bar * sin(angle);
        before = link;
    }
    pliant_joint_def def = joint_at(world, before, the_world, span, 0, 0);
    joint[LINKS] = add_joint(world, &def);
    run(world, 30, 1.0 / 60);
    double weight = 1000 * length * 1e-4 * G, lowest = 0;
    double pull[LINKS + 1];
    for (int i = 0; i <= LINKS; ++i) {
        pliant_joint_info info = joint_info(world, joint[i]);
        lowest = fmin(lowest, info.place[1][1]);
        pull[i] = sqrt(info.force[0] * info.force[0] + info.force[1] * info.force[1]);
        CHECK_BETWEEN(info.gap, 0, 1e-10);
    }
    CHECK_CLOSE(joint_info(world, joint[0]).force[1], -weight / 2, 1e-3);
    CHECK_CLOSE(-lowest / span, 0.3318, 0.005);
    CHECK_CLOSE(pull[0] / pull[LINKS / 2], 1.785, 0.005);
    pliant_world_destroy(world);
}

// ---- momentum -----------------------------------------------------------------------------------

typedef struct {
    double momentum[3], angular[3];
} total;

static void add_total(const pliant_world* world, pliant_body_id id, double mass, total* t)
{
    pliant_motion m = motion_of(world, id);
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        t->momentum[k] += mass * m.velocity[k];
        t->angular[k] += m.angular_momentum[k] +
                         mass * (m.center[u] * m.velocity[v] - m.center[v] * m.velocity[u]);
    }
}

// Two bricks that spin and fly, joined at a corner.
static void check_momentum(pliant_joint_kind kind, double compliance, bool turned)
{
    pliant_world* world = make_linked_world(0, 8, 1);
    pliant_body_def one = body_at(-0.05, -0.1, -0.15), two = body_at(0.1, 0.05, 0.05);
    one.angular_velocity = vec(3, -2, 5);
    two.velocity = vec(0.5, 0.2, -1);
    pliant_body_id a = add_brick(world, "brick:0.1x0.2x0.3", &one),
                   b = add_brick(world, "brick:0.2x0.1x0.1", &two);
    pliant_joint_def def = hinge_at(world, a, b, 0, 0, 0);
    def.kind = kind;
    def.compliance = compliance;
    def.stiffness = turned ? 0.5 : 0;
    pliant_joint_id joint = add_joint(world, &def);
    run(world, 2, 1.0 / 60);
    total before = {{0}, {0}}, after = {{0}, {0}};
    pliant_energies start, end;
    add_total(world, a, 6, &before);
    add_total(world, b, 2, &before);
    CHECK_OK(pliant_world_energies(world, &start));
    run(world, 300, 1.0 / 60);
    add_total(world, a, 6, &after);
    add_total(world, b, 2, &after);
    CHECK_OK(pliant_world_energies(world, &end));
    for (int k = 0; k < 3; ++k) {
        CHECK_BETWEEN(after.momentum[k] - before.momentum[k], -1e-9, 1e-9);
        CHECK_BETWEEN(after.angular[k] - before.angular[k], -1e-9, 1e-9);
    }
    if (compliance == 0 && !turned) CHECK_CLOSE(end.kinetic, start.kinetic, 0.01);
    if (compliance == 0) CHECK_BETWEEN(joint_info(world, joint).gap, 0, 1e-11);
    pliant_world_destroy(world);
}

static void joined_bodies_keep_both_momenta(void** unused)
{
    (void)unused;
    for (int kind = PLIANT_JOINT_POINT; kind <= PLIANT_JOINT_FIXED; ++kind)
        for (int k = 0; k < 2; ++k) {
            check_momentum((pliant_joint_kind)kind, k ? 1e-4 : 0, false);
            check_momentum((pliant_joint_kind)kind, k ? 1e-4 : 0, true);
        }
}

// ---- bodies that deform, and the world ----------------------------------------------------------

static pliant_body_id add_jelly(pliant_world* world, double x, double y, double z)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = body_at(x, y, z);
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    soft.material.young = 1e5;
    soft.material.damping = 0.05;
    def.contact.mask = 0;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

// A soft box of 0.2 m under a rigid one that hangs on the world by a point; all three in a row.
static void a_soft_body_hangs_on_a_rigid_one(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(G, 20, 1);
    pliant_body_def at = body_at(0.1, 0.3, 0.1);
    pliant_body_id brick = add_brick(world, "brick:0.2x0.2x0.2", &at),
                   jelly = add_jelly(world, 0, 0, 0);
    pliant_joint_def above = joint_at(world, the_world, brick, 0.1, 0.4, 0.1),
                     below = pliant_joint_defaults();
    const double between[3] = {0.1, 0.2, 0.1};
    CHECK_OK(pliant_body_place_joint_point(world, brick, between, &below.point[0]));
    CHECK_OK(pliant_body_find_joint_point(world, jelly, between, &below.point[1]));
    pliant_joint_id upper = add_joint(world, &above), lower = add_joint(world, &below);
    run(world, 120, 1.0 / 60);
    double soft = pliant_body_mass(world, jelly) * G;
    CHECK_CLOSE(joint_info(world, lower).force[1], -soft, 0.01);
    CHECK_CLOSE(joint_info(world, upper).force[1], -soft - 8 * G, 0.01);
    CHECK_BETWEEN(joint_info(world, lower).gap, 0, 1e-8);
    pliant_world_destroy(world);
}

static void add_soft_total(const pliant_world* world, pliant_body_id id, total* t)
{
    motion m = measure_motion(world, id);
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        t->momentum[k] += m.momentum[k];
        t->angular[k] += m.angular[k] + m.center[u] * m.momentum[v] - m.center[v] * m.momentum[u];
    }
}

// A cloth sewn to a brick along its edge, a soft box at the brick's other end: they fly and spin.
static void rigid_and_soft_bodies_keep_both_momenta(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(0, 10, 1);
    pliant_body_def at = body_at(-0.1, 0.1, 0.1);
    at.velocity = vec(0.1, -0.4, 0.3);
    pliant_body_id brick = add_brick(world, "brick:0.2x0.2x0.2", &at),
                   jelly = add_jelly(world, 0, 0, 0);
    pliant_joint_def def = pliant_joint_defaults();
    pliant_region all = pliant_region_defaults();
    all.max[0] = 0.01;
    def.point[0].body = jelly;
    def.point[1].body = brick;
    int count;
    CHECK_OK(pliant_world_sew(world, &def, &all, &count));
    assert_int_equal(count, 9);
    total before = {{0}, {0}}, after = {{0}, {0}};
    add_total(world, brick, 8, &before);
    add_soft_total(world, jelly, &before);
    run(world, 60, 1.0 / 60);
    add_total(world, brick, 8, &after);
    add_soft_total(world, jelly, &after);
    for (int k = 0; k < 3; ++k) {
        CHECK_BETWEEN(after.momentum[k] - before.momentum[k], -1e-5, 1e-5);
        CHECK_BETWEEN(after.angular[k] - before.angular[k], -1e-5, 1e-5);
    }
    pliant_world_destroy(world);
}

// The world takes a point along, and a soft point hangs on it by a spring.
static void the_world_holds_and_moves_points(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(G, 10, 1);
    pliant_body_def at = body_at(0, 0, 0);
    pliant_body_id brick = add_brick(world, "brick:0.1x0.1x0.1", &at),
                   jelly = add_jelly(world, 1, 0, 0);
    pliant_joint_def hold = joint_at(world, brick, the_world, 0, 0.05, 0),
                     hang = pliant_joint_defaults();
    hang.point[1].count = 0;
    hang.point[0].body = jelly;
    CHECK_OK(pliant_body_find_joint_point(world, jelly, (const double[3]){1.1, 0.2, 0.1},
                                          &hang.point[0]));
    CHECK_OK(pliant_body_place_joint_point(world, the_world, (const double[3]){1.1, 0.278, 0.1},
                                           &hang.point[1]));
    hang.compliance = 1e-3;
    pliant_joint_id held = add_joint(world, &hold), hung = add_joint(world, &hang);
    for (int i = 1; i <= 60; ++i) {
        const double to[3] = {0, 0.05 + 0.01 * i, 0};
        CHECK_OK(pliant_joint_move(world, held, to));
        run(world, 1, 1.0 / 60);
    }
    CHECK_BETWEEN(joint_info(world, held).gap, 0, 1e-9);
    CHECK_CLOSE(motion_of(world, brick).center[1], 0.6, 1e-9);
    double weight = pliant_body_mass(world, jelly) * G, force = 0, gap = 0;
    enum { STEPS = 34 * 4 }; // of four swings
    for (int i = 0; i < STEPS; ++i) {
        run(world, 1, 1.0 / 60);
        force += joint_info(world, hung).force[1] / STEPS;
        gap += joint_info(world, hung).gap / STEPS;
    }
    CHECK_CLOSE(joint_info(world, held).force[1], G, 1e-6); // on the brick
    CHECK_CLOSE(force, weight, 0.02);
    CHECK_CLOSE(gap, 1e-3 * weight, 0.02);
    pliant_world_destroy(world);
}

// A cone of 0.4 about a stick that is thrown around, and no more than 0.2 about its axis.
static void a_ball_joint_keeps_its_limits(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(G, 10, 1);
    pliant_body_def at = body_at(0, -0.5, 0);
    at.angular_velocity = vec(2, 6, 4);
    at.velocity = vec(2, 0, -1);
    pliant_body_id stick = add_brick(world, "brick:0.1x1x0.2", &at);
    pliant_joint_def def = joint_at(world, the_world, stick, 0, 0, 0);
    def.axis[0] = 0, def.axis[1] = -1;
    def.swing_limit = 0.4;
    def.angle_limits[0] = -0.2;
    def.angle_limits[1] = 0.2;
    pliant_joint_id joint = add_joint(world, &def);
    double swing = 0, twist = 0;
    for (int i = 0; i < 120; ++i) {
        run(world, 1, 1.0 / 60);
        pliant_joint_info info = joint_info(world, joint);
        swing = fmax(swing, info.swing);
        twist = fmax(twist, fabs(info.angle));
    }
    CHECK_BETWEEN(swing, 0.39, 0.4 + 1e-6);
    CHECK_BETWEEN(twist, 0.19, 0.2 + 1e-6);
    pliant_world_destroy(world);
}

// ---- on the ground ------------------------------------------------------------------------------

// A board of 8 kg on four balls of 4.2 kg each that turn on hinges below it and stand on the
// ground.
typedef struct {
    pliant_world* world;
    pliant_body_id board, wheel[4];
    pliant_joint_id hinge[4];
} cart;

static cart make_cart(int threads, pliant_motor motor)
{
    cart c = {.world = make_linked_world(G, 8, threads)};
    pliant_collider_def ground = pliant_collider_defaults();
    CHECK_OK(pliant_world_add_collider(c.world, &ground, NULL));
    pliant_body_def at = body_at(0, 0.2, 0);
    c.board = add_brick(c.world, "brick:0.8x0.05x0.2", &at);
    for (int i = 0; i < 4; ++i) {
        pliant_asset* ball = ball_asset(0.1, 1000);
        double x = i % 2 ? 0.3 : -0.3, z = i < 2 ? 0.15 : -0.15;
        pliant_body_def below = body_at(x, 0.1, z);
        below.contact.mask = 2;
        c.wheel[i] = place_body(c.world, ball, &below);
        pliant_asset_destroy(ball);
        pliant_joint_def def = hinge_at(c.world, c.board, c.wheel[i], x, 0.1, z);
        def.motor = motor;
        def.motor_speed = -5;
        c.hinge[i] = add_joint(c.world, &def);
    }
    return c;
}

static void what_stands_on_wheels_stands_still(void** unused)
{
    (void)unused;
    cart c = make_cart(1, PLIANT_MOTOR_NONE);
    run(c.world, 60, 1.0 / 60);
    pliant_motion before = motion_of(c.world, c.board);
    run(c.world, 60, 1.0 / 60);
    pliant_motion after = motion_of(c.world, c.board);
    for (int k = 0; k < 3; ++k)
        CHECK_BETWEEN(after.center[k] - before.center[k], k == 1 ? -1e-5 : -1e-3,
                      k == 1 ? 1e-5 : 1e-3);
    double force = 0;
    for (int i = 0; i < 4; ++i) force += joint_info(c.world, c.hinge[i]).force[1];
    CHECK_CLOSE(force, 8 * G, 0.01);
    CHECK_BETWEEN(joint_info(c.world, c.hinge[0]).gap, 0, 1e-4);
    pliant_world_destroy(c.world);
}

static void a_cart_goes_as_its_wheels_turn(void** unused)
{
    (void)unused;
    cart c = make_cart(1, PLIANT_MOTOR_VELOCITY);
    run(c.world, 60, 1.0 / 60);
    double before = motion_of(c.world, c.board).center[0];
    run(c.world, 60, 1.0 / 60);
    CHECK_CLOSE(motion_of(c.world, c.board).center[0] - before, 5 * 0.1, 0.01);
    pliant_world_destroy(c.world);
}

// ---- state --------------------------------------------------------------------------------------

static void a_snapshot_of_linked_bodies_goes_on_with_the_same_bits(void** unused)
{
    (void)unused;
    cart one = make_cart(1, PLIANT_MOTOR_VELOCITY), two = make_cart(2, PLIANT_MOTOR_POSITION);
    run(one.world, 20, 1.0 / 60);
    size_t bytes = pliant_world_snapshot_size(one.world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(one.world, data, bytes));
    CHECK_OK(pliant_world_snapshot_restore(two.world, data, bytes));
    run(one.world, 20, 1.0 / 60);
    run(two.world, 20, 1.0 / 60);
    assert_true(get_digest(one.world) == get_digest(two.world));
    CHECK_CLOSE(joint_info(two.world, two.hinge[0]).angle,
                joint_info(one.world, one.hinge[0]).angle, 0);
    free(data);
    pliant_world_destroy(one.world);
    pliant_world_destroy(two.world);
}

static void a_warm_step_of_linked_bodies_takes_no_memory(void** unused)
{
    (void)unused;
    cart c = make_cart(1, PLIANT_MOTOR_VELOCITY);
    run(c.world, 60, 1.0 / 60);
    size_t before = pliant_allocated_bytes();
    run(c.world, 10, 1.0 / 60);
    assert_int_equal(pliant_allocated_bytes(), before);
    pliant_world_destroy(c.world);
}

static pliant_result link_two(pliant_world* world, const pliant_body_id* of)
{
    pliant_joint_def def = pliant_joint_defaults();
    def.kind = PLIANT_JOINT_HINGE;
    for (int i = 0; i < 2; ++i) def.point[i].body = of[i];
    pliant_result result = pliant_world_add_joint(world, &def, NULL);
    def.point[1] = (pliant_joint_point){.body = the_world};
    return result ? result : pliant_world_add_joint(world, &def, NULL);
}

static void every_allocation_of_linked_bodies_may_fail(void** unused)
{
    (void)unused;
    const failing_world linked = {"brick:0.1x0.1x0.1", 2, {0, 1.1}, 0.01f, link_two, true};
    check_failing_world(&linked);
}

static void refuse_joint(pliant_world* world, const pliant_joint_def* def, const char* words)
{
    pliant_joint_id id = {9, 9};
    if (!pliant_world_add_joint(world, def, &id) || !strstr(pliant_error_text(), words))
        fail_msg("no '%s' in: %s", words, pliant_error_text());
    assert_int_equal(id.index1, 0);
}

static void bad_joints_of_rigid_bodies_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_linked_world(G, 4, 1);
    pliant_body_def at = body_at(0, 0, 0);
    pliant_body_id brick = add_brick(world, "brick:0.1x0.1x0.1", &at),
                   jelly = add_jelly(world, 1, 0, 0);
    const pliant_joint_def good = hinge_at(world, the_world, brick, 0, 0, 0);
    pliant_joint_def bad = good;
    bad.point[1] = (pliant_joint_point){.body = the_world}, refuse_joint(world, &bad, "the world");
    bad = good, bad.point[0].body = brick, refuse_joint(world, &bad, "one rigid body");
    bad = good, bad.axis[2] = 0, refuse_joint(world, &bad, "axis");
    bad = good, bad.angle_limits[0] = 0.1, refuse_joint(world, &bad, "between");
    bad = good, bad.angle_limits[1] = NAN, refuse_joint(world, &bad, "between");
    bad = good, bad.swing_limit = 0, refuse_joint(world, &bad, "swing_limit");
    bad = good, bad.stiffness = -1, refuse_joint(world, &bad, "stiffness");
    bad = good, bad.damping = INFINITY, refuse_joint(world, &bad, "damping");
    bad = good, bad.friction = NAN, refuse_joint(world, &bad, "friction");
    bad = good, bad.motor_torque = -1, refuse_joint(world, &bad, "motor_torque");
    bad = good, bad.motor_speed = NAN, refuse_joint(world, &bad, "motor_speed");
    bad = good, bad.breaking_torque = 0, refuse_joint(world, &bad, "breaking_torque");
    bad = good, bad.kind = (pliant_joint_kind)7, refuse_joint(world, &bad, "kind");
    bad = good, bad.point[1].place[1] = NAN, refuse_joint(world, &bad, "not finite");
    bad = good, bad.point[0].body = jelly, refuse_joint(world, &bad, "not rigid");
    bad.point[0] = pliant_joint_defaults().point[0], bad.point[0].body = jelly;
    refuse_joint(world, &bad, "no axes");
    assert_int_equal(pliant_world_joint_count(world), 0);
    add_joint(world, &good);
    pliant_body_remove(world, brick);
    assert_int_equal(pliant_world_joint_count(world), 0);
    run(world, 1, 0.01);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_has_the_period_of_its_inertia),
        cmocka_unit_test(a_motor_speeds_up_by_torque_over_inertia),
        cmocka_unit_test(a_limit_carries_the_torque_of_the_weight),
        cmocka_unit_test(a_fixed_joint_carries_a_beam_that_stands_out),
        cmocka_unit_test(a_spring_swings_with_its_period_and_hangs_by_its_stiffness),
        cmocka_unit_test(friction_takes_its_torque),
        cmocka_unit_test(a_ball_joint_keeps_its_limits),
        cmocka_unit_test(a_chain_hangs_as_a_catenary),
        cmocka_unit_test(joined_bodies_keep_both_momenta),
        cmocka_unit_test(a_soft_body_hangs_on_a_rigid_one),
        cmocka_unit_test(rigid_and_soft_bodies_keep_both_momenta),
        cmocka_unit_test(the_world_holds_and_moves_points),
        cmocka_unit_test(what_stands_on_wheels_stands_still),
        cmocka_unit_test(a_cart_goes_as_its_wheels_turn),
        cmocka_unit_test(a_snapshot_of_linked_bodies_goes_on_with_the_same_bits),
        cmocka_unit_test(a_warm_step_of_linked_bodies_takes_no_memory),
        cmocka_unit_test(every_allocation_of_linked_bodies_may_fail),
        cmocka_unit_test(bad_joints_of_rigid_bodies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
