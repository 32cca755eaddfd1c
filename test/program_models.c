// What a run is made from: models with and without tets, the standard input, and what changes
// nothing.
#define _POSIX_C_SOURCE 200809L
#include "folder.h"
#include "program.h"
#include "scene_text.h"

static const char* in_folder(const char* format)
{
    static char text[512];
    snprintf(text, sizeof text, format, folder, folder, folder);
    return text;
}

static void write_file(const char* name, const char* text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// What the program says, on both of its ways.
static void check_says(const char* arguments, const char* part)
{
    program_run run;
    char both[1024];
    snprintf(both, sizeof both, "%s 2>&1", arguments);
    run_program(both, &run);
    if (run.status != 0 || !strstr(run.text, part))
        fail_msg("pliant %s left with %d and said \"%s\"; expected \"%s\"", arguments, run.status,
                 run.text, part);
}

// ---- models -------------------------------------------------------------------------------------

static void tets_of_a_file_are_used(void** state)
{
    (void)state;
    check_status(in_folder("mesh beam:8x2x2 -o %s/beam.msh"), 0);
    check_says(in_folder("run %s/beam.msh --frames 0"), "81 particles, 160 tets");
    check_says(in_folder("mesh %s/beam.msh --scene %s/own.json"), "  tets                    160");
    check_says(in_folder("run %s/own.json --frames 0"), "81 particles, 160 tets");
}

static void a_model_is_filled_with_as_many_tets_as_asked_for(void** state)
{
    (void)state;
    check_status(in_folder("mesh sphere:0.5:6 --boundary -o %s/ball.obj"), 0);
    program_run run;
    int tets = 0;
    run_program(in_folder("run %s/ball.obj --tets 500 --frames 0"), &run);
    const char* found = strstr(run.text, " particles, ");
    assert_non_null(found);
    assert_int_equal(sscanf(found, " particles, %d tets", &tets), 1);
    CHECK_CLOSE(tets, 500, 0.1);
    check_says(in_folder("run %s/beam.msh --tets 300 --frames 0"), "1 body");
    check_complaint("run drop --tets 300", 1, "--tets: 'drop' is no model");
}

// [J] of weight at the start of a box that falls, one corner of which is at the place given.
static double weight_of_box(double x, double y, double z)
{
    static const char faces[] = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n"
                                "f 2 4 8 6\n";
    char text[1024];
    int used = 0;
    for (int i = 0; i < 8; ++i)
        used += snprintf(text + used, sizeof text - (size_t)used, "v %.2f %.2f %.2f\n",
                         x + 2 * (i & 1), y + 2 * (i >> 1 & 1), z + 2 * (i >> 2));
    snprintf(text + used, sizeof text - (size_t)used, "%s", faces);
    write_file("box.obj", text);
    json_t* end = run_json(in_folder("run %s/box.obj --tets 300 --frames 0 --json | tail -n 1"));
    double joule = json_real_value(json_object_get(json_object_get(end, "energies"), "gravity"));
    json_decref(end);
    return joule;
}

static void a_model_far_from_its_origin_falls_from_the_same_height(void** state)
{
    (void)state;
    double far = weight_of_box(500000.25, 60000.5, 4660000.75);
    check_says(in_folder("mesh %s/box.obj"), "  min                     500000.25 60000.5 "
                                             "4660000.75 m\n  max                     500002.25");
    double near = weight_of_box(0, 0, 0);
    CHECK_CLOSE(far, near, 1e-3);
}

static void a_rope_of_a_file_falls_as_it_is(void** state)
{
    (void)state;
    check_status(in_folder("mesh rope:1:8 -o %s/rope.msh"), 0);
    check_says(in_folder("run %s/rope.msh --frames 0"), "0 tets, 8 edges");
}

static void colliders_are_read_from_models_and_meshes(void** state)
{
    (void)state;
    static const char* const files[] = {"ball.obj", "tets.vtu", "surface.vtu", "ball.glb",
                                        "ball.gltf"};
    check_status(in_folder("mesh sphere:0.5:6 -o %s/tets.vtu"), 0);
    check_status(in_folder("mesh sphere:0.5:6 --boundary -o %s/surface.vtu"), 0);
    write_file("ball.json", "{\"frames\": 0, \"bodies\": [{\"mesh\": \"sphere:0.5:6\"}]}");
    check_status(in_folder("run %s/ball.json --quiet -o %s/ball.glb"), 0);
    check_status(in_folder("run %s/ball.json --quiet -o %s/ball.gltf"), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char words[512];
        snprintf(words, sizeof words,
                 "{\"frames\": 20, \"bodies\": [{\"mesh\": \"beam:4x1x4\", \"position\": [-0.2, "
                 "0.55, -0.2]}], \"colliders\": [{\"shape\": \"mesh\", \"mesh\": \"%s\"}]}",
                 files[i]);
        write_file("lands.json", words);
        program_run run;
        run_program(in_folder("run %s/lands.json --json"), &run);
        if (run.status != 0 || strstr(run.text, "\"frame\":20") == NULL ||
            strstr(strstr(run.text, "\"frame\":20"), "\"contacts\":0,\"substeps\""))
            fail_msg("%s: nothing lands on it: %s", files[i], run.text);
    }
}

static void mistakes_of_models_are_told_by_their_names(void** state)
{
    (void)state;
    write_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    check_complaint(in_folder("run %s/flat.obj"), 1, "/flat.obj: the surface has no inside");
    write_file("noext", "what is this\n");
    check_complaint(in_folder("mesh %s/noext"), 1, ".stl .obj (and .glb, .gltf to the program)");
    check_complaint("run drop -o ''", 2, "--out: the name is empty");
}

static void info_looks_at_surfaces_and_what_is_seen(void** state)
{
    (void)state;
    write_file("ball.json",
               "{\"bodies\": [{\"mesh\": {\"surface\": \"ball.obj\", \"tets\": 300}}]}");
    check_says(in_folder("info %s/ball.json"), "\nball.obj ");
    write_file("seen.json", "{\"bodies\": [{\"mesh\": \"beam:1x1x1\",\n\"visual\": \"no.obj\"}]}");
    check_complaint(in_folder("info %s/seen.json"), 1, "seen.json:2: bodies[0].visual: ");
    check_says("run hanging-beam --frames 1 --substeps 1 --threads 1 --lanes 1",
               "  1 substep a frame, backend cpu, 1 thread, 1 lane, 0 contacts");
}

// ---- the standard input -------------------------------------------------------------------------

static void a_scene_comes_from_the_standard_input(void** state)
{
    (void)state;
    write_file("one.json", "{\"frames\": 1, \"bodies\": [{\"mesh\": \"beam:2x1x1\"}]}");
    check_says(in_folder("run - --frames 0 <%s/one.json"), "12 particles, 10 tets");
    check_says(in_folder("info - <%s/one.json"), "beam:2x1x1");
    write_file("wrong.json", "{\n\"frame\": 1}");
    check_complaint(in_folder("run - <%s/wrong.json"), 1, "standard input:2: frame: a scene has");
}

static void a_mesh_comes_from_the_standard_input(void** state)
{
    (void)state;
    static const char* const files[] = {"in.msh", "in.vtu", "in.obj", "in.ply"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "mesh beam:1x1x1 -o %s/%s", folder, files[i]);
        check_status(arguments, 0);
        snprintf(arguments, sizeof arguments, "mesh - <%s/%s", folder, files[i]);
        check_says(arguments, "  vertices                8\n");
        snprintf(arguments, sizeof arguments, "info - <%s/%s", folder, files[i]);
        check_says(arguments, "  vertices                8\n");
    }
    check_says(in_folder("mesh - <%s/ball.glb"), "components              1");
    check_complaint("mesh - </dev/null", 1, "standard input: the file is empty");
}

