// Plastic flow of a tetrahedron: its rest shape follows where its stress is beyond the yield
// stress, and keeps its volume.
//
// F = Fe Fp, and elasticity sees Fe alone. What is kept is P = Fp^-1, of determinant 1: the rows of
// the inverse of the rest edges become P^T b_i, and F of them is Fe. The stress of the energy is
// mu Fe Fe^T beside a pressure, so what yields is the deviator of C = Fe^T Fe, which has the same
// eigenvalues and knows nothing of a rotation: C = c I + D, and |D| mu is at most sqrt(2/3) times
// the yield stress, which is von Mises' rule. Beyond it, D becomes (1 - omega) D, with
//     omega = (|D| - limit) / |D| / (1 + H / (3 mu c)) * h / (h + time)
// for a hardening modulus H (what flows raises the limit) and a relaxation time. C' = C + E has the
// determinant of C, E = delta I - omega D: a cubic for delta, by Newton's iteration from 0, which
// comes from above, where the cubic is convex. Then Fe' = Fe G, G^2 = C^-1 C', all of them with the
// axes of C, so that they commute.
//
// G is taken as (C + 3 C') (3 C + C')^-1 (Pade): it has the third order of what flows in a substep,
// needs no inverse of C, and is always nearer to I than what it stands for: what flows at once is
// never too much, and the rest comes with the next substeps. The logarithm of G is likewise
// E (C + C')^-1. In the form G = I + 2 E (3 C + C')^-1 nothing cancels, however little flows.
// At the end P is scaled to the determinant 1: no volume is lost over any number of substeps.
//
// All of it looks at the places at the start of a substep, which no sweep changes: it does not
// matter who comes first, and an element that is there twice (in two nodes, in a patch and in
// another) flows twice alike.
#pragma once
#include "constraint/tet.h"

// A shape at rest can be changed from outside, too: swelling, muscles. Then P is what it is made of
// any determinant, such an element never yields, and its strain says so.
//
// Of a lane, as they lie in memory: constants of its material, and its state.
enum { FLOW_RULES = 4, FLOW_STATE = 10, TET_SHAPE = 9 };

typedef struct {
    real limit;     // [-] sqrt(2/3) yield stress / mu; huge: it never yields
    real hardening; // [-] sqrt(2/3) hardening modulus / mu
    real time;      // [s] in which what is beyond the limit becomes 1/e of it
    real most;      // [-] strain that can flow
} flow_rules;

typedef struct {
    mat3 p;      // Fp^-1
    real strain; // [-] that has flowed: the sum of sqrt(2/3) |log G|
} flow_state;

#define FLOW_NEVER   1e30 // no limit
#define FLOW_SWOLLEN -1   // the strain of what was changed from outside

// Of a material whose yield stress is 0: it never yields.
static inline void flow_rules_of(const element* e, double out[FLOW_RULES])
{
    const double share = 0.81649658092772603273; // sqrt(2/3)
    if (e->bend[0] > 0) {                        // a plate (crease.h)
        out[0] = e->yield > 0 ? e->yield : FLOW_NEVER;
        out[1] = e->hardening / e->bend[0];
        out[2] = e->flow_time;
        out[3] = FLOW_NEVER;
        return;
    }
    out[0] = e->yield > 0 ? share * e->yield / e->mu : FLOW_NEVER;
    out[1] = share * e->hardening / e->mu;
    out[2] = e->flow_time;
    out[3] = e->flow_most > 0 ? e->flow_most : FLOW_NEVER;
}

INLINE flow_state flow_at_rest(void)
{
    real one = lane_splat(1), no = lane_splat(0);
    flow_state s = {{v3(one, no, no), v3(no, one, no), v3(no, no, one)}, no};
    return s;
}

// The shape of an element at rest that has flowed: b_i becomes P^T b_i. One that has not is what it
// was, to the bit.
INLINE vec3 flow_turned(const flow_state* s, vec3 b)
{
    mask flowed = s->strain * s->strain > lane_splat(0);
    return v3(lane_select(flowed, v3_dot(s->p.a, b), b.x),
              lane_select(flowed, v3_dot(s->p.b, b), b.y),
              lane_select(flowed, v3_dot(s->p.c, b), b.z));
}
INLINE tet_shape flow_shape(const flow_state* s, const tet_shape* rest)
{
    tet_shape t = {flow_turned(s, rest->b1), flow_turned(s, rest->b2), flow_turned(s, rest->b3)};
    return t;
}

INLINE real flow_determinant(sym3 m)
{
    return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) +
           m.xz * (m.xy * m.yz - m.yy * m.xz);
}

INLINE sym3 flow_inverse(sym3 m)
{
    real r = lane_inverse_or_zero(flow_determinant(m));
    sym3 i = {r * (m.yy * m.zz - m.yz * m.yz), r * (m.xx * m.zz - m.xz * m.xz),
              r * (m.xx * m.yy - m.xy * m.xy), r * (m.xz * m.yz - m.xy * m.zz),
              r * (m.xy * m.yz - m.xz * m.yy), r * (m.xy * m.xz - m.xx * m.yz)};
    return i;
}

