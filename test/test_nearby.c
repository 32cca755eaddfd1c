// Many colliders: those near a body are found by a tree, with the bits of a loop over all of them.
#include "cuda_table.h"
#include "world/world.h"

static uint64_t digest_by(const cast* c, bool unused)
{
    stage s = open_stage(c, PLIANT_BACKEND_CPU);
    s.world->nearby.unused = unused;
    for (int i = 0; i < scene_steps(c->scene); ++i) play(&s, i, 1);
    uint64_t digest = digest_of_stage(&s);
    if ((s.world->nearby.view.leaf_count > 0) == unused) fail_msg("%s", "the tree is not as asked");
    pliant_world_destroy(s.world);
    return digest;
}

static void a_tree_gives_the_bits_of_a_loop(void** unused)
{
    (void)unused;
    static const char* const names[] = {"many colliders", "many colliders that move",
                                        "many colliders, colored, iterations",
                                        "many colliders and a bad start"};
    for (int i = 0; i < 4; ++i) {
        cast c = make_cast(scene_named(names[i]));
        if (digest_by(&c, false) != digest_by(&c, true)) fail_msg("%s: another digest", names[i]);
        release_cast(&c);
    }
}

static pliant_world* field_of_boxes(pliant_collider_id* out, int side)
{
    pliant_world* world = make_world(4, 1);
    for (int i = 0; i < side * side; ++i) {
        pliant_collider_def def = pliant_collider_defaults();
        def.shape = PLIANT_SHAPE_BOX;
        def.half_extents = vec(0.05, 0.05, 0.05);
        def.position[0] = 0.1 * (i % side);
        def.position[2] = 0.1 * (i / side);
        def.position[1] = -0.05 - 0.003 * (i % 7);
        out[i] = new_collider(world, &def);
    }
    return world;
}

// Removed, added, put elsewhere, and pushed from below: the tree follows.
static uint64_t change_a_field(bool unused)
{
    enum { SIDE = 8 };
    pliant_collider_id id[SIDE * SIDE];
    pliant_world* world = field_of_boxes(id, SIDE);
    world->nearby.unused = unused;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.patch_rows = 30;
    add_soft(world, box_mesh((int[3]){6, 2, 6}, 0.1, 0), &soft, 0.01);
    const pliant_quat straight = {0, 0, 0, 1};
    for (int i = 0; i < 30; ++i) {
        if (i == 5) pliant_collider_remove(world, id[20]);
        if (i == 8) {
            pliant_collider_def plane = pliant_collider_defaults();
            plane.position[1] = -0.1;
            new_collider(world, &plane);
        }
        if (i == 12)
            CHECK_OK(
                pliant_collider_set_pose(world, id[30], (double[3]){0.33, 0.02, 0.3}, straight));
        if (i == 16)
            CHECK_OK(pliant_collider_set_velocity(world, id[10], vec(0.5, 1, 0), vec(0, 3, 0)));
        CHECK_OK(pliant_world_step(world, 0.01f));
    }
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void the_tree_follows_what_changes(void** unused)
{
    (void)unused;
    assert_true(change_a_field(false) == change_a_field(true));
}

static nearby_box box_of(double x, double size)
{
    return (nearby_box){{x, 0, 0}, {x + size, size, size}};
}

// More at once than a list holds, in ascending order.
static void lists_go_on_where_they_ended(void** unused)
{
    (void)unused;
    enum { COUNT = 64, LEAVES = COUNT / NEARBY_LEAF };
    nearby_box node[2 * LEAVES - 1], own[COUNT + 1];
    int order[COUNT], wide[1] = {COUNT}, found = 0;
    for (int i = 0; i < COUNT; ++i) {
        order[i] = i * 37 % COUNT;
        own[order[i]] = box_of(i, 0.5);
    }
    for (int i = 2 * LEAVES - 2; i >= 0; --i) {
        int level = 0, first = i;
        while (first < LEAVES - 1) first = 2 * first + 1, level++;
        double start = NEARBY_LEAF * (first - (LEAVES - 1));
        node[i] = box_of(start, NEARBY_LEAF * (1 << level) - 0.5);
    }
    const nearby_tree t = {node, own, order, wide, COUNT, LEAVES, 1};
    const double low[3] = {3.2, 0.1, 0.1}, high[3] = {50.2, 0.2, 0.2};
    nearby_list l;
    int after = -1, last = -1;
    do {
        nearby_find(&t, low, high, after, &l);
        for (int i = 0; i < l.count; ++i) {
            assert_true(l.number[i] > last);
            last = l.number[i];
            assert_true(last == COUNT || nearby_meets(&own[last], low, high));
            found++;
        }
        after = last;
    } while (l.more);
    assert_int_equal(found, 48 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_gives_the_bits_of_a_loop),
        cmocka_unit_test(the_tree_follows_what_changes),
        cmocka_unit_test(lists_go_on_where_they_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
