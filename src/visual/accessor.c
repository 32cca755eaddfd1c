#include "visual/accessor.h"
#include "meshfile/base64.h"
#include <limits.h>
#include <string.h>

pliant_result gltf_fail(const gltf_file* f, const char* where, int number, const char* what)
{
    return fail(PLIANT_ERROR_FORMAT, "%.300s: %s[%d]: %s", f->draft->path, where, number, what);
}

const json_t* gltf_item(const gltf_file* f, const char* array, json_int_t number)
{
    const json_t* list = json_object_get(f->root, array);
    if (number < 0 || number >= (json_int_t)json_array_size(list)) return NULL;
    return json_array_get(list, (size_t)number);
}

int gltf_count(const gltf_file* f, const char* array)
{
    size_t count = json_array_size(json_object_get(f->root, array));
    return count < INT_MAX ? (int)count : INT_MAX;
}

json_int_t gltf_integer(const json_t* object, const char* key, json_int_t fallback)
{
    const json_t* value = json_object_get(object, key);
    if (!value) return fallback;
    if (!json_is_integer(value) || json_integer_value(value) < 0) return -2;
    return json_integer_value(value);
}

// ---- buffers ------------------------------------------------------------------------------------

bool gltf_is_data(const char* uri) { return strncmp(uri, "data:", 5) == 0; }

pliant_result gltf_decode(const char* uri, void** out_data, size_t* out_bytes)
{
    const char* comma = strchr(uri, ',');
    if (!comma || comma - uri < 12 || strncmp(comma - 7, ";base64", 7) != 0)
        return PLIANT_ERROR_FORMAT;
    size_t length = strlen(comma + 1);
    unsigned char* data = (unsigned char*)mem_alloc(length / 4 * 3 + 4);
    if (!data) return PLIANT_ERROR_MEMORY;
    int64_t bytes = base64_decode(comma + 1, comma + 1 + length, data);
    if (bytes < 0) {
        mem_free(data);
        return PLIANT_ERROR_FORMAT;
    }
    *out_data = data;
    *out_bytes = (size_t)bytes;
    return PLIANT_OK;
}

static pliant_result open_buffer(gltf_file* f, int number)
{
    gltf_buffer* out = &f->buffer[number];
    const json_t* json = gltf_item(f, "buffers", number);
    const char* uri = json_string_value(json_object_get(json, "uri"));
    json_int_t bytes = gltf_integer(json, "byteLength", -2);
    pliant_result result = PLIANT_OK;
    if (!uri) {
        if (number > 0 || !f->binary.data)
            return gltf_fail(f, "buffers", number, "it has no uri, and the file no binary part");
        *out = f->binary;
    } else {
        result = gltf_is_data(uri)
                     ? gltf_decode(uri, &out->owned, &out->bytes)
                     : draft_read_beside(f->draft, uri, strlen(uri), &out->owned, &out->bytes);
        out->data = (const unsigned char*)out->owned;
    }
    if (result == PLIANT_ERROR_FORMAT) return gltf_fail(f, "buffers", number, "not base64");
    if (result == PLIANT_ERROR_FILE)
        return fail(result, "%.300s: the buffer '%.200s' cannot be read", f->draft->path, uri);
    if (result) return result;
    if (bytes < 0 || (uint64_t)bytes > out->bytes)
        return gltf_fail(f, "buffers", number, "it has fewer bytes than its byteLength says");
    out->bytes = (size_t)bytes;
    return PLIANT_OK;
}

pliant_result gltf_open_buffers(gltf_file* f)
{
    f->buffer_count = gltf_count(f, "buffers");
    f->buffer = (gltf_buffer*)mem_array_zero((size_t)f->buffer_count + 1, sizeof *f->buffer);
    if (!f->buffer) return PLIANT_ERROR_MEMORY;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < f->buffer_count && !result; ++i) result = open_buffer(f, i);
    return result;
}

void gltf_close_buffers(gltf_file* f)
{
    for (int i = 0; f->buffer && i < f->buffer_count; ++i) mem_free(f->buffer[i].owned);
    mem_free(f->buffer);
    f->buffer = NULL;
}

