// What becomes of scenes: the worlds that are built from them, and what drives them.
#include "load.h"
#include "scene/backend.h"
#include "scene/builtin.h"
#include "scene/change.h"
#include "scene/stage.h"
#include "scene_text.h"

static const stage_options plain = {1, -1, -1, -1, -1, load_mesh, NULL};

static void check_not_built(const char* text, const char* sentence)
{
    scene* s = parse(text);
    stage built;
    size_t held = pliant_allocated_bytes();
    assert_int_not_equal(stage_create(s, &plain, &built), PLIANT_OK);
    assert_string_equal(pliant_error_text(), sentence);
    assert_int_equal(pliant_allocated_bytes(), held);
    scene_destroy(s);
}

static void what_cannot_be_built_is_named_with_its_place(void** state)
{
    (void)state;
    check_not_built("{\"bodies\":\n[{\"mesh\": \"missing.msh\"}]}",
                    "test.json:2: bodies[0].mesh: there is no file 'missing.msh'");
    check_not_built("{\"bodies\":\n[{\"mesh\": \"\"}]}",
                    "test.json:2: bodies[0].mesh: the text is empty: the name of a file is needed");
    check_not_built("{\"bodies\":\n[{\"mesh\": {\"file\": \"torus\"}}]}",
                    "test.json:2: bodies[0].mesh: there is no file 'torus'");
    check_not_built("{\"bodies\": [{\"mesh\": \"rope\",\n\"pins\": [{\"box\": {\"min\": [9, 9, "
                    "9]}}]}]}",
                    "test.json:2: bodies[0].pins[0]: none of 51 points is in the region: they lie "
                    "between (0, 0, 0) and (3, 0, 0)");
    check_not_built(
        "{\"bodies\": [\n{\"mesh\": \"beam\", \"research\": {\"stiffness_mode\": \"classic\"}}]}",
        "test.json:2: bodies[0]: tets know the stiffness_mode classic only with the "
        "formulation edges_and_volume");
}

static void count_warning(const char* text, void* context)
{
    (void)text;
    ++*(int*)context;
}

// What is an error is no warning before.
static void keys_without_effect_are_told_after_errors(void** state)
{
    (void)state;
    int warnings = 0;
    pliant_set_log(count_warning, &warnings);
    check_not_built(
        "{\"bodies\": [\n{\"mesh\": \"cloth\", \"material\": {\"yield_stress\": 5}}]}",
        "test.json:2: bodies[0]: the yield_stress is 5 Pa, but the mesh has no tets: only "
        "tets flow, with any formulation but edges_and_volume");
    pliant_set_log(NULL, NULL);
    assert_int_equal(warnings, 0);
}

