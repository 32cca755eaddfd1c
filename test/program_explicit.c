// The explicit rival of the benchmarks: right, and the same for any number of threads.
#include "bench/explicit.h"
#include "bench/race.h"
#include "check.h"

static const float dt = 0.01f; // [s]

typedef struct {
    pliant_mesh* mesh;
    pliant_asset* asset;
} sample;

static sample make_sample(const char* words, pliant_precision precision)
{
    sample s = {NULL, NULL};
    const schedule_choice serial = {PLIANT_SCHEDULE_SERIAL, PLIANT_CLUSTERING_COMPACT};
    pliant_soft_def def = bench_rubber_as(PLIANT_FORMULATION_TEN_ROWS, &serial);
    def.solver.precision = precision;
    CHECK_OK(pliant_mesh_generate(words, &s.mesh));
    CHECK_OK(pliant_asset_create(s.mesh, &def, &s.asset));
    return s;
}

static void destroy_sample(sample* s)
{
    pliant_asset_destroy(s->asset);
    pliant_mesh_destroy(s->mesh);
}

static void a_hanging_beam_agrees_with_the_converged_solver(void** state)
{
    (void)state;
    sample exact = make_sample("beam:10x3x3", PLIANT_PRECISION_DOUBLE);
    double rest;
    trial t = {.mesh = exact.mesh, .asset = exact.asset, .substeps = 2000, .threads = 1};
    trial_outcome expected, got;
    int tip = trial_tip(&t, &rest);
    CHECK_OK(trial_run(&t, 10, dt, tip, &expected));
    t.rival = true;
    t.substeps = 400;
    CHECK_OK(trial_run(&t, 10, dt, tip, &got));
    CHECK_CLOSE(got.tip - rest, expected.tip - rest, 2e-3);
    CHECK_CLOSE(got.elastic, expected.elastic, 2e-3);
    destroy_sample(&exact);
}

// A beam that swings freely after a push along y that grows from the middle to the ends.
static explicit_body* make_swinging(const sample* s, int threads, int lanes)
{
    pliant_mesh_arrays a = pliant_mesh_view(s->mesh);
    const explicit_def def = {
        .asset = s->asset, .ground = (double)-INFINITY, .threads = threads, .lanes = lanes};
    explicit_body* body = NULL;
    CHECK_OK(explicit_create(&def, &body));
    pliant_vec3* velocity = calloc((size_t)a.vertex_count, sizeof *velocity);
    assert_non_null(velocity);
    for (int v = 0; v < a.vertex_count; ++v) {
        float x = (float)a.vertices[3 * v] - 1;
        velocity[v].y = 2 * x * x;
    }
    explicit_write(body, a.vertices, velocity);
    free(velocity);
    return body;
}

typedef struct {
    double* position;
    pliant_vec3* velocity;
    int count;
} motion;

static motion read_motion(const explicit_body* body, const sample* s)
{
    int count = pliant_mesh_view(s->mesh).vertex_count;
    motion m = {calloc((size_t)count, 3 * sizeof(double)),
                calloc((size_t)count, sizeof(pliant_vec3)), count};
    assert_true(m.position && m.velocity);
    assert_true(explicit_read(body, m.position, m.velocity));
    return m;
}

static double total_energy(const sample* s, const explicit_body* body)
{
    motion m = read_motion(body, s);
    pliant_body_id id;
    trial t = {.mesh = s->mesh, .asset = s->asset, .substeps = 1, .threads = 1};
    pliant_world* world = trial_create(&t, &id);
    assert_non_null(world);
    pliant_body_write_positions_exact(world, id, m.position, m.count);
    pliant_body_write_velocities(world, id, m.velocity, m.count);
    pliant_energies e = get_energies(world);
    pliant_world_destroy(world);
    free(m.position);
    free(m.velocity);
    return e.kinetic + e.elastic;
}

