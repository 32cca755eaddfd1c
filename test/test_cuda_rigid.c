// Rigid bodies on a GPU: the same bits as on the processor. Without a GPU all of it is skipped.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "cuda_scenes.h"
#include "failing.h"
#include "rigid_scenes.h"

// How a scene is run, beside which bodies it has.
typedef struct {
    const char* scene;
    int steps;
    pliant_launch_mode mode;
    bool fresh; // lists are made anew in every substep
    int room;   // lists have room for so many at first; 0: as usual
} manner;

static const manner manners[] = {
    {"boxes", 18, PLIANT_LAUNCH_MODE_GRAPH, false, 0},
    {"card house", 6, PLIANT_LAUNCH_MODE_GRAPH, false, 0},
    {"dominoes", 18, PLIANT_LAUNCH_MODE_GRAPH, false, 0},
    {"chain", 9, PLIANT_LAUNCH_MODE_EACH, false, 0},
    {"bananas", 12, PLIANT_LAUNCH_MODE_GRAPH, false, 0},
    {"mixed", 18, PLIANT_LAUNCH_MODE_GRAPH, false, 0},
    {"mixed, iterations", 12, PLIANT_LAUNCH_MODE_GRAPH, false, 0},
    {"boxes", 3, PLIANT_LAUNCH_MODE_GRAPH, true, 0},
    {"bananas", 15, PLIANT_LAUNCH_MODE_GRAPH, false, 8},
    {"mixed", 12, PLIANT_LAUNCH_MODE_EACH, false, 8},
};
enum { MANNERS = sizeof manners / sizeof *manners };

static pliant_world* open_rigid(const manner* m, pliant_backend backend, pliant_body_id* out_body)
{
    pliant_world_def def = pliant_world_defaults();
    def.backend = backend;
    def.threads = 2;
    def.launch_mode = m->mode;
    pliant_world* world = open_rigid_scene(rigid_scene_named(m->scene), def, out_body);
    world->contacts.fresh = m->fresh;
    world->contacts.room = m->room;
    return world;
}

static void check_motion(const char* name, const pliant_world* here, const pliant_world* there,
                         pliant_body_id id, int step)
{
    pliant_motion a = motion_of(here, id), b = motion_of(there, id);
    for (int k = 0; k < 3; ++k)
        if (a.position[k] != b.position[k] || a.velocity[k] != b.velocity[k])
            fail_msg("%s: body is at %.9g %.9g %.9g instead of %.9g %.9g %.9g by step %d", name,
                     b.position[0], b.position[1], b.position[2], a.position[0], a.position[1],
                     a.position[2], step);
}

static void scenes_have_the_bits_of_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    for (int i = 0; i < MANNERS; i += by_scope(2, 1, 1)) {
        pliant_body_id id;
        pliant_world *here = open_rigid(&manners[i], PLIANT_BACKEND_CPU, &id),
                     *there = open_rigid(&manners[i], PLIANT_BACKEND_CUDA, &id);
        for (int step = 3; step <= manners[i].steps; step += 3) {
            run(here, 3, 1.0 / 60);
            run(there, 3, 1.0 / 60);
            check_motion(manners[i].scene, here, there, id, step);
            if (get_digest(here) != get_digest(there))
                fail_msg("%s, number %d: other bits by step %d", manners[i].scene, i, step);
        }
        pliant_world_destroy(here);
        pliant_world_destroy(there);
    }
}

// ---- alone --------------------------------------------------------------------------------------

// Two bricks of one precision that nobody meets, pushed at their particles.
static uint64_t digest_of_flight(pliant_backend backend, pliant_precision precision,
                                 pliant_launch_mode mode)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = generate("banana:0.3:0.035:7");
    def.backend = backend;
    def.launch_mode = mode;
    def.substeps = 5;
    def.contacts = false;
    CHECK_OK(pliant_world_create(&def, &world));
    soft.rigid = true;
    soft.solver.precision = precision;
    for (int i = 0; i < 2; ++i) {
        pliant_body_def at = body_at(i, 1, 0);
        at.angular_velocity = vec(3, 20 * i, -1);
        at.velocity = vec(0, 2, 0);
        pliant_body_id id = new_soft(world, mesh, &soft, &at);
        for (int k = 0; k < 5 * i; ++k)
            pliant_body_add_force(world, id, 7 * k, vec(0.1 * k, 1, -2));
    }
    pliant_mesh_destroy(mesh);
    run(world, 10, 1.0 / 60);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void bodies_fly_with_the_bits_of_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    for (int p = PLIANT_PRECISION_SINGLE; p <= PLIANT_PRECISION_DOUBLE; ++p)
        for (int mode = PLIANT_LAUNCH_MODE_GRAPH; mode <= PLIANT_LAUNCH_MODE_EACH; ++mode) {
            pliant_precision precision = (pliant_precision)p;
            pliant_launch_mode launches = (pliant_launch_mode)mode;
            uint64_t here = digest_of_flight(PLIANT_BACKEND_CPU, precision, launches),
                     there = digest_of_flight(PLIANT_BACKEND_CUDA, precision, launches);
            if (here != there) fail_msg("precision %d, launches %d: other bits", p, mode);
        }
}