static void parts_have_their_own_material(void** state)
{
    (void)state;
    scene* s = parse("{\"bodies\": [{\"mesh\": \"box6:4x4x4:0.25\", \"parts\": [{\"surface\": "
                     "{\"mesh\": \"sphere:0.5:8\"}, \"material\": {\"density\": 3000}}, {\"box\": "
                     "{\"min\": [0.5, 0, 0]}, \"material\": {\"density\": 2000}}]}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    pliant_mesh_arrays a = pliant_mesh_view(built.entries[0].mesh);
    double mass = 0, cell = 0.25 * 0.25 * 0.25 / 6;
    int count[3] = {0, 0, 0};
    for (int t = 0; t < a.tet_count; ++t) {
        static const double density[3] = {1000, 3000, 2000};
        count[a.tet_region[t]]++;
        mass += density[a.tet_region[t]] * cell;
    }
    assert_int_equal(count[2], a.tet_count / 2);
    CHECK_BETWEEN(count[1], 10, a.tet_count / 4);
    CHECK_CLOSE(pliant_asset_describe(built.entries[0].asset).mass, mass, 1e-6);
    stage_destroy(&built);
    scene_destroy(s);
}

// Two boxes, one above the other: the upper one is held by the lower one, which moves.
static const char* const followed =
    "{\"gravity\": [0, 0, 0], \"contacts\": false, \"bodies\": [{\"mesh\": \"box6:2x2x2:0.25\", "
    "\"velocity\": [1, 0, 0]},"
    "{\"mesh\": \"box6:2x2x2:0.25\", \"position\": [0, 0.51, 0], \"pins\": [{\"follow\": "
    "{\"body\": 0, \"distance\": 0.02}, \"release\": %s}]}]}";

static double upper_corner(double release, int* out_count)
{
    char text[600], number[32];
    snprintf(number, sizeof number, "%g", release);
    snprintf(text, sizeof text, followed, number);
    scene* s = parse(text);
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    assert_int_equal(built.follower_count, 1);
    *out_count = built.followers[0].particles.count;
    for (int i = 0; i < 30; ++i) {
        CHECK_OK(stage_drive(&built, i / 60.0, 1 / 60.0));
        CHECK_OK(pliant_world_step(built.world, 1 / 60.0f));
    }
    pliant_vec3 x;
    pliant_body_read_positions(built.world, built.bodies[1].id, &x, 1);
    stage_destroy(&built);
    scene_destroy(s);
    return (double)x.x;
}

static void particles_near_to_a_body_go_with_it(void** state)
{
    (void)state;
    int count = 0;
    CHECK_CLOSE(upper_corner(100, &count), 0.5, 0.01);
    assert_int_equal(count, 9);
    CHECK_BETWEEN(upper_corner(0, &count), -1e-6, 1e-6);
}

static void what_cannot_be_followed_is_refused(void** state)
{
    (void)state;
    check_not_built("{\"bodies\": [{\"mesh\": \"rope\",\n\"pins\": [{\"follow\": {\"body\": 4, "
                    "\"distance\": 1}}]}]}",
                    "test.json:2: bodies[0].pins[0].follow: body 4: give the number of another "
                    "body, 0 to 0");
    check_not_built(
        "{\"bodies\": [{\"mesh\": \"torus\"}, {\"mesh\": \"rope\", \"position\": [9, 9, 9],"
        "\n\"pins\": [{\"follow\": {\"body\": 0, \"distance\": 1}}]}]}",
        "test.json:2: bodies[1].pins[0].follow: no particle of this pin is within 1 m "
        "of body 0");
    check_not_built(
        "{\"bodies\": [{\"mesh\": \"rope\"},\n{\"mesh\": \"rope\", \"pins\": "
        "[{\"follow\": {\"body\": 0, \"distance\": 1}}, {\"follow\": {\"body\": 2, "
        "\"distance\": 1}}]},\n{\"mesh\": \"rope\", \"pins\": [{}, {\"follow\": "
        "{\"body\": 1, \"distance\": 1}}]}]}",
        "test.json:3: bodies[2].pins[1].follow: a circle: body 1 follows body 2, body 2 "
        "follows body 1: leave out one of these pins, or join the bodies "
        "(\"joints\")");
    check_refused("{\"bodies\": [{\"mesh\": \"rope\", \"pins\":\n[{\"motion\": {}, \"follow\": "
                  "{\"body\": 1, \"distance\": 1}}]}]}",
                  "test.json:2: bodies[0].pins[0]: give one of 'motion' and 'follow', not both");
    check_refused(
        "{\"bodies\": [{\"mesh\": \"rope\", \"pins\":\n[{\"surface\": {\"mesh\": \"torus\", "
        "\"what\": \"near\"}}]}]}",
        "test.json:2: bodies[0].pins[0].surface: a distance is needed for what is near");
    check_not_built("{\"bodies\": [{\"mesh\": \"rope\",\n\"parts\": [{\"material\": {}}]}]}",
                    "test.json:2: bodies[0].parts: only bodies of tets have parts");
}

static void bodies_that_may_meet_have_one_precision(void** state)
{
    (void)state;
    const char* const contacts[] = {"", ", \"contact\": {\"none\": true}",
                                    ", \"contact\": {\"none\": true, \"self\": true}"};
    for (int i = 0; i < 3; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"bodies\": [{\"mesh\": \"cloth:2x2\"%s},\n{\"mesh\": \"cloth:2x2\", "
                 "\"position\": [0, 9, 0], \"copies\": [2, 1, 1], \"solver\": {\"precision\": "
                 "\"double\"}}]}",
                 contacts[i]);
        if (i != 1)
            check_not_built(text,
                            "test.json:2: bodies[1].solver.precision: body 0 has another one, "
                            "and bodies that may meet others have one precision: make it the "
                            "same, or keep one from meeting others (\"contact\": {\"none\": "
                            "true})");
        if (i != 1) continue;
        scene* s = parse(text);
        stage built;
        CHECK_OK(stage_create(s, &plain, &built));
        stage_destroy(&built);
        scene_destroy(s);
    }
}

