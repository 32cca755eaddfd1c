// libFuzzer over the reader of compiled assets. The rest of the input is a file behind its header,
// which is made right, hash and all, so that what is inside is reached; or, where the first byte is
// odd, damage to a small good one: pairs of a place and a byte. What loads is stepped.
#include "asset/file.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    char* data;
    size_t bytes;
} block;

static pliant_asset* compile(unsigned choice)
{
    static const char* const words[] = {"beam:2x2x1", "cloth:4x4:1x1", "rope:1:8"};
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.schedule = (pliant_schedule)(choice / 3 % 7);
    def.solver.patch_rows = 16;
    if (pliant_mesh_generate(words[choice % 3], &mesh) || pliant_asset_create(mesh, &def, &asset))
        __builtin_trap();
    pliant_mesh_destroy(mesh);
    return asset;
}

// A good file, with room for more behind it.
static block write_good(unsigned choice, size_t more)
{
    pliant_asset* asset = compile(choice);
    block b = {NULL, pliant_asset_write_size(asset)};
    b.data = (char*)malloc(b.bytes + more);
    if (!b.data || pliant_asset_write(asset, b.data, b.bytes)) __builtin_trap();
    pliant_asset_destroy(asset);
    return b;
}

static void damage(block* b, const uint8_t* data, size_t bytes)
{
    for (; bytes >= 3; bytes -= 3, data += 3) {
        size_t at = (size_t)(data[0] | data[1] << 8) % (b->bytes - ASSET_FILE_HEADER);
        b->data[ASSET_FILE_HEADER + at] = (char)data[2];
    }
}

static void replace(block* b, const uint8_t* data, size_t bytes)
{
    uint64_t all = ASSET_FILE_HEADER + bytes;
    if (bytes) memcpy(b->data + ASSET_FILE_HEADER, data, bytes);
    memcpy(b->data + ASSET_FILE_BYTES_AT, &all, sizeof all);
    b->bytes = (size_t)all;
}

static void step(const pliant_asset* asset)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_body_def place = pliant_body_defaults();
    pliant_world* world = NULL;
    def.substeps = def.iterations = 2;
    def.threads = 1;
    if (pliant_world_create(&def, &world)) __builtin_trap();
    if (pliant_world_add_body(world, asset, &place, NULL) == PLIANT_OK)
        pliant_world_step(world, 0.01f);
    pliant_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes)
{
    if (bytes < 2) return 0;
    pliant_set_log(NULL, NULL);
    block b = write_good(data[1], bytes);
    (data[0] % 2 ? damage : replace)(&b, data + 2, bytes - 2);
    asset_file_seal(b.data, b.bytes);
    pliant_asset* asset = NULL;
    if (pliant_asset_parse(b.data, b.bytes, "fuzz", &asset) == PLIANT_OK)
        step(asset);
    else if (asset || !pliant_error_text()[0])
        __builtin_trap();
    pliant_asset_destroy(asset);
    free(b.data);
    if (pliant_allocated_bytes() != 0) __builtin_trap();
    return 0;
}
