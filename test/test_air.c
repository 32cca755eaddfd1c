// Air: terminal speeds, lift, balances of momentum and energy, and the winds.
#include "air/wind.h"
#include "failing_world.h"
#include "rigid_bodies.h"

static void set_air(pliant_world* world, double density, double x, double y, double z)
{
    pliant_air_def def = pliant_air_defaults();
    def.density = (float)density;
    def.wind = vec(x, y, z);
    CHECK_OK(pliant_world_set_air(world, &def));
}

static pliant_air_load load_of(const pliant_world* world, pliant_body_id body)
{
    pliant_air_load out;
    CHECK_OK(pliant_body_air(world, body, &out));
    return out;
}

static pliant_soft_def fabric(double density)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.cloth = (pliant_cloth_def){.density = (float)density, .stretch = 500, .bending = 1e-4f};
    return def;
}

static pliant_body_id add_words(pliant_world* world, const char* words, const pliant_soft_def* soft,
                                const pliant_body_def* def)
{
    pliant_mesh* mesh = NULL;
    pliant_body_id id;
    CHECK_OK(pliant_mesh_generate(words, &mesh));
    CHECK_OK(pliant_world_add_soft(world, mesh, soft, def, &id));
    pliant_mesh_destroy(mesh);
    return id;
}

static void pin_all(pliant_world* world, pliant_body_id body)
{
    for (int i = 0; i < pliant_body_particle_count(world, body); ++i)
        CHECK_OK(pliant_body_pin(world, body, i));
}

// ---- terminal speeds ----------------------------------------------------------------------------

// m v' = m g - k v^2, from rest: v = s tanh(g t / s) with s^2 = m g / k.
static double speed_after(double terminal, double time)
{
    return terminal * tanh(9.81 * time / terminal);
}

static double fall(pliant_world* world, pliant_body_id body, double time)
{
    run(world, (int)(time * 60 + 0.5), 1.0 / 60);
    return -measure_motion(world, body).velocity[1];
}

static void a_sheet_falls_broadside_at_its_terminal_speed(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = fabric(0.3);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id body = add_words(world, "cloth:5x4:1x0.8", &soft, &def);
    const double terminal = sqrt(2 * 0.3 * 9.81 / (1.2 * (1.2 + 0.02)));
    set_air(world, 1.2, 0, 0, 0);
    CHECK_CLOSE(fall(world, body, 0.2), speed_after(terminal, 0.2), 0.005);
    CHECK_CLOSE(fall(world, body, 2.8), terminal, 1e-4);
    pliant_world_destroy(world);
}

static void a_sheet_falls_edge_on_against_friction(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = fabric(0.3);
    pliant_body_def def = pliant_body_defaults();
    def.rotation = about_z(3.14159265358979 / 2);
    def.air.friction = 0.5f;
    pliant_body_id body = add_words(world, "cloth:5x4:1x0.8", &soft, &def);
    const double terminal = sqrt(2 * 0.3 * 9.81 / (1.2 * 0.5));
    set_air(world, 1.2, 0, 0, 0);
    CHECK_CLOSE(fall(world, body, 0.5), speed_after(terminal, 0.5), 0.005);
    pliant_world_destroy(world);
}

// A closed surface has the air on its outside alone: front and back make the drag of one face.
static void a_plate_of_two_faces_falls_as_a_sheet(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(10, 1);
    pliant_asset* asset = rigid_asset("brick:1x0.002x1", 150);
    pliant_body_def def = pliant_body_defaults();
    def.air.drag = 1.5f;
    def.air.friction = 0;
    pliant_body_id body = place_body(world, asset, &def);
    const double terminal = sqrt(2 * 0.3 * 9.81 / (1.2 * 1.5));
    set_air(world, 1.2, 0, 0, 0);
    run(world, 180, 1.0 / 60);
    pliant_motion m = motion_of(world, body);
    CHECK_CLOSE(-m.velocity[1], terminal, 1e-3);
    CHECK_BETWEEN(fabs(m.velocity[0]) + fabs(m.velocity[2]), 0, 1e-6);
    CHECK_BETWEEN(fabs(m.angular_velocity[0]) + fabs(m.angular_velocity[2]), 0, 1e-6);
    pliant_asset_destroy(asset);
    pliant_world_destroy(world);
}

