// Shapes at rest that a program changes: free and held bodies against closed forms, muscles,
// snapshots, what is refused.
#include "scene.h"

static pliant_soft_def swelling(void)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.precision = PLIANT_PRECISION_DOUBLE;
    def.material.poisson = 0.3;
    def.material.damping = 0.01;
    def.material.expansion = 1e-3;
    return def;
}

// Of 0.4 x 0.2 x 0.2 m, with its middle at the origin.
static pliant_body_id add_bar(pliant_world* world, const pliant_soft_def* def)
{
    pliant_mesh* mesh = box_mesh((int[3]){4, 2, 2}, 0.1, 0);
    return add_soft(world, mesh, def, 0);
}

static void settle(pliant_world* world, pliant_body_id body, int steps)
{
    double last = 0;
    for (int i = 0; i < steps; ++i) {
        CHECK_OK(pliant_world_step(world, 0.01f));
        double kinetic = get_body_energies(world, body).kinetic;
        if (kinetic < last) write_velocity(world, body, vec(0, 0, 0));
        last = kinetic < last ? 0 : kinetic;
    }
}

static void size_of(const pliant_world* world, pliant_body_id body, double out[3])
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; ++i) low = fmin(low, x[i].x[k]), high = fmax(high, x[i].x[k]);
        out[k] = high - low;
    }
    free(x);
}

// Free, it is as large as it wants to be, without stress: in all formulations.
static void free_body_grows_by_its_warmth(void** unused)
{
    (void)unused;
    for (int form = 0; form < 4; ++form)
        for (int cold = 0; cold < 2; ++cold) {
            pliant_soft_def def = swelling();
            def.solver.formulation = (pliant_formulation)form;
            pliant_world* world = make_still_world(40, 1);
            pliant_body_id body = add_bar(world, &def);
            double size[3], share = cold ? 0.9 : 1.2;
            CHECK_OK(pliant_body_swell(world, body, -1, (share - 1) / def.material.expansion, 0));
            double first = get_body_energies(world, body).elastic;
            settle(world, body, 80);
            size_of(world, body, size);
            CHECK_CLOSE(size[0], 0.4 * share, 1e-3);
            CHECK_CLOSE(size[1], 0.2 * share, 1e-3);
            CHECK_CLOSE(size[2], 0.2 * share, 1e-3);
            CHECK_BETWEEN(get_body_energies(world, body).elastic, -1e-6 * first, 1e-4 * first);
            pliant_world_destroy(world);
        }
}

// Free, a muscle is shorter along its fibers and thicker by the root of that.
static void free_muscle_keeps_its_volume(void** unused)
{
    (void)unused;
    pliant_soft_def def = swelling();
    def.material.contraction = 0.4;
    def.material.fiber[0] = 0;
    def.material.fiber[2] = -3;
    pliant_world* world = make_still_world(40, 1);
    pliant_body_id body = add_bar(world, &def);
    double size[3], along = 1 - 0.4 * 0.75;
    CHECK_OK(pliant_body_swell(world, body, 0, 0, 0.75));
    settle(world, body, 100);
    size_of(world, body, size);
    CHECK_CLOSE(size[2], 0.2 * along, 1e-3);
    CHECK_CLOSE(size[0], 0.4 / sqrt(along), 1e-3);
    CHECK_CLOSE(size[1], 0.2 / sqrt(along), 1e-3);
    pliant_world_destroy(world);
}

// Held at both ends and free across, it has the stress E times the strain that it wants: an energy
// of E / 2 strain^2 per volume.
static void held_bar_has_the_stress_of_what_it_wants(void** unused)
{
    (void)unused;
    const double strain = 0.002;
    for (int muscle = 0; muscle < 2; ++muscle) {
        pliant_soft_def def = swelling();
        def.material.contraction = muscle ? 0.2 : 0;
        pliant_world* world = make_still_world(60, 1);
        pliant_body_id body = add_bar(world, &def);
        int count = pliant_body_particle_count(world, body);
        place* x = read_places(world, body);
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; ++i) low = fmin(low, x[i].x[0]), high = fmax(high, x[i].x[0]);
        for (int i = 0; i < count; ++i)
            if (x[i].x[0] < low + 1e-6 || x[i].x[0] > high - 1e-6)
                CHECK_OK(pliant_body_pin_axes(world, body, i, 1));
        free(x);
        CHECK_OK(muscle ? pliant_body_swell(world, body, -1, 0, strain / def.material.contraction)
                        : pliant_body_swell(world, body, -1, strain / def.material.expansion, 0));
        settle(world, body, 100);
        double expected = def.material.young / 2 * strain * strain * 0.4 * 0.2 * 0.2;
        double energy = get_body_energies(world, body).elastic;
        print_message("    held, %s: %.6g J of %.6g\n", muscle ? "a muscle" : "warm", energy,
                      expected);
        CHECK_CLOSE(energy, expected, 0.01);
        pliant_world_destroy(world);
    }
}

