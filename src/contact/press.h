// The formulas of a contact: one direction, up to four points with weights. The same source for the
// processor and for CUDA, in float and double.
#pragma once
#include "contact/pair.h"
#include "contact/push.h"
#include "solver/quad.h"

// A pair with what its four points have.
typedef struct {
    quad place[4];     // [m] at the start of the substep; inverse mass [1/kg]
    quad increment[4]; // [m] what the substep adds
    quad residue[4];   // [m] of the place, by rounding
} pair_points;

// How the two sides meet.
typedef struct {
    scalar thickness;   // [m]
    scalar stick, slip; // [-] static and dynamic friction
    scalar yield;       // [1/kg] compliance over h^2
} pair_rules;

INLINE vec3 normal_of(const pair_state* p) { return v3(p->normal[0], p->normal[1], p->normal[2]); }

INLINE void vec3_store(scalar* to, vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}
INLINE vec3 vec3_load(const scalar* from) { return v3(from[0], from[1], from[2]); }

// How much of a sum over the points is on the first side, seen from the second.
INLINE vec3 weighted(const scalar weight[4], const quad point[4])
{
    vec3 sum = v3_scale(weight[0], quad_xyz(point[0]));
    for (int k = 1; k < 4; ++k) sum = v3_add_scaled(sum, weight[k], quad_xyz(point[k]));
    return sum;
}

// Where they are nearest at the start of the substep. False when they are at the same place, which
// has no direction.
INLINE bool pair_measure(pair_kind kind, const quad place[4], pair_state* p)
{
    // Seen from the last point.
    vec3 base = quad_xyz(place[3]), x[3];
    for (int k = 0; k < 3; ++k) x[k] = v3_sub(quad_xyz(place[k]), base);
    closest found = kind == PAIR_TRIANGLE  ? closest_of_triangle(x[0], x[1], x[2], v3_zero())
                    : kind == PAIR_SEGMENT ? closest_of_segment(x[0], x[1], x[2])
                                           : closest_of_edges(x[0], x[1], x[2], v3_zero());
    scalar square = v3_dot(found.apart, found.apart), length = lane_sqrt(square);
    bool apart = square >= SCALAR_LEAST * 4;
    for (int k = 0; k < 4; ++k) p->weight[k] = found.weight[k];
    p->distance = apart ? length : 0;
    vec3_store(p->normal, apart ? v3_scale(1 / length, found.apart) : v3_zero());
    return apart;
}

// [1/kg] The sum of the inverse masses, each for its part. Increments have the points' numbers of
// pairs.
INLINE scalar split_pivot(const scalar weight[4], const quad place[4], const quad increment[4])
{
    scalar pivot = 0;
    for (int k = 0; k < 4; ++k)
        pivot = pivot + increment[k][3] * place[k][3] * weight[k] * weight[k];
    return pivot;
}

// Likewise, where a point's mass is shared among its pairs by their weights, whose sum increments
// have.
INLINE scalar share_of(scalar weight) { return weight < 0 ? -weight : weight; }
INLINE scalar shared_pivot(const scalar weight[4], const quad place[4], const quad increment[4])
{
    scalar pivot = 0;
    for (int k = 0; k < 4; ++k) pivot = pivot + increment[k][3] * place[k][3] * share_of(weight[k]);
    return pivot;
}

// From the second side to the first when the substep has ended: pushes along it make no torque
// then.
INLINE vec3 direction_at_end(const pair_state* p, const quad increment[4])
{
    vec3 n = normal_of(p), apart = v3_add(v3_scale(p->distance, n), weighted(p->weight, increment));
    scalar square = v3_dot(apart, apart);
    return square >= SCALAR_LEAST * 4 ? v3_scale(1 / lane_sqrt(square), apart) : n;
}

// [m] by which the pair overlaps when the substep ends.
INLINE scalar pair_depth(const pair_state* p, const quad increment[4], scalar thickness)
{
    return thickness - p->distance - v3_dot(normal_of(p), weighted(p->weight, increment));
}

INLINE vec3 limit_friction(const pair_rules* r, scalar lambda, vec3 slide)
{
    return coulomb(r->stick, r->slip, lambda, slide);
}

// [m] How far the sides slip in the substep.
INLINE vec3 pair_slip(const pair_points* at, const pair_state* p)
{
    vec3 n = normal_of(p);
    quad moved[4];
    for (int k = 0; k < 4; ++k) moved[k] = at->increment[k] - at->residue[k];
    vec3 slip = weighted(p->weight, moved);
    return v3_add_scaled(slip, -v3_dot(slip, n), n);
}

// One pass of a contact. `pivot`: the sum of the inverse masses along it, each with its number of
// contacts; `across`: along the slip.
INLINE void pair_press(const pair_rules* r, vec3 slip, scalar pivot, scalar across, pair_state* p)
{
    vec3 n = normal_of(p), slide = vec3_load(p->slide);
    scalar change = push_change(p->depth, p->lambda, pivot, r->yield);
    p->lambda = p->lambda + change;
    vec3 held = limit_friction(r, p->lambda, v3_add_scaled(slide, -1 / across, slip));
    vec3_store(p->slide, held);
    vec3_store(p->push, v3_add_scaled(v3_sub(held, slide), change, n));
    p->pivot = pivot;
}

// What the last substep did is tried first: along the direction that the pair has now.
INLINE void pair_warm(const pair_rules* r, pair_state* p)
{
    vec3 n = normal_of(p), slide = vec3_load(p->slide);
    slide = limit_friction(r, p->lambda, v3_add_scaled(slide, -v3_dot(slide, n), n));
    vec3_store(p->slide, slide);
    vec3_store(p->push, v3_add_scaled(slide, p->lambda, n));
}

INLINE scalar lasting_share(const pair_state* p, scalar h, scalar rest_speed)
{
    return share_that_lasts(p->lambda, p->pivot, p->approach, h, rest_speed);
}

// ---- impacts ------------------------------------------------------------------------------------

// [J] What an impact takes from the parts of the masses that are the pair's, whose inverse is
// `pivot`, when it pushes them with `push` [N s] against their speed of approach. All pairs
// together take no less: parts of one particle come to one speed, which takes more.
INLINE scalar energy_taken(const pair_state* p, scalar push, scalar pivot)
{
    return lane_max(push * (p->impact - (scalar)0.5 * pivot * push), 0);
}

// [m/s] at which both sides would part with an energy, from rest.
INLINE scalar speed_of(scalar energy, scalar pivot) { return lane_sqrt(2 * pivot * energy); }

// [N s] that gives them an energy E when they part at a speed v already: p v + K p^2 / 2 = E.
INLINE scalar push_of_energy(scalar energy, scalar pivot, scalar speed)
{
    scalar all = speed + lane_sqrt(speed * speed + 2 * pivot * energy);
    return all > 0 ? 2 * energy / all : 0;
}

// What gravity would have brought meanwhile is forgotten: a contact at rest remembers no impact.
INLINE scalar energy_left(const pair_state* p, scalar gained_speed)
{
    scalar speed = lane_max(speed_of(p->stored, p->pivot) - gained_speed, 0);
    return p->pivot > 0 ? (scalar)0.5 * speed * speed / p->pivot : 0;
}
