// Integrators against closed forms and against each other: order, energy, contacts, events.
#include "scene.h"

static const char* const names[] = {"foresight", "implicit Euler", "symplectic Euler", "Verlet",
                                    "BDF2"};

static pliant_soft_def with_integrator(pliant_integrator integrator)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.integrator = integrator;
    return soft;
}

static double total_energy(const pliant_world* world, pliant_body_id body)
{
    pliant_energies e = get_body_energies(world, body);
    return e.kinetic + e.elastic + e.gravity;
}

static pliant_mesh* rope_mesh(double length, int segments)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_rope(length, segments, &mesh));
    return mesh;
}

static pliant_collider_def ground(double restitution, double friction)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.restitution = (float)restitution;
    def.static_friction = def.dynamic_friction = (float)friction;
    return def;
}

// ---- order --------------------------------------------------------------------------------------

// The first substep, of first order, falls g h^2 instead of half of it. Each of the next ones
// repeats a third of what the one before was too far: 3/4 g h^2 in all, once and for all.
static void free_fall_is_a_parabola(void** unused)
{
    (void)unused;
    for (int substeps = 1; substeps <= 100; substeps *= 10)
        for (int precision = 0; precision < 2; ++precision) {
            pliant_world* world = make_world(substeps, 1);
            pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
            soft.solver.precision = (pliant_precision)precision;
            soft.material.young = 1e4; // one substep is enough for it
            pliant_body_id body = add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0);
            double start = measure_motion(world, body).center[1];
            run(world, 100, 0.005);
            double g = (double)9.81f, t = 100 * (double)0.005f, h = t / (100 * substeps);
            motion m = measure_motion(world, body);
            CHECK_CLOSE(start - m.center[1], g * t * t / 2 + 0.75 * g * h * h,
                        precision ? 1e-7 : 5e-5);
            CHECK_CLOSE(m.velocity[1], -g * t, precision ? 1e-6 : 5e-5);
            pliant_world_destroy(world);
        }
}

// A weight on a spring along x, 0.1 m from rest at the start: how far it is from the cosine after
// `time`, in steps of which every second one is `uneven` times as long.
static double oscillator_error(pliant_integrator integrator, int steps, double time, double uneven)
{
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = with_integrator(integrator);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    soft.material.young = 1e5;
    pliant_body_id body = add_soft(world, rope_mesh(1, 1), &soft, 0);
    const double stretched[6] = {0, 0, 0, 1.1, 0, 0};
    double mass[2], dt = time / steps * 2 / (1 + uneven), passed;
    pliant_body_pin(world, body, 0);
    pliant_body_write_positions_exact(world, body, stretched, 2);
    pliant_body_read_masses(world, body, mass, 2);
    double stiffness = 2 * get_body_energies(world, body).elastic / (0.1 * 0.1);
    for (int i = 0; i < steps / 2; ++i) {
        run(world, 1, dt);
        run(world, 1, uneven * dt);
    }
    passed = pliant_world_time(world);
    double error =
        read_place(world, body, 1).x[0] - 1 - 0.1 * cos(sqrt(stiffness / mass[1]) * passed);
    pliant_world_destroy(world);
    return fabs(error) / 0.1;
}

// Half the step has a half and a quarter of the error.
static void oscillator_shows_the_order(void** unused)
{
    (void)unused;
    static const struct {
        pliant_integrator integrator;
        double uneven, least, most;
    } runs[] = {{PLIANT_INTEGRATOR_IMPLICIT_EULER, 1, 1.8, 2.2},
                {PLIANT_INTEGRATOR_VERLET, 1, 1.8, 2.2},
                {PLIANT_INTEGRATOR_BDF2, 1, 3.7, 4.3},
                {PLIANT_INTEGRATOR_BDF2, 1.5, 3.6, 4.4}};
    for (int i = 0; i < 4; ++i) {
        double error[3];
        for (int k = 0; k < 3; ++k)
            error[k] = oscillator_error(runs[i].integrator, 2000 << k, 0.25, runs[i].uneven);
        print_message("    %s, steps 1 : %g: errors %.2e, %.2e, %.2e\n", names[runs[i].integrator],
                      runs[i].uneven, error[0], error[1], error[2]);
        CHECK_BETWEEN(error[0] / error[1], runs[i].least, runs[i].most);
        CHECK_BETWEEN(error[1] / error[2], runs[i].least, runs[i].most);
    }
}

