// Loose particles: shapes that are filled with them, files that hold them, and what a world knows
// of a body of them. How they touch is in test_touch.c.
#define _POSIX_C_SOURCE 200809L
#define PRECISION_DOUBLE
#include "failing.h"
#include "folder.h"
#include "scene.h"

// A mesh of points; it and its arrays are the caller's.
typedef struct {
    pliant_mesh* mesh;
    pliant_mesh_arrays a;
} points;

static pliant_fill_def fill_def(pliant_pattern pattern, double spacing)
{
    pliant_fill_def def = pliant_fill_defaults();
    def.pattern = pattern;
    def.spacing = spacing;
    return def;
}

static points fill_with(const char* words, const pliant_fill_def* def)
{
    points p = {NULL, {0}};
    pliant_mesh* shape = generate(words);
    CHECK_OK(pliant_mesh_fill(shape, def, &p.mesh));
    p.a = pliant_mesh_view(p.mesh);
    pliant_mesh_destroy(shape);
    return p;
}

static points fill(const char* words, pliant_pattern pattern, double spacing)
{
    pliant_fill_def def = fill_def(pattern, spacing);
    return fill_with(words, &def);
}

static const double* point_of(const points* p, int i) { return p->a.vertices + 3 * (size_t)i; }

static double distance(const double* a, const double* b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static uint64_t hash_of(const points* p)
{
    size_t count = (size_t)p->a.vertex_count;
    uint64_t hash = hash_bytes(0, p->a.vertices, 3 * count * sizeof(double));
    return hash_bytes(hash, p->a.vertex_radius, count * sizeof(double));
}

// ---- patterns -----------------------------------------------------------------------------------

static const char* const names[] = {"hexagonal", "grid", "jittered", "noise"};

static void balls_are_inside_of_the_surface(void** unused)
{
    (void)unused;
    for (int k = 0; k < 4; ++k) {
        points p = fill("sphere:0.5:8", (pliant_pattern)k, 0.09);
        const double middle[3] = {0, 0, 0};
        for (int i = 0; i < p.a.vertex_count; ++i) {
            double reach = distance(point_of(&p, i), middle) + p.a.vertex_radius[i];
            if (reach > 0.5) fail_msg("%s: ball %d reaches %.9g of 0.5 m", names[k], i, reach);
        }
        pliant_mesh_destroy(p.mesh);
    }
}

static void check_apart(const points* p, const char* what)
{
    for (int i = 0; i < p->a.vertex_count; ++i)
        for (int k = 0; k < i; ++k) {
            double way = distance(point_of(p, i), point_of(p, k));
            double least = p->a.vertex_radius[i] + p->a.vertex_radius[k];
            if (way < least * (1 - 1e-9))
                fail_msg("%s: balls %d and %d are %.9g m apart, and %.9g m touch", what, k, i, way,
                         least);
        }
}

static void no_two_balls_overlap(void** unused)
{
    (void)unused;
    for (int k = 0; k < 4; ++k) {
        points p = fill("torus:0.5:0.2:4", (pliant_pattern)k, 0.08);
        check_apart(&p, names[k]);
        pliant_mesh_destroy(p.mesh);
    }
}

static void grid_fills_a_box_without_a_gap(void** unused)
{
    (void)unused;
    points p = fill("box6:1x1x1:1", PLIANT_PATTERN_GRID, 0.1);
    assert_int_equal(p.a.vertex_count, 1000);
    for (int i = 0; i < 1000; ++i)
        for (int k = 0; k < 3; ++k) {
            double cells = point_of(&p, i)[k] / 0.1 - 0.5;
            if (fabs(cells - rint(cells)) > 1e-9) fail_msg("point %d is at cell %.12g", i, cells);
        }
    pliant_mesh_destroy(p.mesh);
}

// Of the volume; a little is lost at the sides.
static double filled_part(const points* p, double volume)
{
    pliant_mesh_quality q;
    CHECK_OK(pliant_mesh_measure(p->mesh, &q));
    return q.volume / volume;
}

static void patterns_are_as_dense_as_they_are_known_to_be(void** unused)
{
    (void)unused;
    points close = fill("box6:1x1x1:1", PLIANT_PATTERN_HEXAGONAL, 0.025);
    CHECK_BETWEEN(filled_part(&close, 1), 0.68, 0.7405); // pi / sqrt(18)
    points noise = fill("box6:1x1x1:1", PLIANT_PATTERN_NOISE, 0.06);
    CHECK_BETWEEN(filled_part(&noise, 1), 0.28, 0.385); // random sequential packing: 0.384
    pliant_mesh_destroy(close.mesh);
    pliant_mesh_destroy(noise.mesh);
}

static void noise_leaves_no_holes(void** unused)
{
    (void)unused;
    points p = fill("box6:1x1x1:1", PLIANT_PATTERN_NOISE, 0.1);
    random_source random = {3};
    for (int i = 0; i < 2000; ++i) {
        double at[3], nearest = INFINITY;
        for (int k = 0; k < 3; ++k) at[k] = random_range(&random, 0.05, 0.95);
        for (int k = 0; k < p.a.vertex_count; ++k)
            nearest = fmin(nearest, distance(at, point_of(&p, k)));
        if (nearest > 0.12) fail_msg("no particle within %.4g m, spacing 0.1 m", nearest);
    }
    pliant_mesh_destroy(p.mesh);
}

static void radii_of_one_to_ten_fill_more_than_one_size(void** unused)
{
    (void)unused;
    pliant_fill_def def = fill_def(PLIANT_PATTERN_NOISE, 0.05);
    points one = fill_with("box6:1x1x1:1", &def);
    def.largest_radius = 0.25;
    points many = fill_with("box6:1x1x1:1", &def);
    double low = INFINITY, high = 0;
    for (int i = 0; i < many.a.vertex_count; ++i) {
        low = fmin(low, many.a.vertex_radius[i]);
        high = fmax(high, many.a.vertex_radius[i]);
    }
    CHECK_BETWEEN(low, 0.025, 0.03);
    CHECK_BETWEEN(high, 0.15, 0.25);
    check_apart(&many, "1 to 10");
    assert_true(filled_part(&many, 1) > 1.2 * filled_part(&one, 1));
    pliant_mesh_destroy(one.mesh);
    pliant_mesh_destroy(many.mesh);
}

static void smaller_balls_leave_the_same_gaps(void** unused)
{
    (void)unused;
    pliant_fill_def def = fill_def(PLIANT_PATTERN_NOISE, 0.1);
    def.radius = 0.03;
    def.largest_radius = 0.1;
    points p = fill_with("box6:1x1x1:1", &def);
    double least = INFINITY;
    for (int i = 0; i < p.a.vertex_count; ++i)
        for (int k = 0; k < i; ++k)
            least = fmin(least, distance(point_of(&p, i), point_of(&p, k)) - p.a.vertex_radius[i] -
                                    p.a.vertex_radius[k]);
    CHECK_CLOSE(least, 0.04, 1e-9);
    pliant_mesh_destroy(p.mesh);
}

static void surface_has_points_on_it_that_keep_apart(void** unused)
{
    (void)unused;
    points p = fill("box6:1x1x1:1", PLIANT_PATTERN_SURFACE, 0.08);
    for (int i = 0; i < p.a.vertex_count; ++i) {
        double off = INFINITY;
        for (int k = 0; k < 3; ++k) {
            double x = point_of(&p, i)[k];
            off = fmin(off, fmin(fabs(x), fabs(x - 1)));
        }
        if (off > 1e-12) fail_msg("point %d is %.3g m off the surface", i, off);
    }
    check_apart(&p, "surface");
    CHECK_BETWEEN(p.a.vertex_count, 0.55 * 6 / 0.0064, 0.7 * 6 / 0.0064); // 0.697 at most
    pliant_mesh_destroy(p.mesh);
}

static void a_sheet_has_points_on_it_too(void** unused)
{
    (void)unused;
    points p = fill("cloth:4x4:1x1", PLIANT_PATTERN_SURFACE, 0.1);
    for (int i = 0; i < p.a.vertex_count; ++i) assert_true(point_of(&p, i)[1] == 0);
    assert_true(p.a.vertex_count > 50);
    pliant_mesh_destroy(p.mesh);
}

// ---- the same bits ------------------------------------------------------------------------------

static void threads_change_nothing(void** unused)
{
    (void)unused;
    for (int k = 0; k <= PLIANT_PATTERN_SURFACE; ++k) {
        pliant_fill_def def = fill_def((pliant_pattern)k, 0.07);
        def.threads = 1;
        points one = fill_with("blob:0.5:6:3", &def);
        def.threads = 3;
        points three = fill_with("blob:0.5:6:3", &def);
        assert_int_equal(hash_of(&one), hash_of(&three));
        pliant_mesh_destroy(one.mesh);
        pliant_mesh_destroy(three.mesh);
    }
}

static void machines_change_nothing(void** unused)
{
    (void)unused;
    static const uint64_t known[] = {0x39524edfde649213u, 0xd4f9707e3bc57fc6u, 0xc5f820c5fa8655b6u,
                                     0xed83186eeee49b73u, 0x36401963da34a6ccu};
    int wrong = 0;
    for (int k = 0; k <= PLIANT_PATTERN_SURFACE; ++k) {
        pliant_fill_def def = fill_def((pliant_pattern)k, 0.1);
        if (k == PLIANT_PATTERN_NOISE) def.largest_radius = 0.15;
        points p = fill_with("sphere:0.5:4", &def);
        if (hash_of(&p) != known[k])
            print_error("pattern %d: 0x%016llx\n", k, (unsigned long long)hash_of(&p));
        wrong += hash_of(&p) != known[k];
        pliant_mesh_destroy(p.mesh);
    }
    assert_int_equal(wrong, 0);
}

static void seeds_change_what_is_random(void** unused)
{
    (void)unused;
    for (int k = 0; k <= PLIANT_PATTERN_SURFACE; ++k) {
        pliant_fill_def def = fill_def((pliant_pattern)k, 0.1);
        points one = fill_with("sphere:0.5:4", &def);
        def.seed = 2;
        points two = fill_with("sphere:0.5:4", &def);
        assert_int_equal(hash_of(&one) != hash_of(&two), k >= PLIANT_PATTERN_JITTERED);
        pliant_mesh_destroy(one.mesh);
        pliant_mesh_destroy(two.mesh);
    }
}

// ---- bad input ----------------------------------------------------------------------------------

static void check_refused(const char* words, const pliant_fill_def* def, const char* says)
{
    pliant_mesh *shape = generate(words), *out = shape;
    pliant_result result = pliant_mesh_fill(shape, def, &out);
    if (result != PLIANT_ERROR_ARGUMENT || out || !strstr(pliant_error_text(), says))
        fail_msg("%s: result %d, '%s' does not say '%s'", words, result, pliant_error_text(), says);
    pliant_mesh_destroy(shape);
}

static void bad_shapes_are_refused(void** unused)
{
    (void)unused;
    pliant_fill_def def = fill_def(PLIANT_PATTERN_HEXAGONAL, 0.05);
    check_refused("cloth:4x4:1x1", &def, "no inside");
    check_refused("rope:1:4", &def, "neither tets nor triangles");
    check_refused("grains:1x1x1:0.3", &def, "neither tets nor triangles");
    def.pattern = PLIANT_PATTERN_SURFACE;
    check_refused("rope:1:4", &def, "neither tets nor triangles");
}

static void bad_numbers_are_refused(void** unused)
{
    (void)unused;
    static const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        pliant_fill_def def = fill_def(PLIANT_PATTERN_GRID, bad[i]);
        check_refused("sphere:0.5:4", &def, "spacing");
        def = fill_def(PLIANT_PATTERN_GRID, 0.1);
        def.radius = i == 0 ? -1e-3 : bad[i];
        check_refused("sphere:0.5:4", &def, "radius");
        def = fill_def(PLIANT_PATTERN_JITTERED, 0.1);
        def.jitter = i == 0 ? 1.1 : bad[i];
        check_refused("sphere:0.5:4", &def, "jitter");
    }
    pliant_fill_def def = fill_def(PLIANT_PATTERN_NOISE, 0.1);
    def.pattern = (pliant_pattern)9;
    check_refused("sphere:0.5:4", &def, "pattern");
    def = fill_def(PLIANT_PATTERN_NOISE, 0.1);
    def.seed = -1;
    check_refused("sphere:0.5:4", &def, "seed");
}

