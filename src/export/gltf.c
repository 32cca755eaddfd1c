#include "export/gltf.h"
#include "export/palette.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { U32 = 5125, F32 = 5126, VERTICES = 34962, INDICES = 34963 };

// Arrays of the document while it is made. Nothing is checked on the way: jansson takes NULL, and
// what is missing at the end is a lack of memory.
typedef struct {
    const gltf_source* source;
    const frame* frame;
    gltf_document* out;
    json_t *views, *accessors, *meshes, *nodes, *materials, *textures, *images, *channels;
    int *first_material, *first_image; // of each face; materials: -1 behind the last is its own
    bool failed;
} gltf_writer;

static int add(gltf_writer* w, json_t* list, json_t* item)
{
    if (json_array_append_new(list, item)) w->failed = true;
    return (int)json_array_size(list) - 1;
}

static json_t* vector(const double* value, int count)
{
    json_t* list = json_array();
    for (int i = 0; i < count; ++i) json_array_append_new(list, json_real(value[i]));
    return list;
}

// ---- numbers ------------------------------------------------------------------------------------

static int add_view(gltf_writer* w, size_t offset, size_t bytes, int target)
{
    json_t* view = json_pack("{si sI sI}", "buffer", 0, "byteOffset", (json_int_t)offset,
                             "byteLength", (json_int_t)bytes);
    if (target) json_object_set_new(view, "target", json_integer(target));
    return add(w, w->views, view);
}

static int add_accessor(gltf_writer* w, int view, int type, size_t count, const char* shape)
{
    return add(w, w->accessors,
               json_pack("{si si sI ss}", "bufferView", view, "componentType", type, "count",
                         (json_int_t)count, "type", shape));
}

static void set_bounds(gltf_writer* w, int accessor, const double* min, const double* max,
                       int count)
{
    json_t* object = json_array_get(w->accessors, (size_t)accessor);
    json_object_set_new(object, "min", vector(min, count));
    json_object_set_new(object, "max", vector(max, count));
}

// Numbers that are at the end of the fixed part by now.
static int add_fixed(gltf_writer* w, size_t begin, int type, int width, int target)
{
    static const char* const shapes[] = {"", "SCALAR", "VEC2", "VEC3"};
    sink* fixed = &w->out->fixed;
    size_t bytes = fixed->bytes - begin;
    int view = add_view(w, w->source->bytes + begin, bytes, target);
    return add_accessor(w, view, type, bytes / 4 / (size_t)width, shapes[width]);
}

// Positions or normals of one body in one frame.
static int add_vectors(gltf_writer* w, int number, size_t float_offset, size_t count)
{
    size_t offset = (size_t)number * w->source->frame_bytes;
    int view = add_view(w, offset + float_offset * sizeof(float), count * 12, VERTICES);
    return add_accessor(w, view, F32, count, "VEC3");
}

// ---- materials ----------------------------------------------------------------------------------

