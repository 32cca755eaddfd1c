// The order of the work: the same bits whatever runs it.
#include "asset/asset.h"
#include "base/platform.h"

#include "orders.h"
#include <fenv.h>

typedef struct {
    int lanes, threads, iterations;
    pliant_run_tasks_fn* run_tasks;
} runner;

// A damped body that is pinned, held, pulled and falls against a box, and a small one that falls.
static pliant_world* busy_world(const pliant_asset* asset, runner r)
{
    pliant_world_def def = pliant_world_defaults();
    def.contacts = false; // bodies of all kinds at one place
    def.substeps = 3;
    def.iterations = r.iterations;
    def.lanes = r.lanes;
    def.threads = r.threads;
    def.run_tasks = r.run_tasks;
    def.run_tasks_width = 3;
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_body_def start = pliant_body_defaults();
    start.position[1] = 0.00005;
    pliant_body_id body = new_body(world, asset, &start);
    pliant_body_pin(world, body, 0);
    pliant_body_move_pin(world, body, 1, (const double[3]){0.12, 0.05, 0.02});
    pliant_attachment_id held = new_attachment(world, body, 100, (const double[3]){1, 1, 1}, 1e-4);
    pliant_attachment_move(world, held, (const double[3]){0.8, 0.7, 0.5});
    pliant_body_add_force(world, body, 200, (pliant_vec3){5, -3, 1});
    pliant_collider_def floor = pliant_collider_defaults();
    floor.restitution = 0.3f;
    new_collider(world, &floor);
    floor.shape = PLIANT_SHAPE_BOX;
    floor.position[0] = 1.5;
    new_collider(world, &floor);
    pliant_soft_def single = pliant_soft_defaults();
    add_soft(world, one_tet(0.3), &single, 0.00005);
    return world;
}

