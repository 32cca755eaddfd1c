// Surfaces for the eye: carried by tets, written as films and frames, from a file by two commands.
#include "visual_files.h"

#include "base/hash.h"
#include "export/output.h"
#include "program.h"
#include "render/texture.h"
#include "scene/cache.h"
#include "scene/drop.h"
#include "staged.h"

// ---- a model with a texture ---------------------------------------------------------------------

// Writes a surface with a map from the front: u and v are places along x and y.
static void write_textured(const char* name, const pliant_mesh* surface)
{
    pliant_mesh_arrays m = pliant_mesh_view(surface);
    sink out = {0};
    sink_text(&out, "mtllib model.mtl\nusemtl hide\n");
    for (int i = 0; i < m.vertex_count; ++i) {
        const double *x = m.vertices + 3 * (size_t)i, uv[2] = {0.5 + x[0] / 3, 0.5 + x[1] / 3};
        sink_text(&out, "v ");
        sink_reals(&out, x, 3);
        sink_text(&out, "\nvt ");
        sink_reals(&out, uv, 2);
        sink_text(&out, "\n");
    }
    for (int i = 0; i < m.triangle_count; ++i) {
        const int* t = m.triangles + 3 * (size_t)i;
        sink_print(&out, "f %d/%d %d/%d %d/%d\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1, t[2] + 1,
                   t[2] + 1);
    }
    write_bytes(name, out.data, out.bytes);
    sink_release(&out);
    write_text("model.mtl", "newmtl hide\nKd 1 1 1\nmap_Kd skin.png\n");
    write_picture("skin.png");
}

static void write_ring(const char* name)
{
    pliant_mesh *mesh = NULL, *surface = NULL;
    CHECK_OK(pliant_mesh_generate("torus:0.5:0.2:12", &mesh));
    CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
    write_textured(name, surface);
    pliant_mesh_destroy(mesh);
    pliant_mesh_destroy(surface);
}

// A scene with a model of `tets` tets, made and filmed for some frames.
static staged open_scene_of(const char* body, int threads)
{
    char text[1024];
    const stage_options options = {threads, -1, 10, -1, -1, load_mesh, load_bytes};
    snprintf(text, sizeof text, "{\"bodies\": [{%s}], \"colliders\": [{}]}", body);
    return open_staged(text, in_folder("scene.json"), options);
}

static const char ring_body[] = "\"mesh\": {\"surface\": \"ring.obj\", \"tets\": 1000}, "
                                "\"position\": [0, 1, 0], \"scale\": 2";

// The largest distance of what is seen from the file's points, scaled and lifted by a meter.
static double largest_error(const staged* s, const visual* file, double scale)
{
    double largest = 0;
    assert_int_equal(s->frame.surface_count, file->point_count);
    for (int i = 0; i < 3 * file->point_count; ++i)
        largest = fmax(largest, fabs(s->frame.surface_vertices[i] - scale * file->point[i] -
                                     (i % 3 == 1 ? 1 : 0)));
    return largest;
}

static void a_body_carries_the_surface_it_was_filled_from(void** state)
{
    (void)state;
    write_ring("ring.obj");
    visual* file = load("ring.obj");
    staged s = open_scene_of(ring_body, 1);
    assert_true(s.frame.carries);
    CHECK_BETWEEN(largest_error(&s, file, 2), 0, 2.8e-6);
    close_staged(&s);
    visual_destroy(file);
}

static void visual_can_be_another_file_or_none(void** state)
{
    (void)state;
    write_ring("ring.obj");
    staged s = open_scene_of("\"mesh\": \"torus:0.5:0.2:4\", \"visual\": \"ring.obj\"", 1);
    assert_true(s.frame.carries);
    assert_true(s.frame.surface_count > pliant_mesh_view(s.stage.entries[0].mesh).vertex_count);
    close_staged(&s);
    s = open_scene_of("\"mesh\": {\"surface\": \"ring.obj\", \"tets\": 500}, \"visual\": \"none\"",
                      1);
    assert_false(s.frame.carries);
    close_staged(&s);
}

