// Skins: a fine surface that is carried by coarse tets.
#include "carried.h"
#include "failing.h"
#include "skin_hash.h"
#include <float.h>

static pliant_world* make_threads(int threads)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.threads = threads;
    def.substeps = 10;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

static pliant_skin* make_skin(pliant_world* world, const pliant_body_id* bodies, int count,
                              const pliant_mesh* surface)
{
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = surface;
    def.bodies = bodies;
    def.body_count = count;
    CHECK_OK(pliant_skin_create(world, &def, &skin));
    return skin;
}

// A surface on tets that were made from it. Destroys nothing but the tets.
static carried carry(pliant_mesh* surface, int tets, double y, int threads)
{
    pliant_tet_def def = pliant_tet_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = NULL;
    carried c = {.world = make_threads(threads), .surface = surface};
    def.tets = tets;
    def.threads = threads;
    soft.material.young = 1e5;
    CHECK_OK(pliant_mesh_tetrahedralize(surface, &def, &mesh, NULL));
    c.body[0] = add_soft(c.world, mesh, &soft, y);
    c.skin = make_skin(c.world, c.body, 1, surface);
    return c;
}

static double size_of(const pliant_mesh* mesh)
{
    pliant_mesh_quality q = measure(mesh);
    double size = 0;
    for (int k = 0; k < 3; ++k) size = fmax(size, q.max[k] - q.min[k]);
    return size;
}

// Largest distance of a skin's vertex from where `move` puts the surface's.
static double largest_error(const carried* c, void (*move)(const double in[3], double out[3]))
{
    pliant_mesh_arrays view = pliant_mesh_view(c->surface);
    const pliant_vec3* found = pliant_skin_positions(c->skin);
    double largest = 0;
    for (int i = 0; i < view.vertex_count; ++i) {
        double x[3];
        move(view.vertices + 3 * (size_t)i, x);
        largest = fmax(
            largest, fmax(fabs((double)found[i].x - x[0]),
                          fmax(fabs((double)found[i].y - x[1]), fabs((double)found[i].z - x[2]))));
    }
    return largest;
}

static void stay(const double in[3], double out[3]) { memcpy(out, in, sizeof(double[3])); }

static void lift(const double in[3], double out[3])
{
    stay(in, out);
    out[1] += 3;
}

// 3/5 and 4/5 are a rotation.
static void turn(const double in[3], double out[3])
{
    out[0] = 0.6 * in[0] - 0.8 * in[1] + 0.5;
    out[1] = 0.8 * in[0] + 0.6 * in[1] - 0.25;
    out[2] = in[2] + 2;
}

static void shear(const double in[3], double out[3])
{
    out[0] = 1.2 * in[0] + 0.3 * in[1];
    out[1] = 0.9 * in[1] - 0.1 * in[2];
    out[2] = 0.8 * in[2];
}

static void move_body(const carried* c, void (*move)(const double in[3], double out[3]))
{
    int count = pliant_body_particle_count(c->world, c->body[0]);
    double* x = malloc(3 * (size_t)count * sizeof *x);
    pliant_body_read_positions_exact(c->world, c->body[0], x, count);
    for (int i = 0; i < count; ++i) {
        double to[3];
        move(x + 3 * (size_t)i, to);
        memcpy(x + 3 * (size_t)i, to, sizeof to);
    }
    pliant_body_write_positions_exact(c->world, c->body[0], x, count);
    free(x);
    CHECK_OK(pliant_skin_update(c->skin));
}

