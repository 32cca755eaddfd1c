#include "world/world.h"
#include "base/cookie.h"
#include "base/platform.h"
#include "world/paths.h"
#include "world/residency.h"
#include "world/swept.h"
#include <math.h>
#include <string.h>

pliant_world_def pliant_world_defaults(void)
{
    pliant_world_def def = {.gravity = {0, -9.81f, 0},
                            .iterations = 1,
                            .contacts = true,
                            .contact_passes = 1,
                            .exit_speed = 0.4f,
                            .cookie = COOKIE_WORLD};
    return def;
}

// ---- creation -----------------------------------------------------------------------------------

static pliant_result check_def(const pliant_world_def* def)
{
    if (def->substeps < 0 || def->iterations < 1)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "substeps %d and iterations %d: use 0 or more and 1 or more", def->substeps,
                    def->iterations);
    if (def->threads < 0 || def->threads > 1024)
        return fail(PLIANT_ERROR_ARGUMENT, "threads is %d, it must be 0 to 1024", def->threads);
    if (def->lanes != 0 && def->lanes != 1 && def->lanes != 4 && def->lanes != 8 &&
        def->lanes != 16)
        return fail(PLIANT_ERROR_ARGUMENT, "lanes is %d, it must be 0, 1, 4, 8 or 16", def->lanes);
    if (!isfinite(def->gravity.x + def->gravity.y + def->gravity.z))
        return fail(PLIANT_ERROR_ARGUMENT, "gravity is not finite");
    if (def->backend < PLIANT_BACKEND_AUTO || def->backend > PLIANT_BACKEND_CUDA)
        return fail(PLIANT_ERROR_ARGUMENT, "backend is %d: use auto, cpu or cuda",
                    (int)def->backend);
    if (def->arithmetic < PLIANT_ARITHMETIC_EXACT || def->arithmetic > PLIANT_ARITHMETIC_FAST)
        return fail(PLIANT_ERROR_ARGUMENT, "arithmetic is %d: use exact or fast",
                    (int)def->arithmetic);
    if (def->launch_mode < PLIANT_LAUNCH_MODE_GRAPH || def->launch_mode > PLIANT_LAUNCH_MODE_EACH)
        return fail(PLIANT_ERROR_ARGUMENT, "launch_mode is %d: use graph or each",
                    (int)def->launch_mode);
    if (!(def->exit_speed > 0 && isfinite(def->exit_speed)))
        return fail(PLIANT_ERROR_ARGUMENT, "exit_speed is %g, it must be above 0 [m/s]",
                    (double)def->exit_speed);
    if (def->contact_passes < 1 || def->contact_passes > 1000)
        return fail(PLIANT_ERROR_ARGUMENT, "contact_passes is %d, it must be 1 to 1000",
                    def->contact_passes);
    if (def->history < 0) return fail(PLIANT_ERROR_ARGUMENT, "history is %d", def->history);
    return PLIANT_OK;
}

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
    world->colliders.item_bytes = sizeof(collider_slot);
    world->gpu = &world->own_gpu;
    world->rows = &world->own_rows;
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
    result = check_def(def);
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
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b) body_destroy(world, b);
    }
    for (int i = 0; i < world->colliders.count; ++i) {
        collider_slot* slot = (collider_slot*)pool_at(&world->colliders, i);
        if (slot && *world->gpu) device_remove_field(*world->gpu, &slot->field);
        if (slot) distance_field_destroy(&slot->field);
        if (slot) collider_surface_destroy(slot);
    }
    pool_destroy(&world->bodies);
    pool_destroy(&world->attachments);
    pool_destroy(&world->colliders);
    mem_free(world->collider_list);
    mem_free(world->collider_owner);
    mem_free(world->poses);
    mem_free(world->pull);
    contact_system_destroy(&world->contacts);
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