// ---- energy -------------------------------------------------------------------------------------

// Energy that a pendulum of one stiff rope, let go horizontally, loses per period, as a part of
// that of its swing.
static double pendulum_loss(pliant_integrator integrator, int substeps)
{
    enum { PERIODS = 3, STEPS = 100 };
    const double period = 1.18034 * 2 * 3.14159265 * sqrt(1 / 9.81); // 1 m, 90 degrees
    pliant_world* world = make_world(substeps, 1);
    pliant_soft_def soft = with_integrator(integrator);
    soft.material.young = 1e7;
    pliant_body_id body = add_soft(world, rope_mesh(1, 1), &soft, 0);
    double mass[2], before = total_energy(world, body);
    pliant_body_pin(world, body, 0);
    pliant_body_read_masses(world, body, mass, 2);
    run(world, PERIODS * STEPS, period / STEPS);
    double lost = before - total_energy(world, body);
    pliant_world_destroy(world);
    return lost / PERIODS / (mass[1] * 9.81);
}

static void pendulum_loses_little(void** unused)
{
    (void)unused;
    for (int substeps = 10; substeps <= 160; substeps *= 4) {
        double loss[5];
        for (int i = 0; i < 5; ++i) loss[i] = pendulum_loss((pliant_integrator)i, substeps);
        print_message("    %5d substeps a period: implicit Euler loses %.4f %%, foresight %.4f, "
                      "symplectic %.4f, BDF2 %.4f\n",
                      100 * substeps, 100 * loss[PLIANT_INTEGRATOR_IMPLICIT_EULER],
                      100 * loss[PLIANT_INTEGRATOR_FORESIGHT],
                      100 * loss[PLIANT_INTEGRATOR_SYMPLECTIC_EULER],
                      100 * loss[PLIANT_INTEGRATOR_BDF2]);
        for (int i = 0; i < 5; ++i) CHECK_BETWEEN(loss[i], -1e-4, 1e-4);
    }
}

// Cloth that hangs from two corners and was let go flat swings to the other side and back.
static double cloth_loss(pliant_integrator integrator, int substeps)
{
    enum { CELLS = 10, STEPS = 150 };
    const int cells[2] = {CELLS, CELLS};
    const double size[2] = {1, 1};
    pliant_world* world = make_world(substeps, 1);
    pliant_soft_def soft = with_integrator(integrator);
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_cloth(cells, size, &mesh));
    pliant_body_id body = add_soft(world, mesh, &soft, 0);
    double before = total_energy(world, body), mass = pliant_body_mass(world, body);
    pliant_body_pin(world, body, 0);
    pliant_body_pin(world, body, CELLS);
    run(world, STEPS, 0.01);
    double lost = before - total_energy(world, body);
    pliant_world_destroy(world);
    return lost / (mass * 9.81 * 0.5);
}

static void hanging_cloth_loses_a_fifth_at_most(void** unused)
{
    (void)unused;
    for (int substeps = 20; substeps <= 80; substeps *= 2) {
        double loss[5];
        for (int i = 0; i < 5; ++i) loss[i] = cloth_loss((pliant_integrator)i, substeps);
        print_message("    %2d substeps: implicit Euler loses %.2f %%, foresight %.2f, symplectic "
                      "%.2f, BDF2 %.2f\n",
                      substeps, 100 * loss[PLIANT_INTEGRATOR_IMPLICIT_EULER],
                      100 * loss[PLIANT_INTEGRATOR_FORESIGHT],
                      100 * loss[PLIANT_INTEGRATOR_SYMPLECTIC_EULER],
                      100 * loss[PLIANT_INTEGRATOR_BDF2]);
        CHECK_BETWEEN(fabs(loss[PLIANT_INTEGRATOR_BDF2]), 0,
                      loss[PLIANT_INTEGRATOR_IMPLICIT_EULER] / 5);
    }
}

