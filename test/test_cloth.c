// Cloth, ropes, and solids of edges and volumes at rest: against closed forms, independent of
// substeps and of the mesh.
#include "scene.h"

enum { STILL = 100 }; // steps without a change that count as rest

// Steps of 10 ms until nothing moves: whenever the kinetic energy has passed a peak, all stop.
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

static pliant_soft_def elastic(void)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.rope.radius = 0.01;
    def.material.damping = 0.02;
    def.cloth =
        (pliant_cloth_def){.density = 0.2, .stretch = 200, .bending = 1e-3, .damping = 0.02};
    return def;
}

// ---- ropes --------------------------------------------------------------------------------------

// A rope along -y from its pinned end; how far its end sinks [m].
static double rope_sag(const pliant_soft_def* def, int segments, int substeps)
{
    char words[48];
    snprintf(words, sizeof words, "rope:1:%d", segments);
    pliant_world* world = make_world(substeps, 1);
    pliant_body_id body = add_soft(world, generate(words), def, 0);
    place* x = read_places(world, body);
    for (int i = 0; i <= segments; ++i) x[i] = (place){{0, -x[i].x[0], 0}};
    pliant_body_write_positions_exact(world, body, x->x, segments + 1);
    pliant_body_pin(world, body, 0);
    settle(world, body, STILL);
    double sag = -1 - read_place(world, body, segments).x[1];
    free(x);
    pliant_world_destroy(world);
    return sag;
}

// A heavy spring: density g length^2 / (2 E).
static const double rope_stretch = 1000 * 9.81 / 2e6;

static void hanging_rope_stretches_like_a_heavy_spring(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    for (int slack = 0; slack < 2; ++slack) {
        def.rope.slack = slack;
        CHECK_CLOSE(rope_sag(&def, 20, 500), rope_stretch, 1e-4);
    }
}

static void sag_of_a_rope_does_not_depend_on_substeps(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    def.solver.precision = PLIANT_PRECISION_DOUBLE;
    for (int i = 0; i < 2; ++i) {
        def.solver.integrator = i ? PLIANT_INTEGRATOR_IMPLICIT_EULER : PLIANT_INTEGRATOR_FORESIGHT;
        double error[3], substeps[] = {100, 200, 500};
        for (int k = 0; k < 3; ++k)
            error[k] = rope_sag(&def, 20, (int)substeps[k]) / rope_stretch - 1;
        print_message("    rope, %s: sag off by %.4f, %.4f, %.4f %% at 100, 200, 500 substeps\n",
                      i ? "implicit Euler" : "foresight", 100 * error[0], 100 * error[1],
                      100 * error[2]);
        for (int k = 0; k < 3; ++k) CHECK_BETWEEN(fabs(error[k]), 0, 0.01);
        CHECK_BETWEEN(error[0] / error[1], 3.6, 4.4);
    }
}

static void sag_of_a_rope_does_not_depend_on_its_segments(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    for (int segments = 5; segments <= 40; segments *= 2)
        CHECK_CLOSE(rope_sag(&def, segments, 200), rope_stretch, 0.01);
}

// ---- cloth --------------------------------------------------------------------------------------

// Cloth of a square meter between two edges that are held, under its own weight: how far its middle
// sinks [m].
static double hammock_sag(const pliant_soft_def* def, int cells, int substeps)
{
    char words[48];
    snprintf(words, sizeof words, "cloth:%dx%d:1x1", cells, cells);
    pliant_world* world = make_world(substeps, 1);
    pliant_body_id body = add_soft(world, generate(words), def, 0);
    pin_plane(world, body, 0, -0.5);
    pin_plane(world, body, 0, 0.5);
    settle(world, body, STILL);
    double sag = -read_place(world, body, (cells + 1) * (cells + 1) / 2).x[1];
    pliant_world_destroy(world);
    return sag;
}

// Against the parabola of a strip: w L^2 / (8 f) is the tension of the stretch 8/3 (f / L)^2.
static void hammock_hangs_like_a_parabola(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    double weight = def.cloth.density * 9.81, stiffness = 1.2 * def.cloth.stretch; // along a grid
    double expected = cbrt(3 * weight / (64 * stiffness));
    CHECK_CLOSE(hammock_sag(&def, 20, 100), expected, 0.03);
}

