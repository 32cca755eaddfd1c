// What impacts give back: pairs store a part of the energy that they take, until they part. The
// same source for the processor and for CUDA.
#pragma once
#include "contact/passes.h"

// ---- bounces ------------------------------------------------------------------------------------

INLINE void load_velocity(contact_set* s, int point)
{
    point_row at = row_of_point(s, point);
    if (!at.body->frozen)
        quad_store(at_point(s->velocity, point), at_row(at.body->at.velocity, ROW4, &at));
}

INLINE scalar bounce_of(const contact_set* s, const near_pair* p)
{
    const contact_body *a = &s->body[p->body[0]], *b = &s->body[p->body[1]];
    if (a->collider || b->collider)
        return (scalar)(a->collider ? b->bounce * a->restitution : a->bounce * b->restitution);
    return (scalar)(a->restitution > b->restitution ? a->restitution : b->restitution);
}

INLINE bool is_bouncing(const pair_state* c) { return c->bounces; }

INLINE void share_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!b->rigid || !b->meets) return;
    b->rigid->contacts = count_rigid_pairs(s, b, &s->touching, is_bouncing);
    rigid_frame(b->rigid); // where it is now
}

// The sum of the weights of a point's pairs, which share its mass.
INLINE void share_point(contact_set* s, int point)
{
    if (take_rigid_count(s, point)) return;
    scalar sum = 0;
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        const pair_state* c = state_of(s, s->touching.entry[k] / 4);
        if (c->bounces) sum = sum + share_of(c->hold[s->touching.entry[k] % 4]);
    }
    at_point(s->increment, point)[3] = sum;
}

INLINE scalar pivot_of_shares(const contact_set* s, const near_pair* p, const pair_state* c)
{
    quad place[4], increment[4];
    load_four(s->place, p, place);
    load_four(s->increment, p, increment);
    return shared_pivot(c->hold, place, increment);
}

// An impact is over: the pair comes no nearer, and does not push, but for what gravity or rounding
// brings. As long as it pushes, its bodies are being deformed, and give back what they take.
INLINE bool is_parting(const contact_set* s, const pair_state* c, scalar push)
{
    scalar little = lane_max((scalar)s->rest_speed, (scalar)1e-3 * speed_of(c->stored, c->pivot));
    return c->impact <= little && (!c->active || c->pivot * push <= little);
}

// Of rigid bodies: whether a corner beside a face is pushed as if it were above it (region.h).
INLINE bool is_flattened(const contact_set* s, const near_pair* p, const pair_state* c)
{
    double apart[3], off = 0, square = 0;
    if (p->kind != PAIR_TRIANGLE) return false;
    sides_apart(s, p, c, apart);
    for (int i = 0; i < 3; ++i) {
        double from = apart[i] - (double)c->distance * (double)c->normal[i];
        off += from * from;
        square += apart[i] * apart[i];
    }
    return off > 1e-6 * square;
}

// Of rigid bodies: both sides are pushed where they touched when the substep began.
INLINE vec3 rigid_direction_at_end(const contact_set* s, const near_pair* p, const pair_state* c,
                                   const quad place[4], const quad increment[4])
{
    scalar weight[4];
    if (is_flattened(s, p, c)) return normal_of(c);
    return direction_at_end(p->kind, place, increment, c, weight);
}

// Where and in which direction (`push`) it will.
INLINE void part_at_end(contact_set* s, const near_pair* p, pair_state* c)
{
    quad place[4], increment[4];
    load_four(s->place, p, place);
    load_four(s->increment, p, increment);
    if (has_rigid_side(s, p)) {
        for (int k = 0; k < 4; ++k) c->hold[k] = c->weight[k];
        vec3_store(c->push, rigid_direction_at_end(s, p, c, place, increment));
    } else {
        vec3_store(c->push, direction_at_end(p->kind, place, increment, c, c->hold));
    }
    flag_raise(&s->flags->parting, s->pass);
}

