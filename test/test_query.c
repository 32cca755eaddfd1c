// Rays, nearest points and overlaps: against closed forms, and against all triangles one by one.
#define PRECISION_DOUBLE
#include "failing.h"
#include "geometry/ray.h"
#include "scene.h"
#include <pthread.h>

static pliant_hit cast(const pliant_world* world, place from, place along)
{
    pliant_ray line = pliant_ray_defaults();
    pliant_hit hit;
    memcpy(line.origin, from.x, sizeof line.origin);
    memcpy(line.direction, along.x, sizeof line.direction);
    CHECK_OK(pliant_world_cast_ray(world, &line, &hit));
    return hit;
}

static place at(double x, double y, double z) { return (place){{x, y, z}}; }

static bool is_nothing(const pliant_hit* hit)
{
    return !hit->body.index1 && !hit->collider.index1 && hit->distance == INFINITY;
}

#define CHECK_PLACE(actual, px, py, pz, within)                                                    \
    check_place(actual, (double[3]){px, py, pz}, within, __FILE__, __LINE__)
static void check_place(const double actual[3], const double expected[3], double within,
                        const char* file, int line)
{
    for (int k = 0; k < 3; ++k) {
        if (fabs(actual[k] - expected[k]) <= within) continue;
        print_error("(%.12g, %.12g, %.12g), expected (%.12g, %.12g, %.12g)\n", actual[0], actual[1],
                    actual[2], expected[0], expected[1], expected[2]);
        _fail(file, line);
    }
}

static pliant_collider_id add_shape(pliant_world* world, pliant_collider_def def)
{
    pliant_collider_id id = new_collider(world, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    return id;
}

static pliant_collider_def shape(pliant_shape kind, double x, double y, double z)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = kind;
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return def;
}

// About z, by an angle [rad].
static pliant_quat about_z(double angle)
{
    return (pliant_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
}

// A body that has bent, in a world that is far from tidy.
static pliant_body_id add_bent(pliant_world* world, const char* words, double x)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = generate(words);
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = x;
    def.rotation = about_z(0.3);
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    if (!body.index1) fail_msg("%s", pliant_error_text());
    shake(world, body);
    run(world, 3, 0.02);
    return body;
}

// ---- colliders ----------------------------------------------------------------------------------

static void an_empty_world_has_nothing(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_overlap found[1];
    pliant_hit hit = cast(world, at(0, 0, 0), at(1, 2, 3));
    assert_true(is_nothing(&hit));
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){1, 2, 3}, INFINITY, &hit));
    assert_true(is_nothing(&hit));
    assert_int_equal(get_overlaps_of_ball(world, (double[3]){0}, 1e30, found, 1), 0);
    pliant_world_destroy(world);
}

static void rays_meet_shapes_where_formulas_say(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_collider_id plane = add_shape(world, shape(PLIANT_SHAPE_PLANE, 0, 0, 0));
    pliant_collider_id ball = add_shape(world, shape(PLIANT_SHAPE_SPHERE, 5, 2, 0));
    pliant_collider_id box = add_shape(world, shape(PLIANT_SHAPE_BOX, -5, 2, 0));
    pliant_collider_id capsule = add_shape(world, shape(PLIANT_SHAPE_CAPSULE, 0, 5, 5));
    pliant_hit hit = cast(world, at(1, 3, 2), at(0, -7, 0));
    assert_int_equal(hit.collider.index1, plane.index1);
    CHECK_CLOSE(hit.distance, 3, 1e-15);
    CHECK_PLACE(hit.point, 1, 0, 2, 1e-15);
    CHECK_PLACE(hit.normal, 0, 1, 0, 0);
    // 0.3 beside the middle: the ball's surface is 0.4 before it.
    hit = cast(world, at(0, 2.3, 0), at(1e-30, 0, 0));
    assert_int_equal(hit.collider.index1, ball.index1);
    CHECK_CLOSE(hit.distance, 4.6, 1e-7);
    CHECK_PLACE(hit.normal, -0.8, 0.6, 0, 1e-6);
    hit = cast(world, at(0, 2.3, 0), at(-1e30, 0, 0));
    assert_int_equal(hit.collider.index1, box.index1);
    CHECK_PLACE(hit.point, -4.5, 2.3, 0, 1e-12);
    CHECK_PLACE(hit.normal, 1, 0, 0, 0);
    hit = cast(world, at(0, 5.2, 0), at(0, 0, 1));
    assert_int_equal(hit.collider.index1, capsule.index1);
    CHECK_CLOSE(hit.distance, 4.5, 1e-12);
    // Its upper end, 0.3 beside its middle.
    hit = cast(world, at(0.3, 9, 5), at(0, -1, 0));
    CHECK_CLOSE(hit.distance, 9 - 5.5 - 0.4, 1e-7);
    hit = cast(world, at(0, 9, 0), at(0, 1, 1));
    assert_true(is_nothing(&hit));
    pliant_world_destroy(world);
}