static double length_of(pliant_vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

// ---- places -------------------------------------------------------------------------------------

static void at_rest_the_surface_is_where_it_was(void** state)
{
    (void)state;
    carried c = carry(surface_of("torus:0.5:0.2:24"), 2000, 0, 1);
    CHECK_BETWEEN(largest_error(&c, stay), 0, 1e-6 * size_of(c.surface));
    assert_true(pliant_skin_describe(c.skin).outside > 0);
    drop(&c);
    carried high = carry(surface_of("torus:0.5:0.2:24"), 2000, 3, 1);
    CHECK_BETWEEN(largest_error(&high, lift), 0, 1e-6 * size_of(high.surface));
    drop(&high);
}

static void rigid_and_affine_motions_are_carried_exactly(void** state)
{
    (void)state;
    carried c = carry(surface_of("blob:0.5:20:3"), 1000, 0, 1);
    move_body(&c, turn);
    CHECK_BETWEEN(largest_error(&c, turn), 0, 1e-6 * size_of(c.surface));
    drop(&c);
    carried other = carry(surface_of("blob:0.5:20:3"), 1000, 0, 1);
    move_body(&other, shear);
    CHECK_BETWEEN(largest_error(&other, shear), 0, 1e-6 * size_of(other.surface));
    drop(&other);
}

static void a_real_model_is_carried(void** state)
{
    (void)state;
    pliant_mesh* surface = NULL;
    if (pliant_mesh_load(SHARED_MESHES "surfaces/blub_fish.obj", &surface) != PLIANT_OK) {
        print_message("no meshes beside the project\n");
        skip();
    }
    carried c = carry(surface, 5000, 0, 2);
    CHECK_BETWEEN(largest_error(&c, stay), 0, 1e-6 * size_of(surface));
    drop(&c);
}

// Thin tets beside good ones: what lies outside hangs on the good ones.
static void flat_tets_are_not_what_a_vertex_hangs_on(void** state)
{
    (void)state;
    const double x[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0.3, -1, 0.3, 0.3, 1e-4, 0.3};
    const int tets[] = {0, 1, 2, 3, 0, 2, 1, 4};
    const double above[] = {0.3, 0.1, 0.3, 0.4, -0.1, 0.3, 0.3, -0.9, 0.4};
    const int triangle[] = {0, 2, 1};
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id body = add_soft(world, create_tets(x, 5, tets, 2), &soft, 0);
    pliant_mesh* surface = create_triangles(above, 3, triangle, 1);
    pliant_skin* skin = make_skin(world, &body, 1, surface);
    double moved[15];
    memcpy(moved, x, sizeof x);
    moved[13] += 1e-4; // the tip of the flat one: by its own height
    pliant_body_write_positions_exact(world, body, moved, 5);
    CHECK_OK(pliant_skin_update(skin));
    CHECK_BETWEEN(fabs((double)pliant_skin_positions(skin)[0].y - 0.1), 0, 1e-3);
    pliant_skin_destroy(skin);
    pliant_world_destroy(world);
    pliant_mesh_destroy(surface);
}

// A needle sticks out of a box whose particles tremble: it trembles as they do, and in one piece.
static void what_is_far_moves_calmly(void** state)
{
    (void)state;
    enum { POINTS = 20 };
    double x[3 * POINTS];
    int triangles[3 * (POINTS - 2)], moved = 0;
    for (int i = 0; i < POINTS; ++i)
        x[3 * i] = 0.6 + 0.025 * i, x[3 * i + 1] = 0.2, x[3 * i + 2] = 0.2 + 0.01 * (i % 2);
    for (int i = 0; i < POINTS - 2; ++i)
        for (int k = 0; k < 3; ++k) triangles[3 * i + k] = i + k;
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id body = add_soft(world, box_mesh((int[3]){6, 4, 4}, 0.1, 0.2), &soft, 0);
    carried c = {world, {body}, create_triangles(x, POINTS, triangles, POINTS - 2), NULL};
    pliant_set_log(NULL, NULL);
    pliant_skin_def def = pliant_skin_defaults();
    def.surface = c.surface;
    def.bodies = &body;
    def.reach = 1;
    CHECK_OK(pliant_skin_create(world, &def, &c.skin));
    int count = pliant_body_particle_count(world, body);
    double* p = malloc(3 * (size_t)count * sizeof *p);
    random_source random = {7};
    pliant_body_read_positions_exact(world, body, p, count);
    for (int i = 0; i < 3 * count; ++i) p[i] += random_range(&random, -0.01, 0.01);
    pliant_body_write_positions_exact(world, body, p, count);
    free(p);
    CHECK_OK(pliant_skin_update(c.skin));
    for (int i = 3; i < POINTS; ++i) { // 0.075 m outside and more
        pliant_vec3 at = pliant_skin_positions(c.skin)[i];
        const double off[3] = {(double)at.x - x[3 * i], (double)at.y - x[3 * i + 1],
                               (double)at.z - x[3 * i + 2]};
        for (int k = 0; k < 3; ++k) CHECK_BETWEEN(fabs(off[k]), 0, 0.06);
        moved += fabs(off[0]) > 0;
    }
    assert_true(moved > 0);
    drop(&c);
}

static void several_bodies_carry_one_surface(void** state)
{
    (void)state;
    pliant_world* world = make_still_world(1, 1);
    pliant_body_id bodies[2] = {add_box(world, 0), add_box(world, 1)};
    // A wall from y = 0.05 to y = 1.15, in the world.
    const double x[] = {0.1, 0.05, 0.1, 0.15, 0.05, 0.1, 0.1, 1.15, 0.1, 0.15, 1.15, 0.1};
    const int triangles[] = {0, 1, 2, 1, 3, 2};
    pliant_mesh* surface = create_triangles(x, 4, triangles, 2);
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = surface;
    def.bodies = bodies;
    def.body_count = 2;
    def.in_world = true;
    CHECK_OK(pliant_skin_create(world, &def, &skin));
    pliant_vec3 upper[27];
    CHECK_OK(pliant_body_read_positions(world, bodies[1], upper, 27));
    for (int i = 0; i < 27; ++i) upper[i].x += 2;
    pliant_body_write_positions(world, bodies[1], upper, 27);
    CHECK_OK(pliant_skin_update(skin));
    const pliant_vec3* found = pliant_skin_positions(skin);
    CHECK_CLOSE(found[1].x, 0.15, 1e-6);
    CHECK_CLOSE(found[3].x, 2.15, 1e-6);
    pliant_skin_destroy(skin);
    pliant_world_destroy(world);
    pliant_mesh_destroy(surface);
}

static void a_body_of_doubles_carries_too(void** state)
{
    (void)state;
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_body_id body = add_soft(world, generate("sphere:0.5:6"), &soft, 0);
    carried c = {world, {body}, surface_of("sphere:0.5:20"), NULL};
    c.skin = make_skin(world, &body, 1, c.surface);
    CHECK_BETWEEN(largest_error(&c, stay), 0, 1e-6);
    move_body(&c, turn);
    CHECK_BETWEEN(largest_error(&c, turn), 0, 1e-6);
    drop(&c);
}

// ---- normals ------------------------------------------------------------------------------------

static void normals_are_units_and_point_outward(void** state)
{
    (void)state;
    carried c = carry(surface_of("sphere:0.5:24"), 1000, 0, 1);
    const pliant_vec3 *x = pliant_skin_positions(c.skin), *n = pliant_skin_normals(c.skin);
    pliant_skin_info info = pliant_skin_describe(c.skin);
    assert_int_equal(info.normals, info.vertices);
    for (int i = 0; i < info.vertices; ++i) {
        CHECK_CLOSE(length_of(n[i]), 1, 1e-6);
        double along = (double)x[i].x * (double)n[i].x + (double)x[i].y * (double)n[i].y +
                       (double)x[i].z * (double)n[i].z;
        CHECK_BETWEEN(along, 0.995 * 0.5, 0.501);
    }
    drop(&c);
}

// Neighbors on a bent body have nearly the same normal: no vertex has a frame of its own.
static void normals_stay_continuous_while_it_bends(void** state)
{
    (void)state;
    carried c = carry(surface_of("sphere:0.5:24"), 1000, 0.6, 2);
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(c.world, &floor);
    for (int i = 0; i < 20; ++i) CHECK_OK(pliant_world_step(c.world, 1.0f / 60));
    CHECK_OK(pliant_skin_update(c.skin));
    const pliant_vec3* n = pliant_skin_normals(c.skin);
    pliant_mesh_arrays view = pliant_mesh_view(c.surface);
    double worst = 1;
    for (int i = 0; i < view.triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            pliant_vec3 a = n[view.triangles[3 * i + k]],
                        b = n[view.triangles[3 * i + (k + 1) % 3]];
            double cosine =
                (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
            worst = fmin(worst, cosine);
            CHECK_CLOSE(length_of(a), 1, 1e-6);
        }
    CHECK_BETWEEN(worst, 0.9, 1);
    drop(&c);
}

static void corners_with_normals_of_their_own_stay_sharp(void** state)
{
    (void)state;
    pliant_mesh* box = surface_of("box6:1x1x1:1");
    pliant_mesh_arrays view = pliant_mesh_view(box);
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id body = add_soft(world, generate("box6:1x1x1:1"), &soft, 0);
    int named[36];
    for (int i = 0; i < 36; ++i) named[i] = i / 3; // one for each of 12 triangles
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = box;
    def.bodies = &body;
    def.normals = named;
    def.normal_count = 12;
    assert_int_equal(view.triangle_count, 12);
    CHECK_OK(pliant_skin_create(world, &def, &skin));
    for (int i = 0; i < 12; ++i) {
        pliant_vec3 n = pliant_skin_normals(skin)[i];
        double most = fmax(fabs((double)n.x), fmax(fabs((double)n.y), fabs((double)n.z)));
        CHECK_CLOSE(most, 1, 1e-6);
    }
    pliant_skin_destroy(skin);
    named[7] = 12;
    assert_int_equal(pliant_skin_create(world, &def, &skin), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(pliant_error_text(),
                        "triangle 2 of a skin has normal 12, but there are 12 normals");
    pliant_world_destroy(world);
    pliant_mesh_destroy(box);
}

// ---- the same bits ------------------------------------------------------------------------------

static uint64_t hash_after(int threads)
{
    const bool brief = scope_now() == BRIEF;
    const char* mesh = !brief                   ? "torus:0.5:0.2:28"
                       : UNDER_THREAD_SANITIZER ? "torus:0.5:0.2:14"
                                                : "torus:0.5:0.2:20";
    carried c = carry(surface_of(mesh), 2000, 0.3, threads);
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(c.world, &floor);
    for (int i = 0; i < by_scope(2, 2, 10); ++i) CHECK_OK(pliant_world_step(c.world, 1.0f / 60));
    CHECK_OK(pliant_skin_update(c.skin));
    uint64_t hash = skin_hash(c.skin);
    drop(&c);
    return hash;
}

static void any_number_of_threads_gives_the_same_bits(void** state)
{
    (void)state;
    uint64_t one = hash_after(1);
    assert_true(one == hash_after(5));
    if (scope_now() != BRIEF) assert_true(one == hash_after(2));
}

// ---- refusals -----------------------------------------------------------------------------------

static void what_is_far_from_all_tets_is_refused_by_number(void** state)
{
    (void)state;
    pliant_world* world = make_still_world(1, 1);
    pliant_body_id body = add_box(world, 0);
    const double x[] = {0.1, 0.1, 0, 0.1, 0.2, 0, 5, 0.1, 0};
    const int triangle[] = {0, 1, 2};
    pliant_mesh* surface = create_triangles(x, 3, triangle, 1);
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = surface;
    def.bodies = &body;
    assert_int_equal(pliant_skin_create(world, &def, &skin), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "vertex 2 of the skin, at (5, 0.1, 0), is 4.8 m "
                                                "away from all tets"));
    def.reach = 5;
    CHECK_OK(pliant_skin_create(world, &def, &skin));
    CHECK_CLOSE(pliant_skin_describe(skin).farthest, 4.8, 1e-9);
    CHECK_CLOSE(pliant_skin_positions(skin)[2].x, 5, 1e-6);
    pliant_body_remove(world, body);
    assert_int_equal(pliant_skin_update(skin), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(pliant_error_text(), "body 0 of a skin is not in the world any more");
    pliant_skin_destroy(skin);
    pliant_world_destroy(world);
    pliant_mesh_destroy(surface);
}

static void bodies_that_are_ropes_are_refused(void** state)
{
    (void)state;
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id rope = add_soft(world, generate("rope:1:4"), &soft, 0);
    pliant_mesh* surface = surface_of("sphere:0.5:4");
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = surface;
    def.bodies = &rope;
    assert_int_equal(pliant_skin_create(world, &def, &skin), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(pliant_error_text(),
                        "a skin needs bodies with tets, cloth or clusters of particles: body 0 of "
                        "it has none of them");
    pliant_world_destroy(world);
    pliant_mesh_destroy(surface);
}

static void an_update_takes_no_memory(void** state)
{
    (void)state;
    carried c = carry(surface_of("sphere:0.5:12"), 500, 1, 2);
    CHECK_OK(pliant_world_step(c.world, 0.01f));
    uint64_t before = pliant_allocation_count();
    CHECK_OK(pliant_skin_update(c.skin));
    assert_true(pliant_allocation_count() == before);
    drop(&c);
}

static pliant_result make_and_destroy(const void* context)
{
    const carried* c = context;
    pliant_skin_def def = pliant_skin_defaults();
    pliant_skin* skin = NULL;
    def.surface = c->surface;
    def.bodies = c->body;
    pliant_result result = pliant_skin_create(c->world, &def, &skin);
    pliant_skin_destroy(skin);
    return result;
}

static void skins_survive_every_failed_allocation(void** state)
{
    (void)state;
    carried c = carry(surface_of("sphere:0.5:6"), 100, 0, 1);
    assert_true(check_every_failure(make_and_destroy, &c) > 10);
    drop(&c);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        known_threads_test(at_rest_the_surface_is_where_it_was),
        known_threads_test(rigid_and_affine_motions_are_carried_exactly),
        usual_test(a_real_model_is_carried),
        known_threads_test(flat_tets_are_not_what_a_vertex_hangs_on),
        known_threads_test(what_is_far_moves_calmly),
        known_threads_test(several_bodies_carry_one_surface),
        known_threads_test(a_body_of_doubles_carries_too),
        known_threads_test(normals_are_units_and_point_outward),
        known_threads_test(normals_stay_continuous_while_it_bends),
        known_threads_test(corners_with_normals_of_their_own_stay_sharp),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(what_is_far_from_all_tets_is_refused_by_number),
        cmocka_unit_test(bodies_that_are_ropes_are_refused),
        cmocka_unit_test(an_update_takes_no_memory),
        known_threads_test(skins_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
