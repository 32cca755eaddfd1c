// What goes wrong with a GPU is told: bodies that leave the finite numbers, what it cannot do, and
// a machine that has none.
#include "cuda_table.h"

// ---- bodies that leave the finite numbers -------------------------------------------------------

static const scene frail_scenes[] = {
    {"one patch", .patch_rows = 4000, .props = FLOOR},
    {"patches", .patch_rows = 48, .props = FLOOR},
    {"ordered patches", .patch_rows = 48, .meet = PLIANT_INTERFACE_ORDERED},
    {"colored", .schedule = PLIANT_SCHEDULE_COLORED, .props = FLOOR},
    {"colored, launches", .schedule = PLIANT_SCHEDULE_COLORED,
     .launch_mode = PLIANT_LAUNCH_MODE_EACH},
    {"double", .patch_rows = 48, .precision = PLIANT_PRECISION_DOUBLE},
    {"plastic", .patch_rows = 48, .yield = 300, .props = FLOOR},
    {"plastic, colored", .schedule = PLIANT_SCHEDULE_COLORED, .yield = 300},
    {"by a distance field", .patch_rows = 48, .props = FLOOR | FIELD},
    {"by a distance field, double", .patch_rows = 48, .precision = PLIANT_PRECISION_DOUBLE,
     .props = FIELD},
};

// Beyond what the precision holds. Velocities are floats: doubles need places.
static void throw_apart(const stage* s, pliant_body_id body)
{
    int count = s->cast->particles;
    bool exact = s->cast->scene->precision == PLIANT_PRECISION_DOUBLE;
    pliant_vec3* v = (pliant_vec3*)calloc((size_t)count, sizeof *v);
    place* x = read_places(s->world, body);
    for (int i = 0; i < count; ++i) {
        v[i] = vec(i % 2 ? 3e38 : -3e38, i % 3 ? 3e38 : -3e38, 0);
        for (int k = 0; k < 3; ++k) x[i].x[k] *= 1e150;
    }
    if (exact) pliant_body_write_positions_exact(s->world, body, x->x, count);
    if (!exact) pliant_body_write_velocities(s->world, body, v, count);
    free(v);
    free(x);
}

static void put_back(const stage* s, pliant_body_id body, const place* rest)
{
    pliant_body_write_positions_exact(s->world, body, rest->x, s->cast->particles);
    write_velocity(s->world, body, vec(0, 0, 0));
}

static void expect_diverged(pliant_result result, int body)
{
    char word[32];
    assert_int_equal(result, PLIANT_ERROR_DIVERGED);
    snprintf(word, sizeof word, "body %d ", body);
    if (!strstr(pliant_error_text(), word))
        fail_msg("'%s' does not name body %d", pliant_error_text(), body);
}

static void check_finite(const stage* s, pliant_body_id body)
{
    place* x = read_places(s->world, body);
    for (int i = 0; i < s->cast->particles; ++i)
        if (!isfinite(x[i].x[0] + x[i].x[1] + x[i].x[2])) fail_msg("particle %d", i);
    free(x);
}

static uint64_t hash_places(const stage* s, pliant_body_id body)
{
    place* x = read_places(s->world, body);
    uint64_t hash = hash_bytes(HASH_SEED, x, (size_t)s->cast->particles * sizeof *x);
    free(x);
    return hash;
}

// Steps until the failure is told, which may take one step more than the failure itself.
static pliant_result step_on(const stage* s, int steps)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < steps; ++i) result = pliant_world_step(s->world, scene_dt);
    return result;
}

static void check_wild_body(const cast* c)
{
    stage alone = open_stage(c, PLIANT_BACKEND_CPU), s = open_stage(c, PLIANT_BACKEND_CUDA);
    pliant_body_id wild = add_member(&s, 0);
    place* rest = read_places(s.world, wild);
    CHECK_OK(step_on(&s, 2));
    throw_apart(&s, wild);
    step_on(&s, 1);
    expect_diverged(pliant_world_wait(s.world), 1);
    check_finite(&s, wild);
    uint64_t frozen = hash_places(&s, wild);
    expect_diverged(step_on(&s, 1), 1);
    expect_diverged(pliant_world_wait(s.world), 1);
    assert_true(hash_places(&s, wild) == frozen);
    CHECK_OK(step_on(&alone, 4));
    assert_true(hash_places(&alone, alone.body) == hash_places(&s, s.body));
    put_back(&s, wild, rest);
    CHECK_OK(pliant_world_wait(s.world)); // it is well again before it has stepped
    CHECK_OK(step_on(&s, 2));
    CHECK_OK(pliant_world_wait(s.world));
    assert_true(hash_places(&s, wild) != frozen);
    free(rest);
    pliant_world_destroy(s.world);
    pliant_world_destroy(alone.world);
}

