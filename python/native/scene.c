// Scenes that are stepped by a caller.
#include "base/memory.h"
#include "drawing.h"
#include "load.h"
#include "open.h"
#include "scene/change.h"
#include "scene/stage.h"

struct pliant_scene {
    scene* source;
    stage stage;
};

static const uint32_t COOKIE = 0x5ce4e001u;

pliant_scene_def pliant_scene_defaults(void)
{
    return (pliant_scene_def){.threads = -1,
                              .lanes = -1,
                              .substeps = -1,
                              .iterations = -1,
                              .backend = -1,
                              .cookie = COOKIE};
}

// Takes the scene over.
static pliant_result start(scene* source, const pliant_scene_def* def, pliant_scene** out)
{
    pliant_scene* made = (pliant_scene*)mem_alloc_zero(sizeof *made);
    const stage_options options = {def->threads, def->lanes, def->substeps, def->iterations,
                                   def->backend, load_mesh,  load_bytes};
    pliant_result result =
        made ? stage_create(source, &options, &made->stage) : PLIANT_ERROR_MEMORY;
    if (result) {
        mem_free(made);
        scene_destroy(source);
        return result;
    }
    made->source = source;
    *out = made;
    return PLIANT_OK;
}

static bool is_good(const pliant_scene_def* def)
{
    return REQUIRE(def && def->cookie == COOKIE) && REQUIRE(def->backend <= PLIANT_BACKEND_CUDA);
}

pliant_result pliant_scene_open(const char* name, const pliant_scene_def* def, pliant_scene** out)
{
    scene* source = NULL;
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    if (!is_good(def) || !REQUIRE(name)) return PLIANT_ERROR_ARGUMENT;
    if (name[0] == '-' && !name[1])
        return fail(PLIANT_ERROR_ARGUMENT, "the standard input is not read here: give the text");
    pliant_result result = open_scene(name, def->tets, def->changes, &source);
    return result ? result : start(source, def, out);
}

pliant_result pliant_scene_parse(const void* text, size_t bytes, const char* name,
                                 const pliant_scene_def* def, pliant_scene** out)
{
    scene* source = NULL;
    sink changed = {0};
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    if (!is_good(def) || !REQUIRE(text && name)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = PLIANT_OK;
    if (def->changes) result = scene_change(text, bytes, name, def->changes, &changed);
    if (!result && changed.failed) result = PLIANT_ERROR_MEMORY;
    if (!result && def->changes) text = changed.data, bytes = changed.bytes;
    if (!result) result = scene_parse(text, bytes, name, &source);
    sink_release(&changed);
    return result ? result : start(source, def, out);
}

void pliant_scene_destroy(pliant_scene* s)
{
    if (!s) return;
    stage_destroy(&s->stage);
    scene_destroy(s->source);
    mem_free(s);
}

pliant_world* pliant_scene_world(const pliant_scene* s)
{
    return REQUIRE(s) ? s->stage.world : NULL;
}

double pliant_scene_dt(const pliant_scene* s) { return REQUIRE(s) ? s->source->dt : 0; }

int pliant_scene_frames(const pliant_scene* s) { return REQUIRE(s) ? s->source->frames : 0; }

const char* pliant_scene_description(const pliant_scene* s)
{
    return REQUIRE(s) && s->source->description ? s->source->description : "";
}

pliant_result pliant_scene_step(pliant_scene* s)
{
    if (!REQUIRE(s)) return PLIANT_ERROR_ARGUMENT;
    double dt = s->source->dt;
    double time = (double)pliant_world_step_count(s->stage.world) * dt;
    pliant_result result = stage_drive(&s->stage, time, dt);
    return result ? result : pliant_world_step(s->stage.world, (float)dt);
}

void pliant_scene_picture_size(const pliant_scene* s, int* out_width, int* out_height)
{
    if (!REQUIRE(s && out_width && out_height)) return;
    *out_width = s->source->camera.width;
    *out_height = s->source->camera.height;
}

pliant_result pliant_scene_draw(const pliant_scene* s, const pliant_picture_def* def, uint8_t* out,
                                size_t bytes)
{
    if (!REQUIRE(s && out)) return PLIANT_ERROR_ARGUMENT;
    return draw_stage(&s->stage, def, out, bytes);
}
