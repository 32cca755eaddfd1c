// The short forms of the benchmarks: rows that a script can read, with the keys that it looks for.
#define _POSIX_C_SOURCE 200809L // popen
#include "base/platform.h"
#include "program.h"

enum { MOST_ROWS = 32 };

typedef struct {
    json_t* row[MOST_ROWS];
    int count;
} table;

static table run_bench(const char* name)
{
    program_run run;
    table t = {.count = 0};
    char arguments[128];
    snprintf(arguments, sizeof arguments, "bench %s --quick --json 2>/dev/null", name);
    run_program(arguments, &run);
    if (run.status != 0) fail_msg("bench %s left with %d: %s", name, run.status, run.text);
    for (char* line = strtok(run.text, "\n"); line; line = strtok(NULL, "\n")) {
        assert_true(t.count < MOST_ROWS);
        t.row[t.count] = json_loads(line, 0, NULL);
        if (!t.row[t.count]) fail_msg("not JSON: %s", line);
        ++t.count;
    }
    return t;
}

static void release(table* t)
{
    for (int i = 0; i < t->count; ++i) json_decref(t->row[i]);
}

static const char* text_at(const json_t* row, const char* key)
{
    const char* text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

static double number_at(const json_t* row, const char* key)
{
    const json_t* value = json_object_get(row, key);
    return value ? json_number_value(value) : (double)NAN;
}

// `keys` are separated by blanks.
static void check_keys(const json_t* row, const char* keys)
{
    char list[512];
    snprintf(list, sizeof list, "%s", keys);
    for (char* key = strtok(list, " "); key; key = strtok(NULL, " "))
        if (!json_object_get(row, key)) fail_msg("a row has no \"%s\"", key);
}

static const json_t* find_row(const table* t, const char* schedule, int threads)
{
    for (int i = 0; i < t->count; ++i)
        if (strcmp(text_at(t->row[i], "schedule"), schedule) == 0 &&
            json_int_at(t->row[i], "threads") == threads)
            return t->row[i];
    fail_msg("no row has the schedule %s and %d threads", schedule, threads);
    return NULL;
}

static void cpu_has_every_schedule_and_the_rival(void** state)
{
    (void)state;
    table t = run_bench("cpu");
    int cores = platform_core_count();
    assert_int_equal(t.count, cores > 1 ? 9 : 5);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench mesh tets schedule threads lanes substeps patches ms_per_step "
                             "us_per_ktet ratio");
        assert_true(number_at(t.row[i], "us_per_ktet") > 0);
    }
    check_keys(find_row(&t, "patched", 1), "formulation colors copies shared");
    CHECK_CLOSE(number_at(find_row(&t, "serial", 1), "ratio"), 1, 1e-9);
    assert_int_equal(json_int_at(find_row(&t, "serial", 1), "lanes"), 1);
    if (cores > 1) check_keys(find_row(&t, "explicit", cores), "scaling");
    release(&t);
}

static void cpu_ends_with_a_verdict(void** state)
{
    (void)state;
    program_run run;
    run_program("bench cpu --quick 2>/dev/null", &run);
    assert_int_equal(run.status, 0);
    const char* verdict = strstr(run.text, "wanted:");
    assert_non_null(verdict);
    assert_true(strstr(verdict, "met") || strstr(verdict, "MISSED"));
}

static void converge_finds_counts_within_one_percent(void** state)
{
    (void)state;
    table t = run_bench("converge");
    assert_int_equal(t.count, 2);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench mesh tets schedule threads lanes reference energy_expected "
                             "substeps error ms_per_step ms_one_thread auto_substeps auto_error "
                             "auto_ms auto_ms_one_thread factor");
        CHECK_BETWEEN(number_at(t.row[i], "error"), 0, 1);
        CHECK_BETWEEN(number_at(t.row[i], "auto_error"), 0, 1);
        CHECK_BETWEEN(number_at(t.row[i], "substeps"), 5, number_at(t.row[i], "auto_substeps"));
    }
    release(&t);
}

static void patches_have_errors_and_speeds(void** state)
{
    (void)state;
    table t = run_bench("patches");
    assert_int_equal(t.count, 4);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench mesh tets schedule formulation interface patch_rows substeps "
                             "patches copies shared tip_error error us_per_ktet us_all_threads");
        CHECK_BETWEEN(number_at(t.row[i], "error"), 0, 10);
    }
    release(&t);
}

