// Joints between bodies.
#include "failing_world.h"
#include "joint_scenes.h"
#include "world/world.h"

// ---- forces -------------------------------------------------------------------------------------

static void check_weight(const pliant_soft_def* soft, int substeps, int iterations)
{
    hanging h = hang(soft, substeps, iterations, 0);
    run(h.world, by_scope(10, 60, 300), 1.0 / 60);
    pliant_joint_info info = info_of(h.world, h.joint);
    CHECK_BETWEEN(info.gap, 0, 1e-7);
    if (scope_now() != BRIEF) {
        CHECK_CLOSE(info.force[1], -h.weight, 0.01); // on the beam
        CHECK_BETWEEN(info.force[0] / h.weight, -0.01, 0.01);
    }
    pliant_world_destroy(h.world);
}

static void a_joint_carries_its_weight(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    check_weight(&soft, 30, 1);
}

static void it_does_so_with_every_integrator(void** unused)
{
    (void)unused;
    for (int i = PLIANT_INTEGRATOR_FORESIGHT; i <= PLIANT_INTEGRATOR_BDF2; ++i) {
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.integrator = (pliant_integrator)i;
        check_weight(&soft, 30, 1);
    }
}

static void it_does_so_with_every_schedule(void** unused)
{
    (void)unused;
    for (int i = 0; i <= PLIANT_SCHEDULE_JACOBI; i += by_scope(3, 2, 1)) {
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.schedule = (pliant_schedule)i;
        soft.solver.patch_rows = 24;
        check_weight(&soft, 30, 1);
    }
}

static void it_does_so_with_iterations_and_in_double(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    check_weight(&soft, 10, 4);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    check_weight(&soft, 30, 1);
}

static void a_compliant_joint_stretches_by_compliance_times_force(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    hanging h = hang(&soft, 30, 1, 1e-4);
    run(h.world, 120, 1.0 / 60);
    pliant_joint_info info = info_of(h.world, h.joint);
    CHECK_CLOSE(info.force[1], -h.weight, 0.01);
    CHECK_CLOSE(info.gap, 1e-4 * h.weight, 0.01);
    CHECK_CLOSE(info.place[0][1] - info.place[1][1], 1e-4 * h.weight, 0.01);
    pliant_world_destroy(h.world);
}

// What hangs on pins by a joint is in what the pins hold.
static void pins_hold_what_is_joined(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    hanging h = hang(&soft, 30, 1, 0);
    run(h.world, 90, 1.0 / 60);
    int count = pliant_body_particle_count(h.world, h.beam);
    pliant_vec3* before = (pliant_vec3*)malloc((size_t)count * sizeof *before);
    double *force = (double*)malloc(3 * (size_t)count * sizeof *force), up = 0;
    CHECK_OK(pliant_body_read_velocities(h.world, h.beam, before, count));
    run(h.world, 1, 1.0 / 60);
    CHECK_OK(pliant_body_read_pin_forces(h.world, h.beam, before, 1.0 / 60, force, count));
    for (int i = 0; i < count; ++i) up += force[3 * i + 1];
    CHECK_CLOSE(up, h.weight + pliant_body_mass(h.world, h.beam) * G, 0.01);
    free(before);
    free(force);
    pliant_world_destroy(h.world);
}

// A rope that hangs by a joint on a pinned particle, and a weight on its other end.
static void a_rope_between_two_joints_carries_the_weight(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(0, 1);
    soft.material.damping = 0.01;
    pliant_body_id hook = add_at(world, "rope:0.1:1", &soft, -0.1, 1);
    pliant_body_id rope = add_at(world, "rope:1:10", &soft, 0, 1);
    pliant_body_id box = add_at(world, "box6:2x2x2:0.1", &soft, 0.9, 0.8);
    CHECK_OK(pliant_body_pin(world, hook, 0));
    CHECK_OK(pliant_body_pin(world, hook, 1));
    pliant_joint_def upper = merge_of(hook, 1, rope, 0),
                     lower = nearest_points(world, rope, box, (const double[3]){1, 1, 0});
    pliant_joint_id a = join(world, &upper), b = join(world, &lower);
    run(world, 10, 1.0 / 60); // it swings
    CHECK_BETWEEN(info_of(world, a).gap, 0, 1e-6);
    CHECK_BETWEEN(info_of(world, b).gap, 0, 1e-6);
    pliant_world_destroy(world);
}

