// Rigid bodies that meet colliders, each other, and others.
#include "failing_world.h"
#include "rigid_bodies.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

// ---- on an incline ------------------------------------------------------------------------------

// [m, m/s] along the slope.
static double along(const double v[3], double slope)
{
    return v[0] * cos(slope) - v[1] * sin(slope);
}

// A block on it, settled.
static pliant_body_id settle_block(pliant_world* world, const pliant_asset* asset, double slope)
{
    const double gap = 0.051;
    pliant_body_def def = body_at(gap * sin(slope), gap * cos(slope), 0);
    def.rotation = about_z(-slope);
    return place_body(world, asset, &def);
}

static void check_slope(const pliant_asset* asset, double friction, double degrees)
{
    double slope = degrees * pi / 180, wanted = 9.81 * (sin(slope) - friction * cos(slope));
    int frames = wanted > 0 ? 30 : by_scope(30, 60, 600);
    pliant_world* world = make_world(0, 1);
    add_incline(world, slope, friction);
    pliant_body_id id = settle_block(world, asset, slope);
    run(world, 12, 1.0 / 60);
    pliant_motion before = motion_of(world, id);
    run(world, frames, 1.0 / 60);
    pliant_motion after = motion_of(world, id);
    double time = frames / 60.0, way = along(after.center, slope) - along(before.center, slope);
    double gained = along(after.velocity, slope) - along(before.velocity, slope);
    if (wanted > 0 ? fabs(gained / time - wanted) > 0.02 * wanted : fabs(way) > 1e-3)
        fail_msg("friction %g, %g degrees: %g m, %g m/s^2 instead of %g", friction, degrees, way,
                 gained / time, wanted);
    pliant_world_destroy(world);
}

