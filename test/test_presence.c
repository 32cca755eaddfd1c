// Particles that come and go while the world runs.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "base/hash.h"
#include "changing.h"
#include "failing.h"

static pliant_asset* room_for(int capacity, int first)
{
    const double x[6] = {0, 1, 0, 1, 1, 0};
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = first};
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.radius = 0.01;
    soft.capacity = capacity;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    pliant_mesh_destroy(mesh);
    return asset;
}

static pliant_world* world_with_room(int capacity, int first, pliant_body_id* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_world* world = NULL;
    pliant_asset* asset = room_for(capacity, first);
    def.substeps = 4;
    def.threads = 1;
    CHECK_OK(pliant_world_create(&def, &world));
    CHECK_OK(pliant_world_add_body(world, asset, &at, out));
    pliant_asset_destroy(asset);
    return world;
}

// In a row that begins at a place, apart from each other.
static pliant_result add_row(pliant_world* world, pliant_body_id id, int count, double x, int* out)
{
    double row[3 * 16];
    pliant_particles_def def = pliant_particles_defaults();
    for (int i = 0; i < count && i < 16; ++i) {
        row[3 * i] = x + 0.1 * i;
        row[3 * i + 1] = 2;
        row[3 * i + 2] = 0;
    }
    def.count = count;
    def.positions = row;
    return pliant_body_add_particles(world, id, &def, out);
}

static void step(pliant_world* world) { CHECK_OK(pliant_world_step(world, 0.01f)); }

// ---- numbers ------------------------------------------------------------------------------------

static void the_lowest_free_numbers_are_given(void** unused)
{
    (void)unused;
    pliant_body_id id;
    int number[4];
    pliant_world* world = world_with_room(8, 2, &id);
    assert_int_equal(pliant_body_particle_count(world, id), 8);
    assert_int_equal(pliant_body_present_count(world, id), 2);
    CHECK_OK(add_row(world, id, 3, 5, number));
    for (int i = 0; i < 3; ++i) assert_int_equal(number[i], 2 + i);
    CHECK_OK(pliant_body_remove_particles(world, id, (int[]){3, 0}, 2));
    assert_int_equal(pliant_body_room(world, id), 3); // not those that just went
    CHECK_OK(add_row(world, id, 1, 7, number));
    assert_int_equal(number[0], 5);
    step(world);
    CHECK_OK(add_row(world, id, 3, 9, number));
    assert_int_equal(number[0], 0);
    assert_int_equal(number[1], 3);
    assert_int_equal(number[2], 6);
    assert_int_equal(pliant_body_present_count(world, id), 7);
    assert_int_equal(pliant_body_room(world, id), 1);
    pliant_world_destroy(world);
}

static void particles_keep_their_numbers(void** unused)
{
    (void)unused;
    pliant_body_id id;
    pliant_vec3 x[8];
    pliant_world* world = world_with_room(8, 2, &id);
    CHECK_OK(add_row(world, id, 4, 5, NULL));
    CHECK_OK(pliant_body_remove_particles(world, id, (int[]){1, 3}, 2));
    step(world);
    CHECK_OK(pliant_body_read_positions(world, id, x, 8));
    CHECK_CLOSE(x[0].x, 0, 1e-6);
    CHECK_CLOSE(x[2].x, 5, 1e-6);
    CHECK_CLOSE(x[4].x, 5.2, 1e-6);
    CHECK_CLOSE(x[5].x, 5.3, 1e-6);
    pliant_world_destroy(world);
}

// ---- what is refused ----------------------------------------------------------------------------

static void expect(pliant_result result, const char* sentence)
{
    if (result != PLIANT_ERROR_ARGUMENT || !strstr(pliant_error_text(), sentence))
        fail_msg("expected \"%s\", got \"%s\"", sentence, pliant_error_text());
}

static void a_full_body_refuses_all_and_tells(void** unused)
{
    (void)unused;
    pliant_body_id id;
    pliant_world* world = world_with_room(5, 2, &id);
    uint64_t before = get_digest(world);
    expect(add_row(world, id, 4, 5, NULL), "there is room for 3: 2 of 5 are there");
    assert_int_equal(get_digest(world), before);
    CHECK_OK(add_row(world, id, 3, 5, NULL));
    expect(add_row(world, id, 1, 8, NULL), "there is room for 0");
    pliant_world_destroy(world);
}

