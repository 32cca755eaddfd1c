// Joints of scenes: they hold, are told of, and wrong ones are refused with their place.
#define _POSIX_C_SOURCE 200809L
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

// A block of 8 kg under a pinned beam, and a cloth that is sewn to it.
static const char hung[] =
    "{\"frames\": 60, \"substeps\": 30, \"bodies\": ["
    "{\"mesh\": \"box6:4x2x2:0.1\", \"position\": [0, 1, 0], \"material\": {\"young\": 2e6, "
    "\"density\": 1000, \"damping\": 0.02}, \"contact\": {\"none\": true}, "
    "\"pins\": [{\"box\": {\"max\": [0.01, 9, 9]}}]},"
    "{\"mesh\": \"box6:2x2x2:0.1\", \"position\": [0.26, 0.8, 0], \"material\": {\"young\": 2e6, "
    "\"density\": 1000, \"damping\": 0.02}, \"contact\": {\"none\": true}},"
    "{\"mesh\": \"cloth:4x4:0.2x0.2\", \"position\": [0.36, 0.6, 0.1], \"contact\": {\"none\": "
    "true}}],"
    "\"joints\": [{\"name\": \"hook\", \"bodies\": [0, 1], \"at\": [0.36, 1, 0.1]},"
    "{\"bodies\": [2, 1], \"box\": {\"max\": [0.001, 9, 9]}, \"breaking_force\": 100}]}";

static const json_t* joint_of(const json_t* line, int number)
{
    return json_array_get(json_object_get(line, "joints"), (size_t)number);
}

static void a_scene_has_joints(void** state)
{
    (void)state;
    CHECK_OK(platform_write_file(in_folder("%s/scene.json"), hung, strlen(hung)));
    json_t* line = run_json(in_folder("run %s/scene.json --json --quiet | sed -n 61p"));
    const json_t *hook = joint_of(line, 0), *seam = joint_of(line, 1);
    assert_string_equal(json_string_value(json_object_get(hook, "name")), "hook");
    double down = json_number_value(json_array_get(json_object_get(hook, "force"), 1));
    CHECK_BETWEEN(-down, 8.0 * 9.81, 8.1 * 9.81); // the block, and some cloth
    CHECK_BETWEEN(json_number_value(json_object_get(hook, "gap")), 0, 1e-7);
    assert_int_equal(json_int_at(seam, "broken"), 0);
    json_decref(line);
}

// A beam of 10 kg on a hinge with the world, which a motor lifts by 30 degrees and then holds.
static void a_scene_has_hinges_and_motors(void** state)
{
    (void)state;
    static const char lifted[] =
        "{\"frames\": 90, \"substeps\": 8, \"bodies\": [{\"mesh\": \"brick:1x0.1x0.1\", \"rigid\": "
        "true, "
        "\"material\": {\"density\": 1000}, \"position\": [0.5, 1, 0]}], \"joints\": [{\"bodies\": "
        "[0], "
        "\"at\": [0, 1, 0], \"kind\": \"hinge\", \"axis\": [0, 0, 1], \"limits\": [-10, 60], "
        "\"motors\": "
        "[{\"degrees\": 0, \"degrees_per_second\": 60}, {\"start\": 0.5, \"degrees\": 30, "
        "\"degrees_per_second\": 60}, {\"start\": 1.5, \"torque\": 0}]}]}";
    CHECK_OK(platform_write_file(in_folder("%s/scene.json"), lifted, strlen(lifted)));
    json_t* line = run_json(in_folder("run %s/scene.json --json --quiet | sed -n 31p"));
    CHECK_BETWEEN(json_number_value(json_object_get(joint_of(line, 0), "angle")), -1e-9, 1e-9);
    CHECK_CLOSE(json_number_value(json_object_get(joint_of(line, 0), "motor_torque")),
                10 * 9.81 / 2, 1e-4);
    json_decref(line);
    line = run_json(in_folder("run %s/scene.json --json --quiet | sed -n 91p"));
    const json_t* joint = joint_of(line, 0);
    const double angle = 30 * 3.14159265358979 / 180;
    CHECK_CLOSE(json_number_value(json_object_get(joint, "angle")), angle, 1e-6);
    CHECK_CLOSE(json_number_value(json_object_get(joint, "motor_torque")),
                10 * 9.81 / 2 * cos(angle), 1e-3);
    CHECK_CLOSE(json_number_value(json_array_get(json_object_get(joint, "torque"), 2)),
                10 * 9.81 / 2 * cos(angle), 1e-3); // on the beam
    CHECK_CLOSE(json_number_value(json_array_get(json_object_get(joint, "force"), 1)), 10 * 9.81,
                1e-3);
    json_decref(line);
    line = run_json(in_folder("run %s/scene.json --json --quiet --frames 180 | sed -n 181p"));
    CHECK_CLOSE(json_number_value(json_object_get(joint_of(line, 0), "angle")), -angle / 3, 1e-6);
    json_decref(line);
}

