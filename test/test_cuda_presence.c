// Particles that come and go on a GPU: the same bits as on the CPU. Without a GPU it is skipped, by
// name.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "changing.h"
#include "cuda_scenes.h"

typedef struct {
    const char* name;
    jet_case of;
} jet_on_gpu;

static const jet_on_gpu jets[] = {
    {"a jet", {.sizes = false}},
    {"a jet of many sizes", {.sizes = true}},
    {"a jet onto a cloth", {.cloth = true, .sizes = true}},
    {"a jet, double", {.precision = PLIANT_PRECISION_DOUBLE}},
    {"a jet, BDF2", {.integrator = PLIANT_INTEGRATOR_BDF2}},
    {"a jet, lists anew in every substep", {.fresh = true}},
};
enum { JETS = sizeof jets / sizeof jets[0] };

static void a_jet_has_the_same_bits(void** of)
{
    need_gpu();
    const jet_on_gpu* j = (const jet_on_gpu*)*of;
    pliant_body_id id[2];
    jet_case c = j->of;
    c.backend = PLIANT_BACKEND_CPU;
    pliant_world* here = jet_world(&c, &id[0]);
    c.backend = PLIANT_BACKEND_CUDA;
    pliant_world* there = jet_world(&c, &id[1]);
    int steps = by_scope(20, 60, 60);
    for (int i = 0; i < steps; i += 4) {
        run_jet(here, id[0], &c, i, i + 4);
        run_jet(there, id[1], &c, i, i + 4);
        if (get_digest(here) != get_digest(there))
            fail_msg("%s: other bits by step %d", j->name, i + 4);
    }
    assert_true(pliant_body_present_count(here, id[0]) > 10);
    assert_int_equal(pliant_body_present_count(here, id[0]),
                     pliant_body_present_count(there, id[1]));
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

static void a_snapshot_of_a_jet_goes_on_on_the_other_side(void** unused)
{
    (void)unused;
    need_gpu();
    static const pliant_backend backends[] = {PLIANT_BACKEND_CUDA, PLIANT_BACKEND_CPU};
    jet_case c = {.sizes = true, .backend = PLIANT_BACKEND_CUDA};
    pliant_body_id id;
    uint64_t digest[2];
    pliant_world* from = jet_world(&c, &id);
    run_jet(from, id, &c, 0, 14);
    size_t bytes = pliant_world_snapshot_size(from);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(from, data, bytes));
    for (int k = 0; k < 2; ++k) {
        c.backend = backends[k];
        pliant_world* to = jet_world(&c, &id);
        CHECK_OK(pliant_world_snapshot_restore(to, data, bytes));
        run_jet(to, id, &c, 14, 22);
        digest[k] = get_digest(to);
        pliant_world_destroy(to);
    }
    assert_int_equal(digest[0], digest[1]);
    free(data);
    pliant_world_destroy(from);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    struct CMUnitTest tests[JETS + 1] = {{0}};
    for (int i = 0; i < JETS; ++i) {
        tests[i].name = jets[i].name;
        tests[i].test_func = a_jet_has_the_same_bits;
        tests[i].initial_state = (void*)(uintptr_t)&jets[i];
    }
    tests[JETS] =
        (struct CMUnitTest)cmocka_unit_test(a_snapshot_of_a_jet_goes_on_on_the_other_side);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
