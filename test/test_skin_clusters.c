// Surfaces that clusters of particles carry: rigid motions, bends, and dents that stay.
#include "scene.h"
#include "world/world.h"

typedef struct {
    pliant_world* world;
    pliant_body_id body[2];
    pliant_mesh* surface;
    pliant_skin* skin;
} carried_cloud;

static pliant_mesh* shape_of(const char* words)
{
    pliant_mesh *solid = NULL, *outside = NULL;
    CHECK_OK(pliant_mesh_generate(words, &solid));
    CHECK_OK(pliant_mesh_boundary(solid, &outside, NULL));
    pliant_mesh_destroy(solid);
    return outside;
}

static pliant_mesh* filled(const char* words, double spacing)
{
    pliant_mesh *solid = NULL, *particles = NULL;
    pliant_fill_def fill = pliant_fill_defaults();
    fill.spacing = spacing;
    CHECK_OK(pliant_mesh_generate(words, &solid));
    CHECK_OK(pliant_mesh_fill(solid, &fill, &particles));
    pliant_mesh_destroy(solid);
    return particles;
}

static void carry(carried_cloud* c, int bodies, bool in_world)
{
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = c->surface;
    def.bodies = c->body;
    def.body_count = bodies;
    def.in_world = in_world;
    CHECK_OK(pliant_skin_create(c->world, &def, &c->skin));
}

static void drop(carried_cloud* c)
{
    pliant_skin_destroy(c->skin);
    pliant_world_destroy(c->world);
    pliant_mesh_destroy(c->surface);
}

static carried_cloud blob_of(double stiffness, double spacing)
{
    carried_cloud c = {.world = make_still_world(4, 1), .surface = shape_of("torus:0.5:0.25:6")};
    pliant_mesh* particles = filled("torus:0.5:0.25:6", 0.1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.clusters.stiffness = stiffness;
    soft.clusters.spacing = spacing;
    def.position[0] = 3;
    def.rotation = (pliant_quat){0.5f, -0.1f, 0.3f, 0.8f};
    def.angular_velocity = vec(2, 1, -3);
    c.body[0] = new_soft(c.world, particles, &soft, &def);
    pliant_mesh_destroy(particles);
    return c;
}

// Largest distance between two vertices of a skin, and of the surface, differ by that [m].
static double misfit(const carried_cloud* c)
{
    const pliant_vec3* x = pliant_skin_positions(c->skin);
    const pliant_mesh_arrays m = pliant_mesh_view(c->surface);
    double most = 0;
    for (int i = 0; i < m.vertex_count; i += 7)
        for (int k = 0; k < i; k += 5) {
            double now = 0, rest = 0;
            const double d[3] = {(double)(x[i].x - x[k].x), (double)(x[i].y - x[k].y),
                                 (double)(x[i].z - x[k].z)};
            for (int a = 0; a < 3; ++a) {
                double r = m.vertices[3 * i + a] - m.vertices[3 * k + a];
                now += d[a] * d[a], rest += r * r;
            }
            most = fmax(most, fabs(sqrt(now) - sqrt(rest)));
        }
    return most;
}

static void rigid_motions_are_carried_exactly(void** unused)
{
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        carried_cloud c = blob_of(k ? 0.9 : 1, k ? 0.3 : 0);
        carry(&c, 1, false);
        CHECK_BETWEEN(misfit(&c), 0, 1e-6);
        for (int i = 0; i < 30; ++i) CHECK_OK(pliant_world_step(c.world, 1.0f / 60));
        CHECK_OK(pliant_skin_update(c.skin));
        // Of soft clusters, but for what the spin draws out.
        CHECK_BETWEEN(misfit(&c), 0, k ? 0.01 : 1e-5);
        drop(&c);
    }
}

// At rest the surface is where it was, in the mesh's coordinates or in the world, with two bodies.
static void surface_is_where_it_was(void** unused)
{
    (void)unused;
    carried_cloud c = blob_of(1, 0.3);
    carry(&c, 1, false);
    const pliant_vec3* x = pliant_skin_positions(c.skin);
    pliant_mesh_arrays m = pliant_mesh_view(c.surface);
    double* placed = (double*)malloc(3 * (size_t)m.vertex_count * sizeof *placed);
    for (int i = 0; i < m.vertex_count; ++i) {
        placed[3 * i] = (double)x[i].x;
        placed[3 * i + 1] = (double)x[i].y;
        placed[3 * i + 2] = (double)x[i].z;
    }
    m.vertices = placed;
    pliant_skin_destroy(c.skin);
    pliant_mesh* there = NULL;
    CHECK_OK(pliant_mesh_create(&m, &there));
    pliant_mesh_destroy(c.surface);
    c.surface = there;
    free(placed);
    pliant_body_def def = pliant_body_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* other = filled("sphere:0.2:4", 0.1);
    soft.clusters.stiffness = 1;
    def.position[0] = 3;
    c.body[1] = new_soft(c.world, other, &soft, &def);
    pliant_mesh_destroy(other);
    carry(&c, 2, true);
    CHECK_BETWEEN(misfit(&c), 0, 1e-6);
    assert_int_equal(pliant_skin_describe(c.skin).vertices,
                     pliant_mesh_view(c.surface).vertex_count);
    drop(&c);
}