static void sag_of_cloth_does_not_depend_on_substeps(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    def.solver.precision = PLIANT_PRECISION_DOUBLE;
    def.cloth.stretch = 4000; // soft cloth has no error to be seen
    double sag[3];
    for (int i = 0; i < 3; ++i) sag[i] = hammock_sag(&def, 6, 50 << i);
    double finest = hammock_sag(&def, 6, 500);
    print_message("    cloth: sag %.6f, %.6f, %.6f m at 50, 100, 200 substeps, %.6f at 500\n",
                  sag[0], sag[1], sag[2], finest);
    CHECK_CLOSE(sag[1], finest, 0.02);
    CHECK_CLOSE(sag[2], finest, 0.02);
    CHECK_BETWEEN((sag[0] - sag[1]) / (sag[1] - sag[2]), 3.2, 4.8);
}

static void sag_of_cloth_does_not_depend_on_its_triangles(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    int cells_of_finest = by_scope(16, 16, 24);
    double finest = hammock_sag(&def, cells_of_finest, 100);
    for (int cells = 6; cells <= 12; cells *= 2) {
        double sag = hammock_sag(&def, cells, 100);
        print_message("    cloth of %dx%d cells: %.3f %% off one of %dx%d\n", cells, cells,
                      100 * (sag / finest - 1), cells_of_finest, cells_of_finest);
        CHECK_CLOSE(sag, finest, 0.05);
    }
}

// ---- bending ------------------------------------------------------------------------------------

static double energy_at(const pliant_soft_def* def, pliant_mesh* mesh, const double* places)
{
    pliant_world* world = make_still_world(1, 1);
    pliant_body_id body = add_soft(world, mesh, def, 0);
    pliant_body_write_positions_exact(world, body, places, pliant_body_particle_count(world, body));
    double energy = get_body_energies(world, body).elastic;
    pliant_world_destroy(world);
    return energy;
}

// Two triangles of 1 m^2 each at an edge of 2 m: bending / 2 edge^2 / (sum of areas) angle^2, with
// 2 sin(angle / 2) or 4 tan(angle / 4) for the angle.
static void bent_hinge_has_the_energy_of_its_angle(void** unused)
{
    (void)unused;
    static const double flat[] = {0, 0, 0, 2, 0, 0, 1, 1, 0, 1, -1, 0};
    static const int triangles[] = {0, 1, 2, 1, 0, 3};
    pliant_soft_def def = elastic();
    for (double angle = -2.5; angle < 2.6; angle += 0.5)
        for (int by = 0; by < 2; ++by) {
            double c = cos(angle / 2), s = sin(angle / 2);
            const double bent[] = {0, 0, 0, 2, 0, 0, 1, c, s, 1, -c, s};
            def.cloth.bending_by = (pliant_bending)by;
            double measure_of = by ? 4 * tan(angle / 4) : 2 * sin(angle / 2);
            double energy = energy_at(&def, create_triangles(flat, 4, triangles, 2), bent);
            double expected = def.cloth.bending / 2 * 4 / 2 * measure_of * measure_of;
            CHECK_CLOSE(energy, expected, 1e-6);
        }
}

// Rolled up without stretch: bending / 2 per area and curvature squared.
static void rolled_cloth_has_the_energy_of_a_plate(void** unused)
{
    (void)unused;
    enum { CELLS = 40 };
    pliant_soft_def def = elastic();
    for (int by = 0; by < 2; ++by) {
        pliant_mesh* mesh = generate("cloth:40x40:1x1");
        pliant_mesh_arrays m = pliant_mesh_view(mesh);
        double radius = 0.5, turn = 2 * asin(0.5 / CELLS / radius); // of a chord
        double* x = (double*)malloc((size_t)m.vertex_count * 3 * sizeof *x);
        for (int i = 0; i < m.vertex_count; ++i) {
            double at = turn * (i % (CELLS + 1));
            x[3 * i] = radius * sin(at);
            x[3 * i + 1] = radius * cos(at);
            x[3 * i + 2] = m.vertices[3 * i + 2];
        }
        def.cloth.bending_by = (pliant_bending)by;
        double bent_share = (CELLS - 1.0) / CELLS; // of its lines: the outermost are no hinges
        double expected = def.cloth.bending / 2 / (radius * radius) * bent_share;
        CHECK_CLOSE(energy_at(&def, mesh, x), expected, 0.002);
        free(x);
    }
}

