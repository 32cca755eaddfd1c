// Writers: what is saved reads back as the same bits, in every format of the table.
#include "base/random.h"
#include "meshfile/format.h"

#include "check.h"

enum { VERTICES = 40, ELEMENTS = 30 };

typedef struct {
    double vertices[3 * VERTICES];
    int tets[4 * ELEMENTS], triangles[3 * ELEMENTS], edges[2 * ELEMENTS], region[ELEMENTS];
} numbers;

// Coordinates of every size, with all their digits; regions that change back and forth.
static void fill(numbers* n)
{
    random_source r = {.state = 5};
    for (int i = 0; i < 3 * VERTICES; ++i)
        n->vertices[i] = ldexp(random_range(&r, -1, 1), random_index(&r, 400) - 200);
    n->vertices[0] = -0.0;
    n->vertices[1] = 5e-324;
    n->vertices[2] = 0.1;
    for (int i = 0; i < ELEMENTS; ++i) {
        for (int k = 0; k < 4; ++k) n->tets[4 * i + k] = (i + k * (1 + i % 7)) % VERTICES;
        for (int k = 0; k < 3; ++k) n->triangles[3 * i + k] = (i + k * (1 + i % 7)) % VERTICES;
        for (int k = 0; k < 2; ++k) n->edges[2 * i + k] = (i + k) % VERTICES;
        n->region[i] = (const int[]){7, 7, 3, 0, -2}[i % 5];
    }
}

static pliant_mesh* make(const pliant_mesh_arrays* arrays)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(arrays, &mesh));
    return mesh;
}

// Saves, loads and removes; the caller destroys the result.
static pliant_mesh* through_file(const pliant_mesh* mesh, const char* extension)
{
    char path[100];
    pliant_mesh* back = NULL;
    snprintf(path, sizeof path, "test_mesh_write.%s", extension);
    CHECK_OK(pliant_mesh_save(mesh, path));
    CHECK_OK(pliant_mesh_load(path, &back));
    remove(path);
    return back;
}

static void check_same(const pliant_mesh_arrays* got, const pliant_mesh_arrays* want)
{
    assert_int_equal(got->vertex_count, want->vertex_count);
    assert_int_equal(got->tet_count, want->tet_count);
    assert_int_equal(got->triangle_count, want->triangle_count);
    assert_int_equal(got->edge_count, want->edge_count);
    assert_memory_equal(got->vertices, want->vertices, (size_t)want->vertex_count * 24);
    if (want->tet_count) assert_memory_equal(got->tets, want->tets, (size_t)want->tet_count * 16);
    if (want->triangle_count)
        assert_memory_equal(got->triangles, want->triangles, (size_t)want->triangle_count * 12);
    if (want->edge_count)
        assert_memory_equal(got->edges, want->edges, (size_t)want->edge_count * 8);
    assert_int_equal(got->tet_region != NULL, want->tet_region != NULL);
    if (want->tet_region)
        assert_memory_equal(got->tet_region, want->tet_region, (size_t)want->tet_count * 4);
}

static void check_round_trip(const pliant_mesh_arrays* arrays, const char* extension)
{
    pliant_mesh* mesh = make(arrays);
    pliant_mesh* back = through_file(mesh, extension);
    pliant_mesh_arrays got = pliant_mesh_view(back);
    print_message("%s\n", extension);
    check_same(&got, arrays);
    pliant_mesh_destroy(back);
    pliant_mesh_destroy(mesh);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static bool keeps_bits(const mesh_format* f) { return f->write && f->write != write_stl; }

static void tets_with_regions_come_back(void** state)
{
    (void)state;
    numbers n;
    fill(&n);
    pliant_mesh_arrays a = {.vertices = n.vertices,
                            .vertex_count = VERTICES,
                            .tets = n.tets,
                            .tet_count = ELEMENTS,
                            .tet_region = n.region};
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i)
        if (keeps_bits(&mesh_formats[i]) && !mesh_formats[i].surface)
            check_round_trip(&a, mesh_formats[i].extensions[0]);
    a.tet_region = NULL;
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i)
        if (keeps_bits(&mesh_formats[i]) && !mesh_formats[i].surface)
            check_round_trip(&a, mesh_formats[i].extensions[0]);
}

