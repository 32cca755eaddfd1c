// Broken files: refused whole, with the place and what was expected; nothing leaks.
#include "samples.h"

static sample samples[SAMPLE_CAPACITY];
static int sample_count;

#define MEDIT   "MeshVersionFormatted 2\nDimension 3\n"
#define CORNERS "Vertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
#define GMSH2   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define GMSH4   "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define VTK     "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define PLY     "ply\nformat ascii 1.0\n"
#define PLY_XYZ "property float x\nproperty float y\nproperty float z\n"
#define VTU     "<VTKFile type=\"UnstructuredGrid\">\n"

static const struct {
    const char *name, *text, *place, *what;
} broken[] = {
    {"e.mesh", "", "e.mesh: ", "empty"},
    {"e.xyz", "hello", "e.xyz: ", ".node"},
    {"e.mesh", "Vertices 1", "e.mesh:1: ", "MeshVersionFormatted"},
    {"e.mesh", "MeshVersionFormatted 2\nDimension 2\n", "e.mesh:2: ", "dimension 3"},
    {"e.mesh", MEDIT "Vertices\n999999999\n0 0 0 0\n", "e.mesh:4: ", "found 999999999"},
    {"e.mesh", MEDIT "Vertices\n-1\n", "e.mesh:4: ", "found -1"},
    {"e.mesh", MEDIT "Vertices\n99999999999999999999999\n", "e.mesh:4: ", "expected at most"},
    {"e.mesh", MEDIT "Vertices\n2\n0 0 nan 0\n1 1 1 0\n", "e.mesh:5: ", "found 'nan'"},
    {"e.mesh", MEDIT "Vertices\n2\n0 0 0 0\n1e999 1 1 0\n", "e.mesh:6: ", "found '1e999'"},
    {"e.mesh", MEDIT "Vertices\n2\n0 0 0 0\n1.5x 1 1 0\n", "e.mesh:6: ", "found '1.5x'"},
    {"e.mesh", MEDIT CORNERS "Tetrahedra\n1\n1 2 3 5 0\n", "e.mesh:11: ", "from 1 to 4, found 5"},
    {"e.mesh", MEDIT CORNERS "Tetrahedra\n1\n1 2 3 0 0\n", "e.mesh:11: ", "found 0"},
    {"e.mesh", MEDIT CORNERS "Tetrahedra\n1\n1 2 3 4 9999999999\n", "e.mesh:11: ", "region"},
    {"e.mesh", MEDIT CORNERS "Tetrahedra\n1\n1 2 3 4\n", "e.mesh:12: ", "the end of the file"},
    {"e.mesh", MEDIT "Tetrahedra\n1\n1 2 3 4 0\n", "e.mesh:5: ", "expected vertices before"},
    {"e.mesh", MEDIT CORNERS "TetrahedraP2\n1\n1 2 3 4 1 2 3 4 1 2 0\n", "e.mesh:11: ", "second"},
    {"e.mesh", MEDIT CORNERS "Hexahedra\n1\n1 2 3 4 1 2 3 4 0\nEnd\n", "e.mesh: ", "no tetrahedra"},
    {"e.mesh", MEDIT CORNERS "77\n", "e.mesh:9: ", "keyword"},
    {"e.msh", "$NOD\n1\n", "e.msh:1: ", "version 2.2 or 4.1"},
    {"e.msh", "$MeshFormat\n4 0 8\n", "e.msh:2: ", "version 2.2 or 4.1"},
    {"e.msh", "$MeshFormat\n2.2 7 8\n", "e.msh:2: ", "binary"},
    {"e.msh", "$MeshFormat\n4.1 1 8\nabcd\n", "e.msh: byte 20: ", "byte order"},
    {"e.msh", GMSH2 "$Nodes\n9999999\n", "e.msh:5: ", "nodes"},
    {"e.msh", GMSH2 "$Nodes\n2\n5 0 0 0\n5 1 1 1\n$EndNodes\n", "e.msh:7: ", "number 5 twice"},
    {"e.msh", GMSH2 "$Nodes\n1\n5 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 5 5 5 6\n",
     "e.msh:10: ", "found node 6"},
    {"e.msh", GMSH2 "$Nodes\n1\n5 0 0 0\n$EndNodes\n$Elements\n1\n1 11 0 5 5 5 5 5 5 5 5 5 5\n",
     "e.msh:10: ", "second or higher order"},
    {"e.msh", GMSH2 "$Nodes\n1\n5 0 0 0\n$EndNodes\n$Elements\n1\n1 999 0 5\n",
     "e.msh:10: ", "element type"},
    {"e.msh", GMSH2 "$Nodes\n1\n5 0 0 0\n", "e.msh:7: ", "'$EndNodes'"},
    {"e.msh", GMSH2 "$Nodes\n1\n5 0 0 0\n$EndNodes\n", "e.msh:8: ", "$Elements"},
    {"e.msh", GMSH2 "$PhysicalNames\n1\n", "e.msh:6: ", "'$EndPhysicalNames'"},
    {"e.msh", GMSH4 "$Nodes\n1 99999999 1 2\n", "e.msh:5: ", "found 99999999"},
    {"e.msh", GMSH4 "$Nodes\n1 1 1 2\n7 1 0 1\n", "e.msh:6: ", "dimension"},
    {"e.msh", GMSH4 "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n",
     "e.msh:8: ", "expected 2 nodes"},
    {"e.msh", GMSH2 "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Nodes\n1\n2 0 0 0\n$EndNodes\n$Elements\n1\n",
     "e.msh:10: ", "found two"},
    {"e.vtk", "# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n",
     "e.vtk:4: ", "UNSTRUCTURED_GRID"},
    {"e.vtk", VTK "POINTS 1 quad\n0 0 0\n", "e.vtk:5: ", "a type"},
    {"e.vtk", VTK "POINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 1\nCELL_TYPES 1\n10\n",
     "e.vtk:8: ", "from 0 to 0, found 1"},
    {"e.vtk", VTK "POINTS 1 float\n0 0 0\nCELLS 1 5\n5 0 0 0 0\n", "e.vtk:8: ", "at most 4"},
    {"e.vtk", VTK "POINTS 1 float\n0 0 0\nCELLS 1 4\n3 0 0 0\nCELL_TYPES 1\n10\n",
     "e.vtk:10: ", "4 corners, found 3"},
    {"e.vtk", VTK "POINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 0\nCELL_TYPES 1\n24\n",
     "e.vtk:10: ", "second or higher order"},
    {"e.vtk", VTK "POINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 0\n", "e.vtk:9: ", "CELL_TYPES"},
    {"e.vtu", "<VTKFile type=\"PolyData\">", "e.vtu:1: ", "UnstructuredGrid"},
    {"e.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"z\">", "e.vtu:1: ", "compress"},
    {"e.vtu", VTU "<Piece NumberOfPoints=\"x\">", "e.vtu:2: ", "NumberOfPoints"},
    {"e.vtu", VTU "<Piece NumberOfPoints=\"1\" NumberOfCells=\"1\">\n</Piece></VTKFile>",
     "e.vtu:3: ", "Points"},
    {"e.vtu", VTU "<Piece", "e.vtu:2: ", "'>'"},
    {"e.ply", PLY "element vertex 1\nproperty float x\nend_header\n0\n", "e.ply:6: ", "x, y and z"},
    {"e.ply", "ply\nformat best 1.0\n", "e.ply:2: ", "found 'best'"},
    {"e.ply", PLY "property float x\n", "e.ply:3: ", "element before"},
    {"e.ply", PLY "element vertex 99999999999\n" PLY_XYZ "end_header\n0 0 0\n",
     "e.ply:8: ", "found 99999999999"},
    {"e.ply",
     PLY "element vertex 1\n" PLY_XYZ "element face 1\nproperty list uchar int vertex_index\n"
         "end_header\n0 0 0\n3 0 0 1\n",
     "e.ply:11: ", "from 0 to 0, found 1"},
    {"e.ply", PLY "element vertex 1\n" PLY_XYZ "end_header\n0 0   \n",
     "e.ply:9: ", "end of the file"},
    {"e.ply",
     "ply\nformat binary_big_endian 1.0\nelement vertex 0\n" PLY_XYZ
     "element face 1\nproperty list char float vertex_index\nend_header\n\1zzzz",
     "e.ply: byte 166: ", "float"},
    {"e.ply",
     "ply\nformat binary_big_endian 1.0\nelement vertex 0\n" PLY_XYZ
     "element face 1\nproperty list char short vertex_index\nend_header\n\xff",
     "e.ply: byte 165: ", "found -1"},
    {"e.off", "OFF\n1 1 0\n0 0\n3 0 0 0\n", "e.off:3: ", "the end of the line"},
    {"e.off", "OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "e.off:4: ", "found 1"},
    {"e.off", "OFF\n1 1 0\n0 0 0\n2 0 0\n", "e.off:4: ", "at least 3 corners, found 2"},
    {"e.off", "OFF\n9999999 1 0\n", "e.off:2: ", "vertices"},
    {"e.stl",
     "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nendloop\nendfacet\nendsolid\n",
     "e.stl:5: ", "at least 3 corners"},
    {"e.stl", "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 x\n", "e.stl:4: ", "found 'x'"},
    {"e.stl", "solid x\nfacet normal 0 0 0\n", "e.stl:3: ", "'endsolid'"},
    {"e.stl",
     "solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\n"
     "endloop\nendfacet\nendsolid\n",
     "e.stl:8: ", "found 0"},
    {"e.stl", "too short", "e.stl: byte 0: ", "80 more bytes, found 9"},
    {"e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "e.obj:4: ", "from 1 to 3, found 4"},
    {"e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "e.obj:4: ", "found 0"},
    {"e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "e.obj:4: ", "found 'x'"},
    {"e.obj", "v 0 0 0\nv 1 0\n", "e.obj:2: ", "the end of the line"},
    {"e.obj", "# nothing\n", "e.obj: ", "no tetrahedra"},
    {"e.t", "Vertex 0 0 0 0\nVertex 2 0 0 0\n", "e.t:2: ", "number 1"},
    {"e.t", "Vertex 0 0 0 0\nTet 0 0 0 0 1\n", "e.t:2: ", "from 0 to 0, found 1"},
    {"e.node", "1 3 0 0\n0 0 0 0\n", "e.node:1: ", "belong together"},
    {"e.mesh", "\x1f\x8b\x08rest", "e.mesh: ", "gzip"},
};

static void check_error(const char* place, const char* what)
{
    const char* text = pliant_error_text();
    if (strncmp(text, place, strlen(place)) != 0 || !strstr(text, what))
        fail_msg("'%s' should begin with '%s' and say '%s'", text, place, what);
}

static void errors_name_the_place_and_what_was_expected(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        pliant_mesh* mesh = NULL;
        pliant_result result =
            pliant_mesh_parse(broken[i].text, strlen(broken[i].text), broken[i].name, &mesh);
        if (result == PLIANT_OK) fail_msg("case %d was accepted", (int)i);
        assert_null(mesh);
        assert_int_not_equal(result, PLIANT_ERROR_MEMORY);
        check_error(broken[i].place, broken[i].what);
        assert_int_equal(pliant_allocated_bytes(), 0);
    }
}

static void a_sibling_is_named_in_its_errors(void** state)
{
    (void)state;
    static const char* eles[] = {"1 4 0\n0 0 0 0 7\n", "1 10 0\n", "1 4 0\n0 0 0 0   \n"};
    static const char* places[] = {"e.ele:2: ", "e.ele:1: ", "e.ele:2: "};
    static const char* whats[] = {"found 7", "second", "the end of the line"};
    for (int i = 0; i < 3; ++i) {
        sample s = {.file = "e.node", .data = "1 3 0 0\n0 0 0 0\n", .bytes = 16};
        s.sibling_bytes = strlen(eles[i]);
        memcpy(s.sibling, eles[i], s.sibling_bytes);
        pliant_mesh* mesh = NULL;
        assert_int_not_equal(read_sample(&s, &mesh), PLIANT_OK);
        check_error(places[i], whats[i]);
    }
}

static void missing_files_are_named(void** state)
{
    (void)state;
    pliant_mesh* mesh = NULL;
    assert_int_equal(pliant_mesh_load("no/such.mesh", &mesh), PLIANT_ERROR_FILE);
    assert_null(mesh);
    check_error("no/such.mesh: ", "cannot be opened");
}

static int element_count(const pliant_mesh* mesh)
{
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    return view.tet_count + view.triangle_count + view.edge_count;
}

// 1 of 10: nobody can tell.
static bool cuts_a_number(const sample* s)
{
    const char* at = s->data + s->bytes;
    return s->bytes > 0 && at[-1] >= '0' && at[-1] <= '9' && at[0] >= '0' && at[0] <= '9';
}

// A format without counts may end anywhere; all others must notice.
static void cut_off_files_are_never_half_read(void** state)
{
    (void)state;
    for (int i = 0; i < sample_count; ++i) {
        bool counted = !samples[i].surface || strcmp(samples[i].format, "OBJ") != 0;
        counted = counted && strcmp(samples[i].format, "Gaia") != 0;
        int whole = samples[i].surface ? 4 : 2;
        sample s = samples[i];
        for (s.bytes = 0; s.bytes < samples[i].bytes; ++s.bytes) {
            pliant_mesh* mesh = NULL;
            pliant_result result = read_sample(&s, &mesh);
            if (result) assert_null(mesh);
            if (!result && counted && !cuts_a_number(&s) && element_count(mesh) != whole)
                fail_msg("%s, %s: %d elements from the first %zu bytes", s.format, s.variation,
                         element_count(mesh), s.bytes);
            pliant_mesh_destroy(mesh);
            assert_int_equal(pliant_allocated_bytes(), 0);
        }
    }
}

// ---- memory that runs out

typedef struct {
    int left; // allocations until one fails; that one and all later ones do
} scarce;

static void* scarce_allocate(size_t bytes, size_t alignment, void* context)
{
    scarce* s = (scarce*)context;
    return s->left-- > 0 ? aligned_alloc(alignment, bytes) : NULL;
}

static void scarce_release(void* memory, void* context)
{
    (void)context;
    free(memory);
}

static void with_scarce_memory(int allocations, pliant_result (*run)(const void*),
                               const void* argument, pliant_result* out_result)
{
    scarce s = {allocations};
    pliant_allocator hooks = {scarce_allocate, scarce_release, &s};
    pliant_set_allocator(&hooks);
    size_t before = pliant_allocated_bytes();
    *out_result = run(argument);
    assert_int_equal(pliant_allocated_bytes(), before);
    pliant_set_allocator(NULL);
}

static pliant_result read_and_destroy(const void* argument)
{
    pliant_mesh* mesh = NULL;
    pliant_result result = read_sample((const sample*)argument, &mesh);
    if (result) assert_null(mesh);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_failed_allocation_of_a_reader_is_survived(void** state)
{
    (void)state;
    for (int i = 0; i < sample_count; ++i) {
        int allocations = 0;
        pliant_result result = PLIANT_ERROR_MEMORY;
        for (; result != PLIANT_OK; ++allocations) {
            with_scarce_memory(allocations, read_and_destroy, &samples[i], &result);
            if (result != PLIANT_OK) assert_int_equal(result, PLIANT_ERROR_MEMORY);
        }
        assert_true(allocations > 3);
    }
}

typedef struct {
    const pliant_mesh* mesh;
    const char* path;
} saving;

static pliant_result save_and_remove(const void* argument)
{
    const saving* s = (const saving*)argument;
    pliant_result result = pliant_mesh_save(s->mesh, s->path);
    remove(s->path);
    return result;
}

static void every_failed_allocation_of_a_writer_is_survived(void** state)
{
    (void)state;
    static const char* paths[] = {"scarce.msh", "scarce.mesh", "scarce.vtu", "scarce.obj",
                                  "scarce.ply", "scarce.off",  "scarce.stl"};
    pliant_mesh_arrays arrays = {.vertices = sample_vertices,
                                 .vertex_count = 5,
                                 .tets = sample_tets,
                                 .tet_count = 2,
                                 .tet_region = sample_regions};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    for (int i = 0; i < 7; ++i) {
        pliant_result result = PLIANT_ERROR_MEMORY;
        for (int n = 0; result != PLIANT_OK; ++n) {
            with_scarce_memory(n, save_and_remove, &(saving){mesh, paths[i]}, &result);
            if (result != PLIANT_OK) assert_int_equal(result, PLIANT_ERROR_MEMORY);
        }
    }
    pliant_mesh_destroy(mesh);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    sample_count = make_samples(samples);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_the_place_and_what_was_expected),
        cmocka_unit_test(a_sibling_is_named_in_its_errors),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(cut_off_files_are_never_half_read),
        cmocka_unit_test(every_failed_allocation_of_a_reader_is_survived),
        cmocka_unit_test(every_failed_allocation_of_a_writer_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
