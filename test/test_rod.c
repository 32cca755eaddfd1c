// Rods: gradients, momentum, closed forms of twist, bending and springs, clamps, orientations.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "constraint/rod.h"
#include "failing.h"
#include "math/turn.h"
#include "scene.h"

#define CHECK_NEAR(actual, expected, by)                                                           \
    CHECK_BETWEEN((double)(actual) - (double)(expected), -(double)(by), (double)(by))

static const double pi = 3.14159265358979324;

// ---- projections --------------------------------------------------------------------------------

static vec3 random_vec(random_source* r, double size)
{
    double x = random_range(r, -size, size), y = random_range(r, -size, size);
    return v3(x, y, random_range(r, -size, size));
}

static quat random_quat(random_source* r)
{
    vec3 v = random_vec(r, 1);
    double w = random_range(r, 0.2, 1), s = 1 / sqrt(v3_dot(v, v) + w * w);
    return quat_of(v3_scale(s, v), s * w);
}

// The strain, as a number: along a direction.
static double joint_along(const rod_joint* c, quat a, quat b, vec3 direction)
{
    joint_bend bend = joint_find(c, a, b);
    return v3_dot(joint_strain(&bend), direction);
}

static quat turned(quat q, int axis, double by)
{
    vec3 angle = v3(0, 0, 0);
    (&angle.x)[axis] = by;
    return quat_after(quat_by(angle), q);
}

static void gradients_match_central_differences(void** unused)
{
    (void)unused;
    random_source r = {1};
    const double step = 1e-5;
    for (int i = 0; i < 200; ++i) {
        // Orientations up to 150 degrees apart.
        quat a = random_quat(&r), b = quat_after(quat_by(random_vec(&r, 0.8)), a);
        b = quat_after(quat_by(random_vec(&r, 0.7)), b);
        const rod_joint c = {quat_by(random_vec(&r, 0.3)), 0, 0};
        joint_bend bend = joint_find(&c, a, b);
        for (int row = 0; row < 3; ++row) {
            vec3 unit = v3(row == 0, row == 1, row == 2);
            vec3 torque = quat_turn(bend.to, joint_torque(&bend, unit));
            for (int axis = 0; axis < 3; ++axis) {
                double slope = (joint_along(&c, a, turned(b, axis, step), unit) -
                                joint_along(&c, a, turned(b, axis, -step), unit)) /
                               (2 * step);
                double other = (joint_along(&c, turned(a, axis, step), b, unit) -
                                joint_along(&c, turned(a, axis, -step), b, unit)) /
                               (2 * step);
                CHECK_NEAR(slope, (&torque.x)[axis], 2e-8);
                CHECK_NEAR(other, -(&torque.x)[axis], 2e-8);
            }
        }
        // Of a segment: along the edge R, about the orientation e x R.
        const rod_segment s = {0.1, 0, 0};
        vec3 edge = random_vec(&r, 0.2);
        for (int row = 0; row < 3; ++row) {
            vec3 along = quat_turn(a, v3(row == 0, row == 1, row == 2)),
                 arm = v3_cross(edge, along);
            for (int axis = 0; axis < 3; ++axis) {
                vec3 more = segment_strain(&s, turned(a, axis, step), edge),
                     less = segment_strain(&s, turned(a, axis, -step), edge);
                CHECK_NEAR(((&more.x)[row] - (&less.x)[row]) / (2 * step), -(&arm.x)[axis], 1e-9);
            }
        }
    }
}

static void strain_of_a_joint_is_the_angle(void** unused)
{
    (void)unused;
    const rod_joint c = {quat_of(v3(0, 0, 0), 1), 0, 0};
    for (double angle = 1e-6; angle < 2.2; angle *= 1.7) {
        quat b = quat_of(v3(0, sin(angle / 2), 0), cos(angle / 2));
        CHECK_CLOSE(joint_along(&c, quat_of(v3(0, 0, 0), 1), b, v3(0, 1, 0)), angle, 1e-5);
        CHECK_CLOSE(joint_along(&c, b, quat_of(v3(0, 0, 0), 1), v3(0, 1, 0)), -angle, 1e-5);
    }
}

