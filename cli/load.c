#include "load.h"
#include "base/memory.h"
#include "base/platform.h"
#include "scene/stage.h"
#include "system/folder.h"
#include "visual/visual.h"
#include <stdio.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

// The sentence of a failed read: the mesh reader has only a result code for it.
typedef struct {
    char text[600];
} complaint;

typedef struct {
    const void* data;
    size_t bytes;
} input_bytes;

static pliant_result complain(complaint* c, pliant_result result, const char* path,
                              const char* what)
{
    snprintf(c->text, sizeof c->text, "%.400s: %s", path, what);
    return result;
}

static bool is_gzip(const unsigned char* data, size_t bytes)
{
    return bytes > 2 && data[0] == 0x1f && data[1] == 0x8b;
}

#ifdef HAVE_ZLIB
// A small file can stand for any number of bytes: beyond this it is refused.
static const size_t MOST_BYTES = (size_t)4 << 30;

typedef struct {
    unsigned char* data;
    size_t bytes, capacity;
} buffer;

// One more byte than the data is kept, for the zero that text readers like.
static bool grow(buffer* b)
{
    size_t capacity = b->capacity ? 2 * b->capacity : 1 << 18;
    unsigned char* larger = (unsigned char*)mem_alloc(capacity + 1);
    if (!larger) return false;
    if (b->bytes) memcpy(larger, b->data, b->bytes);
    mem_free(b->data);
    b->data = larger;
    b->capacity = capacity;
    return true;
}

// Gives zlib the next piece of input and output and takes back what it used; both counts of zlib
// are 32 bits wide.
static int inflate_piece(z_stream* z, const unsigned char* in, size_t bytes, size_t* at, buffer* b)
{
    const size_t most = 1u << 30;
    size_t room = b->capacity - b->bytes, left = bytes - *at;
    uInt in_piece = (uInt)(left < most ? left : most),
         out_piece = (uInt)(room < most ? room : most);
    z->next_in = (Bytef*)(in + *at);
    z->avail_in = in_piece;
    z->next_out = b->data + b->bytes;
    z->avail_out = out_piece;
    int status = inflate(z, Z_NO_FLUSH);
    *at += in_piece - z->avail_in;
    b->bytes += out_piece - z->avail_out;
    return status;
}

// All members of a gzip file, one after the other.
static pliant_result inflate_all(z_stream* z, const unsigned char* in, size_t bytes, buffer* b,
                                 const char** out_problem)
{
    size_t at = 0;
    for (;;) {
        if (b->bytes >= MOST_BYTES) {
            *out_problem = "holds more than 4 GiB when decompressed";
            return PLIANT_ERROR_UNSUPPORTED;
        }
        if (b->bytes == b->capacity && !grow(b)) return PLIANT_ERROR_MEMORY;
        int status = inflate_piece(z, in, bytes, &at, b);
        if (status == Z_STREAM_END) {
            if (!is_gzip(in + at, bytes - at)) return PLIANT_OK;
            if (inflateReset(z) != Z_OK) return PLIANT_ERROR_MEMORY;
        } else if (status == Z_BUF_ERROR && at == bytes) {
            *out_problem = "the compressed file is cut off";
            return PLIANT_ERROR_FORMAT;
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            *out_problem = "the compressed data is damaged";
            return PLIANT_ERROR_FORMAT;
        }
    }
}

static pliant_result decompress(void** data, size_t* bytes, const char** out_problem)
{
    buffer b = {0};
    z_stream z = {0};
    if (inflateInit2(&z, 15 + 16) != Z_OK) return PLIANT_ERROR_MEMORY;
    pliant_result result = inflate_all(&z, (const unsigned char*)*data, *bytes, &b, out_problem);
    inflateEnd(&z);
    if (result) {
        mem_free(b.data);
        return result;
    }
    mem_free(*data);
    b.data[b.bytes] = 0;
    *data = b.data;
    *bytes = b.bytes;
    return PLIANT_OK;
}
#else
static pliant_result decompress(void** data, size_t* bytes, const char** out_problem)
{
    (void)data;
    (void)bytes;
    *out_problem = "compressed; this program was built without zlib: gunzip the file first";
    return PLIANT_ERROR_UNSUPPORTED;
}
#endif