// [J] What a push took from rigid bodies: it times the mean of the speeds of approach before and
// after. Of all contacts together that is exact.
INLINE scalar rigid_energy_taken(const contact_set* s, const near_pair* p, const pair_state* c,
                                 scalar push)
{
    scalar after = (c->depth - ((scalar)p->thickness - c->distance)) / (scalar)s->h;
    return lane_max((scalar)0.5 * push * (c->impact + after), 0);
}

// The share e^2 of what impacts take is stored until the contact parts.
INLINE void store_impact(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    scalar e = bounce_of(s, p), rest = (scalar)s->rest_speed;
    c->bounces = false;
    if (!(e > 0)) return;
    scalar push = c->active ? v3_dot(vec3_load(c->push), normal_of(c)) / (scalar)s->h : 0;
    if (c->active && c->impact > rest)
        c->stored = c->stored + e * e *
                                    (has_rigid_side(s, p)
                                         ? rigid_energy_taken(s, p, c, push)
                                         : energy_taken(c, push, pivot_of_shares(s, p, c)));
    if (!(c->stored > 0)) return;
    c->bounces = is_parting(s, c, push);
    if (c->bounces)
        part_at_end(s, p, c);
    else
        c->stored = energy_left(c, (scalar)0.5 * rest);
}

// What surfaces of colliders do is friction's, as above.
INLINE vec3 slip_of_rebound(const contact_set* s, const near_pair* p, const pair_state* c, vec3 n,
                            const quad velocity[4])
{
    const contact_body* by = collider_of(s, p);
    vec3 speed = weighted(c->hold, velocity);
    if (by && !by->still) {
        int side = by != &s->body[p->body[0]], first = pair_first_side(p->kind);
        quad place[4], seen[4];
        load_four(s->place, p, place);
        vec3 slide =
            side ? surface_slide(by, place, c, 0, first) : surface_slide(by, place, c, first, 4);
        quad moves = (scalar)(1 / s->h) * quad_of(slide.x, slide.y, slide.z, 0);
        for (int k = 0; k < 4; ++k) seen[k] = (k >= first) == side ? moves : velocity[k];
        speed = weighted(c->hold, seen);
    }
    return v3_add_scaled(speed, -v3_dot(speed, n), n);
}

INLINE void rebound_pair(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    if (c->bounces && has_rigid_side(s, p)) return; // later (start_rebound)
    vec3 n = vec3_load(c->push), push = v3_zero();
    vec3_store(c->push, push);
    if (!c->bounces) return;
    quad velocity[4];
    load_four(s->velocity, p, velocity);
    scalar leaves = v3_dot(n, weighted(c->hold, velocity)), pivot = pivot_of_shares(s, p, c);
    if (leaves < -(scalar)s->rest_speed) return; // something pressed it on: it parts later
    if (pivot > 0) {
        pair_rules r = rules_of(s, p);
        scalar size = push_of_energy(c->stored, pivot, lane_max(leaves, 0));
        push = impact_friction(&r, size, pivot, slip_of_rebound(s, p, c, n, velocity));
        push = v3_add_scaled(push, size, n);
    }
    c->stored = 0;
    vec3_store(c->push, push);
    vec3_store(c->sum, v3_add_scaled(vec3_load(c->sum), (scalar)s->h, push));
}

// Rigid sides turn: they touch beyond the mean of their points, where they are thick.
INLINE void slip_of_rigid(const contact_set* s, const near_pair* p, const pair_state* c, vec3 n,
                          const quad velocity[4], double out[3])
{
    vec3_to_double(slip_of_rebound(s, p, c, n, velocity), out);
    for (int side = 0; side < 2; ++side) {
        const contact_body* b = side_body(s, p, side);
        double arm[3], middle[3], omega[3], turning[3];
        if (!b->rigid) continue;
        end_arm(s, p, c, side, arm);
        side_middle(s, p, c->weight, side, middle);
        for (int i = 0; i < 3; ++i) arm[i] -= middle[i];
        rigid_angular_velocity(b->rigid, omega);
        d3_cross(omega, arm, turning);
        for (int i = 0; i < 3; ++i) out[i] += (side ? -1 : 1) * turning[i];
    }
}

