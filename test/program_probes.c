// Probes measure what they say, in a file and in lines of JSON, and a resumed run goes on in the
// file.
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/platform.h"
#include "folder.h"
#include "program.h"
#include "scene_text.h"

static const char* in_folder(const char* format)
{
    static char text[512];
    snprintf(text, sizeof text, format, folder, folder, folder);
    return text;
}

static void write_scene(const char* text)
{
    CHECK_OK(platform_write_file(in_folder("%s/scene.json"), text, strlen(text)));
}

static char* read_text(const char* name)
{
    void* data = NULL;
    size_t bytes = 0;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    return (char*)data;
}

// The number of a column of the head; a name without its unit will do.
static int column_of(const char* text, const char* name)
{
    int column = 0;
    for (const char* at = text; *at && *at != '\n'; ++at) {
        if (strncmp(at, name, strlen(name)) == 0 && (at == text || at[-1] == ',')) return column;
        column += *at == ',';
    }
    fail_msg("there is no column %s in %.300s", name, text);
    return -1;
}

// The value of a column in a line; line 1 is that of the start.
static double value_at(const char* text, int line, const char* name)
{
    int column = column_of(text, name);
    for (; line > 0; --line) {
        text = strchr(text, '\n');
        if (!text || !text[1]) fail_msg("%d lines are missing", line);
        ++text;
    }
    for (; column > 0; --column) text = strchr(text, ',') + 1;
    return strtod(text, NULL);
}

static int count_lines(const char* text)
{
    int lines = 0;
    for (; *text; ++text) lines += *text == '\n';
    return lines;
}

// A beam of 20 kg that hangs, and a block of 8 kg that lies.
static const char hung_and_lying[] =
    "{\"frames\": 90, \"bodies\": ["
    "{\"mesh\": \"beam:5x2x2\", \"material\": {\"young\": 1e6, \"damping\": 0.02}, \"position\": "
    "[0, 2, 0], \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": -90}, \"pins\": [{\"box\": "
    "{\"max\": [0.01, 9, 0.11]}}, {\"box\": {\"max\": [0.01, 9, 9], \"min\": [-9, -9, 0.19]}}]},"
    "{\"mesh\": \"beam:2x2x2\", \"material\": {\"young\": 1e6, \"damping\": 0.02}, \"position\": "
    "[2, 0.001, 0]}], \"colliders\": [{}],"
    "\"probes\": ["
    "{\"name\": \"held\", \"box\": {\"max\": [0.01, 9, 9]}, \"what\": \"reaction\"},"
    "{\"name\": \"block\", \"body\": 1},"
    "{\"name\": \"front\", \"box\": {\"max\": [0.01, 9, 0.11]}, \"what\": \"reaction\"},"
    "{\"name\": \"back\", \"box\": {\"max\": [0.01, 9, 9], \"min\": [-9, -9, 0.19]}, \"what\": "
    "\"reaction\"},"
    "{\"name\": \"tip\", \"box\": {\"min\": [0.49, -9, -9]}},"
    "{\"name\": \"corner\", \"body\": 1, \"particle\": 0, \"what\": \"position\"}]}";

static void forces_are_the_weights(void** state)
{
    (void)state;
    write_scene(hung_and_lying);
    check_status(in_folder("run %s/scene.json --quiet --probes %s/rest.csv"), 0);
    char* text = read_text("rest.csv");
    assert_int_equal(count_lines(text), 92);
    CHECK_CLOSE(value_at(text, 91, "time [s]"), 1.5, 1e-6);
    CHECK_CLOSE(value_at(text, 91, "held.reaction.y [N]"), 20 * 9.81, 1e-3);
    CHECK_CLOSE(value_at(text, 91, "front.reaction.y") + value_at(text, 91, "back.reaction.y"),
                20 * 9.81, 1e-3);
    CHECK_CLOSE(value_at(text, 91, "block.contact_force.y [N]"), 8 * 9.81, 1e-3);
    assert_true(value_at(text, 91, "block.reaction.y") == 0);
    mem_free(text);
}

