// pliant run from outside: exit statuses, output, interruptions.
#define _POSIX_C_SOURCE 200809L
#include "folder.h"
#include "program.h"
#include "scene/backend.h"

static const char* in_folder(const char* format, const char* name)
{
    static char text[512];
    snprintf(text, sizeof text, format, folder, name, folder);
    return text;
}

static void write_scene(const char* name, const char* text)
{
    FILE* file = fopen(in_folder("%s/%s", name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void wrong_usage_leaves_with_2_and_a_hint(void** state)
{
    (void)state;
    check_complaint("", 2, "pliant COMMAND --help");
    check_complaint("walk", 2, "there is no command 'walk' (pliant --help lists the commands)");
    check_complaint("run", 2, "a scene is missing; pliant run --list shows some");
    check_complaint("run drop --speed 3", 2, "--speed: unknown option");
    check_complaint("run drop --frames many", 2, "--frames: a whole number is needed");
    check_complaint("run drop --frames -3", 2, "--frames");
    check_complaint("run drop --backend gpu", 2, "--backend: use auto, cpu or cuda");
    check_complaint("run drop -o a --format stl", 2, "'stl' is not a format of frames");
    check_complaint("run drop slope", 2, "too many words");
}

static void failures_leave_with_1_and_a_sentence(void** state)
{
    (void)state;
    check_complaint("run nowhere.json", 1, "'nowhere.json' is neither a file nor a scene");
    check_complaint("run hanging-beam --frames 0 --out /dev/null/x", 1, "/dev/null");
    write_scene("bad.json", "{\n\"bodies\": [{\"mesh\": \"torus\", \"yuong\": 1}]}");
    check_complaint(in_folder("run %s/%s", "bad.json"), 1,
                    "bad.json:2: bodies[0].yuong: a body has no such key");
}

static void help_version_and_lists_leave_with_0(void** state)
{
    (void)state;
    program_run run;
    run_program("--help", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, "pliant run "));
    run_program("--version", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, pliant_version()));
    run_program("run --list", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, "hanging-beam "));
    run_program("run --scene-help", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, "number [Pa]"));
    assert_non_null(strstr(run.text, "default [0, -9.81, 0]"));
}

// The last line of a run with --json; the others are counted.
static json_t* last_line(const char* arguments, int* out_lines)
{
    program_run run;
    json_t* line = NULL;
    run_program(arguments, &run);
    assert_int_equal(run.status, 0);
    *out_lines = 0;
    for (char* at = strtok(run.text, "\n"); at; at = strtok(NULL, "\n")) {
        json_error_t error;
        if (strstr(at, " frames, ")) continue; // a slow machine shows progress
        json_decref(line);
        line = json_loads(at, 0, &error);
        if (!line) fail_msg("%s: %s", error.text, at);
        ++*out_lines;
    }
    return line;
}

static void json_has_a_line_per_frame_and_one_at_the_end(void** state)
{
    (void)state;
    int lines;
    json_t* last = last_line("run hanging-beam --frames 4 --json", &lines);
    assert_int_equal(lines, 6); // with that of the start
    assert_int_equal(json_int_at(last, "steps"), 4);
    assert_int_equal(json_int_at(last, "frames"), 4);
    assert_true(json_is_real(json_object_get(last, "seconds")));
    assert_int_equal(json_string_length(json_object_get(last, "digest")), 16);
    CHECK_CLOSE(json_number_value(json_object_get(last, "simulated")), 4.0 / 60, 1e-9);
    json_decref(last);
}

static void each_frame_line_has_time_energies_and_contacts(void** state)
{
    (void)state;
    program_run run;
    run_program("run slope --frames 2 --json --substeps 20 | sed -n 2p", &run);
    json_t* line = json_loads(run.text, 0, NULL);
    assert_non_null(line);
    assert_int_equal(json_int_at(line, "frame"), 1);
    assert_int_equal(json_int_at(line, "substeps"), 20);
    CHECK_CLOSE(json_number_value(json_object_get(line, "time")), 1.0 / 60, 1e-9);
    assert_true(json_is_integer(json_object_get(line, "contacts")));
    assert_true(json_is_real(json_object_get(line, "seconds")));
    const json_t* energies = json_object_get(line, "energies");
    assert_true(json_is_real(json_object_get(energies, "kinetic")));
    assert_true(json_is_real(json_object_get(energies, "elastic")));
    assert_true(json_is_real(json_object_get(energies, "gravity")));
    assert_true(json_is_real(json_object_get(energies, "unresolved")));
    json_decref(line);
}

