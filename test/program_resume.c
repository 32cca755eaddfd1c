// Runs that are cut off, and go on to the same bits.
#define _POSIX_C_SOURCE 200809L
#include "base/platform.h"
#include "base/random.h"
#include "folder.h"
#include "program.h"
#include "system/folder.h"
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// Pins that move and let go, one that follows, a force for a time, contacts, a past (bdf2), a
// surface that is carried, particles that come and go, colliders that move, contacts that are
// listed: all that a state must bring back.
static const char lively[] =
    "{\"frames\": 60, \"substeps\": 16, \"bodies\": ["
    "{\"mesh\": \"beam:4x2x2\", \"scale\": 0.2, \"position\": [0, 0.3, 0], \"pins\": [{\"box\": "
    "{\"min\": [-9, -9, -9], \"max\": [0.1, 9, 9]}, \"motion\": {\"velocity\": [0, 1, 0], \"end\": "
    "0.3}, \"release\": 0.45}]},"
    "{\"mesh\": \"cloth:5x5\", \"position\": [0.1, 0.45, 0.1], \"scale\": 0.05, \"pins\": "
    "[{\"follow\": {\"body\": 0, \"distance\": 0.3}}]},"
    "{\"mesh\": \"torus:0.3:0.12:3\", \"visual\": \"ring.obj\", \"position\": [1, 0.2, 0], "
    "\"solver\": {\"integrator\": \"bdf2\"}, \"forces\": [{\"force\": [20, 0, 0], \"start\": 0.1, "
    "\"end\": "
    "0.2}]},{\"mesh\": \"box6:1x1x1:0.1\", \"position\": [-1, 0.1, 0]},"
    "{\"mesh\": \"none\", \"radius\": 0.03, \"capacity\": 40}],"
    "\"emitters\": [{\"body\": 4, \"position\": [-1, 0.6, 0], \"velocity\": [0, -1, 0], "
    "\"radius\": "
    "0.07, \"rate\": 60, \"lifetime\": 0.6}], \"drains\": [{\"sphere\": {\"center\": [-1.2, 0.1, "
    "0], "
    "\"radius\": 0.2}}],"
    "\"colliders\": [{\"shape\": \"box\", \"half_extents\": [0.3, 0.1, 0.3], \"position\": "
    "[-1, 0, 0], \"surface_contacts\": \"always\"},"
    "{\"shape\": \"plane\", \"friction\": 0.5, \"restitution\": 0.3, "
    "\"surface_velocity\": [0.3, 0, 0]},"
    "{\"shape\": \"sphere\", \"radius\": 0.2, \"position\": [1, -0.15, 0.1], \"motion\": "
    "{\"stroke\": [0, 0.2, 0], \"frequency\": 3, \"degrees_per_second\": 400}},"
    "{\"shape\": \"box\", \"half_extents\": [0.1, 0.1, 0.3], \"position\": [1.6, 0.1, 0], "
    "\"motion\": {\"path\": [{\"time\": 0.6, \"position\": [1.3, 0.1, 0]}, {\"time\": 0.9, "
    "\"position\": [1.3, 0.1, 0.1], \"rotation\": {\"axis\": [1, 0, 0], \"degrees\": "
    "60}}]}}]}";

static void write_scene(const char* text)
{
    char path[128], arguments[256];
    snprintf(path, sizeof path, "%s/scene.json", folder);
    CHECK_OK(platform_write_file(path, text, strlen(text)));
    snprintf(arguments, sizeof arguments, "mesh torus:0.3:0.12:4 -o %s/ring.obj", folder);
    check_status(arguments, 0);
}

// ---- processes ----------------------------------------------------------------------------------

// Starts a run into `out` and does not wait for it.
static pid_t start(const char* out, bool resume, const char* keep)
{
    char scene[128], path[128];
    snprintf(scene, sizeof scene, "%s/scene.json", folder);
    snprintf(path, sizeof path, "%s/%s", folder, out);
    pid_t child = fork();
    if (child) return child;
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    const char* arguments[] = {PROGRAM,
                               "run",
                               scene,
                               "--out",
                               path,
                               "--threads",
                               "1",
                               "--every",
                               "2",
                               "--format",
                               "vtu,obj,ply,contacts,glb,gltf,pc2,mdd,usda",
                               "--keep",
                               keep,
                               resume ? "--resume" : NULL,
                               NULL};
    execv(PROGRAM, (char* const*)arguments);
    _exit(127);
}

