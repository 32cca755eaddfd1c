// What programs need that have a world inside: versions, data of their own, boxes, teleports, and
// threads that read together.
#include "scene.h"
#include <pthread.h>

static void a_header_of_another_version_is_refused(void** unused)
{
    (void)unused;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    CHECK_OK(pliant_check_version(PLIANT_VERSION));
    CHECK_OK(pliant_check_version(PLIANT_VERSION + 1)); // a patch changes no layout
    assert_int_equal(pliant_world_create_for(PLIANT_VERSION + 100, &def, &world),
                     PLIANT_ERROR_UNSUPPORTED);
    assert_null(world);
    assert_non_null(strstr(pliant_error_text(), pliant_version()));
    assert_int_equal(pliant_check_version(PLIANT_VERSION + 10000), PLIANT_ERROR_UNSUPPORTED);
}

static void bodies_carry_data_of_their_owner(void** unused)
{
    (void)unused;
    int mine = 0, other = 0;
    pliant_world* world = make_world(2, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = one_tet(0.1);
    def.user_data = &mine;
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    assert_ptr_equal(pliant_body_user_data(world, body), &mine);
    pliant_body_set_user_data(world, body, &other);
    assert_ptr_equal(pliant_body_user_data(world, body), &other);
    assert_int_equal(pliant_asset_describe(pliant_body_asset(world, body)).particles, 4);
    pliant_world_destroy(world);
    pliant_mesh_destroy(mesh);
}

static void bounds_hold_the_particles_with_their_radii(void** unused)
{
    (void)unused;
    double low[3], high[3];
    pliant_world* world = make_world(2, 1);
    pliant_body_id body = add_box(world, 3);
    CHECK_OK(pliant_body_bounds(world, body, low, high));
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) assert_true(x[i].x[k] >= low[k] && x[i].x[k] <= high[k]);
    double right = high[0];
    for (int i = 0; i < count; ++i) CHECK_OK(pliant_body_set_radius(world, body, i, 0.25f));
    CHECK_OK(pliant_body_bounds(world, body, low, high));
    CHECK_BETWEEN(high[0] - right, 0.25 - 1e-6, 0.25 + 1e-6);
    free(x);
    pliant_world_destroy(world);
}

// A quarter turn about z takes x to y and y to -x: shape, energy and the size of the momentum stay.
static void a_teleport_moves_and_turns_the_whole_body(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(4, 1);
    pliant_body_id body = add_box(world, 0);
    write_velocity(world, body, vec(3, 0, 0));
    CHECK_OK(pliant_body_add_force(world, body, 0, vec(0, 0, 100)));
    run(world, 5, 0.01);
    const double pivot[3] = {1, 0, 0}, translation[3] = {0, 0, 10};
    const pliant_quat quarter = {0, 0, (float)sqrt(0.5), (float)sqrt(0.5)};
    place* before = read_places(world, body);
    pliant_energies energy = get_body_energies(world, body);
    motion moved = measure_motion(world, body);
    CHECK_OK(pliant_body_teleport(world, body, pivot, quarter, translation));
    place* after = read_places(world, body);
    for (int i = 0; i < pliant_body_particle_count(world, body); ++i) {
        const double expected[3] = {1 - before[i].x[1], before[i].x[0] - 1, before[i].x[2] + 10};
        for (int k = 0; k < 3; ++k) CHECK_BETWEEN(after[i].x[k] - expected[k], -1e-6, 1e-6);
    }
    motion turned = measure_motion(world, body);
    pliant_energies there = get_body_energies(world, body);
    CHECK_CLOSE(turned.momentum[1], moved.momentum[0], 1e-5);
    CHECK_CLOSE(there.elastic, energy.elastic, 1e-4);
    CHECK_CLOSE(there.kinetic, energy.kinetic, 1e-5);
    free(before);
    free(after);
    pliant_world_destroy(world);
}

static void a_teleport_that_cannot_be_moves_nothing(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(2, 1);
    pliant_body_id body = add_box(world, 1);
    const double zero[3] = {0, 0, 0}, away[3] = {NAN, 0, 0}, far[3] = {1e39, 0, 0};
    const pliant_quat identity = {0, 0, 0, 1}, none = {0, 0, 0, 0};
    uint64_t digest = get_digest(world);
    assert_int_equal(pliant_body_teleport(world, body, zero, none, zero), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_body_teleport(world, body, zero, identity, away),
                     PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_body_teleport(world, body, zero, identity, far), PLIANT_ERROR_ARGUMENT);
    assert_true(get_digest(world) == digest);
    pliant_world_destroy(world);
}

// ---- threads that read --------------------------------------------------------------------------

typedef struct {
    const pliant_world* world;
    pliant_body_id body;
    pliant_energies energies;
    uint64_t digest;
    int contacts;
} reader;

static void* read_all(void* argument)
{
    reader* r = (reader*)argument;
    for (int i = 0; i < 20; ++i) {
        pliant_vec3 x[8];
        r->energies = get_energies(r->world);
        r->digest = get_digest(r->world);
        pliant_body_read_positions(r->world, r->body, x, 8);
        if (pliant_world_count_contacts(r->world, &r->contacts)) return r;
    }
    return NULL;
}

static void several_threads_read_one_world(void** unused)
{
    (void)unused;
    enum { READERS = 3 };
    pliant_world* world = make_world(4, 1);
    pliant_body_id body = add_box(world, 0);
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    run(world, 30, 0.01);
    reader alone = {.world = world, .body = body}, readers[READERS];
    pthread_t thread[READERS];
    assert_null(read_all(&alone));
    for (int i = 0; i < READERS; ++i) {
        readers[i] = (reader){.world = world, .body = body};
        assert_int_equal(pthread_create(&thread[i], NULL, read_all, &readers[i]), 0);
    }
    for (int i = 0; i < READERS; ++i) {
        void* failed;
        pthread_join(thread[i], &failed);
        assert_null(failed);
        assert_true(readers[i].digest == alone.digest && readers[i].contacts == alone.contacts);
        assert_true(readers[i].energies.unresolved == alone.energies.unresolved);
    }
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_of_another_version_is_refused),
        cmocka_unit_test(bodies_carry_data_of_their_owner),
        cmocka_unit_test(bounds_hold_the_particles_with_their_radii),
        cmocka_unit_test(a_teleport_moves_and_turns_the_whole_body),
        cmocka_unit_test(a_teleport_that_cannot_be_moves_nothing),
        cmocka_unit_test(several_threads_read_one_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
