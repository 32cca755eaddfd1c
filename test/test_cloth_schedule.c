// Bodies of mixed constraints under every schedule: the same bits for all threads and widths,
// momentum, bad starts.
#include "scene.h"

static const struct {
    const char* name;
    pliant_schedule schedule;
    pliant_interface interface;
    int patch_rows;
    pliant_color_scope color_scope;
} orders[] = {
    {"one patch", PLIANT_SCHEDULE_PATCHED, PLIANT_INTERFACE_MERGED, 0, PLIANT_COLOR_SCOPE_ALL},
    {"small patches", PLIANT_SCHEDULE_PATCHED, PLIANT_INTERFACE_MERGED, 64, PLIANT_COLOR_SCOPE_ALL},
    {"patches by turns", PLIANT_SCHEDULE_PATCHED, PLIANT_INTERFACE_ORDERED, 64,
     PLIANT_COLOR_SCOPE_ALL},
    {"colored", PLIANT_SCHEDULE_COLORED, PLIANT_INTERFACE_MERGED, 0, PLIANT_COLOR_SCOPE_ALL},
    {"clustered", PLIANT_SCHEDULE_CLUSTERED, PLIANT_INTERFACE_MERGED, 0, PLIANT_COLOR_SCOPE_ALL},
    {"colored by type", PLIANT_SCHEDULE_COLORED, PLIANT_INTERFACE_MERGED, 0,
     PLIANT_COLOR_SCOPE_TYPE},
    {"patches by type", PLIANT_SCHEDULE_PATCHED, PLIANT_INTERFACE_MERGED, 64,
     PLIANT_COLOR_SCOPE_TYPE},
    {"phantoms by type", PLIANT_SCHEDULE_PHANTOM, PLIANT_INTERFACE_MERGED, 0,
     PLIANT_COLOR_SCOPE_TYPE},
    {"serial", PLIANT_SCHEDULE_SERIAL, PLIANT_INTERFACE_MERGED, 0, PLIANT_COLOR_SCOPE_ALL}};
enum { ORDERS = sizeof orders / sizeof *orders };

// Bodies that have all types between them.
enum {
    CLOTH,
    CLOTH_BY_ANGLE,
    WOVEN_CLOTH,
    PLATES,
    CLASSIC_CLOTH,
    BALL,
    SLACK_ROPE,
    EDGES,
    CLASSIC_EDGES,
    KINDS
};
static const char* const kind_name[] = {"cloth",      "cloth by angle",   "woven cloth",
                                        "plates",     "classic cloth",    "ball of air",
                                        "slack rope", "edges and volume", "classic edges"};

static bool is_classic(int kind) { return kind == CLASSIC_CLOTH || kind == CLASSIC_EDGES; }

static pliant_soft_def def_of(int kind, int order)
{
    static const int anchors[] = {0, 12};
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.schedule = orders[order].schedule;
    def.solver.patch_interface = orders[order].interface;
    def.solver.patch_rows = orders[order].patch_rows;
    def.research.color_scope = orders[order].color_scope;
    def.radius = 0.01;
    def.rope.slack = true;
    def.material =
        (pliant_material_def){.density = 500, .young = 1e5, .poisson = 0.4, .damping = 1e-3};
    def.cloth = (pliant_cloth_def){.density = 0.2, .stretch = 200, .bending = 1e-4};
    def.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    def.research.stiffness = (pliant_stiffness_def){0.9, 0.2, 0.3, 0.8, 0.5};
    if (is_classic(kind)) def.research.stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC;
    if (kind == CLOTH_BY_ANGLE) def.cloth.bending_by = PLIANT_BENDING_ANGLE;
    def.research.boundary.bending = 0.1;
    if (kind == CLASSIC_EDGES) def.research.boundary.bending_by = PLIANT_BENDING_ANGLE;
    if (kind == PLATES) def.cloth.bending_by = PLIANT_BENDING_PLATE, def.cloth.bending_weft = 2e-4;
    if (kind == WOVEN_CLOTH) {
        def.cloth.warp = 300, def.cloth.weft = 150, def.cloth.shear = 20, def.cloth.poisson = 0.3;
        def.cloth.warp_direction[0] = 1, def.cloth.warp_direction[2] = 0.5;
    }
    if (kind == BALL) def.cloth.air = 2e4, def.cloth.inflation = 1.1;
    if (kind != CLOTH) def.cloth.area = 100, def.cloth.damping = 1e-3;
    if (kind == CLOTH || kind == CLASSIC_CLOTH) {
        def.anchors = anchors;
        def.anchor_count = 2;
    }
    return def;
}

static pliant_mesh* mesh_of(int kind)
{
    if (kind == BALL) return surface_of("sphere:0.4:8");
    if (kind == SLACK_ROPE) return generate("rope:1:150");
    if (kind >= EDGES) return box_mesh((int[3]){6, 3, 3}, 0.1, 0.1);
    return generate("cloth:12x12:1x1");
}

