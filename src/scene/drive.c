// What changes from step to step: moving pins, releases, forces; and bad starts.
#include "base/memory.h"
#include "base/random.h"
#include "math/circle.h"
#include "math/rotation.h"
#include "scene/stage.h"
#include "scene/words.h"
#include <math.h>
#include <string.h>

// A body's placement, and a motion at one moment: a rotation about a line and a shift.
typedef struct {
    double origin[3], axis[3][3];
} placement;

typedef struct {
    double axis[3], center[3], shift[3];
    circle_point turn;
} pose;

static placement placement_of(const stage* s, const stage_body* body)
{
    placement p;
    memcpy(p.origin, body->position, sizeof p.origin);
    rotation_axes(s->entries[body->entry].source->def.rotation, p.axis);
    return p;
}

static void to_world(const placement* p, const double local[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = p->origin[k] + p->axis[0][k] * local[0] + p->axis[1][k] * local[1] +
                 p->axis[2][k] * local[2];
}

void stage_rest_positions(const stage* s, int body, double* out)
{
    const placement p = placement_of(s, &s->bodies[body]);
    pliant_mesh_arrays m = pliant_mesh_view(stage_mesh(s, body));
    for (size_t i = 0; i < 3 * (size_t)m.vertex_count; i += 3)
        to_world(&p, m.vertices + i, out + i);
}

// Seconds of the motion that have passed.
static double motion_age(const scene_motion* m, double time)
{
    return fmin(fmax(time, m->start), m->end) - m->start;
}

static pose pose_at(const scene_motion* m, double scale, double time)
{
    double age = motion_age(m, time), square = 0;
    pose p = {.turn = circle_at_degrees(m->degrees_per_second * age)};
    for (int k = 0; k < 3; ++k) square += m->axis[k] * m->axis[k];
    for (int k = 0; k < 3; ++k) {
        p.axis[k] = m->axis[k] / sqrt(square);
        p.center[k] = m->center[k] * scale;
        p.shift[k] = m->velocity[k] * age;
    }
    return p;
}

// Rodrigues' formula about the pose's line.
static void apply_pose(const pose* p, const double rest[3], double out[3])
{
    double arm[3], along = 0;
    for (int k = 0; k < 3; ++k) {
        arm[k] = rest[k] - p->center[k];
        along += arm[k] * p->axis[k];
    }
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double across = p->axis[i] * arm[j] - p->axis[j] * arm[i];
        out[k] = p->center[k] + p->shift[k] + p->turn.cosine * arm[k] + p->turn.sine * across +
                 (1 - p->turn.cosine) * along * p->axis[k];
    }
}

static void move_pins(const stage* s, const stage_body* body, int pin, double time)
{
    const stage_entry* entry = &s->entries[body->entry];
    const scene_motion* m =
        (const scene_motion*)((const scene_pin*)entry->source->pins.item + pin)->motion.item;
    const double* vertices = pliant_mesh_view(entry->mesh).vertices;
    const pose p = pose_at(m, entry->source->scale, time);
    const placement where = placement_of(s, body);
    for (int i = 0; i < entry->pins[pin].count; ++i) {
        int particle = entry->pins[pin].particle[i];
        double local[3], target[3];
        apply_pose(&p, vertices + 3 * (size_t)particle, local);
        to_world(&where, local, target);
        pliant_body_move_pin(s->world, body->id, particle, target);
    }
}

// By which a pin turns in the next step, about an axis of the world.
static void find_angle(const stage* s, const stage_body* body, const scene_motion* m, double time,
                       double dt, double out[3])
{
    const double degree = 3.14159265358979323846 / 180;
    const placement where = placement_of(s, body);
    const pose p = pose_at(m, 1, time);
    double angle =
        degree * m->degrees_per_second * (motion_age(m, time + dt) - motion_age(m, time));
    for (int k = 0; k < 3; ++k)
        out[k] = angle * (where.axis[0][k] * p.axis[0] + where.axis[1][k] * p.axis[1] +
                          where.axis[2][k] * p.axis[2]);
}

static pliant_result turn_pins(const stage* s, const stage_body* body, int pin, double time,
                               double dt)
{
    const stage_entry* entry = &s->entries[body->entry];
    const scene_motion* m =
        (const scene_motion*)((const scene_pin*)entry->source->pins.item + pin)->motion.item;
    double angle[3];
    find_angle(s, body, m, time, dt, angle);
    return stage_turn_clamps(s, body, &entry->pins[pin], angle);
}

bool selection_has(const selection* of, int particle)
{
    int first = 0, last = of->count;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (of->particle[middle] == particle) return true;
        if (of->particle[middle] < particle)
            first = middle + 1;
        else
            last = middle;
    }
    return false;
}

// Axes of all pins that still hold a particle of the body.
static unsigned axes_held(const stage* s, int body, int particle, double time)
{
    const stage_entry* entry = &s->entries[s->bodies[body].entry];
    unsigned axes = 0;
    for (int i = 0; i < entry->source->pins.count; ++i) {
        const scene_pin* pin = (const scene_pin*)entry->source->pins.item + i;
        if (pin->follow.count || pin->release <= time) continue;
        if (selection_has(&entry->pins[i], particle)) axes |= axes_of_word[pin->axes];
    }
    for (int i = 0; i < s->follower_count; ++i) {
        const follower* f = &s->followers[i];
        if (f->body != body || f->release <= time) continue;
        if (selection_has(&f->particles, particle)) axes |= axes_of_word[0];
    }
    return axes;
}