static void a_model_of_spot_is_where_its_file_says(void** state)
{
    (void)state;
    pliant_mesh* surface = NULL;
    if (load_mesh(SHARED_MESHES "surfaces/spot.obj.gz", &surface) != PLIANT_OK) {
        print_message("no meshes beside the project, or no zlib\n");
        skip();
    }
    write_textured("spot.obj", surface);
    pliant_mesh_destroy(surface);
    visual* file = load("spot.obj");
    staged s = open_scene_of("\"mesh\": {\"surface\": \"spot.obj\", \"tets\": 5000}, "
                             "\"position\": [0, 1, 0]",
                             2);
    CHECK_BETWEEN(largest_error(&s, file, 1), 0, 1e-6 * 1.78);
    close_staged(&s);
    visual_destroy(file);
}

// ---- films --------------------------------------------------------------------------------------

static pliant_result open_film(output* out, const staged* s, const char* path)
{
    output_plan plan;
    CHECK_OK(output_plan_read(path, NULL, 2, &plan));
    CHECK_OK(output_place(out, &plan));
    return output_open(out, &s->stage, &s->frame, 0);
}

static uint64_t film_ring(const char* name, int frames, int threads)
{
    staged s = open_scene_of(ring_body, threads);
    output out;
    void* data = NULL;
    size_t bytes = 0;
    const char* path = in_folder(name);
    CHECK_OK(open_film(&out, &s, path));
    for (int i = 0; i <= frames; ++i) {
        if (i) CHECK_OK(pliant_world_step(s.stage.world, 1.0f / 30));
        CHECK_OK(frame_update(&s.frame, &s.stage));
        CHECK_OK(output_add(&out, 2 * i));
    }
    CHECK_OK(output_write(&out));
    output_close(&out, true);
    close_staged(&s);
    CHECK_OK(platform_read_file(path, &data, &bytes));
    uint64_t hash = hash_bytes(HASH_SEED, data, bytes);
    mem_free(data);
    return hash;
}

// A .glb taken apart by the rules of the format alone.
typedef struct {
    char* data;
    json_t* root;
    const char* binary;
} glb;

static glb open_glb(const char* name)
{
    glb g = {0};
    size_t bytes = 0;
    json_error_t error;
    uint32_t word[5];
    CHECK_OK(platform_read_file(in_folder(name), (void**)&g.data, &bytes));
    memcpy(word, g.data, sizeof word);
    assert_int_equal(word[0], 0x46546c67);
    assert_int_equal(word[2], bytes);
    g.root = json_loadb(g.data + 20, word[3], 0, &error);
    assert_non_null(g.root);
    g.binary = g.data + 28 + word[3];
    return g;
}

static void close_glb(glb* g)
{
    json_decref(g->root);
    mem_free(g->data);
}

static const json_t* item(const json_t* object, const char* key, size_t number)
{
    const json_t* list = json_object_get(object, key);
    assert_true(number < json_array_size(list));
    return json_array_get(list, number);
}

static const float* floats(const glb* g, long long accessor, int* out_count)
{
    const json_t* a = item(g->root, "accessors", (size_t)accessor);
    const json_t* view = item(g->root, "bufferViews", (size_t)json_int_at(a, "bufferView"));
    *out_count = (int)json_int_at(a, "count");
    return (const float*)(const void*)(g->binary + json_int_at(view, "byteOffset"));
}

static const json_t* first_primitive(const glb* g)
{
    return item(item(g->root, "meshes", 0), "primitives", 0);
}

