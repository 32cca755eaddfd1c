#include "world/batch.h"
#include "world/residency.h"
#include "world/stepping.h"
#include <math.h>
#include <stdio.h>

pliant_result pliant_batch_create(const pliant_world_def* def, pliant_batch** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_batch* batch = (pliant_batch*)mem_alloc_zero(sizeof *batch);
    if (!batch) return PLIANT_ERROR_MEMORY;
    pliant_result result = pliant_world_create(def, &batch->shared);
    if (result) {
        mem_free(batch);
        return result;
    }
    *out = batch;
    return PLIANT_OK;
}

void pliant_batch_destroy(pliant_batch* batch)
{
    if (!batch) return;
    for (int i = 0; i < batch->count; ++i) world_destroy(batch->world[i]);
    batch_forget(batch);
    world_destroy(batch->shared);
    step_scratch_destroy(&batch->scratch);
    mem_free(batch->world);
    mem_free(batch);
}

pliant_result pliant_batch_add(pliant_batch* batch, pliant_world** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    if (!REQUIRE(batch)) return PLIANT_ERROR_ARGUMENT;
    if (!mem_reserve((void**)&batch->world, &batch->capacity, (int64_t)batch->count + 1,
                     sizeof(void*)))
        return PLIANT_ERROR_MEMORY;
    pliant_world* world = world_create_empty(&batch->shared->def);
    if (!world) return PLIANT_ERROR_MEMORY;
    world->batch = batch;
    world->exec = batch->shared->exec;
    world->gpu = batch->shared->gpu;
    world->rows = batch->shared->rows;
    batch->world[batch->count++] = world;
    *out = world;
    return PLIANT_OK;
}

int pliant_batch_count(const pliant_batch* batch) { return REQUIRE(batch) ? batch->count : 0; }

pliant_world* pliant_batch_world(const pliant_batch* batch, int number)
{
    return REQUIRE(batch && number >= 0 && number < batch->count) ? batch->world[number] : NULL;
}

static pliant_result report(const pliant_batch* batch)
{
    for (int i = 0; i < batch->count; ++i) {
        char text[256];
        if (world_report_failures(batch->world[i]) == PLIANT_OK) continue;
        snprintf(text, sizeof text, "%s", pliant_error_text());
        return fail(PLIANT_ERROR_DIVERGED, "world %d: %s", i, text);
    }
    return PLIANT_OK;
}

pliant_result pliant_batch_step(pliant_batch* batch, float dt)
{
    if (!REQUIRE(batch) || !REQUIRE(dt >= 0 && isfinite(dt))) return PLIANT_ERROR_ARGUMENT;
    if (batch->count == 0) return PLIANT_OK;
    pliant_result result = worlds_step(batch->world, batch->count, &batch->scratch, dt);
    return result ? result : report(batch);
}

pliant_result pliant_batch_wait(pliant_batch* batch)
{
    if (!REQUIRE(batch)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = *batch->shared->gpu ? device_wait(*batch->shared->gpu) : PLIANT_OK;
    for (int i = 0; i < batch->count && !result; ++i) world_note_failures(batch->world[i]);
    return result ? result : report(batch);
}
