// Surfaces for the eye: read with texture coordinates, normals and materials.
#include "visual_files.h"

#include "base/random.h"
#include "meshfile/sink.h"

static void check_refused(const char* name, const char* sentence)
{
    visual* look = NULL;
    pliant_result result = visual_load(in_folder(name), load_bytes, NULL, &look);
    if (result == PLIANT_OK || !strstr(pliant_error_text(), sentence))
        fail_msg("%s gave %d and \"%s\", expected \"%s\"", name, result, pliant_error_text(),
                 sentence);
    assert_null(look);
}

static void keep_warning(const char* text, void* context)
{
    snprintf((char*)context, 400, "%s", text);
}

// ---- obj ----------------------------------------------------------------------------------------

static const char seam[] = "mtllib my paint.mtl\n"
                           "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                           "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.25 0.5\n"
                           "usemtl hide\nf 1/1 2/2 3/3\nusemtl plain\nf -4/1 3/5 4/-2\n";

static void an_obj_brings_texture_coordinates_and_materials(void** state)
{
    (void)state;
    write_text("seam.obj", seam);
    write_text("my paint.mtl", "# two\nnewmtl hide\nKd 0.5 0.25 1\nmap_Kd -s 1 1 1 -clamp on "
                               "sub\\a skin.png\nnewmtl plain\nKd 0.125\nd 0.5\n");
    write_picture("a skin.png"); // not in the folder that the file names
    visual* look = load("seam.obj");
    assert_int_equal(look->point_count, 4);
    assert_int_equal(look->triangle_count, 2);
    assert_int_equal(look->vertex_count, 5); // the third point has two places in the texture
    assert_int_equal(look->material_count, 2);
    assert_int_equal(look->triangle_material[0], 0);
    assert_int_equal(look->triangle_material[1], 1);
    assert_string_equal(look->material[0].name, "hide");
    CHECK_CLOSE(look->material[0].color[1], 0.25, 0);
    assert_int_equal(look->material[0].image, 0);
    assert_string_equal(look->image[0].name, "a skin.png");
    assert_string_equal(image_type(look->image[0].data, look->image[0].bytes), "image/png");
    CHECK_CLOSE(look->material[1].color[2], 0.125, 0);
    CHECK_CLOSE(look->material[1].color[3], 0.5, 0);
    assert_int_equal(look->material[1].image, -1);
    const double* uv = look->vertex_uv + 2 * look->triangle[4];
    CHECK_CLOSE(uv[0], 0.25, 0);
    CHECK_CLOSE(uv[1], 0.5, 0);
    visual_destroy(look);
}

static void what_is_missing_beside_an_obj_is_a_warning(void** state)
{
    (void)state;
    char warning[400] = "";
    pliant_set_log(keep_warning, warning);
    write_text("alone.obj", "mtllib no.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a b\nf 1 2 3\n");
    visual* look = load("alone.obj");
    assert_non_null(strstr(warning, "the materials 'no.mtl' cannot be read and are left out"));
    assert_string_equal(look->material[0].name, "a b");
    visual_destroy(look);
    write_text("half.mtl", "newmtl x\nmap_Kd gone.png\n");
    write_text("half.obj", "mtllib half.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl x\nf 1 2 3\n");
    look = load("half.obj");
    assert_non_null(strstr(warning, "the texture 'gone.png' cannot be read and is left out"));
    assert_int_equal(look->material[0].image, -1);
    visual_destroy(look);
    pliant_set_log(NULL, NULL);
}

static void mistakes_in_an_obj_are_named_by_line(void** state)
{
    (void)state;
    write_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/2 3/1\n");
    check_refused("bad.obj", "bad.obj:5: texture coordinate 2 does not exist: there are 1 so far");
    write_text("bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n");
    check_refused("bad.obj", "bad.obj:3: vertex 9 does not exist");
    write_text("bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n");
    check_refused("bad.obj", "bad.obj:3: a face needs 3 corners or more, found 2");
    write_text("bad.obj", "v 0 0 0\nvt x\n");
    check_refused("bad.obj", "bad.obj:2: expected a finite number, found 'x'");
    write_text("bad.mtl", "newmtl a\nKd 1 2x 3\n");
    write_text("bad.obj", "mtllib bad.mtl\nv 0 0 0\n");
    check_refused("bad.obj", "bad.mtl:2: expected a finite number, found '2x'");
    write_text("bad.obj", "v 0 0 0\n");
    check_refused("bad.obj", "bad.obj: there are no triangles");
}