// A bend of the particles is a bend of the surface, within a hundredth of its size.
static void surface_follows_particles(void** unused)
{
    (void)unused;
    carried_cloud c = {.world = make_still_world(4, 1), .surface = shape_of("box6:16x6x6:0.1")};
    pliant_mesh* particles = filled("box6:16x6x6:0.1", 0.1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.clusters.stiffness = 0.9;
    soft.clusters.spacing = 0.25;
    c.body[0] = new_soft(c.world, particles, &soft, &def);
    carry(&c, 1, false);
    pliant_mesh_arrays p = pliant_mesh_view(particles), m = pliant_mesh_view(c.surface);
    double* x = (double*)malloc(3 * (size_t)p.vertex_count * sizeof *x);
    for (int i = 0; i < p.vertex_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double* at = p.vertices + 3 * i;
            x[3 * i + k] = at[k] + (k == 1 ? 0.15 * sin(3 * at[0]) : 0);
        }
    CHECK_OK(pliant_body_write_positions_exact(c.world, c.body[0], x, p.vertex_count));
    CHECK_OK(pliant_world_step(c.world, 1e-5f)); // clusters turn
    CHECK_OK(pliant_skin_update(c.skin));
    double most = 0;
    for (int i = 0; i < m.vertex_count; ++i) {
        const double* at = m.vertices + 3 * i;
        const pliant_vec3 now = pliant_skin_positions(c.skin)[i];
        most = fmax(most, fabs((double)now.y - at[1] - 0.15 * sin(3 * at[0])));
        most = fmax(most, fabs((double)now.x - at[0]));
    }
    print_message("    the surface of a bar of 1.6 m is off by %.4f m where it bends by 0.15\n",
                  most);
    CHECK_BETWEEN(most, 0, 0.016);
    free(x);
    pliant_mesh_destroy(particles);
    drop(&c);
}

// ---- a dent that stays --------------------------------------------------------------------------

// [m^3] inside the skin.
static double volume_of(const carried_cloud* c)
{
    const pliant_vec3* x = pliant_skin_positions(c->skin);
    const pliant_mesh_arrays m = pliant_mesh_view(c->surface);
    double sum = 0;
    for (int t = 0; t < m.triangle_count; ++t) {
        const pliant_vec3 a = x[m.triangles[3 * t]], b = x[m.triangles[3 * t + 1]],
                          d = x[m.triangles[3 * t + 2]];
        sum += (double)(a.x * (b.y * d.z - b.z * d.y) + a.y * (b.z * d.x - b.x * d.z) +
                        a.z * (b.x * d.y - b.y * d.x)) /
               6;
    }
    return sum;
}

// [m] How deep the middle of the top is below its rim.
static double dent_of(const carried_cloud* c)
{
    const pliant_vec3* x = pliant_skin_positions(c->skin);
    const pliant_mesh_arrays m = pliant_mesh_view(c->surface);
    double middle = 0, rim = 0;
    for (int i = 0; i < m.vertex_count; ++i) {
        const double* at = m.vertices + 3 * i;
        double y = (double)x[i].y;
        if (at[1] < 0.5 - 1e-6) continue;
        if (fabs(at[0] - 0.6) + fabs(at[2] - 0.6) < 1e-6) middle = y;
        if (at[0] < 1e-6 && at[2] < 1e-6) rim = y;
    }
    return rim - middle;
}

static void pressed_block_keeps_its_dent(void** unused)
{
    (void)unused;
    carried_cloud c = {.world = make_world(12, 1), .surface = shape_of("box6:12x5x12:0.1")};
    pliant_mesh* particles = filled("box6:12x5x12:0.1", 0.1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_collider_def floor = pliant_collider_defaults(), ball = floor;
    soft.clusters.stiffness = 0.98;
    soft.clusters.spacing = 0.25;
    soft.clusters.yield_strain = 0.01;
    def.contact.self = false;
    c.body[0] = new_soft(c.world, particles, &soft, &def);
    pliant_mesh_destroy(particles);
    carry(&c, 1, false);
    new_collider(c.world, &floor);
    ball.shape = PLIANT_SHAPE_SPHERE;
    ball.radius = 0.3f;
    ball.position[0] = ball.position[2] = 0.6;
    ball.position[1] = 0.85;
    pliant_collider_id id;
    CHECK_OK(pliant_world_add_collider(c.world, &ball, &id));
    double volume = volume_of(&c), deepest = 0;
    for (int i = 0; i < 120; ++i) { // down by 0.15 m, and up again
        double y = i < 50 ? 0.85 - 0.004 * i : i < 60 ? 0.65 : 0.65 + 0.02 * (i - 60);
        const double to[3] = {0.6, y, 0.6};
        CHECK_OK(pliant_collider_move(c.world, id, to, (pliant_quat){0, 0, 0, 1}));
        CHECK_OK(pliant_world_step(c.world, 1.0f / 60));
        CHECK_OK(pliant_skin_update(c.skin));
        deepest = fmax(deepest, dent_of(&c));
    }
    double kept = dent_of(&c);
    print_message("    dent at most %.4f m, kept %.4f; volume %.4f of what it was\n", deepest, kept,
                  volume_of(&c) / volume);
    CHECK_BETWEEN(deepest, 0.05, 0.2);
    CHECK_BETWEEN(kept, 0.5 * deepest, deepest);
    CHECK_CLOSE(volume_of(&c), volume, 0.02);
    drop(&c);
}

static void skins_of_other_bodies_are_refused(void** unused)
{
    (void)unused;
    carried_cloud c = blob_of(0, 0);
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = c.surface;
    def.bodies = c.body;
    assert_int_equal(pliant_skin_create(c.world, &def, &c.skin), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "clusters of particles"));
    drop(&c);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motions_are_carried_exactly),
        cmocka_unit_test(surface_is_where_it_was),
        cmocka_unit_test(surface_follows_particles),
        cmocka_unit_test(pressed_block_keeps_its_dent),
        cmocka_unit_test(skins_of_other_bodies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
