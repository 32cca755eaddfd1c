// Joints on a GPU: the same bits as on the CPU, and the same to read. Without a GPU it is skipped,
// by name.
#include "cuda_scenes.h"
#include "joint_scenes.h"
#include "world/world.h"

// ---- scenes -------------------------------------------------------------------------------------

static pliant_soft_def soft_like(pliant_integrator integrator, pliant_schedule schedule,
                                 pliant_precision precision)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.integrator = integrator;
    soft.solver.schedule = schedule;
    soft.solver.precision = precision;
    soft.solver.patch_rows = 24;
    return soft;
}

static pliant_world* hang_usual(void)
{
    pliant_soft_def soft = soft_like(PLIANT_INTEGRATOR_FORESIGHT, PLIANT_SCHEDULE_PATCHED, 0);
    return hang(&soft, 8, 1, 0).world;
}
static pliant_world* hang_implicit(void)
{
    pliant_soft_def soft = soft_like(PLIANT_INTEGRATOR_IMPLICIT_EULER, PLIANT_SCHEDULE_PATCHED, 0);
    return hang(&soft, 8, 1, 0).world;
}
static pliant_world* hang_second_order(void)
{
    pliant_soft_def soft = soft_like(PLIANT_INTEGRATOR_BDF2, PLIANT_SCHEDULE_PATCHED, 0);
    return hang(&soft, 8, 1, 0).world;
}
static pliant_world* hang_colored(void)
{
    pliant_soft_def soft = soft_like(PLIANT_INTEGRATOR_FORESIGHT, PLIANT_SCHEDULE_COLORED, 0);
    return hang(&soft, 6, 1, 0).world;
}
static pliant_world* hang_jacobi(void)
{
    pliant_soft_def soft = soft_like(PLIANT_INTEGRATOR_FORESIGHT, PLIANT_SCHEDULE_JACOBI, 0);
    return hang(&soft, 6, 1, 0).world;
}
static pliant_world* hang_exactly(void)
{
    pliant_soft_def soft =
        soft_like(PLIANT_INTEGRATOR_FORESIGHT, PLIANT_SCHEDULE_PATCHED, PLIANT_PRECISION_DOUBLE);
    return hang(&soft, 6, 3, 0).world;
}
static pliant_world* hang_softly(void)
{
    pliant_soft_def soft = soft_like(PLIANT_INTEGRATOR_FORESIGHT, PLIANT_SCHEDULE_PATCHED, 0);
    return hang(&soft, 8, 1, 1e-4).world;
}
static pliant_world* sew(void) { return make_sewn(1, 0, PLIANT_INTEGRATOR_FORESIGHT); }
static pliant_world* sew_second_order(void) { return make_sewn(1, 0, PLIANT_INTEGRATOR_BDF2); }

// One corner of three boxes, pinned along an axis, and a gap that is closed.
static pliant_world* merge(void)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(8, 1);
    pliant_body_id box[3];
    const double corner[3] = {0.2, 1.2, 0.2};
    for (int i = 0; i < 3; ++i) {
        box[i] = add_at(world, "box6:2x2x2:0.1", &soft, i == 1 ? 0.25 : 0, i == 2 ? 1.2 : 1);
        shake(world, box[i]);
    }
    int first = particle_at(world, box[0], corner);
    CHECK_OK(pliant_body_pin_axes(world, box[0], first, PLIANT_AXIS_Y));
    for (int i = 1; i < 3; ++i) {
        pliant_joint_def def = merge_of(box[0], first, box[i], particle_at(world, box[i], corner));
        join(world, &def);
    }
    return world;
}

// Boxes that touch each other, the floor, and where they are joined; one joint breaks.
static pliant_world* stack(void)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(8, 1);
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    pliant_body_id box[3];
    for (int i = 0; i < 3; ++i)
        box[i] = add_soft(world, generated("box6:2x2x2:0.1"), &soft, 0.01 + 0.202 * i);
    for (int i = 0; i < 2; ++i) {
        const double at[3] = {0.1, 0.211 + 0.202 * i, 0};
        pliant_joint_def def = nearest_points(world, box[i], box[i + 1], at);
        def.breaking_force = i ? 4 : INFINITY;
        join(world, &def);
    }
    write_velocity(world, box[2], vec(2, 1, 0));
    return world;
}