static void bad_particles_are_refused_by_number(void** unused)
{
    (void)unused;
    pliant_body_id id;
    pliant_world* world = world_with_room(8, 2, &id);
    uint64_t before = get_digest(world);
    double x[6] = {0, 5, 0, 1, 5, 0}, size[2] = {0.01, 0.01};
    pliant_vec3 v[2] = {{0, 0, 0}, {0, 0, 0}};
    pliant_particles_def def = pliant_particles_defaults();
    def.count = 2;
    def.positions = x;
    def.velocities = v;
    def.radius = size;
    x[4] = NAN;
    expect(pliant_body_add_particles(world, id, &def, NULL), "new particle 1: its place");
    x[4] = 5;
    v[0].x = INFINITY;
    expect(pliant_body_add_particles(world, id, &def, NULL), "new particle 0: its velocity");
    v[0].x = 0;
    size[1] = 0;
    expect(pliant_body_add_particles(world, id, &def, NULL), "new particle 1: its radius is 0 m");
    size[1] = NAN;
    expect(pliant_body_add_particles(world, id, &def, NULL), "new particle 1: its radius");
    size[1] = 0.01;
    def.mass = (double[]){1, -1};
    expect(pliant_body_add_particles(world, id, &def, NULL), "new particle 1: its mass is -1 kg");
    def.mass = NULL;
    def.lifetime = NAN;
    expect(pliant_body_add_particles(world, id, &def, NULL), "the lifetime");
    expect(pliant_body_remove_particles(world, id, (int[]){0, 5}, 2), "particle 5");
    expect(pliant_body_remove_particles(world, id, (int[]){0, 8}, 2), "is no number");
    expect(pliant_body_remove_particles(world, id, (int[]){1, 1}, 2), "is named twice");
    assert_int_equal(get_digest(world), before);
    pliant_world_destroy(world);
}

static void held_particles_are_not_removed(void** unused)
{
    (void)unused;
    pliant_body_id id;
    pliant_world* world = world_with_room(4, 2, &id);
    pliant_attachment_id held;
    const double point[3] = {0, 1, 0};
    CHECK_OK(pliant_body_attach(world, id, 0, point, 0, &held));
    expect(pliant_body_remove_particles(world, id, (int[]){0}, 1), "is held by an attachment");
    CHECK_OK(pliant_body_remove_particles(world, id, (int[]){1}, 1));
    pliant_world_destroy(world);
}

static void capacities_that_make_no_sense_are_refused(void** unused)
{
    (void)unused;
    const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int tet[4] = {0, 1, 2, 3};
    pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = 4};
    pliant_mesh *loose = NULL, *tets = NULL, *none = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    CHECK_OK(pliant_mesh_create(&arrays, &loose));
    arrays.tets = tet;
    arrays.tet_count = 1;
    CHECK_OK(pliant_mesh_create(&arrays, &tets));
    CHECK_OK(pliant_mesh_create(&(pliant_mesh_arrays){0}, &none));
    soft.capacity = 3;
    soft.radius = 0.1;
    expect(pliant_asset_create(loose, &soft, &asset), "the mesh has 4 particles");
    expect(pliant_asset_create(tets, &soft, &asset), "a capacity is of loose particles");
    soft.radius = 0;
    expect(pliant_asset_create(none, &soft, &asset), "need a radius");
    soft.capacity = 8;
    soft.rigid = true;
    soft.radius = 0.1;
    expect(pliant_asset_create(loose, &soft, &asset), "do not come and go");
    pliant_mesh_destroy(loose);
    pliant_mesh_destroy(tets);
    pliant_mesh_destroy(none);
}

// ---- what happens -------------------------------------------------------------------------------

static void what_is_added_moves_as_what_was_there(void** unused)
{
    (void)unused;
    pliant_body_id id[2];
    pliant_world *one = world_with_room(2, 2, &id[0]), *two = world_with_room(2, 0, &id[1]);
    const double x[6] = {0, 1, 0, 1, 1, 0};
    pliant_particles_def def = pliant_particles_defaults();
    double a[6], b[6];
    def.count = 2;
    def.positions = x;
    CHECK_OK(pliant_body_add_particles(two, id[1], &def, NULL));
    for (int i = 0; i < 10; ++i) step(one), step(two);
    CHECK_OK(pliant_body_read_positions_exact(one, id[0], a, 2));
    CHECK_OK(pliant_body_read_positions_exact(two, id[1], b, 2));
    assert_memory_equal(a, b, sizeof a);
    CHECK_CLOSE(1 - a[1], 0.5 * 9.81 * 0.1 * 0.1, 0.03); // it falls
    assert_int_equal(get_digest(one), get_digest(two));
    pliant_world_destroy(one);
    pliant_world_destroy(two);
}