static void too_few_substeps_are_told_with_the_number_to_use(void** state)
{
    (void)state;
    program_run run;
    run_program("run hanging-beam --frames 20 --substeps 4", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, " % of the elastic energy is unresolved: use about 17 "));
    run_program("run hanging-beam --frames 20 --substeps 30", &run);
    assert_non_null(strstr(run.text, "(unresolved "));
    assert_null(strstr(run.text, "is unresolved"));
}

static void the_digest_does_not_depend_on_threads_or_lanes(void** state)
{
    (void)state;
    const char* arguments[] = {"run slope --frames 3 --json --threads 1 --lanes 1",
                               "run slope --frames 3 --json --threads 3 --lanes 8",
                               "run slope --frames 3 --json --threads 2 --lanes 16"};
    char digest[3][20];
    for (int i = 0; i < 3; ++i) {
        int lines;
        json_t* last = last_line(arguments[i], &lines);
        snprintf(digest[i], 20, "%s", json_string_value(json_object_get(last, "digest")));
        json_decref(last);
    }
    assert_string_equal(digest[0], digest[1]);
    assert_string_equal(digest[0], digest[2]);
}

// Where the library finds a GPU, nothing can be learned about machines that have none.
static void needs_no_gpu(void)
{
    if (!backend_has_gpu()) return;
    print_message("skipped: there is a GPU here\n");
    skip();
}

static void cuda_without_a_gpu_leaves_with_1_and_says_so(void** state)
{
    (void)state;
    needs_no_gpu();
    check_complaint("run drop --frames 1 --backend cuda", 1, "use the backend cpu");
    write_scene("cuda.json", "{\"backend\": \"cuda\", \"bodies\": [{\"mesh\": \"beam:2x1x1\"}]}");
    check_complaint(in_folder("run %s/%s --frames 1", "cuda.json"), 1, "use the backend cpu");
}

static void the_command_line_goes_over_the_backend_of_the_scene(void** state)
{
    (void)state;
    int lines;
    write_scene("cuda.json", "{\"backend\": \"cuda\", \"bodies\": [{\"mesh\": \"beam:2x1x1\"}]}");
    json_t* last =
        last_line(in_folder("run %s/%s --frames 1 --json --backend cpu", "cuda.json"), &lines);
    assert_string_equal(json_string_value(json_object_get(last, "backend")), "cpu");
    assert_true(json_is_null(json_object_get(last, "device")));
    json_decref(last);
}

static void auto_without_a_gpu_is_the_cpu_and_silent(void** state)
{
    (void)state;
    char digest[2][20];
    needs_no_gpu();
    // As many tets as a GPU would be taken for.
    write_scene("large.json", "{\"substeps\": 40, \"bodies\": [{\"mesh\": \"beam:40x10x10\"}]}");
    for (int i = 0; i < 2; ++i) {
        int lines;
        json_t* last = last_line(in_folder(i ? "run %s/%s --frames 1 --json --backend cpu 2>&1"
                                             : "run %s/%s --frames 1 --json 2>&1",
                                           "large.json"),
                                 &lines);
        assert_int_equal(lines, 3); // nothing but JSON
        assert_string_equal(json_string_value(json_object_get(last, "backend")), "cpu");
        snprintf(digest[i], 20, "%s", json_string_value(json_object_get(last, "digest")));
        json_decref(last);
    }
    assert_string_equal(digest[0], digest[1]);
}

