#include "cuda/device.h"
#include "base/hash.h"
#include "base/memory.h"
#include "collide/field.h"
#include "cuda/launch.h"
#include "cuda/upload.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define NEVER LLONG_MAX

typedef struct {
    const plan* plan;
    device_plan on_device;
    patched_work size; // of its patches
    int* first_row;    // of each particle, on the device, when it was asked for
    int users;
} plan_entry;

struct device_copy {
    plan_entry* plan;
    device_state s;
    int slot; // of what the device says of it
};

// The samples of a distance field, by where they are in the host's memory.
typedef struct {
    const float* key;
    float* on_device;
} field_entry;

// What a step brings along: built in pinned memory, copied at once; and what it says of the bodies
// when it is done. Two of them, so that the next step is prepared while the last one runs.
typedef struct {
    char* memory;
    size_t capacity;
    long long* said; // pinned: of each slot, the meeting from which on it stands still
    cudaEvent_t done;
    bool used;
} staging;

struct device {
    char name[256];
    cudaStream_t stream;
    staging staging[2];
    int turn;
    void* arena; // on the device
    size_t arena_bytes;
    plan_entry** plan;
    int plan_count, plan_capacity;
    field_entry* field;
    int field_count, field_capacity;
    long long *diverged, *known; // of each slot; known: as steps that are done have said
    device_copy** slot;
    int slot_count, slot_capacity;
    long long next_meeting;
    size_t bytes;
    int* family_of; // of each body of the step
    int family_capacity;
    color_work* work; // kernels of bodies without patches
    int work_count, work_capacity;
    cudaGraphExec_t graph[2]; // of each precision
    uint64_t graph_hash[2];
    int number; // CUDA's
};

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

static pliant_result start(device* d)
{
    if (!sizes_agree(&fill_single, &device_kernels_single) ||
        !sizes_agree(&fill_double, &device_kernels_double))
        return fail(PLIANT_ERROR_DEVICE,
                    "the kernels were built with another layout than the library: rebuild it");
    cudaError_t error = cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking);
    for (int i = 0; i < 2 && !error; ++i)
        error = cudaEventCreateWithFlags(&d->staging[i].done, cudaEventDisableTiming);
    return cuda_check(error, "starting the GPU");
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
    cudaSetDevice(d->number);
    if (d->stream) cudaStreamSynchronize(d->stream);
    for (int i = 0; i < 2; ++i) {
        if (d->graph[i]) cudaGraphExecDestroy(d->graph[i]);
        cudaFreeHost(d->staging[i].memory);
        cudaFreeHost(d->staging[i].said);
        if (d->staging[i].done) cudaEventDestroy(d->staging[i].done);
    }
    for (int i = 0; i < d->field_count; ++i) cudaFree(d->field[i].on_device);
    cudaFree(d->arena);
    cudaFree(d->diverged);
    mem_free(d->known);
    if (d->stream) cudaStreamDestroy(d->stream);
    mem_free(d->plan);
    mem_free(d->field);
    mem_free(d->slot);
    mem_free(d->work);
    mem_free(d->family_of);
    mem_free(d);
}

const char* device_name(const device* d) { return d->name; }
size_t device_bytes(const device* d) { return d->bytes + d->arena_bytes; }

// ---- bodies -------------------------------------------------------------------------------------

static void keep_most(int* most, int value)
{
    if (value > *most) *most = value;
}

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
        keep_most(&w.sources, shared ? start[shared] - start[0] : 0);
    }
    for (int c = 0; c < p->color_count; ++c)
        keep_most(&w.lanes, (p->color_group[c + 1] - p->color_group[c]) * BLOCK);
    return w;
}

static pliant_result find_plan(device* d, const plan* p, plan_entry** out)
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
    pliant_result result = upload_plan(p, &e->on_device);
    if (result) {
        mem_free(e);
        return result;
    }
    e->plan = p;
    e->size = size_of_patches(p);
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
    discard_plan(&e->on_device);
    mem_free(e);
}

pliant_result device_revive(device* d, device_copy* c)
{
    const long long never = NEVER;
    pliant_result result = device_wait(d);
    if (result) return result;
    d->known[c->slot] = never;
    cudaError_t error = cudaMemcpyAsync(d->diverged + c->slot, &never, sizeof never,
                                        cudaMemcpyHostToDevice, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "writing to the GPU");
}

