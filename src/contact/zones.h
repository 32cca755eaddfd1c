// The guard's last resort: the points of pairs that still come too near go on as one piece, with
// the mean of their motions by mass, or that of a point which nobody moves. Nothing in a piece
// comes nearer, and momentum is kept.
//
// Sums over a piece are of integers, so that their order does not matter: masses are counted in
// parts of the largest one, and motions likewise.
#pragma once
#include "contact/guard.h"

// ---- pieces -------------------------------------------------------------------------------------

// Points of a rigid body are one from the start.
INLINE bool zone_is_rigid(const contact_set* s, int point)
{
    return is_rigid(&s->body[s->owner[point]]);
}

INLINE void zone_start(contact_set* s, int point)
{
    s->zone_of[point] = zone_is_rigid(s, point) ? s->body[s->owner[point]].first_point : point;
}

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

INLINE void clear_zone(guard_zone* z)
{
    z->mass = z->motion[0] = z->motion[1] = z->motion[2] = 0;
    z->held = INT32_MAX;
    z->points = 0;
}

INLINE void zone_clear(contact_set* s, int point)
{
    clear_zone(&s->zone[point]);
    if (point == s->live[0]) s->flags->most_mass = s->flags->most_way = 0;
}

// Alone, a point is no piece.
FUNCTION bool zone_has(const contact_set* s, int point)
{
    return s->zone[zone_root(s, point)].points > 1;
}

INLINE void zone_count(contact_set* s, int point)
{
    if (zone_is_rigid(s, point)) return;
    atomic_count(&s->zone[zone_root(s, point)].points);
}

INLINE void measure_part(contact_set* s, double mass, const double way[3])
{
    atomic_raise(&s->flags->most_mass, bits_of_float((float)mass));
    for (int k = 0; k < 3; ++k)
        atomic_raise(&s->flags->most_way, bits_of_float((float)(way[k] < 0 ? -way[k] : way[k])));
}

INLINE void zone_measure(contact_set* s, int point)
{
    if (zone_is_rigid(s, point) || !zone_has(s, point)) return;
    scalar w = load_point(s->place, point)[3];
    quad d = load_point(s->increment, point);
    if (!(w > 0)) return;
    const double way[3] = {(double)d[0], (double)d[1], (double)d[2]};
    measure_part(s, (double)(1 / w), way);
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

INLINE void add_part(contact_set* s, guard_zone* z, double kilograms, const double way[3])
{
    double mass = kilograms * zone_scale(s->flags->most_mass);
    double part = mass / 1099511627776.0 * zone_scale(s->flags->most_way); // of 2^40
    atomic_sum(&z->mass, (long long)mass);
    for (int k = 0; k < 3; ++k) atomic_sum(&z->motion[k], (long long)(part * way[k]));
}

INLINE void zone_add(contact_set* s, int point)
{
    if (zone_is_rigid(s, point) || !zone_has(s, point)) return;
    guard_zone* z = &s->zone[zone_root(s, point)];
    scalar w = load_point(s->place, point)[3];
    if (!(w > 0)) {
        atomic_lower(&z->held, point);
        return;
    }
    quad d = load_point(s->increment, point);
    const double way[3] = {(double)d[0], (double)d[1], (double)d[2]};
    add_part(s, z, 1 / (double)w, way);
}

// ---- rigid bodies -------------------------------------------------------------------------------

// Each counts as one point, its first, with its mass and the motion of its center.
INLINE bool zone_has_body(const contact_set* s, const contact_body* b)
{
    return b->rigid && b->meets && zone_has(s, b->first_point);
}

INLINE void zone_clear_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (b->rigid && b->meets) clear_zone(&s->zone[b->first_point]);
}

INLINE void zone_count_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (b->rigid && b->meets) atomic_count(&s->zone[zone_root(s, b->first_point)].points);
}

INLINE void zone_measure_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (zone_has_body(s, b) && rigid_is_free(b)) measure_part(s, b->rigid->mass, b->rigid->step);
}

INLINE void zone_add_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!zone_has_body(s, b)) return;
    guard_zone* z = &s->zone[zone_root(s, b->first_point)];
    if (rigid_is_free(b))
        add_part(s, z, b->rigid->mass, b->rigid->step);
    else
        atomic_lower(&z->held, b->first_point);
}

INLINE vec3 zone_motion(const contact_set* s, const guard_zone* z)
{
    double unit = 1099511627776.0 / zone_scale(s->flags->most_way) / (double)z->mass;
    return v3((scalar)((double)z->motion[0] * unit), (scalar)((double)z->motion[1] * unit),
              (scalar)((double)z->motion[2] * unit));
}

// Where the piece goes that a place belongs to.
INLINE vec3 zone_way(const contact_set* s, const guard_zone* z, quad place)
{
    if (z->held == INT32_MAX) return zone_motion(s, z);
    const contact_body* by = &s->body[s->owner[z->held]];
    return by->collider   ? carried_by(by, place)
           : is_rigid(by) ? rigid_increment(s, by, z->held)
                          : quad_xyz(load_point(s->increment, z->held));
}

INLINE void note_held(contact_set* s, double momentum)
{
    atomic_sum(&s->flags->guarded, (long long)(1e12 * momentum));
}

// It goes with its piece, and does not turn.
INLINE void zone_move_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!zone_has_body(s, b) || !rigid_is_free(b)) return;
    rigid_state* r = b->rigid;
    const guard_zone* z = &s->zone[zone_root(s, b->first_point)];
    quad center = quad_of((scalar)r->center[0], (scalar)r->center[1], (scalar)r->center[2], 0);
    vec3 way = zone_way(s, z, center);
    const double to[3] = {(double)way.x, (double)way.y, (double)way.z};
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        square += (to[k] - r->step[k]) * (to[k] - r->step[k]);
        r->push[k] = r->mass * to[k];
        r->twist[k] = 0;
    }
    rigid_solve(r);
    watch_rigid(s, number);
    atomic_count(&s->flags->stopped);
    if (z->held != INT32_MAX) note_held(s, r->mass * sqrt(square) / s->h);
}

INLINE void zone_move(contact_set* s, int point)
{
    if (!zone_has(s, point) || move_with_body(s, point)) return;
    const guard_zone* z = &s->zone[zone_root(s, point)];
    scalar w = load_point(s->place, point)[3];
    if (!(w > 0)) return;
    quad before = load_point(s->increment, point);
    quad d = quad_with_xyz(before, zone_way(s, z, load_point(s->place, point)));
    quad_store(at_point(s->increment, point), d);
    atomic_count(&s->flags->stopped);
    if (z->held != INT32_MAX) {
        vec3 taken = quad_xyz(d - before);
        note_held(s, (double)lane_sqrt(v3_dot(taken, taken)) / ((double)w * s->h));
        note_guarded(s, point, &s->body[s->owner[z->held]], v3_scale(1 / w, taken));
    }
    watch_course(s, point, d);
}
