// A beam finds its shape again from random places and from a plane (2022, figure 8), and the
// distance of shapes that says so.
#include "mesh/align.h"
#include "mesh/shape.h"
#include "scene.h"

// ---- alignment ----------------------------------------------------------------------------------

enum { POINTS = 50 };

static void random_points(uint64_t seed, double* out)
{
    random_source random = {seed};
    for (int i = 0; i < 3 * POINTS; ++i) out[i] = random_range(&random, -1, 1);
}

// Turned by the angle about an axis without any symmetry, and moved.
static void turned_copy(const double* points, double angle, double* out)
{
    const double u[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, moved[3] = {10, -20, 5};
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < POINTS; ++i) {
        const double* p = points + 3 * i;
        double along = p[0] * u[0] + p[1] * u[1] + p[2] * u[2];
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            out[3 * i + k] =
                c * p[k] + s * (u[a] * p[b] - u[b] * p[a]) + (1 - c) * along * u[k] + moved[k];
        }
    }
}

static void turned_and_moved_copy_is_no_distance_away(void** unused)
{
    (void)unused;
    double points[3 * POINTS], copy[3 * POINTS];
    random_points(1, points);
    for (int i = 0; i <= 12; ++i) {
        turned_copy(points, i * 3.14159265358979323846 / 6, copy);
        CHECK_BETWEEN(align_rms(points, copy, POINTS), 0, 1e-13);
    }
}

static void mirror_image_is_far_away(void** unused)
{
    (void)unused;
    double points[3 * POINTS], copy[3 * POINTS];
    random_points(2, points);
    memcpy(copy, points, sizeof copy);
    for (int i = 0; i < POINTS; ++i) copy[3 * i] = -copy[3 * i];
    CHECK_BETWEEN(align_rms(points, copy, POINTS), 0.3, 2);
}

// Stretched by s along each axis, a centered set is off by (s - 1) of its radius of gyration.
static void stretched_copy_is_off_by_its_stretch(void** unused)
{
    (void)unused;
    const double corners[] = {-1, -2, -3, 1, -2, -3, -1, 2, -3, 1, 2, -3,
                              -1, -2, 3,  1, -2, 3,  -1, 2, 3,  1, 2, 3};
    double copy[24];
    for (int i = 0; i < 24; ++i) copy[i] = 1.5 * corners[i] + 7;
    CHECK_CLOSE(align_rms(corners, copy, 8), 0.5 * sqrt(14), 1e-14);
}

static void few_points_align_too(void** unused)
{
    (void)unused;
    const double one[] = {1, 2, 3}, other[] = {-4, 5, 6};
    const double line[] = {0, 0, 0, 1, 0, 0}, upright[] = {5, 5, 5, 5, 5, 6};
    CHECK_BETWEEN(align_rms(one, other, 1), 0, 0);
    CHECK_BETWEEN(align_rms(line, upright, 2), 0, 1e-14);
}

// ---- recovery -----------------------------------------------------------------------------------

static const double beam_size[3] = {2.1, 0.6, 0.6}; // [m]

static void place_at_random(double* x, int count)
{
    random_source random = {1};
    for (int i = 0; i < 3 * count; ++i) x[i] = random_range(&random, 0, beam_size[i % 3]);
}

static void place_in_plane(double* x, int count)
{
    for (int i = 0; i < count; ++i) x[3 * i + 1] = beam_size[1] / 2;
}

static int count_inverted(const pliant_mesh_arrays* mesh, const double* x)
{
    int count = 0;
    for (int t = 0; t < mesh->tet_count; ++t) count += !(tet_volume(x, mesh->tets + 4 * t) > 0);
    return count;
}

static void check_recovery(void (*scramble)(double* x, int count), int frames)
{
    pliant_mesh* mesh = box_mesh((int[3]){21, 6, 6}, 0.1, 0);
    pliant_mesh_arrays rest = pliant_mesh_view(mesh);
    int count = rest.vertex_count;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = 1e7;
    soft.material.damping = 1e-3;
    pliant_world* world = make_still_world(30, 1);
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    place* x = read_places(world, body);
    scramble(x->x, count);
    pliant_body_write_positions_exact(world, body, x->x, count);
    assert_true(count_inverted(&rest, x->x) > rest.tet_count / 3);
    run(world, frames, 1.0 / 60);
    pliant_body_read_positions_exact(world, body, x->x, count);
    double rms = align_rms(x->x, rest.vertices, count) / beam_size[0];
    print_message("    after %d frames: %d inverted, rms %.4f %% of the length\n", frames,
                  count_inverted(&rest, x->x), 100 * rms);
    assert_int_equal(count_inverted(&rest, x->x), 0);
    CHECK_BETWEEN(rms, 0, 0.01);
    free(x);
    pliant_world_destroy(world);
    pliant_mesh_destroy(mesh);
}

static void beam_recovers_from_random_places(void** unused)
{
    (void)unused;
    check_recovery(place_at_random, by_scope(90, 90, 180));
}

static void beam_recovers_from_a_plane(void** unused)
{
    (void)unused;
    check_recovery(place_in_plane, 60);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_and_moved_copy_is_no_distance_away),
        cmocka_unit_test(mirror_image_is_far_away),
        cmocka_unit_test(stretched_copy_is_off_by_its_stretch),
        cmocka_unit_test(few_points_align_too),
        numbers_test(beam_recovers_from_random_places),
        numbers_test(beam_recovers_from_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
