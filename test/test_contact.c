// Bodies against static colliders: rest, friction, restitution.
#include "scene.h"

static const double g = 9.81;

static pliant_soft_def soft_material(void)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.005;
    soft.radius = 0.01;
    return soft;
}

// A box of 0.2 m that stands centered above the origin at the height y.
static pliant_body_id add_cube(pliant_world* world, const pliant_soft_def* soft, double y)
{
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = def.position[2] = -0.1;
    def.position[1] = y;
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    pliant_body_id body = new_soft(world, mesh, soft, &def);
    pliant_mesh_destroy(mesh);
    if (!body.index1) fail_msg("%s", pliant_error_text());
    return body;
}

static double lowest(const pliant_world* world, pliant_body_id body)
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    double low = x[0].x[1];
    for (int i = 1; i < count; ++i) low = fmin(low, x[i].x[1]);
    free(x);
    return low;
}

// ---- rest ---------------------------------------------------------------------------------------

static void check_rest(pliant_collider_def def, const char* name, double top)
{
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = soft_material();
    if (!new_collider(world, &def).index1) fail_msg("%s", pliant_error_text());
    pliant_body_id body = add_cube(world, &soft, top + 0.02);
    run(world, 100, 0.01);
    double force[3] = {0, 0, 0}, weight = pliant_body_mass(world, body) * g;
    for (int i = 0; i < 20; ++i) { // the mean over small vibrations
        run(world, 1, 0.01);
        place f = contact_force(world, body);
        for (int k = 0; k < 3; ++k) force[k] += f.x[k] / 20;
    }
    print_message("    %s: force %.4f %.4f %.4f of the weight, lowest %.6f m\n", name,
                  force[0] / weight, force[1] / weight, force[2] / weight,
                  lowest(world, body) - top);
    CHECK_CLOSE(force[1], weight, 0.01);
    CHECK_BETWEEN(force[0] / weight, -0.01, 0.01);
    CHECK_BETWEEN(lowest(world, body) - top, 0.01 - 2e-4, 0.01 + 2e-4);
    assert_true(count_contacts(world) > 0);
    pliant_world_destroy(world);
}

static void body_rests_on_a_plane(void** unused)
{
    (void)unused;
    pliant_collider_def def = pliant_collider_defaults();
    def.position[1] = -3;
    check_rest(def, "plane", -3);
}

static void body_rests_on_a_box(void** unused)
{
    (void)unused;
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    check_rest(def, "box", 0.5);
}

static void body_rests_on_a_turned_box(void** unused)
{
    (void)unused;
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = (pliant_vec3){0.25f, 1, 1};
    def.rotation = (pliant_quat){0, 0, 1, 1}; // x of the box is up
    check_rest(def, "turned box", 0.25);
}

// On top of a round shape: the bottom's middle touches first, friction keeps it from rolling off.
static void body_rests_on_a_large_sphere(void** unused)
{
    (void)unused;
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_SPHERE;
    def.radius = 100;
    def.position[1] = -100;
    check_rest(def, "sphere", 0);
}

static void body_rests_on_a_lying_capsule(void** unused)
{
    (void)unused;
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_CAPSULE;
    def.radius = 100;
    def.half_height = 1;
    def.position[1] = -100;
    def.rotation = (pliant_quat){1, 0, 0, 1};
    check_rest(def, "capsule", 0);
}

static void body_rests_on_a_mesh(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = surface_of("box6:2x1x2:0.5");
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_MESH;
    def.mesh = mesh;
    def.position[0] = def.position[2] = -0.5;
    check_rest(def, "mesh", 0.5);
    pliant_mesh_destroy(mesh);
}

// Pushed out, and left at rest: no speed and no force from the overlap.
static void overlapping_body_is_pushed_out_without_speed(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(10, 1);
    pliant_soft_def soft = soft_material();
    pliant_collider_def def = pliant_collider_defaults();
    new_collider(world, &def);
    def.position[2] = 0.02; // a wall, so that there is a corner
    def.rotation = (pliant_quat){1, 0, 0, 1};
    new_collider(world, &def);
    pliant_body_id body = add_soft(world, generate("rope:1:5"), &soft, -0.05);
    run(world, 1, 0.01);
    CHECK_BETWEEN(contact_force(world, body).x[1], -1e-3, 1e-3);
    run(world, 20, 0.01);
    CHECK_BETWEEN(lowest(world, body), 0.01 - 1e-6, 0.01 + 1e-6);
    CHECK_CLOSE(read_place(world, body, 2).x[2], 0.03, 1e-4);
    CHECK_BETWEEN(measure_motion(world, body).speed, 0, 1e-4);
    pliant_world_destroy(world);
}

// On its way out of a collider, a body is neither stopped nor held back.
static void contact_does_not_pull(void** unused)
{
    (void)unused;
    for (int iterations = 1; iterations < 3; ++iterations) {
        pliant_world* world = make_still_world(10, iterations);
        pliant_soft_def soft = soft_material();
        pliant_collider_def def = pliant_collider_defaults();
        new_collider(world, &def);
        pliant_body_id body = add_soft(world, generate("rope:1:5"), &soft, -0.05);
        write_velocity(world, body, vec(0, 3, 0));
        run(world, 1, 0.01);
        CHECK_CLOSE(measure_motion(world, body).velocity[1], 3, 1e-4);
        CHECK_BETWEEN(contact_force(world, body).x[1], 0, 1e-3);
        pliant_world_destroy(world);
    }
}