static void sharp_edges_are_found_where_there_are_no_normals(void** state)
{
    (void)state;
    write_text("cube.obj", cube);
    visual* look = load("cube.obj");
    assert_int_equal(look->point_count, 8);
    assert_int_equal(look->normal_count, 24);
    assert_int_equal(look->triangle_count, 12);
    visual_destroy(look);
}

static void a_files_own_normals_say_what_is_smooth(void** state)
{
    (void)state;
    write_text("fold.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 1\nvn 0 0 1\nvn 0 1 0\nvn 0 0 1\n"
                           "f 1//1 2//1 3//1\nf 2//3 1//2 4//2\n");
    visual* look = load("fold.obj");
    // Point 1 has two normals; point 2 the same one by two numbers.
    assert_int_equal(look->normal_count, 5);
    assert_int_equal(look->vertex_normal[look->triangle[1]],
                     look->vertex_normal[look->triangle[3]]);
    assert_true(look->vertex_normal[look->triangle[0]] != look->vertex_normal[look->triangle[4]]);
    visual_destroy(look);
}

static void the_repeated_corners_of_an_stl_are_joined(void** state)
{
    (void)state;
    pliant_mesh* mesh = NULL;
    write_text("cube.obj", cube);
    CHECK_OK(load_mesh(in_folder("cube.obj"), &mesh));
    CHECK_OK(pliant_mesh_save(mesh, in_folder("cube.stl")));
    pliant_mesh_destroy(mesh);
    visual* look = load("cube.stl");
    assert_int_equal(look->point_count, 8);
    assert_int_equal(look->normal_count, 24);
    visual_destroy(look);
}

// ---- gltf ---------------------------------------------------------------------------------------

// One triangle with texture coordinates: 36 bytes of positions, 24 of coordinates, 6 of indices.
static void triangle_data(unsigned char out[68])
{
    const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uv[] = {0, 0.3f, 1, 0.25f, 0.1f, 1};
    const unsigned short index[] = {0, 1, 2, 0};
    memcpy(out, x, 36);
    memcpy(out + 36, uv, 24);
    memcpy(out + 60, index, 8);
}

static const char gltf_text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"children\":[1],\"translation\":[0,0,5]},{\"mesh\":0,\"scale\":[2,2,2]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},"
    "\"indices\":2,\"material\":0}]}],"
    "\"materials\":[{\"name\":\"skin\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.5,0,1],"
    "\"baseColorTexture\":{\"index\":0}}}],\"textures\":[{\"source\":0}],"
    "\"images\":[{\"uri\":\"tiny.png\"}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"},"
    "{\"bufferView\":2,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
    "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":24},"
    "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":6}],"
    "\"buffers\":[{\"byteLength\":68%s}]%s}";

static size_t make_glb(char* out, size_t room, int count, const char* more)
{
    unsigned char data[68];
    char json[4096];
    triangle_data(data);
    int length = snprintf(json, sizeof json, gltf_text, count, "", more);
    assert_true(length > 0 && (size_t)length < sizeof json);
    while (length % 4) json[length++] = ' ';
    uint32_t header[5] = {0x46546c67, 2, (uint32_t)(28 + length + 68), (uint32_t)length,
                          0x4e4f534a};
    uint32_t tail[2] = {68, 0x004e4942};
    assert_true(room >= 28 + (size_t)length + 68);
    memcpy(out, header, 20);
    memcpy(out + 20, json, (size_t)length);
    memcpy(out + 20 + length, tail, 8);
    memcpy(out + 28 + length, data, 68);
    return 28 + (size_t)length + 68;
}

static void write_glb(const char* name, int count, const char* more)
{
    char data[8192];
    write_bytes(name, data, make_glb(data, sizeof data, count, more));
}

static void check_triangle(const visual* look)
{
    assert_int_equal(look->triangle_count, 1);
    assert_int_equal(look->point_count, 3);
    const double* x = look->point + 3 * look->vertex_point[look->triangle[1]];
    CHECK_CLOSE(x[0], 2, 0); // scaled and moved by its nodes
    CHECK_CLOSE(x[2], 5, 0);
    const double* uv = look->vertex_uv + 2 * look->triangle[0];
    assert_true((float)uv[1] == 0.3f);
    CHECK_CLOSE(look->material[0].color[1], 0.5, 0);
    assert_int_equal(look->material[0].image, 0);
    assert_string_equal(look->material[0].name, "skin");
}