static void mesher_has_angles_volumes_and_distances(void** state)
{
    (void)state;
    table t = run_bench("mesher");
    assert_int_equal(t.count, 2);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench mesh triangles target tets seconds min_dihedral max_valence "
                             "colors parts volume_error distance missed");
        CHECK_BETWEEN(number_at(t.row[i], "min_dihedral"), 8, 90);
        CHECK_BETWEEN(number_at(t.row[i], "volume_error"), -1, 1);
        CHECK_BETWEEN(number_at(t.row[i], "distance"), 0, 0.5);
    }
    release(&t);
}

static void the_claims_of_the_figures_hold(void** state)
{
    (void)state;
    table t = run_bench("figures");
    assert_int_equal(t.count, 8);
    for (int i = 0; i < t.count; ++i) assert_string_equal(text_at(t.row[i], "verdict"), "pass");
    release(&t);
}

// Gauss-Seidel in few iterations, Jacobi in many; the center of mass stays where masses are split,
// and moves with the published hybrid.
static void solvers_of_the_papers_come_to_the_same_residual(void** state)
{
    (void)state;
    table t = run_bench("pbd");
    double colored = 0;
    assert_int_equal(t.count, 21);
    for (int i = 0; i < t.count; ++i) {
        const json_t* row = t.row[i];
        check_keys(row, "bench part mesh particles constraints clique start schedule colors "
                        "iterations residual ms");
        assert_int_equal(json_int_at(row, "constraints"), 1121);
        bool same = strcmp(text_at(row, "part"), "same") == 0;
        bool duplicate = strcmp(text_at(row, "merge"), "duplicate") == 0;
        const char* schedule = text_at(row, "schedule");
        if (same && strcmp(schedule, "colored") == 0) colored = number_at(row, "iterations");
        if (same && strcmp(schedule, "jacobi") == 0)
            CHECK_BETWEEN(number_at(row, "iterations"), 3 * colored, 20 * colored);
        if (!same && !duplicate) CHECK_BETWEEN(number_at(row, "shift"), 0, 1e-3);
        if (!same && duplicate && strcmp(schedule, "hybrid") == 0)
            CHECK_BETWEEN(number_at(row, "shift"), 1, 100);
    }
    release(&t);
}

// Generated scenes and those of the papers side by side.
static void scenes_of_the_papers_have_their_counts_and_colors(void** state)
{
    (void)state;
    table t = run_bench("pbd --section scenes");
    assert_true(t.count >= 4);
    for (int i = 0; i < t.count; ++i)
        check_keys(t.row[i], "bench section scene paper mesh bodies particles stretch "
                             "colors_stretch colors_in_one_graph largest_clique");
    assert_string_equal(text_at(t.row[0], "scene"), "cloth");
    check_keys(t.row[0], "bend paper_particles paper_stretch paper_bend");
    assert_int_equal(json_int_at(t.row[0], "colors_stretch"),
                     json_int_at(t.row[0], "paper_colors_stretch"));
    assert_int_equal(json_int_at(t.row[0], "colors_bend"),
                     json_int_at(t.row[0], "paper_colors_bend"));
    release(&t);
}

static void phantoms_keep_to_the_colors_that_they_are_given(void** state)
{
    (void)state;
    table t = run_bench("pbd --section phantoms");
    assert_int_equal(t.count, 8);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "mesh particles tets largest_clique schedule colors largest_color "
                             "smallest_color seconds");
        if (strcmp(text_at(t.row[i], "schedule"), "phantom") != 0) continue;
        CHECK_BETWEEN(number_at(t.row[i], "colors"), 1, number_at(t.row[i], "most_colors"));
        assert_true(number_at(t.row[i], "share") > 0);
    }
    release(&t);
}

static void frames_have_launches_and_the_paper_beside_them(void** state)
{
    (void)state;
    table t = run_bench("pbd --section frames");
    int ways = 8, threads = platform_core_count() > 1 ? 2 : 1;
    assert_int_equal(t.count, ways * threads);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "scene method bodies particles constraints iterations colors launches "
                             "threads ms_per_frame fps ns_per_constraint");
        assert_true(number_at(t.row[i], "fps") > 0);
    }
    // A kernel per color and iteration, and one each for prediction, update and contacts.
    assert_int_equal(json_int_at(t.row[0], "paper_launches"), 208);
    assert_int_equal(json_int_at(t.row[0], "launches"), 208 + 2 + 8);
    CHECK_CLOSE(number_at(t.row[0], "paper_fps"), 25, 1e-9);
    release(&t);
}

