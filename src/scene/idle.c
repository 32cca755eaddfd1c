#include "scene/idle.h"
#include "asset/members.h"
#include "fill/members.h"
#include "world/members.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- bodies -------------------------------------------------------------------------------------

static bool stays_pinned(const scene_body* b)
{
    for (int i = 0; i < b->pins.count; ++i) {
        const scene_pin* pin = (const scene_pin*)b->pins.item + i;
        if (isnan(pin->release) && pin->follow.count == 0 && !pin->axes) return true;
    }
    return false;
}

static bool may_be_tethered(const scene_body* b, const pliant_mesh_arrays* m)
{
    return (m->edge_count > 0 || (m->tet_count == 0 && m->triangle_count > 0)) && stays_pinned(b);
}

static bool has_copies(const scene_body* b)
{
    return b->copies[0] > 1 || b->copies[1] > 1 || b->copies[2] > 1;
}

static void warn_at(const place* at, const char* name, const char* when)
{
    place where = place_key(at, name);
    phrase path = place_phrase(&where);
    warn("%s: it changes nothing here: it is for %s", path.text, when);
}

// Members of the definition: which of them work is in their list.
static void look_at_members(const key_table* table, const void* of, const json_t* json,
                            const place* at)
{
    for (int i = 0; i < table->key_count; ++i) {
        const key* k = &table->keys[i];
        const json_t* given = json_object_get(json, k->name);
        place inner = place_key(at, k->name);
        if (given && k->effect && !k->effect->has(of))
            warn_at(at, k->name, k->effect->text);
        else if (given && k->kind == KEY_OBJECT)
            look_at_members(k->inner, of, given, &inner);
    }
}

static void look_at_keys(const scene_body* b, const pliant_mesh_arrays* m, const json_t* json,
                         const place* at)
{
    bool tethered = b->tethers && may_be_tethered(b, m);
    const member_subject of = {&b->soft, *m, tethered};
    look_at_members(&soft_members, &of, json, at);
    if (b->fill.count) {
        place fill = place_key(at, "fill");
        look_at_members(&fill_members, b->fill.item, json_object_get(json, "fill"), &fill);
    }
    if (b->tethers && !tethered) warn_at(at, "tethers", "cloth and ropes with a pin that stays");
    if (json_object_get(json, "spacing") && !has_copies(b))
        warn_at(at, "spacing", "bodies with copies");
}

// A model in a file is mostly meant to be filled.
static pliant_result look_at_mesh(const scene_body* b, const pliant_mesh* mesh, const json_t* json,
                                  const place* at)
{
    const scene_mesh* m = &b->mesh;
    pliant_mesh_arrays arrays = pliant_mesh_view(mesh);
    const char* file = m->file ? m->file : m->name;
    bool speaks_of_cloth = json_object_get(json, "cloth") || json_object_get(json, "research");
    pliant_mesh_quality q;
    if (arrays.tet_count || !arrays.triangle_count || !file || speaks_of_cloth || !names_file(file))
        return PLIANT_OK;
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (result || q.boundary_edges > 0 || !(q.volume > 0)) return result;
    place where = place_key(at, "mesh");
    phrase path = place_phrase(&where);
    warn("%s: a closed surface becomes hollow cloth here: {\"surface\": \"%.200s\"} fills it with "
         "tets, the key \"cloth\" says that cloth is meant",
         path.text, file);
    return PLIANT_OK;
}

// ---- colliders ----------------------------------------------------------------------------------

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }
static bool turns(const scene_drive* d) { return d->degrees_per_second != 0; }
static bool strokes(const scene_drive* d) { return !is_zero(d->stroke); }
static bool has_path(const scene_drive* d) { return d->path.count > 0; }
static bool moves(const scene_drive* d)
{
    return !is_zero(d->velocity) || turns(d) || strokes(d) || has_path(d);
}
static bool ends_later(const scene_drive* d) { return d->end > d->start; }

