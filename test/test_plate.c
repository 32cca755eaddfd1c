// Cloth that bends as a plate: energies of what is bent alike everywhere against closed forms,
// along the lines of a mesh and across, strips that hang, shapes that are bent at rest.
#include "scene.h"

// A sheet that is bent but cannot be stretched, since it has no weight to speak of.
static pliant_soft_def plate(double along, double across)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.precision = PLIANT_PRECISION_DOUBLE;
    def.cloth = (pliant_cloth_def){.density = 0.2,
                                   .stretch = 1e-9,
                                   .bending = along,
                                   .bending_weft = across,
                                   .bending_by = PLIANT_BENDING_PLATE,
                                   .poisson = 0.25,
                                   .damping = 2e-3,
                                   .warp_direction = {1, 0, 0}};
    return def;
}

// Rows of triangles with equal sides, of about 1 x 1 m; `turn` turns them in their plane.
static pliant_mesh* equal_sides(int columns, double turn)
{
    enum { MOST = 64 };
    static double x[3 * MOST * MOST];
    static int triangle[6 * MOST * MOST];
    const double side = 1.0 / columns, height = side * sqrt(3) / 2;
    int rows = (int)(1 / height + 0.5), count = 0, wide = columns + 1;
    for (int r = 0; r <= rows; ++r)
        for (int c = 0; c < wide; ++c) {
            double* at = x + 3 * (r * wide + c);
            double a = c * side + (r % 2 ? side / 2 : 0) - 0.5, b = r * height - 0.5;
            at[0] = cos(turn) * a - sin(turn) * b;
            at[1] = 0;
            at[2] = sin(turn) * a + cos(turn) * b;
        }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c, count += 2) {
            int p = r * wide + c, q = p + wide, *t = triangle + 3 * count;
            const int even[] = {p, q, p + 1, p + 1, q, q + 1};
            const int odd[] = {p, q, q + 1, p, q + 1, p + 1};
            memcpy(t, r % 2 ? odd : even, sizeof even);
        }
    return create_triangles(x, (rows + 1) * wide, triangle, count);
}

// Lifts a flat sheet to the height 1/2 x K x [m], and tells its energy.
static double energy_of(const pliant_soft_def* def, pliant_mesh* mesh, const double k[3])
{
    pliant_world* world = make_still_world(1, 1);
    pliant_body_id body = add_soft(world, mesh, def, 0);
    place* x = read_places(world, body);
    int count = pliant_body_particle_count(world, body);
    for (int i = 0; i < count; ++i) {
        double a = x[i].x[0], b = x[i].x[2];
        x[i].x[1] = k[0] * a * a / 2 + k[1] * b * b / 2 + k[2] * a * b;
    }
    CHECK_OK(pliant_body_write_positions_exact(world, body, x->x, count));
    free(x);
    double energy = get_body_energies(world, body).elastic;
    pliant_world_destroy(world);
    return energy;
}

// [J/m^2] Of a plane orthotropic plate with the curvatures along the warp, across, and their twist.
static double closed_form(const pliant_cloth_def* c, const double k[3])
{
    double n = c->poisson, d = 1 - n * n,
           across = c->bending_weft > 0 ? c->bending_weft : c->bending;
    double both = sqrt(c->bending * across);
    return (c->bending / d * k[0] * k[0] + 2 * n * both / d * k[0] * k[1] +
            across / d * k[1] * k[1] + both / (2 * (1 + n)) * 4 * k[2] * k[2]) /
           2;
}

static double area_of(pliant_mesh* mesh) { return measure_last(mesh).area; }

// At the rim a triangle lacks neighbors: of twice as fine a mesh half as much is missing. A grid
// with cuts in alternating directions is exact for what is not twisted.
static void check_bent(const pliant_soft_def* def, pliant_mesh* mesh[2], double area[2],
                       const double k[3], const char* name)
{
    double expected = closed_form(&def->cloth, k), share[2];
    for (int i = 0; i < 2; ++i) share[i] = energy_of(def, mesh[i], k) / area[i] / expected;
    double whole = 2 * share[1] - share[0];
    print_message("    %s, curvatures %g %g %g: %.4f and %.4f, without rim %.4f of the plate\n",
                  name, k[0], k[1], k[2], share[0], share[1], whole);
    CHECK_CLOSE(whole, 1, 0.02);
}

static void bent_sheet_has_the_energy_of_a_plate_in_any_direction_and_mesh(void** unused)
{
    (void)unused;
    static const double k[][3] = {{0.02, 0, 0},     {0, 0.02, 0},       {0.02, 0.02, 0},
                                  {0.02, -0.02, 0}, {0.01, 0.01, 0.01}, {0, 0, 0.02}};
    pliant_soft_def def = plate(2e-3, 5e-4);
    for (int form = 0; form < 6; ++form)
        for (int kind = k[form][2] != 0; kind < 3; ++kind) {
            pliant_mesh* mesh[2];
            double area[2];
            for (int i = 0; i < 2; ++i) {
                for (int again = 0; again < 2; ++again) {
                    mesh[i] = kind ? equal_sides(14 << i, 0.3 * (kind - 1))
                                   : generate(i ? "cloth:32x32:1x1" : "cloth:16x16:1x1");
                    if (!again) area[i] = area_of(mesh[i]);
                }
            }
            check_bent(&def, mesh, area, k[form],
                       kind == 0   ? "grid"
                       : kind == 1 ? "equal sides"
                                   : "the same, turned");
        }
}

