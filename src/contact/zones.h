// The guard's last resort: the points of pairs that still come too near go on as one rigid piece,
// with the momentum and the angular momentum that they have, or as a point does which nobody moves.
// Two points of a rigid piece that goes d = u + w x r see each other at right angles to where they
// go: they come no nearer, on all of the way, and nor do the elements that they span.
//
// Sums over a piece are of integers, so that their order does not matter: masses are counted in
// parts of the largest one, ways and arms likewise.
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

// Nobody of a piece that nobody holds comes nearer to another of it.
INLINE void look_past_pieces(contact_set* s, int i)
{
    const int* point = s->pair[i].point;
    int root = zone_root(s, point[0]);
    bool one = s->zone[root].held == INT32_MAX;
    for (int k = 1; k < 4 && one; ++k) one = zone_root(s, point[k]) == root;
    if (one)
        state_of(s, i)->crosses = false;
    else
        look_at_pair(s, i);
}

INLINE void clear_zone(guard_zone* z)
{
    const guard_zone none = {.held = INT32_MAX};
    *z = none;
}

INLINE void zone_clear(contact_set* s, int point)
{
    clear_zone(&s->zone[point]);
    if (point == s->live[0]) s->flags->most_mass = s->flags->most_way = s->flags->most_arm = 0;
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

// A point, or a rigid body at its center.
typedef struct {
    double mass;   // [kg]
    double arm[3]; // [m] from the first point of its piece
    double way[3]; // [m]
} zone_part;

// [m] From the first point of its piece.
INLINE void zone_arm(const contact_set* s, int point, double out[3])
{
    quad x = load_point(s->place, point), from = load_point(s->place, zone_root(s, point));
    for (int k = 0; k < 3; ++k) out[k] = (double)x[k] - (double)from[k];
}

// False where nobody moves it.
INLINE bool take_part(const contact_set* s, int point, zone_part* out)
{
    scalar w = load_point(s->place, point)[3];
    quad d = load_point(s->increment, point);
    if (!(w > 0)) return false;
    out->mass = 1 / (double)w;
    zone_arm(s, point, out->arm);
    for (int k = 0; k < 3; ++k) out->way[k] = (double)d[k];
    return true;
}

// `arm` and `way`: how far the part itself reaches, and turns [m].
INLINE void measure_part(contact_set* s, const zone_part* p, double arm, double way)
{
    atomic_raise(&s->flags->most_mass, bits_of_float((float)p->mass));
    for (int k = 0; k < 3; ++k) {
        double d = p->way[k] < 0 ? -p->way[k] : p->way[k];
        double a = p->arm[k] < 0 ? -p->arm[k] : p->arm[k];
        atomic_raise(&s->flags->most_way, bits_of_float((float)(d + way)));
        atomic_raise(&s->flags->most_arm, bits_of_float((float)(a + arm)));
    }
}

INLINE void zone_measure(contact_set* s, int point)
{
    zone_part part;
    if (zone_is_rigid(s, point) || !zone_has(s, point) || !take_part(s, point, &part)) return;
    measure_part(s, &part, 0, 0);
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
#define ZONE_ONE 1099511627776.0 // 2^40

INLINE void add_part(contact_set* s, guard_zone* z, const zone_part* p)
{
    double mass = p->mass * zone_scale(s->flags->most_mass), part = mass / ZONE_ONE;
    double arm_unit = zone_scale(s->flags->most_arm), way_unit = zone_scale(s->flags->most_way);
    double arm[3], way[3];
    for (int k = 0; k < 3; ++k) {
        arm[k] = arm_unit * p->arm[k];
        way[k] = way_unit * p->way[k];
    }
    atomic_sum(&z->mass, (long long)mass);
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        double of_arm = part * arm[k] / ZONE_ONE;
        double spin = arm[u] / ZONE_ONE * way[v] - arm[v] / ZONE_ONE * way[u];
        atomic_sum(&z->motion[k], (long long)(part * way[k]));
        atomic_sum(&z->arm[k], (long long)(part * arm[k]));
        atomic_sum(&z->spin[k], (long long)(part * spin));
        atomic_sum(&z->square[k], (long long)(of_arm * arm[k]));
        atomic_sum(&z->square[3 + k], (long long)(part * arm[u] / ZONE_ONE * arm[v]));
    }
}

INLINE void zone_add(contact_set* s, int point)
{
    zone_part part;
    if (zone_is_rigid(s, point) || !zone_has(s, point)) return;
    guard_zone* z = &s->zone[zone_root(s, point)];
    if (take_part(s, point, &part))
        add_part(s, z, &part);
    else
        atomic_lower(&z->held, point);
}

// x of A x = b, where A is symmetric and not negative, by cofactors; a little of its trace is
// added, for pieces that lie on a line. `a`: xx yy zz, yz zx xy.
INLINE void zone_solve(const double a[6], const double b[3], double out[3])
{
    double more = 1e-9 * (a[0] + a[1] + a[2]), full[3][3], det = 0;
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        full[k][k] = a[k] + more;
        full[u][v] = full[v][u] = a[3 + k];
    }
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = 0;
        for (int i = 0; i < 3; ++i) {
            int p = (i + 1) % 3, q = (i + 2) % 3;
            double cofactor = full[u][p] * full[v][q] - full[u][q] * full[v][p];
            out[k] += cofactor * b[i];
            if (k == 0) det += cofactor * full[0][i];
        }
    }
    for (int k = 0; k < 3; ++k) out[k] = det > 0 ? out[k] / det : 0;
}

