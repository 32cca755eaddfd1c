// Woven cloth: tension and shear of strips against closed forms, whatever the mesh and the
// direction of the warp; what is turned; strips that hang; momentum; damping.
#include "scene.h"

static pliant_soft_def woven(double turn)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.precision = PLIANT_PRECISION_DOUBLE;
    def.cloth = (pliant_cloth_def){.density = 0.2,
                                   .stretch = 1,
                                   .warp = 300,
                                   .weft = 120,
                                   .shear = 40,
                                   .poisson = 0.3,
                                   .damping = 0.02,
                                   .warp_direction = {cos(turn), 0, sin(turn)}};
    return def;
}

// ---- energies -----------------------------------------------------------------------------------

// [J/m^2] of the sheet whose points go from (x, z) to F (x, z), with the warp turned from x to z.
static double closed_form(const pliant_cloth_def* c, double f[2][2], double turn)
{
    const double u[2] = {cos(turn), sin(turn)}, v[2] = {-sin(turn), cos(turn)};
    double fu[2], fv[2], n2 = c->poisson * c->poisson;
    for (int r = 0; r < 2; ++r) {
        fu[r] = f[r][0] * u[0] + f[r][1] * u[1];
        fv[r] = f[r][0] * v[0] + f[r][1] * v[1];
    }
    double warp = hypot(fu[0], fu[1]) - 1, weft = hypot(fv[0], fv[1]) - 1;
    double angle = fu[0] * fv[0] + fu[1] * fv[1];
    double q11 = c->warp / (1 - n2), q22 = c->weft / (1 - n2);
    double q12 = c->poisson * sqrt(c->warp * c->weft) / (1 - n2);
    return (q11 * warp * warp + 2 * q12 * warp * weft + q22 * weft * weft +
            c->shear * angle * angle) /
           2;
}

// Places of a sheet in the plane y = 0, deformed, then turned about an axis that is none of it.
static void deform(pliant_world* world, pliant_body_id body, double f[2][2], double angle)
{
    place* x = read_places(world, body);
    int count = pliant_body_particle_count(world, body);
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < count; ++i) {
        double a = f[0][0] * x[i].x[0] + f[0][1] * x[i].x[2];
        double b = f[1][0] * x[i].x[0] + f[1][1] * x[i].x[2];
        x[i] = (place){{c * a, s * a, b}};
    }
    CHECK_OK(pliant_body_write_positions_exact(world, body, x->x, count));
    free(x);
}

// Of a sheet of 1 x 1 m.
static double energy_of(const pliant_soft_def* def, const char* words, double f[2][2], double angle)
{
    pliant_world* world = make_still_world(1, 1);
    pliant_body_id body = add_soft(world, generate(words), def, 0);
    deform(world, body, f, angle);
    double energy = get_body_energies(world, body).elastic;
    pliant_world_destroy(world);
    return energy;
}

static void energy_is_that_of_the_sheet_on_any_mesh_and_in_any_direction(void** unused)
{
    (void)unused;
    static double forms[][2][2] = {{{1.1, 0}, {0, 1}},        {{1, 0}, {0, 0.8}},
                                   {{1, 0.2}, {0, 1}},        {{1.2, 0}, {0, 0.9}},
                                   {{0.9, 0.3}, {-0.1, 1.4}}, {{1, 0}, {0, 1}}};
    static const char* const meshes[] = {"cloth:1x1:1x1", "cloth:5x3:1x1", "cloth:4x9:1x1"};
    for (int i = 0; i < 6; ++i)
        for (int turn = 0; turn < 4; ++turn)
            for (int mesh = 0; mesh < 3; ++mesh) {
                pliant_soft_def def = woven(0.5 * turn);
                double expected = closed_form(&def.cloth, forms[i], 0.5 * turn);
                double energy = energy_of(&def, meshes[mesh], forms[i], 0.7 * mesh);
                if (!(fabs(energy - expected) <= 1e-10 * (1 + expected)))
                    fail_msg("form %d, warp turned by %g, %s: %.12g J, expected %.12g", i,
                             0.5 * turn, meshes[mesh], energy, expected);
            }
}