static void on_every_frail_scene(void (*check)(const cast* c))
{
    need_gpu();
    for (size_t i = 0; i < sizeof frail_scenes / sizeof frail_scenes[0]; ++i) {
        print_message("    %s\n", frail_scenes[i].name);
        cast c = make_cast(&frail_scenes[i]);
        check(&c);
        release_cast(&c);
    }
}

static void diverged_body_is_told_and_frozen_and_others_go_on(void** state)
{
    (void)state;
    on_every_frail_scene(check_wild_body);
}

static void check_steps_tell(const cast* c)
{
    stage s = open_stage(c, PLIANT_BACKEND_CUDA);
    throw_apart(&s, s.body);
    expect_diverged(step_on(&s, 3), 0);
    expect_diverged(step_on(&s, 1), 0);
    pliant_world_destroy(s.world);
}

static void steps_tell_of_a_failure_without_waiting(void** state)
{
    (void)state;
    on_every_frail_scene(check_steps_tell);
}

static void check_world_steps_on(const cast* c)
{
    stage s = open_stage(c, PLIANT_BACKEND_CUDA);
    place* rest = read_places(s.world, s.body);
    throw_apart(&s, s.body);
    step_on(&s, 1);
    expect_diverged(pliant_world_wait(s.world), 0);
    for (int n = 0; n < 3; ++n) expect_diverged(step_on(&s, 1), 0);
    put_back(&s, s.body, rest);
    CHECK_OK(step_on(&s, 2));
    CHECK_OK(pliant_world_wait(s.world));
    free(rest);
    pliant_world_destroy(s.world);
}

static void world_whose_only_body_diverged_steps_on(void** state)
{
    (void)state;
    on_every_frail_scene(check_world_steps_on);
}

static void check_forces_do_not_heal(const cast* c)
{
    stage s = open_stage(c, PLIANT_BACKEND_CUDA);
    throw_apart(&s, s.body);
    step_on(&s, 1);
    set_forces(&s, 1);
    step_on(&s, 1);
    expect_diverged(pliant_world_wait(s.world), 0);
    pliant_world_destroy(s.world);
}

// Neither forces nor pins bring a body back, also where nobody knew yet that it had failed.
static void failure_is_not_lost_when_forces_are_written(void** state)
{
    (void)state;
    on_every_frail_scene(check_forces_do_not_heal);
}

static uint64_t digest_of_frozen(const cast* c)
{
    stage s = open_stage(c, PLIANT_BACKEND_CUDA);
    CHECK_OK(step_on(&s, 3));
    throw_apart(&s, s.body);
    step_on(&s, 3);
    check_finite(&s, s.body);
    uint64_t digest = get_digest(s.world);
    pliant_world_destroy(s.world);
    return digest;
}

static void check_frozen_twice(const cast* c)
{
    assert_true(digest_of_frozen(c) == digest_of_frozen(c));
}

// It goes on to the end of the step, farther than on the processor, but always to the same place.
static void frozen_body_is_the_same_in_every_run(void** state)
{
    (void)state;
    on_every_frail_scene(check_frozen_twice);
}

static void snapshot_from_before_brings_a_body_back(void** state)
{
    (void)state;
    need_gpu();
    cast c = make_cast(&frail_scenes[1]);
    stage s = open_stage(&c, PLIANT_BACKEND_CUDA);
    CHECK_OK(step_on(&s, 3));
    size_t bytes = pliant_world_snapshot_size(s.world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(s.world, data, bytes));
    CHECK_OK(step_on(&s, 2));
    uint64_t after = get_digest(s.world);
    throw_apart(&s, s.body);
    step_on(&s, 2);
    CHECK_OK(pliant_world_snapshot_restore(s.world, data, bytes));
    CHECK_OK(step_on(&s, 2));
    CHECK_OK(pliant_world_wait(s.world));
    assert_true(get_digest(s.world) == after);
    free(data);
    pliant_world_destroy(s.world);
    release_cast(&c);
}

// ---- what a GPU does not do ---------------------------------------------------------------------

