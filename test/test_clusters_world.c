// Clusters of particles in a world: the same bits, snapshots, assets, what is read and written, and
// what is refused.
#include "clustered.h"
#include "failing.h"

// ---- the same bits ------------------------------------------------------------------------------

typedef struct {
    int threads, lanes;
    double stiffness, spacing, yield;
    pliant_precision precision;
} case_of;

static pliant_world* bits_world(case_of c)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    pliant_soft_def soft = soft_of(c.stiffness, c.precision);
    pliant_collider_def floor = pliant_collider_defaults();
    def.substeps = 8;
    def.threads = c.threads;
    def.lanes = c.lanes;
    CHECK_OK(pliant_world_create(&def, &world));
    soft.clusters.spacing = c.spacing;
    soft.clusters.yield_strain = c.yield;
    for (int i = 0; i < 3; ++i) {
        const points p = block(3 + i, 5, 9 - i, 0.1);
        pliant_body_def at = pliant_body_defaults();
        at.position[1] = 0.2 + 0.7 * i;
        at.velocity = vec(0.3, -3, 0.1);
        at.rotation = (pliant_quat){0.1f, 0.2f, 0.1f * (float)i, 0.9f};
        add_points(world, &p, &soft, &at);
    }
    new_collider(world, &floor);
    return world;
}

static uint64_t digest_now(const pliant_world* world)
{
    uint64_t digest = 0;
    CHECK_OK(pliant_world_digest(world, &digest));
    return digest;
}

static uint64_t digest_after(case_of c, int steps)
{
    pliant_world* world = bits_world(c);
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    uint64_t digest = digest_now(world);
    pliant_world_destroy(world);
    return digest;
}

static void threads_and_lanes_change_no_bit(void** unused)
{
    (void)unused;
    const int steps = by_scope(8, 30, 60);
    for (int k = 0; k < 3; ++k) {
        case_of c = {1,
                     1,
                     k == 0 ? 1 : 0.8,
                     k == 2 ? 0.2 : 0,
                     k == 2 ? 0.1 : 0,
                     k == 1 ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE};
        uint64_t expected = digest_after(c, steps);
        c.threads = 3, c.lanes = 16;
        assert_true(digest_after(c, steps) == expected);
        c.threads = 2, c.lanes = 4;
        assert_true(digest_after(c, steps) == expected);
    }
}

// Contacts of particles in lists of their own, or as pairs of elements: the same places.
static void contacts_are_those_of_elements(void** unused)
{
    (void)unused;
    static points found[2][3];
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = bits_world((case_of){2, 8, 1, 0, 0, PLIANT_PRECISION_SINGLE});
        pliant_body_id id[3];
        int contacts = 0;
        world->contacts.plain = k;
        for (int i = 0; i < 60; ++i) {
            CHECK_OK(pliant_world_step(world, 1.0f / 60));
            contacts += pliant_world_contact_stats(world).contacts;
        }
        CHECK_BETWEEN(contacts, 20, 1000000);
        assert_int_equal(pliant_world_bodies(world, id, 3), 3);
        for (int i = 0; i < 3; ++i) read_all(world, id[i], &found[k][i], NULL);
        pliant_world_destroy(world);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
}

static void restored_world_goes_on_alike(void** unused)
{
    (void)unused;
    pliant_world* world = bits_world((case_of){2, 8, 0.9, 0.2, 0.05, PLIANT_PRECISION_SINGLE});
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    size_t bytes = pliant_world_snapshot_size(world);
    void* kept = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, kept, bytes));
    uint64_t before = digest_now(world);
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    uint64_t after = digest_now(world);
    CHECK_OK(pliant_world_snapshot_restore(world, kept, bytes));
    assert_true(digest_now(world) == before);
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    assert_true(digest_now(world) == after);
    free(kept);
    pliant_world_destroy(world);
}

