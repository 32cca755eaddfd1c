// Pictures: what is drawn, in which colors, the same for any number of threads, and films.
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/platform.h"
#include "folder.h"
#include "load.h"
#include "program.h"
#include "render/canvas.h"
#include "render/colormap.h"
#include "render/field.h"
#include "render/ink.h"
#include "render/legend.h"
#include "render/picture.h"

#include "failing.h"
#include "staged.h"
#include "system/folder.h"

// A box that is stretched to twice its length along x, and a rope.
static const char bodies[] =
    "{\"bodies\": [{\"mesh\": \"beam:4x2x2\", \"solver\": {\"schedule\": \"clustered\"}, "
    "\"material\": "
    "{\"young\": 1e6, \"poisson\": 0.45}}, {\"mesh\": \"rope:3:5\", \"position\": [0, 1, 0]}], "
    "\"colliders\": [{\"position\": [0, -1, 0]}], \"camera\": {\"width\": 160, \"height\": 96}}";

static int open_two(void** state)
{
    static staged f;
    const stage_options options = {1, -1, -1, -1, -1, load_mesh, NULL};
    assert_int_equal(make_folder(state), 0);
    f = open_staged(bodies, "two.json", options);
    pliant_mesh_arrays m = pliant_mesh_view(f.stage.entries[0].mesh);
    double* x = (double*)mem_array(3 * (size_t)m.vertex_count, sizeof(double));
    for (int i = 0; i < 3 * m.vertex_count; ++i) x[i] = m.vertices[i] * (i % 3 == 0 ? 2 : 1);
    pliant_body_write_positions_exact(f.stage.world, f.stage.bodies[0].id, x, m.vertex_count);
    mem_free(x);
    CHECK_OK(frame_update(&f.frame, &f.stage));
    *state = &f;
    return 0;
}

static int close_two(void** state)
{
    close_staged(*state);
    assert_int_equal(remove_folder(state), 0);
    assert_int_equal(pliant_allocated_bytes(), 0);
    return 0;
}

static const band eight_rows = {0, 8};

// ---- samples ------------------------------------------------------------------------------------

static void the_nearer_triangle_wins(void** state)
{
    (void)state;
    canvas c;
    assert_true(canvas_create(&c, 8, 8, true));
    const spot far[3] = {{0, 0, 1}, {8, 0, 1}, {0, 8, 1}},
               near[3] = {{0, 0, 2}, {4, 0, 2}, {0, 4, 2}};
    canvas_draw(&c, eight_rows, near, 1);
    canvas_draw(&c, eight_rows, far, 2);
    assert_int_equal(c.face[0], 1);
    assert_int_equal(c.face[5], 2);
    CHECK_CLOSE(c.near[63], 0, 0);
    canvas_destroy(&c);
}

static void triangles_far_outside_are_cut_to_the_canvas(void** state)
{
    (void)state;
    canvas c;
    assert_true(canvas_create(&c, 8, 8, true));
    const spot huge[3] = {{-1e12, -1e12, 1}, {1e12, -1e12, 1}, {0, 1e12, 1}};
    const spot outside[3] = {{-9, -9, 1}, {-5, -9, 1}, {-9, -5, 1}};
    canvas_draw(&c, eight_rows, outside, 1);
    for (int i = 0; i < 64; ++i) CHECK_CLOSE(c.near[i], 0, 0);
    canvas_draw(&c, eight_rows, huge, 2);
    for (int i = 0; i < 64; ++i) assert_int_equal(c.face[i], 2);
    canvas_destroy(&c);
}

static void bands_draw_what_the_whole_does(void** state)
{
    (void)state;
    canvas whole, parts;
    const band all = {0, 32}, upper = {0, 13}, lower = {13, 32};
    assert_true(canvas_create(&whole, 32, 32, true) && canvas_create(&parts, 32, 32, true));
    for (int i = 0; i < 40; ++i) {
        spot s[3];
        for (int k = 0; k < 3; ++k)
            s[k] = (spot){(i * 37 + k * 53) % 41 - 4.3, (i * 29 + k * 71) % 43 - 5.1,
                          1 + (i * 13 + k * 7) % 11};
        canvas_draw(&whole, all, s, i);
        canvas_draw(&parts, lower, s, i);
        canvas_draw(&parts, upper, s, i);
    }
    assert_memory_equal(whole.near, parts.near, 1024 * sizeof(float));
    for (int i = 0; i < 1024; ++i)
        if (whole.near[i] > 0) assert_int_equal(whole.face[i], parts.face[i]);
    canvas_destroy(&whole);
    canvas_destroy(&parts);
}