// Contact forces over the time of a bounce are the change of momentum, but for the weight.
static void contact_forces_add_up_to_the_momentum(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = soft_material();
    pliant_collider_def def = pliant_collider_defaults();
    def.restitution = 0.7f;
    new_collider(world, &def);
    pliant_body_id body = add_cube(world, &soft, 0.02);
    write_velocity(world, body, (pliant_vec3){0.5f, -3, 0});
    double mass = pliant_body_mass(world, body), impulse[2] = {0, 0};
    for (int i = 0; i < 20; ++i) {
        run(world, 1, 0.01);
        place f = contact_force(world, body);
        for (int k = 0; k < 2; ++k) impulse[k] += 0.01 * f.x[k];
    }
    motion m = measure_motion(world, body);
    print_message("    impulse %.5f %.5f kg m/s, momentum %.5f %.5f\n", impulse[0], impulse[1],
                  m.momentum[0], m.momentum[1]);
    CHECK_CLOSE(impulse[0], m.momentum[0] - mass * 0.5, 1e-3);
    CHECK_CLOSE(impulse[1], m.momentum[1] + mass * (3 + g * 0.2), 1e-3);
    pliant_world_destroy(world);
}

// ---- friction -----------------------------------------------------------------------------------

// Gravity tilted by the angle stands for a slope. Returns the acceleration along it.
static double slide(double angle, double stick, double slip, double start, float body_friction)
{
    pliant_world* world = make_world(20, 1);
    pliant_world_set_gravity(world,
                             (pliant_vec3){(float)(g * sin(angle)), (float)(-g * cos(angle)), 0});
    pliant_soft_def soft = soft_material();
    pliant_collider_def def = pliant_collider_defaults();
    def.static_friction = (float)stick;
    def.dynamic_friction = (float)slip;
    new_collider(world, &def);
    pliant_body_def at = pliant_body_defaults();
    at.position[1] = 0.01;
    at.friction = body_friction;
    pliant_mesh* mesh = box_mesh((int[3]){4, 1, 4}, 0.1, 0); // flat: it does not tip
    pliant_body_id body = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    run(world, 50, 0.01);
    write_velocity(world, body, (pliant_vec3){(float)start, 0, 0});
    run(world, 10, 0.01);
    double before = measure_motion(world, body).velocity[0];
    run(world, 50, 0.01);
    double after = measure_motion(world, body).velocity[0];
    pliant_world_destroy(world);
    return (after - before) / 0.5;
}

static void friction_sticks_below_its_angle(void** unused)
{
    (void)unused;
    CHECK_BETWEEN(slide(atan(0.5) - 0.03, 0.5, 0.5, 0, 1), -1e-3, 1e-3);
}

static void friction_slides_as_coulomb_says(void** unused)
{
    (void)unused;
    for (double angle = 0.55; angle < 0.9; angle += 0.15) {
        double found = slide(angle, 0.5, 0.5, 0, 1), expected = g * (sin(angle) - 0.5 * cos(angle));
        print_message("    %.2f rad: %.4f m/s^2, Coulomb %.4f\n", angle, found, expected);
        CHECK_CLOSE(found, expected, 0.02);
    }
}

// Between the two angles a resting body stays and a moving one goes on.
static void static_friction_is_more_than_dynamic(void** unused)
{
    (void)unused;
    double angle = atan(0.36);
    CHECK_BETWEEN(slide(angle, 0.6, 0.3, 0, 1), -1e-3, 1e-3);
    CHECK_CLOSE(slide(angle, 0.6, 0.3, 1, 1), g * (sin(angle) - 0.3 * cos(angle)), 0.02);
}

static void friction_stops_a_sliding_body(void** unused)
{
    (void)unused;
    CHECK_CLOSE(slide(0, 0.4, 0.4, 5, 1), -0.4 * g, 0.02);
    CHECK_BETWEEN(slide(0, 0.4, 0.4, 0.1, 1), -1e-3, 1e-3); // stopped before, does not turn back
}

// A plane at the origin that is tilted by 30 degrees about z, and a body on it, 100 m down. Depths
// of such short substeps are smaller than single precision has of the distance.
static void slopes_are_as_exact_as_floors(void** unused)
{
    (void)unused;
    const double angle = acos(-1) / 6, down = 100, friction = 0.3;
    pliant_quat tilt = {0, 0, -(float)sin(angle / 2), (float)cos(angle / 2)};
    pliant_world* world = make_world(400, 1);
    pliant_collider_def def = pliant_collider_defaults();
    def.rotation = tilt;
    def.static_friction = def.dynamic_friction = (float)friction;
    new_collider(world, &def);
    pliant_soft_def soft = soft_material();
    soft.radius = 0;
    pliant_body_def at = pliant_body_defaults();
    at.rotation = tilt;
    at.position[0] = down * cos(angle), at.position[1] = -down * sin(angle);
    pliant_mesh* mesh = box_mesh((int[3]){4, 1, 4}, 0.1, 0);
    pliant_body_id body = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    run(world, 10, 0.01);
    motion before = measure_motion(world, body);
    run(world, 20, 0.01);
    motion after = measure_motion(world, body);
    double gain = (after.velocity[0] - before.velocity[0]) * cos(angle) -
                  (after.velocity[1] - before.velocity[1]) * sin(angle);
    double found = tan(angle) - gain / 0.2 / (g * cos(angle));
    print_message("    friction %.5f, asked for %.5f\n", found, friction);
    CHECK_CLOSE(found, friction, 2e-3);
    pliant_world_destroy(world);
}

