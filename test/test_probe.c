// Signed distance and normal of every shape against closed forms, in double precision.
#define PRECISION_DOUBLE
#include "base/random.h"
#include "collide/probe.h"

#include "meshes.h"

static void check_probe(probe p, double distance, double nx, double ny, double nz)
{
    const double expected[4] = {distance, nx, ny, nz};
    const double found[4] = {p.distance, p.normal.x, p.normal.y, p.normal.z};
    for (int i = 0; i < 4; ++i)
        if (!(fabs(found[i] - expected[i]) <= 1e-12))
            fail_msg("distance and normal %g (%g %g %g), expected %g (%g %g %g)", found[0],
                     found[1], found[2], found[3], distance, nx, ny, nz);
}

static probe probe_at(const collider* c, vec3 p)
{
    probe_shape s = probe_shape_of(c);
    return probe_world(&s, (const double[3]){p.x, p.y, p.z}, INFINITY, false);
}

static collider shape_of(pliant_shape shape)
{
    return (collider){.shape = shape,
                      .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                      .half_extents = {1, 2, 3},
                      .radius = 0.5,
                      .half_height = 2};
}

static void plane_is_the_height(void** unused)
{
    (void)unused;
    collider c = shape_of(PLIANT_SHAPE_PLANE);
    check_probe(probe_at(&c, v3(3, 0.25, -7)), 0.25, 0, 1, 0);
    check_probe(probe_at(&c, v3(3, -4, -7)), -4, 0, 1, 0);
    check_probe(probe_at(&c, v3(3, 0, -7)), 0, 0, 1, 0);
}

static void sphere_is_the_distance_from_the_center(void** unused)
{
    (void)unused;
    collider c = shape_of(PLIANT_SHAPE_SPHERE);
    check_probe(probe_at(&c, v3(0, 0, -2)), 1.5, 0, 0, -1);
    check_probe(probe_at(&c, v3(0.3, 0.4, 0)), 0, 0.6, 0.8, 0);
    check_probe(probe_at(&c, v3(0.1, 0, 0)), -0.4, 1, 0, 0);
    check_probe(probe_at(&c, v3(0, 0, 0)), -0.5, 0, 1, 0); // some direction
}

static void capsule_is_the_distance_from_the_segment(void** unused)
{
    (void)unused;
    collider c = shape_of(PLIANT_SHAPE_CAPSULE);
    check_probe(probe_at(&c, v3(3, 1.5, 4)), 4.5, 0.6, 0, 0.8);
    check_probe(probe_at(&c, v3(0, 5, 0)), 2.5, 0, 1, 0);
    check_probe(probe_at(&c, v3(0.3, -2.4, 0)), 0, 0.6, -0.8, 0);
    check_probe(probe_at(&c, v3(0.2, 2, 0)), -0.3, 1, 0, 0);
    assert_true(fabs(probe_at(&c, v3(0, 1, 0)).distance + 0.5) < 1e-12);
}

static void box_has_faces_edges_and_corners(void** unused)
{
    (void)unused;
    collider c = shape_of(PLIANT_SHAPE_BOX);
    check_probe(probe_at(&c, v3(-3, 1, 2)), 2, -1, 0, 0);
    check_probe(probe_at(&c, v3(4, 6, 0)), 5, 0.6, 0.8, 0);
    check_probe(probe_at(&c, v3(2, -4, 5)), 3, 1 / 3.0, -2 / 3.0, 2 / 3.0);
    check_probe(probe_at(&c, v3(0, 0, 2.75)), -0.25, 0, 0, 1);
    check_probe(probe_at(&c, v3(-0.5, 0.5, 1)), -0.5, -1, 0, 0);
    check_probe(probe_at(&c, v3(0, 2, 0)), 0, 0, 1, 0);
    check_probe(probe_at(&c, v3(0, 0, 0)), -1, 1, 0, 0); // some direction
}

