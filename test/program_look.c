// What pictures and charts look like: measured on their pixels.
#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/platform.h"
#include "bench/chart.h"
#include "folder.h"
#include "program.h"
#include "render/album.h"
#include "render/ink.h"

#include "staged.h"

// ---- pictures of a scene as it is ---------------------------------------------------------------

static staged open_scene_text(const char* text)
{
    const stage_options options = {1, -1, -1, -1, -1, load_mesh, NULL};
    return open_staged(text, "look.json", options);
}

static image draw_turned(staged* f, double degrees, bool goes_around)
{
    style how = style_defaults();
    album a;
    image out = {f->scene->camera.width, f->scene->camera.height, NULL};
    how.wires = false;
    CHECK_OK(frame_update(&f->frame, &f->stage));
    CHECK_OK(album_open(&a, &f->stage, &f->frame, &how, &f->scene->camera));
    CHECK_OK(album_keep(&a));
    a.goes_around = goes_around;
    album_turn(&a, degrees);
    CHECK_OK(album_draw(&a, 0, 1, 2, &out));
    album_release(&a);
    return out;
}

static image draw(staged* f) { return draw_turned(f, 0, false); }

static image draw_text(const char* text)
{
    staged f = open_scene_text(text);
    image out = draw(&f);
    close_staged(&f);
    return out;
}

static const uint8_t* pixel(const image* p, int x, int y)
{
    return p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
}

static double brightness(const image* p, int x, int y)
{
    const uint8_t* c = pixel(p, x, y);
    return (c[0] + c[1] + c[2]) / 3.0;
}

// Bodies here are red, everything else is gray or bluish.
static bool is_red(const image* p, int x, int y)
{
    const uint8_t* c = pixel(p, x, y);
    return c[0] > c[2] + 40;
}

typedef struct {
    int left, right, top, bottom; // pixels that are red, the last ones included
} frame_box;

static frame_box find_red(const image* p)
{
    frame_box b = {p->width, -1, p->height, -1};
    for (int y = 0; y < p->height; ++y)
        for (int x = 0; x < p->width; ++x) {
            if (!is_red(p, x, y)) continue;
            b.left = x < b.left ? x : b.left;
            b.right = x > b.right ? x : b.right;
            b.top = y < b.top ? y : b.top;
            b.bottom = y > b.bottom ? y : b.bottom;
        }
    if (b.right < 0) fail_msg("no body is in the picture");
    return b;
}

static double share_across(const image* p, frame_box b)
{
    return (b.right + 1.0 - b.left) / p->width;
}
static double share_upward(const image* p, frame_box b)
{
    return (b.bottom + 1.0 - b.top) / p->height;
}

// The subject fills most of the picture along one side, and is in its middle.
static void check_filled(const image* p, const char* what)
{
    const frame_box b = find_red(p);
    double across = share_across(p, b), upward = share_upward(p, b);
    double most = across > upward ? across : upward;
    double aside = (b.left + b.right + 1.0) / (2 * p->width) - 0.5;
    double above = (b.top + b.bottom + 1.0) / (2 * p->height) - 0.5;
    if (!(most > 0.7 && most < 0.92))
        fail_msg("%s: the subject fills %.0f %% across and %.0f %% upward, 70 to 92 were wanted",
                 what, 100 * across, 100 * upward);
    if (!(fabs(aside) < 0.03 && fabs(above) < 0.03))
        fail_msg("%s: the subject is %.1f %% aside and %.1f %% below the middle", what, 100 * aside,
                 100 * above);
}

// ---- cloth without thickness --------------------------------------------------------------------

// How much brightness changes from pixel to pixel around the middle of a lit cloth.
static void check_calm(staged* f, const char* what)
{
    enum { ASIDE = 24, ABOVE = 12 };
    image p = draw(f);
    const frame_box b = find_red(&p);
    int x0 = (b.left + b.right) / 2, y0 = (b.top + b.bottom) / 2, others = 0;
    double squares = 0, count = 0;
    for (int y = y0 - ABOVE; y < y0 + ABOVE; ++y)
        for (int x = x0 - ASIDE; x < x0 + ASIDE; ++x) {
            double change = brightness(&p, x + 1, y) - brightness(&p, x, y);
            squares += change * change, count += 1;
            others += !is_red(&p, x, y);
        }
    double rough = sqrt(squares / count);
    mem_free(p.rgb);
    if (others)
        fail_msg("%s shows through a cloth on it at %d of %.0f pixels", what, others, count);
    if (!(rough < 3)) fail_msg("a cloth on %s: brightness changes by %.1f a pixel", what, rough);
}

