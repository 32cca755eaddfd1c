// Angular momentum is kept: what a sweep turns by itself is taken back. The same source for the
// processor (torques.c) and for CUDA, in float and double.
//
// A substep has v' = v + f h / m and x' = x + h v', so
//     L' = sum m x' x v' = sum m (x + h v') x v' = sum m x x v' = L + h sum x x f:
// forces keep the angular momentum when they have no torque about the places x at the start of the
// substep. Constraints have none about places of their own, x + d, in the midst of it. The rest,
// - sum d x f, is of the order h^2 and does not change its sign: a hung body begins to turn, and
// one that spins slows down. So the pushes p of a sweep over the rows of a component, which hangs
// together, get rid of
//     tau = sum m X x p     by     p -= omega x (X - c),   I omega = tau
// with the center c of its mass and the inertia I about it. That leaves the sum of m p as it is.
// Copies of a particle share their X: merging them keeps the torque.
//
// Where a row is pinned c is its place, and I the inertia about it. Where several are pinned in a
// line, with the direction a, only what turns about the line is taken back: omega = a (a . tau) /
// (a . I a). Three that are not in a line hold everything, and nothing is to be taken back.
//
// A particle that a spring of compliance c holds at a point P gets its force from the end x' of the
// substep, F = -(x' - P) / c, which has a torque about P: (x - P) x F = (h / c) v' x (x' - P). It
// is taken back in the next substep, which begins with x' and v'.
//
// X is x for steps of first order. Those of second order (step.h) go on turning, in step with their
// past, when forces have no torque about X = x + s (x' - x), s = (1 + 1 / r) b / (1 - b): for equal
// substeps and b = 1/3 about x' itself. (A body that spins by theta in a substep needs forces
// along x' turned by 2 arg((1 - e^-i theta) (1 - b e^-i theta)) = pi - theta + 2 b theta / (1 -
// b).)
#pragma once
#include "solver/particle.h"

// ---- sums ---------------------------------------------------------------------------------------

// Where a component is seen from: near it, so that differences are exact.
typedef struct {
    quads x, rest;
} viewpoint;

// X from there, beside a one. `rest` is what a row has beside x: its residue, of second order on
// its way to x'.
INLINE quads torque_arm(const viewpoint* from, quads x, quads rest)
{
    return quads_add_three(quads_of(quad_of(1, 1, 1, 1)), x - from->x, rest - from->rest);
}

typedef struct {
    quads torque; // m X x p: z x y
    quads moment; // m X; m
    quads square; // m xx, m yy, m zz
    quads mixed;  // m yx, m zy, m xz
} torque_sums;

INLINE torque_sums torque_of_rows(quads arm, quads push, quads mass)
{
    quads moment = mass * arm, next = quads_next(moment);
    torque_sums s = {moment * quads_next(push) - next * push, moment, moment * arm, next * arm};
    return s;
}

INLINE torque_sums torque_add(torque_sums a, torque_sums b)
{
    torque_sums s = {a.torque + b.torque, a.moment + b.moment, a.square + b.square,
                     a.mixed + b.mixed};
    return s;
}

// Of a strip, and of a component: its strips in columns, which then come together. Few of them for
// a patch, many for a whole body.
enum { FEW_COLUMNS = 2, COLUMNS = 32 };
typedef struct {
    quad torque, moment, square, mixed;
} torque_total;

// ---- what is to be taken back -------------------------------------------------------------------

// By how much a component was turned too far, and about where, from its viewpoint; 0, 1.
typedef struct {
    quad turn, center;
} twist;

typedef struct {
    scalar xx, yy, zz, xy, yz, zx;
} symmetric;

INLINE vec3 symmetric_times(const symmetric* a, vec3 v)
{
    return v3(a->xx * v.x + a->xy * v.y + a->zx * v.z, a->xy * v.x + a->yy * v.y + a->yz * v.z,
              a->zx * v.x + a->yz * v.y + a->zz * v.z);
}

// About a center.
INLINE symmetric inertia_about(const torque_total* t, scalar mass, vec3 c)
{
    scalar xx = t->square[0] - mass * c.x * c.x, yy = t->square[1] - mass * c.y * c.y,
           zz = t->square[2] - mass * c.z * c.z;
    symmetric a = {yy + zz,
                   zz + xx,
                   xx + yy,
                   mass * c.x * c.y - t->mixed[0],
                   mass * c.y * c.z - t->mixed[1],
                   mass * c.z * c.x - t->mixed[2]};
    return a;
}

INLINE symmetric symmetric_scale(scalar s, const symmetric* a)
{
    symmetric b = {s * a->xx, s * a->yy, s * a->zz, s * a->xy, s * a->yz, s * a->zx};
    return b;
}

INLINE symmetric symmetric_adjugate(const symmetric* a)
{
    symmetric b = {a->yy * a->zz - a->yz * a->yz, a->zz * a->xx - a->zx * a->zx,
                   a->xx * a->yy - a->xy * a->xy, a->yz * a->zx - a->xy * a->zz,
                   a->zx * a->xy - a->yz * a->xx, a->xy * a->yz - a->zx * a->yy};
    return b;
}

// `b`: its adjugate.
INLINE scalar symmetric_determinant(const symmetric* a, const symmetric* b)
{
    return a->xx * b->xx + a->xy * b->xy + a->zx * b->zx;
}

