// The guard's last resort: the points of pairs that still come too near go on as one piece, with
// the mean of their motions by mass, or that of a point which nobody moves. Nothing in a piece
// comes nearer, and momentum is kept.
//
// Sums over a piece are of integers, so that their order does not matter: masses are counted in
// parts of the largest one, and motions likewise.
#pragma once
#include "contact/guard.h"

// ---- pieces -------------------------------------------------------------------------------------

INLINE void zone_start(contact_set* s, int point) { s->zone_of[point] = point; }

FUNCTION int zone_root(const contact_set* s, int point)
{
    for (int up = atomic_read(&s->zone_of[point]); up != point;
         up = atomic_read(&s->zone_of[point]))
        point = up;
    return point;
}

// Points toward the lowest of its piece. Returns whether they were apart.
FUNCTION bool zone_unite(contact_set* s, int a, int b)
{
    bool apart = false;
    a = zone_root(s, a);
    b = zone_root(s, b);
    while (a != b) {
        int high = a > b ? a : b, low = a > b ? b : a;
        int old = atomic_lower(&s->zone_of[high], low);
        apart = true;
        // Somebody else was faster: what was above has to be in the piece, too.
        a = zone_root(s, old == high ? low : old);
        b = zone_root(s, low);
    }
    return apart;
}

INLINE void zone_join_pair(contact_set* s, int i)
{
    const int* point = s->pair[i].point;
    if (!state_of(s, i)->crosses) return;
    bool grown = false;
    for (int k = 1; k < 4; ++k) grown = zone_unite(s, point[0], point[k]) || grown;
    if (grown) flag_raise(&s->flags->grown, s->pass);
}

INLINE void zone_clear(contact_set* s, int point)
{
    guard_zone* z = &s->zone[point];
    z->mass = z->motion[0] = z->motion[1] = z->motion[2] = 0;
    z->held = INT32_MAX;
    z->points = 0;
    if (point == s->live[0]) s->flags->most_mass = s->flags->most_way = 0;
}

// Alone, a point is no piece.
FUNCTION bool zone_has(const contact_set* s, int point)
{
    return s->zone[zone_root(s, point)].points > 1;
}

INLINE void zone_count(contact_set* s, int point)
{
    atomic_count(&s->zone[zone_root(s, point)].points);
}

INLINE void zone_measure(contact_set* s, int point)
{
    if (!zone_has(s, point)) return;
    scalar w = load_point(s->place, point)[3];
    quad d = load_point(s->increment, point);
    if (!(w > 0)) return;
    atomic_raise(&s->flags->most_mass, bits_of_float((float)(1 / w)));
    for (int k = 0; k < 3; ++k)
        atomic_raise(&s->flags->most_way, bits_of_float((float)(d[k] < 0 ? -d[k] : d[k])));
}

// So that the largest of them is between 2^38 and 2^40.
FUNCTION double zone_scale(unsigned bits)
{
    int exponent = (int)(bits >> 23) - 127;
    uint64_t word = (uint64_t)(1023 + 39 - exponent) << 52;
    double scale;
    memcpy(&scale, &word, sizeof scale);
    return scale;
}

INLINE void zone_add(contact_set* s, int point)
{
    if (!zone_has(s, point)) return;
    guard_zone* z = &s->zone[zone_root(s, point)];
    scalar w = load_point(s->place, point)[3];
    if (!(w > 0)) {
        atomic_lower(&z->held, point);
        return;
    }
    double mass = 1 / (double)w * zone_scale(s->flags->most_mass);
    double part = mass / 1099511627776.0 * zone_scale(s->flags->most_way); // of 2^40
    quad d = load_point(s->increment, point);
    atomic_sum(&z->mass, (long long)mass);
    for (int k = 0; k < 3; ++k) atomic_sum(&z->motion[k], (long long)(part * (double)d[k]));
}

INLINE void zone_move(contact_set* s, int point)
{
    if (!zone_has(s, point)) return;
    const guard_zone* z = &s->zone[zone_root(s, point)];
    scalar w = load_point(s->place, point)[3];
    if (!(w > 0)) return;
    quad before = load_point(s->increment, point), d = before;
    if (z->held != INT32_MAX) {
        const contact_body* by = &s->body[s->owner[z->held]];
        d = load_point(s->increment, z->held);
        if (by->collider) d = quad_with_xyz(d, carried_by(by, load_point(s->place, point)));
    } else {
        double unit = 1099511627776.0 / zone_scale(s->flags->most_way) / (double)z->mass;
        d = quad_of((scalar)((double)z->motion[0] * unit), (scalar)((double)z->motion[1] * unit),
                    (scalar)((double)z->motion[2] * unit), 0);
    }
    quad_store(at_point(s->increment, point), quad_with_last_of(d, before));
    atomic_count(&s->flags->stopped);
    if (z->held != INT32_MAX) {
        vec3 taken = quad_xyz(d - before);
        double momentum = (double)lane_sqrt(v3_dot(taken, taken)) / ((double)w * s->h);
        atomic_sum(&s->flags->guarded, (long long)(1e12 * momentum));
        note_guarded(s, point, &s->body[s->owner[z->held]], v3_scale(1 / w, taken));
    }
    watch_course(s, point, d);
}
