#include "cuda/upload.h"
#include "base/memory.h"
#include <limits.h>
#include <string.h>

pliant_result cuda_check(cudaError_t error, const char* doing)
{
    if (error == cudaSuccess) return PLIANT_OK;
    cudaGetLastError(); // so that the next call does not say it again
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
    if (!error) error = cudaStreamSynchronize(NULL); // other streams do not wait for this one
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

// Whether rounds can be found by their number alone.
static void look_at_order(const plan* p, device_plan* out)
{
    const round_block* first = p->round;
    out->in_order = TYPE_COUNT;
    out->single = true;
    if (p->patched || p->round_count == 0) return;
    const type_info* t = &type_infos[first->type];
    size_t index = (size_t)(t->particles * BLOCK), field = (size_t)((t->fields - t->same) * BLOCK);
    size_t lambda = (size_t)(t->rows * BLOCK);
    for (size_t i = 0; i < p->round_count; ++i) {
        const round_block* r = &p->round[i];
        if (r->type != first->type || r->mixed || r->same_at != first->same_at ||
            r->index_at != i * index || r->field_at != first->field_at + i * field ||
            r->lambda_at != i * lambda)
            return;
    }
    for (size_t g = 0; g < p->group_count; ++g)
        out->single =
            out->single && p->group[g].first_round == (int)g && p->group[g].round_count == 1;
    out->in_order = first->type;
    out->field_at = first->field_at;
    out->same_at = first->same_at;
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

// ---- the order of lanes -------------------------------------------------------------------------

// Which elements of a color are neighbors in a warp is free. Shared memory gives eight rows at once
// if no two of them are in the same one of its eight columns: so elements are chosen eight by eight
// to collide little, each as the best of the next few.
enum { COLUMNS = 8, CANDIDATES = 64 };

typedef struct {
    const plan* plan;
    int* lane; // of a color: 16 times its group, plus the lane; those that wait, then padding
    int count, capacity;
} lane_order;

static const uint16_t* corners_of(const plan* p, bool motion, int lane)
{
    int count;
    const round_block* r = round_of(p, (size_t)lane / BLOCK, motion, &count);
    return (const uint16_t*)p->index + r->index_at + lane % BLOCK;
}

static bool list_lanes(lane_order* o, int color)
{
    const plan* p = o->plan;
    int first = p->color_group[color], last = p->color_group[color + 1];
    if (!mem_reserve((void**)&o->lane, &o->capacity, (int64_t)(last - first) * BLOCK, sizeof(int)))
        return false;
    o->count = 0;
    for (int padding = 0; padding < 2; ++padding)
        for (int g = first; g < last; ++g)
            for (int k = 0; k < BLOCK; ++k)
                if ((k >= p->group[g].lanes) == padding) o->lane[o->count++] = g * BLOCK + k;
    return true;
}

static int collisions(int used[ELEMENT_PARTICLES][COLUMNS], const uint16_t* corner)
{
    int sum = 0;
    for (int i = 0; i < ELEMENT_PARTICLES; ++i) sum += used[i][corner[i * BLOCK] % COLUMNS];
    return sum;
}

// Moves the best of the candidates from `at` on to `at`.
static void choose_lane(lane_order* o, bool motion, int at, int end,
                        int used[ELEMENT_PARTICLES][COLUMNS])
{
    int best = at, least = INT_MAX;
    if (end > at + CANDIDATES) end = at + CANDIDATES;
    for (int k = at; k < end && least > 0; ++k) {
        int cost = collisions(used, corners_of(o->plan, motion, o->lane[k]));
        if (cost < least) best = k, least = cost;
    }
    int chosen = o->lane[best];
    memmove(&o->lane[at + 1], &o->lane[at], (size_t)(best - at) * sizeof(int));
    o->lane[at] = chosen;
    const uint16_t* corner = corners_of(o->plan, motion, chosen);
    for (int i = 0; i < ELEMENT_PARTICLES; ++i) used[i][corner[i * BLOCK] % COLUMNS]++;
}

// The lanes of a color in the order in which they are packed.
static bool order_lanes(lane_order* o, bool motion, int color)
{
    int filled = 0, used[ELEMENT_PARTICLES][COLUMNS];
    if (!list_lanes(o, color)) return false;
    for (int g = o->plan->color_group[color]; g < o->plan->color_group[color + 1]; ++g)
        filled += o->plan->group[g].lanes;
    for (int at = 0; at < filled; ++at) {
        if (at % COLUMNS == 0) memset(used, 0, sizeof used);
        choose_lane(o, motion, at, filled, used);
    }
    return true;
}

// ---- packing ------------------------------------------------------------------------------------

// Lane `from` of the plan becomes lane `to`.
static void pack_lane(const plan* p, bool motion, size_t from, size_t to, const packed* out)
{
    int count;
    const round_block* r = round_of(p, from / BLOCK, motion, &count);
    const type_info* t = &type_infos[r->type];
    size_t lane = to % BLOCK, own = (size_t)(t->fields - t->same), quads = own / 4 * 4;
    const uint16_t* index = (const uint16_t*)p->index + r->index_at + from % BLOCK;
    const float* field = (const float*)p->field + r->field_at + from % BLOCK;
    float* to_field = out->field + to / BLOCK * own * BLOCK;
    for (size_t i = 0; i < (size_t)t->particles; ++i)
        out->index[to * (size_t)t->particles + i] = index[i * BLOCK];
    for (size_t f = 0; f < own; ++f)
        to_field[f < quads ? (f / 4 * BLOCK + lane) * 4 + f % 4 : f * BLOCK + lane] =
            field[f * BLOCK];
}

static bool pack_lanes(const plan* p, bool motion, const packed* out)
{
    lane_order order = {.plan = p};
    bool good = true;
    for (int color = 0; color < p->color_count && good; ++color) {
        good = order_lanes(&order, motion, color);
        size_t first = (size_t)p->color_group[color] * BLOCK;
        for (int i = 0; i < order.count && good; ++i)
            pack_lane(p, motion, (size_t)order.lane[i], first + (size_t)i, out);
    }
    mem_free(order.lane);
    return good;
}

static bool pack_sweep(const plan* p, bool motion, const device_stream* s, packed* out)
{
    const type_info* t = &type_infos[s->type];
    int count;
    out->index = (uint16_t*)mem_array(p->group_count * BLOCK, (size_t)t->particles * 2);
    out->field = (float*)mem_array(p->group_count * BLOCK, (size_t)(t->fields - t->same) * 4);
    out->same = (float*)mem_array_zero(MAX_FIELDS, sizeof(float));
    if (!out->index || !out->field || !out->same) return false;
    const round_block* r = round_of(p, 0, motion, &count);
    memcpy(out->same, (const float*)p->field + r->same_at, (size_t)t->same * sizeof(float));
    return pack_lanes(p, motion, out);
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

static pliant_result upload_arrays(const plan* p, const packed from[2], device_plan* out)
{
    layout l = {0};
    size_t slots = (size_t)p->copies.slot_count;
    add(&l, &out->patches, p->patch, (size_t)p->patch_count, sizeof *p->patch);
    add(&l, &out->color_group, p->color_group, (size_t)p->color_count + 1, sizeof(int));
    if (p->copies.phantom) {
        add(&l, &out->phantom, p->copies.phantom, (size_t)p->particle_count + 1, sizeof(int));
    } else if (slots) {
        size_t sources = (size_t)p->copies.source_start[slots];
        add(&l, &out->source_start, p->copies.source_start, slots + 1, sizeof(int));
        add(&l, &out->source, p->copies.source, sources, sizeof(int));
        add(&l, &out->before, p->copies.before, slots, sizeof(int));
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
    bool good = true;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 2; ++i) look_at_sweep(p, i, &out->sweep[i]);
    look_at_order(p, out);
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
    pliant_result result = good ? upload_arrays(p, from, out) : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < 2; ++i) {
        mem_free(from[i].index);
        mem_free(from[i].field);
        mem_free(from[i].same);
    }
    if (result) discard_plan(out);
    return result;
}

void discard_plan(device_plan* p)
{
    cudaFree(p->memory);
    memset(p, 0, sizeof *p);
}

// ---- states -------------------------------------------------------------------------------------

// What a copy publishes comes with the number of its meeting, 16 bytes at a time (exchange.cuh).
static size_t exchange_bytes(const plan* p) { return p->scalar_bytes == 4 ? 16 : 48; }

pliant_result create_state(const plan* p, const device_plan* d, int iterations, device_state* out)
{
    layout l = {0};
    size_t rows = (size_t)p->row_count, shares = (size_t)plan_share_count(p);
    size_t slots = p->copies.phantom ? 0 : shares; // phantoms meet nobody
    size_t bytes = (size_t)p->scalar_bytes;
    memset(out, 0, sizeof *out);
    add(&l, &out->row, NULL, rows * ROW, bytes);
    add(&l, &out->velocity, NULL, rows * ROW4, bytes);
    add(&l, &out->residue, NULL, rows * ROW4, bytes);
    add(&l, &out->force, NULL, rows * ROW4, bytes);
    add(&l, &out->contact, NULL, rows * CONTACT, bytes);
    if (p->second_order) add(&l, &out->past, NULL, rows * PAST, bytes);
    add(&l, &out->share, NULL, shares, bytes);
    for (int i = 0; i < 2; ++i) add(&l, &out->exchange[i], NULL, slots, exchange_bytes(p));
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