// ---- values -------------------------------------------------------------------------------------

static void stretch_has_its_strain_and_stress(void** state)
{
    staged* f = *state;
    float* value = (float*)mem_array((size_t)f->frame.vertex_count, sizeof(float));
    assert_non_null(value);
    CHECK_OK(field_measure(&f->stage, &f->frame, BY_STRAIN, value));
    CHECK_CLOSE(value[0], 1.5, 1e-6); // (2^2 - 1) / 2
    CHECK_OK(field_measure(&f->stage, &f->frame, BY_STRESS, value));
    // mu / J F F^T with F = diag(2, 1, 1): the deviator of diag(4, 1, 1) is 3 in von Mises'
    // measure.
    CHECK_CLOSE(value[0], 1e6 / 2.9 / 2 * 3, 1e-6);
    CHECK_CLOSE(value[f->frame.vertex_count - 1], 0, 0); // a rope has no tets
    mem_free(value);
}

static void clusters_hold_their_colors(void** state)
{
    staged* f = *state;
    size_t tets = (size_t)f->frame.tet_count;
    int *color = (int*)mem_array(tets, sizeof(int)), *cluster = (int*)mem_array(tets, sizeof(int));
    int colors, clusters, joined = 0;
    CHECK_OK(field_numbers(&f->stage, BY_COLOR, color, &colors));
    CHECK_OK(field_numbers(&f->stage, BY_CLUSTER, cluster, &clusters));
    for (size_t i = 0; i < tets; ++i)
        for (size_t k = 0; k < i; ++k)
            if (cluster[i] == cluster[k]) {
                assert_int_equal(color[i], color[k]);
                ++joined;
            }
    CHECK_BETWEEN(joined, 1, 1e9);
    CHECK_BETWEEN(clusters, colors, (double)tets - 1);
    mem_free(color);
    mem_free(cluster);
}

