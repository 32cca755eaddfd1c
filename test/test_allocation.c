// Memory: a warm step takes none, and a refused allocation anywhere loses none.
#include "failing.h"
#include "scene.h"

static void warm_step_does_not_allocate(void** unused)
{
    (void)unused;
    pliant_world_def def = pliant_world_defaults();
    def.substeps = 4;
    def.iterations = 2;
    def.threads = 2;
    def.history = 3;
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.patch_rows = 32; // several patches
    soft.material.yield_stress = 1e3;
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 3, 3}, 0.1, 0), &soft, 0.01);
    add_soft(world, one_tet(0.1), &soft, 1);
    new_attachment(world, body, 3, (const double[3]){0, 1, 0}, 0.1);
    pliant_body_move_pin(world, body, 1, (const double[3]){0.1, 0.02, 0});
    run(world, 2, 0.01);
    uint64_t before = pliant_allocation_count();
    for (int i = 0; i < 5; ++i) {
        if (i % 2) pliant_body_move_pin(world, body, 1, (const double[3]){0.1, 0.02, 0.01 * i});
        run(world, 1, 0.01);
    }
    assert_int_equal(pliant_allocation_count() - before, 0);
    pliant_world_destroy(world);
}

typedef struct {
    pliant_mesh *mesh, *surface;
    pliant_soft_def soft;
} materials;

static pliant_result create_asset(const void* context)
{
    const materials* m = (const materials*)context;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(m->mesh, &m->soft, &asset);
    if (result) assert_null(asset);
    pliant_asset_destroy(asset);
    return result;
}

static void asset_survives_every_refused_allocation(void** unused)
{
    (void)unused;
    static const struct {
        pliant_schedule schedule;
        pliant_clustering clustering;
    } orders[] = {{PLIANT_SCHEDULE_PATCHED, PLIANT_CLUSTERING_COMPACT},
                  {PLIANT_SCHEDULE_CLUSTERED, PLIANT_CLUSTERING_COMPACT},
                  {PLIANT_SCHEDULE_CLUSTERED, PLIANT_CLUSTERING_NEIGHBORS},
                  {PLIANT_SCHEDULE_CLUSTERED, PLIANT_CLUSTERING_CELLS},
                  {PLIANT_SCHEDULE_COLORED, PLIANT_CLUSTERING_COMPACT},
                  {PLIANT_SCHEDULE_SERIAL, PLIANT_CLUSTERING_COMPACT},
                  {PLIANT_SCHEDULE_PHANTOM, PLIANT_CLUSTERING_COMPACT},
                  {PLIANT_SCHEDULE_HYBRID, PLIANT_CLUSTERING_COMPACT},
                  {PLIANT_SCHEDULE_JACOBI, PLIANT_CLUSTERING_COMPACT}};
    materials m = {box_mesh((int[3]){2, 2, 1}, 0.1, 0), NULL, pliant_soft_defaults()};
    m.soft.solver.patch_rows = 16; // two patches
    m.soft.solver.patch_interface = PLIANT_INTERFACE_ORDERED;
    m.soft.material.yield_stress = 1e4;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i) {
        m.soft.solver.schedule = orders[i].schedule;
        m.soft.research.clustering = orders[i].clustering;
        assert_true(check_every_failure(create_asset, &m) > 10);
    }
    m.soft.solver.schedule = PLIANT_SCHEDULE_PHANTOM;
    m.soft.research.phantoms = PLIANT_PHANTOMS_SINGLE;
    assert_true(check_every_failure(create_asset, &m) > 10);
    pliant_mesh_destroy(m.mesh);
}

// A world with all that it can hold. Every call may fail; the first failure ends it.
static pliant_result fill_world(const void* context)
{
    const materials* m = (const materials*)context;
    pliant_world_def def = pliant_world_defaults();
    def.threads = 2;
    def.substeps = 2;
    def.iterations = 2;
    def.history = 2;
    pliant_world* world = NULL;
    pliant_body_id body;
    pliant_body_def start = pliant_body_defaults();
    pliant_collider_def ball = pliant_collider_defaults();
    const double origin[3] = {0, 0, 0};
    pliant_result result = pliant_world_create(&def, &world);
    if (result) return result;
    result = pliant_world_add_soft(world, m->mesh, &m->soft, &start, &body);
    if (!result) result = pliant_world_add_collider(world, &ball, NULL);
    ball.shape = PLIANT_SHAPE_MESH;
    ball.mesh = m->surface;
    ball.cell = 0.25f;
    if (!result) result = pliant_world_add_collider(world, &ball, NULL);
    if (!result) result = pliant_body_attach(world, body, 1, origin, 1, NULL);
    if (!result) result = pliant_world_step(world, 0.001f);
    pliant_world_destroy(world);
    return result;
}

// Cloth with all its parts, and a solid of edges.
static void parts_survive_every_refused_allocation(void** unused)
{
    (void)unused;
    static const int anchors[] = {0, 3};
    materials m = {generate("cloth:3x3"), NULL, pliant_soft_defaults()};
    m.soft.cloth.area = 10;
    m.soft.anchors = anchors;
    m.soft.anchor_count = 2;
    assert_true(check_every_failure(create_asset, &m) > 10);
    pliant_mesh_destroy(m.mesh);
    m.mesh = surface_of("sphere:0.5:2");
    m.surface = surface_of("sphere:0.5:2");
    m.soft.cloth.air = 10;
    m.soft.anchors = NULL;
    m.soft.anchor_count = 0;
    assert_true(check_every_failure(fill_world, &m) > 30);
    pliant_mesh_destroy(m.mesh);
    pliant_mesh_destroy(m.surface);
    m.mesh = box_mesh((int[3]){2, 1, 1}, 0.1, 0);
    m.soft.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    assert_true(check_every_failure(create_asset, &m) > 10);
    pliant_mesh_destroy(m.mesh);
}

static void world_survives_every_refused_allocation(void** unused)
{
    (void)unused;
    materials m = {one_tet(0.1), surface_of("sphere:0.5:2"), pliant_soft_defaults()};
    m.soft.material.yield_stress = 1e3;
    assert_true(check_every_failure(fill_world, &m) > 30);
    pliant_mesh_destroy(m.mesh);
    pliant_mesh_destroy(m.surface);
}

// A world that could not grow is as good as before.
static void failed_additions_leave_the_world_usable(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def start = pliant_body_defaults();
    pliant_mesh* mesh = one_tet(0.1);
    pliant_world* world = make_world(2, 1);
    add_soft(world, one_tet(0.1), &soft, 0);
    run(world, 1, 0.01);
    uint64_t digest = get_digest(world);
    for (int n = 0;; ++n) {
        failing_allocator failing = {n};
        pliant_allocator hooks = {allocate_or_fail, release_allocated, &failing};
        pliant_set_allocator(&hooks);
        pliant_body_id body = {1, 1};
        pliant_result result = pliant_world_add_soft(world, mesh, &soft, &start, &body);
        pliant_set_allocator(NULL);
        if (!result) break;
        assert_int_equal(result, PLIANT_ERROR_MEMORY);
        assert_int_equal(body.index1, 0);
        assert_int_equal(pliant_world_body_count(world), 1);
        assert_true(get_digest(world) == digest);
    }
    run(world, 1, 0.01);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_step_does_not_allocate),
        cmocka_unit_test(asset_survives_every_refused_allocation),
        cmocka_unit_test(parts_survive_every_refused_allocation),
        cmocka_unit_test(world_survives_every_refused_allocation),
        cmocka_unit_test(failed_additions_leave_the_world_usable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