// A larger array of pinned memory in the place of one that nobody uses any more.
static cudaError_t grow_pinned(long long** array, size_t bytes)
{
    cudaFreeHost(*array);
    *array = NULL;
    return cudaMallocHost((void**)array, bytes);
}

static cudaError_t grow_diverged(device* d, size_t bytes)
{
    long long* larger = NULL;
    size_t used = (size_t)d->slot_count * sizeof *larger;
    cudaError_t error = cudaMalloc((void**)&larger, bytes);
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

// Room for one more slot. Steps that said something are done before it moves.
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
    cudaError_t error = grow_diverged(d, bytes);
    for (int i = 0; i < 2 && !error; ++i) {
        error = grow_pinned(&d->staging[i].said, bytes);
        d->staging[i].used = false;
    }
    if (!error) d->slot_capacity = capacity;
    return cuda_check(error, "one more body");
}

static int free_slot(const device* d)
{
    int slot = 0;
    while (slot < d->slot_count && d->slot[slot]) ++slot;
    return slot;
}

pliant_result device_add(device* d, const plan* p, int iterations, device_copy** out)
{
    device_copy* c = (device_copy*)mem_alloc_zero(sizeof *c);
    *out = NULL;
    if (!c) return PLIANT_ERROR_MEMORY;
    cudaSetDevice(d->number);
    c->slot = -1;
    pliant_result result = grow_slots(d);
    if (!result) result = find_plan(d, p, &c->plan);
    if (!result) {
        c->plan->users++;
        result = create_state(p, &c->plan->on_device, iterations, &c->s);
    }
    if (!result) {
        c->slot = free_slot(d);
        if (c->slot == d->slot_count) d->slot_count++;
        d->slot[c->slot] = c;
        d->bytes += c->s.bytes;
        result = device_revive(d, c);
    }
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
    cudaSetDevice(d->number);
    cudaStreamSynchronize(d->stream);
    if (c->slot >= 0) d->slot[c->slot] = NULL;
    d->bytes -= c->s.bytes;
    discard_state(&c->s);
    if (c->plan) {
        c->plan->users--;
        release_plan(d, c->plan);
    }
    mem_free(c);
}

// ---- states -------------------------------------------------------------------------------------

typedef struct {
    unsigned name;
    void *here, *there;
    size_t scalars; // per row
} array;

enum { ARRAYS = 5 };

static void list_arrays(const device_copy* c, const state* s, array out[ARRAYS])
{
    const array list[ARRAYS] = {{STATE_ROWS, s->row, c->s.row, ROW},
                                {STATE_VELOCITIES, s->velocity, c->s.velocity, ROW4},
                                {STATE_RESIDUES, s->residue, c->s.residue, ROW4},
                                {STATE_FORCES, s->force, c->s.force, ROW4},
                                {STATE_CONTACTS, s->contact, c->s.contact, CONTACT}};
    memcpy(out, list, sizeof list);
}

static pliant_result transfer(device* d, const device_copy* c, const state* s, unsigned arrays,
                              bool up)
{
    array list[ARRAYS];
    cudaError_t error = cudaSuccess;
    size_t row_bytes = (size_t)s->row_count * (size_t)s->scalar_bytes;
    list_arrays(c, s, list);
    for (int i = 0; i < ARRAYS && !error; ++i) {
        const array* a = &list[i];
        size_t bytes = row_bytes * a->scalars;
        if (!(arrays & a->name)) continue;
        error = up ? cudaMemcpyAsync(a->there, a->here, bytes, cudaMemcpyHostToDevice, d->stream)
                   : cudaMemcpyAsync(a->here, a->there, bytes, cudaMemcpyDeviceToHost, d->stream);
    }
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, up ? "copying to the GPU" : "copying from the GPU");
}

pliant_result device_upload(device* d, device_copy* c, const state* s, unsigned arrays)
{
    cudaSetDevice(d->number);
    size_t shares = (size_t)s->plan->copies.slot_count * (size_t)s->scalar_bytes;
    pliant_result result = transfer(d, c, s, arrays, true);
    if (!result && shares)
        result = cuda_check(
            cudaMemcpyAsync(c->s.share, s->share, shares, cudaMemcpyHostToDevice, d->stream),
            "copying to the GPU");
    return result;
}

pliant_result device_download(device* d, const device_copy* c, state* s, unsigned arrays)
{
    pliant_result result = device_wait(d);
    return result ? result : transfer(d, c, s, arrays, false);
}

