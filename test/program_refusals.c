// What the program cannot do is refused before the work, with a way out and the right exit status.
#define _POSIX_C_SOURCE 200809L
#include "folder.h"
#include "program.h"
#include "progress.h"
#include "render/picture.h"
#include "scene/nearest.h"
#include <sys/stat.h>
#include <unistd.h>

static const char* in_folder(const char* format)
{
    static char text[512];
    snprintf(text, sizeof text, format, folder, folder, folder);
    return text;
}

static bool exists(const char* name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

// ---- outputs ------------------------------------------------------------------------------------

static void extensions_that_run_does_not_write_are_refused(void** state)
{
    (void)state;
    static const struct {
        const char *file, *way_out;
    } cases[] = {
        {"film.mp4", "pliant render SCENE -o "},    {"film.gif", "pliant render SCENE -o "},
        {"film.png", "pliant render SCENE -o "},    {"film.obj", "--out FOLDER --format obj"},
        {"film.ply", "--out FOLDER --format ply"},  {"film.vtu", "--out FOLDER --format vtu"},
        {"film.abc", "glb, gltf, pc2, mdd, usda"},  {"film.usd", "glb, gltf, pc2, mdd, usda"},
        {"film.v2", "film.v2/, with --format vtu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "run drop --frames 0 -o %s/%s", folder,
                 cases[i].file);
        check_complaint(arguments, 2, cases[i].way_out);
        if (exists(cases[i].file)) fail_msg("%s was made all the same", cases[i].file);
    }
}

static void a_slash_or_a_folder_that_is_there_makes_any_name_a_folder(void** state)
{
    (void)state;
    check_status(in_folder("run hanging-beam --frames 0 --quiet -o %s/by.slash/"), 0);
    assert_true(exists("by.slash/frame_00000.vtu"));
    check_status(in_folder("run hanging-beam --frames 0 --quiet --format ply -o %s/by.slash"), 0);
    assert_true(exists("by.slash/frame_00000.ply"));
    check_status(in_folder("run hanging-beam --frames 0 --quiet -o %s/plain"), 0);
    assert_true(exists("plain/frame_00000.vtu"));
}

static void options_of_files_need_a_place_for_them(void** state)
{
    (void)state;
    check_complaint("run drop --format vtu", 2, "--out FOLDER");
    check_complaint("run drop --every 2", 2, "--out FOLDER");
    check_complaint("run drop --keep 1", 2, "--out FOLDER");
    check_complaint("run drop -o a.glb --format obj", 2, "a.glb is one file");
    check_complaint("run drop --picture p.jpg", 2, "only .png is drawn");
    check_complaint("mesh torus -o a.unknown", 2, ".vtu");
}

static void folders_of_files_are_made_before_the_work_or_refused(void** state)
{
    (void)state;
    check_complaint("run drop --picture /dev/null/p.png", 1, "/dev/null");
    check_complaint("render drop -o /dev/null/p.png", 1, "/dev/null");
    check_complaint("mesh torus -o /dev/null/p.vtu", 1, "/dev/null");
    check_complaint("mesh torus --boundary --scene /dev/null/p.json", 1, "/dev/null");
    mkdir(in_folder("%s/is.png"), 0777);
    check_complaint(in_folder("run drop --picture %s/is.png"), 1, "this is a folder");
    if (!picture_is_available()) return;
    check_status(in_folder("run hanging-beam --frames 0 --quiet --picture %s/new/deep/p.png"), 0);
    assert_true(exists("new/deep/p.png"));
}

// No frame is simulated: a run of a million would not end.
static void a_missing_ffmpeg_is_told_before_the_run(void** state)
{
    (void)state;
    char arguments[512];
    snprintf(arguments, sizeof arguments,
             "--version >/dev/null; PATH=/nowhere '%s' render hanging-beam --frames 1000000 -o "
             "%s/film.mp4 2>&1 >/dev/null",
             PROGRAM, folder);
    program_run run;
    run_program(arguments, &run);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.text, "ffmpeg, which is not there"));
}