#define CLOTH "{\"bodies\": [{\"mesh\": \"cloth:12x12:1x1\", \"color\": [0.9, 0.3, 0.2]}], "
#define SMALL "\"camera\": {\"width\": 240, \"height\": 160, \"azimuth\": 20, \"elevation\": 40}}"

// Every particle at its height, give or take what rounding leaves after a contact.
static void lay_cloth(staged* f, double (*height)(double x, double z))
{
    pliant_mesh_arrays m = pliant_mesh_view(f->stage.entries[0].mesh);
    double* x = (double*)mem_array(3 * (size_t)m.vertex_count, sizeof(double));
    for (int i = 0; i < m.vertex_count; ++i) {
        double* at = x + 3 * (size_t)i;
        memcpy(at, m.vertices + 3 * (size_t)i, sizeof(double[3]));
        at[1] = height(at[0], at[2]) + 1e-7 * ((i * 37) % 11 - 5);
    }
    pliant_body_write_positions_exact(f->stage.world, f->stage.bodies[0].id, x, m.vertex_count);
    mem_free(x);
}

static double flat(double x, double z) { return 0 * x * z; }
static double round_up(double x, double z) { return sqrt(0.64 - x * x - z * z) - 0.8; }

static void cloth_does_not_speckle_on(const char* collider, const char* what,
                                      double (*height)(double x, double z))
{
    char text[512];
    snprintf(text, sizeof text, CLOTH "\"colliders\": [%s], " SMALL, collider);
    staged f = open_scene_text(text);
    lay_cloth(&f, height);
    check_calm(&f, what);
    close_staged(&f);
}

static void thin_cloth_on_a_floor_does_not_speckle(void** state)
{
    (void)state;
    cloth_does_not_speckle_on("{\"shape\": \"plane\"}", "a plane", flat);
}

static void thin_cloth_on_a_box_does_not_speckle(void** state)
{
    (void)state;
    cloth_does_not_speckle_on(
        "{\"shape\": \"box\", \"half_extents\": [0.7, 0.2, 0.7], \"position\": [0, -0.2, 0]}",
        "a box", flat);
}

static void thin_cloth_on_a_ball_does_not_speckle(void** state)
{
    (void)state;
    cloth_does_not_speckle_on(
        "{\"shape\": \"sphere\", \"radius\": 0.8, \"position\": [0, -0.8, 0]}", "a ball", round_up);
}

static void thin_cloth_on_a_mesh_does_not_speckle(void** state)
{
    (void)state;
    cloth_does_not_speckle_on("{\"shape\": \"mesh\", \"mesh\": \"beam:6x2x6:0.25\", \"position\": "
                              "[-0.75, -0.5, -0.75]}",
                              "a mesh", flat);
}

// ---- light --------------------------------------------------------------------------------------

// The kink of the brightness down a line: how much the slope changes over a few pixels. A round
// thing's changes slowly.
static void a_ball_has_no_line_across(void** state)
{
    (void)state;
    enum { STEP = 5 };
    image p = draw_text("{\"bodies\": [{\"mesh\": \"beam:1x1x1:0.2\", \"position\": [1.1, 0, 0]}], "
                        "\"colliders\": [{}, {\"shape\": \"sphere\", \"radius\": 0.5, "
                        "\"position\": [0, 0.5, 0]}], \"camera\": {\"width\": 400, \"height\": "
                        "400, \"eye\": [0, 1.2, 3.2], \"target\": [0, 0.5, 0], \"field_of_view\": "
                        "24}}");
    double worst = 0;
    int at = 0;
    for (int y = 110; y < 310; ++y) {
        double kink = 0;
        for (int x = 196; x < 204; ++x)
            kink += brightness(&p, x, y - STEP) - 2 * brightness(&p, x, y) +
                    brightness(&p, x, y + STEP);
        if (fabs(kink / 8) > worst) worst = fabs(kink / 8), at = y;
    }
    mem_free(p.rgb);
    if (!(worst < 2.2)) fail_msg("the slope of brightness changes by %.2f in row %d", worst, at);
}

// ---- the camera ---------------------------------------------------------------------------------

