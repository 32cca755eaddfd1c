// Pictures of scenes, and of worlds: for these a stage is put together that has what is seen.
#include "base/memory.h"
#include "drawing.h"
#include "render/album.h"
#include <math.h>
#include <string.h>

static const uint32_t COOKIE = 0x5ce4e002u;

pliant_picture_def pliant_picture_defaults(void)
{
    const double none = (double)NAN;
    return (pliant_picture_def){.width = 960,
                                .height = 540,
                                .azimuth = 30,
                                .elevation = 20,
                                .field_of_view = 30,
                                .eye = {none, none, none},
                                .target = {none, none, none},
                                .low = none,
                                .high = none,
                                .wires = true,
                                .cookie = COOKIE};
}

// ---- words --------------------------------------------------------------------------------------

static pliant_result read_words(const pliant_picture_def* def, style* out)
{
    *out = style_defaults();
    if (def->by && !style_by_word(out, def->by))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "by: '%.40s' is none of body, color, cluster, patch, strain, stress, "
                    "plastic_strain, speed, force, temperature",
                    def->by);
    if (def->map && !style_map_word(out, def->map))
        return fail(PLIANT_ERROR_ARGUMENT, "map: '%.40s' is none of even, jet, apart", def->map);
    if (def->arrows && !style_arrows_word(out, def->arrows))
        return fail(PLIANT_ERROR_ARGUMENT, "arrows: '%.40s' is none of force, contact, none",
                    def->arrows);
    if (def->clip && !style_clip_word(out, def->clip))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "clip: '%.40s' is not like x:0.5 or -x:0.5, with x, y or z and a share of the "
                    "body",
                    def->clip);
    if (def->low >= def->high)
        return fail(PLIANT_ERROR_ARGUMENT, "low %g and high %g: low must be below", def->low,
                    def->high);
    out->low = def->low;
    out->high = def->high;
    out->wires = def->wires;
    return PLIANT_OK;
}

static bool is_place(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static pliant_result aim(const pliant_picture_def* def, scene_camera* out)
{
    bool fitted = !is_place(def->eye) && !is_place(def->target);
    if (def->width < 16 || def->height < 16 || def->width > 8192 || def->height > 8192)
        return fail(PLIANT_ERROR_ARGUMENT, "a picture of %d x %d pixels: 16 to 8192 are possible",
                    def->width, def->height);
    if (!(def->field_of_view >= 1 && def->field_of_view <= 120))
        return fail(PLIANT_ERROR_ARGUMENT, "field_of_view is %g, 1 to 120 degrees are possible",
                    def->field_of_view);
    if (!(fabs(def->azimuth) <= 360) || !(fabs(def->elevation) <= 89))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "azimuth %g, elevation %g: -360 to 360 and -89 to 89 degrees are possible",
                    def->azimuth, def->elevation);
    if (!fitted && (!is_place(def->eye) || !is_place(def->target) ||
                    memcmp(def->eye, def->target, sizeof def->eye) == 0))
        return fail(PLIANT_ERROR_ARGUMENT, "eye and target: give two places that differ, or none");
    *out = (scene_camera){.azimuth = def->azimuth,
                          .elevation = def->elevation,
                          .field_of_view = def->field_of_view,
                          .width = def->width,
                          .height = def->height};
    memcpy(out->eye, def->eye, sizeof out->eye);
    memcpy(out->target, def->target, sizeof out->target);
    return PLIANT_OK;
}

// ---- a picture ----------------------------------------------------------------------------------

static pliant_result draw(const stage* s, const style* how, const scene_camera* camera, int threads,
                          uint8_t* out, size_t bytes)
{
    frame f = {0};
    album a = {0};
    image made = {camera->width, camera->height, NULL};
    size_t wanted = 3 * (size_t)camera->width * (size_t)camera->height;
    if (bytes != wanted)
        return fail(PLIANT_ERROR_ARGUMENT, "a picture of %d x %d pixels takes %zu bytes, not %zu",
                    camera->width, camera->height, wanted, bytes);
    pliant_result result = frame_create(s, &f);
    f.lists_contacts = how->arrows == ARROWS_CONTACT;
    if (!result) result = album_open(&a, s, &f, how, camera);
    if (!result) result = frame_update(&f, s);
    if (!result) result = album_keep(&a);
    if (!result) result = album_draw(&a, 0, 1, threads, &made);
    if (!result) memcpy(out, made.rgb, wanted);
    mem_free(made.rgb);
    album_release(&a);
    frame_destroy(&f);
    return result;
}

