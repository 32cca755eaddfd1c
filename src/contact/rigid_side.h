// Sides of pairs that are rigid: a push on one of their points moves the whole body. Each of the
// body's n contacts has a part of it, as a point's have of its mass, and sees n times how light the
// body is where and whither it pushes (rigid/rigid.h). The same source for the processor and for
// CUDA.
#pragma once
#include "contact/press.h"
#include "contact/set.h"

// [m] From the center of mass to a point, when the substep begins.
INLINE void arm_of_point(const contact_body* b, int local, double out[3])
{
    rigid_outward(&b->rigid->axis, b->local + 3 * (size_t)b->surface->particle[local], out);
}

// What the body's motion adds to the place of a point, which is rounded.
INLINE vec3 rigid_increment(const contact_set* s, const contact_body* b, int point)
{
    const scalar* place = (const scalar*)s->place + 4 * (size_t)point;
    double arm[3], out[3];
    arm_of_point(b, point - b->first_point, arm);
    rigid_motion_at(b->rigid, arm, out);
    for (int k = 0; k < 3; ++k) out[k] += (b->rigid->center[k] + arm[k]) - (double)place[k];
    return v3((scalar)out[0], (scalar)out[1], (scalar)out[2]);
}

// Whether contacts move it, if any touches it.
INLINE bool rigid_is_free(const contact_body* b)
{
    return is_rigid(b) && b->meets && !b->frozen && !b->rigid->held;
}

// ---- sides --------------------------------------------------------------------------------------

INLINE const contact_body* side_body(const contact_set* s, const near_pair* p, int side)
{
    return &s->body[p->body[side]];
}
INLINE bool has_rigid_side(const contact_set* s, const near_pair* p)
{
    return s->rigid_count > 0 && (is_rigid(side_body(s, p, 0)) || is_rigid(side_body(s, p, 1)));
}

// Which of the four points belong to a side.
INLINE int side_first(const near_pair* p, int side) { return side ? pair_first_side(p->kind) : 0; }
INLINE int side_end(const near_pair* p, int side) { return side ? 4 : pair_first_side(p->kind); }

// [m] From the center of mass to the mean of the side's points by weight.
INLINE void side_middle(const contact_set* s, const near_pair* p, const scalar weight[4], int side,
                        double out[3])
{
    const contact_body* b = side_body(s, p, side);
    out[0] = out[1] = out[2] = 0;
    for (int k = side_first(p, side); k < side_end(p, side); ++k) {
        double arm[3], share = (double)(weight[k] < 0 ? -weight[k] : weight[k]);
        if (share == 0) continue;
        arm_of_point(b, p->point[k] - b->first_point, arm);
        for (int i = 0; i < 3; ++i) out[i] += share * arm[i];
    }
}

// [m] How thick the side is. The residue of a point has its radius.
INLINE double side_radius(const contact_set* s, const near_pair* p, int side)
{
    const contact_body* b = side_body(s, p, side);
    size_t point = (size_t)p->point[side_first(p, side)];
    return b->surface->loose ? (double)((const scalar*)s->residue)[4 * point + 3] : b->radius;
}

// [m] From the second side to the first.
INLINE void sides_apart(const contact_set* s, const near_pair* p, const pair_state* c,
                        double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = (double)c->distance * (double)c->normal[i];
    if (p->kind == PAIR_PLANE) return;
    for (int i = 0; i < 3; ++i) {
        scalar sum = 0;
        for (int k = 0; k < 4; ++k)
            sum =
                sum + c->weight[k] * ((const scalar*)s->place)[4 * (size_t)p->point[k] + (size_t)i];
        out[i] = (double)sum;
    }
}

// [m] Likewise when the substep has ended.
INLINE void sides_apart_at_end(const contact_set* s, const near_pair* p, const pair_state* c,
                               double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = (double)c->distance * (double)c->normal[i];
    if (p->kind == PAIR_PLANE) return;
    for (int i = 0; i < 3; ++i) out[i] = 0;
    for (int side = 0; side < 2; ++side) {
        const contact_body* b = side_body(s, p, side);
        double middle[3];
        if (b->rigid) side_middle(s, p, c->weight, side, middle);
        for (int i = 0; b->rigid && i < 3; ++i)
            out[i] += (side ? -1 : 1) * (b->rigid->center[i] + middle[i]);
        for (int k = side_first(p, side); !b->rigid && k < side_end(p, side); ++k) {
            size_t at = 4 * (size_t)p->point[k];
            const scalar *x = (const scalar*)s->place + at, *d = (const scalar*)s->increment + at;
            for (int i = 0; i < 3; ++i)
                out[i] += (double)c->weight[k] * ((double)x[i] + (double)d[i]);
        }
    }
}

// [m] From the center of mass to a place between the sides, by their radii.
INLINE void arm_between(const contact_set* s, const near_pair* p, const pair_state* c, int side,
                        const double apart[3], double out[3])
{
    double own = side_radius(s, p, side), other = side_radius(s, p, 1 - side);
    double part = own + other > 0 ? own / (own + other) : 0.5;
    side_middle(s, p, c->weight, side, out);
    for (int k = 0; k < 3; ++k) out[k] += (side ? part : -part) * apart[k];
}

// [m] From the center of mass to where the side is touched: two balls touch between their centers,
// so that friction turns them, and both sides are pushed at the same place.
INLINE void side_arm(const contact_set* s, const near_pair* p, const pair_state* c, int side,
                     double out[3])
{
    double apart[3];
    sides_apart(s, p, c, apart);
    arm_between(s, p, c, side, apart, out);
}

