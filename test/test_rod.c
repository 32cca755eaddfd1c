// Rods: gradients, momentum, closed forms of twist, bending and springs, clamps, orientations.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "constraint/rod.h"
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
            vec3 along = quat_turn(a, v3(row == 0, row == 1, row == 2)), arm = v3_cross(edge, along);
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
        vec3 sum = v3_add(v3_scale(1 / j.inverse[0], j.dturn[0]),
                          v3_scale(1 / j.inverse[1], j.dturn[1]));
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
        joint_bend bend = joint_find(&k, quat_after(quat_by(j.dturn[0]), q),
                                     quat_after(quat_by(j.dturn[1]), b));
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
    CHECK_OK(pliant_body_add_torque(world, body, segments - 1, vec(along ? torque : -torque, 0, 0)));
    settle(world, body, 60);
    s = read_segments(world, body);
    double angle = 0;
    for (int i = 1; i < segments; ++i) {
        CHECK_CLOSE(fabs((double)s[i].moment.x), torque, 0.02);
        angle += fabs((double)s[i].moment.x); // of each joint
    }
    quaternion way = turn_after((quaternion){(double)s[segments - 1].rotation.x,
                                             (double)s[segments - 1].rotation.y,
                                             (double)s[segments - 1].rotation.z,
                                             (double)s[segments - 1].rotation.w},
                                turn_back((quaternion){
                                    (double)s[0].rotation.x, (double)s[0].rotation.y,
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
    def.rope.stretch = def.rope.shear = 3e3;
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
        double drop = tip_drop(load[i], 16, 100, 1);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
