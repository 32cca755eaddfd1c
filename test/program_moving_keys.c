// Motions of colliders that a scene asks for in vain, and what `pliant info` says of those that
// move.
#include "visual_files.h"

#include "program.h"

// What is said of a scene with one collider; "" where nothing is.
static void said_of(const char* collider, program_run* out)
{
    char text[1000], command[512];
    snprintf(text, sizeof text, "{\"dt\": 0.02, \"substeps\": 4, \"colliders\": [{%s}]}", collider);
    write_text("moving.json", text);
    snprintf(command, sizeof command, "info %s/moving.json 2>&1 >/dev/null", folder);
    run_program(command, out);
    assert_int_equal(out->status, 0);
}

static void motions_in_vain_are_told(void** state)
{
    (void)state;
    static const char nothing[] = "colliders[0].motion: it changes nothing here: it is for "
                                  "colliders that move";
    static const struct {
        const char *motion, *sentence;
    } cases[] = {
        {"\"motion\": {}", nothing},
        {"\"motion\": {\"path\": []}", nothing},
        {"\"motion\": {\"frequency\": 2}", nothing},
        {"\"motion\": {\"center\": [0, 1, 0]}", nothing},
        {"\"motion\": {\"axis\": [0, 1, 0], \"start\": 1}", nothing},
        {"\"motion\": {\"velocity\": [1, 0, 0], \"time\": 2}",
         "colliders[0].motion.time: it changes nothing here: it is for a stroke"},
        {"\"motion\": {\"velocity\": [1, 0, 0], \"axis\": [1, 0, 0]}",
         "colliders[0].motion.axis: it changes nothing here: it is for rotations"},
        {"\"motion\": {\"velocity\": [1, 0, 0], \"path\": []}",
         "colliders[0].motion.path: it changes nothing here"},
        {"\"motion\": {\"velocity\": [1, 0, 0], \"start\": 2, \"end\": 2}",
         "colliders[0].motion.end: it changes nothing here: it is for times after the start"},
        {"\"motion\": {\"stroke\": [0, 1, 0], \"frequency\": 10}",
         "colliders[0].motion.frequency: a stroke is looked up once per frame, 5 times in its "
         "period: a dt of 0.01 s would follow it"},
        {"\"motion\": {\"path\": [{\"time\": 1, \"position\": [0, 1, 0]}, {\"time\": 1.01, "
         "\"position\": [0, 0, 0]}]}",
         "colliders[0].motion.path: stops 0 and 1 are 0.01 s apart"},
        {"\"surface_velocity\": [1, 0, 0], \"friction\": 0",
         "colliders[0].surface_velocity: it changes nothing here: it is for colliders with "
         "friction"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        program_run said;
        said_of(cases[i].motion, &said);
        if (!strstr(said.text, cases[i].sentence))
            fail_msg("of %s it says \"%s\", expected \"%s\"", cases[i].motion, said.text,
                     cases[i].sentence);
    }
}

static void motions_that_move_are_not_complained_about(void** state)
{
    (void)state;
    static const char* const good[] = {
        "\"motion\": {\"velocity\": [1, 0, 0], \"start\": 1, \"end\": 2}",
        "\"motion\": {\"degrees_per_second\": 9, \"axis\": [1, 0, 0], \"center\": [0, 1, 0]}",
        "\"motion\": {\"stroke\": [0, 1, 0], \"frequency\": 4}",
        "\"motion\": {\"stroke\": [0, 1, 0], \"time\": 1}",
        "\"motion\": {\"path\": [{\"time\": 1, \"position\": [0, 1, 0]}]}",
        "\"surface_velocity\": [1, 0, 0], \"friction\": 0.5",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        program_run said;
        said_of(good[i], &said);
        if (*said.text) fail_msg("of %s it says \"%s\"", good[i], said.text);
    }
}

static void info_lists_what_moves_and_what_is_too_fast(void** state)
{
    (void)state;
    char command[512];
    write_text("fast.json",
               "{\"dt\": 0.02, \"substeps\": 4, \"colliders\": [{}, {\"shape\": \"sphere\", "
               "\"radius\": 0.1, \"surface_contacts\": \"never\", \"motion\": {\"velocity\": "
               "[99, 0, 0], \"degrees_per_second\": 5}}, {\"surface_velocity\": [1, 0, 0]}]}");
    snprintf(command, sizeof command, "info %s/fast.json --json", folder);
    json_t *root = run_json(command), *moving = json_object_get(root, "moving");
    assert_int_equal(json_array_size(moving), 2);
    json_t *ball = json_array_get(moving, 0), *belt = json_array_get(moving, 1);
    assert_int_equal(json_int_at(ball, "collider"), 1);
    assert_string_equal(json_string_value(json_object_get(ball, "motion")), "velocity, rotation");
    assert_int_equal(json_int_at(belt, "collider"), 2);
    assert_string_equal(json_string_value(json_object_get(belt, "motion")), "surface");
    json_t* finding = json_array_get(json_object_get(root, "findings"), 0);
    assert_string_equal(json_string_value(json_object_get(finding, "finding")), "fast_collider");
    assert_non_null(strstr(json_string_value(json_object_get(finding, "text")), "use 20 substeps"));
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(motions_in_vain_are_told, open_folder, close_folder),
        cmocka_unit_test_setup_teardown(motions_that_move_are_not_complained_about, open_folder,
                                        close_folder),
        cmocka_unit_test_setup_teardown(info_lists_what_moves_and_what_is_too_fast, open_folder,
                                        close_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
