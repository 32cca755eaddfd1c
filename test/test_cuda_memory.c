// Between the processor's memory and the GPU's: what is written here arrives there, what is read
// here is what is there. Without a GPU most of it is skipped, by name.
#include "cuda_table.h"

// ---- what is written here arrives there ---------------------------------------------------------

static void write_positions(const stage* s)
{
    int count = s->cast->particles;
    pliant_vec3* x = (pliant_vec3*)malloc((size_t)count * sizeof *x);
    CHECK_OK(pliant_body_read_positions(s->world, s->body, x, count));
    for (int i = 0; i < count; ++i) x[i].y += 0.01f * (float)(i % 3);
    pliant_body_write_positions(s->world, s->body, x, count);
    free(x);
}

static void write_exact_positions(const stage* s)
{
    place* x = read_places(s->world, s->body);
    for (int i = 0; i < s->cast->particles; ++i) x[i].x[2] += 1e-9 * i;
    pliant_body_write_positions_exact(s->world, s->body, x->x, s->cast->particles);
    free(x);
}

static void write_some_positions(const stage* s)
{
    place* x = read_places(s->world, s->body);
    x[0].x[1] += 0.02;
    pliant_body_write_positions_exact(s->world, s->body, x->x, 1);
    free(x);
}

static void write_velocities(const stage* s) { write_velocity(s->world, s->body, vec(0, 1, 0.5)); }
static void write_forces(const stage* s) { set_forces(s, 2); }

static void add_a_force(const stage* s)
{
    pliant_body_add_force(s->world, s->body, s->cast->tip, vec(0, 20, 5));
}

static void pin_the_tip(const stage* s) { pliant_body_pin(s->world, s->body, s->cast->tip); }
static void unpin_an_end(const stage* s) { pliant_body_unpin(s->world, s->body, s->cast->first_x); }

static void unpin_axes(const stage* s)
{
    pliant_body_pin_axes(s->world, s->body, s->cast->tip, PLIANT_AXIS_Y);
    CHECK_OK(pliant_world_step(s->world, scene_dt));
    pliant_body_unpin(s->world, s->body, s->cast->tip);
}

static void move_the_tip(const stage* s)
{
    pliant_body_move_pin(s->world, s->body, s->cast->tip, (const double[3]){0.5, 0.4, 0.1});
}

static void set_radii(const stage* s)
{
    for (int i = 0; i < s->cast->particles; ++i)
        pliant_body_set_radius(s->world, s->body, i, i % 2 ? 0.03f : 0.01f);
}

static void set_phases(const stage* s) { pliant_body_set_phase(s->world, s->body, 3, 7); }

static void turn_gravity(const stage* s)
{
    pliant_world_set_gravity(s->world, vec(3, -5, 1));
    pliant_body_set_gravity_scale(s->world, s->body, 1.5f);
}

static void attach_the_tip(const stage* s)
{
    new_attachment(s->world, s->body, s->cast->tip, (const double[3]){0.4, 0.3, 0}, 1e-4);
}

static void add_a_ball(const stage* s)
{
    pliant_collider_def ball = obstacle_def(s->cast->scene, PLIANT_SHAPE_SPHERE, 0.1);
    ball.radius = 0.2f;
    add_obstacle(s->world, &ball);
}

static void add_a_field(const stage* s)
{
    pliant_mesh* mesh = generate("sphere:0.2:6");
    pliant_collider_def field = obstacle_def(s->cast->scene, PLIANT_SHAPE_MESH, 0);
    field.mesh = mesh;
    field.cell = 0.04f;
    pliant_collider_id id = new_collider(s->world, &field);
    assert_true(id.index1 != 0);
    pliant_collider_remove(s->world, id);
    field.cell = 0.05f;
    add_obstacle(s->world, &field);
    pliant_mesh_destroy(mesh);
}

// Another field of as many samples: it may well lie where the one before it lay.
static void exchange_fields_under_bodies(const stage* s)
{
    pliant_collider_id id = {0, 0};
    for (int i = 0; i < 3; ++i) {
        pliant_mesh* mesh = generate(i % 2 ? "sphere:0.15:6" : "sphere:0.2:6");
        pliant_collider_def field = obstacle_def(s->cast->scene, PLIANT_SHAPE_MESH, 0);
        field.mesh = mesh;
        field.cell = i % 2 ? 0.03f : 0.04f;
        if (i) pliant_collider_remove(s->world, id);
        id = new_collider(s->world, &field);
        assert_true(id.index1 != 0);
        add_member(s, 0);
        CHECK_OK(pliant_world_step(s->world, scene_dt));
        pliant_mesh_destroy(mesh);
    }
}

static void add_a_body(const stage* s) { add_member(s, 0); }

static void exchange_bodies(const stage* s)
{
    pliant_body_id other = add_member(s, 0), third = add_member(s, 0);
    CHECK_OK(pliant_world_step(s->world, scene_dt));
    pliant_body_remove(s->world, other);
    write_velocity(s->world, third, vec(1, 0, 0));
    add_member(s, 0);
}

