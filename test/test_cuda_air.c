// Air around bodies on a GPU: the same bits as on the processor. Without a GPU it is skipped, by
// name.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "cuda_scenes.h"
#include "failing.h"
#include "rigid_bodies.h"

typedef struct {
    const char* name;
    pliant_launch_mode mode;
    pliant_precision precision;
    pliant_schedule schedule;
    int iterations;
    double damping; // [s] of the cloth
    bool contacts, floor;
} airy;

static const airy cases[] = {
    {"all kinds", .iterations = 1, .contacts = true, .floor = true},
    {"colored, launches", .mode = PLIANT_LAUNCH_MODE_EACH, .schedule = PLIANT_SCHEDULE_COLORED,
     .iterations = 2},
    {"double, damped", .precision = PLIANT_PRECISION_DOUBLE, .iterations = 1, .damping = 1e-3},
};
enum { CASES = sizeof cases / sizeof cases[0], BODIES = 5 };

static pliant_body_id add_words(pliant_world* world, const char* words, const pliant_soft_def* soft,
                                double x)
{
    pliant_mesh* mesh = generate(words);
    const pliant_body_def at = body_at(x, 1, 0);
    pliant_body_id id = new_soft(world, mesh, soft, &at);
    pliant_mesh_destroy(mesh);
    return id;
}

static pliant_body_id add_grains(pliant_world* world, const pliant_soft_def* soft)
{
    const double x[] = {0, 0, 0, 0.1, 0.02, 0, 0, 0.1, 0.05}, r[] = {0.02, 0.03, 0.01};
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = 3, .vertex_radius = r};
    const pliant_body_def at = body_at(1, 1.5, 1);
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    pliant_body_id id = new_soft(world, mesh, soft, &at);
    pliant_mesh_destroy(mesh);
    return id;
}

static void add_bodies(pliant_world* world, const airy* c, pliant_body_id id[BODIES])
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.precision = c->precision;
    soft.solver.schedule = c->schedule;
    soft.solver.patch_rows = 64;
    soft.material.density = 100;
    soft.rope.radius = 0.01f;
    soft.cloth.density = 0.1f;
    pliant_soft_def cloth = soft;
    cloth.material.damping = c->damping;
    id[0] = add_words(world, "cloth:12x8:1x0.8", &cloth, 0);
    id[1] = add_words(world, "rope:1:12", &soft, 2);
    id[2] = add_words(world, "sphere:0.3:4", &soft, 3);
    id[3] = add_grains(world, &soft);
    soft.rigid = true;
    id[4] = add_words(world, "brick:0.5x0.05x0.3", &soft, 4);
}

static void blow(pliant_world* world)
{
    pliant_air_def air = pliant_air_defaults();
    pliant_wind_def winds[2] = {pliant_wind_defaults(), pliant_wind_defaults()};
    air.wind = vec(4, 1, 2);
    air.gust = 0.5f;
    air.gust_time = 0.1f;
    air.turbulence = 2;
    winds[0].position[0] = -1;
    winds[0].direction = vec(1, 0.5, 0);
    winds[0].radius = 1;
    winds[0].speed = 5;
    winds[1].kind = PLIANT_WIND_VORTEX;
    winds[1].direction = vec(0, 1, 0);
    winds[1].radius = 0.5f;
    winds[1].speed = 3;
    CHECK_OK(pliant_world_set_air(world, &air));
    CHECK_OK(pliant_world_set_winds(world, winds, 2));
}

static void fill_world(pliant_world* world, const airy* c, pliant_body_id id[BODIES])
{
    add_bodies(world, c, id);
    blow(world);
    pliant_body_add_force(world, id[0], 3, vec(0, 0.1, 0));
    const pliant_collider_def floor = pliant_collider_defaults();
    if (c->floor) CHECK_OK(pliant_world_add_collider(world, &floor, NULL));
}

static pliant_world* open_airy(const airy* c, pliant_backend backend, pliant_body_id id[BODIES])
{
    pliant_world* world = NULL;
    pliant_world_def def = pliant_world_defaults();
    def.backend = backend;
    def.substeps = 6;
    def.iterations = c->iterations;
    def.launch_mode = c->mode;
    def.contacts = c->contacts;
    CHECK_OK(pliant_world_create(&def, &world));
    fill_world(world, c, id);
    return world;
}