// A projection leaves C + compliance lambda = 0 of the linear rows, pushes are opposite, and no
// momentum or angular momentum comes of it: about the places at the start of the substep.
static void projection_keeps_angular_momentum(void** unused)
{
    (void)unused;
    random_source r = {2};
    const rod_rules rules = {.scale = 1e6};
    for (int i = 0; i < 100; ++i) {
        segment_ends e = {.edge = random_vec(&r, 0.2),
                          .start = random_vec(&r, 0.2),
                          .w = {random_range(&r, 1, 9), random_range(&r, 1, 9)},
                          .q = random_quat(&r),
                          .turn = random_vec(&r, 0.3),
                          .inverse = random_range(&r, 100, 900)};
        const rod_segment c = {0.1, 1e-6, 2e-7};
        double lambda[3] = {0, 0, 0};
        rod_segment_project(&c, &rules, &e, lambda);
        vec3 push = v3_add(v3_scale(1 / e.w[0], e.dx[0]), v3_scale(1 / e.w[1], e.dx[1]));
        vec3 spin = v3_add(v3_cross(e.start, v3_scale(1 / e.w[1], e.dx[1])),
                           v3_scale(1 / e.inverse, e.dturn));
        CHECK_NEAR(sqrt(v3_dot(push, push)), 0, 1e-14);
        CHECK_NEAR(sqrt(v3_dot(spin, spin)), 0, 1e-15);
        joint_ends j = {.q = {random_quat(&r), random_quat(&r)},
                        .turn = {random_vec(&r, 0.3), random_vec(&r, 0.3)},
                        .inverse = {random_range(&r, 100, 900), random_range(&r, 100, 900)}};
        const rod_joint k = {random_quat(&r), 1e-2, 2e-3};
        double moment[3] = {0, 0, 0};
        rod_joint_project(&k, &rules, &j, moment);
        vec3 sum =
            v3_add(v3_scale(1 / j.inverse[0], j.dturn[0]), v3_scale(1 / j.inverse[1], j.dturn[1]));
        CHECK_NEAR(sqrt(v3_dot(sum, sum)), 0, 1e-15);
    }
}

// Without compliance a small strain is gone after one projection, of both kinds.
static void projection_solves_its_rows(void** unused)
{
    (void)unused;
    random_source r = {3};
    const rod_rules rules = {.scale = 1e6};
    for (int i = 0; i < 100; ++i) {
        quat q = random_quat(&r);
        const rod_segment c = {0.1, 0, 0};
        vec3 edge = v3_add(quat_turn(q, v3(0, 0, 0.1)), random_vec(&r, 1e-6));
        segment_ends e = {.edge = edge, .start = edge, .w = {3, 2}, .q = q, .inverse = 500};
        double lambda[3] = {0, 0, 0};
        rod_segment_project(&c, &rules, &e, lambda);
        vec3 left = segment_strain(&c, quat_after(quat_by(e.dturn), q),
                                   v3_add(edge, v3_sub(e.dx[1], e.dx[0])));
        CHECK_NEAR(sqrt(v3_dot(left, left)), 0, 1e-9);
        quat half = quat_by(random_vec(&r, 0.4)), b = quat_after(q, quat_after(half, half));
        b = quat_after(quat_by(random_vec(&r, 1e-5)), b);
        const rod_joint k = {half, 0, 0};
        joint_ends j = {.q = {q, b}, .inverse = {200, 300}};
        double moment[3] = {0, 0, 0};
        rod_joint_project(&k, &rules, &j, moment);
        joint_bend bend =
            joint_find(&k, quat_after(quat_by(j.dturn[0]), q), quat_after(quat_by(j.dturn[1]), b));
        vec3 turn = joint_strain(&bend);
        CHECK_NEAR(sqrt(v3_dot(turn, turn)), 0, 1e-8);
    }
}

// ---- rods ---------------------------------------------------------------------------------------

static pliant_soft_def rod_of(double young, double radius, double damping)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.rope.rod = true;
    def.rope.radius = radius;
    def.material.young = young;
    def.material.poisson = 0.25;
    def.material.damping = damping;
    return def;
}

static pliant_rod_segment* read_segments(const pliant_world* world, pliant_body_id body)
{
    int count = pliant_body_segment_count(world, body);
    pliant_rod_segment* out = (pliant_rod_segment*)malloc((size_t)count * sizeof *out);
    CHECK_OK(pliant_body_read_segments(world, body, out, count));
    return out;
}

// Steps of 10 ms until nothing moves: whenever the kinetic energy has passed a peak, all stop.
static void settle(pliant_world* world, pliant_body_id body, int steps)
{
    static const pliant_vec3 none[256];
    double last = 0;
    for (int i = 0; i < steps; ++i) {
        CHECK_OK(pliant_world_step(world, 0.01f));
        double kinetic = get_body_energies(world, body).kinetic;
        if (kinetic < last) {
            write_velocity(world, body, vec(0, 0, 0));
            CHECK_OK(pliant_body_write_segments(world, body, NULL, none,
                                                pliant_body_segment_count(world, body)));
        }
        last = kinetic < last ? 0 : kinetic;
    }
}

// ---- twist --------------------------------------------------------------------------------------