// Sticks below the angle of friction, and slides above it as fast as Coulomb says.
static void blocks_stick_and_slide_as_coulomb_says(void** unused)
{
    (void)unused;
    const double friction[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    const double degrees[] = {3, 5, 8, 10, 15, 20, 25, 30, 35, 40};
    pliant_asset* asset = rigid_asset("brick:0.2x0.1x0.2", 1000);
    for (int i = 0; i < 10; ++i)
        for (int k = 0; k < 10; k += by_scope(3, 1, 1)) check_slope(asset, friction[i], degrees[k]);
    pliant_asset_destroy(asset);
}

static void balls_roll(void** unused)
{
    (void)unused;
    pliant_asset* asset = ball_asset(0.1, 1000);
    double slope = 10 * pi / 180;
    pliant_world* world = make_world(0, 1);
    add_incline(world, slope, 0.5);
    pliant_body_def def = body_at(0.1 * sin(slope), 0.1 * cos(slope), 0);
    pliant_body_id id = place_body(world, asset, &def);
    run(world, 6, 1.0 / 60);
    pliant_motion before = motion_of(world, id);
    run(world, 60, 1.0 / 60);
    pliant_motion after = motion_of(world, id);
    double speed = along(after.velocity, slope);
    CHECK_CLOSE(speed - along(before.velocity, slope), 5.0 / 7 * 9.81 * sin(slope), 0.002);
    CHECK_CLOSE(-0.1 * after.angular_velocity[2], speed, 1e-3);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

// ---- piles --------------------------------------------------------------------------------------

static double push_on(const pliant_world* world, pliant_collider_id id)
{
    double force[3];
    CHECK_OK(pliant_collider_force(world, id, force, NULL));
    return -force[1];
}

// Each exactly above the other, where corners of both meet, or a little aside.
static void check_stack(const pliant_asset* asset, double aside, int frames)
{
    enum { BOXES = 10 };
    pliant_world* world = make_world(0, 1);
    pliant_collider_id floor = add_incline(world, 0, 0.5);
    pliant_body_id id[BOXES];
    pliant_motion before[BOXES];
    double worst = 0, push = 0, weight = BOXES * 9.81 * 1000;
    for (int i = 0; i < BOXES; ++i) {
        pliant_body_def def = body_at(aside * (i % 3), 0.506 + 1.0114 * i, aside * (i % 2));
        id[i] = place_body(world, asset, &def);
    }
    run(world, 30, 1.0 / 60);
    for (int i = 0; i < BOXES; ++i) before[i] = motion_of(world, id[i]);
    for (int i = 0; i < frames; ++i) {
        run(world, 1, 1.0 / 60);
        push += push_on(world, floor) / frames;
    }
    for (int i = 0; i < BOXES; ++i) {
        pliant_motion after = motion_of(world, id[i]);
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(after.center[k] - before[i].center[k]));
    }
    CHECK_CLOSE(push, weight, 0.01);
    CHECK_BETWEEN(worst, 0, 0.005);
    pliant_world_destroy(world);
}

static void a_stack_of_ten_stands_still(void** unused)
{
    (void)unused;
    pliant_asset* asset = rigid_asset("brick:1x1x1", 1000);
    int frames = by_scope(20, 90, 1200);
    check_stack(asset, 0, frames);
    check_stack(asset, 0.05, frames);
    pliant_asset_destroy(asset);
}

// The lower ones carry half of the upper one each.
static void a_pyramid_shares_its_weight(void** unused)
{
    (void)unused;
    pliant_asset* asset = rigid_asset("brick:1x1x1", 1000);
    pliant_world* world = make_world(0, 1);
    pliant_body_id low[2];
    pliant_collider_id under[2];
    for (int i = 0; i < 2; ++i) {
        pliant_collider_def slab = pliant_collider_defaults();
        slab.shape = PLIANT_SHAPE_BOX;
        slab.half_extents = vec(0.9, 0.5, 1);
        slab.position[0] = i ? 0.98 : -0.98;
        slab.position[1] = -0.5;
        slab.measure_force = true;
        CHECK_OK(pliant_world_add_collider(world, &slab, &under[i]));
        pliant_body_def def = body_at(i ? 0.98 : -0.98, 0.507, 0);
        low[i] = place_body(world, asset, &def);
    }
    pliant_body_def def = body_at(0, 1.518, 0);
    place_body(world, asset, &def);
    run(world, 60, 1.0 / 60);
    for (int i = 0; i < 2; ++i) {
        CHECK_CLOSE(push_on(world, under[i]), 1.5 * 9810, 0.01);
        CHECK_CLOSE(motion_of(world, low[i]).center[0], i ? 0.98 : -0.98, 1e-3);
    }
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

// Cards of 10 cm that lean on each other at 65 degrees in three levels, as in the scene card-house.
static void build_card_house(pliant_world* world, const pliant_asset* card, pliant_body_id id[15])
{
    const double l = 0.1, t = 0.003, gap = 0.0006, angle = 65 * pi / 180;
    double hy = l / 2 * sin(angle) + t / 2 * cos(angle),
           dx = l / 2 * cos(angle) + t / 2 * sin(angle);
    double y = 0;
    int count = 0;
    for (int level = 0; level < 3; ++level) {
        int pairs = 3 - level;
        for (int i = 0; i < 2 * pairs; ++i) {
            int side = i % 2 ? 1 : -1;
            double x = (i / 2 - (pairs - 1) / 2.0) * (l + 0.002) + side * (dx + gap / 2);
            pliant_body_def def = body_at(x, y + gap / 2 + hy, 0);
            def.rotation = about_z(-side * angle);
            def.contact.thickness = (float)gap;
            id[count++] = place_body(world, card, &def);
        }
        for (int i = 0; i < pairs - 1; ++i) {
            double x = (i - (pairs - 2) / 2.0) * (l + 0.002);
            pliant_body_def def = body_at(x, y + 1.5 * gap + 2 * hy + t / 2, 0);
            def.contact.thickness = (float)gap;
            id[count++] = place_body(world, card, &def);
        }
        y += 2 * hy + t + 2 * gap;
    }
    assert_int_equal(count, 15);
}

static void a_card_house_stands(void** unused)
{
    (void)unused;
    pliant_asset* card = rigid_asset("brick:0.1x0.003x0.06", 800);
    pliant_world* world = make_world(0, 1);
    pliant_body_id id[15];
    pliant_motion before[15];
    double worst = 0;
    add_incline(world, 0, 0.5);
    build_card_house(world, card, id);
    run(world, 15, 1.0 / 60);
    for (int i = 0; i < 15; ++i) before[i] = motion_of(world, id[i]);
    run(world, by_scope(10, 45, 1200), 1.0 / 60);
    for (int i = 0; i < 15; ++i) {
        pliant_motion after = motion_of(world, id[i]);
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(after.center[k] - before[i].center[k]));
    }
    CHECK_BETWEEN(worst, 0, 0.005 * 0.1);
    pliant_world_destroy(world);
    pliant_asset_destroy(card);
}

// ---- impacts ------------------------------------------------------------------------------------

static void check_bounce(const pliant_asset* asset, double restitution, double tolerance)
{
    pliant_world* world = make_still_world(16, 1);
    pliant_body_def left = body_at(-0.3, 0, 0), right = body_at(0.3, 0, 0);
    left.contact.restitution = right.contact.restitution = (float)restitution;
    left.velocity = vec(2, 0, 0);
    right.velocity = vec(-1, 0, 0);
    pliant_body_id a = place_body(world, asset, &left), b = place_body(world, asset, &right);
    run(world, 60, 1.0 / 60);
    double apart = motion_of(world, b).velocity[0] - motion_of(world, a).velocity[0];
    double sum = motion_of(world, b).velocity[0] + motion_of(world, a).velocity[0];
    CHECK_BETWEEN(apart - 3 * restitution, -tolerance, tolerance);
    CHECK_BETWEEN(sum - 1, -1e-6, 1e-6);
    pliant_world_destroy(world);
}

static void balls_and_boxes_part_as_fast_as_they_are_to(void** unused)
{
    (void)unused;
    pliant_asset *ball = ball_asset(0.1, 1000), *box = rigid_asset("brick:0.2x0.2x0.2", 1000);
    for (double e = 0; e <= 1; e += 0.25) {
        check_bounce(ball, e, 0.02);
        check_bounce(box, e, 0.06);
    }
    pliant_asset_destroy(ball);
    pliant_asset_destroy(box);
}

// A ball that does not spin is thrown at a floor: along it, it loses what friction of the whole
// impulse takes, or what rolls in the end, and gains the spin of that.
static void check_throw(const pliant_asset* ball, double friction, double e, double fast)
{
    pliant_world* world = make_world(0, 1);
    pliant_collider_def floor = pliant_collider_defaults();
    pliant_body_def def = body_at(0, 0.15, 0);
    const double down = 2, radius = 0.1;
    pliant_world_set_gravity(world, vec(0, 0, 0));
    floor.restitution = (float)e;
    floor.static_friction = floor.dynamic_friction = (float)friction;
    CHECK_OK(pliant_world_add_collider(world, &floor, NULL));
    def.velocity = vec(fast, -down, 0);
    def.contact.restitution = (float)e;
    pliant_body_id id = place_body(world, ball, &def);
    run(world, 12, 1.0 / 60);
    pliant_motion m = motion_of(world, id);
    double lost = fmin(friction * (1 + e) * down, fast * 2 / 7);
    CHECK_BETWEEN(m.velocity[1], e * down - 1e-3, e * down + 1e-3);
    CHECK_BETWEEN(fast - m.velocity[0], lost - 1e-3, lost + 1e-3);
    CHECK_BETWEEN(-m.angular_velocity[2], 2.5 * lost / radius - 0.03, 2.5 * lost / radius + 0.03);
    pliant_world_destroy(world);
}

static void balls_bounce_with_friction(void** unused)
{
    (void)unused;
    pliant_asset* ball = ball_asset(0.1, 1000);
    check_throw(ball, 0.1, 0, 5);
    check_throw(ball, 0.1, 0.5, 5);
    check_throw(ball, 0.1, 0.9, 5);
    check_throw(ball, 0.3, 0.8, 1);
    pliant_asset_destroy(ball);
}

static void add_momenta(const pliant_world* world, pliant_body_id id, double p[3], double l[3],
                        double* size)
{
    double mass = pliant_body_mass(world, id), v = 0;
    pliant_motion m = motion_of(world, id);
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        p[k] += mass * m.velocity[k];
        l[k] += m.angular_momentum[k] +
                mass * (m.center[a] * m.velocity[b] - m.center[b] * m.velocity[a]);
        v += m.velocity[k] * m.velocity[k];
    }
    *size += mass * sqrt(v);
}

