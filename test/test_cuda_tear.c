// Bodies on a GPU that tear and are cut: the same bits as on the processor, whose elements they get
// between steps. Without a GPU it is skipped, by name.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "cuda_scenes.h"

typedef struct {
    const char* name;
    const char* words;
    pliant_schedule schedule;
    pliant_precision precision;
    bool cut;  // instead of pulled apart
    int least; // particles that come of it
} tear_case;

#define COLORED .schedule = PLIANT_SCHEDULE_COLORED

static const tear_case cases[] = {
    {"cloth", .words = "cloth:12x9:0.8x0.6", .least = 5},
    {"tets", .words = "beam:8x3x3", .least = 5},
    {"a rope", .words = "rope:0.8:16", .least = 1},
    {"tets, colored", .words = "beam:8x3x3", COLORED, .least = 5},
    {"cloth, cut", .words = "cloth:12x9:0.8x0.6", .cut = true, .least = 5},
    {"tets, cut, double", .words = "beam:8x3x3", .precision = PLIANT_PRECISION_DOUBLE, .cut = true,
     .least = 8},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static pliant_world* open_tear(const tear_case* c, pliant_backend backend, pliant_body_id* out)
{
    pliant_world* world = NULL;
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    const pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = generate(c->words);
    def.backend = backend;
    def.substeps = 6;
    soft.solver.schedule = c->schedule;
    soft.solver.precision = c->precision;
    soft.solver.patch_rows = 64;
    soft.material.young = 1e5;
    soft.rope.radius = 0.02;
    if (!c->cut) {
        soft.material.tear_strength = 1.2e4;
        soft.cloth.tear_strength = 60;
    }
    CHECK_OK(pliant_world_create(&def, &world));
    *out = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    return world;
}

static void pull_apart(pliant_world* world, pliant_body_id id)
{
    enum { MOST = 400 };
    static pliant_vec3 x[MOST], v[MOST];
    int count = pliant_body_particle_count(world, id);
    assert_true(count <= MOST);
    CHECK_OK(pliant_body_read_positions(world, id, x, count));
    for (int i = 0; i < count; ++i) v[i] = vec(12 * (double)x[i].x + (double)x[i].y, 0, 0);
    CHECK_OK(pliant_body_write_velocities(world, id, v, count));
}

// Across the middle.
static void cut(pliant_world* world, pliant_body_id id)
{
    static const double across[18] = {0, -9, -9, 0.001, 9, -9, 0, 9,  9,
                                      0, -9, -9, 0,     9, 9,  0, -9, 9};
    double blade[18], low[3], high[3];
    int count = 0;
    CHECK_OK(pliant_body_bounds(world, id, low, high));
    for (int i = 0; i < 18; ++i)
        blade[i] = across[i] + (i % 3 == 0 ? 0.52 * low[0] + 0.48 * high[0] : 0);
    CHECK_OK(pliant_body_cut(world, id, blade, 2, &count));
}

static void torn_bodies_have_the_bits_of_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    for (int i = 0; i < CASES; ++i) {
        const tear_case* c = &cases[i];
        pliant_body_id id[2];
        pliant_world* world[2];
        for (int k = 0; k < 2; ++k) {
            world[k] = open_tear(c, k ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU, &id[k]);
            if (!c->cut) pull_apart(world[k], id[k]);
        }
        int before = pliant_body_particle_count(world[0], id[0]);
        for (int step = 0; step < 12; ++step) {
            for (int k = 0; k < 2; ++k) {
                if (c->cut && step == 4) cut(world[k], id[k]);
                run(world[k], 1, 1.0 / 120);
            }
            if (get_digest(world[0]) != get_digest(world[1]))
                fail_msg("%s: other bits by step %d", c->name, step + 1);
        }
        int more = pliant_body_particle_count(world[1], id[1]) - before;
        if (more < c->least) fail_msg("%s: only %d more particles", c->name, more);
        for (int k = 0; k < 2; ++k) pliant_world_destroy(world[k]);
    }
}

static void energy_of_tears_is_refused(void** unused)
{
    (void)unused;
    need_gpu();
    pliant_world* world = NULL;
    pliant_asset* asset = NULL;
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    const pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = generate("cloth:4x4:1x1");
    def.backend = PLIANT_BACKEND_CUDA;
    soft.cloth.tear_strength = 90;
    soft.cloth.tear_energy = 0.2;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    CHECK_OK(pliant_world_create(&def, &world));
    assert_int_equal(pliant_world_add_body(world, asset, &at, NULL), PLIANT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(pliant_error_text(), "tear_energy"));
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torn_bodies_have_the_bits_of_the_processor),
        cmocka_unit_test(energy_of_tears_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