// While it still swings, the momentum of what hangs changes by reaction and weight.
static void reactions_change_the_momentum(void** state)
{
    (void)state;
    write_scene("{\"frames\": 8, \"bodies\": [{\"mesh\": \"beam:4x2x2\", \"pins\": [{\"box\": "
                "{\"max\": [0.01, 9, 9]}}]}], \"probes\": [{\"name\": \"all\"}, {\"name\": "
                "\"free\", \"box\": {\"min\": [0.05, -9, -9]}}, {\"name\": \"held\", \"box\": "
                "{\"max\": [0.05, 9, 9]}}]}");
    check_status(in_folder("run %s/scene.json --quiet --probes %s/swing.csv"), 0);
    char* text = read_text("swing.csv");
    for (int line = 2; line <= 9; ++line) {
        double change = value_at(text, line, "all.velocity.y") -
                        value_at(text, line - 1, "all.velocity.y"); // pins have no speed
        double force = value_at(text, line, "all.reaction.y") - 16 * 9.81;
        CHECK_CLOSE(force, 16 * change * 60, 2e-4 * 16 * 9.81 / fabs(force));
        assert_true(value_at(text, line, "free.reaction.y") == 0);
        CHECK_CLOSE(value_at(text, line, "held.reaction.y"), value_at(text, line, "all.reaction.y"),
                    1e-6);
    }
    mem_free(text);
}

static void places_velocities_and_strains_are_those_of_the_body(void** state)
{
    (void)state;
    write_scene("{\"frames\": 6, \"dt\": 0.05, \"bodies\": [{\"mesh\": \"beam:2x2x2\", "
                "\"position\": [1, 2, 3], \"velocity\": [1, 0, 0]}, {\"mesh\": \"beam:1x1x1\", "
                "\"copies\": [2, 1, 1], \"spacing\": [5, 0, 0], \"gravity_scale\": 0}],"
                "\"probes\": [{\"name\": \"falls\"}, {\"name\": \"pair\", \"body\": 1, \"what\": "
                "\"position\"}]}");
    check_status(in_folder("run %s/scene.json --quiet --probes %s/fall.csv"), 0);
    char* text = read_text("fall.csv");
    CHECK_CLOSE(value_at(text, 1, "falls.position.x [m]"), 1.1, 1e-6);
    CHECK_CLOSE(value_at(text, 7, "falls.position.x [m]"), 1.4, 1e-5);
    CHECK_CLOSE(value_at(text, 7, "falls.position.y [m]"), 2.1 - 0.5 * 9.81 * 0.09, 0.02);
    CHECK_CLOSE(value_at(text, 7, "falls.velocity.y [m/s]"), -9.81 * 0.3, 1e-4);
    assert_true(value_at(text, 7, "falls.strain.largest [-]") < 1e-4);
    CHECK_CLOSE(value_at(text, 7, "pair[1].position.x") - value_at(text, 7, "pair[0].position.x"),
                5, 1e-6);
    mem_free(text);
}

// A rope of 1 m that is stretched by a force: strain F / (E A), Green's a little more.
static void strain_is_that_of_a_pulled_rope(void** state)
{
    (void)state;
    write_scene("{\"frames\": 120, \"substeps\": 60, \"gravity\": [0, 0, 0], \"bodies\": "
                "[{\"mesh\": \"rope:1:4\", "
                "\"rope\": {\"radius\": 0.01}, \"material\": {\"young\": 1e6, \"damping\": 0.1}, "
                "\"pins\": [{\"box\": {\"max\": [0.01, 9, 9]}}], \"forces\": [{\"box\": {\"min\": "
                "[0.99, -9, -9]}, \"force\": [31.4159265, 0, 0]}]}]}");
    check_status(in_folder("run %s/scene.json --quiet --probes %s/rope.csv"), 0);
    char* text = read_text("rope.csv");
    CHECK_CLOSE(value_at(text, 121, "body0.strain.xx [-]"), 0.1 + 0.1 * 0.1 / 2, 2e-3);
    CHECK_CLOSE(value_at(text, 121, "body0.strain.largest [-]"), 0.105, 2e-3);
    CHECK_CLOSE(value_at(text, 121, "body0.reaction.x [N]"), -31.4159265, 1e-3);
    mem_free(text);
}

static void lines_of_json_have_the_same_values(void** state)
{
    (void)state;
    program_run run;
    write_scene(hung_and_lying);
    run_program(in_folder("run %s/scene.json --frames 3 --json --probes %s/both.csv | sed -n 4p"),
                &run);
    char* text = read_text("both.csv");
    json_t* line = json_loads(run.text, 0, NULL);
    const json_t* all = json_object_get(line, "probes");
    const json_t* block = json_object_get(all, "block");
    CHECK_CLOSE(json_number_value(json_array_get(json_object_get(block, "position"), 1)),
                value_at(text, 4, "block.position.y"), 1e-8);
    CHECK_CLOSE(json_number_value(json_array_get(json_object_get(block, "strain"), 6)),
                value_at(text, 4, "block.strain.largest"), 1e-8);
    assert_int_equal(json_object_size(json_object_get(all, "held")), 1);
    assert_int_equal(json_array_size(json_object_get(json_object_get(all, "held"), "reaction")), 3);
    json_decref(line);
    mem_free(text);
}

