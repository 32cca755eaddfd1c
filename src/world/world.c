#include "world/world.h"
#include "base/cookie.h"
#include "base/platform.h"
#include "world/home.h"
#include "world/paths.h"
#include <math.h>
#include <string.h>

pliant_world_def pliant_world_defaults(void)
{
    pliant_world_def def = {.gravity = {0, -9.81f, 0}, .iterations = 1, .cookie = COOKIE_WORLD};
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

pliant_result pliant_world_create(const pliant_world_def* def, pliant_world** out)
{
    if (!REQUIRE(out) || !REQUIRE_DEF(def, COOKIE_WORLD)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_def(def);
    if (result) return result;
    pliant_world* world = (pliant_world*)mem_alloc_zero(sizeof *world);
    if (!world) return PLIANT_ERROR_MEMORY;
    world->def = *def;
    if (!world->def.lanes) world->def.lanes = platform_lanes();
    world->bodies.item_bytes = sizeof(body*);
    world->attachments.item_bytes = sizeof(attachment_slot);
    world->colliders.item_bytes = sizeof(collider_slot);
    if (!start_executor(def, &world->exec)) result = PLIANT_ERROR_MEMORY;
    if (!result && def->backend == PLIANT_BACKEND_CUDA) result = device_open(&world->gpu);
    if (result) {
        pliant_world_destroy(world);
        return result;
    }
    *out = world;
    return PLIANT_OK;
}

void pliant_world_destroy(pliant_world* world)
{
    if (!world) return;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b) body_destroy(world, b);
    }
    for (int i = 0; i < world->colliders.count; ++i) {
        collider_slot* slot = (collider_slot*)pool_at(&world->colliders, i);
        if (slot) distance_field_destroy(&slot->field);
    }
    pool_destroy(&world->bodies);
    pool_destroy(&world->attachments);
    pool_destroy(&world->colliders);
    mem_free(world->collider_list);
    mem_free(world->collider_owner);
    mem_free(world->pull);
    mem_free(world->run);
    mem_free(world->pieces);
    mem_free(world->tasks);
    mem_free(world->copies);
    mem_free(world->past.data);
    device_close(world->gpu);
    workers_destroy(world->exec.own);
    mem_free(world);
}

// ---- the step -----------------------------------------------------------------------------------

static int choose_substeps(const pliant_world* world, float dt)
{
    int most = 1;
    if (world->def.substeps) return world->def.substeps;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        int wanted = b ? asset_substeps(b->asset, (double)dt, world->def.iterations) : 1;
        if (wanted > most) most = wanted;
    }
    return most;
}

// One warning per body, with the number to use.
static void warn_if_coarse(body* b, int number, int substeps, float dt)
{
    int fewest = asset_fewest_substeps(b->asset, (double)dt);
    if (b->warned || substeps >= fewest) return;
    b->warned = true;
    warn(
        "body %d needs at least %d substeps for a step of %g s to stay calm, and about %d for 1 %% "
        "of energy error; %d are set (0 chooses)",
        number, fewest, (double)dt, pliant_asset_substeps(b->asset, dt), substeps);
}

static void prepare_body(const pliant_world* world, body* b, const step_work* step, body_run* out)
{
    const float gravity[3] = {world->def.gravity.x, world->def.gravity.y, world->def.gravity.z};
    const plan* p = &b->asset->plan;
    memset(out, 0, sizeof *out);
    out->plan = p;
    out->s = &b->s;
    out->sweep = sweep_kernels_for(p->serial ? 1 : world->def.lanes, p->scalar_bytes);
    out->particles = particle_kernels_for(p->scalar_bytes);
    out->failed = &b->failed;
    out->work.s = &b->s;
    out->work.sees = asset_foresight(b->asset, step->dt / step->substeps, step->iterations);
    out->work.damped = p->damped;
    for (int k = 0; k < 3; ++k) out->work.acceleration[k] = b->gravity_scale * (double)gravity[k];
    out->work.colliders = world->collider_list;
    out->work.collider_count = world->collider_count;
    out->work.friction = b->friction;
    out->work.restitution = b->restitution;
}

static int piece_count(const pliant_world* world, const plan* p)
{
    return p->patched ? p->patch_count : world->exec.width;
}

