// Colliders that move by the scene's word: turntables, pistons, paths.
#include "math/circle.h"
#include "math/rotation.h"
#include "math/turn.h"
#include "scene/stage.h"
#include <math.h>
#include <string.h>

// Seconds of the motion that have passed.
static double age_at(const scene_drive* d, double time)
{
    return fmin(fmax(time, d->start), d->end) - d->start;
}

// [-] Part of the stroke that it is away.
static double stroke_part(const scene_drive* d, double age)
{
    if (d->frequency > 0) return (1 - circle_at_degrees(360 * d->frequency * age).cosine) / 2;
    double t = d->time > 0 ? fmin(age / d->time, 1) : 0;
    return t * t * (3 - 2 * t);
}

// Turned by the time that has passed, about the line through the center.
static void turn_place(const scene_drive* d, double age, double at[3])
{
    double axis[3][3], arm[3], size = 0;
    for (int k = 0; k < 3; ++k) size += d->axis[k] * d->axis[k];
    circle_point half = circle_at_degrees(d->degrees_per_second * age / 2);
    double s = half.sine / sqrt(size);
    quaternion q = {s * d->axis[0], s * d->axis[1], s * d->axis[2], half.cosine};
    turn_axes(q, axis);
    for (int k = 0; k < 3; ++k) arm[k] = at[k] - d->center[k];
    for (int k = 0; k < 3; ++k)
        at[k] = d->center[k] + arm[0] * axis[0][k] + arm[1] * axis[1][k] + arm[2] * axis[2][k];
}

static void place_at(const scene_collider* c, const scene_drive* d, double time, double out[3])
{
    double age = age_at(d, time), part = stroke_part(d, age);
    memcpy(out, c->def.position, sizeof(double[3]));
    if (!isnan(d->center[0]) && d->degrees_per_second != 0) turn_place(d, age, out);
    for (int k = 0; k < 3; ++k) out[k] += age * d->velocity[k] + part * d->stroke[k];
}

// By velocities, which may turn it by more than half a turn in a step.
static void drive_steadily(const stage* s, int number, double time, double dt)
{
    const scene_collider* c = scene_collider_at(s->scene, number);
    const scene_drive* d = (const scene_drive*)c->motion.item;
    const double radians = 0.017453292519943295;
    double from[3], to[3], size = 0;
    place_at(c, d, time, from);
    place_at(c, d, time + dt, to);
    for (int k = 0; k < 3; ++k) size += d->axis[k] * d->axis[k];
    double part = (age_at(d, time + dt) - age_at(d, time)) / dt;
    double spin = size > 0 ? part * radians * d->degrees_per_second / sqrt(size) : 0;
    float v[3], w[3];
    for (int k = 0; k < 3; ++k) {
        v[k] = (float)((to[k] - from[k]) / dt);
        w[k] = (float)(spin * d->axis[k]);
    }
    pliant_collider_set_velocity(s->world, s->colliders[number], (pliant_vec3){v[0], v[1], v[2]},
                                 (pliant_vec3){w[0], w[1], w[2]});
}

// ---- paths --------------------------------------------------------------------------------------

typedef struct {
    double time, position[3];
    quaternion rotation;
} stop;

// Stop `number` of the path; before the first, where the collider starts.
static stop stop_of(const scene_collider* c, const scene_list* path, int number)
{
    stop out = {.time = 0, .rotation = rotation_turn(c->def.rotation)};
    memcpy(out.position, c->def.position, sizeof out.position);
    if (number < 0) return out;
    const scene_stop* from = (const scene_stop*)path->item + number;
    out.time = from->time;
    memcpy(out.position, from->position, sizeof out.position);
    if (rotation_is_valid(from->rotation)) out.rotation = rotation_turn(from->rotation);
    return out;
}

static stop between(const stop* a, const stop* b, double time)
{
    double t = b->time > a->time ? fmin(fmax((time - a->time) / (b->time - a->time), 0), 1) : 1;
    stop out = {.time = time};
    double angle[3];
    turn_angle(turn_after(turn_unit(b->rotation), turn_back(turn_unit(a->rotation))), angle);
    for (int k = 0; k < 3; ++k) {
        out.position[k] = a->position[k] + t * (b->position[k] - a->position[k]);
        angle[k] *= t;
    }
    out.rotation = turn_after(turn_by(angle), turn_unit(a->rotation));
    return out;
}

static void drive_along(const stage* s, int number, double time)
{
    const scene_collider* c = scene_collider_at(s->scene, number);
    const scene_list* path = &((const scene_drive*)c->motion.item)->path;
    int next = 0;
    while (next + 1 < path->count && ((const scene_stop*)path->item)[next].time < time) ++next;
    const stop from = stop_of(c, path, next - 1), to = stop_of(c, path, next);
    const stop at = between(&from, &to, time);
    const quaternion q = turn_unit(at.rotation);
    pliant_collider_move(s->world, s->colliders[number], at.position,
                         (pliant_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w});
}

void stage_drive_colliders(const stage* s, double time, double dt)
{
    for (int i = 0; i < s->scene->colliders.count; ++i) {
        const scene_list* motion = &scene_collider_at(s->scene, i)->motion;
        if (!motion->count) continue;
        if (((const scene_drive*)motion->item)->path.count)
            drive_along(s, i, time + dt);
        else
            drive_steadily(s, i, time, dt);
    }
}