static void masses_and_energies_are_of_those_that_are_there(void** unused)
{
    (void)unused;
    pliant_body_id id;
    pliant_energies e;
    pliant_world* world = world_with_room(4, 1, &id);
    double ball = 1000 * 4 * 3.14159265358979323846 / 3 * 1e-6, mass[4];
    const double x[3] = {3, 2, 0}, heavy = 0.5;
    const pliant_vec3 v = {2, 0, 0};
    pliant_particles_def def = pliant_particles_defaults();
    CHECK_CLOSE(pliant_body_mass(world, id), ball, 1e-9);
    def.count = 1;
    def.positions = x;
    def.velocities = &v;
    def.mass = &heavy;
    CHECK_OK(pliant_body_add_particles(world, id, &def, NULL));
    CHECK_CLOSE(pliant_body_mass(world, id), ball + heavy, 1e-9);
    CHECK_OK(pliant_world_energies(world, &e));
    CHECK_CLOSE(e.kinetic, heavy / 2 * 4, 1e-6);
    CHECK_CLOSE(e.gravity, 9.81 * (ball + 2 * heavy), 1e-6);
    CHECK_OK(pliant_body_remove_particles(world, id, (int[]){1}, 1));
    CHECK_OK(pliant_world_energies(world, &e));
    CHECK_CLOSE(e.kinetic, 0, 0);
    CHECK_OK(pliant_body_read_masses(world, id, mass, 4));
    assert_true(mass[0] > 0 && mass[1] == 0 && mass[3] == 0);
    pliant_world_destroy(world);
}

static double height_of(pliant_world* world, pliant_body_id id, int particle)
{
    pliant_vec3 x[8];
    CHECK_OK(pliant_body_read_positions(world, id, x, 8));
    return (double)x[particle].y;
}

static void who_lay_on_one_that_goes_falls(void** unused)
{
    (void)unused;
    pliant_body_id id;
    pliant_world* world = world_with_room(4, 0, &id);
    const double x[6] = {0, 0.01, 0, 0, 0.03, 0};
    pliant_particles_def def = pliant_particles_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    def.count = 2;
    def.positions = x;
    CHECK_OK(pliant_body_add_particles(world, id, &def, NULL));
    for (int i = 0; i < 20; ++i) step(world);
    CHECK_CLOSE(height_of(world, id, 1), 0.03, 0.01);
    CHECK_OK(pliant_body_remove_particles(world, id, (int[]){0}, 1));
    for (int i = 0; i < 20; ++i) step(world);
    CHECK_CLOSE(height_of(world, id, 1), 0.01, 0.02);
    CHECK_CLOSE(height_of(world, id, 0), 0.01, 0.02); // where it was last
    pliant_world_destroy(world);
}

static void lives_end_in_time(void** unused)
{
    (void)unused;
    pliant_body_id id;
    pliant_world* world = world_with_room(4, 1, &id);
    const double x[3] = {5, 5, 5};
    pliant_particles_def def = pliant_particles_defaults();
    def.count = 1;
    def.positions = x;
    def.lifetime = 0.095;
    step(world);
    CHECK_OK(pliant_body_add_particles(world, id, &def, NULL));
    for (int i = 0; i < 10; ++i) step(world);
    assert_int_equal(pliant_body_present_count(world, id), 2);
    step(world); // begins 0.1 s later
    assert_int_equal(pliant_body_present_count(world, id), 1);
    pliant_world_destroy(world);
}

static void fall_through(bool with, pliant_vec3 out[36])
{
    const jet_case c = {.cloth = true};
    pliant_body_id id, both[2];
    pliant_world* world = jet_world(&c, &id);
    CHECK_OK(emit_four(world, id, 0, false)); // above the cloth: they are taken away at once
    CHECK_OK(pliant_body_remove_particles(world, id, (int[]){0, 1, 2, 3, 4, 5}, 6));
    assert_int_equal(pliant_world_bodies(world, both, 2), 2);
    const double below[3] = {0, 0, 0}, up[3] = {0, 0.2, 0};
    const pliant_quat as_it_is = {0, 0, 0, 1};
    CHECK_OK(pliant_body_teleport(world, both[1], below, as_it_is, up));
    if (!with) pliant_body_remove(world, id);
    for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    CHECK_OK(pliant_body_read_positions(world, both[1], out, 36));
    pliant_world_destroy(world);
}

static void nobody_meets_the_absent(void** unused)
{
    (void)unused;
    pliant_vec3 with[36], without[36];
    fall_through(true, with);
    fall_through(false, without);
    assert_memory_equal(with, without, sizeof with);
    assert_true(with[20].y < 0.02f); // it came through where they had been
}

// ---- the same bits ------------------------------------------------------------------------------

static uint64_t digest_of_jet(const jet_case* c, int steps, uint64_t* out_places)
{
    pliant_body_id id;
    pliant_world* world = jet_world(c, &id);
    double x[3 * JET_ROOM];
    run_jet(world, id, c, 0, steps);
    // What pairs keep of the past differs where they are pairs of elements.
    CHECK_OK(pliant_body_read_positions_exact(world, id, x, JET_ROOM));
    uint64_t digest = c->plain ? 0 : get_digest(world);
    *out_places = hash_bytes(HASH_SEED, x, sizeof x);
    pliant_world_destroy(world);
    return digest;
}

