// Rigid bodies by themselves: mass, free motion, what may be told and asked.
#include "failing_world.h"
#include "rigid_bodies.h"
#include "world/world.h"

// ---- what they are ------------------------------------------------------------------------------

static void check_info(const char* words, double density, double mass, const double inertia[3],
                       double tolerance)
{
    pliant_asset* asset = rigid_asset(words, density);
    pliant_rigid_info info;
    CHECK_OK(pliant_asset_rigid(asset, &info));
    CHECK_CLOSE(info.mass, mass, tolerance);
    double sum = 0, wanted = 0;
    for (int k = 0; k < 3; ++k) {
        sum += info.inertia[k];
        wanted += inertia[k];
    }
    CHECK_CLOSE(sum, wanted, tolerance);
    for (int k = 0; k < 3; ++k) { // each is there, in some order
        double least = INFINITY;
        for (int i = 0; i < 3; ++i) least = fmin(least, fabs(info.inertia[i] - inertia[k]));
        CHECK_BETWEEN(least / inertia[k], 0, tolerance);
    }
    pliant_asset_destroy(asset);
}

static void bricks_balls_and_links_have_their_mass_and_inertia(void** unused)
{
    (void)unused;
    const double m = 1000 * 0.1 * 0.2 * 0.3;
    check_info("brick:0.1x0.2x0.3", 1000, m,
               (double[3]){m / 12 * 0.13, m / 12 * 0.10, m / 12 * 0.05}, 1e-9);
    const double pi = 3.14159265358979, ball = 500 * 4 * pi / 3 * 0.125;
    check_info("sphere:0.5:24", 500, ball,
               (double[3]){0.4 * ball * 0.25, 0.4 * ball * 0.25, 0.4 * ball * 0.25}, 0.03);
    // Wire along two halves of a circle, and two straight lines: Pappus.
    pliant_asset* asset = rigid_asset("link:0.2:0.12:0.02:40", 7000);
    pliant_rigid_info info;
    CHECK_OK(pliant_asset_rigid(asset, &info));
    CHECK_CLOSE(info.mass, 7000 * (2 * pi * 0.05 + 2 * 0.08) * pi * 1e-4, 0.01);
    pliant_asset_destroy(asset);
}

static void a_ball_of_one_particle_is_a_ball(void** unused)
{
    (void)unused;
    pliant_asset* asset = ball_asset(0.1, 2000);
    pliant_rigid_info info;
    CHECK_OK(pliant_asset_rigid(asset, &info));
    double mass = 2000 * 4 * 3.14159265358979 / 3 * 1e-3;
    CHECK_CLOSE(info.mass, mass, 1e-9);
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(info.inertia[k], 0.4 * mass * 0.01, 1e-9);
    pliant_asset_destroy(asset);
}

static void refuse_asset(const pliant_mesh_arrays* arrays, const char* words)
{
    pliant_soft_def def = pliant_soft_defaults();
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    def.rigid = true;
    CHECK_OK(pliant_mesh_create(arrays, &mesh));
    assert_int_not_equal(pliant_asset_create(mesh, &def, &asset), PLIANT_OK);
    if (!strstr(pliant_error_text(), words)) fail_msg("no '%s' in: %s", words, pliant_error_text());
    assert_null(asset);
    pliant_mesh_destroy(mesh);
}