static void info_lists_joints(void** state)
{
    (void)state;
    CHECK_OK(platform_write_file(in_folder("%s/scene.json"), hung, strlen(hung)));
    json_t* info = run_json(in_folder("info %s/scene.json --json"));
    const json_t *hook = joint_of(info, 0), *seam = joint_of(info, 1);
    assert_string_equal(json_string_value(json_object_get(hook, "joint")), "hook");
    assert_int_equal(json_int_at(hook, "points"), 1);
    assert_int_equal(json_int_at(seam, "points"), 15); // of 5 columns, 3
    assert_int_equal(json_int_at(seam, "body"), 2);
    json_decref(info);
}

static void wrong_joints_are_refused(void** state)
{
    (void)state;
    static const struct {
        const char *joint, *message;
    } cases[] = {
        {"{\"at\": [0, 0, 0]}", "joints[0]: the key 'bodies' is missing"},
        {"{\"bodies\": [0, 1, 0], \"at\": [0, 0, 0]}",
         "joints[0].bodies: one or two bodies are needed, not 3"},
        {"{\"bodies\": [0, 2], \"at\": [0, 0, 0]}",
         "joints[0].bodies: there is no body 2: the scene has 2"},
        {"{\"bodies\": [0, 0.5], \"at\": [0, 0, 0]}",
         "joints[0].bodies: 0.5 is not a whole number"},
        {"{\"bodies\": [1, 1], \"at\": [0, 0, 0]}",
         "joints[0].bodies: a body is joined to another one: give two different numbers"},
        {"{\"bodies\": [0, 1]}", "joints[0]: give one of 'at' and a region (box, sphere ...)"},
        {"{\"bodies\": [0, 1], \"at\": [0, 0, 0], \"box\": {}}",
         "joints[0]: give one of 'at' and a region (box, sphere ...)"},
        {"{\"bodies\": [0, 1], \"at\": [0, 0, 0], \"name\": \"a b\"}",
         "joints[0].name: up to 64 letters, digits, _ and - are needed"},
        {"{\"bodies\": [0, 1], \"at\": [0, 0, 0], \"name\": \"a\"}, "
         "{\"bodies\": [0, 1], \"at\": [0, 0, 0], \"name\": \"a\"}",
         "joints[1].name: joints[0] has this name, too"},
        {"{\"bodies\": [0, 1], \"at\": [0, 0, 0], \"limits\": [3]}",
         "joints[0].limits: two angles are needed, not 1"},
        {"{\"bodies\": [0, 1], \"at\": [0, 0, 0], \"motors\": [{\"start\": 1}, {}]}",
         "joints[0].motors[1]: it starts at 0 s, which is not after the one before it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512], message[512];
        snprintf(text, sizeof text,
                 "{\"bodies\": [{\"mesh\": \"torus\"}, {\"mesh\": \"torus\"}],\n\"joints\": [%s]}",
                 cases[i].joint);
        snprintf(message, sizeof message, "test.json:2: %s", cases[i].message);
        check_refused(text, message);
    }
    static const char copies[] = "{\"bodies\": [{\"mesh\": \"beam:1x1x1\"}, {\"mesh\": "
                                 "\"beam:1x1x1\", \"copies\": [2, 1, 1]}],"
                                 "\"joints\": [{\"bodies\": [0, 1], \"at\": [0, 0, 0]}]}";
    CHECK_OK(platform_write_file(in_folder("%s/scene.json"), copies, strlen(copies)));
    check_complaint(in_folder("run %s/scene.json"), 1, "joints[0].bodies: body 1 has 2 copies");
    static const char pinned[] = "{\"bodies\": [{\"mesh\": \"beam:1x1x1\", \"pins\": [{}]}, "
                                 "{\"mesh\": \"beam:1x1x1\", \"pins\": "
                                 "[{}]}], \"joints\": [{\"bodies\": [0, 1], \"at\": [0, 0, 0]}]}";
    CHECK_OK(platform_write_file(in_folder("%s/scene.json"), pinned, strlen(pinned)));
    check_complaint(in_folder("run %s/scene.json"), 1,
                    "joints[0]: both sides of a joint are pinned");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_has_joints),
        cmocka_unit_test(a_scene_has_hinges_and_motors),
        cmocka_unit_test(info_lists_joints),
        cmocka_unit_test(wrong_joints_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
