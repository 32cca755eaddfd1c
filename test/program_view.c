// A session: a scene that runs while messages steer it, without a network.
#include "check.h"
#include "live/session.h"
#include "scene/scene.h"

static const char two_bodies[] =
    "{\"frames\": 10, \"substeps\": 8, \"bodies\": ["
    "{\"mesh\": \"beam:3x3x3:0.2\", \"position\": [0, 1, 0], \"material\": {\"young\": 1e5}},"
    "{\"mesh\": \"beam:2x2x2:0.2\", \"position\": [3, 1, 0], \"rigid\": true}],"
    "\"colliders\": [{\"shape\": \"plane\"}]}";

static pliant_mesh* no_mesh;
static pliant_result load_nothing(const char* path, pliant_mesh** out)
{
    (void)path;
    *out = no_mesh;
    return PLIANT_ERROR_FILE;
}

static void start(const char* text, session* out)
{
    scene* from = NULL;
    const stage_options options = {.threads = 1,
                                   .lanes = -1,
                                   .substeps = -1,
                                   .iterations = -1,
                                   .backend = -1,
                                   .load = load_nothing};
    CHECK_OK(scene_parse(text, strlen(text), "two", &from));
    CHECK_OK(session_create(from, &options, out));
}

static void run_steps(session* s, int count)
{
    const message steps = {.kind = MESSAGE_STEP, .number = (unsigned)count};
    CHECK_OK(session_obey(s, &steps));
    for (int i = 0; i < count; ++i) assert_true(session_advance(s, 0));
    if (s->note[0]) fail_msg("a note: %s", s->note);
}

static uint64_t digest_of(const session* s)
{
    uint64_t digest = 0;
    CHECK_OK(pliant_world_digest(s->stage.world, &digest));
    return digest;
}

static void middle_of(const session* s, int body, double out[3])
{
    double low[3], high[3];
    CHECK_OK(pliant_body_bounds(s->stage.world, s->stage.bodies[body].id, low, high));
    for (int k = 0; k < 3; ++k) out[k] = 0.5 * (low[k] + high[k]);
}

static void set(session* s, parameter which, double value)
{
    const message m = {.kind = MESSAGE_SET, .number = (unsigned)which, .value = value};
    CHECK_OK(session_obey(s, &m));
}

// ---- time ---------------------------------------------------------------------------------------

static void steps_are_those_of_the_scene_alone(void** state)
{
    (void)state;
    session s, plain;
    start(two_bodies, &s);
    start(two_bodies, &plain);
    run_steps(&s, 20);
    for (int i = 0; i < 20; ++i)
        CHECK_OK(pliant_world_step(plain.stage.world, (float)plain.scene->dt));
    assert_int_equal(digest_of(&s), digest_of(&plain));
    session_destroy(&s);
    session_destroy(&plain);
}

static void a_pause_stops_it_and_the_clock_makes_it_go_on(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    const message pause = {.kind = MESSAGE_PAUSE, .number = 1}, go = {.kind = MESSAGE_PAUSE};
    assert_true(session_advance(&s, 100));
    assert_false(session_advance(&s, 100)); // not due yet
    CHECK_OK(session_obey(&s, &pause));
    assert_false(session_advance(&s, 200));
    CHECK_OK(session_obey(&s, &go));
    assert_true(session_advance(&s, 300));
    assert_int_equal(s.step, 2);
    session_destroy(&s);
}

static void a_reset_leads_to_the_same_bits_again(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    const message reset = {.kind = MESSAGE_RESET};
    uint64_t first = digest_of(&s);
    run_steps(&s, 15);
    uint64_t after = digest_of(&s);
    CHECK_OK(session_obey(&s, &reset));
    assert_int_equal(digest_of(&s), first);
    assert_int_equal(s.step, 0);
    run_steps(&s, 15);
    assert_int_equal(digest_of(&s), after);
    session_destroy(&s);
}

static void slow_motion_makes_steps_rarer(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    set(&s, PARAMETER_SPEED, 0.1);
    int steps = 0;
    for (int i = 0; i < 2000; ++i) steps += session_advance(&s, 10 + i * 1e-3); // two seconds
    CHECK_BETWEEN(steps, 12, 13);
    session_destroy(&s);
}

static void a_scene_without_frames_is_refused(void** state)
{
    (void)state;
    static const char still[] = "{\"frames\": 0, \"bodies\": [{\"mesh\": \"brick:1x1x1\"}]}";
    scene* from = NULL;
    session s;
    const stage_options options = {.threads = 1, .load = load_nothing};
    CHECK_OK(scene_parse(still, sizeof still - 1, "still", &from));
    assert_int_equal(session_create(from, &options, &s), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "no frames"));
}

// ---- sliders ------------------------------------------------------------------------------------