// Bricks, bananas and balls fly at each other, with friction and the guard.
static void momentum_and_angular_momentum_are_kept(void** unused)
{
    (void)unused;
    enum { BODIES = 7 };
    pliant_asset* asset[3] = {rigid_asset("brick:0.3x0.2x0.1", 1000),
                              rigid_asset("banana:0.4:0.06:6", 900), ball_asset(0.12, 2000)};
    pliant_world_def settings = pliant_world_defaults();
    pliant_world* world = NULL;
    settings.substeps = 16;
    settings.threads = 1;
    settings.gravity = vec(0, 0, 0);
    CHECK_OK(pliant_world_create(&settings, &world));
    pliant_body_id id[BODIES];
    double p[2][3] = {{0}}, l[2][3] = {{0}}, size[2] = {0}, energy[2];
    for (int i = 0; i < BODIES; ++i) {
        double x = cos(i * 2 * pi / BODIES), z = sin(i * 2 * pi / BODIES);
        pliant_body_def def = body_at(0.6 * x, 0.03 * i, 0.6 * z);
        def.velocity = vec(-2 * x + 0.3 * z, 0.1, -2 * z - 0.3 * x);
        def.angular_velocity = vec(i, -2, 1);
        id[i] = place_body(world, asset[i % 3], &def);
        add_momenta(world, id[i], p[0], l[0], &size[0]);
    }
    pliant_energies e;
    CHECK_OK(pliant_world_energies(world, &e));
    energy[0] = e.kinetic;
    run(world, 60, 1.0 / 60);
    for (int i = 0; i < BODIES; ++i) add_momenta(world, id[i], p[1], l[1], &size[1]);
    CHECK_OK(pliant_world_energies(world, &e));
    energy[1] = e.kinetic;
    for (int k = 0; k < 3; ++k) {
        CHECK_BETWEEN((p[1][k] - p[0][k]) / size[0], -1e-6, 1e-6);
        CHECK_BETWEEN((l[1][k] - l[0][k]) / size[0], -1e-6, 1e-6);
    }
    CHECK_BETWEEN(energy[1] / energy[0], 0.01, 0.95); // they did meet
    pliant_world_destroy(world);
    for (int i = 0; i < 3; ++i) pliant_asset_destroy(asset[i]);
}

