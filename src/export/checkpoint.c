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

enum { NO_CONTACTS = -1 };

typedef struct {
    char form[16]; // changes whenever the file gets another form
    run_identity who;
    int64_t number;
    int64_t contacts;      // of the frame, which follow, or NO_CONTACTS
    uint64_t contacts_sum; // hash of them
    uint64_t check; // hash of everything before; the world's snapshot, which follows, has its own
} state_header;

static uint64_t check_of(const state_header* h)
{
    return hash_bytes(HASH_SEED, h, offsetof(state_header, check));
}

static size_t contact_bytes(const state_header* h)
{
    return h->contacts > 0 ? (size_t)h->contacts * sizeof(pliant_contact) : 0;
}

static state_header header_of(const run_identity* who, int64_t number, const frame* shown)
{
    state_header h = {.form = "pliant state 3", .who = *who, .number = number};
    h.contacts = shown && shown->lists_contacts ? shown->contact_count : NO_CONTACTS;
    h.contacts_sum =
        hash_bytes(HASH_SEED, contact_bytes(&h) ? shown->contacts : NULL, contact_bytes(&h));
    h.check = check_of(&h);
    return h;
}

pliant_result checkpoint_save(const stage* s, const run_identity* who, int number,
                              const frame* shown, const char* path)
{
    const state_header h = header_of(who, number, shown);
    size_t bytes = pliant_world_snapshot_size(s->world), before = sizeof h + contact_bytes(&h);
    char* data = (char*)mem_alloc(before + bytes);
    if (!data) return PLIANT_ERROR_MEMORY;
    memcpy(data, &h, sizeof h);
    if (before > sizeof h) memcpy(data + sizeof h, shown->contacts, before - sizeof h);
    pliant_result result = pliant_world_snapshot_save(s->world, data + before, bytes);
    if (!result) result = platform_write_to_disk(path, data, before + bytes);
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

// The header, when all of the file before the snapshot is whole.
static pliant_result read_header(const char* path, const char* data, size_t bytes,
                                 state_header* out)
{
    static const char form[16] = "pliant state 3";
    if (bytes < sizeof *out) return fail(PLIANT_ERROR_FORMAT, "%.300s: it is cut off", path);
    memcpy(out, data, sizeof *out);
    if (memcmp(out->form, form, sizeof form) != 0 || out->check != check_of(out) ||
        out->number < 0 || out->number > INT32_MAX || out->contacts < NO_CONTACTS ||
        out->contacts > INT32_MAX)
        return fail(PLIANT_ERROR_FORMAT, "%.300s: not the state of a run, or a damaged one", path);
    if (bytes - sizeof *out < contact_bytes(out))
        return fail(PLIANT_ERROR_FORMAT, "%.300s: it is cut off", path);
    if (hash_bytes(HASH_SEED, data + sizeof *out, contact_bytes(out)) != out->contacts_sum)
        return fail(PLIANT_ERROR_FORMAT, "%.300s: its contacts are damaged", path);
    return PLIANT_OK;
}

static pliant_result restore(stage* s, const run_identity* who, const char* path, const char* data,
                             size_t bytes, frame* shown, int* out_number)
{
    state_header h;
    pliant_result result = read_header(path, data, bytes, &h);
    if (!result) result = check_who(&h.who, who, path);
    if (result) return result;
    size_t before = sizeof h + contact_bytes(&h);
    result = pliant_world_snapshot_restore(s->world, data + before, bytes - before);
    if (result) {
        char why[512];
        snprintf(why, sizeof why, "%s", pliant_error_text());
        return fail(result, "%.300s: %s", path, why);
    }
    *out_number = (int)h.number;
    if (h.contacts == NO_CONTACTS) return PLIANT_OK;
    return frame_give_contacts(shown, data + sizeof h, (int)h.contacts);
}

pliant_result checkpoint_restore(stage* s, const run_identity* who, const char* path, frame* shown,
                                 int* out_number)
{
    void* data = NULL;
    size_t bytes = 0;
    *out_number = -1;
    if (!file_exists(path)) return PLIANT_OK;
    pliant_result result = platform_read_file(path, &data, &bytes);
    if (!result) result = restore(s, who, path, (const char*)data, bytes, shown, out_number);
    mem_free(data);
    return result;
}