static void split_copies_keep_the_momentum_and_duplicates_do_not(void** state)
{
    (void)state;
    table t = run_bench("pbd --section momentum");
    assert_int_equal(t.count, 11);
    for (int i = 0; i < t.count; ++i) {
        bool duplicate = strcmp(text_at(t.row[i], "merge"), "duplicate") == 0;
        CHECK_BETWEEN(number_at(t.row[i], "momentum"), duplicate ? 1e-4 : 0, duplicate ? 1 : 1e-6);
    }
    release(&t);
}

static void other_sections_of_the_papers_have_rows(void** state)
{
    (void)state;
    table kernels = run_bench("pbd --section kernels"), lanes = run_bench("pbd --section lanes");
    table error = run_bench("pbd --section error");
    assert_true(kernels.count >= 2);
    check_keys(kernels.row[0], "constraints paper_constraints launches paper_launches paper_ms");
    assert_true(lanes.count >= 2);
    check_keys(lanes.row[0], "lanes ns_per_constraint ns_in_sweeps ratio");
    assert_true(error.count >= 4);
    check_keys(error.row[1], "colors share error converged");
    assert_true(number_at(error.row[2], "error") > number_at(error.row[1], "error"));
    release(&kernels);
    release(&lanes);
    release(&error);
}

// Figure 4 of 2013: Jacobi's cube is the softer one, with three times the iterations.
static void gauss_seidel_holds_a_falling_cube_better_than_jacobi(void** state)
{
    (void)state;
    table t = run_bench("pbd --section fall");
    assert_int_equal(t.count, 6);
    check_keys(t.row[0], "solver constraints iterations paper_iterations ms_per_frame lowest");
    assert_string_equal(text_at(t.row[0], "solver"), "gauss_seidel");
    assert_string_equal(text_at(t.row[2], "solver"), "jacobi");
    assert_int_equal(json_int_at(t.row[0], "iterations"), 8);
    assert_int_equal(json_int_at(t.row[2], "iterations"), 24);
    CHECK_BETWEEN(number_at(t.row[0], "lowest"), 80, 100);
    CHECK_BETWEEN(number_at(t.row[2], "lowest"), 10, 70);
    assert_true(number_at(t.row[2], "residual") > number_at(t.row[0], "residual"));
    release(&t);
}

static bool has_gpu(void)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.backend = PLIANT_BACKEND_CUDA;
    bool has = pliant_world_create(&def, &world) == PLIANT_OK;
    pliant_world_destroy(world);
    return has;
}

// Within 1.5 %, or told with a number of substeps that is. The first two are within it by
// themselves: elements know of the contacts that push after them.
static void automatic_substeps_of_a_lying_body_keep_their_word(void** state)
{
    (void)state;
    table t = run_bench("poses --only lying");
    assert_int_equal(t.count, 5);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench mesh elements pose formulation substeps energy_expected error "
                             "unresolved advised advised_error");
        bool told = json_is_number(json_object_get(t.row[i], "advised"));
        double error = number_at(t.row[i], "error");
        double promised = told ? number_at(t.row[i], "advised_error") : error;
        if (!(fabs(promised) < 1.5) || (i < 2 && !(fabs(error) < 1.5)))
            fail_msg("%s: %g %% off, %g %% %s", text_at(t.row[i], "formulation"), error, promised,
                     told ? "with the number advised" : "and nothing told");
    }
    release(&t);
}

static void without_a_gpu_its_benchmark_says_why(void** state)
{
    (void)state;
    program_run run;
    if (has_gpu()) skip();
    run_program("bench gpu 2>&1", &run);
    assert_int_equal(run.status, 1);
    if (!strstr(run.text, "backend cpu")) fail_msg("no way out in: %s", run.text);
    run_program("bench gpu --section nowhere 2>&1", &run);
    assert_int_equal(run.status, 2);
    if (!strstr(run.text, "table2")) fail_msg("no choices in: %s", run.text);
    run_program("bench pbd --backend cuda 2>&1", &run);
    assert_int_equal(run.status, 1);
    if (!strstr(run.text, "backend cpu")) fail_msg("no way out in: %s", run.text);
    run_program("bench pbd --backend cuda --section lanes 2>&1", &run);
    assert_int_equal(run.status, 2);
}

