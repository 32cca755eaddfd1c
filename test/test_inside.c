// Bodies that start inside of colliders: moved out as a whole and slowly, squeezed where there is
// no room, and told.
#include "scene.h"
#include <string.h>

static const double g = 9.81;
static const double dt = 0.01; // [s]

// ---- what is told -------------------------------------------------------------------------------

typedef struct {
    char text[512]; // the last one
    int count;
} told;
static told log_of_test;

static void keep_warning(const char* text, void* context)
{
    told* t = (told*)context;
    snprintf(t->text, sizeof t->text, "%s", text);
    t->count++;
}

static int start_log(void** unused)
{
    (void)unused;
    memset(&log_of_test, 0, sizeof log_of_test);
    pliant_set_log(keep_warning, &log_of_test);
    return 0;
}

static void check_told(const char* words)
{
    if (!strstr(log_of_test.text, words))
        fail_msg("the warning is \"%s\", without \"%s\"", log_of_test.text, words);
}

// ---- worlds -------------------------------------------------------------------------------------

// A block of 0.2 m whose lowest corner is at (x, y, z).
static pliant_body_id add_block(pliant_world* world, double x, double y, double z)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.material.damping = 0.005;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    if (!body.index1) fail_msg("%s", pliant_error_text());
    return body;
}

static pliant_collider_id add_shape(pliant_world* world, pliant_shape shape, double x, double y,
                                    double z)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = shape;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    pliant_collider_id id = new_collider(world, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    return id;
}

static void add_ceiling(pliant_world* world, double y)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.position[1] = y;
    def.rotation = (pliant_quat){1, 0, 0, 0}; // upside down
    new_collider(world, &def);
}

// ---- leaving ------------------------------------------------------------------------------------

typedef struct {
    double speed;    // [m/s] the largest that a particle has, or shows from step to step
    double energy;   // [J] the most, kinetic and elastic
    double sideways; // [m] the most that a particle is off the straight way, as the body goes
    double way[3];   // [m] of the center of mass
} trip;

static void compare_places(const place* before, const place* now, const place* first, int count,
                           const double way[3], trip* t)
{
    double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (int i = 0; i < count; ++i) {
        double square = 0, along = 0, off = 0;
        for (int k = 0; k < 3; ++k) {
            double step = now[i].x[k] - before[i].x[k], all = now[i].x[k] - first[i].x[k];
            square += step * step;
            along += all * way[k] / length;
            off += all * all;
        }
        t->speed = fmax(t->speed, sqrt(square) / dt);
        t->sideways = fmax(t->sideways, sqrt(fmax(off - along * along, 0)));
    }
}

// Steps for so long, and watches against the expected way.
static trip follow(pliant_world* world, pliant_body_id body, const double way[3], int steps)
{
    int count = pliant_body_particle_count(world, body);
    place *first = read_places(world, body), *before = read_places(world, body);
    motion start = measure_motion(world, body);
    trip t = {0};
    for (int i = 0; i < steps; ++i) {
        run(world, 1, dt);
        place* now = read_places(world, body);
        pliant_energies e = get_body_energies(world, body);
        compare_places(before, now, first, count, way, &t);
        t.speed = fmax(t.speed, measure_motion(world, body).speed);
        t.energy = fmax(t.energy, e.kinetic + e.elastic);
        free(before);
        before = now;
    }
    motion end = measure_motion(world, body);
    for (int k = 0; k < 3; ++k) t.way[k] = end.center[k] - start.center[k];
    free(first);
    free(before);
    return t;
}

// The whole body goes along `way`, no faster than 1 m/s, with at most m g times the depth.
static void check_leaves(pliant_world* world, pliant_body_id body, const double way[3],
                         double depth, const char* name)
{
    double limit = pliant_body_mass(world, body) * g * depth;
    trip t = follow(world, body, way, 120);
    print_message("    %s, %g m: %.3f m/s, %.4f J of %.4f, way %.4f %.4f %.4f m, off it %.2e m\n",
                  name, depth, t.speed, t.energy, limit, t.way[0], t.way[1], t.way[2], t.sideways);
    CHECK_BETWEEN(t.speed, 0, 1);
    CHECK_BETWEEN(t.energy, 0, limit);
    CHECK_BETWEEN(t.sideways, 0, 1e-3);
    for (int k = 0; k < 3; ++k) CHECK_BETWEEN(t.way[k] - way[k], -1e-3, 1e-3);
    CHECK_BETWEEN(measure_motion(world, body).speed, 0, 0.01);
}

