// Motion against closed forms: falling, flying, spinning, swinging.
#include "scene.h"

static pliant_soft_def with_formulation(pliant_formulation formulation)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.formulation = formulation;
    return soft;
}

// The integrator falls n (n + 1) / 2 g h^2; physics g t^2 / 2, which is a substep less.
static void free_fall_is_that_of_the_integrator(void** unused)
{
    (void)unused;
    for (int substeps = 1; substeps <= 100; substeps *= 10) {
        pliant_world* world = make_world(substeps, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_body_id body = add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0);
        double start = measure_motion(world, body).center[1];
        run(world, 100, 0.005);
        double n = 100.0 * substeps, h = 0.5 / n;
        motion m = measure_motion(world, body);
        double fall = start - m.center[1];
        CHECK_CLOSE(fall, 9.81 * h * h * n * (n + 1) / 2, 1e-4);
        CHECK_CLOSE(fall, 9.81 * 0.25 / 2, 1.01 / n + 1e-4);
        CHECK_CLOSE(m.velocity[1], -9.81 * 0.5, 1e-4);
        pliant_world_destroy(world);
    }
}

static void projectile_flies_a_parabola(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(50, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id body = add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0);
    write_velocity(world, body, (pliant_vec3){3, 4, -1});
    motion before = measure_motion(world, body);
    run(world, 80, 0.01);
    motion m = measure_motion(world, body);
    CHECK_CLOSE(m.center[0] - before.center[0], 2.4, 1e-5);
    CHECK_CLOSE(m.center[1] - before.center[1], 3.2 - 9.81 * 0.8 * (0.8 + 2e-4) / 2, 0.002);
    CHECK_CLOSE(m.center[2] - before.center[2], -0.8, 1e-5);
    pliant_world_destroy(world);
}

// Implicit Euler turns by atan(h omega) instead of h omega: d omega / dt = -h omega^3, so that the
// angular momentum falls as 1 / sqrt(1 + 2 h omega^2 t), which starts as exp(-h omega^2 t). With
// forces after a fifth of the motion it loses a fifth.
static void spin_as_published_decays_by_a_fifth_of_implicit_euler(void** unused)
{
    (void)unused;
    static const pliant_formulation forms[] = {PLIANT_FORMULATION_TEN_ROWS,
                                               PLIANT_FORMULATION_TWO_ROWS};
    for (int f = 0; f < 2; ++f) {
        const double omega = 8, h = 0.2 * 5e-4, time = 1;
        pliant_world* world = make_still_world(10, 1);
        pliant_soft_def soft = with_formulation(forms[f]);
        soft.research.rotation = PLIANT_ROTATION_AS_PUBLISHED;
        pliant_body_def def = pliant_body_defaults();
        def.angular_velocity = (pliant_vec3){0, 0, (float)omega};
        pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
        pliant_body_id body = new_soft(world, mesh, &soft, &def);
        pliant_mesh_destroy(mesh);
        double before = measure_motion(world, body).angular[2];
        run(world, 200, 0.005);
        double ratio = measure_motion(world, body).angular[2] / before;
        double expected = 1 / sqrt(1 + 2 * h * omega * omega * time);
        print_message("    formulation %d: angular momentum %.5f, expected %.5f\n", f, ratio,
                      expected);
        CHECK_CLOSE(1 - ratio, 1 - expected, 0.1);
        pliant_world_destroy(world);
    }
}

// Viscosity does not see rotation.
static void viscosity_does_not_slow_a_spin(void** unused)
{
    (void)unused;
    double left[2];
    for (int i = 0; i < 2; ++i) {
        pliant_world* world = make_still_world(10, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.material.damping = i ? 0.05 : 0;
        pliant_body_def def = pliant_body_defaults();
        def.angular_velocity = (pliant_vec3){0, 0, 8};
        pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
        pliant_body_id body = new_soft(world, mesh, &soft, &def);
        pliant_mesh_destroy(mesh);
        double before = measure_motion(world, body).angular[2];
        run(world, 100, 0.005);
        left[i] = measure_motion(world, body).angular[2] / before;
        pliant_world_destroy(world);
    }
    CHECK_CLOSE(left[0], 1, 1e-5);
    CHECK_CLOSE(left[1], 1, 1e-5);
}

// Shaken, spinning, damped or not, in every formulation and schedule: the momentum stays.
static void momentum_of_a_free_body_stays(void** unused)
{
    (void)unused;
    static const pliant_schedule schedules[] = {PLIANT_SCHEDULE_CLUSTERED, PLIANT_SCHEDULE_COLORED,
                                                PLIANT_SCHEDULE_SERIAL};
    for (int f = 0; f < 8; ++f)
        for (int k = 0; k < 3; ++k) {
            pliant_world* world = make_still_world(20, 1 + f % 3);
            pliant_soft_def soft = with_formulation((pliant_formulation)(f % 4));
            soft.solver.schedule = schedules[k];
            soft.material.damping = f < 4 ? 0 : 2e-3;
            pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 2, 2}, 0.1, 0.2), &soft, 0);
            int count = pliant_body_particle_count(world, body);
            random_source r = {9};
            pliant_vec3 v[36];
            for (int i = 0; i < count; ++i)
                v[i] =
                    (pliant_vec3){(float)random_range(&r, -0.5, 1), (float)random_range(&r, -1, 1),
                                  (float)random_range(&r, -1, 0.5)};
            pliant_body_write_velocities(world, body, v, count);
            motion before = measure_motion(world, body);
            run(world, 20, 0.01);
            motion after = measure_motion(world, body);
            for (int axis = 0; axis < 3; ++axis)
                if (!(fabs(after.momentum[axis] - before.momentum[axis]) <= 5e-6 * before.mass))
                    fail_msg("formulation %d, schedule %d, damping %g: momentum %d goes from %.9g "
                             "to %.9g kg m/s",
                             f % 4, k, soft.material.damping, axis, before.momentum[axis],
                             after.momentum[axis]);
            pliant_world_destroy(world);
        }
}