// At 500 substeps a step brings micrometers.
static void single_precision_follows_double(void** unused)
{
    (void)unused;
    double tip[2];
    for (int precision = 0; precision < 2; ++precision) {
        pliant_world* world = make_world(500, 1);
        pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
        soft.solver.precision = (pliant_precision)precision;
        soft.solver.schedule = PLIANT_SCHEDULE_SERIAL;
        pliant_body_id body = add_soft(world, box_mesh((int[3]){8, 2, 2}, 0.1, 0), &soft, 0);
        pin_plane(world, body, 0, 0);
        run(world, 20, 0.01);
        tip[precision] = read_place(world, body, 8 * 9).x[1];
        pliant_world_destroy(world);
    }
    print_message("    tip at %.7f m, in double precision %.7f m\n", tip[0], tip[1]);
    CHECK_CLOSE(tip[0], tip[1], 1e-4);
}

// ---- contacts -----------------------------------------------------------------------------------

typedef struct {
    double rebound; // [m] highest after the first contact
    double depth;   // [m] deepest
    double gain;    // [-] of energy, largest in a step
} bounce_record;

static bounce_record drop_box(pliant_integrator integrator, int substeps, double restitution)
{
    pliant_world* world = make_world(substeps, 1);
    pliant_soft_def soft = with_integrator(integrator);
    pliant_collider_def floor = ground(restitution, 0.3);
    new_collider(world, &floor);
    pliant_body_id body = add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0.5);
    double start = total_energy(world, body), energy = start;
    bounce_record r = {0};
    for (int i = 0; i < 120; ++i) {
        run(world, 1, 0.005);
        place* x = read_places(world, body);
        for (int k = 0; k < 27; ++k) r.depth = fmax(r.depth, -x[k].x[1]);
        free(x);
        double now = total_energy(world, body);
        r.gain = fmax(r.gain, (now - energy) / start);
        energy = now;
        if (i > 70) r.rebound = fmax(r.rebound, measure_motion(world, body).center[1]);
    }
    pliant_world_destroy(world);
    return r;
}

// A box that falls 0.5 m rebounds as one that implicit Euler steps sixteen times as finely, gains
// no energy and enters nothing. (With a restitution of 1 it rattles on, and no two heights agree.)
static void bouncing_body_shows_no_artifact(void** unused)
{
    (void)unused;
    for (int i = 0; i < 3; i += by_scope(2, 2, 1)) {
        double restitution = 0.5 * i;
        bounce_record coarse = drop_box(PLIANT_INTEGRATOR_IMPLICIT_EULER, 40, restitution),
                      fine = restitution < 1
                                 ? drop_box(PLIANT_INTEGRATOR_IMPLICIT_EULER, 640, restitution)
                                 : (bounce_record){0},
                      second = drop_box(PLIANT_INTEGRATOR_BDF2, 40, restitution);
        print_message("    restitution %g: back at %.4f m; implicit Euler %.4f, with 16 times the "
                      "substeps %.4f; gain %.1e, depth %.1e m\n",
                      restitution, second.rebound, coarse.rebound, fine.rebound, second.gain,
                      second.depth);
        if (restitution < 1) CHECK_CLOSE(second.rebound, fine.rebound, 0.03);
        CHECK_BETWEEN(second.gain, 0, 1e-3);
        CHECK_BETWEEN(second.depth, 0, 1e-7);
    }
}

static void resting_body_stays_and_weighs(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
    soft.material.damping = 1e-3;
    pliant_collider_def floor = ground(0.5, 0.3);
    new_collider(world, &floor);
    pliant_body_id body = add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0);
    run(world, 300, 0.01);
    motion m = measure_motion(world, body);
    double weight = pliant_body_mass(world, body) * 9.81;
    print_message("    fastest particle %.1e m/s, contact force %.5f of the weight\n", m.speed,
                  contact_force(world, body).x[1] / weight);
    CHECK_BETWEEN(m.speed, 0, 1e-4);
    CHECK_CLOSE(contact_force(world, body).x[1], weight, 1e-3);
    pliant_world_destroy(world);
}

