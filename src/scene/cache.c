#include "scene/cache.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/platform.h"
#include "meshfile/sink.h"
#include "system/folder.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Changes whenever the file gets another form.
static const char VERSION[16] = "pliant tets 1";

typedef struct {
    uint64_t hash[2];
} cache_key;

static uint64_t hash_mesh(uint64_t hash, const pliant_mesh_arrays* m)
{
    hash = hash_bytes(hash, m->vertices, 3 * (size_t)m->vertex_count * sizeof(double));
    hash = hash_bytes(hash, m->tets, 4 * (size_t)m->tet_count * sizeof(int));
    return hash_bytes(hash, m->triangles, 3 * (size_t)m->triangle_count * sizeof(int));
}

// Vertices and triangles, which face outward, of box `number`.
static void add_box(const double low[3], const double high[3], int number, double* vertex,
                    int* triangle)
{
    static const int quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    static const int half[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k) vertex[24 * number + 3 * i + k] = i >> k & 1 ? high[k] : low[k];
    for (int i = 0; i < 36; ++i) triangle[36 * number + i] = 8 * number + quad[i / 6][half[i % 6]];
}

// A block with a needle or a fin, which is thinner than its tets. NULL when memory runs out.
static pliant_mesh* make_thorn(double width, double thickness)
{
    double vertex[48];
    int triangle[72];
    pliant_mesh* mesh = NULL;
    add_box((const double[3]){-1, -1, -1}, (const double[3]){1, 1, 1}, 0, vertex, triangle);
    add_box((const double[3]){-width / 2, 0, 0.5}, (const double[3]){width / 2, thickness, 3}, 1,
            vertex, triangle);
    const pliant_mesh_arrays arrays = {
        .vertices = vertex, .vertex_count = 16, .triangles = triangle, .triangle_count = 24};
    return pliant_mesh_create(&arrays, &mesh) ? NULL : mesh;
}

static pliant_mesh* make_shape(const char* words)
{
    pliant_mesh* mesh = NULL;
    return pliant_mesh_generate(words, &mesh) ? NULL : mesh;
}

// What the tetrahedralizer makes of a shape, which goes; 0 when it fails.
static uint64_t print_of(pliant_mesh* shape)
{
    pliant_tet_def def = pliant_tet_defaults();
    pliant_mesh* mesh = NULL;
    uint64_t hash = 0;
    def.tets = 500;
    def.coarsening = 1;
    def.threads = 1;
    if (shape && !pliant_mesh_tetrahedralize(shape, &def, &mesh, NULL)) {
        pliant_mesh_arrays m = pliant_mesh_view(mesh);
        hash = hash_mesh(HASH_SEED, &m);
    }
    pliant_mesh_destroy(shape);
    pliant_mesh_destroy(mesh);
    return hash;
}

// Of a lump, a thin ring, a needle, which becomes a stalk, and a fin, which becomes a plate:
// another tetrahedralizer's tets are not this program's own, and nobody has to remember to say so.
// What is to be said about these shapes is nobody's business.
static uint64_t find_mesher_print(void)
{
    uint64_t print = HASH_SEED;
    warn_hush(true);
    pliant_mesh* shapes[] = {make_shape("blob:0.5:8:1"), make_shape("torus:1:0.2:4"),
                             make_thorn(0.05, 0.05), make_thorn(1.2, 0.15)};
    for (int i = 0; i < 4; ++i) {
        uint64_t part = print_of(shapes[i]);
        print = part && print ? hash_mix(print, part) : 0;
    }
    warn_hush(false);
    return print;
}

// Found once, as it takes a third of a second; 0, and to be found again, when it fails.
static uint64_t mesher_print(void)
{
    static _Atomic uint64_t known;
    if (!known) known = find_mesher_print();
    return known;
}

// Two hashes of the same numbers: 64 bits are few for files that may be kept for years.
static cache_key key_of(const pliant_mesh* surface, const pliant_tet_def* def)
{
    cache_key key;
    pliant_mesh_arrays m = pliant_mesh_view(surface);
    const int counts[] = {m.vertex_count,  m.tet_count,         m.triangle_count, def->tets,
                          def->coarsening, def->separate_parts, def->close_holes};
    uint64_t mesher = mesher_print();
    for (uint64_t i = 0; i < 2; ++i) {
        uint64_t hash = hash_mix(hash_mix(HASH_SEED, i + 1), mesher);
        hash = hash_bytes(hash, VERSION, sizeof VERSION);
        hash = hash_bytes(hash, counts, sizeof counts);
        hash = hash_bytes(hash, &def->edge, sizeof def->edge);
        key.hash[i] = hash_mesh(hash, &m);
    }
    return key;
}

