// Surfaces with holes: flat ones are closed, others on request, sheets stay what they are.
#include "filled.h"

static pliant_result fill(const pliant_mesh* surface, bool close_holes, pliant_mesh** out,
                          pliant_tet_report* report)
{
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = 8000;
    def.threads = 2;
    def.close_holes = close_holes;
    return pliant_mesh_tetrahedralize(surface, &def, out, report);
}

typedef struct {
    double volume;
    pliant_tet_report report;
} outcome;

static outcome fill_soup(soup* s, bool close_holes)
{
    pliant_mesh *surface = soup_mesh(s), *mesh = NULL;
    outcome o;
    CHECK_OK(fill(surface, close_holes, &mesh, &o.report));
    o.volume = check_mesh(mesh, 1).volume;
    print_message("    volume %.4f, %d holes closed, %d open\n", o.volume, o.report.closed_holes,
                  o.report.open_holes);
    pliant_mesh_destroy(surface);
    soup_free(s);
    return o;
}

static void drop_triangles(soup* s, int first, int count)
{
    memmove(s->corner + 3 * first, s->corner + 3 * (first + count),
            3 * (size_t)(s->triangles - first - count) * sizeof(point));
    s->triangles -= count;
}

static bool is_below(const soup* s, int t, double y)
{
    for (int k = 0; k < 3; ++k)
        if (s->corner[3 * t + k].x[1] > y) return false;
    return true;
}

// What is below y goes up to it, and the bottom that comes of it goes if it is not to stay.
static void cut_off(soup* s, double y, bool keep_bottom)
{
    for (int i = 0; i < 3 * s->triangles; ++i) s->corner[i].x[1] = fmax(s->corner[i].x[1], y);
    for (int t = s->triangles; t-- > 0 && !keep_bottom;)
        if (is_below(s, t, y)) drop_triangles(s, t, 1);
}

static void a_box_without_a_face_is_full(void** state)
{
    (void)state;
    for (int face = 0; face < 6; face += by_scope(4, 1, 1)) {
        soup s = {0};
        soup_add_box(&s, (point){{0, 0, 0}}, (point){{1, 1, 1}});
        drop_triangles(&s, 2 * face, 2);
        outcome o = fill_soup(&s, false);
        CHECK_CLOSE(o.volume, 1, 0.01);
        assert_int_equal(o.report.closed_holes, 1);
        assert_int_equal(o.report.open_holes, 0);
    }
}

static void a_ball_without_its_bottom_is_full(void** state)
{
    (void)state;
    double volume[2];
    for (int closed = 0; closed < 2; ++closed) {
        soup s = {0};
        soup_add_sphere(&s, 4);
        cut_off(&s, -0.5, closed);
        volume[closed] = fill_soup(&s, false).volume;
    }
    CHECK_CLOSE(volume[0], volume[1], 0.001);
    CHECK_CLOSE(volume[0], acos(-1) * 1.125, 0.01); // of the height 1.5: h^2 (1 - h / 3)
}

// A rim with a corner that goes in: an L-shaped wall without floor and ceiling.
static void a_rim_may_go_in_and_out(void** state)
{
    (void)state;
    static const double plan[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    soup s = {0};
    for (int i = 0; i < 6; ++i) {
        const double *a = plan[i], *b = plan[(i + 1) % 6];
        soup_add_quad(&s, (point){{a[0], 0, -a[1]}}, (point){{b[0], 0, -b[1]}},
                      (point){{b[0], 1, -b[1]}}, (point){{a[0], 1, -a[1]}});
    }
    outcome o = fill_soup(&s, false);
    CHECK_CLOSE(o.volume, 5, 0.01);
    assert_int_equal(o.report.closed_holes, 2);
}

// Half of the ball's lower part is gone too: its rim turns by a right angle.
static soup bent_rim(void)
{
    soup s = {0};
    soup_add_sphere(&s, 4);
    for (int t = s.triangles; t-- > 0;)
        if (s.corner[3 * t].x[0] > 0.2 && s.corner[3 * t].x[1] < -0.1) drop_triangles(&s, t, 1);
    return s;
}

static void other_holes_are_closed_on_request(void** state)
{
    (void)state;
    soup open = bent_rim(), closed = bent_rim();
    outcome before = fill_soup(&open, false), after = fill_soup(&closed, true);
    assert_int_equal(before.report.closed_holes, 0);
    assert_int_equal(before.report.open_holes, 1);
    assert_int_equal(after.report.closed_holes, 1);
    assert_int_equal(after.report.open_holes, 0);
    CHECK_BETWEEN(after.volume, 2.5, 4 * acos(-1) / 3);
}

// A lid would make two sides of one.
static void sheets_stay_open(void** state)
{
    (void)state;
    soup s = {0};
    soup_add_sphere(&s, 3);
    cut_off(&s, 0.8, false);
    pliant_mesh *surface = soup_mesh(&s), *mesh = NULL;
    assert_int_equal(fill(surface, false, &mesh, NULL), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "open sheet"));
    pliant_mesh_destroy(surface);
    soup_free(&s);
}

static soup soup_of(const pliant_mesh* mesh)
{
    soup s = {0};
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    for (int t = 0; t < a.triangle_count; ++t) {
        point corner[3];
        for (int k = 0; k < 3; ++k)
            memcpy(corner[k].x, a.vertices + 3 * (ptrdiff_t)a.triangles[3 * t + k],
                   sizeof corner[k].x);
        soup_add(&s, corner[0], corner[1], corner[2]);
    }
    return s;
}

static void a_figure_without_its_feet_is_full(void** state)
{
    (void)state;
    pliant_mesh* figure = NULL;
    if (pliant_mesh_load(SHARED_MESHES "surfaces/koala.obj", &figure)) {
        print_message("no models at %s: skipped\n", SHARED_MESHES);
        skip();
    }
    pliant_mesh_quality q = measure(figure);
    double volume[2], y = q.min[1] + 0.1 * (q.max[1] - q.min[1]);
    for (int closed = 0; closed < 2; ++closed) {
        soup s = soup_of(figure);
        cut_off(&s, y, closed);
        volume[closed] = fill_soup(&s, false).volume;
    }
    pliant_mesh_destroy(figure);
    CHECK_CLOSE(volume[0], volume[1], 0.01);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_without_a_face_is_full),
        cmocka_unit_test(a_ball_without_its_bottom_is_full),
        cmocka_unit_test(a_rim_may_go_in_and_out),
        cmocka_unit_test(other_holes_are_closed_on_request),
        cmocka_unit_test(sheets_stay_open),
        known_threads_test(a_figure_without_its_feet_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
