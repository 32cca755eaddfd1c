// The papers' experiments: tables that are kept, plots of them, and the files that they leave.
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/platform.h"
#include "bench/papers.h"
#include "folder.h"
#include "program.h"
#include "system/folder.h"

static char* read_text(const char* name)
{
    char path[256];
    void* data = NULL;
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    return (char*)data;
}

static bool is_there(const char* name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return file_exists(path);
}

static int count_of(const char* text, const char* part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; ++text) ++count;
    return count;
}

// ---- tables -------------------------------------------------------------------------------------

static const column columns[] = {{"mesh", COLUMN_TEXT, 5, 0},
                                 {"way", COLUMN_TEXT, 5, 0},
                                 {"x", COLUMN_INT, 5, 0},
                                 {"y", COLUMN_NUMBER, 5, 2},
                                 {"nothing", COLUMN_NUMBER, 5, 2}};

// Two lines of three points.
static void fill(sheet* s)
{
    sheet_begin(s, columns, 5);
    for (int i = 0; i < 6; ++i) {
        char way[16];
        snprintf(way, sizeof way, "way%d", i / 3);
        const cell row[] = {{.text = "cow"},
                            {.text = way},
                            {.number = 1 + i % 3},
                            {.number = 0.125 * (i + 1)},
                            {.number = (double)NAN}};
        sheet_add(s, row);
    }
    assert_false(s->failed);
}

static void kept_tables_tell_common_values_once(void** state)
{
    (void)state;
    sheet s = {0};
    char text[2048];
    FILE* file = tmpfile();
    fill(&s);
    table_write_markdown(&s.table[0], 4, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "In all rows: mesh cow.\n"));
    assert_non_null(strstr(text, "|way|x|y|\n|---|---|---|\n|way0|1|0.12|\n"));
    assert_non_null(strstr(text, "The first 4 of 6 rows"));
    assert_null(strstr(text, "nothing"));
    sheet_release(&s);
    assert_int_equal(pliant_allocated_bytes(), 0);
}

static void plots_have_a_line_for_each_group(void** state)
{
    (void)state;
    sheet s = {0};
    char path[128];
    const chart_def def = {"y & more", "x", "y", {"way"}, {{NULL, NULL}}, false, true};
    fill(&s);
    snprintf(path, sizeof path, "%s/plot", folder);
    CHECK_OK(chart_write(&def, &s.table[0], path));
    char* svg = read_text("plot.svg");
    assert_int_equal(count_of(svg, ">way"), 2);
    assert_int_equal(count_of(svg, "stroke-width=\"6\""), 6); // points
    assert_int_equal(count_of(svg, "y &amp; more"), 1);
    assert_true(is_there("plot.png"));
    mem_free(svg);
    sheet_release(&s);
}

static void plots_take_the_rows_that_they_name(void** state)
{
    (void)state;
    sheet s = {0};
    char path[128];
    const chart_def def = {"y", "x", "y", {"way"}, {{"way", "way1"}}, false, false};
    const chart_def none = {"y", "x", "y", {"way"}, {{"way", "way7"}}, false, false};
    fill(&s);
    snprintf(path, sizeof path, "%s/one", folder);
    CHECK_OK(chart_write(&def, &s.table[0], path));
    char* svg = read_text("one.svg");
    assert_int_equal(count_of(svg, "stroke-width=\"6\""), 3);
    mem_free(svg);
    snprintf(path, sizeof path, "%s/none", folder);
    CHECK_OK(chart_write(&none, &s.table[0], path));
    assert_false(is_there("none.svg"));
    sheet_release(&s);
}

// ---- experiments --------------------------------------------------------------------------------

static void every_experiment_has_a_name_of_its_own(void** state)
{
    (void)state;
    for (int i = 0; i < experiment_count; ++i) {
        assert_ptr_equal(experiment_named(experiments[i].name), &experiments[i]);
        assert_true(strlen(experiments[i].text) > 40);
    }
    assert_null(experiment_named("table9"));
}

static void partitions_are_drawn_and_counted(void** state)
{
    (void)state;
    char arguments[256];
    snprintf(arguments, sizeof arguments, "bench fig4 --quick --out %s", folder);
    check_status(arguments, 0);
    char *page = read_text("fig4.md"), *csv = read_text("fig4.csv");
    assert_non_null(strstr(page, "![2022, figure 4, beam-clusters](fig4-beam-clusters.png)"));
    assert_true(is_there("fig4-beam-clusters.png") && is_there("fig4-beam-colors.png"));
    assert_non_null(strstr(csv, "fig4,Beam,3780,3727,clusters,17,17,,"));
    mem_free(page);
    mem_free(csv);
}

// The claims of the paper's figure 5, and its plot.
static void coupled_constraints_calm_down_and_the_pair_does_not(void** state)
{
    (void)state;
    char arguments[256];
    snprintf(arguments, sizeof arguments, "bench fig5 --out %s", folder);
    check_status(arguments, 0);
    char* csv = read_text("fig5.csv");
    int coupled = 0, pairs = 0;
    for (char* line = strtok(csv, "\n"); line; line = strtok(NULL, "\n")) {
        double energy[4];
        const char* numbers = strstr(line, ",3780,");
        if (!numbers) continue;
        assert_int_equal(sscanf(numbers, ",3780,%lf,%lf,%lf,%lf", &energy[0], &energy[1],
                                &energy[2], &energy[3]),
                         4);
        bool pair = strstr(line, "decoupled");
        if (pair)
            CHECK_BETWEEN(energy[3] / energy[0], 0.85, 1.1);
        else
            CHECK_BETWEEN(energy[2] / energy[0], 0.4, 0.7);
        pairs += pair;
        coupled += !pair;
    }
    assert_int_equal(pairs, 2);
    assert_int_equal(coupled, 7);
    assert_true(is_there("fig5.svg") && is_there("fig5-2.csv"));
    mem_free(csv);
}

static void memory_stands_beside_the_papers(void** state)
{
    (void)state;
    json_t* row = run_json("bench table3 --quick --json 2>/dev/null");
    CHECK_BETWEEN(json_number_value(json_object_get(row, "megabytes_patches")), 0.2, 0.78);
    CHECK_CLOSE(json_number_value(json_object_get(row, "megabytes_2022")), 0.78, 1e-9);
    json_decref(row);
}

static void folders_are_asked_for_and_refused(void** state)
{
    (void)state;
    check_complaint("bench all", 2, "name a folder: --out DIR");
    check_complaint("bench cpu --out /tmp", 2, "only experiments of the papers leave files");
    check_complaint("bench table9", 2, "no such benchmark");
    check_complaint("bench fig4 --quick --out /dev/null/x", 1, "cannot be made");
}

static void missing_meshes_are_named(void** state)
{
    (void)state;
    char arguments[256];
    snprintf(arguments, sizeof arguments, "bench slides --meshes %s", folder);
    check_complaint(arguments, 0, "armadillo_162k");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_tables_tell_common_values_once),
        cmocka_unit_test(plots_have_a_line_for_each_group),
        cmocka_unit_test(plots_take_the_rows_that_they_name),
        cmocka_unit_test(every_experiment_has_a_name_of_its_own),
        numbers_test(partitions_are_drawn_and_counted),
        long_test(coupled_constraints_calm_down_and_the_pair_does_not),
        cmocka_unit_test(memory_stands_beside_the_papers),
        cmocka_unit_test(folders_are_asked_for_and_refused),
        cmocka_unit_test(missing_meshes_are_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
