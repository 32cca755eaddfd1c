// What a run tells about itself: --stats, on a terminal and elsewhere, and plots in text.
#define _POSIX_C_SOURCE 200809L
#include "plot.h"
#include "program.h"
#include "stats.h"

#include "load.h"
#include "scene/scene.h"

// ---- plots --------------------------------------------------------------------------------------

static int count_of(const char* text, const char* part)
{
    int count = 0;
    while ((text = strstr(text, part)) != NULL) ++count, ++text;
    return count;
}

static void a_plot_of_a_ramp_has_every_level(void** state)
{
    (void)state;
    double ramp[PLOT_COLUMNS];
    char upper[256], lower[256];
    for (int i = 0; i < PLOT_COLUMNS; ++i) ramp[i] = i;
    plot_row(ramp, 0, PLOT_COLUMNS - 1, 0, 2, true, upper, sizeof upper);
    plot_row(ramp, 0, PLOT_COLUMNS - 1, 1, 2, true, lower, sizeof lower);
    assert_int_equal(count_of(upper, " "), PLOT_COLUMNS / 2 + 2);
    assert_int_equal(count_of(lower, " "), 0);
    assert_int_equal(count_of(lower, "\u2588"), PLOT_COLUMNS / 2 + 2);
    static const char* const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    for (int i = 0; i < 8; ++i) assert_true(strstr(upper, blocks[i]) && strstr(lower, blocks[i]));
    plot_row(ramp, 0, PLOT_COLUMNS - 1, 0, 1, false, upper, sizeof upper);
    assert_int_equal(strlen(upper), PLOT_COLUMNS);
    assert_int_equal(count_of(upper, ".") + count_of(upper, ":") + count_of(upper, "|"),
                     PLOT_COLUMNS);
}

static void a_plot_without_range_or_numbers_is_a_line(void** state)
{
    (void)state;
    double same[PLOT_COLUMNS];
    char text[256];
    for (int i = 0; i < PLOT_COLUMNS; ++i) same[i] = i % 2 ? 3 : NAN;
    plot_row(same, 3, 3, 0, 1, false, text, sizeof text);
    assert_int_equal(count_of(text, "."), PLOT_COLUMNS);
}

static void samples_at_uneven_times_keep_their_places(void** state)
{
    (void)state;
    const double time[] = {0, 1, 10}, value[] = {0, 1, 10}, lone[] = {7};
    double column[PLOT_COLUMNS];
    plot_resample(time, value, 3, column);
    for (int i = 0; i < PLOT_COLUMNS; ++i)
        CHECK_CLOSE(column[i], (i + 0.5) / PLOT_COLUMNS * 10, 1e-12);
    plot_resample(time, lone, 1, column);
    for (int i = 0; i < PLOT_COLUMNS; ++i) CHECK_CLOSE(column[i], 7, 0);
}

static void the_locale_decides_about_unicode(void** state)
{
    (void)state;
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    setenv("LANG", "de_DE.UTF-8", 1);
    assert_true(plot_has_unicode());
    setenv("LC_CTYPE", "en_US.utf8", 1);
    assert_true(plot_has_unicode());
    setenv("LC_ALL", "C", 1);
    assert_false(plot_has_unicode());
    setenv("LC_ALL", "de_DE.ISO-8859-1", 1);
    assert_false(plot_has_unicode());
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
}

// ---- the worst element --------------------------------------------------------------------------

