// The guard: no two surfaces cross during a substep, whatever their speed.
//
// Points go along straight lines. At the start of the substep a plane stands between the two sides
// of a near pair, at right angles to the line between their nearest points, and it may move along.
// As long as the sides' points come nearer to each other along that line by less than their
// distance, such a plane stays between them. That is a short look, at all near pairs. A share of
// the distance is left, and nearer than the pair's least distance nobody approaches: its direction
// would become noise.
//
// Where the nearest points come too near, they are held back along the line between them. Where it
// is others, a corner of a triangle for one, the plane may turn, and the long look follows the pair
// on its way: from where it is, it goes on for as long as a plane keeps both sides apart, and looks
// again. If it comes too near there, the places that meet are held back along the line on which
// they see each other when the substep begins. So what the guard does is equal and opposite, and
// along the line between where it acts: momentum and angular momentum are kept.
//
// Points with several such pairs may need more than one round. What some rounds do not solve goes
// on as one rigid piece (zones.h).
#pragma once
#include "contact/impacts.h"

// ---- who comes too near -------------------------------------------------------------------------

// How far the outermost points of both sides come nearer along a direction [m].
INLINE scalar sides_approach(pair_kind kind, vec3 n, const quad increment[4])
{
    scalar along[4];
    for (int k = 0; k < 4; ++k) along[k] = v3_dot(n, quad_xyz(increment[k]));
    int first = pair_first_side(kind);
    scalar back = along[0], forth = along[3];
    for (int k = 1; k < first; ++k) back = lane_min(back, along[k]);
    for (int k = first; k < 3; ++k) forth = lane_max(forth, along[k]);
    return forth - back;
}

// A pair on its way.
typedef struct {
    scalar time;     // [-] of the substep
    closest at;      // where it is nearest then
    scalar distance; // [m]
} pair_moment;

INLINE void go_to_moment(pair_kind kind, const quad place[4], const quad increment[4], scalar time,
                         pair_moment* m)
{
    quad there[4];
    m->time = time;
    for (int k = 0; k < 4; ++k)
        there[k] = (place[k] - place[3]) + time * (increment[k] - increment[3]);
    m->at = pair_closest(kind, there);
    m->distance = lane_sqrt(v3_dot(m->at.apart, m->at.apart));
}

// Whether a pair comes nearer than `on_way` [m] before the substep ends, or is nearer than `at_end`
// then; and the moment. What takes too many looks is said to.
INLINE bool meets_on_way(pair_kind kind, const quad place[4], const quad increment[4],
                         scalar on_way, scalar at_end, pair_moment* m)
{
    enum { MOST_LOOKS = 12 };
    const scalar little = (scalar)0.01;
    for (int look = 0; look < MOST_LOOKS; ++look) {
        if (m->time == 1) return m->distance < at_end;
        scalar room = m->distance - on_way;
        if (!(room > little * on_way)) return true;
        vec3 n = v3_scale(1 / m->distance, m->at.apart);
        scalar most = sides_approach(kind, n, increment), left = 1 - m->time;
        bool arrives = most * left <= room;
        go_to_moment(kind, place, increment, arrives ? 1 : m->time + room / most, m);
    }
    return true;
}

// By how much the places that meet have to be pushed apart [m], and in which direction: along the
// line on which they see each other at first. No more than what stops them on it: then they stay as
// far apart as they are.
INLINE void hold_apart(const pair_moment* m, const quad place[4], const quad increment[4],
                       scalar at_end, pair_state* c)
{
    quad seen[4];
    for (int k = 0; k < 4; ++k) seen[k] = place[k] - place[3];
    vec3 apart = weighted(m->at.weight, seen);
    vec3 moved = weighted(m->at.weight, increment);
    scalar square = v3_dot(apart, apart);
    vec3 u = square >= SCALAR_LEAST * 4 ? v3_scale(1 / lane_sqrt(square), apart) : normal_of(c);
    vec3 n = m->distance > 0 ? v3_scale(1 / m->distance, m->at.apart) : u;
    scalar stop = lane_max(-v3_dot(u, moved), 0), slant = v3_dot(n, u);
    scalar then = (at_end - m->distance) / m->time;
    scalar end = at_end - v3_dot(n, v3_add(apart, moved));
    scalar needed = lane_max(then, end) / slant;
    for (int k = 0; k < 4; ++k) c->hold[k] = m->at.weight[k];
    vec3_store(c->push, u);
    c->depth = slant > 0 && needed > 0 ? lane_min(needed, stop) : stop;
}