static void name_image(const gltf_writer* w, const visual_image* image, gltf_image_file* out)
{
    const char* type = image_type(image->data, image->bytes);
    const char* ending = type && strcmp(type, "image/jpeg") == 0 ? "jpg" : "png";
    const char* dot = strrchr(image->name, '.');
    int stem = dot ? (int)(dot - image->name) : (int)strlen(image->name);
    out->image = image;
    int base = (int)strlen(w->out->binary_name) - 4; // without ".bin"
    snprintf(out->name, sizeof out->name, "%.*s_%d_%.*s.%s", base < 80 ? base : 80,
             w->out->binary_name, w->out->file_count, stem < 40 ? stem : 40, image->name, ending);
    for (char* c = out->name; *c; ++c)
        if (!((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
              *c == '.' || *c == '-'))
            *c = '_';
}

static void add_image(gltf_writer* w, const visual_image* image)
{
    gltf_document* out = w->out;
    const char* type = image_type(image->data, image->bytes);
    json_t* json = json_object();
    json_object_set_new(json, "name", json_stringn_nocheck(image->name, strlen(image->name)));
    if (w->source->binary) {
        size_t begin = out->fixed.bytes;
        sink_bytes(&out->fixed, image->data, image->bytes);
        int view = add_view(w, w->source->bytes + begin, image->bytes, 0);
        sink_bytes(&out->fixed, "\0\0\0", (4 - image->bytes % 4) % 4);
        json_object_set_new(json, "bufferView", json_integer(view));
        json_object_set_new(json, "mimeType", json_string(type));
    } else {
        gltf_image_file* file = &out->files[out->file_count];
        name_image(w, image, file);
        out->file_count++;
        json_object_set_new(json, "uri", json_string(file->name));
    }
    int number = add(w, w->images, json);
    add(w, w->textures, json_pack("{si si}", "source", number, "sampler", 0));
}

static json_t* make_material(const double color[4], int texture, bool two_sided)
{
    json_t* pbr = json_object();
    json_object_set_new(pbr, "baseColorFactor", vector(color, 4));
    json_object_set_new(pbr, "metallicFactor", json_real(0));
    json_object_set_new(pbr, "roughnessFactor", json_real(0.7));
    if (texture >= 0)
        json_object_set_new(pbr, "baseColorTexture", json_pack("{si}", "index", texture));
    json_t* material = json_object();
    json_object_set_new(material, "pbrMetallicRoughness", pbr);
    if (two_sided) json_object_set_new(material, "doubleSided", json_true());
    if (color[3] < 1) json_object_set_new(material, "alphaMode", json_string("BLEND"));
    return material;
}

// What a face carries; bodies share it.
static void add_materials(gltf_writer* w, int number)
{
    const body_face* face = &w->frame->faces[number];
    const visual* look = face->look;
    w->first_material[number] = (int)json_array_size(w->materials);
    w->first_image[number] = (int)json_array_size(w->images);
    if (!face_is_carried(face)) return;
    for (int i = 0; i < look->image_count; ++i) add_image(w, &look->image[i]);
    for (int i = 0; i < look->material_count; ++i) {
        const visual_material* m = &look->material[i];
        const double color[4] = {(double)m->color[0], (double)m->color[1], (double)m->color[2],
                                 (double)m->color[3]};
        bool textured = m->image >= 0 && look->vertex_uv;
        json_t* json =
            make_material(color, textured ? w->first_image[number] + m->image : -1, m->two_sided);
        json_object_set_new(json, "name", json_stringn_nocheck(m->name, strlen(m->name)));
        add(w, w->materials, json);
    }
}

static int add_plain_material(gltf_writer* w, int body)
{
    double screen[3], color[4] = {1, 1, 1, 1};
    palette_color(w->source->film->stage, body, screen);
    for (int k = 0; k < 3; ++k) color[k] = screen[k] * screen[k];
    return add(w, w->materials, make_material(color, -1, true));
}

// ---- meshes -------------------------------------------------------------------------------------

// The accessors of a body: what all its primitives share.
typedef struct {
    json_t *attributes, *targets;
} body_arrays;

static json_t* make_attributes(gltf_writer* w, int body, int number, size_t offset, int uv)
{
    const body_face* face = w->frame->shown[body].face;
    size_t count = (size_t)(face->look ? face->look->vertex_count : face->point_count);
    const double* bounds =
        w->source->bounds + 6 * ((size_t)number * (size_t)w->frame->shown_count + (size_t)body);
    int position = add_vectors(w, number, offset, count);
    set_bounds(w, position, bounds, bounds + 3, 3);
    json_t* attributes = json_pack("{si}", "POSITION", position);
    if (face->look)
        json_object_set_new(attributes, "NORMAL",
                            json_integer(add_vectors(w, number, offset + 3 * count, count)));
    if (uv >= 0) json_object_set_new(attributes, "TEXCOORD_0", json_integer(uv));
    return attributes;
}

static int add_uvs(gltf_writer* w, const visual* look)
{
    sink* fixed = &w->out->fixed;
    size_t begin = fixed->bytes;
    for (size_t i = 0; i < 2 * (size_t)look->vertex_count; ++i)
        sink_f32(fixed, (float)look->vertex_uv[i]);
    return add_fixed(w, begin, F32, 2, VERTICES);
}

static json_t* make_primitive(json_t* attributes, json_t* targets, int indices, int material)
{
    json_t* json =
        json_pack("{sO si si}", "attributes", attributes, "indices", indices, "material", material);
    if (json_array_size(targets)) json_object_set(json, "targets", targets);
    return json;
}

// The triangles of one material; -1: of none.
static void add_triangles(gltf_writer* w, json_t* primitives, const visual* look, int chosen,
                          const body_arrays* arrays, int material)
{
    sink* fixed = &w->out->fixed;
    size_t begin = fixed->bytes;
    for (int i = 0; i < look->triangle_count; ++i) {
        if (look->triangle_material[i] != chosen) continue;
        for (int k = 0; k < 3; ++k) sink_i32(fixed, look->triangle[3 * (size_t)i + (size_t)k]);
    }
    if (fixed->bytes == begin) return;
    int indices = add_fixed(w, begin, U32, 1, INDICES);
    add(w, primitives, make_primitive(arrays->attributes, arrays->targets, indices, material));
}

static void add_edges(gltf_writer* w, json_t* primitives, const body_face* face,
                      const body_arrays* arrays, int material)
{
    sink* fixed = &w->out->fixed;
    size_t begin = fixed->bytes;
    for (int i = 0; i < 2 * face->edge_count; ++i) sink_i32(fixed, face->edges[i]);
    int indices = add_fixed(w, begin, U32, 1, INDICES);
    json_t* json = make_primitive(arrays->attributes, arrays->targets, indices, material);
    json_object_set_new(json, "mode", json_integer(1));
    add(w, primitives, json);
}

// All points, in their order.
static void add_points(gltf_writer* w, json_t* primitives, const body_arrays* arrays, int material)
{
    json_t* json =
        json_pack("{sO si si}", "attributes", arrays->attributes, "mode", 0, "material", material);
    if (json_array_size(arrays->targets)) json_object_set(json, "targets", arrays->targets);
    add(w, primitives, json);
}

static json_t* make_primitives(gltf_writer* w, int body, const body_arrays* arrays)
{
    const body_face* face = w->frame->shown[body].face;
    const visual* look = face->look;
    json_t* primitives = json_array();
    int first = w->first_material[face - w->frame->faces], own = -1;
    bool bare = false;
    for (int i = 0; look && i < look->triangle_count; ++i)
        bare = bare || look->triangle_material[i] < 0;
    if (bare || !look) own = add_plain_material(w, body);
    for (int i = 0; look && i < look->material_count; ++i)
        add_triangles(w, primitives, look, i, arrays, first + i);
    if (bare) add_triangles(w, primitives, look, -1, arrays, own);
    // Points of edges are the vertices only where there are no triangles.
    if (!look && face->edge_count) add_edges(w, primitives, face, arrays, own);
    if (face->point_radius) add_points(w, primitives, arrays, own);
    return primitives;
}

static void add_body(gltf_writer* w, int body, size_t offset)
{
    const visual* look = w->frame->shown[body].face->look;
    int uv = look && look->vertex_uv ? add_uvs(w, look) : -1;
    body_arrays arrays = {.targets = json_array()};
    arrays.attributes = make_attributes(w, body, 0, offset, uv);
    for (int i = 1; i < w->source->frame_count; ++i)
        add(w, arrays.targets, make_attributes(w, body, i, offset, -1));
    json_t* primitives = make_primitives(w, body, &arrays);
    char name[64];
    snprintf(name, sizeof name, "body_%d", body);
    json_decref(arrays.attributes);
    json_decref(arrays.targets);
    if (json_array_size(primitives) == 0) {
        json_decref(primitives);
        return;
    }
    int mesh = add(w, w->meshes, json_pack("{so}", "primitives", primitives));
    int node = add(w, w->nodes, json_pack("{si ss}", "mesh", mesh, "name", name));
    if (w->source->frame_count > 1)
        add(w, w->channels,
            json_pack("{si s{si ss}}", "sampler", 0, "target", "node", node, "path", "weights"));
}

// ---- animation ----------------------------------------------------------------------------------

// At the time of a frame its own target has the weight 1 and all others none.
static json_t* make_animation(gltf_writer* w)
{
    sink* fixed = &w->out->fixed;
    int frames = w->source->frame_count;
    size_t begin = fixed->bytes;
    for (int i = 0; i < frames; ++i) sink_f32(fixed, (float)film_time(w->source->film, i));
    int input = add_fixed(w, begin, F32, 1, 0);
    const double first = 0, last = (double)(float)film_time(w->source->film, frames - 1);
    set_bounds(w, input, &first, &last, 1);
    begin = fixed->bytes;
    for (int i = 0; i < frames; ++i)
        for (int target = 1; target < frames; ++target) sink_f32(fixed, i == target ? 1.0f : 0.0f);
    int output = add_fixed(w, begin, F32, 1, 0);
    return json_pack("{ss s[{si si ss}] sO}", "name", "run", "samplers", "input", input, "output",
                     output, "interpolation", "LINEAR", "channels", w->channels);
}

// ---- the document -------------------------------------------------------------------------------

static void set_list(json_t* root, const char* name, json_t* list)
{
    if (json_array_size(list)) json_object_set(root, name, list);
}

static void finish(gltf_writer* w)
{
    gltf_document* out = w->out;
    json_t* root = json_pack("{s{ss ss}}", "asset", "version", "2.0", "generator", "pliant");
    json_t* list = json_array();
    for (size_t i = 0; i < json_array_size(w->nodes); ++i)
        json_array_append_new(list, json_integer((json_int_t)i));
    if (w->source->frame_count > 1 && json_array_size(w->channels))
        json_object_set_new(root, "animations", json_pack("[o]", make_animation(w)));
    json_object_set_new(root, "scene", json_integer(0));
    json_object_set_new(root, "scenes",
                        json_array_size(list) ? json_pack("[{sO}]", "nodes", list)
                                              : json_pack("[{}]"));
    set_list(root, "nodes", w->nodes);
    set_list(root, "meshes", w->meshes);
    set_list(root, "materials", w->materials);
    set_list(root, "textures", w->textures);
    set_list(root, "images", w->images);
    if (json_array_size(w->textures))
        json_object_set_new(root, "samplers",
                            json_pack("[{si si}]", "magFilter", 9729, "minFilter", 9987));
    set_list(root, "accessors", w->accessors);
    set_list(root, "bufferViews", w->views);
    size_t bytes = w->source->bytes + out->fixed.bytes;
    json_t* buffer = json_pack("{sI}", "byteLength", (json_int_t)bytes);
    if (!w->source->binary) json_object_set_new(buffer, "uri", json_string(out->binary_name));
    if (bytes)
        json_object_set_new(root, "buffers", json_pack("[o]", buffer));
    else
        json_decref(buffer);
    out->json = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    out->json_bytes = out->json ? strlen(out->json) : 0;
    json_decref(list);
    json_decref(root);
}

static void begin(gltf_writer* w)
{
    json_t** const lists[] = {&w->views,     &w->accessors, &w->meshes, &w->nodes,
                              &w->materials, &w->textures,  &w->images, &w->channels};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) *lists[i] = json_array();
}

