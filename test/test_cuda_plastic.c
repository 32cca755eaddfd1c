// Rest shapes that flow on a GPU: what is read, written and taken back. That the bits are those of
// the processor is in the tables of test_cuda, test_cuda_phases and test_cuda_touch.
#include "cuda_table.h"

static double most_strain(const pliant_world* world, pliant_body_id body)
{
    const pliant_mesh* mesh = pliant_asset_mesh(pliant_body_asset(world, body));
    int count = pliant_mesh_view(mesh).tet_count;
    float* strain = (float*)malloc((size_t)count * sizeof *strain);
    double most = 0;
    CHECK_OK(pliant_body_read_plastic_strains(world, body, strain, count));
    for (int i = 0; i < count; ++i) most = fmax(most, (double)strain[i]);
    free(strain);
    return most;
}

// Otherwise the tables tell nothing.
static void plastic_scenes_flow(void** unused)
{
    (void)unused;
    need_gpu();
    for (int i = 0; i < CUDA_SCENES; ++i) {
        if (!(cuda_scenes[i].yield > 0)) continue;
        cast c = make_cast(&cuda_scenes[i]);
        stage s = open_stage(&c, PLIANT_BACKEND_CUDA);
        play(&s, 0, 8);
        double most = most_strain(s.world, s.body);
        if (!(most > 1e-3)) fail_msg("%s: a strain of %g alone", cuda_scenes[i].name, most);
        pliant_world_destroy(s.world);
        release_cast(&c);
    }
}

// Forgotten, and put back into another world, in the middle of a run.
static uint64_t disturbed(const cast* c, pliant_backend backend)
{
    stage s = open_stage(c, backend), other = open_stage(c, backend);
    play(&s, 0, 4);
    CHECK_OK(pliant_body_forget_plastic_strains(s.world, s.body));
    assert_true(most_strain(s.world, s.body) == 0);
    play(&s, 4, 8);
    size_t bytes = pliant_world_snapshot_size(s.world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(s.world, data, bytes));
    CHECK_OK(pliant_world_snapshot_restore(other.world, data, bytes));
    play(&other, 8, 12);
    uint64_t digest = digest_of_stage(&other);
    free(data);
    pliant_world_destroy(s.world);
    pliant_world_destroy(other.world);
    return digest;
}

static void shapes_come_and_go_as_on_the_processor(void** unused)
{
    (void)unused;
    static const char* const names[] = {"plastic, patches", "plastic, colored, graph",
                                        "plastic, double"};
    need_gpu();
    for (int i = 0; i < 3; ++i) {
        cast c = make_cast(scene_named(names[i]));
        if (disturbed(&c, PLIANT_BACKEND_CUDA) != disturbed(&c, PLIANT_BACKEND_CPU))
            fail_msg("%s: another digest", names[i]);
        release_cast(&c);
    }
}

// ---- shapes at rest that a program changes, and woven sheets ------------------------------------

static uint64_t digest_of_muscle(pliant_backend backend, pliant_formulation formulation)
{
    pliant_world* world = NULL;
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    uint64_t digest = 0;
    def.backend = backend;
    def.substeps = 5;
    soft.solver.formulation = formulation;
    soft.material.expansion = 1e-3;
    soft.material.contraction = 0.3;
    soft.material.fiber[0] = 1;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_body_id body = add_soft(world, generate("beam:4x2x2"), &soft, 1);
    for (int i = 0; i < 6; ++i) {
        CHECK_OK(pliant_body_swell(world, body, -1, 20 * i, 0.1 * i));
        CHECK_OK(pliant_world_step(world, 0.01f));
    }
    CHECK_OK(pliant_world_digest(world, &digest));
    pliant_world_destroy(world);
    return digest;
}

static void muscles_have_the_bits_of_the_processor(void** unused)
{
    (void)unused;
    static const pliant_formulation all[] = {PLIANT_FORMULATION_TEN_ROWS,
                                             PLIANT_FORMULATION_TWO_ROWS};
    need_gpu();
    for (int i = 0; i < 2; ++i)
        if (digest_of_muscle(PLIANT_BACKEND_CUDA, all[i]) !=
            digest_of_muscle(PLIANT_BACKEND_CPU, all[i]))
            fail_msg("formulation %d: another digest", (int)all[i]);
}

static uint64_t digest_of_woven(pliant_backend backend, double damping)
{
    pliant_world* world = NULL;
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    uint64_t digest = 0;
    def.backend = backend;
    def.substeps = 10;
    soft.cloth.warp = 800;
    soft.cloth.weft = 300;
    soft.cloth.shear = 20;
    soft.cloth.warp_direction[0] = 1;
    soft.cloth.damping = damping;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_body_id body = add_soft(world, generate("cloth:8x8:1x1"), &soft, 1);
    CHECK_OK(pliant_body_pin(world, body, 0));
    for (int i = 0; i < 6; ++i) CHECK_OK(pliant_world_step(world, 0.01f));
    CHECK_OK(pliant_world_digest(world, &digest));
    pliant_world_destroy(world);
    return digest;
}

static void woven_sheets_have_the_bits_of_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    for (int i = 0; i < 2; ++i)
        if (digest_of_woven(PLIANT_BACKEND_CUDA, 0.01 * i) !=
            digest_of_woven(PLIANT_BACKEND_CPU, 0.01 * i))
            fail_msg("damping %g: another digest", 0.01 * i);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plastic_scenes_flow),
        cmocka_unit_test(shapes_come_and_go_as_on_the_processor),
        cmocka_unit_test(muscles_have_the_bits_of_the_processor),
        cmocka_unit_test(woven_sheets_have_the_bits_of_the_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
