// Readers: every format and variation gives the same mesh.
#include "samples.h"

#include "meshfile/number.h"
#include <locale.h>

static sample samples[SAMPLE_CAPACITY];
static int sample_count;

static void check_solid(const sample* s, const pliant_mesh_arrays* m)
{
    assert_int_equal(m->vertex_count, 5);
    assert_int_equal(m->tet_count, 2);
    assert_int_equal(m->triangle_count + m->edge_count, 0);
    assert_memory_equal(m->vertices, sample_vertices, sizeof sample_vertices);
    assert_memory_equal(m->tets, sample_tets, sizeof sample_tets);
    if (!s->regions)
        assert_null(m->tet_region);
    else
        assert_memory_equal(m->tet_region, sample_regions, sizeof sample_regions);
}

// Corner by corner, because STL files share no vertices.
static void check_surface(const pliant_mesh_arrays* m)
{
    assert_int_equal(m->triangle_count, 4);
    assert_int_equal(m->tet_count + m->edge_count, 0);
    for (int i = 0; i < 12; ++i)
        assert_memory_equal(m->vertices + 3 * m->triangles[i],
                            sample_vertices + 3 * sample_triangles[i], 3 * sizeof(double));
}

static void every_sample_gives_the_same_mesh(void** state)
{
    (void)state;
    for (int i = 0; i < sample_count; ++i) {
        pliant_mesh* mesh = NULL;
        print_message("%s, %s\n", samples[i].format, samples[i].variation);
        CHECK_OK(read_sample(&samples[i], &mesh));
        pliant_mesh_arrays view = pliant_mesh_view(mesh);
        if (samples[i].surface)
            check_surface(&view);
        else
            check_solid(&samples[i], &view);
        pliant_mesh_destroy(mesh);
        assert_int_equal(pliant_allocated_bytes(), 0);
    }
}

static void the_content_counts_more_than_the_extension(void** state)
{
    (void)state;
    for (int i = 0; i < sample_count; ++i) {
        sample s = samples[i];
        if (strcmp(s.format, "OBJ") == 0 || strcmp(s.format, "TetGen") == 0) continue;
        pliant_mesh* mesh = NULL;
        CHECK_OK(pliant_mesh_parse(s.data, s.bytes, "upload", &mesh));
        pliant_mesh_destroy(mesh);
        CHECK_OK(pliant_mesh_parse(s.data, s.bytes, "wrong.obj", &mesh));
        pliant_mesh_destroy(mesh);
    }
}

static pliant_mesh* parse(const char* text, const char* name)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_parse(text, strlen(text), name, &mesh));
    return mesh;
}