static void a_film_has_the_texture_and_its_coordinates(void** state)
{
    (void)state;
    write_ring("ring.obj");
    film_ring("film.glb", 2, 1);
    visual* file = load("ring.obj");
    glb g = open_glb("film.glb");
    const json_t* primitive = first_primitive(&g);
    const json_t* attributes = json_object_get(primitive, "attributes");
    int count = 0, corners = 0;
    const float* uv = floats(&g, json_int_at(attributes, "TEXCOORD_0"), &count);
    const int* index =
        (const int*)(const void*)floats(&g, json_int_at(primitive, "indices"), &corners);
    assert_int_equal(corners, 3 * file->triangle_count);
    for (int i = 0; i < corners; ++i) {
        const double* expected = file->vertex_uv + 2 * file->triangle[i];
        assert_true(index[i] < count);
        assert_true(uv[2 * index[i]] == (float)expected[0]);
        assert_true(uv[2 * index[i] + 1] == (float)expected[1]);
    }
    const json_t* view =
        item(g.root, "bufferViews", (size_t)json_int_at(item(g.root, "images", 0), "bufferView"));
    assert_int_equal(json_int_at(view, "byteLength"), file->image[0].bytes);
    assert_memory_equal(g.binary + json_int_at(view, "byteOffset"), file->image[0].data,
                        file->image[0].bytes);
    close_glb(&g);
    visual_destroy(file);
}

static void a_film_moves_as_the_bodies_do(void** state)
{
    (void)state;
    write_ring("ring.obj");
    film_ring("film.glb", 3, 1);
    glb g = open_glb("film.glb");
    const json_t* primitive = first_primitive(&g);
    int count = 0, moved = 0, keys = 0, weights = 0;
    const float* x =
        floats(&g, json_int_at(json_object_get(primitive, "attributes"), "POSITION"), &count);
    const float* n =
        floats(&g, json_int_at(json_object_get(primitive, "attributes"), "NORMAL"), &count);
    assert_int_equal(json_array_size(json_object_get(primitive, "targets")), 3);
    const json_t* target = item(primitive, "targets", 2);
    const float* d = floats(&g, json_int_at(target, "POSITION"), &moved);
    const float* dn = floats(&g, json_int_at(target, "NORMAL"), &moved);
    assert_int_equal(moved, count);
    // After 0.1 s of free fall everything has moved alike: 10 substeps make it a little more.
    for (int i = 0; i < count; ++i) {
        double length = 0, now = 0;
        CHECK_BETWEEN(d[3 * i + 1], -0.06, -0.045);
        for (int k = 0; k < 3; ++k) {
            length += (double)n[3 * i + k] * (double)n[3 * i + k];
            now += pow((double)n[3 * i + k] + (double)dn[3 * i + k], 2);
        }
        CHECK_CLOSE(length, 1, 1e-5);
        CHECK_CLOSE(now, 1, 1e-5);
        CHECK_BETWEEN(x[3 * i + 1], 0.5, 1.5);
    }
    const json_t* animation = item(g.root, "animations", 0);
    const json_t* sampler = item(animation, "samplers", 0);
    const float* time = floats(&g, json_int_at(sampler, "input"), &keys);
    const float* weight = floats(&g, json_int_at(sampler, "output"), &weights);
    assert_int_equal(keys, 4);
    assert_int_equal(weights, 4 * 3);
    CHECK_CLOSE(time[3], 0.1, 1e-6);
    for (int i = 0; i < weights; ++i) assert_true(weight[i] == (i / 3 == i % 3 + 1 ? 1.0f : 0.0f));
    close_glb(&g);
}

static void a_film_read_again_is_the_same_model(void** state)
{
    (void)state;
    write_ring("ring.obj");
    for (int i = 0; i < 2; ++i) {
        const char* name = i ? "film.gltf" : "film.glb";
        film_ring(name, 1, 1);
        visual *file = load("ring.obj"), *again = load(name);
        assert_int_equal(again->point_count, file->point_count);
        assert_int_equal(again->triangle_count, file->triangle_count);
        assert_int_equal(again->image[0].bytes, file->image[0].bytes);
        for (int k = 0; k < 3 * file->triangle_count; ++k) {
            const double *a = file->vertex_uv + 2 * file->triangle[k],
                         *b = again->vertex_uv + 2 * again->triangle[k];
            assert_true((float)a[0] == (float)b[0] && (float)a[1] == (float)b[1]);
        }
        visual_destroy(file);
        visual_destroy(again);
    }
}