// ---- momentum -----------------------------------------------------------------------------------

typedef struct {
    double momentum[3], angular[3]; // about the origin
} total;

static void add_motion(const pliant_world* world, pliant_body_id of, total* t)
{
    motion m = measure_motion(world, of);
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        t->momentum[k] += m.momentum[k];
        t->angular[k] += m.angular[k] + m.center[a] * m.momentum[b] - m.center[b] * m.momentum[a];
    }
}

static total measure_both(const pliant_world* world, pliant_body_id a, pliant_body_id b)
{
    total t = {{0, 0, 0}, {0, 0, 0}};
    add_motion(world, a, &t);
    add_motion(world, b, &t);
    return t;
}

static double largest_change(const double a[3], const double b[3])
{
    double most = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
        most = fmax(most, fabs(a[k] - b[k]));
        size += a[k] * a[k];
    }
    return most / sqrt(size);
}

// Two boxes that are joined at a corner spin about each other.
static void check_spin(pliant_integrator integrator, double compliance, double least_momentum,
                       double least_angular)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_still_world(40, 1);
    soft.solver.integrator = integrator;
    pliant_body_id a = add_at(world, "box6:3x2x2:0.1", &soft, 0, 0),
                   b = add_at(world, "box6:2x2x3:0.1", &soft, 0.3, 0.2);
    pliant_joint_def def = nearest_points(world, a, b, (const double[3]){0.3, 0.2, 0});
    def.compliance = compliance;
    pliant_joint_id joint = join(world, &def);
    write_velocity(world, a, vec(0, 3, 1));
    write_velocity(world, b, vec(1, -2, 2));
    total start = measure_both(world, a, b);
    run(world, 60, 1.0 / 60);
    total end = measure_both(world, a, b);
    if (compliance == 0) CHECK_BETWEEN(info_of(world, joint).gap, 0, 3e-7);
    CHECK_BETWEEN(largest_change(start.momentum, end.momentum), 0, least_momentum);
    CHECK_BETWEEN(largest_change(start.angular, end.angular), 0, least_angular);
    pliant_world_destroy(world);
}

static void momentum_is_kept(void** unused)
{
    (void)unused;
    check_spin(PLIANT_INTEGRATOR_FORESIGHT, 0, 1e-6, 1e-5);
    check_spin(PLIANT_INTEGRATOR_IMPLICIT_EULER, 0, 1e-6, 1e-5);
    check_spin(PLIANT_INTEGRATOR_FORESIGHT, 1e-4, 1e-6, 3e-4);
    check_spin(PLIANT_INTEGRATOR_FORESIGHT, 1e-6, 1e-6, 1e-4);
}

// ---- merges -------------------------------------------------------------------------------------

// Three particles of three bodies become one.
static void merged_particles_stay_together(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(20, 1);
    pliant_body_id box[3];
    const double corner[3] = {0.2, 1.2, 0.2};
    int particle[3];
    for (int i = 0; i < 3; ++i) {
        box[i] = add_at(world, "box6:2x2x2:0.1", &soft, i == 1 ? 0.2 : 0, i == 2 ? 1.2 : 1);
        particle[i] = particle_at(world, box[i], corner);
        shake(world, box[i]);
    }
    for (int i = 1; i < 3; ++i) {
        pliant_joint_def def = merge_of(box[0], particle[0], box[i], particle[i]);
        join(world, &def);
    }
    for (int step = 0; step < 60; ++step) {
        run(world, 1, 1.0 / 60);
        place first = read_place(world, box[0], particle[0]);
        for (int i = 1; i < 3; ++i) {
            place other = read_place(world, box[i], particle[i]);
            for (int k = 0; k < 3; ++k)
                CHECK_BETWEEN(other.x[k] - first.x[k], -2e-7, 2e-7); // of a box of 0.2 m
        }
    }
    pliant_world_destroy(world);
}