// What is isotropic of C, and what is not.
typedef struct {
    real mean;
    sym3 rest;
    real norm; // of that
} flow_parts;

INLINE flow_parts flow_split(sym3 c)
{
    flow_parts s;
    s.mean = lane_splat((scalar)(1.0 / 3)) * s3_trace(c);
    s.rest = c;
    s.rest.xx = c.xx - s.mean;
    s.rest.yy = c.yy - s.mean;
    s.rest.zz = c.zz - s.mean;
    s.norm = lane_sqrt(s3_dot(s.rest, s.rest));
    return s;
}

// By which share the deviator becomes less.
INLINE real flow_share(const flow_rules* r, const flow_parts* c, real strain, scalar h)
{
    const scalar third = (scalar)0.40824829046386301637; // (1/3) / sqrt(2/3)
    const scalar least = (scalar)1e-30;
    real over = c->norm - (r->limit + r->hardening * strain);
    real slower = (lane_splat(1) + third * r->hardening / c->mean) * (h + r->time);
    real share = lane_max(over, lane_splat(0)) * h / lane_max(c->norm * slower, lane_splat(least));
    // sqrt(2/3) |log G| of it, nearly: not more than is left.
    real flows = third * c->norm * share / c->mean;
    real left = lane_max(r->most - strain, lane_splat(0));
    return lane_select(flows > left, share * left / lane_max(flows, lane_splat(least)), share);
}

// E = C' - C.
INLINE sym3 flow_change(const flow_parts* c, real share)
{
    enum { ITERATIONS = 6 };
    const real keeps = lane_splat(1) - share;
    real half = 0.5f * (c->norm * c->norm), third = flow_determinant(c->rest);
    real start = share * ((lane_splat(1) + keeps) * (c->mean * half) -
                          (lane_splat(1) + keeps + keeps * keeps) * third);
    real square = keeps * keeps * half, delta = lane_splat(0);
    UNROLL
    for (int i = 0; i < ITERATIONS; ++i) {
        real mean = c->mean + delta, slope = 3.0f * (mean * mean) - square;
        real value = delta * (delta * delta + 3.0f * c->mean * mean - square) + start;
        delta = delta - value * lane_inverse_or_zero(slope);
    }
    sym3 e = s3_scale(-share, c->rest);
    e.xx = e.xx + delta;
    e.yy = e.yy + delta;
    e.zz = e.zz + delta;
    return e;
}

// Nearly det^(-1/3), twice.
INLINE mat3 flow_normalized(mat3 m)
{
    UNROLL
    for (int i = 0; i < 2; ++i) {
        real det = v3_dot(m.a, v3_cross(m.b, m.c));
        m = m3_scale((lane_splat(2) + det) / (lane_splat(1) + 2.0f * det), m);
    }
    return m;
}

INLINE flow_state flow_on(const flow_state* s, sym3 c, sym3 change)
{
    const scalar share = (scalar)0.81649658092772603273; // sqrt(2/3)
    sym3 step = s3_product(change, flow_inverse(s3_add_scaled(change, lane_splat(4), c)));
    sym3 way = s3_product(change, flow_inverse(s3_add_scaled(change, lane_splat(2), c)));
    flow_state out;
    out.p = flow_normalized(m3_add_scaled(s->p, lane_splat(2), m3_mul_s3(s->p, step)));
    out.strain = s->strain + share * lane_sqrt(s3_dot(way, way));
    return out;
}

INLINE vec3 flow_chosen(mask m, vec3 yes, vec3 no)
{
    return v3(lane_select(m, yes.x, no.x), lane_select(m, yes.y, no.y),
              lane_select(m, yes.z, no.z));
}

// Lets the element flow for a substep of h, given F of its present shape. Returns whether it did in
// any lane. One that is inverted, pressed to a tenth of its volume or torn apart does not: that is
// nothing that its material does.
INLINE int flow_advance(const flow_rules* r, mat3 f, scalar h, flow_state* s)
{
    const scalar least_volume = (scalar)0.1, most_mean = (scalar)100;
    sym3 c = m3_metric(f);
    flow_parts parts = flow_split(c);
    real volume = v3_dot(f.a, v3_cross(f.b, f.c));
    mask beyond = lane_both(parts.norm > r->limit + r->hardening * s->strain, s->strain < r->most);
    mask sound = lane_both(volume > lane_splat(least_volume), parts.mean < lane_splat(most_mean));
    mask yields = lane_both(beyond, sound);
    if (!lane_any(yields)) return 0;
    real share = flow_share(r, &parts, s->strain, h);
    flow_state next = flow_on(s, c, flow_change(&parts, share));
    s->p.a = flow_chosen(yields, next.p.a, s->p.a);
    s->p.b = flow_chosen(yields, next.p.b, s->p.b);
    s->p.c = flow_chosen(yields, next.p.c, s->p.c);
    s->strain = lane_select(yields, next.strain, s->strain);
    return 1;
}
