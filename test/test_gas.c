// Gases and heat: conduction and buoyancy against closed forms, vorticity, what a gas carries, the
// same bits.
#include "flowing.h"

#define SPACING 0.02 // [m]

static pliant_soft_def gas_of(double temperature)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.gas.spacing = SPACING;
    soft.gas.drag = 0;
    soft.material.density = 1.2;
    soft.heat.temperature = temperature;
    soft.heat.ambient = 300;
    return soft;
}

static pliant_world* open_world(int substeps, int threads, int lanes)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = substeps;
    def.threads = threads;
    def.lanes = lanes;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

static pliant_body_id add_gas(pliant_world* world, const int count[3], double jitter,
                              const pliant_soft_def* soft)
{
    pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = flowing_grid(count, SPACING, jitter);
    pliant_body_id id = new_soft(world, mesh, soft, &at);
    pliant_mesh_destroy(mesh);
    return id;
}

// ---- heat ---------------------------------------------------------------------------------------

// Half a wave of warmth along x falls by exp(-a k^2 t), with a = conductivity / (rho c).
static double wave_left(double jitter, double diffusivity, double time)
{
    enum { LONG = 24, WIDE = 7, COUNT = LONG * WIDE * WIDE };
    static float warm[COUNT];
    static pliant_vec3 x[COUNT];
    const int count[3] = {LONG, WIDE, WIDE};
    pliant_soft_def soft = gas_of(300);
    soft.heat.conductivity = diffusivity * 1.2 * soft.heat.capacity;
    pliant_world* world = open_world(4, 1, 0);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    pliant_body_id id = add_gas(world, count, jitter, &soft);
    CHECK_OK(pliant_body_read_positions(world, id, x, COUNT));
    const double k = 3.14159265358979 / (LONG * SPACING);
    for (int i = 0; i < COUNT; ++i) warm[i] = (float)(300 + 10 * cos(k * (double)x[i].x));
    CHECK_OK(pliant_body_write_temperatures(world, id, warm, COUNT));
    run(world, (int)(time * 60 + 0.5), 1 / 60.0);
    CHECK_OK(pliant_body_read_temperatures(world, id, warm, COUNT));
    double sum = 0, all = 0;
    for (int i = 0; i < COUNT; ++i) {
        double mode = cos(k * (double)x[i].x);
        sum += ((double)warm[i] - 300) * mode / 10, all += mode * mode;
    }
    pliant_world_destroy(world);
    return sum / all;
}

static void heat_spreads_as_the_heat_equation_says(void** unused)
{
    (void)unused;
    const double k = 3.14159265358979 / (24 * SPACING), time = 0.5;
    // So little that a sweep takes it, and so much that it takes several.
    static const double diffusivity[] = {0.01, 0.06};
    for (int i = 0; i < 2; ++i) {
        double wanted = exp(-diffusivity[i] * k * k * time);
        double left = wave_left(0, diffusivity[i], time);
        if (!(fabs(log(left) / log(wanted) - 1) < 0.04))
            fail_msg("of a wave %g is left, and not %g", left, wanted);
    }
}

// Two gases of different capacities, in the open and with far too much conductivity.
static void conduction_keeps_heat(void** unused)
{
    (void)unused;
    enum { COUNT = 6 * 6 * 6 };
    static float warm[COUNT];
    pliant_world* world = open_world(4, 1, 0);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    double before = 0, after = 0, least = 1e9, most = 0;
    pliant_body_id id[2];
    pliant_soft_def soft = gas_of(400);
    soft.heat.conductivity = 1e4;
    for (int b = 0; b < 2; ++b) {
        soft.heat.capacity = b ? 2500 : 700;
        soft.heat.temperature = b ? 280 : 400;
        id[b] = add_gas(world, (int[3]){6, 6, 6}, 0.3, &soft);
        before += COUNT * soft.heat.capacity * soft.heat.temperature;
    }
    run(world, 30, 1 / 60.0);
    for (int b = 0; b < 2; ++b) {
        CHECK_OK(pliant_body_read_temperatures(world, id[b], warm, COUNT));
        for (int i = 0; i < COUNT; ++i) {
            after += (b ? 2500 : 700) * (double)warm[i];
            least = fmin(least, (double)warm[i]), most = fmax(most, (double)warm[i]);
        }
    }
    if (!(fabs(after / before - 1) < 1e-6)) fail_msg("of the heat %.9f is left", after / before);
    double mean = (700 * 400.0 + 2500 * 280.0) / 3200;
    if (!(most - least < 3 && fabs(most - mean) < 3))
        fail_msg("%g to %g K, and the mean is %g K", least, most, mean);
    pliant_world_destroy(world);
}