static void a_grain_falls_as_a_ball(void** unused)
{
    (void)unused;
    const double origin[3] = {0, 0, 0}, radius = 0.01;
    const pliant_mesh_arrays arrays = {
        .vertices = origin, .vertex_count = 1, .vertex_radius = &radius};
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = NULL;
    pliant_world* world = make_world(20, 1);
    soft.material.density = 20;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    pliant_body_id body = add_soft(world, mesh, &soft, 0);
    set_air(world, 1.2, 0, 0, 0);
    const double terminal = sqrt(2 * 20 * 4.0 / 3 * radius * 9.81 / (1.2 * 0.47));
    CHECK_CLOSE(fall(world, body, 0.25), speed_after(terminal, 0.25), 0.005);
    CHECK_CLOSE(fall(world, body, 3), terminal, 1e-3);
    pliant_world_destroy(world);
}

// ---- forces on what is held ---------------------------------------------------------------------

// A sheet of 1 x 0.8 m that is held at an angle of attack in a wind along x: its force.
static pliant_air_load press_sheet(double angle, const pliant_airfoil_def* air)
{
    pliant_world* world = make_still_world(2, 1);
    pliant_soft_def soft = fabric(0.3);
    pliant_body_def def = pliant_body_defaults();
    def.rotation = about_z(-angle); // the leading edge, at -x, is up
    def.air = *air;
    pliant_body_id body = add_words(world, "cloth:3x2:1x0.8", &soft, &def);
    pin_all(world, body);
    set_air(world, 1.3, 4, 0, 0);
    run(world, 1, 1.0 / 60);
    pliant_air_load load = load_of(world, body);
    pliant_world_destroy(world);
    return load;
}

static void a_sheet_at_an_angle_has_lift_and_drag(void** unused)
{
    (void)unused;
    const pliant_airfoil_def air = {.drag = 1.4f, .lift = 3, .friction = 0.05f, .exposure = 1};
    const double pressed = 0.5 * 1.3 * 0.8 * 16;
    for (int i = 0; i <= 6; ++i) {
        double angle = i * 3.14159265358979 / 12, s = sin(angle), c = cos(angle);
        pliant_air_load load = press_sheet(angle, &air);
        CHECK_CLOSE(load.force[0], pressed * (0.05 + 1.4 * s * s), 1e-5);
        CHECK_BETWEEN(load.force[1] - pressed * 3 * s * c, -1e-4, 1e-4); // up
        CHECK_BETWEEN(load.force[2], -1e-5, 1e-5);
        CHECK_BETWEEN(load.power, -1e-6, 1e-6);
    }
}

static void the_torque_is_about_the_origin(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(2, 1);
    pliant_soft_def soft = fabric(0.3);
    pliant_body_def def = body_at(2, 3, 5);
    def.rotation = about_z(0.7);
    pliant_body_id body = add_words(world, "cloth:4x4:1x1", &soft, &def);
    pin_all(world, body);
    set_air(world, 1.2, 3, 1, -2);
    run(world, 1, 1.0 / 60);
    pliant_air_load l = load_of(world, body);
    // The pressure is the same everywhere: it acts at the middle.
    const double wanted[3] = {3 * l.force[2] - 5 * l.force[1], 5 * l.force[0] - 2 * l.force[2],
                              2 * l.force[1] - 3 * l.force[0]};
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(l.torque[k], wanted[k], 1e-5);
    pliant_world_destroy(world);
}