static void auto_is_a_gpu_for_large_scenes_where_there_is_one(void** state)
{
    (void)state;
    assert_int_equal(backend_for(GPU_ELEMENTS - 1), PLIANT_BACKEND_CPU);
    assert_int_equal(backend_for(GPU_ELEMENTS),
                     backend_has_gpu() ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU);
}

// A hundred rings of 874 particles are a patch each, a lone body is cut as its plan has it, and two
// bodies share as their sizes say.
static void bodies_of_a_scene_share_a_gpu(void** state)
{
    (void)state;
    assert_int_equal(backend_patch_rows(874, 874), 0);
    assert_int_equal(backend_patch_rows(874, 100 * 874), 874);
    assert_in_range(backend_patch_rows(5041, 50 * 5041), 5041 / 2 + 71, 5041 - 1);
    int small = backend_patch_rows(6000, 66000), large = backend_patch_rows(60000, 66000);
    if (small < 6000 / 12 || large < 60000 / 120 || abs(small - large) > large / 10)
        fail_msg("patches of two bodies have up to %d and %d rows", small, large);
    assert_int_equal(backend_patch_rows(100000, 400 * (int64_t)100000), 3328);
    assert_int_equal(backend_patch_rows(8, 100000 * (int64_t)8), 128);
}

static void copies_have_their_keys(void** state)
{
    (void)state;
    scene* s = parse(
        "{\"bodies\": [{\"mesh\": \"beam:3x2x2\", \"solver\": {\"schedule\": \"phantom\"}, "
        "\"research\": {\"most_colors\": 4, \"phantoms\": \"single\", \"merge\": \"duplicate\"}}, "
        "{\"mesh\": \"beam:3x2x2\", \"solver\": {\"schedule\": \"jacobi\"}, \"research\": "
        "{\"relaxation\": 1.5}}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    pliant_asset_info phantom = pliant_asset_describe(built.entries[0].asset);
    pliant_asset_info jacobi = pliant_asset_describe(built.entries[1].asset);
    CHECK_BETWEEN(phantom.colors, 1, 4);
    assert_true(phantom.copies > 3); // grouped ones are fewer
    assert_int_equal(jacobi.colors, 1);
    CHECK_OK(pliant_world_step(built.world, 0.001f));
    stage_destroy(&built);
    scene_destroy(s);
}

// Copies count, and the serial order has no other place than the CPU.
static void scenes_are_built_for_their_backend(void** state)
{
    (void)state;
    const char* large =
        "{\"bodies\": [{\"mesh\": \"beam:8x5x5\", \"copies\": [4, 5, 1]}, {\"mesh\": "
        "\"beam:2x2x2\", \"solver\": {\"schedule\": \"serial\"}}]}";
    scene* s = parse(large);
    stage built;
    bool has_gpu = backend_has_gpu();
    CHECK_OK(stage_create(s, &plain, &built));
    assert_int_equal(built.backend, has_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU);
    assert_int_equal(pliant_world_device(built.world) != NULL, has_gpu);
    stage_destroy(&built);
    stage_options on_cpu = plain;
    on_cpu.backend = PLIANT_BACKEND_CPU;
    CHECK_OK(stage_create(s, &on_cpu, &built));
    assert_int_equal(built.backend, PLIANT_BACKEND_CPU);
    assert_null(pliant_world_device(built.world));
    stage_destroy(&built);
    scene_destroy(s);
}

static void meshes_are_looked_for_beside_the_scene(void** state)
{
    (void)state;
    const char* text = "{\"bodies\": [{\"mesh\": \"x.msh\"}]}";
    scene* s = NULL;
    stage built;
    CHECK_OK(scene_parse(text, strlen(text), "some/folder/test.json", &s));
    assert_int_equal(stage_create(s, &plain, &built), PLIANT_ERROR_FILE);
    assert_non_null(strstr(pliant_error_text(), "'some/folder/x.msh'"));
    scene_destroy(s);
}

// The surface of a ball in a file of this test's folder.
static void surfaces_are_filled_with_tets(void** state)
{
    (void)state;
    const char* text =
        "{\"bodies\": [{\"mesh\": {\"surface\": \"program_stage_ball.obj\", \"tets\": 2000}}]}";
    pliant_mesh* ball = NULL;
    scene* s = NULL;
    stage built;
    CHECK_OK(pliant_mesh_generate("sphere:0.5:12", &ball));
    CHECK_OK(pliant_mesh_save(ball, "program_stage_ball.obj"));
    CHECK_OK(scene_parse(text, strlen(text), "test.json", &s));
    CHECK_OK(stage_create(s, &plain, &built));
    remove("program_stage_ball.obj");
    CHECK_CLOSE(pliant_mesh_view(built.entries[0].mesh).tet_count, 2000, 0.05);
    stage_destroy(&built);
    scene_destroy(s);
    pliant_mesh_destroy(ball);
}

// The upper half of a ball is red.
static void save_painted_ball(const char* path)
{
    pliant_mesh *ball = NULL, *surface = NULL, *painted = NULL;
    CHECK_OK(pliant_mesh_generate("sphere:0.5:12", &ball));
    CHECK_OK(pliant_mesh_boundary(ball, &surface, NULL));
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    double* color = calloc(3 * (size_t)a.vertex_count, sizeof(double));
    for (int v = 0; v < a.vertex_count; ++v) color[3 * v] = a.vertices[3 * v + 1] > 0;
    a.vertex_color = color;
    CHECK_OK(pliant_mesh_create(&a, &painted));
    CHECK_OK(pliant_mesh_save(painted, path));
    free(color);
    pliant_mesh_destroy(ball);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(painted);
}

static void painted_surfaces_choose_parts_and_pins(void** state)
{
    (void)state;
    const char* file = "program_stage_painted.ply";
    save_painted_ball(file);
    scene* s = parse(
        "{\"bodies\": [{\"mesh\": {\"surface\": \"program_stage_painted.ply\", \"tets\": 2000},"
        "\"parts\": [{\"painted\": {\"color\": [1, 0, 0]}, \"material\": {\"density\": 3000}}]},"
        "{\"mesh\": \"sphere:0.5:6\", \"pins\": [{\"painted\": {\"color\": [0.95, 0, 0],"
        "\"file\": \"program_stage_painted.ply\"}}]}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    pliant_asset_info info = pliant_asset_describe(built.entries[0].asset);
    CHECK_CLOSE(info.mass, 2000 * 0.5236, 0.05);
    int vertices = pliant_mesh_view(built.entries[1].mesh).vertex_count;
    CHECK_BETWEEN(built.entries[1].pins[0].count, 0.25 * vertices, 0.55 * vertices);
    stage_destroy(&built);
    scene_destroy(s);
    check_not_built("{\"bodies\": [{\"mesh\": {\"surface\": \"program_stage_painted.ply\", "
                    "\"tets\": 100},\n\"pins\": [{\"painted\": {\"color\": [0, 1, 0]}}]}]}",
                    "test.json:2: bodies[0].pins[0]: no vertex of the painted surface has the "
                    "color (0, 1, 0) within 0.1: the nearest is (0, 0, 0)");
    check_not_built("{\"bodies\": [{\"mesh\": \"sphere\",\n\"pins\": [{\"painted\": {\"color\": "
                    "[0, 1, 0]}}]}]}",
                    "test.json:2: bodies[0].pins[0]: the painted surface has no colors: save it "
                    "with some at its vertices, as .obj (v x y z red green blue), .ply (red, "
                    "green, blue) or .glb (COLOR_0)");
    remove(file);
}

static void copies_stand_in_an_array(void** state)
{
    (void)state;
    scene* s =
        parse("{\"bodies\": [{\"mesh\": \"beam:1x1x1\", \"copies\": [2, 1, 3], \"position\": "
              "[5, 0, 0], \"spacing\": [2, 0, -1]}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    assert_int_equal(built.body_count, 6);
    assert_int_equal(pliant_world_body_count(built.world), 6);
    pliant_vec3 first[8];
    pliant_body_read_positions(built.world, built.bodies[5].id, first, 8);
    CHECK_CLOSE(first[0].x, 7, 1e-6);
    CHECK_CLOSE(first[0].z, -2, 1e-6);
    stage_destroy(&built);
    scene_destroy(s);
}

static void advance(stage* s, int frames)
{
    for (int i = 0; i < frames; ++i) {
        CHECK_OK(stage_drive(s, i * s->scene->dt, s->scene->dt));
        CHECK_OK(pliant_world_step(s->world, (float)s->scene->dt));
    }
}

static void pins_turn_about_their_axis(void** state)
{
    (void)state;
    scene* s = parse("{\"dt\": 0.1, \"bodies\": [{\"mesh\": \"beam:2x1x1:0.5\", \"scale\": 2, "
                     "\"position\": [0, 3, 0], \"pins\": [{\"motion\": {\"axis\": [0, 0, 5], "
                     "\"degrees_per_second\": 90, \"velocity\": [0, 0, 1], \"end\": 1}}]}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    advance(&built, 15);
    double x[36];
    CHECK_OK(pliant_body_read_positions_exact(built.world, built.bodies[0].id, x, 12));
    // Vertex 8 was at (2, 0, 0): a quarter of a turn about z, one meter along z.
    CHECK_BETWEEN(x[24], -1e-6, 1e-6);
    CHECK_CLOSE(x[25], 5, 1e-6);
    CHECK_CLOSE(x[26], 1, 1e-6);
    stage_destroy(&built);
    scene_destroy(s);
}

static void released_pins_fall(void** state)
{
    (void)state;
    scene* s = parse("{\"dt\": 0.1, \"bodies\": [{\"mesh\": \"beam:1x1x1\", \"pins\": "
                     "[{\"release\": 0.5}]}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    advance(&built, 5);
    assert_true(get_particle(built.world, built.bodies[0].id, 0).pinned);
    CHECK_OK(stage_drive(&built, 0.5, 0.1));
    assert_false(get_particle(built.world, built.bodies[0].id, 0).pinned);
    stage_destroy(&built);
    scene_destroy(s);
}

static double height_of(const stage* s, int body)
{
    pliant_vec3 first;
    CHECK_OK(pliant_body_read_positions(s->world, s->bodies[body].id, &first, 1));
    return (double)first.y;
}

// Along axes, too; and what two pins hold stays held by the other.
static void released_pins_leave_what_others_hold(void** state)
{
    (void)state;
    scene* s = parse("{\"dt\": 0.1, \"bodies\": [{\"mesh\": \"beam:1x1x1\", \"pins\": [{\"axes\": "
                     "\"y\", \"release\": 0.2}]}, {\"mesh\": \"beam:1x1x1\", \"position\": [9, 0, "
                     "0], \"pins\": [{\"release\": 0.3}, {\"axes\": \"x\"}, {\"axes\": \"y\", "
                     "\"release\": 0.2}]}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    advance(&built, 2);
    double before[2];
    for (int i = 0; i < 2; ++i) before[i] = height_of(&built, i);
    assert_int_equal(get_particle(built.world, built.bodies[0].id, 0).axes, PLIANT_AXIS_Y);
    CHECK_OK(stage_drive(&built, 0.2, 0.1));
    assert_int_equal(get_particle(built.world, built.bodies[0].id, 0).axes, 0);
    assert_true(get_particle(built.world, built.bodies[1].id, 0).pinned);
    CHECK_OK(pliant_world_step(built.world, 0.1f));
    CHECK_OK(stage_drive(&built, 0.3, 0.1));
    assert_int_equal(get_particle(built.world, built.bodies[1].id, 0).axes, PLIANT_AXIS_X);
    CHECK_OK(pliant_world_step(built.world, 0.1f));
    for (int i = 0; i < 2; ++i) CHECK_BETWEEN(before[i] - height_of(&built, i), 0.02, 0.25);
    stage_destroy(&built);
    scene_destroy(s);
}

static void forces_accelerate_while_they_last(void** state)
{
    (void)state;
    scene* s = parse("{\"dt\": 0.1, \"gravity\": [0, 0, 0], \"bodies\": [{\"mesh\": "
                     "\"beam:1x1x1:1\", \"forces\": [{\"force\": [0, 0, 500], \"end\": 1}]}]}");
    stage built;
    CHECK_OK(stage_create(s, &plain, &built));
    double mass = pliant_body_mass(built.world, built.bodies[0].id), momentum = 0, masses[8];
    advance(&built, 15);
    pliant_vec3 v[8];
    pliant_body_read_velocities(built.world, built.bodies[0].id, v, 8);
    pliant_body_read_masses(built.world, built.bodies[0].id, masses, 8);
    for (int i = 0; i < 8; ++i) momentum += masses[i] * (double)v[i].z;
    CHECK_CLOSE(mass, 1000, 1e-9);
    CHECK_CLOSE(momentum, 500, 1e-4);
    stage_destroy(&built);
    scene_destroy(s);
}

static void scrambles_leave_pins_in_place_and_differ_by_seed(void** state)
{
    (void)state;
    const char* format = "{\"bodies\": [{\"mesh\": \"beam:4x2x2\", \"pins\": [{\"box\": {\"max\": "
                         "[0, 9, 9]}}], \"scramble\": {\"kind\": \"%s\", \"seed\": %d}}]}";
    double x[3][135];
    for (int i = 0; i < 3; ++i) {
        char text[300];
        snprintf(text, sizeof text, format, i == 2 ? "flat" : "random", i);
        scene* s = parse(text);
        stage built;
        CHECK_OK(stage_create(s, &plain, &built));
        CHECK_OK(pliant_body_read_positions_exact(built.world, built.bodies[0].id, x[i], 45));
        stage_destroy(&built);
        scene_destroy(s);
    }
    assert_memory_equal(x[0], x[1], 3 * sizeof(double));               // vertex 0 is pinned
    assert_memory_not_equal(x[0] + 27, x[1] + 27, 3 * sizeof(double)); // vertex 9: (1, 0, 0)
    CHECK_CLOSE(x[2][28], 0.1, 1e-6);                                  // flat: in the middle of y
    CHECK_CLOSE(x[2][27], 0.1, 1e-6);                                  // x stays
}

static void ignore_nothing(const char* text, void* context)
{
    print_error("%s\n", text);
    ++*(int*)context;
}

// As large as they are, some would take minutes.
static const char fewer_cells[] = "bodies.*.mesh=cloth:8x8:1x1";

static scene* parse_builtin(const builtin_scene* b)
{
    scene* s = NULL;
    if (strcmp(b->name, "cloth-stack") != 0) {
        CHECK_OK(scene_parse(b->text, b->bytes, b->name, &s));
        return s;
    }
    sink text = {0};
    CHECK_OK(scene_change(b->text, b->bytes, b->name, fewer_cells, &text));
    CHECK_OK(scene_parse(text.data, text.bytes, b->name, &s));
    sink_release(&text);
    return s;
}

static void every_scene_of_the_program_runs_without_warnings(void** state)
{
    (void)state;
    int warnings = 0;
    assert_true(builtin_scene_count >= 5);
    pliant_set_log(ignore_nothing, &warnings);
    for (int i = 0; i < builtin_scene_count; ++i) {
        const builtin_scene* b = &builtin_scenes[i];
        scene* s = parse_builtin(b);
        stage built;
        assert_non_null(s->description);
        CHECK_OK(stage_create(s, &plain, &built));
        advance(&built, by_scope(1, 1, 3));
        pliant_energies e = get_energies(built.world);
        assert_true(isfinite(e.kinetic) && isfinite(e.elastic));
        stage_destroy(&built);
        scene_destroy(s);
    }
    pliant_set_log(NULL, NULL);
    assert_int_equal(warnings, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_built_is_named_with_its_place),
        cmocka_unit_test(keys_without_effect_are_told_after_errors),
        cmocka_unit_test(parts_have_their_own_material),
        cmocka_unit_test(particles_near_to_a_body_go_with_it),
        cmocka_unit_test(what_cannot_be_followed_is_refused),
        cmocka_unit_test(bodies_that_may_meet_have_one_precision),
        cmocka_unit_test(auto_is_a_gpu_for_large_scenes_where_there_is_one),
        cmocka_unit_test(bodies_of_a_scene_share_a_gpu),
        cmocka_unit_test(copies_have_their_keys),
        cmocka_unit_test(scenes_are_built_for_their_backend),
        cmocka_unit_test(meshes_are_looked_for_beside_the_scene),
        cmocka_unit_test(surfaces_are_filled_with_tets),
        cmocka_unit_test(painted_surfaces_choose_parts_and_pins),
        cmocka_unit_test(copies_stand_in_an_array),
        cmocka_unit_test(pins_turn_about_their_axis),
        cmocka_unit_test(released_pins_fall),
        cmocka_unit_test(released_pins_leave_what_others_hold),
        cmocka_unit_test(forces_accelerate_while_they_last),
        cmocka_unit_test(scrambles_leave_pins_in_place_and_differ_by_seed),
        numbers_test(every_scene_of_the_program_runs_without_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