// What is pinned along an axis does not go there, and the other side comes to it.
static void pins_along_axes_are_seen(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(20, 1);
    pliant_body_id a = add_at(world, "box6:1x1x1:0.2", &soft, 0, 1),
                   b = add_at(world, "box6:1x1x1:0.2", &soft, 0.2, 1);
    const double corner[3] = {0.2, 1.2, 0.2};
    int p = particle_at(world, a, corner), q = particle_at(world, b, corner);
    CHECK_OK(pliant_body_pin_axes(world, a, p, PLIANT_AXIS_Y));
    pliant_joint_def def = merge_of(a, p, b, q);
    pliant_joint_id joint = join(world, &def);
    write_velocity(world, b, vec(0.5, 0, 0));
    run(world, 60, 1.0 / 60);
    CHECK_BETWEEN(info_of(world, joint).gap, 0, 1e-7);
    CHECK_BETWEEN(read_place(world, a, p).x[1] - 1.2, -1e-7, 1e-7);
    pliant_world_destroy(world);
}

// A gap that is there at first is closed calmly.
static void a_gap_is_closed_at_exit_speed(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id a = add_at(world, "box6:1x1x1:0.2", &soft, 0, 0),
                   b = add_at(world, "box6:1x1x1:0.2", &soft, 0.3, 0);
    pliant_joint_def def = nearest_points(world, a, b, (const double[3]){0.25, 0.1, 0.1});
    def.breaking_force = 1e-3;
    pliant_joint_id joint = join(world, &def);
    CHECK_CLOSE(info_of(world, joint).gap, 0.1, 1e-6);
    run(world, 6, 1.0 / 60);
    CHECK_CLOSE(info_of(world, joint).gap, 0.1 - 0.4 * 0.1, 1e-3);
    assert_false(info_of(world, joint).broken);
    CHECK_BETWEEN(measure_motion(world, a).speed, 0, 2);
    pliant_world_destroy(world);
}

// ---- breaking -----------------------------------------------------------------------------------

// Loads that grow: it breaks at the force that was said, and then both sides are free.
static void a_joint_breaks_at_its_force(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id hook = add_at(world, "rope:0.1:1", &soft, 0, 1),
                   box = add_at(world, "box6:1x1x1:0.2", &soft, 0.1, 0.8);
    CHECK_OK(pliant_body_pin(world, hook, 0));
    CHECK_OK(pliant_body_pin(world, hook, 1));
    pliant_joint_def def = nearest_points(world, hook, box, (const double[3]){0.1, 1, 0});
    def.breaking_force = 5;
    pliant_joint_id joint = join(world, &def);
    double applied = 0;
    int corner = particle_at(world, box, (const double[3]){0.1, 1, 0});
    for (int i = 0; i < 200 && !info_of(world, joint).broken; ++i) {
        applied += 0.05;
        CHECK_OK(pliant_body_add_force(world, box, corner, vec(0, -0.05, 0)));
        run(world, 1, 1.0 / 60);
        double force = -info_of(world, joint).force[1];
        assert_true(info_of(world, joint).broken == (force > 5));
    }
    assert_true(info_of(world, joint).broken);
    CHECK_CLOSE(applied, 5, 0.1); // it pulls at the corner, and the box follows
    run(world, 30, 1.0 / 60);
    CHECK_BETWEEN(info_of(world, joint).gap, 0.05, INFINITY);
    assert_true(info_of(world, joint).force[1] == 0);
    assert_true(pliant_joint_is_valid(world, joint));
    pliant_world_destroy(world);
}

// ---- the same bits ------------------------------------------------------------------------------

static int count_broken(const pliant_world* world)
{
    pliant_joint_id id[256];
    int broken = 0, count = pliant_world_joints(world, id, 256);
    for (int i = 0; i < count; ++i) broken += info_of(world, id[i]).broken;
    return broken;
}

