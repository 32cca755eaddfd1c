// pliant surface: files, folders, what it refuses.
#define _POSIX_C_SOURCE 200809L
#define PRECISION_DOUBLE
#include "render/smoke.h"
#include "render/trace.h"

#include "base/platform.h"
#include "folder.h"
#include "meshes.h"
#include "program.h"
#include <unistd.h>

static const char* with(const char* format)
{
    static char text[4][1024];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(text[turn], sizeof text[turn], format, folder, folder, folder);
    return text[turn];
}

static void a_file_of_particles_becomes_a_closed_surface(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = NULL;
    check_status(with("mesh sphere:0.5:6 --fill 0.1 -o %s/ball.ply"), 0);
    json_t* said = run_json(with("surface %s/ball.ply -o %s/skin.obj --cell 0.03 --json"));
    CHECK_OK(pliant_mesh_load(with("%s/skin.obj"), &mesh));
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    pliant_mesh_quality q = measure(mesh);
    assert_int_equal(q.boundary_edges + q.nonmanifold_edges, 0);
    assert_int_equal(q.components, 1);
    assert_int_equal(json_int_at(said, "triangles"), m.triangle_count);
    CHECK_CLOSE(json_number_value(json_object_get(said, "volume")), q.volume, 1e-6);
    CHECK_CLOSE(json_number_value(json_object_get(said, "radius")), 0.05, 1e-9);
    json_decref(said);
    pliant_mesh_destroy(mesh);
}

static void a_folder_of_frames_becomes_a_folder_of_surfaces(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = NULL;
    check_status(with("run sand --frames 2 --out %s/sand --quiet"), 0);
    check_status(with("surface %s/sand -o %s/seen --format vtu --radius 0.05"), 0);
    CHECK_OK(pliant_mesh_load(with("%s/seen/frame_00002.vtu"), &mesh));
    assert_int_equal(measure_last(mesh).boundary_edges, 0);
}

static void what_makes_no_sense_is_refused(void** unused)
{
    (void)unused;
    check_status(with("mesh sphere:0.5:6 --fill 0.1 -o %s/a.ply"), 0);
    check_complaint("surface", 2, "IN");
    check_complaint(with("surface %s/a.ply -o %s/a.png"), 2, ".ply");
    check_complaint(with("surface %s/a.ply --format obj"), 2, "for a folder");
    check_complaint(with("surface %s/a.ply --cell 7"), 1, "too large");
    check_complaint(with("surface %s/a.ply --radius 0"), 2, "--radius");
    check_complaint(with("surface %s/none.ply"), 1, "none.ply");
    check_complaint("surface sphere:1:4", 1, "loose particles");
    check_complaint("surface sphere:1:4", 1, "sphere:1:4: it has");
    check_status(with("mesh sphere:0.5:6 --fill 0.1 -o %s/b.obj"), 0);
    check_complaint(with("surface %s/b.obj"), 1, "no radii");
}

// ---- in scenes ----------------------------------------------------------------------------------

#define SCENE(more)                                                                                \
    "{\"frames\": 2, \"substeps\": 4, \"bodies\": [{\"mesh\": \"box6:1x1x1:0.4\", \"fill\": "      \
    "{\"spacing\": 0.08}, \"position\": [0, 0.01, 0]" more                                         \
    "}], \"colliders\": [{}], \"camera\": {\"width\": 96, \"height\": 72}}"