// ---- with others --------------------------------------------------------------------------------

// A soft block carries a brick, and both rest.
static void soft_bodies_carry_rigid_ones(void** unused)
{
    (void)unused;
    pliant_asset* brick = rigid_asset("brick:0.3x0.1x0.3", 1000);
    pliant_world* world = make_world(0, 1);
    pliant_collider_id floor = add_incline(world, 0, 0.5);
    pliant_soft_def jelly = pliant_soft_defaults();
    jelly.material.young = 2e5;
    pliant_body_id soft = add_soft(world, box_mesh((int[3]){4, 3, 4}, 0.1, 0), &jelly, 0.01);
    pliant_body_def def = body_at(0.2, 0.37, 0.2);
    pliant_body_id id = place_body(world, brick, &def);
    run(world, 150, 1.0 / 60);
    double weight = 9.81 * (pliant_body_mass(world, soft) + pliant_body_mass(world, id));
    CHECK_CLOSE(push_on(world, floor), weight, 0.02);
    pliant_motion m = motion_of(world, id);
    CHECK_BETWEEN(m.center[1], 0.32, 0.37);
    CHECK_BETWEEN(m.rotation[3], 0.999, 1);
    pliant_world_destroy(world);
    pliant_asset_destroy(brick);
}

// All shapes of colliders stop a box, also those that others meet by particles alone.
static void all_colliders_carry_boxes(void** unused)
{
    (void)unused;
    const pliant_shape shapes[] = {PLIANT_SHAPE_PLANE, PLIANT_SHAPE_BOX, PLIANT_SHAPE_MESH,
                                   PLIANT_SHAPE_CONVEX, PLIANT_SHAPE_TRIANGLES};
    pliant_asset* brick = rigid_asset("brick:0.3x0.1x0.3", 1000);
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_generate("brick:2x1x2", &mesh));
    for (int i = 0; i < 5; ++i) {
        pliant_world* world = make_world(0, 1);
        pliant_collider_def def = pliant_collider_defaults();
        def.shape = shapes[i];
        def.half_extents = vec(1, 0.5, 1);
        def.mesh = mesh;
        def.position[1] = i ? -0.5 : 0;
        def.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
        CHECK_OK(pliant_world_add_collider(world, &def, NULL));
        pliant_body_def at = body_at(0.1, 0.1, -0.2);
        pliant_body_id id = place_body(world, brick, &at);
        run(world, 30, 1.0 / 60);
        pliant_motion m = motion_of(world, id);
        CHECK_BETWEEN(m.center[1], 0.049, 0.062);
        CHECK_BETWEEN(fabs(m.velocity[1]), 0, 1e-3);
        pliant_world_destroy(world);
    }
    pliant_mesh_destroy(mesh);
    pliant_asset_destroy(brick);
}