// Those of rigid bodies give their energy in parts, one after the other, there and back: so each
// gets what is its, and none gets more together than was stored.
INLINE void start_rebound(contact_set* s, int number)
{
    pressed_contact* k = &s->press[number];
    const near_pair* p = &s->pair[k->pair];
    pair_state* c = state_of(s, k->pair);
    quad velocity[4];
    load_four(s->velocity, p, velocity);
    vec3 n = vec3_load(c->push);
    vec3_store(c->push, v3_zero());
    rebound_start(s, p, c, n, v3_dot(n, weighted(c->hold, velocity)), k);
    slip_of_rigid(s, p, c, n, velocity, k->slip);
}

INLINE void rebound_manifold(contact_set* s, int number)
{
    const contact_manifold* m = &s->manifold[s->color_start[s->color] + number];
    for (int i = m->first; i < m->last; ++i) {
        const pressed_contact* k = &s->press[s->backward ? m->last - 1 - (i - m->first) : i];
        pair_state* c = state_of(s, k->pair);
        const pair_rules r = rules_of(s, &s->pair[k->pair]);
        rebound_one(s, &s->pair[k->pair], k, &r, c->stored / (2 * REBOUND_ROUNDS), c);
    }
}

INLINE void end_rebound(contact_set* s, int number)
{
    pair_state* c = state_of(s, s->press[number].pair);
    c->stored = 0;
    vec3_store(c->sum, v3_add_scaled(vec3_load(c->sum), (scalar)s->h, vec3_load(c->push)));
}

INLINE void speed_up_point(contact_set* s, int point)
{
    point_row at = row_of_point(s, point);
    const contact_rows* rows = &at.body->at;
    scalar w = load_point(s->place, point)[3];
    if (at.body->frozen || !(w > 0)) return;
    vec3 push = v3_zero();
    scalar to_force = (scalar)(1 / (s->h * s->substeps));
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        int i = s->touching.entry[k] / 4;
        const pair_state* c = state_of(s, i);
        const contact_body* by = rows->load ? collider_of(s, &s->pair[i]) : (contact_body*)0;
        scalar weight = c->hold[s->touching.entry[k] % 4];
        push = v3_add_scaled(push, weight, vec3_load(c->push));
        if (by) add_load(s, point, &at, by, v3_scale(weight * to_force, vec3_load(c->push)));
    }
    if (v3_dot(push, push) == 0) return;
    if (!is_rigid(at.body)) {
        quad v = load_point(s->velocity, point);
        v = quad_with_xyz(v, v3_add_scaled(quad_xyz(v), w, push));
        quad_store(at_point(s->velocity, point), v);
        store_row(&at, rows->velocity, ROW4, v);
    }
    if (rows->past) add_to_rows(&at, rows->past, PAST, v3_scale((scalar)s->h * w, push));
    add_to_rows(&at, rows->contact, CONTACT, v3_scale(to_force, push));
}

// Its momenta change by what impacts give back, and its motion, which has been made, does not. All
// of its rows know it.
INLINE void rebound_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!rigid_is_free(b) || b->rigid->contacts == 0) return;
    const rigid_rows rows = {b->at.row, b->at.velocity, b->at.residue, b->local,
                             (int)sizeof(scalar)};
    rigid_rebound(b->rigid);
    push_rigid(s, b, &s->touching, is_bouncing, end_arm);
    rigid_rebounded(b->rigid);
    for (int i = 0; i < b->particles; ++i) rigid_row_place(b->rigid, &rows, (size_t)i);
}