// Of rows that are nearly in a line: they have hardly any inertia about it, and little to be turned
// there. A little more in all directions does no harm, and what it lacks elsewhere comes after.
INLINE vec3 turn_of_line(const symmetric* inertia, vec3 tau)
{
    const scalar little = (scalar)1e-6;
    symmetric raised = *inertia;
    raised.xx = raised.xx + little;
    raised.yy = raised.yy + little;
    raised.zz = raised.zz + little;
    const symmetric b = symmetric_adjugate(&raised);
    const symmetric inverse = symmetric_scale(1 / symmetric_determinant(&raised, &b), &b);
    vec3 omega = symmetric_times(&inverse, tau);
    vec3 rest = v3_sub(tau, symmetric_times(inertia, omega));
    return v3_add(omega, symmetric_times(&inverse, rest));
}

// omega of a (a . tau) / (a . I a), about a line along a.
INLINE vec3 turn_about(const symmetric* inertia, vec3 tau, vec3 line)
{
    const scalar little = (scalar)1e-6;
    scalar about = v3_dot(line, symmetric_times(inertia, line)), square = v3_dot(line, line);
    return v3_scale(v3_dot(line, tau) / (about + little * square), line);
}

// All that a twist needs to know of a component beside its torque. It depends on places alone, not
// on what a sweep did to them. Its inertia in parts of the trace, so that no unit matters.
typedef struct {
    vec3 center;
    scalar scale; // 1 / trace
    symmetric inertia, adjugate;
    scalar inverse; // 1 / determinant; 0: the rows are nearly in a line
} rotor;

INLINE rotor rotor_of(const torque_total* t, pin_kind pins)
{
    const scalar thin = (scalar)1e-5;
    rotor r;
    scalar mass = t->moment[3];
    r.center = pins == PINS_NONE ? v3_scale(lane_reciprocal(mass), quad_xyz(t->moment)) : v3_zero();
    symmetric inertia = inertia_about(t, mass, r.center);
    scalar trace = inertia.xx + inertia.yy + inertia.zz;
    r.scale = lane_reciprocal(lane_max(trace, SCALAR_LEAST));
    r.inertia = symmetric_scale(r.scale, &inertia);
    r.adjugate = symmetric_adjugate(&r.inertia);
    scalar determinant = symmetric_determinant(&r.inertia, &r.adjugate);
    r.inverse = lane_inverse_where(determinant > thin, determinant);
    return r;
}

INLINE vec3 turn_of(const rotor* r, vec3 tau)
{
    if (!(r->inverse > 0)) return turn_of_line(&r->inertia, tau);
    return v3_scale(r->inverse, symmetric_times(&r->adjugate, tau));
}

INLINE twist no_twist(void)
{
    twist none = {quad_of(0, 0, 0, 0), quad_of(0, 0, 0, 1)};
    return none;
}

// From the sum of torques over a component. `line`: from the viewpoint, which is at a pinned row,
// to another one, of a component that is pinned in a line.
INLINE twist twist_of(const rotor* r, quad torque, pin_kind pins, vec3 line)
{
    vec3 tau = v3_scale(r->scale, v3(torque[1], torque[2], torque[0]));
    vec3 omega = pins == PINS_LINE ? turn_about(&r->inertia, tau, line) : turn_of(r, tau);
    scalar sum = omega.x + omega.y + omega.z;
    if (!(sum - sum == 0)) return no_twist(); // nothing to turn, or no numbers
    twist w = {quad_of(omega.x, omega.y, omega.z, 0),
               quad_of(r->center.x, r->center.y, r->center.z, 1)};
    return w;
}

// The increments d of rows without it.
INLINE quads untwist(quads turn, quads center, quads arm, quads d)
{
    quads r = arm - center;
    return d - quads_next(turn * quads_next(r) - quads_next(turn) * r);
}

// ---- rows ---------------------------------------------------------------------------------------

// The increment that a sweep started from, as the prediction had it. `past`: of second order.
INLINE quad predicted_increment(const substep_rules* r, const particle_row* a,
                                const particle_past* past)
{
    quad seen = r->seen * a->v, d = a->residue + seen;
    return past ? d + r->past.lean * (r->past.ratio * past->moved - quad_with_last(seen, 0)) : d;
}

// How far X is from x to x' (above).
INLINE quad torque_rest(const substep_rules* r, quad residue, quad before)
{
    return residue + r->past.onward * (before - residue);
}

// ---- springs to points --------------------------------------------------------------------------

// Behind the last row of a component.
INLINE int component_end(const component* c, const strip* strips)
{
    const strip* last = &strips[c->first_strip + c->strip_count - 1];
    return last->first_row + last->count;
}

INLINE bool component_has(const component* c, const strip* strips, int row)
{
    int at = c->first_strip, end = at + c->strip_count;
    while (end - at > 1) {
        int middle = (at + end) / 2;
        if (strips[middle].first_row <= row)
            at = middle;
        else
            end = middle;
    }
    return row >= strips[at].first_row && row < strips[at].first_row + strips[at].count;
}

// Of one that holds a row: what it turned too far in the substep before, in this substep's measure.
// `unit`: of the masses in the sums. Those that are nearly rigid have no arm.
INLINE quad owed_torque(const substep_rules* r, const path* held, int number, const particle_row* a,
                        scalar unit)
{
    const scalar rigid = (scalar)1e-6;
    scalar compliance = (scalar)held->compliance;
    if (!(compliance > rigid * r->h * r->h * a->v[3])) return quad_of(0, 0, 0, 0);
    double point[3];
    way_point(held->from, held->to, number - 1, (int)r->substeps, point);
    vec3 arm = v3_add(seen_from(a->x, point), quad_xyz(a->residue));
    vec3 v = v3_add_scaled(quad_xyz(a->v), -r->h, r->gravity);
    vec3 t = v3_scale(r->owed * (unit * (scalar)held->share) / compliance, v3_cross(v, arm));
    return quad_of(t.z, t.x, t.y, 0);
}
