// Worlds that are stepped together: each as if it were alone.
#include "scene.h"

enum { WORLDS = 5, STEPS = 20 };

// World number i has bodies of its own kind, thrown in its own way.
static void fill(pliant_world* world, int number)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def thrown = pliant_body_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    soft.material.young = 1e5;
    soft.solver.schedule = number == 3 ? PLIANT_SCHEDULE_CLUSTERED : PLIANT_SCHEDULE_PATCHED;
    soft.solver.patch_rows = number == 1 ? 24 : 0;
    thrown.velocity = (pliant_vec3){0.3f * (float)number, -1, 0};
    thrown.position[1] = 0.05;
    new_collider(world, &floor);
    for (int i = 0; i <= number % 3; ++i) {
        thrown.position[2] = 0.5 * i;
        pliant_mesh* mesh = box_mesh((int[3]){3 + number, 2, 2}, 0.1, 0.1);
        assert_true(new_soft(world, mesh, &soft, &thrown).index1 != 0);
        pliant_mesh_destroy(mesh);
    }
}

static pliant_world_def definition(pliant_backend backend, int threads)
{
    pliant_world_def def = pliant_world_defaults();
    def.substeps = 10;
    def.threads = threads;
    def.backend = backend;
    return def;
}

// Whether the tests of a backend can run here.
static bool is_there(pliant_backend backend)
{
    pliant_world_def def = definition(backend, 1);
    pliant_world* world = NULL;
    if (pliant_world_create(&def, &world) != PLIANT_OK) {
        print_message("    skipped on a GPU: %s\n", pliant_error_text());
        return false;
    }
    pliant_world_destroy(world);
    return true;
}

static pliant_batch* make_batch(const pliant_world_def* def)
{
    pliant_batch* batch = NULL;
    assert_int_equal(pliant_batch_create(def, &batch), PLIANT_OK);
    for (int i = 0; i < WORLDS; ++i) {
        pliant_world* world = new_world_of(batch);
        assert_non_null(world);
        fill(world, i);
    }
    return batch;
}

static uint64_t digest_alone(int number, int steps)
{
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 1);
    pliant_world* world = NULL;
    assert_int_equal(pliant_world_create(&def, &world), PLIANT_OK);
    fill(world, number);
    for (int i = 0; i < steps; ++i) assert_int_equal(pliant_world_step(world, 0.01f), PLIANT_OK);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void check_each(pliant_backend backend, int threads)
{
    pliant_world_def def = definition(backend, threads);
    pliant_batch* batch = make_batch(&def);
    assert_int_equal(pliant_batch_count(batch), WORLDS);
    for (int i = 0; i < STEPS; ++i) assert_int_equal(pliant_batch_step(batch, 0.01f), PLIANT_OK);
    assert_int_equal(pliant_batch_wait(batch), PLIANT_OK);
    for (int i = 0; i < WORLDS; ++i) {
        pliant_world* world = pliant_batch_world(batch, i);
        if (get_digest(world) != digest_alone(i, STEPS))
            fail_msg("world %d of the batch differs from itself alone (%d threads)", i, threads);
        assert_int_equal(pliant_world_step_count(world), STEPS);
    }
    pliant_batch_destroy(batch);
}

static void each_is_as_if_it_were_alone(void** unused)
{
    (void)unused;
    if (!UNDER_THREAD_SANITIZER || scope_now() == ALL) check_each(PLIANT_BACKEND_CPU, 1);
    check_each(PLIANT_BACKEND_CPU, 3);
}

static void each_is_on_a_gpu_as_here(void** unused)
{
    (void)unused;
    if (!is_there(PLIANT_BACKEND_CUDA)) skip();
    check_each(PLIANT_BACKEND_CUDA, 1);
}