static void balls_that_would_overlap_are_refused(void** unused)
{
    (void)unused;
    pliant_fill_def def = fill_def(PLIANT_PATTERN_HEXAGONAL, 0.1);
    def.radius = 0.051;
    check_refused("sphere:0.5:4", &def, "at most 0.05 m");
    def = fill_def(PLIANT_PATTERN_JITTERED, 0.1);
    def.radius = 0.04;
    check_refused("sphere:0.5:4", &def, "at most 0.035 m");
    def.radius = 0;
    def.jitter = 1;
    check_refused("sphere:0.5:4", &def, "no room");
    def = fill_def(PLIANT_PATTERN_NOISE, 0.1);
    def.largest_radius = 0.04;
    check_refused("sphere:0.5:4", &def, "largest_radius");
}

static void too_large_and_too_many_are_refused(void** unused)
{
    (void)unused;
    for (int k = 0; k < 4; ++k) {
        pliant_fill_def def = fill_def((pliant_pattern)k, 2);
        check_refused("sphere:0.5:4", &def, "smaller spacing");
        def.spacing = 1e-4;
        check_refused("sphere:0.5:4", &def, "larger spacing");
        def.spacing = 1e-300;
        check_refused("sphere:0.5:4", &def, "larger spacing");
    }
    pliant_fill_def def = fill_def(PLIANT_PATTERN_SURFACE, 1e-5);
    check_refused("sphere:0.5:4", &def, "larger spacing");
}

