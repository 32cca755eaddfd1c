// Colors of vertices: read, kept, written, and used to choose what is below them.
#include "failing.h"
#include "meshes.h"

static pliant_mesh* parse(const char* text, const char* name)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_parse(text, strlen(text), name, &mesh));
    return mesh;
}

static void check_color(const pliant_mesh* mesh, int vertex, double red, double green, double blue)
{
    const double expected[3] = {red, green, blue};
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    assert_non_null(a.vertex_color);
    for (int k = 0; k < 3; ++k) CHECK_CLOSE(a.vertex_color[3 * vertex + k], expected[k], 1e-15);
}

static void an_obj_has_colors_behind_its_places(void** state)
{
    (void)state;
    pliant_mesh* mesh = parse(
        "v 0 0 0\nv 1 0 0 0.5 0 1\nv 0 1 0 1 # weight\nv 0 0 1 0 0.25 0\nf 1 2 3\n", "some.obj");
    check_color(mesh, 0, 1, 1, 1); // those without are white
    check_color(mesh, 1, 0.5, 0, 1);
    check_color(mesh, 2, 1, 1, 1);
    check_color(mesh, 3, 0, 0.25, 0);
    pliant_mesh_destroy(mesh);
    mesh = parse("v 0 0 0 1\nv 1 0 0 1 2\nv 0 1 0 1 2 3 4\nv 0 0 1 a b c\nf 1 2 3\n", "none.obj");
    assert_null(pliant_mesh_view(mesh).vertex_color);
    pliant_mesh_destroy(mesh);
}

static pliant_mesh* parse_ply(const char* properties, const char* vertices)
{
    char text[600];
    snprintf(text, sizeof text,
             "ply\nformat ascii 1.0\nelement vertex 3\n%sproperty float x\nproperty float y\n"
             "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
             "end_header\n%s3 0 1 2\n",
             properties, vertices);
    return parse(text, "some.ply");
}

static void a_ply_has_colors_by_name(void** state)
{
    (void)state;
    pliant_mesh* mesh = parse_ply("property uchar blue\nproperty uchar red\nproperty uchar alpha\n"
                                  "property uchar green\n",
                                  "255 0 9 51 0 0 0\n0 255 9 0 1 0 0\n0 0 9 0 0 1 0\n");
    check_color(mesh, 0, 0, 0.2, 1);
    check_color(mesh, 1, 1, 0, 0);
    pliant_mesh_destroy(mesh);
    mesh = parse_ply("property float red\nproperty float green\nproperty ushort blue\n",
                     "0.5 1 65535 0 0 0\n0 0 0 1 0 0\n0 0 0 0 1 0\n");
    check_color(mesh, 0, 0.5, 1, 1);
    pliant_mesh_destroy(mesh);
    mesh = parse_ply("property uchar red\n", "255 0 0 0\n0 1 0 0\n0 0 1 0\n");
    assert_null(pliant_mesh_view(mesh).vertex_color);
    pliant_mesh_destroy(mesh);
}

// A copy with colors: red where x is above a half, blue elsewhere.
static pliant_mesh* painted(pliant_mesh* plain)
{
    pliant_mesh_arrays a = pliant_mesh_view(plain);
    double* color = calloc(3 * (size_t)a.vertex_count, sizeof(double));
    for (int v = 0; v < a.vertex_count; ++v) color[3 * v + (a.vertices[3 * v] > 0.6 ? 0 : 2)] = 1;
    a.vertex_color = color;
    pliant_mesh* mesh = create(a);
    free(color);
    pliant_mesh_destroy(plain);
    return mesh;
}

// 5 x 5 x 5 vertices of the cube from 0 to 1, and its surface.
static pliant_mesh* cube(void) { return generate("box6:4x4x4:0.25"); }
static pliant_mesh* painted_cube(void) { return painted(surface_of("box6:4x4x4:0.25")); }

static void colors_come_back_from_files(void** state)
{
    (void)state;
    static const char* const files[2] = {"test_paint.obj", "test_paint.ply"};
    pliant_mesh* mesh = painted_cube();
    pliant_mesh_arrays want = pliant_mesh_view(mesh);
    for (int i = 0; i < 2; ++i) {
        pliant_mesh* back = NULL;
        CHECK_OK(pliant_mesh_save(mesh, files[i]));
        CHECK_OK(pliant_mesh_load(files[i], &back));
        remove(files[i]);
        pliant_mesh_arrays got = pliant_mesh_view(back);
        assert_int_equal(got.vertex_count, want.vertex_count);
        assert_non_null(got.vertex_color);
        assert_memory_equal(got.vertex_color, want.vertex_color, (size_t)want.vertex_count * 24);
        pliant_mesh_destroy(back);
    }
    pliant_mesh_destroy(mesh);
}

