// Joints of a scene: points of two bodies that are nearest to a place, or the particles of a region
// that are sewn to another body.
#include "base/memory.h"
#include "math/elementary.h"
#include "scene/stage.h"
#include <math.h>
#include <string.h>

static const scene_joint* joint_at(const stage* s, int i)
{
    return (const scene_joint*)s->scene->joints.item + i;
}

static bool sews(const scene_joint* j) { return isnan(j->at[0]); }

pliant_result stage_select_joints(const stage* s, int number, const place* top)
{
    place list = place_key(top, "joints");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->joints.count && !result; ++i) {
        const scene_joint* j = joint_at(s, i);
        place item = place_item(&list, i);
        if (sews(j) && (int)j->bodies.value[0] == number)
            result = region_select(s, &j->region, &s->entries[number], &item, &s->joined[i].sewn);
    }
    return result;
}

// The only body of an entry.
static pliant_result find_body(const stage* s, int entry, const place* at, pliant_body_id* out)
{
    int found = 0;
    for (int i = 0; i < s->body_count; ++i)
        if (s->bodies[i].entry == entry) *out = s->bodies[i].id, found++;
    if (found == 1) return PLIANT_OK;
    return fail_at(PLIANT_ERROR_ARGUMENT, at, "body %d has %d copies: only one can be joined",
                   entry, found);
}

static bool is_rigid(const stage* s, pliant_body_id id)
{
    pliant_motion motion;
    return id.index1 && pliant_body_motion(s->world, id, &motion) == PLIANT_OK;
}

// Of a rigid body, and of the world, the place itself.
static pliant_result point_at(const stage* s, const double at[3], pliant_joint_point* out)
{
    bool exact = !out->body.index1 || is_rigid(s, out->body);
    return exact ? pliant_body_place_joint_point(s->world, out->body, at, out)
                 : pliant_body_find_joint_point(s->world, out->body, at, out);
}

static pliant_result join_at(stage* s, const double at[3], pliant_joint_def* def,
                             pliant_joint_id* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 2 && !result; ++i) result = point_at(s, at, &def->point[i]);
    return result ? result : pliant_world_add_joint(s->world, def, out);
}

static pliant_result sew(stage* s, const selection* of, pliant_joint_def* def, pliant_joint_id* out)
{
    pliant_body_id cloth = def->point[0].body, other = def->point[1].body;
    int count = pliant_body_particle_count(s->world, cloth);
    double* x = (double*)mem_array(3 * (size_t)count, sizeof(double));
    pliant_result result =
        x ? pliant_body_read_positions_exact(s->world, cloth, x, count) : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < of->count && !result; ++i) {
        const double* at = x + 3 * (size_t)of->particle[i];
        def->point[0].particle[0] = of->particle[i];
        result = other.index1 ? pliant_body_find_joint_point(s->world, other, at, &def->point[1])
                              : pliant_body_place_joint_point(s->world, other, at, &def->point[1]);
        if (!result) result = pliant_world_add_joint(s->world, def, &out[i]);
    }
    mem_free(x);
    return result;
}

static double radians(double degrees) { return degrees * (HALF_TURN / 180); }
static double or_none(double value) { return isnan(value) ? INFINITY : value; }

static void tell_motor(const scene_motor* m, pliant_joint_def* def)
{
    def->motor = isnan(m->degrees) ? PLIANT_MOTOR_VELOCITY : PLIANT_MOTOR_POSITION;
    def->motor_angle = isnan(m->degrees) ? 0 : radians(m->degrees);
    def->motor_speed = radians(m->degrees_per_second);
    def->motor_torque = or_none(m->torque);
}