typedef struct {
    double last;
    int calls, most;
    bool goes_back;
} follower;

static bool follow(double part, void* context)
{
    follower* f = (follower*)context;
    f->goes_back = f->goes_back || part < f->last;
    f->last = part;
    return ++f->calls <= f->most;
}

static void filling_tells_how_far_it_is_and_ends_when_told(void** unused)
{
    (void)unused;
    pliant_mesh* shape = generate("sphere:0.5:4");
    for (int k = 0; k <= PLIANT_PATTERN_SURFACE; ++k) {
        follower f = {.most = 1000000};
        pliant_fill_def def = fill_def((pliant_pattern)k, 0.05);
        pliant_mesh* out = NULL;
        def.progress = follow;
        def.context = &f;
        CHECK_OK(pliant_mesh_fill(shape, &def, &out));
        pliant_mesh_destroy(out);
        assert_true(f.last == 1 && !f.goes_back && f.calls > 2);
        for (int most = 0, all = f.calls; most < all; ++most) {
            f = (follower){.most = most};
            assert_int_equal(pliant_mesh_fill(shape, &def, &out), PLIANT_ERROR_CANCELED);
            assert_null(out);
        }
    }
    pliant_mesh_destroy(shape);
}

static pliant_result try_to_fill(const void* context)
{
    pliant_fill_def def = fill_def(*(const pliant_pattern*)context, 0.15);
    pliant_mesh *shape = NULL, *out = NULL;
    def.threads = 1;
    pliant_result result = pliant_mesh_sphere(0.5, 2, &shape);
    if (!result) result = pliant_mesh_fill(shape, &def, &out);
    pliant_mesh_destroy(shape);
    pliant_mesh_destroy(out);
    return result;
}