// A stiff box that slides at 2 m/s stops after v^2 / (2 mu g); on a slope below the angle of
// friction it does not creep.
static void friction_is_that_of_coulomb(void** unused)
{
    (void)unused;
    for (int slope = 0; slope < 2; ++slope) {
        pliant_world* world = make_world(40, 1);
        pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
        soft.material.damping = 1e-3;
        pliant_collider_def floor = ground(0, 0.5);
        new_collider(world, &floor);
        if (slope) pliant_world_set_gravity(world, vec(9.81 * sin(0.3), -9.81 * cos(0.3), 0));
        pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 1, 3}, 0.1, 0), &soft, 0);
        if (slope) run(world, 100, 0.01);
        double start = measure_motion(world, body).center[0];
        if (!slope) write_velocity(world, body, vec(2, 0, 0));
        run(world, 100, 0.01);
        double way = measure_motion(world, body).center[0] - start;
        print_message("    %s: %.6f m\n", slope ? "creeps" : "slides", way);
        if (slope)
            CHECK_BETWEEN(fabs(way), 0, 1e-5);
        else
            CHECK_CLOSE(way, 4 / (2 * 0.5 * 9.81), 0.03);
        pliant_world_destroy(world);
    }
}

// ---- events -------------------------------------------------------------------------------------

// Two bodies in one place with one velocity fly alike, whatever one of them did before.
static void writing_starts_anew(void** unused)
{
    (void)unused;
    double y[2];
    for (int i = 0; i < 2; ++i) {
        pliant_world* world = make_world(10, 1);
        pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
        soft.solver.precision = PLIANT_PRECISION_DOUBLE;
        pliant_body_id body = add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0);
        place* rest = read_places(world, body);
        if (i) write_velocity(world, body, vec(0, 30, 0));
        if (i) run(world, 20, 0.01);
        pliant_body_write_positions_exact(world, body, rest->x, 27);
        write_velocity(world, body, vec(1, 0, 0));
        free(rest);
        run(world, 20, 0.01);
        y[i] = measure_motion(world, body).center[1];
        pliant_world_destroy(world);
    }
    CHECK_CLOSE(y[1], y[0], 1e-12);
}

static void moved_pins_show_their_speed_and_stay(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(10, 1);
    pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
    pliant_body_id body = add_soft(world, rope_mesh(1, 4), &soft, 0);
    pliant_vec3 v[5];
    for (int i = 1; i <= 10; ++i) {
        const double target[3] = {0, 0.02 * i, 0};
        pliant_body_move_pin(world, body, 0, target);
        run(world, 1, 0.01);
        pliant_body_read_velocities(world, body, v, 5);
        CHECK_CLOSE((double)v[0].y, 2, 1e-5);
    }
    run(world, 10, 0.01);
    pliant_body_read_velocities(world, body, v, 5);
    CHECK_CLOSE(read_place(world, body, 0).x[1], 0.2, 1e-7);
    assert_true(v[0].y == 0);
    pliant_world_destroy(world);
}

static void snapshots_hold_the_past(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(7, 1);
    pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
    pliant_collider_def floor = ground(0.5, 0.3);
    new_collider(world, &floor);
    pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 2, 2}, 0.1, 0.2), &soft, 0.02);
    shake(world, body);
    run(world, 10, 0.01);
    size_t bytes = pliant_world_snapshot_size(world);
    void* saved = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, saved, bytes));
    run(world, 10, 0.01);
    uint64_t digest = get_digest(world);
    write_velocity(world, body, vec(1, 2, 3));
    run(world, 1, 0.005);
    CHECK_OK(pliant_world_snapshot_restore(world, saved, bytes));
    run(world, 10, 0.01);
    assert_true(get_digest(world) == digest);
    free(saved);
    pliant_world_destroy(world);
}

// ---- every schedule -----------------------------------------------------------------------------

typedef struct {
    pliant_schedule schedule;
    pliant_interface interface;
    double damping;
    int iterations;
} way_to_run;