static pliant_joint_def def_of(const scene_joint* j)
{
    pliant_joint_def def = pliant_joint_defaults();
    def.compliance = j->compliance;
    def.breaking_force = or_none(j->breaking_force);
    def.kind = (pliant_joint_kind)j->kind;
    // The world is the second side, and the body's angle is against it.
    for (int k = 0; k < 3; ++k) def.axis[k] = j->bodies.count > 1 ? j->axis[k] : -j->axis[k];
    def.breaking_torque = or_none(j->breaking_torque);
    for (int i = 0; i < j->limits.count; ++i) def.angle_limits[i] = radians(j->limits.value[i]);
    def.swing_limit = radians(or_none(j->swing_limit));
    def.stiffness = j->stiffness;
    def.rest_angle = radians(j->rest_angle);
    def.damping = j->damping;
    def.friction = j->friction;
    if (j->motors.count) {
        tell_motor((const scene_motor*)j->motors.item, &def);
        if (((const scene_motor*)j->motors.item)->start > 0) def.motor_torque = 0;
    }
    return def;
}

static pliant_result make_joint(stage* s, int number, const place* at)
{
    const scene_joint* j = joint_at(s, number);
    stage_joint* out = &s->joined[number];
    pliant_joint_def def = def_of(j);
    place bodies = place_key(at, "bodies");
    pliant_result result = PLIANT_OK;
    def.point[1].body = (pliant_body_id){0, 0};
    for (int i = 0; i < j->bodies.count && !result; ++i)
        result = find_body(s, (int)j->bodies.value[i], &bodies, &def.point[i].body);
    if (result) return result;
    out->count = sews(j) ? out->sewn.count : 1;
    out->id = (pliant_joint_id*)mem_array_zero((size_t)out->count, sizeof *out->id);
    if (!out->id) return PLIANT_ERROR_MEMORY;
    result = sews(j) ? sew(s, &out->sewn, &def, out->id) : join_at(s, j->at, &def, out->id);
    return stage_at_place(result, at);
}

// The motor that turns at that time.
static const scene_motor* motor_at(const scene_joint* j, double time)
{
    const scene_motor *all = (const scene_motor*)j->motors.item, *found = NULL;
    for (int i = 0; i < j->motors.count; ++i)
        if (all[i].start <= time) found = &all[i];
    return found;
}

void stage_drive_joints(const stage* s, double time)
{
    const double soon = 1e-9; // times are sums of steps
    for (int i = 0; i < s->scene->joints.count; ++i) {
        const scene_motor* m = motor_at(joint_at(s, i), time + soon);
        pliant_joint_def def = pliant_joint_defaults();
        if (!m) continue;
        tell_motor(m, &def);
        for (int k = 0; k < s->joined[i].count; ++k)
            pliant_joint_set_motor(s->world, s->joined[i].id[k], def.motor, def.motor_angle,
                                   def.motor_speed, def.motor_torque);
    }
}

pliant_result stage_make_joints(stage* s, const place* top)
{
    place list = place_key(top, "joints");
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->scene->joints.count && !result; ++i) {
        place item = place_item(&list, i);
        result = make_joint(s, i, &item);
    }
    return result;
}

void stage_release_joints(stage* s)
{
    for (int i = 0; s->joined && i < s->scene->joints.count; ++i) {
        mem_free(s->joined[i].sewn.particle);
        mem_free(s->joined[i].id);
    }
    mem_free(s->joined);
}

stage_joint_state stage_read_joint(const stage* s, int number)
{
    const stage_joint* j = &s->joined[number];
    stage_joint_state out = {0};
    for (int i = 0; i < j->count; ++i) {
        pliant_joint_info info;
        if (pliant_joint_describe(s->world, j->id[i], &info)) continue;
        for (int k = 0; k < 3; ++k) {
            out.force[k] += info.force[k];
            out.torque[k] += info.torque[k];
        }
        out.angle = info.angle;
        out.motor += info.motor_torque;
        out.gap = fmax(out.gap, info.broken ? 0 : info.gap);
        out.broken += info.broken;
        out.count++;
    }
    return out;
}

bool stage_joint_turns(const stage* s, int number)
{
    const scene_joint* j = joint_at(s, number);
    bool turns = s->joined[number].count > 0;
    for (int i = 0; i < j->bodies.count && turns; ++i)
        turns = ((const scene_body*)s->scene->bodies.item)[(int)j->bodies.value[i]].soft.rigid;
    return turns;
}