static void end(gltf_writer* w)
{
    json_t* const lists[] = {w->views,     w->accessors, w->meshes, w->nodes,
                             w->materials, w->textures,  w->images, w->channels};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) json_decref(lists[i]);
    mem_free(w->first_material);
    mem_free(w->first_image);
}

static bool prepare(gltf_writer* w)
{
    const frame* f = w->frame;
    size_t images = 0;
    for (int i = 0; i < f->face_count; ++i)
        images += f->faces[i].look ? (size_t)f->faces[i].look->image_count : 0;
    w->first_material = (int*)mem_array((size_t)f->face_count, sizeof(int));
    w->first_image = (int*)mem_array((size_t)f->face_count, sizeof(int));
    w->out->files = (gltf_image_file*)mem_array(images, sizeof *w->out->files);
    return w->first_material && w->first_image && w->out->files;
}

pliant_result gltf_describe(const gltf_source* s, gltf_document* out)
{
    const frame* f = s->frame;
    gltf_writer w = {.source = s, .frame = f, .out = out};
    memset(out, 0, sizeof *out);
    const char *name = path_name(s->path), *dot = strrchr(name, '.');
    snprintf(out->binary_name, sizeof out->binary_name, "%.*s.bin",
             dot && dot - name < 200 ? (int)(dot - name) : 4, name);
    begin(&w);
    if (!prepare(&w)) w.failed = true;
    size_t offset = 0;
    for (int i = 0; i < f->face_count && !w.failed; ++i) add_materials(&w, i);
    for (int i = 0; i < f->shown_count && !w.failed; ++i) {
        add_body(&w, i, offset);
        offset += gltf_numbers(f->shown[i].face);
    }
    if (!w.failed) finish(&w);
    end(&w);
    if (!w.failed && !out->fixed.failed && out->json) return PLIANT_OK;
    return fail(PLIANT_ERROR_MEMORY, "%.300s: out of memory for the film", s->path);
}

void gltf_release(gltf_document* d)
{
    free(d->json);
    mem_free(d->files);
    sink_release(&d->fixed);
    memset(d, 0, sizeof *d);
}