static void colors_stay_with_their_vertices(void** state)
{
    (void)state;
    pliant_mesh *mesh = painted(cube()), *surface = NULL;
    CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
    const double place[12] = {9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double color[12] = {1, 1, 1, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0};
    const int triangle[3] = {1, 2, 3};
    pliant_mesh* loose = create((pliant_mesh_arrays){.vertices = place,
                                                     .vertex_color = color,
                                                     .vertex_count = 4,
                                                     .triangles = triangle,
                                                     .triangle_count = 1});
    pliant_clean_def def = pliant_clean_defaults();
    def.drop_unreferenced = true;
    CHECK_OK(pliant_mesh_clean(loose, &def, NULL));
    check_color(loose, 0, 0.1, 0, 0);
    check_color(loose, 2, 0.3, 0, 0);
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    for (int v = 0; v < a.vertex_count; ++v)
        check_color(surface, v, a.vertices[3 * v] > 0.6, 0, !(a.vertices[3 * v] > 0.6));
    pliant_mesh_destroy(loose);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(mesh);
}

static pliant_region red_of(const pliant_mesh* surface)
{
    pliant_region red = pliant_region_defaults();
    red.painted = surface;
    red.color[0] = 1;
    return red;
}

static int count_in(const pliant_region* region, const pliant_mesh* mesh)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int count = 0, *index = malloc(sizeof(int) * (size_t)a.vertex_count);
    CHECK_OK(pliant_region_select(region, a.vertices, a.vertex_count, index, &count));
    free(index);
    return count;
}

// What is inside goes with the skin above it.
static void points_have_the_color_of_the_nearest_skin(void** state)
{
    (void)state;
    pliant_mesh *mesh = cube(), *skin = painted_cube(), *solid = painted(cube());
    pliant_region red = red_of(skin);
    assert_int_equal(count_in(&red, mesh), 50);
    red.painted = solid; // tets stand for their boundary
    assert_int_equal(count_in(&red, mesh), 50);
    red.max[1] = 0.3;
    assert_int_equal(count_in(&red, mesh), 20);
    red = red_of(skin);
    red.tolerance = 1;
    assert_int_equal(count_in(&red, mesh), 125);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(skin);
    pliant_mesh_destroy(solid);
}

static void tets_below_a_color_get_its_number(void** state)
{
    (void)state;
    pliant_mesh *mesh = cube(), *skin = painted_cube();
    pliant_region red = red_of(skin);
    CHECK_OK(pliant_mesh_paint(mesh, &red, 3));
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int count = 0;
    for (int t = 0; t < a.tet_count; ++t) {
        double x = 0;
        for (int k = 0; k < 4; ++k) x += a.vertices[3 * a.tets[4 * t + k]] / 4;
        if (fabs(x - 0.625) > 0.13) assert_int_equal(a.tet_region[t], x > 0.625 ? 3 : 0);
        count += a.tet_region[t] == 3;
    }
    CHECK_BETWEEN(count, a.tet_count / 4, a.tet_count / 2);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(skin);
}

static void what_has_no_such_color_is_told_what_there_is(void** state)
{
    (void)state;
    pliant_mesh *mesh = cube(), *skin = painted_cube();
    pliant_region red = red_of(mesh);
    assert_int_equal(pliant_mesh_paint(mesh, &red, 1), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "the painted surface has no colors: save it"));
    red = red_of(skin);
    red.color[0] = 0.25;
    red.color[2] = 0.75;
    assert_int_equal(pliant_mesh_paint(mesh, &red, 1), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(pliant_error_text(),
                        "no vertex of the painted surface has the color (0.25, 0, 0.75) within "
                        "0.1: the nearest is (0, 0, 1)");
    red.tolerance = -1;
    assert_int_equal(pliant_mesh_paint(mesh, &red, 1), PLIANT_ERROR_ARGUMENT);
    assert_null(pliant_mesh_view(mesh).tet_region);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(skin);
}

static void colors_that_are_not_finite_are_refused(void** state)
{
    (void)state;
    const double place[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double color[9] = {0, 0, 0, 1, NAN, 0, 0, 1, 0};
    const int triangle[3] = {0, 1, 2};
    pliant_mesh_arrays a = {.vertices = place,
                            .vertex_color = color,
                            .vertex_count = 3,
                            .triangles = triangle,
                            .triangle_count = 1};
    pliant_mesh* mesh = NULL;
    assert_int_equal(pliant_mesh_create(&a, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_string_equal(pliant_error_text(), "vertex 1 has a color that is not finite");
}

static pliant_result read_and_paint(const void* context)
{
    const char* text = (const char*)context;
    pliant_mesh *skin = NULL, *mesh = NULL;
    pliant_result result = pliant_mesh_parse(text, strlen(text), "a.obj", &skin);
    if (!result) result = pliant_mesh_generate("box6:2x2x2:0.5", &mesh);
    pliant_region red = red_of(skin);
    if (!result) result = pliant_mesh_paint(mesh, &red, 1);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(skin);
    return result;
}

static void no_failed_allocation_leaks(void** state)
{
    (void)state;
    const char* text = "v 0 0 0\nv 1 0 0 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";
    assert_true(check_every_failure(read_and_paint, text) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_obj_has_colors_behind_its_places),
        cmocka_unit_test(a_ply_has_colors_by_name),
        cmocka_unit_test(colors_come_back_from_files),
        cmocka_unit_test(colors_stay_with_their_vertices),
        cmocka_unit_test(points_have_the_color_of_the_nearest_skin),
        cmocka_unit_test(tets_below_a_color_get_its_number),
        cmocka_unit_test(what_has_no_such_color_is_told_what_there_is),
        cmocka_unit_test(colors_that_are_not_finite_are_refused),
        cmocka_unit_test(no_failed_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
