// The guard: no two surfaces cross during a substep, whatever their speed.
//
// Points go along straight lines. At the start of the substep a plane stands between the two sides
// of a near pair, at right angles to the line between their nearest points, and it may move along.
// As long as the sides' points come nearer to each other along that line by less than their
// distance, such a plane stays between them. So this is looked at for all near pairs, and what
// would come too near is held back along the line alone, both sides alike: momentum is kept, and
// sliding is free. A share of the distance is left, and nearer than the pair's least distance
// nobody approaches: its direction would become noise.
//
// Points with several such pairs may need more than one round. What a few rounds do not solve goes
// on as one piece, at its common velocity (zones.h): nothing in it comes nearer, and momentum is
// kept, too.
#pragma once
#include "contact/impacts.h"

// [m] by which the pair comes too near, and which points do; -1: the nearest ones.
INLINE scalar pair_excess(const pair_state* p, pair_kind kind, const quad increment[4],
                          scalar least, signed char corner[2])
{
    const scalar share = (scalar)0.9;
    vec3 n = normal_of(p);
    scalar along[4];
    for (int k = 0; k < 4; ++k) along[k] = v3_dot(n, quad_xyz(increment[k]));
    int first = kind == PAIR_EDGES ? 2 : 1, a = 0, b = first;
    for (int k = 1; k < first; ++k)
        if (along[k] < along[a]) a = k;
    for (int k = first + 1; k < 4; ++k)
        if (along[k] > along[b]) b = k;
    scalar room = share * lane_max(p->distance - least, 0), nearer = 0;
    for (int k = 0; k < 4; ++k) nearer = nearer - p->weight[k] * along[k];
    // Where the nearest points themselves come too near, the push goes along the line between them
    // and makes no torque.
    bool middle = nearer > room;
    corner[0] = middle ? -1 : (signed char)a;
    corner[1] = middle ? -1 : (signed char)b;
    return (middle ? nearer : along[b] - along[a]) - room;
}

// How far a collider takes along what is at a place.
INLINE vec3 carried_by(const contact_body* by, quad place)
{
    double arm[3], out[3];
    for (int k = 0; k < 3; ++k) arm[k] = (double)place[k] - by->center[k];
    for (int k = 0; k < 3; ++k)
        out[k] = by->step[k] + by->spin[k][0] * arm[0] + by->spin[k][1] * arm[1] +
                 by->spin[k][2] * arm[2];
    return v3((scalar)out[0], (scalar)out[1], (scalar)out[2]);
}

// A collider that turns sees things turn: what goes along with it comes no nearer, however far its
// own corners go.
INLINE void see_from_collider(const contact_set* s, const near_pair* p, quad increment[4])
{
    const contact_body* by = collider_of(s, p);
    if (!by || !by->turns) return;
    for (int k = 0; k < 4; ++k) {
        double u[3] = {0, 0, 0}, out[3];
        if (!s->body[s->owner[p->point[k]]].collider) {
            vec3 with = carried_by(by, load_point(s->place, p->point[k]));
            u[0] = (double)increment[k][0] - (double)with.x;
            u[1] = (double)increment[k][1] - (double)with.y;
            u[2] = (double)increment[k][2] - (double)with.z;
        }
        for (int r = 0; r < 3; ++r)
            out[r] = u[r] + by->spin[0][r] * u[0] + by->spin[1][r] * u[1] + by->spin[2][r] * u[2];
        increment[k] = quad_of((scalar)out[0], (scalar)out[1], (scalar)out[2], 0);
    }
}

INLINE void look_at_pair(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    c->crosses = false;
    if (!(c->distance > 0) || !p->guarded) return;
    quad increment[4];
    load_four(s->increment, p, increment);
    see_from_collider(s, p, increment);
    scalar excess = pair_excess(c, p->kind, increment, (scalar)p->least, c->corner);
    // Rounding alone is no approach.
    c->crosses = excess > 8 * SCALAR_EPSILON * c->distance;
    c->depth = excess;
    if (c->crosses) flag_raise(&s->flags->violated, s->pass);
}

// How much a point of a pair is pushed: above 0 on the first side, below 0 on the second.
INLINE scalar crossing_weight(const pair_state* c, int place)
{
    if (!c->crosses) return 0;
    if (c->corner[0] < 0) return c->weight[place];
    return place == c->corner[0] ? 1 : place == c->corner[1] ? -1 : 0;
}

INLINE void count_crossing(contact_set* s, int point)
{
    if (take_rigid_count(s, point)) return;
    int pairs = 0;
    for (int k = s->holding.start[point]; k < s->holding.end[point]; ++k)
        pairs +=
            crossing_weight(state_of(s, s->holding.entry[k] / 4), s->holding.entry[k] % 4) != 0;
    at_point(s->increment, point)[3] = (scalar)pairs;
}

INLINE bool is_crossing_pair(const pair_state* c) { return c->crosses; }

INLINE void count_crossing_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (b->rigid && b->meets)
        b->rigid->contacts = count_rigid_pairs(s, b, &s->holding, is_crossing_pair);
}

INLINE void hold_pair(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    if (!c->crosses) return;
    scalar pivot = 0, weight[4];
    for (int k = 0; k < 4; ++k) weight[k] = crossing_weight(c, k);
    for (int k = 0; k < 4; ++k)
        pivot = pivot + load_point(s->increment, p->point[k])[3] *
                            load_point(s->place, p->point[k])[3] * weight[k] * weight[k];
    if (has_rigid_side(s, p)) pivot = guard_pivot(s, p, weight, normal_of(c));
    scalar lambda = pivot > 0 ? c->depth / pivot : 0;
    vec3_store(c->push, v3_scale(lambda, normal_of(c)));
    if (collider_of(s, p)) vec3_store(c->sum, v3_add(vec3_load(c->sum), vec3_load(c->push)));
}

INLINE void hold_back_point(contact_set* s, int point)
{
    if (!(load_point(s->increment, point)[3] > 0)) return;
    vec3 push = v3_zero();
    for (int k = s->holding.start[point]; k < s->holding.end[point]; ++k) {
        const pair_state* c = state_of(s, s->holding.entry[k] / 4);
        scalar weight = crossing_weight(c, s->holding.entry[k] % 4);
        if (weight == 0) continue;
        const contact_body* by = collider_of(s, &s->pair[s->holding.entry[k] / 4]);
        push = v3_add_scaled(push, weight, vec3_load(c->push));
        if (by) note_guarded(s, point, by, v3_scale(weight, vec3_load(c->push)));
    }
    if (!move_with_body(s, point)) push_point(s, point, push);
}

// Where the guard holds a side back.
INLINE void crossing_arm(const contact_set* s, const near_pair* p, const pair_state* c, int side,
                         double out[3])
{
    scalar weight[4];
    for (int k = 0; k < 4; ++k) weight[k] = crossing_weight(c, k);
    side_middle(s, p, weight, side, out);
}

INLINE void hold_back_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!rigid_is_free(b) || b->rigid->contacts == 0) return;
    push_rigid(s, b, &s->holding, is_crossing_pair, crossing_arm);
    rigid_solve(b->rigid);
    watch_rigid(s, number);
}