static const way_to_run ways[] = {
    {PLIANT_SCHEDULE_PATCHED, PLIANT_INTERFACE_MERGED, 0, 1},
    {PLIANT_SCHEDULE_PATCHED, PLIANT_INTERFACE_MERGED, 2e-3, 2},
    {PLIANT_SCHEDULE_PATCHED, PLIANT_INTERFACE_ORDERED, 0, 1},
    {PLIANT_SCHEDULE_CLUSTERED, PLIANT_INTERFACE_MERGED, 2e-3, 1},
    {PLIANT_SCHEDULE_COLORED, PLIANT_INTERFACE_MERGED, 0, 2},
    {PLIANT_SCHEDULE_SERIAL, PLIANT_INTERFACE_MERGED, 0, 1},
    {PLIANT_SCHEDULE_PHANTOM, PLIANT_INTERFACE_MERGED, 2e-3, 1},
    {PLIANT_SCHEDULE_HYBRID, PLIANT_INTERFACE_MERGED, 0, 2},
    {PLIANT_SCHEDULE_JACOBI, PLIANT_INTERFACE_MERGED, 0, 1},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

// A shaken box of several patches; above a floor, or in empty space.
static pliant_world* make_shaken(const way_to_run* way, int threads, int lanes, bool floored,
                                 pliant_body_id* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = 20;
    def.iterations = way->iterations;
    def.threads = threads;
    def.lanes = lanes;
    if (!floored) def.gravity = vec(0, 0, 0);
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_collider_def floor = ground(0.5, 0.3);
    if (floored) new_collider(world, &floor);
    pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_BDF2);
    soft.solver.schedule = way->schedule;
    soft.solver.patch_interface = way->interface;
    soft.solver.patch_rows = 32;
    soft.material.damping = way->damping;
    *out = add_soft(world, box_mesh((int[3]){5, 4, 3}, 0.1, 0.2), &soft, 0.01);
    shake(world, *out);
    return world;
}

static void momentum_stays(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i) {
        pliant_body_id body;
        pliant_world* world = make_shaken(&ways[i], 1, 0, false, &body);
        motion before = measure_motion(world, body);
        run(world, 20, 0.01);
        motion after = measure_motion(world, body);
        for (int k = 0; k < 3; ++k)
            if (!(fabs(after.momentum[k] - before.momentum[k]) <= 5e-6 * before.mass))
                fail_msg("schedule %d: momentum %d goes from %.9g to %.9g kg m/s",
                         (int)ways[i].schedule, k, before.momentum[k], after.momentum[k]);
        pliant_world_destroy(world);
    }
}

static void bits_do_not_depend_on_threads_and_lanes(void** unused)
{
    (void)unused;
    static const int threads[] = {1, 2, 3}, lanes[] = {1, 4, 16};
    for (int i = 0; i < WAYS; i += by_scope(2, 1, 1)) {
        uint64_t digest[3];
        for (int k = 0; k < 3; ++k) {
            pliant_body_id body;
            pliant_world* world = make_shaken(&ways[i], threads[k], lanes[k], true, &body);
            run(world, by_scope(2, 5, 5), 0.01);
            pin_plane(world, body, 0, 0);
            run(world, by_scope(2, 5, 5), 0.012);
            digest[k] = get_digest(world);
            pliant_world_destroy(world);
        }
        if (digest[0] != digest[1] || digest[0] != digest[2])
            fail_msg("schedule %d: digests differ", (int)ways[i].schedule);
    }
}

// ---- the others ---------------------------------------------------------------------------------

static uint64_t digest_of_fall(pliant_integrator integrator)
{
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = with_integrator(integrator);
    pliant_collider_def floor = ground(0.5, 0.3);
    new_collider(world, &floor);
    pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 2, 2}, 0.1, 0.2), &soft, 0.02);
    shake(world, body);
    run(world, 20, 0.01);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void verlet_without_drag_is_implicit_euler(void** unused)
{
    (void)unused;
    assert_true(digest_of_fall(PLIANT_INTEGRATOR_VERLET) ==
                digest_of_fall(PLIANT_INTEGRATOR_IMPLICIT_EULER));
}

