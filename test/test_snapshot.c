// Snapshots, replay, rewind: the state as bytes.
#include "scene.h"

typedef struct {
    pliant_world* world;
    pliant_body_id body;
    pliant_attachment_id held;
} scene;

// Damped, pinned, held, pushed and in contact, so that everything that is state is in use.
static scene make_scene(int history, pliant_precision precision)
{
    scene s;
    pliant_world_def def = pliant_world_defaults();
    def.substeps = 5;
    def.iterations = 2;
    def.threads = 1;
    def.history = history;
    CHECK_OK(pliant_world_create(&def, &s.world));
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.001;
    soft.solver.precision = precision;
    pliant_collider_def floor = pliant_collider_defaults();
    floor.restitution = 0.5f;
    new_collider(s.world, &floor);
    s.body = add_soft(s.world, box_mesh((int[3]){3, 2, 2}, 0.1, 0.1), &soft, 0.01);
    s.held = new_attachment(s.world, s.body, 20, (const double[3]){0.4, 0.4, 0.2}, 1e-3);
    pliant_body_pin(s.world, s.body, 3);
    pliant_body_add_force(s.world, s.body, 7, (pliant_vec3){1, 2, 3});
    return s;
}

static void* save(const pliant_world* world, size_t* bytes)
{
    *bytes = pliant_world_snapshot_size(world);
    void* data = malloc(*bytes);
    CHECK_OK(pliant_world_snapshot_save(world, data, *bytes));
    return data;
}

// Everything that a caller can change during a run.
static void disturb(scene* s)
{
    pliant_body_unpin(s->world, s->body, 3);
    pliant_body_pin(s->world, s->body, 5);
    pliant_body_set_radius(s->world, s->body, 1, 0.02f);
    pliant_body_set_phase(s->world, s->body, 1, 9);
    pliant_body_set_forces(s->world, s->body, NULL, 0);
    pliant_body_set_gravity_scale(s->world, s->body, 0.1f);
    pliant_world_set_gravity(s->world, (pliant_vec3){1, 1, 1});
    pliant_attachment_move(s->world, s->held, (const double[3]){0, 0, 0});
    pliant_body_move_pin(s->world, s->body, 6, (const double[3]){0, 1, 0});
}

static void restored_world_replays_the_same_bits(void** unused)
{
    (void)unused;
    for (int twice = 0; twice < 2; ++twice) {
        scene s = make_scene(0, twice ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE);
        run(s.world, 5, 0.01);
        size_t bytes;
        void* data = save(s.world, &bytes);
        uint64_t now = get_digest(s.world);
        run(s.world, 10, 0.01);
        uint64_t later = get_digest(s.world);
        disturb(&s);
        run(s.world, 3, 0.007);
        disturb(&s);
        CHECK_OK(pliant_world_snapshot_restore(s.world, data, bytes));
        assert_true(get_digest(s.world) == now);
        assert_int_equal(pliant_world_step_count(s.world), 5);
        run(s.world, 10, 0.01);
        assert_true(get_digest(s.world) == later);
        free(data);
        pliant_world_destroy(s.world);
    }
}

static void snapshot_moves_between_worlds(void** unused)
{
    (void)unused;
    scene a = make_scene(0, PLIANT_PRECISION_SINGLE), b = make_scene(0, PLIANT_PRECISION_SINGLE);
    run(a.world, 5, 0.01);
    size_t bytes;
    void* data = save(a.world, &bytes);
    CHECK_OK(pliant_world_snapshot_restore(b.world, data, bytes));
    run(a.world, 3, 0.01);
    run(b.world, 3, 0.01);
    assert_true(get_digest(a.world) == get_digest(b.world));
    free(data);
    pliant_world_destroy(a.world);
    pliant_world_destroy(b.world);
}