// A torque at the free end of a straight rod turns it by T L / (G J), along which all joints have
// that moment. L is from the middle of the clamped segment to that of the last.
static double twist_of(int segments, int substeps, int iterations)
{
    char words[48];
    const double torque = 0.02;
    pliant_soft_def def = rod_of(1e6, 0.02, 0.02);
    snprintf(words, sizeof words, "rope:1:%d", segments);
    pliant_world* world = make_still_world(substeps, iterations);
    pliant_body_id body = add_soft(world, generate(words), &def, 0);
    for (int i = 0; i <= segments; ++i) CHECK_OK(pliant_body_pin(world, body, i));
    CHECK_OK(pliant_body_clamp(world, body, 0));
    pliant_rod_segment* s = read_segments(world, body);
    bool along = s[0].particles[0] < s[0].particles[1];
    free(s);
    CHECK_OK(
        pliant_body_add_torque(world, body, segments - 1, vec(along ? torque : -torque, 0, 0)));
    settle(world, body, 60);
    s = read_segments(world, body);
    for (int i = 1; i < segments; ++i)
        CHECK_CLOSE(fabs((double)s[i].moment.x), torque, 0.02); // of each joint
    quaternion way = turn_after(
        (quaternion){(double)s[segments - 1].rotation.x, (double)s[segments - 1].rotation.y,
                     (double)s[segments - 1].rotation.z, (double)s[segments - 1].rotation.w},
        turn_back((quaternion){(double)s[0].rotation.x, (double)s[0].rotation.y,
                               (double)s[0].rotation.z, (double)s[0].rotation.w}));
    double by[3];
    turn_angle(way, by);
    free(s);
    pliant_world_destroy(world);
    return fabs(by[0]) / (1 - 1.0 / segments);
}

static void twisted_rod_turns_by_its_closed_form(void** unused)
{
    (void)unused;
    const double stiffness = 1e6 / 2.5 * pi / 2 * pow(0.02, 4), expected = 0.02 / stiffness;
    print_message("    expected %.5f rad\n", expected);
    CHECK_CLOSE(twist_of(10, 20, 1), expected, 0.02);
    CHECK_CLOSE(twist_of(20, 20, 1), expected, 0.02);
    CHECK_CLOSE(twist_of(10, 80, 1), expected, 0.02);
    CHECK_CLOSE(twist_of(10, 20, 8), expected, 0.02);
}

// ---- the heavy elastica -------------------------------------------------------------------------

static const double rope_weight = 3.14159265358979324e-4 * 1000 * 9.81; // [N/m]

// As that of a rope (test_rope.c): the clamp is the middle of the first segment, whose ends are
// pinned.
static double tip_drop(double load, int segments, int substeps, int iterations)
{
    char words[48];
    pliant_soft_def def = rod_of(1e6, 0.01, 0.01);
    double edge = 1 / (segments - 0.5);
    def.rope.bending = rope_weight / load;
    def.rope.stretch = def.rope.shear = 2e4;
    snprintf(words, sizeof words, "rope:%.12f:%d", edge * segments, segments);
    pliant_world* world = make_world(substeps, iterations);
    pliant_body_id body = add_soft(world, generate(words), &def, 0);
    pliant_body_pin(world, body, 0);
    pliant_body_pin(world, body, 1);
    CHECK_OK(pliant_body_clamp(world, body, 0));
    settle(world, body, 100);
    double drop = read_place(world, body, 0).x[1] - read_place(world, body, segments).x[1];
    pliant_world_destroy(world);
    return drop;
}

static void heavy_elastica_hangs_as_its_closed_form(void** unused)
{
    (void)unused;
    static const double load[] = {1, 4, 8}, expected[] = {0.1235, 0.4252, 0.6406};
    for (int i = 0; i < 3; ++i) {
        double drop = tip_drop(load[i], 16, i ? 100 : 200, 1);
        print_message("    w L^3 / B = %g: tip %.5f of %.4f m\n", load[i], drop, expected[i]);
        CHECK_CLOSE(drop, expected[i], 0.01);
    }
}

static void elastica_does_not_depend_on_segments_substeps_and_iterations(void** unused)
{
    (void)unused;
    double drop = tip_drop(4, 16, 100, 1);
    CHECK_CLOSE(tip_drop(4, 8, 100, 1), drop, 0.02);
    CHECK_CLOSE(tip_drop(4, 24, 100, 1), drop, 0.02);
    CHECK_CLOSE(tip_drop(4, 16, 50, 1), drop, 0.02);
    CHECK_CLOSE(tip_drop(4, 16, 200, 1), drop, 0.02);
    CHECK_CLOSE(tip_drop(4, 16, 50, 4), drop, 0.02);
}

// ---- momentum -----------------------------------------------------------------------------------

static void add_spins(const pliant_world* world, pliant_body_id body, double sum[3], double* size)
{
    pliant_rod_segment* s = read_segments(world, body);
    for (int i = 0; i < pliant_body_segment_count(world, body); ++i) {
        const double spin[3] = {(double)s[i].spin.x, (double)s[i].spin.y, (double)s[i].spin.z};
        for (int k = 0; k < 3; ++k) {
            sum[k] += s[i].inertia * spin[k];
            *size += fabs(s[i].inertia * spin[k]);
        }
    }
    free(s);
}