// A rope of 1 m along x in a wind.
static pliant_air_load press_rope(pliant_vec3 wind)
{
    pliant_world* world = make_still_world(2, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope.radius = 0.02f;
    pliant_body_def def = pliant_body_defaults();
    def.air.friction = 0.1f;
    pliant_body_id body = add_words(world, "rope:1:7", &soft, &def);
    pin_all(world, body);
    set_air(world, 1.2, (double)wind.x, (double)wind.y, (double)wind.z);
    run(world, 1, 1.0 / 60);
    pliant_air_load load = load_of(world, body);
    pliant_world_destroy(world);
    return load;
}

static void a_rope_is_a_cylinder(void** unused)
{
    (void)unused;
    const double pressed = 0.5 * 1.2 * 0.04, pi = 3.14159265358979;
    CHECK_CLOSE(press_rope(vec(0, 5, 0)).force[1], pressed * 1.1 * 25, 1e-5);
    CHECK_CLOSE(press_rope(vec(-5, 0, 0)).force[0], -pressed * pi / 2 * 0.1 * 25, 1e-5);
    pliant_air_load slanted = press_rope(vec(3, 0, 4)); // the cross flow decides
    CHECK_CLOSE(slanted.force[2], pressed * 1.1 * 16, 1e-5);
    CHECK_CLOSE(slanted.force[0], pressed * pi / 2 * 0.1 * 5 * 3, 1e-5);
}

static double drag_of_solid(const char* words, bool rigid)
{
    pliant_world* world = make_still_world(2, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rigid = rigid;
    pliant_body_def def = pliant_body_defaults();
    def.air.friction = 0;
    def.air.lift = 1.2f;
    pliant_body_id body = add_words(world, words, &soft, &def);
    set_air(world, 1.2, 0, 0, 2);
    run(world, 1, 1e-4);
    double force = load_of(world, body).force[2];
    pliant_world_destroy(world);
    return force / (0.5 * 1.2 * 4);
}

static void solids_have_the_drag_of_their_shape(void** unused)
{
    (void)unused;
    CHECK_CLOSE(drag_of_solid("brick:0.3x0.4x0.5", true), 1.2 * 0.12, 1e-3);
    CHECK_CLOSE(drag_of_solid("beam:2x2x2:0.2", false), 1.2 * 0.16, 1e-3);
    CHECK_CLOSE(drag_of_solid("sphere:0.5:24", true), 2.0 / 3 * 1.2 * 0.7854, 0.02);
}

static void pins_hold_against_the_air(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = fabric(0.2);
    pliant_body_def def = pliant_body_defaults();
    def.rotation = about_z(0.5);
    pliant_body_id body = add_words(world, "cloth:4x3:1x0.8", &soft, &def);
    for (int i = 0; i < 4; ++i) CHECK_OK(pliant_body_pin(world, body, 5 * i));
    set_air(world, 1.2, 6, 0, 1);
    int count = pliant_body_particle_count(world, body);
    pliant_vec3 before[20];
    double forces[60], sum[3] = {0, 0, 0}, gained[3];
    assert_int_equal(count, 20);
    run(world, 10, 1.0 / 60);
    motion p = measure_motion(world, body);
    CHECK_OK(pliant_body_read_velocities(world, body, before, count));
    run(world, 1, 1.0 / 60);
    motion q = measure_motion(world, body);
    CHECK_OK(pliant_body_read_pin_forces(world, body, before, 1.0 / 60, forces, count));
    pliant_air_load l = load_of(world, body);
    for (int i = 0; i < 60; ++i) sum[i % 3] += forces[i];
    double weight[3] = {0, -9.81 * pliant_body_mass(world, body), 0};
    for (int k = 0; k < 3; ++k) {
        gained[k] = (q.momentum[k] - p.momentum[k]) * 60;
        CHECK_BETWEEN(sum[k] + l.force[k] + weight[k] - gained[k], -0.01, 0.01);
    }
    pliant_world_destroy(world);
}

// ---- balances -----------------------------------------------------------------------------------

static void angular_about_origin(const motion* m, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = m->angular[k] + m->center[a] * m->momentum[b] - m->center[b] * m->momentum[a];
    }
}

// What air did to a crumpled cloth in a windy world without weight, by its momenta and by its
// loads.
static void check_momenta(pliant_world* world, pliant_body_id body, double tolerance)
{
    double pushed[3] = {0, 0, 0}, turned[3] = {0, 0, 0}, l0[3], l1[3];
    const double dt = 1.0 / 60;
    motion before = measure_motion(world, body);
    angular_about_origin(&before, l0);
    for (int i = 0; i < 40; ++i) {
        run(world, 1, dt);
        pliant_air_load l = load_of(world, body);
        for (int k = 0; k < 3; ++k) {
            pushed[k] += (double)(float)dt * l.force[k];
            turned[k] += (double)(float)dt * l.torque[k];
        }
    }
    motion after = measure_motion(world, body);
    angular_about_origin(&after, l1);
    double size = 0, turn = 0;
    for (int k = 0; k < 3; ++k) size += fabs(pushed[k]), turn += fabs(turned[k]);
    for (int k = 0; k < 3; ++k) {
        CHECK_BETWEEN((after.momentum[k] - before.momentum[k] - pushed[k]) / size, -tolerance,
                      tolerance);
        CHECK_BETWEEN((l1[k] - l0[k] - turned[k]) / turn, -tolerance, tolerance);
    }
}

static pliant_body_def thrown(double x, double y, double z)
{
    pliant_body_def def = body_at(x, y, z);
    def.rotation = about_z(0.8);
    def.velocity = vec(1, 2, -1);
    def.angular_velocity = vec(3, -2, 5);
    return def;
}

static void momenta_change_by_the_forces_that_are_told(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(20, 1);
    pliant_soft_def soft = fabric(0.2);
    pliant_body_def def = thrown(0.5, 1, 0.2);
    pliant_body_id body = add_words(world, "cloth:6x5:1x0.8", &soft, &def);
    set_air(world, 1.2, 5, -1, 2);
    check_momenta(world, body, 1e-4);
    pliant_world_destroy(world);
    world = make_still_world(20, 1);
    pliant_asset* asset = rigid_asset("brick:0.5x0.05x0.3", 20);
    body = place_body(world, asset, &def);
    set_air(world, 1.2, 5, -1, 2);
    pliant_motion m0 = motion_of(world, body);
    double pushed[3] = {0, 0, 0};
    for (int i = 0; i < 40; ++i) {
        run(world, 1, 1.0 / 60);
        for (int k = 0; k < 3; ++k)
            pushed[k] += (double)(float)(1.0 / 60) * load_of(world, body).force[k];
    }
    pliant_motion m1 = motion_of(world, body);
    double mass = pliant_body_mass(world, body);
    CHECK_CLOSE(mass * (m1.velocity[0] - m0.velocity[0]), pushed[0], 1e-4);
    CHECK_CLOSE(mass * (m1.velocity[2] - m0.velocity[2]), pushed[2], 1e-4);
    pliant_asset_destroy(asset);
    pliant_world_destroy(world);
}

// A plate that is thrown and tumbles: what it loses of its energy goes to the air.
static void energy_is_lost_by_the_power_that_is_told(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(100, 1);
    pliant_asset* asset = rigid_asset("brick:0.5x0.02x0.3", 60);
    pliant_body_def def = thrown(0, 3, 0);
    pliant_body_id body = place_body(world, asset, &def);
    set_air(world, 1.2, 0, 0, 0);
    pliant_energies before = get_energies(world);
    double work = 0;
    for (int i = 0; i < 90; ++i) {
        run(world, 1, 1.0 / 60);
        work += load_of(world, body).power / 60;
    }
    pliant_energies after = get_energies(world);
    double change = after.kinetic + after.gravity - before.kinetic - before.gravity;
    CHECK_BETWEEN(work, -HUGE_VAL, -0.3);
    CHECK_CLOSE(change, work, 0.01);
    pliant_asset_destroy(asset);
    pliant_world_destroy(world);
}

// The lightest cloth in a storm, one substep to a step: in the axes of the wind its energy falls
// from step to step.
static void a_storm_never_gives_light_cloth_more_than_its_own_speed(void** unused)
{
    (void)unused;
    const pliant_airfoil_def foils[] = {{1.2f, 1.2f, 0.02f, 1}, {1, 6, 0, 1}, {2, 0, 0.3f, 50}};
    for (int f = 0; f < 3; ++f) {
        pliant_world* world = make_still_world(1, 1);
        pliant_soft_def soft = fabric(0.003);
        soft.cloth.stretch = 1e-6f;
        soft.cloth.bending = 0;
        pliant_body_def def = thrown(0, 0, 0);
        def.air = foils[f];
        pliant_body_id body = add_words(world, "cloth:6x5:1x0.8", &soft, &def);
        const double wind[3] = {80, 10, -30};
        set_air(world, 1.2, wind[0], wind[1], wind[2]);
        double last = HUGE_VAL, first = 0;
        for (int i = 0; i < 30; ++i) {
            motion m = measure_motion(world, body);
            double energy = 2 * get_energies(world).kinetic;
            for (int k = 0; k < 3; ++k) energy += m.mass * wind[k] * (wind[k] - 2 * m.velocity[k]);
            CHECK_BETWEEN(energy, -1e-6, last * (1 + 1e-5));
            if (i == 0) first = energy;
            last = energy;
            run(world, 1, 1.0 / 60);
        }
        CHECK_BETWEEN(last / first, 0, 0.5);
        pliant_world_destroy(world);
    }
}

// Broadside and in a long step, the air stops a sheet in itself, and no more.
static void a_long_step_stops_at_the_speed_of_the_wind(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = fabric(0.001);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id body = add_words(world, "cloth:6x5:1x0.8", &soft, &def);
    set_air(world, 1.2, 0, 40, 0);
    run(world, 1, 0.1);
    CHECK_CLOSE(measure_motion(world, body).velocity[1], 40, 1e-5);
    pliant_world_destroy(world);
}

static double energy_of_swing(bool air)
{
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = fabric(0.2);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id body = add_words(world, "cloth:6x6:1x1", &soft, &def);
    for (int i = 0; i < 7; ++i) CHECK_OK(pliant_body_pin(world, body, i));
    if (air) set_air(world, 1.2, 0, 0, 0);
    double kinetic = 0;
    for (int i = 0; i < 360; ++i) {
        run(world, 1, 1.0 / 60);
        if (i >= 240) kinetic = fmax(kinetic, get_energies(world).kinetic);
    }
    pliant_world_destroy(world);
    return kinetic;
}

static void still_air_damps(void** unused)
{
    (void)unused;
    double in_air = energy_of_swing(true), without = energy_of_swing(false);
    CHECK_BETWEEN(in_air / without, 0, 0.1);
}

// [1/s] Of the trailing edge of a flag, from the times at which it crosses the middle.
static double flutter(double wind)
{
    enum { STEPS = 300, LAST = 200 };
    pliant_world* world = make_still_world(20, 1);
    pliant_soft_def soft = fabric(0.15);
    soft.cloth.bending = 2e-4f;
    soft.cloth.damping = 0.001f;
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id body = add_words(world, "cloth:12x4:1x0.4", &soft, &def);
    int count = pliant_body_particle_count(world, body), tip = 0, crossings = 0;
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i) {
        if (x[i].x[0] < -0.499) CHECK_OK(pliant_body_pin(world, body, i));
        if (x[i].x[0] > 0.499 && fabs(x[i].x[2]) < 1e-6) tip = i;
    }
    free(x);
    set_air(world, 1.2, wind, 0.02 * wind, 0);
    double before = 0;
    for (int i = 0; i < STEPS; ++i) {
        run(world, 1, 1.0 / 120);
        double y = read_place(world, body, tip).x[1];
        if (i >= STEPS - LAST) crossings += y * before < 0;
        before = y;
    }
    pliant_world_destroy(world);
    return crossings / 2.0 / (LAST / 120.0);
}