typedef struct {
    const char* name;
    pliant_world* (*make)(void);
    int steps;
    bool breaks; // some joint of it
} joined_scene;

static const joined_scene scenes[] = {
    {"a box that hangs", hang_usual, 10, false},
    {"a box that hangs, implicit Euler", hang_implicit, 8, false},
    {"a box that hangs, BDF2", hang_second_order, 8, false},
    {"a box that hangs, colored", hang_colored, 5, false},
    {"a box that hangs, jacobi", hang_jacobi, 5, false},
    {"a box that hangs, double, iterations", hang_exactly, 5, false},
    {"a box that hangs, compliant", hang_softly, 8, false},
    {"boxes that are merged", merge, 10, false},
    {"boxes that touch and are joined", stack, 16, true},
    {"cloth that is sewn on", sew, 10, true},
    {"cloth that is sewn on, BDF2", sew_second_order, 6, false},
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

static void check_joints(const char* name, const pliant_world* here, const pliant_world* there)
{
    enum { MOST = 256 };
    pliant_joint_id id[MOST];
    int count = pliant_world_joints(here, id, MOST);
    assert_int_equal(count, pliant_world_joint_count(there));
    for (int i = 0; i < count; ++i) {
        pliant_joint_info a = info_of(here, id[i]), b = info_of(there, id[i]);
        if (memcmp(a.force, b.force, sizeof a.force) || a.gap != b.gap || a.broken != b.broken)
            fail_msg("%s: joint %d has %g N, %g m on the CPU and %g N, %g m on the GPU", name, i,
                     a.force[1], a.gap, b.force[1], b.gap);
    }
}

static int count_broken(const pliant_world* world)
{
    pliant_joint_id id[256];
    int broken = 0, count = pliant_world_joints(world, id, 256);
    for (int i = 0; i < count; ++i) broken += info_of(world, id[i]).broken;
    return broken;
}

// Nothing is read before the end: nothing but the device knows who breaks.
static void joints_have_the_same_bits(void** of)
{
    need_gpu();
    const joined_scene* s = (const joined_scene*)*of;
    pliant_world *here = make_on(s->make, PLIANT_BACKEND_CPU),
                 *there = make_on(s->make, PLIANT_BACKEND_CUDA);
    run(here, s->steps, 1.0 / 60);
    run(there, s->steps, 1.0 / 60);
    if (get_digest(here) != get_digest(there)) fail_msg("%s: other bits", s->name);
    check_joints(s->name, here, there);
    if (s->breaks && count_broken(here) == 0) fail_msg("%s: no joint broke", s->name);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

// ---- state --------------------------------------------------------------------------------------

static void snapshots_and_rewinding_go_on_the_same(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world *here = make_on(sew, PLIANT_BACKEND_CPU),
                 *there = make_on(sew, PLIANT_BACKEND_CUDA);
    run(here, 4, 1.0 / 60);
    size_t bytes = pliant_world_snapshot_size(here);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(here, data, bytes));
    run(there, 1, 1.0 / 60);
    CHECK_OK(pliant_world_snapshot_restore(there, data, bytes));
    run(here, 5, 1.0 / 60);
    run(there, 5, 1.0 / 60);
    assert_true(get_digest(here) == get_digest(there));
    CHECK_OK(pliant_world_rewind(there, 3));
    run(there, 3, 1.0 / 60);
    assert_true(get_digest(here) == get_digest(there));
    free(data);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

// Steps in which contacts find more than there is room for are repeated, with the joints as they
// were.
static void a_step_that_is_repeated_pulls_once(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world *here = make_on(stack, PLIANT_BACKEND_CPU),
                 *there = make_on(stack, PLIANT_BACKEND_CUDA);
    there->contacts.room = 2;
    run(here, 5, 1.0 / 60);
    run(there, 5, 1.0 / 60);
    assert_true(get_digest(here) == get_digest(there));
    check_joints("a repeated step", here, there);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

// What is read of a body has what joints do to it.
static void bodies_that_are_joined_can_be_read(void** unused)
{
    (void)unused;
    need_gpu();
    enum { MOST = 256 };
    pliant_energies energies[2];
    double force[2][3 * MOST];
    memset(force, 0, sizeof force);
    for (int i = 0; i < 2; ++i) {
        pliant_body_id beam;
        pliant_world* world = make_on(hang_usual, i ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU);
        run(world, 3, 1.0 / 60);
        CHECK_OK(pliant_world_energies(world, &energies[i]));
        run(world, 1, 1.0 / 60);
        assert_int_equal(pliant_world_bodies(world, &beam, 1), 1);
        CHECK_OK(pliant_body_read_pin_forces(world, beam, NULL, 0, force[i], MOST));
        pliant_world_destroy(world);
    }
    assert_true(energies[0].elastic == energies[1].elastic);
    assert_true(energies[0].unresolved == energies[1].unresolved);
    assert_memory_equal(force[0], force[1], sizeof force[0]);
}

// Bodies jump, and joints come and go, while others hold.
static void changes_between_steps_are_seen(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world* world[2] = {make_on(stack, PLIANT_BACKEND_CPU),
                              make_on(stack, PLIANT_BACKEND_CUDA)};
    for (int w = 0; w < 2; ++w) {
        pliant_body_id box[3];
        pliant_joint_id joint[2];
        run(world[w], 2, 1.0 / 60);
        assert_int_equal(pliant_world_bodies(world[w], box, 3), 3);
        assert_int_equal(pliant_world_joints(world[w], joint, 2), 2);
        place* x = read_places(world[w], box[1]);
        for (int i = 0; i < pliant_body_particle_count(world[w], box[1]); ++i) x[i].x[0] += 0.03;
        CHECK_OK(pliant_body_write_positions_exact(world[w], box[1], x[0].x,
                                                   pliant_body_particle_count(world[w], box[1])));
        free(x);
        run(world[w], 2, 1.0 / 60);
        CHECK_OK(pliant_joint_remove(world[w], joint[1]));
        run(world[w], 2, 1.0 / 60);
        pliant_joint_def def = merge_of(box[0], 0, box[2], 0);
        def.compliance = 1e-3;
        join(world[w], &def);
        run(world[w], 3, 1.0 / 60);
    }
    assert_true(get_digest(world[0]) == get_digest(world[1]));
    check_joints("changes", world[0], world[1]);
    for (int w = 0; w < 2; ++w) pliant_world_destroy(world[w]);
}

// Of a batch: worlds with joints beside one without.
static void batches_are_joined_world_by_world(void** unused)
{
    (void)unused;
    need_gpu();
    enum { WORLDS = 3 };
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_batch* batch[2] = {NULL, NULL};
    pliant_world* world[2][WORLDS];
    for (int b = 0; b < 2; ++b) {
        pliant_world_def def = pliant_world_defaults();
        def.backend = b ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
        def.threads = 1;
        def.substeps = 6;
        CHECK_OK(pliant_batch_create(&def, &batch[b]));
        for (int w = 0; w < WORLDS; ++w) {
            CHECK_OK(pliant_batch_add(batch[b], &world[b][w]));
            pliant_body_id one = add_at(world[b][w], "box6:1x1x1:0.2", &soft, 0, 1),
                           two = add_at(world[b][w], "box6:1x1x1:0.2", &soft, 0.2, 1);
            pliant_joint_def joint = merge_of(one, 4, two, w);
            if (w != 1) join(world[b][w], &joint);
        }
        for (int i = 0; i < 8; ++i) CHECK_OK(pliant_batch_step(batch[b], 1.0f / 60));
    }
    for (int w = 0; w < WORLDS; ++w)
        assert_true(get_digest(world[0][w]) == get_digest(world[1][w]));
    for (int b = 0; b < 2; ++b) pliant_batch_destroy(batch[b]);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest others[] = {
        cmocka_unit_test(snapshots_and_rewinding_go_on_the_same),
        cmocka_unit_test(a_step_that_is_repeated_pulls_once),
        cmocka_unit_test(bodies_that_are_joined_can_be_read),
        cmocka_unit_test(changes_between_steps_are_seen),
        cmocka_unit_test(batches_are_joined_world_by_world),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[SCENES + OTHERS] = {{0}};
    for (int i = 0; i < SCENES; ++i) {
        tests[i].name = scenes[i].name;
        tests[i].test_func = joints_have_the_same_bits;
        tests[i].initial_state = (void*)(uintptr_t)&scenes[i];
    }
    memcpy(tests + SCENES, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
