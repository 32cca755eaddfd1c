// Rigid bodies in pieces of the guard (zones.h). Each counts as one part: its mass at its center,
// with the moments of inertia and the angular momentum that it has about that. Its piece gives it
// the way of its center and a turn, so that momentum and angular momentum are kept, too.
#pragma once
#include "contact/zones.h"

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

INLINE zone_part part_of_body(const contact_set* s, const contact_body* b)
{
    const rigid_state* r = b->rigid;
    quad from = load_point(s->place, zone_root(s, b->first_point));
    zone_part p = {.mass = r->mass};
    for (int k = 0; k < 3; ++k) {
        p.arm[k] = r->center[k] - (double)from[k];
        p.way[k] = r->step[k];
    }
    return p;
}

INLINE void zone_measure_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!zone_has_body(s, b) || !rigid_is_free(b)) return;
    const rigid_state* r = b->rigid;
    zone_part part = part_of_body(s, b);
    // It turns as if all of its mass were so far out.
    double out = sqrt((r->inertia[0] + r->inertia[1] + r->inertia[2]) / r->mass);
    measure_part(s, &part, out, sqrt(d3_dot(r->twist, r->twist)) / (r->mass * out));
}

// [kg m^2] xx yy zz, yz zx xy in the world's axes.
INLINE void inertia_of(const rigid_state* r, double out[6])
{
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        out[k] = out[3 + k] = 0;
        for (int a = 0; a < 3; ++a) {
            out[k] += r->axis.row[a][k] * r->inertia[a] * r->axis.row[a][k];
            out[3 + k] += r->axis.row[a][u] * r->inertia[a] * r->axis.row[a][v];
        }
    }
}

INLINE void add_turning(contact_set* s, guard_zone* z, const rigid_state* r)
{
    double mass = zone_scale(s->flags->most_mass) / ZONE_ONE;
    double arm = zone_scale(s->flags->most_arm), way = zone_scale(s->flags->most_way);
    double inertia[6];
    inertia_of(r, inertia);
    double half = 0.5 * (inertia[0] + inertia[1] + inertia[2]);
    for (int k = 0; k < 3; ++k) {
        double square = mass * arm * (half - inertia[k]), mixed = mass * arm * -inertia[3 + k];
        atomic_sum(&z->square[k], (long long)(square / ZONE_ONE * arm));
        atomic_sum(&z->square[3 + k], (long long)(mixed / ZONE_ONE * arm));
        atomic_sum(&z->spin[k], (long long)(mass * arm * r->twist[k] / ZONE_ONE * way));
    }
}

INLINE void zone_add_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!zone_has_body(s, b)) return;
    guard_zone* z = &s->zone[zone_root(s, b->first_point)];
    if (!rigid_is_free(b)) {
        atomic_lower(&z->held, b->first_point);
        return;
    }
    zone_part part = part_of_body(s, b);
    add_part(s, z, &part);
    add_turning(s, z, b->rigid);
}

// ---- where its piece takes it -------------------------------------------------------------------

// As a motion along a line: `step` [m] of its center, `turn` [rad].
INLINE void go_with_piece(const contact_set* s, const guard_zone* z, const contact_body* b,
                          double step[3], double turn[3])
{
    const zone_motion m = zone_motion_of(z);
    const zone_part part = part_of_body(s, b);
    double to_turn = zone_scale(s->flags->most_arm) / zone_scale(s->flags->most_way);
    zone_motion_at(s, &m, part.arm, step);
    for (int k = 0; k < 3; ++k) turn[k] = to_turn * m.turn[k];
}

INLINE void go_with_held(const contact_set* s, int held, const rigid_state* r, double step[3],
                         double turn[3])
{
    const contact_body* by = &s->body[s->owner[held]];
    quad way = held_way(
        s, held, quad_of((scalar)r->center[0], (scalar)r->center[1], (scalar)r->center[2], 0));
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        step[k] = (double)way[k];
        turn[k] = by->collider   ? 0.5 * (by->spin[v][u] - by->spin[u][v])
                  : is_rigid(by) ? 2 * by->rigid->cosine * by->rigid->spin[k]
                                 : 0;
    }
}

// What one who is held takes from it, about its own place.
INLINE void note_body_taken(contact_set* s, const rigid_state* r, int held, const double push[3],
                            const double twist[3])
{
    quad from = load_point(s->place, held);
    double arm[3], spin[3];
    for (int k = 0; k < 3; ++k) arm[k] = r->center[k] - (double)from[k];
    d3_cross(arm, push, spin);
    for (int k = 0; k < 3; ++k) spin[k] += twist[k];
    note_momentum(s, sqrt(d3_dot(push, push)), sqrt(d3_dot(spin, spin)));
}

INLINE void zone_move_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!zone_has_body(s, b) || !rigid_is_free(b)) return;
    rigid_state* r = b->rigid;
    const guard_zone* z = &s->zone[zone_root(s, b->first_point)];
    double step[3], turn[3], push[3], twist[3], inertia[6];
    if (z->held == INT32_MAX)
        go_with_piece(s, z, b, step, turn);
    else
        go_with_held(s, z->held, r, step, turn);
    inertia_of(r, inertia);
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        push[k] = r->mass * step[k] - r->push[k];
        twist[k] = inertia[k] * turn[k] + inertia[3 + v] * turn[u] + inertia[3 + u] * turn[v] -
                   r->twist[k];
        r->push[k] += push[k];
    }
    for (int k = 0; k < 3; ++k) r->twist[k] += twist[k];
    rigid_solve(r);
    watch_rigid(s, number);
    atomic_count(&s->flags->stopped);
    if (z->held != INT32_MAX) note_body_taken(s, r, z->held, push, twist);
}