static void a_flag_flutters_faster_in_more_wind(void** unused)
{
    (void)unused;
    double slow = flutter(4), fast = flutter(8), faster = flutter(16);
    print_message("a flag flutters %.1f, %.1f and %.1f times a second\n", slow, fast, faster);
    CHECK_BETWEEN(slow, 0.5, 20);
    CHECK_BETWEEN(fast / slow, 1.3, 4);
    CHECK_BETWEEN(faster / fast, 1.3, 4);
}

// ---- the same bits ------------------------------------------------------------------------------

static void add_all_kinds(pliant_world* world)
{
    pliant_soft_def cloth = fabric(0.1), rope = pliant_soft_defaults(), ball = rope, rigid = rope;
    pliant_body_def def = body_at(0, 2, 0);
    rope.rope.radius = 0.01f;
    ball.material.young = 2e4;
    rigid.rigid = true;
    rigid.material.density = 50;
    cloth.solver.patch_rows = 64;
    add_words(world, "cloth:20x16:1x0.8", &cloth, &def);
    def.position[0] = 2;
    add_words(world, "rope:1:12", &rope, &def);
    def.position[0] = 4;
    add_words(world, "sphere:0.3:5", &ball, &def);
    def.position[0] = 5;
    add_words(world, "brick:0.5x0.05x0.3", &rigid, &def);
}

