// glTF 2.0, as .gltf or .glb: the triangles of all nodes of the scene, where they stand, with the
// base color and its texture. Animations, skins and cameras do not matter here.
#include "visual/accessor.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- placement ----------------------------------------------------------------------------------

typedef struct {
    double m[16]; // column by column
} transform;

static const transform IDENTITY = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static transform multiply(const transform* a, const transform* b)
{
    transform out;
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row) {
            double sum = 0;
            for (int k = 0; k < 4; ++k) sum += a->m[4 * k + row] * b->m[4 * column + k];
            out.m[4 * column + row] = sum;
        }
    return out;
}

// Keeps the fallback's numbers where there is none.
static void read_numbers(const json_t* object, const char* key, double* out, size_t count)
{
    const json_t* list = json_object_get(object, key);
    if (json_array_size(list) != count) return;
    for (size_t i = 0; i < count; ++i) out[i] = json_number_value(json_array_get(list, i));
}

static transform transform_of(const json_t* node)
{
    transform out = IDENTITY;
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (json_object_get(node, "matrix")) {
        read_numbers(node, "matrix", out.m, 16);
        return out;
    }
    read_numbers(node, "translation", t, 3);
    read_numbers(node, "rotation", q, 4);
    read_numbers(node, "scale", s, 3);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                            {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                            {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
    for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row) out.m[4 * column + row] = s[column] * r[column][row];
    for (int row = 0; row < 3; ++row) out.m[12 + row] = t[row];
    return out;
}

static bool mirrors(const transform* t)
{
    const double* m = t->m;
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) +
               m[8] * (m[1] * m[6] - m[2] * m[5]) <
           0;
}

// ---- primitives ---------------------------------------------------------------------------------

typedef struct {
    gltf_numbers position, uv, normal, color, index;
    bool has_uv, has_normal, has_color, has_index;
    int material, mode;
} primitive;

enum { MODE_TRIANGLES = 4, MODE_STRIP, MODE_FAN };

static json_int_t texcoord_of(const gltf_file* f, json_int_t material)
{
    const json_t* pbr =
        json_object_get(gltf_item(f, "materials", material), "pbrMetallicRoughness");
    return gltf_integer(json_object_get(pbr, "baseColorTexture"), "texCoord", 0);
}

static pliant_result open_primitive(const gltf_file* f, const json_t* json, int mesh,
                                    primitive* out)
{
    const json_t* attributes = json_object_get(json, "attributes");
    json_int_t material = gltf_integer(json, "material", -1);
    char texcoord[40];
    snprintf(texcoord, sizeof texcoord, "TEXCOORD_%d", (int)(texcoord_of(f, material) & 15));
    json_int_t position = gltf_integer(attributes, "POSITION", -1);
    json_int_t uv = gltf_integer(attributes, texcoord, -1);
    json_int_t normal = gltf_integer(attributes, "NORMAL", -1);
    json_int_t color = gltf_integer(attributes, "COLOR_0", -1);
    json_int_t index = gltf_integer(json, "indices", -1);
    if (material < -1 || material >= gltf_count(f, "materials"))
        return gltf_fail(f, "meshes", mesh, "there is no such material");
    if (position < 0) return gltf_fail(f, "meshes", mesh, "a primitive without POSITION");
    out->material = material < 0 ? -1 : f->material[material];
    out->has_uv = uv >= 0;
    out->has_normal = normal >= 0;
    out->has_color = color >= 0;
    out->has_index = index >= 0;
    pliant_result result = gltf_find_numbers(f, position, 3, &out->position);
    if (!result && out->has_uv) result = gltf_find_numbers(f, uv, 2, &out->uv);
    if (!result && out->has_normal) result = gltf_find_numbers(f, normal, 3, &out->normal);
    if (!result && out->has_color) result = gltf_find_numbers(f, color, VEC3_OR_VEC4, &out->color);
    if (!result && out->has_index) result = gltf_find_numbers(f, index, 1, &out->index);
    if (result) return result;
    if ((out->has_uv && out->uv.count != out->position.count) ||
        (out->has_normal && out->normal.count != out->position.count) ||
        (out->has_color && out->color.count != out->position.count))
        return gltf_fail(f, "meshes", mesh, "the attributes of a primitive differ in number");
    return PLIANT_OK;
}