// The rows of particles are only uploaded when somebody asks.
pliant_result device_find_arrays(device* d, device_copy* c, device_arrays* out)
{
    plan_entry* e = c->plan;
    const copies* k = &e->plan->copies;
    size_t bytes = (size_t)e->plan->particle_count * sizeof(int);
    cudaError_t error = cudaSuccess;
    if (k->first && !e->first_row) {
        error = cudaMalloc((void**)&e->first_row, bytes);
        if (!error) error = cudaMemcpy(e->first_row, k->first, bytes, cudaMemcpyHostToDevice);
        if (!error) d->bytes += bytes;
    }
    *out = (device_arrays){c->s.row, c->s.velocity, d->stream, e->first_row};
    return cuda_check(error, "the rows of particles");
}

// ---- the step's luggage -------------------------------------------------------------------------

// Where things go in the arena. The same walk measures and writes.
typedef struct {
    char *here, *there; // NULL while measuring
    size_t bytes;
} walk;

static void* claim(walk* w, size_t bytes, void** out_there)
{
    enum { ALIGNMENT = 64 };
    size_t at = w->bytes;
    w->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *out_there = w->there ? w->there + at : NULL;
    return w->here ? w->here + at : NULL;
}

static const fill_functions* fill_for(const body_run* b)
{
    return b->plan->scalar_bytes == 4 ? &fill_single : &fill_double;
}
static const device_kernels* kernels_for(const body_run* b)
{
    return b->plan->scalar_bytes == 4 ? &device_kernels_single : &device_kernels_double;
}

static void* pack_paths(walk* w, const path* list, int count)
{
    void* there;
    size_t bytes = (size_t)count * sizeof(path);
    void* here = claim(w, bytes, &there);
    if (here && bytes) memcpy(here, list, bytes);
    return there;
}

static const float* samples_of(const device* d, const struct distance_field* f)
{
    for (int i = 0; f && i < d->field_count; ++i)
        if (d->field[i].key == f->value) return d->field[i].on_device;
    return NULL;
}

static void pack_obstacles(const device* d, walk* w, const body_run* b, device_paths* out)
{
    const fill_functions* fill = fill_for(b);
    void* there;
    int count = b->work.collider_count;
    char* here = (char*)claim(w, (size_t)count * fill->obstacle_bytes, &there);
    out->obstacles = there;
    for (int i = 0; i < count && here; ++i)
        fill->obstacle(b, &b->work.colliders[i], samples_of(d, b->work.colliders[i].field),
                       here + (size_t)i * fill->obstacle_bytes);
}

// A body of the list at `bodies_here`, its paths and obstacles behind it.
static void pack_body(const device* d, walk* w, const step_work* step, int number,
                      const device_copy* c, void* out)
{
    const body_run* b = &step->body[number];
    device_paths paths = {.diverged = d->diverged + c->slot, .first_meeting = d->next_meeting};
    paths.movers = (const path*)pack_paths(w, b->work.movers, b->work.mover_count);
    paths.holders = (path*)pack_paths(w, b->work.holders, b->work.holder_count);
    pack_obstacles(d, w, b, &paths);
    if (out) fill_for(b)->body(b, step, &c->plan->on_device, &c->s, &paths, out);
}

// Which launch a body belongs to.
typedef struct {
    bool patched, alone, is_double;
    int type;
} family;

static family family_of(const body_run* b, const device_copy* c)
{
    const device_stream* s = &c->plan->on_device.sweep[0];
    family f = {b->plan->patched, b->plan->patch_count == 1, b->plan->scalar_bytes == 8,
                s->uniform ? (int)s->type : TYPE_COUNT};
    return f;
}

static bool same_family(family a, family b)
{
    return a.patched == b.patched && a.alone == b.alone && a.is_double == b.is_double &&
           a.type == b.type;
}

static int passes_per_substep(const step_work* step, const body_run* b)
{
    return (b->plan->damped ? 2 : 1) * step->iterations;
}

// The same for one body more.
static void widen(patched_work* w, const step_work* step, const body_run* b, const patched_work* of)
{
    keep_most(&w->last_meeting, step->substeps * passes_per_substep(step, b));
    keep_most(&w->turn_count, of->turn_count);
    keep_most(&w->colors, of->colors);
    keep_most(&w->rows, of->rows);
    keep_most(&w->shared, of->shared);
    keep_most(&w->sources, of->sources);
    keep_most(&w->lanes, of->lanes);
    w->task_count += of->task_count;
}