static void write_scene(const char* text)
{
    FILE* file = fopen(with("%s/scene.json"), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void a_run_writes_the_surface_of_each_frame(void** unused)
{
    (void)unused;
    static const char* const names[] = {"%s/out/liquid_00002.vtu", "%s/out/liquid_00002.ply",
                                        "%s/out/liquid_00002.obj"};
    double volume = 0;
    write_scene(SCENE(", \"surface\": {\"smoothing\": 4}"));
    check_status(with("run %s/scene.json -o %s/out --format vtu,ply,obj --quiet"), 0);
    for (int i = 0; i < 3; ++i) {
        pliant_mesh* mesh = NULL;
        CHECK_OK(pliant_mesh_load(with(names[i]), &mesh));
        pliant_mesh_quality q = measure_last(mesh);
        assert_int_equal(q.boundary_edges + q.nonmanifold_edges, 0);
        if (i) CHECK_CLOSE(q.volume, volume, 1e-6);
        volume = q.volume;
    }
    CHECK_BETWEEN(volume, 0.03, 0.064); // balls inside of a box of that volume
    check_status(with("run %s/scene.json --frames 1 -o %s/out --format vtu,ply,obj --quiet"), 0);
    assert_int_equal(access(with("%s/out/liquid_00002.ply"), F_OK), -1); // of the earlier run
    check_complaint(with("run %s/scene.json -o %s/film.glb"), 0, "--format vtu, obj and ply");
}

static void only_loose_particles_are_seen_as_liquids(void** unused)
{
    (void)unused;
    write_scene("{\"bodies\": [{\"mesh\": \"cloth:4x4:1x1\", \"surface\": {}}]}");
    check_complaint(with("run %s/scene.json"), 1, "loose particles");
    write_scene(SCENE(", \"surface\": {\"cell\": 3}"));
    check_complaint(with("run %s/scene.json -o %s/out"), 1, "too large");
    write_scene(SCENE(", \"surface\": {\"smoothing\": -1}"));
    check_complaint(with("run %s/scene.json -o %s/out"), 1, "smoothing");
}

static uint64_t picture_of(const char* text, const char* options)
{
    void* data = NULL;
    size_t bytes = 0;
    char words[400];
    write_scene(text);
    snprintf(words, sizeof words, "render %s/scene.json -o %s/a.png --frames 1 %s", folder, folder,
             options);
    check_status(words, 0);
    CHECK_OK(platform_read_file(with("%s/a.png"), &data, &bytes));
    uint64_t hash = hash_bytes(HASH_SEED, data, bytes);
    mem_free(data);
    return hash;
}

static void pictures_of_liquids_have_the_same_bytes_on_any_threads(void** unused)
{
    (void)unused;
    const char* liquid = SCENE(", \"surface\": {}");
    uint64_t one = picture_of(liquid, "--threads 1");
    assert_true(picture_of(liquid, "--threads 3") == one);
    assert_true(picture_of(SCENE(""), "--threads 1") != one);
}

// A cube of a liquid: what is absorbed along a ray is its way in the cube.
static void light_is_absorbed_by_its_way_in_the_liquid(void** unused)
{
    (void)unused;
    static const int side[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                    {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                    {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const vec3 down = {0, -1, 0};
    model m = {.vertex = NULL};
    tracer t;
    int number = model_liquid(&m, v3(0.25, 0.5, 1), 2, 0.01);
    for (int i = 0; i < 8; ++i) model_vertex(&m, v3(i & 1, i >> 1 & 1, i >> 2));
    for (int i = 0; i < 12; ++i) model_face(&m, side[i][0], side[i][1], side[i][2], number);
    assert_true(tracer_create(&t, &m));
    for (int i = 0; i < 4; ++i) {
        double depth = 0.25 * (i + 1), length = i == 3 ? 1 : depth; // the last one begins above it
        vec3 sum = trace_absorption(&t, v3(0.3, i == 3 ? 7 : depth, 0.6), down);
        CHECK_CLOSE(exp(-sum.x), pow(0.25, length / 2), 1e-9);
        CHECK_CLOSE(exp(-sum.y), pow(0.5, length / 2), 1e-9);
        CHECK_CLOSE(exp(-sum.z), 1, 1e-9);
    }
    trace_hit hit = trace_liquid(&t, v3(0.3, 7, 0.6), down, 0, 100);
    CHECK_CLOSE(hit.distance, 6, 1e-12);
    assert_int_equal(trace_liquid(&t, v3(1.3, 7, 0.6), down, 0, 100).number, -1);
    assert_int_equal(trace_solid(&t, v3(0.3, 7, 0.6), down, 0, 100).number, -1);
    tracer_release(&t);
    model_release(&m);
}

// ---- smoke --------------------------------------------------------------------------------------

enum { BALLS = 24 };

// Balls in a grid, that touch.
static void place_balls(double* x, double* radius)
{
    for (int i = 0; i < BALLS * BALLS * BALLS; ++i) {
        const int at[3] = {i % BALLS, i / BALLS % BALLS, i / BALLS / BALLS};
        for (int k = 0; k < 3; ++k) x[3 * i + k] = 0.02 * at[k];
        radius[i] = 0.01;
    }
}

// Where particles are dense a third of the light, 1 / e, is left after `depth`.
static void smoke_leaves_what_its_depth_says(void** unused)
{
    (void)unused;
    double* x = (double*)malloc(sizeof(double[3]) * BALLS * BALLS * BALLS);
    double* radius = (double*)malloc(sizeof(double) * BALLS * BALLS * BALLS);
    workers* threads = workers_create(2);
    place_balls(x, radius);
    for (int i = 0; i < 3; ++i) {
        smoke_grid grid;
        const smoke_source source = {.positions = x,
                                     .radii = radius,
                                     .count = BALLS * BALLS * BALLS,
                                     .color = v3(1, 1, 1),
                                     .depth = 0.1 * (i + 1),
                                     .cell = 0.01,
                                     .size = 3 + i};
        double left, most;
        assert_true(smoke_create(&grid, &source, 1, threads));
        smoke_along(&grid, v3(0.1, 0.23, 0.23), v3(1, 0, 0), 0.25, 0.5, &left);
        CHECK_CLOSE(-log(left) * source.depth, 0.25, 0.05);
        // Through all of it: its thickness is that of the balls, whatever is at the ends.
        most = -log(smoke_shadow(&grid, v3(0.23, -5, 0.23), v3(0, 1, 0))) * source.depth;
        CHECK_CLOSE(most, 0.02 * BALLS, 0.08);
        assert_true(smoke_shadow(&grid, v3(2, -5, 0.23), v3(0, 1, 0)) == 1);
        smoke_release(&grid);
    }
    workers_destroy(threads);
    free(x);
    free(radius);
}

static void pictures_of_smoke_have_the_same_bytes_on_any_threads(void** unused)
{
    (void)unused;
    const char* smoke = SCENE(", \"smoke\": {\"size\": 2}");
    uint64_t one = picture_of(smoke, "--threads 1");
    assert_true(picture_of(smoke, "--threads 3") == one);
    assert_true(picture_of(SCENE(""), "--threads 1") != one);
    write_scene(SCENE(", \"smoke\": {}, \"surface\": {}"));
    check_complaint(with("render %s/scene.json -o %s/a.png"), 1, "a liquid or smoke");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_particles_becomes_a_closed_surface),
        cmocka_unit_test(a_folder_of_frames_becomes_a_folder_of_surfaces),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_run_writes_the_surface_of_each_frame),
        cmocka_unit_test(only_loose_particles_are_seen_as_liquids),
        cmocka_unit_test(pictures_of_liquids_have_the_same_bytes_on_any_threads),
        cmocka_unit_test(light_is_absorbed_by_its_way_in_the_liquid),
        cmocka_unit_test(smoke_leaves_what_its_depth_says),
        cmocka_unit_test(pictures_of_smoke_have_the_same_bytes_on_any_threads),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