static void threads_and_lanes_change_no_bit(void** unused)
{
    (void)unused;
    const int manner[][2] = {{1, 1}, {2, 0}, {3, 4}};
    uint64_t first = 0;
    for (int i = 0; i < 3; ++i) {
        pliant_world* world = make_sewn(manner[i][0], manner[i][1], PLIANT_INTEGRATOR_FORESIGHT);
        run(world, 12, 1.0 / 60);
        uint64_t digest = get_digest(world);
        if (i == 0) first = digest;
        assert_true(digest == first);
        pliant_world_destroy(world);
    }
}

static void check_snapshot(pliant_integrator integrator)
{
    pliant_world *world = make_sewn(1, 0, integrator), *other = make_sewn(1, 0, integrator);
    run(world, 4, 1.0 / 60);
    size_t bytes = pliant_world_snapshot_size(world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
    CHECK_OK(pliant_world_snapshot_restore(other, data, bytes));
    assert_true(get_digest(world) == get_digest(other));
    run(world, 5, 1.0 / 60);
    run(other, 5, 1.0 / 60);
    assert_true(get_digest(world) == get_digest(other));
    uint64_t end = get_digest(world);
    CHECK_OK(pliant_world_rewind(world, 3));
    run(world, 3, 1.0 / 60);
    assert_true(get_digest(world) == end);
    free(data);
    pliant_world_destroy(world);
    pliant_world_destroy(other);
}

static void a_snapshot_goes_on_with_the_same_bits(void** unused)
{
    (void)unused;
    check_snapshot(PLIANT_INTEGRATOR_FORESIGHT);
    check_snapshot(PLIANT_INTEGRATOR_BDF2);
}

// Of a world that was never stepped, and of one whose joints break later.
static void a_snapshot_knows_new_and_broken_joints(void** unused)
{
    (void)unused;
    pliant_world* world = make_sewn(1, 0, PLIANT_INTEGRATOR_FORESIGHT);
    size_t bytes = pliant_world_snapshot_size(world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
    run(world, 20, 1.0 / 60);
    uint64_t end = get_digest(world);
    int broken = count_broken(world);
    CHECK_BETWEEN(broken, 1, 100);
    CHECK_OK(pliant_world_snapshot_restore(world, data, bytes));
    assert_int_equal(count_broken(world), 0);
    run(world, 20, 1.0 / 60);
    assert_true(get_digest(world) == end);
    assert_int_equal(count_broken(world), broken);
    pliant_joint_id id[1];
    assert_int_equal(pliant_world_joints(world, id, 1), 1);
    CHECK_OK(pliant_joint_remove(world, id[0]));
    assert_int_equal(pliant_world_snapshot_restore(world, data, bytes), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "joints"));
    free(data);
    pliant_world_destroy(world);
}

static void a_warm_step_takes_no_memory(void** unused)
{
    (void)unused;
    pliant_world* world = make_sewn(2, 0, PLIANT_INTEGRATOR_FORESIGHT);
    run(world, 5, 1.0 / 60);
    uint64_t before = pliant_allocation_count();
    run(world, 3, 1.0 / 60);
    assert_true(pliant_allocation_count() == before);
    pliant_world_destroy(world);
}

// ---- contacts -----------------------------------------------------------------------------------

// Points of a cloth that is sewn to a box are known to be joined to those below, and to no others.
static void joined_points_are_listed_for_contacts(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_still_world(4, 1);
    pliant_body_id a = add_soft(world, generated("box6:2x2x2:0.1"), &soft, 0),
                   b = add_soft(world, generated("box6:2x2x2:0.1"), &soft, 0.201);
    const double at[3] = {0, 0.2, 0}, far[3] = {0.2, 0.2, 0.2};
    int p = particle_at(world, a, at), q = particle_at(world, b, at);
    pliant_joint_def def = merge_of(a, p, b, q);
    pliant_joint_id joint = join(world, &def);
    run(world, 1, 0.001);
    const contact_system* s = &world->contacts;
    int point[2] = {-1, -1}, corner[2] = {-1, -1};
    const int particle[2] = {p, q};
    const int others[2] = {particle_at(world, a, far), particle_at(world, b, far)};
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < s->set.body[side].surface->point_count; ++i) {
            int of = s->set.body[side].surface->particle[i],
                number = s->set.body[side].first_point + i;
            if (of == particle[side]) point[side] = number;
            if (of == others[side]) corner[side] = number;
        }
    assert_true(points_are_joined(&world->joined, point[0], point[1]));
    assert_true(points_are_joined(&world->joined, point[1], point[0]));
    assert_false(points_are_joined(&world->joined, point[0], corner[1]));
    assert_false(points_are_joined(&world->joined, corner[0], corner[1]));
    CHECK_BETWEEN(world->joined.count, 5, 30);
    CHECK_OK(pliant_joint_remove(world, joint));
    run(world, 1, 0.001);
    assert_int_equal(world->joined.count, 0);
    pliant_world_destroy(world);
}