static void moments_beyond_the_end_are_refused_with_its_time(void** state)
{
    (void)state;
    check_complaint("render drop -o a.png --times 1,5", 2,
                    "5 s is beyond the end of the run at 2.5 s: use --frames 300 or more");
    check_complaint("render drop -o a.png --times 1 --frames 10", 2, "use --frames 60 or more");
}

static void a_run_says_what_it_wrote(void** state)
{
    (void)state;
    program_run run;
    run_program(in_folder("run hanging-beam --frames 2 --every 2 --format vtu,obj,glb -o %s/told"),
                &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, "/told/frame_00000.vtu to frame_00002.vtu (2 frames), "
                                     "frames.pvd"));
    assert_non_null(strstr(run.text, "/told/frame_00000.obj to frame_00002.obj (2 frames)"));
    assert_non_null(strstr(run.text, "/told/frames.glb (2 frames)"));
    assert_non_null(strstr(run.text, "  1 body, 1078 particles"));
}

static void a_full_standard_output_is_a_failure_of_every_command(void** state)
{
    (void)state;
    static const char* const commands[] = {"run hanging-beam --frames 1 --json",
                                           "run hanging-beam --frames 1",
                                           "run --list",
                                           "mesh beam:2x1x1",
                                           "mesh beam:2x1x1 --json",
                                           "info beam:2x1x1",
                                           "info hanging-beam --json",
                                           "bench",
                                           "help scene",
                                           "help man",
                                           "--help",
                                           "--version"};
    if (access("/dev/full", W_OK) != 0) {
        print_message("no /dev/full here\n");
        skip();
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        program_run run;
        char arguments[256];
        snprintf(arguments, sizeof arguments, "%s 2>&1 >/dev/full", commands[i]);
        run_program(arguments, &run);
        if (run.status != 1 || !strstr(run.text, "the standard output could not be written"))
            fail_msg("pliant %s >/dev/full left with %d and said: %s", commands[i], run.status,
                     run.text);
    }
}

// ---- numbers ------------------------------------------------------------------------------------

static void options_out_of_range_or_place_are_refused_with_the_way_out(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"run drop --frames -1", "--frames: -1 is out of range: 0 to 1000000"},
        {"run drop --substeps -1", "--substeps: -1 is out of range: 0 to 1000000"},
        {"run drop --iterations -1", "--iterations: -1 is out of range: 1 to 1000000"},
        {"run drop --iterations 0", "--iterations"},
        {"run drop --lanes -1", "--lanes: -1 is out of range"},
        {"run drop --lanes 3", "--lanes: use 0, 1, 4, 8 or 16"},
        {"run drop --threads -1", "--threads: -1 is out of range: 0 to 1024"},
        {"run drop --threads 5000", "--threads: 5000 is out of range: 0 to 1024"},
        {"run drop -o a --every 0", "--every: 0 is out of range: 1 to 1000000"},
        {"run drop -o a --keep -1", "--keep: -1 is out of range"},
        {"run a.obj --tets 0", "--tets: 0 is out of range: 1 to "},
        {"mesh torus --weld -1", "--weld: -1 is out of range"},
        {"mesh torus --scale 0", "--scale: 0 has to be above 0"},
        {"mesh torus --tets -5", "--tets: -5 is out of range"},
        {"mesh torus --edge 0", "--edge: 0 has to be above 0"},
        {"mesh torus --coarsen 9", "--coarsen: 9 is out of range: 0 to 8"},
        {"mesh torus --threads -1", "--threads: -1 is out of range"},
        {"mesh torus --repair --min-angle 50", "--min-angle: 50 is out of range: 0 to 20"},
        {"mesh torus --repair --max-valence 2", "--max-valence: 2 is out of range: 30 to "},
        {"mesh torus --repair --tolerance -1", "--tolerance: -1 is out of range"},
        {"mesh torus --repair --repair-edge -1", "--repair-edge: -1 is out of range"},
        {"mesh torus --pattern noise", "--pattern: it goes with --fill"},
        {"mesh torus --radius 1", "--radius: it goes with --fill"},
        {"mesh torus --tets 100 --largest-radius 1", "--largest-radius: it goes with --fill"},
        {"mesh torus --seed 1", "--seed: it goes with --fill"},
        {"mesh torus --coarsen 1", "--coarsen: it goes with --tets or --edge"},
        {"mesh torus --separate-parts", "--separate-parts: it goes with --tets or --edge"},
        {"mesh torus --close-holes", "--close-holes: it goes with --tets or --edge"},
        {"mesh torus --min-angle 9", "--min-angle: it goes with --repair"},
        {"mesh torus --max-valence 50", "--max-valence: it goes with --repair"},
        {"mesh torus --tolerance 1", "--tolerance: it goes with --repair"},
        {"mesh torus --repair-edge 1", "--repair-edge: it goes with --repair"},
        {"render drop -o a.png --rate -5", "--rate: -5 has to be above 0"},
        {"render drop -o a.png --frames -1", "--frames: -1 is out of range"},
        {"render drop -o a.png --substeps -1", "--substeps: -1 is out of range"},
        {"render drop -o a.png --every 0", "--every: 0 is out of range"},
        {"render drop -o a.png --elevation 90", "--elevation: 90 is out of range: -89 to 89"},
        {"render drop -o a.png --azimuth 361", "--azimuth: 361 is out of range"},
        {"info torus --young -1", "--young: -1 has to be above 0"},
        {"info torus --poisson 0.7", "--poisson: 0.7 is out of range: 0 to 0.5"},
        {"info torus --density 0", "--density: 0 has to be above 0"},
        {"info torus --dt -1", "--dt: -1 has to be above 0"},
        {"info torus --cluster-size 0", "--cluster-size: 0 is out of range: 1 to 64"},
        {"info torus --most-colors -1", "--most-colors: -1 is out of range: 0 to 256"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_complaint(cases[i][0], 2, cases[i][1]);
}