static void triangles_come_back(void** state)
{
    (void)state;
    numbers n;
    fill(&n);
    pliant_mesh_arrays a = {.vertices = n.vertices,
                            .vertex_count = VERTICES,
                            .triangles = n.triangles,
                            .triangle_count = ELEMENTS};
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i)
        if (keeps_bits(&mesh_formats[i])) check_round_trip(&a, mesh_formats[i].extensions[0]);
}

static void edges_come_back(void** state)
{
    (void)state;
    numbers n;
    fill(&n);
    pliant_mesh_arrays a = {
        .vertices = n.vertices, .vertex_count = VERTICES, .edges = n.edges, .edge_count = ELEMENTS};
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i)
        if (keeps_bits(&mesh_formats[i]) && mesh_formats[i].edges)
            check_round_trip(&a, mesh_formats[i].extensions[0]);
}

static const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 0.1, 0, 0, 0, 1};
static const int tet[4] = {0, 1, 2, 3};

static void surface_formats_get_the_boundary_of_tets(void** state)
{
    (void)state;
    pliant_mesh_arrays a = {.vertices = corner, .vertex_count = 4, .tets = tet, .tet_count = 1};
    pliant_mesh* mesh = make(&a);
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i) {
        if (!mesh_formats[i].write || !mesh_formats[i].surface) continue;
        pliant_mesh* back = through_file(mesh, mesh_formats[i].extensions[0]);
        assert_int_equal(pliant_mesh_view(back).triangle_count, 4);
        pliant_mesh_destroy(back);
    }
    pliant_mesh_destroy(mesh);
}

static void stl_keeps_corners_as_floats(void** state)
{
    (void)state;
    const int triangle[3] = {1, 2, 3};
    pliant_mesh_arrays a = {
        .vertices = corner, .vertex_count = 4, .triangles = triangle, .triangle_count = 1};
    pliant_mesh* mesh = make(&a);
    pliant_mesh* back = through_file(mesh, "stl");
    pliant_mesh_arrays got = pliant_mesh_view(back);
    assert_int_equal(got.vertex_count, 3);
    for (int i = 0; i < 9; ++i)
        assert_true(got.vertices[i] == (double)(float)corner[3 * triangle[i / 3] + i % 3]);
    pliant_mesh_destroy(back);
    pliant_mesh_destroy(mesh);
}

static void check_refused(const pliant_mesh* mesh, const char* path, const char* word)
{
    assert_int_not_equal(pliant_mesh_save(mesh, path), PLIANT_OK);
    if (!strstr(pliant_error_text(), word) || !strstr(pliant_error_text(), path))
        fail_msg("'%s' names neither '%s' nor '%s'", pliant_error_text(), path, word);
    FILE* file = fopen(path, "rb");
    assert_null(file);
}

static void what_cannot_be_written_is_refused_by_name(void** state)
{
    (void)state;
    const int edge[2] = {0, 1};
    pliant_mesh_arrays solid = {.vertices = corner, .vertex_count = 4, .tets = tet, .tet_count = 1};
    pliant_mesh_arrays rope = {
        .vertices = corner, .vertex_count = 4, .edges = edge, .edge_count = 1};
    pliant_mesh* mesh = make(&solid);
    check_refused(mesh, "thing.xyz", ".vtu");
    check_refused(mesh, "thing", ".mesh");
    check_refused(mesh, "thing.vtk", ".obj");
    check_refused(mesh, "thing.mesh.gz", ".mesh");
    check_refused(mesh, "no/such/folder/thing.mesh", "cannot be created");
    pliant_mesh_destroy(mesh);
    mesh = make(&rope);
    check_refused(mesh, "thing.stl", "STL");
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tets_with_regions_come_back),
        cmocka_unit_test(triangles_come_back),
        cmocka_unit_test(edges_come_back),
        cmocka_unit_test(surface_formats_get_the_boundary_of_tets),
        cmocka_unit_test(stl_keeps_corners_as_floats),
        cmocka_unit_test(what_cannot_be_written_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