// What is not given is as in a sheet without directions: the same energy in all of them.
static void sheet_without_directions_has_none(void** unused)
{
    (void)unused;
    static double pulled[2][2] = {{1.001, 0.0004}, {0, 0.9997}};
    double first = 0;
    for (int turn = 0; turn < 6; ++turn) {
        pliant_soft_def def = woven(0.3 * turn);
        def.cloth.weft = def.cloth.shear = 0;
        double energy = energy_of(&def, "cloth:3x3:1x1", pulled, 0.4);
        if (turn == 0) first = energy;
        CHECK_CLOSE(energy, first, 1e-3); // all strains are small
    }
}

// ---- tension ------------------------------------------------------------------------------------

// Steps of 10 ms; whenever the kinetic energy has passed a peak, all stop.
static void settle(pliant_world* world, pliant_body_id body, int steps)
{
    double last = 0;
    for (int i = 0; i < steps; ++i) {
        CHECK_OK(pliant_world_step(world, 0.01f));
        double kinetic = get_body_energies(world, body).kinetic;
        if (kinetic < last) write_velocity(world, body, vec(0, 0, 0));
        last = kinetic < last ? 0 : kinetic;
    }
}

// A strip along x, pulled to a strain at its ends, which are free to become narrower: its energy
// [J], and its strain across.
static double pull_strip(const pliant_soft_def* def, const char* words, double strain,
                         double* out_across)
{
    pliant_world* world = make_still_world(60, 1);
    pliant_body_id body = add_soft(world, generate(words), def, 0);
    int count = pliant_body_particle_count(world, body), middle = 0;
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i) {
        bool end = fabs(fabs(x[i].x[0]) - 0.5) < 1e-9;
        x[i].x[0] *= 1 + strain;
        if (end) CHECK_OK(pliant_body_pin_axes(world, body, i, fabs(x[i].x[2]) < 1e-9 ? 7 : 1));
        if (x[i].x[2] > 0.1 - 1e-9 && fabs(x[i].x[0]) < 1e-9) middle = i;
    }
    CHECK_OK(pliant_body_write_positions_exact(world, body, x->x, count));
    free(x);
    settle(world, body, 60);
    *out_across = read_place(world, body, middle).x[2] / 0.1 - 1;
    double energy = get_body_energies(world, body).elastic;
    pliant_world_destroy(world);
    return energy;
}

// Free across, it has the modulus of its direction, and becomes narrower by the mean ratio of
// Poisson times the root of both moduli.
static void pulled_strip_has_the_modulus_of_its_threads(void** unused)
{
    (void)unused;
    static const char* const meshes[] = {"cloth:8x2:1x0.2", "cloth:12x4:1x0.2"};
    const double strain = 0.05, area = 0.2;
    for (int along_weft = 0; along_weft < 2; ++along_weft)
        for (int mesh = 0; mesh < 2; ++mesh) {
            pliant_soft_def def = woven(along_weft ? acos(-1) / 2 : 0);
            const pliant_cloth_def* c = &def.cloth;
            double across, energy = pull_strip(&def, meshes[mesh], strain, &across);
            double pulled = along_weft ? c->weft : c->warp, other = along_weft ? c->warp : c->weft;
            double expected = pulled * strain * strain / 2 * area;
            double narrower = -c->poisson * sqrt(pulled / other) * strain;
            print_message("    %s, along the %s: energy %.6g J of %.6g, across %.6f of %.6f\n",
                          meshes[mesh], along_weft ? "weft" : "warp", energy, expected, across,
                          narrower);
            CHECK_CLOSE(energy, expected, 1e-3);
            CHECK_CLOSE(across, narrower, 0.01);
        }
}

// How far the end of a strip of 1 m sinks [m] that hangs from its pinned end.
static double hang_strip(const pliant_soft_def* def, const char* words, int substeps,
                         int iterations)
{
    pliant_world* world = make_world(substeps, iterations);
    pliant_world_set_gravity(world, vec(9.81, 0, 0));
    pliant_body_id body = add_soft(world, generate(words), def, 0);
    pin_plane(world, body, 0, -0.5);
    settle(world, body, 60);
    int last = pliant_body_particle_count(world, body) - 1;
    double sag = read_place(world, body, last).x[0] - 0.5;
    pliant_world_destroy(world);
    return sag;
}

