#include "cuda/repeat.h"
#include "cuda/contacts.h"
#include "cuda/joints.h"
#include "cuda/liquids.h"
#include "cuda/listed.h"
#include "cuda/mirror.h"
#include <string.h>

// ---- before a step ------------------------------------------------------------------------------

static bool add_chunk(staging* g, store_chunk* c)
{
    for (int i = 0; i < g->chunk_count; ++i)
        if (g->chunk[i] == c) return true;
    if (!mem_reserve((void**)&g->chunk, &g->chunk_capacity, (int64_t)g->chunk_count + 1,
                     sizeof(void*)))
        return false;
    g->chunk[g->chunk_count++] = c;
    return true;
}

static bool add_flowing(staging* g, device_copy* c)
{
    if (!c->s.flow && !c->s.matched.turn) return true;
    if (!mem_reserve((void**)&g->flowing, &g->flowing_capacity, (int64_t)g->flowing_count + 1,
                     sizeof(void*)))
        return false;
    g->flowing[g->flowing_count++] = c;
    return true;
}

pliant_result prepare_to_repeat(device* d, staging* g, const step_work* step,
                                device_copy* const* copy)
{
    cudaError_t error = cudaSuccess;
    bool awake = false;
    g->may_repeat = false;
    g->liquids = step->liquids;
    g->contact_count = g->chunk_count = g->list_count = g->known_count = 0;
    g->flowing_count = g->joint_count = 0;
    g->first = d->next_meeting;
    for (int i = 0; i < step->meeting_count; ++i) awake = awake || !step->meetings[i].sleeps;
    if (step->meeting_count == 0 && !step->liquids) return PLIANT_OK;
    if (!mem_reserve((void**)&g->contacts, &g->contact_capacity, step->meeting_count,
                     sizeof(void*)) ||
        !mem_reserve((void**)&g->joints, &g->joint_capacity, step->joint_count, sizeof(void*)))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < step->joint_count; ++i) g->joints[g->joint_count++] = step->joints[i];
    for (int i = 0; i < step->meeting_count; ++i)
        g->contacts[g->known_count++] = (device_contacts*)step->meetings[i].system;
    if (awake) g->contact_count = g->known_count;
    g->may_repeat = awake || step->liquids;
    if (!g->may_repeat) return PLIANT_OK;
    for (int i = 0; i < step->body_count; ++i)
        if (!add_chunk(g, copy[i]->chunk) || !add_flowing(g, copy[i])) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < g->chunk_count && !error; ++i) error = mirror_keep(d, g->chunk[i]);
    if (!error) error = rigid_keep(d);
    for (int i = 0; i < g->flowing_count && !error; ++i) {
        error = flow_keep(d, g->flowing[i]);
        if (!error) error = clusters_keep(d, g->flowing[i]);
    }
    return cuda_check(error, "keeping a step");
}

bool keep_list(device* d, staging* g)
{
    if (!g->may_repeat) return true;
    if (!mem_reserve((void**)&g->list, &g->list_capacity, d->list_count, sizeof *g->list))
        return false;
    memcpy(g->list, d->list, (size_t)d->list_count * sizeof *g->list);
    g->list_count = d->list_count;
    return true;
}

// It is done, and nobody asks any more.
static void forget_step(staging* g)
{
    g->may_repeat = false;
    g->contact_count = g->known_count = g->joint_count = 0;
    g->liquids = NULL;
}

void forget_contacts(device* d, const device_contacts* c)
{
    for (int i = 0; i < 2; ++i) {
        staging* g = &d->staging[i];
        for (int k = 0; k < g->known_count; ++k)
            if (g->contacts[k] == c) forget_step(g);
    }
}

void forget_joints(device* d, const device_joints* j)
{
    for (int i = 0; i < 2; ++i) {
        staging* g = &d->staging[i];
        for (int k = 0; k < g->joint_count; ++k)
            if (g->joints[k] == j) forget_step(g);
    }
}

void forget_liquids(device* d, const device_liquids* l)
{
    for (int i = 0; i < 2; ++i)
        if (d->staging[i].liquids == l) forget_step(&d->staging[i]);
}

// ---- after it -----------------------------------------------------------------------------------

cudaError_t send_report(device* d, staging* g)
{
    cudaError_t error = cudaEventRecord(g->ran, d->stream);
    if (!error) error = cudaStreamWaitEvent(d->report, g->ran, 0);
    if (!error)
        error = cudaMemcpyAsync(g->failed_at, d->diverged, (size_t)g->slots * sizeof(long long),
                                cudaMemcpyDeviceToHost, d->report);
    for (int i = 0; i < g->known_count && !error; ++i) {
        error = contacts_report(d, g->contacts[i]);
        if (!error) error = contacts_report_bounds(d, g->contacts[i], (int)(g - d->staging));
    }
    if (!error && g->liquids) error = liquids_report(d, g->liquids);
    return error ? error : cudaEventRecord(g->done, d->report);
}

static bool need_more(const staging* g)
{
    for (int i = 0; i < g->contact_count; ++i)
        if (contacts_need_more(g->contacts[i])) return true;
    return g->liquids && liquids_need_more(g->liquids);
}

// Whoever failed in it may not fail when it is repeated.
static cudaError_t forget_failures(device* d, const staging* g)
{
    const long long never = NEVER;
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < g->slots && !error; ++i)
        if (g->failed_at[i] >= g->first && g->failed_at[i] != NEVER)
            error = cudaMemcpyAsync(d->diverged + i, &never, sizeof never, cudaMemcpyHostToDevice,
                                    d->stream);
    return error;
}

static pliant_result repeat(device* d, staging* g)
{
    pliant_result result = PLIANT_OK;
    cudaError_t error = cudaStreamSynchronize(d->stream);
    for (int i = 0; i < g->contact_count && !result && !error; ++i)
        result = contacts_start_again(d, g->contacts[i]);
    if (!result && !error && g->liquids) result = liquids_start_again(d, g->liquids);
    if (result) return result;
    for (int i = 0; i < g->joint_count && !error; ++i) error = joints_start_again(d, g->joints[i]);
    for (int i = 0; i < g->chunk_count && !error; ++i) error = mirror_take_back(d, g->chunk[i]);
    if (!error) error = rigid_take_back(d);
    for (int i = 0; i < g->flowing_count && !error; ++i) {
        error = flow_take_back(d, g->flowing[i]);
        if (!error) error = clusters_take_back(d, g->flowing[i]);
    }
    if (!error) error = forget_failures(d, g);
    if (!error)
        error = cudaMemcpyAsync(g->there, g->memory, g->bytes, cudaMemcpyHostToDevice, d->stream);
    if (!error) error = launch_kernels(g->list, g->list_count, d->stream);
    if (!error) error = send_report(d, g);
    if (!error) error = cudaEventSynchronize(g->done);
    return cuda_check(error, "repeating a step");
}

pliant_result repeat_if_needed(device* d, staging* g)
{
    pliant_result result = PLIANT_OK;
    if (!g->used || !g->may_repeat) return PLIANT_OK;
    cudaError_t error = cudaEventSynchronize(g->done);
    while (!error && !result && need_more(g)) result = repeat(d, g);
    g->may_repeat = false;
    return result ? result : cuda_check(error, "the step");
}