static pliant_body_id add_kind(pliant_world* world, int kind, const pliant_soft_def* def)
{
    pliant_body_id body = add_soft(world, mesh_of(kind), def, kind == BALL ? 0.96 : 0.6);
    if (kind < EDGES) {
        pliant_body_pin(world, body, 0);
        pliant_body_pin(world, body, 12);
    }
    return body;
}

static pliant_world* world_of(int substeps, int iterations, int lanes, int threads)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = substeps;
    def.iterations = iterations;
    def.lanes = lanes;
    def.threads = threads;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

static void add_ground(pliant_world* world)
{
    pliant_collider_def ground = pliant_collider_defaults(), ball = ground;
    ball.shape = PLIANT_SHAPE_SPHERE;
    ball.radius = 0.3f;
    ball.position[1] = 0.25;
    assert_true(new_collider(world, &ground).index1);
    assert_true(new_collider(world, &ball).index1);
}

static uint64_t digest_after(int kind, const pliant_soft_def* def, int iterations, int lanes,
                             int threads, int* out_contacts)
{
    pliant_world* world = world_of(iterations > 1 ? 5 : 15, iterations, lanes, threads);
    add_ground(world);
    add_kind(world, kind, def);
    for (int i = 0; i < 12; ++i) {
        run(world, 1, 0.016);
        *out_contacts += count_contacts(world);
    }
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

// Threads and widths, with contacts, of a schedule: one way against all others, or against one of
// them in turn. The thread sanitizer sees those with threads.
static void check_bits(int kind, int order, int iterations)
{
    static const int lanes[] = {16, 4, 8, 1}, threads[] = {3, 2, 1, 1};
    // The thread sanitizer looks at threads; the bits are compared elsewhere.
    const int others = UNDER_THREAD_SANITIZER ? by_scope(0, 1, 1) : 3;
    const int turn = others > 0 ? 1 + (kind + 2 * order) % others : 0;
    pliant_soft_def def = def_of(kind, order);
    uint64_t first = 0;
    int contacts = 0;
    for (int i = 0; i <= others; ++i) {
        if (i > 0 && i != turn && scope_now() < ALL) continue;
        uint64_t digest = digest_after(kind, &def, iterations, lanes[i], threads[i], &contacts);
        if (i == 0) first = digest;
        if (digest != first)
            fail_msg("%s, %s, %d iterations: other bits with %d lanes and %d threads",
                     kind_name[kind], orders[order].name, iterations, lanes[i], threads[i]);
    }
    if (contacts == 0) fail_msg("%s meets nothing", kind_name[kind]);
}

static void threads_and_widths_give_the_same_bits(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int order = 0; order < ORDERS; ++order)
            if ((kind + order) % by_scope(KINDS, 1, 1) == 0)
                check_bits(kind, order, 1 + 2 * ((kind + order) % 2));
}

static void double_precision_gives_the_same_bits_with_any_threads(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; kind += by_scope(2, 1, 1)) {
        pliant_soft_def def = def_of(kind, kind % ORDERS);
        int contacts = 0;
        def.solver.precision = PLIANT_PRECISION_DOUBLE;
        uint64_t one = digest_after(kind, &def, 1, 1, 1, &contacts);
        assert_true(digest_after(kind, &def, 1, 1, 3, &contacts) == one);
    }
}

// Schedules are different orders of the same work: the same motion up to the lag of a sweep.
static void schedules_agree_on_the_motion(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; ++kind) {
        double height[ORDERS];
        if (is_classic(kind)) continue; // stiffness lies in the order
        for (int order = 0; order < ORDERS; ++order) {
            pliant_soft_def def = def_of(kind, order);
            pliant_world* world = world_of(40, 1, 0, 1);
            pliant_body_id body = add_kind(world, kind, &def);
            run(world, 12, 0.016);
            height[order] = measure_motion(world, body).center[1] - 0.6;
            pliant_world_destroy(world);
        }
        for (int order = 1; order < ORDERS; ++order) {
            bool copied = orders[order].schedule == PLIANT_SCHEDULE_PHANTOM; // so many copies lag
            CHECK_CLOSE(height[order], height[0], copied ? 0.1 : 0.01);
        }
    }
}

// Free in space, thrown about.
static void linear_momentum_is_kept(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int order = 0; order < ORDERS; ++order) {
            pliant_soft_def def = def_of(kind, order);
            random_source random = {3};
            pliant_world* world = make_still_world(20, 1);
            pliant_body_id body = add_soft(world, mesh_of(kind), &def, 0);
            int count = pliant_body_particle_count(world, body);
            pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
            for (int i = 0; i < count; ++i)
                v[i] = vec(random_range(&random, -1, 1), random_range(&random, -1, 1),
                           random_range(&random, -1, 1));
            pliant_body_write_velocities(world, body, v, count);
            motion before = measure_motion(world, body);
            run(world, 5, 0.01);
            motion after = measure_motion(world, body);
            for (int k = 0; k < 3; ++k) {
                double change = fabs(after.momentum[k] - before.momentum[k]);
                if (!(change <= 1e-5 * before.mass * before.speed))
                    fail_msg("%s, %s: momentum changes by %g kg m/s of %g", kind_name[kind],
                             orders[order].name, change, before.mass * before.speed);
            }
            free(v);
            pliant_world_destroy(world);
        }
}

