// Bodies of patches that meet nobody run fused, all others in phases: the same bits in both ways.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "cuda_table.h"

static const int thread_counts[] = {1, 2, 3, 8}, lane_counts[] = {1, 4, 8, 16};

static uint64_t digest_of(const cast* c, int threads, int lanes, bool phased)
{
    pliant_world_def def = scene_world(c->scene);
    def.threads = threads;
    def.lanes = lanes;
    stage s = open_stage_in(c, world_on(PLIANT_BACKEND_CPU, def));
    s.world->phased = phased;
    play(&s, 0, scene_steps(c->scene));
    uint64_t digest = digest_of_stage(&s);
    pliant_world_destroy(s.world);
    return digest;
}

// Some of the sixteen pairs of threads and lanes for each scene, all of them in make test-all:
// neighbors in the table have others.
static void phased_is_fused(void** of)
{
    const scene* s = (const scene*)*of;
    int number = (int)(s - cuda_scenes), ways = by_scope(1, 1, 16);
    cast c = make_cast(s);
    uint64_t fused = digest_of(&c, 1, 16, false);
    for (int i = 0; i < ways; ++i) {
        int way = (5 * number + 3 * i) % 16;
        int threads = thread_counts[way % 4], lanes = lane_counts[way / 4];
        if (digest_of(&c, threads, lanes, true) != fused)
            fail_msg("%s: phases on %d threads with %d lanes are other bits than fused", s->name,
                     threads, lanes);
    }
    release_cast(&c);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    struct CMUnitTest tests[CUDA_SCENES] = {{0}};
    int count = 0;
    for (int i = 0; i < CUDA_SCENES; i += by_scope(17, 2, 1)) {
        if (cuda_scenes[i].large) continue;
        tests[count].name = cuda_scenes[i].name;
        tests[count].test_func = phased_is_fused;
        tests[count++].initial_state = (void*)(uintptr_t)&cuda_scenes[i];
    }
    return _cmocka_run_group_tests("phases", tests, (size_t)count, NULL, NULL);
}