static pliant_result read_any(const char* path, void** out_data, size_t* out_bytes, void* context)
{
    complaint* c = (complaint*)context;
    const char* problem = "not enough memory to decompress it";
    void* data = NULL;
    size_t bytes = 0;
    pliant_result result = is_input(path) ? platform_read_input(&data, &bytes)
                                          : platform_read_file(path, &data, &bytes);
    if (result) {
        snprintf(c->text, sizeof c->text, "%.590s", pliant_error_text());
        return result;
    }
    if (is_gzip((const unsigned char*)data, bytes)) result = decompress(&data, &bytes, &problem);
    if (result) {
        mem_free(data);
        return complain(c, result, path, problem);
    }
    *out_data = data;
    *out_bytes = bytes;
    return PLIANT_OK;
}

pliant_result load_bytes(const char* path, void** out_data, size_t* out_bytes, void* context)
{
    complaint c = {""};
    (void)context;
    pliant_result result = read_any(path, out_data, out_bytes, &c);
    return result ? fail(result, "%s", c.text) : PLIANT_OK;
}

// What is seen of the file, as a mesh.
static pliant_result load_gltf(const char* path, pliant_read_fn* read, void* context,
                               pliant_mesh** out)
{
    visual* look = NULL;
    pliant_result result = visual_load(path, read, context, &look);
    if (!result) result = visual_mesh(look, out);
    visual_destroy(look);
    return result;
}

static pliant_result load_file(const char* path, pliant_mesh** out)
{
    complaint c = {""};
    if (visual_is_gltf(path)) return load_gltf(path, load_bytes, NULL, out);
    pliant_result result = pliant_mesh_load_with(path, read_any, &c, out);
    return result && c.text[0] ? fail(result, "%s", c.text) : result;
}

// A copy of the input for readers that take their bytes over.
static pliant_result copy_input(const char* path, void** out_data, size_t* out_bytes, void* context)
{
    const input_bytes* in = (const input_bytes*)context;
    if (strcmp(path, INPUT_NAME ".glb") != 0)
        return fail(PLIANT_ERROR_FILE, "%.300s: nothing is beside the standard input", path);
    *out_data = mem_alloc(in->bytes + 1);
    if (!*out_data) return PLIANT_ERROR_MEMORY;
    memcpy(*out_data, in->data, in->bytes);
    ((char*)*out_data)[in->bytes] = 0;
    *out_bytes = in->bytes;
    return PLIANT_OK;
}

pliant_result load_input_mesh(const void* data, size_t bytes, pliant_mesh** out)
{
    input_bytes in = {data, bytes};
    bool binary = bytes > 4 && memcmp(data, "glTF", 4) == 0;
    if (binary) return load_gltf(INPUT_NAME ".glb", copy_input, &in, out);
    pliant_result result = pliant_mesh_parse(data, bytes, INPUT_NAME, out);
    bool unmarked = result == PLIANT_ERROR_UNSUPPORTED;
    return unmarked ? pliant_mesh_parse(data, bytes, INPUT_NAME ".obj", out) : result;
}

pliant_result load_mesh(const char* name, pliant_mesh** out)
{
    *out = NULL;
    if (is_input(name)) {
        void* data = NULL;
        size_t bytes = 0;
        pliant_result result = load_bytes(name, &data, &bytes, NULL);
        if (!result) result = load_input_mesh(data, bytes, out);
        mem_free(data);
        return result;
    }
    if (names_file(name) || file_exists(name)) return load_file(name, out);
    return pliant_mesh_generate(name, out);
}