// [m] Likewise when the substep has ended, once bodies have gone and rigid_frame knows it.
INLINE void end_arm(const contact_set* s, const near_pair* p, const pair_state* c, int side,
                    double out[3])
{
    double apart[3];
    sides_apart_at_end(s, p, c, apart);
    arm_between(s, p, c, side, apart, out);
}

// ---- masses -------------------------------------------------------------------------------------

INLINE scalar rigid_part(const rigid_state* r, const double arm[3], vec3 along)
{
    const double n[3] = {(double)along.x, (double)along.y, (double)along.z};
    return (scalar)(r->contacts * rigid_lightness(r, arm, n));
}

// [1/kg] The inverse mass of a side's points, for its part of it; `shared`: masses are shared by
// weights.
INLINE scalar points_part(const contact_set* s, const near_pair* p, const scalar weight[4],
                          int side, bool shared)
{
    scalar pivot = 0;
    for (int k = side_first(p, side); k < side_end(p, side); ++k) {
        const scalar *x = (const scalar*)s->place + 4 * (size_t)p->point[k],
                     *d = (const scalar*)s->increment + 4 * (size_t)p->point[k];
        scalar part = weight[k] < 0 ? -weight[k] : weight[k];
        pivot = pivot + d[3] * x[3] * part * (shared ? 1 : part);
    }
    return pivot;
}

// [m] Where the guard holds a side back, from its center: both at the same place, which is between
// rigid bodies, or that of points. (Of faces that lie on each other the push is not along the line
// between the points, see region_flatten.)
INLINE void guard_arm(const contact_set* s, const near_pair* p, const scalar weight[4], int side,
                      double out[3])
{
    double part = is_rigid(side_body(s, p, 1 - side)) ? 0.5 : 1;
    side_middle(s, p, weight, side, out);
    if (p->kind == PAIR_PLANE) return;
    for (int i = 0; i < 3; ++i) {
        double apart = 0;
        for (int k = 0; k < 4; ++k)
            apart += (double)weight[k] *
                     (double)((const scalar*)s->place)[4 * (size_t)p->point[k] + (size_t)i];
        out[i] += (side ? part : -part) * apart;
    }
}

// [1/kg] Of both sides along a direction, of a pair that the guard holds back at some of its
// points.
INLINE scalar guard_pivot(const contact_set* s, const near_pair* p, const scalar weight[4],
                          vec3 along)
{
    scalar pivot = 0;
    for (int side = 0; side < 2; ++side) {
        const contact_body* b = side_body(s, p, side);
        double arm[3];
        if (b->rigid) guard_arm(s, p, weight, side, arm);
        pivot = pivot + (b->rigid ? rigid_part(b->rigid, arm, along)
                                  : points_part(s, p, weight, side, false));
    }
    return pivot;
}

// [m] How far the sides slip in the substep where they touch.
INLINE vec3 rigid_slip(const contact_set* s, const near_pair* p, const pair_state* c,
                       const pair_points* at)
{
    vec3 n = normal_of(c), slip = v3_zero();
    for (int side = 0; side < 2; ++side) {
        const contact_body* b = side_body(s, p, side);
        double arm[3], to[3];
        if (b->rigid) {
            side_arm(s, p, c, side, arm);
            rigid_motion_at(b->rigid, arm, to);
            vec3 moved = v3((scalar)to[0], (scalar)to[1], (scalar)to[2]);
            slip = v3_add_scaled(slip, side ? -1 : 1, moved);
            continue;
        }
        for (int k = side_first(p, side); k < side_end(p, side); ++k)
            slip = v3_add_scaled(slip, c->weight[k], quad_xyz(at->increment[k] - at->residue[k]));
    }
    return v3_add_scaled(slip, -v3_dot(slip, n), n);
}

// ---- whole bodies -------------------------------------------------------------------------------

typedef bool pair_takes_part(const pair_state* c);
// [m] Where a pair pushes a side.
typedef void side_place(const contact_set* s, const near_pair* p, const pair_state* c, int side,
                        double out[3]);

// Which side of its pair an entry is the first of; -1: of none. So each pair counts once.
INLINE int first_of_side(const contact_set* s, int entry)
{
    int place = entry % 4;
    return place == 0 ? 0 : place == pair_first_side(s->pair[entry / 4].kind) ? 1 : -1;
}

INLINE int count_rigid_pairs(const contact_set* s, const contact_body* b, const point_pairs* of,
                             pair_takes_part* takes_part)
{
    int count = 0;
    for (int point = b->first_point; point < b->first_point + b->surface->point_count; ++point)
        for (int k = of->start[point]; k < of->end[point]; ++k)
            count += first_of_side(s, of->entry[k]) >= 0 &&
                     takes_part((const pair_state*)s->contact + of->entry[k] / 4);
    return count;
}

// Adds the pushes of its pairs, in the order of points and keys.
INLINE void push_rigid(const contact_set* s, const contact_body* b, const point_pairs* of,
                       pair_takes_part* takes_part, side_place* place)
{
    for (int point = b->first_point; point < b->first_point + b->surface->point_count; ++point)
        for (int k = of->start[point]; k < of->end[point]; ++k) {
            const pair_state* c = (const pair_state*)s->contact + of->entry[k] / 4;
            int side = first_of_side(s, of->entry[k]);
            double arm[3], push[3];
            if (side < 0 || !takes_part(c)) continue;
            place(s, &s->pair[of->entry[k] / 4], c, side, arm);
            for (int i = 0; i < 3; ++i) push[i] = (side ? -1 : 1) * (double)c->push[i];
            rigid_push(b->rigid, arm, push);
        }
}