// Up to three numbers: a color's alpha does not matter here.
static void read_element(const gltf_numbers* n, int element, double out[3])
{
    for (int k = 0; k < n->width && k < 3; ++k) {
        double x = gltf_number(n, element, k);
        out[k] = isfinite(x) ? x : 0;
    }
}

static bool add_element(value_list* list, const gltf_numbers* n, int element)
{
    double value[3] = {0, 0, 0};
    read_element(n, element, value);
    return list_add(list, value);
}

static bool add_color(visual_draft* d, const gltf_numbers* n, int element)
{
    double value[3] = {0, 0, 0};
    read_element(n, element, value);
    return draft_add_color(d, value);
}

static pliant_result add_vertices(gltf_file* f, const primitive* p, const transform* at, int mesh)
{
    visual_draft* d = f->draft;
    if ((int64_t)d->positions.count + p->position.count > INT_MAX / 8)
        return gltf_fail(f, "meshes", mesh, "too many vertices");
    for (int i = 0; i < p->position.count; ++i) {
        double x[3], out[3];
        for (int k = 0; k < 3; ++k) x[k] = gltf_number(&p->position, i, k);
        for (int k = 0; k < 3; ++k) {
            const double* m = at->m + k;
            out[k] = m[0] * x[0] + m[4] * x[1] + m[8] * x[2] + m[12];
            if (!isfinite(out[k])) return gltf_fail(f, "meshes", mesh, "a position is not finite");
        }
        if (!list_add(&d->positions, out) || (p->has_uv && !add_element(&d->uvs, &p->uv, i)) ||
            (p->has_normal && !add_element(&d->normals, &p->normal, i)) ||
            (p->has_color && !add_color(d, &p->color, i)))
            return PLIANT_ERROR_MEMORY;
    }
    return PLIANT_OK;
}

// The vertex of each corner of triangle `t`.
static void corners_of(const primitive* p, int t, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        int at = 3 * t + k;
        if (p->mode == MODE_STRIP) at = t + (t & 1 && k ? 3 - k : k);
        if (p->mode == MODE_FAN) at = k ? t + k : 0;
        out[k] = p->has_index ? gltf_number(&p->index, at, 0) : at;
    }
}

static pliant_result add_triangles(gltf_file* f, const primitive* p, const visual_corner* first,
                                   bool mirrored, int mesh)
{
    int elements = p->has_index ? p->index.count : p->position.count;
    int count = p->mode == MODE_TRIANGLES ? elements / 3 : elements - 2;
    for (int t = 0; t < count; ++t) {
        double number[3];
        visual_corner corner[3];
        corners_of(p, t, number);
        for (int k = 0; k < 3; ++k) {
            if (!(number[k] >= 0 && number[k] < p->position.count))
                return gltf_fail(f, "meshes", mesh, "an index is beyond the vertices");
            int v = (int)number[k];
            corner[mirrored && k ? 3 - k : k] =
                (visual_corner){first->position + v, p->has_uv ? first->uv + v : -1,
                                p->has_normal ? first->normal + v : -1};
        }
        if (!draft_add_triangle(f->draft, corner, p->material)) return PLIANT_ERROR_MEMORY;
    }
    return PLIANT_OK;
}

static pliant_result add_primitive(gltf_file* f, const json_t* json, const transform* at, int mesh)
{
    enum { MOST_INSTANCES = 100000 };
    primitive p = {0};
    json_int_t mode = gltf_integer(json, "mode", MODE_TRIANGLES);
    const visual_draft* d = f->draft;
    const visual_corner first = {d->positions.count, d->uvs.count, d->normals.count};
    if (mode < MODE_TRIANGLES || mode > MODE_FAN) return PLIANT_OK; // points and lines
    p.mode = (int)mode;
    if (++f->instances > MOST_INSTANCES)
        return gltf_fail(f, "meshes", mesh, "the scene repeats its meshes too often");
    pliant_result result = open_primitive(f, json, mesh, &p);
    if (!result) result = add_vertices(f, &p, at, mesh);
    return result ? result : add_triangles(f, &p, &first, mirrors(at), mesh);
}