static void the_worst_element_is_the_one_that_was_moved(void** state)
{
    (void)state;
    static const char text[] =
        "{\"bodies\": [{\"mesh\": \"rope:3:5\"}, {\"mesh\": \"beam:3x1x1\"}]}";
    const stage_options options = {1, -1, -1, -1, -1, load_mesh, NULL};
    scene* s = NULL;
    stage st;
    stats told;
    CHECK_OK(scene_parse(text, strlen(text), "two.json", &s));
    CHECK_OK(stage_create(s, &options, &st));
    stats_begin(&told, &st);
    stats_sample(&told, true);
    CHECK_BETWEEN(told.worst.strain, 0, 1e-6);
    assert_int_equal(told.worst.inverted, 0);
    double x[3 * 16];
    int count = pliant_body_particle_count(st.world, st.bodies[1].id);
    CHECK_OK(pliant_body_read_positions_exact(st.world, st.bodies[1].id, x, 16));
    assert_int_equal(count, 16);
    x[3 * 15] -= 0.5; // the last corner, far through its tets
    pliant_body_write_positions_exact(st.world, st.bodies[1].id, x, count);
    stats_sample(&told, true);
    assert_string_equal(told.worst.kind, "tet");
    assert_int_equal(told.worst.body, 1);
    assert_true(told.worst.inverted >= 1);
    const int* corner = pliant_mesh_view(st.entries[1].mesh).tets + 4 * told.worst.number;
    assert_true(corner[0] == 15 || corner[1] == 15 || corner[2] == 15 || corner[3] == 15);
    assert_int_equal(told.count, 2);
    stats_release(&told);
    stage_destroy(&st);
    scene_destroy(s);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

// ---- runs ---------------------------------------------------------------------------------------

static void the_summary_has_shares_of_time_and_a_plot(void** state)
{
    (void)state;
    program_run run;
    setenv("LC_ALL", "C.UTF-8", 1);
    run_program("run slope --frames 20 --stats", &run);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.text, "  20 steps; time: "));
    assert_non_null(strstr(run.text, "sweep "));
    assert_non_null(strstr(run.text, "worst: tet "));
    assert_non_null(strstr(run.text, "energies [J] from 0 s to 0.3333 s:"));
    assert_non_null(strstr(run.text, "\u2588"));
    setenv("LC_ALL", "C", 1);
    run_program("run slope --frames 20 --stats", &run);
    for (const char* c = run.text; *c; ++c) assert_true((unsigned char)*c < 128);
    assert_non_null(strstr(run.text, "|||"));
    unsetenv("LC_ALL");
}

static void with_json_the_summary_does_not_mix_with_it(void** state)
{
    (void)state;
    program_run run;
    run_program("run slope --frames 3 --stats --json 2>/dev/null", &run);
    assert_int_equal(count_of(run.text, "\n"), 5);
    assert_null(strstr(run.text, "steps; time"));
    run_program("run slope --frames 3 --stats --json 2>&1 >/dev/null", &run);
    assert_non_null(strstr(run.text, "3 steps; time"));
    run_program("run slope --frames 3 --stats --quiet 2>&1", &run);
    assert_string_equal(run.text, "");
}

static void looking_does_not_change_the_run(void** state)
{
    (void)state;
    program_run run;
    char digest[2][64];
    for (int i = 0; i < 2; ++i) {
        run_program(i ? "run slope --frames 10 --stats" : "run slope --frames 10", &run);
        const char* at = strstr(run.text, "digest ");
        assert_non_null(at);
        snprintf(digest[i], sizeof digest[i], "%.23s", at);
    }
    assert_string_equal(digest[0], digest[1]);
}

// On a terminal, by script(1), the lines are written over and over.
static void on_a_terminal_the_lines_stay_in_place(void** state)
{
    (void)state;
    program_run run;
    if (system("command -v script >/dev/null && command -v stty >/dev/null") != 0) {
        print_message("skipped: no script(1) here\n");
        skip();
    }
    char command[512];
    snprintf(command, sizeof command,
             "--version >/dev/null; script -qec \"stty cols 60; '%s' run hanging-beam --frames %d "
             "--threads 1 --stats\" "
             "/dev/null </dev/null",
             PROGRAM, by_scope(40, 200, 200));
    run_program(command, &run);
    const char* bar = strstr(run.text, "[#");
    assert_non_null(bar);
    assert_non_null(strstr(run.text, "energy "));
    assert_non_null(strstr(run.text, "\033[3A")); // up to the bar again
    assert_non_null(strstr(run.text, "\033[J"));  // and all away at the end
    const char* end = strchr(bar, '\033');
    assert_true(end && end - bar <= 59); // no line is broken by the terminal
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plot_of_a_ramp_has_every_level),
        cmocka_unit_test(a_plot_without_range_or_numbers_is_a_line),
        cmocka_unit_test(samples_at_uneven_times_keep_their_places),
        cmocka_unit_test(the_locale_decides_about_unicode),
        cmocka_unit_test(the_worst_element_is_the_one_that_was_moved),
        cmocka_unit_test(the_summary_has_shares_of_time_and_a_plot),
        cmocka_unit_test(with_json_the_summary_does_not_mix_with_it),
        cmocka_unit_test(looking_does_not_change_the_run),
        cmocka_unit_test(on_a_terminal_the_lines_stay_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
