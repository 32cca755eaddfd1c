#include "cuda/upload.h"
#include "base/memory.h"
#include <string.h>

pliant_result cuda_check(cudaError_t error, const char* doing)
{
    if (error == cudaSuccess) return PLIANT_OK;
    if (error == cudaErrorMemoryAllocation)
        return fail(PLIANT_ERROR_MEMORY,
                    "the GPU has no memory left for %s: use a smaller mesh, or the backend cpu",
                    doing);
    return fail(PLIANT_ERROR_DEVICE, "CUDA failed at %s: %s (%s)", doing, cudaGetErrorString(error),
                cudaGetErrorName(error));
}

// ---- one piece of memory for many arrays --------------------------------------------------------

enum { MOST_PARTS = 32, ALIGNMENT = 256 };

typedef struct {
    void** pointer;
    const void* source; // NULL: cleared
    size_t bytes;
} part;

typedef struct {
    part part[MOST_PARTS];
    int count;
    size_t bytes;
} layout;

static void add(layout* l, void** pointer, const void* source, size_t count, size_t each)
{
    size_t bytes = count * each;
    *pointer = NULL;
    if (bytes == 0) return;
    l->part[l->count++] = (part){pointer, source, bytes};
    l->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static pliant_result place(const layout* l, void** memory, const char* doing)
{
    char* at;
    cudaError_t error = cudaMalloc(memory, l->bytes ? l->bytes : 1);
    if (error) {
        cudaGetLastError();
        *memory = NULL;
        return cuda_check(error, doing);
    }
    at = (char*)*memory;
    for (int i = 0; i < l->count && !error; ++i) {
        const part* p = &l->part[i];
        *p->pointer = at;
        error = p->source ? cudaMemcpy(at, p->source, p->bytes, cudaMemcpyHostToDevice)
                          : cudaMemset(at, 0, p->bytes);
        at += (p->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return cuda_check(error, doing);
}

// ---- plans --------------------------------------------------------------------------------------

// The first round of a group that belongs to a sweep of places or motion; how many there are.
static const round_block* round_of(const plan* p, size_t group, bool motion, int* count)
{
    const lane_group* g = &p->group[group];
    const round_block* found = NULL;
    *count = 0;
    for (int i = 0; i < g->round_count; ++i) {
        const round_block* r = &p->round[g->first_round + i];
        if (type_infos[r->type].on_motion != motion) continue;
        if (!found) found = r;
        ++*count;
    }
    return found;
}

// The types that kernels have a packed sweep for.
static bool can_be_packed(constraint_type type)
{
    return type == TYPE_ten_rows || type == TYPE_two_rows || type == TYPE_viscous;
}

static void look_at_sweep(const plan* p, bool motion, device_stream* out)
{
    const round_block* first = NULL;
    out->uniform = p->patched && p->index_bytes == 2 && p->scalar_bytes == 4;
    for (size_t g = 0; g < p->group_count; ++g) {
        int count;
        const round_block* r = round_of(p, g, motion, &count);
        if (!first) first = r;
        if (count != 1 || r->mixed || r->type != first->type || r->same_at != first->same_at)
            out->uniform = false;
    }
    out->any = first != NULL;
    out->type = first ? first->type : TYPE_COUNT;
    out->uniform = out->uniform && out->any && can_be_packed(out->type);
}

typedef struct {
    uint16_t* index;
    float *field, *same;
} packed;

static void pack_group(const plan* p, size_t group, bool motion, const packed* out)
{
    int count;
    const round_block* r = round_of(p, group, motion, &count);
    const type_info* t = &type_infos[r->type];
    int own = t->fields - t->same, quads = own / 4 * 4;
    const uint16_t* index = (const uint16_t*)p->index + r->index_at;
    const float* field = (const float*)p->field + r->field_at;
    uint16_t* to_index = out->index + group * (size_t)(t->particles * BLOCK);
    float* to_field = out->field + group * (size_t)(own * BLOCK);
    for (int lane = 0; lane < BLOCK; ++lane) {
        for (int i = 0; i < t->particles; ++i)
            to_index[lane * t->particles + i] = index[i * BLOCK + lane];
        for (int f = 0; f < own; ++f)
            to_field[f < quads ? (f / 4 * BLOCK + lane) * 4 + f % 4 : f * BLOCK + lane] =
                field[f * BLOCK + lane];
    }
    if (group == 0)
        memcpy(out->same, (const float*)p->field + r->same_at, (size_t)t->same * sizeof(float));
}

static bool pack_sweep(const plan* p, bool motion, const device_stream* s, packed* out)
{
    const type_info* t = &type_infos[s->type];
    out->index = (uint16_t*)mem_array(p->group_count * BLOCK, (size_t)t->particles * 2);
    out->field = (float*)mem_array(p->group_count * BLOCK, (size_t)(t->fields - t->same) * 4);
    out->same = (float*)mem_array_zero(MAX_FIELDS, sizeof(float));
    if (!out->index || !out->field || !out->same) return false;
    for (size_t g = 0; g < p->group_count; ++g) pack_group(p, g, motion, out);
    return true;
}

static void add_packed(layout* l, const plan* p, const packed* from, device_stream* s)
{
    const type_info* t = &type_infos[s->type];
    size_t lanes = p->group_count * BLOCK;
    add(l, &s->index, from->index, lanes * (size_t)t->particles, sizeof(uint16_t));
    add(l, &s->field, from->field, lanes * (size_t)(t->fields - t->same), sizeof(float));
    add(l, &s->same, from->same, MAX_FIELDS, sizeof(float));
}

static void add_blocks(layout* l, const plan* p, device_plan* out)
{
    add(l, &out->group, p->group, p->group_count, sizeof *p->group);
    add(l, &out->round, p->round, p->round_count, sizeof *p->round);
    add(l, &out->index, p->index, p->index_count, (size_t)p->index_bytes);
    add(l, &out->field, p->field, p->field_count, (size_t)p->scalar_bytes);
}

static int patch_of_slot(const plan* p, int slot)
{
    int low = 0, high = p->patch_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (p->patch[middle].first_slot <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// For each patch, the others with copies of its shared particles.
typedef struct {
    int *start, *patch, *seen;
    int capacity;
} neighbor_lists;

static bool list_neighbors(const plan* p, neighbor_lists* out)
{
    size_t patches = (size_t)p->patch_count;
    int count = 0;
    out->start = (int*)mem_array_zero(patches + 1, sizeof(int));
    out->seen = (int*)mem_array_zero(patches, sizeof(int));
    if (!out->start || !out->seen) return false;
    for (int i = 0; i < p->patch_count; ++i) {
        const patch* t = &p->patch[i];
        int slots = t->row_count - t->inner_count;
        out->seen[i] = i + 1;
        for (int slot = t->first_slot; slot < t->first_slot + slots; ++slot)
            for (int k = p->copies.source_start[slot]; k < p->copies.source_start[slot + 1]; ++k) {
                int other = patch_of_slot(p, p->copies.source[k]);
                if (out->seen[other] == i + 1) continue;
                out->seen[other] = i + 1;
                if (!mem_reserve((void**)&out->patch, &out->capacity, (int64_t)count + 1,
                                 sizeof(int)))
                    return false;
                out->patch[count++] = other;
            }
        out->start[i + 1] = count;
    }
    return true;
}

static pliant_result upload_arrays(const plan* p, const packed from[2],
                                   const neighbor_lists* neighbors, device_plan* out)
{
    layout l = {0};
    size_t slots = (size_t)p->copies.slot_count;
    add(&l, &out->patches, p->patch, (size_t)p->patch_count, sizeof *p->patch);
    add(&l, &out->color_group, p->color_group, (size_t)p->color_count + 1, sizeof(int));
    if (slots) {
        size_t sources = (size_t)p->copies.source_start[slots];
        add(&l, &out->source_start, p->copies.source_start, slots + 1, sizeof(int));
        add(&l, &out->source, p->copies.source, sources, sizeof(int));
        add(&l, &out->before, p->copies.before, slots, sizeof(int));
        add(&l, &out->neighbor_start, neighbors->start, (size_t)p->patch_count + 1, sizeof(int));
        add(&l, &out->neighbor, neighbors->patch, (size_t)neighbors->start[p->patch_count],
            sizeof(int));
    }
    for (int i = 0; i < 2; ++i)
        if (out->sweep[i].uniform) add_packed(&l, p, &from[i], &out->sweep[i]);
    if (!out->sweep[0].uniform) add_blocks(&l, p, out);
    out->bytes = l.bytes;
    return place(&l, &out->memory, "a body's plan");
}

pliant_result upload_plan(const plan* p, device_plan* out)
{
    packed from[2] = {{0}};
    neighbor_lists neighbors = {0};
    memset(out, 0, sizeof *out);
    bool good = list_neighbors(p, &neighbors);
    for (int i = 0; i < 2; ++i) look_at_sweep(p, i, &out->sweep[i]);
    // All that there is, or nothing.
    bool uniform = out->sweep[0].uniform && (out->sweep[1].uniform || !out->sweep[1].any);
    for (int i = 0; i < 2; ++i) {
        device_stream* s = &out->sweep[i];
        s->uniform = s->uniform && uniform;
        out->lambda_at[i] = out->lambda_count;
        if (!s->uniform) continue;
        out->lambda_count += p->group_count * (size_t)(type_infos[s->type].rows * BLOCK);
        good = good && pack_sweep(p, i, s, &from[i]);
    }
    if (!uniform) out->lambda_count = p->lambda_count;
    pliant_result result = good ? upload_arrays(p, from, &neighbors, out) : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < 2; ++i) {
        mem_free(from[i].index);
        mem_free(from[i].field);
        mem_free(from[i].same);
    }
    mem_free(neighbors.start);
    mem_free(neighbors.patch);
    mem_free(neighbors.seen);
    if (result) discard_plan(out);
    return result;
}

void discard_plan(device_plan* p)
{
    cudaFree(p->memory);
    memset(p, 0, sizeof *p);
}

// ---- states -------------------------------------------------------------------------------------

pliant_result create_state(const plan* p, const device_plan* d, int iterations, device_state* out)
{
    layout l = {0};
    size_t rows = (size_t)p->row_count, slots = (size_t)p->copies.slot_count;
    size_t bytes = (size_t)p->scalar_bytes;
    memset(out, 0, sizeof *out);
    add(&l, &out->row, NULL, rows * ROW, bytes);
    add(&l, &out->velocity, NULL, rows * ROW4, bytes);
    add(&l, &out->residue, NULL, rows * ROW4, bytes);
    add(&l, &out->force, NULL, rows * ROW4, bytes);
    add(&l, &out->contact, NULL, rows * CONTACT, bytes);
    add(&l, &out->share, NULL, slots, bytes);
    for (int i = 0; i < 2; ++i) add(&l, &out->exchange[i], NULL, slots * ROW4, bytes);
    if (iterations > 1) add(&l, &out->lambda, NULL, d->lambda_count, bytes);
    out->bytes = l.bytes;
    pliant_result result = place(&l, &out->memory, "a body's state");
    if (result) discard_state(out);
    return result;
}

void discard_state(device_state* s)
{
    cudaFree(s->memory);
    memset(s, 0, sizeof *s);
}