static void what_a_ray_starts_in_is_met_from_behind(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    add_shape(world, shape(PLIANT_SHAPE_PLANE, 0, 0, 0));
    add_shape(world, shape(PLIANT_SHAPE_SPHERE, 0, 3, 0));
    pliant_hit hit = cast(world, at(0.3, -2, 0), at(0, 1, 0));
    CHECK_CLOSE(hit.distance, 2, 1e-15);
    assert_true(hit.behind);
    hit = cast(world, at(0.3, 3, 0), at(0, 1, 0));
    CHECK_CLOSE(hit.distance, 0.4, 1e-7);
    assert_true(hit.behind);
    CHECK_PLACE(hit.normal, 0.6, 0.8, 0, 1e-6);
    hit = cast(world, at(0.3, 4, 0), at(0, -1, 0));
    assert_false(hit.behind);
    pliant_world_destroy(world);
}

static void a_ray_ends_at_its_longest(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    add_shape(world, shape(PLIANT_SHAPE_PLANE, 0, 0, 0));
    pliant_ray line = pliant_ray_defaults();
    pliant_hit hit;
    line.origin[1] = 2, line.direction[1] = -5;
    line.longest = 2;
    CHECK_OK(pliant_world_cast_ray(world, &line, &hit));
    CHECK_CLOSE(hit.distance, 2, 1e-15);
    line.longest = 1.999;
    CHECK_OK(pliant_world_cast_ray(world, &line, &hit));
    assert_true(is_nothing(&hit));
    line.longest = INFINITY;
    line.colliders = false;
    CHECK_OK(pliant_world_cast_ray(world, &line, &hit));
    assert_true(is_nothing(&hit));
    pliant_world_destroy(world);
}

// The box is where its velocities have brought it: turned by 45 degrees, a corner toward the ray.
static void a_collider_is_met_where_it_has_moved(void** unused)
{
    (void)unused;
    const double quarter = 0.78539816339744831;
    pliant_world* world = make_world(10, 1);
    pliant_collider_id box = add_shape(world, shape(PLIANT_SHAPE_BOX, 0, 0, 0));
    CHECK_OK(pliant_collider_set_velocity(world, box, vec(0, 2, 0), vec(0, 0, quarter)));
    run(world, 1, 1);
    pliant_hit hit = cast(world, at(-5, 2, 0), at(1, 0, 0));
    CHECK_CLOSE(hit.distance, 5 - sqrt(0.5), 1e-6);
    hit = cast(world, at(-5, 2.1, 0), at(1, 0, 0));
    CHECK_CLOSE(hit.distance, 5.1 - sqrt(0.5), 1e-6);
    CHECK_PLACE(hit.normal, -sqrt(0.5), sqrt(0.5), 0, 1e-6);
    CHECK_OK(pliant_collider_set_pose(world, box, (double[3]){0, 9, 0}, about_z(0)));
    hit = cast(world, at(-5, 2, 0), at(1, 0, 0));
    assert_true(is_nothing(&hit));
    pliant_world_destroy(world);
}

