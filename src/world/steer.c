// Colliders at run time: where they go, and what they are like.
#include "math/rotation.h"
#include "world/motion.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

int world_find_collider(const pliant_world* world, pliant_collider_id id)
{
    if (!REQUIRE(world)) return -1;
    if (pool_get(&world->colliders, id.index1, id.generation))
        for (int i = 0; i < world->collider_count; ++i)
            if (world->collider_owner[i] == id.index1) return i;
    fail(PLIANT_ERROR_ARGUMENT,
         "there is no collider of this id (%u, %u): it was removed, or never added to this world",
         (unsigned)id.index1, (unsigned)id.generation);
    return -1;
}

// ---- input --------------------------------------------------------------------------------------

static pliant_result check_pose(const double position[3], pliant_quat rotation)
{
    return REQUIRE(position) ? motion_check_pose(position, rotation) : PLIANT_ERROR_ARGUMENT;
}

static void set3(double out[3], pliant_vec3 v)
{
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

static pliant_vec3 get3(const double v[3])
{
    return (pliant_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

// The motion of a collider that is about to be changed; NULL, with a sentence, when there is none.
static collider_motion* motion_of(pliant_world* world, pliant_collider_id id, collider** out)
{
    int number = world_find_collider(world, id);
    if (number < 0) return NULL;
    collider_motion* m = &world_collider_at(world, number)->motion;
    m->changed = true;
    if (out) *out = &world->collider_list[number];
    return m;
}

// ---- motion -------------------------------------------------------------------------------------

pliant_result pliant_collider_move(pliant_world* world, pliant_collider_id id,
                                   const double position[3], pliant_quat rotation)
{
    pliant_result result = check_pose(position, rotation);
    collider_motion* m = result ? NULL : motion_of(world, id, NULL);
    if (!m) return PLIANT_ERROR_ARGUMENT;
    m->told = true;
    memcpy(m->target, position, sizeof m->target);
    m->target_rotation = rotation_turn(rotation);
    return PLIANT_OK;
}

pliant_result pliant_collider_set_velocity(pliant_world* world, pliant_collider_id id,
                                           pliant_vec3 linear, pliant_vec3 angular)
{
    pliant_result result = motion_check_velocity(linear, angular);
    collider_motion* m = result ? NULL : motion_of(world, id, NULL);
    if (!m) return PLIANT_ERROR_ARGUMENT;
    collider_slot* slot = world_collider_at(world, world_find_collider(world, id));
    m->told = false;
    set3(m->velocity, linear);
    set3(m->angular, angular);
    memcpy(slot->seen, m->velocity, sizeof slot->seen);
    memcpy(slot->seen_angular, m->angular, sizeof slot->seen_angular);
    return PLIANT_OK;
}

pliant_result pliant_collider_set_pose(pliant_world* world, pliant_collider_id id,
                                       const double position[3], pliant_quat rotation)
{
    collider* c;
    pliant_result result = check_pose(position, rotation);
    collider_motion* m = result ? NULL : motion_of(world, id, &c);
    if (!m) return PLIANT_ERROR_ARGUMENT;
    m->told = false;
    m->rotation = rotation_turn(rotation);
    collider_place(c, position, m->rotation);
    c->key = collider_hash(c);
    world_relink_colliders(world);
    return PLIANT_OK;
}

pliant_result pliant_collider_set_surface_velocity(pliant_world* world, pliant_collider_id id,
                                                   pliant_vec3 linear, pliant_vec3 angular)
{
    pliant_result result = motion_check_velocity(linear, angular);
    collider_motion* m = result ? NULL : motion_of(world, id, NULL);
    if (!m) return PLIANT_ERROR_ARGUMENT;
    set3(m->surface, linear);
    set3(m->surface_angular, angular);
    return PLIANT_OK;
}

// ---- surfaces -----------------------------------------------------------------------------------

pliant_result pliant_collider_set_friction(pliant_world* world, pliant_collider_id id,
                                           float static_friction, float dynamic_friction)
{
    collider* c;
    if (!(static_friction >= 0 && isfinite(static_friction)) ||
        !(dynamic_friction >= 0 && isfinite(dynamic_friction)))
        return fail(PLIANT_ERROR_ARGUMENT, "friction coefficients are 0 or more, and finite");
    if (!motion_of(world, id, &c)) return PLIANT_ERROR_ARGUMENT;
    c->static_friction = (double)static_friction;
    c->dynamic_friction = (double)dynamic_friction;
    return PLIANT_OK;
}

pliant_result pliant_collider_set_restitution(pliant_world* world, pliant_collider_id id,
                                              float restitution)
{
    collider* c;
    if (!(restitution >= 0 && restitution <= 1))
        return fail(PLIANT_ERROR_ARGUMENT, "restitution is %g, it must be 0 to 1",
                    (double)restitution);
    if (!motion_of(world, id, &c)) return PLIANT_ERROR_ARGUMENT;
    c->restitution = (double)restitution;
    return PLIANT_OK;
}

// ---- reading ------------------------------------------------------------------------------------

pliant_result pliant_collider_describe(const pliant_world* world, pliant_collider_id id,
                                       pliant_collider_info* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_collider_info){0};
    int number = world_find_collider(world, id);
    if (number < 0) return PLIANT_ERROR_ARGUMENT;
    const collider* c = &world->collider_list[number];
    const collider_slot* slot = world_collider_at(world, number);
    const quaternion q = turn_unit(slot->motion.rotation);
    out->shape = c->shape;
    memcpy(out->position, c->position, sizeof out->position);
    out->rotation = (pliant_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    out->velocity = get3(slot->seen);
    out->angular_velocity = get3(slot->seen_angular);
    out->surface_velocity = get3(slot->motion.surface);
    out->surface_angular_velocity = get3(slot->motion.surface_angular);
    out->static_friction = (float)c->static_friction;
    out->dynamic_friction = (float)c->dynamic_friction;
    out->restitution = (float)c->restitution;
    return PLIANT_OK;
}

bool pliant_collider_is_valid(const pliant_world* world, pliant_collider_id id)
{
    return REQUIRE(world) && pool_get(&world->colliders, id.index1, id.generation);
}

int pliant_world_collider_count(const pliant_world* world)
{
    return REQUIRE(world) ? world->collider_count : 0;
}

int pliant_world_colliders(const pliant_world* world, pliant_collider_id* out, int capacity)
{
    int count = 0;
    if (!REQUIRE(world && (out || capacity == 0))) return 0;
    for (; count < world->collider_count && count < capacity; ++count)
        out[count] = world_collider_id(world, count);
    return count;
}