pliant_result draw_stage(const stage* s, const pliant_picture_def* def, uint8_t* out, size_t bytes)
{
    style how = style_defaults();
    scene_camera camera = s->scene->camera;
    if (def && !REQUIRE(def->cookie == COOKIE)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = def ? read_words(def, &how) : PLIANT_OK;
    if (!result && def) result = aim(def, &camera);
    return result ? result : draw(s, &how, &camera, def ? def->threads : 0, out, bytes);
}

// ---- a stage of a world -------------------------------------------------------------------------

// What belongs to a stage that is only looked at.
typedef struct {
    scene scene;
    stage stage;
    scene_body* bodies;
    scene_collider* colliders;
} exhibit;

static pliant_result show_bodies(const pliant_world* world, exhibit* e)
{
    int count = pliant_world_body_count(world);
    size_t size = (size_t)count + 1;
    pliant_body_id* id = (pliant_body_id*)mem_array(size, sizeof *id);
    e->bodies = (scene_body*)mem_array_zero(size, sizeof *e->bodies);
    e->stage.entries = (stage_entry*)mem_array_zero(size, sizeof *e->stage.entries);
    e->stage.bodies = (stage_body*)mem_array_zero(size, sizeof *e->stage.bodies);
    if (!id || !e->bodies || !e->stage.entries || !e->stage.bodies) {
        mem_free(id);
        return PLIANT_ERROR_MEMORY;
    }
    pliant_world_bodies(world, id, count);
    for (int i = 0; i < count; ++i) {
        const pliant_asset* asset = pliant_body_asset(world, id[i]);
        e->bodies[i].soft = pliant_asset_definition(asset);
        e->bodies[i].color[0] = (double)NAN;
        // Nothing of an entry is changed by looking at it.
        e->stage.entries[i] = (stage_entry){.source = &e->bodies[i],
                                            .mesh = (pliant_mesh*)pliant_asset_mesh(asset),
                                            .asset = (pliant_asset*)asset};
        e->stage.bodies[i] = (stage_body){.id = id[i], .entry = i};
    }
    e->stage.body_count = count;
    e->scene.bodies = (scene_list){e->bodies, count};
    mem_free(id);
    return PLIANT_OK;
}

static pliant_result show_collider(const pliant_collider_def* shape, exhibit* e, int number)
{
    scene_collider* c = &e->colliders[number];
    c->def = *shape;
    c->color[0] = (double)NAN;
    if (!shape->mesh) return PLIANT_OK;
    if (shape->shape == PLIANT_SHAPE_CONVEX)
        return pliant_mesh_convex_hull(shape->mesh, &e->stage.shapes[number]);
    pliant_mesh_arrays arrays = pliant_mesh_view(shape->mesh);
    return pliant_mesh_create(&arrays, &e->stage.shapes[number]);
}

static pliant_result show_colliders(const pliant_collider_id* id, const pliant_collider_def* shapes,
                                    int count, exhibit* e)
{
    size_t size = (size_t)count + 1;
    e->colliders = (scene_collider*)mem_array_zero(size, sizeof *e->colliders);
    e->stage.colliders = (pliant_collider_id*)mem_array_zero(size, sizeof *e->stage.colliders);
    e->stage.shapes = (pliant_mesh**)mem_array_zero(size, sizeof *e->stage.shapes);
    if (!e->colliders || !e->stage.colliders || !e->stage.shapes) return PLIANT_ERROR_MEMORY;
    e->scene.colliders = (scene_list){e->colliders, count};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count && !result; ++i) {
        e->stage.colliders[i] = id[i];
        result = show_collider(&shapes[i], e, i);
    }
    return result;
}

static void take_down(exhibit* e)
{
    for (int i = 0; e->stage.shapes && i < e->scene.colliders.count; ++i)
        pliant_mesh_destroy(e->stage.shapes[i]);
    mem_free(e->stage.shapes);
    mem_free(e->stage.colliders);
    mem_free(e->stage.bodies);
    mem_free(e->stage.entries);
    mem_free(e->colliders);
    mem_free(e->bodies);
}

pliant_result pliant_world_draw(const pliant_world* world, const pliant_collider_id* colliders,
                                const pliant_collider_def* shapes, int collider_count,
                                const pliant_picture_def* def, uint8_t* out, size_t bytes)
{
    exhibit e = {0};
    if (!REQUIRE(world && def && out && collider_count >= 0) ||
        !REQUIRE(collider_count == 0 || (colliders && shapes)))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < collider_count; ++i)
        if (!REQUIRE(pliant_collider_is_valid(world, colliders[i]))) return PLIANT_ERROR_ARGUMENT;
    e.scene.dt = 1;
    e.stage.scene = &e.scene;
    e.stage.world = (pliant_world*)world;
    pliant_result result = show_bodies(world, &e);
    if (!result) result = show_colliders(colliders, shapes, collider_count, &e);
    if (!result) result = draw_stage(&e.stage, def, out, bytes);
    take_down(&e);
    return result;
}
