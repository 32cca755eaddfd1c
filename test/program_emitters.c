// Emitters and drains of scenes: how many particles come, where they are, when they go, and that
// the same comes when a run goes on from a snapshot.
#include "failing.h"
#include "scene_text.h"
#include "staged.h"

static const stage_options plain = {1, -1, -1, -1, -1, load_mesh, NULL};

#define GRAINS(capacity) "{\"mesh\": \"none\", \"radius\": 0.01, \"capacity\": " capacity "}"
#define SCENE(bodies, more)                                                                        \
    "{\"gravity\": [0, -10, 0], \"substeps\": 4, \"dt\": 0.02, \"bodies\": [" bodies "], " more "}"
#define DOWN "\"position\": [0, 3, 0], \"velocity\": [0, -2, 0]"

static staged open_text(const char* text) { return open_staged(text, "emitters.json", plain); }

static void run_frames(staged* s, int first, int count)
{
    double dt = s->scene->dt;
    for (int i = first; i < first + count; ++i) {
        CHECK_OK(stage_drive(&s->stage, i * dt, dt));
        CHECK_OK(pliant_world_step(s->stage.world, (float)dt));
    }
}

static int present(const staged* s)
{
    return pliant_body_present_count(s->stage.world, s->stage.bodies[0].id);
}

static void count_warning(const char* text, void* context)
{
    (void)text;
    ++*(int*)context;
}

// ---- what comes ---------------------------------------------------------------------------------

// Whatever the frames.
static void as_many_come_as_the_rate_says(void** unused)
{
    (void)unused;
    static const double dt[3] = {0.02, 0.05, 0.0137};
    for (int i = 0; i < 3; ++i) {
        staged s =
            open_text(SCENE(GRAINS("2000"), "\"emitters\": [{\"body\": 0, " DOWN
                                            ", \"radius\": 0.05, \"rate\": 900, \"start\": 0.1}]"));
        s.scene->dt = dt[i];
        int frames = (int)(1 / dt[i]);
        run_frames(&s, 0, frames);
        double passed = (frames - 1) * dt[i] - 0.1, layer = 900 * 0.01;
        CHECK_CLOSE(present(&s), 900 * passed, layer + 1);
        close_staged(&s);
    }
}

// 5 x 3 places, layers a diameter apart: one at the start and 20 in 0.2 s at 2 m/s.
static void without_a_rate_every_place_sends_one(void** unused)
{
    (void)unused;
    staged s = open_text(SCENE(GRAINS("2000"), "\"emitters\": [{\"body\": 0, " DOWN
                                               ", \"size\": [0.08, 0.04], \"jitter\": 0}]"));
    run_frames(&s, 0, 11);
    assert_int_equal(present(&s), 15 * 21);
    close_staged(&s);
}

// Each is where a stone would be that left the outlet at a time of its own, 0.02 m / 3 m/s after
// the one before; substeps of 5 ms are ahead by half of one in what they fall.
static void what_comes_left_the_outlet_between_frames(void** unused)
{
    (void)unused;
    double x[600], last = 0;
    staged s = open_text(
        SCENE(GRAINS("200"), "\"emitters\": [{\"body\": 0, \"position\": [1, 3, 0], \"velocity\": "
                             "[3, 0, 0], \"radius\": 0.001, \"jitter\": 0}]"));
    run_frames(&s, 0, 20);
    int count = present(&s);
    CHECK_BETWEEN(count, 57, 58);
    CHECK_OK(pliant_body_read_positions_exact(s.stage.world, s.stage.bodies[0].id, x, 200));
    for (int i = 0; i < count; ++i) {
        double age = (x[3 * i] - 1) / 3;
        if (i) CHECK_CLOSE(last - age, 0.02 / 3, 1e-6);
        double stepped = 0.02 * floor(age / 0.02 + 1e-4);
        CHECK_CLOSE(x[3 * i + 1], 3 - 5 * age * age - 10 * 0.0025 * stepped, 1e-5);
        last = age;
    }
    close_staged(&s);
}