// ---- bent at rest -------------------------------------------------------------------------------

// Unlike an isometric hinge, it knows on which side its bend is.
static void sheet_that_is_bent_at_rest_knows_its_side(void** unused)
{
    (void)unused;
    pliant_soft_def def = plate(1e-3, 0);
    pliant_mesh* flat = generate("cloth:4x4:1x1");
    pliant_mesh_arrays m = pliant_mesh_view(flat);
    double* x = (double*)malloc((size_t)m.vertex_count * 3 * sizeof *x);
    double energy[2];
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < m.vertex_count; ++i) {
            memcpy(x + 3 * i, m.vertices + 3 * i, 3 * sizeof *x);
            x[3 * i + 1] = 0.3 * x[3 * i] * x[3 * i];
        }
        pliant_mesh* bent = create_triangles(x, m.vertex_count, m.triangles, m.triangle_count);
        pliant_world* world = make_still_world(1, 1);
        pliant_body_id body = add_soft(world, bent, &def, 0);
        for (int i = 0; i < m.vertex_count && side; ++i) x[3 * i + 1] *= -1;
        CHECK_OK(pliant_body_write_positions_exact(world, body, x, m.vertex_count));
        energy[side] = get_body_energies(world, body).elastic;
        pliant_world_destroy(world);
    }
    assert_true(energy[0] < 1e-20 && energy[1] > 1e-4);
    free(x);
    pliant_mesh_destroy(flat);
}

// ---- a strip ------------------------------------------------------------------------------------

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

// How far the tip of a strip sinks over its length that is clamped in the middle of its first row
// of cells; weight times length cubed over bending is 4.
static double strip_drop(int cells, int substeps, int iterations)
{
    const double length = 0.2, edge = length / (cells - 0.5);
    char words[64];
    pliant_soft_def def = plate(0, 0);
    def.solver.precision = PLIANT_PRECISION_SINGLE;
    def.cloth.poisson = 0;
    def.cloth.warp = 300;
    def.cloth.bending = def.cloth.density * 9.81 * length * length * length / 4;
    snprintf(words, sizeof words, "cloth:%dx2:%.12fx0.03", cells, edge * cells);
    pliant_world* world = make_world(substeps, iterations);
    pliant_body_id body = add_soft(world, generate(words), &def, 0);
    place* x = read_places(world, body);
    int count = pliant_body_particle_count(world, body), tip = 0;
    for (int i = 0; i < count; ++i) {
        if (x[i].x[0] < x[0].x[0] + 1.01 * edge) pliant_body_pin(world, body, i);
        if (x[i].x[0] > x[tip].x[0]) tip = i;
    }
    free(x);
    settle(world, body, 120);
    double drop = -read_place(world, body, tip).x[1] / length;
    pliant_world_destroy(world);
    return drop;
}

static void heavy_strip_hangs_as_the_elastica(void** unused)
{
    (void)unused;
    static const struct {
        int cells, substeps, iterations;
    } ways[] = {{12, 100, 1}, {8, 60, 1}, {12, 20, 8}};
    for (int i = 0; i < 3; ++i) {
        double drop = strip_drop(ways[i].cells, ways[i].substeps, ways[i].iterations);
        print_message("    %d cells, %d substeps of %d iterations: tip %.4f of 0.4252\n",
                      ways[i].cells, ways[i].substeps, ways[i].iterations, drop);
        CHECK_CLOSE(drop, 0.4252, 0.02);
    }
}

// ---- bends that stay ----------------------------------------------------------------------------

// A strip of 0.4 x 0.1 m in the plane y = 0, rolled to a curvature and held so; its energy per area
// that bends, where what is beyond the yield curvature has flowed.
static double rolled_energy(pliant_world* world, pliant_body_id body, double curvature)
{
    place* x = read_places(world, body);
    int count = pliant_body_particle_count(world, body);
    const double cell = 0.4 / 16;
    double chord = curvature > 0 ? 2 * asin(cell * curvature / 2) : 0;
    for (int i = 0; i < count; ++i) {
        double at = (i % 17 - 8) * chord, z = 0.1 / 4 * (i / 17 - 2);
        x[i] = curvature > 0 ? (place){{sin(at) / curvature, (1 - cos(at)) / curvature, z}}
                             : (place){{(i % 17 - 8) * cell, 0, z}};
        pliant_body_pin(world, body, i);
    }
    CHECK_OK(pliant_body_write_positions_exact(world, body, x->x, count));
    free(x);
    run(world, 3, 0.01);
    return get_body_energies(world, body).elastic / (0.1 * 0.4 * 15 / 16);
}