#define FALL                                                                                       \
    "{\"frames\": 30, \"bodies\": [{\"mesh\": \"beam:3x2x2:0.1\", \"color\": [0.9, 0.3, 0.2], "    \
    "\"velocity\": [0.8, 0, 0], \"position\": [0, 2, 0]}], \"colliders\": [{}], \"camera\": "      \
    "{\"width\": 320, \"height\": 200}}"

static image read_picture(const char* path)
{
    void* data = NULL;
    size_t bytes;
    image out = {0, 0, NULL};
    CHECK_OK(platform_read_file(path, &data, &bytes));
    uint8_t* rgba = png_read(data, bytes, &out.width, &out.height);
    assert_non_null(rgba);
    mem_free(data);
    size_t count = (size_t)out.width * (size_t)out.height;
    out.rgb = (uint8_t*)mem_alloc(3 * count);
    for (size_t i = 0; i < count; ++i) memcpy(out.rgb + 3 * i, rgba + 4 * i, 3);
    mem_free(rgba);
    return out;
}

static void check_picture(const char* arguments, const char* what)
{
    char path[128], command[512];
    snprintf(path, sizeof path, "%s/fall.json", folder);
    CHECK_OK(platform_write_file(path, FALL, strlen(FALL)));
    snprintf(command, sizeof command, arguments, folder, folder);
    check_status(command, 0);
    snprintf(path, sizeof path, "%s/fall.png", folder);
    image p = read_picture(path);
    check_filled(&p, what);
    mem_free(p.rgb);
}

static void after_a_fall_the_body_fills_the_picture(void** state)
{
    (void)state;
    if (!png_is_available()) skip();
    check_picture("render %s/fall.json -o %s/fall.png --quiet", "render");
    check_picture("run %s/fall.json --picture %s/fall.png --quiet", "run --picture");
}

static void a_floor_of_a_box_does_not_count(void** state)
{
    (void)state;
    image p =
        draw_text("{\"bodies\": [{\"mesh\": \"beam:3x2x2:0.1\", \"color\": [0.9, 0.3, 0.2]}], "
                  "\"colliders\": [{\"shape\": \"box\", \"half_extents\": [20, 1, 20], "
                  "\"position\": [3, -1, 0]}], " SMALL);
    check_filled(&p, "a body on a large box");
    // The box reaches behind the viewer and is there all the same: darker than the sky.
    CHECK_BETWEEN(brightness(&p, 4, 156), 100, 200);
    mem_free(p.rgb);
}

static void a_cut_fills_the_picture_too(void** state)
{
    (void)state;
    staged f = open_scene_text("{\"bodies\": [{\"mesh\": \"beam:8x2x2:0.1\", \"color\": [0.9, 0.3, "
                               "0.2]}], \"camera\": {\"width\": 240, \"height\": 160}}");
    style how = style_defaults();
    album a;
    image out = {240, 160, NULL};
    assert_true(style_clip_word(&how, "x:0.25"));
    CHECK_OK(album_open(&a, &f.stage, &f.frame, &how, &f.scene->camera));
    CHECK_OK(album_keep(&a));
    CHECK_OK(album_draw(&a, 0, 1, 2, &out));
    album_release(&a);
    check_filled(&out, "a quarter of a beam");
    mem_free(out.rgb);
    close_staged(&f);
}

static void a_camera_that_goes_around_stays_as_far_away(void** state)
{
    (void)state;
    staged f =
        open_scene_text("{\"bodies\": [{\"mesh\": \"beam:12x2x2:0.1\", \"color\": [0.9, 0.3, "
                        "0.2]}], \"camera\": {\"width\": 240, \"height\": 160, "
                        "\"azimuth\": 0, \"elevation\": 0, \"field_of_view\": 10}}");
    image along = draw_turned(&f, 0, true), end = draw_turned(&f, 90, true);
    double first = share_upward(&along, find_red(&along)),
           second = share_upward(&end, find_red(&end));
    mem_free(along.rgb);
    mem_free(end.rgb);
    close_staged(&f);
    if (!(second < 1.3 * first))
        fail_msg("seen from its end the beam is %.2f times as high", second / first);
}

// ---- letters and charts -------------------------------------------------------------------------

enum { PAGE = 24 };

