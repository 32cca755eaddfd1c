// What a look at a world finds before it starts.
#include "scene.h"
#include <string.h>

enum { MOST = 32 };
static const float dt = 1.0f / 60;

typedef struct {
    pliant_finding found[MOST];
    int count;
} findings;

static findings look(pliant_world* world)
{
    findings f = {.count = 0};
    uint64_t before = get_digest(world);
    f.count = get_findings(world, dt, f.found, MOST);
    assert_true(f.count >= 0);
    assert_true(get_digest(world) == before);
    return f;
}

static int count_kind(const findings* f, pliant_finding_kind kind)
{
    int count = 0;
    for (int i = 0; i < f->count; ++i) count += f->found[i].kind == kind;
    return count;
}

// The one finding of a kind.
static const pliant_finding* only(const findings* f, pliant_finding_kind kind)
{
    const pliant_finding* found = NULL;
    for (int i = 0; i < f->count; ++i) {
        if (f->found[i].kind != kind) continue;
        if (found) fail_msg("found twice: %s; %s", found->text, f->found[i].text);
        found = &f->found[i];
    }
    if (!found) fail_msg("kind %d was not found", (int)kind);
    print_message("    %s\n", found->text);
    return found;
}

static void check_says(const pliant_finding* f, const char* words)
{
    if (!strstr(f->text, words)) fail_msg("\"%s\" does not say \"%s\"", f->text, words);
}

static pliant_body_id add_at(pliant_world* world, pliant_mesh* mesh, double x, double y, double z)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

static pliant_mesh* block(void) { return box_mesh((int[3]){2, 2, 2}, 0.1, 0); }

static void nothing_is_found_where_all_is_well(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    add_at(world, block(), 0, 1, 0);
    assert_int_equal(look(world).count, 0);
    pliant_world_destroy(world);
}

static void body_inside_is_found_with_its_way_out(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_collider_def floor = pliant_collider_defaults();
    pliant_collider_id id = new_collider(world, &floor);
    pliant_body_id body = add_at(world, block(), 0, -0.07, 0);
    findings f = look(world);
    const pliant_finding* one = only(&f, PLIANT_FINDING_INSIDE);
    assert_memory_equal(&one->body, &body, sizeof body);
    assert_memory_equal(&one->collider, &id, sizeof id);
    CHECK_CLOSE(one->size, 0.07, 1e-5);
    CHECK_CLOSE((double)one->way.y, 0.07, 1e-5);
    pliant_world_destroy(world);
}

static void body_without_room_is_found(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_collider_def plane = pliant_collider_defaults();
    new_collider(world, &plane);
    plane.position[1] = 0.15;
    plane.rotation = (pliant_quat){1, 0, 0, 0};
    new_collider(world, &plane);
    add_at(world, block(), 0, 0, 0);
    findings f = look(world);
    check_says(only(&f, PLIANT_FINDING_NO_ROOM), "no room");
    pliant_world_destroy(world);
}

// ---- too small, too fast ------------------------------------------------------------------------

// Whether a ball below a cloth of cells of 0.1 m is told to be too small.
static bool ball_is_small(double radius, double height)
{
    pliant_world* world = make_world(20, 1);
    pliant_collider_def ball = pliant_collider_defaults();
    ball.shape = PLIANT_SHAPE_SPHERE;
    ball.radius = (float)radius;
    ball.position[1] = height;
    ball.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    new_collider(world, &ball);
    add_at(world, generate("cloth:10x10:1x1"), 0, 1, 0);
    findings f = look(world);
    pliant_world_destroy(world);
    if (count_kind(&f, PLIANT_FINDING_SMALL)) check_says(only(&f, PLIANT_FINDING_SMALL), "radius");
    return count_kind(&f, PLIANT_FINDING_SMALL) == 1;
}

static void ball_smaller_than_a_cell_is_found(void** unused)
{
    (void)unused;
    assert_true(ball_is_small(0.04, 0));
    assert_false(ball_is_small(0.2, 0));
    assert_false(ball_is_small(0.04, 3)); // the cloth falls away from it
}

// Whether a block that falls on a plate at that speed from 0.2 m above is told to go through.
static int plate_is_passed(double speed, double thickness, int substeps)
{
    pliant_world* world = make_world(substeps, 1);
    pliant_collider_def plate = pliant_collider_defaults();
    plate.shape = PLIANT_SHAPE_BOX;
    plate.half_extents = (pliant_vec3){1, (float)(thickness / 2), 1};
    plate.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    new_collider(world, &plate);
    pliant_body_id body = add_at(world, block(), 0, 0.2, 0);
    write_velocity(world, body, vec(0, -speed, 0));
    findings f = look(world);
    int wanted = 0;
    if (count_kind(&f, PLIANT_FINDING_FAST)) {
        const char* text = strstr(only(&f, PLIANT_FINDING_FAST)->text, "use ");
        assert_non_null(text);
        wanted = atoi(text + 4);
    }
    pliant_world_destroy(world);
    return wanted;
}