static pliant_result add_mesh(gltf_file* f, json_int_t number, const transform* at)
{
    int shown = number < INT_MAX ? (int)number : INT_MAX;
    const json_t* primitives = json_object_get(gltf_item(f, "meshes", number), "primitives");
    if (!json_is_array(primitives)) return gltf_fail(f, "meshes", shown, "there is no such mesh");
    pliant_result result = PLIANT_OK;
    for (size_t i = 0; i < json_array_size(primitives) && !result; ++i)
        result = add_primitive(f, json_array_get(primitives, i), at, shown);
    return result;
}

// ---- nodes --------------------------------------------------------------------------------------

enum { MOST_DEPTH = 64 };

static pliant_result add_node(gltf_file* f, json_int_t number, const transform* parent, int depth)
{
    const json_t* node = gltf_item(f, "nodes", number);
    int shown = number >= 0 && number < INT_MAX ? (int)number : -1;
    if (!node) return gltf_fail(f, "nodes", shown, "there is no such node");
    if (depth > MOST_DEPTH || ++f->instances > 1000000)
        return gltf_fail(f, "nodes", shown, "it is its own child, or too deep");
    transform own = transform_of(node), at = multiply(parent, &own);
    json_int_t mesh = gltf_integer(node, "mesh", -1);
    pliant_result result = PLIANT_OK;
    if (mesh != -1) result = add_mesh(f, mesh, &at);
    const json_t* children = json_object_get(node, "children");
    for (size_t i = 0; i < json_array_size(children) && !result; ++i) {
        const json_t* child = json_array_get(children, i);
        result =
            add_node(f, json_is_integer(child) ? json_integer_value(child) : -1, &at, depth + 1);
    }
    return result;
}

// The scene, or else every mesh by itself.
static pliant_result add_scene(gltf_file* f)
{
    const json_t* scene = gltf_item(f, "scenes", gltf_integer(f->root, "scene", 0));
    const json_t* nodes = json_object_get(scene, "nodes");
    pliant_result result = PLIANT_OK;
    for (size_t i = 0; i < json_array_size(nodes) && !result; ++i) {
        const json_t* node = json_array_get(nodes, i);
        result = add_node(f, json_is_integer(node) ? json_integer_value(node) : -1, &IDENTITY, 0);
    }
    for (int i = 0; !scene && i < gltf_count(f, "meshes") && !result; ++i)
        result = add_mesh(f, i, &IDENTITY);
    return result;
}

// ---- materials ----------------------------------------------------------------------------------

static pliant_result read_image(gltf_file* f, int number)
{
    const json_t* json = gltf_item(f, "images", number);
    const char* uri = json_string_value(json_object_get(json, "uri"));
    const char* name = json_string_value(json_object_get(json, "name"));
    void* data = NULL;
    size_t bytes = 0;
    pliant_result result = PLIANT_OK;
    f->image[number] = -1;
    if (uri && !gltf_is_data(uri)) {
        f->image[number] = draft_load_image(f->draft, uri, strlen(uri), &result);
        return result;
    }
    if (uri) {
        result = gltf_decode(uri, &data, &bytes);
        if (result == PLIANT_ERROR_FORMAT) return gltf_fail(f, "images", number, "not base64");
    } else {
        const unsigned char* view = NULL;
        size_t stride;
        result = gltf_find_view(f, gltf_integer(json, "bufferView", -2), &view, &bytes, &stride);
        if (result) return result;
        data = mem_alloc(bytes + 1);
        if (data && bytes) memcpy(data, view, bytes);
        if (!data) result = PLIANT_ERROR_MEMORY;
    }
    if (result) return result;
    const char* type = image_type(data, bytes);
    char file[128];
    if (!type) {
        warn("%.300s: images[%d] is neither PNG nor JPEG and is left out", f->draft->path, number);
        mem_free(data);
        return PLIANT_OK;
    }
    snprintf(file, sizeof file, "%.100s", name && name[0] ? name : "texture");
    f->image[number] = draft_add_image(f->draft, file, data, bytes);
    return f->image[number] < 0 ? PLIANT_ERROR_MEMORY : PLIANT_OK;
}

