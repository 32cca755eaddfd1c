// The passes over a liquid's particles, in `real`: of one block's lane, or of as many as there are
// lanes. The same source for the processor and for CUDA. The equations are in docs/theory.md.
#pragma once
#include "contact/strip.h"
#include "fluid/fluid.h"

// Some lanes of a block.
typedef struct {
    const fluid_set* s;
    const int* other; // of the strip's first lane, row by row
    int rows;
    unsigned at[LANES]; // its particles, in pairs of scalars
    int lanes;          // that are particles
} liquid_strip;

INLINE liquid_strip open_liquid(const fluid_set* s, int block, int lane)
{
    liquid_strip l;
    int first = block * FLUID_BLOCK + lane;
    l.s = s;
    l.other = s->other + (size_t)s->start[block] * FLUID_BLOCK + lane;
    l.rows = s->start[block + 1] - s->start[block];
    l.lanes = s->count - first < LANES ? s->count - first : LANES;
    for (int i = 0; i < LANES; ++i) l.at[i] = 2 * (unsigned)(i < l.lanes ? first + i : s->count);
    return l;
}

INLINE void find_others(const liquid_strip* l, int row, unsigned at[LANES])
{
    const int* other = l->other + (size_t)row * FLUID_BLOCK;
    for (int i = 0; i < LANES; ++i) at[i] = 2 * (unsigned)other[i];
}

INLINE void store_columns(const liquid_strip* l, void* array, vec3 x, real last)
{
#if LANES == 1
    if (l->lanes > 0)
        quad_store((scalar*)array + 2 * (size_t)l->at[0], quad_of(x.x, x.y, x.z, last));
#else
    scalar column[4][LANES];
    lane_store(column[0], x.x);
    lane_store(column[1], x.y);
    lane_store(column[2], x.z);
    lane_store(column[3], last);
    for (int i = 0; i < l->lanes; ++i)
        for (int k = 0; k < 4; ++k)
            ((scalar*)array)[2 * (size_t)l->at[i] + (size_t)k] = column[k][i];
#endif
}

INLINE void store_last(const liquid_strip* l, void* array, real last)
{
#if LANES == 1
    if (l->lanes > 0) ((scalar*)array)[2 * (size_t)l->at[0] + 3] = last;
#else
    scalar column[LANES];
    lane_store(column, last);
    for (int i = 0; i < l->lanes; ++i) ((scalar*)array)[2 * (size_t)l->at[i] + 3] = column[i];
#endif
}

// How near: 1 at the same place, 0 beyond the kernel.
INLINE real nearness(const fluid_set* s, real square)
{
    const scalar inverse = (scalar)(1 / s->kernel.reach);
    return lane_max(1 - inverse * lane_sqrt(square), lane_splat(0));
}

// ---- density ------------------------------------------------------------------------------------

// Of each particle what is dense, less 1; and how much of that a pressure of its own would take
// away, were it alone to change [1/Pa].
INLINE void press_liquid(const fluid_set* s, int block, int lane)
{
    const scalar weight = (scalar)s->kernel.weight, slope = (scalar)s->kernel.slope;
    liquid_strip l = open_liquid(s, block, lane);
    real w, before, cover, filled = lane_splat(1), yields = lane_splat(0);
    vec3 x = columns(s->place, l.at, &w), pull = v3_zero(), moved = columns(s->move, l.at, &before);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other_w;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->place, at, &other_w));
        real square = v3_dot(way, way), near = nearness(s, square), near2 = near * near;
        real fall = near2 * near;
        filled = filled + near2 * near2 * (5 - 4 * near);
        yields = yields + fall * fall * square * other_w;
        pull = v3_add_scaled(pull, fall, way);
    }
    vec3 wall = columns(s->wall, l.at, &cover);
    vec3 all = v3_add(wall, v3_scale(lane_splat(slope), pull));
    real dense = weight * filled + cover - 1;
    yields = v3_dot(all, all) * w + slope * slope * yields;
    if (s->give) yields = yields + lane_load((const scalar*)s->give + block * FLUID_BLOCK + lane);
    const scalar relaxed = (scalar)(FLUID_RELAXATION / (s->h * s->h * s->kernel.volume));
    real known = s->classic ? lane_splat(0) : before;
    real now = lane_max(known + relaxed * dense * lane_inverse_or_zero(yields), lane_splat(0));
    store_columns(&l, s->press, x, now - known);
    store_columns(&l, s->move, moved, now + (before - known));
    if (s->notes) store_last(&l, s->motion, dense);
}