static void pause_for(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

static bool has_file(const char* out, const char* name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s/%s", folder, out, name);
    return file_exists(path);
}

// Kills it when a frame is there, and a moment later.
static void kill_after(pid_t child, const char* out, int frame, double moment)
{
    char name[64];
    int status = 0;
    snprintf(name, sizeof name, "frame_%05d.ply", frame);
    bool gone = false;
    while (!has_file(out, name) && !gone) {
        gone = waitpid(child, &status, WNOHANG) != 0;
        pause_for(0.0005);
    }
    if (gone) fail_msg("the run ended before %s, with %d", name, status);
    pause_for(moment);
    kill(child, SIGKILL); // it is a zombie at worst
    waitpid(child, &status, 0);
}

static int finish(const char* out, bool resume, const char* more, char digest[20])
{
    char arguments[512];
    program_run run;
    snprintf(arguments, sizeof arguments,
             "run %s/scene.json --out %s/%s --every 2 --format "
             "vtu,obj,ply,contacts,glb,gltf,pc2,mdd,usda --json "
             "--threads 2 %s %s 2>/dev/null | tail -n 1",
             folder, folder, out, resume ? "--resume" : "", more);
    run_program(arguments, &run);
    json_t* last = json_loads(run.text, 0, NULL);
    const char* found = json_string_value(json_object_get(last, "digest"));
    snprintf(digest, 20, "%s", found ? found : "");
    json_decref(last);
    return run.status;
}

static void check_same_files(const char* one, const char* other)
{
    char command[256];
    snprintf(command, sizeof command, "diff -r %s/%s %s/%s", folder, one, folder, other);
    assert_int_equal(system(command), 0);
}

// A frame's file, as it is there, has all bytes that it should have.
static pliant_result check_frame(const char* name, void* context)
{
    void* data[2] = {NULL, NULL};
    size_t bytes[2];
    (void)context;
    if (strncmp(name, "frame_", 6) != 0 && strncmp(name, "surface_", 8) != 0) return PLIANT_OK;
    if (strstr(name, ".part")) return PLIANT_OK;
    for (int i = 0; i < 2; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s/%s", folder, i ? "cut" : "whole", name);
        CHECK_OK(platform_read_file(path, &data[i], &bytes[i]));
    }
    if (bytes[0] != bytes[1] || memcmp(data[0], data[1], bytes[0]) != 0)
        fail_msg("%s is not whole: %zu bytes of %zu", name, bytes[1], bytes[0]);
    pliant_release(data[0]);
    pliant_release(data[1]);
    return PLIANT_OK;
}

// What a kill has left: whole frames only, and a list that names none but them.
static void check_what_is_left(void)
{
    char path[256], name[64];
    void* data = NULL;
    size_t bytes;
    snprintf(path, sizeof path, "%s/cut", folder);
    CHECK_OK(folder_list(path, check_frame, NULL));
    if (!has_file("cut", "frames.pvd")) return;
    snprintf(path, sizeof path, "%s/cut/frames.pvd", folder);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    assert_non_null(strstr(data, "</VTKFile>"));
    for (const char* at = data; (at = strstr(at, "file=\"")) != NULL; at += 6) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 6, "\""), at + 6);
        if (!has_file("cut", name)) fail_msg("frames.pvd names %s, which is not there", name);
    }
    pliant_release(data);
}

// ---- tests --------------------------------------------------------------------------------------

