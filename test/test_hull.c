// Convex hulls against brute force, and what colliders see of them against closed forms.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "collide/probe.h"
#include "collide/query.h"
#include "meshes.h"

// ---- hulls --------------------------------------------------------------------------------------

static hull hull_of(const double* points, int count)
{
    hull h;
    CHECK_OK(hull_create(points, count, &h));
    return h;
}

static double height_above(const hull* h, int face, const double p[3])
{
    return hull_height((const double*)h->data, h->plane_count, face, p);
}

// No point is above a plane, and each plane has a corner of its own.
static void check_planes(const hull* h, const double* points, int count, double tolerance)
{
    for (int i = 0; i < h->face_count; ++i) {
        double most = -INFINITY;
        for (int k = 0; k < count; ++k)
            most = fmax(most, height_above(h, i, points + 3 * (size_t)k));
        if (!(fabs(most) <= tolerance))
            fail_msg("face %d: the highest point is %g m above its plane", i, most);
    }
}

// Each edge is between two triangles that walk it in turn, and V - E + F = 2.
static void check_closed(const hull* h)
{
    int n = h->corner_count;
    unsigned char* walked = (unsigned char*)calloc((size_t)n * (size_t)n, 1);
    for (int i = 0; i < 3 * h->triangle_count; ++i) {
        int from = h->triangle[i], to = h->triangle[i % 3 == 2 ? i - 2 : i + 1];
        if (walked[from * n + to]++) fail_msg("the edge %d %d is walked twice", from, to);
    }
    for (int i = 0; i < n * n; ++i)
        if (walked[i] != walked[i % n * n + i / n]) fail_msg("edge %d %d is open", i / n, i % n);
    free(walked);
    assert_int_equal(h->corner_count - 3 * h->triangle_count / 2 + h->triangle_count, 2);
}

static double volume_of(const hull* h)
{
    double sum = 0;
    for (int i = 0; i < h->triangle_count; ++i) {
        const double* corner[3];
        double normal[3];
        for (int k = 0; k < 3; ++k) corner[k] = h->corner + 3 * (size_t)h->triangle[3 * i + k];
        cross3(corner[1], corner[2], normal);
        sum += dot3(corner[0], normal) / 6;
    }
    return sum;
}

