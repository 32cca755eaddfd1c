// Contacts between bodies as they are seen: lines of JSON, tables, arrows; and the scenes of the
// program that show them.
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/platform.h"
#include "folder.h"
#include "program.h"
#include "scene/builtin.h"
#include "scene/change.h"
#include "staged.h"

static const char* in_folder(const char* format)
{
    static char text[512];
    snprintf(text, sizeof text, format, folder, folder);
    return text;
}

static char* read_text(const char* name)
{
    void* data = NULL;
    size_t bytes = 0;
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    return (char*)data;
}

// ---- lines --------------------------------------------------------------------------------------

// The line of a frame; the caller releases it.
static json_t* frame_line(const char* arguments, int number)
{
    program_run run;
    run_program(arguments, &run);
    if (run.status != 0) fail_msg("pliant %s left with %d", arguments, run.status);
    char* line = strtok(run.text, "\n");
    for (int i = 0; i < number && line; ++i) line = strtok(NULL, "\n");
    json_t* root = line ? json_loads(line, 0, NULL) : NULL;
    if (!root) fail_msg("pliant %s has no line %d", arguments, number);
    return root;
}

static double component(const json_t* object, const char* key, size_t axis)
{
    return json_number_value(json_array_get(json_object_get(object, key), axis));
}

static void lines_have_the_forces_of_pairs_of_bodies(void** state)
{
    (void)state;
    json_t* line = frame_line("run squeeze --quiet --json --frames 40 --set "
                              "'bodies.0.mesh=sphere:0.3:5'",
                              40);
    json_t *touch = json_object_get(line, "touch"), *pairs = json_object_get(touch, "pairs");
    assert_true(json_int_at(touch, "contacts") > 2);
    assert_true(json_int_at(touch, "near_pairs") >= json_int_at(touch, "contacts"));
    assert_int_equal(json_int_at(touch, "squeezed"), 0);
    assert_int_equal(json_array_size(pairs), 2); // the ball with each plate
    double up = component(json_array_get(pairs, 0), "force", 1),
           down = component(json_array_get(pairs, 1), "force", 1);
    assert_int_equal(
        json_integer_value(json_array_get(json_object_get(json_array_get(pairs, 1), "bodies"), 1)),
        2);
    print_message("    upper plate %g N, lower plate %g N\n", up, down);
    assert_true(up < -10);
    CHECK_CLOSE(up, -down, 0.02 * down);
    json_decref(line);
}

