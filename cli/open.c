#include "open.h"
#include "base/memory.h"
#include "base/platform.h"
#include "load.h"
#include "meshfile/format.h"
#include "scene/builtin.h"
#include "scene/change.h"
#include "scene/drop.h"
#include "scene/nearest.h"
#include "system/folder.h"
#include "visual/visual.h"
#include <stdio.h>
#include <string.h>

void list_scenes(void)
{
    for (int i = 0; i < builtin_scene_count; ++i) {
        const builtin_scene* b = &builtin_scenes[i];
        scene* s = NULL;
        if (scene_parse(b->text, b->bytes, b->name, &s)) continue;
        printf("%-16s %s\n", b->name, s->description ? s->description : "");
        scene_destroy(s);
    }
}

static const builtin_scene* find_builtin(const char* name)
{
    for (int i = 0; i < builtin_scene_count; ++i)
        if (strcmp(builtin_scenes[i].name, name) == 0) return &builtin_scenes[i];
    return NULL;
}

// The text with its changes.
static pliant_result parse(const void* text, size_t bytes, const char* name, const char* changes,
                           scene** out)
{
    if (!changes) return scene_parse(text, bytes, name, out);
    sink changed = {0};
    pliant_result result = scene_change(text, bytes, name, changes, &changed);
    if (!result && changed.failed) result = PLIANT_ERROR_MEMORY;
    if (!result) result = scene_parse(changed.data, changed.bytes, name, out);
    sink_release(&changed);
    return result;
}

static pliant_result open_file(const char* path, const char* changes, scene** out)
{
    void* data = NULL;
    size_t bytes = 0;
    if (!changes) return scene_load(path, out);
    pliant_result result = platform_read_file(path, &data, &bytes);
    if (!result) result = parse(data, bytes, path, changes, out);
    mem_free(data);
    return result;
}

// A mesh file falls on the ground.
static pliant_result open_model(const char* name, int tets, const char* changes, scene** out)
{
    pliant_mesh* mesh = NULL;
    sink text = {0};
    char beside[4096];
    pliant_result result = load_mesh(name, &mesh);
    if (result) return result;
    if (!drop_name(name, name, beside))
        result = fail(PLIANT_ERROR_FILE, "%.300s: the path is too long", name);
    if (!result) {
        drop_scene(mesh, beside, tets, &text);
        result =
            text.failed ? PLIANT_ERROR_MEMORY : parse(text.data, text.bytes, name, changes, out);
        if (!result) (*out)->of_model = true;
    }
    sink_release(&text);
    pliant_mesh_destroy(mesh);
    return result;
}

static bool is_model(const char* name)
{
    return file_exists(name) && (format_of_extension(name) || visual_is_gltf(name));
}

static bool is_json(const char* name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

bool names_scene(const char* name)
{
    return !is_model(name) && (is_json(name) || find_builtin(name) != NULL);
}

// Its meshes are looked for where the program runs.
static pliant_result open_input(const char* changes, scene** out)
{
    void* data = NULL;
    size_t bytes = 0;
    pliant_result result = load_bytes("-", &data, &bytes, NULL);
    if (!result) result = parse(data, bytes, INPUT_NAME, changes, out);
    mem_free(data);
    return result;
}

static pliant_result unknown_scene(const char* name)
{
    nearest meant = nearest_to(name);
    for (int i = 0; i < builtin_scene_count; ++i) nearest_try(&meant, builtin_scenes[i].name);
    return fail(PLIANT_ERROR_FILE,
                "'%.300s' is neither a file nor a scene of the program%s (pliant run --list shows "
                "those)",
                name, nearest_advice(&meant).text);
}

pliant_result open_scene(const char* name, int tets, const char* changes, scene** out)
{
    const builtin_scene* b = find_builtin(name);
    if (is_model(name)) return open_model(name, tets, changes, out);
    if (tets > 0)
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "--tets: '%.300s' is no model (.obj, .glb, ...); in a scene the key is \"tets\", "
            "beside \"surface\"",
            name);
    if (is_input(name)) return open_input(changes, out);
    if (file_exists(name)) return open_file(name, changes, out);
    return b ? parse(b->text, b->bytes, b->name, changes, out) : unknown_scene(name);
}