// The short look, and the long one where that is not enough. Whether the pair comes too near; then
// `depth` [m] is by how much, along `push`, between the places that have the weights `hold`.
INLINE bool pair_crosses(pair_state* c, pair_kind kind, const quad place[4],
                         const quad increment[4], scalar least)
{
    const scalar share = (scalar)0.9, rounding = 8 * SCALAR_EPSILON * c->distance;
    vec3 n = normal_of(c);
    scalar room = share * lane_max(c->distance - least, 0), nearer = 0;
    for (int k = 0; k < 4; ++k) nearer = nearer - c->weight[k] * v3_dot(n, quad_xyz(increment[k]));
    // Rounding alone is no approach.
    if (nearer - room > rounding) {
        for (int k = 0; k < 4; ++k) c->hold[k] = c->weight[k];
        vec3_store(c->push, n);
        c->depth = nearer - room;
        return true;
    }
    // A plane goes on beyond its points: what is below a point moves as its weights say.
    if (kind == PAIR_PLANE || !(sides_approach(kind, n, increment) - room > rounding)) return false;
    scalar at_end = c->distance - room - rounding;
    pair_moment m = {0, {{0, 0, 0, 0}, v3_scale(c->distance, n)}, c->distance};
    for (int k = 0; k < 4; ++k) m.at.weight[k] = c->weight[k];
    if (!meets_on_way(kind, place, increment, share * at_end, at_end, &m)) return false;
    hold_apart(&m, place, increment, at_end, c);
    return true;
}

// ---- colliders that turn ------------------------------------------------------------------------

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
LARGE void see_from_collider(const contact_set* s, const near_pair* p, quad increment[4])
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

// ---- passes -------------------------------------------------------------------------------------

INLINE void look_at_pair(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    c->crosses = false;
    if (!(c->distance > 0) || !p->guarded) return;
    quad increment[4], place[4];
    load_four(s->place, p, place);
    load_four(s->increment, p, increment);
    see_from_collider(s, p, increment);
    c->crosses = pair_crosses(c, p->kind, place, increment, (scalar)p->least);
    if (c->crosses) flag_raise(&s->flags->violated, s->pass);
}

// How much a point of a pair is pushed: above 0 on the first side, below 0 on the second.
INLINE scalar crossing_weight(const pair_state* c, int place)
{
    return c->crosses ? c->hold[place] : 0;
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
    quad place[4], increment[4];
    vec3 along = vec3_load(c->push);
    load_four(s->place, p, place);
    load_four(s->increment, p, increment);
    scalar pivot = has_rigid_side(s, p) ? guard_pivot(s, p, c->hold, along)
                                        : split_pivot(c->hold, place, increment);
    vec3_store(c->push, v3_scale(pivot > 0 ? c->depth / pivot : 0, along));
    if (!collider_of(s, p)) return;
    vec3_store(c->sum, v3_add(vec3_load(c->sum), vec3_load(c->push)));
    c->held = true;
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

INLINE void crossing_arm(const contact_set* s, const near_pair* p, const pair_state* c, int side,
                         double out[3])
{
    guard_arm(s, p, c->hold, side, out);
}

INLINE void hold_back_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!rigid_is_free(b) || b->rigid->contacts == 0) return;
    push_rigid(s, b, &s->holding, is_crossing_pair, crossing_arm);
    rigid_solve(b->rigid);
    watch_rigid(s, number);
}