static void saved_asset_has_the_same_clusters(void** unused)
{
    (void)unused;
    const points p = block(4, 5, 6, 0.1);
    pliant_mesh* mesh = points_mesh(&p);
    pliant_soft_def soft = soft_of(0.7, PLIANT_PRECISION_SINGLE);
    pliant_asset *asset = NULL, *loaded = NULL;
    soft.clusters.spacing = 0.25;
    soft.clusters.yield_strain = 0.1;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    size_t bytes = pliant_asset_write_size(asset);
    void* data = malloc(bytes);
    CHECK_OK(pliant_asset_write(asset, data, bytes));
    CHECK_OK(pliant_asset_parse(data, bytes, "memory", &loaded));
    const cluster_set *a = &asset->clusters, *b = &loaded->clusters;
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->member_count, b->member_count);
    assert_memory_equal(a->particle, b->particle, (size_t)a->member_count * sizeof(int));
    assert_memory_equal(a->rest, b->rest, 3 * (size_t)a->member_count * sizeof(double));
    assert_true(a->frequency == b->frequency && a->yield == b->yield);
    free(data);
    pliant_mesh_destroy(mesh);
    pliant_asset_destroy(asset);
    pliant_asset_destroy(loaded);
}

// A body goes on with a softer asset as it is turned and dented, and not with other clusters.
static void another_asset_goes_on_with_the_shape(void** unused)
{
    (void)unused;
    const points p = block(4, 4, 4, 0.1);
    pliant_mesh* mesh = points_mesh(&p);
    pliant_asset* asset[3] = {NULL, NULL, NULL};
    pliant_world* world = make_still_world(4, 1);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id id;
    for (int i = 0; i < 3; ++i) {
        pliant_soft_def soft = soft_of(i ? 0.5 : 0.9, PLIANT_PRECISION_SINGLE);
        soft.clusters.spacing = i == 2 ? 0 : 0.2;
        soft.clusters.yield_strain = 0.01;
        CHECK_OK(pliant_asset_create(mesh, &soft, &asset[i]));
    }
    def.angular_velocity = vec(0, 20, 0);
    CHECK_OK(pliant_world_add_body(world, asset[0], &def, &id));
    for (int i = 0; i < 10; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    pliant_cluster_pose before, after;
    CHECK_OK(pliant_body_read_clusters(world, id, &before, 1));
    double dent = world_body(world, id)->matched.rest[0];
    assert_true(dent != asset[0]->clusters.rest[0]);
    CHECK_OK(pliant_body_set_asset(world, id, asset[1]));
    CHECK_OK(pliant_body_read_clusters(world, id, &after, 1));
    assert_memory_equal(&before, &after, offsetof(pliant_cluster_pose, particles));
    assert_true(world_body(world, id)->matched.rest[0] == dent);
    CHECK_OK(pliant_world_step(world, 1.0f / 60));
    assert_int_equal(pliant_body_set_asset(world, id, asset[2]), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "same clusters"));
    pliant_world_destroy(world);
    for (int i = 0; i < 3; ++i) pliant_asset_destroy(asset[i]);
    pliant_mesh_destroy(mesh);
}

// ---- reading and writing ------------------------------------------------------------------------

static void poses_are_written_and_read(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(4, 1);
    pliant_soft_def soft = soft_of(1, PLIANT_PRECISION_DOUBLE);
    pliant_body_def def = pliant_body_defaults();
    const points p = block(2, 3, 4, 0.1);
    points now;
    pliant_body_id id = add_points(world, &p, &soft, &def);
    pliant_cluster_pose pose = {{1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}, 0}, read;
    CHECK_OK(pliant_body_write_clusters(world, id, &pose, 1));
    CHECK_OK(pliant_world_step(world, 1.0f / 60));
    CHECK_OK(pliant_body_read_clusters(world, id, &read, 1));
    assert_int_equal(read.particles, p.count);
    CHECK_BETWEEN(distance_of(read.position, pose.position), 0, 1e-9);
    CHECK_CLOSE(fabs(read.rotation.x * 0.5f + read.rotation.y * 0.5f + read.rotation.z * 0.5f +
                     read.rotation.w * 0.5f),
                1, 1e-6);
    read_all(world, id, &now, NULL);
    CHECK_BETWEEN(misfit(&now, &p), 0, 1e-9);
    CHECK_CLOSE(now.x[3] - now.x[0] + now.x[4] - now.x[1] + now.x[5] - now.x[2], 0.1, 1e-6);
    assert_int_equal(pliant_body_write_clusters(world, id, &pose, 0), PLIANT_ERROR_ARGUMENT);
    pose.position[1] = INFINITY;
    assert_int_equal(pliant_body_write_clusters(world, id, &pose, 1), PLIANT_ERROR_ARGUMENT);
    pose.position[1] = 0, pose.rotation = (pliant_quat){0, 0, 0, 0};
    assert_int_equal(pliant_body_write_clusters(world, id, &pose, 1), PLIANT_ERROR_ARGUMENT);
    pliant_world_destroy(world);
}

