// From text to a scene, and what no table can say.
#include "base/memory.h"
#include "base/platform.h"
#include "scene/table.h"
#include "world/members.h"
#include <math.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

// ---- rules between keys -------------------------------------------------------------------------

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

static pliant_result check_mesh(const scene_mesh* m, const place* at)
{
    int given =
        (m->name != NULL) + (m->file != NULL) + (m->generate != NULL) + (m->surface != NULL);
    if (given != 1)
        return fail_at(PLIANT_ERROR_FORMAT, at,
                       "a text, or one of the keys 'name', 'file', 'generate' and 'surface' is "
                       "needed, not %d",
                       given);
    bool fills = m->tets > 0 || m->edge > 0 || m->coarsening > 0 || m->close_holes;
    if (!m->surface && (fills || m->separate_parts))
        return fail_at(
            PLIANT_ERROR_FORMAT, at,
            "'tets', 'edge', 'coarsening', 'close_holes' and 'separate_parts' go with the key "
            "'surface'");
    if (m->tets > 0 && m->edge > 0)
        return fail_at(PLIANT_ERROR_FORMAT, at, "give one of 'tets' and 'edge', not both");
    return PLIANT_OK;
}

static pliant_result check_region(const scene_region* r, const place* at)
{
    const scene_box* box = (const scene_box*)r->box.item;
    const scene_half_space* half = (const scene_half_space*)r->half_space.item;
    for (int k = 0; box && k < 3; ++k)
        if (box->min[k] > box->max[k])
            return fail_at(PLIANT_ERROR_FORMAT, at, "the box is empty: min[%d] is above max[%d]", k,
                           k);
    if (half && is_zero(half->normal))
        return fail_at(PLIANT_ERROR_FORMAT, at, "the normal of the half_space is zero");
    const scene_surface* surface = (const scene_surface*)r->surface.item;
    place where = place_key(at, "surface"), mesh = place_key(&where, "mesh");
    if (surface && surface->what && !(surface->distance > 0))
        return fail_at(PLIANT_ERROR_FORMAT, &where, "a distance is needed for what is near");
    return surface ? check_mesh(&surface->mesh, &mesh) : PLIANT_OK;
}

static pliant_result check_interval(double start, double end, const place* at)
{
    if (start <= end) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_FORMAT, at, "it ends at %g s, before its start at %g s", end,
                   start);
}

static pliant_result check_pin(const scene_pin* pin, const place* at)
{
    const scene_motion* motion = (const scene_motion*)pin->motion.item;
    pliant_result result = check_region(&pin->region, at);
    if (motion && pin->follow.count)
        return fail_at(PLIANT_ERROR_FORMAT, at, "give one of 'motion' and 'follow', not both");
    if (pin->axes && (motion || pin->follow.count))
        return fail_at(
            PLIANT_ERROR_FORMAT, at,
            "what is held along some axes stays there: leave out 'axes', or 'motion' and "
            "'follow'");
    if (!motion || result) return result;
    place inner = place_key(at, "motion");
    if (is_zero(motion->axis))
        return fail_at(PLIANT_ERROR_FORMAT, &inner, "the axis has no direction");
    return check_interval(motion->start, motion->end, &inner);
}

static pliant_result check_scramble(const scene_scramble* s, const place* at)
{
    for (int k = 0; k < 3; ++k)
        if (s->min[k] > s->max[k])
            return fail_at(PLIANT_ERROR_FORMAT, at, "the box is empty: min[%d] is above max[%d]", k,
                           k);
    if (isnan(s->min[0]) != isnan(s->max[0]))
        return fail_at(PLIANT_ERROR_FORMAT, at, "give both of min and max, or none");
    return PLIANT_OK;
}

static pliant_result check_poisson(const scene_body* b, const pliant_material_def* m,
                                   const place* at)
{
    place poisson = place_key(at, "poisson");
    double nu = m->poisson;
    if (b->soft.research.lame_convention != PLIANT_LAME_PLAIN || (nu >= 0.125 && nu <= 0.4999))
        return PLIANT_OK;
    return fail_at(PLIANT_ERROR_FORMAT, &poisson,
                   "%g: 0.125 to 0.4999 with the lame_convention plain (rest is not stable below)",
                   nu);
}