void stage_let_go(const stage* s, int body, const selection* of, double time)
{
    for (int i = 0; i < of->count; ++i) {
        unsigned axes = axes_held(s, body, of->particle[i], time);
        if (axes != axes_of_word[0]) // else it stays as it is, and where it is moved
            pliant_body_pin_axes(s->world, s->bodies[body].id, of->particle[i], axes);
    }
}

static pliant_result drive_pins(const stage* s, const stage_body* body, double time, double dt)
{
    const stage_entry* entry = &s->entries[body->entry];
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < entry->source->pins.count; ++i) {
        const scene_pin* pin = (const scene_pin*)entry->source->pins.item + i;
        const scene_motion* m = (const scene_motion*)pin->motion.item;
        bool released = pin->release <= time; // never for NaN
        if (pin->follow.count) continue;
        if (!released && m && motion_age(m, time + dt) > motion_age(m, time)) {
            move_pins(s, body, i, time + dt);
            if (!result) result = turn_pins(s, body, i, time, dt);
        }
        if (!released || pin->release <= time - dt) continue;
        stage_let_go(s, (int)(body - s->bodies), &entry->pins[i], time);
        stage_unclamp(s, body, &entry->pins[i]);
    }
    return result;
}

static void add_shares(const stage* s, const stage_body* body, const selection* chosen,
                       const double force[3])
{
    float share = 1 / (float)chosen->count;
    const pliant_vec3 each = {share * (float)force[0], share * (float)force[1],
                              share * (float)force[2]};
    for (int k = 0; k < chosen->count; ++k)
        pliant_body_add_force(s->world, body->id, chosen->particle[k], each);
}

static void drive_forces(const stage* s, const stage_body* body, double time)
{
    const stage_entry* entry = &s->entries[body->entry];
    if (entry->source->forces.count) pliant_body_set_forces(s->world, body->id, NULL, 0);
    for (int i = 0; i < entry->source->forces.count; ++i) {
        const scene_force* f = (const scene_force*)entry->source->forces.item + i;
        if (time >= f->start && time < f->end) add_shares(s, body, &entry->forces[i], f->force);
    }
}

// How much of it is there: from 0 to 1.
static double swelling_share(const scene_swelling* w, double time)
{
    double age = fmax(time - w->start, 0);
    if (w->period > 0) return (1 - circle_at_degrees(360 * age / w->period).cosine) / 2;
    return age < w->rise ? age / w->rise : age > 0 || w->start <= 0 ? 1 : 0;
}

static pliant_result drive_swelling(const stage* s, const stage_body* body, double time)
{
    const scene_list* list = &s->entries[body->entry].source->swelling;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < list->count && !result; ++i) {
        const scene_swelling* w = (const scene_swelling*)list->item + i;
        double share = swelling_share(w, time);
        result =
            pliant_body_swell(s->world, body->id, w->region, share * w->warmth, share * w->signal);
    }
    return result;
}

pliant_result stage_drive(const stage* s, double time, double dt)
{
    for (int i = 0; i < s->body_count; ++i) {
        pliant_result result = drive_swelling(s, &s->bodies[i], time + dt);
        if (!result) result = drive_pins(s, &s->bodies[i], time, dt);
        if (result) return result;
        drive_forces(s, &s->bodies[i], time);
    }
    stage_drive_followers(s, time, dt);
    stage_drive_colliders(s, time, dt);
    stage_drive_joints(s, time);
    return stage_drive_emitters(s, time, dt);
}

// ---- bad starts ---------------------------------------------------------------------------------

static void bounds_of(const double* x, int count, double min[3], double max[3])
{
    for (int k = 0; k < 3; ++k) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
        for (int i = 0; i < count; ++i) {
            min[k] = fmin(min[k], x[3 * (size_t)i + (size_t)k]);
            max[k] = fmax(max[k], x[3 * (size_t)i + (size_t)k]);
        }
    }
}

static void scramble_one(const scene_scramble* how, const double min[3], const double max[3],
                         random_source* random, double x[3])
{
    if (how->kind == SCRAMBLE_FLAT)
        x[how->axis] = (min[how->axis] + max[how->axis]) / 2;
    else
        for (int k = 0; k < 3; ++k) x[k] = random_range(random, min[k], max[k]);
}

pliant_result stage_scramble(const stage* s, const stage_body* body, uint64_t number)
{
    const scene_list* list = &s->entries[body->entry].source->scramble;
    const scene_scramble* how = (const scene_scramble*)list->item;
    if (!list->count) return PLIANT_OK;
    int count = pliant_body_particle_count(s->world, body->id);
    double *x = (double*)mem_array((size_t)count * 3, sizeof *x), min[3], max[3];
    if (!x) return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_body_read_positions_exact(s->world, body->id, x, count);
    if (!result) bounds_of(x, count, min, max);
    if (!isnan(how->min[0])) {
        memcpy(min, how->min, sizeof min);
        memcpy(max, how->max, sizeof max);
    }
    random_source random = {(uint64_t)how->seed + (number << 32)};
    for (int i = 0; i < count && !result; ++i) {
        pliant_particle p;
        result = pliant_body_particle(s->world, body->id, i, &p);
        if (!p.pinned) scramble_one(how, min, max, &random, x + 3 * (size_t)i);
    }
    if (!result) result = pliant_body_write_positions_exact(s->world, body->id, x, count);
    mem_free(x);
    return result;
}
