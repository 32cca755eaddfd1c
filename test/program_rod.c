// Rods in scenes: what pins hold by both ends is clamped, turns with them, and is let go; and how
// rods are drawn.
#include "load.h"
#include "render/rod.h"
#include "scene/stage.h"
#include "scene_text.h"

static const stage_options plain = {1, -1, -1, -1, -1, load_mesh, NULL};

static void step_to(const stage* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        CHECK_OK(stage_drive(s, 0.01 * i, 0.01));
        CHECK_OK(pliant_world_step(s->world, 0.01f));
    }
}

// A rod along x, turned by a quarter about y, whose far end turns by 180 degrees in half a second:
// each of the 10 joints between the middles of the clamped segments has a tenth of it.
static void pins_clamp_and_turn_segments(void** state)
{
    (void)state;
    scene* made = parse(
        "{\"dt\": 0.01, \"substeps\": 40, \"gravity\": [0, 0, 0], \"bodies\": [{\"mesh\": "
        "\"rope:1.1:11\", \"rotation\": {\"axis\": [0, 1, 0], \"degrees\": 90}, \"material\": "
        "{\"young\": 1e6, \"poisson\": 0.25, \"damping\": 0.04}, \"rope\": {\"rod\": true, "
        "\"radius\": 0.02}, \"pins\": [{\"box\": {\"max\": [0.11, 1, 1]}}, {\"box\": {\"min\": "
        "[0.99, -1, -1]}, \"release\": 2, \"motion\": {\"axis\": [1, 0, 0], "
        "\"degrees_per_second\": 360, \"end\": 0.5}}]}]}");
    stage s;
    pliant_rod_segment at[11];
    CHECK_OK(stage_create(made, &plain, &s));
    step_to(&s, 0, 190);
    CHECK_OK(pliant_body_read_segments(s.world, s.bodies[0].id, at, 11));
    const double pi = 3.14159265358979324, expected = 1e6 / 2.5 * pi / 2 * 1.6e-7 * pi;
    for (int i = 1; i < 11; ++i) CHECK_CLOSE(fabs((double)at[i].moment.z), expected, 0.02);
    assert_true(at[0].clamped && at[10].clamped && !at[5].clamped);
    step_to(&s, 190, 202);
    CHECK_OK(pliant_body_read_segments(s.world, s.bodies[0].id, at, 11));
    assert_true(at[0].clamped && !at[10].clamped);
    stage_destroy(&s);
    scene_destroy(made);
}

// Three segments along z, of which the mesh has the second the other way round; the last is turned
// by a quarter: the tube is one, closed, and its stripe turns.
static void a_rod_is_drawn_as_a_closed_tube_with_its_twist(void** state)
{
    (void)state;
    const int edges[] = {0, 1, 2, 1, 2, 3};
    const double point[] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3};
    const float half = 0.70710678f;
    const pliant_rod_segment segment[] = {{.rotation = {0, 0, 0, 1}, .particles = {0, 1}},
                                          {.rotation = {0, 0, 0, 1}, .particles = {1, 2}},
                                          {.rotation = {0, 0, half, half}, .particles = {2, 3}}};
    const rod_look look = {.segment = segment,
                           .edge = edges,
                           .corner = edges,
                           .point = point,
                           .count = 3,
                           .point_count = 4,
                           .radius = 0.1,
                           .paint = 0,
                           .stripe = 1};
    model m = {0};
    rod_draw(&look, &m);
    // Twelve pieces of twelve sides, thirteen rings, two lids.
    assert_int_equal(m.vertex_count, 13 * 12);
    assert_int_equal(m.face_count, 12 * 24 + 2 * 10);
    int sum = 0;
    for (int i = 0; i < m.face_count; ++i) {
        const int* c = m.face[i].corner;
        vec3 a = m.vertex[c[0]], b = m.vertex[c[1]], e = m.vertex[c[2]];
        vec3 out = v3_cross(v3_sub(b, a), v3_sub(e, a)), middle = v3_add(a, v3_add(b, e));
        sum += v3_dot(out, v3(middle.x, middle.y, middle.z - 4.5)) > 0;
    }
    assert_int_equal(sum, m.face_count); // all faces look outward
    CHECK_BETWEEN(m.vertex[0].x, 0.0999, 0.1001);
    vec3 last = {0, 0, 0};
    for (int i = 0; i < m.vertex_count; i += 12)
        if (m.vertex[i].z > last.z) last = m.vertex[i];
    CHECK_BETWEEN(last.y, 0.0999, 0.1001);
    model_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pins_clamp_and_turn_segments),
        cmocka_unit_test(a_rod_is_drawn_as_a_closed_tube_with_its_twist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