static const double depths[] = {0.01, 0.05, 0.1, 0.3};

static void body_leaves_the_floor_upward(void** unused)
{
    (void)unused;
    for (int i = 0; i < 4; ++i) {
        const double way[3] = {0, depths[i], 0};
        pliant_world* world = make_world(20, 1);
        add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
        pliant_body_id body = add_block(world, 0, -depths[i], 0);
        check_leaves(world, body, way, depths[i], "floor");
        check_told("body 0");
        check_told("collider 0 (plane)");
        assert_int_equal(log_of_test.count, i + 1);
        pliant_world_destroy(world);
    }
}

// Its weight does not bend the way: it falls when it is out.
static void body_goes_straight_against_its_weight(void** unused)
{
    (void)unused;
    const double way[3] = {0.3, 0, 0};
    pliant_world* world = make_world(20, 1);
    add_shape(world, PLIANT_SHAPE_SPHERE, 0, 0, 0);
    pliant_body_id body = add_block(world, 0.2, -0.1, -0.1);
    trip t = follow(world, body, way, 74); // of 75 steps that it takes
    CHECK_BETWEEN(t.energy, 0, 1e-6);
    CHECK_BETWEEN(t.sideways, 0, 1e-5);
    CHECK_BETWEEN(t.speed, 0.39, 0.41);
    run(world, 10, dt);
    CHECK_BETWEEN(measure_motion(world, body).velocity[1], -g * 0.1, -g * 0.08);
    pliant_world_destroy(world);
}

// A ball of 0.5 m that the block's side is in: the way is that of the side's middle.
static void body_leaves_a_ball_through_its_nearest_side(void** unused)
{
    (void)unused;
    for (int i = 0; i < 4; i += by_scope(3, 1, 1)) {
        const double way[3] = {depths[i], 0, 0};
        pliant_world* world = make_still_world(20, 1);
        add_shape(world, PLIANT_SHAPE_SPHERE, 0, 0, 0);
        pliant_body_id body = add_block(world, 0.5 - depths[i], -0.1, -0.1);
        check_leaves(world, body, way, depths[i], "ball");
        check_told("collider 0 (sphere)");
        pliant_world_destroy(world);
    }
}

static void body_leaves_the_top_of_a_ball_against_its_weight(void** unused)
{
    (void)unused;
    for (int i = 0; i < 4; ++i) {
        const double way[3] = {0, depths[i], 0};
        pliant_world* world = make_world(20, 1);
        add_shape(world, PLIANT_SHAPE_SPHERE, 0, -0.5, 0);
        pliant_body_id body = add_block(world, -0.1, -depths[i], -0.1);
        trip t = follow(world, body, way, 100);
        double limit = pliant_body_mass(world, body) * g * depths[i];
        print_message("    %g m: %.3f m/s, %.4f J of %.4f, up by %.4f m\n", depths[i], t.speed,
                      t.energy, limit, t.way[1]);
        CHECK_BETWEEN(t.speed, 0, 1);
        CHECK_BETWEEN(t.energy, 0, limit);
        CHECK_BETWEEN(t.way[1] - depths[i], -0.01, 0.001); // it sags on the one place that it has
        pliant_world_destroy(world);
    }
}

// In boxes, capsules and meshes, turned ones too.
static void body_leaves_other_shapes(void** unused)
{
    (void)unused;
    pliant_mesh* surface = surface_of("box6:2x2x2:0.5");
    for (int shape = 0; shape < 3; ++shape) {
        pliant_world* world = make_still_world(20, 1);
        pliant_collider_def def = pliant_collider_defaults();
        def.shape = shape == 0   ? PLIANT_SHAPE_BOX
                    : shape == 1 ? PLIANT_SHAPE_CAPSULE
                                 : PLIANT_SHAPE_MESH;
        def.mesh = surface;
        if (shape == 2) def.position[0] = def.position[1] = def.position[2] = -0.5;
        if (shape == 0) def.rotation = (pliant_quat){0, 0, 1, 1};
        new_collider(world, &def);
        const double way[3] = {0.1, 0, 0};
        pliant_body_id body = add_block(world, 0.4, -0.1, -0.1);
        check_leaves(world, body, way, 0.1, shape == 0 ? "box" : shape == 1 ? "capsule" : "mesh");
        pliant_world_destroy(world);
    }
    pliant_mesh_destroy(surface);
}