// All particles in one point, on a line, in a plane: no direction anywhere, and nothing but
// numbers.
static void collapsed_bodies_stay_finite(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int dimensions = 0; dimensions < 3; ++dimensions) {
            pliant_soft_def def = def_of(kind, 0);
            pliant_world* world = make_world(10, 1);
            pliant_body_id body = add_soft(world, mesh_of(kind), &def, 0);
            int count = pliant_body_particle_count(world, body);
            place* x = read_places(world, body);
            for (int i = 0; i < count; ++i)
                for (int k = dimensions; k < 3; ++k) x[i].x[k] = 0;
            pliant_body_write_positions_exact(world, body, x->x, count);
            run(world, 10, 0.01);
            free(x);
            pliant_world_destroy(world);
        }
}

static double volume_of(const pliant_mesh* mesh, const place* x)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    m.vertices = x->x;
    return measure_last(create(m)).volume;
}

// The flattened body of 2013.
static void flattened_body_restores_its_volume(void** unused)
{
    (void)unused;
    for (int kind = EDGES; kind < KINDS; ++kind) {
        pliant_soft_def def = def_of(kind, 0);
        pliant_world* world = make_still_world(20, is_classic(kind) ? 8 : 1);
        pliant_mesh* mesh = mesh_of(kind);
        pliant_body_id body = add_soft(world, mesh_of(kind), &def, 0);
        int count = pliant_body_particle_count(world, body);
        place* x = read_places(world, body);
        double volume = volume_of(mesh, x);
        for (int i = 0; i < count; ++i) x[i].x[1] *= 0.05;
        pliant_body_write_positions_exact(world, body, x->x, count);
        for (int i = 0; i < 100; ++i) {
            run(world, 1, 0.016);
            if (i % 5 == 0) write_velocity(world, body, vec(0, 0, 0));
        }
        free(x);
        x = read_places(world, body);
        CHECK_CLOSE(volume_of(mesh, x), volume, 0.005);
        free(x);
        pliant_mesh_destroy(mesh);
        pliant_world_destroy(world);
    }
}

static pliant_asset_info info_of(pliant_color_scope graphs, double bending)
{
    pliant_soft_def def = pliant_soft_defaults();
    pliant_mesh* mesh = generate("cloth:99x99");
    pliant_asset* asset = NULL;
    def.solver.schedule = PLIANT_SCHEDULE_COLORED;
    def.research.color_scope = graphs;
    def.cloth.bending = bending;
    CHECK_OK(pliant_asset_create(mesh, &def, &asset));
    pliant_asset_info info = pliant_asset_describe(asset);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return info;
}

// The cloth of 2013: 10 000 particles, 29 thousand edges in 8 colors and as many hinges in 18.
static void cloth_of_2013_has_its_counts_and_colors(void** unused)
{
    (void)unused;
    pliant_asset_info edges = info_of(PLIANT_COLOR_SCOPE_TYPE, 0);
    pliant_asset_info apart = info_of(PLIANT_COLOR_SCOPE_TYPE, 1e-5);
    pliant_asset_info all = info_of(PLIANT_COLOR_SCOPE_ALL, 1e-5);
    print_message("    %d edges in %d colors, %d hinges in %d; all in %d\n", edges.constraints,
                  edges.colors, apart.constraints - edges.constraints, apart.colors - edges.colors,
                  all.colors);
    assert_int_equal(edges.particles, 10000);
    assert_int_equal(edges.constraints, 3 * 99 * 99 + 2 * 99);
    assert_int_equal(apart.constraints - edges.constraints, 3 * 99 * 99 - 2 * 99);
    assert_int_equal(edges.colors, 8);
    CHECK_BETWEEN(apart.colors - edges.colors, 16, 18);
    CHECK_BETWEEN(all.colors, 24, apart.colors);
}

int main(void)
{
    pliant_set_log(NULL, NULL); // too few substeps: bits are the same all the same
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_widths_give_the_same_bits),
        cmocka_unit_test(double_precision_gives_the_same_bits_with_any_threads),
        numbers_test(schedules_agree_on_the_motion),
        numbers_test(linear_momentum_is_kept),
        known_threads_test(collapsed_bodies_stay_finite),
        numbers_test(flattened_body_restores_its_volume),
        known_threads_test(cloth_of_2013_has_its_counts_and_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
