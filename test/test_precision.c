// Digits: float with increments against double, far from the origin, and units of any size.
#include "scene.h"

// ---- float against double -----------------------------------------------------------------------

// Sag [m] of the tip of a hanging beam after 0.1 s.
static double sag(pliant_precision precision, int substeps, double far)
{
    pliant_world* world = make_world(substeps, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.precision = precision;
    pliant_body_def def = pliant_body_defaults();
    for (int k = 0; k < 3; ++k) def.position[k] = far;
    pliant_mesh* mesh = box_mesh((int[3]){6, 2, 2}, 0.1, 0);
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    pin_plane(world, body, 0, far);
    run(world, 10, 0.01);
    double y = read_place(world, body, 6 * 3 * 3).x[1] - far;
    pliant_world_destroy(world);
    return y;
}

static void check_sag(double far, double tolerance)
{
    static const int substeps[] = {30, 50, 100, 200, 500};
    for (int i = 0; i < 5; ++i) {
        double exact = sag(PLIANT_PRECISION_DOUBLE, substeps[i], 0);
        double found = sag(PLIANT_PRECISION_SINGLE, substeps[i], far);
        print_message("    %d substeps: %.6f m, double %.6f (%+.4f %%)\n", substeps[i], found,
                      exact, 100 * (found / exact - 1));
        CHECK_CLOSE(found, exact, tolerance);
    }
}

static void float_agrees_with_double_at_any_number_of_substeps(void** unused)
{
    (void)unused;
    check_sag(0, 1e-3);
}

static void float_agrees_with_double_a_kilometer_away(void** unused)
{
    (void)unused;
    check_sag(1000, 5e-3);
}

// ---- units --------------------------------------------------------------------------------------

typedef struct {
    double length, mass, time; // of the unit, in SI: powers of two
} units;

typedef struct {
    pliant_formulation formulation;
    double damping;
    bool automatic; // substeps
} variant;

static float scaled(double value, double scale) { return (float)(value * scale); }

static pliant_collider_def unit_collider(units u, pliant_shape shape)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = shape;
    def.radius = scaled(0.3, u.length);
    def.half_height = scaled(0.2, u.length);
    def.half_extents =
        (pliant_vec3){scaled(0.3, u.length), scaled(0.1, u.length), scaled(0.3, u.length)};
    def.restitution = 0.4f;
    return def;
}