// The bodies of one family, by its number, that are to be stepped.
typedef struct {
    device* d;
    const step_work* step;
    device_copy* const* copy;
    int number;
    family kind;
} selection;

static bool is_selected(const selection* s, int i) { return s->d->family_of[i] == s->number; }

// Packs a family; out_work has pointers to the device's memory.
static void pack_family(const selection* s, walk* w, patched_work* out_work)
{
    size_t bytes = 0;
    int count = 0, number = 0, task = 0;
    void *bodies_there, *tasks_there;
    for (int i = 0; i < s->step->body_count; ++i)
        if (is_selected(s, i)) {
            bytes = fill_for(&s->step->body[i])->body_bytes;
            count++;
            widen(out_work, s->step, &s->step->body[i], &s->copy[i]->plan->size);
        }
    char* bodies = (char*)claim(w, (size_t)count * bytes, &bodies_there);
    device_task* tasks = (device_task*)claim(
        w, s->kind.patched ? (size_t)out_work->task_count * sizeof *tasks : 0, &tasks_there);
    for (int i = 0; i < s->step->body_count; ++i) {
        if (!is_selected(s, i)) continue;
        pack_body(s->d, w, s->step, i, s->copy[i], bodies ? bodies + (size_t)number * bytes : NULL);
        for (int k = 0; tasks && s->kind.patched && k < s->step->body[i].plan->patch_count; ++k)
            tasks[task++] = (device_task){number, k};
        number++;
    }
    out_work->body = bodies_there;
    out_work->task = (const device_task*)tasks_there;
    out_work->alone = s->kind.alone;
    out_work->type = s->kind.type;
}

// ---- the step -----------------------------------------------------------------------------------

enum { MOST_FAMILIES = 24 }; // more than there are kinds: bodies have a precision and a type

// Sorts bodies into families. Returns how many, -1 when memory runs out.
static int find_families(const selection* s, family out[MOST_FAMILIES])
{
    device* d = s->d;
    int count = 0;
    if (!mem_reserve((void**)&d->family_of, &d->family_capacity, s->step->body_count, sizeof(int)))
        return -1;
    for (int i = 0; i < s->step->body_count; ++i) {
        family f = family_of(&s->step->body[i], s->copy[i]);
        int k = 0;
        d->family_of[i] = -1;
        if (*s->step->body[i].failed) continue;
        while (k < count && !same_family(out[k], f)) ++k;
        d->family_of[i] = k;
        if (k == count) out[count++] = f;
    }
    return count;
}

static pliant_result reserve_arena(device* d, staging* g, size_t bytes)
{
    cudaError_t error = cudaSuccess;
    if (bytes > d->arena_bytes) {
        error = cudaStreamSynchronize(d->stream);
        cudaFree(d->arena);
        d->arena = NULL;
        d->arena_bytes = 0;
        if (!error) error = cudaMalloc(&d->arena, 2 * bytes);
        if (!error) d->arena_bytes = 2 * bytes;
    }
    if (!error && bytes > g->capacity) {
        cudaFreeHost(g->memory);
        g->memory = NULL;
        g->capacity = 0;
        error = cudaMallocHost((void**)&g->memory, 2 * bytes);
        if (!error) g->capacity = 2 * bytes;
    }
    return cuda_check(error, "the step");
}

static bool add_kernel(device* d, color_work work)
{
    if (!mem_reserve((void**)&d->work, &d->work_capacity, (int64_t)d->work_count + 1,
                     sizeof *d->work))
        return false;
    d->work[d->work_count++] = work;
    return true;
}

static bool add_sweep(device* d, const body_run* b, color_work work)
{
    const plan* p = b->plan;
    for (int c = 0; c < p->color_count; ++c) {
        work.kind = KERNEL_COLOR;
        work.color = c;
        work.first_group = p->color_group[c];
        work.threads = (p->color_group[c + 1] - p->color_group[c]) * BLOCK;
        if (!add_kernel(d, work)) return false;
    }
    return true;
}

static bool add_rows(device* d, const body_run* b, color_work work, kernel_kind kind)
{
    work.kind = kind;
    work.threads = b->plan->particle_count;
    return add_kernel(d, work);
}

