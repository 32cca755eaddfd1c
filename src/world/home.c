#include "world/home.h"

// ---- bodies -------------------------------------------------------------------------------------

static bool open_device(pliant_world* world)
{
    return world->gpu || device_open(&world->gpu) == PLIANT_OK;
}

// Every collider's field that is not there yet.
static bool send_fields(pliant_world* world)
{
    for (int i = 0; i < world->collider_count; ++i) {
        const collider* c = &world->collider_list[i];
        if (c->field && device_add_field(world->gpu, c->field) != PLIANT_OK) return false;
    }
    return true;
}

static bool settle(pliant_world* world, body* b)
{
    if (b->asset->plan.serial) {
        fail(PLIANT_ERROR_UNSUPPORTED,
             "the serial schedule is the processor's reference: use another one, or the backend "
             "cpu");
        return false;
    }
    if (!open_device(world) || !send_fields(world) ||
        device_add(world->gpu, &b->asset->plan, world->def.iterations, &b->remote) != PLIANT_OK)
        return false;
    b->newer_here = STATE_ALL;
    return true;
}

bool body_settle(pliant_world* world, body* b)
{
    pliant_backend wanted = world->def.backend;
    if (wanted == PLIANT_BACKEND_AUTO) wanted = b->asset->def.made_for;
    if (wanted != PLIANT_BACKEND_CUDA || settle(world, b)) return true;
    if (world->def.backend == PLIANT_BACKEND_CUDA) return false;
    if (!world->stays_here)
        warn("the processor steps what was made for a GPU: %s", pliant_error_text());
    world->stays_here = true;
    return true;
}

void body_unsettle(pliant_world* world, body* b)
{
    if (b->remote) device_remove(world->gpu, b->remote);
    b->remote = NULL;
}

// A device says what became of a step when it is through with it: here of the last but one.
static void note_failure(const pliant_world* world, body* b)
{
    if (b->remote && device_has_failed(world->gpu, b->remote)) b->failed = true;
}

bool body_fetch(const pliant_world* world, body* b, unsigned arrays)
{
    unsigned missing = b->newer_there & arrays;
    if (!missing) return true;
    if (device_download(world->gpu, b->remote, &b->s, missing) != PLIANT_OK) return false;
    b->newer_there &= ~missing;
    note_failure(world, b);
    return true;
}

bool body_edit(const pliant_world* world, body* b, unsigned arrays)
{
    if (!body_fetch(world, b, arrays)) return false;
    if (b->remote) b->newer_here |= arrays;
    return true;
}

// ---- the step -----------------------------------------------------------------------------------

static pliant_result send_changes(pliant_world* world, body* b)
{
    if (!b->newer_here) return PLIANT_OK;
    pliant_result result = device_upload(world->gpu, b->remote, &b->s, b->newer_here);
    if (!result) b->newer_here = 0;
    return result;
}

pliant_result world_run_there(pliant_world* world, step_work* step)
{
    int count = 0;
    if (step->body_count == 0) return PLIANT_OK;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !b->remote) continue;
        pliant_result result = send_changes(world, b);
        if (result) return result;
        world->copies[count++] = b->remote;
    }
    step_prepare(step);
    pliant_result result =
        device_step(world->gpu, step, world->copies, world->def.launches == PLIANT_LAUNCH_GRAPH);
    for (int i = 0; i < world->bodies.count && !result; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !b->remote) continue;
        if (!b->failed) b->newer_there |= STATE_STEPPED;
        note_failure(world, b);
    }
    return result;
}

pliant_result pliant_world_wait(pliant_world* world)
{
    if (!REQUIRE(world)) return PLIANT_ERROR_ARGUMENT;
    if (!world->gpu) return world_report_failures(world);
    pliant_result result = device_wait(world->gpu);
    for (int i = 0; i < world->bodies.count && !result; ++i) {
        body* b = world_body_at(world, i);
        if (b) note_failure(world, b);
    }
    return result ? result : world_report_failures(world);
}

const char* pliant_world_device(const pliant_world* world)
{
    return REQUIRE(world) && world->gpu ? device_name(world->gpu) : NULL;
}