static void known_solids_have_their_faces(void** unused)
{
    (void)unused;
    static const double cube[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0,   0,   1,
                                  1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0.5, 0.5, 1};
    static const double tet[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.1, 0.1};
    static const double octahedron[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    const struct {
        const double* points;
        int count, corners, faces;
        double volume, thin;
    } solids[] = {{cube, 10, 8, 6, 1, 0.5},
                  {tet, 5, 4, 4, 1.0 / 6, 0.5 / sqrt(3)},
                  {octahedron, 6, 6, 8, 4.0 / 3, 1 / sqrt(3)}};
    for (int i = 0; i < 3; ++i) {
        hull h = hull_of(solids[i].points, solids[i].count);
        assert_int_equal(h.face_count, solids[i].faces);
        assert_int_equal(h.corner_count, solids[i].corners);
        CHECK_CLOSE(volume_of(&h), solids[i].volume, 1e-12);
        CHECK_CLOSE(h.thin, solids[i].thin, 1e-12);
        check_closed(&h);
        hull_destroy(&h);
    }
}

static void random_point(random_source* r, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = random_range(r, -1, 1);
}

// In a ball, in a box (faces full of points), on a grid (nothing but planes and lines), on a ball.
static void fill_cloud(int kind, random_source* r, double* out, int count)
{
    for (int i = 0; i < count; ++i) {
        double* p = out + 3 * (size_t)i;
        do random_point(r, p);
        while (kind != 1 && kind != 2 && !(dot3(p, p) <= 1 && dot3(p, p) > 1e-6));
        if (kind == 1) p[i % 3] = p[i % 3] < 0 ? -1 : 1;
        for (int k = 0; k < 3 && kind == 2; ++k) p[k] = floor(p[k] * 1.5 + 0.5);
        double length = sqrt(dot3(p, p));
        for (int k = 0; k < 3 && kind == 3; ++k) p[k] /= length;
    }
}

static void turn(double* points, int count)
{
    for (int i = 0; i < count; ++i) {
        double *p = points + 3 * (size_t)i, x = p[0], y = p[1], z = p[2];
        p[0] = 0.36 * x + 0.48 * y - 0.8 * z;
        p[1] = -0.8 * x + 0.6 * y;
        p[2] = 0.48 * x + 0.64 * y + 0.6 * z;
    }
}

static void hulls_of_1000_points_hold_them_all(void** unused)
{
    (void)unused;
    enum { COUNT = 1000 };
    double* points = (double*)malloc(3 * COUNT * sizeof *points);
    random_source r = {11};
    for (int kind = 0; kind < 4; ++kind)
        for (int turned = 0; turned < 2; ++turned) {
            fill_cloud(kind, &r, points, COUNT);
            if (turned) turn(points, COUNT);
            hull h = hull_of(points, COUNT);
            check_planes(&h, points, COUNT, 1e-11);
            check_closed(&h);
            if (kind == 2) assert_int_equal(h.face_count, 6);
            if (kind == 3) assert_int_equal(h.corner_count, COUNT);
            hull_destroy(&h);
        }
    free(points);
}

static void bad_points_get_a_sentence(void** unused)
{
    (void)unused;
    static const double few[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const double same[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    static const double line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 5, 5, 5};
    static const double flat[] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0.5, 0.2, 1};
    static const double thin[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1e-9};
    const double odd[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0, 0, 0, 1},
                 far[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1e40};
    const struct {
        const double* points;
        int count;
        const char* says;
    } cases[] = {{few, 3, "at least four points"},
                 {few, 0, "and 0 are given"},
                 {same, 4, "at one place"},
                 {line, 4, "in a line"},
                 {flat, 5, "in a plane"},
                 {thin, 4, "in a plane, but for"},
                 {odd, 4, "point 2"},
                 {far, 4, "point 3"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        hull h;
        assert_int_equal(hull_create(cases[i].points, cases[i].count, &h), PLIANT_ERROR_ARGUMENT);
        if (!strstr(pliant_error_text(), cases[i].says))
            fail_msg("'%s' does not say '%s'", pliant_error_text(), cases[i].says);
    }
}

// ---- probes -------------------------------------------------------------------------------------

static collider convex(const hull* h)
{
    return (collider){
        .shape = PLIANT_SHAPE_CONVEX, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .hull = h};
}

static local_probe probe_at(const collider* c, const double p[3], double enough)
{
    probe_shape s = probe_shape_of(c);
    return probe_local(&s, p, enough);
}

static void a_box_as_a_hull_is_the_box(void** unused)
{
    (void)unused;
    double corners[24];
    for (int i = 0; i < 24; ++i) corners[i] = (i / 3 >> i % 3 & 1 ? 1 : -1) * (1 + i % 3);
    hull h = hull_of(corners, 8);
    collider as_hull = convex(&h), box = as_hull;
    box.shape = PLIANT_SHAPE_BOX;
    for (int k = 0; k < 3; ++k) box.half_extents[k] = 1 + k;
    random_source r = {3};
    for (int i = 0; i < 2000; ++i) {
        double p[3];
        for (int k = 0; k < 3; ++k) p[k] = random_range(&r, -2, 2) * (1 + k);
        local_probe a = probe_at(&as_hull, p, INFINITY), b = probe_at(&box, p, INFINITY);
        double off = fabs(a.distance - b.distance);
        for (int k = 0; k < 3; ++k) off = fmax(off, fabs(a.normal[k] - b.normal[k]));
        if (!(off <= 1e-12))
            fail_msg("at (%g, %g, %g): %g m, (%g, %g, %g), of the box %g m, (%g, %g, %g)", p[0],
                     p[1], p[2], a.distance, a.normal[0], a.normal[1], a.normal[2], b.distance,
                     b.normal[0], b.normal[1], b.normal[2]);
    }
    CHECK_CLOSE(h.thin, 1, 1e-12);
    CHECK_CLOSE(h.slim, 2, 1e-12);
    hull_destroy(&h);
}

// The nearest of all its triangles by brute force, and the slope of the distance.
static void distance_is_that_of_the_nearest_place(void** unused)
{
    (void)unused;
    enum { COUNT = 200 };
    double points[3 * COUNT];
    random_source r = {7};
    fill_cloud(3, &r, points, COUNT);
    hull h = hull_of(points, COUNT);
    collider c = convex(&h);
    const facet* f = hull_facets(h.data, h.plane_count);
    for (int i = 0; i < 1000; ++i) {
        double p[3], at[3], least = INFINITY;
        random_point(&r, p);
        for (int k = 0; k < 3; ++k) p[k] *= 1.4;
        local_probe found = probe_at(&c, p, INFINITY);
        for (int k = 0; k < h.triangle_count; ++k) {
            bool inside;
            least = fmin(least, facet_nearest(&f[k], p, at, &inside));
        }
        double expected = found.distance < 0 ? -sqrt(least) : sqrt(least);
        CHECK_BETWEEN(found.distance - expected, -1e-12, 1e-12);
        assert_true((found.distance < 0) ==
                    (highest_of((const double*)h.data, h.plane_count, p) < 0));
        double slope = 0, step = 1e-6;
        for (int k = 0; k < 3; ++k) {
            double q[3] = {p[0], p[1], p[2]};
            q[k] += step;
            double up = probe_at(&c, q, INFINITY).distance;
            q[k] -= 2 * step;
            double change = (up - probe_at(&c, q, INFINITY).distance) / (2 * step);
            slope = fmax(slope, fabs(change - found.normal[k]));
        }
        // Inside, where two faces are as near, it has an edge.
        if (found.distance > 0) CHECK_BETWEEN(slope, 0, 1e-5);
        local_probe early = probe_at(&c, p, 0.1);
        if (found.distance < 0.1) CHECK_BETWEEN(early.distance - found.distance, 0, 0);
        if (found.distance >= 0.1) CHECK_BETWEEN(early.distance, 0.1 - 1e-12, found.distance);
    }
    hull_destroy(&h);
}

static void what_is_no_number_touches_nothing(void** unused)
{
    (void)unused;
    static const double octahedron[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    hull h = hull_of(octahedron, 6);
    collider c = convex(&h);
    for (size_t k = 0; k < 3; ++k) {
        double p[3] = {0.1, 0.2, 0.1};
        p[k] = NAN;
        bool is_inside = probe_at(&c, p, 1).distance < 0;
        assert_false(is_inside);
    }
    hull_destroy(&h);
}

static void rays_and_boxes_find_it(void** unused)
{
    (void)unused;
    static const double octahedron[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    hull h = hull_of(octahedron, 6);
    collider c = convex(&h);
    c.position[0] = 5;
    const double from[3] = {0, 0.25, 0.25}, along[3] = {1, 0, 0}, up[3] = {0, 1, 0};
    ray r = ray_make(from, along);
    CHECK_CLOSE(collider_cast(&c, &r, INFINITY), 4.5, 1e-12);
    r = ray_make(from, up);
    assert_true(collider_cast(&c, &r, INFINITY) == INFINITY);
    // Beside a corner, and just at a face.
    tree_box apart = {v3(5.6, 0.6, 0.6), v3(6, 1, 1)}, touches = {v3(5.3, 0.3, 0.3), v3(6, 1, 1)};
    assert_false(collider_meets_box(&c, &apart));
    assert_true(collider_meets_box(&c, &touches));
    hull_destroy(&h);
}

static void a_mesh_gets_its_hull(void** unused)
{
    (void)unused;
    pliant_mesh *torus = generate("torus:1:0.4:6"), *out = NULL;
    CHECK_OK(pliant_mesh_convex_hull(torus, &out));
    pliant_mesh_quality q = measure(out), before = measure(torus);
    assert_true(q.volume > before.volume);
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(q.max[k], before.max[k], 1e-12);
    pliant_mesh_destroy(out);
    pliant_mesh_destroy(torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_solids_have_their_faces),
        cmocka_unit_test(hulls_of_1000_points_hold_them_all),
        cmocka_unit_test(bad_points_get_a_sentence),
        cmocka_unit_test(a_box_as_a_hull_is_the_box),
        cmocka_unit_test(distance_is_that_of_the_nearest_place),
        cmocka_unit_test(what_is_no_number_touches_nothing),
        cmocka_unit_test(rays_and_boxes_find_it),
        cmocka_unit_test(a_mesh_gets_its_hull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
