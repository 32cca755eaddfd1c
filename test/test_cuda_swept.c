// Colliders that meet triangles and edges, on a GPU: the same bits as on the CPU, and the same to
// read. Without a GPU it is skipped, by name.
#include "cuda_scenes.h"
#include "swept_scenes.h"
#include "world/world.h"

static const double dt = 1.0 / 240;

// ---- scenes -------------------------------------------------------------------------------------

static pliant_world* ball(void) { return ball_under_sheet(20, 0); }
static pliant_world* ball_few(void) { return ball_under_sheet(50, 3); }
static pliant_world* sheet_falls(void) { return body_over_plate(true, 3); }
static pliant_world* block_falls(void) { return body_over_plate(false, 4); }
static pliant_world* plate_rises(void) { return body_over_fast_plate(false); }
static pliant_world* plate_hits_sheet(void) { return body_over_fast_plate(true); }
static pliant_world* turning_ball(void) { return sheet_on_turning_ball(false); }
static pliant_world* belt(void) { return sheet_on_turning_ball(true); }
static pliant_world* balls(void) { return make_balls(1); }

static pliant_world* edge(void)
{
    pliant_world* world = make_world(8, 1);
    pliant_collider_def box = standing_box();
    box.restitution = 0.5f;
    new_collider(world, &box);
    stiff_sheet(world, 0.01);
    return world;
}

// Of the second order, in double, with iterations: a block that bounces on a small ball.
static pliant_world* block_on_ball(void)
{
    pliant_world* world = make_world(6, 2);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.integrator = PLIANT_INTEGRATOR_BDF2;
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_collider_def ball = ball_def(0.03, 0.1, 0, 0.1);
    ball.restitution = 0.7f;
    new_collider(world, &ball);
    pliant_body_def def = pliant_body_defaults();
    def.position[1] = 0.05;
    def.velocity = vec(0, -2, 0);
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    return world;
}

// Colliders that nobody needs until a block is fast enough; another one lies on the floor.
static pliant_world* calm_and_fast(void)
{
    pliant_world* world = make_world(4, 1);
    pliant_collider_def slab = plate_def(1, 0.05, 1, -0.05), step = plate_def(0.2, 0.1, 0.2, 0.1);
    step.position[0] = 0.9;
    new_collider(world, &slab);
    new_collider(world, &step);
    add_block(world, 0.004, vec(0, 0, 0));
    add_block(world, 0.9, vec(0, -14, 0));
    return world;
}

typedef struct {
    const char* name;
    pliant_world* (*make)(void);
    int steps;
    double dt; // [s]
} swept_scene;

