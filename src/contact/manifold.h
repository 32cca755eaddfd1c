// Contacts of rigid bodies, one after the other. All contacts of two bodies are a manifold.
// Manifolds have colors: those of one color have no body in common that moves. So color after
// color, each contact sees what those before it have done to its bodies, with their whole masses;
// the order follows from the contacts alone, and manifolds of a color run at once. (Parts of a mass
// for each contact, as points have them, would take as many passes more as a body has contacts.)
//
// Rounds alone would take very many of them where bodies are piled high, for a pile bends like a
// beam. So they are a preconditioner of conjugate gradients: what a round did, and a part of where
// the rounds before it led, is tried before the next one, which takes back what is not allowed. The
// part is the ratio of what the last two rounds did, by energy, of all contacts of an island: of
// bodies that touch each other. A round that did more than the one before it starts anew.
// (Silcowitz, Niebel, Erleben 2010.)
//
// In a pass, bodies go along a line: a push p at an arm r from the center adds p / m to their step
// and I^-1 (r x p) to their turn. When the pass is over, bodies move by what it did, exactly. The
// same source for the processor and for CUDA.
#pragma once
#include "contact/rigid_side.h"

// A contact of a rigid body, in a pass.
typedef struct pressed_contact {
    int pair;
    bool moves[2];    // the side is a rigid body that is free
    double arm[2][3]; // [m] from its center
    double normal[3]; //
    double pivot;     // [1/kg] along the normal; 0: nobody moves
    double across;    // [1/kg] at right angles to it, where it is most
    double soft;      // [1/kg] of both, the part of sides that are not rigid
    double depth;     // [m] when the pass begins
    double slip[3];   // [m]; [m/s] of a rebound
    int island;       // the lowest of its bodies
    double before[3]; // [kg m] its push in this pass, before a round
    double follow[3]; // [kg m] where rounds lead
} pressed_contact;

// The lower and the higher body of a manifold, by which manifolds are in order.
INLINE uint64_t manifold_key(const near_pair* p) { return crossed_key(p->body[0], p->body[1]); }

enum { MANIFOLD_COLORS = 63 }; // beyond them, each manifold has one of its own

// Whether no two manifolds of a color may have it.
INLINE bool body_has_colors(const contact_body* b)
{
    return is_rigid(b) && !b->rigid->held && !b->frozen;
}

