#include "live/session.h"
#include "base/memory.h"
#include "base/platform.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- begin and end ------------------------------------------------------------------------------

static pliant_result keep_start(session* s)
{
    size_t bytes = pliant_world_snapshot_size(s->stage.world);
    void* at = sink_room(&s->start, bytes);
    return at ? pliant_world_snapshot_save(s->stage.world, at, bytes) : PLIANT_ERROR_MEMORY;
}

pliant_result session_create(scene* from, const stage_options* options, session* out)
{
    *out = (session){.scene = from, .energies = {(double)NAN, 0, 0, 0}};
    if (from->frames == 0) {
        scene_destroy(from);
        out->scene = NULL;
        return fail(PLIANT_ERROR_ARGUMENT, "the scene has no frames (\"frames\": 0): nothing of it "
                                           "moves");
    }
    pliant_result result = stage_create(from, options, &out->stage);
    if (!result) {
        out->parameters = parameters_of(&out->stage);
        result = look_create(&out->stage, &out->look);
    }
    if (!result) result = keep_start(out);
    if (result) session_destroy(out);
    return result;
}

void session_destroy(session* s)
{
    if (!s->scene) return;
    look_destroy(&s->look);
    stage_destroy(&s->stage);
    scene_destroy(s->scene);
    sink_release(&s->start);
    memset(s, 0, sizeof *s);
}

// ---- what a page wants --------------------------------------------------------------------------

static pliant_result reset(session* s)
{
    grip_let_go(&s->grip, &s->stage);
    pliant_result result =
        pliant_world_snapshot_restore(s->stage.world, s->start.data, s->start.bytes);
    if (!result) result = parameters_apply(&s->parameters, &s->stage);
    if (!result) s->step = s->steps_to_do = 0;
    s->energy_time = 0;
    return result;
}

static pliant_result do_as_told(session* s, const message* m)
{
    switch (m->kind) {
    case MESSAGE_PAUSE:
        s->paused = m->number == 1;
        return PLIANT_OK;
    case MESSAGE_STEP:
        s->paused = true;
        s->steps_to_do += (int)m->number;
        if (s->steps_to_do > MESSAGE_MOST_STEPS) s->steps_to_do = MESSAGE_MOST_STEPS;
        return PLIANT_OK;
    case MESSAGE_RESET:
        return reset(s);
    case MESSAGE_SET:
        return parameters_set(&s->parameters, &s->stage, (parameter)m->number, m->value);
    case MESSAGE_COLORS:
        return look_paint(&s->look, (live_color)m->number);
    case MESSAGE_GRAB:
        return grip_take(&s->grip, &s->stage, m->point, m->direction);
    case MESSAGE_DRAG:
        memcpy(s->grip.target, m->point, sizeof m->point);
        return PLIANT_OK;
    case MESSAGE_LET_GO:
        grip_let_go(&s->grip, &s->stage);
        return PLIANT_OK;
    case MESSAGE_DIGEST:
        s->wants_digest = true;
        return PLIANT_OK;
    default:
        return PLIANT_OK;
    }
}

static void take_note(session* s) { snprintf(s->note, sizeof s->note, "%s", pliant_error_text()); }

pliant_result session_obey(session* s, const message* m)
{
    pliant_result result = do_as_told(s, m);
    if (result) take_note(s);
    return result;
}

// ---- time ---------------------------------------------------------------------------------------

static pliant_result step(session* s)
{
    double dt = s->scene->dt;
    pliant_result result = parameters_apply_late(&s->parameters, &s->stage);
    if (result) return result;
    double start = platform_seconds();
    stage_drive(&s->stage, s->step * dt, dt);
    grip_pull(&s->grip, &s->stage, dt);
    result = pliant_world_step(s->stage.world, (float)dt);
    if (!result) result = pliant_world_wait(s->stage.world);
    s->step_seconds = platform_seconds() - start;
    if (result) return result;
    grip_measure(&s->grip, &s->stage);
    s->step += 1;
    return PLIANT_OK;
}

static bool is_due(const session* s, double now)
{
    return s->steps_to_do > 0 || (!s->paused && now >= s->next);
}

// A clock that is behind is not run after: what takes longer than real time is slow.
bool session_advance(session* s, double now)
{
    double interval = s->scene->dt / s->parameters.value[PARAMETER_SPEED];
    if (!is_due(s, now)) return false;
    s->next = s->next + interval > now ? s->next + interval : now + 0.2 * interval;
    if (s->steps_to_do > 0) s->steps_to_do -= 1;
    if (step(s)) {
        take_note(s);
        s->paused = true;
        s->steps_to_do = 0;
    }
    return true;
}

double session_rest(const session* s, double now)
{
    if (s->steps_to_do > 0) return 0;
    return s->paused ? 0.1 : fmin(fmax(s->next - now, 0), 0.1);
}

// ---- what goes out ------------------------------------------------------------------------------

void sink_json(sink* out, const char* text)
{
    sink_text(out, "\"");
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            sink_print(out, "\\%c", c);
        else if (c < 32)
            sink_print(out, "\\u%04x", c);
        else
            sink_bytes(out, text, 1);
    }
    sink_text(out, "\"");
}