// All kernels of a body's substep, in their order.
static bool list_substep(device* d, const step_work* step, const body_run* b,
                         const device_copy* copy, const void* body, int number)
{
    const device_plan* there = &copy->plan->on_device;
    size_t bytes = (size_t)b->plan->scalar_bytes;
    color_work work;
    memset(&work, 0, sizeof work); // all of it: it is hashed
    work.body = body;
    work.number = number;
    work.type = (int)there->in_order;
    work.single = there->single;
    work.group = there->group;
    work.index = there->index;
    work.index_bytes = b->plan->index_bytes;
    work.field = (const char*)there->field + there->field_at * bytes;
    work.same = (const char*)there->field + there->same_at * bytes;
    work.row = copy->s.row;
    bool good = true, touches = b->work.collider_count > 0 || b->work.holder_count > 0 ||
                                b->work.sees.motion < 1;
    if (b->plan->damped) {
        good = add_rows(d, b, work, KERNEL_COAST);
        work.braking = true;
        for (int i = 0; i < step->iterations && good; ++i) {
            work.first = i == 0;
            good = add_sweep(d, b, work);
        }
        work.braking = false;
    }
    good = good && add_rows(d, b, work, KERNEL_PREDICT);
    for (int i = 0; i < step->iterations && good; ++i) {
        work.first = i == 0;
        good = add_sweep(d, b, work) && (!touches || add_rows(d, b, work, KERNEL_TOUCH));
    }
    return good && add_rows(d, b, work, KERNEL_UPDATE);
}

static cudaError_t launch_listed(device* d, const device_kernels* kernels)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < d->work_count && !error; ++i)
        error = kernels->color(&d->work[i], d->stream);
    return error;
}

// The same list as in the last step is launched as a whole.
static cudaError_t launch_graph(device* d, const device_kernels* kernels)
{
    int which = kernels == &device_kernels_double;
    cudaGraphExec_t* ready = &d->graph[which];
    uint64_t hash = hash_bytes(HASH_SEED, d->work, (size_t)d->work_count * sizeof *d->work);
    if (!*ready || hash != d->graph_hash[which]) {
        cudaGraph_t graph = NULL;
        if (*ready) cudaGraphExecDestroy(*ready);
        *ready = NULL;
        cudaError_t error = cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal);
        if (!error) error = launch_listed(d, kernels);
        cudaError_t ended = cudaStreamEndCapture(d->stream, &graph);
        if (!error) error = ended;
        if (!error) error = cudaGraphInstantiate(ready, graph, 0);
        if (graph) cudaGraphDestroy(graph);
        if (error) return error;
        d->graph_hash[which] = hash;
    }
    return cudaGraphLaunch(*ready, d->stream);
}

static pliant_result launch_colors(const selection* s, const patched_work* work, bool graph)
{
    device* d = s->d;
    const char* body = (const char*)work->body;
    const device_kernels* kernels = NULL;
    d->work_count = 0;
    for (int i = 0; i < s->step->body_count; ++i) {
        const body_run* b = &s->step->body[i];
        if (!is_selected(s, i)) continue;
        kernels = kernels_for(b);
        for (int n = 0; n < s->step->substeps; ++n)
            if (!list_substep(d, s->step, b, s->copy[i], body, n)) return PLIANT_ERROR_MEMORY;
        body += fill_for(b)->body_bytes;
    }
    return cuda_check(graph ? launch_graph(d, kernels) : launch_listed(d, kernels),
                      "launching the step");
}

static pliant_result launch_family(const selection* s, const patched_work* work, bool graph)
{
    if (!s->kind.patched) return launch_colors(s, work, graph);
    const device_kernels* kernels =
        s->kind.is_double ? &device_kernels_double : &device_kernels_single;
    return cuda_check(kernels->patched(work, s->d->stream), "launching the step");
}

// Measures, or packs where the walk has memory.
static void pack_families(selection* s, walk* w, const family* kind, int count, patched_work* out)
{
    memset(out, 0, (size_t)count * sizeof *out);
    for (int i = 0; i < count; ++i) {
        s->number = i;
        s->kind = kind[i];
        pack_family(s, w, &out[i]);
    }
}

static pliant_result launch_families(selection* s, const walk* w, const family* kind, int count,
                                     const patched_work* work, bool graph)
{
    pliant_result result = cuda_check(
        cudaMemcpyAsync(w->there, w->here, w->bytes, cudaMemcpyHostToDevice, s->d->stream),
        "copying to the GPU");
    for (int i = 0; i < count && !result; ++i) {
        s->number = i;
        s->kind = kind[i];
        result = launch_family(s, &work[i], graph);
    }
    return result;
}