// A mesh is seen through its field: to a tenth of a cell where the surface is smooth.
static void a_mesh_is_met_through_its_field(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_collider_def def = shape(PLIANT_SHAPE_MESH, 1, 2, 3);
    pliant_mesh* ball = generate("sphere:0.5:24");
    def.mesh = ball;
    def.cell = 0.03f;
    def.rotation = about_z(1);
    add_shape(world, def);
    pliant_mesh_destroy(ball);
    random_source r = {4};
    double worst = 0;
    for (int i = 0; i < 200; ++i) {
        place from, to = at(1, 2, 3);
        random_in_ball(&r, from.x);
        for (int k = 0; k < 3; ++k) from.x[k] = to.x[k] + from.x[k] * (i % 2 ? 0.4 : 50);
        double length = 0, middle = 0;
        for (int k = 0; k < 3; ++k) to.x[k] -= from.x[k], length += to.x[k] * to.x[k];
        pliant_hit hit = cast(world, from, to);
        assert_int_equal(hit.collider.index1, 1);
        for (int k = 0; k < 3; ++k) middle += pow(hit.point[k] - (double[3]){1, 2, 3}[k], 2);
        worst = fmax(worst, fabs(sqrt(middle) - 0.5));
        assert_true(hit.behind == (sqrt(length) < 0.5));
    }
    if (worst > 0.005) fail_msg("a ray is off by %g m", worst);
    pliant_world_destroy(world);
}

// ---- bodies -------------------------------------------------------------------------------------

typedef struct {
    int triangle; // -1: none
    double distance;
} first_hit;

static first_hit cast_at_all(const place* x, const pliant_mesh_arrays* m, const int* vertex,
                             const ray* r)
{
    first_hit best = {-1, INFINITY};
    for (int t = 0; t < m->triangle_count; ++t) {
        const double* corner[3];
        double share[3];
        for (int k = 0; k < 3; ++k) {
            int v = m->triangles[3 * t + k];
            corner[k] = x[vertex ? vertex[v] : v].x;
        }
        double distance = ray_meets_triangle(r, corner, share);
        if (distance < best.distance) best = (first_hit){t, distance};
    }
    return best;
}

// The same bits, whatever has moved the body since the tree was made.
static void check_against_all(const pliant_world* world, pliant_body_id body, const char* words,
                              uint64_t seed)
{
    pliant_mesh *mesh = generate(words), *outside = NULL;
    int* vertex = NULL;
    if (pliant_mesh_view(mesh).tet_count) {
        vertex = (int*)malloc((size_t)pliant_mesh_view(mesh).vertex_count * sizeof *vertex);
        CHECK_OK(pliant_mesh_boundary(mesh, &outside, vertex));
    }
    pliant_mesh_arrays m = pliant_mesh_view(outside ? outside : mesh);
    place* x = read_places(world, body);
    random_source r = {seed};
    int hits = 0, rays = by_scope(25, 500, 20000);
    for (int i = 0; i < rays; ++i) {
        double from[3], along[3];
        random_in_ball(&r, from);
        random_in_ball(&r, along);
        for (int k = 0; k < 3; ++k) from[k] *= 2, along[k] -= from[k] / 2;
        ray line = ray_make(from, along);
        first_hit best = cast_at_all(x, &m, vertex, &line);
        pliant_hit hit =
            cast(world, at(from[0], from[1], from[2]), at(along[0], along[1], along[2]));
        bool same = best.triangle < 0 ? is_nothing(&hit)
                                      : hit.corners == 3 && hit.element == best.triangle &&
                                            hit.distance == best.distance;
        if (!same)
            fail_msg("ray %d: triangle %d at %.17g m, one by one %d at %.17g m", i, hit.element,
                     hit.distance, best.triangle, best.distance);
        hits += best.triangle >= 0;
        double point[3] = {0, 0, 0};
        for (int k = 0; k < 9 && best.triangle >= 0; ++k)
            point[k % 3] += hit.share[k / 3] * x[hit.particle[k / 3]].x[k % 3];
        if (best.triangle >= 0) CHECK_PLACE(hit.point, point[0], point[1], point[2], 1e-12);
    }
    CHECK_BETWEEN(hits, 0.1 * rays, 0.95 * rays);
    free(x);
    free(vertex);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(outside);
}