static void body_leaves_a_corner_by_the_sum_of_both_ways(void** unused)
{
    (void)unused;
    const double way[3] = {0.05, 0.08, 0};
    pliant_world* world = make_still_world(20, 1);
    pliant_collider_def wall = pliant_collider_defaults();
    wall.rotation = (pliant_quat){0, 0, -1, 1}; // its normal is x
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    new_collider(world, &wall);
    pliant_body_id body = add_block(world, -0.05, -0.08, 0);
    check_leaves(world, body, way, 0.08, "corner");
    check_told("and 1 more");
    pliant_world_destroy(world);
}

// A shelf is above: upward there is no room, but there is beside it.
static void body_is_not_moved_into_another_collider(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(20, 1);
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    new_collider(world, &def);
    def.position[1] = 0.5 + 0.15 + 0.5;
    new_collider(world, &def);
    pliant_body_id body = add_block(world, 0.4, 0.45, -0.1); // 0.05 m deep, and 0.1 m from the edge
    const double way[3] = {0.1, 0, 0};
    check_leaves(world, body, way, 0.05, "below a shelf");
    pliant_world_destroy(world);
}

// ---- no room ------------------------------------------------------------------------------------

// Between two plates, the floor and a ceiling: the most energy on the way and that at the end.
static void check_squeeze(double distance)
{
    pliant_world* world = make_still_world(20, 1);
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    add_ceiling(world, distance);
    pliant_body_id body = add_block(world, 0, -(0.2 - distance) / 2, 0);
    trip t = follow(world, body, (double[3]){0, 1, 0}, 100);
    run(world, 50, dt);
    double rest = get_body_energies(world, body).elastic;
    print_message("    plates %g m apart: at most %.4f J, at rest %.4f J, %.3f m/s\n", distance,
                  t.energy, rest, t.speed);
    CHECK_BETWEEN(rest, 1e-3, 1e6);
    CHECK_BETWEEN(t.energy / rest, 0.99, 1.2);
    CHECK_BETWEEN(t.speed, 0, 1);
    check_told("no room");
    place* x = read_places(world, body);
    for (int i = 0; i < pliant_body_particle_count(world, body); ++i)
        CHECK_BETWEEN(x[i].x[1], -1e-6, distance + 1e-6);
    free(x);
    pliant_world_destroy(world);
}

static void body_between_plates_is_squeezed_slowly(void** unused)
{
    (void)unused;
    check_squeeze(0.195);
    check_squeeze(0.17);
    check_squeeze(0.1);
}

// A vise of boxes is open at its sides; that way out is far longer than the overlap.
static void vise_is_no_room(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(20, 1);
    add_shape(world, PLIANT_SHAPE_BOX, 0, -0.5, 0);
    add_shape(world, PLIANT_SHAPE_BOX, 0, 0.5 + 0.18, 0);
    pliant_body_id body = add_block(world, -0.1, -0.01, -0.1);
    trip t = follow(world, body, (double[3]){0, 1, 0}, 100);
    check_told("no room");
    CHECK_BETWEEN(t.speed, 0, 1);
    CHECK_BETWEEN(fabs(t.way[0]) + fabs(t.way[2]), 0, 0.01);
    pliant_world_destroy(world);
}

static void pinned_body_stays_and_is_bent_slowly(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    pliant_body_id body = add_block(world, 0, -0.05, 0);
    pin_plane(world, body, 1, 0.15);
    place top = read_place(world, body, 7);
    trip t = follow(world, body, (double[3]){0, 1, 0}, 100);
    check_told("pins, joints or attachments");
    CHECK_BETWEEN(t.speed, 0, 1);
    CHECK_BETWEEN(read_place(world, body, 7).x[1] - top.x[1], -1e-9, 1e-9);
    pliant_world_destroy(world);
}