static void what_has_no_mass_or_size_is_refused(void** unused)
{
    (void)unused;
    const double one[3] = {0, 0, 0}, tet[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int inward[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3};
    pliant_mesh_arrays surface = {
        .vertices = tet, .vertex_count = 4, .triangles = inward, .triangle_count = 4};
    refuse_asset(&surface, "counter-clockwise");
    pliant_mesh_arrays point = {.vertices = one, .vertex_count = 1};
    refuse_asset(&point, "radius");
}

// ---- free motion --------------------------------------------------------------------------------

static void free_rotation_keeps_angular_momentum_and_energy(void** unused)
{
    (void)unused;
    pliant_asset* asset = rigid_asset("brick:0.1x0.2x0.3", 1000);
    pliant_world* world = make_still_world(1, 1);
    pliant_body_def def = body_at(1, 2, 3);
    def.angular_velocity = vec(0.3, 12, 0.2);
    def.velocity = vec(0.1, -0.2, 0.3);
    pliant_body_id id = place_body(world, asset, &def);
    pliant_motion before = motion_of(world, id);
    pliant_energies start, end;
    CHECK_OK(pliant_world_energies(world, &start));
    run(world, 10000, 2e-3);
    pliant_motion after = motion_of(world, id);
    CHECK_OK(pliant_world_energies(world, &end));
    double size = 0, off = 0;
    for (int k = 0; k < 3; ++k) {
        size = fmax(size, fabs(before.angular_momentum[k]));
        off = fmax(off, fabs(after.angular_momentum[k] - before.angular_momentum[k]));
    }
    CHECK_BETWEEN(off / size, 0, 1e-12);
    CHECK_CLOSE(end.kinetic, start.kinetic, 1e-9);
    CHECK_CLOSE(after.center[0], before.center[0] + 20 * (double)def.velocity.x, 1e-5);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

// Euler's equations in the body's axes.
static void euler_rate(const double i[3], const double w[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = (i[u] - i[v]) * w[u] * w[v] / i[k];
    }
}

static void euler_step(const double i[3], double h, double w[3])
{
    double k[4][3], at[3];
    for (int s = 0; s < 4; ++s) {
        const double part[4] = {0, 0.5, 0.5, 1};
        for (int c = 0; c < 3; ++c) at[c] = w[c] + (s ? part[s] * h * k[s - 1][c] : 0);
        euler_rate(i, at, k[s]);
    }
    for (int c = 0; c < 3; ++c) w[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
}

// [s] When the rotation about the middle axis first changes its sign.
static double flip_time_of_euler(const double inertia[3], const double start[3])
{
    double w[3] = {start[0], start[1], start[2]}, h = 1e-5, t = 0;
    for (; w[1] > 0 && t < 100; t += h) euler_step(inertia, h, w);
    return t;
}

// A plate whose sides have squares as 2 : 1 : 0 has inertia 1 : 2 : 3.
static void the_middle_axis_flips_when_euler_says_so(void** unused)
{
    (void)unused;
    const double side[3] = {1.4142135623730951, 1, 0.01};
    char words[80];
    snprintf(words, sizeof words, "brick:%.12fx%.12fx%.12f", side[0] * 0.2, side[1] * 0.2,
             side[2] * 0.2);
    pliant_asset* asset = rigid_asset(words, 1000);
    pliant_world* world = make_still_world(4, 1);
    const double degree = 3.14159265358979 / 180, speed = 10;
    const double start[3] = {speed * sin(degree), speed * cos(degree), 0};
    const double inertia[3] = {1, 2, 3};
    pliant_body_def def = pliant_body_defaults();
    def.angular_velocity = vec(start[0], start[1], start[2]);
    pliant_body_id id = place_body(world, asset, &def);
    double wanted = flip_time_of_euler(inertia, start), time = 0, h = 1.0 / 240;
    while (time < 100) {
        run(world, 1, h);
        time += h;
        pliant_motion m = motion_of(world, id);
        double q[4] = {m.rotation[0], m.rotation[1], m.rotation[2], m.rotation[3]};
        // The body's y axis in the world.
        const double y[3] = {2 * (q[0] * q[1] - q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]),
                             2 * (q[1] * q[2] + q[0] * q[3])};
        double about = 0;
        for (int k = 0; k < 3; ++k) about += y[k] * m.angular_velocity[k];
        if (about < 0) break;
    }
    CHECK_CLOSE(time, wanted, 0.02);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

static void gravity_and_forces_act_on_all_of_it(void** unused)
{
    (void)unused;
    pliant_asset* asset = rigid_asset("brick:0.2x0.2x0.2", 1000);
    pliant_world* world = make_world(10, 1);
    pliant_body_def def = body_at(0, 10, 0);
    pliant_body_id id = place_body(world, asset, &def);
    pliant_rigid_info info;
    CHECK_OK(pliant_asset_rigid(asset, &info));
    // A force of 8 N up at the corner (-, -, -), which particle 0 is.
    CHECK_OK(pliant_body_add_force(world, id, 0, vec(0, 8, 0)));
    run(world, 1, 1e-3);
    pliant_motion m = motion_of(world, id);
    CHECK_CLOSE(m.velocity[1], 1e-3 * (8 / info.mass - 9.81), 1e-6);
    // r x F = (-0.1, -0.1, -0.1) x (0, 8, 0) = (0.8, 0, -0.8).
    CHECK_CLOSE(m.angular_velocity[0], 1e-3 * 0.8 / info.inertia[0], 1e-4);
    CHECK_CLOSE(m.angular_velocity[2], -1e-3 * 0.8 / info.inertia[0], 1e-4);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

// ---- what may be told ---------------------------------------------------------------------------

static void motion_is_set_and_read(void** unused)
{
    (void)unused;
    pliant_asset* asset = rigid_asset("box6:1x2x3:0.1", 1000);
    pliant_world* world = make_still_world(1, 1);
    pliant_body_def def = body_at(1, 0, 0);
    def.rotation = about_z(0.5);
    pliant_body_id id = place_body(world, asset, &def);
    pliant_motion m = motion_of(world, id);
    CHECK_CLOSE(m.position[0], 1, 1e-12);
    CHECK_CLOSE(m.rotation[2], sin(0.25), 1e-6);
    pliant_motion to = {.position = {3, -2, 1},
                        .rotation = {0, 2, 0, 2},
                        .velocity = {1, 2, 3},
                        .angular_velocity = {0.1, 0.2, 0.3}};
    CHECK_OK(pliant_body_set_motion(world, id, &to));
    m = motion_of(world, id);
    for (int k = 0; k < 3; ++k) {
        CHECK_CLOSE(m.position[k], to.position[k], 1e-12);
        CHECK_CLOSE(m.velocity[k], to.velocity[k], 1e-12);
        CHECK_CLOSE(m.angular_velocity[k], to.angular_velocity[k], 1e-12);
    }
    CHECK_CLOSE(m.rotation[1], sqrt(0.5), 1e-12);
    // Its last vertex at (0.1, 0.2, 0.3), a quarter turn about y: (0.3, 0.2, -0.1).
    place last = read_place(world, id, pliant_body_particle_count(world, id) - 1);
    CHECK_CLOSE(last.x[0], 3.3, 1e-6);
    CHECK_CLOSE(last.x[1], -1.8, 1e-6);
    CHECK_CLOSE(last.x[2], 0.9, 1e-6);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

static void pushes_change_momentum_and_angular_momentum(void** unused)
{
    (void)unused;
    pliant_asset* asset = rigid_asset("brick:0.2x0.4x0.6", 500);
    pliant_world* world = make_still_world(1, 1);
    pliant_body_def def = body_at(1, 1, 1);
    pliant_body_id id = place_body(world, asset, &def);
    double mass = pliant_body_mass(world, id);
    CHECK_OK(pliant_body_push(world, id, (double[3]){1, 1.2, 1}, (double[3]){3, 0, 0}));
    pliant_motion m = motion_of(world, id);
    CHECK_CLOSE(m.velocity[0], 3 / mass, 1e-12);
    CHECK_CLOSE(m.angular_momentum[2], -0.6, 1e-12);
    pliant_vec3 v[8]; // as particles have it: corner 7 is (+, +, +) of the center
    CHECK_OK(pliant_body_read_velocities(world, id, v, 8));
    CHECK_CLOSE(v[7].x, m.velocity[0] - m.angular_velocity[2] * 0.2, 1e-6);
    CHECK_OK(pliant_body_teleport(world, id, (double[3]){0, 0, 0}, about_z(3.14159265358979 / 2),
                                  (double[3]){0, 0, 5}));
    m = motion_of(world, id);
    CHECK_CLOSE(m.velocity[1], 3 / mass, 1e-6);
    CHECK_CLOSE(m.center[0], -1, 1e-6);
    CHECK_CLOSE(m.center[2], 6, 1e-6);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

static void what_is_held_goes_on(void** unused)
{
    (void)unused;
    pliant_asset* asset = rigid_asset("brick:0.2x0.4x0.6", 500);
    pliant_world* world = make_world(10, 1);
    pliant_body_def def = body_at(0, 1, 0);
    def.held = true;
    def.velocity = vec(0, 0.5, 0);
    def.angular_velocity = vec(1, 2, 3);
    pliant_body_id id = place_body(world, asset, &def);
    CHECK_OK(pliant_body_push(world, id, (double[3]){1, 1.2, 1}, (double[3]){3, 0, 0}));
    run(world, 100, 0.01);
    pliant_motion m = motion_of(world, id);
    assert_true(m.held);
    CHECK_CLOSE(m.center[1], 1.5, 1e-6);
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(m.angular_velocity[k], k + 1, 1e-9);
    // 3.742 rad about (1, 2, 3): the cosine of half of it.
    CHECK_CLOSE(fabs(m.rotation[3]), fabs(cos(sqrt(14.0) / 2)), 1e-3);
    CHECK_OK(pliant_body_set_held(world, id, false));
    run(world, 1, 0.01);
    m = motion_of(world, id);
    CHECK_CLOSE(m.velocity[1], 0.5 - 0.0981, 1e-6);
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(m.angular_velocity[k], k + 1, 0.05);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

// ---- refusals -----------------------------------------------------------------------------------

static void refuse(pliant_result result, const char* words)
{
    assert_int_not_equal(result, PLIANT_OK);
    if (!strstr(pliant_error_text(), words)) fail_msg("no '%s' in: %s", words, pliant_error_text());
}

static void what_particles_cannot_do_is_refused(void** unused)
{
    (void)unused;
    pliant_asset *asset = rigid_asset("brick:0.2x0.2x0.2", 1000), *soft = NULL;
    pliant_world* world = make_world(2, 1);
    pliant_body_def def = pliant_body_defaults();
    pliant_soft_def jelly = pliant_soft_defaults();
    pliant_body_id id = place_body(world, asset, &def);
    pliant_vec3 v[8] = {{0, 0, 0}};
    double x[24] = {0};
    pliant_motion m = motion_of(world, id);
    refuse(pliant_body_pin(world, id, 0), "hold all of it");
    refuse(pliant_body_pin_axes(world, id, 0, PLIANT_AXIS_X), "hold all of it");
    refuse(pliant_body_write_velocities(world, id, v, 8), "pliant_body_set_motion");
    refuse(pliant_body_write_positions_exact(world, id, x, 8), "pliant_body_set_motion");
    refuse(pliant_body_attach(world, id, 0, x, 0, NULL), "attached");
    refuse(pliant_body_set_asset(world, id, asset), "keeps its asset");
    m.rotation[0] = m.rotation[1] = m.rotation[2] = m.rotation[3] = 0;
    refuse(pliant_body_set_motion(world, id, &m), "identity");
    m.rotation[3] = 1;
    m.position[1] = NAN;
    refuse(pliant_body_set_motion(world, id, &m), "not finite");
    m.position[1] = 1e39;
    refuse(pliant_body_set_motion(world, id, &m), "range");
    pliant_mesh* mesh = box_mesh((int[3]){1, 1, 1}, 0.2, 0);
    CHECK_OK(pliant_asset_create(mesh, &jelly, &soft));
    pliant_mesh_destroy(mesh);
    def.position[1] = 5;
    pliant_body_id other = place_body(world, soft, &def);
    refuse(pliant_body_motion(world, other, &m), "not rigid");
    pliant_rigid_info info;
    refuse(pliant_asset_rigid(soft, &info), "not rigid");
    m = motion_of(world, id);
    CHECK_BETWEEN(m.position[1], 0, 0);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
    pliant_asset_destroy(soft);
}

// ---- state --------------------------------------------------------------------------------------

static void saved_assets_are_rigid(void** unused)
{
    (void)unused;
    pliant_asset *asset = rigid_asset("banana:0.3:0.04:8", 900), *loaded = NULL;
    size_t bytes = pliant_asset_write_size(asset);
    void* data = malloc(bytes);
    pliant_rigid_info a, b;
    CHECK_OK(pliant_asset_write(asset, data, bytes));
    CHECK_OK(pliant_asset_parse(data, bytes, "memory", &loaded));
    CHECK_OK(pliant_asset_rigid(asset, &a));
    CHECK_OK(pliant_asset_rigid(loaded, &b));
    assert_memory_equal(&a, &b, sizeof a);
    free(data);
    pliant_asset_destroy(asset);
    pliant_asset_destroy(loaded);
}

// Of all rows that there is room for.
static double row_bytes(const pliant_world* world)
{
    double sum = 0;
    for (int i = 0; i < world->rows->count; ++i) {
        const store_chunk* c = world->rows->chunk[i];
        for (int k = 0; k < STORE_ARRAYS; ++k)
            sum += (double)c->capacity * (double)store_row_bytes(c->kind, (store_array)k);
    }
    return sum;
}

// What they take beside the rows of their particles.
static void thousands_are_made_at_once_and_are_small(void** unused)
{
    (void)unused;
    enum { BODIES = 10000 };
    pliant_asset* asset = rigid_asset("brick:0.1x0.1x0.1", 1000);
    pliant_world* world = make_still_world(1, 1);
    size_t before = pliant_allocated_bytes();
    for (int i = 0; i < BODIES; ++i) {
        pliant_body_def def = body_at(0.2 * (i % 100), 0.2 * (i / 100), 0);
        place_body(world, asset, &def);
    }
    size_t made = pliant_allocated_bytes();
    CHECK_BETWEEN((double)(made - before) / BODIES - row_bytes(world) / BODIES, 0, 2048);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bricks_balls_and_links_have_their_mass_and_inertia),
        cmocka_unit_test(a_ball_of_one_particle_is_a_ball),
        cmocka_unit_test(what_has_no_mass_or_size_is_refused),
        cmocka_unit_test(free_rotation_keeps_angular_momentum_and_energy),
        cmocka_unit_test(the_middle_axis_flips_when_euler_says_so),
        cmocka_unit_test(gravity_and_forces_act_on_all_of_it),
        cmocka_unit_test(motion_is_set_and_read),
        cmocka_unit_test(pushes_change_momentum_and_angular_momentum),
        cmocka_unit_test(what_is_held_goes_on),
        cmocka_unit_test(what_particles_cannot_do_is_refused),
        cmocka_unit_test(saved_assets_are_rigid),
        cmocka_unit_test(thousands_are_made_at_once_and_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