// A bent and twisted rod that flies, spins and vibrates, with orientations of much inertia.
static void angular_momentum_is_kept_with_spins(void** unused)
{
    (void)unused;
    for (int damped = 0; damped < 2; ++damped) {
        pliant_world* world = make_still_world(20, 1);
        pliant_soft_def def = rod_of(1e6, 0.02, damped ? 0.01 : 0);
        pliant_body_def how = pliant_body_defaults();
        pliant_asset* asset = NULL;
        pliant_body_id body;
        def.rope.gyration = 0.05;
        how.angular_velocity = vec(3, -2, 5);
        pliant_mesh* mesh = generate("rope:1:16");
        CHECK_OK(pliant_asset_create(mesh, &def, &asset));
        CHECK_OK(pliant_world_add_body(world, asset, &how, &body));
        pliant_asset_destroy(asset);
        pliant_mesh_destroy(mesh);
        pliant_vec3 spin[16];
        random_source r = {4};
        for (int i = 0; i < 16; ++i)
            spin[i] = vec(random_range(&r, -30, 30), random_range(&r, -30, 30),
                          random_range(&r, -30, 30));
        CHECK_OK(pliant_body_write_segments(world, body, NULL, spin, 16));
        motion before = measure_motion(world, body);
        double start[3], end[3], size = 0, unused_size = 0, change = 0;
        for (int k = 0; k < 3; ++k) start[k] = before.angular[k];
        add_spins(world, body, start, &size);
        run(world, 100, 0.01);
        motion after = measure_motion(world, body);
        for (int k = 0; k < 3; ++k) end[k] = after.angular[k];
        add_spins(world, body, end, &unused_size);
        for (int k = 0; k < 3; ++k) change = fmax(change, fabs(end[k] - start[k]));
        print_message("    of %.4g kg m^2/s, %.2g changed; kinetic %g\n", size, change,
                      get_body_energies(world, body).kinetic);
        CHECK_NEAR(change, 0, 1e-5 * size);
        CHECK_NEAR(after.velocity[0], before.velocity[0], 1e-5);
        pliant_world_destroy(world);
    }
}

// ---- Michell's ring -----------------------------------------------------------------------------

// A straight rod of a meter bent to a ring of `sides`, whose last segment lies on its first. Both
// are clamped there, the last one twisted by `twist` [rad], spread over the ring. Returns how far
// the ring, 0.1 mm out of its plane, leaves it in 2.5 s, over its radius.
static double leaves_plane(double twist, int sides)
{
    char words[48];
    const double side = 1.0 / sides, radius = side / 2 / sin(pi / sides);
    pliant_soft_def def = rod_of(1e6, 0.01, 0.002);
    snprintf(words, sizeof words, "rope:%.12f:%d", side * (sides + 1), sides + 1);
    pliant_world* world = make_still_world(60, 1);
    pliant_body_id body = add_soft(world, generate(words), &def, 0);
    double x[3 * 64];
    pliant_quat q[64];
    pliant_rod_segment* s = read_segments(world, body);
    // z of the mesh's segments leads along x, or against it; x of a ring turns counter-clockwise.
    bool along = s[0].particles[0] < s[0].particles[1];
    for (int i = 0; i <= sides + 1; ++i) {
        double angle = 2 * pi * i / sides;
        x[3 * i] = radius * sin(angle);
        x[3 * i + 1] = radius * (1 - cos(angle));
        x[3 * i + 2] = 1e-4 * sin(2 * angle);
    }
    for (int i = 0; i <= sides; ++i) {
        // Where the mesh has it, about the axis by its part of the twist, then about z of the ring.
        double about[3] = {twist * i / sides * (along ? 1 : -1), 0, 0},
               around[3] = {0, 0, 2 * pi * (i + 0.5) / sides};
        const quaternion mesh = {(double)s[i].rotation.x, (double)s[i].rotation.y,
                                 (double)s[i].rotation.z, (double)s[i].rotation.w};
        quaternion t = turn_after(turn_by(around), turn_after(turn_by(about), mesh));
        q[i] = (pliant_quat){(float)t.x, (float)t.y, (float)t.z, (float)t.w};
    }
    free(s);
    for (int k = 0; k < 2; ++k) x[3 * k + 2] = x[3 * (sides + k) + 2] = 0;
    CHECK_OK(pliant_body_write_positions_exact(world, body, x, sides + 2));
    CHECK_OK(pliant_body_write_segments(world, body, q, NULL, sides + 1));
    for (int k = 0; k < 2; ++k) {
        CHECK_OK(pliant_body_pin(world, body, k));
        CHECK_OK(pliant_body_pin(world, body, sides + k));
        CHECK_OK(pliant_body_clamp(world, body, k * sides));
    }
    run(world, 250, 0.01);
    double most = 0;
    place* now = read_places(world, body);
    for (int i = 0; i <= sides + 1; ++i) most = fmax(most, fabs(now[i].x[2]));
    free(now);
    pliant_world_destroy(world);
    return most / radius;
}