// Half in a plane, and half in another body.
static void what_starts_inside_comes_out_slowly(void** unused)
{
    (void)unused;
    pliant_asset* brick = rigid_asset("brick:0.2x0.2x0.2", 1000);
    pliant_world* world = make_world(0, 1);
    add_incline(world, 0, 0.5);
    pliant_body_def def = body_at(0, 0.02, 0);
    pliant_body_id id = place_body(world, brick, &def);
    double fastest = 0;
    for (int i = 0; i < 60; ++i) {
        run(world, 1, 1.0 / 60);
        fastest = fmax(fastest, motion_of(world, id).velocity[1]);
    }
    CHECK_BETWEEN(motion_of(world, id).center[1], 0.0995, 0.103);
    CHECK_BETWEEN(fastest, 0.05, 0.5);
    pliant_world_destroy(world);
    pliant_asset_destroy(brick);
}

// A slab that moves takes a box along, and one that tilts lets it slide.
static void moving_planes_carry_boxes(void** unused)
{
    (void)unused;
    pliant_asset* brick = rigid_asset("brick:0.2x0.1x0.2", 1000);
    pliant_world* world = make_world(0, 1);
    pliant_collider_def def = pliant_collider_defaults();
    def.velocity = vec(0.5, 0.2, 0);
    CHECK_OK(pliant_world_add_collider(world, &def, NULL));
    pliant_body_def at = body_at(0, 0.0508, 0);
    at.velocity = vec(0.5, 0.2, 0);
    pliant_body_id id = place_body(world, brick, &at);
    run(world, 60, 1.0 / 60);
    pliant_motion m = motion_of(world, id);
    CHECK_CLOSE(m.center[0], 0.5, 0.01);
    CHECK_CLOSE(m.center[1], 0.2508, 0.01);
    pliant_world_destroy(world);
    pliant_asset_destroy(brick);
}

// ---- the same bits ------------------------------------------------------------------------------

typedef struct {
    int threads, lanes;
    bool fresh, restored;
} way_to_run;