// ---- coming and going ---------------------------------------------------------------------------

static void a_joint_goes_with_its_body(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(4, 1);
    pliant_body_id a = add_at(world, "box6:1x1x1:0.2", &soft, 0, 1),
                   b = add_at(world, "box6:1x1x1:0.2", &soft, 0.2, 1),
                   c = add_at(world, "box6:1x1x1:0.2", &soft, 0.4, 1);
    pliant_joint_def first = merge_of(a, 4, b, 0), second = merge_of(b, 4, c, 0);
    pliant_joint_id ab = join(world, &first), bc = join(world, &second), listed[4];
    run(world, 2, 0.01);
    assert_int_equal(pliant_world_joint_count(world), 2);
    assert_int_equal(pliant_world_joints(world, listed, 4), 2);
    assert_int_equal(listed[1].index1, bc.index1);
    pliant_body_remove(world, c);
    assert_true(pliant_joint_is_valid(world, ab));
    assert_false(pliant_joint_is_valid(world, bc));
    run(world, 2, 0.01);
    CHECK_OK(pliant_joint_remove(world, ab));
    assert_int_equal(pliant_world_joint_count(world), 0);
    run(world, 2, 0.01);
    int calls = 0;
    pliant_joint_info info;
    pliant_set_assert(count_misuse, &calls);
    assert_int_equal(pliant_joint_remove(world, ab), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_joint_describe(world, ab, &info), PLIANT_ERROR_ARGUMENT);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(calls, 2);
    assert_non_null(strstr(pliant_error_text(), "no joint"));
    pliant_world_destroy(world);
}

static void check_refusal(pliant_world* world, const pliant_joint_def* def, pliant_result expected,
                          const char* words)
{
    pliant_joint_id id = {9, 9};
    pliant_result result = pliant_world_add_joint(world, def, &id);
    if (result != expected || !strstr(pliant_error_text(), words))
        fail_msg("%d, expected %d with '%s': %s", (int)result, (int)expected, words,
                 pliant_error_text());
    assert_int_equal(id.index1, 0);
}

static void bad_joints_are_refused(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(4, 1);
    pliant_body_id a = add_at(world, "box6:1x1x1:0.2", &soft, 0, 1),
                   b = add_at(world, "box6:1x1x1:0.2", &soft, 0.2, 1);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_body_id exact = add_at(world, "box6:1x1x1:0.2", &soft, 0.4, 1);
    const pliant_joint_def good = merge_of(a, 4, b, 0);
    pliant_joint_def bad = good;
    const pliant_result no = PLIANT_ERROR_ARGUMENT;
    bad.point[1].body = a, bad.point[1].particle[0] = 4,
    check_refusal(world, &bad, no, "particle 4");
    bad = good, bad.point[1].body.generation = 7, check_refusal(world, &bad, no, "second side");
    bad = good, bad.compliance = NAN, check_refusal(world, &bad, no, "compliance");
    bad = good, bad.compliance = -1, check_refusal(world, &bad, no, "compliance");
    bad = good, bad.breaking_force = NAN, check_refusal(world, &bad, no, "breaking_force");
    bad = good, bad.breaking_force = 0, check_refusal(world, &bad, no, "breaking_force");
    bad = good, bad.point[0].share[0] = 0.5, check_refusal(world, &bad, no, "sum 0.5");
    bad = good, bad.point[0].share[0] = NAN, check_refusal(world, &bad, no, "first side");
    bad = good, bad.point[0].count = 5, check_refusal(world, &bad, no, "5 particles");
    bad = good, bad.point[0].particle[0] = 8, check_refusal(world, &bad, no, "particle 8");
    bad = good, bad.point[0].count = 2, bad.point[0].share[0] = 0.5, bad.point[0].share[1] = 0.5;
    bad.point[0].particle[1] = 4, check_refusal(world, &bad, no, "twice");
    bad = good, bad.point[1].body = exact;
    check_refusal(world, &bad, PLIANT_ERROR_UNSUPPORTED, "precision");
    CHECK_OK(pliant_body_pin(world, a, 4));
    CHECK_OK(pliant_body_pin(world, b, 0));
    check_refusal(world, &good, no, "pinned");
    pliant_body_remove(world, b);
    check_refusal(world, &good, no, "removed");
    assert_int_equal(pliant_world_joint_count(world), 0);
    // Two different points of one body are fine.
    pliant_joint_def self = merge_of(a, 0, a, 7);
    join(world, &self);
    pliant_world_destroy(world);
}