static void stand_still(const stage* s)
{
    CHECK_OK(pliant_world_step(s->world, 0));
    pliant_body_pin(s->world, s->body, 1);
    CHECK_OK(pliant_world_step(s->world, 0));
}

typedef struct {
    const char* name;
    void (*make)(const stage* s);
} change;

static const change changes[] = {
    {"positions written between steps arrive", write_positions},
    {"exact positions written between steps arrive", write_exact_positions},
    {"a position written between steps arrives", write_some_positions},
    {"velocities written between steps arrive", write_velocities},
    {"forces written between steps arrive", write_forces},
    {"a force added between steps arrives", add_a_force},
    {"a pin set between steps arrives", pin_the_tip},
    {"a pin taken away between steps arrives", unpin_an_end},
    {"a pin along an axis taken away between steps arrives", unpin_axes},
    {"a pin moved between steps arrives", move_the_tip},
    {"radii written between steps arrive", set_radii},
    {"phases written between steps are kept", set_phases},
    {"gravity turned between steps arrives", turn_gravity},
    {"an attachment made between steps arrives", attach_the_tip},
    {"a collider added between steps arrives", add_a_ball},
    {"a distance field exchanged between steps arrives", add_a_field},
    {"distance fields exchanged under new bodies arrive", exchange_fields_under_bodies},
    {"a body added between steps arrives", add_a_body},
    {"bodies exchanged between steps arrive", exchange_bodies},
    {"steps of no time change nothing there", stand_still},
};
enum { CHANGES = sizeof changes / sizeof changes[0] };

static uint64_t digest_after_change(const cast* c, pliant_backend backend, const change* what)
{
    stage s = open_stage(c, backend);
    for (int i = 0; i < 5; ++i) CHECK_OK(pliant_world_step(s.world, scene_dt));
    what->make(&s);
    play(&s, 6, 3);
    what->make(&s);
    play(&s, 10, 5);
    uint64_t digest = get_digest(s.world);
    pliant_world_destroy(s.world);
    return digest;
}

static const scene changed_scenes[] = {
    {"patches", .patch_rows = 48, .props = PINNED | FLOOR},
    {"one patch", .patch_rows = 4000, .props = PINNED | FLOOR},
    {"colored", .schedule = PLIANT_SCHEDULE_COLORED, .props = PINNED | FLOOR},
    {"double", .patch_rows = 48, .precision = PLIANT_PRECISION_DOUBLE, .props = PINNED | FLOOR},
};

static void change_arrives(void** state)
{
    const change* what = (const change*)*state;
    need_gpu();
    for (size_t i = 0; i < sizeof changed_scenes / sizeof changed_scenes[0]; ++i) {
        cast c = make_cast(&changed_scenes[i]);
        if (digest_after_change(&c, PLIANT_BACKEND_CPU, what) !=
            digest_after_change(&c, PLIANT_BACKEND_CUDA, what))
            fail_msg("%s: another digest than on the processor", changed_scenes[i].name);
        release_cast(&c);
    }
}

// Each change does something on the processor; else its comparison could not fail.
static void changes_change_something(void** state)
{
    (void)state;
    const change nothing = {"nothing", set_phases};
    cast c = make_cast(&changed_scenes[0]);
    uint64_t plain = digest_after_change(&c, PLIANT_BACKEND_CPU, &nothing);
    for (int i = 0; i < CHANGES; ++i)
        if (changes[i].make != set_phases &&
            digest_after_change(&c, PLIANT_BACKEND_CPU, &changes[i]) == plain)
            fail_msg("%s: nothing changed", changes[i].name);
    release_cast(&c);
}

// ---- what is read -------------------------------------------------------------------------------

static void all_that_is_read_equals_the_processors(void** state)
{
    (void)state;
    need_gpu();
    cast c = make_cast(scene_named("everything that pulls, damped"));
    stage s[2] = {open_stage(&c, PLIANT_BACKEND_CPU), open_stage(&c, PLIANT_BACKEND_CUDA)};
    size_t count = (size_t)c.particles;
    pliant_vec3* read[2][3];
    place* exact[2];
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) read[i][k] = (pliant_vec3*)calloc(count, sizeof(pliant_vec3));
        for (int n = 0; n < 10; ++n) {
            act(&s[i], n);
            CHECK_OK(pliant_world_step(s[i].world, scene_dt));
        }
        // Without a word before: reading waits.
        pliant_body_read_contact_forces(s[i].world, s[i].body, read[i][2], c.particles);
        pliant_body_read_velocities(s[i].world, s[i].body, read[i][1], c.particles);
        pliant_body_read_positions(s[i].world, s[i].body, read[i][0], c.particles);
        exact[i] = read_places(s[i].world, s[i].body);
    }
    for (int k = 0; k < 3; ++k)
        assert_memory_equal(read[0][k], read[1][k], count * sizeof(pliant_vec3));
    assert_memory_equal(exact[0], exact[1], count * sizeof(place));
    pliant_energies e[2] = {get_energies(s[0].world), get_energies(s[1].world)};
    assert_true(e[0].elastic == e[1].elastic && e[0].kinetic == e[1].kinetic);
    assert_int_equal(count_contacts(s[0].world), count_contacts(s[1].world));
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) free(read[i][k]);
        free(exact[i]);
        pliant_world_destroy(s[i].world);
    }
    release_cast(&c);
}

