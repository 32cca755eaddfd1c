// A substep of single particles by CUDA threads: what happens to a row after a sweep, all of it
// while the row is in registers. Rows are counted from the first one of the patch.
#pragma once
#include "cuda/body.h"

// Where the rows of a patch are.
typedef struct {
    quad *x, *d; // x_stride quads apart: in shared memory each has its own array
    int x_stride;
    quad *v, *residue;
} row_place;

DEVICE particle_row load_row(const row_place& p, int i)
{
    particle_row a = {p.x[i * p.x_stride], p.d[i * p.x_stride], p.v[i], p.residue[i]};
    return a;
}

DEVICE void store_row(const row_place& p, int i, const particle_row& a)
{
    p.x[i * p.x_stride] = a.x;
    p.d[i * p.x_stride] = a.d;
    p.v[i] = a.v;
    p.residue[i] = a.residue;
}

DEVICE contact_mark load_mark(const device_body& b, size_t row)
{
    quad lift = b.lift ? quad_load(b.lift + row * ROW4) : quad_of(0, 0, 0, 0);
    contact_mark m = {
        quad_load(b.contact + row * CONTACT), quad_load(b.contact + row * CONTACT + CONTACT_NORMAL),
        quad_with_last(lift, 0), b.lift ? lift[3] : b.past[row * PAST + PAST_GAIN + 3]};
    return m;
}

// After the past, where there is one.
DEVICE void store_mark(const device_body& b, size_t row, const contact_mark& m)
{
    quad_store(b.contact + row * CONTACT, m.force);
    quad_store(b.contact + row * CONTACT + CONTACT_NORMAL, m.normal);
    if (b.lift)
        quad_store(b.lift + row * ROW4, quad_with_last(m.lift, m.surface));
    else
        b.past[row * PAST + PAST_GAIN + 3] = m.surface;
}

DEVICE scalar* load_at(const device_body& b, int number, int row)
{
    return b.load + ((size_t)number * (size_t)b.row_count + (size_t)row) * LOAD;
}

DEVICE contact_load load_load(const scalar* at)
{
    contact_load l = {quad_load(at), quad_load(at + LOAD_TORQUE), quad_load(at + LOAD_ARM)};
    return l;
}

DEVICE void store_load(scalar* at, const contact_load& l)
{
    quad_store(at, l.force);
    quad_store(at + LOAD_TORQUE, l.torque);
    quad_store(at + LOAD_ARM, l.arm);
}

DEVICE particle_past load_past(const device_body& b, size_t row)
{
    particle_past p = {quad_load(b.past + row * PAST), quad_load(b.past + row * PAST + PAST_GAIN)};
    return p;
}

DEVICE void store_past(const device_body& b, size_t row, const particle_past& p)
{
    quad_store(b.past + row * PAST, p.moved);
    quad_store(b.past + row * PAST + PAST_GAIN, p.gain);
}

// ---- parts --------------------------------------------------------------------------------------

// A pinned particle on its way goes by a share of it. Returns whether it is one.
DEVICE bool follow_path(const device_body& b, int row, int number, double share, particle_row* a)
{
    if (b.mover_count == 0) return false;
    int i = first_path(b.movers, b.mover_count, row);
    if (i == b.mover_count || b.movers[i].row != row) return false;
    double point[3];
    way_point(b.movers[i].from, b.movers[i].to, number, b.order.substeps, point);
    a->d = particle_follow(a, point, (scalar)share);
    return true;
}

// Where the row is pinned along axes.
DEVICE int axes_of(const device_body& b, int row)
{
    if (b.roller_count == 0) return 0;
    int i = first_roller(b.rollers, b.roller_count, row);
    return i < b.roller_count && b.rollers[i].row == row ? b.rollers[i].axes : 0;
}

template <bool PAST> DEVICE void roll_row(const device_body& b, int row, particle_row* a)
{
    int axes = axes_of(b, row);
    if (axes == 0) return;
    if constexpr (PAST) {
        particle_past past = load_past(b, (size_t)row);
        particle_roll(axes, a, &past);
        store_past(b, (size_t)row, past);
    } else {
        particle_roll(axes, a, NULL);
    }
}