// Wherever a snapshot is cut or changed it is refused, and the world stays as it was.
static void damaged_snapshot_is_refused(void** unused)
{
    (void)unused;
    scene s = make_scene(0, PLIANT_PRECISION_SINGLE);
    run(s.world, 2, 0.01);
    size_t bytes;
    char* data = (char*)save(s.world, &bytes);
    run(s.world, 1, 0.01);
    uint64_t digest = get_digest(s.world);
    for (size_t cut = 0; cut < bytes; cut += bytes / 50 + 1) {
        char* exact = (char*)malloc(cut + 1); // so that a sanitizer sees what is read
        memcpy(exact, data, cut);
        if (pliant_world_snapshot_restore(s.world, exact, cut) == PLIANT_OK)
            fail_msg("%zu of %zu bytes were taken", cut, bytes);
        free(exact);
    }
    for (size_t at = 0; at < bytes; at += at < 64 ? 1 : bytes / 200 + 1) {
        data[at] ^= 0x40;
        if (pliant_world_snapshot_restore(s.world, data, bytes) == PLIANT_OK)
            fail_msg("byte %zu of %zu was changed unseen", at, bytes);
        data[at] ^= 0x40;
    }
    assert_true(get_digest(s.world) == digest);
    CHECK_OK(pliant_world_snapshot_restore(s.world, data, bytes));
    free(data);
    pliant_world_destroy(s.world);
}

static void snapshot_of_another_world_is_refused(void** unused)
{
    (void)unused;
    scene s = make_scene(0, PLIANT_PRECISION_SINGLE),
          twice = make_scene(0, PLIANT_PRECISION_DOUBLE);
    size_t bytes;
    void* data = save(s.world, &bytes);
    assert_int_equal(pliant_world_snapshot_restore(twice.world, data, bytes),
                     PLIANT_ERROR_ARGUMENT);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id more = add_soft(s.world, one_tet(0.1), &soft, 1);
    assert_int_equal(pliant_world_snapshot_restore(s.world, data, bytes), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "other bodies"));
    assert_int_equal(pliant_world_snapshot_save(s.world, data, 10), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_world_snapshot_restore(s.world, data, 10), PLIANT_ERROR_FORMAT);
    assert_non_null(strstr(pliant_error_text(), "10 bytes are no whole snapshot"));
    pliant_body_remove(s.world, more);
    CHECK_OK(pliant_world_snapshot_restore(s.world, data, bytes));
    free(data);
    pliant_world_destroy(s.world);
    pliant_world_destroy(twice.world);
}

static void rewind_goes_back_by_steps(void** unused)
{
    (void)unused;
    scene s = make_scene(4, PLIANT_PRECISION_SINGLE);
    uint64_t digest[10];
    for (int i = 0; i < 10; ++i) {
        digest[i] = get_digest(s.world);
        run(s.world, 1, 0.01);
    }
    assert_int_equal(pliant_world_rewind(s.world, 5), PLIANT_ERROR_ARGUMENT);
    CHECK_OK(pliant_world_rewind(s.world, 0));
    CHECK_OK(pliant_world_rewind(s.world, 1));
    assert_true(get_digest(s.world) == digest[9]);
    CHECK_OK(pliant_world_rewind(s.world, 3));
    assert_true(get_digest(s.world) == digest[6]);
    assert_int_equal(pliant_world_rewind(s.world, 1), PLIANT_ERROR_ARGUMENT);
    run(s.world, 3, 0.01);
    assert_true(get_digest(s.world) == digest[9]);
    pliant_soft_def soft = pliant_soft_defaults();
    add_soft(s.world, one_tet(0.1), &soft, 1);
    assert_int_equal(pliant_world_rewind(s.world, 1), PLIANT_ERROR_ARGUMENT);
    pliant_world_destroy(s.world);
}

// A body of the same asset in the place of another is another body; so with attachments.
static void rewind_is_refused_across_a_replacement(void** unused)
{
    (void)unused;
    scene s = make_scene(4, PLIANT_PRECISION_SINGLE);
    pliant_body_id first = add_box(s.world, 2);
    run(s.world, 2, 0.01);
    pliant_body_remove(s.world, first);
    pliant_body_id second = add_box(s.world, 1);
    assert_int_equal(second.index1, first.index1);
    uint64_t digest = get_digest(s.world);
    assert_int_equal(pliant_world_rewind(s.world, 1), PLIANT_ERROR_ARGUMENT);
    assert_true(get_digest(s.world) == digest);
    run(s.world, 1, 0.01);
    assert_int_equal(pliant_world_rewind(s.world, 2), PLIANT_ERROR_ARGUMENT);
    CHECK_OK(pliant_world_rewind(s.world, 1));
    run(s.world, 1, 0.01);
    pliant_attachment_remove(s.world, s.held);
    new_attachment(s.world, s.body, 20, (const double[3]){0.4, 0.4, 0.2}, 0);
    assert_int_equal(pliant_world_rewind(s.world, 1), PLIANT_ERROR_ARGUMENT);
    pliant_world_destroy(s.world);
}