static void films_have_the_same_bytes_for_any_number_of_threads(void** state)
{
    (void)state;
    write_ring("ring.obj");
    uint64_t one = film_ring("film.glb", 5, 1);
    assert_true(one == film_ring("film.glb", 5, 2));
}

static pliant_result film_once(const void* context)
{
    staged s = *(const staged*)context;
    output out;
    pliant_result result = frame_create(&s.stage, &s.frame);
    if (result) return result;
    result = open_film(&out, &s, in_folder("film.gltf"));
    if (!result) result = output_add(&out, 0);
    if (!result) result = output_add(&out, 2);
    pliant_result closed = output_write(&out);
    output_close(&out, !closed);
    frame_destroy(&s.frame);
    return result ? result : closed;
}

static void films_survive_every_failed_allocation(void** state)
{
    (void)state;
    write_text("cube.obj", cube);
    staged s = open_scene_of("\"mesh\": \"box6:1x1x1:1\", \"visual\": \"cube.obj\"", 1);
    assert_true(check_every_failure(film_once, &s) > 30);
    close_staged(&s);
}

static void obj_frames_have_materials_and_textures(void** state)
{
    (void)state;
    write_ring("ring.obj");
    staged s = open_scene_of(ring_body, 1);
    series out;
    output_plan plan;
    CHECK_OK(output_plan_read(folder, "obj,vtu,ply", 1, &plan));
    CHECK_OK(series_open(&out, folder, plan.series_formats, 1));
    CHECK_OK(series_add(&out, &s.frame, 0));
    CHECK_OK(series_close(&out));
    visual *file = load("ring.obj"), *again = load("frame_00000.obj");
    assert_int_equal(again->point_count, file->point_count);
    assert_int_equal(again->material[0].image, 0);
    for (int k = 0; k < 3 * file->triangle_count; ++k) {
        const double *a = file->vertex_uv + 2 * file->triangle[k],
                     *b = again->vertex_uv + 2 * again->triangle[k];
        CHECK_BETWEEN(fabs(a[0] - b[0]) + fabs(a[1] - b[1]), 0, 1e-12);
    }
    pliant_mesh* seen = NULL;
    CHECK_OK(pliant_mesh_load(in_folder("surface_00000.vtu"), &seen));
    assert_int_equal(pliant_mesh_view(seen).triangle_count, file->triangle_count);
    pliant_mesh_destroy(seen);
    visual_destroy(file);
    visual_destroy(again);
    close_staged(&s);
}

// ---- pictures -----------------------------------------------------------------------------------

static void textures_are_seen_from_the_upper_left(void** state)
{
    (void)state;
    void* data = NULL;
    size_t bytes = 0;
    if (!png_is_available()) skip();
    write_picture("tiny.png");
    CHECK_OK(platform_read_file(in_folder("tiny.png"), &data, &bytes));
    const visual_image file = {NULL, data, bytes};
    texture t = texture_decode(&file);
    assert_non_null(t.rgba);
    vec3 red = texture_color(&t, 0.25, 0.25), green = texture_color(&t, 0.75, 0.25);
    vec3 again = texture_color(&t, -0.25, 3.25);
    assert_true(red.x == 1 && red.y == 0 && red.z == 0);
    assert_true(green.x == 0 && green.y == 1 && green.z == 0);
    assert_true(again.y == 1);
    CHECK_CLOSE(texture_color(&t, 0.5, 0.25).x, 0.5, 1e-9);
    texture_release(&t);
    mem_free(data);
}

// ---- the cache ----------------------------------------------------------------------------------