template <bool PAST>
DEVICE void hold_row(const device_body& b, int row, int number, bool first_iteration,
                     particle_row* a)
{
    for (int i = first_path(b.holders, b.holder_count, row);
         i < b.holder_count && b.holders[i].row == row; ++i) {
        path* held = &b.holders[i];
        double point[3];
        real lambda[3] = {0, 0, 0};
        for (int k = 0; k < 3 && !first_iteration; ++k) lambda[k] = (scalar)held->lambda[k];
        way_point(held->from, held->to, number, b.order.substeps, point);
        particle_hold(a, point, rules_at<PAST>(b, number)->past.reach, (scalar)held->compliance,
                      lambda);
        holder_note(held, rules_at<PAST>(b, number), lambda, first_iteration);
    }
}

// A particle's contacts as one collider changes them.
template <bool PAST> struct met_row {
    contact_mark mark;
    particle_past past;
    contact_load load;
    scalar* sum; // of the collider's forces; NULL: nobody asks
    __device__ met_row(const device_body& b, const obstacle* o, int row)
    {
        mark = load_mark(b, (size_t)row);
        sum = o->load >= 0 ? load_at(b, o->load, row) : NULL;
        if (sum) load = load_load(sum);
        if constexpr (PAST) past = load_past(b, (size_t)row);
    }
    __device__ particle_past* past_or_null() { return PAST ? &past : NULL; }
    __device__ contact_load* load_or_null() { return sum ? &load : NULL; }
    __device__ void store(const device_body& b, int row)
    {
        if constexpr (PAST) store_past(b, (size_t)row, past);
        if (sum) store_load(sum, load);
        store_mark(b, (size_t)row, mark);
    }
};

// As it is in a substep.
DEVICE const obstacle* obstacle_here(const device_body& b, const obstacle* o, int number,
                                     obstacle* here)
{
    if (!o->way) return o;
    *here = obstacle_at(o, number, b.aside);
    return here;
}

// Of what is near, or may be: one that moves is seen where it is. Returns whether there is a
// contact.
template <bool PAST, bool SIMPLE>
static __device__ __noinline__ bool meet(const device_body& b, const obstacle* o, int row,
                                         int number, particle_row* a)
{
    probe at;
    obstacle here;
    o = obstacle_here(b, o, number, &here);
    scalar depth =
        particle_depth(o, o->sunk > 0 ? rise_left(&b.rising, number) : 0, a, SIMPLE, &at);
    if (!(depth > 0)) return false;
    met_row<PAST> m(b, o, row);
    particle_push(rules_at<PAST>(b, number), o, &at, depth, a, &m.mark, m.past_or_null(),
                  m.load_or_null());
    m.store(b, row);
    return true;
}

// The same with triangles, or the last word on where a particle goes.
template <bool PAST>
static __device__ __noinline__ bool meet_net(const device_body& b, const obstacle* o, int row,
                                             int number, bool last_word, particle_row* a)
{
    obstacle here;
    o = obstacle_here(b, o, number, &here);
    met_row<PAST> m(b, o, row);
    const substep_rules* rules = rules_at<PAST>(b, number);
    bool met = last_word
                   ? particle_stay(rules, o, a, &m.mark, m.past_or_null(), m.load_or_null())
                   : particle_meet_net(rules, o, a, &m.mark, m.past_or_null(), m.load_or_null());
    if (met) m.store(b, row);
    return met;
}

// One collider that may be near.
template <bool PAST>
DEVICE bool meet_obstacle(const device_body& b, const obstacle* o, int row, int number,
                          particle_row* a)
{
    return o->shape.shape == PLIANT_SHAPE_TRIANGLES ? meet_net<PAST>(b, o, row, number, false, a)
                                                    : meet<PAST, false>(b, o, row, number, a);
}

// Far away, or left to the body's surface.
DEVICE bool passes_over(const device_body& b, int number, const particle_row* a)
{
    return (b.swept && b.swept[number]) || particle_is_far(&b.obstacles[number], a, false);
}

// Of many colliders, those behind number `after` whose boxes are near the particle's way.
static __device__ __noinline__ void find_nearby(const device_body& b, const particle_row* a,
                                                int after, nearby_list* out)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        double from = (double)a->x[k] + b.aside[k], to = from + (double)a->d[k];
        double room = (double)a->d[3] + 4 * (double)SCALAR_EPSILON * fabs(from);
        low[k] = (from < to ? from : to) - room;
        high[k] = (from < to ? to : from) + room;
    }
    nearby_find(b.nearby, low, high, after, out);
}

