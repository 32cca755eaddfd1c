// Loose particles in the program: scenes that fill a shape, frames, films, pictures, and words on
// the command line.
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/platform.h"
#include "export/series.h"
#include "failing.h"
#include "folder.h"
#include "load.h"
#include "program.h"
#include "render/album.h"
#include "render/canvas.h"
#include "staged.h"

static const char* in_folder(const char* format, const char* name)
{
    static char text[2][512];
    static int turn;
    turn = 1 - turn;
    snprintf(text[turn], sizeof text[turn], format, folder, name, folder);
    return text[turn];
}

static void write_file(const char* name, const char* text)
{
    FILE* file = fopen(in_folder("%s/%s", name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static char* read_file(const char* name)
{
    void* data = NULL;
    size_t bytes = 0;
    CHECK_OK(platform_read_file(in_folder("%s/%s", name), &data, &bytes));
    char* text = (char*)malloc(bytes + 1);
    memcpy(text, data, bytes);
    text[bytes] = 0;
    mem_free(data);
    return text;
}

static staged open_text(const char* text)
{
    const stage_options options = {1, -1, -1, -1, -1, load_mesh, NULL};
    return open_staged(text, in_folder("%s/%s", "scene.json"), options);
}

// ---- scenes -------------------------------------------------------------------------------------

#define FILLED(more)                                                                               \
    "{\"bodies\": [{\"mesh\": \"box6:1x1x1:1\", \"fill\": {\"spacing\": 0.2, \"pattern\": "        \
    "\"grid\"" more "}}], \"camera\": {\"width\": 96, \"height\": 96}}"

static void a_scene_fills_a_shape(void** unused)
{
    (void)unused;
    staged s = open_text(FILLED(", \"radius\": 0.05"));
    pliant_mesh_arrays m = pliant_mesh_view(s.stage.entries[0].mesh);
    assert_int_equal(m.vertex_count, 125);
    assert_true(m.vertex_radius[7] == 0.05);
    close_staged(&s);
}

static void scale_makes_particles_larger(void** unused)
{
    (void)unused;
    staged s = open_text("{\"bodies\": [{\"mesh\": \"box6:1x1x1:1\", \"scale\": 2, \"fill\": "
                         "{\"spacing\": 0.2}}]}");
    CHECK_CLOSE(pliant_mesh_view(s.stage.entries[0].mesh).vertex_radius[0], 0.2, 1e-12);
    close_staged(&s);
}

static void a_scene_takes_a_file_of_points_and_a_radius(void** unused)
{
    (void)unused;
    write_file("two.obj", "v 0 0 0\nv 1 0 0\n");
    staged s = open_text("{\"bodies\": [{\"mesh\": \"two.obj\", \"radius\": 0.25}]}");
    assert_int_equal(s.frame.loose_count, 2);
    CHECK_CLOSE(s.frame.radius[1], 0.25, 1e-7);
    close_staged(&s);
}

static void check_scene_refused(const char* text, const char* says)
{
    write_file("bad.json", text);
    check_complaint(in_folder("run %s/%s", "bad.json"), 1, says);
}

// Clusters of particles that carry the shape they fill: it is what is seen, in frames and pictures.
static void clusters_carry_their_shape(void** unused)
{
    (void)unused;
    write_file(
        "car.json",
        "{\"frames\": 2, \"substeps\": 4, \"bodies\": [{\"mesh\": \"car:4x1.4x1.7:12\", "
        "\"visual\": \"shape\", \"fill\": {\"spacing\": 0.3}, \"clusters\": {\"stiffness\": 1}, "
        "\"color\": [1, 0, 0]}], \"colliders\": [{\"shape\": \"plane\"}], "
        "\"camera\": {\"width\": 64, \"height\": 48}}");
    check_status(in_folder("run %s/%s --out %s/cars --format obj,vtu,ply --quiet", "car.json"), 0);
    check_status(in_folder("run %s/%s --picture %s/car.png --quiet", "car.json"), 0);
    char* text = read_file("cars/frame_00002.obj");
    int faces = 0;
    for (const char* at = text; (at = strstr(at, "\nf ")) != NULL; ++at) ++faces;
    CHECK_BETWEEN(faces, 100, 5000);
    free(text);
    text = read_file("cars/frame_00002.vtu");
    assert_non_null(strstr(text, "Name=\"radius\""));
    free(text);
}

static void bad_fillings_name_their_place(void** unused)
{
    (void)unused;
    check_scene_refused("{\"bodies\": [{\"mesh\": \"sphere\", \"fill\": {}}]}",
                        "bodies[0].fill: the key 'spacing' is missing");
    check_scene_refused("{\"bodies\": [{\"mesh\": \"sphere\", \"fill\": {\"spacing\": -1}}]}",
                        "bodies[0].fill.spacing");
    check_scene_refused("{\"bodies\": [{\"mesh\": \"sphere\", \"fill\": {\"spacing\": 9}}]}",
                        "bodies[0].fill: no particle");
    check_scene_refused("{\"bodies\": [{\"mesh\": \"cloth\", \"fill\": {\"spacing\": 0.1}}]}",
                        "bodies[0].fill: the surface has no inside");
    check_scene_refused(FILLED(", \"patern\": 1"), "bodies[0].fill.patern");
    write_file("two.obj", "v 0 0 0\nv 1 0 0\n");
    check_scene_refused("{\"bodies\": [{\"mesh\": \"two.obj\"}]}",
                        "loose particles, which need a radius");
    write_file("seen.json", "{\"bodies\": [{\"mesh\": \"grains\", \"visual\": \"two.obj\"}]}");
    check_complaint(in_folder("render %s/%s -o %s/x.png", "seen.json"), 1,
                    "only a body of tets, of cloth or of clusters of particles carries another "
                    "surface");
    check_scene_refused("{\"bodies\": [{\"mesh\": \"grains\", \"visual\": \"shape\"}]}",
                        "\"shape\" is the mesh that clusters of particles fill");
    check_scene_refused("{\"bodies\": [{\"mesh\": \"grains\", \"clusters\": {\"size\": 1}}]}",
                        "give them a stiffness");
    check_scene_refused("{\"bodies\": [{\"mesh\": {\"surface\": \"two.obj\"}, \"fill\": "
                        "{\"spacing\": 1}}]}",
                        "name the file by");
}

static void keys_that_do_nothing_are_told(void** unused)
{
    (void)unused;
    write_file("idle.json", "{\"frames\": 0, \"bodies\": [{\"mesh\": \"grains\", \"cloth\": "
                            "{\"density\": 1}}]}");
    check_complaint(in_folder("run %s/%s", "idle.json"), 0, "bodies[0].cloth: it changes nothing");
    write_file("jitter.json", FILLED(", \"jitter\": 0.1"));
    check_complaint(in_folder("run %s/%s --frames 0", "jitter.json"), 0,
                    "bodies[0].fill.jitter: it changes nothing");
    write_file("twice.json",
               "{\"frames\": 0, \"bodies\": [{\"mesh\": \"grains\", \"radius\": 1}]}");
    check_complaint(in_folder("run %s/%s", "twice.json"), 0,
                    "bodies[0].radius: it changes nothing");
    write_file("good.json", "{\"frames\": 0, \"bodies\": [{\"mesh\": \"grains\", \"material\": "
                            "{\"density\": 1}}]}");
    program_run run;
    run_program(in_folder("run %s/%s 2>&1 >/dev/null", "good.json"), &run);
    assert_null(strstr(run.text, "nothing"));
}

static void the_example_runs_and_says_what_it_has(void** unused)
{
    (void)unused;
    json_t* root = run_json(
        "run sand --frames 1 --json --quiet --set 'bodies.0.fill={\"spacing\": 0.05}' | sed -n 2p");
    assert_int_equal(json_int_at(root, "substeps"), 9); // for a heap of them
    const json_t* energies = json_object_get(root, "energies");
    assert_true(json_number_value(json_object_get(energies, "elastic")) == 0);
    json_decref(root);
}

static void probes_of_particles_have_numbers(void** unused)
{
    (void)unused;
    write_file("probe.json", "{\"frames\": 1, \"bodies\": [{\"mesh\": \"grains\"}]}");
    check_status(in_folder("run %s/%s --probes %s/probe.csv", "probe.json"), 0);
    char* text = read_file("probe.csv");
    for (const char* at = strchr(text, '\n'); at; at = strchr(at + 1, ','))
        if (at[1] && !strchr("-0123456789", at[1])) fail_msg("not a number: %.20s", at + 1);
    assert_null(strstr(text, "-."));
    free(text);
}

// ---- frames and films ---------------------------------------------------------------------------

static void run_all_formats(void)
{
    write_file("run.json", "{\"bodies\": [{\"mesh\": \"two.ply\", \"color\": [1, 0, 0]}], "
                           "\"frames\": 1}");
    write_file("two.ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty "
                          "float y\nproperty float z\nproperty float radius\nend_header\n"
                          "0 0 0 0.5\n2 0 0 0.25\n");
    check_status(
        in_folder("run %s/%s --out %s/out --format vtu,ply,obj,glb,usda,pc2 --quiet", "run.json"),
        0);
}

static void check_frame(const char* name, bool radii)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_load(in_folder("%s/out/%s", name), &mesh));
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    assert_int_equal(m.vertex_count, 2);
    if (radii) assert_true(m.vertex_radius[0] == 0.5 && m.vertex_radius[1] == 0.25);
    pliant_mesh_destroy(mesh);
}

static void frames_are_meshes_of_points_with_radii(void** unused)
{
    (void)unused;
    run_all_formats();
    check_frame("frame_00001.vtu", true);
    check_frame("frame_00001.ply", true);
    check_frame("frame_00001.obj", false);
    char* text = read_file("out/frame_00001.vtu");
    static const char* const fields[] = {"\"velocity\"", "\"contact_force\"", "\"displacement\"",
                                         "\"body\"", "\"radius\""};
    assert_non_null(strstr(text, "NumberOfPoints=\"2\" NumberOfCells=\"2\""));
    for (int i = 0; i < 5; ++i)
        if (!strstr(text, fields[i])) fail_msg("no %s in the frame", fields[i]);
    free(text);
}

static void films_have_points_and_widths(void** unused)
{
    (void)unused;
    run_all_formats();
    char* text = read_file("out/frames.usda");
    assert_non_null(strstr(text, "def Points \"body_0\""));
    assert_non_null(strstr(text, "float[] widths = [1, 0.5]"));
    free(text);
    text = read_file("out/frames.glb");
    assert_non_null(strstr(text + 20, "\"mode\":0"));
    free(text);
}

// Tets, cloth, edges and particles together: cells of all kinds have their data.
static void a_frame_holds_particles_beside_other_bodies(void** unused)
{
    (void)unused;
    write_file("two.obj", "v 9 0 0\nv 11 0 0\n");
    staged s = open_text("{\"bodies\": [{\"mesh\": \"box6:1x1x1:1\"}, {\"mesh\": \"two.obj\", "
                         "\"radius\": 0.5}, {\"mesh\": \"rope:1:2\"}]}");
    assert_int_equal(s.frame.loose_count, 2);
    assert_int_equal(s.frame.loose[0], 8);
    assert_true(s.frame.radius[7] == 0 && s.frame.radius[9] == 0.5f && s.frame.radius[10] == 0);
    close_staged(&s);
}

static pliant_result write_and_draw(const void* context)
{
    const staged* f = (const staged*)context;
    const style how = style_defaults();
    frame copy;
    series files;
    album a;
    image out = {16, 16, NULL};
    pliant_result result = frame_create(&f->stage, &copy);
    if (result) return result;
    result = series_open(&files, in_folder("%s/%s", "frames"),
                         series_format("vtu", 3) | series_format("ply", 3), 1);
    if (!result) result = series_add(&files, &copy, 0);
    pliant_result closed = series_close(&files);
    if (!result) result = closed;
    if (!result) {
        result = album_open(&a, &f->stage, &copy, &how, &f->scene->camera);
        if (!result) result = album_keep(&a);
        if (!result) result = album_draw(&a, 0, 1, 1, &out);
        album_release(&a);
    }
    mem_free(out.rgb);
    frame_destroy(&copy);
    return result;
}

static void frames_and_pictures_outlive_every_lack_of_memory(void** unused)
{
    (void)unused;
    staged s = open_text("{\"bodies\": [{\"mesh\": \"grains:1x1x1:0.5\"}]}");
    assert_true(check_every_failure(write_and_draw, &s) > 20);
    close_staged(&s);
}

// ---- pictures -----------------------------------------------------------------------------------

static const band eight_rows = {0, 8};

static void a_disk_is_nearest_in_its_middle(void** unused)
{
    (void)unused;
    canvas c;
    assert_true(canvas_create(&c, 8, 8, true));
    canvas_disk(&c, eight_rows, &(disk){4, 4, 3, 1, 1}, 7);
    assert_int_equal(c.face[canvas_at(&c, 4, 4)], 7);
    CHECK_CLOSE(c.near[canvas_at(&c, 4, 4)], 1 + sqrt(1 - 0.5 / 9), 1e-6);
    CHECK_CLOSE(c.near[canvas_at(&c, 1, 1)], 0, 0);
    CHECK_CLOSE(c.near[canvas_at(&c, 4, 0)], 0, 0);
    canvas_disk(&c, eight_rows, &(disk){4, 4, 3, 0.5, 0.1}, 8); // behind it
    assert_int_equal(c.face[canvas_at(&c, 4, 4)], 7);
    canvas_destroy(&c);
}

static void a_disk_smaller_than_a_sample_still_shows(void** unused)
{
    (void)unused;
    canvas c;
    int covered = 0;
    assert_true(canvas_create(&c, 8, 8, true));
    canvas_disk(&c, eight_rows, &(disk){3.3, 5.8, 0.01, 1, 0.1}, 7);
    for (int i = 0; i < 64; ++i) covered += c.near[i] > 0;
    assert_int_equal(covered, 1);
    assert_int_equal(c.face[canvas_at(&c, 3, 5)], 7);
    canvas_destroy(&c);
}

static image draw(const char* text, const style* how, int threads)
{
    staged f = open_text(text);
    album a;
    image out = {f.scene->camera.width, f.scene->camera.height, NULL};
    CHECK_OK(album_open(&a, &f.stage, &f.frame, how, &f.scene->camera));
    CHECK_OK(album_keep(&a));
    CHECK_OK(album_draw(&a, 0, 1, threads, &out));
    album_release(&a);
    close_staged(&f);
    return out;
}

static const uint8_t* pixel(const image* p, int x, int y)
{
    return p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
}

#define ONE_BALL(mesh)                                                                             \
    "{\"bodies\": [{\"mesh\": \"" mesh "\", \"radius\": 0.5, \"color\": [1, 0, 0]}], "             \
    "\"camera\": {\"width\": 64, \"height\": 64, \"eye\": [0, 0, 4], \"target\": [0, 0, 0], "      \
    "\"field_of_view\": 30}}"

static void a_ball_is_drawn_in_the_color_of_its_body(void** unused)
{
    (void)unused;
    write_file("one.obj", "v 0 0 0\n");
    style how = style_defaults();
    image drawn = draw(ONE_BALL("one.obj"), &how, 1);
    const uint8_t *middle = pixel(&drawn, 32, 32), *corner = pixel(&drawn, 2, 2);
    if (!(middle[0] > 100 && middle[1] < 0.6 * middle[0]))
        fail_msg("the middle is %d %d %d", middle[0], middle[1], middle[2]);
    assert_true(corner[2] >= corner[0]);
    // Half as wide as it is far away by its tangent: the rim is at 0.5 / sqrt(16 - 0.25).
    double rim = 32 * 0.5 / sqrt(16 - 0.25) / tan(0.2617993877991494);
    const uint8_t *in = pixel(&drawn, 32 + (int)rim - 1, 32),
                  *out = pixel(&drawn, 32 + (int)rim + 2, 32);
    assert_true(in[1] < 0.8 * in[0] && out[2] >= out[0]);
    mem_free(drawn.rgb);
}

static void a_ball_is_drawn_in_its_own_color_where_it_has_one(void** unused)
{
    (void)unused;
    write_file("green.obj", "v 0 0 0 0 1 0\n");
    style how = style_defaults();
    image drawn = draw(ONE_BALL("green.obj"), &how, 1);
    const uint8_t* middle = pixel(&drawn, 32, 32);
    if (!(middle[1] > 100 && middle[0] < 0.6 * middle[1]))
        fail_msg("the middle is %d %d %d", middle[0], middle[1], middle[2]);
    mem_free(drawn.rgb);
}

static void values_and_threads_of_pictures(void** unused)
{
    (void)unused;
    style plain = style_defaults(), speed = plain;
    assert_true(style_by_word(&speed, "speed"));
    image one = draw(FILLED(""), &plain, 1), two = draw(FILLED(""), &plain, 3);
    image by = draw(FILLED(""), &speed, 1);
    size_t bytes = 3 * (size_t)one.width * (size_t)one.height;
    assert_memory_equal(one.rgb, two.rgb, bytes);
    assert_true(memcmp(one.rgb, by.rgb, bytes) != 0);
    mem_free(one.rgb);
    mem_free(two.rgb);
    mem_free(by.rgb);
}

static void every_way_to_paint_particles_works(void** unused)
{
    (void)unused;
    pliant_set_log(NULL, NULL);
    for (int by = 0; by < BY_COUNT; ++by) {
        style how = style_defaults();
        if (by == BY_CLUSTER || by == BY_TEMPERATURE) continue; // they have none
        assert_true(style_by_word(&how, paint_words[by]));
        image drawn = draw(ONE_BALL("one.obj"), &how, 1);
        mem_free(drawn.rgb);
    }
}

// ---- the command line ---------------------------------------------------------------------------

static void mesh_fills_and_tells_of_the_radii(void** unused)
{
    (void)unused;
    json_t* root = run_json(in_folder("mesh box6:1x1x1:1 --fill 0.1 --pattern grid --radius 0.04 "
                                      "--json -o %s/%s",
                                      "grid.ply"));
    assert_int_equal(json_int_at(root, "vertices"), 1000);
    const json_t* radii = json_object_get(root, "radius_min_mean_max");
    CHECK_CLOSE(json_number_value(json_array_get(radii, 1)), 0.04, 1e-9);
    assert_int_equal(json_array_size(json_object_get(root, "problems")), 0);
    json_decref(root);
    root = run_json(in_folder("info %s/%s --json", "grid.ply"));
    assert_int_equal(json_int_at(root, "vertices"), 1000);
    json_decref(root);
}

static void wrong_fillings_are_refused(void** unused)
{
    (void)unused;
    check_complaint("mesh sphere --fill 0.1 --pattern random", 2, "hexagonal, grid");
    check_complaint("mesh sphere --fill 0", 2, "--fill");
    check_complaint("mesh sphere --fill 0.1 --tets 100", 2, "use one of them");
    check_complaint("mesh sphere --fill 0.1 --radius 1", 1, "at most 0.05 m");
    check_complaint("mesh grains --fill 0.1", 1, "neither tets nor triangles");
    check_complaint("mesh grains -o /tmp/x.stl", 1, "nothing that STL files hold");
    check_complaint("mesh grains:0x1x1", 1, "cell");
}

static void a_lone_model_of_points_runs(void** unused)
{
    (void)unused;
    check_status(in_folder("mesh grains:1x1x1:0.3 -o %s/%s", "drop.ply"), 0);
    check_status(in_folder("run %s/%s --frames 2", "drop.ply"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_fills_a_shape),
        cmocka_unit_test(clusters_carry_their_shape),
        cmocka_unit_test(scale_makes_particles_larger),
        cmocka_unit_test(a_scene_takes_a_file_of_points_and_a_radius),
        cmocka_unit_test(bad_fillings_name_their_place),
        cmocka_unit_test(keys_that_do_nothing_are_told),
        cmocka_unit_test(the_example_runs_and_says_what_it_has),
        cmocka_unit_test(probes_of_particles_have_numbers),
        cmocka_unit_test(frames_are_meshes_of_points_with_radii),
        cmocka_unit_test(films_have_points_and_widths),
        cmocka_unit_test(a_frame_holds_particles_beside_other_bodies),
        cmocka_unit_test(frames_and_pictures_outlive_every_lack_of_memory),
        cmocka_unit_test(a_disk_is_nearest_in_its_middle),
        cmocka_unit_test(a_disk_smaller_than_a_sample_still_shows),
        cmocka_unit_test(a_ball_is_drawn_in_the_color_of_its_body),
        cmocka_unit_test(a_ball_is_drawn_in_its_own_color_where_it_has_one),
        cmocka_unit_test(values_and_threads_of_pictures),
        cmocka_unit_test(every_way_to_paint_particles_works),
        cmocka_unit_test(mesh_fills_and_tells_of_the_radii),
        cmocka_unit_test(wrong_fillings_are_refused),
        cmocka_unit_test(a_lone_model_of_points_runs),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
