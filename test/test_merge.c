// Copies of particles, with and without patches: what they weigh, and what they converge to.
#include "asset/asset.h"

#include "scene.h"

typedef struct {
    const char* name;
    pliant_schedule schedule;
    pliant_phantoms phantoms;
    int most_colors, patch_rows;
    double relaxation; // 0: 1
} copied;
static const copied kinds[] = {
    {.name = "patched", .patch_rows = 24},
    {.name = "phantom", .schedule = PLIANT_SCHEDULE_PHANTOM},
    {.name = "phantom, 2 colors", .schedule = PLIANT_SCHEDULE_PHANTOM, .most_colors = 2},
    {.name = "single phantoms",
     .schedule = PLIANT_SCHEDULE_PHANTOM,
     .phantoms = PLIANT_PHANTOMS_SINGLE},
    {.name = "hybrid", .schedule = PLIANT_SCHEDULE_HYBRID},
    {.name = "hybrid, 3 colors",
     .schedule = PLIANT_SCHEDULE_HYBRID,
     .most_colors = 3,
     .relaxation = 1.3},
    {.name = "jacobi", .schedule = PLIANT_SCHEDULE_JACOBI},
    {.name = "jacobi, relaxed", .schedule = PLIANT_SCHEDULE_JACOBI, .relaxation = 1.5},
    {.name = "colored", .schedule = PLIANT_SCHEDULE_COLORED},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], KINDS_WITH_COPIES = KINDS - 1 };

static pliant_soft_def soft_of(const copied* kind, pliant_merge merge)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.schedule = kind->schedule;
    soft.research.phantoms = kind->phantoms;
    soft.research.most_colors = kind->most_colors;
    soft.solver.patch_rows = kind->patch_rows;
    if (kind->relaxation > 0) soft.research.relaxation = kind->relaxation;
    soft.research.merge = merge;
    return soft;
}

// ---- plans --------------------------------------------------------------------------------------

// All of a particle's shares are one. Its own row has none where no constraint that is averaged
// works on it.
static void check_shares(const plan* p, bool own_share, const char* name)
{
    const int* phantom = p->copies.phantom;
    if (plan_phantom_count(p) == 0) fail_msg("%s: nothing is shared", name);
    for (int i = 0; i < p->particle_count; ++i) {
        double sum = p->copies.share[i];
        if (phantom[i] == phantom[i + 1]) continue;
        if (!own_share && sum != 0) fail_msg("%s: a share of %g at particle %d", name, sum, i);
        for (int k = phantom[i]; k < phantom[i + 1]; ++k) {
            CHECK_BETWEEN(p->copies.share[p->particle_count + k], 1e-3, 1);
            sum += p->copies.share[p->particle_count + k];
        }
        CHECK_CLOSE(sum, 1, 1e-14);
    }
}

static void phantoms_share_the_mass_of_their_particle(void** unused)
{
    (void)unused;
    for (int k = 1; k < KINDS_WITH_COPIES; ++k)
        for (int merge = 0; merge < 2; ++merge) {
            pliant_soft_def soft = soft_of(&kinds[k], (pliant_merge)merge);
            soft.solver.formulation = PLIANT_FORMULATION_DECOUPLED_NODES;
            pliant_asset* a = box_asset(&soft);
            check_shares(&a->plan, soft.solver.schedule == PLIANT_SCHEDULE_PHANTOM, kinds[k].name);
            pliant_asset_destroy(a);
        }
}

static void phantoms_bound_the_colors_of_a_body(void** unused)
{
    (void)unused;
    for (int k = 0; k < 8; ++k) {
        pliant_soft_def def = pliant_soft_defaults();
        def.solver.schedule = PLIANT_SCHEDULE_PHANTOM;
        def.research.phantoms = k % 2 ? PLIANT_PHANTOMS_SINGLE : PLIANT_PHANTOMS_GROUPED;
        def.research.most_colors = k / 2 == 3 ? 0 : 2 << k / 2;
        pliant_asset* a = box_asset(&def);
        pliant_asset_info info = pliant_asset_describe(a);
        int most = def.research.most_colors ? def.research.most_colors : info.clique / 2;
        if (info.colors > most || info.patches != 1 || !(info.copies > 1))
            fail_msg("%d colors of %d, %d patches, %g copies", info.colors, most, info.patches,
                     info.copies);
        pliant_asset_destroy(a);
    }
}