static void lines_tell_when_bodies_begin_to_touch(void** state)
{
    (void)state;
    program_run run;
    run_program("run squeeze --quiet --json --frames 12 --set 'bodies.0.mesh=sphere:0.3:5'", &run);
    int began = 0, ended = 0;
    for (char* line = strtok(run.text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t* root = json_loads(line, 0, NULL);
        json_t* touch = json_object_get(root, "touch");
        began += (int)json_array_size(json_object_get(touch, "began"));
        ended += (int)json_array_size(json_object_get(touch, "ended"));
        json_decref(root);
    }
    assert_int_equal(began - ended, 2);
}

static void lines_have_the_forces_on_colliders(void** state)
{
    (void)state;
    // 8 kg of gel that lies still.
    json_t* line = frame_line("run - --quiet --json --frames 60 <<'E'\n"
                              "{\"bodies\": [{\"mesh\": \"beam:2x2x2\", \"material\": {\"young\": "
                              "1e5, \"damping\": 0.05}}],"
                              "\"colliders\": [{\"shape\": \"plane\"}, {\"shape\": \"sphere\", "
                              "\"position\": [0, 9, 0]}]}\n"
                              "E",
                              60);
    json_t* colliders = json_object_get(line, "colliders");
    assert_int_equal(json_array_size(colliders), 2);
    CHECK_CLOSE(component(json_array_get(colliders, 0), "force", 1), -8 * 9.81, 0.5);
    CHECK_CLOSE(component(json_array_get(colliders, 1), "force", 1), 0, 1e-12);
    // The middle of the floor is at a corner of the beam.
    CHECK_CLOSE(component(json_array_get(colliders, 0), "torque", 2), -8 * 9.81 * 0.1, 0.1);
    json_decref(line);
}

// ---- files and pictures -------------------------------------------------------------------------

static void tables_have_a_line_for_each_contact(void** state)
{
    (void)state;
    check_status(in_folder("run squeeze --quiet --frames 20 --every 20 --out %s/t --format "
                           "vtu,contacts --set 'bodies.0.mesh=sphere:0.3:5'"),
                 0);
    char *start = read_text("t/contacts_00000.csv"), *end = read_text("t/contacts_00020.csv");
    assert_null(strchr(strchr(start, '\n') + 1, '\n')); // nothing touches at the start
    const char* head = "body,other,x [m],y [m],z [m],normal x,";
    assert_memory_equal(end, head, strlen(head));
    double up = 0, down = 0;
    int lines = 0;
    for (const char* at = strchr(end, '\n') + 1; *at; at = strchr(at, '\n') + 1, ++lines) {
        int body, other, collider;
        double v[12];
        assert_int_equal(sscanf(at, "%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d",
                                &body, &other, v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7,
                                v + 8, v + 9, v + 10, v + 11, &collider),
                         15);
        assert_int_equal(collider, -1);
        double on_ball = body == 0 ? v[8] : -v[8];
        *(v[1] > 0 ? &up : &down) += on_ball;
        CHECK_BETWEEN(v[11], 0, 1e-3); // there is no friction
    }
    assert_true(lines > 2 && up < 0 && down > 0);
    mem_free(start);
    mem_free(end);
}

static long bytes_of_difference(const char* a, const char* b)
{
    void *x = NULL, *y = NULL;
    size_t n = 0, m = 0;
    CHECK_OK(platform_read_file(a, &x, &n));
    CHECK_OK(platform_read_file(b, &y, &m));
    long differ = n == m ? memcmp(x, y, n) != 0 : 1;
    mem_free(x);
    mem_free(y);
    return differ;
}

static void arrows_are_drawn_over_the_picture(void** state)
{
    (void)state;
    static const char* const kinds[] = {"none", "force", "contact"};
    char name[3][128], arguments[512];
    for (int i = 0; i < 3; ++i) {
        snprintf(name[i], sizeof name[i], "%s/%s.png", folder, kinds[i]);
        snprintf(arguments, sizeof arguments,
                 "render squeeze -o %s --arrows %s --quiet --size 160x120 --set "
                 "'bodies.0.mesh=sphere:0.3:5; camera.times=[0.3]'",
                 name[i], kinds[i]);
        check_status(arguments, 0);
    }
    assert_true(bytes_of_difference(name[0], name[1]));
    assert_true(bytes_of_difference(name[0], name[2]));
    assert_true(bytes_of_difference(name[1], name[2]));
    check_complaint("render squeeze -o a.png --arrows wind", 2, "--arrows: use force, contact or");
    snprintf(arguments, sizeof arguments,
             "render squeeze -o %s --by contact_force --quiet --frames 1 --size 64x64", name[0]);
    check_status(arguments, 0);
}

// ---- changes ------------------------------------------------------------------------------------

static void changes_are_made_and_refused(void** state)
{
    (void)state;
    check_complaint("run drop --set frames", 1, "'frames' is no KEY=VALUE");
    check_complaint("run drop --set bodies.9.mesh=torus", 1, "'9' is no item of the list");
    check_complaint("run drop --set floor.friction=1", 1, "floor: a scene has no such key");
    check_complaint("run drop --set frames.a=1", 1, "'a' is in nothing that has keys");
    check_complaint("run drop --set 'frmes=1'", 1, "a scene has no such key");
    check_complaint("run drop --set floors.0.friction=1", 1, "'floors' is not in the scene");
    check_complaint("run drop --set bodies.0.contact.frction=1", 1, "did you mean 'friction'");
    check_status("run drop --quiet --frames 0 --set 'bodies.0.contact.friction=0.1'", 0);
    json_t* line = frame_line("run drop --quiet --json --set 'frames=0; bodies.*.mesh=box6:1x1x1; "
                              "description=boxes; substeps=3'",
                              1);
    assert_int_equal(json_int_at(line, "frames"), 0);
    json_decref(line);
}

// ---- scenes -------------------------------------------------------------------------------------

// Small versions, as far as bodies touch.
static const struct {
    const char *name, *changes;
    int steps;
    unsigned long long digest;
} small_scenes[] = {
    {"bowl", "bodies.*.copies=[1,1,1]; substeps=8", 24, 0xb9b5bfb9a0c1bce1},
    {"cloth-stack", "bodies.*.mesh=cloth:6x6:1x1; bodies.*.copies=[1,1,1]; substeps=10", 12,
     0x4c515a199244cfea},
    {"cloth-twist", "bodies.0.mesh=cloth:24x4:2.4x0.4; substeps=8", 60, 0x28ea620234334e6b},
    {"faucet", "bodies.0.capacity=300; substeps=6", 30, 0xbef0c5f6eccea39e},
    {"knot", "bodies.0.mesh=knot:2.4:60; substeps=15", 60, 0x50b481b4bb630a78},
    {"potpourri",
     "bodies.*.copies=[1,1,1]; bodies.0.mesh=brick:0.3x0.09x0.18; "
     "bodies.6.mesh=cloth:8x10:0.9x1.1; bodies.9.capacity=200; bodies.10.capacity=500; substeps=8",
     24, 0x2dc1730d54378a28},
    {"squeeze", "bodies.0.mesh=sphere:0.3:5; substeps=10", 20, 0x863c7239c956771d},
    {"tori", "bodies.*.copies=[1,1,1]; bodies.*.mesh=torus:1:0.275:2; substeps=8", 36,
     0xa816d7c739dde1b1},
    {"tori400", "bodies.*.copies=[1,1,1]; substeps=8", 32, 0x46bd9c0c6a9bd0a8},
};
enum { SMALL = sizeof small_scenes / sizeof small_scenes[0] };

static staged open_small(int number, int lanes)
{
    const builtin_scene* b = NULL;
    for (int i = 0; i < builtin_scene_count; ++i)
        if (strcmp(builtin_scenes[i].name, small_scenes[number].name) == 0) b = &builtin_scenes[i];
    assert_non_null(b);
    sink text = {0};
    CHECK_OK(scene_change(b->text, b->bytes, b->name, small_scenes[number].changes, &text));
    sink_bytes(&text, "", 1);
    const stage_options options = {1, lanes, -1, -1, PLIANT_BACKEND_CPU, load_mesh, NULL};
    staged s = open_staged((const char*)text.data, b->name, options);
    sink_release(&text);
    return s;
}

static void advance(staged* s, int from, int to)
{
    double dt = s->scene->dt;
    for (int i = from; i < to; ++i) {
        CHECK_OK(stage_drive(&s->stage, i * dt, dt));
        CHECK_OK(pliant_world_step(s->stage.world, (float)dt));
    }
}

static unsigned long long digest_of(const staged* s)
{
    uint64_t digest = 0;
    CHECK_OK(pliant_world_digest(s->stage.world, &digest));
    return digest;
}

// A snapshot of the step at hand, that many steps before the end of the scene.
enum { STEPS_AFTER = 3 };
static void* keep_state(const staged* s, size_t* bytes)
{
    *bytes = pliant_world_snapshot_size(s->stage.world);
    void* kept = malloc(*bytes);
    CHECK_OK(pliant_world_snapshot_save(s->stage.world, kept, *bytes));
    return kept;
}

// Returns the digest at the end, which is the same after a way back.
static unsigned long long run_small(int number)
{
    staged s = open_small(number, number % 2 ? 1 : 4);
    int steps = small_scenes[number].steps;
    bool touched = false;
    size_t bytes = 0;
    void* kept = NULL;
    for (int k = 0; k < steps; ++k) {
        if (k == steps - STEPS_AFTER) kept = keep_state(&s, &bytes);
        advance(&s, k, k + 1);
        touched = touched || pliant_world_contact_stats(s.stage.world).contacts > 0;
    }
    if (!touched) fail_msg("%s: nothing touches", small_scenes[number].name);
    unsigned long long digest = digest_of(&s);
    CHECK_OK(pliant_world_snapshot_restore(s.stage.world, kept, bytes));
    advance(&s, steps - STEPS_AFTER, steps);
    if (digest_of(&s) != digest) fail_msg("%s goes on differently", small_scenes[number].name);
    free(kept);
    close_staged(&s);
    return digest;
}

static void scenes_of_contacts_have_their_digests_and_go_on_from_a_snapshot(void** state)
{
    (void)state;
    int wrong = 0;
    for (int i = 0; i < SMALL; i += by_scope(3, 1, 1)) {
        unsigned long long digest = run_small(i);
        if (digest == small_scenes[i].digest) continue;
        print_error("    %s: 0x%016llx\n", small_scenes[i].name, digest);
        ++wrong;
    }
    if (wrong) fail_msg("%d digests are not those of other machines", wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_the_forces_of_pairs_of_bodies),
        cmocka_unit_test(lines_tell_when_bodies_begin_to_touch),
        cmocka_unit_test(lines_have_the_forces_on_colliders),
        cmocka_unit_test(tables_have_a_line_for_each_contact),
        cmocka_unit_test(arrows_are_drawn_over_the_picture),
        cmocka_unit_test(changes_are_made_and_refused),
        cmocka_unit_test(scenes_of_contacts_have_their_digests_and_go_on_from_a_snapshot),
    };
    pliant_set_log(NULL, NULL); // small versions have keys without effect
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
