// Sweeps that do not turn what they work on (torque.h), by warps: a lane has a row of a strip, or a
// column of strips. All lanes of a warp do the same, whether they have something or not, so that
// they stay together.
#pragma once
#include "cuda/rows.cuh"
#include "solver/torque.h"

// Where the sums of strips and the twists of components are, those of a patch or of a whole body.
typedef struct {
    scalar* sums; // TORQUE_SCALARS each
    twist* twists;
    int first_strip, strip_count, first_component; // of them
    int inner, rows; // of a patch that is one component, inner and all; else 0, and lists are read
} torque_place;

// Who works: warps of a block, or of all.
typedef struct {
    int number, count, lane;
} warp_of;
enum { WARP = 32 };
DEVICE warp_of warp_of_block(void)
{
    int thread = (int)threadIdx.x;
    warp_of w = {thread / WARP, (int)blockDim.x / WARP, thread % WARP};
    return w;
}

// ---- rows ---------------------------------------------------------------------------------------

typedef struct {
    quad x, d, rest, push;
    quad mass; // in all elements; 0: pinned
} torque_row;

DEVICE quad mass_of(scalar inverse)
{
    scalar m = inverse > 0 ? 1 / inverse : 0;
    return quad_of(m, m, m, m);
}

// A row of the body, which is row i where they are looked at.
template <bool PAST>
DEVICE torque_row look_at_row(const device_body& b, const row_place& rows, int row, int i,
                              const sweep_part& part)
{
    const substep_rules* rules = rules_at<PAST>(b, part.number);
    particle_row a = load_row(rows, i);
    quad before;
    if (goes_on_from_sweep(b, part)) {
        before = quad_load(b.kept + (size_t)row * ROW4);
    } else if constexpr (PAST) {
        particle_past past = load_past(b, (size_t)row);
        before = predicted_increment(rules, &a, &past);
    } else {
        before = predicted_increment(rules, &a, NULL);
    }
    torque_row r = {a.x, a.d, PAST ? torque_rest(rules, a.residue, before) : a.residue,
                    a.d - before, mass_of(b.patched ? a.x[3] : a.v[3])};
    return r;
}

DEVICE component_pins pins_of(const device_body& b, int component)
{
    component_pins none = {PINS_NONE, 0, 0};
    return b.pins ? b.pins[component] : none;
}

// Strip i of those at hand. That of a patch which is one component is known without asking the
// device's memory: its inner rows are strips, and then those it shares.
DEVICE strip strip_at(const device_body& b, const torque_place& at, int first_row, int i)
{
    if (at.rows == 0) return b.strip[at.first_strip + i];
    int inner = (at.inner + STRIP - 1) / STRIP;
    int first = i < inner ? i * STRIP : at.inner + (i - inner) * STRIP;
    int end = i < inner ? at.inner : at.rows;
    strip s = {first_row + first, min(STRIP, end - first), at.first_component};
    return s;
}

// From the first row of a component, or from where it is pinned.
template <bool PAST>
DEVICE viewpoint view_component(const device_body& b, const row_place& rows, int first_row,
                                int number, const component_pins& pins, const torque_place& at,
                                const sweep_part& part)
{
    viewpoint v = {quad_of(0, 0, 0, 0), quad_of(0, 0, 0, 0)};
    if (pins.kind == PINS_NONE) {
        int row = at.rows ? first_row : b.strip[b.component[number].first_strip].first_row;
        v.x = rows.x[(row - first_row) * rows.x_stride];
    } else {
        torque_row r = look_at_row<PAST>(b, rows, pins.row, pins.row - first_row, part);
        v.x = r.x, v.rest = r.rest;
    }
    return v;
}

// ---- sums ---------------------------------------------------------------------------------------

// One more step of a sum over lanes: of 2 HALF values each lane keeps one half and gives the other
// to the lane that is `apart`.
template <int HALF> DEVICE void share_sum(scalar* value, int lane, int apart)
{
    bool upper = lane & apart;
#pragma unroll
    for (int k = 0; k < HALF; ++k) {
        scalar mine = upper ? value[k + HALF] : value[k],
               theirs = upper ? value[k] : value[k + HALF];
        value[k] = mine + __shfl_xor_sync(0xffffffff, theirs, apart);
    }
}

// Sums of 16 values over the lanes of a warp, in the order of the distances a, b, c, d, e. Returns
// the value whose number is made of the bits a, b, c, d of the lane.
DEVICE scalar sum_lanes(scalar value[TORQUE_SCALARS], int lane, int a, int b, int c, int d, int e)
{
    share_sum<8>(value, lane, a);
    share_sum<4>(value, lane, b);
    share_sum<2>(value, lane, c);
    share_sum<1>(value, lane, d);
    return value[0] + __shfl_xor_sync(0xffffffff, value[0], e);
}
DEVICE int number_of_value(int lane, int a, int b, int c, int d)
{
    return (lane & a ? 8 : 0) + (lane & b ? 4 : 0) + (lane & c ? 2 : 0) + (lane & d ? 1 : 0);
}

DEVICE void spread_quads(const torque_sums& s, scalar out[TORQUE_SCALARS])
{
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        out[k] = s.torque[k];
        out[4 + k] = s.moment[k];
        out[8 + k] = s.square[k];
        out[12 + k] = s.mixed[k];
    }
}

