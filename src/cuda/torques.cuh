// Sweeps that do not turn what they work on (torque.h), by warps: a lane has a row of a strip, or a
// column of strips. All lanes of a warp do the same, whether they have something or not, so that
// they stay together.
#pragma once
#include "cuda/rows.cuh"
#include "cuda/sweep.cuh"
#include "solver/torque.h"

// Where the sums of strips and the twists of components are, those of a patch or of a whole body.
typedef struct {
    scalar* sums; // TORQUE_SCALARS each
    twist* twists;
    int first_strip, strip_count, first_component; // of them
    int rows;      // of a patch that is one component; else 0, and lists are read
    pin_kind pins; // of that component
    int center;    // the row where it is pinned at a point; 0 where it is free
    bool held;     // by its pins
} torque_place;

// Who works: warps of a block, or of all.
typedef struct {
    int number, count, lane;
} warp_of;
enum { WARP = 32, MOST_WARPS = 16, PAST_SCALARS = PAST }; // PAST is a name of templates, too
DEVICE warp_of warp_of_block(void)
{
    int thread = (int)threadIdx.x;
    warp_of w = {thread / WARP, (int)blockDim.x / WARP, thread % WARP};
    return w;
}

// ---- rows ---------------------------------------------------------------------------------------

// Rows of a patch that are all in shared memory, by its name, and rows wherever they are.
struct near_rows {
    int rows; // of each array
    static __device__ quad* all() { return (quad*)block_memory; }
    __device__ quad x(int i) const { return all()[i]; }
    __device__ quad d(int i) const { return all()[rows + i]; }
    __device__ quad v(int i) const { return all()[2 * rows + i]; }
    __device__ quad residue(int i) const { return all()[3 * rows + i]; }
    __device__ void set_d(int i, quad q) const { all()[rows + i] = q; }
};
struct far_rows {
    row_place at;
    __device__ quad x(int i) const { return at.x[i * at.x_stride]; }
    __device__ quad d(int i) const { return at.d[i * at.x_stride]; }
    __device__ quad v(int i) const { return at.v[i]; }
    __device__ quad residue(int i) const { return at.residue[i]; }
    __device__ void set_d(int i, quad q) const { at.d[i * at.x_stride] = q; }
};

// What is needed of the body, in registers: between other warps' stores the compiler would read it
// again and again.
template <class R> struct torque_work {
    R rows;
    int first_row; // rows count from this one
    const component* components;
    const strip* strips;
    const component_pins* pins; // NULL: nothing is pinned
    const scalar* kept;         // NULL: the sweep started from the prediction
    const scalar* past;
    substep_rules rules;
    bool patched;
    scalar mass_unit;
    const path* holders;
    int holder_count; // 0, too: none owes anything
    int number;       // of the substep
};

template <bool PAST, class R>
DEVICE torque_work<R> start_torques(const device_body& b, const R& rows, int first_row,
                                    const sweep_pass& part)
{
    torque_work<R> w;
    w.rows = rows;
    w.first_row = first_row;
    w.components = b.components;
    w.strips = b.strips;
    w.pins = b.pins;
    w.kept = order_goes_on_from_sweep(&b.order, &part) ? b.kept : NULL;
    w.past = b.past;
    w.rules = *rules_at<PAST>(b, part.substep);
    w.patched = b.patched;
    w.mass_unit = b.mass_unit;
    w.holders = b.holders;
    w.number = part.substep;
    w.rules.owed = b.rules[part.substep > 0].owed;
    w.holder_count = part.first && w.rules.owed > 0 ? b.holder_count : 0;
    return w;
}

typedef struct {
    quad x, d, rest, push;
    scalar inverse; // mass
} torque_row;

DEVICE quad mass_of(scalar inverse, scalar unit)
{
    scalar m = lane_inverse_or_zero(inverse) * unit;
    return quad_of(m, m, m, m);
}

template <bool PAST, class R> DEVICE torque_row look_at_row(const torque_work<R>& w, int i)
{
    size_t row = (size_t)(w.first_row + i);
    particle_row a = {w.rows.x(i), w.rows.d(i), w.rows.v(i), w.rows.residue(i)};
    quad before;
    if (w.kept) {
        before = quad_load(w.kept + row * ROW4);
    } else if constexpr (PAST) {
        particle_past past = {quad_load(w.past + row * PAST_SCALARS), quad_of(0, 0, 0, 0)};
        before = predicted_increment(&w.rules, &a, &past);
    } else {
        before = predicted_increment(&w.rules, &a, NULL);
    }
    torque_row r = {a.x, a.d, PAST ? torque_rest(&w.rules, a.residue, before) : a.residue,
                    a.d - before, w.patched ? a.x[3] : a.v[3]};
    return r;
}