// ---- words --------------------------------------------------------------------------------------

static const char* nearest_of(const char* wrong, const char* const* words)
{
    nearest n = nearest_to(wrong);
    for (; *words; ++words) nearest_try(&n, *words);
    return n.word;
}

static void only_words_that_are_near_are_suggested(void** state)
{
    (void)state;
    static const char* const keys[] = {"cell", "young", "color", "friction", NULL};
    assert_null(nearest_of("velocity", keys));
    assert_string_equal(nearest_of("yuong", keys), "young");
    assert_string_equal(nearest_of("colour", keys), "color");
    assert_string_equal(nearest_of("fricton", keys), "friction");
    assert_null(nearest_of("", keys));
}

static void commands_options_and_scenes_have_suggestions(void** state)
{
    (void)state;
    check_complaint("rnu drop", 2, "there is no command 'rnu'; did you mean 'run'?");
    check_complaint("walk", 2, "there is no command 'walk' (pliant");
    check_complaint("run drop --frame 2", 2, "unknown option; did you mean '--frames'?");
    check_complaint("run dorp", 1, "did you mean 'drop'?");
}

// ---- progress -----------------------------------------------------------------------------------

static void a_new_piece_of_work_counts_from_its_own_start(void** state)
{
    (void)state;
    progress p = progress_start("frames", true);
    p.start -= 100;
    progress_restart(&p);
    double seconds = p.last_shown - p.start;
    if (seconds != 0) fail_msg("%g s of the work before count", seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extensions_that_run_does_not_write_are_refused),
        cmocka_unit_test(a_slash_or_a_folder_that_is_there_makes_any_name_a_folder),
        cmocka_unit_test(options_of_files_need_a_place_for_them),
        cmocka_unit_test(folders_of_files_are_made_before_the_work_or_refused),
        cmocka_unit_test(a_missing_ffmpeg_is_told_before_the_run),
        cmocka_unit_test(moments_beyond_the_end_are_refused_with_its_time),
        cmocka_unit_test(a_run_says_what_it_wrote),
        cmocka_unit_test(a_full_standard_output_is_a_failure_of_every_command),
        cmocka_unit_test(options_out_of_range_or_place_are_refused_with_the_way_out),
        cmocka_unit_test(only_words_that_are_near_are_suggested),
        cmocka_unit_test(commands_options_and_scenes_have_suggestions),
        cmocka_unit_test(a_new_piece_of_work_counts_from_its_own_start),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