static void jacobi_has_one_color_and_a_row_for_each_corner(void** unused)
{
    (void)unused;
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.schedule = PLIANT_SCHEDULE_JACOBI;
    pliant_asset* a = box_asset(&def);
    pliant_asset_info info = pliant_asset_describe(a);
    assert_int_equal(info.colors, 1);
    assert_int_equal(plan_phantom_count(&a->plan), 4 * info.nodes);
    pliant_asset_destroy(a);
}

// ---- momentum -----------------------------------------------------------------------------------

// How far the momentum of a free body goes in 20 steps, in units of mass times 1 m/s.
static double drift_of(const pliant_soft_def* soft, const char* mesh, int iterations)
{
    pliant_world* world = make_still_world(20, iterations);
    pliant_body_id body = add_soft(world, generate(mesh), soft, 0);
    shake(world, body);
    motion before = measure_motion(world, body);
    run(world, 20, 0.01);
    motion after = measure_motion(world, body);
    pliant_world_destroy(world);
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += pow((after.momentum[k] - before.momentum[k]) / before.mass, 2);
    return sqrt(square);
}

// Velocities are read as floats, whose last bits differ by 1e-8 of a meter per second.
static void split_copies_keep_the_momentum(void** unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; ++k)
        for (int way = by_scope(k % 3, k % 3, 0); way < 8; way += by_scope(3, 3, 1)) {
            pliant_soft_def soft = soft_of(&kinds[k], PLIANT_MERGE_SPLIT);
            bool rope = way % 2 == 1, fine = way >= 4;
            soft.solver.precision = fine ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE;
            soft.material.damping = way % 4 == 2 ? 2e-3 : 0;
            double drift = drift_of(&soft, rope ? "rope:1:40" : "box6:3x2x2:0.1", 1 + way / 2);
            if (!(drift <= (fine ? 2e-8 : 5e-6)))
                fail_msg("%s, %s, %s, %d iterations: the momentum changes by %g m/s", kinds[k].name,
                         rope ? "rope" : "box", fine ? "double" : "single", 1 + way / 2, drift);
        }
}

static void duplicate_copies_lose_it(void** unused)
{
    (void)unused;
    for (int k = 0; k < KINDS_WITH_COPIES; ++k) {
        pliant_soft_def soft = soft_of(&kinds[k], PLIANT_MERGE_DUPLICATE);
        soft.solver.precision = PLIANT_PRECISION_DOUBLE;
        double drift = drift_of(&soft, "box6:3x2x2:0.1", 2);
        print_message("    %-18s the momentum changes by %.3g m/s, split by ", kinds[k].name,
                      drift);
        soft.research.merge = PLIANT_MERGE_SPLIT;
        print_message("%.1g\n", drift_of(&soft, "box6:3x2x2:0.1", 2));
        if (!(drift > 1e-4)) fail_msg("%s: only %g m/s", kinds[k].name, drift);
    }
}

// Three particles in a chain, a meter apart, the last one too far by a meter. Averaged with whole
// masses the middle one takes half of its correction, and the center of mass moves by a twelfth.
static void chain_of_three_shows_why(void** unused)
{
    (void)unused;
    const double vertices[] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const int edges[] = {0, 1, 1, 2};
    pliant_mesh_arrays arrays = {
        .vertices = vertices, .edges = edges, .vertex_count = 3, .edge_count = 2};
    for (int duplicate = 0; duplicate < 2; ++duplicate) {
        pliant_mesh* mesh = NULL;
        CHECK_OK(pliant_mesh_create(&arrays, &mesh));
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.schedule = PLIANT_SCHEDULE_JACOBI;
        soft.research.merge = duplicate ? PLIANT_MERGE_DUPLICATE : PLIANT_MERGE_SPLIT;
        soft.material.young = 1e15; // rigid
        soft.solver.precision = PLIANT_PRECISION_DOUBLE;
        soft.solver.integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER;
        pliant_world* world = make_still_world(1, 1);
        pliant_body_id body = add_soft(world, mesh, &soft, 0);
        const double places[] = {0, 0, 0, 1, 0, 0, 3, 0, 0};
        pliant_body_write_positions_exact(world, body, places, 3);
        motion before = measure_motion(world, body);
        pliant_set_log(NULL, NULL); // coarse on purpose
        run(world, 1, 1);
        place* x = read_places(world, body);
        motion after = measure_motion(world, body);
        double moved = after.center[0] - before.center[0];
        print_message("    %s: %.6f %.6f %.6f, the center moves by %.3g m\n",
                      duplicate ? "duplicate" : "split", x[0].x[0], x[1].x[0], x[2].x[0], moved);
        if (duplicate)
            CHECK_BETWEEN(fabs(moved), 0.01, 0.5);
        else
            CHECK_BETWEEN(fabs(moved), 0, 1e-12);
        free(x);
        pliant_world_destroy(world);
    }
}