static pliant_result check_parts(const scene_body* b, const place* at)
{
    place parts = place_key(at, "parts");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < b->parts.count && !result; ++i) {
        const scene_part* part = (const scene_part*)b->parts.item + i;
        place item = place_item(&parts, i), material = place_key(&item, "material");
        result = check_region(&part->region, &item);
        if (!result) result = check_poisson(b, &part->material, &material);
    }
    return result;
}

static pliant_result check_body(const scene_body* b, const place* at)
{
    place mesh = place_key(at, "mesh"), material = place_key(at, "material"),
          pins = place_key(at, "pins"), forces = place_key(at, "forces"),
          scramble = place_key(at, "scramble"), starts = place_key(at, "starts");
    pliant_result result = check_mesh(&b->mesh, &mesh);
    if (!result) result = check_poisson(b, &b->soft.material, &material);
    for (int i = 0; i < b->pins.count && !result; ++i) {
        place item = place_item(&pins, i);
        result = check_pin((const scene_pin*)b->pins.item + i, &item);
    }
    for (int i = 0; i < b->starts.count && !result; ++i) {
        place item = place_item(&starts, i);
        result = check_region(&((const scene_start*)b->starts.item + i)->region, &item);
    }
    for (int i = 0; i < b->forces.count && !result; ++i) {
        place item = place_item(&forces, i);
        const scene_force* f = (const scene_force*)b->forces.item + i;
        result = check_region(&f->region, &item);
        if (!result) result = check_interval(f->start, f->end, &item);
    }
    if (!result) result = check_parts(b, at);
    if (!result && b->scramble.count)
        result = check_scramble((const scene_scramble*)b->scramble.item, &scramble);
    return result;
}

static pliant_result check_path(const scene_drive* d, const place* at)
{
    place path = place_key(at, "path");
    const scene_stop* stop = (const scene_stop*)d->path.item;
    bool more = !is_zero(d->velocity) || !is_zero(d->stroke) || d->degrees_per_second != 0;
    if (d->path.count && (more || d->start > 0 || d->end < 1e9))
        return fail_at(PLIANT_ERROR_FORMAT, at,
                       "a path says all of the motion: leave out the path, or all but it");
    for (int i = 1; i < d->path.count; ++i) {
        place item = place_item(&path, i), time = place_key(&item, "time");
        if (!(stop[i].time > stop[i - 1].time))
            return fail_at(PLIANT_ERROR_FORMAT, &time,
                           "%g s is not after %g s, the time of the stop before: times ascend",
                           stop[i].time, stop[i - 1].time);
    }
    return PLIANT_OK;
}

static pliant_result check_drive(const scene_drive* d, const place* at)
{
    pliant_result result = check_path(d, at);
    if (result) return result;
    if (d->degrees_per_second != 0 && is_zero(d->axis))
        return fail_at(PLIANT_ERROR_FORMAT, at, "the axis has no direction");
    if (!is_zero(d->stroke) && (d->frequency > 0) == (d->time > 0))
        return fail_at(PLIANT_ERROR_FORMAT, at,
                       "a stroke needs one of 'frequency' (there and back) and 'time' (once)");
    return check_interval(d->start, d->end, at);
}

static pliant_result check_collider(const scene_collider* c, const place* at)
{
    place mesh = place_key(at, "mesh"), motion = place_key(at, "motion");
    pliant_result result =
        c->motion.count ? check_drive((const scene_drive*)c->motion.item, &motion) : PLIANT_OK;
    if (result) return result;
    bool given = c->mesh.name || c->mesh.file || c->mesh.generate;
    if (of_mesh.has(&c->def) && !given)
        return fail_at(PLIANT_ERROR_FORMAT, at,
                       "the key 'mesh' is missing: the shape is that of a mesh");
    if (of_mesh.has(&c->def)) return check_mesh(&c->mesh, &mesh);
    if (given)
        return fail_at(PLIANT_ERROR_FORMAT, &mesh,
                       "only the shapes \"mesh\", \"convex\" and \"triangles\" have a mesh");
    return PLIANT_OK;
}

static bool has_region(const scene_region* r)
{
    return r->box.count + r->sphere.count + r->half_space.count + r->surface.count +
               r->painted.count >
           0;
}

