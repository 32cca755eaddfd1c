// Surfaces that cloth carries: against rigid motions and bent cloth.
#include "base/hash.h"
#include "carried.h"
#include "failing.h"
#include "math/turn.h"

static pliant_body_id add_cloth(pliant_world* world, const char* words, pliant_precision precision)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.precision = precision;
    return add_soft(world, generate(words), &soft, 0);
}

// A fine sheet with a wave of heights, above and below, and somewhat beyond the cloth's border.
static pliant_mesh* waves(double size, double height)
{
    char words[64];
    snprintf(words, sizeof words, "cloth:50x50:%gx%g", size, size);
    pliant_mesh *flat = generate(words), *out = NULL;
    pliant_mesh_arrays m = pliant_mesh_view(flat);
    double* x = (double*)malloc(3 * (size_t)m.vertex_count * sizeof *x);
    memcpy(x, m.vertices, 3 * (size_t)m.vertex_count * sizeof *x);
    for (int i = 0; i < m.vertex_count; ++i) x[3 * i + 1] = height * sin(7.0 * i);
    m.vertices = x;
    CHECK_OK(pliant_mesh_create(&m, &out));
    pliant_mesh_destroy(flat);
    free(x);
    return out;
}

static carried carry_on(const char* cloth, pliant_precision precision, pliant_mesh* surface)
{
    carried c = {.world = make_still_world(0, 1), .surface = surface};
    c.body[0] = add_cloth(c.world, cloth, precision);
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = surface;
    def.bodies = c.body;
    CHECK_OK(pliant_skin_create(c.world, &def, &c.skin));
    return c;
}

