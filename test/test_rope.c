// Ropes that bend: the heavy elastica and the catenary, whatever the segments.
#include "scene.h"

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

// Of a centimeter's radius and 1 kg/l, that hardly stretches.
static pliant_soft_def thin(double young)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.rope.radius = 0.01;
    def.material.young = young;
    def.material.damping = 0.01;
    return def;
}
static const double rope_weight = 3.14159265358979324e-4 * 1000 * 9.81; // [N/m]

// ---- the heavy elastica -------------------------------------------------------------------------

// How far the tip of a strip of one meter sinks that is clamped level at the other end [m]. The
// clamp is the middle of its first segment, whose ends are pinned.
static double tip_drop(double load, int segments, int substeps)
{
    char words[48];
    pliant_soft_def def = thin(1e8);
    double edge = 1 / (segments - 0.5);
    def.rope.bending = rope_weight / load;
    snprintf(words, sizeof words, "rope:%.12f:%d", edge * segments, segments);
    pliant_world* world = make_world(substeps, 1);
    pliant_body_id body = add_soft(world, generate(words), &def, 0);
    pliant_body_pin(world, body, 0);
    pliant_body_pin(world, body, 1);
    settle(world, body, 100);
    double drop = read_place(world, body, 0).x[1] - read_place(world, body, segments).x[1];
    pliant_world_destroy(world);
    return drop;
}

static void heavy_elastica_hangs_as_its_closed_form(void** unused)
{
    (void)unused;
    static const double load[] = {1, 4, 8}, expected[] = {0.1235, 0.4252, 0.6406};
    for (int i = 0; i < 3; ++i) {
        double drop = tip_drop(load[i], 12, i ? 100 : 200);
        print_message("    w L^3 / B = %g: tip %.5f of %.4f m\n", load[i], drop, expected[i]);
        CHECK_CLOSE(drop, expected[i], 0.01);
    }
}

static void elastica_does_not_depend_on_segments_and_substeps(void** unused)
{
    (void)unused;
    double fine = tip_drop(4, 20, 200);
    for (int segments = 8; segments <= 16; segments += 4) {
        double drop = tip_drop(4, segments, 100);
        print_message("    %d segments: tip %.5f, 20: %.5f m\n", segments, drop, fine);
        CHECK_CLOSE(drop, fine, 0.01);
    }
    CHECK_CLOSE(tip_drop(4, 8, 40), tip_drop(4, 8, 160), 0.005);
}

// ---- the catenary -------------------------------------------------------------------------------

typedef struct {
    double sag;     // [-] over the span
    double tension; // [-] at the ends over that in the middle
} chain;

// A rope of 1.25 m between two pins that are 1 m apart; tensions from the forces of the pins.
static chain hang(int segments, double bending)
{
    char words[48];
    pliant_soft_def def = thin(1e8);
    def.rope.bending = bending;
    snprintf(words, sizeof words, "rope:1.25:%d", segments);
    pliant_world* world = make_world(100, 1);
    pliant_body_id body = add_soft(world, generate(words), &def, 0);
    place* x = read_places(world, body);
    for (int i = 0; i <= segments; ++i) {
        double s = 2.0 * i / segments - 1; // along a parabola about as long
        x[i] = (place){{s / 2, 0.36 * (s * s - 1), 0}};
    }
    pliant_body_write_positions_exact(world, body, x->x, segments + 1);
    free(x);
    pliant_body_pin(world, body, 0);
    pliant_body_pin(world, body, segments);
    settle(world, body, 150);
    pliant_vec3 before[64];
    double force[3 * 64];
    CHECK_OK(pliant_body_read_velocities(world, body, before, 64));
    CHECK_OK(pliant_world_step(world, 0.01f));
    CHECK_OK(pliant_body_read_pin_forces(world, body, before, 0.01, force, 64));
    chain c = {-read_place(world, body, segments / 2).x[1],
               sqrt(force[0] * force[0] + force[1] * force[1]) / fabs(force[0])};
    pliant_world_destroy(world);
    return c;
}

static void rope_hangs_as_a_catenary(void** unused)
{
    (void)unused;
    for (int segments = 16; segments <= 24; segments += 8) {
        chain c = hang(segments, segments == 24 ? 1e-6 : 0);
        print_message("    %d segments: sag %.5f of 0.3318, tension %.4f of 1.785\n", segments,
                      c.sag, c.tension);
        CHECK_CLOSE(c.sag, 0.3318, 0.01);
        CHECK_CLOSE(c.tension, 1.785, 0.01);
    }
}

// ---- what has no bending ------------------------------------------------------------------------

// A knot of three edges turns freely, and a ring bends all around.
static void only_two_edges_make_a_kink(void** unused)
{
    (void)unused;
    static const double star[] = {0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 2, 0};
    static const int edges[] = {0, 1, 0, 2, 0, 3, 3, 4};
    pliant_soft_def def = thin(1e6);
    def.rope.bending = 1;
    pliant_mesh_arrays arrays = {
        .vertices = star, .vertex_count = 5, .edges = edges, .edge_count = 4};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    pliant_world* world = make_world(10, 1);
    pliant_body_id body = add_soft(world, mesh, &def, 0);
    place* x = read_places(world, body);
    x[1] = (place){{0, -1, 0}}; // at the knot
    pliant_body_write_positions_exact(world, body, x->x, 5);
    CHECK_CLOSE(get_body_energies(world, body).elastic, 0, 1e-12);
    x[4] = (place){{1, 1, 0}}; // at the particle of two edges: |t1 - t0| of 90 degrees
    pliant_body_write_positions_exact(world, body, x->x, 5);
    CHECK_CLOSE(get_body_energies(world, body).elastic, 1, 1e-5);
    free(x);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_elastica_hangs_as_its_closed_form),
        cmocka_unit_test(elastica_does_not_depend_on_segments_and_substeps),
        cmocka_unit_test(rope_hangs_as_a_catenary),
        cmocka_unit_test(only_two_edges_make_a_kink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