static void axes_turn_point_and_normal(void** unused)
{
    (void)unused;
    collider c = shape_of(PLIANT_SHAPE_PLANE); // x of the shape is z of the world, and so on
    const double axis[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    memcpy(c.axis, axis, sizeof axis);
    check_probe(probe_at(&c, v3(0.5, 3, 4)), 0.5, 1, 0, 0);
    c.shape = PLIANT_SHAPE_BOX;
    check_probe(probe_at(&c, v3(0, 0, 4)), 3, 0, 0, 1); // half extent 1 along z
    check_probe(probe_at(&c, v3(0, 4, 0)), 1, 0, 1, 0); // half extent 3 along y
}

static const collider* field_collider(const char* words, double cell, distance_field* field,
                                      collider* out)
{
    pliant_mesh* mesh = surface_of(words);
    CHECK_OK(distance_field_create(mesh, cell, field));
    pliant_mesh_destroy(mesh);
    *out = shape_of(PLIANT_SHAPE_MESH);
    out->field = field;
    return out;
}

// Beyond the samples the distance goes through the nearest of them, so that it may be too long.
// Near the surface: within the error of the triangles (a chord of the sphere) and of the trilinear
// interpolation.
static void mesh_of_a_sphere_is_nearly_the_sphere(void** unused)
{
    (void)unused;
    distance_field field;
    collider c;
    field_collider("sphere:1:24", 0.04, &field, &c);
    random_source r = {3};
    for (int i = 0; i < 2000; ++i) {
        double p[3];
        random_in_ball(&r, p);
        vec3 x = v3(2 * p[0], 2 * p[1], 2 * p[2]);
        double length = sqrt(v3_dot(x, x));
        if (length < 0.2) continue;
        probe found = probe_at(&c, x);
        CHECK_BETWEEN(found.distance - (length - 1), -0.012, length > 1.1 ? 0.25 : 0.02);
        CHECK_BETWEEN(v3_dot(found.normal, found.normal), 1 - 1e-9, 1 + 1e-9);
        if (length < 1.1) CHECK_BETWEEN(v3_dot(found.normal, x) / length, 0.97, 1.000001);
    }
    distance_field_destroy(&field);
}

static void mesh_of_a_box_is_the_box_near_its_faces(void** unused)
{
    (void)unused;
    distance_field field;
    collider c, box = shape_of(PLIANT_SHAPE_BOX);
    field_collider("box6:2x2x2:0.5", 0.05, &field, &c); // 0 to 1
    for (int k = 0; k < 3; ++k) box.half_extents[k] = 0.5;
    random_source r = {4};
    for (int i = 0; i < 2000; ++i) {
        vec3 x = v3(random_range(&r, 0.15, 0.85), random_range(&r, 0.9, 1.1),
                    random_range(&r, 0.15, 0.85));
        probe found = probe_at(&c, x);
        probe exact = probe_at(&box, v3_sub(x, v3(0.5, 0.5, 0.5)));
        CHECK_BETWEEN(found.distance - exact.distance, -1e-6, 1e-6);
        CHECK_BETWEEN(v3_dot(found.normal, exact.normal), 1 - 1e-6, 1 + 1e-6);
    }
    distance_field_destroy(&field);
}

// Far away the distance is positive, grows, and has a finite normal.
static void mesh_field_has_an_outside(void** unused)
{
    (void)unused;
    distance_field field;
    collider c;
    field_collider("sphere:1:8", 0.1, &field, &c);
    double last = 0;
    for (double far = 1.5; far < 1e6; far *= 2) {
        probe p = probe_at(&c, v3(far, 0, 0));
        if (!(p.distance > last)) fail_msg("distance %g at %g m, %g before", p.distance, far, last);
        CHECK_BETWEEN(p.normal.x, 0.95, 1.0001);
        last = p.distance;
    }
    distance_field_destroy(&field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane_is_the_height),
        cmocka_unit_test(sphere_is_the_distance_from_the_center),
        cmocka_unit_test(capsule_is_the_distance_from_the_segment),
        cmocka_unit_test(box_has_faces_edges_and_corners),
        cmocka_unit_test(axes_turn_point_and_normal),
        cmocka_unit_test(mesh_of_a_sphere_is_nearly_the_sphere),
        cmocka_unit_test(mesh_of_a_box_is_the_box_near_its_faces),
        cmocka_unit_test(mesh_field_has_an_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