static pliant_result check_name(const char* name, const place* at)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (name[0] && strspn(name, letters) == strlen(name) && strlen(name) <= 64) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_FORMAT, at, "up to 64 letters, digits, _ and - are needed");
}

static pliant_result check_joined_bodies(const scene* s, const scene_joint* j, const place* at)
{
    if (j->bodies.count < 1 || j->bodies.count > 2)
        return fail_at(PLIANT_ERROR_FORMAT, at, "one or two bodies are needed, not %d",
                       j->bodies.count);
    for (int i = 0; i < j->bodies.count; ++i) {
        double body = j->bodies.value[i];
        if (body != floor(body))
            return fail_at(PLIANT_ERROR_FORMAT, at, "%g is not a whole number", body);
        if (body >= s->bodies.count)
            return fail_at(PLIANT_ERROR_FORMAT, at, "there is no body %g: the scene has %d", body,
                           s->bodies.count);
    }
    if (j->bodies.count == 2 && j->bodies.value[0] == j->bodies.value[1])
        return fail_at(PLIANT_ERROR_FORMAT, at,
                       "a body is joined to another one: give two different numbers");
    return PLIANT_OK;
}

static pliant_result check_axes(const scene_joint* j, const place* at)
{
    place limits = place_key(at, "limits"), motors = place_key(at, "motors");
    const scene_motor* motor = (const scene_motor*)j->motors.item;
    if (j->limits.count != 0 && j->limits.count != 2)
        return fail_at(PLIANT_ERROR_FORMAT, &limits, "two angles are needed, not %d",
                       j->limits.count);
    for (int i = 1; i < j->motors.count; ++i) {
        place item = place_item(&motors, i);
        if (motor[i].start <= motor[i - 1].start)
            return fail_at(PLIANT_ERROR_FORMAT, &item,
                           "it starts at %g s, which is not after the one before it",
                           motor[i].start);
    }
    return PLIANT_OK;
}

static pliant_result check_joint(const scene* s, int number, const place* at)
{
    const scene_joint* j = (const scene_joint*)s->joints.item + number;
    place name = place_key(at, "name"), bodies = place_key(at, "bodies");
    pliant_result result = j->name ? check_name(j->name, &name) : PLIANT_OK;
    if (!result) result = check_joined_bodies(s, j, &bodies);
    if (result) return result;
    if (isnan(j->at[0]) != has_region(&j->region))
        return fail_at(PLIANT_ERROR_FORMAT, at, "give one of 'at' and a region (box, sphere ...)");
    for (int i = 0; i < number; ++i) {
        const char* other = ((const scene_joint*)s->joints.item + i)->name;
        if (j->name && other && strcmp(other, j->name) == 0)
            return fail_at(PLIANT_ERROR_FORMAT, &name, "joints[%d] has this name, too", i);
    }
    result = check_axes(j, at);
    return result ? result : check_region(&j->region, at);
}

static pliant_result check_probe(const scene* s, int number, const place* at)
{
    const scene_probe* p = (const scene_probe*)s->probes.item + number;
    place name = place_key(at, "name"), body = place_key(at, "body"),
          particle = place_key(at, "particle");
    pliant_result result = check_name(p->name, &name);
    if (result) return result;
    for (int i = 0; i < number; ++i)
        if (strcmp(((const scene_probe*)s->probes.item + i)->name, p->name) == 0)
            return fail_at(PLIANT_ERROR_FORMAT, &name, "probes[%d] has this name, too", i);
    if (p->body >= s->bodies.count)
        return fail_at(PLIANT_ERROR_FORMAT, &body, "there is no body %d: the scene has %d", p->body,
                       s->bodies.count);
    if (p->particle != floor(p->particle) && !isnan(p->particle))
        return fail_at(PLIANT_ERROR_FORMAT, &particle, "%g is not a whole number", p->particle);
    if (!isnan(p->particle) && has_region(&p->region))
        return fail_at(PLIANT_ERROR_FORMAT, at, "give a particle or a region, not both");
    return check_region(&p->region, at);
}

enum { MOST_BODIES = 1000000 };

