#include "export/checkpoint.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/platform.h"
#include "system/folder.h"
#include <stdio.h>
#include <string.h>

// ---- what a run is ------------------------------------------------------------------------------

static uint64_t hash_ints(uint64_t hash, const int* data, int64_t count)
{
    return hash_bytes(hash, data, (size_t)count * sizeof(int));
}

static uint64_t hash_mesh(uint64_t hash, const pliant_mesh* mesh)
{
    if (!mesh) return hash_mix(hash, 0);
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    hash = hash_bytes(hash, m.vertices, 3 * (size_t)m.vertex_count * sizeof(double));
    hash = hash_ints(hash, m.tets, 4 * (int64_t)m.tet_count);
    hash = hash_ints(hash, m.triangles, 3 * (int64_t)m.triangle_count);
    hash = hash_ints(hash, m.edges, 2 * (int64_t)m.edge_count);
    return m.tet_region ? hash_ints(hash, m.tet_region, m.tet_count) : hash;
}

static uint64_t hash_look(uint64_t hash, const visual* v)
{
    if (!v) return hash_mix(hash, 0);
    hash = hash_bytes(hash, v->point, 3 * (size_t)v->point_count * sizeof(double));
    hash = hash_ints(hash, v->triangle, 3 * (int64_t)v->triangle_count);
    if (v->vertex_uv)
        hash = hash_bytes(hash, v->vertex_uv, 2 * (size_t)v->vertex_count * sizeof(double));
    for (int i = 0; i < v->image_count; ++i)
        hash = hash_bytes(hash, v->image[i].data, v->image[i].bytes);
    return hash;
}

run_identity identity_of(const stage* s, const stage_options* options, const output_plan* plan)
{
    const char* version = pliant_version();
    int64_t formats = (int64_t)plan->series_formats << 32 | plan->film_formats;
    run_identity who = {
        hash_bytes(HASH_SEED, version, strlen(version)),
        hash_bytes(HASH_SEED, s->scene->text, s->scene->bytes),
        HASH_SEED,
        {options->substeps, options->iterations, (int)s->backend, formats, plan->every}};
    for (int i = 0; i < s->scene->bodies.count; ++i)
        who.meshes = hash_look(hash_mesh(who.meshes, s->entries[i].mesh), s->entries[i].look);
    for (int i = 0; i < s->scene->colliders.count; ++i)
        who.meshes = hash_mesh(who.meshes, s->shapes[i]);
    return who;
}

// ---- the file -----------------------------------------------------------------------------------

typedef struct {
    char form[16]; // changes whenever the file gets another form
    run_identity who;
    int64_t number;
    uint64_t check; // hash of everything before; the world's snapshot, which follows, has its own
} state_header;

static state_header header_of(const run_identity* who, int64_t number)
{
    state_header h = {.form = "pliant state 2", .who = *who, .number = number};
    h.check = hash_bytes(HASH_SEED, &h, offsetof(state_header, check));
    return h;
}

pliant_result checkpoint_save(const stage* s, const run_identity* who, int number, const char* path)
{
    size_t bytes = pliant_world_snapshot_size(s->world);
    char* data = (char*)mem_alloc(sizeof(state_header) + bytes);
    if (!data) return PLIANT_ERROR_MEMORY;
    const state_header h = header_of(who, number);
    memcpy(data, &h, sizeof h);
    pliant_result result = pliant_world_snapshot_save(s->world, data + sizeof h, bytes);
    if (!result) result = platform_write_to_disk(path, data, sizeof h + bytes);
    mem_free(data);
    return result;
}

// "another --substeps, another --every": those that differ; returns whether there are any.
static bool list_options(const run_identity* found, const run_identity* who, char out[200])
{
    static const char* const names[SAME_OPTIONS] = {"--substeps", "--iterations", "--backend",
                                                    "--format", "--every"};
    out[0] = 0;
    for (int i = 0; i < SAME_OPTIONS; ++i) {
        if (found->option[i] == who->option[i]) continue;
        strcat(out, out[0] ? ", another " : "it had another ");
        strcat(out, names[i]);
    }
    return out[0] != 0;
}

static pliant_result check_who(const run_identity* found, const run_identity* who, const char* path)
{
    char options[200];
    const char* what = list_options(found, who, options) ? options : NULL;
    if (found->meshes != who->meshes) what = "a mesh or texture of the scene has changed since";
    if (found->scene != who->scene) what = "the scene has changed since";
    if (found->program != who->program) what = "another version of the program wrote it";
    if (!what) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "%.300s: the run cannot go on: %s; without --resume it starts anew", path, what);
}

static pliant_result restore(stage* s, const run_identity* who, const char* path, const char* data,
                             size_t bytes, int* out_number)
{
    state_header h, expected;
    if (bytes < sizeof h) return fail(PLIANT_ERROR_FORMAT, "%.300s: it is cut off", path);
    memcpy(&h, data, sizeof h);
    expected = header_of(&h.who, h.number);
    if (memcmp(&h, &expected, sizeof h) != 0 || h.number < 0 || h.number > INT32_MAX)
        return fail(PLIANT_ERROR_FORMAT, "%.300s: not the state of a run, or a damaged one", path);
    pliant_result result = check_who(&h.who, who, path);
    if (result) return result;
    result = pliant_world_snapshot_restore(s->world, data + sizeof h, bytes - sizeof h);
    if (result) {
        char why[512];
        snprintf(why, sizeof why, "%s", pliant_error_text());
        return fail(result, "%.300s: %s", path, why);
    }
    *out_number = (int)h.number;
    return PLIANT_OK;
}

pliant_result checkpoint_restore(stage* s, const run_identity* who, const char* path,
                                 int* out_number)
{
    void* data = NULL;
    size_t bytes = 0;
    *out_number = -1;
    if (!file_exists(path)) return PLIANT_OK;
    pliant_result result = platform_read_file(path, &data, &bytes);
    if (!result) result = restore(s, who, path, (const char*)data, bytes, out_number);
    mem_free(data);
    return result;
}
