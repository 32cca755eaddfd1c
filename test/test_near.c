// Near pairs of contacts: lists, which are kept for several substeps, miss none that a look at all
// pairs finds.
#include "check.h"
#include "contact/near.h"
#include "world/world.h"

static void add(pliant_world* world, const char* words, double x, double y, double spin,
                double speed)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_body_id id;
    CHECK_OK(pliant_mesh_generate(words, &mesh));
    soft.material.young = 1e5;
    soft.cloth.stretch = 200;
    def.position[0] = x;
    def.position[1] = y;
    def.velocity.y = (float)-speed;
    def.angular_velocity.z = (float)spin;
    def.contact.self = true;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    CHECK_OK(pliant_world_add_body(world, asset, &def, &id));
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
}

// Of all kinds, some fast, some turning, some folding.
static pliant_world* make_heap(int lanes)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    pliant_collider_id id;
    pliant_world* world = NULL;
    def.threads = 1;
    def.lanes = lanes;
    def.substeps = 10;
    CHECK_OK(pliant_world_create(&def, &world));
    CHECK_OK(pliant_world_add_collider(world, &floor, &id));
    add(world, "torus:0.15:0.06:2", 0, 0.1, 0, 0);
    add(world, "sphere:0.1:3", 0.05, 0.33, 20, 3);
    add(world, "cloth:7x7:0.5x0.5", -0.2, 0.5, 0, 5);
    add(world, "rope:0.6:10", -0.3, 0.56, 3, 1);
    return world;
}

static bool is_found(const contact_set* s, uint64_t key)
{
    for (int i = 0; i < s->pair_count; ++i)
        if (s->pair[i].key == key) return true;
    return false;
}

// Of two elements of the world. Returns how many of their pairs may meet.
static int check_elements(const contact_set* s, int first, int second)
{
    near_elements n;
    candidate c;
    pair_state found;
    int near = 0;
    take_elements(s, first, second, &n);
    if (n.kind == OF_ONE && !n.body[0]->self) return 0;
    if (!n.body[0]->meets || !n.body[1]->meets) return 0;
    unsigned all = own_pairs(n.of[0], n.of[1]);
    if (n.kind == OF_ONE) {
        const near_element e[2] = {look_at_element(&n, 0), look_at_element(&n, 1)};
        all &= ~touching_pairs(e);
    }
    for (int sub = 0; sub < SUBS; ++sub) {
        if (!(all & 1u << sub)) continue;
        take_candidate(&n, sub, &c);
        pair_measure(c.kind, c.place, &found);
        if (!is_pair(&n, &c, &found)) continue;
        ++near;
        if (!is_found(s, pair_key(first, second, sub)))
            fail_msg("elements %d and %d of bodies %d and %d, pair %d, are %g m apart, and in no "
                     "list",
                     first, second, n.number[0], n.number[1], sub, (double)found.distance);
    }
    return near;
}

static void check_lists(int lanes, int steps)
{
    pliant_world* world = make_heap(lanes);
    const contact_set* s = &world->contacts.set;
    int near = 0, lists = 0, substeps = 0;
    for (int step = 0; step < steps; ++step) {
        CHECK_OK(pliant_world_step(world, 1.0f / 60));
        lists += world->contacts.figures.lists;
        substeps += 10;
        for (int i = 0; i < s->element_count; ++i)
            for (int k = i + 1; k < s->element_count; ++k) near += check_elements(s, i, k);
    }
    assert_true(near > 100);
    if (lists >= 4 * substeps)
        fail_msg("%d lists in %d substeps: they are to be kept", lists, substeps);
    pliant_world_destroy(world);
}

static void lists_miss_no_pair(void** unused)
{
    (void)unused;
    check_lists(0, by_scope(6, 8, 60));
}

static void lists_of_any_lanes_miss_no_pair(void** unused)
{
    (void)unused;
    for (int lanes = 1; lanes <= 8; lanes = lanes == 1 ? 4 : 2 * lanes)
        check_lists(lanes, by_scope(3, 4, 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_miss_no_pair),
                                       cmocka_unit_test(lists_of_any_lanes_miss_no_pair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