static int dark_pixels(const char* text, uint8_t out[3 * PAGE * PAGE])
{
    image page = {PAGE, PAGE, out};
    int count = 0;
    memset(out, 255, 3 * (size_t)PAGE * PAGE);
    ink_text(&page, (place2){3, 18}, 9, (ink){0, 0, 0, 1}, text);
    for (int i = 0; i < PAGE * PAGE; ++i) count += out[3 * i] < 128;
    return count;
}

static void percent_is_no_slash(void** state)
{
    (void)state;
    static uint8_t percent[3 * PAGE * PAGE], slash[3 * PAGE * PAGE];
    int more = dark_pixels("%", percent) - dark_pixels("/", slash);
    if (more < 8) fail_msg("%% has only %d dark pixels more than /", more);
}

static void letters_are_as_wide_as_they_need(void** state)
{
    (void)state;
    CHECK_BETWEEN(ink_text_width(9, "i") / ink_text_width(9, "m"), 0.1, 0.5);
    CHECK_CLOSE(ink_text_width(9, "11"), ink_text_width(9, "80"), 1e-12);
}

// Two lines that fall: the upper right is free.
static void write_chart(const char* path)
{
    static const column columns[] = {{"x", COLUMN_NUMBER, 1, 1},
                                     {"error", COLUMN_NUMBER, 1, 1},
                                     {"way", COLUMN_TEXT, 1, 0},
                                     {"mesh", COLUMN_TEXT, 1, 0}};
    cell cells[2 * 20 * 4];
    for (int i = 0; i < 40; ++i) {
        cell* c = cells + 4 * i;
        c[0].number = i % 20;
        c[1].number = (i < 20 ? 20000.0 : 30000.0) / (1 + i % 20);
        c[2].text = i < 20 ? "a way with a rather long name of it" : "another way, as long as that";
        c[3].text = "the same mesh in all lines";
    }
    const data_table t = {columns, 4, cells, 40, 0};
    const chart_def def = {.title = "error [%]", .x = "x", .y = "error", .group = {"way", "mesh"}};
    CHECK_OK(chart_write(&def, &t, path));
}

static void a_chart_is_as_wide_as_its_page(void** state)
{
    (void)state;
    char path[128];
    if (!png_is_available()) skip();
    snprintf(path, sizeof path, "%s/chart", folder);
    write_chart(path);
    snprintf(path, sizeof path, "%s/chart.png", folder);
    image p = read_picture(path);
    int longest = 0;
    for (int y = 0; y < p.height; ++y) {
        int dark = 0;
        for (int x = 0; x < p.width; ++x) dark += brightness(&p, x, y) < 180;
        longest = dark > longest ? dark : longest; // the axis
    }
    mem_free(p.rgb);
    if (!(longest > 0.85 * p.width)) fail_msg("the axis is %d of %d pixels long", longest, p.width);
}

static void charts_say_what_tells_lines_apart(void** state)
{
    (void)state;
    char path[128];
    void* data = NULL;
    size_t bytes;
    snprintf(path, sizeof path, "%s/chart", folder);
    write_chart(path);
    snprintf(path, sizeof path, "%s/chart.svg", folder);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    char* text = (char*)mem_alloc(bytes + 1);
    memcpy(text, data, bytes);
    text[bytes] = 0;
    bool named = strstr(text, ">another way, as long as that<"), same = strstr(text, "same mesh"),
         round = strstr(text, ">10 000<");
    mem_free(text);
    mem_free(data);
    if (!named) fail_msg("a line has no name, or more than that");
    if (same) fail_msg("what all lines share stands in the legend");
    if (!round) fail_msg("10 000 is written otherwise");
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_cloth_on_a_floor_does_not_speckle),
        cmocka_unit_test(thin_cloth_on_a_box_does_not_speckle),
        cmocka_unit_test(thin_cloth_on_a_ball_does_not_speckle),
        cmocka_unit_test(thin_cloth_on_a_mesh_does_not_speckle),
        cmocka_unit_test(a_ball_has_no_line_across),
        IN_FOLDER(after_a_fall_the_body_fills_the_picture),
        cmocka_unit_test(a_floor_of_a_box_does_not_count),
        cmocka_unit_test(a_cut_fills_the_picture_too),
        cmocka_unit_test(a_camera_that_goes_around_stays_as_far_away),
        cmocka_unit_test(percent_is_no_slash),
        cmocka_unit_test(letters_are_as_wide_as_they_need),
        IN_FOLDER(a_chart_is_as_wide_as_its_page),
        IN_FOLDER(charts_say_what_tells_lines_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
