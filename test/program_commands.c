// pliant mesh, info and bench, by running them.
#define _POSIX_C_SOURCE 200809L
#include "program.h"
#include <unistd.h>

// A file of this test, gone at its end.
typedef struct {
    char path[64];
} scratch;

static scratch make_scratch(const char* ending, const char* text)
{
    scratch s;
    snprintf(s.path, sizeof s.path, "program_commands_%ld%s", (long)getpid(), ending);
    FILE* file = fopen(s.path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return s;
}

// Two tets, one of them inverted, and a vertex that nothing uses.
static const char broken_mesh[] = "MeshVersionFormatted 2\nDimension 3\nVertices\n6\n"
                                  "0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n9 9 9 0\n"
                                  "Tetrahedra\n2\n1 2 3 4 0\n3 2 4 5 0\nEnd\n";

static const json_t* find_problem(const json_t* root, const char* what)
{
    const json_t* problems = json_object_get(root, "problems");
    for (size_t i = 0; i < json_array_size(problems); ++i) {
        const json_t* item = json_array_get(problems, i);
        if (strcmp(json_string_value(json_object_get(item, "what")), what) == 0) return item;
    }
    return NULL;
}

// ---- mesh ---------------------------------------------------------------------------------------

static void mesh_reports_the_counts_of_a_generated_beam(void** state)
{
    (void)state;
    json_t* root = run_json("mesh beam:3x2x1 --json");
    assert_int_equal(json_int_at(root, "tets"), 30);
    assert_int_equal(json_int_at(root, "vertices"), 24);
    assert_int_equal(json_array_size(json_object_get(root, "problems")), 0);
    json_decref(root);
}

static void mesh_names_problems_with_the_option_that_repairs_them(void** state)
{
    (void)state;
    scratch s = make_scratch(".mesh", broken_mesh);
    char arguments[128];
    snprintf(arguments, sizeof arguments, "mesh %s --json", s.path);
    json_t* root = run_json(arguments);
    remove(s.path);
    const json_t *inverted = find_problem(root, "inverted tets"),
                 *unused = find_problem(root, "vertices without elements");
    assert_non_null(inverted);
    assert_int_equal(json_int_at(inverted, "count"), 1);
    assert_non_null(strstr(json_string_value(json_object_get(inverted, "hint")), "--orient"));
    assert_non_null(unused);
    assert_non_null(
        strstr(json_string_value(json_object_get(unused, "hint")), "--drop-unreferenced"));
    json_decref(root);
}

static void mesh_cleans_only_what_was_asked_for(void** state)
{
    (void)state;
    scratch s = make_scratch(".mesh", broken_mesh);
    char arguments[128];
    snprintf(arguments, sizeof arguments, "mesh %s --json --orient", s.path);
    json_t* root = run_json(arguments);
    remove(s.path);
    const json_t* cleaned = json_object_get(root, "cleaned");
    assert_int_equal(json_int_at(cleaned, "oriented_elements"), 1);
    assert_int_equal(json_int_at(cleaned, "dropped_unreferenced"), 0);
    assert_null(find_problem(root, "inverted tets"));
    assert_non_null(find_problem(root, "vertices without elements"));
    json_decref(root);
}

static void mesh_writes_a_file_that_reads_back(void** state)
{
    (void)state;
    scratch s = make_scratch(".vtu", "");
    char arguments[128];
    snprintf(arguments, sizeof arguments, "mesh beam:3x2x1 --scale 2 -o %s --json", s.path);
    json_decref(run_json(arguments));
    snprintf(arguments, sizeof arguments, "mesh %s --json", s.path);
    json_t* root = run_json(arguments);
    remove(s.path);
    assert_int_equal(json_int_at(root, "tets"), 30);
    CHECK_CLOSE(json_number_value(json_object_get(root, "volume")), 8 * 0.006, 1e-9);
    json_decref(root);
}

static void mesh_fills_a_surface_with_tets(void** state)
{
    (void)state;
    json_t* root = run_json("mesh sphere:0.5:12 --tets 3000 --json");
    CHECK_CLOSE(json_int_at(root, "tets"), 3000, 0.05);
    assert_int_equal(json_array_size(json_object_get(root, "problems")), 0);
    json_decref(root);
}

static void mesh_tells_of_holes_that_it_closed(void** state)
{
    (void)state;
    scratch s =
        make_scratch(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\n"
                             "v 1 1 1\nf 1 3 4 2\nf 1 5 7 3\nf 2 4 8 6\nf 3 7 8 4\n"
                             "f 5 6 8 7\n"); // a box without one face
    char arguments[128];
    snprintf(arguments, sizeof arguments, "mesh %s --tets 1000 --close-holes --json", s.path);
    json_t* root = run_json(arguments);
    remove(s.path);
    CHECK_CLOSE(json_number_value(json_object_get(root, "volume")), 1, 0.01);
    assert_int_equal(json_int_at(json_object_get(root, "filled"), "closed_holes"), 1);
    assert_int_equal(json_int_at(json_object_get(root, "filled"), "open_holes"), 0);
    json_decref(root);
}

// Two tets of vertices of their own: corners of the second one are at those of the first.
static void check_hint(const char* second, const char* words)
{
    char text[400], arguments[128];
    snprintf(text, sizeof text,
             "MeshVersionFormatted 2\nDimension 3\nVertices\n8\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"
             "0 0 1 0\n%sTetrahedra\n2\n1 2 3 4 0\n5 6 7 8 0\nEnd\n",
             second);
    scratch s = make_scratch(".mesh", text);
    snprintf(arguments, sizeof arguments, "mesh %s --json", s.path);
    json_t* root = run_json(arguments);
    remove(s.path);
    const json_t* found = find_problem(root, "vertices at the same place");
    assert_non_null(found);
    const char* hint = json_string_value(json_object_get(found, "hint"));
    if (!strstr(hint, words)) fail_msg("the hint is '%s'", hint);
    json_decref(root);
}

static void mesh_advises_to_weld_where_that_helps(void** state)
{
    (void)state;
    check_hint("1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n", "--weld 0");      // a face
    check_hint("0 0 0 0\n1 0 0 0\n0 -1 0 0\n0 0 -1 0\n", "leave them");  // an edge
    check_hint("0 0 0 0\n0 -1 0 0\n-1 0 0 0\n0 0 -1 0\n", "leave them"); // a corner
}

static void mesh_refuses_what_has_no_inside_by_its_name(void** state)
{
    (void)state;
    program_run run;
    run_program("mesh cloth:4x4 --tets 100 2>&1", &run);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.text, "cloth:4x4: the surface has no inside"));
}