static void radii_are_drawn_from_their_range(void** unused)
{
    (void)unused;
    pliant_particle p[300];
    double least = 1, most = 0, sum = 0;
    staged s = open_text(SCENE(GRAINS("300"), "\"emitters\": [{\"body\": 0, " DOWN
                                              ", \"radius\": 0.2, \"particle_radius\": 0.005, "
                                              "\"largest_radius\": 0.015, \"phase\": 65537}]"));
    run_frames(&s, 0, 3);
    CHECK_OK(pliant_body_read_particles(s.stage.world, s.stage.bodies[0].id, p, 300));
    for (int i = 0; i < 300; ++i) {
        least = fmin(least, (double)p[i].radius);
        most = fmax(most, (double)p[i].radius);
        sum += (double)p[i].radius;
        assert_int_equal(p[i].phase, 65537);
    }
    CHECK_BETWEEN(least, 0.005, 0.0053);
    CHECK_BETWEEN(most, 0.0147, 0.015);
    CHECK_CLOSE(sum / 300, 0.01, 0.05);
    close_staged(&s);
}

static void nothing_comes_where_something_else_is(void** unused)
{
    (void)unused;
    int warnings = 0;
    staged s =
        open_text(SCENE(GRAINS("50"), "\"emitters\": [{\"body\": 0, " DOWN ", \"radius\": 0.05}], "
                                      "\"colliders\": [{\"shape\": \"sphere\", \"radius\": 0.2, "
                                      "\"position\": [0, 3, 0]}]"));
    pliant_set_log(count_warning, &warnings);
    run_frames(&s, 0, 5);
    pliant_set_log(NULL, NULL);
    assert_int_equal(present(&s), 0);
    assert_int_equal(warnings, 1);
    close_staged(&s);
}

static void a_full_body_takes_no_more_and_is_told_once(void** unused)
{
    (void)unused;
    int warnings = 0;
    staged s =
        open_text(SCENE(GRAINS("50"), "\"emitters\": [{\"body\": 0, " DOWN ", \"radius\": 0.05}]"));
    pliant_set_log(count_warning, &warnings);
    run_frames(&s, 0, 10);
    pliant_set_log(NULL, NULL);
    assert_int_equal(present(&s), 50);
    assert_int_equal(warnings, 1);
    close_staged(&s);
}

// ---- what goes ----------------------------------------------------------------------------------

static void lives_end(void** unused)
{
    (void)unused;
    staged s = open_text(SCENE(GRAINS("500"), "\"emitters\": [{\"body\": 0, " DOWN
                                              ", \"radius\": 0.05, \"rate\": 500, \"lifetime\": "
                                              "0.2, \"end\": 0.5}]"));
    run_frames(&s, 0, 20);
    CHECK_CLOSE(present(&s), 500 * 0.2, 15);
    run_frames(&s, 20, 20);
    assert_int_equal(present(&s), 0);
    close_staged(&s);
}

// What falls for 0.4 s from 3 m at 2 m/s is below 1.4 m.
static void what_is_in_a_drain_goes(void** unused)
{
    (void)unused;
    double x[3000];
    pliant_particle p[1000];
    staged s =
        open_text(SCENE(GRAINS("1000"), "\"emitters\": [{\"body\": 0, " DOWN
                                        ", \"radius\": 0.05, \"rate\": 500}], \"drains\": "
                                        "[{\"half_space\": {\"point\": [0, 1.4, 0], \"normal\": "
                                        "[0, 1, 0]}}]"));
    run_frames(&s, 0, 60);
    CHECK_CLOSE(present(&s), 500 * 0.4, 15);
    CHECK_OK(stage_drive(&s.stage, 60 * 0.02, 0.02));
    CHECK_OK(pliant_body_read_positions_exact(s.stage.world, s.stage.bodies[0].id, x, 1000));
    CHECK_OK(pliant_body_read_particles(s.stage.world, s.stage.bodies[0].id, p, 1000));
    for (int i = 0; i < 1000; ++i)
        if (p[i].present) CHECK_BETWEEN(x[3 * i + 1], 1.4, 3.1);
    close_staged(&s);
}

