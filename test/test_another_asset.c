// Bodies that go on with another asset: the same bits as those that were made of it.
#include "failing.h"
#include "scene.h"

typedef struct {
    const char* words;
    pliant_formulation formulation;
    pliant_schedule schedule;
    pliant_integrator integrator;
    pliant_precision precision;
    int iterations, substeps;
} setting;

static pliant_asset* make_asset(const setting* s, double stiffer, double damping)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = generate(s->words);
    pliant_asset* asset = NULL;
    soft.solver.formulation = s->formulation;
    soft.solver.schedule = s->schedule;
    soft.solver.integrator = s->integrator;
    soft.solver.precision = s->precision;
    soft.material.young *= stiffer;
    soft.material.poisson = stiffer > 1 ? 0.3 : 0.45;
    soft.cloth.stretch *= stiffer;
    soft.cloth.bending *= stiffer;
    soft.material.damping = soft.cloth.damping = damping;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    pliant_mesh_destroy(mesh);
    return asset;
}

typedef struct {
    pliant_world* world;
    pliant_body_id body;
} staged;

// Pinned and held, above a floor.
static staged place_body(const setting* s, const pliant_asset* asset, int threads)
{
    staged out;
    pliant_world_def def = pliant_world_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    def.substeps = s->substeps;
    def.iterations = s->iterations;
    def.threads = threads;
    at.position[1] = 0.01;
    floor.position[1] = -0.5;
    CHECK_OK(pliant_world_create(&def, &out.world));
    out.body = new_body(out.world, asset, &at);
    assert_true(out.body.index1);
    new_collider(out.world, &floor);
    CHECK_OK(pliant_body_pin(out.world, out.body, 0));
    new_attachment(out.world, out.body, 1, (double[3]){0, 0.3, 0}, 1e-3);
    return out;
}

// One body goes on with the other asset; another was made of it, and takes over the state.
static void check_same_bits(const setting* s, double stiffer, double damping)
{
    pliant_asset *soft = make_asset(s, 1, 0), *stiff = make_asset(s, stiffer, damping);
    staged changed = place_body(s, soft, 1), made = place_body(s, stiff, 2);
    shake(changed.world, changed.body);
    run(changed.world, 3, 0.01);
    size_t bytes = pliant_world_snapshot_size(changed.world);
    void* state = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(changed.world, state, bytes));
    CHECK_OK(pliant_world_snapshot_restore(made.world, state, bytes));
    uint64_t before = get_digest(changed.world);
    CHECK_OK(pliant_body_set_asset(changed.world, changed.body, stiff));
    assert_true(pliant_body_asset(changed.world, changed.body) == stiff);
    assert_true(get_digest(changed.world) == before);
    for (int i = 0; i < 3; ++i) {
        run(changed.world, 1, 0.01);
        run(made.world, 1, 0.01);
        assert_int_equal(pliant_world_profile(changed.world).substeps,
                         pliant_world_profile(made.world).substeps);
        if (get_digest(changed.world) != get_digest(made.world))
            fail_msg("%s, schedule %d: other bits after %d steps", s->words, (int)s->schedule,
                     i + 1);
    }
    CHECK_OK(pliant_world_snapshot_restore(changed.world, state, bytes));
    CHECK_OK(pliant_body_set_asset(changed.world, changed.body, soft));
    run(changed.world, 3, 0.01);
    assert_true(get_digest(changed.world) != get_digest(made.world));
    free(state);
    pliant_world_destroy(changed.world);
    pliant_world_destroy(made.world);
    pliant_asset_destroy(soft);
    pliant_asset_destroy(stiff);
}

static const setting settings[] = {
    {"beam:6x3x3", 0, 0, 0, 0, 1, 0},
    {"sphere:0.4:12", PLIANT_FORMULATION_TWO_ROWS, PLIANT_SCHEDULE_CLUSTERED, 0, 0, 1, 20},
    {"beam:6x3x3", 0, PLIANT_SCHEDULE_COLORED, PLIANT_INTEGRATOR_BDF2, 0, 1, 12},
    {"beam:4x2x2", 0, PLIANT_SCHEDULE_PHANTOM, 0, PLIANT_PRECISION_DOUBLE, 2, 12},
    {"beam:5x2x2", PLIANT_FORMULATION_EDGES_AND_VOLUME, 0, 0, 0, 3, 12},
    {"cloth:12x12:1x1", 0, 0, 0, 0, 1, 0},
    {"rope:1:30", 0, PLIANT_SCHEDULE_SERIAL, 0, 0, 2, 20},
};

static void a_body_goes_on_as_one_that_was_made_of_it(void** unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i += (size_t)by_scope(3, 1, 1))
        check_same_bits(&settings[i], 4, 0);
}

static void damping_may_come_and_go(void** unused)
{
    (void)unused;
    check_same_bits(&settings[0], 1, 0.01);
    check_same_bits(&settings[5], 2, 0.01);
}