static void a_run_that_is_killed_20_times_ends_with_the_same_bytes(void** state)
{
    (void)state;
    char whole[20], resumed[20];
    random_source random = {20};
    write_scene(lively);
    assert_int_equal(finish("whole", false, "", whole), 0);
    int frame = 0;
    for (int i = 0; i < 20; ++i) {
        pid_t child = start("cut", i > 0, "0");
        frame += 2 * (int)random_range(&random, 0, 3);
        kill_after(child, "cut", frame < 56 ? frame : 56, random_range(&random, 0, 0.003));
        check_what_is_left();
    }
    CHECK_BETWEEN(frame, 20, 56); // it went on between the kills
    assert_true(has_file("cut", "frames.state"));
    assert_int_equal(finish("cut", true, "", resumed), 0);
    assert_int_equal(strlen(whole), 16);
    assert_string_equal(resumed, whole);
    check_same_files("whole", "cut");
}

static void a_run_that_left_no_state_starts_anew_and_says_so(void** state)
{
    (void)state;
    char arguments[256], whole[20], resumed[20];
    write_scene(lively);
    assert_int_equal(finish("whole", false, "", whole), 0);
    pid_t child = start("cut", false, "1000");
    kill_after(child, "cut", 4, 0);
    assert_false(has_file("cut", "frames.state"));
    snprintf(arguments, sizeof arguments, "run %s/scene.json --out %s/other --resume --frames 1",
             folder, folder);
    check_complaint(arguments, 0, "frames.state): starting at frame 0");
    assert_int_equal(finish("cut", true, "", resumed), 0);
    assert_string_equal(resumed, whole);
    check_same_files("whole", "cut");
}

static void a_finished_run_leaves_nothing_but_its_files(void** state)
{
    (void)state;
    char digest[20];
    write_scene(lively);
    assert_int_equal(finish("whole", false, "--frames 2 --keep 0", digest), 0);
    assert_false(has_file("whole", "frames.state"));
    assert_false(has_file("whole", "frames.reel"));
    assert_true(has_file("whole", "frames.glb"));
}