static void body_too_fast_for_a_plate_is_found_with_the_substeps_to_use(void** unused)
{
    (void)unused;
    int wanted = plate_is_passed(50, 0.02, 20);
    CHECK_BETWEEN(wanted, 50 / 60.0 / 0.01, 1.1 * 50 / 60.0 / 0.01);
    assert_int_equal(plate_is_passed(50, 0.02, wanted), 0);
    assert_int_equal(plate_is_passed(5, 0.02, 20), 0);
    assert_int_equal(plate_is_passed(50, 0.2, 20), 0);
}

// What falls from high above is fast, too: 20 m/s after 20.4 m.
static void speed_of_the_fall_counts(void** unused)
{
    (void)unused;
    for (int high = 0; high < 2; ++high) {
        pliant_world* world = make_world(20, 1);
        pliant_collider_def plate = pliant_collider_defaults();
        plate.shape = PLIANT_SHAPE_BOX;
        plate.half_extents = (pliant_vec3){1, 0.005f, 1};
        plate.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
        new_collider(world, &plate);
        add_at(world, block(), 0, high ? 20.4 : 1, 0);
        findings f = look(world);
        assert_int_equal(count_kind(&f, PLIANT_FINDING_FAST), high);
        if (high) CHECK_CLOSE(only(&f, PLIANT_FINDING_FAST)->size, 20, 0.02);
        pliant_world_destroy(world);
    }
}

// ---- bodies -------------------------------------------------------------------------------------

static int overlaps_of(pliant_mesh* one, pliant_mesh* other, double x, double y, double z)
{
    pliant_world* world = make_world(20, 1);
    add_at(world, one, 0, 0, 0);
    add_at(world, other, x, y, z);
    findings f = look(world);
    pliant_world_destroy(world);
    return count_kind(&f, PLIANT_FINDING_OVERLAP);
}

static void overlapping_bodies_are_found(void** unused)
{
    (void)unused;
    assert_int_equal(overlaps_of(block(), block(), 0.19, 0.19, 0.19), 1);
    assert_int_equal(overlaps_of(block(), block(), 0, 0.2, 0), 0);    // one stands on the other
    assert_int_equal(overlaps_of(block(), block(), 0.2, 0.05, 0), 0); // side by side
    assert_int_equal(overlaps_of(block(), block(), 0.05, 0.05, 0.05), 1);
    assert_int_equal(overlaps_of(block(), block(), 3, 0, 0), 0);
}

// Boxes overlap, bodies do not: a small ball in the hole of a ring, and beams that cross.
static void elements_decide_and_not_boxes(void** unused)
{
    (void)unused;
    assert_int_equal(overlaps_of(generate("torus:1:0.2:4"), generate("sphere:0.3:4"), 0, 0, 0), 0);
    assert_int_equal(overlaps_of(generate("torus:1:0.2:4"), generate("sphere:0.3:4"), 1, 0, 0), 1);
    pliant_mesh *along = box_mesh((int[3]){5, 1, 1}, 0.1, 0),
                *across = box_mesh((int[3]){1, 1, 5}, 0.1, 0);
    assert_int_equal(overlaps_of(along, across, 0.21, 0.03, -0.2), 1); // no particle is inside
}

static void cloth_in_a_body_is_found(void** unused)
{
    (void)unused;
    assert_int_equal(overlaps_of(block(), generate("cloth:10x10:1x1"), 0, 0.05, 0), 1);
    assert_int_equal(overlaps_of(block(), generate("cloth:10x10:1x1"), 0, 0.1, 0), 1); // a layer
    assert_int_equal(overlaps_of(block(), generate("cloth:10x10:1x1"), 0, 0.2, 0), 0); // lies on it
    assert_int_equal(overlaps_of(block(), generate("rope:1:10"), -0.5, 0.12, 0.13), 1);
}

static void one_body_has_nobody_to_collide_with(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    add_at(world, block(), 0, 0, 0);
    assert_int_equal(look(world).count, 0);
    pliant_world_destroy(world);
}

static void no_more_are_told_than_there_is_room_for(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_finding found[3];
    for (int i = 0; i < 5; ++i) add_at(world, block(), 0.01 * i, 0, 0);
    assert_int_equal(get_findings(world, dt, found, 3), 3);
    assert_int_equal(look(world).count, 5 * 4 / 2);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_where_all_is_well),
        cmocka_unit_test(body_inside_is_found_with_its_way_out),
        cmocka_unit_test(body_without_room_is_found),
        cmocka_unit_test(ball_smaller_than_a_cell_is_found),
        cmocka_unit_test(body_too_fast_for_a_plate_is_found_with_the_substeps_to_use),
        cmocka_unit_test(speed_of_the_fall_counts),
        cmocka_unit_test(overlapping_bodies_are_found),
        cmocka_unit_test(elements_decide_and_not_boxes),
        cmocka_unit_test(cloth_in_a_body_is_found),
        cmocka_unit_test(one_body_has_nobody_to_collide_with),
        cmocka_unit_test(no_more_are_told_than_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