// One cube alone gives its heat away through its six faces: T - Ta falls by exp(-6 s^2 H t / C).
static void a_cube_alone_cools_through_its_faces(void** unused)
{
    (void)unused;
    pliant_world* world = open_world(40, 1, 0);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    pliant_soft_def soft = gas_of(400);
    soft.heat.exchange = 20;
    pliant_body_id id = add_gas(world, (int[3]){1, 1, 1}, 0, &soft);
    run(world, 30, 1 / 60.0);
    float warm;
    CHECK_OK(pliant_body_read_temperatures(world, id, &warm, 1));
    const double capacity = 1.2 * pow(SPACING, 3) * 1005;
    // A particle alone counts for itself: so much of it is not open.
    double self = (double)fluid_kernel_of(SPACING).weight / 0.9;
    double wanted = 300 + 100 * exp(-6 * SPACING * SPACING * 20 * (1 - self) * 0.5 / capacity);
    if (!(fabs((double)warm - wanted) < 0.1)) fail_msg("%g K, and not %g K", (double)warm, wanted);
    pliant_world_destroy(world);
}

// ---- buoyancy -----------------------------------------------------------------------------------

static double climb_speed(double temperature, double drag, int steps)
{
    pliant_world* world = open_world(10, 1, 0);
    pliant_soft_def soft = gas_of(temperature);
    soft.gas.drag = drag;
    pliant_body_id id = add_gas(world, (int[3]){1, 1, 1}, 0, &soft);
    pliant_vec3 v;
    run(world, steps, 1 / 60.0);
    CHECK_OK(pliant_body_read_velocities(world, id, &v, 1));
    pliant_world_destroy(world);
    return (double)v.y;
}

static void what_is_warm_rises_and_what_is_cold_sinks(void** unused)
{
    (void)unused;
    double up = climb_speed(360, 0, 30), down = climb_speed(240, 0, 30),
           still = climb_speed(300, 0, 30);
    double wanted = 9.81 * 0.0034 * 60 * 0.5;
    if (!(fabs(up - wanted) < 1e-4 && fabs(down + wanted) < 1e-4 && still == 0))
        fail_msg("%g, %g and %g m/s, and not %g up and down", up, down, still, wanted);
}

// The air holds an open cube at sqrt(2 s g b dT / Cd open).
static void the_air_around_holds_what_rises(void** unused)
{
    (void)unused;
    double self = (double)fluid_kernel_of(SPACING).weight / 0.9;
    double wanted = sqrt(2 * SPACING * 9.81 * 0.0034 * 60 / (1 - self));
    double speed = climb_speed(360, 1, 60);
    if (!(fabs(speed / wanted - 1) < 1e-3)) fail_msg("%g m/s, and not %g", speed, wanted);
}

// ---- vorticity ----------------------------------------------------------------------------------

// Warm on the side of +x: that rises, the other one sinks, and it turns about +z: d omega / dt is
// b g times how much warmer it is per meter.
static void warmth_beside_cold_turns(void** unused)
{
    (void)unused;
    enum { WIDE = 11, COUNT = WIDE * WIDE * WIDE, MIDDLE = COUNT / 2 };
    static float warm[COUNT];
    static pliant_vec3 x[COUNT], spin[COUNT];
    pliant_world* world = open_world(4, 1, 0);
    pliant_soft_def soft = gas_of(300);
    soft.gas.swirl = 1;
    soft.gas.swirl_time = 1e6;
    soft.heat.conductivity = 0;
    pliant_body_id id = add_gas(world, (int[3]){WIDE, WIDE, WIDE}, 0, &soft);
    CHECK_OK(pliant_body_read_positions(world, id, x, COUNT));
    for (int i = 0; i < COUNT; ++i) warm[i] = (float)(300 + 100 * ((double)x[i].x - 0.11));
    CHECK_OK(pliant_body_write_temperatures(world, id, warm, COUNT));
    run(world, 3, 1 / 60.0);
    CHECK_OK(pliant_body_read_swirls(world, id, spin, COUNT));
    double wanted = 9.81 * 0.0034 * 100 * 3 / 60.0;
    const pliant_vec3 s = spin[MIDDLE];
    if (!(fabs((double)s.z / wanted - 1) < 0.05 && fabs((double)s.x) + fabs((double)s.y) < 1e-3))
        fail_msg("(%g, %g, %g) 1/s, and not %g about z", (double)s.x, (double)s.y, (double)s.z,
                 wanted);
    pliant_world_destroy(world);
}