// x' = x + (1 - drag) (x - x before): the velocity is a geometric series, the way its sum.
static void drag_of_verlet_is_a_geometric_series(void** unused)
{
    (void)unused;
    enum { STEPS = 10, SUBSTEPS = 5 };
    const double drag = 0.02, dt = 0.01;
    pliant_world* world = make_still_world(SUBSTEPS, 1);
    pliant_soft_def soft = with_integrator(PLIANT_INTEGRATOR_VERLET);
    soft.research.drag = drag;
    pliant_body_id body = add_soft(world, box_mesh((int[3]){1, 1, 1}, 0.1, 0), &soft, 0);
    double start = measure_motion(world, body).center[0], left = pow(1 - drag, STEPS * SUBSTEPS);
    write_velocity(world, body, vec(3, 0, 0));
    run(world, STEPS, dt);
    motion m = measure_motion(world, body);
    CHECK_CLOSE(m.velocity[0], 3 * left, 1e-5);
    CHECK_CLOSE(m.center[0] - start, 3 * dt / SUBSTEPS * (1 - drag) * (1 - left) / drag, 1e-5);
    pliant_world_destroy(world);
}

static void drag_is_refused_elsewhere(void** unused)
{
    (void)unused;
    for (int i = 0; i < 3; ++i) {
        pliant_soft_def soft =
            with_integrator(i ? PLIANT_INTEGRATOR_VERLET : PLIANT_INTEGRATOR_BDF2);
        pliant_mesh* mesh = one_tet(0.1);
        pliant_asset* asset = NULL;
        soft.research.drag = i == 1 ? 1.5 : i == 2 ? -0.1 : 0.1;
        assert_int_equal(pliant_asset_create(mesh, &soft, &asset), PLIANT_ERROR_ARGUMENT);
        pliant_mesh_destroy(mesh);
    }
}

// Only bodies that need a past have room for one, and only the others for what contacts did.
static void memory_is_taken_by_bdf2_alone(void** unused)
{
    (void)unused;
    size_t bytes[2];
    for (int i = 0; i < 2; ++i) {
        pliant_world* world = make_world(1, 1);
        pliant_soft_def soft =
            with_integrator(i ? PLIANT_INTEGRATOR_BDF2 : PLIANT_INTEGRATOR_FORESIGHT);
        pliant_mesh* mesh = box_mesh((int[3]){4, 4, 4}, 0.1, 0);
        pliant_asset* asset = NULL;
        CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
        size_t before = pliant_allocated_bytes();
        pliant_body_def def = pliant_body_defaults();
        new_body(world, asset, &def);
        bytes[i] = pliant_allocated_bytes() - before;
        pliant_asset_destroy(asset);
        pliant_mesh_destroy(mesh);
        pliant_world_destroy(world);
    }
    print_message("    %zu bytes, with a past %zu\n", bytes[0], bytes[1]);
    CHECK_BETWEEN((double)(bytes[1] - bytes[0]), 125 * 16, 1.3 * 125 * 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(free_fall_is_a_parabola),
        numbers_test(oscillator_shows_the_order),
        numbers_test(pendulum_loses_little),
        numbers_test(hanging_cloth_loses_a_fifth_at_most),
        numbers_test(single_precision_follows_double),
        numbers_test(bouncing_body_shows_no_artifact),
        numbers_test(resting_body_stays_and_weighs),
        numbers_test(friction_is_that_of_coulomb),
        known_threads_test(writing_starts_anew),
        known_threads_test(moved_pins_show_their_speed_and_stay),
        known_threads_test(snapshots_hold_the_past),
        known_threads_test(momentum_stays),
        cmocka_unit_test(bits_do_not_depend_on_threads_and_lanes),
        known_threads_test(verlet_without_drag_is_implicit_euler),
        known_threads_test(drag_of_verlet_is_a_geometric_series),
        known_threads_test(drag_is_refused_elsewhere),
        known_threads_test(memory_is_taken_by_bdf2_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
