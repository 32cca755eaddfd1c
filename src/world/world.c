#include "world/world.h"
#include "base/cookie.h"
#include "base/platform.h"
#include "world/air.h"
#include "world/checks.h"
#include "world/joints.h"
#include "world/links.h"
#include "world/motion.h"
#include "world/nearby.h"
#include "world/paths.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

// ---- creation -----------------------------------------------------------------------------------

static bool start_executor(const pliant_world_def* def, executor* out)
{
    int width = def->threads ? def->threads : platform_core_count();
    if (def->run_tasks) width = def->run_tasks_width > 0 ? def->run_tasks_width : width;
    out->run = def->run_tasks;
    out->context = def->run_tasks_context;
    out->width = width;
    if (!def->run_tasks) out->own = workers_create(width);
    return def->run_tasks || out->own;
}

pliant_world* world_create_empty(const pliant_world_def* def)
{
    pliant_world* world = (pliant_world*)mem_alloc_zero(sizeof *world);
    if (!world) return NULL;
    world->def = *def;
    if (!world->def.lanes || world->def.lanes > platform_lanes())
        world->def.lanes = platform_lanes();
    world->bodies.item_bytes = sizeof(body*);
    world->attachments.item_bytes = sizeof(attachment_slot);
    world->joints.item_bytes = sizeof(joint_slot);
    world->colliders.item_bytes = sizeof(collider_slot);
    world->gpu = &world->own_gpu;
    world->rows = &world->own_rows;
    world->body_changes = 1;
    world->reading = platform_mutex_create();
    if (world->reading) return world;
    mem_free(world);
    return NULL;
}

pliant_result pliant_world_create_for(int header_version, const pliant_world_def* def,
                                      pliant_world** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = pliant_check_version(header_version);
    if (result) return result; // nothing in the definition is where it is looked for
    if (!REQUIRE_DEF(def, COOKIE_WORLD)) return PLIANT_ERROR_ARGUMENT;
    result = check_world_def(def);
    if (result) return result;
    pliant_world* world = world_create_empty(def);
    if (!world || !start_executor(def, &world->exec)) result = PLIANT_ERROR_MEMORY;
    if (!result && def->backend == PLIANT_BACKEND_CUDA) result = device_open(world->gpu);
    if (result) {
        world_destroy(world);
        return result;
    }
    *out = world;
    return PLIANT_OK;
}

void pliant_world_destroy(pliant_world* world)
{
    if (world && REQUIRE(!world->batch)) world_destroy(world);
}

void world_destroy(pliant_world* world)
{
    if (!world) return;
    if (*world->gpu) {
        device_remove_contacts(*world->gpu, world->remote_contacts.system);
        device_remove_joints(*world->gpu, world->remote_joints.system);
        device_remove_liquids(*world->gpu, world->flowing.there);
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b) body_destroy(world, b);
    }
    for (int i = 0; i < world->collider_count; ++i)
        world_discard_collider(world, world_collider_at(world, i), &world->collider_list[i]);
    pool_destroy(&world->bodies);
    pool_destroy(&world->attachments);
    pool_destroy(&world->colliders);
    world_free_links(world);
    pool_destroy(&world->joints);
    linkage_destroy(&world->linking);
    joint_system_destroy(&world->joining);
    bond_system_destroy(&world->bonds);
    joint_system_destroy(&world->remote_joints.told);
    mem_free(world->remote_joints.copy);
    joined_points_destroy(&world->joined);
    mem_free(world->collider_list);
    mem_free(world->collider_owner);
    mem_free(world->poses);
    nearby_destroy(&world->nearby);
    mem_free(world->leaving.number);
    mem_free(world->leaving.held);
    mem_free(world->pull);
    mem_free(world->tears.event);
    contact_system_destroy(&world->contacts);
    mem_free(world->remote_contacts.copy);
    world_release_air(world);
    fluid_destroy(&world->flowing.system);
    gas_destroy(&world->flowing.gas);
    carry_destroy(&world->flowing.carrier);
    mem_free(world->flowing.copy);
    step_scratch_destroy(&world->scratch);
    history_destroy(&world->past);
    mem_free(world->copied.rows);
    store_destroy(&world->own_rows);
    if (!world->batch) device_close(*world->gpu);
    if (!world->batch) workers_destroy(world->exec.own);
    platform_mutex_destroy(world->reading);
    mem_free(world);
}

// ---- what a world says of itself ----------------------------------------------------------------

double pliant_world_time(const pliant_world* world) { return REQUIRE(world) ? world->time : 0; }

uint64_t pliant_world_step_count(const pliant_world* world)
{
    return REQUIRE(world) ? world->step_count : 0;
}

void pliant_world_set_gravity(pliant_world* world, pliant_vec3 gravity)
{
    if (REQUIRE(world) && REQUIRE(isfinite(gravity.x + gravity.y + gravity.z)))
        world->def.gravity = gravity;
}

pliant_result pliant_world_set_substeps(pliant_world* world, int substeps)
{
    if (!REQUIRE(world)) return PLIANT_ERROR_ARGUMENT;
    pliant_world_def changed = world->def;
    changed.substeps = substeps;
    pliant_result result = check_world_def(&changed);
    if (!result) world->def.substeps = substeps;
    return result;
}

pliant_profile pliant_world_profile(const pliant_world* world)
{
    pliant_profile profile = {0};
    if (!REQUIRE(world)) return profile;
    profile = world->profile;
    if (*world->gpu) profile.device_bytes = device_bytes(*world->gpu);
    return profile;
}

pliant_result pliant_world_count_contacts(const pliant_world* world, int* out_count)
{
    if (!REQUIRE(world && out_count)) return PLIANT_ERROR_ARGUMENT;
    *out_count = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        if (!body_fetch(world, b, STATE_CONTACTS)) return PLIANT_ERROR_DEVICE;
        const state* s = &b->s;
        for (int k = 0; k < s->particle_count; ++k)
            *out_count += state_read(s, s->contact, CONTACT, k, CONTACT_PUSH) > 0;
    }
    return PLIANT_OK;
}