// A beam of softer stuff hangs lower: by four times for a quarter of Young's modulus.
static void a_softer_rope_hangs_longer(void** unused)
{
    (void)unused;
    const setting s = {"rope:1:4", 0, 0, 0, 0, 20, 10};
    pliant_asset *firm = make_asset(&s, 1, 0.1), *soft = make_asset(&s, 0.25, 0.4);
    pliant_world* world = make_world(s.substeps, s.iterations);
    pliant_body_def at = pliant_body_defaults();
    at.rotation = (pliant_quat){0, 0, -1, 1}; // down
    pliant_body_id rope = new_body(world, firm, &at);
    CHECK_OK(pliant_body_pin(world, rope, 0));
    run(world, 200, 0.02);
    double first = -read_place(world, rope, 4).x[1] - 1;
    CHECK_OK(pliant_body_set_asset(world, rope, soft));
    run(world, 200, 0.02);
    CHECK_CLOSE(-read_place(world, rope, 4).x[1] - 1, 4 * first, 0.02);
    pliant_world_destroy(world);
    pliant_asset_destroy(firm);
    pliant_asset_destroy(soft);
}

static void the_asset_before_is_let_go(void** unused)
{
    (void)unused;
    size_t held = pliant_allocated_bytes();
    pliant_asset *soft = make_asset(&settings[0], 1, 0), *stiff = make_asset(&settings[0], 4, 0);
    staged one = place_body(&settings[0], soft, 1);
    pliant_asset_destroy(soft);
    CHECK_OK(pliant_body_set_asset(one.world, one.body, stiff));
    pliant_asset_destroy(stiff);
    run(one.world, 1, 0.01);
    pliant_world_destroy(one.world);
    assert_int_equal(pliant_allocated_bytes(), held);
}

// A skin goes on with its body.
static void what_the_body_carries_stays(void** unused)
{
    (void)unused;
    pliant_asset *soft = make_asset(&settings[0], 1, 0), *stiff = make_asset(&settings[0], 4, 0);
    staged one = place_body(&settings[0], soft, 1);
    pliant_mesh *mesh = generate(settings[0].words), *surface = NULL;
    CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = surface;
    def.bodies = &one.body;
    CHECK_OK(pliant_skin_create(one.world, &def, &skin));
    run(one.world, 2, 0.01);
    CHECK_OK(pliant_skin_update(skin));
    pliant_vec3 before = pliant_skin_positions(skin)[3];
    CHECK_OK(pliant_body_set_asset(one.world, one.body, stiff));
    CHECK_OK(pliant_skin_update(skin));
    assert_memory_equal(&before, &pliant_skin_positions(skin)[3], sizeof before);
    run(one.world, 1, 0.01);
    CHECK_OK(pliant_skin_update(skin));
    pliant_skin_destroy(skin);
    pliant_world_destroy(one.world);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(surface);
    pliant_asset_destroy(soft);
    pliant_asset_destroy(stiff);
}

static void assets_that_do_not_fit_are_refused(void** unused)
{
    (void)unused;
    pliant_asset* soft = make_asset(&settings[0], 1, 0);
    staged one = place_body(&settings[0], soft, 1);
    uint64_t before = get_digest(one.world);
    static const struct {
        setting s;
        const char* sentence;
    } cases[] = {
        {{"beam:6x3x4", 0, 0, 0, 0, 1, 0}, "same elements"},
        {{"beam:6x3x3", 0, 0, 0, PLIANT_PRECISION_DOUBLE, 1, 0}, "same precision"},
        {{"beam:6x3x3", 0, 0, PLIANT_INTEGRATOR_BDF2, 0, 1, 0}, "order of the integrator"},
        {{"beam:6x3x3", 0, PLIANT_SCHEDULE_COLORED, 0, 0, 1, 0}, "same schedule"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        pliant_asset* other = make_asset(&cases[i].s, 1, 0);
        assert_int_equal(pliant_body_set_asset(one.world, one.body, other), PLIANT_ERROR_ARGUMENT);
        if (!strstr(pliant_error_text(), cases[i].sentence))
            fail_msg("\"%s\" does not say \"%s\"", pliant_error_text(), cases[i].sentence);
        pliant_asset_destroy(other);
    }
    assert_true(get_digest(one.world) == before);
    pliant_world_destroy(one.world);
    pliant_asset_destroy(soft);
}

typedef struct {
    staged* stage;
    const pliant_asset *from, *to;
} change;

static pliant_result change_there_and_back(const void* context)
{
    const change* c = (const change*)context;
    staged* s = c->stage;
    pliant_result result = pliant_body_set_asset(s->world, s->body, c->to);
    // Back with memory that does not run out: nothing that the change took is left.
    pliant_set_allocator(NULL);
    CHECK_OK(pliant_body_set_asset(s->world, s->body, c->from));
    return result;
}

static void a_change_survives_every_failed_allocation(void** unused)
{
    (void)unused;
    pliant_asset *soft = make_asset(&settings[0], 1, 0), *stiff = make_asset(&settings[0], 4, 0);
    staged one = place_body(&settings[0], soft, 1);
    uint64_t before = get_digest(one.world);
    change c = {&one, soft, stiff};
    assert_true(check_every_failure(change_there_and_back, &c) > 5);
    assert_true(get_digest(one.world) == before);
    pliant_world_destroy(one.world);
    pliant_asset_destroy(soft);
    pliant_asset_destroy(stiff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_goes_on_as_one_that_was_made_of_it),
        known_threads_test(damping_may_come_and_go),
        numbers_test(a_softer_rope_hangs_longer),
        cmocka_unit_test(the_asset_before_is_let_go),
        cmocka_unit_test(what_the_body_carries_stays),
        cmocka_unit_test(assets_that_do_not_fit_are_refused),
        known_threads_test(a_change_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