static pliant_result read_material(gltf_file* f, int number)
{
    const json_t* json = gltf_item(f, "materials", number);
    const json_t* pbr = json_object_get(json, "pbrMetallicRoughness");
    const char* name = json_string_value(json_object_get(json, "name"));
    double color[4] = {1, 1, 1, 1};
    read_numbers(pbr, "baseColorFactor", color, 4);
    int own = draft_add_material(f->draft, name ? name : "", name ? strlen(name) : 0);
    if (own < 0) return PLIANT_ERROR_MEMORY;
    visual_material* m = &f->draft->look.material[own];
    for (int k = 0; k < 4; ++k)
        m->color[k] = (float)(color[k] >= 0 && color[k] <= 1 ? color[k] : 1);
    m->two_sided = json_is_true(json_object_get(json, "doubleSided"));
    f->material[number] = own;
    const json_t* used = json_object_get(pbr, "baseColorTexture");
    if (!used) return PLIANT_OK;
    const json_t* texture = gltf_item(f, "textures", gltf_integer(used, "index", -2));
    if (!texture) return gltf_fail(f, "materials", number, "there is no such texture");
    json_int_t image = gltf_integer(texture, "source", -2);
    // Without a source the image is in an extension's format.
    if (image >= 0 && image < gltf_count(f, "images")) m->image = f->image[image];
    return PLIANT_OK;
}

static pliant_result read_materials(gltf_file* f)
{
    int images = gltf_count(f, "images"), materials = gltf_count(f, "materials");
    f->image = (int*)mem_array((size_t)images, sizeof(int));
    f->material = (int*)mem_array((size_t)materials, sizeof(int));
    if (!f->image || !f->material) return PLIANT_ERROR_MEMORY;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < images && !result; ++i) result = read_image(f, i);
    for (int i = 0; i < materials && !result; ++i) result = read_material(f, i);
    return result;
}

// ---- the file -----------------------------------------------------------------------------------

static uint32_t little32(const unsigned char* at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// The parts of a .glb; a .gltf is its JSON.
static pliant_result divide(gltf_file* f, const void* data, size_t bytes, const char** out_json,
                            size_t* out_bytes)
{
    const unsigned char* at = (const unsigned char*)data;
    *out_json = (const char*)data;
    *out_bytes = bytes;
    if (bytes < 4 || memcmp(at, "glTF", 4) != 0) return PLIANT_OK;
    if (bytes < 20 || little32(at + 4) != 2 || memcmp(at + 16, "JSON", 4) != 0)
        return fail(PLIANT_ERROR_FORMAT, "%.300s: not a .glb of version 2", f->draft->path);
    size_t json = little32(at + 12);
    if (json > bytes - 20)
        return fail(PLIANT_ERROR_FORMAT, "%.300s: the file is cut off", f->draft->path);
    *out_json = (const char*)at + 20;
    *out_bytes = json;
    size_t next = 20 + json;
    if (bytes - next < 8 || memcmp(at + next + 4, "BIN", 4) != 0) return PLIANT_OK;
    size_t binary = little32(at + next);
    if (binary > bytes - next - 8)
        return fail(PLIANT_ERROR_FORMAT, "%.300s: the file is cut off", f->draft->path);
    f->binary = (gltf_buffer){at + next + 8, binary, NULL};
    return PLIANT_OK;
}

static pliant_result check_extensions(const gltf_file* f)
{
    const json_t* needed = json_object_get(f->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(needed); ++i) {
        const char* name = json_string_value(json_array_get(needed, i));
        if (!name || strncmp(name, "KHR_materials_", 14) == 0 ||
            strcmp(name, "KHR_texture_transform") == 0 ||
            strcmp(name, "KHR_mesh_quantization") == 0)
            continue;
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "%.300s: it needs the extension %.100s, which is not read: save it without",
                    f->draft->path, name);
    }
    return PLIANT_OK;
}

pliant_result visual_read_gltf(visual_draft* d, const void* data, size_t bytes)
{
    gltf_file f = {.draft = d};
    const char* text = NULL;
    size_t length = 0;
    json_error_t error;
    pliant_result result = divide(&f, data, bytes, &text, &length);
    if (result) return result;
    f.root = json_loadb(text, length, 0, &error);
    if (!json_is_object(f.root))
        result = fail(PLIANT_ERROR_FORMAT, "%.300s:%d: not JSON: %.100s", d->path,
                      f.root ? 1 : error.line, f.root ? "an object is needed" : error.text);
    if (!result) result = check_extensions(&f);
    if (!result) result = gltf_open_buffers(&f);
    if (!result) result = read_materials(&f);
    if (!result) result = add_scene(&f);
    gltf_close_buffers(&f);
    mem_free(f.material);
    mem_free(f.image);
    json_decref(f.root);
    return result;
}
