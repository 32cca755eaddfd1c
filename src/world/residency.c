#include "world/residency.h"

// ---- bodies -------------------------------------------------------------------------------------

static pliant_result open_device(pliant_world* world)
{
    return *world->gpu ? PLIANT_OK : device_open(world->gpu);
}

// Every collider's field that is not there yet.
static pliant_result send_fields(pliant_world* world)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < world->collider_count && !result; ++i) {
        const collider* c = &world->collider_list[i];
        if (c->field && c->field->value) result = device_add_field(*world->gpu, c->field);
    }
    return result;
}

static pliant_result settle(pliant_world* world, body* b)
{
    if (b->asset->plan.serial)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the serial schedule is the processor's reference: use another one, or the "
                    "backend cpu");
    const enclosure* inside = b->asset->inside.start ? &b->asset->inside : NULL;
    pliant_result result = open_device(world);
    if (!result) result = send_fields(world);
    if (!result)
        result =
            device_add(*world->gpu, &b->asset->plan, inside, world->def.iterations, &b->remote);
    if (!result) b->newer_here = STATE_ALL;
    return result;
}

pliant_result body_settle(pliant_world* world, body* b)
{
    pliant_backend wanted = world->def.backend;
    if (wanted == PLIANT_BACKEND_AUTO) wanted = b->asset->def.solver.target_backend;
    if (wanted != PLIANT_BACKEND_CUDA) return PLIANT_OK;
    pliant_result result = settle(world, b);
    if (!result || world->def.backend == PLIANT_BACKEND_CUDA) return result;
    if (!world->stays_here)
        warn("the processor steps what was made for a GPU: %s", pliant_error_text());
    world->stays_here = true;
    return PLIANT_OK;
}

void body_unsettle(pliant_world* world, body* b)
{
    if (b->remote) device_remove(*world->gpu, b->remote);
    b->remote = NULL;
}

// A device says what became of a step when it is through with it: here of the last but one.
static void note_failure(const pliant_world* world, body* b)
{
    if (b->remote && device_has_failed(*world->gpu, b->remote)) b->failed = true;
}

static bool fetch(const pliant_world* world, body* b, unsigned arrays)
{
    unsigned missing = b->newer_there & arrays;
    if (!missing) return true;
    if (device_download(*world->gpu, b->remote, &b->s, missing) != PLIANT_OK) return false;
    b->newer_there &= ~missing;
    note_failure(world, b);
    return true;
}

// Readers may be several threads: one brings what all see.
bool body_fetch(const pliant_world* world, body* b, unsigned arrays)
{
    if (!b->remote) return true;
    platform_mutex_lock(world->reading);
    bool good = fetch(world, b, arrays);
    platform_mutex_unlock(world->reading);
    return good;
}

bool body_edit(const pliant_world* world, body* b, unsigned arrays)
{
    if (!body_fetch(world, b, arrays)) return false;
    if (b->remote) b->newer_here |= arrays;
    return true;
}

bool body_revive(const pliant_world* world, body* b)
{
    b->failed = false;
    return !b->remote || device_revive(*world->gpu, b->remote) == PLIANT_OK;
}

// ---- the step -----------------------------------------------------------------------------------

static pliant_result send_changes(pliant_world* world, body* b)
{
    if (!b->newer_here) return PLIANT_OK;
    pliant_result result = device_upload(*world->gpu, b->remote, &b->s, b->newer_here);
    if (!result) b->newer_here = 0;
    return result;
}

pliant_result world_send_changes(pliant_world* world)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < world->bodies.count && !result; ++i) {
        body* b = world_body_at(world, i);
        if (b && b->remote) result = send_changes(world, b);
    }
    return result;
}

void world_note_step(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !b->remote) continue;
        if (!b->failed) b->newer_there |= STATE_STEPPED;
        note_failure(world, b);
    }
}

void world_note_failures(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b) note_failure(world, b);
    }
}

pliant_result pliant_world_wait(pliant_world* world)
{
    if (!REQUIRE(world)) return PLIANT_ERROR_ARGUMENT;
    if (!*world->gpu) return world_report_failures(world);
    pliant_result result = device_wait(*world->gpu);
    if (!result) world_note_failures(world);
    return result ? result : world_report_failures(world);
}

const char* pliant_world_device(const pliant_world* world)
{
    if (!REQUIRE(world) || !*world->gpu) return NULL;
    bool used = world->def.backend == PLIANT_BACKEND_CUDA;
    for (int i = 0; i < world->bodies.count && !used; ++i) {
        body* b = world_body_at(world, i);
        used = b && b->remote;
    }
    return used ? device_name(*world->gpu) : NULL;
}

pliant_result pliant_body_view_state(pliant_world* world, pliant_body_id id, pliant_state_view* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_state_view){0};
    body* b = world_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    const plan* p = &b->asset->plan;
    size_t bytes = (size_t)p->scalar_bytes;
    device_arrays there = {0};
    pliant_result result = b->remote ? send_changes(world, b) : PLIANT_OK;
    if (!result && b->remote) result = device_find_arrays(*world->gpu, b->remote, &there);
    if (result) return result;
    if (b->remote) b->newer_there |= STATE_ROWS | STATE_VELOCITIES; // they may be written there
    body_start_anew(b);
    *out = (pliant_state_view){.rows = b->remote ? there.row : b->s.row,
                               .velocities = b->remote ? there.velocity : b->s.velocity,
                               .row = b->remote ? there.first : p->copies.first,
                               .stream = there.stream,
                               .row_stride = ROW * bytes,
                               .velocity_stride = ROW4 * bytes,
                               .count = p->particle_count,
                               .row_count = p->row_count,
                               .scalar_bytes = p->scalar_bytes,
                               .copies = plan_copies(p),
                               .on_device = b->remote != NULL};
    return PLIANT_OK;
}