// ---- where --------------------------------------------------------------------------------------

// False: there is no cache.
static bool find_folder(char out[3072])
{
    const char *own = getenv("PLIANT_CACHE"), *shared = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int length;
    if (own && own[0] && strcmp(own, "off") == 0) return false;
    if (own && own[0])
        length = snprintf(out, 3072, "%s", own);
    else if (shared && shared[0] == '/')
        length = snprintf(out, 3072, "%s/pliant", shared);
    else if (home && home[0] == '/')
        length = snprintf(out, 3072, "%s/.cache/pliant", home);
    else
        return false;
    return length > 0 && length < 3072;
}

static void file_name(const char* folder, const cache_key* key, char out[4096])
{
    snprintf(out, 4096, "%s/%016" PRIx64 "%016" PRIx64 ".tets", folder, key->hash[0], key->hash[1]);
}

// ---- files --------------------------------------------------------------------------------------

// In front of the numbers, in the machine's own byte order: another one's file is another version.
typedef struct {
    char version[sizeof VERSION];
    cache_key key;
    int32_t one, vertex_count, tet_count, zero;
    uint64_t check; // hash of the numbers
} cache_header;

static cache_header header_of(const cache_key* key, const pliant_mesh_arrays* m)
{
    cache_header h = {
        .key = *key, .one = 1, .vertex_count = m->vertex_count, .tet_count = m->tet_count};
    memcpy(h.version, VERSION, sizeof VERSION);
    h.check = hash_mesh(HASH_SEED, m);
    return h;
}

static void keep(const char* path, const cache_key* key, const pliant_mesh* mesh)
{
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    cache_header h = header_of(key, &m);
    sink out = {0};
    if (m.tet_region || m.tet_cell) return;
    sink_bytes(&out, &h, sizeof h);
    sink_bytes(&out, m.vertices, 3 * (size_t)m.vertex_count * sizeof(double));
    sink_bytes(&out, m.tets, 4 * (size_t)m.tet_count * sizeof(int));
    if (!out.failed) platform_write_file(path, out.data, out.bytes);
    sink_release(&out);
}

// The mesh of a file's bytes, or NULL when they are not what was asked for.
static pliant_mesh* parse(const void* data, size_t bytes, const cache_key* key)
{
    cache_header h;
    pliant_mesh* mesh = NULL;
    if (bytes < sizeof h) return NULL;
    memcpy(&h, data, sizeof h);
    if (h.vertex_count < 0 || h.tet_count < 0) return NULL;
    size_t vertices = 3 * (size_t)h.vertex_count * sizeof(double),
           tets = 4 * (size_t)h.tet_count * sizeof(int);
    if (bytes != sizeof h + vertices + tets) return NULL;
    const char* numbers = (const char*)data + sizeof h;
    // Memory is aligned to 64 bytes, and the header's size is a multiple of 8.
    pliant_mesh_arrays m = {.vertices = (const double*)(const void*)numbers,
                            .vertex_count = h.vertex_count,
                            .tets = (const int*)(const void*)(numbers + vertices),
                            .tet_count = h.tet_count};
    cache_header expected = header_of(key, &m);
    if (memcmp(&h, &expected, sizeof h) != 0) return NULL;
    return pliant_mesh_create(&m, &mesh) ? NULL : mesh;
}

static pliant_mesh* find(const char* path, const cache_key* key)
{
    void* data = NULL;
    size_t bytes = 0;
    if (!file_exists(path) || platform_read_file(path, &data, &bytes)) return NULL;
    pliant_mesh* mesh = parse(data, bytes, key);
    mem_free(data);
    return mesh;
}

// Where the tets of a surface are kept; false: nowhere.
static bool find_place(const pliant_mesh* surface, const pliant_tet_def* def, cache_key* key,
                       char path[4096])
{
    char folder[3072];
    if (!find_folder(folder)) return false;
    *key = key_of(surface, def);
    file_name(folder, key, path);
    return true;
}

void cache_keep(const pliant_mesh* surface, const pliant_tet_def* def, const pliant_mesh* mesh)
{
    char folder[3072], path[4096];
    cache_key key;
    if (!find_place(surface, def, &key, path) || !find_folder(folder)) return;
    if (!folder_make(folder)) keep(path, &key, mesh);
}

pliant_result cache_tetrahedralize(const pliant_mesh* surface, const pliant_tet_def* def,
                                   pliant_mesh** out)
{
    char path[4096];
    cache_key key;
    *out = find_place(surface, def, &key, path) ? find(path, &key) : NULL;
    if (*out) return PLIANT_OK;
    pliant_result result = pliant_mesh_tetrahedralize(surface, def, out, NULL);
    if (!result) cache_keep(surface, def, *out);
    return result;
}
