// Sums over the neighbors of a gas's particles, in `real`: of one block's lane, or of as many as
// there are lanes. The equations are in docs/theory.md. With x from the other one to this, and a
// kernel whose gradient is -g x,
//
//     gradient of f   = sum g (f - f') x,       curl of v = sum g x cross (v - v'),
//     Laplacian of f  = sum 2 g (f' - f).
#pragma once
#include "fluid/passes.h"
#include "gas/gas.h"

// ---- heat ---------------------------------------------------------------------------------------

// [W/K] What a pair exchanges: both see the same.
INLINE real exchange_of(const gas_set* s, real square, real one, real other)
{
    const scalar slope = (scalar)(2 * s->of->kernel.volume * s->of->kernel.slope);
    real near = nearness(s->of, square);
    return slope * (near * near * near) * mean_viscosity(one, other);
}

// Beside an open side or a wall, through which nothing goes, those who are there conduct along it
// what all would: of the kernel's second moments along a face as much is there as of the kernel
// itself. Of few that is not made up for.
INLINE real thinness(real fill)
{
    return lane_inverse_or_zero(lane_max(fill, lane_splat((scalar)(1.0 / 3))));
}

// How much of their difference all pairs of a particle together would take in a sweep.
INLINE void weigh_gas(const gas_set* s, int block, int lane)
{
    const scalar part = (scalar)s->part, weight = (scalar)s->of->kernel.weight;
    liquid_strip l = open_liquid(s->of, block, lane);
    real w, unused, sum = lane_splat(0), fill = lane_splat(1);
    vec3 x = columns(s->of->place, l.at, &w), heat = columns(s->heat, l.at, &unused);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other_w, other_unused;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->of->place, at, &other_w));
        vec3 other = columns(s->heat, at, &other_unused);
        real square = v3_dot(way, way), near = nearness(s->of, square), near2 = near * near;
        sum = sum + exchange_of(s, square, heat.z, other.z);
        fill = fill + near2 * near2 * (5 - 4 * near);
    }
    real thin = thinness(weight * fill);
    store_columns(&l, s->warm, v3(thin, lane_splat(0), lane_splat(0)), part * sum * heat.y * thin);
}

// Above a third all pairs together have to take less: one of a pair may be thinner than the other.
INLINE void conduct_gas(const gas_set* s, int block, int lane)
{
    const scalar part = (scalar)s->part;
    liquid_strip l = open_liquid(s->of, block, lane);
    real w, unused, taken, sum = lane_splat(0);
    vec3 x = columns(s->of->place, l.at, &w), heat = columns(s->heat, l.at, &unused);
    vec3 thin = columns(s->warm, l.at, &taken);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other_w, other_unused, other_taken;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->of->place, at, &other_w));
        vec3 other = columns(s->heat, at, &other_unused);
        vec3 other_thin = columns(s->warm, at, &other_taken);
        real most = lane_max(3 * lane_max(taken, other_taken), lane_splat(1));
        real flow = exchange_of(s, v3_dot(way, way), heat.z, other.z) / most;
        sum = sum + flow * (thin.x + other_thin.x) / 2 * (other.x - heat.x);
    }
    store_columns(&l, s->turn, v3_zero(), part * sum * heat.y);
}

// ---- motion -------------------------------------------------------------------------------------

INLINE void look_gas(const gas_set* s, int block, int lane)
{
    const scalar slope = (scalar)s->of->kernel.slope, weight = (scalar)s->of->kernel.weight;
    const scalar per_time = (scalar)(1 / s->of->h);
    liquid_strip l = open_liquid(s->of, block, lane);
    real w, unused, cover, fill = lane_splat(1), around = lane_splat(0);
    vec3 x = columns(s->of->place, l.at, &w), d = columns(s->of->motion, l.at, &unused);
    vec3 heat = columns(s->heat, l.at, &unused), spin = columns(s->spin, l.at, &unused);
    vec3 turn = v3_zero(), climb = v3_zero(), stretch = v3_zero(), side = v3_zero();
    columns(s->of->wall, l.at, &cover);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other_w, other_unused;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->of->place, at, &other_w));
        vec3 slip = v3_sub(d, columns(s->of->motion, at, &other_unused));
        vec3 other = columns(s->heat, at, &other_unused);
        real square = v3_dot(way, way), near = nearness(s->of, square), near2 = near * near;
        real fall = near2 * near;
        fill = fill + near2 * near2 * (5 - 4 * near);
        around = around + fall * square;
        turn = v3_add_scaled(turn, fall, v3_cross(way, slip));
        stretch = v3_add_scaled(stretch, fall * v3_dot(spin, way), slip);
        climb = v3_add_scaled(climb, fall * (heat.x - other.x), way);
        side = v3_add_scaled(side, fall, way);
    }
    // Of the whole surroundings `around` would be 3.
    around = slope * around;
    real norm = slope * per_time * 3 * lane_inverse_or_zero(around);
    store_columns(&l, s->turn, v3_scale(norm, turn), around / 3);
    store_columns(&l, s->stretch, v3_scale(norm, stretch), lane_splat(0));
    store_columns(&l, s->climb, v3_scale(lane_splat(slope), climb), weight * fill + cover);
    store_columns(&l, s->side, v3_scale(lane_splat(slope), side), lane_splat(0));
}

// What the flow has lost of its vorticity turns those around: omega x (their way), by the mean of
// both, so that a pair's impulses are opposite.
INLINE void drive_gas(const gas_set* s, int block, int lane)
{
    const scalar weight = (scalar)s->of->kernel.weight;
    liquid_strip l = open_liquid(s->of, block, lane);
    real w, unused;
    vec3 x = columns(s->of->place, l.at, &w), spin = columns(s->spin, l.at, &unused);
    vec3 sum = v3_zero();
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other_w, other_unused;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->of->place, at, &other_w));
        vec3 both = v3_add(spin, columns(s->spin, at, &other_unused));
        real near = nearness(s->of, v3_dot(way, way)), near2 = near * near;
        real count = near2 * near2 * (5 - 4 * near) * lane_inverse_or_zero(w + other_w);
        sum = v3_add_scaled(sum, count, v3_cross(both, way));
    }
    store_columns(&l, s->push, v3_scale(weight * w, sum), lane_splat(0));
}