static void body_friction_multiplies(void** unused)
{
    (void)unused;
    CHECK_CLOSE(slide(0, 0.4, 0.4, 5, 0.5f), -0.2 * g, 0.02);
    CHECK_BETWEEN(slide(0, 0.4, 0.4, 5, 0), -1e-3, 1e-3);
}

// ---- restitution --------------------------------------------------------------------------------

// Dropped from 1 m: a rope that lies level, whose particles hit all at once without deforming it.
static double bounce_height(float restitution)
{
    pliant_world* world = make_world(100, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = 1e5;
    pliant_collider_def def = pliant_collider_defaults();
    def.restitution = restitution;
    def.static_friction = def.dynamic_friction = 0;
    new_collider(world, &def);
    pliant_body_id body = add_soft(world, generate("rope:1:2"), &soft, 1);
    run(world, 46, 0.01); // falls for 0.4515 s
    double highest = 0;
    for (int i = 0; i < 60; ++i) {
        run(world, 1, 0.01);
        highest = fmax(highest, measure_motion(world, body).center[1]);
    }
    pliant_world_destroy(world);
    return highest;
}

static void bounce_is_the_square_of_the_restitution(void** unused)
{
    (void)unused;
    for (double e = 0.25; e <= 1; e += 0.25) {
        double height = bounce_height((float)e);
        print_message("    restitution %g: height %.4f m\n", e, height);
        CHECK_CLOSE(height, e * e, 0.03);
    }
    CHECK_BETWEEN(bounce_height(0), 0, 1e-4);
}

// What is no number falls nowhere among the samples of a field.
static void particles_without_a_place_do_not_look_into_a_field(void** unused)
{
    (void)unused;
    for (int precision = 0; precision < 2; ++precision) {
        pliant_world* world = make_world(4, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_collider_def torus = pliant_collider_defaults();
        pliant_mesh* surface = NULL;
        CHECK_OK(pliant_mesh_generate("torus:0.5:0.2:6", &surface));
        torus.shape = PLIANT_SHAPE_MESH;
        torus.mesh = surface;
        soft.solver.precision = precision ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE;
        new_collider(world, &torus);
        pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 2, 2}, 0.1, 0), &soft, 0.1);
        int count = pliant_body_particle_count(world, body);
        double* x = (double*)calloc((size_t)count, 3 * sizeof(double));
        pliant_vec3* v = (pliant_vec3*)calloc((size_t)count, sizeof *v);
        pliant_body_read_positions_exact(world, body, x, count);
        // Half of it stays near the torus, so that all of it looks at the samples.
        for (int i = 0; i < count; i += 2) {
            v[i] = vec(i % 4 ? 3e38 : -3e38, 3e38, 0);
            for (int k = 0; k < 3 && precision; ++k) x[3 * i + k] = i % 4 ? 1e300 : -1e300;
        }
        pliant_body_write_positions_exact(world, body, x, count);
        pliant_body_write_velocities(world, body, v, count);
        pliant_result result = PLIANT_OK;
        for (int i = 0; i < 5 && !result; ++i) result = pliant_world_step(world, 1);
        assert_int_equal(result, PLIANT_ERROR_DIVERGED);
        free(x);
        free(v);
        pliant_mesh_destroy(surface);
        pliant_world_destroy(world);
    }
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(body_rests_on_a_plane),
        cmocka_unit_test(body_rests_on_a_box),
        cmocka_unit_test(body_rests_on_a_turned_box),
        cmocka_unit_test(body_rests_on_a_large_sphere),
        cmocka_unit_test(body_rests_on_a_lying_capsule),
        cmocka_unit_test(body_rests_on_a_mesh),
        cmocka_unit_test(overlapping_body_is_pushed_out_without_speed),
        cmocka_unit_test(contact_does_not_pull),
        cmocka_unit_test(contact_forces_add_up_to_the_momentum),
        cmocka_unit_test(friction_sticks_below_its_angle),
        numbers_test(friction_slides_as_coulomb_says),
        numbers_test(static_friction_is_more_than_dynamic),
        numbers_test(friction_stops_a_sliding_body),
        numbers_test(slopes_are_as_exact_as_floors),
        cmocka_unit_test(body_friction_multiplies),
        numbers_test(bounce_is_the_square_of_the_restitution),
        cmocka_unit_test(particles_without_a_place_do_not_look_into_a_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