static void check_reset(pliant_backend backend)
{
    pliant_world_def def = definition(backend, 2);
    pliant_batch* batch = make_batch(&def);
    pliant_world* world = pliant_batch_world(batch, 2);
    size_t bytes = pliant_world_snapshot_size(world);
    void* start = malloc(bytes);
    assert_int_equal(pliant_world_snapshot_save(world, start, bytes), PLIANT_OK);
    for (int i = 0; i < STEPS; ++i) {
        if (i == 8) assert_int_equal(pliant_world_snapshot_restore(world, start, bytes), PLIANT_OK);
        assert_int_equal(pliant_batch_step(batch, 0.01f), PLIANT_OK);
    }
    for (int i = 0; i < WORLDS; ++i)
        if (get_digest(pliant_batch_world(batch, i)) != digest_alone(i, i == 2 ? STEPS - 8 : STEPS))
            fail_msg("world %d is not where it should be", i);
    free(start);
    pliant_batch_destroy(batch);
}

static void one_is_reset_and_the_others_go_on(void** unused)
{
    (void)unused;
    check_reset(PLIANT_BACKEND_CPU);
}

static void one_is_reset_on_a_gpu(void** unused)
{
    (void)unused;
    if (!is_there(PLIANT_BACKEND_CUDA)) skip();
    check_reset(PLIANT_BACKEND_CUDA);
}

// ---- all at once --------------------------------------------------------------------------------

static pliant_vec3* read_all(const pliant_batch* batch, pliant_quantity what, size_t* out_count)
{
    *out_count = pliant_batch_particle_count(batch);
    pliant_vec3* all = (pliant_vec3*)malloc(*out_count * sizeof *all);
    assert_int_equal(pliant_batch_read(batch, what, all, *out_count), PLIANT_OK);
    return all;
}

typedef pliant_result read_body_fn(const pliant_world*, pliant_body_id, pliant_vec3*, int);

static void check_read(const pliant_batch* batch, pliant_quantity what, read_body_fn* read_body)
{
    enum { MOST = 1000 };
    size_t count, at = 0;
    pliant_vec3 *all = read_all(batch, what, &count), one[MOST];
    for (int w = 0; w < WORLDS; ++w) {
        pliant_body_id id[4];
        pliant_world* world = pliant_batch_world(batch, w);
        int bodies = pliant_world_bodies(world, id, 4);
        for (int i = 0; i < bodies; ++i) {
            int particles = pliant_body_particle_count(world, id[i]);
            assert_int_equal(read_body(world, id[i], one, MOST), PLIANT_OK);
            assert_memory_equal(all + at, one, (size_t)particles * sizeof *one);
            at += (size_t)particles;
        }
    }
    assert_int_equal(at, count);
    free(all);
}

static void check_bulk(pliant_backend backend)
{
    pliant_world_def def = definition(backend, 2);
    pliant_batch *a = make_batch(&def), *b = make_batch(&def);
    size_t count;
    for (int i = 0; i < 6; ++i) assert_int_equal(pliant_batch_step(a, 0.01f), PLIANT_OK);
    pliant_vec3 *x = read_all(a, PLIANT_QUANTITY_POSITION, &count),
                *v = read_all(a, PLIANT_QUANTITY_VELOCITY, &count);
    check_read(a, PLIANT_QUANTITY_POSITION, pliant_body_read_positions);
    check_read(a, PLIANT_QUANTITY_VELOCITY, pliant_body_read_velocities);
    check_read(a, PLIANT_QUANTITY_CONTACT_FORCE, pliant_body_read_contact_forces);
    assert_int_equal(pliant_batch_step(b, 0.01f), PLIANT_OK);
    assert_int_equal(pliant_batch_write(b, PLIANT_QUANTITY_POSITION, x, count), PLIANT_OK);
    assert_int_equal(pliant_batch_write(b, PLIANT_QUANTITY_VELOCITY, v, count), PLIANT_OK);
    pliant_vec3 *y = read_all(b, PLIANT_QUANTITY_POSITION, &count),
                *w = read_all(b, PLIANT_QUANTITY_VELOCITY, &count);
    assert_memory_equal(x, y, count * sizeof *x);
    assert_memory_equal(v, w, count * sizeof *v);
    assert_int_equal(pliant_batch_step(b, 0.01f), PLIANT_OK);
    assert_int_equal(pliant_batch_wait(b), PLIANT_OK);
    free(x), free(v), free(y), free(w);
    pliant_batch_destroy(a);
    pliant_batch_destroy(b);
}