static void reading_between_steps_changes_nothing(void** state)
{
    (void)state;
    need_gpu();
    cast c = make_cast(scene_named("all obstacles"));
    stage s = open_stage(&c, PLIANT_BACKEND_CUDA);
    for (int i = 0; i < scene_steps(c.scene); ++i) {
        play(&s, i, 1);
        free(read_places(s.world, s.body));
        get_energies(s.world);
    }
    assert_true(digest_of_stage(&s) == digest_of_scene(&c, PLIANT_BACKEND_CPU));
    pliant_world_destroy(s.world);
    release_cast(&c);
}

// ---- snapshots ----------------------------------------------------------------------------------

static void* save(const pliant_world* world, size_t* bytes)
{
    *bytes = pliant_world_snapshot_size(world);
    void* data = malloc(*bytes);
    CHECK_OK(pliant_world_snapshot_save(world, data, *bytes));
    return data;
}

// Saved on one backend after 5 steps, restored on the other, and 5 steps on.
static uint64_t digest_of_move(const cast* c, pliant_backend from, pliant_backend to)
{
    stage a = open_stage(c, from), b = open_stage(c, to);
    size_t bytes;
    play(&a, 0, 5);
    void* data = save(a.world, &bytes);
    play(&b, 0, 3);
    CHECK_OK(pliant_world_snapshot_restore(b.world, data, bytes));
    play(&b, 5, 5);
    uint64_t digest = get_digest(b.world);
    free(data);
    pliant_world_destroy(a.world);
    pliant_world_destroy(b.world);
    return digest;
}

static void snapshots_move_between_backends(void** state)
{
    (void)state;
    static const char* const names[] = {"attachments that move, patches", "forces, colored",
                                        "bodies of many kinds", "double, patches"};
    need_gpu();
    for (int i = 0; i < 4; ++i) {
        cast c = make_cast(scene_named(names[i]));
        uint64_t here = digest_of_move(&c, PLIANT_BACKEND_CPU, PLIANT_BACKEND_CPU);
        if (here != digest_of_move(&c, PLIANT_BACKEND_CUDA, PLIANT_BACKEND_CUDA) ||
            here != digest_of_move(&c, PLIANT_BACKEND_CPU, PLIANT_BACKEND_CUDA) ||
            here != digest_of_move(&c, PLIANT_BACKEND_CUDA, PLIANT_BACKEND_CPU))
            fail_msg("%s: another digest", names[i]);
        release_cast(&c);
    }
}

static void rewinding_on_the_gpu_replays_the_same_bits(void** state)
{
    (void)state;
    need_gpu();
    cast c = make_cast(scene_named("everything that pulls, damped"));
    stage s = open_stage(&c, PLIANT_BACKEND_CUDA);
    pliant_world_destroy(s.world);
    pliant_world_def def = scene_world(c.scene);
    def.history = 4;
    s.world = world_on(PLIANT_BACKEND_CUDA, def);
    s.body = add_member(&s, 0);
    pin_plane(s.world, s.body, 0, read_place(s.world, s.body, c.first_x).x[0]);
    run(s.world, 3, 0.01);
    uint64_t before = get_digest(s.world);
    run(s.world, 3, 0.01);
    uint64_t after = get_digest(s.world);
    CHECK_OK(pliant_world_rewind(s.world, 3));
    assert_true(get_digest(s.world) == before);
    run(s.world, 3, 0.01);
    assert_true(get_digest(s.world) == after);
    pliant_world_destroy(s.world);
    release_cast(&c);
}

static const struct CMUnitTest others[] = {
    cmocka_unit_test(changes_change_something),
    cmocka_unit_test(all_that_is_read_equals_the_processors),
    cmocka_unit_test(reading_between_steps_changes_nothing),
    cmocka_unit_test(snapshots_move_between_backends),
    cmocka_unit_test(rewinding_on_the_gpu_replays_the_same_bits),
};
enum { OTHERS = sizeof others / sizeof others[0] };

int main(void)
{
    pliant_set_log(NULL, NULL);
    struct CMUnitTest tests[CHANGES + OTHERS] = {{0}};
    for (int i = 0; i < CHANGES; ++i) {
        tests[i].name = changes[i].name;
        tests[i].test_func = change_arrives;
        tests[i].initial_state = (void*)&changes[i];
    }
    memcpy(tests + CHANGES, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