static void filling_outlives_every_lack_of_memory(void** unused)
{
    (void)unused;
    for (int k = 0; k <= PLIANT_PATTERN_SURFACE; ++k) {
        pliant_pattern pattern = (pliant_pattern)k;
        assert_true(check_every_failure(try_to_fill, &pattern) > 5);
    }
}

// ---- files --------------------------------------------------------------------------------------

static pliant_mesh* three_points(const double* radius, const double* color)
{
    static const double at[] = {0.1, 0.2, 0.3, -1.0 / 3, 2, 1e-9, 5, 6, 7};
    pliant_mesh_arrays a = {
        .vertices = at, .vertex_count = 3, .vertex_radius = radius, .vertex_color = color};
    return create(a);
}

static const double three_radii[] = {0.1, 1.0 / 7, 2};

static void check_round_trip(const char* name, bool radii)
{
    char path[300];
    pliant_mesh *mesh = three_points(three_radii, NULL), *back = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    pliant_set_log(NULL, NULL);
    CHECK_OK(pliant_mesh_save(mesh, path));
    CHECK_OK(pliant_mesh_load(path, &back));
    pliant_mesh_arrays a = pliant_mesh_view(mesh), b = pliant_mesh_view(back);
    assert_int_equal(b.vertex_count, 3);
    assert_int_equal(b.tet_count + b.triangle_count + b.edge_count, 0);
    assert_memory_equal(a.vertices, b.vertices, 9 * sizeof(double));
    if (radii != (b.vertex_radius != NULL)) fail_msg("%s: radii %d", name, !radii);
    if (radii) assert_memory_equal(a.vertex_radius, b.vertex_radius, 3 * sizeof(double));
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(back);
}

static void files_give_particles_back(void** unused)
{
    (void)unused;
    check_round_trip("p.ply", true);
    check_round_trip("p.vtu", true);
    check_round_trip("p.msh", false);
    check_round_trip("p.mesh", false);
    check_round_trip("p.obj", false);
    check_round_trip("p.off", false);
}

static pliant_mesh* parse(const char* name, const char* text)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_parse(text, strlen(text), name, &mesh));
    return mesh;
}

static void check_parse_refused(const char* name, const char* text, const char* says)
{
    pliant_mesh* mesh = NULL;
    pliant_result result = pliant_mesh_parse(text, strlen(text), name, &mesh);
    if (result != PLIANT_ERROR_FORMAT || mesh || !strstr(pliant_error_text(), says))
        fail_msg("result %d, '%s' does not say '%s'", result, pliant_error_text(), says);
}

#define PLY(properties)                                                                            \
    "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"                                  \
    "property float y\nproperty float z\n" properties "end_header\n"
#define VTK(cells)                                                                                 \
    "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"                            \
    "POINTS 2 float\n0 0 0 1 1 1\n" cells

static void files_of_vertices_alone_are_particles(void** unused)
{
    (void)unused;
    static const char* const files[][2] = {
        {"p.ply", PLY("") "0 0 0\n1 1 1\n"},
        {"p.ply", PLY("element face 0\nproperty list uchar int vertex_indices\n") "0 0 0\n1 1 1\n"},
        {"p.obj", "v 0 0 0\nv 1 1 1\np 1 2\n"},
        {"p.vtk", VTK("CELLS 2 4\n1 0\n1 1\nCELL_TYPES 2\n1\n1\n")},
        {"p.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n2\n0 0 0 0\n1 1 1 0\nEnd\n"},
        {"p.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 1 1\n"
                  "$EndNodes\n$Elements\n2\n1 15 2 0 1 1\n2 15 2 0 1 2\n$EndElements\n"},
        {"p.off", "OFF\n2 0 0\n0 0 0\n1 1 1\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        pliant_mesh* mesh = parse(files[i][0], files[i][1]);
        pliant_mesh_arrays a = pliant_mesh_view(mesh);
        if (a.vertex_count != 2 || a.tet_count + a.triangle_count + a.edge_count > 0)
            fail_msg("%s: %d vertices", files[i][0], a.vertex_count);
        pliant_mesh_destroy(mesh);
    }
}

static void radii_of_a_file_are_read(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = parse("p.ply", PLY("property double radius\n") "0 0 0 0.5\n1 1 1 0.25\n");
    const double expected[] = {0.5, 0.25};
    assert_memory_equal(pliant_mesh_view(mesh).vertex_radius, expected, sizeof expected);
    pliant_mesh_destroy(mesh);
}

static void radii_of_other_meshes_do_not_matter(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = parse(
        "p.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float "
                 "y\nproperty float z\nproperty float radius\nelement face 1\nproperty list "
                 "uchar int vertex_indices\nend_header\n0 0 0 0\n1 0 0 -1\n0 1 0 2\n3 0 1 2\n");
    assert_null(pliant_mesh_view(mesh).vertex_radius);
    pliant_mesh_destroy(mesh);
}

static void what_is_no_mesh_of_points_is_refused(void** unused)
{
    (void)unused;
    check_parse_refused("p.ply", PLY("property double radius\n") "0 0 0 0.5\n1 1 1 0\n",
                        "particle 1 has a radius of 0 m");
    check_parse_refused("p.ply", PLY("property double radius\n") "0 0 0 -1\n1 1 1 1\n",
                        "particle 0 has a radius of -1 m");
    check_parse_refused("p.ply", PLY("property double radius\n") "0 0 0 nan\n1 1 1 1\n", "nan");
    check_parse_refused("p.obj", "# nothing\n", "no tetrahedra");
    check_parse_refused("p.mesh",
                        "MeshVersionFormatted 2\nDimension 3\nVertices\n8\n0 0 0 0\n1 0 0 0\n1 1 0 "
                        "0\n0 1 0 0\n0 0 1 0\n1 0 1 0\n1 1 1 0\n0 1 1 0\nHexahedra\n1\n1 2 3 4 5 6 "
                        "7 8 0\nEnd\n",
                        "no tetrahedra");
    check_parse_refused("p.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n1\n0 0 0 0\n",
                        "the end of the file"); // it may have been cut off
}

static void a_lone_node_file_is_particles(void** unused)
{
    (void)unused;
    char path[64];
    pliant_mesh* mesh = NULL;
    snprintf(path, sizeof path, "%s/lone.node", folder);
    FILE* file = fopen(path, "w");
    fputs("2 3 0 0\n1 0 0 0\n2 1 1 1\n", file);
    fclose(file);
    pliant_set_log(NULL, NULL);
    CHECK_OK(pliant_mesh_load(path, &mesh));
    assert_int_equal(pliant_mesh_view(mesh).vertex_count, 2);
    pliant_mesh_destroy(mesh);
}

// ---- mesh tools ---------------------------------------------------------------------------------

static void bad_radii_are_refused(void** unused)
{
    (void)unused;
    static const double at[3] = {0, 0, 0}, bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        pliant_mesh_arrays a = {.vertices = at, .vertex_count = 1, .vertex_radius = &bad[i]};
        pliant_mesh* mesh = NULL;
        assert_int_equal(pliant_mesh_create(&a, &mesh), PLIANT_ERROR_ARGUMENT);
        assert_non_null(strstr(pliant_error_text(), "vertex 0 has a radius"));
    }
}