// What is pinned may be in a wall: nothing is told, and nothing is moved.
static void pins_may_be_inside(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    pliant_body_id body = add_block(world, 0, -0.05, 0);
    pin_plane(world, body, 1, -0.05);
    run(world, 1, dt);
    assert_int_equal(log_of_test.count, 0);
    pliant_world_destroy(world);
}

// ---- during a run -------------------------------------------------------------------------------

static void collider_that_is_added_into_a_body_shoots_nothing(void** unused)
{
    (void)unused;
    const double way[3] = {0, 0.1, 0};
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id body = add_block(world, 0, -0.1, 0);
    run(world, 3, dt);
    pliant_collider_id floor = add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    check_leaves(world, body, way, 0.1, "added");
    pliant_collider_remove(world, floor);
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0.1, 0);
    check_leaves(world, body, way, 0.1, "again");
    assert_int_equal(log_of_test.count, 2);
    pliant_world_destroy(world);
}

// Taken away, the collider no longer moves the body.
static void removed_collider_leaves_the_body_where_it_is(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(20, 1);
    pliant_collider_id floor = add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    pliant_body_id body = add_block(world, 0, -0.1, 0);
    run(world, 5, dt);
    double before = measure_motion(world, body).center[1];
    pliant_collider_remove(world, floor);
    run(world, 5, dt);
    CHECK_BETWEEN(measure_motion(world, body).center[1] - before, -1e-6, 1e-6);
    pliant_world_destroy(world);
}

static void teleported_body_is_moved_out(void** unused)
{
    (void)unused;
    const double way[3] = {0, 0.1, 0};
    pliant_world* world = make_still_world(20, 1);
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    pliant_body_id body = add_block(world, 0, 1, 0);
    int count = pliant_body_particle_count(world, body);
    run(world, 2, dt);
    assert_int_equal(log_of_test.count, 0);
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i) x[i].x[1] -= 1.1;
    pliant_body_write_positions_exact(world, body, x->x, count);
    free(x);
    check_leaves(world, body, way, 0.1, "teleported");
    assert_int_equal(log_of_test.count, 1);
    pliant_world_destroy(world);
}

// ---- the same bits ------------------------------------------------------------------------------

// One body on its way, one squeezed, one at rest.
static pliant_world* make_busy_world(int threads, int lanes, pliant_precision precision,
                                     int history)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = 10;
    def.threads = threads;
    def.lanes = lanes;
    def.history = history;
    CHECK_OK(pliant_world_create(&def, &world));
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    pliant_collider_def shelf = pliant_collider_defaults();
    shelf.shape = PLIANT_SHAPE_BOX;
    shelf.position[0] = 10;
    shelf.position[1] = 0.68;
    new_collider(world, &shelf);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.precision = precision;
    soft.solver.patch_rows = 40;
    const double spot[3][2] = {{0, -0.2}, {10, -0.01}, {20, 0.0}};
    for (int i = 0; i < 3; ++i) {
        pliant_body_def at = pliant_body_defaults();
        at.position[0] = spot[i][0];
        at.position[1] = spot[i][1];
        pliant_mesh* mesh = box_mesh((int[3]){4, 4, 4}, 0.05, 0.1);
        assert_true(new_soft(world, mesh, &soft, &at).index1 > 0);
        pliant_mesh_destroy(mesh);
    }
    return world;
}

static void threads_and_lanes_do_not_change_a_bit(void** unused)
{
    (void)unused;
    uint64_t first = 0;
    const int lanes[] = {1, 4, 16}, threads[] = {1, 2, 3};
    for (int i = 0; i < 3; ++i) {
        pliant_world* world = make_busy_world(threads[i], lanes[i], PLIANT_PRECISION_SINGLE, 0);
        run(world, 30, dt);
        uint64_t digest = get_digest(world);
        if (i == 0) first = digest;
        assert_true(digest == first);
        assert_int_equal(log_of_test.count, 2 * (i + 1));
        pliant_world_destroy(world);
    }
}