INLINE void push_liquid(const fluid_set* s, int block, int lane)
{
    const scalar slope = (scalar)s->kernel.slope, unit = (scalar)(s->h * s->h * s->kernel.volume);
    liquid_strip l = open_liquid(s, block, lane);
    real pressure, w, own, share;
    vec3 x = columns(s->press, l.at, &own), moved = columns(s->move, l.at, &pressure),
         sum = v3_zero();
    vec3 place = columns(s->place, l.at, &w), wall = columns(s->wall, l.at, &share);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->press, at, &other));
        real near = nearness(s, v3_dot(way, way));
        sum = v3_add_scaled(sum, near * near * near * (own + other), way);
    }
    real step = unit * w;
    vec3 go = v3_scale(step, v3_add_scaled(v3_scale(lane_splat(slope), sum), own, wall));
    store_columns(&l, s->move, v3_add(moved, go), pressure);
    store_columns(&l, s->place, v3_add(place, go), w);
}

// ---- surface tension ----------------------------------------------------------------------------

// Pairs pull each other, and push where they are near: inside a liquid that is almost nothing, and
// what it is, is pressure [Pa], which pressures that are read have to know.
INLINE void draw_liquid(const fluid_set* s, int block, int lane)
{
    const scalar turn = FLUID_TURN, draw = (scalar)s->kernel.draw;
    const scalar unit = (scalar)(s->h * s->h), part = (scalar)(1 / (6 * s->kernel.volume));
    liquid_strip l = open_liquid(s, block, lane);
    real root, w, pressure, inside = lane_splat(0);
    vec3 x = columns(s->press, l.at, &root), moved = columns(s->move, l.at, &pressure),
         sum = v3_zero();
    columns(s->place, l.at, &w);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->press, at, &other));
        real square = v3_dot(way, way), near = nearness(s, square);
        real push = draw * (root * other) * (near * near * (near - turn));
        sum = v3_add_scaled(sum, push, way);
        inside = inside + push * square;
    }
    store_columns(&l, s->move, v3_add_scaled(moved, unit * w, sum), pressure);
    store_last(&l, s->wall, part * inside);
}

// [Pa] What pressures push with between a particle and its neighbors: how it is to be read where
// particles do not lie as evenly as without surface tension.
INLINE void gauge_liquid(const fluid_set* s, int block, int lane)
{
    const scalar part = (scalar)(s->kernel.slope / 6);
    liquid_strip l = open_liquid(s, block, lane);
    real own, other, w, inside = lane_splat(0);
    vec3 x = columns(s->place, l.at, &w);
    columns(s->move, l.at, &own);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->place, at, &w));
        columns(s->move, at, &other);
        real square = v3_dot(way, way), near = nearness(s, square);
        inside = inside + near * near * near * (own + other) * square;
    }
    store_last(&l, s->wall, part * inside);
}

// ---- vorticity ----------------------------------------------------------------------------------