static void serial_schedule_is_refused_with_a_sentence(void** state)
{
    (void)state;
    const scene serial = {"serial", .schedule = PLIANT_SCHEDULE_SERIAL};
    need_gpu();
    cast c = make_cast(&serial);
    pliant_world* world = world_on(PLIANT_BACKEND_CUDA, scene_world(&serial));
    pliant_body_def def = pliant_body_defaults();
    assert_int_equal(new_body(world, c.asset[0], &def).index1, 0);
    if (!strstr(pliant_error_text(), "serial") || !strstr(pliant_error_text(), "cpu"))
        fail_msg("'%s' does not say what to do", pliant_error_text());
    assert_int_equal(pliant_world_body_count(world), 0);
    CHECK_OK(pliant_world_step(world, scene_dt));
    pliant_world_destroy(world);
    release_cast(&c);
}

static void serial_body_stays_here_where_the_world_may_choose(void** state)
{
    (void)state;
    const scene serial = {"serial", .schedule = PLIANT_SCHEDULE_SERIAL, .props = FLOOR};
    cast c = make_cast(&serial);
    assert_true(digest_of_scene(&c, PLIANT_BACKEND_AUTO) ==
                digest_of_scene(&c, PLIANT_BACKEND_CPU));
    release_cast(&c);
}

static void unknown_backends_are_refused(void** state)
{
    (void)state;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.backend = (pliant_backend)7;
    assert_int_equal(pliant_world_create(&def, &world), PLIANT_ERROR_ARGUMENT);
    assert_null(world);
}

// ---- machines without a GPU ---------------------------------------------------------------------

static void without_a_gpu_a_world_for_it_is_refused_with_a_way_out(void** state)
{
    (void)state;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    if (has_gpu()) {
        print_message("    skipped: there is a GPU\n");
        skip();
    }
    def.backend = PLIANT_BACKEND_CUDA;
    assert_int_equal(pliant_world_create(&def, &world), PLIANT_ERROR_UNSUPPORTED);
    assert_null(world);
    print_message("    %s\n", pliant_error_text());
    if (!strstr(pliant_error_text(), "use the backend cpu"))
        fail_msg("'%s' does not say what to do", pliant_error_text());
}

static void keep_text(const char* text, void* context)
{
    if (!strstr(text, "substeps")) snprintf((char*)context, 512, "%s", text);
}

static void without_a_gpu_a_world_says_once_who_steps(void** state)
{
    (void)state;
    char text[512] = "";
    if (has_gpu()) {
        print_message("    skipped: there is a GPU\n");
        skip();
    }
    pliant_set_log(keep_text, text);
    cast c = make_cast(&cuda_scenes[0]);
    stage s = open_stage(&c, PLIANT_BACKEND_AUTO);
    if (!strstr(text, "processor")) fail_msg("'%s' does not say who steps", text);
    text[0] = 0;
    add_member(&s, 0);
    if (text[0]) fail_msg("told twice: %s", text);
    pliant_set_log(NULL, NULL);
    pliant_world_destroy(s.world);
    release_cast(&c);
}

static void waiting_here_tells_of_failures_too(void** state)
{
    (void)state;
    cast c = make_cast(&frail_scenes[0]);
    stage s = open_stage(&c, PLIANT_BACKEND_CPU);
    CHECK_OK(step_on(&s, 1));
    CHECK_OK(pliant_world_wait(s.world));
    throw_apart(&s, s.body);
    expect_diverged(step_on(&s, 1), 0);
    expect_diverged(pliant_world_wait(s.world), 0);
    pliant_world_destroy(s.world);
    release_cast(&c);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diverged_body_is_told_and_frozen_and_others_go_on),
        cmocka_unit_test(steps_tell_of_a_failure_without_waiting),
        cmocka_unit_test(world_whose_only_body_diverged_steps_on),
        cmocka_unit_test(failure_is_not_lost_when_forces_are_written),
        cmocka_unit_test(frozen_body_is_the_same_in_every_run),
        cmocka_unit_test(snapshot_from_before_brings_a_body_back),
        cmocka_unit_test(serial_schedule_is_refused_with_a_sentence),
        cmocka_unit_test(serial_body_stays_here_where_the_world_may_choose),
        cmocka_unit_test(unknown_backends_are_refused),
        cmocka_unit_test(without_a_gpu_a_world_for_it_is_refused_with_a_way_out),
        cmocka_unit_test(without_a_gpu_a_world_says_once_who_steps),
        cmocka_unit_test(waiting_here_tells_of_failures_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