static void all_are_read_and_written_at_once(void** unused)
{
    (void)unused;
    check_bulk(PLIANT_BACKEND_CPU);
}

static void all_are_read_and_written_at_once_on_a_gpu(void** unused)
{
    (void)unused;
    if (!is_there(PLIANT_BACKEND_CUDA)) skip();
    check_bulk(PLIANT_BACKEND_CUDA);
}

// Written one by one or all at once: the same steps after.
static void bulk_writing_is_writing_one_by_one(void** unused)
{
    (void)unused;
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 1);
    pliant_batch *a = make_batch(&def), *b = make_batch(&def);
    size_t count, at = 0;
    pliant_vec3* x = read_all(a, PLIANT_QUANTITY_POSITION, &count);
    for (size_t i = 0; i < count; ++i) x[i].y += 0.01f * (float)(i % 7);
    assert_int_equal(pliant_batch_write(a, PLIANT_QUANTITY_POSITION, x, count), PLIANT_OK);
    for (int w = 0; w < WORLDS; ++w) {
        pliant_body_id id[4];
        pliant_world* world = pliant_batch_world(b, w);
        int bodies = pliant_world_bodies(world, id, 4);
        for (int i = 0; i < bodies; ++i) {
            int particles = pliant_body_particle_count(world, id[i]);
            assert_int_equal(pliant_body_write_positions(world, id[i], x + at, particles),
                             PLIANT_OK);
            at += (size_t)particles;
        }
    }
    for (int i = 0; i < 3; ++i) assert_int_equal(pliant_batch_step(a, 0.01f), PLIANT_OK);
    for (int i = 0; i < 3; ++i) assert_int_equal(pliant_batch_step(b, 0.01f), PLIANT_OK);
    for (int w = 0; w < WORLDS; ++w)
        assert_true(get_digest(pliant_batch_world(a, w)) == get_digest(pliant_batch_world(b, w)));
    free(x);
    pliant_batch_destroy(a);
    pliant_batch_destroy(b);
}

static void other_counts_and_contact_forces_are_not_written(void** unused)
{
    (void)unused;
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 1);
    pliant_batch* batch = make_batch(&def);
    size_t count;
    pliant_vec3* x = read_all(batch, PLIANT_QUANTITY_POSITION, &count);
    assert_int_equal(pliant_batch_write(batch, PLIANT_QUANTITY_POSITION, x, count - 1),
                     PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "pliant_batch_particle_count"));
    assert_int_equal(pliant_batch_write(batch, PLIANT_QUANTITY_CONTACT_FORCE, x, count),
                     PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_batch_read(batch, PLIANT_QUANTITY_POSITION, x, count + 1),
                     PLIANT_ERROR_ARGUMENT);
    free(x);
    pliant_batch_destroy(batch);
}

static void a_failure_names_its_world_and_spares_the_others(void** unused)
{
    (void)unused;
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 2);
    pliant_batch* batch = make_batch(&def);
    pliant_world* world = pliant_batch_world(batch, 3);
    pliant_body_id id;
    pliant_world_bodies(world, &id, 1);
    int count = pliant_body_particle_count(world, id);
    pliant_vec3* fast = (pliant_vec3*)calloc((size_t)count, sizeof *fast);
    for (int i = 0; i < count; ++i) fast[i].x = i % 2 ? 3e38f : -3e38f;
    pliant_body_write_velocities(world, id, fast, count);
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 4 && !result; ++i) result = pliant_batch_step(batch, 0.01f);
    assert_int_equal(result, PLIANT_ERROR_DIVERGED);
    assert_non_null(strstr(pliant_error_text(), "world 3"));
    assert_true(pliant_world_step_count(pliant_batch_world(batch, 0)) >= 1);
    free(fast);
    pliant_batch_destroy(batch);
}