static void a_free_beam_keeps_its_energy(void** state)
{
    (void)state;
    sample s = make_sample("beam:20x3x3", PLIANT_PRECISION_SINGLE);
    explicit_body* body = make_swinging(&s, 1, 0);
    int substeps = 2 * explicit_substeps(s.asset, (double)dt);
    explicit_step(body, (double)dt, substeps);
    double start = total_energy(&s, body);
    for (int i = 0; i < 100; ++i) explicit_step(body, (double)dt, substeps);
    CHECK_CLOSE(total_energy(&s, body), start, 0.01);
    explicit_destroy(body);
    destroy_sample(&s);
}

static void it_is_stable_at_its_own_limit_and_not_far_beyond(void** state)
{
    (void)state;
    sample s = make_sample("beam:20x3x3", PLIANT_PRECISION_SINGLE);
    trial t = {.mesh = s.mesh, .asset = s.asset, .threads = 1, .rival = true};
    trial_outcome calm, blown;
    t.substeps = explicit_substeps(s.asset, (double)dt);
    CHECK_OK(trial_run(&t, 50, dt, 0, &calm));
    CHECK_BETWEEN(calm.elastic, 1, 1e4);
    t.substeps = t.substeps * 2 / 3;
    CHECK_OK(trial_run(&t, 50, dt, 0, &blown));
    assert_true(!(blown.elastic < 10 * calm.elastic));
    destroy_sample(&s);
}

static void threads_do_not_change_a_bit(void** state)
{
    (void)state;
    sample s = make_sample("beam:40x10x10", PLIANT_PRECISION_SINGLE);
    motion m[2];
    for (int i = 0; i < 2; ++i) {
        explicit_body* body = make_swinging(&s, i ? 3 : 1, 0);
        assert_true(explicit_patches(body) > 3);
        explicit_step(body, 0.001, by_scope(3, 10, 10));
        m[i] = read_motion(body, &s);
        explicit_destroy(body);
    }
    assert_memory_equal(m[0].position, m[1].position, (size_t)m[0].count * 3 * sizeof(double));
    assert_memory_equal(m[0].velocity, m[1].velocity, (size_t)m[0].count * sizeof(pliant_vec3));
    for (int i = 0; i < 2; ++i) {
        free(m[i].position);
        free(m[i].velocity);
    }
    destroy_sample(&s);
}

static void every_width_gives_the_same_within_rounding(void** state)
{
    (void)state;
    sample s = make_sample("beam:20x3x3", PLIANT_PRECISION_SINGLE);
    double energy[3];
    for (int i = 0; i < 3; ++i) {
        explicit_body* body = make_swinging(&s, 1, 4 << i);
        explicit_step(body, 0.1, 1000);
        energy[i] = total_energy(&s, body);
        explicit_destroy(body);
    }
    CHECK_CLOSE(energy[1], energy[0], 1e-4);
    CHECK_CLOSE(energy[2], energy[0], 1e-4);
    destroy_sample(&s);
}

static void the_ground_holds_it(void** state)
{
    (void)state;
    sample s = make_sample("beam:4x2x2", PLIANT_PRECISION_SINGLE);
    const explicit_def def = {
        .asset = s.asset, .gravity = {0, -9.81, 0}, .ground = -0.05, .threads = 1};
    explicit_body* body = NULL;
    CHECK_OK(explicit_create(&def, &body));
    for (int i = 0; i < 50; ++i) explicit_step(body, (double)dt, 100);
    motion m = read_motion(body, &s);
    for (int v = 0; v < m.count; ++v) CHECK_BETWEEN(m.position[3 * v + 1], -0.0501, 0.5);
    free(m.position);
    free(m.velocity);
    explicit_destroy(body);
    destroy_sample(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        usual_test(a_hanging_beam_agrees_with_the_converged_solver),
        usual_test(a_free_beam_keeps_its_energy),
        usual_test(it_is_stable_at_its_own_limit_and_not_far_beyond),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(every_width_gives_the_same_within_rounding),
        cmocka_unit_test(the_ground_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