static void every_slider_changes_the_motion_and_back_at_its_start_nothing(void** state)
{
    (void)state;
    static const double moved[PARAMETER_COUNT] = {4, 0.01, 3, 15, 12, 0.1, 1};
    const message reset = {.kind = MESSAGE_RESET};
    session s;
    start("{\"frames\": 9, \"substeps\": 8, \"bodies\": [{\"mesh\": \"beam:3x3x3:0.2\","
          "\"position\": [0, 0.02, 0], \"velocity\": [2, -1, 0],"
          "\"material\": {\"young\": 1e5}}], \"colliders\": [{\"shape\": \"plane\"}]}",
          &s);
    run_steps(&s, 12);
    uint64_t plain = digest_of(&s);
    for (int i = 0; i < PARAMETER_SPEED; ++i) {
        double before = s.parameters.value[i];
        for (int back = 0; back < 2; ++back) {
            set(&s, (parameter)i, back ? before : moved[i]);
            CHECK_OK(session_obey(&s, &reset));
            run_steps(&s, 12);
            if ((digest_of(&s) == plain) != back)
                fail_msg("%s: %s", parameter_table[i].name,
                         back ? "the bits are others" : "the same");
        }
    }
    session_destroy(&s);
}

static void a_slider_beyond_its_range_is_refused_and_changes_nothing(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    const message m = {.kind = MESSAGE_SET, .number = PARAMETER_GRAVITY, .value = 31};
    assert_int_equal(session_obey(&s, &m), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(s.note, "0 to 30"));
    CHECK_CLOSE(s.parameters.value[PARAMETER_GRAVITY], 9.81, 1e-6);
    session_destroy(&s);
}

// ---- the hand -----------------------------------------------------------------------------------

// Grips a body from above and pulls it 0.6 m up and aside.
static void pull(session* s, int body, double out_start[3], double out_end[3])
{
    double middle[3];
    middle_of(s, body, middle);
    message grab = {.kind = MESSAGE_GRAB, .direction = {0, -1, 0}}, drag = {.kind = MESSAGE_DRAG};
    for (int k = 0; k < 3; ++k) grab.point[k] = middle[k] + (k == 1 ? 5 : 0.01);
    CHECK_OK(session_obey(s, &grab));
    assert_true(s->grip.holds);
    assert_int_equal(s->grip.body, body);
    memcpy(out_start, s->grip.from, sizeof(double[3]));
    for (int k = 0; k < 3; ++k) drag.point[k] = s->grip.from[k] + 0.6 * (k != 2);
    CHECK_OK(session_obey(s, &drag));
    run_steps(s, 240);
    memcpy(out_end, s->grip.from, sizeof(double[3]));
}

static void check_pull(int body)
{
    session s;
    start(two_bodies, &s);
    set(&s, PARAMETER_DAMPING, 0.02);
    double from[3], to[3];
    pull(&s, body, from, to);
    // It hangs from the spring, by its weight over its stiffness below the hand.
    double weight = pliant_body_mass(s.stage.world, s.stage.bodies[body].id) * 9.81;
    CHECK_CLOSE(s.grip.force, weight, 0.15);
    CHECK_CLOSE(to[0] - from[0], 0.6, 0.15);
    CHECK_BETWEEN(to[1] - from[1], 0.45, 0.6);
    const message let_go = {.kind = MESSAGE_LET_GO};
    CHECK_OK(session_obey(&s, &let_go));
    assert_int_equal(pliant_world_attachment_count(s.stage.world), 0);
    assert_int_equal(pliant_world_joint_count(s.stage.world), 0);
    session_destroy(&s);
}

static void a_soft_body_hangs_from_the_hand_by_its_weight(void** state)
{
    (void)state;
    check_pull(0);
}

static void a_rigid_body_hangs_from_the_hand_by_its_weight(void** state)
{
    (void)state;
    check_pull(1);
}

static void a_reset_lets_go(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    const message reset = {.kind = MESSAGE_RESET};
    uint64_t first = digest_of(&s);
    double from[3], to[3];
    pull(&s, 0, from, to);
    CHECK_OK(session_obey(&s, &reset));
    assert_false(s.grip.holds);
    assert_int_equal(digest_of(&s), first);
    session_destroy(&s);
}

static void a_ray_that_meets_nothing_holds_nothing(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    const message grab = {.kind = MESSAGE_GRAB, .point = {0, 9, 0}, .direction = {0, 1, 0}};
    CHECK_OK(session_obey(&s, &grab));
    assert_false(s.grip.holds);
    session_destroy(&s);
}

// ---- what goes out ------------------------------------------------------------------------------

static size_t frame_bytes(const look* l, live_color by)
{
    size_t points = (size_t)l->point_count, values = by ? (points + 3) / 4 * 4 : 0;
    return sizeof(frame_head) + 12 * points + 28 * (size_t)l->stage->scene->colliders.count +
           4 * (size_t)l->ball_count + values;
}

