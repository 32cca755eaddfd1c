#include "cuda/contacts.h"
#include "cuda/mirror.h"
#include "cuda/pack.h"
#include <stdio.h>
#include <string.h>

// ---- the device ---------------------------------------------------------------------------------

// The calling thread's, which is the first one if nobody chose another.
static pliant_result choose_device(struct cudaDeviceProp* out, int* number)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorInsufficientDriver)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the NVIDIA driver is missing or too old for CUDA %d.%d: update it, or use the "
                    "backend cpu",
                    CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    if (error || count == 0)
        return fail(PLIANT_ERROR_UNSUPPORTED, "no NVIDIA GPU was found (%s): use the backend cpu",
                    error ? cudaGetErrorString(error) : "no device");
    error = cudaGetDevice(number);
    if (!error) error = cudaGetDeviceProperties(out, *number);
    if (error) return cuda_check(error, "looking at the GPU");
    if (out->major * 10 + out->minor < 75)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the GPU %s has compute capability %d.%d, and 7.5 is needed: use the backend "
                    "cpu",
                    out->name, out->major, out->minor);
    return PLIANT_OK;
}

// Two compilers see the same structures.
static bool sizes_agree(const fill_functions* fill, const device_kernels* kernels)
{
    return fill->body_bytes == kernels->body_bytes &&
           fill->obstacle_bytes == kernels->obstacle_bytes;
}
static bool meetings_agree(int scalar_bytes)
{
    const meeting_kernels* there = meeting_kernels_for(scalar_bytes);
    const finding_kernels* here = finding_kernels_for(scalar_bytes);
    return there->body_bytes == sizeof(contact_body) &&
           there->meeting_bytes == sizeof(device_meeting) &&
           there->listed_bytes == here->listed_bytes && there->state_bytes == here->state_bytes;
}

static pliant_result start(device* d)
{
    if (!sizes_agree(&fill_single, &device_kernels_single) ||
        !sizes_agree(&fill_single, &device_kernels_fast) ||
        !sizes_agree(&fill_double, &device_kernels_double) || !meetings_agree(4) ||
        !meetings_agree(8))
        return fail(PLIANT_ERROR_DEVICE,
                    "the kernels were built with another layout than the library: rebuild it");
    cudaStream_t* const streams[] = {&d->stream, &d->bring, &d->report};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 3 && !error; ++i)
        error = cudaStreamCreateWithFlags(streams[i], cudaStreamNonBlocking);
    for (int i = 0; i < 2; ++i) {
        staging* g = &d->staging[i];
        cudaEvent_t* const events[] = {&g->brought, &g->ran, &g->done};
        for (int k = 0; k < 3 && !error; ++k)
            error = cudaEventCreateWithFlags(events[k], cudaEventDisableTiming);
    }
    return cuda_check(error, "starting the GPU");
}

static void discard_staging(staging* g)
{
    cudaEvent_t const events[] = {g->brought, g->ran, g->done};
    for (int i = 0; i < GRAPHS; ++i)
        if (g->graph[i]) cudaGraphExecDestroy(g->graph[i]);
    cudaFreeHost(g->memory);
    cudaFree(g->there);
    cudaFreeHost(g->failed_at);
    mem_free(g->contacts);
    mem_free(g->joints);
    mem_free(g->chunk);
    mem_free(g->flowing);
    mem_free(g->list);
    for (int i = 0; i < 3; ++i)
        if (events[i]) cudaEventDestroy(events[i]);
}

pliant_result device_open(device** out)
{
    struct cudaDeviceProp properties;
    int number = 0;
    *out = NULL;
    pliant_result result = choose_device(&properties, &number);
    if (result) return result;
    device* d = (device*)mem_alloc_zero(sizeof *d);
    if (!d) return PLIANT_ERROR_MEMORY;
    snprintf(d->name, sizeof d->name, "%s", properties.name);
    d->number = number;
    d->next_meeting = 1; // no memory that was cleared looks like it
    result = start(d);
    if (result) {
        device_close(d);
        return result;
    }
    *out = d;
    return PLIANT_OK;
}