static void twisted_ring_leaves_its_plane(void** unused)
{
    (void)unused;
    const double critical = 2 * sqrt(3.0) * pi * 1.25; // B / C of Poisson's ratio 0.25
    double below = leaves_plane(0.94 * critical, 32), above = leaves_plane(1.06 * critical, 32);
    print_message("    of the radius: %.2g below, %.2g above\n", below, above);
    CHECK_BETWEEN(below, 0, 0.02); // the push, which grows toward that twist
    CHECK_BETWEEN(above, 0.1, 2);
}

// ---- a coil spring ------------------------------------------------------------------------------

// Of `turns` coils, that hangs by its clamped first segment: each turn is stretched by 2 pi R^3
// (cos^2 a / (G J) + sin^2 a / (E I)) / cos a of the force, half of the weight on the mean.
static void coil_spring_stretches_by_its_closed_form(void** unused)
{
    (void)unused;
    enum { TURNS = 4, SIDES = 20 };
    const double radius = 0.05, pitch = 0.02, wire = 0.005, young = 1.6e8;
    pliant_soft_def def = rod_of(young, wire, 1e-4);
    char words[64];
    def.rope.gyration = 0.016;
    snprintf(words, sizeof words, "helix:%g:%g:%d:%d", radius, pitch, TURNS, SIDES);
    pliant_world* world = make_world(400, 1);
    pliant_body_id body = add_soft(world, generate(words), &def, 0);
    CHECK_OK(pliant_body_pin(world, body, 0));
    CHECK_OK(pliant_body_pin(world, body, 1));
    CHECK_OK(pliant_body_clamp(world, body, 0));
    double before = 0, after = 0, slope = atan(pitch / (2 * pi * radius));
    for (int i = 0; i < SIDES; ++i)
        before += read_place(world, body, TURNS * SIDES - i).x[1] / SIDES;
    settle(world, body, 70);
    for (int i = 0; i < SIDES; ++i)
        after += read_place(world, body, TURNS * SIDES - i).x[1] / SIDES;
    double bend = young * pi / 4 * pow(wire, 4), twist = bend * 2 / 2.5;
    double weight = pliant_body_mass(world, body) / TURNS * 9.81; // of a turn
    double turn = 2 * pi * pow(radius, 3) / cos(slope) *
                  (pow(cos(slope), 2) / twist + pow(sin(slope), 2) / bend);
    // The mean of the last turn: half a turn above the end, of which all above carry the rest.
    double middle = TURNS - 0.5,
           expected = turn * weight * (middle * (TURNS - middle / 2) + 1 / 24.0);
    print_message("    %.5f of %.5f m\n", before - after, expected);
    CHECK_CLOSE(before - after, expected, 0.03);
    pliant_world_destroy(world);
}

// ---- clamps, orientations -----------------------------------------------------------------------

// Both ends of a straight rod are clamped, one is turned by 3 rad in steps: the twist is spread.
static void clamps_turn_and_let_go(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(20, 1);
    pliant_soft_def def = rod_of(1e6, 0.02, 0.02);
    pliant_body_id body = add_soft(world, generate("rope:1:10"), &def, 0);
    for (int i = 0; i <= 10; ++i) CHECK_OK(pliant_body_pin(world, body, i));
    CHECK_OK(pliant_body_clamp(world, body, 0));
    pliant_rod_segment* s = read_segments(world, body);
    const pliant_quat start = s[9].rotation;
    const quaternion rest = {(double)start.x, (double)start.y, (double)start.z, (double)start.w};
    free(s);
    for (int i = 1; i <= 30; ++i) {
        const double by[3] = {0.1 * i, 0, 0};
        quaternion t = turn_after(turn_by(by), rest);
        CHECK_OK(pliant_body_turn_clamp(
            world, body, 9, (pliant_quat){(float)t.x, (float)t.y, (float)t.z, (float)t.w}));
        CHECK_OK(pliant_world_step(world, 0.01f));
        s = read_segments(world, body);
        CHECK_CLOSE(s[9].spin.x, 10, 1e-4);
        CHECK_NEAR(s[9].rotation.x, t.x, 1e-6);
        CHECK_NEAR(s[9].rotation.w, t.w, 1e-6);
        free(s);
    }
    settle(world, body, 60);
    s = read_segments(world, body);
    const double moment = 1e6 / 2.5 * pi / 2 * pow(0.02, 4) * 3 / 0.9;
    for (int i = 1; i < 10; ++i) CHECK_CLOSE(fabs((double)s[i].moment.x), moment, 0.02);
    assert_true(s[9].clamped);
    free(s);
    CHECK_OK(pliant_body_unclamp(world, body, 9));
    settle(world, body, 60);
    s = read_segments(world, body);
    CHECK_NEAR(s[5].moment.x, 0, 0.02 * moment);
    free(s);
    pliant_world_destroy(world);
}