static const struct {
    const char* key;
    bool (*works)(const scene_drive*);
    const char* when;
} drive_rules[] = {
    {"axis", turns, "rotations: give degrees_per_second"},
    {"center", turns, "rotations: give degrees_per_second"},
    {"frequency", strokes, "a stroke"},
    {"time", strokes, "a stroke"},
    {"path", has_path, "places with their times, and there are none"},
    {"end", ends_later, "times after the start"},
};

// Places are looked up once per frame, and between frames the collider goes straight.
static void look_at_pace(const scene_drive* d, double dt, const place* at)
{
    const double most = 0.1; // of a period in a frame
    place stroke = place_key(at, "frequency"), path = place_key(at, "path");
    if (strokes(d) && d->frequency * dt > most) {
        phrase where = place_phrase(&stroke);
        warn("%s: a stroke is looked up once per frame, %.2g times in its period: a dt of %.2g s "
             "would follow it",
             where.text, 1 / (d->frequency * dt), most / d->frequency);
    }
    const scene_stop* stop = (const scene_stop*)d->path.item;
    for (int i = 1; i < d->path.count; ++i) {
        if (!(stop[i].time - stop[i - 1].time < dt * (1 - 1e-9))) continue;
        phrase where = place_phrase(&path);
        warn("%s: stops %d and %d are %g s apart, less than a frame of %g s: a path is looked up "
             "once per frame",
             where.text, i - 1, i, stop[i].time - stop[i - 1].time, dt);
        return;
    }
}

static void look_at_drive(const scene_drive* d, const json_t* json, double dt, const place* at)
{
    place motion = place_key(at, "motion");
    if (!moves(d)) {
        warn_at(at, "motion",
                "colliders that move: give a velocity, degrees_per_second, a stroke or a path");
        return;
    }
    for (size_t i = 0; i < sizeof drive_rules / sizeof drive_rules[0]; ++i)
        if (json_object_get(json, drive_rules[i].key) && !drive_rules[i].works(d))
            warn_at(&motion, drive_rules[i].key, drive_rules[i].when);
    look_at_pace(d, dt, &motion);
}

static void look_at_collider(const scene_collider* c, const json_t* json, double dt,
                             const place* at)
{
    look_at_members(&collider_members, &c->def, json, at);
    if (json_object_get(json, "scale") && !of_mesh.has(&c->def)) warn_at(at, "scale", of_mesh.text);
    if (json_object_get(json, "friction") && json_object_get(json, "static_friction") &&
        json_object_get(json, "dynamic_friction"))
        warn_at(at, "friction", "what static_friction and dynamic_friction leave open");
    if (c->motion.count)
        look_at_drive((const scene_drive*)c->motion.item, json_object_get(json, "motion"), dt, at);
}

// ---- the scene ----------------------------------------------------------------------------------

// The text tells which keys are given; it has been read before, so it is well-formed.
pliant_result stage_warn_of_idle_keys(const stage* s, const place* top)
{
    const scene* from = s->scene;
    place bodies = place_key(top, "bodies"), colliders = place_key(top, "colliders");
    json_t* json = json_loadb(from->text, from->bytes, 0, NULL);
    const json_t *of_bodies = json_object_get(json, "bodies"),
                 *of_colliders = json_object_get(json, "colliders");
    pliant_result result = json ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < from->bodies.count && !result; ++i) {
        place item = place_item(&bodies, i);
        const pliant_mesh* mesh = s->entries[i].mesh;
        const json_t* given = json_array_get(of_bodies, (size_t)i);
        const pliant_mesh_arrays arrays = pliant_mesh_view(mesh);
        look_at_keys(scene_body_at(from, i), &arrays, given, &item);
        result = look_at_mesh(scene_body_at(from, i), mesh, given, &item);
    }
    for (int i = 0; i < from->colliders.count && !result; ++i) {
        place item = place_item(&colliders, i);
        look_at_collider(scene_collider_at(from, i), json_array_get(of_colliders, (size_t)i),
                         from->dt, &item);
    }
    json_decref(json);
    return result;
}
