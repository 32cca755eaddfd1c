#include "cuda/upload.h"
#include "base/memory.h"
#include "cuda/body.h"
#include "cuda/packed.h"
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

static void add_packed(layout* l, const packed* from, device_stream* s)
{
    const type_info* t = &type_infos[s->type];
    size_t lanes = from->group_count * BLOCK;
    if (s->light) {
        add(l, &s->lane, from->lane, lanes, light_bytes(s->light));
        add(l, &s->unit_type, from->unit_type, lanes / LIGHT_UNIT, 1);
    } else {
        add(l, &s->index, from->index, lanes * (size_t)t->particles, sizeof(uint16_t));
        add(l, &s->field, from->field, lanes * (size_t)(t->fields - t->same), sizeof(float));
        add(l, &s->same, from->same, MAX_FIELDS, sizeof(float));
    }
}

static void add_blocks(layout* l, const plan* p, device_plan* out)
{
    add(l, &out->group, p->group, p->group_count, sizeof *p->group);
    add(l, &out->round, p->round, p->round_count, sizeof *p->round);
    add(l, &out->index, p->index, p->index_count, (size_t)p->index_bytes);
    add(l, &out->field, p->field, p->field_count, (size_t)p->scalar_bytes);
}

static pliant_result upload_arrays(const plan* p, const enclosure* inside, const packed_plan* from,
                                   device_plan* out)
{
    layout l = {0};
    size_t slots = (size_t)p->copies.slot_count;
    add(&l, &out->patches, p->patch, (size_t)p->patch_count, sizeof *p->patch);
    add(&l, &out->color_group, from->color_group ? from->color_group : p->color_group,
        (size_t)p->color_count + 1, sizeof(int));
    add(&l, &out->component, p->component, (size_t)p->component_count, sizeof *p->component);
    add(&l, &out->strip, p->strip, (size_t)p->strip_count, sizeof *p->strip);
    if (p->copies.phantom) {
        add(&l, &out->phantom, p->copies.phantom, (size_t)p->particle_count + 1, sizeof(int));
    } else if (slots) {
        size_t sources = (size_t)p->copies.source_start[slots];
        add(&l, &out->source_start, p->copies.source_start, slots + 1, sizeof(int));
        add(&l, &out->source, p->copies.source, sources, sizeof(int));
        add(&l, &out->before, p->copies.before, slots, sizeof(int));
    }
    if (inside) {
        size_t particles = (size_t)inside->particle_count;
        add(&l, &out->inside_start, inside->start, particles + 1, sizeof(int));
        add(&l, &out->inside_pair, inside->pair, 2 * (size_t)inside->start[particles], sizeof(int));
    }
    for (int i = 0; i < 2; ++i)
        if (is_packed(&out->sweep[i])) add_packed(&l, &from->sweep[i], &out->sweep[i]);
    if (!is_packed(&out->sweep[0])) add_blocks(&l, p, out);
    out->bytes = l.bytes;
    return place(&l, &out->memory, "a body's plan");
}

// Of the largest color.
static int most_lanes(const plan* p, const packed_plan* from)
{
    const int* start = from->color_group ? from->color_group : p->color_group;
    int most = 0;
    for (int c = 0; c < p->color_count; ++c)
        if (start[c + 1] - start[c] > most) most = start[c + 1] - start[c];
    return most * BLOCK;
}

pliant_result upload_plan(const plan* p, const enclosure* inside, device_plan* out)
{
    packed_plan from;
    memset(out, 0, sizeof *out);
    look_at_order(p, out);
    pliant_result result =
        packed_create(p, out, &from) ? upload_arrays(p, inside, &from, out) : PLIANT_ERROR_MEMORY;
    out->lanes = most_lanes(p, &from);
    packed_destroy(&from);
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

pliant_result create_state(const plan* p, const enclosure* inside, const device_plan* d,
                           int iterations, device_state* out)
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
    if (p->second_order)
        add(&l, &out->past, NULL, rows * PAST, bytes);
    else
        add(&l, &out->lift, NULL, rows * ROW4, bytes);
    add(&l, &out->share, NULL, shares, bytes);
    for (int i = 0; i < 2; ++i) add(&l, &out->exchange[i], NULL, slots, exchange_bytes(p));
    if (inside) {
        size_t pieces = (size_t)enclosure_piece_count(inside);
        add(&l, &out->inside_grad, NULL, 3 * (size_t)inside->particle_count, sizeof(double));
        add(&l, &out->inside_sum, NULL, pieces, sizeof(enclosed_sum));
        add(&l, &out->inside_lambda, NULL, 2, sizeof(double));
    }
    if (iterations > 1) add(&l, &out->lambda, NULL, d->lambda_count, bytes);
    if (plan_keeps_increments(p, iterations)) add(&l, &out->kept, NULL, rows * ROW4, bytes);
    add(&l, &out->torque_sums, NULL, (size_t)p->strip_count * TORQUE_SCALARS, bytes);
    add(&l, &out->twists, NULL, (size_t)p->component_count * TWIST_SCALARS, bytes);
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