static void rays_find_what_all_triangles_tell(void** unused)
{
    (void)unused;
    static const char* const words[] = {"blob:0.6:10", "torus:0.7:0.25:8", "cloth:20x20:2x2"};
    for (int i = 0; i < 3; ++i) {
        pliant_world* world = make_world(0, 1);
        pliant_body_id body = add_bent(world, words[i], 0.1);
        size_t bytes = pliant_world_snapshot_size(world);
        void* before = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, before, bytes));
        check_against_all(world, body, words[i], 1);
        run(world, 3, 0.02);
        check_against_all(world, body, words[i], 2);
        CHECK_OK(pliant_body_teleport(world, body, (double[3]){0}, about_z(1),
                                      (double[3]){0.1, 0.2, 0.1}));
        check_against_all(world, body, words[i], 3);
        CHECK_OK(pliant_world_snapshot_restore(world, before, bytes));
        check_against_all(world, body, words[i], 4);
        free(before);
        pliant_world_destroy(world);
    }
}

// From inside of a closed surface every ray meets it, also those through corners and edges.
static void no_ray_passes_between_triangles(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(0, 1);
    pliant_body_id body = add_bent(world, "sphere:0.5:8", 0);
    pliant_mesh *mesh = generate("sphere:0.5:8"), *outside = NULL;
    int* vertex = (int*)malloc((size_t)pliant_mesh_view(mesh).vertex_count * sizeof *vertex);
    CHECK_OK(pliant_mesh_boundary(mesh, &outside, vertex));
    pliant_mesh_arrays m = pliant_mesh_view(outside);
    place *x = read_places(world, body), from = {{0, 0, 0}};
    for (int i = 0; i < pliant_body_particle_count(world, body); ++i)
        for (int k = 0; k < 3; ++k)
            from.x[k] += x[i].x[k] / pliant_body_particle_count(world, body);
    for (int i = 0; i < 3 * m.triangle_count; ++i) {
        const double *a = x[vertex[m.triangles[i]]].x,
                     *b = x[vertex[m.triangles[i - i % 3 + (i + 1) % 3]]].x;
        for (double part = 0; part < 1; part += 0.25) {
            place along;
            for (int k = 0; k < 3; ++k) along.x[k] = a[k] + part * (b[k] - a[k]) - from.x[k];
            pliant_hit hit = cast(world, from, along);
            if (is_nothing(&hit)) fail_msg("a ray passes at edge %d", i);
            assert_true(hit.behind);
        }
    }
    free(x);
    free(vertex);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(outside);
    pliant_world_destroy(world);
}

static void cloth_is_met_from_both_sides(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    add_soft(world, generate("cloth:4x4:1x1"), &soft, 1);
    pliant_hit hit = cast(world, at(0.1, 3, 0.05), at(0, -1, 0));
    CHECK_CLOSE(hit.distance, 2, 1e-15);
    assert_false(hit.behind);
    CHECK_PLACE(hit.normal, 0, 1, 0, 1e-15);
    hit = cast(world, at(0.1, 0, 0.05), at(0, 1, 0));
    CHECK_CLOSE(hit.distance, 1, 1e-15);
    assert_true(hit.behind);
    CHECK_PLACE(hit.normal, 0, 1, 0, 1e-15);
    pliant_world_destroy(world);
}

// A rope along x at y = 1, of radius 0.1.
static void a_rope_is_met_as_a_capsule(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope.radius = 0.1;
    add_soft(world, generate("rope:1:10"), &soft, 1);
    pliant_hit hit = cast(world, at(0.33, 3, 0.06), at(0, -1, 0));
    CHECK_CLOSE(hit.distance, 2 - 0.08, 1e-7);
    assert_int_equal(hit.corners, 2);
    assert_int_equal(hit.element, 3);
    CHECK_CLOSE(hit.share[1], 0.3, 1e-5);
    CHECK_PLACE(hit.normal, 0, 0.8, 0.6, 1e-6);
    hit = cast(world, at(-2, 1, 0.06), at(1, 0, 0));
    CHECK_CLOSE(hit.distance, 2 - 0.08, 1e-7);
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){0.33, 1.5, 0}, 1, &hit));
    CHECK_CLOSE(hit.distance, 0.4, 1e-6);
    CHECK_PLACE(hit.point, 0.33, 1.1, 0, 1e-6);
    pliant_world_destroy(world);
}