// With substeps enough the energy of a swinging beam never grows, but for what the integrator and
// the sweep exchange.
static void swinging_beam_gains_no_energy(void** unused)
{
    (void)unused;
    static const pliant_formulation forms[] = {PLIANT_FORMULATION_TEN_ROWS,
                                               PLIANT_FORMULATION_TWO_ROWS};
    for (int f = 0; f < 2; ++f) {
        pliant_world* world = make_world(60, 1);
        pliant_soft_def soft = with_formulation(forms[f]);
        pliant_body_id body = add_soft(world, box_mesh((int[3]){8, 2, 2}, 0.1, 0), &soft, 0);
        pin_plane(world, body, 0, 0);
        pliant_energies e = get_body_energies(world, body);
        double start = e.kinetic + e.elastic + e.gravity, highest = start, swing = 0;
        for (int i = 0; i < 100; ++i) {
            run(world, 1, 0.01);
            e = get_body_energies(world, body);
            highest = fmax(highest, e.kinetic + e.elastic + e.gravity);
            swing = fmax(swing, start - e.gravity);
        }
        print_message("    formulation %d: %d substeps, %.4g J of %.4g J above the start\n", f,
                      pliant_world_profile(world).substeps, highest - start, swing);
        CHECK_BETWEEN(highest - start, 0, 0.01 * swing);
        pliant_world_destroy(world);
    }
}

// A body at rest without gravity stays where it is, to rounding. (The pair as two nodes does not:
// each half pulls an element far from rest before the other one comes, some colors later.)
static void rest_is_rest(void** unused)
{
    (void)unused;
    for (int f = 0; f < 3; ++f) {
        pliant_world* world = make_still_world(f < 2 ? 20 : 100, 1);
        pliant_soft_def soft = with_formulation((pliant_formulation)f);
        soft.material.damping = 1e-3;
        pliant_body_id body = add_soft(world, box_mesh((int[3]){4, 2, 2}, 0.1, 0.2), &soft, 0);
        place* before = read_places(world, body);
        run(world, 50, 0.01);
        place* after = read_places(world, body);
        double worst = 0;
        for (int i = 0; i < pliant_body_particle_count(world, body); ++i)
            for (int k = 0; k < 3; ++k) worst = fmax(worst, fabs(after[i].x[k] - before[i].x[k]));
        print_message("    formulation %d: moved by %.2g m in half a second\n", f, worst);
        CHECK_BETWEEN(worst, 0, 2e-5);
        free(before);
        free(after);
        pliant_world_destroy(world);
    }
}

// Of a beam that falls for 0.2 s with one end fixed, after a multiple of the substeps that an asset
// asks for.
static double hanging_energy(const pliant_asset* asset, double more)
{
    pliant_world* world = make_world((int)(more * pliant_asset_substeps(asset, 0.01f)), 1);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id body = new_body(world, asset, &def);
    pin_plane(world, body, 0, 0);
    run(world, 20, 0.01);
    double energy = get_body_energies(world, body).elastic;
    pliant_world_destroy(world);
    return energy;
}

static void chosen_substeps_keep_the_energy(void** unused)
{
    (void)unused;
    for (int f = 0; f < 3; ++f) {
        pliant_soft_def soft = with_formulation((pliant_formulation)f);
        soft.material.young = 1e7;
        pliant_mesh* mesh = box_mesh((int[3]){16, 3, 3}, 0.1, 0.1);
        pliant_asset* asset = NULL;
        CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
        double chosen = hanging_energy(asset, 1), fine = hanging_energy(asset, 8);
        print_message("    formulation %d: %d substeps, %.4f J; with eight times as many %.4f J\n",
                      f, pliant_asset_substeps(asset, 0.01f), chosen, fine);
        CHECK_CLOSE(chosen, fine, 0.012);
        pliant_asset_destroy(asset);
        pliant_mesh_destroy(mesh);
    }
}

// Pinned particles on their way and free ones are seen after the same share of a substep.
static void pins_that_move_with_a_body_do_not_strain_it(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(20, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id body = add_soft(world, box_mesh((int[3]){4, 2, 2}, 0.1, 0.1), &soft, 0);
    write_velocity(world, body, (pliant_vec3){4, 0, 0});
    pin_plane(world, body, 0, 0);
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    for (int step = 1; step <= 20; ++step) {
        for (int i = 0; i < count; ++i) {
            double to[3] = {x[i].x[0] + 4 * 0.005 * step, x[i].x[1], x[i].x[2]};
            if (x[i].x[0] < 1e-9) pliant_body_move_pin(world, body, i, to);
        }
        run(world, 1, 0.005);
    }
    pliant_energies e = get_body_energies(world, body);
    print_message("    %.3g J of strain, %.3g J of motion\n", e.elastic, e.kinetic);
    CHECK_BETWEEN(e.elastic, 0, 1e-6 * e.kinetic);
    free(x);
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_is_that_of_the_integrator),
        cmocka_unit_test(projectile_flies_a_parabola),
        numbers_test(spin_as_published_decays_by_a_fifth_of_implicit_euler),
        numbers_test(viscosity_does_not_slow_a_spin),
        numbers_test(momentum_of_a_free_body_stays),
        numbers_test(swinging_beam_gains_no_energy),
        cmocka_unit_test(rest_is_rest),
        numbers_test(chosen_substeps_keep_the_energy),
        cmocka_unit_test(pins_that_move_with_a_body_do_not_strain_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
