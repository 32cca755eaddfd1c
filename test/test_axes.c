// Pins along axes: rollers and planes of symmetry.
#include "scene.h"

static void pin_face(pliant_world* world, pliant_body_id body, int axis, unsigned axes)
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i) {
        unsigned before = get_particle(world, body, i).axes;
        if (fabs(x[i].x[axis]) < 1e-9) pliant_body_pin_axes(world, body, i, before | axes);
    }
    free(x);
}

static const unsigned axis_bit[3] = {PLIANT_AXIS_X, PLIANT_AXIS_Y, PLIANT_AXIS_Z};

// Of the face at the far end along an axis.
static double mean_strain(const pliant_world* world, pliant_body_id body, const place* rest,
                          int axis, double length)
{
    int count = pliant_body_particle_count(world, body), found = 0;
    place* x = read_places(world, body);
    double sum = 0;
    for (int i = 0; i < count; ++i)
        if (fabs(rest[i].x[axis] - length) < 1e-9) {
            sum += x[i].x[axis] / length - 1;
            found++;
        }
    free(x);
    return sum / found;
}

// A bar in tension with three planes of symmetry is strained alike everywhere: F = A E strain, and
// it becomes thinner by nu times that.
static void a_bar_on_three_planes_shows_young_and_poisson(void** unused)
{
    (void)unused;
    const double young = 1e5, poisson = 0.3, strain = 0.005;
    pliant_world* world = make_still_world(20, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = young;
    soft.material.poisson = poisson;
    soft.material.damping = 0.02;
    pliant_body_id body = add_soft(world, box_mesh((int[3]){6, 3, 3}, 0.1, 0), &soft, 0);
    int count = pliant_body_particle_count(world, body);
    place* rest = read_places(world, body);
    for (int k = 0; k < 3; ++k) pin_face(world, body, k, axis_bit[k]);
    for (int i = 0; i < count; ++i) { // a particle's share of the end's area
        bool edge_y = fabs(rest[i].x[1]) < 1e-9 || fabs(rest[i].x[1] - 0.3) < 1e-9;
        bool edge_z = fabs(rest[i].x[2]) < 1e-9 || fabs(rest[i].x[2] - 0.3) < 1e-9;
        double area = 0.01 * (edge_y ? 0.5 : 1) * (edge_z ? 0.5 : 1);
        if (fabs(rest[i].x[0] - 0.6) > 1e-9) continue;
        pliant_body_add_force(world, body, i, vec(young * strain * area, 0, 0));
    }
    run(world, 150, 1.0 / 60);
    for (int k = 0; k < 3; ++k) {
        double found = mean_strain(world, body, rest, k, k == 0 ? 0.6 : 0.3);
        print_message("    strain %.6f along axis %d\n", found, k);
        CHECK_CLOSE(found, k == 0 ? strain : -poisson * strain, 0.02);
    }
    free(rest);
    pliant_world_destroy(world);
}

static uint64_t roll(int threads, int lanes, bool restored)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.threads = threads;
    def.lanes = lanes;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.patch_rows = 40;
    pliant_body_id body = add_soft(world, box_mesh((int[3]){5, 4, 3}, 0.1, 0.2), &soft, 0);
    pin_face(world, body, 0, PLIANT_AXIS_X);
    shake(world, body);
    run(world, 5, 1.0 / 60);
    if (restored) {
        size_t bytes = pliant_world_snapshot_size(world);
        void* kept = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, kept, bytes));
        for (int i = 0; i < 20; ++i) pliant_body_unpin(world, body, i);
        run(world, 3, 1.0 / 60);
        CHECK_OK(pliant_world_snapshot_restore(world, kept, bytes));
        free(kept);
    }
    run(world, 5, 1.0 / 60);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void rolling_bodies_have_the_same_bits_everywhere(void** unused)
{
    (void)unused;
    uint64_t digest = roll(1, 1, false);
    assert_true(roll(2, 16, false) == digest);
    assert_true(roll(1, 4, true) == digest);
}

static void all_axes_are_a_pin_and_none_is_no_pin(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(5, 1);
    pliant_body_id body = add_box(world, 1);
    pliant_body_pin_axes(world, body, 3, PLIANT_AXIS_X | PLIANT_AXIS_Y | PLIANT_AXIS_Z);
    assert_true(get_particle(world, body, 3).pinned);
    pliant_body_pin_axes(world, body, 3, PLIANT_AXIS_Z);
    assert_false(get_particle(world, body, 3).pinned);
    assert_int_equal(get_particle(world, body, 3).axes, PLIANT_AXIS_Z);
    pliant_body_pin_axes(world, body, 3, 0);
    assert_int_equal(get_particle(world, body, 3).axes, 0);
    pliant_world_destroy(world);
}

// How far the lowest corner falls within 0.2 s after all particles were held along y, and freed.
static double fall_after(unsigned before, unsigned after, bool unpinned)
{
    pliant_world* world = make_world(8, 1);
    pliant_body_id body = add_box(world, 1);
    int count = pliant_body_particle_count(world, body);
    for (int i = 0; i < count; ++i) pliant_body_pin_axes(world, body, i, before);
    run(world, 2, 0.01);
    double start = read_place(world, body, 0).x[1];
    for (int i = 0; i < count; ++i)
        if (unpinned)
            CHECK_OK(pliant_body_unpin(world, body, i));
        else
            CHECK_OK(pliant_body_pin_axes(world, body, i, after));
    run(world, 20, 0.01);
    double fallen = start - read_place(world, body, 0).x[1];
    pliant_world_destroy(world);
    return fallen;
}

static void what_was_held_along_axes_falls_when_it_is_free(void** unused)
{
    (void)unused;
    const double free_fall = 0.5 * 9.81 * 0.04;
    const unsigned y = PLIANT_AXIS_Y, x = PLIANT_AXIS_X, all = x | y | PLIANT_AXIS_Z;
    CHECK_CLOSE(fall_after(y, 0, true), free_fall, 0.02);
    CHECK_CLOSE(fall_after(x | y, 0, true), free_fall, 0.02);
    CHECK_CLOSE(fall_after(all, 0, true), free_fall, 0.02);
    CHECK_CLOSE(fall_after(y, 0, false), free_fall, 0.02);
    CHECK_CLOSE(fall_after(y, x, false), free_fall, 0.02);
    CHECK_BETWEEN(fall_after(x, y, false), -1e-9, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_on_three_planes_shows_young_and_poisson),
        cmocka_unit_test(rolling_bodies_have_the_same_bits_everywhere),
        cmocka_unit_test(all_axes_are_a_pin_and_none_is_no_pin),
        cmocka_unit_test(what_was_held_along_axes_falls_when_it_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