// Largest distance from where `expected` says.
static double off_by(const carried* c, const place* expected)
{
    const pliant_vec3* x = pliant_skin_positions(c->skin);
    double worst = 0;
    for (int i = 0; i < pliant_skin_describe(c->skin).vertices; ++i) {
        double d[3] = {(double)x[i].x - expected[i].x[0], (double)x[i].y - expected[i].x[1],
                       (double)x[i].z - expected[i].x[2]};
        worst = fmax(worst, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return worst;
}

static void at_rest_the_surface_is_where_it_was(void** unused)
{
    (void)unused;
    carried c = carry_on("cloth:8x8:1x1", PLIANT_PRECISION_SINGLE, waves(1.1, 0.05));
    const double* x = pliant_mesh_view(c.surface).vertices;
    double worst = off_by(&c, (const place*)x);
    if (worst > 1e-6) fail_msg("a vertex is off by %g m", worst);
    pliant_skin_info info = pliant_skin_describe(c.skin);
    CHECK_BETWEEN(info.farthest, 0.05, 0.09);
    CHECK_BETWEEN(info.outside, 2000, info.vertices);
    drop(&c);
}

// Bits of floats, after the cloth has moved on.
static void the_cloths_own_vertices_are_reproduced(void** unused)
{
    (void)unused;
    carried c = carry_on("cloth:8x8:1x1", PLIANT_PRECISION_SINGLE, generate("cloth:8x8:1x1"));
    shake(c.world, c.body[0]);
    run(c.world, 5, 0.02);
    CHECK_OK(pliant_skin_update(c.skin));
    pliant_view view = get_positions_view(c.world, c.body[0]);
    const pliant_vec3* x = pliant_skin_positions(c.skin);
    for (int i = 0; i < view.count; ++i) {
        size_t row = view.row ? (size_t)view.row[i] : (size_t)i;
        const float* own = (const float*)((const char*)view.data + row * view.stride);
        if (x[i].x != own[0] || x[i].y != own[1] || x[i].z != own[2])
            fail_msg("vertex %d is (%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)", i, (double)x[i].x,
                     (double)x[i].y, (double)x[i].z, (double)own[0], (double)own[1],
                     (double)own[2]);
    }
    drop(&c);
}

// Turned and moved, also far from the origin where a body of doubles has all its digits.
static void rigid_motions_are_carried_exactly(void** unused)
{
    (void)unused;
    for (int far = 0; far < 2; ++far) {
        carried c =
            carry_on("cloth:8x8:1x1", far ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE,
                     waves(1, 0.05));
        pliant_quat turn = {0.1f, 0.5f, -0.3f, 0.8f};
        const double pivot[3] = {0.3, 0, 0.1}, by[3] = {far ? 1000 : 1, 2, -3};
        CHECK_OK(pliant_body_teleport(c.world, c.body[0], pivot, turn, by));
        CHECK_OK(pliant_skin_update(c.skin));
        pliant_mesh_arrays m = pliant_mesh_view(c.surface);
        place* expected = (place*)malloc((size_t)m.vertex_count * sizeof *expected);
        double axis[3][3];
        turn_axes((quaternion){(double)turn.x, (double)turn.y, (double)turn.z, (double)turn.w},
                  axis);
        for (int i = 0; i < m.vertex_count; ++i)
            for (int k = 0; k < 3; ++k) {
                expected[i].x[k] = pivot[k] + by[k];
                for (int j = 0; j < 3; ++j)
                    expected[i].x[k] += axis[j][k] * (m.vertices[3 * i + j] - pivot[j]);
            }
        double worst = off_by(&c, expected), rounding = far ? 1e-4 : 1e-6;
        if (worst > rounding) fail_msg("a vertex is off by %g m", worst);
        free(expected);
        drop(&c);
    }
}

// A cloth that is bent to a cylinder of radius R has a surface of radius R + height, without steps
// where triangles meet: those that have one normal each would leave gaps of height times their
// angle.
static void bent_cloth_carries_without_cracks(void** unused)
{
    (void)unused;
    const double radius = 0.5, height = 0.1;
    pliant_mesh *fine = generate("cloth:200x4:1x0.5"), *above = NULL;
    pliant_mesh_arrays m = pliant_mesh_view(fine);
    double* raised = (double*)malloc(3 * (size_t)m.vertex_count * sizeof *raised);
    memcpy(raised, m.vertices, 3 * (size_t)m.vertex_count * sizeof *raised);
    for (int i = 0; i < m.vertex_count; ++i) raised[3 * i + 1] = height;
    m.vertices = raised;
    CHECK_OK(pliant_mesh_create(&m, &above));
    pliant_mesh_destroy(fine);
    carried c = carry_on("cloth:10x5:1x0.5", PLIANT_PRECISION_SINGLE, above);
    int count = pliant_body_particle_count(c.world, c.body[0]);
    place* x = read_places(c.world, c.body[0]);
    for (int i = 0; i < count; ++i) {
        double angle = x[i].x[0] / radius;
        x[i].x[0] = radius * sin(angle), x[i].x[1] = radius * cos(angle);
    }
    CHECK_OK(pliant_body_write_positions_exact(c.world, c.body[0], x->x, count));
    CHECK_OK(pliant_skin_update(c.skin));
    const pliant_vec3* p = pliant_skin_positions(c.skin);
    double expected = (radius + height) / radius / 200; // between neighbors
    pliant_mesh_arrays s = pliant_mesh_view(c.surface);
    for (int i = 0; i < m.vertex_count; ++i)
        CHECK_CLOSE(sqrt(pow((double)p[i].x, 2) + pow((double)p[i].y, 2)), radius + height, 0.01);
    for (int t = 0; t < s.triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int a = s.triangles[3 * t + k], b = s.triangles[3 * t + (k + 1) % 3];
            if (fabs(s.vertices[3 * a + 2] - s.vertices[3 * b + 2]) > 1e-9) continue;
            CHECK_CLOSE(hypot((double)(p[a].x - p[b].x), (double)(p[a].y - p[b].y)), expected, 0.1);
        }
    free(x);
    free(raised);
    drop(&c);
}

static uint64_t hash_with(int threads)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_skin_def seen = pliant_skin_defaults();
    carried c = {.surface = waves(1, 0.02)};
    def.threads = threads;
    CHECK_OK(pliant_world_create(&def, &c.world));
    c.body[0] = add_cloth(c.world, "cloth:70x70:1x1", PLIANT_PRECISION_SINGLE);
    seen.surface = c.surface;
    seen.bodies = c.body;
    CHECK_OK(pliant_skin_create(c.world, &seen, &c.skin));
    shake(c.world, c.body[0]);
    run(c.world, 1, 0.002);
    CHECK_OK(pliant_skin_update(c.skin));
    size_t bytes = (size_t)pliant_skin_describe(c.skin).vertices * sizeof(pliant_vec3);
    uint64_t hash = hash_bytes(HASH_SEED, pliant_skin_positions(c.skin), bytes);
    hash = hash_bytes(hash, pliant_skin_normals(c.skin), bytes);
    drop(&c);
    return hash;
}

static void any_number_of_threads_gives_the_same_bits(void** unused)
{
    (void)unused;
    uint64_t one = hash_with(1);
    assert_true(hash_with(5) == one);
    if (scope_now() != BRIEF) assert_true(hash_with(2) == one);
}

// Two sheets, one surface: each vertex goes with the nearer one.
static void several_cloths_carry_one_surface(void** unused)
{
    (void)unused;
    carried c = {.world = make_still_world(0, 1), .surface = waves(2, 0.01)};
    pliant_soft_def soft = pliant_soft_defaults();
    for (int i = 0; i < 2; ++i) {
        pliant_body_def at = pliant_body_defaults();
        pliant_mesh* mesh = generate("cloth:4x8:1x2");
        at.position[0] = i ? 0.5 : -0.5;
        c.body[i] = new_soft(c.world, mesh, &soft, &at);
        pliant_mesh_destroy(mesh);
    }
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = c.surface;
    def.bodies = c.body;
    def.body_count = 2;
    def.in_world = true;
    CHECK_OK(pliant_skin_create(c.world, &def, &c.skin));
    const double none[3] = {0}, up[3] = {0, 3, 0};
    CHECK_OK(pliant_body_teleport(c.world, c.body[1], none, (pliant_quat){0, 0, 0, 1}, up));
    CHECK_OK(pliant_skin_update(c.skin));
    pliant_mesh_arrays m = pliant_mesh_view(c.surface);
    for (int i = 0; i < m.vertex_count; ++i) {
        double lift = (double)pliant_skin_positions(c.skin)[i].y - m.vertices[3 * i + 1];
        if (fabs(m.vertices[3 * i]) < 1e-9) continue;
        if (fabs(lift - (m.vertices[3 * i] > 0 ? 3 : 0)) > 1e-5)
            fail_msg("vertex %d at x = %g m went up by %g m", i, m.vertices[3 * i], lift);
    }
    drop(&c);
}

static void tets_and_cloth_together_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(1, 1);
    const pliant_body_id both[2] = {add_cloth(world, "cloth:2x2", PLIANT_PRECISION_SINGLE),
                                    add_box(world, 0)};
    pliant_mesh* surface = waves(1, 0);
    pliant_skin* skin = NULL;
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = surface;
    def.bodies = both;
    def.body_count = 2;
    assert_int_equal(pliant_skin_create(world, &def, &skin), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "are all of tets, all cloth or all particles"));
    def.body_count = 1;
    def.reach = 0.01;
    pliant_mesh_destroy(surface);
    def.surface = surface = waves(1, 0.05);
    assert_int_equal(pliant_skin_create(world, &def, &skin), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "away from the cloth"));
    pliant_mesh_destroy(surface);
    pliant_world_destroy(world);
}