static void a_removed_body_is_not_met(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_overlap found[2];
    pliant_body_id low = add_box(world, 0), high = add_box(world, 1);
    pliant_hit hit = cast(world, at(0.1, 5, 0.11), at(0, -1, 0));
    assert_int_equal(hit.body.index1, high.index1);
    CHECK_CLOSE(hit.distance, 3.8, 1e-7);
    pliant_body_remove(world, high);
    hit = cast(world, at(0.1, 5, 0.11), at(0, -1, 0));
    assert_int_equal(hit.body.index1, low.index1);
    assert_int_equal(get_overlaps_of_ball(world, (double[3]){0.1, 1.1, 0.1}, 0.3, found, 2), 0);
    pliant_world_destroy(world);
}

// Bodies come before colliders, and what was there first before what came later.
static void ties_go_to_the_lower_number(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    add_shape(world, shape(PLIANT_SHAPE_PLANE, 0, 0, 0));
    add_shape(world, shape(PLIANT_SHAPE_PLANE, 0, 0, 0));
    pliant_hit hit = cast(world, at(0.05, -1, 0.02), at(0, 1, 0));
    assert_int_equal(hit.collider.index1, 1);
    add_box(world, 0);
    add_box(world, 0);
    hit = cast(world, at(0.05, -1, 0.02), at(0, 1, 0));
    assert_int_equal(hit.body.index1, 1);
    pliant_world_destroy(world);
}

// ---- nearest points and overlaps ----------------------------------------------------------------

// No point of any triangle is nearer, and the one that is told is as near.
static void nearest_points_are_nearest(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(0, 1);
    pliant_body_id body = add_bent(world, "blob:0.6:8", 0);
    pliant_mesh *mesh = generate("blob:0.6:8"), *outside = NULL;
    int* vertex = (int*)malloc((size_t)pliant_mesh_view(mesh).vertex_count * sizeof *vertex);
    CHECK_OK(pliant_mesh_boundary(mesh, &outside, vertex));
    pliant_mesh_arrays m = pliant_mesh_view(outside);
    place* x = read_places(world, body);
    random_source r = {7};
    for (int i = 0; i < by_scope(10, 100, 1000); ++i) {
        double p[3], square = 0, least = INFINITY;
        pliant_hit hit;
        random_in_ball(&r, p);
        CHECK_OK(pliant_body_find_nearest(world, body, p, &hit));
        for (int k = 0; k < 3; ++k) square += pow(hit.point[k] - p[k], 2);
        CHECK_CLOSE(sqrt(square), hit.distance, 1e-9);
        for (int t = 0; t < m.triangle_count; ++t)
            for (int a = 0; a <= 8; ++a)
                for (int b = 0; a + b <= 8; ++b) {
                    double far = 0;
                    for (int k = 0; k < 3; ++k)
                        far += pow((a * x[vertex[m.triangles[3 * t]]].x[k] +
                                    b * x[vertex[m.triangles[3 * t + 1]]].x[k] +
                                    (8 - a - b) * x[vertex[m.triangles[3 * t + 2]]].x[k]) /
                                           8 -
                                       p[k],
                                   2);
                    least = fmin(least, sqrt(far));
                }
        CHECK_BETWEEN(least - hit.distance, -1e-12, 0.02);
    }
    free(x);
    free(vertex);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(outside);
    pliant_world_destroy(world);
}