// ---- between here and there ---------------------------------------------------------------------

// Everything that may be done to a body, in the middle of a run, and a snapshot.
static uint64_t digest_of_disturbed(pliant_backend backend)
{
    const manner how = {"boxes", 0, PLIANT_LAUNCH_MODE_GRAPH, false, 0};
    pliant_body_id ball, id[16];
    pliant_world *world = open_rigid(&how, backend, &ball),
                 *other = open_rigid(&how, backend, &ball);
    int count = pliant_world_bodies(world, id, 16);
    CHECK_BETWEEN(count, 5, 16);
    run(world, 2, 1.0 / 60);
    pliant_motion m = motion_of(world, id[2]);
    m.position[1] += 0.3;
    m.angular_velocity[0] = 4;
    CHECK_OK(pliant_body_set_motion(world, id[2], &m));
    CHECK_OK(pliant_body_push(world, id[0], m.center, (const double[3]){3, 1, -2}));
    run(world, 1, 1.0 / 60);
    CHECK_OK(pliant_body_set_held(world, id[1], true));
    const double pivot[3] = {0, 0, 0}, shift[3] = {0.1, 0.2, 0};
    CHECK_OK(pliant_body_teleport(world, id[4], pivot, (pliant_quat){0, 0.3f, 0, 1}, shift));
    pliant_body_add_force(world, id[3], 0, vec(0, 300, 40));
    run(world, 3, 1.0 / 60);
    CHECK_OK(pliant_body_set_held(world, id[1], false));
    pliant_energies e;
    CHECK_OK(pliant_world_energies(world, &e));
    CHECK_BETWEEN(e.kinetic, 1, 1e6);
    size_t bytes = pliant_world_snapshot_size(world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
    run(other, 1, 1.0 / 60);
    CHECK_OK(pliant_world_snapshot_restore(other, data, bytes));
    run(world, 3, 1.0 / 60);
    run(other, 3, 1.0 / 60);
    uint64_t digest = get_digest(world);
    assert_true(get_digest(other) == digest);
    free(data);
    pliant_world_destroy(world);
    pliant_world_destroy(other);
    return digest;
}

static void what_is_done_to_bodies_arrives(void** unused)
{
    (void)unused;
    need_gpu();
    assert_true(digest_of_disturbed(PLIANT_BACKEND_CPU) ==
                digest_of_disturbed(PLIANT_BACKEND_CUDA));
}

// Bodies come and go between steps; more than there was room for.
static uint64_t digest_of_crowd(pliant_backend backend)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    pliant_asset* brick = rigid_asset("brick:0.1x0.1x0.1", 1000);
    pliant_body_id id[40];
    def.backend = backend;
    def.substeps = 4;
    CHECK_OK(pliant_world_create(&def, &world));
    put_plane(world, 0.5, 0);
    for (int i = 0; i < 40; ++i) {
        pliant_body_def at = body_at(0.3 * (i % 6), 0.06 + 0.11 * (i / 6), 0.02 * (i % 3));
        id[i] = place_body(world, brick, &at);
        if (i == 20) run(world, 3, 1.0 / 60);
    }
    run(world, 2, 1.0 / 60);
    for (int i = 0; i < 40; i += 7) pliant_body_remove(world, id[i]);
    run(world, 3, 1.0 / 60);
    uint64_t digest = get_digest(world);
    pliant_asset_destroy(brick);
    pliant_world_destroy(world);
    return digest;
}

static void bodies_come_and_go(void** unused)
{
    (void)unused;
    need_gpu();
    assert_true(digest_of_crowd(PLIANT_BACKEND_CPU) == digest_of_crowd(PLIANT_BACKEND_CUDA));
}

// ---- many worlds --------------------------------------------------------------------------------

static const char* const batched[] = {"boxes", "bananas", "mixed"};