// Everything that has units, scaled: lengths, densities, moduli, times, forces, compliances.
static pliant_world* unit_world(units u, variant v, pliant_body_id* out_body)
{
    double force = u.mass * u.length / (u.time * u.time);
    pliant_world_def world_def = pliant_world_defaults();
    pliant_world* world = NULL;
    world_def.substeps = v.automatic ? 0 : 10;
    world_def.iterations = 2;
    world_def.threads = 1;
    world_def.exit_speed = scaled(0.4, u.length / u.time);
    CHECK_OK(pliant_world_create(&world_def, &world));
    pliant_world_set_gravity(world,
                             (pliant_vec3){0, scaled(-9.8125, u.length / (u.time * u.time)), 0});
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.formulation = v.formulation;
    soft.material.density *= u.mass / (u.length * u.length * u.length);
    soft.material.young *= force / (u.length * u.length);
    soft.material.damping = v.damping * u.time;
    soft.radius = 0.01 * u.length;
    pliant_body_def def = pliant_body_defaults();
    def.position[1] = 0.0125 * u.length;
    def.velocity = (pliant_vec3){scaled(0.25, u.length / u.time), 0, 0};
    def.angular_velocity = (pliant_vec3){0, scaled(0.5, 1 / u.time), 0};
    pliant_mesh* mesh = box_mesh((int[3]){3, 2, 2}, 0.125 * u.length, 0.2);
    *out_body = new_soft(world, mesh, &soft, &def);
    if (!out_body->index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    pliant_collider_def plane = unit_collider(u, PLIANT_SHAPE_PLANE);
    pliant_collider_def box = unit_collider(u, PLIANT_SHAPE_BOX),
                        ball = unit_collider(u, PLIANT_SHAPE_SPHERE);
    box.position[0] = 0.6 * u.length;
    ball.position[0] = -0.3 * u.length;
    new_collider(world, &plane);
    new_collider(world, &box);
    new_collider(world, &ball);
    const double point[3] = {0.5 * u.length, 0.5 * u.length, 0};
    new_attachment(world, *out_body, 20, point, 1e-3 * u.length / force);
    pliant_body_move_pin(world, *out_body, 30,
                         (const double[3]){0.3 * u.length, 0.3 * u.length, 0});
    pliant_body_add_force(world, *out_body, 5, (pliant_vec3){scaled(3, force), 0, 0});
    return world;
}

static void check_units(units u, variant v)
{
    const units si = {1, 1, 1};
    pliant_body_id one, other;
    pliant_world *a = unit_world(si, v, &one), *b = unit_world(u, v, &other);
    int contacts = 0;
    for (int i = 0; i < 8; ++i) {
        run(a, 1, 0.0078125);
        run(b, 1, 0.0078125 * u.time);
        contacts += count_contacts(a);
    }
    assert_int_equal(pliant_world_profile(a).substeps, pliant_world_profile(b).substeps);
    assert_true(contacts > 0);
    place *x = read_places(a, one), *y = read_places(b, other);
    for (int i = 0; i < 36; ++i)
        for (int k = 0; k < 3; ++k)
            if (x[i].x[k] * u.length != y[i].x[k])
                fail_msg("units of %g m, %g kg, %g s, formulation %d: particle %d is at %.17g, "
                         "expected %.17g",
                         u.length, u.mass, u.time, (int)v.formulation, i, y[i].x[k] / u.length,
                         x[i].x[k]);
    free(x);
    free(y);
    pliant_world_destroy(a);
    pliant_world_destroy(b);
}

static void units_of_powers_of_two_change_no_bit(void** unused)
{
    (void)unused;
    static const units all[] = {
        {0x1p-20, 1, 1},       {0x1p-7, 1, 1}, {0x1p5, 1, 1},        {0x1p20, 1, 1},
        {1, 0x1p-20, 1},       {1, 0x1p20, 1}, {1, 1, 0x1p-7},       {1, 1, 0x1p5},
        {1, 1, 0x1p-20},       {1, 1, 0x1p20}, {0x1p-7, 0x1p-20, 1}, {0x1p-7, 0x1p5, 0x1p-7},
        {0x1p5, 0x1p-7, 0x1p5}};
    static const variant variants[] = {
        {PLIANT_FORMULATION_TEN_ROWS, 0, false},    {PLIANT_FORMULATION_TEN_ROWS, 1e-3, false},
        {PLIANT_FORMULATION_TWO_ROWS, 1e-3, false}, {PLIANT_FORMULATION_DECOUPLED, 1e-3, false},
        {PLIANT_FORMULATION_TEN_ROWS, 1e-3, true},  {PLIANT_FORMULATION_TWO_ROWS, 0, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i += (size_t)by_scope(4, 1, 1))
        for (size_t k = 0; k < sizeof variants / sizeof *variants; ++k)
            check_units(all[i], variants[k]);
}

// Constant density and stiffness: 1 / (mass length^2) of these elements is beyond a float.
static void nanometers_change_no_bit_of_the_ten_rows(void** unused)
{
    (void)unused;
    const units nano = {0x1p-24, 0x1p-72, 0x1p-24};
    check_units(nano, (variant){PLIANT_FORMULATION_TEN_ROWS, 0, false});
    check_units(nano, (variant){PLIANT_FORMULATION_TEN_ROWS, 1e-3, false});
}

// ---- what does not fit a float ------------------------------------------------------------------

static pliant_result create_scaled(double scale, const pliant_soft_def* soft)
{
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1 * scale, 0);
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, soft, &asset);
    pliant_mesh_destroy(mesh);
    if (asset) pliant_asset_destroy(asset);
    return result;
}

static void check_scale(double scale, pliant_soft_def soft, const char* refusal)
{
    pliant_result result = create_scaled(scale, &soft);
    if (!refusal) {
        CHECK_OK(result);
        return;
    }
    assert_int_equal(result, PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), refusal) || !strstr(pliant_error_text(), "double precision"))
        fail_msg("scale %g: '%s' does not name %s", scale, pliant_error_text(), refusal);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    CHECK_OK(create_scaled(scale, &soft));
}

static void elements_beyond_the_range_of_floats_are_refused(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults(), rows = soft, damped = soft, stiff = soft;
    rows.solver.formulation = PLIANT_FORMULATION_TWO_ROWS;
    damped.material.damping = 1e-9;
    stiff.material.young = 1e30;
    stiff.solver.shear_relaxation = 100;
    check_scale(1e-11, soft, NULL);
    check_scale(1e10, soft, NULL);
    check_scale(1e-13, soft, "vertex 0");
    check_scale(1e13, soft, "vertex");
    check_scale(1e-5, rows, NULL);
    check_scale(1e-7, rows, "tet 0");
    check_scale(1e-11, damped, "tet 0");
    check_scale(1e3, stiff, NULL);
    check_scale(5e3, stiff, "shear modulus");
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        numbers_test(float_agrees_with_double_at_any_number_of_substeps),
        numbers_test(float_agrees_with_double_a_kilometer_away),
        cmocka_unit_test(units_of_powers_of_two_change_no_bit),
        cmocka_unit_test(nanometers_change_no_bit_of_the_ten_rows),
        cmocka_unit_test(elements_beyond_the_range_of_floats_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