static void check_refused(const pliant_mesh* mesh, const pliant_soft_def* soft, const char* words)
{
    pliant_asset* asset = NULL;
    assert_int_not_equal(pliant_asset_create(mesh, soft, &asset), PLIANT_OK);
    if (!strstr(pliant_error_text(), words)) fail_msg("'%s': %s", words, pliant_error_text());
}

static void what_makes_no_cluster_is_refused(void** unused)
{
    (void)unused;
    const points p = block(2, 2, 2, 0.1);
    pliant_mesh *mesh = points_mesh(&p), *tet = one_tet(0.1);
    pliant_soft_def soft = soft_of(0, PLIANT_PRECISION_SINGLE);
    soft.clusters.spacing = 0.1;
    check_refused(mesh, &soft, "give them a stiffness");
    soft.clusters.stiffness = 1.5;
    check_refused(mesh, &soft, "stiffness");
    soft.clusters.stiffness = 0.5;
    soft.clusters.size = 0.05;
    check_refused(mesh, &soft, "leaves particles out");
    soft.clusters.size = 0;
    soft.clusters.plastic_time = 1;
    check_refused(mesh, &soft, "yield_strain");
    soft.clusters.plastic_time = 0;
    check_refused(tet, &soft, "loose particles");
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(tet);
}

static pliant_result make_and_step(const void* unused)
{
    (void)unused;
    const points p = block(3, 3, 4, 0.1);
    const pliant_mesh_arrays arrays = {.vertices = p.x, .vertex_count = p.count};
    pliant_world_def world_def = pliant_world_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_soft_def soft = soft_of(0.8, PLIANT_PRECISION_SINGLE);
    pliant_skin_def skin_def = pliant_skin_defaults();
    pliant_mesh *mesh = NULL, *surface = NULL;
    pliant_world* world = NULL;
    pliant_skin* skin = NULL;
    pliant_body_id id;
    soft.clusters.spacing = 0.15;
    soft.clusters.yield_strain = 0.1;
    world_def.threads = 1;
    world_def.iterations = 2;
    world_def.substeps = 2;
    pliant_result result = pliant_mesh_create(&arrays, &mesh);
    if (!result) result = pliant_world_create(&world_def, &world);
    if (!result) result = pliant_world_add_soft(world, mesh, &soft, &def, &id);
    if (!result) result = pliant_mesh_generate("cloth:2x2:0.2x0.2", &surface);
    skin_def.surface = surface;
    skin_def.bodies = &id;
    if (!result) result = pliant_skin_create(world, &skin_def, &skin);
    if (!result) result = pliant_world_step(world, 0.01f);
    pliant_skin_destroy(skin);
    pliant_world_destroy(world);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_failed_allocation_is_survived(void** unused)
{
    (void)unused;
    CHECK_BETWEEN(check_every_failure(make_and_step, NULL), 30, 1000);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_lanes_change_no_bit),
        cmocka_unit_test(contacts_are_those_of_elements),
        cmocka_unit_test(restored_world_goes_on_alike),
        cmocka_unit_test(saved_asset_has_the_same_clusters),
        cmocka_unit_test(another_asset_goes_on_with_the_shape),
        cmocka_unit_test(poses_are_written_and_read),
        cmocka_unit_test(what_makes_no_cluster_is_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
