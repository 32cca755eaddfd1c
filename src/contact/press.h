// The formulas of a contact: one direction, up to four points with weights. The same source for the
// processor and for CUDA, in float and double.
#pragma once
#include "contact/pair.h"
#include "contact/push.h"
#include "contact/unbounded.h"
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

// Where the two sides of a pair are nearest.
LARGE closest pair_closest(pair_kind kind, const quad place[4])
{
    // Seen from the last point.
    vec3 base = quad_xyz(place[3]), x[3];
    for (int k = 0; k < 3; ++k) x[k] = v3_sub(quad_xyz(place[k]), base);
    return kind == PAIR_TRIANGLE  ? closest_of_triangle(x[0], x[1], x[2], v3_zero())
           : kind == PAIR_SEGMENT ? closest_of_segment(x[0], x[1], x[2])
                                  : closest_of_edges(x[0], x[1], x[2], v3_zero());
}

// Likewise at the start of the substep. False when they are at the same place, which has no
// direction.
LARGE bool pair_measure(pair_kind kind, const quad place[4], pair_state* p)
{
    closest at = pair_closest(kind, place);
    closest_way found = closest_way_of(&at);
    for (int k = 0; k < 4; ++k) p->weight[k] = found.weight[k];
    p->distance = found.distance;
    vec3_store(p->normal, found.normal);
    return found.distance > 0;
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

// Of the points of a triangle those that the nearest place is between, first in the list, and how
// many. `all`: whatever the weights are.
INLINE int corners_between(const scalar weight[4], bool all, int out[3])
{
    int count = 0;
    for (int k = 1; k < 4; ++k)
        if (all || weight[k] != 0) out[count++] = k;
    return count;
}

INLINE bool goes_on_along_triangle(const pair_state* p, const vec3 x[4], closest* out)
{
    int at[3] = {0, 0, 0}, count = corners_between(p->weight, !p->valid, at);
    if (count == 3) return closest_of_plane(x[0], x[1], x[2], x[3], out);
    closest found = {{1, -1, 0, 0}, v3_sub(x[0], x[at[0]])};
    if (count == 2 && !closest_of_line(x[0], x[at[0]], x[at[1]], &found)) return false;
    *out = found;
    for (int k = 1; k < 4; ++k) out->weight[k] = 0;
    for (int k = 0; k < count; ++k) out->weight[at[k]] = found.weight[1 + k];
    return count > 0;
}

INLINE bool goes_on_along_segment(const pair_state* p, const vec3 x[4], closest* out)
{
    if (!p->valid || (p->weight[1] != 0 && p->weight[2] != 0))
        return closest_of_line(x[0], x[1], x[2], out);
    int end = p->weight[1] != 0 ? 1 : 2;
    closest found = {{1, 0, 0, 0}, v3_sub(x[0], x[end])};
    found.weight[end] = -1;
    *out = found;
    return true;
}

INLINE bool goes_on_along_edges(const pair_state* p, const vec3 x[4], closest* out)
{
    const scalar* g = p->weight;
    bool one = p->valid && (g[0] == 0 || g[1] == 0), other = p->valid && (g[2] == 0 || g[3] == 0);
    if (!one && !other) return closest_of_lines(x[0], x[1], x[2], x[3], out);
    int i = g[0] == 0, k = g[2] == 0 ? 3 : 2, first = one ? i : k, line = one ? 2 : 0;
    scalar sign = one ? 1 : -1;
    closest found = {{1, -1, 0, 0}, v3_sub(x[i], x[k])};
    bool both = one && other;
    if (!both && !closest_of_line(x[first], x[line], x[line + 1], &found)) return false;
    for (int j = 0; j < 4; ++j) out->weight[j] = 0;
    out->weight[first] = sign * found.weight[0];
    out->weight[both ? k : line] = sign * found.weight[1];
    if (!both) out->weight[line + 1] = sign * found.weight[2];
    out->apart = v3_scale(sign, found.apart);
    return true;
}

// Where the two sides are nearest when the substep has ended, and the direction from the second to
// the first: pushes along it make no torque then. What slides goes on along the same plane, edge or
// corner, also beyond its end: there is a neighbor, and a direction back to the end would brake. A
// pair that other ones are nearer than was left that way.
INLINE vec3 direction_at_end(pair_kind kind, const quad place[4], const quad increment[4],
                             const pair_state* p, scalar weight[4])
{
    vec3 x[4], n = normal_of(p);
    quad end[4];
    closest found;
    for (int k = 0; k < 4; ++k) {
        end[k] = (place[k] - place[3]) + (increment[k] - increment[3]);
        x[k] = quad_xyz(end[k]);
    }
    bool known = kind == PAIR_PLANE      ? closest_of_plane(x[0], x[1], x[2], x[3], &found)
                 : kind == PAIR_TRIANGLE ? goes_on_along_triangle(p, x, &found)
                 : kind == PAIR_SEGMENT  ? goes_on_along_segment(p, x, &found)
                                         : goes_on_along_edges(p, x, &found);
    if (!known) found = pair_closest(kind, end);
    scalar square = v3_dot(found.apart, found.apart);
    bool apart = square >= SCALAR_LEAST * 4;
    for (int k = 0; k < 4; ++k) weight[k] = apart ? found.weight[k] : p->weight[k];
    if (!apart) return n;
    scalar sign = v3_dot(found.apart, n) < 0 ? -1 : 1; // crossed: outward
    return v3_scale(sign / lane_sqrt(square), found.apart);
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

// [N s] of friction on the first side, where the sides slip at a velocity [m/s] and are pushed
// apart by `push` [N s].
INLINE vec3 impact_friction(const pair_rules* r, scalar push, scalar pivot, vec3 slip)
{
    return limit_friction(r, push, v3_scale(-1 / pivot, slip));
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
