// A step in phases on a GPU: the same bits as on the CPU, for every scene of cuda_table.h. Without
// a GPU it is skipped, by name.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "cuda_table.h"

static uint64_t digest_in_phases(const cast* c)
{
    stage s = open_stage(c, PLIANT_BACKEND_CUDA);
    s.world->phased = true;
    play(&s, 0, scene_steps(c->scene));
    uint64_t digest = digest_of_stage(&s);
    pliant_world_destroy(s.world);
    return digest;
}

static void phases_on_a_gpu_are_fused_on_the_cpu(void** of)
{
    need_gpu();
    const scene* s = (const scene*)*of;
    cast c = make_cast(s);
    if (digest_in_phases(&c) != digest_of_scene(&c, PLIANT_BACKEND_CPU))
        fail_msg("%s: phases on the GPU are other bits than the CPU's", s->name);
    release_cast(&c);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    struct CMUnitTest tests[CUDA_SCENES] = {{0}};
    for (int i = 0; i < CUDA_SCENES; ++i) {
        tests[i].name = cuda_scenes[i].name;
        tests[i].test_func =
            in_scope(phases_on_a_gpu_are_fused_on_the_cpu, i + 1, 5, cuda_scenes[i].large);
        tests[i].initial_state = (void*)(uintptr_t)&cuda_scenes[i];
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