static void nearest_points_of_a_world_tell_the_side(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_collider_id ball = add_shape(world, shape(PLIANT_SHAPE_SPHERE, 0, 3, 0));
    pliant_body_id box = add_box(world, 0); // from 0 to 0.2
    pliant_hit hit;
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){0.1, 0.5, 0.1}, INFINITY, &hit));
    assert_int_equal(hit.body.index1, box.index1);
    CHECK_CLOSE(hit.distance, 0.3, 1e-6);
    CHECK_PLACE(hit.point, 0.1, 0.2, 0.1, 1e-6);
    assert_false(hit.behind);
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){0.1, 0.15, 0.11}, INFINITY, &hit));
    CHECK_CLOSE(hit.distance, 0.05, 1e-6);
    assert_true(hit.behind);
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){0, 3.2, 0}, INFINITY, &hit));
    assert_int_equal(hit.collider.index1, ball.index1);
    CHECK_CLOSE(hit.distance, 0.3, 1e-6);
    CHECK_PLACE(hit.point, 0, 3.5, 0, 1e-6);
    assert_true(hit.behind);
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){0, 1.5, 0}, 0.5, &hit));
    assert_true(is_nothing(&hit));
    pliant_world_destroy(world);
}

static void volumes_touch_shapes_from_their_surface_on(void** unused)
{
    (void)unused;
    static const pliant_shape kinds[] = {PLIANT_SHAPE_PLANE, PLIANT_SHAPE_BOX, PLIANT_SHAPE_SPHERE,
                                         PLIANT_SHAPE_CAPSULE, PLIANT_SHAPE_MESH};
    pliant_mesh* ball = generate("sphere:0.5:16");
    for (int i = 0; i < 5; ++i) {
        pliant_world* world = make_world(1, 1);
        pliant_collider_def def = shape(kinds[i], 0, -1, 0);
        def.mesh = ball;
        def.half_height = 0.25f;
        double top = kinds[i] == PLIANT_SHAPE_PLANE     ? 0
                     : kinds[i] == PLIANT_SHAPE_CAPSULE ? 0.75
                                                        : 0.5;
        def.position[1] = -1 - top; // its highest place is at -1
        add_shape(world, def);
        bool sampled = kinds[i] == PLIANT_SHAPE_MESH;
        double low[3] = {-0.3, -0.99 + 0.01 * sampled, -0.3}, high[3] = {0.3, 1, 0.3};
        assert_int_equal(get_overlaps_of_box(world, low, high, NULL, 0), 0);
        low[1] = -1.01;
        assert_int_equal(get_overlaps_of_box(world, low, high, NULL, 0), 1);
        const double above[3] = {0, -0.5, 0};
        assert_int_equal(get_overlaps_of_ball(world, above, 0.49, NULL, 0), 0);
        assert_int_equal(get_overlaps_of_ball(world, above, 0.51, NULL, 0), 1);
        pliant_world_destroy(world);
    }
    pliant_mesh_destroy(ball);
}

// A box on its edge: only the axes across edges tell that the corners are apart.
static void a_turned_box_is_touched_at_its_edge(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_collider_def def = shape(PLIANT_SHAPE_BOX, 0, 0, 0);
    def.rotation = about_z(0.78539816339744831);
    add_shape(world, def);
    double corner = sqrt(0.5), apart[3] = {corner / 2 + 0.01, corner / 2 + 0.01, 0};
    double high[3] = {2, 2, 0.1};
    assert_int_equal(get_overlaps_of_box(world, apart, high, NULL, 0), 0);
    for (int k = 0; k < 2; ++k) apart[k] -= 0.02;
    assert_int_equal(get_overlaps_of_box(world, apart, high, NULL, 0), 1);
    pliant_world_destroy(world);
}