// What a writer that was killed has left.
static void files_that_were_cut_off_are_removed(void** state)
{
    (void)state;
    char command[512], digest[20];
    write_scene(lively);
    snprintf(command, sizeof command,
             "mkdir %s/cut && cd %s/cut && touch frame_00002.vtu.part17 frames.state.part9 "
             "frames.pvd.part3 contacts_00002.csv.part5 t0_0_skin.png.part4 film.part1 "
             "notes.vtu.partial",
             folder, folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(finish("cut", false, "--frames 2", digest), 0);
    assert_false(has_file("cut", "frame_00002.vtu.part17"));
    assert_false(has_file("cut", "frames.state.part9"));
    assert_false(has_file("cut", "frames.pvd.part3"));
    assert_false(has_file("cut", "contacts_00002.csv.part5"));
    assert_false(has_file("cut", "t0_0_skin.png.part4"));
    assert_true(has_file("cut", "film.part1"));
    assert_true(has_file("cut", "notes.vtu.partial"));
}

static void cut_off(void)
{
    pid_t child = start("cut", false, "0");
    kill_after(child, "cut", 8, 0);
    assert_true(has_file("cut", "frames.state"));
}

static void check_refusal(const char* more, const char* part)
{
    char arguments[512];
    snprintf(arguments, sizeof arguments,
             "run %s/scene.json --out %s/cut --every 2 --format "
             "vtu,obj,ply,contacts,glb,gltf,pc2,mdd,usda "
             "--resume %s",
             folder, folder, more);
    check_complaint(arguments, 1, part);
}

static void another_scene_or_setting_is_refused_with_what_differs(void** state)
{
    (void)state;
    char other[sizeof lively];
    write_scene(lively);
    cut_off();
    check_refusal("--substeps 5", "the run cannot go on: it had another --substeps; ");
    check_refusal("--iterations 2 --every 3", "it had another --iterations, another --every; "
                                              "without --resume it starts anew");
    check_refusal("--frames 2", "the run is at frame ");
    memcpy(other, lively, sizeof other);
    *strstr(other, "0.45}]") = '1';
    write_scene(other);
    check_refusal("", "frames.state: the run cannot go on: the scene has changed since; ");
    write_scene(lively);
    char arguments[256];
    snprintf(arguments, sizeof arguments, "mesh torus:0.3:0.12:5 -o %s/ring.obj", folder);
    check_status(arguments, 0);
    check_refusal("", "a mesh or texture of the scene has changed since");
}

static void a_damaged_state_or_missing_frame_is_refused(void** state)
{
    (void)state;
    char command[512];
    write_scene(lively);
    cut_off();
    snprintf(command, sizeof command, "cd %s/cut && mv frame_00004.obj x", folder);
    assert_int_equal(system(command), 0);
    check_refusal("", "frame_00004.obj: a frame of the run that was to go on is missing");
    snprintf(command, sizeof command, "cd %s/cut && mv x frame_00004.obj && : > frames.reel",
             folder);
    assert_int_equal(system(command), 0);
    check_refusal("", "frames.reel: it has 0 bytes, ");
    snprintf(
        command, sizeof command,
        "cd %s/cut && printf abc | dd of=frames.state bs=1 seek=$(($(wc -c <frames.state) - 900)) "
        "conv=notrunc 2>/dev/null",
        folder);
    assert_int_equal(system(command), 0);
    check_refusal("", "frames.state: the snapshot is damaged");
    snprintf(command, sizeof command, "cd %s/cut && head -c 40 frames.state > x; mv x frames.state",
             folder);
    assert_int_equal(system(command), 0);
    check_refusal("", "frames.state: it is cut off");
}

// A film appears at the end; until then its frames are in a reel beside it.
static void an_interrupted_film_shows_its_frames_and_goes_on(void** state)
{
    (void)state;
    char text[1024];
    write_scene(lively);
    snprintf(text, sizeof text,
             "cd %s && '%s' run scene.json -o whole.glb --quiet && "
             "{ '%s' run scene.json -o cut.glb --frames 100000 --quiet 2>/dev/null & } && "
             "until [ -s cut.glb.reel ]; do sleep 0.01; done; sleep 0.1; kill -INT $!; wait $!; "
             "[ -s cut.glb ] && [ -s cut.glb.state ] && [ -s cut.glb.reel ] || exit 3; "
             "'%s' run scene.json -o cut.glb --frames 100000 --resume --quiet 2>/dev/null & "
             "sleep 0.2; kill -KILL $!; wait $! 2>/dev/null; cd %s; exit 0",
             folder, PROGRAM, PROGRAM, PROGRAM, folder);
    assert_int_equal(system(text), 0);
    snprintf(
        text, sizeof text,
        "cd %s && rm cut.* && { '%s' run scene.json -o cut.glb --keep 0 --quiet & } && "
        "until [ -s cut.glb.state ]; do sleep 0.001; done; kill -KILL $!; wait $! 2>/dev/null; "
        "[ -s cut.glb ] && exit 4; "
        "'%s' run scene.json -o cut.glb --resume --quiet && cmp whole.glb cut.glb && "
        "[ ! -e cut.glb.state ] && [ ! -e cut.glb.reel ]",
        folder, PROGRAM, PROGRAM);
    assert_int_equal(system(text), 0);
}

// A box that lies on another: each frame after the first has contacts, also that of the state.
static void contacts_of_the_frame_it_goes_on_from_stay(void** state)
{
    (void)state;
    char text[1024];
    write_scene("{\"frames\": 12, \"substeps\": 5, \"bodies\": [{\"mesh\": \"box6:1x1x1:0.1\"}, "
                "{\"mesh\": \"box6:1x1x1:0.2\", \"position\": [-0.05, -0.209, -0.05], \"pins\": "
                "[{}]}]}");
    snprintf(text, sizeof text,
             "cd %s && { '%s' run scene.json -o cut --format contacts --frames 100000 --quiet "
             "2>/dev/null & } && until [ -e cut/contacts_00003.csv ]; do sleep 0.001; done; "
             "kill -INT $!; wait $!; cp -r cut before; n=$(ls cut/*.csv | wc -l); "
             "'%s' run scene.json -o cut --format contacts --frames $n --resume --quiet; "
             "for f in before/*.csv; do cmp $f cut/${f#before/} || exit 3; done; "
             "[ $(wc -l <cut/contacts_00003.csv) -gt 1 ] && [ -e cut/contacts_$(printf %%05d "
             "$n).csv ]",
             folder, PROGRAM, PROGRAM);
    assert_int_equal(system(text), 0);
}

static void wrong_usage_is_told(void** state)
{
    (void)state;
    check_complaint("run drop --resume", 2, "--resume: --out tells where the run was");
    check_complaint("run drop --out x --resume --picture x.png", 2, "--resume: no picture");
    check_complaint("run drop --out x --keep -1", 2, "--keep: -1 is out of range");
}

// A limit of the shell on sizes of files stands for a full disk: 512 bytes each.
static void check_goes_on(const char* file, int blocks, const char* where)
{
    char command[1024], arguments[400];
    program_run run;
    write_scene(lively);
    snprintf(command, sizeof command,
             "--version >/dev/null; sh -c 'trap \"\" XFSZ; ulimit -f %d; exec \"%s\" run "
             "%s/scene.json --threads 1 -o %s/%s' 2>&1",
             blocks, PROGRAM, folder, folder, file);
    run_program(command, &run);
    if (run.status != 1 || !strstr(run.text, "cannot be written") ||
        !strstr(run.text, "--resume goes on from frame"))
        fail_msg("a run with %d blocks left with %d and said: %s", blocks, run.status, run.text);
    if (!strstr(run.text, where)) fail_msg("not cut off %s: %s", where, run.text);
    snprintf(arguments, sizeof arguments, "run %s/scene.json --resume --quiet -o %s/%s", folder,
             folder, file);
    check_status(arguments, 0);
    snprintf(arguments, sizeof arguments, "run %s/scene.json --quiet -o %s/whole_%s", folder,
             folder, file);
    check_status(arguments, 0);
    snprintf(command, sizeof command,
             "cmp %s/%s %s/whole_%s && ! ls %s/*.reel %s/*.state 2>/dev/null", folder, file, folder,
             file, folder, folder);
    assert_int_equal(system(command), 0);
}

static void a_film_that_finds_the_disk_full_goes_on(void** state)
{
    (void)state;
    check_goes_on("film.pc2", 200, "film.pc2.reel");       // while it runs
    check_goes_on("film.usda", 1500, "film.usda: cannot"); // when all is simulated
}

static int count_of(const char* pattern)
{
    char command[256];
    int count = -1;
    snprintf(command, sizeof command, "ls %s/%s 2>/dev/null | wc -l", folder, pattern);
    FILE* pipe = popen(command, "r");
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void run_into(const char* options)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments, "run %s/scene.json --quiet -o %s/used %s", folder, folder,
             options);
    check_status(arguments, 0);
}