static void what_is_curved_at_rest_rests(void** unused)
{
    (void)unused;
    static const char* const words[] = {"helix:0.1:0.05:3:8", "knot:1:40"};
    for (int i = 0; i < 2; ++i) {
        pliant_world* world = make_still_world(20, 1);
        pliant_soft_def def = rod_of(1e6, 0.01, 0);
        pliant_body_id body = add_soft(world, generate(words[i]), &def, 0);
        CHECK_NEAR(get_body_energies(world, body).elastic, 0, 1e-12);
        CHECK_OK(pliant_body_teleport(world, body, (const double[3]){1, 2, 3},
                                      (pliant_quat){0.5f, 0.1f, -0.3f, 0.8f},
                                      (const double[3]){1, 0, 0}));
        CHECK_NEAR(get_body_energies(world, body).elastic, 0, 1e-10);
        run(world, 10, 0.01);
        CHECK_NEAR(measure_motion(world, body).speed, 0, 1e-4);
        pliant_world_destroy(world);
    }
}

// Edges of a ring, and those of a star with a tail, in no order.
static void rings_and_stars_rest_and_hold(void** unused)
{
    (void)unused;
    double x[3 * 12];
    int edges[2 * 12];
    for (int i = 0; i < 12; ++i) {
        x[3 * i] = cos(2 * pi * i / 12), x[3 * i + 1] = sin(2 * pi * i / 12);
        x[3 * i + 2] = 0.1 * cos(4 * pi * i / 12);
        edges[2 * i + i % 2] = i;
        edges[2 * i + 1 - i % 2] = (i + 1) % 12;
    }
    static const double star[] = {0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 2, 0};
    static const int arms[] = {0, 1, 0, 2, 0, 3, 4, 3};
    const pliant_mesh_arrays meshes[] = {
        {.vertices = x, .vertex_count = 12, .edges = edges, .edge_count = 12},
        {.vertices = star, .vertex_count = 5, .edges = arms, .edge_count = 4}};
    for (int i = 0; i < 2; ++i) {
        pliant_mesh* mesh = NULL;
        CHECK_OK(pliant_mesh_create(&meshes[i], &mesh));
        pliant_world* world = make_still_world(20, 1);
        pliant_soft_def def = rod_of(1e6, 0.02, 0);
        pliant_body_id body = add_soft(world, mesh, &def, 0);
        CHECK_NEAR(get_body_energies(world, body).elastic, 0, 1e-12);
        int hang = 0, count = pliant_body_segment_count(world, body);
        place* at = read_places(world, body);
        at[1].x[2] += 0.1; // out of the plane: all of it bends, which a knot of ropes would not
        pliant_body_write_positions_exact(world, body, at->x, meshes[i].vertex_count);
        free(at);
        run(world, 20, 0.01);
        pliant_rod_segment* s = read_segments(world, body);
        for (int k = 0; k < count; ++k)
            hang += fabs((double)s[k].moment.x) + fabs((double)s[k].moment.y) > 1e-9;
        free(s);
        CHECK_BETWEEN(hang, count - 1, count); // a ring closes, a star has one less
        pliant_world_destroy(world);
    }
}

// ---- the same bits ------------------------------------------------------------------------------

static void swing(pliant_world* world, int steps)
{
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, 0.01f));
}

static pliant_world* hair(int lanes, int threads, int iterations, pliant_precision precision)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = 10;
    def.lanes = lanes;
    def.threads = threads;
    def.iterations = iterations;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_soft_def soft = rod_of(1e6, 0.01, 0.001);
    soft.solver.precision = precision;
    pliant_body_id body = add_soft(world, generate("helix:0.1:0.05:20:16"), &soft, 0);
    CHECK_OK(pliant_body_pin(world, body, 0));
    CHECK_OK(pliant_body_clamp(world, body, 0));
    CHECK_OK(pliant_body_add_torque(world, body, 40, vec(0.01, 0, 0.02)));
    body = add_soft(world, generate("knot:1:40"), &soft, 1);
    return world;
}

static void lanes_and_threads_give_the_same_bits(void** unused)
{
    (void)unused;
    for (int iterations = 1; iterations <= 3; iterations += 2) {
        uint64_t expected = 0;
        for (int i = 0; i < 5; ++i) {
            static const int lanes[] = {1, 4, 8, 16, 16}, threads[] = {1, 1, 2, 1, 3};
            pliant_world* world = hair(lanes[i], threads[i], iterations, PLIANT_PRECISION_SINGLE);
            swing(world, 8);
            uint64_t digest = get_digest(world);
            if (i == 0) expected = digest;
            assert_true(digest == expected);
            pliant_world_destroy(world);
        }
    }
}

// A digest that changes only when rods do.
static void digest_is_golden(void** unused)
{
    (void)unused;
    pliant_world* world = hair(16, 1, 1, PLIANT_PRECISION_SINGLE);
    swing(world, 8);
    uint64_t digest = get_digest(world);
    if (digest != 0x0e0c98c78982bdcdull)
        fail_msg("the digest is 0x%016llx", (unsigned long long)digest);
    pliant_world_destroy(world);
}

