#include "solver/flow.h"
#include "constraint/crease.h"
#include <string.h>

// ---- blocks -------------------------------------------------------------------------------------

static void* at_scalar(const state* s, void* array, size_t at)
{
    return (char*)array + at * (size_t)s->scalar_bytes;
}

static flow_work open_block(const state* s, size_t number)
{
    const plan* p = s->plan;
    const round_block* r = &p->round[p->flow.block[number].first_round];
    return (flow_work){
        .type = r->type,
        .index = (const char*)p->index + r->index_at * (size_t)p->index_bytes,
        .rest = at_scalar(s, p->field, r->field_at),
        .shape = at_scalar(s, s->field, r->field_at),
        .rule = at_scalar(s, p->flow.rule, number * FLOW_RULES * BLOCK),
        .state = at_scalar(s, s->flow, number * FLOW_STATE * BLOCK),
        .index_bytes = p->index_bytes,
    };
}

// The rounds of a node have the same shape.
static void copy_shape(const state* s, size_t number)
{
    const plan* p = s->plan;
    const flow_block* b = &p->flow.block[number];
    const round_block* r = &p->round[b->first_round];
    size_t numbers = is_plate(r->type) ? PLATE_ROWS : TET_SHAPE;
    for (int i = 1; i < b->round_count; ++i)
        memcpy(at_scalar(s, s->field, r[i].field_at), at_scalar(s, s->field, r->field_at),
               numbers * BLOCK * (size_t)s->scalar_bytes);
}

void flow_group(state* s, const sweep_kernels* kernels, const patch* t, const lane_group* g,
                double h, int lane, int lanes)
{
    const plan* p = s->plan;
    size_t group = (size_t)(g - p->group), first = (size_t)t->first_row;
    for (int i = p->flow.start[group]; i < p->flow.start[group + 1]; ++i) {
        flow_work work = open_block(s, (size_t)i);
        work.row = at_scalar(s, s->row, first * ROW);
        work.residue = at_scalar(s, s->residue, first * ROW4);
        work.h = h;
        if (kernels->flow(&work, lane, lanes)) copy_shape(s, (size_t)i);
    }
}

// ---- the state of a node ------------------------------------------------------------------------

static size_t at_number(int lane, int k)
{
    return ((size_t)(lane / BLOCK) * FLOW_STATE + (size_t)k) * BLOCK + (size_t)(lane % BLOCK);
}

void flow_read(const state* s, int node, double out[FLOW_STATE])
{
    for (int k = 0; k < FLOW_STATE; ++k)
        out[k] = plan_flows(s->plan, node)
                     ? state_get(s->flow, at_number(s->plan->flow.lane[node], k), s->scalar_bytes)
                     : k < TET_SHAPE && k % 4 == 0;
}

static bool is_plate_block(const plan* p, size_t number)
{
    return is_plate(p->round[p->flow.block[number].first_round].type);
}

static void write_lane(state* s, int lane, const double flow[FLOW_STATE])
{
    for (int k = 0; k < FLOW_STATE; ++k)
        state_set(s->flow, at_number(lane, k), flow[k], s->scalar_bytes);
}

void flow_write(state* s, int node, const double flow[FLOW_STATE])
{
    if (!plan_flows(s->plan, node)) return;
    int lane = s->plan->flow.lane[node];
    flow_work work = open_block(s, (size_t)(lane / BLOCK));
    write_lane(s, lane, flow);
    sweep_kernels_for(1, s->scalar_bytes)->reshape(&work, lane % BLOCK, 1);
    copy_shape(s, (size_t)(lane / BLOCK));
}

void flow_begin(state* s)
{
    const plan* p = s->plan;
    if (!s->flow) return;
    const double rest[FLOW_STATE] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, flat[FLOW_STATE] = {0};
    memcpy(s->field, p->field, p->field_count * (size_t)p->scalar_bytes);
    for (size_t i = 0; i < p->flow.count * BLOCK; ++i)
        write_lane(s, (int)i, is_plate_block(p, i / BLOCK) ? flat : rest);
}