static void rows_are_where_the_view_says(void** unused)
{
    (void)unused;
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 1);
    pliant_batch* batch = make_batch(&def);
    pliant_world* world = pliant_batch_world(batch, 1); // of several patches
    assert_int_equal(pliant_batch_step(batch, 0.01f), PLIANT_OK);
    pliant_body_id id;
    pliant_world_bodies(world, &id, 1);
    pliant_state_view view = get_state_view(world, id);
    int count = pliant_body_particle_count(world, id);
    pliant_vec3* v = (pliant_vec3*)calloc((size_t)count, sizeof *v);
    CHECK_OK(pliant_body_read_velocities(world, id, v, count));
    assert_int_equal(view.count, count);
    assert_false(view.on_device);
    assert_true(view.copies > 1);
    for (int i = 0; i < count; ++i) {
        size_t row = (size_t)(view.row ? view.row[i] : i);
        const float* at = (const float*)((const char*)view.velocities + row * view.velocity_stride);
        assert_memory_equal(at, &v[i], sizeof v[i]);
    }
    free(v);
    pliant_batch_destroy(batch);
}

static void the_view_of_a_gpu_is_on_it(void** unused)
{
    (void)unused;
    if (!is_there(PLIANT_BACKEND_CUDA)) skip();
    pliant_world_def def = definition(PLIANT_BACKEND_CUDA, 1);
    pliant_batch* batch = make_batch(&def);
    assert_int_equal(pliant_batch_step(batch, 0.01f), PLIANT_OK);
    for (int i = 0; i < WORLDS; ++i) {
        pliant_world* world = pliant_batch_world(batch, i);
        pliant_body_id id;
        pliant_world_bodies(world, &id, 1);
        pliant_state_view view = get_state_view(world, id);
        assert_true(view.on_device && view.rows && view.velocities && view.stream);
        assert_true((view.row != NULL) == (i != 3)); // without patches, row i is particle i
        assert_int_equal(view.count, pliant_body_particle_count(world, id));
    }
    pliant_batch_destroy(batch);
}

// ---- for learning -------------------------------------------------------------------------------

static void step_all(pliant_batch* batch, int steps)
{
    for (int i = 0; i < steps; ++i) assert_int_equal(pliant_batch_step(batch, 0.01f), PLIANT_OK);
    assert_int_equal(pliant_batch_wait(batch), PLIANT_OK);
}

static void is_refused(pliant_result result, const char* sentence)
{
    assert_int_equal(result, PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), sentence)) fail_msg("it says: %s", pliant_error_text());
}

static void check_masked_reset(pliant_backend backend)
{
    static const uint8_t some[WORLDS] = {1, 0, 1, 0, 0};
    pliant_world_def def = definition(backend, 2);
    pliant_batch* batch = make_batch(&def);
    step_all(batch, 4);
    assert_int_equal(pliant_batch_keep(batch), PLIANT_OK);
    step_all(batch, 5);
    assert_int_equal(pliant_batch_reset(batch, some, WORLDS), PLIANT_OK);
    step_all(batch, 3);
    for (int i = 0; i < WORLDS; ++i)
        if (get_digest(pliant_batch_world(batch, i)) != digest_alone(i, some[i] ? 7 : 12))
            fail_msg("world %d is not where it should be", i);
    assert_int_equal(pliant_batch_reset(batch, NULL, WORLDS), PLIANT_OK);
    for (int i = 0; i < WORLDS; ++i)
        if (get_digest(pliant_batch_world(batch, i)) != digest_alone(i, 4))
            fail_msg("world %d is not where it was kept", i);
    pliant_batch_destroy(batch);
}