// Away from all colliders, of which there are few.
template <bool SPECIAL> DEVICE bool is_away(const device_body& b, const particle_row* a)
{
    for (int k = 0; k < b.obstacle_count; ++k)
        if (!particle_is_far(&b.obstacles[k], a, !SPECIAL)) return false;
    return true;
}

// In ascending order. What was pushed is looked for anew.
template <bool PAST>
static __device__ __noinline__ bool meet_nearby(const device_body& b, int row, int number,
                                                particle_row* a)
{
    nearby_list l;
    bool any = false, again = true;
    for (int after = -1; again;) {
        find_nearby(b, a, after, &l);
        again = l.more;
        bool met = false;
        for (int i = 0; i < l.count && !met; ++i) {
            const obstacle* o = &b.obstacles[l.number[i]];
            after = l.number[i];
            met = !passes_over(b, after, a) && meet_obstacle<PAST>(b, o, row, number, a);
        }
        any = any || met;
        again = again || met;
    }
    return any;
}

template <bool PAST>
static __device__ __noinline__ void stay_before_nearby(const device_body& b, int row, int number,
                                                       particle_row* a)
{
    nearby_list l;
    int after = -1;
    do {
        find_nearby(b, a, after, &l);
        for (int i = 0; i < l.count; ++i) {
            const obstacle* o = &b.obstacles[after = l.number[i]];
            if (o->shape.shape == PLIANT_SHAPE_TRIANGLES && !passes_over(b, after, a))
                meet_net<PAST>(b, o, row, number, true, a);
        }
    } while (l.more);
}

// What would go through triangles stays before them.
template <bool PAST>
static __device__ __noinline__ void stay_before_nets(const device_body& b, int row, int number,
                                                     particle_row* a)
{
    if (b.nearby) stay_before_nearby<PAST>(b, row, number, a);
    for (int k = 0; k < b.obstacle_count && !b.nearby; ++k) {
        const obstacle* o = &b.obstacles[k];
        if (o->shape.shape == PLIANT_SHAPE_TRIANGLES && !passes_over(b, k, a))
            meet_net<PAST>(b, o, row, number, true, a);
    }
}

// Colliders that are many, of triangles, convex, or left to the body's surface: what meets them
// needs many registers, for which kernels of simple shapes would pay.
template <bool PAST>
static __device__ __noinline__ bool meet_special(const device_body& b, int row, int number,
                                                 particle_row* a)
{
    if (b.nearby) return meet_nearby<PAST>(b, row, number, a);
    bool any = false;
    for (int k = 0; k < b.obstacle_count; ++k)
        any = (!passes_over(b, k, a) && meet_obstacle<PAST>(b, &b.obstacles[k], row, number, a)) ||
              any;
    return any;
}

// Returns whether there is a contact. SPECIAL: some of its colliders may be special.
template <bool PAST, bool SPECIAL>
DEVICE bool meet_obstacles(const device_body& b, int row, int number, particle_row* a)
{
    bool any = false;
    if constexpr (SPECIAL) {
        particle_row near = *a; // in memory, for the call
        any = meet_special<PAST>(b, row, number, &near);
        *a = near;
    } else {
        for (int k = 0; k < b.obstacle_count; ++k) {
            if (particle_is_far(&b.obstacles[k], a, true)) continue;
            particle_row near = *a;
            any = meet<PAST, true>(b, &b.obstacles[k], row, number, &near) || any;
            *a = near;
        }
    }
    return any;
}

// ---- phases -------------------------------------------------------------------------------------

// Those with a past are of second order.

template <bool PAST>
DEVICE void coast_row(const device_body& b, int row, int number, particle_row* a)
{
    particle_coast(rules_at<PAST>(b, number), a);
    follow_path(b, row, number, 1, a);
}

// [m/s^2] by gravity and what else is there before the substep begins.
DEVICE quad acceleration_of(const device_body& b, const substep_rules* rules, int row,
                            scalar inv_mass)
{
    quad acceleration = quad_gravity(rules);
    if (b.pushed) acceleration = acceleration + inv_mass * quad_load(b.force + (size_t)row * ROW4);
    return acceleration;
}

// Whether contacts of the substep before may be part of the prediction.
template <bool PAST> DEVICE bool may_be_lifted(const device_body& b, int number)
{
    return !PAST && (number == 0 || b.obstacle_count > 0 || b.meets);
}