static void a_byte_order_mark_is_no_mistake(void** state)
{
    (void)state;
    scene* s = parse("\xef\xbb\xbf{\"frames\": 7}");
    assert_int_equal(s->frames, 7);
    scene_destroy(s);
    check_refused("\xef\xbb\xbf{\n\"frames\": \"many\"}",
                  "test.json:2: frames: a number is needed, not a text");
}

static void info_knows_the_scenes_of_the_program(void** state)
{
    (void)state;
    check_says("info hanging-beam", "  scene                   hanging-beam\n");
    check_says("info torus", "  mesh                    torus\n");
    check_says("info torus --scene", "  scene                   torus\n");
}

// ---- what changes nothing -----------------------------------------------------------------------

static void keys_without_effect_are_told(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"{\"bodies\": [{\"mesh\": \"cloth:2x2\", \"material\": \"foam\"}]}",
         "scene.json:1: bodies[0].material: it changes nothing here: it is for tets, ropes, "
         "particles"},
        {"{\"bodies\": [{\"mesh\": \"beam:1x1x1\", \"cloth\": {\"area\": 5}}]}",
         "bodies[0].cloth: it changes nothing here: it is for a mesh of triangles"},
        {"{\"bodies\": [{\"mesh\": \"beam:1x1x1\", \"rope\": {\"slack\": true}}]}",
         "bodies[0].rope: it changes nothing here"},
        {"{\"bodies\": [{\"mesh\": \"beam:1x1x1\", \"tethers\": true, \"pins\": [{}]}]}",
         "bodies[0].tethers: it changes nothing here"},
        {"{\"bodies\": [{\"mesh\": \"cloth:2x2\", \"tethers\": true}]}",
         "bodies[0].tethers: it changes nothing here: it is for cloth and ropes with a pin"},
        {"{\"bodies\": [{\"mesh\": \"cloth:2x2\", \"solver\": {\"formulation\": \"two_rows\"}}]}",
         "bodies[0].solver.formulation: it changes nothing here: it is for tets"},
        {"{\"bodies\": [{\"mesh\": \"beam:1x1x1\", \"research\": {\"cluster_size\": 4}}]}",
         "bodies[0].research.cluster_size: it changes nothing here: it is for the schedule "
         "clustered"},
        {"{\"colliders\": [{}, {\"shape\": \"box\", \"radius\": 2}]}",
         "colliders[1].radius: it changes nothing here: it is for a sphere or a capsule"},
        {"{\"colliders\": [{\"half_height\": 2}]}",
         "colliders[0].half_height: it changes nothing here: it is for a capsule"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        write_file("scene.json", cases[i][0]);
        check_says(in_folder("run %s/scene.json --frames 0"), cases[i][1]);
        check_says(in_folder("info %s/scene.json"), cases[i][1]);
    }
}

