// Surfaces that bodies on a GPU carry are placed there, to the same bits as on the processor.
// Without a GPU it is skipped, by name.
#include "carried.h"
#include "cuda_scenes.h"

// Two boxes, one above the other, and one surface around both.
static carried carry(pliant_backend backend, pliant_precision precision)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_skin_def skin = pliant_skin_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    carried c = {.surface = surface_of("sphere:0.25:24")};
    def.backend = backend;
    def.threads = 1;
    def.substeps = 6;
    soft.solver.precision = precision;
    soft.solver.patch_rows = 64;
    CHECK_OK(pliant_world_create(&def, &c.world));
    new_collider(c.world, &floor);
    for (int i = 0; i < 2; ++i) {
        pliant_body_def at = pliant_body_defaults();
        pliant_mesh* mesh = generate("beam:6x3x4:0.1:0.2");
        at.position[0] = -0.3;
        at.position[1] = 0.05 + 0.3 * i;
        at.position[2] = -0.2;
        c.body[i] = new_soft(c.world, mesh, &soft, &at);
        if (!c.body[i].index1) fail_msg("%s", pliant_error_text());
        pliant_mesh_destroy(mesh);
    }
    const double middle[3] = {0, 0.35, 0};
    pliant_mesh_transform(c.surface, 1, (pliant_quat){0, 0, 0, 1}, middle);
    skin.surface = c.surface;
    skin.bodies = c.body;
    skin.body_count = 2;
    skin.in_world = true;
    CHECK_OK(pliant_skin_create(c.world, &skin, &c.skin));
    return c;
}

static uint64_t hash_skin(const pliant_skin* skin)
{
    pliant_skin_info info = pliant_skin_describe(skin);
    uint64_t hash = hash_bytes(HASH_SEED, pliant_skin_positions(skin),
                               (size_t)info.vertices * sizeof(pliant_vec3));
    return hash_bytes(hash, pliant_skin_normals(skin), (size_t)info.normals * sizeof(pliant_vec3));
}

static uint64_t hash_after(pliant_backend backend, pliant_precision precision)
{
    carried c = carry(backend, precision);
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(c.world, 1.0f / 60));
    CHECK_OK(pliant_skin_update(c.skin));
    uint64_t hash = hash_skin(c.skin);
    assert_true(pliant_skin_describe(c.skin).on_device == (backend == PLIANT_BACKEND_CUDA));
    drop(&c);
    return hash;
}

static void a_gpu_places_surfaces_as_the_processor_does(void** state)
{
    (void)state;
    need_gpu();
    for (int i = 0; i < 2; ++i) {
        pliant_precision precision = i ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE;
        assert_true(hash_after(PLIANT_BACKEND_CPU, precision) ==
                    hash_after(PLIANT_BACKEND_CUDA, precision));
    }
}

static void what_was_written_here_is_seen_there(void** state)
{
    (void)state;
    need_gpu();
    carried c = carry(PLIANT_BACKEND_CUDA, PLIANT_PRECISION_SINGLE);
    pliant_world_set_gravity(c.world, (pliant_vec3){0, 0, 0});
    CHECK_OK(pliant_world_step(c.world, 0.01f));
    CHECK_OK(pliant_skin_update(c.skin));
    double before = (double)pliant_skin_positions(c.skin)[0].x;
    for (int i = 0; i < 2; ++i) {
        int count = pliant_body_particle_count(c.world, c.body[i]);
        pliant_vec3* x = malloc((size_t)count * sizeof *x);
        pliant_body_read_positions(c.world, c.body[i], x, count);
        for (int k = 0; k < count; ++k) x[k].x += 1;
        pliant_body_write_positions(c.world, c.body[i], x, count);
        free(x);
    }
    CHECK_OK(pliant_world_step(c.world, 0.0f));
    CHECK_OK(pliant_skin_update(c.skin));
    CHECK_BETWEEN((double)pliant_skin_positions(c.skin)[0].x - before, 0.99, 1.01);
    drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_places_surfaces_as_the_processor_does),
        cmocka_unit_test(what_was_written_here_is_seen_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