static uint64_t busy_digest(const pliant_asset* asset, runner r)
{
    pliant_world* world = busy_world(asset, r);
    run(world, 1, 0.006);
    if (count_contacts(world) == 0) fail_msg("nothing touches");
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void run_backward(pliant_task_fn* task, void* argument, int count, void* context)
{
    (void)context;
    for (int i = count - 1; i >= 0; --i) task(i, argument);
}

static const runner runners[] = {{4, 1, 0, NULL}, {16, 8, 0, NULL},       {8, 1, 0, NULL},
                                 {0, 2, 0, NULL}, {16, 1, 0, NULL},       {8, 3, 0, NULL},
                                 {1, 1, 0, NULL}, {4, 1, 0, run_backward}};
enum { RUNNERS = 8 };

// A scalar run against `count` others, the first of which is number `first`.
static void check_runners(const pliant_asset* asset, int iterations, int first, int count,
                          const char* name)
{
    // The thread sanitizer looks at threads; the bits are compared elsewhere.
    const bool compared = !UNDER_THREAD_SANITIZER || scope_now() == ALL;
    uint64_t expected = compared ? busy_digest(asset, (runner){1, 1, iterations, NULL}) : 0;
    for (int i = 0; i < count; ++i) {
        runner r = runners[(first + i) % RUNNERS];
        r.iterations = iterations;
        uint64_t digest = busy_digest(asset, r);
        if (compared && digest != expected)
            fail_msg("%s, %d iterations: %d lanes, %d threads, %s: digest %llx, scalar %llx", name,
                     iterations, r.lanes, r.threads, r.run_tasks ? "backward" : "own",
                     (unsigned long long)digest, (unsigned long long)expected);
    }
}

// Large enough that the groups of a color are shared between threads. Usually one number of
// iterations, by turns, and `count` runners; both, and all runners, in test-all. Under sanitizers
// one runner, which has threads.
static void digest_is_the_same_for_all_runners(const pliant_soft_def* soft, const char* order_name,
                                               int number, int count)
{
    const int cells[3] = {by_scope(8, 16, 16), by_scope(4, 8, 8), by_scope(4, 8, 8)};
    pliant_mesh* mesh = box_mesh(cells, 0.1, 0.2);
    pliant_asset* asset = NULL;
    char name[64];
    snprintf(name, sizeof name, "%s, formulation %d", order_name, (int)soft->solver.formulation);
    CHECK_OK(pliant_asset_create(mesh, soft, &asset));
    pliant_mesh_destroy(mesh);
    int first = by_scope(3 + number % 2 * 2, number, 0);
    for (int i = 0; i < 2; ++i)
        if (i == number % 2 || scope_now() == ALL)
            check_runners(asset, 1 + 2 * i, first, by_scope(1, count, RUNNERS), name);
    pliant_asset_destroy(asset);
}

// All pairs of an order and a runner for the first formulation, some for the others.
static void lanes_and_threads_give_the_same_bits(void** unused)
{
    (void)unused;
    for (int f = 0; f < FORMULATIONS; ++f)
        for (int o = 0; o < ORDERS; ++o) {
            if (f > 0 && o % FORMULATIONS != f) continue; // enough combinations
            if (f > 0 && o != f && scope_now() == BRIEF) continue;
            pliant_soft_def soft = material(formulations[f], &orders[o], 0.002);
            digest_is_the_same_for_all_runners(&soft, orders[o].name, f + o, f == 0 ? RUNNERS : 3);
        }
}

static void threads_give_the_same_bits_in_double(void** unused)
{
    (void)unused;
    pliant_soft_def soft = material(PLIANT_FORMULATION_TEN_ROWS, &orders[0], 0.002);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    digest_is_the_same_for_all_runners(&soft, "double", 1, RUNNERS);
}

// Runs each task on a thread of its own, which rounds in its own way.
typedef struct {
    pliant_task_fn* task;
    void* argument;
    int index;
} errand;

static void run_errand(void* argument)
{
    errand* e = (errand*)argument;
    fesetround(FE_UPWARD);
    e->task(e->index, e->argument);
}

static void run_on_threads(pliant_task_fn* task, void* argument, int count, void* context)
{
    (void)context;
    for (int i = 0; i < count; ++i) {
        errand e = {task, argument, i};
        platform_thread* thread = platform_thread_start(run_errand, &e);
        assert_non_null(thread);
        platform_thread_join(thread);
    }
}

// Numbers are rounded on the caller's threads as on the library's.
static void caller_threads_round_alike(void** unused)
{
    (void)unused;
    uint64_t digest[2];
    for (int i = 0; i < 2; ++i) {
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_world_def def = pliant_world_defaults();
        def.gravity.y = 0;
        def.substeps = 2;
        def.threads = 1;
        def.run_tasks = i ? run_on_threads : NULL;
        def.run_tasks_width = 1;
        pliant_world* world = NULL;
        CHECK_OK(pliant_world_create(&def, &world));
        // long enough for shared sweeps
        soft.solver.schedule = PLIANT_SCHEDULE_COLORED;
        pliant_body_id body = add_soft(world, generate("rope:1:300"), &soft, 0);
        write_velocity(world, body, (pliant_vec3){0.1f, 2e-3f, -1e-7f});
        run(world, 2, 0.001);
        digest[i] = get_digest(world);
        pliant_world_destroy(world);
    }
    assert_true(digest[0] == digest[1]);
}

// The same bits from every compiler and on every machine. A change of the arithmetic changes them:
// then take the new ones from the message, when all other tests pass.
static void digest_is_that_of_every_machine(void** unused)
{
    (void)unused;
    static const uint64_t golden[2][FORMULATIONS] = {
        {0x2d30746a97869df1, 0x3a0bcdd0a6348996, 0x5ade572b6c1eccbd, 0x5ade572b6c1eccbd},
        {0x5decf81c28576727, 0x7fdc66196d74ee9d, 0xde9ed439661a880c, 0xde9ed439661a880c}};
    int wrong = 0;
    for (int k = 0; k < 2 * FORMULATIONS; ++k) {
        int iterations = 1 + k / FORMULATIONS, f = k % FORMULATIONS;
        pliant_world* world = make_world(20, iterations);
        pliant_soft_def soft = material(formulations[f], &orders[0], 1e-3);
        pliant_collider_def floor = pliant_collider_defaults();
        floor.restitution = 0.4f;
        floor.rotation = (pliant_quat){0.1f, 0, 0.05f, 1};
        new_collider(world, &floor);
        pliant_body_id body = add_soft(world, box_mesh((int[3]){4, 3, 3}, 0.1, 0.2), &soft, 0.05);
        pliant_body_pin(world, body, 3);
        run(world, 20, 0.01);
        uint64_t digest = get_digest(world);
        pliant_world_destroy(world);
        if (digest == golden[iterations - 1][f]) continue;
        print_message("    formulation %d, %d iterations: 0x%llx\n", f, iterations,
                      (unsigned long long)digest);
        wrong++;
    }
    if (wrong) fail_msg("%d digests are not those of other machines", wrong);
}

// After a short fall the order of the constraints has moved nothing by more than a few thousandths
// of the motion.
static void all_schedules_agree(void** unused)
{
    (void)unused;
    for (int f = 0; f < FORMULATIONS; ++f) {
        double tip[ORDERS];
        for (int o = ORDERS - 1; o >= 0; --o) {
            // Copies with the whole mass, and one relaxed iteration, are other bodies.
            if (orders[o].merge == PLIANT_MERGE_DUPLICATE || orders[o].relaxation > 0) continue;
            pliant_soft_def soft = material(formulations[f], &orders[o], 0);
            pliant_world* world = make_world(100, 1);
            pliant_body_id body = add_soft(world, box_mesh((int[3]){6, 2, 2}, 0.1, 0), &soft, 0);
            pin_plane(world, body, 0, 0);
            run(world, 10, 0.01);
            tip[o] = read_place(world, body, 6 * 3 * 3).x[1];
            double serial = tip[ORDER_SERIAL];
            if (fabs(tip[o] - serial) > 0.01 * fabs(serial))
                fail_msg("formulation %d: tip at %.6g m %s, %.6g serial", f, tip[o], orders[o].name,
                         serial);
            pliant_world_destroy(world);
        }
    }
}

static void pass_through(pliant_world* world, pliant_body_id body)
{
    CHECK_OK(pliant_body_set_contact(world, body, &(pliant_contact_def){.mask = 0}));
}

// Different numbers of colors in one world.
static void many_bodies_step_like_each_alone(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* together = make_world(10, 1);
    pliant_body_id big[2];
    for (int i = 0; i < 2; ++i) {
        big[i] = add_soft(together, box_mesh((int[3]){4, 3, 2}, 0.1, 0.1), &soft, i);
        pass_through(together, big[i]);
        pass_through(together, add_soft(together, one_tet(0.1), &soft, i));
        pliant_body_pin(together, big[i], 0);
    }
    run(together, 4, 0.01);
    pliant_world* alone = make_world(10, 1);
    pliant_body_id body = add_soft(alone, box_mesh((int[3]){4, 3, 2}, 0.1, 0.1), &soft, 1);
    pliant_body_pin(alone, body, 0);
    run(alone, 4, 0.01);
    place *a = read_places(together, big[1]), *b = read_places(alone, body);
    assert_memory_equal(a, b, 60 * sizeof *a);
    free(a);
    free(b);
    pliant_world_destroy(together);
    pliant_world_destroy(alone);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_and_threads_give_the_same_bits),
        cmocka_unit_test(threads_give_the_same_bits_in_double),
        cmocka_unit_test(caller_threads_round_alike),
        spare_threads_test(digest_is_that_of_every_machine),
        usual_test(all_schedules_agree),
        cmocka_unit_test(many_bodies_step_like_each_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
