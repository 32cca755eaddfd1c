// Data that files have beside positions: displacement, strain, stress; and films of all formats
// when memory runs out.
#include "visual_files.h"

#include "export/fields.h"
#include "export/output.h"
#include "staged.h"

static staged open_scene_of(const char* text)
{
    const stage_options options = {1, -1, 4, -1, -1, load_mesh, load_bytes};
    return open_staged(text, in_folder("scene.json"), options);
}

// Every body is where f x + (0, 1, 0) puts it.
static fields deform(staged* s, const double f[3][3])
{
    fields d;
    for (int i = 0; i < s->stage.body_count; ++i) {
        int count = pliant_body_particle_count(s->stage.world, s->stage.bodies[i].id);
        double* x = malloc(3 * (size_t)count * sizeof *x);
        stage_rest_positions(&s->stage, i, x);
        for (int p = 0; p < count; ++p) {
            double y[3];
            for (int r = 0; r < 3; ++r)
                y[r] = f[r][0] * x[3 * p] + f[r][1] * x[3 * p + 1] + f[r][2] * x[3 * p + 2];
            y[1] += 1;
            memcpy(x + 3 * (size_t)p, y, sizeof y);
        }
        pliant_body_write_positions_exact(s->stage.world, s->stage.bodies[i].id, x, count);
        free(x);
    }
    CHECK_OK(frame_update(&s->frame, &s->stage));
    assert_true(fields_find(&s->frame, &d));
    return d;
}

static const char three_kinds[] =
    "{\"bodies\": [{\"mesh\": \"beam:2x2x2\", \"material\": {\"young\": 1e5, \"poisson\": 0.3}},"
    "{\"mesh\": \"cloth:3x3\"}, {\"mesh\": \"rope:3:5\", \"rotation\": {\"axis\": [0, 0, 1], "
    "\"degrees\": 90}}]}";

static void displacement_is_from_rest_where_the_body_was_put(void** state)
{
    (void)state;
    const double same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    staged s = open_scene_of(three_kinds);
    fields d = deform(&s, same);
    for (int i = 0; i < s.frame.vertex_count; ++i) {
        CHECK_BETWEEN(fabs((double)d.displacement[3 * i]), 0, 1e-6);
        CHECK_CLOSE(d.displacement[3 * i + 1], 1, 1e-6);
    }
    fields_release(&d);
    close_staged(&s);
}

static void a_rotation_strains_nothing(void** state)
{
    (void)state;
    const double turn[3][3] = {{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}};
    staged s = open_scene_of(three_kinds);
    fields d = deform(&s, turn);
    int cells = s.frame.tet_count + s.frame.cloth_count + s.frame.edge_count;
    assert_true(s.frame.tet_count && s.frame.cloth_count && s.frame.edge_count);
    for (int i = 0; i < 6 * cells; ++i) CHECK_BETWEEN(fabs((double)d.strain[i]), 0, 2e-6);
    for (int i = 0; i < cells; ++i) CHECK_BETWEEN(d.von_mises[i], 0, 1e5 * 2e-6);
    fields_release(&d);
    close_staged(&s);
}

// Green's strain of diag(a, b, c) is (a^2 - 1) / 2 and so on; a sheet or a rope has only the part
// that lies in it.
static void a_stretch_has_greens_strain(void** state)
{
    (void)state;
    const double f[3][3] = {{1.2, 0, 0}, {0, 0.9, 0}, {0, 0, 1.1}};
    const double expected[6] = {0.22, -0.095, 0.105, 0, 0, 0};
    staged s = open_scene_of(three_kinds);
    fields d = deform(&s, f);
    const float *cloth = d.strain + 6 * s.frame.tet_count, *rope = cloth + 6 * s.frame.cloth_count;
    for (int k = 0; k < 6; ++k) CHECK_BETWEEN((double)d.strain[k] - expected[k], -1e-5, 1e-5);
    double trace = (double)(cloth[0] + cloth[1] + cloth[2]);
    CHECK_BETWEEN(fabs(trace), 0.009, 0.33); // two of the three
    CHECK_CLOSE(rope[1], -0.095, 1e-4);      // it stands upright
    CHECK_BETWEEN(fabs((double)rope[0]) + fabs((double)rope[2]), 0, 1e-6);
    fields_release(&d);
    close_staged(&s);
}