static void measures_are_those_of_the_balls(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = three_points(three_radii, NULL);
    pliant_mesh_quality q;
    double cubes = 0;
    for (int i = 0; i < 3; ++i) cubes += three_radii[i] * three_radii[i] * three_radii[i];
    CHECK_OK(pliant_mesh_measure(mesh, &q));
    CHECK_CLOSE(q.volume, 4.18879020478639 * cubes, 1e-12);
    assert_int_equal(q.components, 3);
    assert_int_equal(q.unreferenced_vertices, 0);
    pliant_mesh_destroy(mesh);
}

static void scale_makes_balls_larger(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = three_points(three_radii, NULL);
    pliant_mesh_transform(mesh, 3, (pliant_quat){0, 0, 0, 1}, (double[3]){0, 0, 0});
    CHECK_CLOSE(pliant_mesh_view(mesh).vertex_radius[1], 3.0 / 7, 1e-15);
    pliant_mesh_destroy(mesh);
}

static void cleaning_keeps_particles_with_their_radii(void** unused)
{
    (void)unused;
    static const double at[] = {1, 1, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2}, radius[] = {1, 2, 3, 4};
    static const double kept[] = {1, 2, 4};
    pliant_mesh* mesh =
        create((pliant_mesh_arrays){.vertices = at, .vertex_count = 4, .vertex_radius = radius});
    pliant_clean_def def = pliant_clean_defaults();
    pliant_clean_report report;
    def.weld = def.orient = def.drop_degenerate = def.drop_duplicates = true;
    def.drop_unreferenced = true;
    CHECK_OK(pliant_mesh_clean(mesh, &def, &report));
    assert_int_equal(report.welded, 1);
    assert_int_equal(report.unreferenced, 0);
    assert_int_equal(pliant_mesh_view(mesh).vertex_count, 3);
    assert_memory_equal(pliant_mesh_view(mesh).vertex_radius, kept, sizeof kept);
    pliant_mesh_destroy(mesh);
}

// ---- assets -------------------------------------------------------------------------------------

static pliant_asset* compile(pliant_mesh* mesh, double radius)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_asset* asset = NULL;
    soft.radius = radius;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    pliant_mesh_destroy(mesh);
    return asset;
}

static void mass_is_that_of_the_balls(void** unused)
{
    (void)unused;
    pliant_asset* own = compile(three_points(three_radii, NULL), 0);
    pliant_asset* same = compile(three_points(NULL, NULL), 0.5);
    double cubes = 0;
    for (int i = 0; i < 3; ++i) cubes += three_radii[i] * three_radii[i] * three_radii[i];
    CHECK_CLOSE(pliant_asset_describe(own).mass, 1000 * 4.18879020478639 * cubes, 1e-12);
    CHECK_CLOSE(pliant_asset_describe(same).mass, 1000 * 4.18879020478639 * 3 / 8, 1e-12);
    pliant_asset_destroy(own);
    pliant_asset_destroy(same);
}

static void bodies_without_a_radius_or_particles_are_refused(void** unused)
{
    (void)unused;
    pliant_mesh *bare = three_points(NULL, NULL), *none = create((pliant_mesh_arrays){0});
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_asset* asset = NULL;
    assert_int_equal(pliant_asset_create(bare, &soft, &asset), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "need a radius"));
    soft.radius = NAN;
    assert_int_equal(pliant_asset_create(bare, &soft, &asset), PLIANT_ERROR_ARGUMENT);
    soft.radius = 1;
    assert_int_equal(pliant_asset_create(none, &soft, &asset), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "empty"));
    pliant_mesh_destroy(bare);
    pliant_mesh_destroy(none);
}