static void mesh_boundary_leaves_triangles(void** state)
{
    (void)state;
    json_t* root = run_json("mesh beam:1x1x1 --boundary --json");
    assert_int_equal(json_int_at(root, "tets"), 0);
    assert_int_equal(json_int_at(root, "triangles"), 12);
    json_decref(root);
}

static void mesh_lists_the_generators(void** state)
{
    (void)state;
    program_run run;
    run_program("mesh --list", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, "beam:"));
}

static void mesh_refuses_bad_input_with_a_sentence(void** state)
{
    (void)state;
    check_complaint("mesh", 2, "missing");
    check_complaint("mesh torus --scale 0", 2, "--scale");
    check_complaint("mesh torus --scale -1", 2, "--scale");
    check_complaint("mesh torus --weld -1", 2, "--weld");
    check_complaint("mesh torus --wrong", 2, "--wrong");
    check_complaint("mesh no/such/file.mesh", 1, "no/such/file.mesh");
}

// ---- info ---------------------------------------------------------------------------------------

static long long colors_of(const json_t* root, const char* schedule)
{
    const json_t* list = json_object_get(root, "schedules");
    for (size_t i = 0; i < json_array_size(list); ++i) {
        const json_t* item = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(item, "schedule")), schedule) == 0)
            return json_int_at(item, "colors");
    }
    return -1;
}

static void info_has_the_colors_of_every_schedule(void** state)
{
    (void)state;
    json_t* root = run_json("info beam:6x3x3 --json");
    long long clique = json_int_at(json_object_get(root, "body"), "clique");
    assert_int_equal(colors_of(root, "serial"), 1);
    assert_int_equal(colors_of(root, "cells"), 8);
    assert_true(colors_of(root, "colored") >= clique);
    CHECK_BETWEEN(colors_of(root, "clustered"), 2, clique);
    CHECK_BETWEEN(colors_of(root, "neighbors"), 2, clique);
    json_decref(root);
}