template <class R> DEVICE component_pins pins_of(const torque_work<R>& w, int component)
{
    component_pins none = {PINS_NONE, 0, 0};
    return w.pins ? w.pins[component] : none;
}

// Strip i of those at hand, its rows as they are counted here. That of a patch which is one
// component is known without asking the device's memory.
template <class R> DEVICE strip strip_at(const torque_work<R>& w, const torque_place& at, int i)
{
    if (!at.rows) {
        strip s = w.strips[at.first_strip + i];
        s.first_row -= w.first_row;
        return s;
    }
    strip s = {i * STRIP, min(STRIP, at.rows - i * STRIP), at.first_component};
    return s;
}

// From the first row of a component, or from where it is pinned.
template <bool PAST, class R>
DEVICE viewpoint view_component(const torque_work<R>& w, int number, const component_pins& pins,
                                const torque_place& at)
{
    viewpoint v = {quad_of(0, 0, 0, 0), quad_of(0, 0, 0, 0)};
    if (pins.kind == PINS_NONE) {
        int i = 0;
        if (at.rows == 0) i = w.strips[w.components[number].first_strip].first_row - w.first_row;
        v.x = w.rows.x(i);
    } else {
        torque_row r = look_at_row<PAST>(w, pins.row - w.first_row);
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

// The sum over a warp, by its lanes.
DEVICE void store_sum(const torque_sums& s, int lane, scalar* to)
{
    scalar value[TORQUE_SCALARS];
    spread_quads(s, value);
    scalar sum = sum_lanes(value, lane, 2, 4, 8, 16, 1);
    if (!(lane & 1)) to[number_of_value(lane, 2, 4, 8, 16)] = sum;
}

template <bool PAST, class R>
DEVICE void sum_strip(const torque_work<R>& w, int i, const torque_place& at, int lane)
{
    const strip s = strip_at(w, at, i);
    const component_pins pins = pins_of(w, s.component);
    if (pins.kind == PINS_HOLD) return;
    viewpoint from = view_component<PAST>(w, s.component, pins, at);
    torque_row r = look_at_row<PAST>(w, s.first_row + min(lane, s.count - 1));
    quad mass = mass_of(lane < s.count ? r.inverse : 0, w.mass_unit);
    store_sum(torque_of_rows(torque_arm(&from, r.x, r.rest), r.push, mass), lane,
              at.sums + i * TORQUE_SCALARS);
}

// ---- components ---------------------------------------------------------------------------------

// Adds the strips of a component of a body, a column for each lane. Lane 2 k gets value k.
DEVICE scalar sum_columns(const quad* sums, int count, int lane)
{
    scalar value[TORQUE_SCALARS];
#pragma unroll
    for (int k = 0; k < TORQUE_SCALARS; ++k) value[k] = 0;
    for (int start = 0; start < count; start += COLUMNS) {
        const quad* sum = sums + 4 * min(start + lane, count - 1);
        torque_sums s = {sum[0], sum[1], sum[2], sum[3]};
        scalar more[TORQUE_SCALARS];
        spread_quads(s, more);
#pragma unroll
        for (int k = 0; k < TORQUE_SCALARS; ++k)
            value[k] = value[k] + (start + lane < count ? more[k] : 0);
    }
    return sum_lanes(value, lane, 16, 8, 4, 2, 1);
}

// The same for a component of a patch: half of the lanes for each column, and value k in lanes k
// and k + 16.
DEVICE scalar sum_few_columns(const scalar* sums, int count, int lane)
{
    enum { HALF = WARP / FEW_COLUMNS };
    scalar value = 0;
    const scalar* mine = sums + lane;
    for (int i = 0; i + 1 < count; i += FEW_COLUMNS) value = value + mine[i * HALF];
    scalar last = sums[(count - 1) * HALF + lane % HALF];
    if (count % FEW_COLUMNS) value = value + (lane < HALF ? last : 0);
    return value + __shfl_xor_sync(0xffffffff, value, HALF);
}

// From lanes 0, `step`, 2 `step` and so on, to all of a warp.
DEVICE torque_total spread_sum(scalar sum, int step)
{
    scalar all[TORQUE_SCALARS];
#pragma unroll
    for (int k = 0; k < TORQUE_SCALARS; ++k) all[k] = __shfl_sync(0xffffffff, sum, step * k);
    torque_total t = {
        quad_of(all[0], all[1], all[2], all[3]), quad_of(all[4], all[5], all[6], all[7]),
        quad_of(all[8], all[9], all[10], all[11]), quad_of(all[12], all[13], all[14], all[15])};
    return t;
}

// What springs left in the substep before; the same in all lanes.
template <class R> DEVICE quad owed_to(const torque_work<R>& w, int number)
{
    const component c = w.components[number];
    quad sum = quad_of(0, 0, 0, 0);
    int i = first_path(w.holders, w.holder_count, w.strips[c.first_strip].first_row);
    int end = component_end(&c, w.strips);
    for (; i < w.holder_count && w.holders[i].row < end; ++i) {
        int row = w.holders[i].row, at = row - w.first_row;
        if (!component_has(&c, w.strips, row)) continue;
        particle_row a = {w.rows.x(at), quad_of(0, 0, 0, 0), w.rows.v(at), w.rows.residue(at)};
        sum = sum + owed_torque(&w.rules, &w.holders[i], w.number, &a, w.mass_unit);
    }
    return sum;
}

// A warp solves for the twist of a component, the first of whose strips is strip `first` of those
// at hand.
template <bool PAST, class R>
DEVICE void solve_component(const torque_work<R>& w, int number, int first, int count,
                            const torque_place& at, int lane)
{
    const component_pins pins = pins_of(w, number);
    if (pins.kind == PINS_HOLD) return;
    const scalar* sums = at.sums + first * TORQUE_SCALARS;
    torque_total t = w.patched ? spread_sum(sum_few_columns(sums, count, lane), 1)
                               : spread_sum(sum_columns((const quad*)sums, count, lane), 2);
    vec3 line = v3_zero();
    if (pins.kind == PINS_LINE) {
        viewpoint from = view_component<PAST>(w, number, pins, at);
        torque_row r = look_at_row<PAST>(w, pins.other - w.first_row);
        line = quad_xyz(torque_arm(&from, r.x, r.rest));
    }
    const rotor turns = rotor_of(&t, pins.kind);
    if (w.holder_count) t.torque = t.torque + owed_to(w, number);
    twist turned = twist_of(&turns, t.torque, pins.kind, line);
    if (lane == 0) at.twists[number - at.first_component] = turned;
    __syncwarp();
}

template <bool PAST, class R>
DEVICE void untwist_strip(const torque_work<R>& w, int number, const torque_place& at, int lane)
{
    const strip s = strip_at(w, at, number);
    const component_pins pins = pins_of(w, s.component);
    if (pins.kind == PINS_HOLD) return;
    int i = s.first_row + min(lane, s.count - 1);
    viewpoint from = view_component<PAST>(w, s.component, pins, at);
    torque_row r = look_at_row<PAST>(w, i);
    const twist turned = at.twists[s.component - at.first_component];
    quad d = untwist(turned.turn, turned.center, torque_arm(&from, r.x, r.rest), r.d);
    if (lane < s.count && r.inverse > 0) w.rows.set_d(i, d);
    __syncwarp();
}

// ---- patches ------------------------------------------------------------------------------------

// All components of a patch, by a block.
template <bool PAST, class R>
static __device__ __noinline__ void untwist_patch(const device_body& b, const patch& t, R rows,
                                                  sweep_pass part, const torque_place& at)
{
    torque_work<R> work = start_torques<PAST>(b, rows, t.first_row, part);
    work.patched = true;
    const warp_of w = warp_of_block();
    for (int i = w.number; i < at.strip_count; i += w.count) sum_strip<PAST>(work, i, at, w.lane);
    __syncthreads();
    for (int i = w.number; i < t.component_count; i += w.count) {
        component c = {at.first_strip, at.strip_count};
        if (t.component_count > 1) c = work.components[t.first_component + i];
        solve_component<PAST>(work, t.first_component + i, c.first_strip - at.first_strip,
                              c.strip_count, at, w.lane);
    }
    __syncthreads();
    for (int i = w.number; i < at.strip_count; i += w.count)
        untwist_strip<PAST>(work, i, at, w.lane);
    __syncthreads();
}

// Where a sweep goes on from another one, it keeps what it starts from.
DEVICE void keep_increments(const device_body& b, const patch& t, const row_place& rows)
{
    for (int i = (int)threadIdx.x; i < t.row_count; i += (int)blockDim.x)
        quad_store(b.kept + (size_t)(t.first_row + i) * ROW4, rows.d[i * rows.x_stride]);
}

// ---- patches that are one component, in shared memory -------------------------------------------

// Free, of first order, one sweep a substep: the common case. Every warp knows the twist then, and
// whoever reads the increments next takes it back.
//
// Exact arithmetic has a sum for each strip, as the processor has. Fast arithmetic promises no
// bits: a warp adds its rows lane by lane, and the lanes once. Nor does it see residues in an arm,
// which are below what a torque has of digits. And patches that are pinned at a point are here,
// too: others would wait for them. (Exact ones would all be up to 2 % slower by that.)
typedef struct {
    near_rows rows;
    int row_count, strip_count;
    scalar* sums; // TORQUE_SCALARS for each strip; fast: for each of MOST_WARPS
    scalar mass_unit;
    pin_kind pins;
    int center; // the row where it is pinned; 0 where it is free
} free_patch;

DEVICE viewpoint view_patch(const free_patch& p)
{
    viewpoint from = {p.rows.x(p.center), quad_of(0, 0, 0, 0)};
    return from;
}

DEVICE quad arm_in_patch(const viewpoint& from, quad x, quad residue)
{
#ifdef FAST_ARITHMETIC
    (void)residue;
    return quad_with_last(x - from.x, 1);
#else
    return torque_arm(&from, x, residue);
#endif
}

// What a row adds to a sum. Lanes behind the last row have no mass.
typedef struct {
    quad arm, push;
    scalar inverse; // mass
} patch_row;
DEVICE patch_row row_in_strip(const free_patch& p, const viewpoint& from,
                              const substep_rules& rules, int i, int lane)
{
    int row = i * STRIP + lane, at = min(row, p.row_count - 1);
    particle_row a = {p.rows.x(at), p.rows.d(at), p.rows.v(at), p.rows.residue(at)};
    patch_row r = {arm_in_patch(from, a.x, a.residue), a.d - predicted_increment(&rules, &a, NULL),
                   row < p.row_count ? a.x[3] : 0};
    return r;
}

#ifdef FAST_ARITHMETIC
DEVICE void sum_strips(const free_patch& p, const substep_rules& rules, const warp_of& w)
{
    const viewpoint from = view_patch(p);
    const quad none = quad_of(0, 0, 0, 0);
    torque_sums sum = {none, none, none, none};
#pragma unroll 1
    for (int i = w.number; i < p.strip_count; i += w.count) {
        const patch_row r = row_in_strip(p, from, rules, i, w.lane);
        scalar mass = r.inverse > 0 ? lane_inverse_of_normal(r.inverse) * p.mass_unit : 0;
        quad moment = mass * r.arm, next = quads_next(moment);
        sum.torque = sum.torque + moment * quads_next(r.push) - next * r.push;
        sum.moment = sum.moment + moment;
        sum.square = sum.square + moment * r.arm;
        sum.mixed = sum.mixed + next * r.arm;
    }
    // Nobody asks for these.
    sum.torque = quad_with_last(sum.torque, 0);
    sum.square = quad_with_last(sum.square, 0);
    sum.mixed = quad_with_last(sum.mixed, 0);
    store_sum(sum, w.lane, p.sums + w.number * TORQUE_SCALARS);
}

// Value k in lanes k and k + 16. Warps that there are not have zeros.
DEVICE scalar sum_patch(const free_patch& p, int lane)
{
    enum { HALF = WARP / 2 };
    scalar value = 0;
#pragma unroll
    for (int i = 0; i < MOST_WARPS; i += 2) value = value + p.sums[i * HALF + lane];
    return value + __shfl_xor_sync(0xffffffff, value, HALF);
}
#else
DEVICE void sum_strips(const free_patch& p, const substep_rules& rules, const warp_of& w)
{
    const viewpoint from = view_patch(p);
    for (int i = w.number; i < p.strip_count; i += w.count) {
        const patch_row r = row_in_strip(p, from, rules, i, w.lane);
        store_sum(torque_of_rows(r.arm, r.push, mass_of(r.inverse, p.mass_unit)), w.lane,
                  p.sums + i * TORQUE_SCALARS);
    }
}
DEVICE scalar sum_patch(const free_patch& p, int lane)
{
    return sum_few_columns(p.sums, p.strip_count, lane);
}
#endif

// In every warp.
DEVICE twist solve_patch(const free_patch& p, int lane)
{
    const torque_total t = spread_sum(sum_patch(p, lane), 1);
    const rotor turns = rotor_of(&t, p.pins);
    return twist_of(&turns, t.torque, PINS_NONE, v3_zero());
}