static void keys_that_work_are_not_told_and_quiet_is_quiet(void** state)
{
    (void)state;
    program_run run;
    write_file(
        "good.json",
        "{\"bodies\": [{\"mesh\": \"cloth:2x2\", \"cloth\": {\"area\": 5}, \"tethers\": "
        "true, \"tether_slack\": 0.1, \"pins\": [{\"box\": {\"max\": [0.01, 9, 9]}}]}, "
        "{\"mesh\": \"rope:1:4\", \"rope\": {\"slack\": true}, \"material\": \"foam\"}, {\"mesh\": "
        "\"beam:1x1x1\", \"solver\": {\"schedule\": \"clustered\", \"formulation\": "
        "\"two_rows\"}, \"research\": {\"cluster_size\": 4}, \"material\": \"gel\"}], "
        "\"colliders\": [{\"shape\": \"capsule\", "
        "\"radius\": 1, \"half_height\": 1, \"position\": [0, -9, 0]}]}");
    run_program(in_folder("run %s/good.json --frames 0 2>&1 >/dev/null"), &run);
    assert_null(strstr(run.text, "changes nothing"));
    write_file("scene.json", "{\"bodies\": [{\"mesh\": \"cloth:2x2\", \"material\": \"foam\"}]}");
    run_program(in_folder("run %s/scene.json --frames 0 --quiet 2>&1"), &run);
    assert_string_equal(run.text, "");
}

static void no_scene_of_the_program_has_keys_without_effect(void** state)
{
    (void)state;
    program_run names, run;
    run_program("run --list", &names);
    for (char* name = strtok(names.text, "\n"); name; name = strtok(NULL, "\n")) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "info %.*s 2>&1 >/dev/null", (int)strcspn(name, " "),
                 name);
        run_program(arguments, &run);
        if (run.text[0]) fail_msg("%.40s: %s", name, run.text);
    }
}

static void a_closed_surface_as_cloth_gets_a_word(void** state)
{
    (void)state;
    check_status(in_folder("mesh beam:1x1x1 --boundary -o %s/cow.obj"), 0);
    write_file("scene.json", "{\"bodies\": [{\"mesh\": \"cow.obj\"}]}");
    check_says(in_folder("run %s/scene.json --frames 0"),
               "bodies[0].mesh: a closed surface becomes hollow cloth here: {\"surface\": "
               "\"cow.obj\"} fills it with tets");
    program_run run;
    write_file("scene.json", "{\"bodies\": [{\"mesh\": \"cow.obj\", \"cloth\": {\"air\": 1e5}}]}");
    run_program(in_folder("run %s/scene.json --frames 0 2>&1 >/dev/null"), &run);
    assert_string_equal(run.text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tets_of_a_file_are_used),
        cmocka_unit_test(a_model_is_filled_with_as_many_tets_as_asked_for),
        cmocka_unit_test(a_model_far_from_its_origin_falls_from_the_same_height),
        cmocka_unit_test(a_rope_of_a_file_falls_as_it_is),
        cmocka_unit_test(colliders_are_read_from_models_and_meshes),
        cmocka_unit_test(mistakes_of_models_are_told_by_their_names),
        cmocka_unit_test(info_looks_at_surfaces_and_what_is_seen),
        cmocka_unit_test(a_scene_comes_from_the_standard_input),
        cmocka_unit_test(a_mesh_comes_from_the_standard_input),
        cmocka_unit_test(a_byte_order_mark_is_no_mistake),
        numbers_test(info_knows_the_scenes_of_the_program),
        cmocka_unit_test(keys_without_effect_are_told),
        cmocka_unit_test(keys_that_work_are_not_told_and_quiet_is_quiet),
        numbers_test(no_scene_of_the_program_has_keys_without_effect),
        cmocka_unit_test(a_closed_surface_as_cloth_gets_a_word),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
