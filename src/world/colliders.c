// Adding and removing colliders.
#include "base/cookie.h"
#include "base/hash.h"
#include "math/rotation.h"
#include "world/checks.h"
#include "world/motion.h"
#include "world/swept.h"
#include <math.h>
#include <string.h>

static collider make_collider(const pliant_collider_def* def)
{
    collider c = {.shape = def->shape,
                  .half_extents = {(double)def->half_extents.x, (double)def->half_extents.y,
                                   (double)def->half_extents.z},
                  .radius = (double)def->radius,
                  .half_height = (double)def->half_height,
                  .static_friction = (double)def->static_friction,
                  .dynamic_friction = (double)def->dynamic_friction,
                  .restitution = (double)def->restitution,
                  .surface_contacts = def->surface_contacts};
    memcpy(c.position, def->position, sizeof c.position);
    rotation_axes(def->rotation, c.axis);
    return c;
}

static void set3(double out[3], pliant_vec3 v)
{
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

static collider_motion make_motion(const pliant_collider_def* def)
{
    collider_motion m = {.rotation = rotation_turn(def->rotation)};
    set3(m.velocity, def->velocity);
    set3(m.angular, def->angular_velocity);
    set3(m.surface, def->surface_velocity);
    set3(m.surface_angular, def->surface_angular_velocity);
    return m;
}

uint64_t collider_hash(const collider* c, const distance_field* f)
{
    const double sizes[] = {c->half_extents[0], c->half_extents[1], c->half_extents[2], c->radius,
                            c->half_height};
    uint64_t hash = hash_mix(HASH_SEED, (uint64_t)c->shape);
    hash = hash_bytes(hash, c->position, sizeof c->position);
    hash = hash_bytes(hash, c->axis, sizeof c->axis);
    hash = hash_bytes(hash, sizes, sizeof sizes);
    if (!f->value) return hash;
    size_t samples = (size_t)f->count[0] * (size_t)f->count[1] * (size_t)f->count[2];
    return hash_bytes(hash_bytes(hash, f->origin, sizeof f->origin), f->value,
                      samples * sizeof *f->value);
}

// Items of a pool move when it grows: the packed list points into them.
void world_relink_colliders(pliant_world* world)
{
    world->collider_key = HASH_SEED;
    world->swept_count = 0;
    for (int i = 0; i < world->collider_count; ++i) {
        world->collider_list[i].field = &world_collider_at(world, i)->field;
        world->collider_key = hash_mix(world->collider_key, world->collider_list[i].key);
        world->swept_count += collider_has_surface(world, i);
    }
}

// Room for one more, its surface, the field of a mesh and its place on a GPU: what is owned is in
// `parts`. Then the slot, or NULL.
static pliant_result open_slot(pliant_world* world, const pliant_collider_def* def,
                               collider_slot* parts, pliant_collider_id* id, collider_slot** out)
{
    distance_field* field = &parts->field;
    int64_t count = (int64_t)world->collider_count + 1;
    pliant_result result = PLIANT_OK;
    if (!mem_reserve((void**)&world->collider_list, &world->collider_capacity, count,
                     sizeof(collider)) ||
        !mem_reserve((void**)&world->collider_owner, &world->collider_owner_capacity, count,
                     sizeof(uint32_t)))
        return PLIANT_ERROR_MEMORY;
    if (def->shape == PLIANT_SHAPE_MESH)
        result = distance_field_create(def->mesh, (double)def->cell, field);
    if (!result) result = collider_surface_create(def, parts);
    if (!result && *world->gpu && field->value) result = device_add_field(*world->gpu, field);
    if (!result) *out = (collider_slot*)pool_add(&world->colliders, &id->index1, &id->generation);
    if (*out) return PLIANT_OK;
    if (*world->gpu && field->value) device_remove_field(*world->gpu, field);
    distance_field_destroy(field);
    collider_surface_destroy(parts);
    return result ? result : PLIANT_ERROR_MEMORY;
}

static void fill_slot(pliant_world* world, const pliant_collider_def* def,
                      const collider_slot* parts, collider_slot* slot, uint32_t index1)
{
    collider made = make_collider(def);
    *slot = *parts;
    slot->motion = make_motion(def);
    slot->measured = def->measure_force;
    memcpy(slot->seen, slot->motion.velocity, sizeof slot->seen);
    memcpy(slot->seen_angular, slot->motion.angular, sizeof slot->seen_angular);
    made.key = collider_hash(&made, &parts->field);
    made.field = &parts->field;
    made.reach = collider_reach(&made);
    made.thin = collider_thin(&made);
    made.slim = collider_slim(&made);
    made.load = -1;
    world->collider_list[world->collider_count] = made;
    world->collider_owner[world->collider_count++] = index1;
    world_relink_colliders(world);
}

pliant_result pliant_world_add_collider(pliant_world* world, const pliant_collider_def* def,
                                        pliant_collider_id* out)
{
    pliant_collider_id id = {0, 0};
    collider_slot parts = {0}, *slot = NULL;
    if (out) *out = id;
    if (!REQUIRE(world) || !REQUIRE_DEF(def, COOKIE_COLLIDER) || check_collider_def(def))
        return PLIANT_ERROR_ARGUMENT;
    pliant_result result = open_slot(world, def, &parts, &id, &slot);
    if (result) return result;
    fill_slot(world, def, &parts, slot, id.index1);
    if (out) *out = id;
    return PLIANT_OK;
}

void pliant_collider_remove(pliant_world* world, pliant_collider_id id)
{
    if (!REQUIRE(world)) return;
    collider_slot* slot = (collider_slot*)pool_get(&world->colliders, id.index1, id.generation);
    if (!slot) {
        assert_failed("the id is of a collider in the world", __FILE__, __LINE__);
        world_find_collider(world, id); // leaves its sentence
        return;
    }
    int at = 0;
    while (world->collider_owner[at] != id.index1) ++at;
    size_t after = (size_t)(--world->collider_count - at);
    memmove(&world->collider_list[at], &world->collider_list[at + 1], after * sizeof(collider));
    memmove(&world->collider_owner[at], &world->collider_owner[at + 1], after * sizeof(uint32_t));
    if (*world->gpu) device_remove_field(*world->gpu, &slot->field);
    distance_field_destroy(&slot->field);
    collider_surface_destroy(slot);
    pool_remove(&world->colliders, id.index1);
    world_relink_colliders(world);
}