static void an_extension_may_end_in_gz(void** state)
{
    (void)state;
    pliant_mesh_destroy(parse("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "dir.x/thing.OBJ.gz"));
}

// Keeps the names that were asked for.
static pliant_result record_name(const char* path, void** out_data, size_t* out_bytes,
                                 void* context)
{
    char* names = (char*)context;
    strcat(strcat(names, path), " ");
    bool nodes = strstr(path, ".node") != NULL;
    const char* text = nodes ? "4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n" : "1 4\n0 0 1 2 3\n";
    *out_bytes = strlen(text);
    *out_data = copy_for_reader(text, *out_bytes);
    return PLIANT_OK;
}

static void either_file_of_a_pair_finds_the_other(void** state)
{
    (void)state;
    static const char* paths[] = {"a.b/x.node", "a.b/x.ele", "x.1.ele.gz"};
    static const char* asked[] = {"a.b/x.node a.b/x.ele ", "a.b/x.ele a.b/x.node ",
                                  "x.1.ele.gz x.1.node.gz "};
    for (int i = 0; i < 3; ++i) {
        char names[100] = "";
        pliant_mesh* mesh = NULL;
        CHECK_OK(pliant_mesh_load_with(paths[i], record_name, names, &mesh));
        assert_string_equal(names, asked[i]);
        assert_int_equal(pliant_mesh_view(mesh).tet_count, 1);
        pliant_mesh_destroy(mesh);
    }
}

static pliant_result refuse_to_read(const char* path, void** out_data, size_t* out_bytes,
                                    void* context)
{
    (void)path, (void)out_data, (void)out_bytes, (void)context;
    return PLIANT_ERROR_FILE;
}

static void a_failing_read_function_gets_a_sentence(void** state)
{
    (void)state;
    pliant_mesh* mesh = NULL;
    assert_int_equal(pliant_mesh_load_with("x.mesh.gz", refuse_to_read, NULL, &mesh),
                     PLIANT_ERROR_FILE);
    assert_non_null(strstr(pliant_error_text(), "x.mesh.gz"));
}

static void a_byte_order_mark_is_passed_over(void** state)
{
    (void)state;
    pliant_mesh_destroy(parse("\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "mark.obj"));
    pliant_mesh_destroy(parse("\xef\xbb\xbfOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "mark"));
}

static void polygons_become_fans(void** state)
{
    (void)state;
    pliant_mesh* mesh =
        parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0.5 2 0\nv 0 1 0\nf 1 2 3 \\\n 4 5\n", "pentagon.obj");
    const int fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    assert_int_equal(pliant_mesh_view(mesh).triangle_count, 3);
    assert_memory_equal(pliant_mesh_view(mesh).triangles, fan, sizeof fan);
    pliant_mesh_destroy(mesh);
}

static void several_solids_are_one_surface(void** state)
{
    (void)state;
#define SOLID                                                                                      \
    "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"   \
    "endfacet\nendsolid\n"
    pliant_mesh* mesh = parse(SOLID SOLID, "two.stl");
    assert_int_equal(pliant_mesh_view(mesh).triangle_count, 2);
    pliant_mesh_destroy(mesh);
}

static void lines_become_edges_where_nothing_else_is(void** state)
{
    (void)state;
    pliant_mesh* mesh = parse("v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 3\n", "rope.obj");
    const int edges[4] = {0, 1, 1, 2};
    assert_int_equal(pliant_mesh_view(mesh).edge_count, 2);
    assert_memory_equal(pliant_mesh_view(mesh).edges, edges, sizeof edges);
    pliant_mesh_destroy(mesh);
}

static void equal_regions_are_no_regions(void** state)
{
    (void)state;
    pliant_mesh* mesh = parse("MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 "
                              "0 1 0 0 0 0 1 0 Tetrahedra 2 1 2 3 4 5 1 2 3 4 5 End",
                              "one.mesh");
    assert_null(pliant_mesh_view(mesh).tet_region);
    pliant_mesh_destroy(mesh);
}

static int warnings;
static void count_warning(const char* text, void* context)
{
    (void)context;
    assert_non_null(strstr(text, "mixed.mesh"));
    ++warnings;
}

static void hexahedra_are_left_out_with_a_warning(void** state)
{
    (void)state;
    pliant_set_log(count_warning, NULL);
    pliant_mesh* mesh = parse("MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 "
                              "0 1 0 0 0 0 1 0 Hexahedra 1 1 2 3 4 1 2 3 4 0 "
                              "Tetrahedra 1 1 2 3 4 5 End",
                              "mixed.mesh");
    assert_int_equal(pliant_mesh_view(mesh).tet_count, 1);
    assert_int_equal(warnings, 1);
    pliant_mesh_destroy(mesh);
    pliant_set_log(NULL, NULL);
}

static double volume(const pliant_mesh_arrays* m)
{
    double sum = 0;
    for (int i = 0; i < m->tet_count; ++i) {
        double e[3][3];
        const int* t = m->tets + 4 * i;
        for (int k = 0; k < 3; ++k)
            for (int a = 0; a < 3; ++a)
                e[k][a] = m->vertices[3 * t[k + 1] + a] - m->vertices[3 * t[0] + a];
        sum += e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
               e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    }
    return sum / 6;
}

static pliant_mesh* load_shared(const char* name)
{
    char path[600];
    pliant_mesh* mesh = NULL;
    snprintf(path, sizeof path, "%s%s", SHARED_MESHES, name);
    if (pliant_mesh_load(path, &mesh) == PLIANT_ERROR_FILE) {
        print_message("skipped: %s\n", pliant_error_text());
        skip();
    }
    if (!mesh) fail_msg("%s", pliant_error_text());
    return mesh;
}

static void the_torus_is_the_same_in_every_format(void** state)
{
    (void)state;
    static const char* names[] = {"torus.vtk", "torus_msh22_ascii.msh", "torus_msh22_binary.msh",
                                  "torus_msh41_ascii.msh", "torus_msh41_binary.msh"};
    pliant_mesh* reference = load_shared("tets/torus.mesh");
    pliant_mesh_arrays want = pliant_mesh_view(reference);
    assert_int_equal(want.tet_count, 6183);
    for (int i = 0; i < 5; ++i) {
        char path[100];
        snprintf(path, sizeof path, "tets/formats/%s", names[i]);
        pliant_mesh* mesh = load_shared(path);
        pliant_mesh_arrays got = pliant_mesh_view(mesh);
        assert_int_equal(got.vertex_count, want.vertex_count);
        assert_int_equal(got.tet_count, want.tet_count);
        CHECK_CLOSE(volume(&got), volume(&want), 1e-12);
        pliant_mesh_destroy(mesh);
    }
    pliant_mesh_destroy(reference);
}

static void shared_files_have_their_counts(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int vertices, tets, triangles;
    } files[] = {
        {"tets/octopus_14k.t", 3430, 13578, 0},         {"tets/armadillo_4k.node", 1180, 3717, 0},
        {"tets/armadillo_4k.ele", 1180, 3717, 0},       {"tets/bunny_8k.mesh", 2531, 8121, 0},
        {"surfaces/bunny.obj", 3301, 0, 6598},          {"surfaces/octopus.ply", 5002, 0, 10000},
        {"surfaces/awkward_soup.stl", 300, 0, 100},     {"surfaces/squirrel.off", 8283, 0, 16562},
        {"surfaces/awkward_chair.obj", 3186, 0, 12756},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        pliant_mesh* mesh = load_shared(files[i].name);
        pliant_mesh_arrays got = pliant_mesh_view(mesh);
        assert_int_equal(got.vertex_count, files[i].vertices);
        assert_int_equal(got.tet_count, files[i].tets);
        assert_int_equal(got.triangle_count, files[i].triangles);
        pliant_mesh_destroy(mesh);
    }
}

static void check_number(const char* text)
{
    double got = 0, want = strtod(text, NULL);
    const char* end = text + strlen(text);
    assert_ptr_equal(scan_real(text, end, &got), end);
    if (memcmp(&got, &want, sizeof got) != 0) fail_msg("%s: %.17g, not %.17g", text, got, want);
}

static void numbers_are_rounded_correctly(void** state)
{
    (void)state;
    static const char* hard[] = {
        "0",
        "-0",
        "-0.0e7",
        "9007199254740993",
        "9007199254740992.5",
        "0.1",
        "1e22",
        "1e23",
        "123456789012345678901234567890",
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327208e-324",
        "1.7976931348623157e308",
        "1e-400",
        ".5",
        "5.",
        "+1.25",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000012345",
        "179769313486231580793728971405301e276",
        "1e-99999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; ++i) check_number(hard[i]);
    uint64_t bits = 1;
    for (int i = 0; i < 20000; ++i) {
        char text[64];
        double value;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, "%.*g", 1 + i % 25, value);
        check_number(text);
    }
}

// 0.5 in 900 digits with a last one that breaks a tie: more than fit any buffer.
static void very_long_numbers_are_rounded_correctly(void** state)
{
    (void)state;
    char text[1000] = "9007199254740993.";
    size_t head = strlen(text);
    memset(text + head, '0', 900);
    check_number(text);
    text[head + 900] = '1';
    check_number(text);
}

static void printed_numbers_read_back_in_any_locale(void** state)
{
    (void)state;
    static const char* locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"};
    const char* set = NULL;
    for (int i = 0; i < 4 && !set; ++i) set = setlocale(LC_NUMERIC, locales[i]);
    print_message("locale %s\n", set);
    const double values[] = {0.1, -0.0, 1.0 / 3, 1e-300, 5e-324, 12345678.9, 1e22};
    for (int i = 0; i < 7; ++i) {
        char text[32];
        double back = 0;
        int length = print_real(values[i], text);
        assert_ptr_equal(scan_real(text, text + length, &back), text + length);
        assert_memory_equal(&back, &values[i], sizeof back);
        assert_null(strchr(text, ','));
    }
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    sample_count = make_samples(samples);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_gives_the_same_mesh),
        cmocka_unit_test(the_content_counts_more_than_the_extension),
        cmocka_unit_test(an_extension_may_end_in_gz),
        cmocka_unit_test(either_file_of_a_pair_finds_the_other),
        cmocka_unit_test(a_failing_read_function_gets_a_sentence),
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(several_solids_are_one_surface),
        cmocka_unit_test(lines_become_edges_where_nothing_else_is),
        cmocka_unit_test(equal_regions_are_no_regions),
        cmocka_unit_test(hexahedra_are_left_out_with_a_warning),
        cmocka_unit_test(the_torus_is_the_same_in_every_format),
        cmocka_unit_test(shared_files_have_their_counts),
        cmocka_unit_test(numbers_are_rounded_correctly),
        cmocka_unit_test(very_long_numbers_are_rounded_correctly),
        cmocka_unit_test(printed_numbers_read_back_in_any_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