static void volumes_touch_bodies_from_their_surface_on(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope.radius = 0.05;
    static const char* const words[] = {"box6:4x4x4", "cloth:4x4:1x1", "rope:1:4"};
    for (int i = 0; i < 3; ++i) {
        pliant_world* world = make_world(1, 1);
        pliant_body_id body = add_soft(world, generate(words[i]), &soft, 0);
        double low[3], high[3];
        CHECK_OK(pliant_body_bounds(world, body, low, high));
        double top = i == 2 ? 0.05 : high[1], x = 0.5 * (low[0] + high[0]) + 0.01;
        double z = 0.5 * (low[2] + high[2]) + 0.01;
        place over = at(x, 0, z);
        double corner[3] = {over.x[0] - 0.02, top + 0.001, over.x[2] - 0.02};
        double other[3] = {over.x[0] + 0.02, top + 1, over.x[2] + 0.02};
        assert_int_equal(get_overlaps_of_box(world, corner, other, NULL, 0), 0);
        corner[1] = top - 0.001;
        assert_int_equal(get_overlaps_of_box(world, corner, other, NULL, 0), 1);
        const double c[3] = {over.x[0], top + 0.5, i == 2 ? 0 : over.x[2]};
        assert_int_equal(get_overlaps_of_ball(world, c, 0.499, NULL, 0), 0);
        assert_int_equal(get_overlaps_of_ball(world, c, 0.501, NULL, 0), 1);
        pliant_world_destroy(world);
    }
}

static void a_volume_inside_of_tets_touches_them(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    add_box(world, 0); // from 0 to 0.2; its middle is a vertex
    const double middle[3] = {0.1, 0.1, 0.1}, low[3] = {0.09, 0.09, 0.09},
                 high[3] = {0.11, 0.11, 0.11};
    assert_int_equal(get_overlaps_of_ball(world, middle, 0, NULL, 0), 1);
    assert_int_equal(get_overlaps_of_box(world, low, high, NULL, 0), 1);
    assert_int_equal(get_overlaps_of_ball(world, (double[3]){0.1, 0.3, 0.1}, 0, NULL, 0), 0);
    pliant_world_destroy(world);
}

static void overlaps_are_counted_beyond_the_room_for_them(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_overlap found[5] = {0};
    for (int i = 0; i < 3; ++i) add_box(world, 0.3 * i);
    add_shape(world, shape(PLIANT_SHAPE_SPHERE, 0, 0, 0));
    const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    assert_int_equal(get_overlaps_of_box(world, low, high, found, 2), 4);
    assert_int_equal(found[0].body.index1, 1);
    assert_int_equal(found[1].body.index1, 2);
    assert_int_equal(found[2].body.index1, 0);
    assert_int_equal(get_overlaps_of_box(world, low, high, found, 5), 4);
    assert_int_equal(found[3].collider.index1, 1);
    assert_int_equal(found[3].body.index1, 0);
    pliant_world_destroy(world);
}

// ---- what is refused, memory, threads -----------------------------------------------------------

static void numbers_that_are_none_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e101};
    const double zero[3] = {0};
    pliant_hit hit;
    pliant_ray good = pliant_ray_defaults();
    good.direction[0] = 1;
    add_box(world, 0);
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) {
            pliant_ray line = good;
            double p[3] = {0, 0, 0};
            p[k] = line.origin[k] = bad[i];
            assert_int_equal(pliant_world_cast_ray(world, &line, &hit), PLIANT_ERROR_ARGUMENT);
            assert_true(is_nothing(&hit));
            line = good;
            line.direction[k] = bad[i];
            assert_int_equal(pliant_world_cast_ray(world, &line, &hit), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(pliant_world_find_nearest(world, p, 1, &hit), PLIANT_ERROR_ARGUMENT);
            assert_int_equal(get_overlaps_of_ball(world, p, 1, NULL, 0), -1);
            assert_int_equal(get_overlaps_of_box(world, p, zero, NULL, 0), -1);
            assert_int_equal(get_overlaps_of_box(world, zero, p, NULL, 0), -1);
        }
    pliant_ray none = pliant_ray_defaults();
    assert_int_equal(pliant_world_cast_ray(world, &none, &hit), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "direction"));
    good.longest = NAN;
    assert_int_equal(pliant_world_cast_ray(world, &good, &hit), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_world_find_nearest(world, zero, -1, &hit), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(get_overlaps_of_ball(world, zero, -1, NULL, 0), -1);
    assert_int_equal(get_overlaps_of_box(world, (double[3]){1, 0, 0}, zero, NULL, 0), -1);
    pliant_world_destroy(world);
}