// Room for the scratch of a step. False when memory runs out.
static bool reserve_scratch(pliant_world* world)
{
    int64_t pieces = 0, count = world->bodies.count;
    for (int i = 0; i < count; ++i) {
        body* b = world_body_at(world, i);
        if (b) pieces += piece_count(world, &b->asset->plan);
    }
    if (!mem_reserve((void**)&world->run, &world->run_capacity, count, sizeof *world->run) ||
        !mem_reserve((void**)&world->pieces, &world->piece_capacity, pieces,
                     sizeof *world->pieces) ||
        !mem_reserve((void**)&world->tasks, &world->task_capacity, pieces, sizeof *world->tasks) ||
        !mem_reserve((void**)&world->copies, &world->copy_capacity, count, sizeof(device_copy*)))
        return false;
    if (pieces) memset(world->pieces, 0, (size_t)pieces * sizeof *world->pieces);
    return true;
}

// Gathers the bodies into the scratch of the step: those that are stepped on a device, or the
// others, behind `used` of them. False when memory runs out.
static bool prepare_bodies(pliant_world* world, bool remote, int used, float dt, step_work* step)
{
    piece_run* pieces = world->pieces;
    step->body = world->run + used;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || (b->remote != NULL) != remote) continue;
        body_run* run = &step->body[step->body_count++];
        prepare_body(world, b, step, run);
        if (!body_list_paths(b, &run->work)) return false;
        run->pieces = pieces;
        run->piece_count = piece_count(world, run->plan);
        pieces += run->piece_count;
        warn_if_coarse(b, i, step->substeps, dt);
    }
    step->tasks = world->tasks;
    return true;
}

// Moving pins and points have arrived.
static void finish_paths(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        b->mover_count = 0;
        for (int k = 0; k < b->holder_count; ++k)
            memcpy(b->holders[k].from, b->holders[k].to, sizeof(double[3]));
    }
}

pliant_result world_report_failures(const pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b && b->failed)
            return fail(
                PLIANT_ERROR_DIVERGED,
                "body %d left the finite numbers by step %llu (time %g s) and is frozen: use "
                "more substeps, then restore a snapshot or write its positions",
                i, (unsigned long long)world->step_count, world->time);
    }
    return PLIANT_OK;
}

static bool keep_history(pliant_world* world)
{
    history* past = &world->past;
    if (!world->def.history) return true;
    size_t bytes = snapshot_bytes(world);
    if (past->bytes != bytes) {
        mem_free(past->data);
        memset(past, 0, sizeof *past);
        past->data = mem_array((size_t)world->def.history, bytes);
        if (!past->data) return false;
        past->bytes = bytes;
        past->capacity = world->def.history;
    }
    snapshot_write(world, (char*)past->data + (size_t)past->next * bytes);
    past->next = (past->next + 1) % past->capacity;
    if (past->count < past->capacity) past->count++;
    return true;
}

pliant_result pliant_world_step(pliant_world* world, float dt)
{
    if (!REQUIRE(world) || !REQUIRE(dt >= 0 && isfinite(dt))) return PLIANT_ERROR_ARGUMENT;
    double start = platform_seconds();
    pliant_profile profile = {.substeps = choose_substeps(world, dt),
                              .iterations = world->def.iterations,
                              .threads = world->exec.width,
                              .lanes = world->def.lanes};
    step_work here = {.exec = &world->exec,
                      .substeps = profile.substeps,
                      .iterations = profile.iterations,
                      .dt = (double)dt,
                      .profile = &profile},
              there = here;
    if (!reserve_scratch(world) || !prepare_bodies(world, false, 0, dt, &here) ||
        !prepare_bodies(world, true, here.body_count, dt, &there) || !keep_history(world))
        return PLIANT_ERROR_MEMORY;
    platform_float_mode mode = platform_flush_denormals();
    pliant_result result = dt > 0 ? world_run_there(world, &there) : PLIANT_OK;
    if (dt > 0) step_run(&here);
    platform_restore_float_mode(mode);
    if (result) return result;
    if (dt > 0) finish_paths(world);
    if (dt > 0) world->substep = (double)dt / profile.substeps;
    world->time += (double)dt;
    world->step_count++;
    profile.total = platform_seconds() - start;
    world->profile = profile;
    return world_report_failures(world);
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
    if (world->gpu) profile.device_bytes = device_bytes(world->gpu);
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !body_fetch(world, b, STATE_CONTACTS)) continue;
        const state* s = &b->s;
        for (int k = 0; k < s->particle_count; ++k)
            profile.contacts_found += state_read(s, s->contact, CONTACT, k, CONTACT_PUSH) > 0;
    }
    return profile;
}