INLINE void vec3_to_double(vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

// ---- before a pass ------------------------------------------------------------------------------

// Two directions at right angles to one.
INLINE void find_tangents(const double n[3], double out[2][3])
{
    double x = n[0] * n[0], y = n[1] * n[1], z = n[2] * n[2];
    double along[3] = {0, 0, 0};
    along[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1;
    d3_cross(n, along, out[0]);
    double length = sqrt(d3_dot(out[0], out[0]));
    for (int k = 0; k < 3; ++k) out[0][k] /= length;
    d3_cross(n, out[0], out[1]);
}

// [1/kg] How far both sides go along one direction, for a push along another.
INLINE double both_give(const contact_set* s, const near_pair* p, const pressed_contact* k,
                        const double push[3], const double along[3])
{
    double sum = 0;
    for (int side = 0; side < 2; ++side)
        if (k->moves[side])
            sum += rigid_give(s->body[p->body[side]].rigid, k->arm[side], push, along);
    return sum;
}

// The larger eigenvalue across the normal. (One number for all directions, so that what slides is
// held back along its slip.)
INLINE double most_across(const contact_set* s, const near_pair* p, const pressed_contact* k)
{
    double t[2][3];
    find_tangents(k->normal, t);
    double a = both_give(s, p, k, t[0], t[0]), b = both_give(s, p, k, t[1], t[1]);
    double c = both_give(s, p, k, t[0], t[1]), half = 0.5 * (a - b);
    return 0.5 * (a + b) + sqrt(half * half + c * c);
}

INLINE void press_start(const contact_set* s, const near_pair* p, const pair_state* c,
                        const pair_points* at, pressed_contact* out)
{
    out->soft = 0;
    vec3_to_double(normal_of(c), out->normal);
    vec3_to_double(rigid_slip(s, p, c, at), out->slip);
    out->depth = (double)c->depth;
    for (int side = 0; side < 2; ++side) {
        const contact_body* b = side_body(s, p, side);
        out->moves[side] = rigid_is_free(b);
        if (!b->rigid) out->soft += (double)points_part(s, p, c->weight, side, false);
        if (out->moves[side]) side_arm(s, p, c, side, out->arm[side]);
    }
    out->pivot = both_give(s, p, out, out->normal, out->normal) + out->soft;
    if (!(out->pivot > 0)) return;
    out->across = most_across(s, p, out) + out->soft;
}

// What an impact stored comes back: `depth` is the speed [m/s] at which the sides part already.
INLINE void rebound_start(const contact_set* s, const near_pair* p, const pair_state* c, vec3 n,
                          scalar leaves, pressed_contact* out)
{
    vec3_to_double(n, out->normal);
    out->depth = (double)leaves;
    out->soft = 0;
    for (int side = 0; side < 2; ++side) {
        const contact_body* b = side_body(s, p, side);
        out->moves[side] = rigid_is_free(b);
        if (!b->rigid) out->soft += (double)points_part(s, p, c->weight, side, true);
        if (out->moves[side]) end_arm(s, p, c, side, out->arm[side]);
    }
    out->pivot = both_give(s, p, out, out->normal, out->normal) + out->soft;
    out->across = most_across(s, p, out) + out->soft;
}

// ---- one contact --------------------------------------------------------------------------------

// [m] How far pushes of this pass have moved its first side away from its second. Of points that
// are not rigid it has a part, which its own push alone moves.
INLINE void moved_apart(const contact_set* s, const near_pair* p, const pressed_contact* k,
                        const pair_state* c, double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = k->soft * (double)c->push[i];
    for (int side = 0; side < 2; ++side) {
        const rigid_state* r = s->body[p->body[side]].rigid;
        double turned[3];
        if (!k->moves[side]) continue;
        d3_cross(r->gain_turn, k->arm[side], turned);
        for (int i = 0; i < 3; ++i) {
            double moved = r->gain_step[i] + turned[i];
            out[i] += side ? -moved : moved;
        }
    }
}

INLINE void push_sides(const contact_set* s, const near_pair* p, const pressed_contact* k,
                       pair_state* c, vec3 push)
{
    vec3_store(c->push, v3_add(vec3_load(c->push), push));
    for (int side = 0; side < 2; ++side) {
        rigid_state* r = s->body[p->body[side]].rigid;
        double by[3], twist[3];
        if (!k->moves[side]) continue;
        vec3_to_double(side ? v3_neg(push) : push, by);
        d3_cross(k->arm[side], by, twist);
        for (int i = 0; i < 3; ++i) {
            r->gain_step[i] += r->inv_mass * by[i];
            r->gain_turn[i] += d3_dot(r->inv_inertia[i], twist);
        }
    }
}

INLINE void press_along(const contact_set* s, const near_pair* p, const pressed_contact* k,
                        const pair_rules* r, pair_state* c)
{
    double apart[3];
    moved_apart(s, p, k, c, apart);
    scalar depth = (scalar)(k->depth - d3_dot(k->normal, apart));
    scalar change = push_change(depth, c->lambda, (scalar)k->pivot, r->yield);
    c->lambda = c->lambda + change;
    c->pivot = (scalar)k->pivot;
    if (change != 0) push_sides(s, p, k, c, v3_scale(change, normal_of(c)));
}

INLINE void hold_across(const contact_set* s, const near_pair* p, const pressed_contact* k,
                        const pair_rules* r, pair_state* c)
{
    double apart[3], back[3];
    moved_apart(s, p, k, c, apart);
    for (int i = 0; i < 3; ++i) apart[i] += k->slip[i];
    double along = d3_dot(k->normal, apart);
    scalar most = lane_max(c->lambda, 0);
    for (int i = 0; i < 3; ++i) back[i] = (along * k->normal[i] - apart[i]) / k->across;
    vec3 more = v3((scalar)back[0], (scalar)back[1], (scalar)back[2]);
    vec3 slide = vec3_load(c->slide), held = limit_friction(r, most, v3_add(slide, more));
    vec3_store(c->slide, held);
    push_sides(s, p, k, c, v3_sub(held, slide));
}

// What pulls crossed bodies apart may want what cannot be: both sides of a wedge push against each
// other. So it gives way, and does not hold by friction.
INLINE void yield_to_others(const pressed_contact* k, pair_rules* r)
{
    r->stick = r->slip = 0;
    r->yield = r->yield + 2 * (scalar)k->pivot;
}

// As pair_press, with what the pass has done so far. On the way back in the other order.
INLINE void press_one(const contact_set* s, const near_pair* p, const pressed_contact* k,
                      const pair_rules* r, pair_state* c)
{
    if (s->backward) hold_across(s, p, k, r, c);
    press_along(s, p, k, r, c);
    if (!s->backward) hold_across(s, p, k, r, c);
}

// A part of the energy of an impact, with what the pairs before it have given, and the friction of
// that.
INLINE void rebound_one(const contact_set* s, const near_pair* p, const pressed_contact* k,
                        const pair_rules* r, scalar energy, pair_state* c)
{
    double apart[3], back[3];
    if (!(k->pivot > 0)) return;
    moved_apart(s, p, k, c, apart);
    scalar leaves = (scalar)(k->depth + d3_dot(k->normal, apart));
    scalar push = push_of_energy(energy, (scalar)k->pivot, lane_max(leaves, 0));
    vec3 n = v3((scalar)k->normal[0], (scalar)k->normal[1], (scalar)k->normal[2]);
    push_sides(s, p, k, c, v3_scale(push, n));
    moved_apart(s, p, k, c, apart);
    for (int i = 0; i < 3; ++i) apart[i] += k->slip[i];
    double along = d3_dot(k->normal, apart);
    for (int i = 0; i < 3; ++i) back[i] = (along * k->normal[i] - apart[i]) / k->across;
    vec3 held = v3((scalar)back[0], (scalar)back[1], (scalar)back[2]);
    push_sides(s, p, k, c, limit_friction(r, push, held));
}

// ---- from round to round ------------------------------------------------------------------------

// A sum of numbers from 0 to 2^64 that does not depend on their order, to 2^-128: each is cut into
// whole parts of so many bits, which are added up apart.
enum { SUM_PARTS = 6, SUM_BITS = 32 };
#define SUM_LARGEST 0x1p64
#define SUM_UNIT    0x1p32 // of the first part
typedef struct {
    long long part[SUM_PARTS];
} exact_sum;

INLINE void exact_add(exact_sum* s, double value)
{
    double rest = value < SUM_LARGEST ? value : SUM_LARGEST, unit = SUM_UNIT; // or NaN
    for (int i = 0; i < SUM_PARTS && rest > 0; ++i, unit *= 1 / SUM_UNIT) {
        long long whole = (long long)(rest / unit);
        if (whole > 0) atomic_sum(&s->part[i], whole);
        rest -= (double)whole * unit;
    }
}

// The sum, which starts anew.
INLINE double exact_take(exact_sum* s)
{
    double sum = 0, unit = SUM_UNIT;
    for (int i = 0; i < SUM_PARTS; ++i, unit *= 1 / SUM_UNIT) {
        sum += (double)s->part[i] * unit;
        s->part[i] = 0;
    }
    return sum;
}

// What an island does.
typedef struct island_rounds {
    exact_sum done;   // energies of its contacts in the last round,
    exact_sum pushes; // and of all that they push
    double before;    // the first sum in the round before; 0: there was none
    double part;      // of where rounds led, that is tried
    bool ended;       // it needs no more of them
} island_rounds;

// A round that changes pushes by less than that, in energy, is the last one: by about 3e-5 of what
// they are. (What their rounding changes is 1e-7.)
#define ROUND_ENDS 1e-9

// [kg m^2] What a contact pushes.
INLINE double push_energy(const pressed_contact* k, const pair_state* c)
{
    return k->pivot * (double)c->lambda * (double)c->lambda;
}

// [kg m^2] What a round did.
INLINE double round_energy(const pressed_contact* k, const pair_state* c)
{
    double done[3], square = 0, along;
    for (int i = 0; i < 3; ++i) done[i] = (double)c->push[i] - k->before[i];
    along = d3_dot(done, k->normal);
    for (int i = 0; i < 3; ++i) {
        double across = done[i] - along * k->normal[i];
        square += across * across;
    }
    return k->pivot * along * along + k->across * square;
}

// Whether it goes on.
INLINE bool island_measure(island_rounds* r)
{
    double energy = exact_take(&r->done), pushes = exact_take(&r->pushes);
    double ratio = r->before > 0 ? energy / r->before : 0;
    r->ended = r->ended || !(energy > ROUND_ENDS * pushes);
    r->part = !r->ended && ratio < 1 ? ratio : 0;
    r->before = energy;
    return !r->ended;
}

INLINE void round_follow(pressed_contact* k, pair_state* c, double part)
{
    double more[3], along;
    for (int i = 0; i < 3; ++i) {
        double done = (double)c->push[i] - k->before[i];
        more[i] = part * k->follow[i];
        k->follow[i] = more[i] + done;
    }
    along = d3_dot(more, k->normal);
    c->lambda = c->lambda + (scalar)along;
    for (int i = 0; i < 3; ++i) {
        c->slide[i] = c->slide[i] + (scalar)(more[i] - along * k->normal[i]);
        c->push[i] = c->push[i] + (scalar)more[i];
        k->before[i] = (double)c->push[i];
    }
}

INLINE void body_follow(rigid_state* r, double part)
{
    for (int i = 0; i < 6; ++i) {
        double* gain = i < 3 ? &r->gain_step[i] : &r->gain_turn[i - 3];
        double more = part * r->follow[i];
        r->follow[i] = more + (*gain - r->gain_before[i]);
        *gain += more;
        r->gain_before[i] = *gain;
    }
}

INLINE void body_start_rounds(rigid_state* r)
{
    for (int i = 0; i < 3; ++i) r->gain_step[i] = r->gain_turn[i] = 0;
    for (int i = 0; i < 6; ++i) r->gain_before[i] = r->follow[i] = 0;
}