static void saved_assets_keep_their_radii(void** unused)
{
    (void)unused;
    pliant_asset *a = compile(three_points(three_radii, NULL), 0), *b = NULL;
    size_t bytes = pliant_asset_write_size(a);
    void* data = malloc(bytes);
    CHECK_OK(pliant_asset_write(a, data, bytes));
    CHECK_OK(pliant_asset_parse(data, bytes, "a", &b));
    assert_memory_equal(pliant_mesh_view(pliant_asset_mesh(b)).vertex_radius, three_radii,
                        sizeof three_radii);
    free(data);
    pliant_asset_destroy(a);
    pliant_asset_destroy(b);
}

// The rule: gravity dt^2 / (0.1 radius), 4 or more.
static void substeps_follow_radius_and_step(void** unused)
{
    (void)unused;
    pliant_asset* large = compile(three_points(NULL, NULL), 1);
    pliant_asset* small = compile(three_points(NULL, NULL), 1e-3);
    assert_int_equal(pliant_asset_substeps(large, 0.01f), 4);
    assert_int_equal(pliant_asset_substeps(small, 0.01f), 10);
    assert_int_equal(pliant_asset_substeps(small, 0.02f), 40);
    assert_int_equal(pliant_asset_substeps(small, 0), 1);
    pliant_asset_destroy(large);
    pliant_asset_destroy(small);
}

static int substeps_under(double gravity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(0, 1);
    soft.radius = 1e-3;
    pliant_world_set_gravity(world, vec(0, -gravity, 0));
    add_soft(world, three_points(NULL, NULL), &soft, 0);
    run(world, 1, 0.02);
    int count = pliant_world_profile(world).substeps;
    pliant_world_destroy(world);
    return count;
}

static void worlds_count_with_their_own_gravity(void** unused)
{
    (void)unused;
    assert_int_equal(substeps_under(9.81), 40);
    assert_int_equal(substeps_under(98.1), 393);
    assert_int_equal(substeps_under(0), 4);
}

// ---- worlds -------------------------------------------------------------------------------------

// Balls of 0.5 m around the origin, at 2 m and at 5 m along x.
static pliant_world* add_three(pliant_body_id* out)
{
    static const double at[] = {0, 0, 0, 2, 0, 0, 5, 0, 0};
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(4, 1);
    soft.radius = 0.5;
    *out =
        add_soft(world, create((pliant_mesh_arrays){.vertices = at, .vertex_count = 3}), &soft, 0);
    return world;
}

static pliant_hit cast(const pliant_world* world, double x, double y, double dx, double dy)
{
    pliant_ray ray = pliant_ray_defaults();
    pliant_hit hit;
    ray.origin[0] = x, ray.origin[1] = y;
    ray.direction[0] = dx, ray.direction[1] = dy;
    CHECK_OK(pliant_world_cast_ray(world, &ray, &hit));
    return hit;
}

static void rays_meet_balls(void** unused)
{
    (void)unused;
    pliant_body_id body;
    pliant_world* world = add_three(&body);
    pliant_hit hit = cast(world, 10, 0.3, -1, 0);
    assert_memory_equal(&hit.body, &body, sizeof body);
    assert_int_equal(hit.corners, 1);
    assert_int_equal(hit.particle[0], 2);
    CHECK_CLOSE(hit.distance, 5 - 0.4, 1e-6);
    CHECK_CLOSE(hit.normal[1], 0.6, 1e-6);
    assert_false(hit.behind);
    hit = cast(world, 2, 0, 0, 1); // from inside
    assert_true(hit.behind && hit.particle[0] == 1);
    CHECK_CLOSE(hit.distance, 0.5, 1e-6);
    assert_int_equal(cast(world, 3.5, -9, 0, 1).body.index1, 0);
    pliant_world_destroy(world);
}

static void nearest_points_are_on_balls(void** unused)
{
    (void)unused;
    pliant_body_id body;
    pliant_world* world = add_three(&body);
    pliant_hit hit;
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){2, 3, 0}, INFINITY, &hit));
    assert_int_equal(hit.particle[0], 1);
    CHECK_CLOSE(hit.distance, 2.5, 1e-6);
    CHECK_CLOSE(hit.point[1], 0.5, 1e-6);
    CHECK_OK(pliant_world_find_nearest(world, (double[3]){5.1, 0, 0}, INFINITY, &hit));
    assert_true(hit.behind && hit.particle[0] == 2);
    CHECK_CLOSE(hit.distance, 0.4, 1e-5);
    pliant_world_destroy(world);
}

static void balls_are_met_by_balls_and_boxes(void** unused)
{
    (void)unused;
    pliant_body_id body;
    pliant_world* world = add_three(&body);
    pliant_overlap found[2];
    assert_int_equal(get_overlaps_of_ball(world, (double[3]){3.5, 0, 0}, 0.9, found, 2), 0);
    assert_int_equal(get_overlaps_of_ball(world, (double[3]){3.5, 0, 0}, 1.1, found, 2), 1);
    const double low[] = {3, 0.3, -1}, apart[] = {4.4, 1, 1}, near[] = {4.7, 1, 1};
    assert_int_equal(get_overlaps_of_box(world, low, apart, found, 2), 0);
    assert_int_equal(get_overlaps_of_box(world, low, near, found, 2), 1);
    pliant_world_destroy(world);
}