// Bent to a curvature k and back: elastic up to the yield curvature y, the moment of (B y + H k) /
// (1 + H / B) beyond it, and flat again it is bent the other way by what has flowed.
static void bent_metal_keeps_what_is_beyond_its_yield_curvature(void** unused)
{
    (void)unused;
    const double bending = 0.5, yield = 2;
    for (int way = 0; way < 3; ++way) {
        pliant_soft_def def = plate(bending, 0);
        def.cloth.poisson = 0;
        def.cloth.damping = 0;
        def.cloth.yield_curvature = yield;
        def.cloth.hardening = way == 1 ? 0.25 : 0;
        pliant_world* world = make_still_world(20, 1);
        pliant_body_id body = add_soft(world, generate("cloth:16x4:0.4x0.1"), &def, 0);
        double k = way == 2 ? 1.5 : 4, h = def.cloth.hardening / bending;
        double elastic = k < yield ? k : (yield + h * k) / (1 + h), flowed = k - elastic;
        double rolled = rolled_energy(world, body, k), flat = rolled_energy(world, body, 0);
        print_message("    hardening %g: rolled %.5f of %.5f, flat %.5f of %.5f J/m^2\n",
                      def.cloth.hardening, rolled, bending / 2 * elastic * elastic, flat,
                      bending / 2 * flowed * flowed);
        CHECK_CLOSE(rolled, bending / 2 * elastic * elastic, 0.01);
        if (flowed > 0) CHECK_CLOSE(flat, bending / 2 * flowed * flowed, 0.01);
        if (flowed <= 0) assert_true(flat < 1e-12);
        pliant_world_destroy(world);
    }
}

static uint64_t creased_digest(int lanes, int threads, bool restored)
{
    pliant_soft_def def = plate(1e-3, 0);
    pliant_world_def world_def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.solver.precision = PLIANT_PRECISION_SINGLE;
    def.solver.patch_rows = 64;
    def.cloth.stretch = 200;
    def.cloth.yield_curvature = 0.5;
    world_def.substeps = 10;
    world_def.lanes = lanes;
    world_def.threads = threads;
    CHECK_OK(pliant_world_create(&world_def, &world));
    pliant_body_id body = add_soft(world, generate("cloth:12x6:0.6x0.3"), &def, 0);
    pin_plane(world, body, 0, -0.3);
    run(world, 8, 0.02);
    if (restored) {
        size_t bytes = pliant_world_snapshot_size(world);
        void* kept = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, kept, bytes));
        run(world, 8, 0.02);
        CHECK_OK(pliant_world_snapshot_restore(world, kept, bytes));
        free(kept);
    }
    run(world, 8, 0.02);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void bends_that_stay_have_the_same_bits_and_are_in_snapshots(void** unused)
{
    (void)unused;
    uint64_t first = creased_digest(1, 1, false);
    assert_true(creased_digest(4, 2, false) == first && creased_digest(16, 1, false) == first);
    assert_true(creased_digest(8, 1, true) == first);
}

// ---- what it cannot do --------------------------------------------------------------------------

static void what_has_no_plates_says_so(void** unused)
{
    (void)unused;
    pliant_asset* asset = NULL;
    pliant_soft_def def = plate(1e-3, 0);
    def.research.stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC;
    pliant_mesh* sheet = generate("cloth:2x2:1x1");
    assert_int_equal(pliant_asset_create(sheet, &def, &asset), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "knows no plates"));
    pliant_mesh_destroy(sheet);
    def = plate(1e-3, 0);
    def.cloth.yield_curvature = 1;
    def.cloth.bending_by = PLIANT_BENDING_ANGLE;
    sheet = generate("cloth:2x2:1x1");
    assert_int_equal(pliant_asset_create(sheet, &def, &asset), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "only plates keep their bends"));
    pliant_mesh_destroy(sheet);
    def = pliant_soft_defaults();
    def.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    def.research.boundary = (pliant_boundary_def){1, PLIANT_BENDING_PLATE};
    pliant_mesh* solid = box_mesh((int[3]){1, 1, 1}, 0.1, 0);
    assert_int_equal(pliant_asset_create(solid, &def, &asset), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "has hinges"));
    pliant_mesh_destroy(solid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(bent_sheet_has_the_energy_of_a_plate_in_any_direction_and_mesh),
        cmocka_unit_test(sheet_that_is_bent_at_rest_knows_its_side),
        numbers_test(heavy_strip_hangs_as_the_elastica),
        cmocka_unit_test(bent_metal_keeps_what_is_beyond_its_yield_curvature),
        cmocka_unit_test(bends_that_stay_have_the_same_bits_and_are_in_snapshots),
        cmocka_unit_test(what_has_no_plates_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