static int hinge_count(const pliant_soft_def* def, const pliant_mesh* mesh)
{
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, def, &asset));
    int count = pliant_asset_describe(asset).constraints;
    pliant_asset_destroy(asset);
    pliant_soft_def without = *def;
    without.research.boundary.bending = 0;
    CHECK_OK(pliant_asset_create(mesh, &without, &asset));
    count -= pliant_asset_describe(asset).constraints;
    pliant_asset_destroy(asset);
    return count;
}

// The energy that bending adds to a body out of shape.
static double bending_energy(pliant_soft_def def, const pliant_mesh* mesh)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    double* x = (double*)malloc((size_t)m.vertex_count * sizeof(double[3]));
    for (int i = 0; i < m.vertex_count; ++i) {
        const double* v = m.vertices + 3 * (size_t)i;
        x[3 * i] = v[0] + 0.3 * v[1] * v[1];
        x[3 * i + 1] = v[1] - 0.2 * v[2] * v[0];
        x[3 * i + 2] = v[2];
    }
    double with = energy_at(&def, create(m), x);
    def.cloth.bending = def.research.boundary.bending = 0;
    double without = energy_at(&def, create(m), x);
    free(x);
    return with - without;
}

// The surface of a solid bends like cloth of the same triangles.
static void boundary_of_a_solid_has_hinges_at_all_its_edges(void** unused)
{
    (void)unused;
    pliant_mesh *solid = box_mesh((int[3]){4, 3, 2}, 0.5, 0.2), *surface = NULL;
    CHECK_OK(pliant_mesh_boundary(solid, &surface, NULL));
    for (int by = 0; by < 2; ++by) {
        pliant_soft_def def = elastic();
        def.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
        def.solver.precision = PLIANT_PRECISION_DOUBLE;
        def.material.damping = def.cloth.damping = 0; // no other rows
        def.research.boundary = (pliant_boundary_def){200, (pliant_bending)by};
        def.cloth.bending = 200;
        def.cloth.bending_by = (pliant_bending)by;
        assert_int_equal(hinge_count(&def, solid),
                         pliant_mesh_view(surface).triangle_count * 3 / 2);
        double expected = bending_energy(def, surface);
        assert_true(expected > 1);
        CHECK_CLOSE(bending_energy(def, solid), expected, 1e-6);
    }
    pliant_mesh_destroy(solid);
    pliant_mesh_destroy(surface);
}

// ---- volumes ------------------------------------------------------------------------------------

static double signed_volume(const place* x)
{
    double d[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) d[i][k] = x[i + 1].x[k] - x[0].x[k];
    return (d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
            d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
            d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0])) /
           6;
}

static pliant_soft_def by_edges(pliant_stiffness_mode manner)
{
    pliant_soft_def def = elastic();
    def.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    def.research.stiffness_mode = manner;
    return def;
}

// Pushed through itself, in either manner: edges alone would be at rest inside out.
static void inverted_tet_turns_back(void** unused)
{
    (void)unused;
    for (int manner = 0; manner < 2; ++manner) {
        pliant_soft_def def = by_edges((pliant_stiffness_mode)manner);
        pliant_world* world = make_still_world(manner ? 1 : 50, manner ? 10 : 1);
        pliant_body_id body = add_soft(world, one_tet(0.1), &def, 0);
        place* x = read_places(world, body);
        double volume = signed_volume(x);
        x[3].x[2] *= -1;
        pliant_body_write_positions_exact(world, body, x->x, 4);
        settle(world, body, STILL);
        free(x);
        x = read_places(world, body);
        CHECK_CLOSE(signed_volume(x), volume, 1e-3);
        free(x);
        pliant_world_destroy(world);
    }
}