static void some_go_back_to_what_was_kept(void** unused)
{
    (void)unused;
    check_masked_reset(PLIANT_BACKEND_CPU);
}

static void some_go_back_to_what_was_kept_on_a_gpu(void** unused)
{
    (void)unused;
    if (!is_there(PLIANT_BACKEND_CUDA)) skip();
    check_masked_reset(PLIANT_BACKEND_CUDA);
}

static void a_reset_that_does_not_fit_changes_nothing(void** unused)
{
    (void)unused;
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 1);
    pliant_batch* batch = make_batch(&def);
    is_refused(pliant_batch_reset(batch, NULL, WORLDS), "world 0: nothing is kept");
    assert_int_equal(pliant_batch_keep(batch), PLIANT_OK);
    step_all(batch, 2);
    uint64_t before = get_digest(pliant_batch_world(batch, 0));
    is_refused(pliant_batch_reset(batch, NULL, WORLDS - 1), "has 5 worlds");
    fill(pliant_batch_world(batch, 3), 3);
    is_refused(pliant_batch_reset(batch, NULL, WORLDS), "world 3 has other bodies");
    assert_true(get_digest(pliant_batch_world(batch, 0)) == before);
    uint8_t others[WORLDS] = {1, 1, 1, 0, 1};
    assert_int_equal(pliant_batch_reset(batch, others, WORLDS), PLIANT_OK);
    assert_true(get_digest(pliant_batch_world(batch, 0)) != before);
    fill(new_world_of(batch), 0);
    is_refused(pliant_batch_reset(batch, NULL, WORLDS + 1), "world 3 has other");
    pliant_batch_destroy(batch);
}

static pliant_body_id first_body(const pliant_world* world)
{
    pliant_body_id id = {0, 0};
    pliant_world_bodies(world, &id, 1);
    return id;
}

// The last particle of each world's first body, worlds in the other order.
static void choose(const pliant_batch* batch, pliant_batch_particle out[WORLDS])
{
    for (int i = 0; i < WORLDS; ++i) {
        int world = WORLDS - 1 - i;
        const pliant_world* of = pliant_batch_world(batch, world);
        pliant_body_id id = first_body(of);
        out[i] = (pliant_batch_particle){world, id, pliant_body_particle_count(of, id) - 1};
    }
}

static void chosen_particles_are_gathered(void** unused)
{
    (void)unused;
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 1);
    pliant_batch* batch = make_batch(&def);
    pliant_batch_particle chosen[WORLDS];
    pliant_vec3 seen[WORLDS];
    pliant_energies energy[WORLDS];
    step_all(batch, 8);
    choose(batch, chosen);
    for (int what = 0; what <= PLIANT_QUANTITY_CONTACT_FORCE; ++what) {
        size_t count;
        pliant_vec3* all = read_all(batch, (pliant_quantity)what, &count);
        assert_int_equal(pliant_batch_gather(batch, (pliant_quantity)what, chosen, WORLDS, seen),
                         PLIANT_OK);
        size_t first = 0;
        for (int w = 0; w < WORLDS; ++w) {
            const pliant_vec3* expected = &all[first + (size_t)chosen[WORLDS - 1 - w].particle];
            assert_memory_equal(expected, &seen[WORLDS - 1 - w], sizeof *expected);
            const pliant_world* world = pliant_batch_world(batch, w);
            pliant_body_id ids[8];
            int bodies = pliant_world_bodies(world, ids, 8);
            for (int k = 0; k < bodies; ++k)
                first += (size_t)pliant_body_particle_count(world, ids[k]);
        }
        free(all);
    }
    assert_int_equal(pliant_batch_read_energies(batch, energy, WORLDS), PLIANT_OK);
    for (int w = 0; w < WORLDS; ++w) {
        pliant_energies alone;
        assert_int_equal(pliant_world_energies(pliant_batch_world(batch, w), &alone), PLIANT_OK);
        assert_memory_equal(&alone, &energy[w], sizeof alone);
    }
    pliant_batch_destroy(batch);
}