static int count_cached(void)
{
    char command[256];
    int count = -1;
    snprintf(command, sizeof command, "ls %s/cache 2>/dev/null | wc -l", folder);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static uint64_t fill_cached(const pliant_mesh* surface, int tets)
{
    pliant_tet_def def = pliant_tet_defaults();
    pliant_mesh* mesh = NULL;
    def.tets = tets;
    def.threads = 1;
    CHECK_OK(cache_tetrahedralize(surface, &def, &mesh));
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    uint64_t hash = hash_bytes(HASH_SEED, m.vertices, 3 * (size_t)m.vertex_count * sizeof(double));
    hash = hash_bytes(hash, m.tets, 4 * (size_t)m.tet_count * sizeof(int));
    pliant_mesh_destroy(mesh);
    return hash;
}

static void damage_cache(const char* how)
{
    char command[512];
    snprintf(command, sizeof command, "for f in %s/cache/*; do %s; done", folder, how);
    assert_int_equal(system(command), 0);
}

static void tets_are_kept_by_content_and_damage_is_noticed(void** state)
{
    (void)state;
    setenv("PLIANT_CACHE", in_folder("cache"), 1);
    pliant_mesh* surface = NULL;
    write_ring("ring.obj");
    CHECK_OK(load_mesh(in_folder("ring.obj"), &surface));
    uint64_t plain = fill_cached(surface, 500);
    assert_int_equal(count_cached(), 1);
    assert_true(fill_cached(surface, 500) == plain);
    fill_cached(surface, 700);
    assert_int_equal(count_cached(), 2);
    damage_cache("head -c 1000 $f > $f.x && mv $f.x $f");
    assert_true(fill_cached(surface, 500) == plain);
    damage_cache("printf 'abc' | dd of=$f bs=1 seek=2000 conv=notrunc 2>/dev/null");
    assert_true(fill_cached(surface, 500) == plain);
    damage_cache(": > $f");
    assert_true(fill_cached(surface, 500) == plain);
    assert_true(fill_cached(surface, 500) == plain);
    pliant_mesh_destroy(surface);
}

static void count_warning(const char* text, void* context)
{
    int* count = (int*)context;
    if (++*count == 1) print_message("%s\n", text);
}

// The shapes that tell the tetrahedralizer's version are nobody's.
static void a_cache_says_nothing_about_shapes_of_its_own(void** state)
{
    (void)state;
    setenv("PLIANT_CACHE", in_folder("cache"), 1);
    pliant_mesh* surface = NULL;
    int warnings = 0;
    write_ring("ring.obj");
    CHECK_OK(load_mesh(in_folder("ring.obj"), &surface));
    pliant_set_log(count_warning, &warnings);
    fill_cached(surface, 500);
    fill_cached(surface, 500);
    pliant_set_log(NULL, NULL);
    pliant_mesh_destroy(surface);
    assert_int_equal(warnings, 0);
}

static void every_option_has_tets_of_its_own(void** state)
{
    (void)state;
    setenv("PLIANT_CACHE", in_folder("cache"), 1);
    pliant_mesh* surface = NULL;
    write_ring("ring.obj");
    CHECK_OK(load_mesh(in_folder("ring.obj"), &surface));
    for (int i = 0; i < 4; ++i) {
        pliant_tet_def def = pliant_tet_defaults();
        pliant_mesh* mesh = NULL;
        def.tets = 300;
        def.coarsening = i == 1;
        def.separate_parts = i == 2;
        def.close_holes = i == 3;
        CHECK_OK(cache_tetrahedralize(surface, &def, &mesh));
        assert_int_equal(count_cached(), i + 1);
        pliant_mesh_destroy(mesh);
    }
    pliant_mesh_destroy(surface);
}

static void a_cache_that_cannot_be_written_or_is_off_is_no_failure(void** state)
{
    (void)state;
    pliant_mesh* surface = NULL;
    write_ring("ring.obj");
    CHECK_OK(load_mesh(in_folder("ring.obj"), &surface));
    setenv("PLIANT_CACHE", "/dev/null/cache", 1);
    uint64_t hash = fill_cached(surface, 300);
    setenv("PLIANT_CACHE", "off", 1);
    assert_true(fill_cached(surface, 300) == hash);
    assert_int_equal(count_cached(), 0);
    pliant_mesh_destroy(surface);
}

// What is in the cache is what is used: a mesh that was put there comes back.
static void a_run_uses_what_is_kept(void** state)
{
    (void)state;
    setenv("PLIANT_CACHE", in_folder("cache"), 1);
    pliant_mesh *surface = NULL, *other = NULL, *found = NULL;
    pliant_tet_def def = pliant_tet_defaults();
    write_ring("ring.obj");
    CHECK_OK(load_mesh(in_folder("ring.obj"), &surface));
    CHECK_OK(load_mesh("box6:1x1x1", &other));
    pliant_mesh_arrays view = pliant_mesh_view(other);
    view.tet_cell = NULL;
    pliant_mesh* plain = NULL;
    CHECK_OK(pliant_mesh_create(&view, &plain));
    cache_keep(surface, &def, plain);
    CHECK_OK(cache_tetrahedralize(surface, &def, &found));
    assert_int_equal(pliant_mesh_view(found).tet_count, 6);
    pliant_mesh_destroy(surface);
    pliant_mesh_destroy(other);
    pliant_mesh_destroy(plain);
    pliant_mesh_destroy(found);
}

// ---- as a newcomer does it ----------------------------------------------------------------------

static void two_commands_lead_from_an_obj_to_a_film(void** state)
{
    (void)state;
    char command[512];
    write_ring("ring.obj");
    snprintf(command, sizeof command, "mesh %s/ring.obj --tets 1000 --scene %s/drop.json", folder,
             folder);
    check_status(command, 0);
    snprintf(command, sizeof command, "run %s/drop.json --frames 3 -o %s/film.glb --quiet", folder,
             folder);
    check_status(command, 0);
    visual* look = load("film.glb");
    assert_int_equal(look->material[0].image, 0);
    assert_non_null(look->vertex_uv);
    visual_destroy(look);
}

static void a_model_alone_can_be_run(void** state)
{
    (void)state;
    char command[512];
    write_ring("ring.obj");
    film_ring("model.glb", 0, 1);
    snprintf(command, sizeof command, "run %s/ring.obj --frames 1 -o %s/a.glb --quiet", folder,
             folder);
    check_status(command, 0);
    snprintf(command, sizeof command, "run %s/model.glb --frames 1 -o %s/b.gltf --quiet", folder,
             folder);
    check_status(command, 0);
    visual* look = load("b.gltf");
    assert_int_equal(look->material[0].image, 0);
    visual_destroy(look);
    char named[4096];
    assert_true(drop_name("a/drop.json", "a/b/ring.obj", named));
    assert_string_equal(named, "b/ring.obj");
    assert_true(drop_name("a/drop.json", "/c/ring.obj", named));
    assert_string_equal(named, "/c/ring.obj");
    assert_false(drop_name("a/drop.json", "ring.obj", named));
    snprintf(command, sizeof command, "mesh %s/ring.obj --scene %s/x.json --scale 2", folder,
             folder);
    check_complaint(command, 2, "--scene");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_body_carries_the_surface_it_was_filled_from),
        TEST(visual_can_be_another_file_or_none),
        TEST(a_model_of_spot_is_where_its_file_says),
        TEST(a_film_has_the_texture_and_its_coordinates),
        TEST(a_film_moves_as_the_bodies_do),
        TEST(a_film_read_again_is_the_same_model),
        TEST(films_have_the_same_bytes_for_any_number_of_threads),
        TEST(films_survive_every_failed_allocation),
        TEST(obj_frames_have_materials_and_textures),
        TEST(textures_are_seen_from_the_upper_left),
        USUAL_TEST(tets_are_kept_by_content_and_damage_is_noticed),
        TEST(a_cache_says_nothing_about_shapes_of_its_own),
        USUAL_TEST(every_option_has_tets_of_its_own),
        TEST(a_cache_that_cannot_be_written_or_is_off_is_no_failure),
        TEST(a_run_uses_what_is_kept),
        TEST(two_commands_lead_from_an_obj_to_a_film),
        USUAL_TEST(a_model_alone_can_be_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