static pliant_result build_and_ask(const void* context)
{
    const pliant_asset* asset = (const pliant_asset*)context;
    pliant_world_def def = pliant_world_defaults();
    pliant_body_def place_def = pliant_body_defaults();
    pliant_ray line = pliant_ray_defaults();
    pliant_world* world = NULL;
    pliant_hit hit;
    def.threads = 1;
    line.origin[0] = line.origin[2] = 0.1, line.origin[1] = 3, line.direction[1] = -1;
    if (pliant_world_create(&def, &world) != PLIANT_OK) return PLIANT_ERROR_MEMORY;
    pliant_result result =
        new_body(world, asset, &place_def).index1 ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) result = pliant_world_cast_ray(world, &line, &hit);
    if (!result) assert_int_equal(hit.body.index1, 1);
    if (!result && get_overlaps_of_ball(world, hit.point, 0, NULL, 0) < 0)
        result = PLIANT_ERROR_MEMORY;
    pliant_world_destroy(world);
    return result;
}

static void queries_survive_every_failed_allocation(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_asset* asset = box_asset(&soft);
    assert_true(check_every_failure(build_and_ask, asset) > 10);
    pliant_asset_destroy(asset);
}

static void warm_queries_take_no_memory(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(0, 1);
    add_bent(world, "blob:0.6:8", 0);
    cast(world, at(0, 3, 0), at(0, -1, 0));
    run(world, 1, 0.01);
    uint64_t count = pliant_allocation_count();
    cast(world, at(0, 3, 0), at(0, -1, 0));
    assert_int_equal(pliant_allocation_count(), count);
    pliant_world_destroy(world);
}

enum { ASKING = 3 };

typedef struct {
    const pliant_world* world;
    double sum;
} asker;

static void* ask_often(void* context)
{
    asker* a = (asker*)context;
    random_source r = {11};
    for (int i = 0; i < 200; ++i) {
        place from, along;
        random_in_ball(&r, from.x);
        random_in_ball(&r, along.x);
        pliant_hit hit = cast(a->world, from, along);
        if (!is_nothing(&hit)) a->sum += hit.distance;
    }
    return NULL;
}

static void threads_may_ask_at_once(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(0, 1);
    add_bent(world, "blob:0.6:8", 0);
    add_shape(world, shape(PLIANT_SHAPE_SPHERE, 1, 0, 0));
    pthread_t thread[ASKING];
    asker a[ASKING];
    for (int i = 0; i < ASKING; ++i) {
        a[i] = (asker){world, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, ask_often, &a[i]), 0);
    }
    for (int i = 0; i < ASKING; ++i) pthread_join(thread[i], NULL);
    for (int i = 1; i < ASKING; ++i) assert_true(a[i].sum == a[0].sum);
    assert_true(a[0].sum > 0);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_world_has_nothing),
        cmocka_unit_test(rays_meet_shapes_where_formulas_say),
        cmocka_unit_test(what_a_ray_starts_in_is_met_from_behind),
        cmocka_unit_test(a_ray_ends_at_its_longest),
        cmocka_unit_test(a_collider_is_met_where_it_has_moved),
        known_threads_test(a_mesh_is_met_through_its_field),
        known_threads_test(rays_find_what_all_triangles_tell),
        known_threads_test(no_ray_passes_between_triangles),
        cmocka_unit_test(cloth_is_met_from_both_sides),
        cmocka_unit_test(a_rope_is_met_as_a_capsule),
        cmocka_unit_test(a_removed_body_is_not_met),
        cmocka_unit_test(ties_go_to_the_lower_number),
        known_threads_test(nearest_points_are_nearest),
        cmocka_unit_test(nearest_points_of_a_world_tell_the_side),
        cmocka_unit_test(volumes_touch_shapes_from_their_surface_on),
        cmocka_unit_test(a_turned_box_is_touched_at_its_edge),
        cmocka_unit_test(volumes_touch_bodies_from_their_surface_on),
        cmocka_unit_test(a_volume_inside_of_tets_touches_them),
        cmocka_unit_test(overlaps_are_counted_beyond_the_room_for_them),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        known_threads_test(queries_survive_every_failed_allocation),
        cmocka_unit_test(warm_queries_take_no_memory),
        cmocka_unit_test(threads_may_ask_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