static uint64_t digest_of_wind(int threads, int lanes, pliant_air_load* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_air_def air = pliant_air_defaults();
    pliant_world* world = NULL;
    def.threads = threads;
    def.lanes = lanes;
    def.substeps = 10;
    CHECK_OK(pliant_world_create(&def, &world));
    add_all_kinds(world);
    air.wind = vec(4, 1, 2);
    air.gust = 0.5f;
    air.gust_time = 0.1f;
    air.turbulence = 2;
    CHECK_OK(pliant_world_set_air(world, &air));
    run(world, 15, 1.0 / 60);
    pliant_body_id bodies[4];
    assert_int_equal(pliant_world_bodies(world, bodies, 4), 4);
    *out = load_of(world, bodies[0]);
    uint64_t digest = digest_of(world);
    pliant_world_destroy(world);
    return digest;
}

static void threads_and_lanes_have_the_same_bits(void** unused)
{
    (void)unused;
    pliant_air_load first, other;
    uint64_t digest = digest_of_wind(1, 1, &first);
    const int threads[] = {2, 3, 1}, lanes[] = {16, 4, 8};
    for (int i = 0; i < 3; ++i) {
        assert_true(digest_of_wind(threads[i], lanes[i], &other) == digest);
        assert_memory_equal(&other, &first, sizeof first);
    }
    if (digest != 0x0cd6e4dc0278f076u) fail_msg("digest %016llx", (unsigned long long)digest);
}