template <bool PAST>
DEVICE void take_back_lift(const device_body& b, int row, int number, particle_row* a)
{
    scalar* at = b.lift + (size_t)row * ROW4;
    quad lift = quad_load(at);
    if (lift[0] == 0 && lift[1] == 0 && lift[2] == 0) return;
    particle_take_back(rules_at<PAST>(b, number), lift, a);
    quad_store(at, quad_of(0, 0, 0, 0));
}

DEVICE void clear_loads(const device_body& b, int row)
{
    const quad none = quad_of(0, 0, 0, 0);
    const contact_load empty = {none, none, none};
    for (int k = 0; k < b.load_count; ++k) store_load(load_at(b, k, row), empty);
}

// A bounce is one of the collider with the deepest push.
static __device__ __noinline__ void bounce_loads(const device_body& b, int row,
                                                 const contact_mark& mark, scalar force)
{
    for (int k = 0; k < b.load_count; ++k) {
        contact_load load = load_load(load_at(b, k, row));
        load_bounce(&mark, force, &load);
        store_load(load_at(b, k, row), load);
    }
}

// `touched`: some contact may have left its mark.
template <bool PAST>
DEVICE void predict_row(const device_body& b, int row, int number, bool touched, particle_row* a)
{
    const substep_rules* rules = rules_at<PAST>(b, number);
    quad acceleration = acceleration_of(b, rules, row, a->v[3]);
    if (touched && may_be_lifted<PAST>(b, number))
        acceleration = acceleration + rules->lift * quad_load(b.lift + (size_t)row * ROW4);
    if constexpr (PAST) {
        particle_past past = load_past(b, (size_t)row);
        particle_predict(rules, acceleration, a->v[3], a, &past);
        if (follow_path(b, row, number, b.sees.motion, a)) past_follow(rules, a, &past);
        store_past(b, (size_t)row, past);
    } else {
        particle_predict(rules, acceleration, a->v[3], a, NULL);
        follow_path(b, row, number, b.sees.motion, a);
    }
    roll_row<PAST>(b, row, a);
    scalar* contact = b.contact + (size_t)row * CONTACT;
    if (number == 0) {
        quad_store(contact, quad_of(0, 0, 0, 0));
        clear_loads(b, row);
    } else if (touched) {
        contact[CONTACT_PUSH] = 0;
    }
}

// `lifted`: some contact may be part of the prediction. Returns whether there is a contact.
template <bool PAST, bool SPECIAL>
DEVICE bool touch_row(const device_body& b, int row, int number, bool first_iteration, bool lifted,
                      particle_row* a)
{
    if (b.sees.motion < 1)
        a->d = completed_increment(rules_at<PAST>(b, number), a->d, a->residue, a->v);
    if (lifted) take_back_lift<PAST>(b, row, number, a);
    if (b.sees.motion < 1) follow_path(b, row, number, 1, a);
    roll_row<PAST>(b, row, a);
    if (b.holder_count) hold_row<PAST>(b, row, number, first_iteration, a);
    bool touching = meet_obstacles<PAST, SPECIAL>(b, row, number, a);
    if (touching || b.holder_count) roll_row<PAST>(b, row, a);
    return touching;
}

// False when the particle left the finite numbers.
template <bool PAST, bool SPECIAL>
DEVICE bool update_row(const device_body& b, int row, int number, bool touched, particle_row* a)
{
    const substep_rules* rules = rules_at<PAST>(b, number);
    particle_past past;
    if (SPECIAL && b.net_count > 0) {
        particle_row near = *a; // in memory, for the call
        stay_before_nets<PAST>(b, row, number, &near);
        *a = near;
    }
    if constexpr (PAST) past = load_past(b, (size_t)row);
    if (number == 0) particle_settle(a);
    quad after = particle_velocity(rules, a, PAST ? &past : NULL), v = after;
    contact_mark mark;
    if (touched) {
        mark = load_mark(b, (size_t)row);
        scalar force;
        v = particle_bounce(rules, acceleration_of(b, rules, row, a->v[3]), a->v, v, &mark, &force);
        store_mark(b, (size_t)row, mark);
        if (b.load_count > 0) bounce_loads(b, row, mark, force);
    }
    if constexpr (PAST) past_end(rules, a, after, v, &past);
    bool finite = particle_update(v, a);
    if (!finite) {
        mark = load_mark(b, (size_t)row);
        particle_stop(a, &mark);
        store_mark(b, (size_t)row, mark);
        if constexpr (PAST) past.moved = past.gain = quad_of(0, 0, 0, 0);
    }
    if constexpr (PAST) store_past(b, (size_t)row, past);
    return finite;
}