void device_close(device* d)
{
    if (!d) return;
    ON_DEVICE(d);
    cudaStream_t const streams[] = {d->bring, d->stream, d->report};
    for (int i = 0; i < 3; ++i)
        if (streams[i]) cudaStreamSynchronize(streams[i]);
    for (int i = 0; i < 2; ++i) discard_staging(&d->staging[i]);
    for (int i = 0; i < d->shape_count; ++i) cudaFree(d->shape[i].on_device);
    arena_destroy(d);
    rigid_destroy(d);
    cudaFree(d->diverged);
    mem_free(d->known);
    for (int i = 0; i < 3; ++i)
        if (streams[i]) cudaStreamDestroy(streams[i]);
    mem_free(d->plan);
    mem_free(d->shape);
    mem_free(d->slot);
    mem_free(d->list);
    mem_free(d->family_of);
    mem_free(d->kind);
    mem_free(d->work);
    mem_free(d);
}

const char* device_name(const device* d) { return d->name; }
int device_launches(const device* d) { return d->launches; }
size_t device_bytes(const device* d)
{
    return d->bytes + d->staging[0].capacity + d->staging[1].capacity;
}

// ---- bodies -------------------------------------------------------------------------------------

// What a launch must be able to hold for the patches of a plan.
static patched_work size_of_patches(const plan* p)
{
    patched_work w;
    memset(&w, 0, sizeof w);
    w.turn_count = p->turn_count;
    w.colors = p->most_colors;
    w.task_count = p->patch_count;
    for (int i = 0; i < p->patch_count; ++i) {
        const patch* t = &p->patch[i];
        int end = i + 1 < p->patch_count ? t[1].first_row : p->row_count;
        int shared = t->row_count - t->inner_count;
        const int* start = shared ? p->copies.source_start + t->first_slot : NULL;
        keep_most(&w.rows, end - t->first_row);
        keep_most(&w.shared, shared);
        keep_most(&w.components, t->component_count);
        keep_most(&w.strips, plan_strip_count(p, t));
        keep_most(&w.sources, shared ? start[shared] - start[0] : 0);
    }
    return w;
}

static pliant_result find_plan(device* d, const plan* p, const plan_parts* parts, plan_entry** out)
{
    for (int i = 0; i < d->plan_count; ++i)
        if (d->plan[i]->plan == p) {
            *out = d->plan[i];
            return PLIANT_OK;
        }
    if (!mem_reserve((void**)&d->plan, &d->plan_capacity, d->plan_count + 1, sizeof(void*)))
        return PLIANT_ERROR_MEMORY;
    plan_entry* e = (plan_entry*)mem_alloc_zero(sizeof *e);
    if (!e) return PLIANT_ERROR_MEMORY;
    pliant_result result = upload_plan(p, parts, &e->on_device);
    if (result) {
        mem_free(e);
        return result;
    }
    e->plan = p;
    e->size = size_of_patches(p);
    e->size.lanes = e->on_device.lanes;
    d->bytes += e->on_device.bytes;
    d->plan[d->plan_count++] = *out = e;
    return PLIANT_OK;
}

static void release_plan(device* d, plan_entry* e)
{
    if (e->users > 0) return;
    for (int i = 0; i < d->plan_count; ++i)
        if (d->plan[i] == e) d->plan[i] = d->plan[--d->plan_count];
    d->bytes -= e->on_device.bytes;
    if (e->first_row) d->bytes -= (size_t)e->plan->particle_count * sizeof(int);
    cudaFree(e->first_row);
    discard_surface(d, e->contact);
    discard_plan(&e->on_device);
    mem_free(e);
}

pliant_result device_revive(device* d, device_copy* c)
{
    const long long never = NEVER;
    pliant_result result = device_wait(d);
    if (result || d->known[c->slot] == NEVER) return result;
    d->known[c->slot] = never;
    cudaError_t error = cudaMemcpyAsync(d->diverged + c->slot, &never, sizeof never,
                                        cudaMemcpyHostToDevice, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "writing to the GPU");
}