static long long meetings_of(const step_work* step)
{
    long long most = 0;
    for (int i = 0; i < step->body_count; ++i) {
        const body_run* b = &step->body[i];
        long long last = (long long)step->substeps * passes_per_substep(step, b);
        last += 2 * b->plan->patch_count; // until all patches know of a failure
        if (last > most) most = last;
    }
    return most + 8; // more than anybody says in this step
}

// Says when it is done, and with what failures. Also after a launch that failed: some of it may be
// on its way.
static pliant_result finish_step(device* d, staging* g)
{
    cudaError_t error =
        cudaMemcpyAsync(g->said, d->diverged, (size_t)d->slot_count * sizeof(long long),
                        cudaMemcpyDeviceToHost, d->stream);
    if (!error) error = cudaEventRecord(g->done, d->stream);
    g->used = true;
    d->turn = !d->turn;
    return cuda_check(error, "the step");
}

// Waits for a step, and hears what it says.
static cudaError_t hear(device* d, staging* g)
{
    if (!g->used) return cudaSuccess;
    cudaError_t error = cudaEventSynchronize(g->done);
    g->used = false;
    if (!error) memcpy(d->known, g->said, (size_t)d->slot_count * sizeof(long long));
    return error;
}

pliant_result device_step(device* d, step_work* step, device_copy* const* copy, bool graph)
{
    selection s = {.d = d, .step = step, .copy = copy};
    staging* g = &d->staging[d->turn];
    family kind[MOST_FAMILIES];
    patched_work work[MOST_FAMILIES];
    walk measured = {0};
    cudaSetDevice(d->number);
    cudaError_t error = hear(d, g);
    if (error) return cuda_check(error, "the step before");
    int count = find_families(&s, kind);
    if (count < 0) return PLIANT_ERROR_MEMORY;
    pack_families(&s, &measured, kind, count, work);
    pliant_result result = reserve_arena(d, g, measured.bytes + 1);
    if (result) return result;
    walk packed = {.here = g->memory, .there = (char*)d->arena};
    pack_families(&s, &packed, kind, count, work);
    result = launch_families(&s, &packed, kind, count, work, graph);
    d->next_meeting += meetings_of(step);
    pliant_result finished = finish_step(d, g);
    return result ? result : finished;
}

pliant_result device_wait(device* d)
{
    cudaSetDevice(d->number);
    cudaError_t error = hear(d, &d->staging[d->turn]); // the older one
    if (!error) error = hear(d, &d->staging[!d->turn]);
    if (!error) error = cudaStreamSynchronize(d->stream);
    return cuda_check(error, "the step");
}

bool device_has_failed(const device* d, const device_copy* c) { return d->known[c->slot] != NEVER; }

// ---- distance fields ----------------------------------------------------------------------------

pliant_result device_add_field(device* d, const struct distance_field* f)
{
    size_t bytes = (size_t)f->count[0] * (size_t)f->count[1] * (size_t)f->count[2] * sizeof(float);
    float* samples = NULL;
    for (int i = 0; i < d->field_count; ++i)
        if (d->field[i].key == f->value) return PLIANT_OK;
    if (!mem_reserve((void**)&d->field, &d->field_capacity, d->field_count + 1, sizeof *d->field))
        return PLIANT_ERROR_MEMORY;
    cudaSetDevice(d->number);
    cudaError_t error = cudaMalloc((void**)&samples, bytes);
    if (!error) error = cudaMemcpy(samples, f->value, bytes, cudaMemcpyHostToDevice);
    if (!error) error = cudaStreamSynchronize(NULL);
    if (error) {
        cudaGetLastError();
        cudaFree(samples);
        return cuda_check(error, "a distance field");
    }
    d->field[d->field_count++] = (field_entry){f->value, samples};
    return PLIANT_OK;
}

void device_remove_field(device* d, const struct distance_field* f)
{
    cudaSetDevice(d->number);
    cudaStreamSynchronize(d->stream);
    for (int i = 0; i < d->field_count; ++i)
        if (d->field[i].key == f->value) {
            cudaFree(d->field[i].on_device);
            d->field[i] = d->field[--d->field_count];
            return;
        }
}