// Nothing is state but time: a world that goes back goes on as it did.
static void a_world_that_goes_back_has_the_same_wind(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(8, 1);
    pliant_air_def air = pliant_air_defaults();
    add_all_kinds(world);
    air.wind = vec(3, 0, 0);
    air.gust = 1;
    air.gust_time = 0.05f;
    air.turbulence = 1;
    CHECK_OK(pliant_world_set_air(world, &air));
    run(world, 3, 1.0 / 60);
    size_t bytes = pliant_world_snapshot_size(world);
    void* kept = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, kept, bytes));
    run(world, 5, 1.0 / 60);
    uint64_t digest = digest_of(world);
    CHECK_OK(pliant_world_snapshot_restore(world, kept, bytes));
    run(world, 5, 1.0 / 60);
    assert_true(digest_of(world) == digest);
    free(kept);
    pliant_world_destroy(world);
}

static uint64_t digest_without_air(int how)
{
    pliant_world* world = make_world(5, 1);
    pliant_soft_def soft = fabric(0.1);
    pliant_body_def def = pliant_body_defaults();
    def.air.exposure = how == 1 ? 0 : 1;
    add_words(world, "cloth:6x5:1x0.8", &soft, &def);
    if (how > 0) set_air(world, 1.2, 9, 0, 0);
    if (how == 2) CHECK_OK(pliant_world_set_air(world, NULL));
    run(world, 10, 1.0 / 60);
    uint64_t digest = digest_of(world);
    pliant_world_destroy(world);
    return digest;
}

static void who_feels_no_air_has_the_bits_of_none(void** unused)
{
    (void)unused;
    uint64_t digest = digest_without_air(0);
    assert_true(digest_without_air(1) == digest);
    assert_true(digest_without_air(2) == digest);
    assert_true(digest_without_air(3) != digest);
}

// ---- winds --------------------------------------------------------------------------------------

static wind_field still_field(const pliant_wind_def* winds, int count)
{
    wind_field f = {.def = pliant_air_defaults(), .winds = winds, .wind_count = count};
    return f;
}

static double speed_at(const wind_field* f, double x, double y, double z, int axis)
{
    double out[3];
    wind_at(f, 0, (double[3]){x, y, z}, out);
    return out[axis];
}