// How a piece that nobody holds moves: where its center is and goes, and how it turns, in the units
// of its sums.
typedef struct {
    double center[3], motion[3], turn[3];
} zone_motion;

INLINE zone_motion zone_motion_of(const guard_zone* z)
{
    zone_motion m;
    double mass = (double)z->mass / ZONE_ONE, square[6], spin[3], trace = 0;
    for (int k = 0; k < 3; ++k) {
        m.center[k] = (double)z->arm[k] / mass;
        m.motion[k] = (double)z->motion[k] / mass;
    }
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        double of_center = mass * m.center[k] / ZONE_ONE;
        square[k] = (double)z->square[k] - of_center * m.center[k];
        square[3 + k] = mass * m.center[u] / ZONE_ONE * m.center[v] - (double)z->square[3 + k];
        spin[k] = (double)z->spin[k] - mass * (m.center[u] / ZONE_ONE * m.motion[v] -
                                               m.center[v] / ZONE_ONE * m.motion[u]);
    }
    for (int k = 0; k < 3; ++k) trace += square[k];
    for (int k = 0; k < 3; ++k) square[k] = trace - square[k];
    zone_solve(square, spin, m.turn);
    return m;
}

// [m] Where it takes what is at an arm from the piece's first point.
INLINE void zone_motion_at(const contact_set* s, const zone_motion* m, const double from[3],
                           double out[3])
{
    double arm_unit = zone_scale(s->flags->most_arm), way_unit = zone_scale(s->flags->most_way);
    double arm[3];
    for (int k = 0; k < 3; ++k) arm[k] = arm_unit * from[k] - m->center[k];
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = (m->motion[k] + (m->turn[u] * arm[v] - m->turn[v] * arm[u])) / way_unit;
    }
}

INLINE quad zone_way(const contact_set* s, const guard_zone* z, int point)
{
    const zone_motion m = zone_motion_of(z);
    double arm[3], way[3];
    zone_arm(s, point, arm);
    zone_motion_at(s, &m, arm, way);
    return quad_of((scalar)way[0], (scalar)way[1], (scalar)way[2], 0);
}

// Likewise of one who is held.
INLINE quad held_way(const contact_set* s, int held, quad place)
{
    const contact_body* by = &s->body[s->owner[held]];
    quad d = load_point(s->increment, held);
    if (by->collider) return quad_with_xyz(d, carried_by(by, place));
    if (!is_rigid(by)) return d;
    double arm[3], way[3];
    for (int k = 0; k < 3; ++k) arm[k] = (double)place[k] - by->rigid->center[k];
    rigid_motion_at(by->rigid, arm, way);
    return quad_of((scalar)way[0], (scalar)way[1], (scalar)way[2], 0);
}

INLINE void note_momentum(contact_set* s, double push, double spin)
{
    double to_whole = 1e12 / s->h;
    atomic_sum(&s->flags->guarded, (long long)(to_whole * push));
    atomic_sum(&s->flags->guarded_angular, (long long)(to_whole * spin));
}

// What one who is held takes from a point [kg m].
INLINE void note_taken(contact_set* s, int point, int held, vec3 push)
{
    quad arm = load_point(s->place, point) - load_point(s->place, held);
    vec3 spin = v3_cross(quad_xyz(arm), push);
    note_momentum(s, (double)lane_sqrt(v3_dot(push, push)), (double)lane_sqrt(v3_dot(spin, spin)));
    note_guarded(s, point, &s->body[s->owner[held]], push);
}

INLINE void zone_move(contact_set* s, int point)
{
    if (!zone_has(s, point) || move_with_body(s, point)) return;
    const guard_zone* z = &s->zone[zone_root(s, point)];
    scalar w = load_point(s->place, point)[3];
    if (!(w > 0)) return;
    quad before = load_point(s->increment, point);
    quad d = z->held != INT32_MAX ? held_way(s, z->held, load_point(s->place, point))
                                  : zone_way(s, z, point);
    quad_store(at_point(s->increment, point), quad_with_last_of(d, before));
    atomic_count(&s->flags->stopped);
    if (z->held != INT32_MAX) note_taken(s, point, z->held, v3_scale(1 / w, quad_xyz(d - before)));
    watch_course(s, point, d);
}
