#include "cuda/upload.h"
#include "base/memory.h"
#include "constraint/flow.h"
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

enum { ALIGNMENT = 256 };

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

void layout_add(layout* l, void** pointer, const void* source, size_t count, size_t each)
{
    size_t bytes = count * each;
    *pointer = NULL;
    if (bytes == 0) return;
    l->part[l->count++] = (part){pointer, source, bytes};
    l->bytes += aligned(bytes);
}

void layout_place(const layout* l, void* memory)
{
    char* at = (char*)memory;
    for (int i = 0; i < l->count; ++i) {
        *l->part[i].pointer = at;
        at += aligned(l->part[i].bytes);
    }
}

pliant_result upload_layout(const layout* l, void** memory, const char* doing)
{
    cudaError_t error = cudaMalloc(memory, l->bytes ? l->bytes : 1);
    if (error) {
        *memory = NULL;
        return cuda_check(error, doing);
    }
    layout_place(l, *memory);
    for (int i = 0; i < l->count && !error; ++i) {
        const part* p = &l->part[i];
        error = p->source ? cudaMemcpy(*p->pointer, p->source, p->bytes, cudaMemcpyHostToDevice)
                          : cudaMemset(*p->pointer, 0, p->bytes);
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
    if (p->flow.count || p->patched || p->round_count == 0) return;
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
    if (s->one_row_fields) {
        layout_add(l, &s->lane, from->lane, lanes, one_row_bytes(s->one_row_fields));
        layout_add(l, &s->unit_type, from->unit_type, lanes / ONE_ROW_UNIT, 1);
    } else {
        layout_add(l, &s->index, from->index, lanes * (size_t)t->particles, sizeof(uint16_t));
        layout_add(l, &s->field, from->field, lanes * (size_t)(t->fields - t->same), sizeof(float));
        layout_add(l, &s->same, from->same, MAX_FIELDS, sizeof(float));
    }
}

static void add_blocks(layout* l, const plan* p, device_plan* out)
{
    layout_add(l, &out->group, p->group, p->group_count, sizeof *p->group);
    layout_add(l, &out->round, p->round, p->round_count, sizeof *p->round);
    layout_add(l, &out->index, p->index, p->index_count, (size_t)p->index_bytes);
    layout_add(l, &out->field, p->field, p->field_count, (size_t)p->scalar_bytes);
}

static void add_clusters(layout* l, const cluster_set* c, cluster_set* out)
{
    size_t clusters = (size_t)c->count, members = (size_t)c->member_count;
    *out = *c;
    layout_add(l, (void**)&out->first, c->first, clusters + 1, sizeof(int));
    layout_add(l, (void**)&out->first_piece, c->first_piece, clusters + 1, sizeof(int));
    layout_add(l, (void**)&out->piece_cluster, c->piece_cluster, (size_t)c->piece_count,
               sizeof(int));
    layout_add(l, (void**)&out->particle, c->particle, members, sizeof(int));
    layout_add(l, (void**)&out->weight, c->weight, members, sizeof(double));
    layout_add(l, (void**)&out->rest, c->rest, 3 * members, sizeof(double));
    layout_add(l, (void**)&out->radius, c->radius, clusters, sizeof(double));
    layout_add(l, (void**)&out->start, c->start, (size_t)c->particle_count + 1, sizeof(int));
    layout_add(l, (void**)&out->member, c->member, members, sizeof(int));
    layout_add(l, (void**)&out->of, c->of, members, sizeof(int));
    out->owner = NULL; // no kernel reads these
    out->center = NULL;
}

static void add_inside(layout* l, const enclosure* inside, device_plan* out)
{
    size_t particles = (size_t)inside->particle_count;
    layout_add(l, &out->inside_start, inside->start, particles + 1, sizeof(int));
    layout_add(l, &out->inside_pair, inside->pair, 2 * (size_t)inside->start[particles],
               sizeof(int));
}

static pliant_result upload_arrays(const plan* p, const plan_parts* parts, const packed_plan* from,
                                   device_plan* out)
{
    layout l = {0};
    size_t slots = (size_t)p->copies.slot_count;
    layout_add(&l, &out->patches, p->patch, (size_t)p->patch_count, sizeof *p->patch);
    layout_add(&l, &out->color_group, from->color_group ? from->color_group : p->color_group,
               (size_t)p->color_count + 1, sizeof(int));
    layout_add(&l, &out->component, p->component, (size_t)p->component_count, sizeof *p->component);
    layout_add(&l, &out->strip, p->strip, (size_t)p->strip_count, sizeof *p->strip);
    if (p->copies.phantom) {
        layout_add(&l, &out->phantom, p->copies.phantom, (size_t)p->particle_count + 1,
                   sizeof(int));
    } else if (slots) {
        size_t sources = (size_t)p->copies.source_start[slots];
        layout_add(&l, &out->source_start, p->copies.source_start, slots + 1, sizeof(int));
        layout_add(&l, &out->source, p->copies.source, sources, sizeof(int));
        layout_add(&l, &out->before, p->copies.before, slots, sizeof(int));
    }
    if (parts->inside) add_inside(&l, parts->inside, out);
    if (parts->clusters) add_clusters(&l, parts->clusters, &out->clusters);
    if (parts->local)
        layout_add(&l, (void**)&out->local, parts->local, 3 * (size_t)p->particle_count,
                   sizeof(double));
    for (int i = 0; i < 2; ++i)
        if (is_packed(&out->sweep[i])) add_packed(&l, &from->sweep[i], &out->sweep[i]);
    if (!is_packed(&out->sweep[0])) add_blocks(&l, p, out);
    if (p->flow.count) {
        const plan_flow* f = &p->flow;
        layout_add(&l, &out->flow_start, f->start, p->group_count + 1, sizeof(int));
        layout_add(&l, &out->flow_block, f->block, f->count, sizeof *f->block);
        layout_add(&l, &out->flow_rule, f->rule, f->count * FLOW_RULES * BLOCK,
                   (size_t)p->scalar_bytes);
    }
    out->bytes = l.bytes;
    return upload_layout(&l, &out->memory, "a body's plan");
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

pliant_result upload_plan(const plan* p, const plan_parts* parts, device_plan* out)
{
    packed_plan from;
    memset(out, 0, sizeof *out);
    look_at_order(p, out);
    pliant_result result =
        packed_create(p, out, &from) ? upload_arrays(p, parts, &from, out) : PLIANT_ERROR_MEMORY;
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