// Weight per area times length squared over twice the modulus: whatever mesh, substeps, iterations.
static void hanging_strip_stretches_by_its_weight(void** unused)
{
    (void)unused;
    static const struct {
        const char* words;
        int substeps, iterations;
    } ways[] = {{"cloth:20x2:1x0.1", 100, 1},
                {"cloth:20x2:1x0.1", 200, 1},
                {"cloth:20x2:1x0.1", 10, 10},
                {"cloth:8x1:1x0.1", 50, 1},
                {"cloth:30x3:1x0.1", 100, 1}};
    pliant_soft_def def = woven(0);
    def.cloth.poisson = 0;
    double expected = def.cloth.density * 9.81 / (2 * def.cloth.warp);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        double sag = hang_strip(&def, ways[i].words, ways[i].substeps, ways[i].iterations);
        print_message("    %s, %d substeps of %d iterations: %.3f %% off\n", ways[i].words,
                      ways[i].substeps, ways[i].iterations, 100 * (sag / expected - 1));
        CHECK_CLOSE(sag, expected, 0.01);
    }
}

// ---- shear --------------------------------------------------------------------------------------

// A sheet whose rim is held sheared: what is inside finds the same form.
static void sheared_sheet_is_sheared_everywhere(void** unused)
{
    (void)unused;
    static double sheared[2][2] = {{1, 0.2}, {0, 1}};
    pliant_soft_def def = woven(0.4);
    pliant_world* world = make_still_world(20, 2);
    pliant_body_id body = add_soft(world, generate("cloth:6x6:1x1"), &def, 0);
    place* x = read_places(world, body);
    for (int i = 0; i < 49; ++i)
        if (fmax(fabs(x[i].x[0]), fabs(x[i].x[2])) > 0.5 - 1e-9) pliant_body_pin(world, body, i);
    deform(world, body, sheared, 0);
    place* at = read_places(world, body);
    random_source r = {4};
    for (int i = 0; i < 49; ++i)
        if (fmax(fabs(x[i].x[0]), fabs(x[i].x[2])) < 0.45)
            for (int k = 0; k < 3; k += 2) at[i].x[k] += random_range(&r, -0.03, 0.03);
    CHECK_OK(pliant_body_write_positions_exact(world, body, at->x, 49));
    double expected = closed_form(&def.cloth, sheared, 0.4);
    assert_true(get_body_energies(world, body).elastic > 1.1 * expected);
    settle(world, body, 200);
    CHECK_CLOSE(get_body_energies(world, body).elastic, expected, 1e-3);
    free(x);
    free(at);
    pliant_world_destroy(world);
}

// ---- motion -------------------------------------------------------------------------------------

// A triangle whose last corner swings along the warp, the others held: energy falls as
// exp(-tau omega^2 t), with omega^2 = area E / mass.
static void damping_takes_energy_at_its_rate(void** unused)
{
    (void)unused;
    static const double flat[] = {0, 0, 0, 0, 0, 1, 1, 0, 0.5};
    static const int corners[] = {0, 1, 2};
    const double away[] = {0, 0, 0, 0, 0, 1, 1.02, 0, 0.5};
    pliant_soft_def def = woven(0);
    def.cloth.poisson = 0;
    def.cloth.damping = 1e-4;
    pliant_world* world = make_still_world(1000, 1);
    pliant_body_id body = add_soft(world, create_triangles(flat, 3, corners, 1), &def, 0);
    for (int i = 0; i < 2; ++i) pliant_body_pin(world, body, i);
    CHECK_OK(pliant_body_pin_axes(world, body, 2, 6));
    CHECK_OK(pliant_body_write_positions_exact(world, body, away, 3));
    double omega2 = 0.5 * def.cloth.warp / (def.cloth.density * 0.5 / 3);
    pliant_energies first = get_body_energies(world, body);
    run(world, 100, 0.01);
    pliant_energies last = get_body_energies(world, body);
    double rate = -log((last.elastic + last.kinetic) / first.elastic);
    print_message("    damping: rate %.4f 1/s of %.4f\n", rate, def.cloth.damping * omega2);
    CHECK_CLOSE(rate, def.cloth.damping * omega2, 0.05);
    pliant_world_destroy(world);
}