static void drains_are_of_the_bodies_that_they_name(void** unused)
{
    (void)unused;
    staged s =
        open_text(SCENE("{\"mesh\": \"grains:0.3x0.3x0.3:0.1:0\", \"capacity\": 99}, {\"mesh\": "
                        "\"grains:0.3x0.3x0.3:0.1:0\", \"capacity\": 99, \"position\": [5, 0, 0]}",
                        "\"drains\": [{\"bodies\": [1], \"start\": 0.03}]"));
    pliant_body_id second = s.stage.bodies[1].id;
    int there = present(&s);
    run_frames(&s, 0, 2);
    assert_int_equal(pliant_body_present_count(s.stage.world, second), there);
    run_frames(&s, 2, 1);
    assert_int_equal(pliant_body_present_count(s.stage.world, second), 0);
    assert_int_equal(present(&s), there);
    close_staged(&s);
}

static void held_particles_do_not_go(void** unused)
{
    (void)unused;
    int gone = 0;
    staged s = open_text(SCENE("{\"mesh\": \"grains:0.3x0.3x0.3:0.1:0\", \"capacity\": 99}, "
                               "{\"mesh\": \"box6:2x2x2:0.2\", \"position\": [0, 0, 0.5]}",
                               "\"joints\": [{\"bodies\": [0, 1], \"at\": [0, 0, 0.2]}]"));
    pliant_region all = pliant_region_defaults();
    int there = present(&s);
    CHECK_OK(pliant_body_drain(s.stage.world, s.stage.bodies[0].id, &all, &gone));
    assert_int_equal(gone, there - 1);
    assert_int_equal(present(&s), 1);
    assert_int_equal(pliant_body_drain(s.stage.world, s.stage.bodies[1].id, &all, &gone),
                     PLIANT_ERROR_ARGUMENT);
    close_staged(&s);
}

// ---- the same again -----------------------------------------------------------------------------

static const char pouring[] =
    SCENE(GRAINS("600"), "\"emitters\": [{\"body\": 0, " DOWN ", \"radius\": 0.05, \"rate\": 700, "
                         "\"lifetime\": 0.8}, {\"body\": 0, \"position\": [0.4, 2.5, 0], "
                         "\"velocity\": [-1, 0.5, 0], \"size\": [0.04, 0.04], \"rate\": 150}], "
                         "\"drains\": [{\"sphere\": {\"center\": [0, 2.2, 0], \"radius\": 0.1}}], "
                         "\"colliders\": [{\"shape\": \"plane\", \"position\": [0, 1.9, 0]}]");

static uint64_t digest_after(int frames, int resumed, int threads)
{
    stage_options options = plain;
    options.threads = threads;
    staged s = open_staged(pouring, "emitters.json", options);
    run_frames(&s, 0, resumed < 0 ? frames : resumed);
    if (resumed >= 0) {
        size_t bytes = pliant_world_snapshot_size(s.stage.world);
        void* data = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(s.stage.world, data, bytes));
        close_staged(&s);
        s = open_staged(pouring, "emitters.json", options);
        CHECK_OK(pliant_world_snapshot_restore(s.stage.world, data, bytes));
        free(data);
        run_frames(&s, resumed, frames - resumed);
    }
    uint64_t digest = get_digest(s.stage.world);
    assert_true(present(&s) > 100);
    close_staged(&s);
    return digest;
}

static void a_run_that_goes_on_from_a_snapshot_ends_with_the_same_bits(void** unused)
{
    (void)unused;
    uint64_t whole = digest_after(60, -1, 1);
    assert_int_equal(digest_after(60, 17, 1), whole);
    assert_int_equal(digest_after(60, 41, 1), whole);
    assert_int_equal(digest_after(60, -1, 3), whole);
}

// ---- what is refused ----------------------------------------------------------------------------

static void check_not_built(const char* text, const char* sentence)
{
    scene* s = parse(text);
    stage built;
    size_t held = pliant_allocated_bytes();
    assert_int_not_equal(stage_create(s, &plain, &built), PLIANT_OK);
    if (!strstr(pliant_error_text(), sentence))
        fail_msg("expected \"%s\", got \"%s\"", sentence, pliant_error_text());
    assert_int_equal(pliant_allocated_bytes(), held);
    scene_destroy(s);
}

#define EMITTER(text) SCENE(GRAINS("9"), "\"emitters\": [{" text "}]")