static double sum_of_counts(const json_t* root, const char* key)
{
    double sum = 0;
    json_t* bins = json_object_get(root, key);
    for (size_t i = 0; i < json_array_size(bins); ++i)
        sum += json_number_value(json_object_get(json_array_get(bins, i), "count"));
    return sum;
}

// One cell of five tets: 8 vertices, 12 edges and 6 diagonals.
static void info_counts_every_angle_edge_and_vertex(void** state)
{
    (void)state;
    json_t* root = run_json("info beam:1x1x1 --json");
    CHECK_CLOSE(sum_of_counts(root, "dihedral_angles"), 30, 0);
    CHECK_CLOSE(sum_of_counts(root, "edge_lengths_over_mean"), 18, 0);
    CHECK_CLOSE(sum_of_counts(root, "valences"), 8, 0);
    json_decref(root);
}

static void repair_reports_what_it_did(void** state)
{
    (void)state;
    json_t* root =
        run_json(scope_now() == ALL     ? "mesh box6:4x4x4 --repair --repair-edge 0.05 --json"
                 : scope_now() == USUAL ? "mesh box6:3x3x3 --repair --repair-edge 0.06 --json"
                                        : "mesh box6:2x2x2 --repair --repair-edge 0.08 --json");
    json_t* repaired = json_object_get(root, "repaired");
    assert_true(json_number_value(json_object_get(repaired, "splits")) > 0);
    CHECK_BETWEEN(json_number_value(json_object_get(repaired, "surface_moved")), 0, 0.4 / 150);
    json_decref(root);
    check_complaint("mesh cloth:2x2 --repair", 1, "no tets");
}

static void info_frequencies_follow_the_material(void** state)
{
    (void)state;
    json_t* soft = run_json("info beam:4x2x2 --json --young 1e6");
    json_t* hard = run_json("info beam:4x2x2 --json --young 4e6");
    double low =
        json_number_value(json_object_get(json_object_get(soft, "body"), "shear_frequency"));
    double high =
        json_number_value(json_object_get(json_object_get(hard, "body"), "shear_frequency"));
    CHECK_CLOSE(high, 2 * low, 1e-3);
    json_decref(soft);
    json_decref(hard);
}

static void info_keeps_to_one_formulation_and_schedule(void** state)
{
    (void)state;
    json_t* root = run_json("info beam:3x2x2 --json --formulation two_rows --schedule colored");
    assert_int_equal(json_array_size(json_object_get(root, "schedules")), 1);
    assert_int_equal(json_array_size(json_object_get(root, "substeps")), 1);
    assert_true(colors_of(root, "colored") > 0);
    json_decref(root);
}

static void info_takes_surfaces_and_ropes(void** state)
{
    (void)state;
    json_t *cloth = run_json("info cloth:4x4 --json"), *rope = run_json("info rope:1:8 --json");
    assert_true(colors_of(cloth, "colored") >= 16); // edges and hinges of an inner vertex
    assert_int_equal(colors_of(rope, "colored"), 2);
    json_decref(cloth);
    json_decref(rope);
}

static void info_tells_the_colors_of_a_painted_surface(void** state)
{
    (void)state;
    const char* path = "program_commands_painted.obj";
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs("v 0 0 0 0 0 1\nv 1 0 0 1 0.5 0\nv 0 1 0 1 0.5 0\nf 1 2 3\n", file);
    fclose(file);
    json_t* root = run_json("info program_commands_painted.obj --json");
    remove(path);
    const json_t* colors = json_object_get(root, "most_common_colors");
    assert_int_equal(json_array_size(colors), 2);
    const json_t* first = json_array_get(colors, 0);
    assert_int_equal(json_number_value(json_object_get(first, "vertices")), 2);
    CHECK_CLOSE(json_number_value(json_object_get(first, "green")), 0.5, 1e-12);
    json_decref(root);
}

static void info_lists_the_bodies_of_a_scene(void** state)
{
    (void)state;
    json_t* root = run_json("info '" SOURCE_DIR "/scenes/hanging-beam.json' --json");
    const json_t* entries = json_object_get(root, "entries");
    assert_true(json_array_size(entries) > 0);
    assert_true(json_int_at(json_array_get(entries, 0), "colors") > 0);
    json_decref(root);
}

