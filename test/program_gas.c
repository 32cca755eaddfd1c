// Gases in scenes: temperatures of what comes, regions that start in another way, vortices.
#include "scene_text.h"
#include "staged.h"

static const stage_options plain = {1, -1, -1, -1, -1, load_mesh, NULL};

#define SCENE(body, more)                                                                          \
    "{\"gravity\": [0, 0, 0], \"substeps\": 2, \"dt\": 0.02, \"bodies\": [{" body "}]" more "}"
#define GAS                                                                                        \
    "\"gas\": {\"spacing\": 0.05}, \"heat\": {\"temperature\": 300}, \"material\": {\"density\": " \
    "1.2}"
#define BLOCK(starts)                                                                              \
    "\"mesh\": \"brick:0.5x0.5x0.5\", \"fill\": {\"spacing\": 0.05, \"pattern\": \"grid\"}, " GAS  \
    ", \"starts\": [" starts "]"

static staged open_text(const char* text) { return open_staged(text, "gas.json", plain); }

enum { MOST = 4000 };

static void what_comes_has_the_temperature_of_its_emitter(void** unused)
{
    (void)unused;
    static float warm[MOST];
    staged s = open_text(SCENE("\"mesh\": \"none\", \"capacity\": 500, " GAS,
                               ", \"emitters\": [{\"body\": 0, \"position\": [0, 1, 0], "
                               "\"velocity\": [0, 1, 0], \"radius\": 0.1, \"temperature\": 350}]"));
    CHECK_OK(stage_drive(&s.stage, 0, 0.02));
    CHECK_OK(pliant_body_read_temperatures(s.stage.world, s.stage.bodies[0].id, warm, MOST));
    int present = pliant_body_present_count(s.stage.world, s.stage.bodies[0].id), found = 0;
    for (int i = 0; i < 500; ++i) found += warm[i] == 350;
    assert_true(present > 5);
    assert_int_equal(found, present);
    close_staged(&s);
}

static void regions_start_in_their_own_way(void** unused)
{
    (void)unused;
    static float warm[MOST];
    static pliant_vec3 x[MOST], v[MOST];
    staged s = open_text(SCENE(
        BLOCK("{\"sphere\": {\"center\": [0, 0, 0], \"radius\": 0.15}, \"temperature\": 400}, "
              "{\"half_space\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}, \"velocity\": [1, "
              "2, 3]}"),
        ""));
    const pliant_body_id id = s.stage.bodies[0].id;
    int count = pliant_body_particle_count(s.stage.world, id), hot = 0, fast = 0;
    CHECK_OK(pliant_body_read_temperatures(s.stage.world, id, warm, MOST));
    CHECK_OK(pliant_body_read_positions(s.stage.world, id, x, MOST));
    CHECK_OK(pliant_body_read_velocities(s.stage.world, id, v, MOST));
    for (int i = 0; i < count; ++i) {
        bool inside = x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z <= 0.15f * 0.15f;
        assert_true(warm[i] == (inside ? 400 : 300));
        hot += inside;
        fast += v[i].x == 1 && v[i].y == 2 && v[i].z == 3;
    }
    assert_true(hot > 50 && hot < count / 4);
    assert_int_equal(fast, count / 2);
    close_staged(&s);
}

// On its axis a ring of circulation G moves the air by G R^2 / (2 (R^2 + z^2 + core^2)^(3/2)), and
// far from it as a dipole does.
static void a_vortex_moves_the_air_as_biot_and_savart_say(void** unused)
{
    (void)unused;
    const scene_vortex ring = {
        .center = {1, 2, 3}, .axis = {0, 0, 2}, .radius = 0.2, .core = 0.05, .circulation = 0.6};
    for (int i = 0; i < 4; ++i) {
        double away = 0.1 * i, v[3], square = 0.04 + away * away + 0.0025;
        const double at[3] = {1, 2, 3 + away};
        vortex_velocity(&ring, at, v);
        CHECK_CLOSE(v[2], 0.6 * 0.04 / (2 * square * sqrt(square)), 1e-9);
        assert_true(fabs(v[0]) < 1e-9);
    }
    const double far[3] = {1, 2 + 20, 3};
    double v[3];
    vortex_velocity(&ring, far, v);
    CHECK_CLOSE(v[2] / (-0.6 * 0.04 / (4 * 8000.0)), 1, 1e-3);
}

static void starts_that_make_no_sense_are_refused(void** unused)
{
    (void)unused;
    static const char text[] = SCENE("\"mesh\": \"brick:0.5x0.5x0.5\", \"radius\": 0.02, "
                                     "\"fill\": {\"spacing\": 0.05}, "
                                     "\"starts\": [{\"temperature\": 400}]",
                                     "");
    scene* parsed = parse(text);
    stage s;
    assert_int_equal(stage_create(parsed, &plain, &s), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "bodies[0].starts[0]: it has a temperature"));
    scene_destroy(parsed);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_has_the_temperature_of_its_emitter),
        cmocka_unit_test(regions_start_in_their_own_way),
        cmocka_unit_test(a_vortex_moves_the_air_as_biot_and_savart_say),
        cmocka_unit_test(starts_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