// In a tensile test von Mises' stress is Young's modulus times the strain.
static void von_mises_stress_of_a_tensile_test_is_youngs_modulus_times_strain(void** state)
{
    (void)state;
    const double e = 1e-3, nu = 0.3;
    const double f[3][3] = {{1 + e, 0, 0}, {0, 1 - nu * e, 0}, {0, 0, 1 - nu * e}};
    staged s = open_scene_of(three_kinds);
    fields d = deform(&s, f);
    for (int i = 0; i < s.frame.tet_count; ++i) CHECK_CLOSE(d.von_mises[i], 1e5 * e, 5e-3);
    fields_release(&d);
    close_staged(&s);
}

// mu / J (a^2 - 1) for diag(a, 1, 1), also inside out, where the measure stays finite.
static void von_mises_stress_of_a_large_stretch_is_cauchys(void** state)
{
    (void)state;
    const double f[3][3] = {{1.5, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double flat[3][3] = {{-1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
    staged s = open_scene_of(three_kinds);
    double mu = 1e5 / 2.6;
    fields d = deform(&s, f);
    CHECK_CLOSE(d.von_mises[0], mu / 1.5 * 1.25, 1e-4);
    fields_release(&d);
    d = deform(&s, flat);
    CHECK_CLOSE(d.von_mises[0], mu / 1e-3 * 3, 1e-4);
    fields_release(&d);
    close_staged(&s);
}

static const char clay_and_rope[] =
    "{\"gravity\": [0, 0, 0], \"substeps\": 20, \"bodies\": [{\"mesh\": \"beam:2x2x2\", "
    "\"pins\": [{\"box\": {\"max\": [9, 9, 9]}}], \"material\": {\"young\": 1e5, "
    "\"poisson\": 0.3, \"yield_stress\": 4e3}}, {\"mesh\": \"rope:3:5\"}]}";

// A tet that has flowed has the stress of what is elastic, at the yield stress, and the strain of
// all; triangles and edges have no plastic strain.
static void stress_of_what_has_flowed_is_the_yield_stress(void** state)
{
    (void)state;
    const double f[3][3] = {{1.25, 0, 0}, {0, 0.894427191, 0}, {0, 0, 0.894427191}};
    staged s = open_scene_of(clay_and_rope);
    fields d = deform(&s, f);
    CHECK_CLOSE(d.von_mises[0], 1e5 / 2.6 * (1.5625 - 0.8), 1e-4);
    fields_release(&d);
    CHECK_OK(pliant_world_step(s.stage.world, 1e-3f));
    CHECK_OK(frame_update(&s.frame, &s.stage));
    assert_true(fields_find(&s.frame, &d));
    assert_non_null(d.plastic_strain);
    CHECK_CLOSE(d.von_mises[0], 4e3, 1e-3);
    CHECK_CLOSE(d.strain[0], (1.5625 - 1) / 2, 1e-4);
    CHECK_CLOSE(d.plastic_strain[0], log(1.25) - 4e3 / 1e5 * 2.6 / 3, 0.02);
    CHECK_CLOSE(d.plastic_strain[s.frame.tet_count], 0, 0);
    fields_release(&d);
    close_staged(&s);
}

// ---- films --------------------------------------------------------------------------------------

static pliant_result write_films(const void* context)
{
    const staged* s = (const staged*)context;
    output out;
    output_plan plan;
    CHECK_OK(output_plan_read(in_folder("films"), "vtu,pc2,mdd,usda", 1, &plan));
    CHECK_OK(output_place(&out, &plan));
    pliant_result result = output_open(&out, &s->stage, &s->frame, 0);
    if (!result) result = output_add(&out, 0);
    if (!result) result = output_add(&out, 1);
    pliant_result closed = output_write(&out);
    output_close(&out, !closed);
    return result ? result : closed;
}

static void films_of_all_formats_survive_every_failed_allocation(void** state)
{
    (void)state;
    const char* const scenes[] = {three_kinds, clay_and_rope};
    for (int i = 0; i < 2; ++i) {
        staged s = open_scene_of(scenes[i]);
        assert_true(check_every_failure(write_films, &s) > 30);
        close_staged(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(displacement_is_from_rest_where_the_body_was_put),
        TEST(a_rotation_strains_nothing),
        TEST(a_stretch_has_greens_strain),
        TEST(von_mises_stress_of_a_tensile_test_is_youngs_modulus_times_strain),
        TEST(von_mises_stress_of_a_large_stretch_is_cauchys),
        TEST(stress_of_what_has_flowed_is_the_yield_stress),
        TEST(films_of_all_formats_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