static double lightness(const uint8_t* c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

static void the_even_map_only_gets_lighter(void** state)
{
    (void)state;
    uint8_t map[4 * 64];
    colormap_fill(MAP_EVEN, 64, map);
    for (int i = 1; i < 64; ++i)
        if (!(lightness(map + 4 * i) > lightness(map + 4 * (i - 1)) - 0.5))
            fail_msg("color %d is darker than the one before", i);
    CHECK_BETWEEN(lightness(map + 4 * 63) - lightness(map), 120, 255);
}

static void neighbors_of_the_map_apart_differ(void** state)
{
    (void)state;
    uint8_t map[4 * 32];
    colormap_fill(MAP_APART, 32, map);
    for (int i = 1; i < 32; ++i) {
        int apart = 0;
        for (int k = 0; k < 3; ++k) apart += abs(map[4 * i + k] - map[4 * (i - 1) + k]);
        CHECK_BETWEEN(apart, 60, 765);
    }
}

static void ranges_end_on_round_numbers(void** state)
{
    (void)state;
    CHECK_CLOSE(legend_range(0.037).high, 0.04, 1e-12);
    CHECK_CLOSE(legend_range(812345).high, 1e6, 1e-12);
    CHECK_CLOSE(legend_range(2).high, 2, 1e-12);
    CHECK_CLOSE(legend_range(0).high, 1, 0);
}

static void letters_are_where_they_are_put(void** state)
{
    (void)state;
    static uint8_t pixels[3 * 64 * 32];
    image page = {64, 32, pixels};
    memset(pixels, 255, sizeof pixels);
    ink_text(&page, (place2){4, 28}, 20, (ink){0, 0, 0, 1}, "H");
    const uint8_t *left = pixels + 3 * (18 * 64 + 4), *inside = pixels + 3 * (12 * 64 + 10),
                  *right = pixels + 3 * (18 * 64 + 17), *away = pixels + 3 * (18 * 64 + 40);
    CHECK_BETWEEN(left[0], 0, 80);
    CHECK_BETWEEN(right[0], 0, 80);
    assert_int_equal(inside[0], 255);
    assert_int_equal(away[0], 255);
}

static void words_of_styles_are_checked(void** state)
{
    (void)state;
    style s = style_defaults();
    assert_true(style_clip_word(&s, "-y:0.25"));
    assert_int_equal(s.clip_axis, 1);
    assert_true(s.clip_below);
    assert_false(style_clip_word(&s, "w:0.5") || style_clip_word(&s, "x:") ||
                 style_clip_word(&s, "x:2") || style_clip_word(&s, "x"));
    assert_true(style_by_word(&s, "color"));
    assert_int_equal(s.map, MAP_JET);
    assert_false(style_by_word(&s, "taste") || style_map_word(&s, "mud"));
}

// ---- pictures -----------------------------------------------------------------------------------

static image draw(staged* f, const style* how, int threads)
{
    album a;
    image out = {f->scene->camera.width, f->scene->camera.height, NULL};
    CHECK_OK(album_open(&a, &f->stage, &f->frame, how, &f->scene->camera));
    CHECK_OK(album_keep(&a));
    CHECK_OK(album_draw(&a, 0, 1, threads, &out));
    album_release(&a);
    return out;
}

static size_t bytes_of(const image* p) { return 3 * (size_t)p->width * (size_t)p->height; }

static void pictures_have_the_same_bytes_for_any_threads(void** state)
{
    staged* f = *state;
    for (int by = 0; by < BY_PATCH; by += by_scope(3, 1, 1)) {
        style how = style_defaults();
        assert_true(style_by_word(&how, paint_words[by]));
        image one = draw(f, &how, 1);
        for (int threads = by_scope(5, 2, 2); threads <= 5; threads += 3) {
            image many = draw(f, &how, threads);
            assert_memory_equal(one.rgb, many.rgb, bytes_of(&one));
            mem_free(many.rgb);
        }
        mem_free(one.rgb);
    }
}

static int differing(const image* a, const image* b)
{
    int count = 0;
    for (size_t i = 0; i < bytes_of(a); i += 3) count += memcmp(a->rgb + i, b->rgb + i, 3) != 0;
    return count;
}

static void every_way_to_draw_shows_something_else(void** state)
{
    staged* f = *state;
    enum { WAYS = 5 };
    style way[WAYS];
    image drawn[WAYS];
    for (int i = 0; i < WAYS; ++i) way[i] = style_defaults();
    assert_true(style_by_word(&way[1], "strain") && style_clip_word(&way[2], "x:0.5"));
    way[3].points = true;
    way[4].wires = false;
    for (int i = 0; i < WAYS; ++i) drawn[i] = draw(f, &way[i], 2);
    for (int i = 0; i < WAYS; ++i)
        for (int k = 0; k < i; ++k)
            if (differing(&drawn[i], &drawn[k]) < 50) fail_msg("ways %d and %d look alike", i, k);
    for (int i = 0; i < WAYS; ++i) mem_free(drawn[i].rgb);
}

static void a_legend_has_its_own_place_beside_several_moments(void** state)
{
    staged* f = *state;
    album a;
    image out = {300, 200, NULL};
    style how = style_defaults();
    assert_true(style_by_word(&how, "stress"));
    CHECK_OK(album_open(&a, &f->stage, &f->frame, &how, &f->scene->camera));
    CHECK_OK(album_keep(&a));
    CHECK_OK(album_keep(&a));
    CHECK_OK(album_draw(&a, 0, 2, 1, &out));
    int width = legend_width(&a.sketch, (map_range){0, 1e5}, &out);
    if (width > out.width / 3) fail_msg("the legend takes %d of %d columns", width, out.width);
    for (int y = 0; y < out.height; ++y) // nothing is drawn behind it
        assert_int_equal(out.rgb[3 * ((size_t)y * (size_t)out.width + (size_t)out.width - 1)], 255);
    album_release(&a);
    mem_free(out.rgb);
}

static void a_picture_is_a_png_of_the_wanted_size(void** state)
{
    staged* f = *state;
    char path[128];
    picture p;
    scene_camera camera = f->scene->camera;
    void* data = NULL;
    size_t bytes;
    if (!picture_is_available()) skip();
    camera.width = 96;
    camera.height = 64;
    camera.times = (scene_numbers){{0, 0.5}, 2};
    picture_begin(&p, &camera);
    CHECK_OK(picture_note(&p, &f->stage, &f->frame, 0));
    CHECK_OK(picture_note(&p, &f->stage, &f->frame, 1));
    assert_int_equal(p.album.moment_count, 2);
    snprintf(path, sizeof path, "%s/a.png", folder);
    CHECK_OK(picture_write(&p, &f->stage, &f->frame, path));
    picture_release(&p);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    const unsigned char head[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13,
                                  'I',  'H', 'D', 'R', 0,  0,  0,  96, 0, 0, 0, 64};
    assert_memory_equal(data, head, sizeof head);
    mem_free(data);
}

static pliant_result draw_small(const void* context)
{
    const staged* f = (const staged*)context;
    style how = style_defaults();
    album a;
    scene_camera camera = f->scene->camera;
    image out = {16, 16, NULL};
    style_by_word(&how, "strain");
    pliant_result result = album_open(&a, &f->stage, &f->frame, &how, &camera);
    if (!result) result = album_keep(&a);
    if (!result) result = album_draw(&a, 0, 1, 1, &out);
    album_release(&a);
    mem_free(out.rgb);
    return result;
}

static void pictures_survive_every_failed_allocation(void** state)
{
    CHECK_BETWEEN(check_some_failures(draw_small, *state, by_scope(7, 3, 1)), 60, 1000);
}

// ---- films --------------------------------------------------------------------------------------

// Stands for ffmpeg: leaves what it is told and what it reads beside the film.
static void fake_ffmpeg(const char* end)
{
    char command[512];
    snprintf(command, sizeof command,
             "mkdir -p %s/bin && printf '#!/bin/sh\\n[ \"$1\" = -version ] && exit 0\\n"
             "for last; do :; done\\necho \"$@\" > %s/told\\ncat > \"$last\"\\n%s\\n' > "
             "%s/bin/ffmpeg && chmod +x %s/bin/ffmpeg",
             folder, folder, end, folder, folder);
    assert_int_equal(system(command), 0);
}

static void run_with_path(const char* path, const char* arguments, program_run* out)
{
    char command[1024], *before = strdup(getenv("PATH"));
    snprintf(command, sizeof command, "%s:%s", path, before);
    setenv("PATH", path[0] == '/' && strcmp(path, "/nowhere") ? command : path, 1);
    run_program(arguments, out);
    setenv("PATH", before, 1);
    free(before);
}

static void a_film_has_every_frame(void** state)
{
    (void)state;
    program_run run;
    char arguments[512], path[128];
    void* data = NULL;
    size_t bytes;
    fake_ffmpeg("exit 0");
    snprintf(path, sizeof path, "%s/bin", folder);
    snprintf(arguments, sizeof arguments,
             "render hanging-beam -o %s/a.mp4 --frames 4 --every 2 --size 63x47 --turn 90 2>&1",
             folder);
    run_with_path(path, arguments, &run);
    if (run.status) fail_msg("the film failed: %s", run.text);
    // Sides are even, and the summary has them.
    if (!strstr(run.text, "of 64x48,")) fail_msg("the film is said to be: %s", run.text);
    snprintf(path, sizeof path, "%s/a.mp4", folder);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    assert_int_equal(bytes, 3 * 3 * 64 * 48); // three frames
    // The camera went around.
    assert_memory_not_equal(data, (char*)data + 3 * 64 * 48, 3 * 64 * 48);
    mem_free(data);
}

static void a_film_that_fails_leaves_nothing(void** state)
{
    (void)state;
    program_run run;
    char arguments[512], path[128];
    fake_ffmpeg("exit 3");
    snprintf(path, sizeof path, "%s/bin", folder);
    snprintf(arguments, sizeof arguments,
             "render hanging-beam -o %s/b.gif --frames 1 --size 32x32 --quiet 2>&1", folder);
    run_with_path(path, arguments, &run);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.text, "ffmpeg could not make it (it left with 3)"));
    snprintf(path, sizeof path, "%s/b.gif", folder);
    assert_false(file_exists(path));
    snprintf(path, sizeof path, "%s/b.gif.part", folder);
    assert_false(file_exists(path));
}