static void check_loads(const airy* c, const pliant_world* here, const pliant_world* there,
                        const pliant_body_id id[BODIES], int step)
{
    for (int i = 0; i < BODIES; ++i) {
        pliant_air_load a, b;
        CHECK_OK(pliant_body_air(here, id[i], &a));
        CHECK_OK(pliant_body_air(there, id[i], &b));
        if (memcmp(&a, &b, sizeof a) != 0)
            fail_msg("%s, body %d: air does %g %g %g N and %g W instead of %g %g %g N and %g W by "
                     "step %d",
                     c->name, i, b.force[0], b.force[1], b.force[2], b.power, a.force[0],
                     a.force[1], a.force[2], a.power, step);
        assert_true(a.power != 0);
    }
}

static void bodies_in_the_wind_have_the_bits_of_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    for (int i = 0; i < CASES; ++i) {
        const airy* c = &cases[i];
        pliant_body_id id[BODIES];
        pliant_world *here = open_airy(c, PLIANT_BACKEND_CPU, id),
                     *there = open_airy(c, PLIANT_BACKEND_CUDA, id);
        for (int step = 2; step <= 8; step += 2) {
            run(here, 2, 1.0 / 60);
            run(there, 2, 1.0 / 60);
            check_loads(c, here, there, id, step);
            if (get_digest(here) != get_digest(there))
                fail_msg("%s: other bits by step %d", c->name, step);
        }
        CHECK_OK(pliant_world_set_air(here, NULL));
        CHECK_OK(pliant_world_set_air(there, NULL));
        run(here, 1, 1.0 / 60);
        run(there, 1, 1.0 / 60);
        assert_true(get_digest(here) == get_digest(there));
        pliant_world_destroy(here);
        pliant_world_destroy(there);
    }
}

static void worlds_of_a_batch_have_winds_of_their_own(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world_def def = pliant_world_defaults();
    pliant_batch* batch = NULL;
    pliant_world* alone[2];
    pliant_body_id id[BODIES];
    def.backend = PLIANT_BACKEND_CUDA;
    def.substeps = 4;
    CHECK_OK(pliant_batch_create(&def, &batch));
    def.backend = PLIANT_BACKEND_CPU;
    for (int i = 0; i < 2; ++i) {
        pliant_air_def air = pliant_air_defaults();
        pliant_world* world = new_world_of(batch);
        fill_world(world, &cases[0], id);
        CHECK_OK(pliant_world_create(&def, &alone[i]));
        fill_world(alone[i], &cases[0], id);
        air.wind = vec(0, 0, -3 * i);
        CHECK_OK(pliant_world_set_air(world, &air));
        CHECK_OK(pliant_world_set_air(alone[i], &air));
    }
    for (int i = 0; i < 4; ++i) CHECK_OK(pliant_batch_step(batch, 0.016f));
    for (int i = 0; i < 2; ++i) {
        run(alone[i], 4, 0.016);
        if (get_digest(alone[i]) != get_digest(pliant_batch_world(batch, i)))
            fail_msg("world %d: other bits in a batch", i);
        pliant_world_destroy(alone[i]);
    }
    pliant_batch_destroy(batch);
}

static void push_up(double time, int count, const double* points, double* velocities, void* context)
{
    (void)time, (void)points, (void)context;
    for (int i = 0; i < count; ++i) velocities[3 * i + 1] += 1;
}

static void a_wind_function_is_refused(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_body_id id[BODIES];
    pliant_world* world = open_airy(&cases[0], PLIANT_BACKEND_CUDA, id);
    pliant_world_set_wind_function(world, push_up, NULL);
    assert_int_equal(pliant_world_step(world, 0.01f), PLIANT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(pliant_error_text(), "cannot call a wind function"));
    pliant_world_destroy(world);
}

// From the asset to the second step.
static pliant_result step_cloth(const void* context)
{
    pliant_mesh* mesh = NULL;
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world_def def = pliant_world_defaults();
    const pliant_body_def at = pliant_body_defaults();
    const pliant_air_def air = pliant_air_defaults();
    (void)context;
    def.substeps = 2;
    def.threads = 1;
    def.backend = PLIANT_BACKEND_CUDA;
    pliant_result result = pliant_mesh_generate("cloth:3x3:1x1", &mesh);
    if (!result) result = pliant_world_create(&def, &world);
    if (!result) result = pliant_world_set_air(world, &air);
    if (!result) result = pliant_world_add_soft(world, mesh, &soft, &at, NULL);
    for (int i = 0; i < 2 && !result; ++i) result = pliant_world_step(world, 0.01f);
    pliant_world_destroy(world);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    need_gpu();
    CHECK_BETWEEN(check_some_failures(step_cloth, NULL, by_scope(7, 3, 1)), 20, 10000);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_in_the_wind_have_the_bits_of_the_processor),
        cmocka_unit_test(worlds_of_a_batch_have_winds_of_their_own),
        cmocka_unit_test(a_wind_function_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