static void threads_lanes_and_lists_change_no_bit(void** unused)
{
    (void)unused;
    static const jet_case cases[] = {{.lanes = 1, .sizes = true},
                                     {.lanes = 4, .sizes = true, .threads = 2},
                                     {.sizes = true, .threads = 3},
                                     {.sizes = true, .fresh = true},
                                     {.sizes = true, .plain = true}};
    uint64_t at_first, places, expected = digest_of_jet(&cases[0], 60, &at_first);
    for (size_t i = 1; i < sizeof cases / sizeof cases[0]; ++i) {
        uint64_t digest = digest_of_jet(&cases[i], 60, &places);
        if (places != at_first || (!cases[i].plain && digest != expected))
            fail_msg("other bits in case %d", (int)i);
    }
}

static void a_snapshot_goes_on_as_the_world(void** unused)
{
    (void)unused;
    static const jet_case cases[] = {{.sizes = true},
                                     {.cloth = true},
                                     {.precision = PLIANT_PRECISION_DOUBLE},
                                     {.integrator = PLIANT_INTEGRATOR_BDF2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_body_id id;
        pliant_world* world = jet_world(&cases[i], &id);
        run_jet(world, id, &cases[i], 0, 30);
        drain(world, id, 3); // numbers that are not free yet
        size_t bytes = pliant_world_snapshot_size(world);
        void* data = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
        run_jet(world, id, &cases[i], 30, 45);
        uint64_t expected = get_digest(world);
        int present = pliant_body_present_count(world, id);
        pliant_world_destroy(world);
        world = jet_world(&cases[i], &id);
        CHECK_OK(pliant_world_snapshot_restore(world, data, bytes));
        run_jet(world, id, &cases[i], 30, 45);
        if (get_digest(world) != expected) fail_msg("other bits in case %d", (int)i);
        assert_int_equal(pliant_body_present_count(world, id), present);
        pliant_world_destroy(world);
        free(data);
    }
}

static void an_asset_file_keeps_the_room(void** unused)
{
    (void)unused;
    pliant_asset *asset = room_for(9, 2), *read = NULL;
    size_t bytes = pliant_asset_write_size(asset);
    void* data = malloc(bytes);
    CHECK_OK(pliant_asset_write(asset, data, bytes));
    CHECK_OK(pliant_asset_parse(data, bytes, "room", &read));
    assert_int_equal(pliant_asset_describe(read).particles, 2);
    assert_int_equal(pliant_asset_describe(read).capacity, 9);
    free(data);
    pliant_asset_destroy(asset);
    pliant_asset_destroy(read);
}

// ---- failures -----------------------------------------------------------------------------------

static pliant_result come_and_go(const void* context)
{
    (void)context;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_body_id id;
    def.substeps = 2;
    def.threads = 1;
    soft.radius = 0.01;
    soft.capacity = 20;
    pliant_result result = pliant_world_create(&def, &world);
    if (!result) result = pliant_mesh_create(&(pliant_mesh_arrays){0}, &mesh);
    if (!result) result = pliant_world_add_soft(world, mesh, &soft, &at, &id);
    for (int i = 1; i < 3 && !result; ++i) {
        result = emit_four(world, id, i, true);
        if (!result) result = pliant_world_step(world, 0.2f);
    }
    if (!result) result = pliant_body_remove_particles(world, id, (int[]){5}, 1);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
    return result;
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    CHECK_BETWEEN(check_some_failures(come_and_go, NULL, by_scope(7, 3, 1)), 30, 10000);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_free_numbers_are_given),
        cmocka_unit_test(particles_keep_their_numbers),
        cmocka_unit_test(a_full_body_refuses_all_and_tells),
        cmocka_unit_test(bad_particles_are_refused_by_number),
        cmocka_unit_test(held_particles_are_not_removed),
        cmocka_unit_test(capacities_that_make_no_sense_are_refused),
        cmocka_unit_test(what_is_added_moves_as_what_was_there),
        cmocka_unit_test(masses_and_energies_are_of_those_that_are_there),
        cmocka_unit_test(who_lay_on_one_that_goes_falls),
        cmocka_unit_test(lives_end_in_time),
        cmocka_unit_test(nobody_meets_the_absent),
        cmocka_unit_test(threads_lanes_and_lists_change_no_bit),
        cmocka_unit_test(a_snapshot_goes_on_as_the_world),
        cmocka_unit_test(an_asset_file_keeps_the_room),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