static int count_files(const char* pattern)
{
    char command[256];
    int count = -1;
    snprintf(command, sizeof command, "ls %s/%s 2>/dev/null | wc -l", folder, pattern);
    FILE* pipe = popen(command, "r");
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void frames_are_written_from_the_start_every_nth(void** state)
{
    (void)state;
    check_status(
        in_folder("run slope --frames 4 --every 2 --quiet --format vtu,obj --out %s/%s", "every"),
        0);
    assert_int_equal(count_files("every/frame_*.vtu"), 3);
    assert_int_equal(count_files("every/frame_*.obj"), 3);
    assert_int_equal(count_files("every/frame_00004.vtu"), 1);
    assert_int_equal(count_files("every/*"), 7); // and frames.pvd
}

// After a quiet second, a force whose motion no float can hold.
static const char explosion[] =
    "{\"dt\": 0.5, \"substeps\": 1, \"frames\": 50, \"bodies\": [{\"mesh\": \"beam:2x1x1\", "
    "\"scale\": 1e-6, \"gravity_scale\": 0, \"forces\": [{\"force\": [1e15, 0, 0], \"start\": "
    "1}]}]}";

static void a_diverged_run_leaves_with_1_and_keeps_its_frames(void** state)
{
    (void)state;
    write_scene("explosion.json", explosion);
    check_complaint(in_folder("run %s/%s --out %s/explosion", "explosion.json"), 1,
                    "left the finite numbers");
    assert_int_equal(count_files("explosion/frame_*.vtu"), 3);
    assert_int_equal(count_files("explosion/frames.pvd"), 1);
}

static void an_interrupted_run_leaves_whole_frames(void** state)
{
    (void)state;
    program_run run;
    char command[512];
    write_scene("calm.json", "{\"frames\": 1000000, \"bodies\": [{\"mesh\": \"beam:9x4x4\"}]}");
    // Not before it has begun to write, however slow the machine is.
    snprintf(command, sizeof command,
             "--version >/dev/null; '%s' run %s/calm.json --every 2 --out %s/cut 2>&1 & "
             "until [ -f %s/cut/frames.pvd ] || ! kill -0 $!; do sleep 0.05; done; kill -TERM $!; "
             "wait $!",
             PROGRAM, folder, folder, folder);
    run_program(command, &run);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.text, "interrupted after "));
    assert_int_equal(count_files("cut/*.part*"), 0);
    int listed = 0;
    snprintf(command, sizeof command, "grep -c '<DataSet' %s/cut/frames.pvd", folder);
    FILE* pipe = popen(command, "r");
    assert_int_equal(fscanf(pipe, "%d", &listed), 1);
    pclose(pipe);
    assert_int_equal(listed, count_files("cut/frame_*.vtu"));
}

// Of all that a look finds at the start, a sentence with the numbers of body and collider.
static void what_may_go_wrong_is_told_at_the_start(void** state)
{
    (void)state;
    static const char* const told[] = {
        "body 0 starts 0.1 m inside collider 0 (plane): it is moved out by (0, 0.1, 0) m",
        "collider 1 (sphere) is 0.02 m across and may pass between the particles of body 1",
        "body 1 may come to collider 2 (box) at 50", "body 0 and body 2 overlap"};
    write_scene("look.json",
                "{\"bodies\": [{\"mesh\": \"beam:2x2x2\", \"position\": [0, -0.1, 0]}, "
                "{\"mesh\": \"beam:2x2x2\", \"position\": [3, 1, 0], \"velocity\": [0, -50, 0]}, "
                "{\"mesh\": \"beam:2x2x2\", \"position\": [0.05, 0, 0]}], "
                "\"colliders\": [{}, {\"shape\": \"sphere\", \"radius\": 0.01, \"position\": [3, "
                "0.5, 0], \"surface_contacts\": \"never\"}, {\"shape\": \"box\", "
                "\"half_extents\": [0.5, 0.005, 0.5], \"position\": [3, 0.8, 0], "
                "\"surface_contacts\": \"never\"}]}");
    program_run run, info;
    run_program(in_folder("run %s/%s --frames 1 2>&1 >/dev/null", "look.json"), &run);
    run_program(in_folder("info %s/%s", "look.json"), &info);
    assert_int_equal(run.status, 0);
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i) {
        const char* at = strstr(run.text, told[i]);
        if (!at || strstr(at + 1, told[i])) fail_msg("not once: %s\n%s", told[i], run.text);
        if (!strstr(info.text, told[i])) fail_msg("not by info: %s\n%s", told[i], info.text);
    }
}

static void quiet_says_nothing(void** state)
{
    (void)state;
    program_run run;
    run_program("run slope --frames 2 --quiet 2>&1", &run);
    assert_int_equal(run.status, 0);
    assert_string_equal(run.text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_leaves_with_2_and_a_hint),
        cmocka_unit_test(failures_leave_with_1_and_a_sentence),
        cmocka_unit_test(help_version_and_lists_leave_with_0),
        cmocka_unit_test(json_has_a_line_per_frame_and_one_at_the_end),
        cmocka_unit_test(each_frame_line_has_time_energies_and_contacts),
        usual_test(too_few_substeps_are_told_with_the_number_to_use),
        cmocka_unit_test(the_digest_does_not_depend_on_threads_or_lanes),
        cmocka_unit_test(cuda_without_a_gpu_leaves_with_1_and_says_so),
        cmocka_unit_test(the_command_line_goes_over_the_backend_of_the_scene),
        usual_test(auto_without_a_gpu_is_the_cpu_and_silent),
        cmocka_unit_test(frames_are_written_from_the_start_every_nth),
        cmocka_unit_test(a_diverged_run_leaves_with_1_and_keeps_its_frames),
        cmocka_unit_test(an_interrupted_run_leaves_whole_frames),
        cmocka_unit_test(what_may_go_wrong_is_told_at_the_start),
        cmocka_unit_test(quiet_says_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