static void write_real(sink* out, const char* name, double value)
{
    sink_print(out, ",\"%s\":", name);
    if (isfinite(value))
        sink_real(out, value);
    else
        sink_text(out, "null");
}

static void write_camera(const session* s, sink* out)
{
    const scene_camera* c = &s->scene->camera;
    const double numbers[] = {c->eye[0],    c->eye[1],  c->eye[2],    c->target[0],    c->target[1],
                              c->target[2], c->azimuth, c->elevation, c->field_of_view};
    static const char* const names[] = {"x",  "y",       "z",         "tx",   "ty",
                                        "tz", "azimuth", "elevation", "field"};
    sink_text(out, ",\"camera\":{\"of\":\"scene\"");
    for (int i = 0; i < 9; ++i) write_real(out, names[i], numbers[i]);
    sink_text(out, "}");
}

void session_write_scene(const session* s, sink* out)
{
    int particles = 0, tets = 0;
    for (int i = 0; i < s->stage.body_count; ++i) {
        const stage_body* b = &s->stage.bodies[i];
        particles += pliant_body_particle_count(s->stage.world, b->id);
        tets += pliant_mesh_view(s->stage.entries[b->entry].mesh).tet_count;
    }
    pliant_profile profile = pliant_world_profile(s->stage.world);
    const char* device = pliant_world_device(s->stage.world);
    sink_text(out, "{\"kind\":\"scene\",\"version\":");
    sink_json(out, pliant_version());
    sink_text(out, ",\"name\":");
    sink_json(out, s->scene->name);
    sink_text(out, ",\"description\":");
    sink_json(out, s->scene->description ? s->scene->description : "");
    sink_text(out, ",\"device\":");
    sink_json(out, device ? device : "");
    sink_print(out, ",\"bodies\":%d,\"particles\":%d,\"tets\":%d,\"lanes\":%d,\"threads\":%d",
               s->stage.body_count, particles, tets, profile.lanes, profile.threads);
    write_real(out, "dt", s->scene->dt);
    write_camera(s, out);
    sink_text(out, ",\"parameters\":");
    parameters_write(&s->parameters, out);
    sink_text(out, ",\"colors\":[");
    for (int i = 0; i < LIVE_COLORS; ++i)
        sink_print(out, "%s{\"name\":\"%s\",\"unit\":\"%s\"}", i ? "," : "", live_colors[i].name,
                   live_colors[i].unit);
    sink_text(out, "],\"colliders\":");
    look_write_colliders(&s->look, out);
    sink_text(out, "}");
}

// They cost as much as a look at every element: a fiftieth of the time is theirs at most.
static void update_energies(session* s, double now)
{
    double wait = fmax(0.1, 50 * s->energy_cost);
    if (s->energy_time > 0 && now - s->energy_time < wait) return;
    double start = platform_seconds();
    if (pliant_world_energies(s->stage.world, &s->energies))
        s->energies = (pliant_energies){(double)NAN, 0, 0, 0};
    s->energy_cost = platform_seconds() - start;
    s->energy_time = now;
}

void session_write_status(session* s, double now, sink* out)
{
    pliant_profile profile = pliant_world_profile(s->stage.world);
    update_energies(s, now);
    sink_print(out, "{\"kind\":\"status\",\"paused\":%s,\"step\":%d,\"substeps\":%d",
               s->paused ? "true" : "false", s->step, profile.substeps);
    sink_print(out, ",\"lanes\":%d,\"threads\":%d", profile.lanes, profile.threads);
    write_real(out, "time", s->step * s->scene->dt);
    write_real(out, "step_seconds", s->step_seconds);
    write_real(out, "frame_seconds", s->frame_seconds);
    write_real(out, "kinetic", s->energies.kinetic);
    write_real(out, "elastic", s->energies.elastic);
    write_real(out, "gravity", s->energies.gravity);
    sink_text(out, ",\"parameters\":[");
    for (int i = 0; i < PARAMETER_COUNT; ++i) {
        if (i) sink_text(out, ",");
        sink_real(out, s->parameters.value[i]);
    }
    sink_text(out, "]");
    uint64_t digest;
    if ((s->paused || s->wants_digest) && !pliant_world_digest(s->stage.world, &digest))
        sink_print(out, ",\"digest\":\"%016llx\"", (unsigned long long)digest);
    s->wants_digest = false;
    if (s->note[0]) {
        sink_text(out, ",\"note\":");
        sink_json(out, s->note);
        s->note[0] = 0;
    }
    sink_text(out, "}");
}

pliant_result session_write_frame(session* s, sink* out)
{
    double start = platform_seconds();
    frame_head head = {.number = ++s->frames,
                       .step = (uint32_t)s->step,
                       .time = (float)(s->step * s->scene->dt),
                       .step_seconds = (float)s->step_seconds,
                       .gripped = s->grip.holds};
    for (int k = 0; k < 3 && s->grip.holds; ++k) {
        head.from[k] = (float)s->grip.from[k];
        head.to[k] = (float)s->grip.target[k];
    }
    head.force = (float)s->grip.force;
    pliant_result result = look_write_frame(&s->look, &head, out);
    s->frame_seconds = platform_seconds() - start;
    return result;
}