static void a_scene_without_probes_gets_one_for_each_body(void** state)
{
    (void)state;
    check_status(in_folder("run slope --frames 1 --quiet --probes %s/each.csv"), 0);
    char* text = read_text("each.csv");
    assert_int_equal(count_lines(text), 3);
    column_of(text, "body0.position.x [m]");
    column_of(text, "body0.strain.xx [-]");
    mem_free(text);
}

// Cut off by the limit of a shell on sizes of files, which its frames reach and its lines do not.
static void a_resumed_run_goes_on_to_the_same_bytes(void** state)
{
    (void)state;
    program_run run;
    char command[1024];
    write_scene(hung_and_lying);
    snprintf(command, sizeof command,
             "--version >/dev/null; sh -c 'trap \"\" XFSZ; ulimit -f 180; exec \"%s\" run "
             "%s/scene.json -o %s/film.pc2 --probes %s/cut.csv' 2>&1",
             PROGRAM, folder, folder, folder);
    run_program(command, &run);
    if (run.status != 1 || !strstr(run.text, "--resume goes on from frame"))
        fail_msg("it left with %d and said: %s", run.status, run.text);
    check_status(in_folder("run %s/scene.json -o %s/film.pc2 --probes %s/cut.csv --resume"), 0);
    check_status(in_folder("run %s/scene.json --quiet --threads 1 --probes %s/whole.csv"), 0);
    char *cut = read_text("cut.csv"), *whole = read_text("whole.csv");
    assert_int_equal(count_lines(whole), 92);
    assert_string_equal(cut, whole);
    mem_free(cut);
    mem_free(whole);
}

static void wrong_probes_are_refused(void** state)
{
    (void)state;
    check_refused("{\"probes\": [{\"body\": 0}]}", "test.json:1: probes[0]: the key 'name' is "
                                                   "missing");
    check_refused("{\"probes\": [{\"name\": \"a,b\"}]}",
                  "test.json:1: probes[0].name: up to 64 letters, digits, _ and - are needed");
    check_refused("{\"probes\": [{\"name\": \"a\", \"body\": 1}], \"bodies\": [{\"mesh\": "
                  "\"torus\"}]}",
                  "test.json:1: probes[0].body: there is no body 1: the scene has 1");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\"}],\n\"probes\": [{\"name\": \"a\"},\n"
                  "{\"name\": \"a\"}]}",
                  "test.json:3: probes[1].name: probes[0] has this name, too");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\"}],\n\"probes\": [{\"name\": \"a\", "
                  "\"particle\": 1, \"box\": {}}]}",
                  "test.json:2: probes[0]: give a particle or a region, not both");
    check_refused("{\"bodies\": [{\"mesh\": \"torus\"}],\n\"probes\": [{\"name\": \"a\", "
                  "\"particle\": 1.5}]}",
                  "test.json:2: probes[0].particle: 1.5 is not a whole number");
    write_scene("{\"bodies\": [{\"mesh\": \"beam:1x1x1\"}], \"probes\": [{\"name\": \"a\", "
                "\"particle\": 8}]}");
    check_complaint(in_folder("run %s/scene.json"), 1,
                    "probes[0].particle: the body has 8 particles");
    check_complaint("run slope --probes a.txt", 2, "name a FILE.csv");
    check_complaint("run slope --probes /dev/null/a.csv", 1, "/dev/null");
    write_scene("{\"bodies\": [{\"mesh\": \"beam:1x1x1\"}], \"probes\": [{\"name\": \"a\"}]}");
    check_complaint(in_folder("run %s/scene.json --frames 0"), 0, "--probes FILE.csv writes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        usual_test(forces_are_the_weights),
        cmocka_unit_test(reactions_change_the_momentum),
        cmocka_unit_test(places_velocities_and_strains_are_those_of_the_body),
        cmocka_unit_test(strain_is_that_of_a_pulled_rope),
        cmocka_unit_test(lines_of_json_have_the_same_values),
        cmocka_unit_test(a_scene_without_probes_gets_one_for_each_body),
        usual_test(a_resumed_run_goes_on_to_the_same_bytes),
        cmocka_unit_test(wrong_probes_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