// With as many as `capacity` slots, of which the new ones have not failed.
static cudaError_t grow_diverged(device* d, int capacity)
{
    long long* larger = NULL;
    size_t used = (size_t)d->slot_capacity * sizeof *larger;
    size_t bytes = (size_t)capacity * sizeof *larger;
    cudaError_t error = cudaMalloc((void**)&larger, bytes);
    if (!error) error = cudaMemsetAsync(larger, NEVER_BYTE, bytes, d->stream);
    if (!error && used)
        error = cudaMemcpyAsync(larger, d->diverged, used, cudaMemcpyDeviceToDevice, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    if (error) {
        cudaFree(larger);
        return error;
    }
    cudaFree(d->diverged);
    d->diverged = larger;
    return cudaSuccess;
}

// Room for one more slot. Steps that report are done before it moves.
static pliant_result grow_slots(device* d)
{
    if (d->slot_count < d->slot_capacity) return PLIANT_OK;
    int capacity = d->slot_capacity ? 2 * d->slot_capacity : 16, known = d->slot_capacity;
    int slots = d->slot_capacity;
    size_t bytes = (size_t)capacity * sizeof(long long);
    pliant_result result = device_wait(d);
    if (result) return result;
    if (!mem_reserve((void**)&d->known, &known, capacity, sizeof *d->known) ||
        !mem_reserve((void**)&d->slot, &slots, capacity, sizeof *d->slot))
        return PLIANT_ERROR_MEMORY;
    long long* failed_at[2] = {NULL, NULL};
    cudaError_t error = cudaMallocHost((void**)&failed_at[0], bytes);
    if (!error) error = cudaMallocHost((void**)&failed_at[1], bytes);
    if (!error) error = grow_diverged(d, capacity);
    for (int i = 0; i < 2; ++i) {
        cudaFreeHost(error ? failed_at[i] : d->staging[i].failed_at);
        if (!error) d->staging[i].failed_at = failed_at[i];
    }
    if (!error) d->slot_capacity = capacity;
    return cuda_check(error, "one more body");
}

// One that was used before may say that its body failed.
static pliant_result take_slot(device* d, device_copy* c)
{
    int slot = d->free_slot;
    while (slot < d->slot_count && d->slot[slot]) ++slot;
    bool used = slot < d->slot_count;
    if (!used) d->slot_count++;
    d->slot[slot] = c;
    d->free_slot = slot + 1;
    c->slot = slot;
    if (!used) d->known[slot] = NEVER;
    return used ? device_revive(d, c) : PLIANT_OK;
}

static void leave_slot(device* d, const device_copy* c)
{
    if (c->slot < 0) return;
    d->slot[c->slot] = NULL;
    if (c->slot < d->free_slot) d->free_slot = c->slot;
}

pliant_result device_add(device* d, const state* s, const plan_parts* parts, int iterations,
                         device_copy** out)
{
    device_copy* c = (device_copy*)mem_alloc_zero(sizeof *c);
    *out = NULL;
    if (!c) return PLIANT_ERROR_MEMORY;
    ON_DEVICE(d);
    c->slot = c->rigid = -1;
    pliant_result result = grow_slots(d);
    if (!result) result = find_plan(d, s->plan, parts, &c->plan);
    if (!result) {
        c->plan->users++;
        result = create_state(d, s, parts, iterations, c);
    }
    if (!result && parts->local) result = rigid_take(d, &c->rigid);
    if (!result) result = take_slot(d, c);
    if (result) {
        device_remove(d, c);
        return result;
    }
    *out = c;
    return PLIANT_OK;
}

void device_remove(device* d, device_copy* c)
{
    if (!c) return;
    ON_DEVICE(d);
    device_wait(d);
    leave_slot(d, c);
    rigid_leave(d, c->rigid);
    air_forget(d, c);
    discard_state(d, c);
    if (c->plan) {
        c->plan->users--;
        release_plan(d, c->plan);
    }
    mem_free(c);
}

// ---- what colliders are made of -----------------------------------------------------------------

pliant_result device_add_data(device* d, const void* data, size_t bytes)
{
    void* there = NULL;
    for (int i = 0; i < d->shape_count; ++i)
        if (d->shape[i].key == data) return PLIANT_OK;
    if (!mem_reserve((void**)&d->shape, &d->shape_capacity, d->shape_count + 1, sizeof *d->shape))
        return PLIANT_ERROR_MEMORY;
    ON_DEVICE(d);
    cudaError_t error = cudaMalloc(&there, bytes);
    if (!error) error = cudaMemcpy(there, data, bytes, cudaMemcpyHostToDevice);
    if (!error) error = cudaStreamSynchronize(NULL);
    if (error) {
        cudaGetLastError();
        cudaFree(there);
        return cuda_check(error, "the shape of a collider");
    }
    d->shape[d->shape_count++] = (shape_entry){data, there};
    return PLIANT_OK;
}

void device_remove_data(device* d, const void* data)
{
    ON_DEVICE(d);
    cudaStreamSynchronize(d->stream);
    for (int i = 0; i < d->shape_count; ++i)
        if (d->shape[i].key == data) {
            cudaFree(d->shape[i].on_device);
            d->shape[i] = d->shape[--d->shape_count];
            return;
        }
}