static void going_back_is_the_mesh_again(void** unused)
{
    (void)unused;
    pliant_soft_def def = swelling();
    uint64_t digest[2];
    for (int i = 0; i < 2; ++i) {
        pliant_world* world = make_world(10, 1);
        pliant_body_id body = add_bar(world, &def);
        if (i) CHECK_OK(pliant_body_swell(world, body, -1, 120, 0));
        if (i) CHECK_OK(pliant_body_swell(world, body, -1, 0, 0));
        run(world, 5, 0.01);
        digest[i] = get_digest(world);
        pliant_world_destroy(world);
    }
    assert_true(digest[0] == digest[1]);
}

// A body that could swell and does not has the bits of one that cannot.
static void what_does_not_swell_has_the_same_bits(void** unused)
{
    (void)unused;
    uint64_t digest[2];
    for (int i = 0; i < 2; ++i) {
        pliant_soft_def def = swelling();
        def.solver.precision = PLIANT_PRECISION_SINGLE;
        def.material.expansion = i ? 1e-3 : 0;
        pliant_world* world = make_world(10, 1);
        add_bar(world, &def);
        run(world, 10, 0.01);
        digest[i] = get_digest(world);
        pliant_world_destroy(world);
    }
    assert_true(digest[0] == digest[1]);
}

static uint64_t digest_after(int lanes, int threads)
{
    pliant_soft_def def = swelling();
    pliant_world_def world_def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.solver.precision = PLIANT_PRECISION_SINGLE;
    def.solver.patch_rows = 32;
    world_def.substeps = 10;
    world_def.lanes = lanes;
    world_def.threads = threads;
    CHECK_OK(pliant_world_create(&world_def, &world));
    pliant_body_id body = add_bar(world, &def);
    for (int i = 0; i < 6; ++i) {
        CHECK_OK(pliant_body_swell(world, body, -1, 40.0 * i, 0));
        run(world, 2, 0.01);
    }
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void lanes_and_threads_give_the_same_bits(void** unused)
{
    (void)unused;
    uint64_t first = digest_after(1, 1);
    assert_true(digest_after(4, 2) == first && digest_after(8, 1) == first &&
                digest_after(16, 2) == first);
}

static void snapshot_has_what_a_body_wants_to_be(void** unused)
{
    (void)unused;
    pliant_soft_def def = swelling();
    pliant_world* world = make_world(10, 1);
    pliant_body_id body = add_bar(world, &def);
    CHECK_OK(pliant_body_swell(world, body, -1, 150, 0));
    run(world, 3, 0.01);
    size_t bytes = pliant_world_snapshot_size(world);
    void* kept = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, kept, bytes));
    run(world, 3, 0.01);
    uint64_t expected = get_digest(world);
    CHECK_OK(pliant_body_swell(world, body, -1, -50, 0));
    run(world, 3, 0.01);
    CHECK_OK(pliant_world_snapshot_restore(world, kept, bytes));
    run(world, 3, 0.01);
    assert_true(get_digest(world) == expected);
    free(kept);
    pliant_world_destroy(world);
}

static void refuse(pliant_soft_def def, const char* words)
{
    pliant_asset* asset = NULL;
    pliant_mesh* mesh = box_mesh((int[3]){1, 1, 1}, 0.1, 0);
    assert_int_equal(pliant_asset_create(mesh, &def, &asset), PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), words)) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
}

static void what_cannot_swell_says_so(void** unused)
{
    (void)unused;
    pliant_soft_def def = swelling(), stiff = swelling();
    stiff.material.expansion = 0;
    pliant_world* world = make_world(10, 1);
    pliant_body_id body = add_bar(world, &def), other = add_bar(world, &stiff);
    assert_int_equal(pliant_body_swell(world, body, -1, 1e5, 0), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "each must be 0.1 to 10"));
    assert_int_equal(pliant_body_swell(world, body, -1, 0, 2), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "-1 to 1"));
    assert_int_equal(pliant_body_swell(world, body, 3, 10, 0), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "no tet of region 3"));
    assert_int_equal(pliant_body_swell(world, other, -1, 10, 0), PLIANT_ERROR_ARGUMENT);
    pliant_world_destroy(world);
    def.material.yield_stress = 1e4;
    refuse(def, "neither expansion nor contraction");
    def = swelling();
    def.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    refuse(def, "only tets swell");
    def = swelling();
    def.material.contraction = 0.2;
    def.material.fiber[0] = 0;
    refuse(def, "give them a direction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(free_body_grows_by_its_warmth),
        numbers_test(free_muscle_keeps_its_volume),
        numbers_test(held_bar_has_the_stress_of_what_it_wants),
        cmocka_unit_test(going_back_is_the_mesh_again),
        cmocka_unit_test(what_does_not_swell_has_the_same_bits),
        cmocka_unit_test(lanes_and_threads_give_the_same_bits),
        cmocka_unit_test(snapshot_has_what_a_body_wants_to_be),
        cmocka_unit_test(what_cannot_swell_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