// Stretch of a beam under its weight against density g length^2 / (2 E): a mesh of five tets a cell
// has directions, so that a tenth or two are allowed.
static void beam_of_edges_is_about_as_stiff_as_its_material(void** unused)
{
    (void)unused;
    pliant_soft_def def = by_edges(PLIANT_STIFFNESS_MODE_COMPLIANT);
    def.material.poisson = 0.3;
    double length[2], heavy = 1000 * 9.81 * 0.8 * 0.8 / (2 * def.material.young);
    for (int kind = 0; kind < 2; ++kind) {
        pliant_world* world = make_world(50, 1);
        if (kind) def.solver.formulation = PLIANT_FORMULATION_TEN_ROWS;
        pliant_world_set_gravity(world, vec(9.81, 0, 0));
        pliant_body_id body = add_soft(world, box_mesh((int[3]){8, 2, 2}, 0.1, 0), &def, 0);
        pin_plane(world, body, 0, 0);
        settle(world, body, STILL);
        length[kind] = read_place(world, body, 8 * 9 + 4).x[0] - 0.8;
        pliant_world_destroy(world);
    }
    print_message("    beam: stretch %.6f m by edges and volume, %.6f by ten rows; rod %.6f\n",
                  length[0], length[1], heavy);
    CHECK_CLOSE(length[0], length[1], 0.25);
}

// ---- air ----------------------------------------------------------------------------------------

static double enclosed_volume(const pliant_mesh* mesh, const place* x)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    m.vertices = x->x;
    return measure_last(create(m)).volume;
}