// Single precision is that of double, and of double on one thread as on three.
static void precisions_agree(void** unused)
{
    (void)unused;
    double end[3][3];
    uint64_t digest[3];
    for (int i = 0; i < 3; ++i) {
        pliant_world* world =
            hair(16, i == 2 ? 3 : 1, 1, i ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE);
        pliant_body_id bodies[2];
        swing(world, 20);
        pliant_world_bodies(world, bodies, 2);
        memcpy(end[i], read_place(world, bodies[0], 320).x, sizeof end[i]);
        digest[i] = get_digest(world);
        pliant_world_destroy(world);
    }
    for (int k = 0; k < 3; ++k) CHECK_NEAR(end[0][k], end[1][k], 2e-4);
    assert_true(digest[1] == digest[2]);
}

static void snapshots_bring_orientations_back(void** unused)
{
    (void)unused;
    pliant_world* world = hair(16, 2, 1, PLIANT_PRECISION_SINGLE);
    swing(world, 5);
    size_t bytes = pliant_world_snapshot_size(world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
    swing(world, 5);
    uint64_t digest = get_digest(world);
    CHECK_OK(pliant_world_snapshot_restore(world, data, bytes));
    assert_true(get_digest(world) != digest);
    swing(world, 5);
    assert_true(get_digest(world) == digest);
    free(data);
    pliant_world_destroy(world);
}

// What is compiled comes back from memory as it was: rods are found again.
static void compiled_rods_come_back(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = generate("helix:0.1:0.05:3:8");
    pliant_soft_def def = rod_of(1e6, 0.01, 0.001);
    pliant_asset* asset[2] = {NULL, NULL};
    uint64_t digest[2];
    CHECK_OK(pliant_asset_create(mesh, &def, &asset[0]));
    size_t bytes = pliant_asset_write_size(asset[0]);
    void* data = malloc(bytes);
    CHECK_OK(pliant_asset_write(asset[0], data, bytes));
    CHECK_OK(pliant_asset_parse(data, bytes, "memory", &asset[1]));
    for (int i = 0; i < 2; ++i) {
        pliant_world* world = make_world(20, 1);
        pliant_body_def at = pliant_body_defaults();
        pliant_body_id body = new_body(world, asset[i], &at);
        assert_int_equal(pliant_body_segment_count(world, body), 24);
        CHECK_OK(pliant_body_clamp(world, body, 0));
        swing(world, 5);
        digest[i] = get_digest(world);
        pliant_world_destroy(world);
        pliant_asset_destroy(asset[i]);
    }
    assert_true(digest[0] == digest[1]);
    pliant_mesh_destroy(mesh);
    free(data);
}

// A rod that is stiffer from now on goes on as it is; a rope does not become one.
static void a_rod_goes_on_with_another_asset(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(20, 1);
    pliant_soft_def soft = rod_of(1e6, 0.01, 0), stiff = rod_of(2e6, 0.01, 0), rope = soft;
    pliant_asset *other = NULL, *loose = NULL;
    rope.rope.rod = false;
    rope.solver.schedule = PLIANT_SCHEDULE_COLORED;
    pliant_mesh* mesh = generate("rope:1:8");
    CHECK_OK(pliant_asset_create(mesh, &stiff, &other));
    CHECK_OK(pliant_asset_create(mesh, &rope, &loose));
    pliant_body_id body = add_soft(world, mesh, &soft, 0);
    pliant_vec3 spin[8];
    for (int i = 0; i < 8; ++i) spin[i] = vec(0, 0, i);
    CHECK_OK(pliant_body_write_segments(world, body, NULL, spin, 8));
    swing(world, 5);
    double before = get_body_energies(world, body).elastic;
    CHECK_OK(pliant_body_set_asset(world, body, other));
    CHECK_CLOSE(get_body_energies(world, body).elastic, 2 * before, 1e-9);
    assert_true(pliant_body_set_asset(world, body, loose) == PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "rope.rod"));
    pliant_asset_destroy(other);
    pliant_asset_destroy(loose);
    pliant_world_destroy(world);
}

static pliant_result make_and_step(const void* context)
{
    const pliant_mesh* mesh = (const pliant_mesh*)context;
    pliant_soft_def def = rod_of(1e6, 0.01, 0.001);
    pliant_world_def world_def = pliant_world_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_world* world = NULL;
    pliant_body_id body;
    world_def.threads = 1;
    world_def.substeps = 4;
    world_def.iterations = 2;
    pliant_result result = pliant_world_create(&world_def, &world);
    if (!result) result = pliant_world_add_soft(world, mesh, &def, &at, &body);
    if (!result) result = pliant_world_step(world, 0.01f);
    if (world) pliant_world_destroy(world);
    return result;
}