// A snapshot on the way, restored in a world that has not been stepped: the same bits, and nothing
// is told again.
static void check_resumed(pliant_precision precision, int before)
{
    pliant_world *world = make_busy_world(1, 4, precision, 0),
                 *other = make_busy_world(2, 16, precision, 0);
    run(world, before, dt);
    size_t bytes = pliant_world_snapshot_size(world);
    void* snapshot = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, snapshot, bytes));
    CHECK_OK(pliant_world_snapshot_restore(other, snapshot, bytes));
    int count = log_of_test.count;
    run(world, 40, dt);
    run(other, 40, dt);
    assert_true(get_digest(world) == get_digest(other));
    assert_int_equal(log_of_test.count, count);
    free(snapshot);
    pliant_world_destroy(world);
    pliant_world_destroy(other);
}

static void resumed_on_the_way_is_the_same(void** unused)
{
    (void)unused;
    check_resumed(PLIANT_PRECISION_SINGLE, 10);
    check_resumed(PLIANT_PRECISION_DOUBLE, 10);
}

static void restored_contact_tells_and_changes_nothing(void** unused)
{
    (void)unused;
    check_resumed(PLIANT_PRECISION_SINGLE, 100);
}

// The state of a body that is on its way is not that of one that stays.
static void way_to_go_is_in_the_digest(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(10, 1);
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    add_block(world, 0, -0.1, 0);
    uint64_t before = get_digest(world);
    run(world, 1, 0);
    assert_true(get_digest(world) != before);
    pliant_world_destroy(world);
}

static void rewound_way_is_gone_again(void** unused)
{
    (void)unused;
    pliant_world* world = make_busy_world(1, 4, PLIANT_PRECISION_SINGLE, 8);
    run(world, 6, dt);
    uint64_t digest = get_digest(world);
    CHECK_OK(pliant_world_rewind(world, 6));
    run(world, 6, dt);
    assert_true(get_digest(world) == digest);
    pliant_world_destroy(world);
}

// Colliders that came after the snapshot are looked at.
static void snapshot_of_other_colliders_is_looked_at(void** unused)
{
    (void)unused;
    const double way[3] = {0, 0.1, 0};
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id body = add_block(world, 0, -0.1, 0);
    run(world, 1, dt);
    size_t bytes = pliant_world_snapshot_size(world);
    void* snapshot = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, snapshot, bytes));
    add_shape(world, PLIANT_SHAPE_PLANE, 0, 0, 0);
    CHECK_OK(pliant_world_snapshot_restore(world, snapshot, bytes));
    check_leaves(world, body, way, 0.1, "restored");
    free(snapshot);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test_with(body_leaves_the_floor_upward, start_log, NULL),
        cmocka_unit_test_setup(body_leaves_a_ball_through_its_nearest_side, start_log),
        numbers_test_with(body_leaves_the_top_of_a_ball_against_its_weight, start_log, NULL),
        numbers_test_with(body_goes_straight_against_its_weight, start_log, NULL),
        usual_test_with(body_leaves_other_shapes, start_log, NULL),
        cmocka_unit_test_setup(body_leaves_a_corner_by_the_sum_of_both_ways, start_log),
        cmocka_unit_test_setup(body_is_not_moved_into_another_collider, start_log),
        numbers_test_with(body_between_plates_is_squeezed_slowly, start_log, NULL),
        cmocka_unit_test_setup(vise_is_no_room, start_log),
        cmocka_unit_test_setup(pinned_body_stays_and_is_bent_slowly, start_log),
        cmocka_unit_test_setup(pins_may_be_inside, start_log),
        cmocka_unit_test_setup(collider_that_is_added_into_a_body_shoots_nothing, start_log),
        cmocka_unit_test_setup(removed_collider_leaves_the_body_where_it_is, start_log),
        cmocka_unit_test_setup(teleported_body_is_moved_out, start_log),
        cmocka_unit_test_setup(threads_and_lanes_do_not_change_a_bit, start_log),
        usual_test_with(resumed_on_the_way_is_the_same, start_log, NULL),
        usual_test_with(restored_contact_tells_and_changes_nothing, start_log, NULL),
        cmocka_unit_test_setup(way_to_go_is_in_the_digest, start_log),
        cmocka_unit_test_setup(rewound_way_is_gone_again, start_log),
        cmocka_unit_test_setup(snapshot_of_other_colliders_is_looked_at, start_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
