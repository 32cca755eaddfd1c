// Liquids: what a kernel and a wall count, hydrostatics, momentum, the same bits.
#include "flowing.h"
#include "fluid/kernel.h"

#define SPACING 0.02 // [m]

static pliant_soft_def liquid_of(double density, double viscosity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.liquid.spacing = SPACING;
    soft.liquid.viscosity = viscosity;
    soft.material.density = density;
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

// A box without a lid around that many particles; returns its floor, whose force is measured.
static pliant_collider_id add_tank(pliant_world* world, const int count[3])
{
    pliant_collider_id made = {0, 0};
    static const int sides[5][2] = {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {1, 0}};
    for (int i = 0; i < 5; ++i) {
        pliant_collider_def def = pliant_collider_defaults();
        int axis = sides[i][0];
        def.shape = PLIANT_SHAPE_BOX;
        def.half_extents = vec(1, 1, 1);
        def.measure_force = true;
        for (int k = 0; k < 3; ++k) def.position[k] = SPACING * count[k] / 2;
        def.position[axis] = sides[i][1] ? SPACING * count[axis] + 1 : -1;
        CHECK_OK(pliant_world_add_collider(world, &def, &made));
    }
    return made;
}

// ---- kernels ------------------------------------------------------------------------------------

static void a_wall_counts_as_the_liquid_that_it_replaces(void** unused)
{
    (void)unused;
    enum { STEPS = 400 };
    const fluid_kernel k = fluid_kernel_of(SPACING);
    for (int i = 0; i <= 10; ++i) {
        double away = k.reach * i / 10, share, slope, sum = 0, next;
        for (int z = 0; z < STEPS; ++z)
            for (int r = 0; r < STEPS; ++r) {
                double up = away + (k.reach - away) * (z + 0.5) / STEPS;
                double out = k.reach * (r + 0.5) / STEPS, q = sqrt(up * up + out * out) / k.reach;
                double near = q < 1 ? 1 - q : 0;
                sum += near * near * near * near * (1 + 4 * q) * 2 * 3.14159265358979 * out *
                       (k.reach - away) / STEPS * k.reach / STEPS;
            }
        fluid_wall(&k, away, &share, &slope);
        fluid_wall(&k, away + 1e-7, &next, &slope);
        if (!(fabs(share - sum * k.weight / k.volume) < 1e-5 &&
              fabs((share - next) / 1e-7 - slope) < 1e-3 * (slope + 1)))
            fail_msg("%g m away a wall counts %g, and %g less per meter", away, share, slope);
    }
}

// ---- at rest ------------------------------------------------------------------------------------

enum { WIDE = 9, HIGH = 14, COLUMN = WIDE * WIDE * HIGH, STEPS = 60 };

typedef struct {
    double slope, zero, error; // of a line through the pressures: [Pa/m], [m], [Pa]
    double floor, energy;      // [N], [J]
    double dense, densest;     // by which it is denser than at rest, in the mean and at most
} rest_state;

// The pressures of particles away from the walls, which a mean of the last steps makes calm.
static void fit_pressures(const double* pressure, const double* height, const bool* inside,
                          rest_state* out)
{
    double n = 0, z = 0, p = 0, zz = 0, zp = 0, square = 0;
    for (int i = 0; i < COLUMN; ++i) {
        if (!inside[i]) continue;
        n += 1, z += height[i], p += pressure[i];
        zz += height[i] * height[i], zp += height[i] * pressure[i];
    }
    out->slope = (n * zp - z * p) / (n * zz - z * z);
    out->zero = z / n - p / n / out->slope;
    for (int i = 0; i < COLUMN; ++i) {
        double off = pressure[i] - out->slope * (height[i] - out->zero);
        if (inside[i]) square += off * off;
    }
    out->error = sqrt(square / n);
}

static rest_state settle(void)
{
    const int count[3] = {WIDE, HIGH, WIDE};
    rest_state out = {0};
    static float pressure[COLUMN];
    static pliant_vec3 x[COLUMN], v[COLUMN];
    static double mean[COLUMN], height[COLUMN];
    static bool inside[COLUMN];
    pliant_world* world = open_world(20, 1, 0);
    pliant_mesh* mesh = flowing_grid(count, SPACING, 0.2);
    pliant_soft_def soft = liquid_of(1000, 0.3);
    pliant_body_def at = pliant_body_defaults();
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    pliant_collider_id floor = add_tank(world, count);
    memset(mean, 0, sizeof mean);
    for (int i = 0; i < STEPS; ++i) {
        double force[3];
        CHECK_OK(pliant_world_step(world, 1 / 60.0f));
        if (i < STEPS / 2) continue;
        CHECK_OK(pliant_collider_force(world, floor, force, NULL));
        CHECK_OK(pliant_body_read_pressures(world, id, pressure, COLUMN));
        out.floor -= force[1] / (STEPS / 2);
        for (int k = 0; k < COLUMN; ++k) mean[k] += (double)pressure[k] / (STEPS / 2);
    }
    CHECK_OK(pliant_body_read_positions(world, id, x, COLUMN));
    CHECK_OK(pliant_body_read_velocities(world, id, v, COLUMN));
    const double edge = 2.4 * SPACING, wide = WIDE * SPACING;
    for (int i = 0; i < COLUMN; ++i) {
        height[i] = (double)x[i].y;
        inside[i] = x[i].x > edge && x[i].x < wide - edge && x[i].z > edge &&
                    x[i].z < wide - edge && x[i].y > edge && x[i].y < 0.8 * HIGH * SPACING;
        out.energy += 0.5 * 0.008 * (double)(v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
    }
    fit_pressures(mean, height, inside, &out);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
    return out;
}

static void a_column_presses_as_it_weighs(void** unused)
{
    (void)unused;
    const double high = HIGH * SPACING, mass = COLUMN * 0.008, bottom = 9810 * high;
    rest_state r = settle();
    if (!(fabs(r.floor / (mass * 9.81) - 1) < 0.01 && fabs(r.slope / -9810 - 1) < 0.05 &&
          fabs(r.zero / high - 1) < 0.05 && r.error < 0.05 * bottom &&
          r.energy < 1e-3 * mass * 9.81 * high))
        fail_msg(
            "floor %g of the weight, slope %g of rho g, surface at %g of the height, pressures "
            "off by %g of that at the bottom, energy %g of m g h",
            r.floor / (mass * 9.81), -r.slope / 9810, r.zero / high, r.error / bottom,
            r.energy / (mass * 9.81 * high));
}

// ---- momentum -----------------------------------------------------------------------------------

enum { BLOB = 6 * 6 * 6 };

// Of two bodies of BLOB particles with different masses.
static void add_up(const pliant_world* world, const pliant_body_id id[2], const double mass[2],
                   double out[6], double* out_size)
{
    static pliant_vec3 x[BLOB], v[BLOB];
    memset(out, 0, 6 * sizeof(double));
    *out_size = 0;
    for (int b = 0; b < 2; ++b) {
        CHECK_OK(pliant_body_read_positions(world, id[b], x, BLOB));
        CHECK_OK(pliant_body_read_velocities(world, id[b], v, BLOB));
        for (int i = 0; i < BLOB; ++i) {
            const double at[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
            const double go[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
            for (int k = 0; k < 3; ++k) {
                int n = (k + 1) % 3, p = (k + 2) % 3;
                out[k] += mass[b] * go[k];
                out[3 + k] += mass[b] * (at[n] * go[p] - at[p] * go[n]);
                *out_size += mass[b] * fabs(go[k]);
            }
        }
    }
}

static void liquids_that_collide_keep_their_momenta(void** unused)
{
    (void)unused;
    const double density[2] = {1000, 200};
    const double mass[2] = {1000 * pow(SPACING, 3), 200 * pow(SPACING, 3)};
    pliant_world* world = open_world(20, 1, 0);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    pliant_body_id id[2];
    double before[6], after[6], size;
    for (int b = 0; b < 2; ++b) {
        pliant_mesh* mesh = flowing_grid((int[3]){6, 6, 6}, SPACING, 0.2);
        pliant_soft_def soft = liquid_of(density[b], 0.5);
        pliant_body_def at = pliant_body_defaults();
        at.position[0] = b * 0.15;
        at.position[1] = b * 0.05;
        at.velocity = vec(b ? -3 : 0.5, 0, 0.3);
        at.angular_velocity = vec(0, 4, 0);
        id[b] = new_soft(world, mesh, &soft, &at);
        pliant_mesh_destroy(mesh);
    }
    add_up(world, id, mass, before, &size);
    for (int i = 0; i < 20; ++i) CHECK_OK(pliant_world_step(world, 1 / 60.0f));
    add_up(world, id, mass, after, &size);
    // Pushes are along lines between the ends of ways, and not their starts: angular momentum is
    // kept as far as those have the same direction.
    for (int k = 0; k < 6; ++k)
        if (!(fabs(after[k] - before[k]) < (k < 3 ? 1e-6 : 1e-4) * size))
            fail_msg("number %d of both momenta was %g and is %g, of %g kg m/s", k, before[k],
                     after[k], size);
    pliant_world_destroy(world);
}

// ---- the same bits ------------------------------------------------------------------------------

static pliant_world* splash(int threads, int lanes)
{
    const int count[3] = {8, 8, 5};
    pliant_world* world = open_world(10, threads, lanes);
    for (int b = 0; b < 2; ++b) {
        pliant_mesh* mesh = flowing_grid(count, SPACING, 0.2);
        pliant_soft_def soft = liquid_of(b ? 1000 : 700, b ? 2 : 0.001);
        pliant_body_def at = pliant_body_defaults();
        at.position[1] = b * 0.2;
        at.velocity = vec(b ? 0.5 : 0, b ? -2 : 0, 0);
        new_soft(world, mesh, &soft, &at);
        pliant_mesh_destroy(mesh);
    }
    add_tank(world, (int[3]){12, 8, 5});
    return world;
}

static void threads_lanes_lists_and_snapshots_change_no_bit(void** unused)
{
    (void)unused;
    check_flowing_bits(splash, 12, 1 / 60.0);
}

// ---- what is refused ----------------------------------------------------------------------------

static void check_refused(pliant_result result, const char* part)
{
    if (!result) fail_msg("it was not refused: %s", part);
    if (!strstr(pliant_error_text(), part))
        fail_msg("\"%s\" without: %s", pliant_error_text(), part);
}

static void liquids_that_do_not_go_together_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = open_world(4, 1, 0);
    pliant_body_def at = pliant_body_defaults();
    pliant_soft_def soft = liquid_of(1000, 0.001);
    pliant_mesh* mesh = flowing_grid((int[3]){2, 2, 2}, SPACING, 0);
    pliant_asset* asset = NULL;
    new_soft(world, mesh, &soft, &at);
    soft.liquid.spacing = 0.03;
    new_soft(world, mesh, &soft, &at);
    check_refused(pliant_world_step(world, 0.01f), "spacing of 0.03 m");
    soft.rigid = true;
    check_refused(pliant_asset_create(mesh, &soft, &asset), "the body is rigid");
    soft.rigid = false;
    soft.clusters.stiffness = 1;
    check_refused(pliant_asset_create(mesh, &soft, &asset), "clusters");
    soft.clusters.stiffness = 0;
    soft.solver.integrator = PLIANT_INTEGRATOR_BDF2;
    check_refused(pliant_asset_create(mesh, &soft, &asset), "bdf2");
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// ---- what goes wrong elsewhere ------------------------------------------------------------------

// All at one place, and one that comes later: nobody has a direction, nothing is lost.
static void particles_at_one_place_stay_finite(void** unused)
{
    (void)unused;
    enum { MANY = 60 };
    double x[3 * MANY] = {0};
    const double later[3] = {0, 0, 0};
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = MANY};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    pliant_world* world = open_world(10, 1, 0);
    pliant_soft_def soft = liquid_of(1000, 1e6);
    pliant_body_def at = pliant_body_defaults();
    pliant_particles_def more = pliant_particles_defaults();
    pliant_vec3 v[MANY + 1];
    soft.capacity = MANY + 1;
    more.count = 1;
    more.positions = later;
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    run(world, 3, 1 / 60.0);
    CHECK_OK(pliant_body_add_particles(world, id, &more, NULL));
    run(world, 3, 1 / 60.0);
    CHECK_OK(pliant_body_read_velocities(world, id, v, MANY + 1));
    for (int i = 0; i <= MANY; ++i) assert_true(isfinite(v[i].x) && isfinite(v[i].y));
    assert_true(fabs(pliant_body_mass(world, id) - (MANY + 1) * 0.008) < 1e-9);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_counts_as_the_liquid_that_it_replaces),
        cmocka_unit_test(a_column_presses_as_it_weighs),
        cmocka_unit_test(liquids_that_collide_keep_their_momenta),
        cmocka_unit_test(threads_lanes_lists_and_snapshots_change_no_bit),
        cmocka_unit_test(liquids_that_do_not_go_together_are_refused),
        cmocka_unit_test(particles_at_one_place_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
