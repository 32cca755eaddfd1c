// What happens to one particle in a substep: prediction, pins, attachments, contacts, the end. The
// same source for the processor (particles.c) and for CUDA, in float and double.
#pragma once
#include "collide/probe.h"
#include "constraint/attachment.h"
#include "solver/quad.h"
#include "solver/row.h"

// The row of a particle, and what else belongs to it.
typedef struct {
    quad x;       // [m] place at the start of the substep; inverse mass of the copy [1/kg]
    quad d;       // [m] what the substep adds to it; radius [m]
    quad v;       // [m/s]; inverse mass of the particle [1/kg], 0 when it is pinned
    quad residue; // [m] what rounding left over of the last increment
} particle_row;

// What a particle remembers of the substep before, in bodies of second order (step.h).
typedef struct {
    quad moved; // [m] how far it went; 0
    quad gain;  // [m/s] by how much smooth forces changed its velocity; 0, or the surface's speed
                // of a contact mark until the end of the substep
} particle_past;

// What a particle has of its contacts.
typedef struct {
    quad force;  // [N] mean over the step, so far; deepest push of the substep [m], 0: no contact
    quad normal; // of that push; its restitution
    quad lift;   // [m/s^2] acceleration by the contacts of the substep; 0
    scalar surface; // [m/s] speed of the collider's surface along the normal
} contact_mark;

// What one collider does to a particle, where somebody asks for its force.
typedef struct {
    quad force;  // [N] mean over the step, so far; its push, where that was the substep's deepest
    quad torque; // [N m] about the collider's position, likewise; 0
    quad arm;    // [m] of that push: the particle as seen from the collider; 0
} contact_load;

// How a substep goes on from the one before, which was 1 / r times as long (step.h).
typedef struct {
    scalar h;     // [s] the substep before
    scalar ratio; // [-] r
    scalar lean;  // [-] b, by which the motion leans to the last one: r / (1 + 2 r), 0: first order
    scalar turn;  // [-] by which the velocity turns from the last motion: b / (1 - b)
    scalar change; // [-] of the last gain of velocity that is gained again: b r
    scalar reach;  // [s] part of the substep that forces and constraints count for: (1 - b) h
    scalar onward; // [-] where on the way of the substep forces have no torque (torque.h)
} second_rules;

// What is the same for all particles of a body.
typedef struct {
    scalar h, inv_h;   // [s] substep
    scalar seen;       // [s] what constraints see of it
    second_rules past; // of second order
    scalar keep;       // [-] share of the velocity that is left by drag
    scalar lift;       // [-] share of what contacts did that the prediction expects again
    scalar whole;      // [-] correction of the whole substep, for one of what is seen
    scalar substeps;   // per step
    scalar rest_speed; // [m/s] impacts slower than this do not bounce
    vec3 gravity;      // [m/s^2]
    bool damped;       // viscosity comes before the prediction
    scalar owed;       // [s^3] of the torque that springs left in the substep before (torque.h)
} substep_rules;

INLINE quad quad_gravity(const substep_rules* r)
{
    return quad_of(r->gravity.x, r->gravity.y, r->gravity.z, 0);
}

// A collider as a body meets it.
typedef struct {
    probe_shape shape;
    scalar stick, slide, bounce; // [-] static and dynamic friction, restitution
    scalar reach;                // [m] no part of it is farther from its position
    scalar sunk;                 // [m] its surface is that far below its shape, and rises; mostly 0
    const collider_pose* way;    // of one that moves: its poses, or that at hand; NULL: it rests
    int load;                    // number of its sum of forces; -1: nobody asks
} obstacle;

// One that moves as it is in substep `number`, for a body that meets it as if it were moved by
// `aside`.
INLINE obstacle obstacle_at(const obstacle* o, int number, const double aside[3])
{
    obstacle out = *o;
    out.way = o->way + number;
    for (int k = 0; k < 3; ++k) {
        const double* axis = out.way->axis[k];
        out.shape.position[k] = out.way->position[k] - aside[k];
        out.shape.axis[k] = v3((scalar)axis[0], (scalar)axis[1], (scalar)axis[2]);
    }
    return out;
}