static void a_glb_brings_texture_coordinates_and_materials(void** state)
{
    (void)state;
    write_picture("tiny.png");
    write_glb("one.glb", 3, "");
    visual* look = load("one.glb");
    check_triangle(look);
    visual_destroy(look);
}

static void a_gltf_with_data_in_its_text_is_read(void** state)
{
    (void)state;
    unsigned char data[68];
    char text[8192], uri[512];
    sink encoded = {0};
    triangle_data(data);
    sink_base64(&encoded, data, sizeof data);
    snprintf(uri, sizeof uri, ",\"uri\":\"data:application/octet-stream;base64,%.*s\"",
             (int)encoded.bytes, encoded.data);
    sink_release(&encoded);
    snprintf(text, sizeof text, gltf_text, 3, uri, "");
    write_picture("tiny.png");
    write_text("one.gltf", text);
    visual* look = load("one.gltf");
    check_triangle(look);
    visual_destroy(look);
    // And as a mesh to be filled: its points and triangles.
    pliant_mesh* mesh = NULL;
    CHECK_OK(load_mesh(in_folder("one.gltf"), &mesh));
    assert_int_equal(pliant_mesh_view(mesh).triangle_count, 1);
    pliant_mesh_destroy(mesh);
}

// Three points in one buffer: their places as colors too, or bytes with an alpha.
static void write_painted(sink* text, bool bytes)
{
    static const char* const accessors[2] = {
        "\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\"",
        "\"bufferView\":1,\"componentType\":5121,\"type\":\"VEC4\",\"normalized\":true"};
    const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const unsigned char color[] = {255, 0, 0, 9, 0, 255, 0, 9, 51, 0, 255, 9};
    sink data = {0};
    for (int i = 0; i < 9; ++i) sink_f32(&data, x[i]);
    sink_bytes(&data, color, sizeof color);
    sink_print(text,
               "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{"
               "\"attributes\":{\"POSITION\":0,\"COLOR_0\":1}}]}],\"accessors\":[{"
               "\"count\":3,%s},{\"count\":3,%s}],\"bufferViews\":[{\"buffer\":0,"
               "\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12}],"
               "\"buffers\":[{\"byteLength\":48,\"uri\":\"data:x/y;base64,",
               accessors[0], accessors[bytes]);
    sink_base64(text, data.data, data.bytes);
    sink_text(text, "\"}]}");
    sink_release(&data);
}

static void points_of_a_gltf_have_its_colors(void** state)
{
    (void)state;
    static const double expected[2][3] = {{0, 1, 0}, {0.2, 0, 1}};
    for (int i = 0; i < 2; ++i) {
        sink text = {0};
        pliant_mesh* mesh = NULL;
        write_painted(&text, i == 1);
        write_bytes("painted.gltf", text.data, text.bytes);
        sink_release(&text);
        CHECK_OK(load_mesh(in_folder("painted.gltf"), &mesh));
        pliant_mesh_arrays a = pliant_mesh_view(mesh);
        assert_non_null(a.vertex_color);
        for (int k = 0; k < 3; ++k) CHECK_CLOSE(a.vertex_color[6 + k], expected[i][k], 1e-12);
        pliant_mesh_destroy(mesh);
    }
}

static void a_wrong_gltf_is_refused_with_the_place(void** state)
{
    (void)state;
    write_picture("tiny.png");
    write_glb("bad.glb", 4, "");
    check_refused("bad.glb", "bad.glb: accessors[0]: it reaches beyond its view");
    write_glb("bad.glb", 2, "");
    check_refused("bad.glb", "the attributes of a primitive differ in number");
    write_glb("bad.glb", 3, ",\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]");
    check_refused("bad.glb", "it needs the extension KHR_draco_mesh_compression");
    write_text("bad.gltf", "{\"asset\":{},\"scenes\":[{\"nodes\":[0]}],"
                           "\"nodes\":[{\"children\":[0]}]}");
    check_refused("bad.gltf", "nodes[0]: it is its own child, or too deep");
    write_text("bad.gltf", "{\n\n\"asset\" 1}");
    check_refused("bad.gltf", "bad.gltf:3: not JSON");
    char data[8192];
    size_t bytes = make_glb(data, sizeof data, 3, "");
    write_bytes("cut.glb", data, bytes - 30);
    check_refused("cut.glb", "cut.glb: the file is cut off");
}