// Bricks, bananas and a ball fall on a plane, a box, a soft body and each other.
static pliant_world* make_heap(const way_to_run* way, pliant_asset* const asset[4])
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = 8;
    def.threads = way->threads;
    def.lanes = way->lanes;
    CHECK_OK(pliant_world_create(&def, &world));
    world->contacts.fresh = way->fresh;
    add_incline(world, 0.1, 0.4);
    pliant_collider_def box = pliant_collider_defaults();
    box.shape = PLIANT_SHAPE_BOX;
    box.half_extents = vec(0.2, 0.1, 0.2);
    box.restitution = 0.5f;
    CHECK_OK(pliant_world_add_collider(world, &box, NULL));
    for (int i = 0; i < 12; ++i) {
        pliant_body_def at = body_at(0.1 * (i % 3) - 0.1, 0.3 + 0.13 * i, 0.07 * (i % 2));
        at.rotation = (pliant_quat){(float)i, 1, 2, 3};
        at.contact.restitution = i % 4 ? 0 : 0.6f;
        place_body(world, asset[i % 4], &at);
    }
    return world;
}

static uint64_t run_heap(way_to_run way, pliant_asset* const asset[4])
{
    pliant_world* world = make_heap(&way, asset);
    run(world, 20, 1.0 / 60);
    if (way.restored) {
        size_t bytes = pliant_world_snapshot_size(world);
        void* data = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
        pliant_world* other = make_heap(&way, asset);
        run(other, 3, 1.0 / 60);
        CHECK_OK(pliant_world_snapshot_restore(other, data, bytes));
        assert_true(digest_of(world) == digest_of(other));
        pliant_world_destroy(world);
        free(data);
        world = other;
    }
    run(world, 20, 1.0 / 60);
    uint64_t digest = digest_of(world);
    pliant_world_destroy(world);
    return digest;
}

static void heaps_have_the_same_bits(void** unused)
{
    (void)unused;
    pliant_soft_def jelly = pliant_soft_defaults();
    pliant_mesh* mesh = box_mesh((int[3]){2, 1, 2}, 0.1, 0);
    pliant_asset* asset[4] = {rigid_asset("brick:0.2x0.08x0.1", 1000),
                              rigid_asset("banana:0.25:0.035:5", 900), ball_asset(0.06, 2000),
                              NULL};
    CHECK_OK(pliant_asset_create(mesh, &jelly, &asset[3]));
    pliant_mesh_destroy(mesh);
    uint64_t one = run_heap((way_to_run){1, 1, false, false}, asset);
    const way_to_run ways[] = {
        {2, 0, false, false}, {3, 4, false, false}, {1, 0, true, false}, {2, 0, false, true}};
    for (int i = 0; i < 4; ++i)
        if (run_heap(ways[i], asset) != one) fail_msg("way %d has other bits", i);
    for (int i = 0; i < 4; ++i) pliant_asset_destroy(asset[i]);
}

static pliant_result add_floor(pliant_world* world, const pliant_body_id* bodies)
{
    pliant_collider_def def = pliant_collider_defaults();
    (void)bodies;
    return pliant_world_add_collider(world, &def, NULL);
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    const failing_world w = {"brick:1x1x1", 2, {0.5, 1.51}, 0.01f, add_floor, true};
    check_failing_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_stick_and_slide_as_coulomb_says),
        cmocka_unit_test(balls_roll),
        cmocka_unit_test(a_stack_of_ten_stands_still),
        cmocka_unit_test(a_pyramid_shares_its_weight),
        cmocka_unit_test(a_card_house_stands),
        cmocka_unit_test(balls_and_boxes_part_as_fast_as_they_are_to),
        cmocka_unit_test(balls_bounce_with_friction),
        cmocka_unit_test(momentum_and_angular_momentum_are_kept),
        cmocka_unit_test(soft_bodies_carry_rigid_ones),
        cmocka_unit_test(all_colliders_carry_boxes),
        cmocka_unit_test(what_starts_inside_comes_out_slowly),
        cmocka_unit_test(moving_planes_carry_boxes),
        cmocka_unit_test(heaps_have_the_same_bits),
        cmocka_unit_test(every_allocation_may_fail),
    };
    pliant_set_log(NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