// Of tets is what the formulation is of.
static void info_tells_no_formulation_of_what_has_no_tets(void** state)
{
    (void)state;
    static const char* const names[] = {"sand", "cloth", "hanging-beam"};
    for (int i = 0; i < 3; ++i) {
        char command[128];
        snprintf(command, sizeof command, "info '" SOURCE_DIR "/scenes/%s.json' --json", names[i]);
        json_t* root = run_json(command);
        const json_t* entry = json_array_get(json_object_get(root, "entries"), 0);
        assert_string_equal(json_string_value(json_object_get(entry, "formulation")),
                            i < 2 ? "none" : "ten_rows");
        json_decref(root);
    }
}

static void info_refuses_bad_input_with_a_sentence(void** state)
{
    (void)state;
    check_complaint("info", 2, "MESH");
    check_complaint("info torus --formulation three_rows", 2, "ten_rows");
    check_complaint("info torus --schedule fast", 2, "colored");
    check_complaint("info torus --dt 0", 2, "--dt");
    check_complaint("info torus --schedule cells", 1, "cells");
    check_complaint("info no/such/scene.json", 1, "no/such/scene.json");
}

// ---- bench --------------------------------------------------------------------------------------

static void bench_without_a_name_lists_all(void** state)
{
    (void)state;
    program_run run;
    run_program("bench", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, "accuracy"));
    assert_non_null(strstr(run.text, "substeps"));
}

static void bench_refuses_unknown_names_before_it_runs_any(void** state)
{
    (void)state;
    check_complaint("bench colors nonsense --quick", 2, "nonsense");
    check_complaint("bench colors --json --csv", 2, "--csv");
    check_complaint("bench colors --quick --meshes /no/such/folder", 1, "/no/such/folder");
}

static void bench_colors_prints_one_json_object_a_line(void** state)
{
    (void)state;
    program_run run;
    run_program("bench colors --quick --json 2>/dev/null", &run);
    assert_int_equal(run.status, 0);
    int rows = 0;
    for (char* line = strtok(run.text, "\n"); line; line = strtok(NULL, "\n"), ++rows) {
        json_t* row = json_loads(line, 0, NULL);
        if (!row) fail_msg("not JSON: %s", line);
        assert_true(json_int_at(row, "colors") > 0);
        assert_true(json_int_at(row, "tets") > 0);
        json_decref(row);
    }
    assert_int_equal(rows, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_reports_the_counts_of_a_generated_beam),
        cmocka_unit_test(mesh_names_problems_with_the_option_that_repairs_them),
        cmocka_unit_test(mesh_cleans_only_what_was_asked_for),
        cmocka_unit_test(mesh_writes_a_file_that_reads_back),
        cmocka_unit_test(mesh_fills_a_surface_with_tets),
        cmocka_unit_test(mesh_tells_of_holes_that_it_closed),
        cmocka_unit_test(mesh_advises_to_weld_where_that_helps),
        cmocka_unit_test(mesh_refuses_what_has_no_inside_by_its_name),
        cmocka_unit_test(mesh_boundary_leaves_triangles),
        cmocka_unit_test(mesh_lists_the_generators),
        cmocka_unit_test(mesh_refuses_bad_input_with_a_sentence),
        cmocka_unit_test(info_has_the_colors_of_every_schedule),
        cmocka_unit_test(info_counts_every_angle_edge_and_vertex),
        cmocka_unit_test(repair_reports_what_it_did),
        cmocka_unit_test(info_frequencies_follow_the_material),
        cmocka_unit_test(info_keeps_to_one_formulation_and_schedule),
        cmocka_unit_test(info_takes_surfaces_and_ropes),
        cmocka_unit_test(info_tells_the_colors_of_a_painted_surface),
        cmocka_unit_test(info_lists_the_bodies_of_a_scene),
        cmocka_unit_test(info_tells_no_formulation_of_what_has_no_tets),
        cmocka_unit_test(info_refuses_bad_input_with_a_sentence),
        cmocka_unit_test(bench_without_a_name_lists_all),
        cmocka_unit_test(bench_refuses_unknown_names_before_it_runs_any),
        usual_test(bench_colors_prints_one_json_object_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