static void frames_have_the_places_of_points_and_values_of_each_kind(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    run_steps(&s, 40); // on the ground
    for (int by = 0; by < LIVE_COLORS; ++by) {
        const message colors = {.kind = MESSAGE_COLORS, .number = (unsigned)by};
        sink out = {0};
        CHECK_OK(session_obey(&s, &colors));
        CHECK_OK(session_write_frame(&s, &out));
        assert_int_equal(out.bytes, frame_bytes(&s.look, (live_color)by));
        frame_head head;
        float first[3];
        memcpy(&head, out.data, sizeof head);
        memcpy(first, out.data + sizeof head, sizeof first);
        assert_int_equal(head.step, 40);
        assert_int_equal(head.colors, by);
        if (by) assert_true(head.high > 0);
        pliant_vec3 x[64];
        CHECK_OK(pliant_body_read_positions(s.stage.world, s.stage.bodies[0].id, x, 64));
        assert_memory_equal(first, &x[s.look.bodies[0].particle[0]], sizeof first);
        sink_release(&out);
    }
    session_destroy(&s);
}

static void bodies_that_come_apart_get_another_topology(void** state)
{
    (void)state;
    session s;
    bool changed = true;
    start("{\"frames\": 30, \"dt\": 0.005, \"substeps\": 10, \"bodies\": [{\"mesh\": "
          "\"cloth:8x6:0.4x0.3\", \"cloth\": {\"tear_strength\": 50}, \"pins\": [{\"box\": "
          "{\"max\": [-0.19, 9, 9]}}, {\"box\": {\"min\": [0.19, -9, -9]}, \"motion\": "
          "{\"velocity\": [1, 0, 0]}}]}]}",
          &s);
    CHECK_OK(look_follow(&s.look, &changed));
    assert_false(changed);
    assert_int_equal(s.look.point_count, 63);
    for (int by = 0; by < LIVE_COLORS; ++by) {
        const message colors = {.kind = MESSAGE_COLORS, .number = (unsigned)by};
        sink out = {0};
        CHECK_OK(session_obey(&s, &colors));
        run_steps(&s, 8);
        CHECK_OK(look_follow(&s.look, &changed));
        CHECK_OK(session_write_frame(&s, &out));
        assert_int_equal(out.bytes, frame_bytes(&s.look, (live_color)by));
        sink_release(&out);
    }
    if (s.look.point_count < 70) fail_msg("%d points", s.look.point_count);
    session_destroy(&s);
}

static void the_topology_names_points_and_normals_that_are_there(void** state)
{
    (void)state;
    session s;
    start(two_bodies, &s);
    sink out = {0};
    topology_head head;
    CHECK_OK(look_write_topology(&s.look, &out));
    memcpy(&head, out.data, sizeof head);
    size_t words = 6 * (size_t)head.triangles + head.normals + 3 * (size_t)head.edges + head.balls +
                   2 * (size_t)head.points;
    assert_int_equal(out.bytes, sizeof head + 4 * words);
    for (size_t i = 0; i < 6 * (size_t)head.triangles; ++i) {
        uint32_t number;
        memcpy(&number, out.data + sizeof head + 4 * i, sizeof number);
        assert_true(number < (i % 6 < 3 ? head.points : head.normals));
    }
    sink_release(&out);
    session_destroy(&s);
}

// ---- messages -----------------------------------------------------------------------------------

static void messages_that_are_not_right_are_refused_with_a_sentence(void** state)
{
    (void)state;
    uint64_t random = 1;
    int refused = 0;
    for (int i = 0; i < 200000; ++i) {
        unsigned char data[40];
        for (size_t k = 0; k < sizeof data; ++k) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            data[k] = (unsigned char)(random >> 56);
        }
        message m;
        size_t bytes = random >> 32 & 31;
        if (i % 2) data[0] %= MESSAGE_END;
        if (message_read(data, bytes, &m)) {
            assert_true(pliant_error_text()[0]);
            refused += 1;
        } else {
            assert_true(m.kind > 0 && m.kind < MESSAGE_END && isfinite(m.value));
        }
    }
    CHECK_BETWEEN(refused, 190000, 199999); // some of this noise is right
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_scene_alone),
        cmocka_unit_test(a_pause_stops_it_and_the_clock_makes_it_go_on),
        cmocka_unit_test(a_reset_leads_to_the_same_bits_again),
        cmocka_unit_test(slow_motion_makes_steps_rarer),
        cmocka_unit_test(a_scene_without_frames_is_refused),
        cmocka_unit_test(every_slider_changes_the_motion_and_back_at_its_start_nothing),
        cmocka_unit_test(a_slider_beyond_its_range_is_refused_and_changes_nothing),
        cmocka_unit_test(a_soft_body_hangs_from_the_hand_by_its_weight),
        cmocka_unit_test(a_rigid_body_hangs_from_the_hand_by_its_weight),
        cmocka_unit_test(a_reset_lets_go),
        cmocka_unit_test(a_ray_that_meets_nothing_holds_nothing),
        cmocka_unit_test(frames_have_the_places_of_points_and_values_of_each_kind),
        cmocka_unit_test(bodies_that_come_apart_get_another_topology),
        cmocka_unit_test(the_topology_names_points_and_normals_that_are_there),
        cmocka_unit_test(messages_that_are_not_right_are_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