static void a_fan_keeps_its_momentum(void** unused)
{
    (void)unused;
    pliant_wind_def fan = pliant_wind_defaults();
    fan.position[1] = 1;
    fan.direction = vec(0, 0, 3);
    fan.speed = 6;
    fan.radius = 0.4f;
    wind_field f = still_field(&fan, 1);
    CHECK_CLOSE(speed_at(&f, 0, 1, 1e-9, 2), 6, 1e-6);
    CHECK_BETWEEN(speed_at(&f, 0, 1, -0.1, 2), 0, 0);
    double momentum[2] = {0, 0};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2000; ++k) {
            double r = (k + 0.5) / 1000, v = speed_at(&f, r, 1, 1e-9 + 3 * i, 2);
            momentum[i] += r * v * v;
        }
    CHECK_CLOSE(momentum[1], momentum[0], 1e-3);
}

static void a_vortex_is_fastest_at_its_radius_and_turns_about_its_axis(void** unused)
{
    (void)unused;
    pliant_wind_def vortex = pliant_wind_defaults();
    vortex.kind = PLIANT_WIND_VORTEX;
    vortex.direction = vec(0, 2, 0);
    vortex.speed = 3;
    vortex.radius = 0.5f;
    wind_field f = still_field(&vortex, 1);
    CHECK_CLOSE(speed_at(&f, 0.5, 7, 0, 2), -3, 1e-6); // counter-clockwise seen from above
    CHECK_BETWEEN(-speed_at(&f, 0.45, 0, 0, 2), 2, 2.9999);
    CHECK_BETWEEN(-speed_at(&f, 0.55, 0, 0, 2), 2, 2.9999);
    CHECK_BETWEEN(fabs(speed_at(&f, 0.5, 0, 0, 0)) + fabs(speed_at(&f, 0.5, 0, 0, 1)), 0, 1e-9);
}

static void turbulence_has_its_speed_and_no_sources(void** unused)
{
    (void)unused;
    wind_field f = still_field(NULL, 0);
    f.def.turbulence = 2;
    f.def.turbulence_size = 0.5f;
    random_source r = {5};
    double squares[3] = {0, 0, 0}, means[3] = {0, 0, 0};
    const int count = 20000;
    const double e = 1e-4;
    for (int i = 0; i < count; ++i) {
        double at[3], v[3], sources = 0;
        for (int k = 0; k < 3; ++k) at[k] = random_range(&r, -100, 100);
        wind_at(&f, 0.01 * i, at, v);
        for (int k = 0; k < 3; ++k) squares[k] += v[k] * v[k], means[k] += v[k];
        if (i % 20) continue;
        for (int k = 0; k < 3; ++k) {
            double near[3] = {at[0], at[1], at[2]}, far[3];
            near[k] += e;
            wind_at(&f, 0.01 * i, near, far);
            near[k] -= 2 * e;
            wind_at(&f, 0.01 * i, near, v);
            sources += (far[k] - v[k]) / (2 * e);
        }
        CHECK_BETWEEN(sources, -1e-4, 1e-4);
    }
    for (int k = 0; k < 3; ++k) {
        CHECK_CLOSE(sqrt(squares[k] / count), 2, 0.03);
        CHECK_BETWEEN(means[k] / count, -0.05, 0.05);
    }
}

static void gusts_stay_within_their_share(void** unused)
{
    (void)unused;
    wind_field f = still_field(NULL, 0);
    double least = HUGE_VAL, most = 0;
    f.def.wind = vec(10, 0, 0);
    f.def.gust = 0.4f;
    for (int i = 0; i < 20000; ++i) {
        double out[3];
        wind_at(&f, 0.05 * i, (double[3]){1, 2, 3}, out);
        least = fmin(least, out[0]);
        most = fmax(most, out[0]);
    }
    CHECK_BETWEEN(least, 6 - 1e-6, 6.3);
    CHECK_BETWEEN(most, 13.7, 14 + 1e-6);
}

typedef struct {
    int calls, points;
    double value;
} caller;

static void blow_up(double time, int count, const double* points, double* velocities, void* context)
{
    caller* c = (caller*)context;
    (void)time, (void)points;
    c->calls++;
    c->points += count;
    for (int i = 0; i < count; ++i) velocities[3 * i + 1] += c->value;
}