// ---- rest ---------------------------------------------------------------------------------------

// How far the end of a damped beam hangs down [m].
static double sag_of(const copied* kind, int iterations)
{
    pliant_soft_def soft = soft_of(kind, PLIANT_MERGE_SPLIT);
    soft.material.young = 1e5;
    soft.material.damping = 0.05;
    pliant_world* world = make_world(60, iterations);
    pliant_body_id body = add_soft(world, box_mesh((int[3]){4, 2, 2}, 0.1, 0), &soft, 0);
    place rest = read_place(world, body, 4 * 3 * 3);
    for (int i = 0; i < 9; ++i) pliant_body_pin(world, body, i);
    run(world, 100, 0.01);
    double sag = rest.x[1] - read_place(world, body, 4 * 3 * 3).x[1];
    pliant_world_destroy(world);
    return sag;
}

// A single sweep lags, and one that averages lags more. Relaxed ones must be several: a soft
// constraint is then off by (1 - omega)^iterations.
static void all_hang_alike(void** unused)
{
    (void)unused;
    static const int iterations[] = {1, 4, 10};
    for (int i = 0; i < 3; ++i) {
        double expected = sag_of(&kinds[KINDS - 1], iterations[i]);
        for (int k = 0; k < KINDS - 1; ++k) {
            if ((kinds[k].relaxation > 0) != (i == 2)) continue;
            double sag = sag_of(&kinds[k], iterations[i]);
            if (!(fabs(sag - expected) <= (i ? 0.005 : 0.02) * expected))
                fail_msg("%s, %d iterations: hangs %.6g m, %.6g m without copies", kinds[k].name,
                         iterations[i], sag, expected);
        }
    }
}

// A body that is let go from a stretch comes back to its shape, to the places of its particles.
static void jacobi_finds_the_rest_state(void** unused)
{
    (void)unused;
    static const double omega[] = {0.5, 1, 1.5, 1.9};
    for (int i = 0; i < 4; ++i) {
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.schedule = PLIANT_SCHEDULE_JACOBI;
        soft.research.relaxation = omega[i];
        soft.material.damping = 5e-3;
        soft.solver.integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER;
        pliant_world* world = make_still_world(20, 6);
        pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 2, 2}, 0.1, 0.2), &soft, 0);
        int count = pliant_body_particle_count(world, body);
        place* x = read_places(world, body);
        for (int k = 0; k < count; ++k) x[k].x[0] *= 1.3;
        pliant_body_write_positions_exact(world, body, x->x, count);
        double start = get_energies(world).elastic;
        run(world, 60, 0.01);
        double left = get_energies(world).elastic;
        print_message("    relaxation %g: elastic energy from %.3g J to %.3g J\n", omega[i], start,
                      left);
        if (!(left < 1e-6 * start)) fail_msg("%g J of %g J are left", left, start);
        free(x);
        pliant_world_destroy(world);
    }
}

// ---- refusals -----------------------------------------------------------------------------------

static void settings_out_of_range_are_refused_by_name(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = one_tet(0.1);
    for (int i = 0; i < 7; ++i) {
        static const char* const words[] = {"most_colors", "most_colors", "relaxation",
                                            "relaxation",  "relaxation",  "merge",
                                            "phantoms"};
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_asset* asset = NULL;
        if (i < 2) soft.research.most_colors = i ? 257 : -1;
        if (i >= 2 && i < 5) soft.research.relaxation = i == 2 ? 0 : i == 3 ? 2 : (double)NAN;
        if (i == 5) soft.research.merge = (pliant_merge)2;
        if (i == 6) soft.research.phantoms = (pliant_phantoms)-1;
        assert_int_equal(pliant_asset_create(mesh, &soft, &asset), PLIANT_ERROR_ARGUMENT);
        if (!strstr(pliant_error_text(), words[i]))
            fail_msg("'%s' does not name %s", pliant_error_text(), words[i]);
    }
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phantoms_share_the_mass_of_their_particle),
        cmocka_unit_test(phantoms_bound_the_colors_of_a_body),
        cmocka_unit_test(jacobi_has_one_color_and_a_row_for_each_corner),
        numbers_test(split_copies_keep_the_momentum),
        numbers_test(duplicate_copies_lose_it),
        cmocka_unit_test(chain_of_three_shows_why),
        long_test(all_hang_alike),
        numbers_test(jacobi_finds_the_rest_state),
        cmocka_unit_test(settings_out_of_range_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