static void refused_memory_is_survived(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = generate("helix:0.1:0.05:2:6");
    int allocations = check_every_failure(make_and_step, mesh);
    CHECK_BETWEEN(allocations, 30, 1000);
    pliant_mesh_destroy(mesh);
}

// ---- bad input ----------------------------------------------------------------------------------

static void expect_refusal(const char* words, const pliant_soft_def* def, const char* part)
{
    pliant_mesh* mesh = generate(words);
    pliant_asset* asset = NULL;
    assert_true(pliant_asset_create(mesh, def, &asset) != PLIANT_OK);
    if (!strstr(pliant_error_text(), part)) fail_msg("no '%s': %s", part, pliant_error_text());
    pliant_mesh_destroy(mesh);
}

static void what_cannot_be_a_rod_is_refused(void** unused)
{
    (void)unused;
    pliant_soft_def def = rod_of(1e6, 0.01, 0);
    def.rope.slack = true;
    expect_refusal("rope:1:4", &def, "slack");
    def.rope.slack = false;
    def.rope.twisting = -1;
    expect_refusal("rope:1:4", &def, "twisting");
    def.rope.twisting = 0;
    def.material.tear_strength = 1e5;
    expect_refusal("rope:1:4", &def, "rods do not");
    def.material.tear_strength = 0;
    def.solver.integrator = PLIANT_INTEGRATOR_BDF2;
    expect_refusal("rope:1:4", &def, "bdf2");
    def.solver.integrator = PLIANT_INTEGRATOR_FORESIGHT;
    def.rope.twisting = 1e-42;
    expect_refusal("rope:1:4", &def, "too light or too soft");
    const int anchors[] = {0};
    def.rope.twisting = 0;
    def.anchors = anchors;
    def.anchor_count = 1;
    expect_refusal("rope:1:4", &def, "tethers");
    double x[3 * 18] = {0};
    int edges[2 * 17];
    for (int i = 0; i < 17; ++i) {
        x[3 * i + 3] = 1 + i;
        edges[2 * i] = 0, edges[2 * i + 1] = i + 1;
    }
    pliant_mesh_arrays star = {.vertices = x, .vertex_count = 18, .edges = edges, .edge_count = 17};
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_mesh_create(&star, &mesh));
    def.anchor_count = 0, def.anchors = NULL;
    assert_true(pliant_asset_create(mesh, &def, &asset) == PLIANT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(pliant_error_text(), "vertex 0"));
    pliant_mesh_destroy(mesh);
}

static void segments_that_are_none_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(10, 1);
    pliant_soft_def def = rod_of(1e6, 0.01, 0), rope = def;
    rope.rope.rod = false;
    pliant_body_id rod = add_soft(world, generate("rope:1:4"), &def, 0),
                   other = add_soft(world, generate("rope:1:4"), &rope, 1);
    const pliant_quat none[4] = {{0, 0, 0, 0}};
    assert_true(pliant_body_clamp(world, rod, 4) == PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "segment 4 of a rod that has 4"));
    assert_true(pliant_body_clamp(world, other, 0) == PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "rope.rod"));
    assert_true(pliant_body_write_segments(world, rod, none, NULL, 4) == PLIANT_ERROR_ARGUMENT);
    assert_true(pliant_body_turn_clamp(world, rod, 0, none[0]) == PLIANT_ERROR_ARGUMENT);
    assert_true(pliant_body_set_torques(world, other, NULL, 0) == PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_body_segment_count(world, other), 0);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_match_central_differences),
        cmocka_unit_test(strain_of_a_joint_is_the_angle),
        cmocka_unit_test(projection_keeps_angular_momentum),
        cmocka_unit_test(projection_solves_its_rows),
        cmocka_unit_test(twisted_rod_turns_by_its_closed_form),
        cmocka_unit_test(heavy_elastica_hangs_as_its_closed_form),
        cmocka_unit_test(elastica_does_not_depend_on_segments_substeps_and_iterations),
        cmocka_unit_test(angular_momentum_is_kept_with_spins),
        cmocka_unit_test(twisted_ring_leaves_its_plane),
        cmocka_unit_test(coil_spring_stretches_by_its_closed_form),
        cmocka_unit_test(clamps_turn_and_let_go),
        cmocka_unit_test(what_is_curved_at_rest_rests),
        cmocka_unit_test(rings_and_stars_rest_and_hold),
        cmocka_unit_test(lanes_and_threads_give_the_same_bits),
        cmocka_unit_test(digest_is_golden),
        cmocka_unit_test(precisions_agree),
        cmocka_unit_test(snapshots_bring_orientations_back),
        cmocka_unit_test(compiled_rods_come_back),
        cmocka_unit_test(a_rod_goes_on_with_another_asset),
        cmocka_unit_test(refused_memory_is_survived),
        cmocka_unit_test(what_cannot_be_a_rod_is_refused),
        cmocka_unit_test(segments_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