static void without_ffmpeg_a_sentence_says_so(void** state)
{
    (void)state;
    program_run run;
    char arguments[512];
    snprintf(arguments, sizeof arguments,
             "render hanging-beam -o %s/c.mp4 --frames 1 --size 32x32 --quiet 2>&1", folder);
    // The shell itself is found by its full name.
    run_with_path("/nowhere", arguments, &run);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.text, "films are made by ffmpeg, which is not there"));
}

// What a picture cannot show is told.
static void empty_pictures_are_told(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"render hanging-beam --clip x:0", "the cut takes all tets away"},
        {"render cloth --by stress", "body 0, which has none, is painted as if it had no stress"},
        {"render drop", "camera.times: "},
        {"run drop --picture", "is beyond the end of the run at 0 s: the end is drawn"},
    };
    for (int i = 0; i < by_scope(2, 4, 4); ++i) {
        char arguments[512];
        bool drawn = strstr(cases[i][0], "render") != NULL;
        snprintf(arguments, sizeof arguments, "%s %s%s/a.png %s --frames 0", cases[i][0],
                 drawn ? "-o " : "", folder, drawn ? "--size 64x48" : "");
        check_complaint(arguments, 0, cases[i][1]);
    }
}

static void wrong_words_are_told(void** state)
{
    (void)state;
    check_complaint("render drop", 2, "name a .png, .mp4 or .gif");
    check_complaint("render drop -o a.png --by taste", 2, "use body, color");
    check_complaint("render drop -o a.png --clip 5", 2, "--clip");
    check_complaint("render drop -o a.png --size 5x5", 2, "--size");
    check_complaint("render drop -o a.png --times 2,1", 2, "--times");
    check_complaint("render drop -o a.png --range 2:1", 2, "--range");
    check_complaint("render drop -o a.png --eye 1,2,3", 2, "use both");
    check_complaint("render drop -o a.png --eye 1,2 --target 0,0,0", 2, "three numbers");
    check_complaint("render drop -o a.png --eye 1,2,3 --target 1,2,3", 2, "the same place");
    check_complaint("render nothing -o a.png", 1, "neither a file nor a scene");
}