// Back before the step that went wrong, the body is no longer frozen.
static void rewind_brings_a_diverged_body_back(void** unused)
{
    (void)unused;
    scene s = make_scene(2, PLIANT_PRECISION_SINGLE);
    run(s.world, 1, 0.01);
    uint64_t before = get_digest(s.world);
    run(s.world, 1, 0.01);
    uint64_t after = get_digest(s.world);
    CHECK_OK(pliant_world_rewind(s.world, 1));
    pliant_body_add_force(s.world, s.body, 9, (pliant_vec3){3e38f, -3e38f, 0});
    assert_int_equal(pliant_world_step(s.world, 0.01f), PLIANT_ERROR_DIVERGED);
    assert_int_equal(pliant_world_step(s.world, 0.01f), PLIANT_ERROR_DIVERGED);
    CHECK_OK(pliant_world_rewind(s.world, 2));
    pliant_body_add_force(s.world, s.body, 9, (pliant_vec3){-3e38f, 3e38f, 0});
    assert_true(get_digest(s.world) == before);
    run(s.world, 1, 0.01);
    assert_true(get_digest(s.world) == after);
    pliant_world_destroy(s.world);
}

// Pins on the move: the history keeps its length, and the past has no pending path.
static void rewind_works_while_pins_move(void** unused)
{
    (void)unused;
    scene s = make_scene(4, PLIANT_PRECISION_SINGLE);
    uint64_t digest[6];
    for (int i = 0; i < 6; ++i) {
        digest[i] = get_digest(s.world);
        if (i % 2) pliant_body_move_pin(s.world, s.body, 3, (const double[3]){0.3, 0.01 * i, 0});
        run(s.world, 1, 0.01);
    }
    CHECK_OK(pliant_world_rewind(s.world, 3));
    pliant_body_move_pin(s.world, s.body, 3, (const double[3]){0.3, 0.03, 0});
    run(s.world, 1, 0.01);
    assert_true(get_digest(s.world) == digest[4]);
    pliant_world_destroy(s.world);
}

static void digest_sees_every_part_of_the_state(void** unused)
{
    (void)unused;
    scene s = make_scene(0, PLIANT_PRECISION_SINGLE);
    uint64_t seen[8];
    int count = 0;
    seen[count++] = get_digest(s.world);
    pliant_body_set_phase(s.world, s.body, 1, 9);
    seen[count++] = get_digest(s.world);
    pliant_body_set_radius(s.world, s.body, 1, 0.02f);
    seen[count++] = get_digest(s.world);
    pliant_body_pin(s.world, s.body, 5);
    seen[count++] = get_digest(s.world);
    pliant_body_add_force(s.world, s.body, 0, (pliant_vec3){0, 1e-3f, 0});
    seen[count++] = get_digest(s.world);
    pliant_attachment_move(s.world, s.held, (const double[3]){0, 0, 0});
    seen[count++] = get_digest(s.world);
    pliant_body_set_gravity_scale(s.world, s.body, 0.5f);
    seen[count++] = get_digest(s.world);
    run(s.world, 1, 0);
    seen[count++] = get_digest(s.world); // the number of steps
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j)
            if (seen[i] == seen[j]) fail_msg("states %d and %d have the same digest", i, j);
    pliant_world_destroy(s.world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restored_world_replays_the_same_bits),
        cmocka_unit_test(snapshot_moves_between_worlds),
        cmocka_unit_test(damaged_snapshot_is_refused),
        cmocka_unit_test(snapshot_of_another_world_is_refused),
        cmocka_unit_test(rewind_goes_back_by_steps),
        cmocka_unit_test(rewind_is_refused_across_a_replacement),
        cmocka_unit_test(rewind_brings_a_diverged_body_back),
        cmocka_unit_test(rewind_works_while_pins_move),
        cmocka_unit_test(digest_sees_every_part_of_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