static void a_joint_holds_a_particle(void** unused)
{
    (void)unused;
    pliant_body_id body;
    pliant_world* world = add_three(&body);
    pliant_body_id box = add_box(world, 3);
    CHECK_OK(pliant_body_pin(world, box, 0));
    pliant_joint_def joint = pliant_joint_defaults();
    CHECK_OK(pliant_body_find_joint_point(world, body, (double[3]){2, 1, 0}, &joint.point[0]));
    CHECK_OK(pliant_body_find_joint_point(world, box, (double[3]){0, 3, 0}, &joint.point[1]));
    assert_int_equal(joint.point[0].count, 1);
    assert_int_equal(joint.point[0].particle[0], 1);
    pliant_joint_id id;
    CHECK_OK(pliant_world_add_joint(world, &joint, &id));
    run(world, 10, 0.01);
    CHECK_BETWEEN(read_place(world, body, 0).x[1], -0.1, -0.03); // free fall: -0.05
    CHECK_BETWEEN(read_place(world, body, 1).x[1], 0, 4);        // pulled to the box
    pliant_world_destroy(world);
}

static void pins_and_forces_move_single_particles(void** unused)
{
    (void)unused;
    pliant_body_id body;
    pliant_world* world = add_three(&body);
    double mass[3];
    CHECK_OK(pliant_body_read_masses(world, body, mass, 3));
    CHECK_OK(pliant_body_pin(world, body, 0));
    const pliant_vec3 force[3] = {vec(0, 0, 0), vec(0, 2 * 9.81 * mass[1], 0), vec(0, 0, 0)};
    CHECK_OK(pliant_body_set_forces(world, body, force, 3));
    run(world, 10, 0.01);
    CHECK_BETWEEN(read_place(world, body, 0).x[1], 0, 0);
    CHECK_BETWEEN(read_place(world, body, 1).x[1], 0.04, 0.06);
    CHECK_BETWEEN(read_place(world, body, 2).x[1], -0.06, -0.04);
    pliant_world_destroy(world);
}

static void skins_are_refused(void** unused)
{
    (void)unused;
    pliant_body_id body;
    pliant_world* world = add_three(&body);
    pliant_skin_def def = pliant_skin_defaults();
    pliant_mesh* sheet = generate("cloth:2x2:1x1");
    pliant_skin* skin = NULL;
    def.surface = sheet;
    def.bodies = &body;
    assert_int_equal(pliant_skin_create(world, &def, &skin), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "needs bodies with tets, cloth or clusters"));
    pliant_mesh_destroy(sheet);
    pliant_world_destroy(world);
}

static void energies_are_those_of_points(void** unused)
{
    (void)unused;
    pliant_body_id body;
    pliant_world* world = add_three(&body);
    run(world, 10, 0.01);
    pliant_energies e = get_energies(world);
    double mass = 3 * 1000 * 4.18879020478639 / 8;
    assert_true(e.elastic == 0 && e.unresolved == 0);
    CHECK_CLOSE(e.kinetic, mass / 2 * 0.981 * 0.981, 1e-4);
    assert_int_equal(get_advice(world, body), 4);
    pliant_world_destroy(world);
}

static void a_restored_world_goes_on_the_same(void** unused)
{
    (void)unused;
    pliant_collider_def floor = pliant_collider_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.contacts = true;
    def.threads = 1;
    CHECK_OK(pliant_world_create(&def, &world));
    new_collider(world, &floor);
    add_soft(world, generate("grains:0.3x0.3x0.3:0.1"), &soft, 0.05);
    run(world, 10, 0.01);
    size_t bytes = pliant_world_snapshot_size(world);
    void* kept = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, kept, bytes));
    run(world, 10, 0.01);
    uint64_t once = get_digest(world);
    CHECK_OK(pliant_world_snapshot_restore(world, kept, bytes));
    run(world, 10, 0.01);
    assert_int_equal(get_digest(world), once);
    free(kept);
    pliant_world_destroy(world);
}

// ---- findings -----------------------------------------------------------------------------------

static pliant_body_id add_grains(pliant_world* world, double x, double y)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = generate("grains:0.3x0.3x0.3:0.1:0");
    def.position[0] = x;
    def.position[1] = y;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    return id;
}