pliant_result gltf_find_view(const gltf_file* f, json_int_t number, const unsigned char** out,
                             size_t* out_bytes, size_t* out_stride)
{
    const json_t* view = gltf_item(f, "bufferViews", number);
    int shown = number < INT_MAX ? (int)number : INT_MAX;
    if (!view) return gltf_fail(f, "bufferViews", shown, "there is no such view");
    json_int_t buffer = gltf_integer(view, "buffer", -2);
    json_int_t offset = gltf_integer(view, "byteOffset", 0);
    json_int_t bytes = gltf_integer(view, "byteLength", -2);
    json_int_t stride = gltf_integer(view, "byteStride", 0);
    if (buffer < 0 || buffer >= f->buffer_count)
        return gltf_fail(f, "bufferViews", shown, "there is no such buffer");
    size_t whole = f->buffer[buffer].bytes;
    if (offset < 0 || bytes < 0 || stride < 0 || stride > 252 || (uint64_t)offset > whole ||
        (uint64_t)bytes > whole - (uint64_t)offset)
        return gltf_fail(f, "bufferViews", shown, "it reaches beyond its buffer");
    *out = f->buffer[buffer].data + offset;
    *out_bytes = (size_t)bytes;
    *out_stride = (size_t)stride;
    return PLIANT_OK;
}

// ---- accessors ----------------------------------------------------------------------------------

enum { I8 = 5120, U8, I16, U16, U32 = 5125, F32 };

static size_t component_bytes(json_int_t type)
{
    switch (type) {
    case I8:
    case U8:
        return 1;
    case I16:
    case U16:
        return 2;
    case U32:
    case F32:
        return 4;
    }
    return 0;
}

static int width_of(const json_t* accessor)
{
    static const char* const names[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const char* type = json_string_value(json_object_get(accessor, "type"));
    for (int i = 0; type && i < 4; ++i)
        if (strcmp(type, names[i]) == 0) return i + 1;
    return 0;
}

// Where the elements are in their view, once their form is known.
static pliant_result place_numbers(const gltf_file* f, const json_t* accessor, int shown,
                                   gltf_numbers* out)
{
    size_t view_bytes = 0, stride = 0, each = component_bytes(out->type) * (size_t)out->width;
    json_int_t view = gltf_integer(accessor, "bufferView", -1);
    json_int_t offset = gltf_integer(accessor, "byteOffset", 0);
    if (view == -1 && out->count > 1 << 20)
        return gltf_fail(f, "accessors", shown, "it has no data");
    if (view == -1) return PLIANT_OK;
    pliant_result result = gltf_find_view(f, view, &out->data, &view_bytes, &stride);
    if (result) return result;
    out->stride = stride ? stride : each;
    uint64_t last = out->count ? (uint64_t)(out->count - 1) * out->stride + each : 0;
    if (offset < 0 || (uint64_t)offset > view_bytes || last > view_bytes - (uint64_t)offset)
        return gltf_fail(f, "accessors", shown, "it reaches beyond its view");
    out->data += offset;
    return PLIANT_OK;
}

pliant_result gltf_find_numbers(const gltf_file* f, json_int_t number, int width, gltf_numbers* out)
{
    const json_t* accessor = gltf_item(f, "accessors", number);
    int shown = number >= 0 && number < INT_MAX ? (int)number : -1;
    *out = (gltf_numbers){0};
    if (!accessor) return gltf_fail(f, "accessors", shown, "there is no such accessor");
    json_int_t count = gltf_integer(accessor, "count", -2);
    json_int_t type = gltf_integer(accessor, "componentType", -2);
    if (count < 0 || count > INT_MAX / 8) return gltf_fail(f, "accessors", shown, "a wrong count");
    if (component_bytes(type) == 0)
        return gltf_fail(f, "accessors", shown, "an unknown componentType");
    int own = width_of(accessor);
    if (own != width && (width != VEC3_OR_VEC4 || own < 3))
        return gltf_fail(f, "accessors", shown, "its type is not what it is used for");
    if (json_object_get(accessor, "sparse"))
        return fail(PLIANT_ERROR_UNSUPPORTED, "%.300s: accessors[%d]: sparse ones are not read",
                    f->draft->path, shown);
    out->count = (int)count;
    out->width = own;
    out->type = (int)type;
    out->normalized = json_is_true(json_object_get(accessor, "normalized"));
    return place_numbers(f, accessor, shown, out);
}

static uint32_t little(const unsigned char* at, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= (uint32_t)at[i] << (8 * i);
    return value;
}

double gltf_number(const gltf_numbers* n, int element, int k)
{
    size_t each = component_bytes(n->type);
    if (!n->data) return 0;
    uint32_t bits = little(n->data + (size_t)element * n->stride + (size_t)k * each, each);
    float real;
    switch (n->type) {
    case I8:
        return n->normalized ? (double)(int8_t)bits / 127 : (double)(int8_t)bits;
    case U8:
        return n->normalized ? bits / 255.0 : bits;
    case I16:
        return n->normalized ? (double)(int16_t)bits / 32767 : (double)(int16_t)bits;
    case U16:
        return n->normalized ? bits / 65535.0 : bits;
    case F32:
        memcpy(&real, &bits, sizeof real);
        return (double)real;
    }
    return bits;
}
