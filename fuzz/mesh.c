// libFuzzer over the mesh readers: the first byte chooses the format by its extension, the rest is
// the file. For the formats in two files a line "%%" divides them.
#include "meshfile/format.h"
#include <string.h>

typedef struct {
    const char* data[2];
    size_t bytes[2];
} pair;

// The file whose name was asked for first, then its sibling.
static pliant_result read_part(const char* path, void** out_data, size_t* out_bytes, void* context)
{
    const pair* p = (const pair*)context;
    int part = strstr(path, ".ele") != NULL;
    *out_data = pliant_allocate(p->bytes[part]);
    if (!*out_data) return PLIANT_ERROR_MEMORY;
    if (p->bytes[part]) memcpy(*out_data, p->data[part], p->bytes[part]);
    *out_bytes = p->bytes[part];
    return PLIANT_OK;
}

static pair divide(const char* data, size_t bytes)
{
    cursor c = cursor_over(data, bytes, "");
    bool found = skip_past(&c, "\n%%\n");
    size_t rest = (size_t)(c.end - c.at);
    pair p = {{data, c.at}, {found ? bytes - rest - 4 : bytes, rest}};
    return p;
}

static void check(const pliant_mesh* mesh)
{
    pliant_mesh* copy = NULL;
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    if (pliant_mesh_create(&view, &copy) != PLIANT_OK) __builtin_trap();
    pliant_mesh_destroy(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes)
{
    if (bytes < 1) return 0;
    pliant_set_log(NULL, NULL);
    const mesh_format* format = &mesh_formats[data[0] % MESH_FORMAT_COUNT];
    char name[32] = "fuzz.";
    strcat(name, format->extensions[0]);
    pliant_mesh* mesh = NULL;
    pliant_result result;
    if (format->extensions[1]) {
        pair p = divide((const char*)data + 1, bytes - 1);
        result = pliant_mesh_load_with(name, read_part, &p, &mesh);
    } else {
        result = pliant_mesh_parse(data + 1, bytes - 1, name, &mesh);
    }
    if (result == PLIANT_OK)
        check(mesh);
    else if (mesh || !pliant_error_text()[0])
        __builtin_trap();
    pliant_mesh_destroy(mesh);
    if (pliant_allocated_bytes() != 0) __builtin_trap();
    return 0;
}