static void frames_of_an_earlier_run_are_removed(void** state)
{
    (void)state;
    char path[128];
    write_scene(lively);
    run_into("--frames 6 --format vtu,obj,ply");
    snprintf(path, sizeof path, "%s/used/frame_12.vtu", folder); // not the name of a frame
    CHECK_OK(platform_write_file(path, "mine", 4));
    run_into("--frames 4 --every 2 --format vtu,obj");
    assert_int_equal(count_of("used/frame_?????.vtu"), 3);
    assert_int_equal(count_of("used/surface_?????.vtu"), 3);
    assert_int_equal(count_of("used/frame_?????.obj"), 3);
    assert_int_equal(count_of("used/frame_?????.ply"), 7); // of a format that nobody wrote now
    assert_int_equal(count_of("used/frame_12.vtu"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        usual_test_with(a_film_that_finds_the_disk_full_goes_on, make_folder, remove_folder),
        TEST(frames_of_an_earlier_run_are_removed),
        usual_test_with(a_run_that_is_killed_20_times_ends_with_the_same_bytes, make_folder,
                        remove_folder),
        usual_test_with(a_run_that_left_no_state_starts_anew_and_says_so, make_folder,
                        remove_folder),
        TEST(a_finished_run_leaves_nothing_but_its_files),
        TEST(files_that_were_cut_off_are_removed),
        TEST(another_scene_or_setting_is_refused_with_what_differs),
        TEST(a_damaged_state_or_missing_frame_is_refused),
        TEST(an_interrupted_film_shows_its_frames_and_goes_on),
        TEST(contacts_of_the_frame_it_goes_on_from_stay),
        TEST(wrong_usage_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