// A ball of cloth, inflated: the pressure is twice the tension over the radius. Tension is that of
// a sheet that is stretched alike in all directions, stretch / (1 - 1/3) times the strain.
static void inflated_ball_balances_pressure_and_tension(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    def.cloth.air = 2000;
    def.cloth.inflation = 1.5;
    def.cloth.stretch = 800;
    const char* ball = scope_now() == ALL ? "sphere:0.5:16" : "sphere:0.5:8";
    pliant_mesh* mesh = surface_of(ball);
    pliant_world* world = make_still_world(100, 1);
    pliant_body_id body = add_soft(world, surface_of(ball), &def, 0);
    settle(world, body, STILL);
    place* x = read_places(world, body);
    double volume = measure(mesh).volume, now = enclosed_volume(mesh, x);
    double pressure = def.cloth.air * (def.cloth.inflation - now / volume);
    double strain = cbrt(now / volume) - 1, radius = cbrt(3 * now / (4 * acos(-1)));
    // edges keep their stiffness per rest length: the tension is per rest width
    double tension = 1.5 * def.cloth.stretch * strain / (1 + strain);
    print_message("    ball: volume grows by %.4f, pressure %.2f Pa, tension 2 T / r %.2f Pa\n",
                  now / volume, pressure, 2 * tension / radius);
    CHECK_CLOSE(2 * tension / radius, pressure, 0.05);
    free(x);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// Air without compliance to speak of keeps its volume under a load.
static void squeezed_ball_keeps_its_volume(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    def.cloth.air = 1e5;
    pliant_mesh* mesh = surface_of("sphere:0.5:10");
    double volume = measure(mesh).volume;
    for (int held = 0; held < 2; ++held) {
        pliant_world* world = make_world(50, 1);
        pliant_collider_def ground = pliant_collider_defaults();
        assert_true(new_collider(world, &ground).index1);
        if (!held) def.cloth.air = 0;
        pliant_body_id body = add_soft(world, surface_of("sphere:0.5:10"), &def, 0.6);
        def.cloth.air = 1e5;
        run(world, 100, 0.01);
        place* x = read_places(world, body);
        double left = enclosed_volume(mesh, x) / volume;
        print_message("    ball on the ground, %s: %.4f of its volume\n", held ? "air" : "empty",
                      left);
        CHECK_BETWEEN(left, held ? 0.995 : 0, held ? 1.005 : 0.9);
        free(x);
        pliant_world_destroy(world);
    }
    pliant_mesh_destroy(mesh);
}

// ---- the classic manner, tethers, slack ---------------------------------------------------------

// One substep leaves 1 - k of a stretch, however many iterations it has.
static void classic_stiffness_does_not_depend_on_iterations(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    def.research.stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC;
    def.research.stiffness.stretch = 0.3;
    for (int iterations = 1; iterations <= 9; iterations += 4) {
        pliant_world* world = make_still_world(1, iterations);
        pliant_body_id body = add_soft(world, generate("rope:1:1"), &def, 0);
        const double stretched[] = {0, 0, 0, 1.5, 0, 0};
        pliant_body_write_positions_exact(world, body, stretched, 2);
        run(world, 1, 0.01);
        double length = read_place(world, body, 1).x[0] - read_place(world, body, 0).x[0];
        CHECK_CLOSE(length, 1.35, 1e-6);
        pliant_world_destroy(world);
    }
}

// Cloth that is far too soft for its weight, held at its upper corners.
static void tethers_keep_cloth_from_stretching(void** unused)
{
    (void)unused;
    static const int corners[] = {0, 10};
    double lowest[2];
    for (int tethered = 0; tethered < 2; ++tethered) {
        pliant_soft_def def = elastic();
        def.cloth.stretch = 2;
        def.anchors = tethered ? corners : NULL;
        def.anchor_count = tethered ? 2 : 0;
        pliant_world* world = make_world(20, 1);
        pliant_body_id body = add_soft(world, generate("cloth:10x10:1x1"), &def, 0);
        for (int i = 0; i < 2; ++i) pliant_body_pin(world, body, corners[i]);
        lowest[tethered] = 0;
        for (int step = 0; step < 100; ++step) {
            run(world, 1, 0.01);
            place* x = read_places(world, body);
            for (int i = 0; i < 121; ++i) lowest[tethered] = fmin(lowest[tethered], x[i].x[1]);
            free(x);
        }
        pliant_world_destroy(world);
    }
    print_message("    cloth of 1 m hangs down to %.3f m, with tethers %.3f m\n", lowest[0],
                  lowest[1]);
    CHECK_BETWEEN(lowest[0], -INFINITY, -1.6);
    CHECK_BETWEEN(lowest[1], -1.21, -0.9); // along the edges from a corner to the middle: 1.207
}

static void slack_rope_does_not_push(void** unused)
{
    (void)unused;
    const double short_rope[] = {0, 0, 0, 0.25, 0, 0};
    for (int slack = 0; slack < 2; ++slack) {
        pliant_soft_def def = elastic();
        def.rope.slack = slack;
        pliant_world* world = make_still_world(20, 2);
        pliant_body_id body = add_soft(world, generate("rope:1:1"), &def, 0);
        pliant_body_write_positions_exact(world, body, short_rope, 2);
        assert_true((get_body_energies(world, body).elastic == 0) == slack);
        run(world, 1, 0.01);
        assert_true((read_place(world, body, 1).x[0] == 0.25) == slack);
        pliant_world_destroy(world);
    }
}

// ---- damping ------------------------------------------------------------------------------------

// Two particles on a spring: energy falls as exp(-tau omega^2 t), with omega^2 = 2 k / m.
static void damping_takes_energy_at_its_rate(void** unused)
{
    (void)unused;
    pliant_soft_def def = elastic();
    def.material.young = 1e4;
    def.material.damping = 0.002;
    const double stretched[] = {-0.05, 0, 0, 1.05, 0, 0};
    pliant_world* world = make_still_world(1000, 1);
    pliant_body_id body = add_soft(world, generate("rope:1:1"), &def, 0);
    double omega2 = 2 * def.material.young / (def.material.density / 2); // k = E A, m = rho A / 2
    pliant_body_write_positions_exact(world, body, stretched, 2);
    pliant_energies first = get_body_energies(world, body);
    run(world, 50, 0.01);
    pliant_energies last = get_body_energies(world, body);
    double rate = -log((last.elastic + last.kinetic) / first.elastic) / 0.5;
    CHECK_CLOSE(rate, def.material.damping * omega2, 0.03);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(hanging_rope_stretches_like_a_heavy_spring),
        numbers_test(sag_of_a_rope_does_not_depend_on_substeps),
        numbers_test(sag_of_a_rope_does_not_depend_on_its_segments),
        numbers_test(hammock_hangs_like_a_parabola),
        long_test(sag_of_cloth_does_not_depend_on_substeps),
        numbers_test(sag_of_cloth_does_not_depend_on_its_triangles),
        cmocka_unit_test(bent_hinge_has_the_energy_of_its_angle),
        cmocka_unit_test(rolled_cloth_has_the_energy_of_a_plate),
        cmocka_unit_test(boundary_of_a_solid_has_hinges_at_all_its_edges),
        cmocka_unit_test(inverted_tet_turns_back),
        numbers_test(beam_of_edges_is_about_as_stiff_as_its_material),
        numbers_test(inflated_ball_balances_pressure_and_tension),
        numbers_test(squeezed_ball_keeps_its_volume),
        numbers_test(classic_stiffness_does_not_depend_on_iterations),
        numbers_test(tethers_keep_cloth_from_stretching),
        cmocka_unit_test(slack_rope_does_not_push),
        cmocka_unit_test(damping_takes_energy_at_its_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