// ---- damaged files ------------------------------------------------------------------------------

static void mutate(char* data, size_t bytes, random_source* random)
{
    static const char* const words[] = {"-1", "99999999999", "nan", "/", "\n", "\"", "[", "}"};
    for (int i = random_index(random, 4); i >= 0; --i) {
        size_t at = (size_t)random_index(random, (int)bytes);
        const char* word = words[random_index(random, 8)];
        if (random_index(random, 2) && at + strlen(word) < bytes)
            memcpy(data + at, word, strlen(word));
        else
            data[at] = (char)random_bits(random);
    }
}

static void check_mutations(const char* name, const char* data, size_t bytes, int count)
{
    random_source random = {bytes};
    char* copy = malloc(bytes);
    for (int i = 0; i < count; ++i) {
        visual* look = NULL;
        memcpy(copy, data, bytes);
        mutate(copy, bytes, &random);
        size_t kept = random_index(&random, 8) ? bytes : (size_t)random_index(&random, (int)bytes);
        write_bytes(name, copy, kept);
        bool mtl = strstr(name, ".mtl");
        pliant_result result =
            visual_load(in_folder(mtl ? "seam.obj" : name), load_bytes, NULL, &look);
        assert_true(result != PLIANT_OK || look->triangle_count > 0);
        assert_true(result == PLIANT_OK || pliant_error_text()[0]);
        visual_destroy(look);
        assert_int_equal(pliant_allocated_bytes(), 0);
    }
    free(copy);
}

static void damaged_files_are_read_or_refused(void** state)
{
    (void)state;
    const char mtl[] = "newmtl hide\nKd 0.5 0.25 1\nmap_Kd -s 1 1 1 tiny.png\nTr 0.5\n";
    char data[8192];
    pliant_set_log(NULL, NULL);
    write_picture("tiny.png");
    size_t bytes = make_glb(data, sizeof data, 3, "");
    check_mutations("mutated.obj", seam, strlen(seam), by_scope(500, 500, 2000));
    check_mutations("mutated.glb", data, bytes, by_scope(1000, 1000, 4000));
    write_text("seam.obj", seam);
    check_mutations("my paint.mtl", mtl, strlen(mtl), by_scope(250, 250, 1000));
}

static void damaged_colors_are_read_or_refused(void** state)
{
    (void)state;
    char data[2000];
    sink text = {0};
    write_painted(&text, true);
    size_t bytes = text.bytes;
    assert_true(bytes <= sizeof data);
    memcpy(data, text.data, bytes);
    sink_release(&text);
    check_mutations("mutated.gltf", data, bytes, 4000);
}

static pliant_result load_and_destroy(const void* context)
{
    visual* look = NULL;
    pliant_result result = visual_load(context, load_bytes, NULL, &look);
    visual_destroy(look);
    return result;
}

static void reading_survives_every_failed_allocation(void** state)
{
    (void)state;
    pliant_set_log(NULL, NULL);
    write_text("seam.obj", seam);
    write_text("my paint.mtl", "newmtl hide\nmap_Kd tiny.png\n");
    write_picture("tiny.png");
    write_glb("one.glb", 3, "");
    assert_true(check_every_failure(load_and_destroy, in_folder("seam.obj")) > 20);
    assert_true(check_every_failure(load_and_destroy, in_folder("one.glb")) > 20);
    sink text = {0};
    write_painted(&text, false);
    write_bytes("painted.gltf", text.data, text.bytes);
    sink_release(&text);
    assert_true(check_every_failure(load_and_destroy, in_folder("painted.gltf")) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_obj_brings_texture_coordinates_and_materials),
        TEST(what_is_missing_beside_an_obj_is_a_warning),
        TEST(mistakes_in_an_obj_are_named_by_line),
        TEST(sharp_edges_are_found_where_there_are_no_normals),
        TEST(a_files_own_normals_say_what_is_smooth),
        TEST(the_repeated_corners_of_an_stl_are_joined),
        TEST(a_glb_brings_texture_coordinates_and_materials),
        TEST(a_gltf_with_data_in_its_text_is_read),
        TEST(points_of_a_gltf_have_its_colors),
        TEST(a_wrong_gltf_is_refused_with_the_place),
        TEST(damaged_files_are_read_or_refused),
        TEST(damaged_colors_are_read_or_refused),
        TEST(reading_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