// Part of the way that surfaces still have to rise at the end of substep `number`.
INLINE scalar rise_left(const rise* r, int number)
{
    double t = r->done + (number + 1) * r->part;
    return t < 1 ? (scalar)(1 - t * t * (3 - 2 * t)) : 0;
}

// ---- points that move ---------------------------------------------------------------------------

// The first from a row on, in a list that is in the order of rows and whose elements begin with
// theirs.
INLINE int first_from(const void* list, size_t bytes, int count, int row)
{
    int low = 0;
    while (low < count) {
        int middle = (low + count) / 2;
        if (*(const int*)((const char*)list + (size_t)middle * bytes) < row)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}
INLINE int first_path(const path* list, int count, int row)
{
    return first_from(list, sizeof *list, count, row);
}
INLINE int first_roller(const roller* list, int count, int row)
{
    return first_from(list, sizeof *list, count, row);
}

// A point on its way at the end of substep `number`.
INLINE void way_point(const double from[3], const double to[3], int number, int substeps,
                      double out[3])
{
    double done = (double)(number + 1) / substeps;
    for (int k = 0; k < 3; ++k) out[k] = from[k] + done * (to[k] - from[k]);
}

// Where the particle was at the start of the substep, seen from a point: a difference of near
// numbers, taken before it is rounded.
INLINE vec3 seen_from(quad x, const double point[3])
{
    return v3((scalar)((double)x[0] - point[0]), (scalar)((double)x[1] - point[1]),
              (scalar)((double)x[2] - point[2]));
}

// The increment that brings a particle to a point, or a share of it.
INLINE quad particle_follow(const particle_row* a, const double point[3], scalar share)
{
    return quad_with_xyz(a->d, v3_scale(-share, seen_from(a->x, point)));
}

// Held to a point by a spring of that compliance [m/N]: the block of three rows on one particle.
INLINE void particle_hold(particle_row* a, const double point[3], scalar h, scalar compliance,
                          real lambda[3])
{
    substep s = substep_of(h, true);
    attachment c = {compliance};
    ends e;
    row_set r;
    e.w[0] = a->v[3];
    e.x[0] = v3_add(seen_from(a->x, point), quad_xyz(a->d));
    attachment_eval(&c, e.x, &r);
    xpbd_see_rows(3, &s, &r);
    xpbd_project(1, 3, ROWS_HOLD, &r, &s, &e, lambda);
    a->d = quad_with_xyz(a->d, v3_add(quad_xyz(a->d), e.dx[0]));
}

// What the spring did in this sweep, kept for the next one and as its force.
INLINE void holder_note(path* held, const substep_rules* r, const real lambda[3], bool first)
{
    double to_force = 1 / ((double)r->past.reach * (double)r->past.reach * (double)r->substeps);
    for (int k = 0; k < 3; ++k) {
        double before = first ? 0 : held->lambda[k];
        held->force[k] += to_force * ((double)lambda[k] - before);
        held->lambda[k] = (double)lambda[k];
    }
}

INLINE quad quad_without(quad q, int axes, quad other)
{
    return quad_of(axes & 1 ? other[0] : q[0], axes & 2 ? other[1] : q[1],
                   axes & 4 ? other[2] : q[2], q[3]);
}

// Stays where it is along the axes: what pushed it there is taken by what it is pinned to.
INLINE void particle_roll(int axes, particle_row* a, particle_past* past)
{
    const quad none = quad_of(0, 0, 0, 0);
    a->d = quad_without(a->d, axes, a->residue);
    a->v = quad_without(a->v, axes, none);
    if (!past) return;
    past->moved = quad_without(past->moved, axes, none);
    past->gain = quad_without(past->gain, axes, none);
}

// ---- prediction ---------------------------------------------------------------------------------

// A velocity that changes all at once (contacts, viscosity) is not to go on changing: the past, a
// substep of h, is moved as if it had always been that way, and its gain is that of smooth forces
// alone. So what is smooth stays of second order, and what a contact gives is not given again.
INLINE void past_jump(particle_past* past, scalar h, quad change)
{
    past->moved = past->moved + h * change;
}

// d = residue + h v beside the radius.
INLINE void particle_set_increment(particle_row* a, scalar h, quad v)
{
    a->d = quad_with_last_of(a->residue + h * v, a->d);
}

// The motion without forces, for the viscosity to correct.
INLINE void particle_coast(const substep_rules* r, particle_row* a)
{
    particle_set_increment(a, r->h, quad_if(a->v[3] > 0, a->v));
}

// What a velocity gains in this substep, as far as the past and the acceleration tell. What is
// pinned has no past.
INLINE quad past_go_on(const substep_rules* r, quad acceleration, scalar inv_mass,
                       particle_past* past)
{
    past->moved = quad_if(inv_mass > 0, past->moved);
    past->gain = quad_if(inv_mass > 0, r->past.change * past->gain + r->past.reach * acceleration);
    return past->gain;
}

// `inv_mass` is the last of its velocity. `past` is NULL in bodies of first order.
INLINE void particle_predict(const substep_rules* r, quad acceleration, scalar inv_mass,
                             particle_row* a, particle_past* past)
{
    quad v = a->v;
    // What viscosity has left of the velocity is in the increment.
    if (r->damped) v = quad_divide(a->d - a->residue, r->h, r->inv_h);
    if (r->keep < 1) v = r->keep * v;
    if (past) past_jump(past, r->past.h, quad_with_last(v - a->v, 0));
    quad gain = past ? past_go_on(r, acceleration, inv_mass, past) : r->h * acceleration;
    a->v = quad_with_last_of(quad_if(inv_mass > 0, v + gain), a->v);
    particle_set_increment(a, r->seen, a->v);
    if (past)
        a->d =
            a->d + r->past.lean * (r->past.ratio * past->moved - quad_with_last(r->seen * a->v, 0));
}

// From what constraints saw and did, the increment of the whole substep.
INLINE quads completed_increment(const substep_rules* r, quads d, quads residue, quads v)
{
    quads pushed = d - (residue + r->seen * v);
    return quads_add_three(d, residue + r->h * v, r->whole * pushed);
}

// Contacts push after the sweep (step.h). So those of the substep before are a force of the
// prediction, for constraints to see. Then that is taken back, and contacts find out anew: what
// they do does not depend on what was expected.
INLINE void particle_take_back(const substep_rules* r, quad lift, particle_row* a)
{
    quad gain = quad_if(a->v[3] > 0, r->h * (r->lift * lift));
    a->v = a->v - gain;
    a->d = a->d - r->h * gain;
}

// [m] A shorter way in a substep is none. What slows down comes to rest before its numbers become
// denormal, which some processors compute ten times slower, and which would stay so for good.
// Looked at before the end of the first substep of a step: that is often enough.
#define LEAST_WAY (64 * SCALAR_LEAST)
INLINE void particle_settle(particle_row* a)
{
    quad way = a->d - a->residue;
    a->d = quad_with_last_of(quad_where_small(way, LEAST_WAY, a->residue, a->d), a->d);
}

// Velocity from the increment. (Of second order, with what is lost in the sum: a loss in every
// substep would be a drag.)
INLINE quad particle_velocity(const substep_rules* r, const particle_row* a,
                              const particle_past* past)
{
    quad moved = quad_with_last(a->d, 0) - a->residue;
    if (!past) return quad_divide(moved, r->h, r->inv_h);
    quad turn = r->past.turn * (moved - r->past.ratio * past->moved), sum = moved + turn;
    return quad_divide(sum, r->h, r->inv_h) + r->inv_h * (turn - (sum - moved));
}

// A pinned particle is moved at the speed that shows.
INLINE void past_follow(const substep_rules* r, const particle_row* a, particle_past* past)
{
    past->moved = (r->past.h * r->inv_h) * (quad_with_last(a->d, 0) - a->residue);
}

// ---- contacts -----------------------------------------------------------------------------------

// A particle meets something with the velocity that it had at the start of the substep: what it
// gains, forces of its elements among it, may be what a contact that lasts takes from it each time.
INLINE void past_arrive(particle_row* a, particle_past* past)
{
    a->v = a->v - past->gain;
    past->gain = quad_of(0, 0, 0, 0);
}

// In contact a substep is of first order: from now on the particle moves by h times its velocity.
// Returns by how much deeper that is along the normal.
INLINE scalar past_straighten(const substep_rules* r, vec3 normal, particle_row* a,
                              particle_past* past)
{
    quad v = particle_velocity(r, a, past), before = a->d;
    a->d = quad_with_last_of(a->residue + r->h * v, a->d);
    past->moved = r->past.h * v;
    return v3_dot(quad_xyz(before - a->d), normal);
}

INLINE scalar sum_of_sizes(vec3 v)
{
    return lane_max(v.x, -v.x) + lane_max(v.y, -v.y) + lane_max(v.z, -v.z);
}

// Coulomb friction on positions: the slip of the substep is taken back, all of it up to the static
// limit, and beyond that as much as the dynamic coefficient allows.
INLINE vec3 friction(const obstacle* o, vec3 slip, scalar depth)
{
    scalar length = lane_sqrt(v3_dot(slip, slip));
    scalar stick = o->stick * depth, slide = o->slide * depth;
    return length <= lane_max(stick, slide) ? v3_neg(slip) : v3_scale(-slide / length, slip);
}

// Whether a particle surely does not touch it: a short look, before the long one. `simple`: as in
// particle_depth.
INLINE bool particle_is_far(const obstacle* o, const particle_row* a, bool simple)
{
    const double* p = o->shape.position;
    vec3 center = v3((scalar)p[0], (scalar)p[1], (scalar)p[2]), x = quad_xyz(a->x);
    vec3 from = v3_add(v3_sub(x, center), quad_xyz(a->d));
    scalar size = sum_of_sizes(x) + sum_of_sizes(center) + sum_of_sizes(quad_xyz(a->d));
    scalar margin = a->d[3] + 16 * SCALAR_EPSILON * size;
    if (o->shape.shape == PLIANT_SHAPE_PLANE) return v3_dot(o->shape.axis[1], from) > margin;
    if (!simple && o->shape.shape == PLIANT_SHAPE_TRIANGLES)
        margin = margin + sum_of_sizes(quad_xyz(a->d));
    margin = margin + o->reach;
    return v3_dot(from, from) * (1 - 16 * SCALAR_EPSILON) > margin * margin;
}

// How far the surface moves during the substep where the particle is that touches it: all motion
// in contact is relative to that.
INLINE vec3 surface_motion(const obstacle* o, vec3 arm)
{
    if (!o->way) return v3_zero();
    const collider_pose* p = o->way;
    scalar out[3];
    for (int k = 0; k < 3; ++k)
        out[k] =
            (scalar)p->shift[k] +
            v3_dot(v3((scalar)p->turn[k][0], (scalar)p->turn[k][1], (scalar)p->turn[k][2]), arm);
    return v3(out[0], out[1], out[2]);
}

INLINE void load_add(contact_load* load, vec3 force, vec3 arm)
{
    vec3 torque = v3_add(quad_xyz(load->torque), v3_cross(arm, force));
    load->force = quad_with_xyz(load->force, v3_add(quad_xyz(load->force), force));
    load->torque = quad_with_xyz(load->torque, torque);
}

// How deep it is below the surface, of whose way up a part is left: above zero in contact.
// `simple`: no collider of the body is convex or of triangles.
INLINE scalar particle_depth(const obstacle* o, scalar left, const particle_row* a, bool simple,
                             probe* out)
{
    double from[3];
    for (int k = 0; k < 3; ++k)
        from[k] = ((double)a->x[k] - o->shape.position[k]) + (double)a->d[k];
    *out = probe_world(&o->shape, from, (double)a->d[3], simple);
    scalar depth = a->d[3] - out->distance - left * o->sunk;
    return a->v[3] > 0 ? depth : 0;
}

// `load` is NULL where nobody asks for the collider's force.
INLINE void particle_push(const substep_rules* r, const obstacle* o, const probe* p, scalar depth,
                          particle_row* a, contact_mark* mark, particle_past* past,
                          contact_load* load)
{
    vec3 arm = seen_from(a->x, o->shape.position), surface = surface_motion(o, arm);
    if (past && !(mark->force[3] > 0)) past_arrive(a, past);
    if (past) depth = lane_max(depth + past_straighten(r, p->normal, a, past), 0);
    vec3 d = quad_xyz(a->d), residue = quad_xyz(a->residue);
    vec3 moved = v3_sub(v3_sub(d, residue), surface);
    scalar inward = -v3_dot(moved, p->normal);
    vec3 slip = v3_add_scaled(moved, inward, p->normal);
    // What was inside already is moved out with the place where the substep started: it makes
    // neither speed nor force nor friction.
    scalar overlap = lane_min(lane_max(depth - inward, 0), depth);
    vec3 push = v3_add_scaled(friction(o, slip, depth - overlap), depth - overlap, p->normal);
    a->d = quad_with_xyz(a->d, v3_add(d, v3_add_scaled(push, overlap, p->normal)));
    a->residue = quad_with_xyz(a->residue, v3_add_scaled(residue, overlap, p->normal));
    if (past) {
        quad change = r->inv_h * quad_of(push.x, push.y, push.z, 0);
        past_jump(past, r->past.h, change);
        past->gain = past->gain - change; // past_end will find it in the velocity
    }

    scalar to_force = 1 / (a->v[3] * r->h * r->h * r->substeps);
    mark->force = quad_with_xyz(mark->force, v3_add_scaled(quad_xyz(mark->force), to_force, push));
    mark->lift = mark->lift + r->inv_h * r->inv_h * quad_of(push.x, push.y, push.z, 0);
    if (load) load_add(load, v3_scale(to_force, push), arm);
    if (!(depth > mark->force[3])) return;
    mark->force = quad_with_last(mark->force, depth);
    mark->normal = quad_of(p->normal.x, p->normal.y, p->normal.z, o->bounce);
    mark->surface = r->inv_h * v3_dot(surface, p->normal);
    if (!load) return;
    load->force = quad_with_last(load->force, depth);
    load->arm = quad_of(arm.x, arm.y, arm.z, 0);
}

// ---- triangles (net.h) --------------------------------------------------------------------------

// Particles meet triangles by their way, as seen from the collider: along a line from where they
// are at the start of the substep to where they would be at its end. No nearer than `radius` and
// half of the thickness is a contact like others, with what is nearest at the end of the way. What
// would come nearer than half of that on its way is stopped there first, so that it is at the end
// at the side where it was. At last (particle_stay), when everybody has pushed, the way is cut
// where it would come nearer than a tenth.
#define NET_STOP  0.5
#define NET_LEAST 0.1

INLINE void place_in(const double position[3], const vec3 axis[3], quad x, quad more, double out[3])
{
    double from[3];
    for (int k = 0; k < 3; ++k) from[k] = ((double)x[k] - position[k]) + (double)more[k];
    for (int k = 0; k < 3; ++k)
        out[k] =
            (double)axis[k].x * from[0] + (double)axis[k].y * from[1] + (double)axis[k].z * from[2];
}

// Of a collider as it is in this substep (obstacle_at).
INLINE void net_start(const obstacle* o, const particle_row* a, double out[3])
{
    double position[3];
    vec3 axis[3];
    for (int k = 0; k < 3; ++k) {
        position[k] = o->shape.position[k];
        axis[k] = o->shape.axis[k];
        if (!o->way) continue;
        const collider_pose* before = o->way - 1;
        position[k] += before->position[k] - o->way->position[k];
        axis[k] =
            v3((scalar)before->axis[k][0], (scalar)before->axis[k][1], (scalar)before->axis[k][2]);
    }
    place_in(position, axis, a->x, a->residue, out);
}

INLINE void net_end(const obstacle* o, const particle_row* a, double out[3])
{
    place_in(o->shape.position, o->shape.axis, a->x, a->d, out);
}

INLINE vec3 in_world(const obstacle* o, const double local[3])
{
    vec3 v = v3_scale((scalar)local[0], o->shape.axis[0]);
    v = v3_add_scaled(v, (scalar)local[1], o->shape.axis[1]);
    return v3_add_scaled(v, (scalar)local[2], o->shape.axis[2]);
}

INLINE double net_reach(const obstacle* o, const particle_row* a)
{
    return (double)a->d[3] + (double)o->shape.cell;
}

// What moved the start of the substep, out of an overlap, did not move it through a triangle: it
// goes as far as it may. No facet was nearer than `near` to the start.
INLINE void net_keep_start(const obstacle* o, const net_view* v, const double start[3], double near,
                           quad residue, particle_row* a)
{
    quad shift = a->residue - residue;
    double to[3];
    net_hit hit;
    if ((double)sum_of_sizes(quad_xyz(shift)) < 0.9 * near) return;
    net_start(o, a, to);
    if (!net_block(v, start, to, NET_LEAST * net_reach(o, a), &hit)) return;
    a->residue = residue + (scalar)hit.time * shift;
}

// Returns whether there is a contact.
INLINE bool particle_meet_net(const substep_rules* r, const obstacle* o, particle_row* a,
                              contact_mark* mark, particle_past* past, contact_load* load)
{
    enum { MOST_PUSHES = 8 };
    const net_view v = net_of(&o->shape);
    const quad residue = a->residue;
    const double reach = net_reach(o, a), little = 1e-4 * reach;
    double start[3], near = NET_STOP * reach;
    bool any = false;
    if (!(a->v[3] > 0)) return false;
    net_start(o, a, start);
    for (int i = 0; i < MOST_PUSHES; ++i) {
        double end[3], from[3];
        net_hit hit;
        net_end(o, a, end);
        bool stopped = net_block(&v, start, end, NET_STOP * reach, &hit);
        if (hit.near < near) near = hit.near;
        if (!stopped && !net_nearest(&v, start, end, reach, &hit)) break;
        from_to(hit.at, end, from);
        double depth = reach - dot3(hit.normal, from);
        if (!(depth > (any ? little : 0))) break;
        const probe at = {(scalar)((double)a->d[3] - depth), in_world(o, hit.normal)};
        particle_push(r, o, &at, (scalar)depth, a, mark, past, load);
        any = true;
    }
    if (any) net_keep_start(o, &v, start, near, residue, a);
    return any;
}

// The last word on where a particle goes: not through a triangle. Returns whether its way was cut;
// what that takes of its motion is a force.
INLINE bool particle_stay(const substep_rules* r, const obstacle* o, particle_row* a,
                          contact_mark* mark, particle_past* past, contact_load* load)
{
    const net_view v = net_of(&o->shape);
    double start[3], end[3];
    net_hit hit;
    if (!(a->v[3] > 0)) return false;
    net_start(o, a, start);
    net_end(o, a, end);
    if (!net_block(&v, start, end, NET_LEAST * net_reach(o, a), &hit)) return false;
    for (int k = 0; k < 3; ++k) end[k] = (hit.time - 1) * (end[k] - start[k]);
    vec3 change = in_world(o, end), arm = seen_from(a->x, o->shape.position);
    a->d = quad_with_xyz(a->d, v3_add(quad_xyz(a->d), change));
    if (past) {
        quad gone = r->inv_h * quad_of(change.x, change.y, change.z, 0);
        past_jump(past, r->past.h, gone);
        past->gain = past->gain - gone;
    }
    vec3 force = v3_scale(1 / (a->v[3] * r->h * r->h * r->substeps), change);
    mark->force = quad_with_xyz(mark->force, v3_add(quad_xyz(mark->force), force));
    if (load) load_add(load, force, arm);
    return true;
}

// ---- the end of the substep ---------------------------------------------------------------------

// Of the contacts' acceleration, what will go on: not what took the speed of approach at the start
// of the substep, as the surface sees it. Friction goes with the normal part. `accelerated`: by
// gravity and other forces.
INLINE quad lasting_lift(const substep_rules* r, quad accelerated, quad before,
                         const contact_mark* mark)
{
    vec3 n = quad_xyz(mark->normal);
    scalar lift = v3_dot(quad_xyz(mark->lift), n);
    scalar approach = r->h * v3_dot(quad_xyz(accelerated), n) - v3_dot(quad_xyz(before), n);
    scalar impact = lane_max(approach + mark->surface, 0) * r->inv_h;
    return quad_if(lift > impact, (1 - impact / lift) * mark->lift);
}

// A particle in contact leaves with at least the restitution's share of its speed of approach, both
// as the surface sees them. What was moved out of an overlap has no speed from that. `after` is the
// velocity without it, `accelerated` what gravity and other forces made of the one before. The
// force of it is along the normal, of size `out_force` [N] as a part of the step's mean.
INLINE quad particle_bounce(const substep_rules* r, quad accelerated, quad before, quad after,
                            contact_mark* mark, scalar* out_force)
{
    *out_force = 0;
    if (!(mark->force[3] > 0)) return after;
    mark->lift = lasting_lift(r, accelerated, before, mark);
    vec3 n = quad_xyz(mark->normal), v = quad_xyz(after);
    scalar approach = mark->surface - v3_dot(quad_xyz(before), n);
    scalar leave = approach > r->rest_speed ? mark->normal[3] * approach : 0;
    scalar change = lane_max(leave + mark->surface - v3_dot(v, n), 0); // a contact does not pull
    // The contact's force is what it does to the momentum.
    scalar to_force = 1 / (before[3] * r->h * r->substeps);
    *out_force = to_force * change;
    mark->force = quad_with_xyz(mark->force, v3_add_scaled(quad_xyz(mark->force), *out_force, n));
    mark->surface = 0;
    v = v3_add_scaled(v, change, n);
    return quad_of(v.x, v.y, v.z, 0);
}

// The same for the collider whose push was the deepest one, if this is it.
INLINE void load_bounce(const contact_mark* mark, scalar force, contact_load* load)
{
    if (load->force[3] > 0 && load->force[3] == mark->force[3])
        load_add(load, v3_scale(force, quad_xyz(mark->normal)), quad_xyz(load->arm));
    load->force = quad_with_last(load->force, 0);
}

// What the next substep will remember of this one, which made the velocity `after`, and contacts v
// of it.
INLINE void past_end(const substep_rules* r, const particle_row* a, quad after, quad v,
                     particle_past* past)
{
    past->gain = quad_with_last(past->gain, 0) + (after - quad_with_last(a->v, 0));
    past->moved = quad_with_last(a->d, 0) - a->residue;
    past_jump(past, r->h, v - after);
}

// Goes where its increment leads, with velocity v. False, and nothing changed, when it left the
// finite numbers.
INLINE bool particle_update(quad v, particle_row* a)
{
    quad d = quad_with_last(a->d, 0), to = a->x + d;
    if (!quad_is_finite(v + to)) return false;
    a->v = quad_with_last_of(v, a->v);
    a->residue = d - (to - a->x);
    a->x = to;
    return true;
}

// Stays where it was, at rest, and feels no contact.
INLINE void particle_stop(particle_row* a, contact_mark* mark)
{
    a->v = quad_of(0, 0, 0, a->v[3]);
    a->d = quad_of(0, 0, 0, a->d[3]);
    a->residue = quad_of(0, 0, 0, 0);
    mark->force = quad_of(0, 0, 0, mark->force[3]);
    mark->lift = quad_of(0, 0, 0, 0);
    mark->surface = 0;
}
