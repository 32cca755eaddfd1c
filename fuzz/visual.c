// libFuzzer over the readers of surfaces for the eye: the first byte chooses .obj, .mtl, .gltf or
// .glb, the rest is the file.
#include "visual/visual.h"
#include <string.h>

typedef struct {
    const void* data;
    size_t bytes;
    const char* name;
} one_file;

// The file itself; an .mtl stands beside a triangle. Nothing else can be opened.
static pliant_result read_one(const char* path, void** out_data, size_t* out_bytes, void* context)
{
    static const char triangle[] =
        "mtllib fuzz.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n";
    const one_file* f = (const one_file*)context;
    bool own = strcmp(path, f->name) == 0, beside = strcmp(path, "fuzz.obj") == 0;
    if (!own && !beside) return PLIANT_ERROR_FILE;
    *out_bytes = own ? f->bytes : sizeof triangle - 1;
    *out_data = pliant_allocate(*out_bytes + 1);
    if (!*out_data) return PLIANT_ERROR_MEMORY;
    if (*out_bytes) memcpy(*out_data, own ? f->data : triangle, *out_bytes);
    return PLIANT_OK;
}

static void check(const visual* v)
{
    for (int i = 0; i < 3 * v->triangle_count; ++i)
        if (v->triangle[i] < 0 || v->triangle[i] >= v->vertex_count) __builtin_trap();
    for (int i = 0; i < v->vertex_count; ++i)
        if (v->vertex_point[i] >= v->point_count || v->vertex_normal[i] >= v->normal_count)
            __builtin_trap();
    for (int i = 0; i < v->triangle_count; ++i)
        if (v->triangle_material[i] >= v->material_count) __builtin_trap();
    for (int i = 0; i < v->material_count; ++i)
        if (v->material[i].image >= v->image_count) __builtin_trap();
    pliant_mesh* mesh = NULL;
    if (visual_mesh(v, &mesh) != PLIANT_OK) __builtin_trap();
    pliant_mesh_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes)
{
    static const char* const names[] = {"fuzz.obj", "fuzz.mtl", "fuzz.gltf", "fuzz.glb"};
    if (bytes < 1) return 0;
    pliant_set_log(NULL, NULL);
    one_file f = {data + 1, bytes - 1, names[data[0] % 4]};
    visual* look = NULL;
    pliant_result result = visual_load(data[0] % 4 == 1 ? "fuzz.obj" : f.name, read_one, &f, &look);
    if (result == PLIANT_OK)
        check(look);
    else if (look)
        __builtin_trap();
    visual_destroy(look);
    if (pliant_allocated_bytes() != 0) __builtin_trap();
    return 0;
}