static void worlds_of_a_batch_have_the_bits_of_each_alone(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world_def def = pliant_world_defaults();
    pliant_batch* batch = NULL;
    pliant_world* alone[3];
    def.backend = PLIANT_BACKEND_CUDA;
    def.substeps = 12;
    CHECK_OK(pliant_batch_create(&def, &batch));
    def.backend = PLIANT_BACKEND_CPU;
    for (int i = 0; i < 3; ++i) {
        pliant_world* world = new_world_of(batch);
        rigid_scene_named(batched[i])->fill(world);
        CHECK_OK(pliant_world_create(&def, &alone[i]));
        rigid_scene_named(batched[i])->fill(alone[i]);
    }
    for (int i = 0; i < 9; ++i) CHECK_OK(pliant_batch_step(batch, 0.016f));
    for (int i = 0; i < 3; ++i) {
        run(alone[i], 9, 0.016);
        if (get_digest(alone[i]) != get_digest(pliant_batch_world(batch, i)))
            fail_msg("%s: other bits in a batch", batched[i]);
        pliant_world_destroy(alone[i]);
    }
    pliant_batch_destroy(batch);
}

// ---- failures -----------------------------------------------------------------------------------

// It turns farther in a substep than can be told: it stands still, and others go on.
static uint64_t digest_of_failure(pliant_backend backend)
{
    const manner how = {"boxes", 0, PLIANT_LAUNCH_MODE_GRAPH, false, 0};
    pliant_body_id ball;
    pliant_world* world = open_rigid(&how, backend, &ball);
    run(world, 1, 1.0 / 60);
    pliant_motion m = motion_of(world, ball);
    m.angular_velocity[2] = 1e8;
    CHECK_OK(pliant_body_set_motion(world, ball, &m));
    for (int i = 0; i < 3; ++i) pliant_world_step(world, 1.0f / 60);
    assert_int_equal(pliant_world_wait(world), PLIANT_ERROR_DIVERGED);
    assert_non_null(strstr(pliant_error_text(), "body 9 left the finite numbers"));
    uint64_t digest = get_digest(world);
    m.angular_velocity[2] = 1;
    CHECK_OK(pliant_body_set_motion(world, ball, &m));
    run(world, 2, 1.0 / 60);
    CHECK_OK(pliant_world_wait(world));
    digest = hash_mix(digest, get_digest(world));
    pliant_world_destroy(world);
    return digest;
}

static void bodies_that_fail_are_told_and_the_others_go_on(void** unused)
{
    (void)unused;
    need_gpu();
    assert_true(digest_of_failure(PLIANT_BACKEND_CPU) == digest_of_failure(PLIANT_BACKEND_CUDA));
}

// From the assets to the second step.
static pliant_result step_bricks(const void* context)
{
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world_def def = pliant_world_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    (void)context;
    soft.rigid = true;
    def.substeps = 2;
    def.threads = 1;
    def.backend = PLIANT_BACKEND_CUDA;
    pliant_result result = pliant_mesh_generate("brick:0.1x0.1x0.1", &mesh);
    if (!result) result = pliant_asset_create(mesh, &soft, &asset);
    if (!result) result = pliant_world_create(&def, &world);
    if (!result) result = pliant_world_add_collider(world, &floor, NULL);
    for (int i = 0; i < 2 && !result; ++i) {
        pliant_body_def at = body_at(0.02 * i, 0.0505 + 0.102 * i, 0);
        result = pliant_world_add_body(world, asset, &at, NULL);
    }
    for (int i = 0; i < 2 && !result; ++i) result = pliant_world_step(world, 0.01f);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    need_gpu();
    CHECK_BETWEEN(check_some_failures(step_bricks, NULL, by_scope(7, 3, 1)), 50, 10000);
}

static void joints_of_rigid_bodies_are_refused(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world* world = NULL;
    pliant_world_def def = pliant_world_defaults();
    pliant_joint_def joint = pliant_joint_defaults();
    const pliant_body_def at = body_at(0, 1, 0);
    def.backend = PLIANT_BACKEND_CUDA;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_body_id id = put(world, rigid_asset("brick:0.1x0.1x0.1", 1000), &at);
    CHECK_OK(pliant_body_place_joint_point(world, id, at.position, &joint.point[0]));
    CHECK_OK(
        pliant_body_place_joint_point(world, (pliant_body_id){0, 0}, at.position, &joint.point[1]));
    assert_int_equal(pliant_world_add_joint(world, &joint, NULL), PLIANT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(pliant_error_text(), "give the world the CPU as its backend"));
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_have_the_bits_of_the_processor),
        cmocka_unit_test(bodies_fly_with_the_bits_of_the_processor),
        cmocka_unit_test(what_is_done_to_bodies_arrives),
        cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(worlds_of_a_batch_have_the_bits_of_each_alone),
        cmocka_unit_test(bodies_that_fail_are_told_and_the_others_go_on),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(joints_of_rigid_bodies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
