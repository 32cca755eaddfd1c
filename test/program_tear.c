// Scenes with bodies that tear: frames, pictures, lines of JSON, and runs that go on.
#define _POSIX_C_SOURCE 200809L
#include "base/platform.h"
#include "folder.h"
#include "program.h"

static const char torn[] =
    "{\"frames\": 24, \"dt\": 0.005, \"substeps\": 10, \"bodies\": ["
    "{\"mesh\": \"cloth:8x6:0.4x0.3\", \"cloth\": {\"density\": 0.3, \"stretch\": 4000, "
    "\"tear_strength\": 200}, \"pins\": [{\"box\": {\"max\": [-0.19, 9, 9]}}, {\"box\": {\"min\": "
    "[0.19, -9, -9]}, \"motion\": {\"velocity\": [1, 0, 0]}}]},"
    "{\"mesh\": \"beam:2x1x1\", \"position\": [0, 1, 0], \"material\": {\"tear_strength\": 1e9}}]}";

static const char* in_folder(const char* format)
{
    static char text[512];
    snprintf(text, sizeof text, format, folder, folder, folder);
    return text;
}

static void write_scene(void)
{
    CHECK_OK(platform_write_file(in_folder("%s/torn.json"), torn, sizeof torn - 1));
}

static int vertices_of(const char* name)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments, "mesh %s/out/%s --json", folder, name);
    json_t* line = run_json(arguments);
    int count = (int)json_int_at(line, "vertices");
    json_decref(line);
    return count;
}

static void frames_have_the_elements_that_there_are(void** state)
{
    (void)state;
    write_scene();
    check_status(in_folder("run %s/torn.json --quiet --out %s/out --format vtu,obj,ply"), 0);
    int first = vertices_of("frame_00000.obj"), last = vertices_of("frame_00024.obj");
    assert_int_equal(first, 63 + 12);
    if (last < first + 5) fail_msg("%d vertices at first, %d at last", first, last);
    assert_int_equal(vertices_of("frame_00024.ply"), last);
    assert_int_equal(vertices_of("frame_00024.vtu"), last);
}

static void lines_tell_what_came_apart(void** state)
{
    (void)state;
    write_scene();
    program_run r;
    run_program(in_folder("run %s/torn.json --quiet --json | grep -o '\"twin\": *63,'"), &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.text, "63"));
}

static void pictures_of_before_and_after_are_drawn(void** state)
{
    (void)state;
    write_scene();
    check_status(
        in_folder("render %s/torn.json --quiet --times 0,0.06,0.12 --size 300x100 -o %s/a.png"), 0);
    check_status(
        in_folder(
            "render %s/torn.json --quiet --times 0,0.12 --clip x:0.5 --size 300x100 -o %s/c.png"),
        0);
    check_status(
        in_folder(
            "render %s/torn.json --quiet --times 0,0.12 --by strain --size 300x100 -o %s/b.png"),
        0);
}

static void films_end_with_a_sentence(void** state)
{
    (void)state;
    write_scene();
    check_complaint(in_folder("run %s/torn.json --quiet --out %s/film.glb"), 1, "--format vtu");
    check_complaint(in_folder("run %s/torn.json --quiet --set bodies.0.visual=none.obj --out %s/o"),
                    1, "none.obj");
}

static void a_torn_run_goes_on(void** state)
{
    (void)state;
    write_scene();
    program_run whole, rest;
    run_program(
        in_folder(
            "run %s/torn.json --json --quiet --out %s/whole | tail -1 | grep -o 'digest.*,.in'"),
        &whole);
    check_status(in_folder("run %s/torn.json --quiet --keep 0 --frames 14 --out %s/cut"), 0);
    run_program(
        in_folder(
            "run %s/torn.json --json --quiet --out %s/cut | tail -1 | grep -o 'digest.*,.in'"),
        &rest);
    assert_true(strlen(whole.text) > 16);
    assert_string_equal(whole.text, rest.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_have_the_elements_that_there_are),
        cmocka_unit_test(lines_tell_what_came_apart),
        cmocka_unit_test(pictures_of_before_and_after_are_drawn),
        cmocka_unit_test(films_end_with_a_sentence),
        cmocka_unit_test(a_torn_run_goes_on),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