static pliant_result check_scene(const scene* s, const place* top)
{
    place bodies = place_key(top, "bodies"), colliders = place_key(top, "colliders"),
          camera = place_key(top, "camera"), probes = place_key(top, "probes"),
          joints = place_key(top, "joints");
    pliant_result result = PLIANT_OK;
    int64_t total = 0;
    for (int i = 0; i < s->bodies.count && !result; ++i) {
        place item = place_item(&bodies, i), copies = place_key(&item, "copies");
        const int* n = scene_body_at(s, i)->copies;
        total += (int64_t)n[0] * n[1] * n[2];
        if (total > MOST_BODIES)
            return fail_at(PLIANT_ERROR_FORMAT, &copies, "more than %d bodies in the scene",
                           MOST_BODIES);
        result = check_body(scene_body_at(s, i), &item);
    }
    for (int i = 0; i < s->colliders.count && !result; ++i) {
        place item = place_item(&colliders, i);
        result = check_collider(scene_collider_at(s, i), &item);
    }
    for (int i = 0; i < s->joints.count && !result; ++i) {
        place item = place_item(&joints, i);
        result = check_joint(s, i, &item);
    }
    for (int i = 0; i < s->probes.count && !result; ++i) {
        place item = place_item(&probes, i);
        result = check_probe(s, i, &item);
    }
    if (!result && isnan(s->camera.eye[0]) != isnan(s->camera.target[0]))
        return fail_at(PLIANT_ERROR_FORMAT, &camera, "give both of eye and target, or none");
    if (!result && memcmp(s->camera.eye, s->camera.target, sizeof s->camera.eye) == 0 &&
        !isnan(s->camera.eye[0]))
        return fail_at(PLIANT_ERROR_FORMAT, &camera,
                       "eye and target are the same place: there is nowhere to look");
    return result;
}

// ---- reading ------------------------------------------------------------------------------------

static char* copy_bytes(const void* data, size_t bytes)
{
    char* out = (char*)mem_alloc(bytes + 1);
    if (!out) return NULL;
    memcpy(out, data, bytes);
    out[bytes] = 0;
    return out;
}

static pliant_result fill(scene* s, const json_t* json)
{
    place top = place_top(s->name, s->text, s->bytes);
    scene filled;
    pliant_result result = table_read(&scene_table, json, &top, &filled);
    filled.name = s->name;
    filled.text = s->text;
    filled.bytes = s->bytes;
    *s = filled;
    return result ? result : check_scene(s, &top);
}

static pliant_result parse_json(scene* s)
{
    json_error_t error;
    json_t* json = json_loadb(s->text, s->bytes, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        return fail(PLIANT_ERROR_FORMAT, "%.300s:%d:%d: %.200s", s->name, error.line, error.column,
                    error.text);
    pliant_result result = fill(s, json);
    json_decref(json);
    return result;
}

pliant_result scene_parse(const void* text, size_t bytes, const char* name, scene** out)
{
    *out = NULL;
    if (bytes > MOST_BYTES)
        return fail(PLIANT_ERROR_FORMAT, "%.300s: %zu bytes are too many for a scene (at most %d)",
                    name, bytes, MOST_BYTES);
    // Some editors put a byte order mark in front of text.
    bool marked = bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    if (marked) text = (const char*)text + 3, bytes -= 3;
    scene* s = (scene*)mem_alloc_zero(sizeof *s);
    if (!s) return PLIANT_ERROR_MEMORY;
    s->name = copy_bytes(name, strlen(name));
    s->text = copy_bytes(text, bytes);
    s->bytes = bytes;
    pliant_result result = s->name && s->text ? parse_json(s) : PLIANT_ERROR_MEMORY;
    if (result)
        scene_destroy(s);
    else
        *out = s;
    return result;
}

pliant_result scene_load(const char* path, scene** out)
{
    void* data = NULL;
    size_t bytes = 0;
    *out = NULL;
    pliant_result result = platform_read_file(path, &data, &bytes);
    if (!result) result = scene_parse(data, bytes, path, out);
    mem_free(data);
    return result;
}

void scene_destroy(scene* s)
{
    if (!s) return;
    table_release(&scene_table, s);
    mem_free(s->name);
    mem_free(s->text);
    mem_free(s);
}