// The curl of the motion [-] of the substep, and its size.
INLINE void curl_liquid(const fluid_set* s, int block, int lane)
{
    const scalar slope = (scalar)s->kernel.slope;
    liquid_strip l = open_liquid(s, block, lane);
    real last;
    vec3 x = columns(s->place, l.at, &last), d = columns(s->motion, l.at, &last), sum = v3_zero();
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->place, at, &last));
        vec3 slip = v3_sub(d, columns(s->motion, at, &last));
        real near = nearness(s, v3_dot(way, way));
        sum = v3_add_scaled(sum, near * near * near, v3_cross(way, slip));
    }
    vec3 curl = v3_scale(lane_splat(slope), sum);
    store_columns(&l, s->wall, curl, lane_sqrt(v3_dot(curl, curl)));
}

// [-] Towards where it turns more, across the axis, by the square of how much it turns.
INLINE void whirl_liquid(const fluid_set* s, int block, int lane)
{
    liquid_strip l = open_liquid(s, block, lane);
    real last, size;
    vec3 x = columns(s->place, l.at, &last), curl = columns(s->wall, l.at, &size), sum = v3_zero();
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->place, at, &last));
        columns(s->wall, at, &other);
        real near = nearness(s, v3_dot(way, way));
        sum = v3_add_scaled(sum, near * near * near * (size - other), way);
    }
    vec3 to = v3_scale(lane_inverse_or_zero(lane_sqrt(v3_dot(sum, sum))), sum);
    store_columns(&l, s->press, v3_scale(size, v3_cross(to, curl)), lane_splat(0));
}

// ---- viscosity ----------------------------------------------------------------------------------

// [kg m / s per m / s, over the substep's part] What a pair resists with, over its viscosity.
INLINE real hold_of(const fluid_set* s, real square)
{
    const scalar slope = (scalar)(10 * s->part * s->kernel.volume * s->kernel.slope);
    const scalar least = (scalar)(1e-4 * s->kernel.reach * s->kernel.reach);
    real near = nearness(s, square);
    return slope * (near * near * near) / (square + least);
}

INLINE real mean_viscosity(real a, real b) { return 2 * a * b * lane_inverse_or_zero(a + b); }

// How much all pairs of a particle together would take of a slip: above 1/2 they have to take less.
INLINE void stick_liquid(const fluid_set* s, int block, int lane)
{
    liquid_strip l = open_liquid(s, block, lane);
    real w, viscosity, sum = lane_splat(0);
    vec3 x = columns(s->place, l.at, &w);
    columns(s->motion, l.at, &viscosity);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other_w, other;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->place, at, &other_w));
        columns(s->motion, at, &other);
        real square = v3_dot(way, way);
        sum = sum + mean_viscosity(viscosity, other) * hold_of(s, square) * square;
    }
    store_columns(&l, s->press, x, w * sum);
}

// Pairs resist along the line between them, so that both momenta are kept (Monaghan): in a liquid
// of one density the sum is that of Newton's. No particle goes beyond the mean of its neighbors.
INLINE void thin_liquid(const fluid_set* s, int block, int lane)
{
    liquid_strip l = open_liquid(s, block, lane);
    real w, viscosity, stuck, pressure;
    vec3 x = columns(s->press, l.at, &stuck), d = columns(s->motion, l.at, &viscosity);
    vec3 moved = columns(s->move, l.at, &pressure), sum = v3_zero();
    columns(s->place, l.at, &w);
    for (int k = 0; k < l.rows; ++k) {
        unsigned at[LANES];
        real other_stuck, other;
        find_others(&l, k, at);
        vec3 way = v3_sub(x, columns(s->press, at, &other_stuck));
        vec3 slip = v3_sub(columns(s->motion, at, &other), d);
        real most = lane_max(2 * lane_max(stuck, other_stuck), lane_splat(1));
        real hold = mean_viscosity(viscosity, other) * hold_of(s, v3_dot(way, way)) / most;
        sum = v3_add_scaled(sum, hold * v3_dot(way, slip), way);
    }
    vec3 go = v3_scale(w, sum);
    store_columns(&l, s->move, v3_add(moved, go), pressure);
    store_columns(&l, s->wall, v3_add(d, go), viscosity);
}