static void wrong_emitters_are_named_with_their_place(void** unused)
{
    (void)unused;
    check_not_built(EMITTER("\"body\": 3, " DOWN ", \"radius\": 1"),
                    "emitters[0].body: there is no body 3");
    check_not_built(
        SCENE("{\"mesh\": \"torus\"}", "\"emitters\": [{\"body\": 0, " DOWN ", \"radius\": 1}]"),
        "body 0 has no room for particles to come");
    check_not_built(SCENE("{\"mesh\": \"none\", \"radius\": 1, \"capacity\": 2, \"copies\": [2, 1, "
                          "1]}",
                          "\"emitters\": [{\"body\": 0, " DOWN ", \"radius\": 1}]"),
                    "body 0 has 2 copies");
    check_not_built(EMITTER("\"body\": 0, " DOWN), "either a radius or a size");
    check_not_built(EMITTER("\"body\": 0, " DOWN ", \"radius\": 1, \"size\": [1, 1]"),
                    "either a radius or a size");
    check_not_built(EMITTER("\"body\": 0, " DOWN ", \"size\": [1]"), "a width and a height");
    check_not_built(EMITTER("\"body\": 0, \"position\": [0, 0, 0], \"velocity\": [0, 0, 0], "
                            "\"radius\": 1"),
                    "with a velocity of 0 nothing comes out");
    check_not_built(EMITTER("\"body\": 0, " DOWN ", \"size\": [1, 1], \"across\": [0, 5, 0]"),
                    "across is along the velocity");
    check_not_built(EMITTER("\"body\": 0, " DOWN ", \"radius\": 0.05, \"largest_radius\": 0.02"),
                    "give both, the larger one last");
    check_not_built(EMITTER("\"body\": 0, " DOWN ", \"radius\": 0.01, \"rate\": 5000"),
                    "a rate of 5000 1/s does not fit through");
    check_not_built(EMITTER("\"body\": 0, " DOWN ", \"radius\": 1e6"), "places at a spacing of");
    check_not_built(EMITTER("\"body\": 0, \"position\": [0, 0, 0], \"velocity\": [0, 1e6, 0], "
                            "\"radius\": 1"),
                    "places pass the outlet in a frame");
}

static void wrong_drains_are_named_with_their_place(void** unused)
{
    (void)unused;
    check_not_built(SCENE(GRAINS("9"), "\"drains\": [{\"bodies\": [1]}]"),
                    "drains[0].bodies: there is no body 1");
    check_not_built(SCENE("{\"mesh\": \"torus\"}", "\"drains\": [{\"bodies\": [0]}]"),
                    "body 0 cannot lose particles");
    check_not_built(SCENE("{\"mesh\": \"torus\"}", "\"drains\": [{}]"),
                    "drains[0]: no body can lose particles");
    check_not_built(SCENE(GRAINS("9"), "\"drains\": [{\"box\": {\"min\": [1, 0, 0], \"max\": [0, "
                                       "0, 0]}}]"),
                    "drains[0]: the box of a region is empty");
}

static pliant_result pour(const void* text)
{
    scene* s = NULL;
    stage built = {0};
    pliant_result result = scene_parse(text, strlen((const char*)text), "test.json", &s);
    if (!result) result = stage_create(s, &plain, &built);
    if (!result) result = stage_drive(&built, 0, 0.02);
    if (!result) result = stage_drive(&built, 0.02, 0.02);
    if (built.world) stage_destroy(&built);
    scene_destroy(s);
    return result;
}

static void emitters_survive_every_failed_allocation(void** unused)
{
    (void)unused;
    assert_true(check_some_failures(pour, pouring, 1) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_come_as_the_rate_says),
        cmocka_unit_test(without_a_rate_every_place_sends_one),
        cmocka_unit_test(what_comes_left_the_outlet_between_frames),
        cmocka_unit_test(radii_are_drawn_from_their_range),
        cmocka_unit_test(nothing_comes_where_something_else_is),
        cmocka_unit_test(a_full_body_takes_no_more_and_is_told_once),
        cmocka_unit_test(lives_end),
        cmocka_unit_test(what_is_in_a_drain_goes),
        cmocka_unit_test(drains_are_of_the_bodies_that_they_name),
        cmocka_unit_test(held_particles_do_not_go),
        cmocka_unit_test(a_run_that_goes_on_from_a_snapshot_ends_with_the_same_bits),
        cmocka_unit_test(wrong_emitters_are_named_with_their_place),
        cmocka_unit_test(wrong_drains_are_named_with_their_place),
        cmocka_unit_test(emitters_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