// A gas that turns as one, and forgets at once: what it remembers is twice its angular velocity.
static void vorticity_is_that_of_the_flow(void** unused)
{
    (void)unused;
    enum { WIDE = 9, COUNT = WIDE * WIDE * WIDE, MIDDLE = COUNT / 2 };
    static pliant_vec3 spin[COUNT];
    pliant_world* world = open_world(20, 1, 0);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    pliant_soft_def soft = gas_of(300);
    pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = flowing_grid((int[3]){WIDE, WIDE, WIDE}, SPACING, 0);
    soft.gas.swirl = 1;
    soft.gas.swirl_time = 1e-6;
    at.angular_velocity = vec(0.1, 0.3, -0.2);
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    run(world, 1, 1 / 60.0);
    CHECK_OK(pliant_body_read_swirls(world, id, spin, COUNT));
    const pliant_vec3 s = spin[MIDDLE];
    if (!(fabs((double)s.x - 0.2) < 5e-3 && fabs((double)s.y - 0.6) < 5e-3 &&
          fabs((double)s.z + 0.4) < 5e-3))
        fail_msg("(%g, %g, %g) 1/s, and not (0.2, 0.6, -0.4)", (double)s.x, (double)s.y,
                 (double)s.z);
    pliant_world_destroy(world);
}

// Without weight a gas that swirls and conducts keeps its momentum.
static void swirls_keep_momentum(void** unused)
{
    (void)unused;
    enum { WIDE = 8, COUNT = WIDE * WIDE * WIDE };
    static pliant_vec3 v[COUNT];
    pliant_world* world = open_world(10, 1, 0);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    pliant_soft_def soft = gas_of(330);
    soft.gas.swirl = 30;
    pliant_body_id id = add_gas(world, (int[3]){WIDE, WIDE, WIDE}, 0.4, &soft);
    shake(world, id);
    double sum[2][3] = {{0}}, size = 0;
    for (int n = 0; n < 2; ++n) {
        CHECK_OK(pliant_body_read_velocities(world, id, v, COUNT));
        for (int i = 0; i < COUNT; ++i) {
            sum[n][0] += (double)v[i].x, sum[n][1] += (double)v[i].y, sum[n][2] += (double)v[i].z;
            if (n == 0) size += fabs((double)v[i].x) + fabs((double)v[i].y);
        }
        if (n == 0) run(world, 30, 1 / 60.0);
    }
    for (int k = 0; k < 3; ++k)
        if (!(fabs(sum[1][k] - sum[0][k]) < 1e-6 * size))
            fail_msg("component %d of the sum was %.9g and is %.9g m/s", k, sum[0][k], sum[1][k]);
    pliant_world_destroy(world);
}

// ---- what is carried ----------------------------------------------------------------------------

static pliant_body_id add_smoke(pliant_world* world, const double* x, int count)
{
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = count};
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    soft.carried = true;
    soft.radius = 0.002;
    soft.heat.temperature = 300;
    soft.heat.ambient = 300;
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    return id;
}

// In a gas that flies and turns a point goes around with it; outside it goes with the wind.
static void a_gas_carries_what_is_in_it(void** unused)
{
    (void)unused;
    const double middle = 4.5 * SPACING, x[] = {middle + 0.03, middle, middle, 5, 0, 0};
    pliant_world* world = open_world(20, 1, 0);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    pliant_air_def air = pliant_air_defaults();
    air.wind = vec(0, 0, 2);
    CHECK_OK(pliant_world_set_air(world, &air));
    pliant_soft_def soft = gas_of(350);
    pliant_body_def at = pliant_body_defaults();
    pliant_mesh* mesh = flowing_grid((int[3]){9, 9, 9}, SPACING, 0);
    at.velocity = vec(0, 1, 0);
    at.angular_velocity = vec(0, 1, 0);
    new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    pliant_body_id id = add_smoke(world, x, 2);
    run(world, 15, 1 / 60.0);
    place in = read_place(world, id, 0), out = read_place(world, id, 1);
    float warm[2];
    CHECK_OK(pliant_body_read_temperatures(world, id, warm, 2));
    const double wanted[3] = {middle + 0.03 * cos(0.25), middle + 0.25, middle - 0.03 * sin(0.25)};
    for (int k = 0; k < 3; ++k)
        if (!(fabs(in.x[k] - wanted[k]) < 1.5e-3))
            fail_msg("coordinate %d is %g m, and not %g m", k, in.x[k], wanted[k]);
    assert_true(fabs(out.x[0] - 5) < 1e-6 && fabs(out.x[2] - 0.5) < 1e-6);
    assert_true(fabs((double)warm[0] - 350) < 1 && fabs((double)warm[1] - 300) < 1e-3);
    pliant_world_destroy(world);
}