static void an_update_takes_no_memory(void** unused)
{
    (void)unused;
    carried c = carry_on("cloth:8x8:1x1", PLIANT_PRECISION_SINGLE, waves(1, 0.05));
    uint64_t before = pliant_allocation_count();
    CHECK_OK(pliant_skin_update(c.skin));
    assert_true(pliant_allocation_count() == before);
    drop(&c);
}

static pliant_result make_and_destroy(const void* context)
{
    const carried* c = (const carried*)context;
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = c->surface;
    def.bodies = c->body;
    pliant_result result = pliant_skin_create(c->world, &def, &skin);
    pliant_skin_destroy(skin);
    return result;
}

static void skins_survive_every_failed_allocation(void** unused)
{
    (void)unused;
    carried c = carry_on("cloth:8x8:1x1", PLIANT_PRECISION_SINGLE, waves(1, 0.05));
    assert_true(check_every_failure(make_and_destroy, &c) > 10);
    drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_the_surface_is_where_it_was),
        cmocka_unit_test(the_cloths_own_vertices_are_reproduced),
        cmocka_unit_test(rigid_motions_are_carried_exactly),
        cmocka_unit_test(bent_cloth_carries_without_cracks),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(several_cloths_carry_one_surface),
        cmocka_unit_test(tets_and_cloth_together_are_refused),
        cmocka_unit_test(an_update_takes_no_memory),
        known_threads_test(skins_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