static void a_look_at_particles_tells_what_is_wrong(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(4, 1);
    pliant_finding found[8];
    pliant_collider_def floor = pliant_collider_defaults(), ball = floor;
    ball.shape = PLIANT_SHAPE_SPHERE;
    ball.radius = 0.03f;
    ball.position[1] = 0.5;
    new_collider(world, &floor);
    new_collider(world, &ball);
    add_grains(world, 0, 1);
    assert_int_equal(get_findings(world, 0.01f, found, 8), 0); // a small ball is no trouble
    add_grains(world, 0.5, 1);
    assert_int_equal(get_findings(world, 0.01f, found, 8), 0);
    add_grains(world, 0.47, 1.02);
    assert_int_equal(get_findings(world, 0.01f, found, 8), 1);
    assert_int_equal(found[0].kind, PLIANT_FINDING_OVERLAP);
    assert_non_null(strstr(found[0].text, "body 1 and body 2 overlap"));
    add_box(world, 3);
    add_grains(world, 0.05, 3.02);
    assert_int_equal(get_findings(world, 0.01f, found, 8), 2);
    assert_non_null(strstr(found[1].text, "body 3 and body 4 overlap"));
    add_grains(world, 5, -0.05);
    assert_int_equal(get_findings(world, 0.01f, found, 8), 3);
    assert_int_equal(found[0].kind, PLIANT_FINDING_INSIDE);
    pliant_world_destroy(world);
}

static void a_look_tells_of_particles_that_overlap_each_other(void** unused)
{
    (void)unused;
    static const double at[] = {0, 0, 0, 1, 0, 0, 1.9, 0, 0, 3, 0, 0, 3, 0, 0};
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = make_world(4, 1);
    pliant_finding found[4];
    soft.radius = 0.5;
    add_soft(world, create((pliant_mesh_arrays){.vertices = at, .vertex_count = 2}), &soft, 9);
    assert_int_equal(get_findings(world, 0.01f, found, 4), 0); // they touch
    add_soft(world, create((pliant_mesh_arrays){.vertices = at, .vertex_count = 5}), &soft, 0);
    assert_int_equal(get_findings(world, 0.01f, found, 4), 1);
    assert_int_equal(found[0].kind, PLIANT_FINDING_OVERLAP);
    assert_memory_equal(&found[0].other, &found[0].body, sizeof found[0].body);
    assert_non_null(strstr(found[0].text, "2 of the 5 particles of body 1"));
    CHECK_CLOSE(found[0].size, 1, 1e-6);
    pliant_world_destroy(world);
}

static void particles_at_one_place_do_no_harm(void** unused)
{
    (void)unused;
    static const double at[6 * 3] = {0};
    pliant_world_def def = pliant_world_defaults();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world* world = NULL;
    def.contacts = true;
    def.threads = 1;
    soft.radius = 0.1;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_body_id body =
        add_soft(world, create((pliant_mesh_arrays){.vertices = at, .vertex_count = 6}), &soft, 0);
    run(world, 20, 0.01);
    place* x = read_places(world, body);
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 3; ++k)
            if (!(fabs(x[i].x[k]) < 10)) fail_msg("particle %d is at %g", i, x[i].x[k]);
    free(x);
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_are_inside_of_the_surface),
        cmocka_unit_test(no_two_balls_overlap),
        cmocka_unit_test(grid_fills_a_box_without_a_gap),
        cmocka_unit_test(patterns_are_as_dense_as_they_are_known_to_be),
        cmocka_unit_test(noise_leaves_no_holes),
        cmocka_unit_test(radii_of_one_to_ten_fill_more_than_one_size),
        cmocka_unit_test(smaller_balls_leave_the_same_gaps),
        cmocka_unit_test(surface_has_points_on_it_that_keep_apart),
        cmocka_unit_test(a_sheet_has_points_on_it_too),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(machines_change_nothing),
        cmocka_unit_test(seeds_change_what_is_random),
        cmocka_unit_test(bad_shapes_are_refused),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(balls_that_would_overlap_are_refused),
        cmocka_unit_test(too_large_and_too_many_are_refused),
        cmocka_unit_test(filling_tells_how_far_it_is_and_ends_when_told),
        cmocka_unit_test(filling_outlives_every_lack_of_memory),
        cmocka_unit_test(files_give_particles_back),
        cmocka_unit_test(files_of_vertices_alone_are_particles),
        cmocka_unit_test(radii_of_a_file_are_read),
        cmocka_unit_test(radii_of_other_meshes_do_not_matter),
        cmocka_unit_test(what_is_no_mesh_of_points_is_refused),
        cmocka_unit_test(a_lone_node_file_is_particles),
        cmocka_unit_test(bad_radii_are_refused),
        cmocka_unit_test(measures_are_those_of_the_balls),
        cmocka_unit_test(scale_makes_balls_larger),
        cmocka_unit_test(cleaning_keeps_particles_with_their_radii),
        cmocka_unit_test(mass_is_that_of_the_balls),
        cmocka_unit_test(bodies_without_a_radius_or_particles_are_refused),
        cmocka_unit_test(saved_assets_keep_their_radii),
        cmocka_unit_test(substeps_follow_radius_and_step),
        cmocka_unit_test(worlds_count_with_their_own_gravity),
        cmocka_unit_test(rays_meet_balls),
        cmocka_unit_test(nearest_points_are_on_balls),
        cmocka_unit_test(balls_are_met_by_balls_and_boxes),
        cmocka_unit_test(a_joint_holds_a_particle),
        cmocka_unit_test(pins_and_forces_move_single_particles),
        cmocka_unit_test(skins_are_refused),
        cmocka_unit_test(energies_are_those_of_points),
        cmocka_unit_test(a_restored_world_goes_on_the_same),
        cmocka_unit_test(a_look_at_particles_tells_what_is_wrong),
        cmocka_unit_test(a_look_tells_of_particles_that_overlap_each_other),
        cmocka_unit_test(particles_at_one_place_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