static void a_gpu_is_timed_in_every_way(void** state)
{
    (void)state;
    if (!has_gpu()) skip();
    table t = run_bench("gpu --meshes /");
    assert_int_equal(t.count, 16);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench mesh bodies tets schedule formulation substeps colors patches "
                             "ms_per_step gtets_per_s bytes_per_tet floor_percent ratio");
        assert_true(number_at(t.row[i], "ms_per_step") > 0);
    }
    release(&t);
}

static void bodies_that_fall_on_each_other_do_not_cross(void** state)
{
    (void)state;
    table t = run_bench("contact --unguarded");
    assert_int_equal(t.count, 6);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench scene backend bodies triangles substeps near_pairs contacts "
                             "ms_per_step find_ms solve_ms guard_ms sweep_ms ratio crossings "
                             "crossings_without crossings_unguarded deepest guard_rounds stopped "
                             "guarded_share squeezed "
                             "guarded");
        assert_true(number_at(t.row[i], "contacts") > 0);
        CHECK_BETWEEN(number_at(t.row[i], "crossings"), 0, 0);
    }
    assert_true(number_at(t.row[0], "crossings_without") > 0);   // they would,
    assert_true(number_at(t.row[2], "crossings_unguarded") > 0); // and with contacts alone
    release(&t);
}

static void large_scenes_of_contacts_run_where_they_are_asked_for(void** state)
{
    (void)state;
    table t = run_bench("contact --only cloth-stack");
    assert_int_equal(t.count, 1);
    assert_string_equal(text_at(t.row[0], "scene"), "cloth-stack");
    assert_true(number_at(t.row[0], "crossings_without") > 0);
    release(&t);
}

static void check_physics(const char* section, int count)
{
    char name[64];
    snprintf(name, sizeof name, "physics --section %s", section);
    table t = run_bench(name);
    assert_int_equal(t.count, count);
    for (int i = 0; i < t.count; ++i) {
        check_keys(t.row[i], "bench case quantity expected value error bound pass");
        assert_string_equal(text_at(t.row[i], "pass"), "pass");
    }
    release(&t);
}

static void touching_bodies_keep_the_laws_of_solids(void** state)
{
    (void)state;
    check_physics("slide", 3);
    check_physics("links", 4);
    check_physics("rigid_slide", 3);
    check_physics("rigid_stop", 3);
    check_physics("rigid_collide", 18);
    if (scope_now() < ALL) return;
    check_physics("stack", 5);
    check_physics("press", 4);
    check_physics("squeeze", 2);
}

static void a_wrong_section_of_the_physics_lists_them(void** state)
{
    (void)state;
    program_run run;
    run_program("bench physics --section no_such 2>&1", &run);
    assert_int_equal(run.status, 2);
    if (!strstr(run.text, "bounce")) fail_msg("no choices in: %s", run.text);
    run_program("bench contact --section no_such 2>&1", &run);
    assert_int_equal(run.status, 2);
    if (!strstr(run.text, "sheets")) fail_msg("no choices in: %s", run.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(cpu_has_every_schedule_and_the_rival),
        long_test(cpu_ends_with_a_verdict),
        long_test(converge_finds_counts_within_one_percent),
        long_test(patches_have_errors_and_speeds),
        numbers_test(mesher_has_angles_volumes_and_distances),
        long_test(the_claims_of_the_figures_hold),
        numbers_test(solvers_of_the_papers_come_to_the_same_residual),
        long_test(scenes_of_the_papers_have_their_counts_and_colors),
        numbers_test(phantoms_keep_to_the_colors_that_they_are_given),
        long_test(frames_have_launches_and_the_paper_beside_them),
        numbers_test(split_copies_keep_the_momentum_and_duplicates_do_not),
        long_test(other_sections_of_the_papers_have_rows),
        long_test(gauss_seidel_holds_a_falling_cube_better_than_jacobi),
        long_test(automatic_substeps_of_a_lying_body_keep_their_word),
        numbers_test(bodies_that_fall_on_each_other_do_not_cross),
        numbers_test(touching_bodies_keep_the_laws_of_solids),
        long_test(large_scenes_of_contacts_run_where_they_are_asked_for),
        cmocka_unit_test(a_wrong_section_of_the_physics_lists_them),
        cmocka_unit_test(without_a_gpu_its_benchmark_says_why),
        cmocka_unit_test(a_gpu_is_timed_in_every_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