static void spinning_sheet_keeps_its_momenta(void** unused)
{
    (void)unused;
    pliant_soft_def def = woven(0.3);
    def.cloth.bending = 1e-4;
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id body = add_soft(world, generate("cloth:8x8:1x1"), &def, 0);
    shake(world, body);
    motion before = measure_motion(world, body);
    run(world, 30, 0.01);
    motion after = measure_motion(world, body);
    for (int k = 0; k < 3; ++k) {
        CHECK_BETWEEN(after.momentum[k] - before.momentum[k], -1e-9, 1e-9);
        CHECK_BETWEEN(after.angular[k] - before.angular[k], -1e-6, 1e-6);
    }
    pliant_world_destroy(world);
}

// ---- what goes with it --------------------------------------------------------------------------

static void tethers_find_their_ways_along_woven_cloth(void** unused)
{
    (void)unused;
    static const int corners[] = {0, 10};
    pliant_soft_def woven_def = woven(0), edges = woven(0);
    edges.cloth.warp = 0;
    edges.cloth.stretch = woven_def.cloth.warp = 2; // far too soft for its weight
    double lowest[2];
    for (int kind = 0; kind < 2; ++kind) {
        pliant_soft_def* def = kind ? &edges : &woven_def;
        def->anchors = corners;
        def->anchor_count = 2;
        pliant_world* world = make_world(20, 1);
        pliant_body_id body = add_soft(world, generate("cloth:10x10:1x1"), def, 0);
        for (int i = 0; i < 2; ++i) pliant_body_pin(world, body, corners[i]);
        lowest[kind] = 0;
        for (int step = 0; step < 60; ++step) {
            run(world, 1, 0.01);
            place* x = read_places(world, body);
            for (int i = 0; i < 121; ++i) lowest[kind] = fmin(lowest[kind], x[i].x[1]);
            free(x);
        }
        pliant_world_destroy(world);
    }
    print_message("    woven cloth hangs down to %.3f m, one of edges %.3f m\n", lowest[0],
                  lowest[1]);
    CHECK_BETWEEN(lowest[0], -1.23, -0.8);
}

static void thickness_is_that_of_balls_of_its_particles(void** unused)
{
    (void)unused;
    pliant_soft_def def = woven(0);
    def.cloth.thickness = 0.02;
    pliant_world* world = make_world(20, 1);
    pliant_collider_def ground = pliant_collider_defaults();
    assert_true(new_collider(world, &ground).index1);
    pliant_body_id body = add_soft(world, generate("cloth:4x4:1x1"), &def, 0.05);
    run(world, 60, 0.01);
    CHECK_CLOSE(read_place(world, body, 12).x[1], 0.01, 0.02);
    pliant_world_destroy(world);
}

static void classic_manner_has_no_membranes(void** unused)
{
    (void)unused;
    pliant_soft_def def = woven(0);
    def.research.stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC;
    pliant_mesh* mesh = generate("cloth:2x2:1x1");
    pliant_asset* asset = NULL;
    assert_int_equal(pliant_asset_create(mesh, &def, &asset), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "leave out the warp"));
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_that_of_the_sheet_on_any_mesh_and_in_any_direction),
        cmocka_unit_test(sheet_without_directions_has_none),
        numbers_test(pulled_strip_has_the_modulus_of_its_threads),
        numbers_test(hanging_strip_stretches_by_its_weight),
        numbers_test(sheared_sheet_is_sheared_everywhere),
        numbers_test(damping_takes_energy_at_its_rate),
        cmocka_unit_test(spinning_sheet_keeps_its_momenta),
        cmocka_unit_test(tethers_find_their_ways_along_woven_cloth),
        cmocka_unit_test(thickness_is_that_of_balls_of_its_particles),
        cmocka_unit_test(classic_manner_has_no_membranes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