int main(void)
{
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_two, close_two)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearer_triangle_wins),
        cmocka_unit_test(triangles_far_outside_are_cut_to_the_canvas),
        cmocka_unit_test(bands_draw_what_the_whole_does),
        WITH_FIXTURE(stretch_has_its_strain_and_stress),
        WITH_FIXTURE(clusters_hold_their_colors),
        cmocka_unit_test(the_even_map_only_gets_lighter),
        cmocka_unit_test(neighbors_of_the_map_apart_differ),
        cmocka_unit_test(ranges_end_on_round_numbers),
        cmocka_unit_test(letters_are_where_they_are_put),
        cmocka_unit_test(words_of_styles_are_checked),
        WITH_FIXTURE(pictures_have_the_same_bytes_for_any_threads),
        spare_threads_test_with(every_way_to_draw_shows_something_else, open_two, close_two),
        spare_threads_test_with(a_legend_has_its_own_place_beside_several_moments, open_two,
                                close_two),
        WITH_FIXTURE(a_picture_is_a_png_of_the_wanted_size),
        spare_threads_test_with(pictures_survive_every_failed_allocation, open_two, close_two),
        spare_threads_test_with(a_film_has_every_frame, open_two, close_two),
        spare_threads_test_with(a_film_that_fails_leaves_nothing, open_two, close_two),
        WITH_FIXTURE(without_ffmpeg_a_sentence_says_so),
        spare_threads_test_with(empty_pictures_are_told, open_two, close_two),
        cmocka_unit_test(wrong_words_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
