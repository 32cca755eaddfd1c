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
                  .two_sided = def->two_sided,
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

uint64_t collider_hash(const collider* c)
{
    const double sizes[] = {c->half_extents[0], c->half_extents[1], c->half_extents[2], c->radius,
                            c->half_height};
    uint64_t hash = hash_mix(HASH_SEED, (uint64_t)c->shape);
    size_t bytes;
    const void* data = collider_data(c, &bytes);
    hash = hash_bytes(hash, c->position, sizeof c->position);
    hash = hash_bytes(hash, c->axis, sizeof c->axis);
    hash = hash_bytes(hash, sizes, sizeof sizes);
    if (!data) return hash;
    if (c->shape == PLIANT_SHAPE_MESH)
        hash = hash_bytes(hash, c->field->origin, sizeof c->field->origin);
    return hash_bytes(hash, data, bytes);
}

static void point_to_parts(collider* c, const collider_slot* parts)
{
    c->field = &parts->field;
    c->hull = &parts->hull;
    c->net = &parts->net;
}

static void link_collider(pliant_world* world, int number)
{
    collider* c = &world->collider_list[number];
    point_to_parts(c, world_collider_at(world, number));
    world->collider_key = hash_mix(world->collider_key, c->key);
    world->swept_count += collider_has_surface(world, number);
    world->net_count += c->shape == PLIANT_SHAPE_TRIANGLES;
    world->hull_count += c->shape == PLIANT_SHAPE_CONVEX;
}

void world_relink_colliders(pliant_world* world)
{
    world->collider_key = HASH_SEED;
    world->swept_count = world->net_count = world->hull_count = 0;
    for (int i = 0; i < world->collider_count; ++i) link_collider(world, i);
}

// Items of a pool move when it grows: the packed list points into them. One of thousands is linked
// alone.
static void link_last(pliant_world* world, const void* items_before)
{
    if (world->collider_count > 1 && world->colliders.item == items_before)
        link_collider(world, world->collider_count - 1);
    else
        world_relink_colliders(world);
}

// ---- what it is made of -------------------------------------------------------------------------

static double longest_side(const net* n)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) most = fmax(most, n->high[k] - n->low[k]);
    return most;
}

// Points come no nearer to a triangle than a twentieth of its thickness, and that is to be more
// than what is lost by rounding.
static pliant_result check_thickness(const pliant_collider_def* def, const net* n)
{
    double least = 1e-5 * longest_side(n);
    if (def->thickness == 0 || (double)def->thickness >= least) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "collider: a thickness of %g m is too little for triangles that reach over %g m: "
                "take at least %.2g m, or 0 for a hundredth of their edges",
                (double)def->thickness, longest_side(n), least);
}

static pliant_result make_parts(const pliant_collider_def* def, collider_slot* out)
{
    pliant_result result = PLIANT_OK;
    if (def->shape == PLIANT_SHAPE_MESH)
        result = distance_field_create(def->mesh, (double)def->cell, &out->field);
    if (def->shape == PLIANT_SHAPE_CONVEX) {
        pliant_mesh_arrays view = pliant_mesh_view(def->mesh);
        result = hull_create(view.vertices, view.vertex_count, &out->hull);
    }
    if (def->shape == PLIANT_SHAPE_TRIANGLES) {
        result = net_create(def->mesh, &out->net);
        if (!result) result = check_thickness(def, &out->net);
    }
    return result ? result : collider_surface_create(def, out);
}

static void destroy_parts(collider_slot* parts)
{
    distance_field_destroy(&parts->field);
    hull_destroy(&parts->hull);
    net_destroy(&parts->net);
    collider_surface_destroy(parts);
}

double collider_sheet_thickness(const pliant_collider_def* def, const net* n)
{
    if (def->thickness > 0) return (double)def->thickness;
    return fmax(n->mean_edge / 100, 1e-5 * longest_side(n));
}

static pliant_result send_data(pliant_world* world, const collider* c)
{
    size_t bytes;
    const void* data = collider_data(c, &bytes);
    return *world->gpu && data ? device_add_data(*world->gpu, data, bytes) : PLIANT_OK;
}

static void drop_data(pliant_world* world, const collider* c)
{
    size_t bytes;
    const void* data = collider_data(c, &bytes);
    if (*world->gpu && data) device_remove_data(*world->gpu, data);
}

void world_discard_collider(pliant_world* world, collider_slot* slot, const collider* c)
{
    drop_data(world, c);
    destroy_parts(slot);
}

// Room for one more, what it is made of and its place on a GPU: what is owned is in `parts`. Then
// the slot, or NULL.
static pliant_result open_slot(pliant_world* world, const pliant_collider_def* def, collider* made,
                               collider_slot* parts, pliant_collider_id* id, collider_slot** out)
{
    int64_t count = (int64_t)world->collider_count + 1;
    if (!mem_reserve((void**)&world->collider_list, &world->collider_capacity, count,
                     sizeof(collider)) ||
        !mem_reserve((void**)&world->collider_owner, &world->collider_owner_capacity, count,
                     sizeof(uint32_t)))
        return PLIANT_ERROR_MEMORY;
    pliant_result result = make_parts(def, parts);
    point_to_parts(made, parts);
    if (!result) result = send_data(world, made);
    if (!result) *out = (collider_slot*)pool_add(&world->colliders, &id->index1, &id->generation);
    if (*out) return PLIANT_OK;
    if (!result) drop_data(world, made);
    destroy_parts(parts);
    return result ? result : PLIANT_ERROR_MEMORY;
}

static void fill_slot(pliant_world* world, const pliant_collider_def* def, collider made,
                      const collider_slot* parts, collider_slot* slot, uint32_t index1)
{
    *slot = *parts;
    slot->motion = make_motion(def);
    slot->measured = def->measure_force;
    memcpy(slot->seen, slot->motion.velocity, sizeof slot->seen);
    memcpy(slot->seen_angular, slot->motion.angular, sizeof slot->seen_angular);
    point_to_parts(&made, slot);
    made.thickness = collider_sheet_thickness(def, &slot->net);
    made.key = collider_hash(&made);
    made.reach = collider_reach(&made);
    made.thin = collider_thin(&made);
    made.slim = collider_slim(&made);
    made.load = -1;
    world->collider_changes++;
    world->collider_list[world->collider_count] = made;
    world->collider_owner[world->collider_count++] = index1;
}

pliant_result pliant_world_add_collider(pliant_world* world, const pliant_collider_def* def,
                                        pliant_collider_id* out)
{
    pliant_collider_id id = {0, 0};
    collider_slot parts = {0}, *slot = NULL;
    if (out) *out = id;
    if (!REQUIRE(world) || !REQUIRE_DEF(def, COOKIE_COLLIDER) || check_collider_def(def))
        return PLIANT_ERROR_ARGUMENT;
    collider made = make_collider(def);
    const void* items = world->colliders.item;
    pliant_result result = open_slot(world, def, &made, &parts, &id, &slot);
    if (result) return result;
    fill_slot(world, def, made, &parts, slot, id.index1);
    link_last(world, items);
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
    world->collider_changes++;
    while (world->collider_owner[at] != id.index1) ++at;
    world_discard_collider(world, slot, &world->collider_list[at]);
    size_t after = (size_t)(--world->collider_count - at);
    memmove(&world->collider_list[at], &world->collider_list[at + 1], after * sizeof(collider));
    memmove(&world->collider_owner[at], &world->collider_owner[at + 1], after * sizeof(uint32_t));
    pool_remove(&world->colliders, id.index1);
    world_relink_colliders(world);
}
