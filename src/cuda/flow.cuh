// Rest shapes that flow (constraint/flow.h) before the first sweep of a substep: a thread for each
// lane of a block of 16 nodes, as solver/sweep.c has it.
#pragma once
#include "constraint/flow.h"
#include "cuda/sweep.cuh"

template <class T> DEVICE T load_lane(const scalar* from, int lane)
{
    enum { COUNT = sizeof(T) / sizeof(scalar) };
    scalar field[COUNT];
    T out;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) field[i] = from[i * BLOCK + lane];
    memcpy(&out, field, sizeof out);
    return out;
}

template <class T> DEVICE void store_lane(scalar* to, int lane, const T& value)
{
    enum { COUNT = sizeof(T) / sizeof(scalar) };
    scalar field[COUNT];
    memcpy(field, &value, sizeof value);
#pragma unroll
    for (int i = 0; i < COUNT; ++i) to[i * BLOCK + lane] = field[i];
}

// Corners at the start of the substep, relative to the first one: with what rounding left over.
template <class R>
DEVICE void load_corners(const device_body& b, const round_block& r, int lane, const R& rows,
                         const quad* residue, vec3 x[4])
{
    quad first, left;
    x[0] = v3_zero();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        size_t k = r.index_at + i * BLOCK + lane;
        unsigned at =
            b.index_bytes == 2 ? ((const uint16_t*)b.index)[k] : (unsigned)((const int*)b.index)[k];
        quad place = rows.place(at), more = residue[at];
        if (i == 0)
            first = place, left = more;
        else
            x[i] = v3_add(v3_sub(quad_xyz(place), quad_xyz(first)),
                          v3_sub(quad_xyz(more), quad_xyz(left)));
    }
}

// A lane of block `number`: what flows, and the shapes of all rounds of its node.
template <class R>
DEVICE void flow_lane(const device_flow& f, const device_body& b, int number, int lane,
                      const R& rows, const quad* residue)
{
    const flow_block block = f.block[number];
    const round_block* r = b.round + block.first_round;
    scalar* state = f.state + (size_t)number * (FLOW_STATE * BLOCK);
    flow_rules rules = load_lane<flow_rules>(f.rule + (size_t)number * (FLOW_RULES * BLOCK), lane);
    flow_state s = load_lane<flow_state>(state, lane);
    tet_shape now = load_lane<tet_shape>(f.field + r->field_at, lane);
    vec3 x[4];
    load_corners(b, *r, lane, rows, residue, x);
    if (!flow_advance(&rules, tet_gradient(&now, x), f.h, &s)) return;
    tet_shape rest = load_lane<tet_shape>(f.rest + r->field_at, lane);
    store_lane(state, lane, s);
    for (int i = 0; i < block.round_count; ++i)
        store_lane(f.field + r[i].field_at, lane, flow_shape(&s, &rest));
}