static void a_function_of_the_caller_adds_to_the_wind(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(5, 1);
    pliant_soft_def soft = fabric(0.2);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id body = add_words(world, "cloth:3x2:1x0.8", &soft, &def);
    caller c = {0, 0, 3};
    pin_all(world, body);
    set_air(world, 1.2, 0, 1, 0);
    pliant_world_set_wind_function(world, blow_up, &c);
    run(world, 2, 1.0 / 60);
    assert_int_equal(c.calls, 2);
    assert_int_equal(c.points, 24);
    CHECK_CLOSE(load_of(world, body).force[1],
                0.5 * 1.2 * 0.8 * 1.2 * 16 + 0.5 * 1.2 * 0.8 * 0.02 * 16, 1e-5);
    double at[3];
    CHECK_OK(pliant_world_wind_at(world, (double[3]){1, 2, 3}, at));
    CHECK_CLOSE(at[1], 4, 1e-9);
    c.value = NAN;
    assert_int_equal(pliant_world_step(world, 0.01f), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "wind function"));
    pliant_world_destroy(world);
}

static void check_refused(pliant_result result, const char* words)
{
    assert_int_equal(result, PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), words)) fail_msg("no '%s' in: %s", words, pliant_error_text());
}

static void what_no_air_has_is_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_air_def air = pliant_air_defaults();
    pliant_wind_def wind = pliant_wind_defaults();
    air.density = -1;
    check_refused(pliant_world_set_air(world, &air), "density");
    air = pliant_air_defaults();
    air.gust = 1.5f;
    check_refused(pliant_world_set_air(world, &air), "gust");
    wind.direction = vec(0, 0, 0);
    check_refused(pliant_world_set_winds(world, &wind, 1), "direction");
    wind = pliant_wind_defaults();
    wind.radius = 0;
    check_refused(pliant_world_set_winds(world, &wind, 1), "radius");
    pliant_world_destroy(world);
}

static pliant_result let_it_blow(pliant_world* world, const pliant_body_id* bodies)
{
    pliant_air_def air = pliant_air_defaults();
    const pliant_wind_def wind[] = {pliant_wind_defaults(), pliant_wind_defaults()};
    static caller c;
    (void)bodies;
    pliant_world_set_wind_function(world, blow_up, &c);
    pliant_result result = pliant_world_set_air(world, &air);
    return result ? result : pliant_world_set_winds(world, wind, 2);
}

static void nothing_is_lost_when_memory_runs_out(void** unused)
{
    (void)unused;
    const failing_world w = {"cloth:4x4:1x1", 2, {1, 2}, 0.01f, let_it_blow, false};
    check_failing_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_falls_broadside_at_its_terminal_speed),
        cmocka_unit_test(a_sheet_falls_edge_on_against_friction),
        cmocka_unit_test(a_plate_of_two_faces_falls_as_a_sheet),
        cmocka_unit_test(a_grain_falls_as_a_ball),
        cmocka_unit_test(a_sheet_at_an_angle_has_lift_and_drag),
        cmocka_unit_test(the_torque_is_about_the_origin),
        cmocka_unit_test(a_rope_is_a_cylinder),
        cmocka_unit_test(solids_have_the_drag_of_their_shape),
        cmocka_unit_test(pins_hold_against_the_air),
        cmocka_unit_test(momenta_change_by_the_forces_that_are_told),
        numbers_test(energy_is_lost_by_the_power_that_is_told),
        cmocka_unit_test(a_storm_never_gives_light_cloth_more_than_its_own_speed),
        cmocka_unit_test(a_long_step_stops_at_the_speed_of_the_wind),
        numbers_test(still_air_damps),
        numbers_test(a_flag_flutters_faster_in_more_wind),
        cmocka_unit_test(threads_and_lanes_have_the_same_bits),
        cmocka_unit_test(a_world_that_goes_back_has_the_same_wind),
        cmocka_unit_test(who_feels_no_air_has_the_bits_of_none),
        cmocka_unit_test(a_fan_keeps_its_momentum),
        cmocka_unit_test(a_vortex_is_fastest_at_its_radius_and_turns_about_its_axis),
        cmocka_unit_test(turbulence_has_its_speed_and_no_sources),
        cmocka_unit_test(gusts_stay_within_their_share),
        cmocka_unit_test(a_function_of_the_caller_adds_to_the_wind),
        cmocka_unit_test(what_no_air_has_is_refused),
        known_threads_test(nothing_is_lost_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
