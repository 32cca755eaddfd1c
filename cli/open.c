#include "open.h"
#include "base/platform.h"
#include "load.h"
#include "mesh/format.h"
#include "scene/builtin.h"
#include "scene/drop.h"
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

// A mesh file falls on the ground.
static pliant_result open_mesh_as_scene(const char* name, scene** out)
{
    enum { TETS = 20000 };
    pliant_mesh* surface = NULL;
    sink text = {0};
    char beside[4096];
    pliant_result result = load_mesh(name, &surface);
    if (result) return result;
    if (!drop_name(name, name, beside))
        result = fail(PLIANT_ERROR_FILE, "%.300s: the path is too long", name);
    if (!result) {
        drop_scene(surface, beside, TETS, &text);
        result = text.failed ? PLIANT_ERROR_MEMORY : scene_parse(text.data, text.bytes, name, out);
    }
    sink_release(&text);
    pliant_mesh_destroy(surface);
    return result;
}

pliant_result open_scene(const char* name, scene** out)
{
    const builtin_scene* b = find_builtin(name);
    if (platform_is_file(name) && (format_of_extension(name) || visual_is_gltf(name)))
        return open_mesh_as_scene(name, out);
    if (platform_is_file(name)) return scene_load(name, out);
    if (b) return scene_parse(b->text, b->bytes, b->name, out);
    return fail(PLIANT_ERROR_FILE,
                "'%.300s' is neither a file nor a scene of the program (pliant run --list shows "
                "those)",
                name);
}