static void sewing_is_all_or_nothing(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(4, 1);
    pliant_body_id cloth = add_at(world, "cloth:4x4:0.4x0.4", &soft, 0, 1),
                   box = add_at(world, "box6:1x1x1:0.2", &soft, 0, 0.8);
    pliant_joint_def like = merge_of(cloth, 0, box, 0);
    pliant_region region = pliant_region_defaults();
    int count = 7;
    region.min[0] = 5;
    assert_int_not_equal(pliant_world_sew(world, &like, &region, &count), PLIANT_OK);
    assert_int_equal(count, 0);
    region = pliant_region_defaults();
    for (int i = 0; i < 8; ++i) CHECK_OK(pliant_body_pin(world, box, i));
    CHECK_OK(pliant_body_pin(world, cloth, 12));
    assert_int_equal(pliant_world_sew(world, &like, &region, &count), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_world_joint_count(world), 0);
    CHECK_OK(pliant_body_unpin(world, cloth, 12));
    CHECK_OK(pliant_world_sew(world, &like, &region, &count));
    assert_int_equal(count, 25);
    like.point[1].body = cloth;
    assert_int_equal(pliant_world_sew(world, &like, &region, &count), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "itself"));
    pliant_world_destroy(world);
}

static pliant_result join_two(pliant_world* world, const pliant_body_id* of)
{
    pliant_joint_def def = pliant_joint_defaults();
    for (int i = 0; i < 2; ++i) def.point[i].body = of[i];
    return pliant_world_add_joint(world, &def, NULL);
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    const failing_world joined = {"beam:1x1x1", 2, {0, 1.1}, 0.01f, join_two, false};
    check_failing_world(&joined);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_carries_its_weight),
        usual_test(it_does_so_with_every_integrator),
        usual_test(it_does_so_with_every_schedule),
        usual_test(it_does_so_with_iterations_and_in_double),
        usual_test(a_compliant_joint_stretches_by_compliance_times_force),
        usual_test(pins_hold_what_is_joined),
        cmocka_unit_test(a_rope_between_two_joints_carries_the_weight),
        usual_test(momentum_is_kept),
        cmocka_unit_test(merged_particles_stay_together),
        cmocka_unit_test(pins_along_axes_are_seen),
        cmocka_unit_test(a_gap_is_closed_at_exit_speed),
        cmocka_unit_test(a_joint_breaks_at_its_force),
        cmocka_unit_test(threads_and_lanes_change_no_bit),
        cmocka_unit_test(a_snapshot_goes_on_with_the_same_bits),
        usual_test(a_snapshot_knows_new_and_broken_joints),
        cmocka_unit_test(a_warm_step_takes_no_memory),
        cmocka_unit_test(joined_points_are_listed_for_contacts),
        cmocka_unit_test(a_joint_goes_with_its_body),
        cmocka_unit_test(bad_joints_are_refused),
        cmocka_unit_test(sewing_is_all_or_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
