// Colliders that a scene moves.
#include "load.h"
#include "scene/stage.h"
#include "scene_text.h"

static const stage_options plain = {1, -1, -1, -1, -1, load_mesh, NULL};

// A scene of one collider, and where that is after some steps of 0.1 s.
typedef struct {
    scene* scene;
    stage stage;
    int steps; // done
} run;

static run start(const char* collider)
{
    char text[1000];
    run r = {0};
    snprintf(text, sizeof text, "{\"dt\": 0.1, \"substeps\": 4, \"colliders\": [%s]}", collider);
    r.scene = parse(text);
    CHECK_OK(stage_create(r.scene, &plain, &r.stage));
    return r;
}

static pliant_collider_info at_step(run* r, int number)
{
    for (; r->steps < number; ++r->steps) {
        CHECK_OK(stage_drive(&r->stage, 0.1 * r->steps, 0.1));
        CHECK_OK(pliant_world_step(r->stage.world, 0.1f));
    }
    return get_collider(r->stage.world, r->stage.colliders[0]);
}

static void finish(run* r)
{
    stage_destroy(&r->stage);
    scene_destroy(r->scene);
}

static void check_place(const pliant_collider_info* info, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) CHECK_BETWEEN(info->position[k] - expected[k], -1e-5, 1e-5);
}

static void turntables_turn_while_they_are_told(void** state)
{
    (void)state;
    run r = start("{\"shape\": \"box\", \"motion\": {\"axis\": [0, 2, 0], \"degrees_per_second\": "
                  "90, \"start\": 0.5, \"end\": 1.5}}");
    pliant_collider_info info = at_step(&r, 5);
    CHECK_CLOSE(info.rotation.w, 1, 1e-7);
    info = at_step(&r, 10); // 45 degrees
    CHECK_CLOSE(info.rotation.y, sin(acos(-1) / 8), 1e-5);
    CHECK_CLOSE(info.angular_velocity.y, acos(-1) / 2, 1e-5);
    info = at_step(&r, 20);
    CHECK_CLOSE(info.rotation.y, sqrt(0.5), 1e-5);
    CHECK_BETWEEN(info.angular_velocity.y, 0, 0);
    finish(&r);
    // About a point beside it: as a whole.
    r = start("{\"shape\": \"box\", \"position\": [2, 0, 0], \"motion\": {\"axis\": [0, 0, 1], "
              "\"degrees_per_second\": 45, \"center\": [1, 0, 0]}}");
    info = at_step(&r, 20);
    check_place(&info, 1, 1, 0);
    CHECK_CLOSE(info.rotation.z, sqrt(0.5), 1e-5);
    finish(&r);
    // More than half a turn in a step.
    r = start("{\"shape\": \"sphere\", \"motion\": {\"degrees_per_second\": 3600}}");
    info = at_step(&r, 1);
    CHECK_CLOSE(info.angular_velocity.y, 20 * acos(-1), 1e-5);
    finish(&r);
}

static void pistons_go_there_and_back_and_presses_once(void** state)
{
    (void)state;
    run r =
        start("{\"shape\": \"box\", \"position\": [0, 1, 0], \"motion\": {\"stroke\": [0, -0.4, "
              "0], \"frequency\": 0.5}}");
    pliant_collider_info info = at_step(&r, 5);
    check_place(&info, 0, 0.8, 0);
    info = at_step(&r, 10);
    check_place(&info, 0, 0.6, 0);
    info = at_step(&r, 20);
    check_place(&info, 0, 1, 0);
    finish(&r);
    r = start("{\"shape\": \"plane\", \"motion\": {\"stroke\": [0, 0.4, 0], \"time\": 2, "
              "\"start\": 1, \"velocity\": [0.1, 0, 0]}}");
    info = at_step(&r, 20);
    check_place(&info, 0.1, 0.2, 0);
    info = at_step(&r, 40);
    check_place(&info, 0.3, 0.4, 0);
    finish(&r);
}

static void paths_lead_from_stop_to_stop(void** state)
{
    (void)state;
    run r = start("{\"shape\": \"box\", \"motion\": {\"path\": [{\"time\": 1, \"position\": [1, 0, "
                  "0]}, {\"time\": 2, \"position\": [1, 2, 0], \"rotation\": {\"axis\": [1, 0, 0], "
                  "\"degrees\": 120}}]}}");
    pliant_collider_info info = at_step(&r, 5);
    check_place(&info, 0.5, 0, 0);
    info = at_step(&r, 15);
    check_place(&info, 1, 1, 0);
    CHECK_CLOSE(info.rotation.x, 0.5, 1e-5); // 60 degrees
    CHECK_CLOSE(info.velocity.y, 2, 1e-5);
    info = at_step(&r, 30);
    check_place(&info, 1, 2, 0);
    CHECK_BETWEEN(info.velocity.y, -1e-9, 1e-9);
    finish(&r);
}

static void belts_have_the_velocity_of_their_surface(void** state)
{
    (void)state;
    run r = start("{\"shape\": \"box\", \"surface_velocity\": [1, 2, 3], "
                  "\"surface_angular_velocity\": [0, 4, 0]}");
    pliant_collider_info info = at_step(&r, 2);
    check_place(&info, 0, 0, 0);
    CHECK_CLOSE(info.surface_velocity.z, 3, 1e-9);
    CHECK_CLOSE(info.surface_angular_velocity.y, 4, 1e-9);
    finish(&r);
}

static void what_contradicts_itself_is_refused_with_its_line(void** state)
{
    (void)state;
    check_refused(
        "{\"colliders\": [{\"motion\": {\"path\": [\n{\"time\": 1, \"position\": [0, 0, "
        "0]},\n{\"time\": 1, \"position\": [1, 0, 0]}]}}]}",
        "test.json:3: colliders[0].motion.path[1].time: 1 s is not after 1 s, the time of "
        "the stop before: times ascend");
    check_refused("{\"colliders\": [\n{\"motion\": {\"stroke\": [0, 1, 0]}}]}",
                  "test.json:2: colliders[0].motion: a stroke needs one of 'frequency' (there and "
                  "back) and 'time' (once)");
    check_refused("{\"colliders\": [\n{\"motion\": {\"velocity\": [0, 1, 0], \"path\": [{\"time\": "
                  "1, \"position\": [0, 0, 0]}]}}]}",
                  "test.json:2: colliders[0].motion: a path says all of the motion: leave out the "
                  "path, or all but it");
    check_refused("{\"colliders\": [\n{\"motion\": {\"axis\": [0, 0, 0], \"degrees_per_second\": "
                  "1}}]}",
                  "test.json:2: colliders[0].motion: the axis has no direction");
    check_refused("{\"colliders\": [\n{\"motion\": {\"start\": 2, \"end\": 1}}]}",
                  "test.json:2: colliders[0].motion: it ends at 1 s, before its start at 2 s");
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turntables_turn_while_they_are_told),
        cmocka_unit_test(pistons_go_there_and_back_and_presses_once),
        cmocka_unit_test(paths_lead_from_stop_to_stop),
        cmocka_unit_test(belts_have_the_velocity_of_their_surface),
        cmocka_unit_test(what_contradicts_itself_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