static const swept_scene scenes[] = {
    {"a ball and a sheet", ball, 12, 1.0 / 240},
    {"a ball and a sheet, few substeps", ball_few, 8, 1.0 / 240},
    {"a sheet and a slab", sheet_falls, 8, 1.0 / 240},
    {"a block and a slab", block_falls, 10, 1.0 / 240},
    {"a fast slab and a block", plate_rises, 8, 1.0 / 240},
    {"a fast slab and a sheet", plate_hits_sheet, 6, 1.0 / 240},
    {"a blade that turns", blade_and_block, 12, 1.0 / 240},
    {"a small mesh and a sheet", mesh_under_sheet, 6, 1.0 / 240},
    {"a sheet on an edge", edge, 8, 1.0 / 60},
    {"a rope over a rod", rope_over_rod, 6, 1.0 / 60},
    {"a sheet on a ball that turns", turning_ball, 4, 1.0 / 60},
    {"a sheet on a belt", belt, 3, 1.0 / 60},
    {"two sheets on balls and a slab", balls, 6, 1.0 / 120},
    {"a block that bounces, BDF2, double", block_on_ball, 10, 1.0 / 120},
    {"blocks of which one is fast", calm_and_fast, 16, 1.0 / 120},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static pliant_world* make_on(pliant_world* (*make)(void), pliant_backend backend)
{
    made_on = backend;
    pliant_world* world = make();
    made_on = PLIANT_BACKEND_AUTO;
    return world;
}

// ---- the same bits ------------------------------------------------------------------------------

static void check_forces(const char* name, const pliant_world* here, const pliant_world* there)
{
    enum { MOST = 8 };
    pliant_collider_id id[MOST];
    int count = pliant_world_colliders(here, id, MOST);
    for (int i = 0; i < count; ++i) {
        double force[2][3], torque[2][3];
        CHECK_OK(pliant_collider_force(here, id[i], force[0], torque[0]));
        CHECK_OK(pliant_collider_force(there, id[i], force[1], torque[1]));
        if (memcmp(force[0], force[1], sizeof force[0]) ||
            memcmp(torque[0], torque[1], sizeof torque[0]))
            fail_msg("%s: collider %d has %g N on the CPU and %g N on the GPU", name, i,
                     force[0][1], force[1][1]);
    }
}

static void check_contacts(const char* name, const pliant_world* here, const pliant_world* there)
{
    enum { MOST = 2048 };
    static pliant_contact a[MOST], b[MOST];
    int count[2];
    CHECK_OK(pliant_world_read_contacts(here, a, MOST, &count[0]));
    CHECK_OK(pliant_world_read_contacts(there, b, MOST, &count[1]));
    if (count[0] != count[1])
        fail_msg("%s: %d contacts on the CPU, %d on the GPU", name, count[0], count[1]);
    for (int i = 0; i < count[0] && i < MOST; ++i) {
        assert_int_equal(a[i].collider.index1, b[i].collider.index1);
        assert_memory_equal(a[i].force, b[i].force, sizeof a->force);
    }
}

static void surfaces_have_the_same_bits(void** of)
{
    need_gpu();
    const swept_scene* s = (const swept_scene*)*of;
    pliant_world *here = make_on(s->make, PLIANT_BACKEND_CPU),
                 *there = make_on(s->make, PLIANT_BACKEND_CUDA);
    int most = 0;
    for (int i = 0; i < s->steps; ++i) {
        run(here, 1, s->dt);
        run(there, 1, s->dt);
        int near = pliant_world_contact_stats(here).near_pairs;
        if (near > most) most = near;
        if (i % 3 && i + 1 < s->steps) continue;
        if (get_digest(here) != get_digest(there))
            fail_msg("%s: other bits by step %d", s->name, i);
        check_forces(s->name, here, there);
        check_contacts(s->name, here, there);
    }
    if (most == 0) fail_msg("%s: nobody met a surface", s->name);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

// Steps that find more than there is room for are repeated.
static void without_room_it_is_the_same(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world *here = make_on(balls, PLIANT_BACKEND_CPU),
                 *there = make_on(balls, PLIANT_BACKEND_CUDA);
    there->contacts.room = 2;
    run(here, 4, 2 * dt);
    run(there, 4, 2 * dt);
    assert_true(get_digest(here) == get_digest(there));
    check_forces("no room", here, there);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

// ---- changes between steps ----------------------------------------------------------------------

static void snapshots_go_on_the_same(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world *here = make_on(balls, PLIANT_BACKEND_CPU),
                 *there = make_on(balls, PLIANT_BACKEND_CUDA);
    run(here, 4, 2 * dt);
    size_t bytes = pliant_world_snapshot_size(here);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(here, data, bytes));
    run(there, 1, 2 * dt);
    CHECK_OK(pliant_world_snapshot_restore(there, data, bytes));
    run(here, 3, 2 * dt);
    run(there, 3, 2 * dt);
    assert_true(get_digest(here) == get_digest(there));
    free(data);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

// They are put elsewhere, leave and come while bodies touch them.
static void colliders_come_and_go(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world* world[2] = {make_on(balls, PLIANT_BACKEND_CPU),
                              make_on(balls, PLIANT_BACKEND_CUDA)};
    for (int w = 0; w < 2; ++w) {
        pliant_collider_id ids[3];
        run(world[w], 3, 2 * dt);
        assert_int_equal(pliant_world_colliders(world[w], ids, 3), 3);
        pliant_collider_remove(world[w], ids[0]);
        run(world[w], 2, 2 * dt);
        pliant_collider_def ball = ball_def(0.02, 0, -0.2, 0);
        new_collider(world[w], &ball);
        CHECK_OK(pliant_collider_set_pose(world[w], ids[1], (double[3]){0.1, -0.3, 0},
                                          (pliant_quat){0, 0, 0, 1}));
        run(world[w], 2, 2 * dt);
        pliant_collider_remove(world[w], ids[2]);
        run(world[w], 2, 2 * dt);
    }
    assert_true(get_digest(world[0]) == get_digest(world[1]));
    for (int w = 0; w < 2; ++w) pliant_world_destroy(world[w]);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest others[] = {
        cmocka_unit_test(without_room_it_is_the_same),
        cmocka_unit_test(snapshots_go_on_the_same),
        cmocka_unit_test(colliders_come_and_go),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[SCENES + OTHERS] = {{0}};
    for (int i = 0; i < SCENES; ++i) {
        tests[i].name = scenes[i].name;
        tests[i].test_func = surfaces_have_the_same_bits;
        tests[i].initial_state = (void*)(uintptr_t)&scenes[i];
    }
    memcpy(tests + SCENES, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