// A batch that is driven by lists, and one whose worlds are driven one by one, have the same bits.
static void lists_of_actions_are_calls_one_by_one(void** unused)
{
    (void)unused;
    pliant_world_def def = definition(PLIANT_BACKEND_CPU, 1);
    pliant_batch *listed = make_batch(&def), *alone = make_batch(&def);
    pliant_batch_particle chosen[WORLDS];
    pliant_batch_collider floors[WORLDS];
    double target[3 * WORLDS], spot[3 * WORLDS];
    pliant_vec3 force[WORLDS];
    choose(listed, chosen);
    for (int i = 0; i < WORLDS; ++i) {
        pliant_world* world = pliant_batch_world(alone, chosen[i].world);
        pliant_collider_id id = {1, 0};
        assert_int_equal(pliant_world_colliders(world, &id, 1), 1);
        floors[i] = (pliant_batch_collider){chosen[i].world, id};
        force[i] = (pliant_vec3){3, (float)i, 0};
        for (int k = 0; k < 3; ++k) target[3 * i + k] = 0.2 * k + 0.01 * i;
        for (int k = 0; k < 3; ++k) spot[3 * i + k] = k == 1 ? -0.01 : 0;
        pliant_body_id body = chosen[i].body;
        assert_int_equal(pliant_body_add_force(world, body, 0, force[i]), PLIANT_OK);
        assert_int_equal(pliant_body_move_pin(world, body, chosen[i].particle, target + 3 * i),
                         PLIANT_OK);
        const pliant_quat straight = {0, 0, 0, 1};
        assert_int_equal(pliant_collider_move(world, id, spot + 3 * i, straight), PLIANT_OK);
    }
    pliant_batch_particle pushed[WORLDS];
    memcpy(pushed, chosen, sizeof pushed);
    for (int i = 0; i < WORLDS; ++i) pushed[i].particle = 0;
    for (int twice = 0; twice < 2; ++twice) // the second force is in place of the first
        assert_int_equal(pliant_batch_set_forces(listed, pushed, WORLDS, force), PLIANT_OK);
    assert_int_equal(pliant_batch_move_pins(listed, chosen, WORLDS, target), PLIANT_OK);
    assert_int_equal(pliant_batch_move_colliders(listed, floors, WORLDS, spot, NULL), PLIANT_OK);
    step_all(listed, 6);
    step_all(alone, 6);
    for (int i = 0; i < WORLDS; ++i)
        if (get_digest(pliant_batch_world(listed, i)) != get_digest(pliant_batch_world(alone, i)))
            fail_msg("world %d differs", i);
    pliant_batch_destroy(listed);
    pliant_batch_destroy(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_as_if_it_were_alone),
        cmocka_unit_test(one_is_reset_and_the_others_go_on),
        cmocka_unit_test(all_are_read_and_written_at_once),
        cmocka_unit_test(all_are_read_and_written_at_once_on_a_gpu),
        cmocka_unit_test(bulk_writing_is_writing_one_by_one),
        cmocka_unit_test(other_counts_and_contact_forces_are_not_written),
        cmocka_unit_test(a_failure_names_its_world_and_spares_the_others),
        cmocka_unit_test(rows_are_where_the_view_says),
        cmocka_unit_test(some_go_back_to_what_was_kept),
        cmocka_unit_test(a_reset_that_does_not_fit_changes_nothing),
        cmocka_unit_test(chosen_particles_are_gathered),
        cmocka_unit_test(lists_of_actions_are_calls_one_by_one),
        cmocka_unit_test(some_go_back_to_what_was_kept_on_a_gpu),
        cmocka_unit_test(each_is_on_a_gpu_as_here),
        cmocka_unit_test(one_is_reset_on_a_gpu),
        cmocka_unit_test(the_view_of_a_gpu_is_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