// ---- the same bits ------------------------------------------------------------------------------

static pliant_world* smolder(int threads, int lanes)
{
    pliant_world* world = open_world(6, threads, lanes);
    for (int b = 0; b < 2; ++b) {
        pliant_soft_def soft = gas_of(b ? 300 : 420);
        soft.gas.drag = 1;
        soft.gas.swirl = b ? 0 : 20;
        soft.heat.conductivity = 1;
        soft.heat.exchange = 5;
        pliant_mesh* mesh = flowing_grid((int[3]){7, 6, 6}, SPACING, 0.3);
        pliant_body_def at = pliant_body_defaults();
        at.position[1] = b * 6 * SPACING;
        at.velocity = vec(b ? 0.5 : 0, 0, 0);
        new_soft(world, mesh, &soft, &at);
        pliant_mesh_destroy(mesh);
    }
    double x[3 * 300];
    random_source r = {7};
    for (int i = 0; i < 900; ++i) x[i] = random_range(&r, -0.05, 0.2);
    add_smoke(world, x, 300);
    return world;
}

static void threads_lanes_lists_and_snapshots_change_no_bit(void** unused)
{
    (void)unused;
    check_flowing_bits(smolder, 12, 1 / 60.0);
}

// ---- what is refused ----------------------------------------------------------------------------

static void check_refused(pliant_result result, const char* part)
{
    if (!result) fail_msg("it was not refused: %s", part);
    if (!strstr(pliant_error_text(), part))
        fail_msg("\"%s\" without: %s", pliant_error_text(), part);
}

static void what_makes_no_sense_is_refused(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = flowing_grid((int[3]){2, 2, 2}, SPACING, 0);
    pliant_asset* asset = NULL;
    pliant_soft_def soft = gas_of(300);
    soft.liquid.spacing = 0.02;
    check_refused(pliant_asset_create(mesh, &soft, &asset), "give one of them");
    soft = gas_of(300);
    soft.carried = true;
    check_refused(pliant_asset_create(mesh, &soft, &asset), "only loose particles are carried");
    soft = pliant_soft_defaults();
    soft.radius = 0.01;
    soft.heat.temperature = 300;
    check_refused(pliant_asset_create(mesh, &soft, &asset), "know of heat");
    pliant_mesh_destroy(mesh);
    pliant_world* world = open_world(4, 1, 0);
    soft = gas_of(300);
    pliant_body_id id = add_gas(world, (int[3]){1, 1, 1}, 0, &soft);
    const float cold = -1;
    check_refused(pliant_body_write_temperatures(world, id, &cold, 1), "above 0 is needed");
    const double x[3] = {0, 0, 0};
    id = add_smoke(world, x, 1);
    check_refused(pliant_body_attach(world, id, 0, x, 0, NULL), "cannot be attached");
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heat_spreads_as_the_heat_equation_says),
        cmocka_unit_test(conduction_keeps_heat),
        cmocka_unit_test(a_cube_alone_cools_through_its_faces),
        cmocka_unit_test(what_is_warm_rises_and_what_is_cold_sinks),
        cmocka_unit_test(the_air_around_holds_what_rises),
        cmocka_unit_test(warmth_beside_cold_turns),
        cmocka_unit_test(vorticity_is_that_of_the_flow),
        cmocka_unit_test(swirls_keep_momentum),
        cmocka_unit_test(a_gas_carries_what_is_in_it),
        cmocka_unit_test(threads_lanes_lists_and_snapshots_change_no_bit),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