template <bool PAST>
DEVICE void sum_strip(const device_body& b, const row_place& rows, int first_row, int i,
                      const sweep_part& part, const torque_place& at, int lane)
{
    const strip s = strip_at(b, at, first_row, i);
    const component_pins pins = pins_of(b, s.component);
    if (pins.kind == PINS_HOLD) return;
    int row = s.first_row + min(lane, s.count - 1);
    viewpoint from = view_component<PAST>(b, rows, first_row, s.component, pins, at, part);
    torque_row r = look_at_row<PAST>(b, rows, row, row - first_row, part);
    scalar value[TORQUE_SCALARS];
    spread_quads(torque_of_rows(torque_arm(&from, r.x, r.rest), r.push, r.mass), value);
#pragma unroll
    for (int k = 0; k < TORQUE_SCALARS; ++k) value[k] = lane < s.count ? value[k] : 0;
    scalar sum = sum_lanes(value, lane, 2, 4, 8, 16, 1);
    scalar* to = at.sums + i * TORQUE_SCALARS;
    if (!(lane & 1)) to[number_of_value(lane, 2, 4, 8, 16)] = sum;
}

// ---- components ---------------------------------------------------------------------------------

// A warp adds the strips of a component, the first of which is strip `first` of those at hand, and
// solves for its twist.
template <bool PAST>
DEVICE void solve_component(const device_body& b, const row_place& rows, int first_row, int number,
                            int first, int count, const sweep_part& part, const torque_place& at,
                            int lane)
{
    const component_pins pins = pins_of(b, number);
    if (pins.kind == PINS_HOLD) return;
    scalar value[TORQUE_SCALARS];
#pragma unroll
    for (int k = 0; k < TORQUE_SCALARS; ++k) value[k] = 0;
    for (int start = 0; start < count; start += COLUMNS) {
        int i = first + min(start + lane, count - 1);
        const quad* sum = (const quad*)(at.sums + i * TORQUE_SCALARS);
        torque_sums s = {sum[0], sum[1], sum[2], sum[3]};
        scalar more[TORQUE_SCALARS];
        spread_quads(s, more);
#pragma unroll
        for (int k = 0; k < TORQUE_SCALARS; ++k)
            value[k] = value[k] + (start + lane < count ? more[k] : 0);
    }
    scalar sum = sum_lanes(value, lane, 16, 8, 4, 2, 1), all[TORQUE_SCALARS];
#pragma unroll
    for (int k = 0; k < TORQUE_SCALARS; ++k) all[k] = __shfl_sync(0xffffffff, sum, 2 * k);
    torque_total t = {
        quad_of(all[0], all[1], all[2], all[3]), quad_of(all[4], all[5], all[6], all[7]),
        quad_of(all[8], all[9], all[10], all[11]), quad_of(all[12], all[13], all[14], all[15])};
    vec3 line = v3_zero();
    if (pins.kind == PINS_LINE) {
        viewpoint from = view_component<PAST>(b, rows, first_row, number, pins, at, part);
        torque_row r = look_at_row<PAST>(b, rows, pins.other, pins.other - first_row, part);
        line = quad_xyz(torque_arm(&from, r.x, r.rest));
    }
    twist w = twist_of(&t, pins.kind, line);
    if (lane == 0) at.twists[number - at.first_component] = w;
    __syncwarp();
}

template <bool PAST>
DEVICE void untwist_strip(const device_body& b, const row_place& rows, int first_row, int number,
                          const sweep_part& part, const torque_place& at, int lane)
{
    const strip s = strip_at(b, at, first_row, number);
    const component_pins pins = pins_of(b, s.component);
    if (pins.kind == PINS_HOLD) return;
    int row = s.first_row + min(lane, s.count - 1), i = row - first_row;
    viewpoint from = view_component<PAST>(b, rows, first_row, s.component, pins, at, part);
    torque_row r = look_at_row<PAST>(b, rows, row, i, part);
    const twist w = at.twists[s.component - at.first_component];
    quad d = untwist(w.turn, w.center, torque_arm(&from, r.x, r.rest), r.d);
    if (lane < s.count && (pins.kind == PINS_NONE || r.mass[0] > 0)) rows.d[i * rows.x_stride] = d;
    __syncwarp();
}

// ---- patches ------------------------------------------------------------------------------------

// All components of a patch, by a block.
template <bool PAST>
static __device__ __noinline__ void untwist_patch(const device_body& b, const patch& t,
                                                  const row_place& rows, sweep_part part,
                                                  torque_place at)
{
    warp_of w = warp_of_block();
    for (int i = w.number; i < at.strip_count; i += w.count)
        sum_strip<PAST>(b, rows, t.first_row, i, part, at, w.lane);
    __syncthreads();
    for (int i = w.number; i < t.component_count; i += w.count) {
        component c = {at.first_strip, at.strip_count};
        if (t.component_count > 1) c = b.component[t.first_component + i];
        solve_component<PAST>(b, rows, t.first_row, t.first_component + i,
                              c.first_strip - at.first_strip, c.strip_count, part, at, w.lane);
    }
    __syncthreads();
    for (int i = w.number; i < at.strip_count; i += w.count)
        untwist_strip<PAST>(b, rows, t.first_row, i, part, at, w.lane);
    __syncthreads();
}

// Where a sweep goes on from another one, it keeps what it starts from.
DEVICE void keep_increments(const device_body& b, const patch& t, const row_place& rows)
{
    for (int i = (int)threadIdx.x; i < t.row_count; i += (int)blockDim.x)
        quad_store(b.kept + (size_t)(t.first_row + i) * ROW4, rows.d[i * rows.x_stride]);
}
