// What contacts do, pair by pair and point by point. A pass over pairs reads points and writes
// pairs; a pass over points reads pairs and writes points. So it does not matter in which order
// pairs or points come, nor on how many threads. The same source for the processor and for CUDA.
#pragma once
#include "contact/manifold.h"
#include "contact/press.h"
#include "contact/set.h"
#include "solver/particle.h"
#include "solver/rigid_rows.h"

INLINE pair_state* state_of(const contact_set* s, int pair)
{
    return (pair_state*)s->contact + pair;
}
INLINE scalar* at_point(void* array, int point) { return (scalar*)array + 4 * (size_t)point; }
INLINE quad load_point(const void* array, int point)
{
    return quad_load((const scalar*)array + 4 * (size_t)point);
}
INLINE void load_four(const void* array, const near_pair* p, quad out[4])
{
    for (int k = 0; k < 4; ++k) out[k] = load_point(array, p->point[k]);
}

// ---- points and rows ----------------------------------------------------------------------------

typedef struct {
    contact_body* body;
    int particle;
    size_t row; // first copy
} point_row;

INLINE point_row row_of_point(const contact_set* s, int point)
{
    contact_body* b = &s->body[s->owner[point]];
    int local = point - b->first_point;
    point_row found = {b, b->surface->particle[local], (size_t)b->row[local]};
    return found;
}

INLINE quad at_row(const void* array, int stride, const point_row* at)
{
    return quad_load((const scalar*)array + at->row * (size_t)stride);
}

// A body that left the finite numbers stands still, and nothing moves it. Of second order, in the
// place of the velocity, which nobody asks for until the substep ends, is the increment that pushes
// are counted from.
INLINE void load_increment(contact_set* s, int point)
{
    point_row at = row_of_point(s, point);
    quad d = at.body->frozen ? quad_of(0, 0, 0, 0)
                             : at_row((const scalar*)at.body->at.row + ROW_D, ROW, &at);
    d = quad_with_last(d, 0);
    if (is_rigid(at.body) && !at.body->frozen)
        d = quad_with_xyz(d, rigid_increment(s, at.body, point));
    quad_store(at_point(s->increment, point), d);
    if (at.body->at.past) quad_store(at_point(s->velocity, point), d);
}

// Points that have been pushed in this substep already keep what they have.
INLINE void load_all(contact_set* s, int point)
{
    const quad none = quad_of(0, 0, 0, 0);
    point_row at = row_of_point(s, point);
    const contact_rows* rows = &at.body->at;
    if (s->loaded[point] == s->meeting) return;
    s->loaded[point] = s->meeting;
    quad v = at_row(rows->velocity, ROW4, &at), x = at_row(rows->row, ROW, &at);
    bool held = at.body->frozen;
    quad_store(at_point(s->place, point), quad_with_last(x, held ? 0 : v[3]));
    quad residue = held ? none : at_row(rows->residue, ROW4, &at);
    quad radius = at_row((const scalar*)rows->row + ROW_D, ROW, &at);
    quad_store(at_point(s->residue, point), quad_with_last_of(residue, radius));
#ifndef __CUDACC__
    if (point < s->loose.count)
        quad_store(at_point(s->loose.ball, point), quad_with_last_of(x, radius));
#endif
    quad_store(at_point(s->velocity, point), held ? none : v);
    load_increment(s, point);
}

// All copies of a particle.
INLINE int copy_count(const point_row* at)
{
    const int* start = at->body->at.copy_start;
    return start ? start[at->particle + 1] - start[at->particle] : 1;
}
INLINE size_t row_of_copy(const point_row* at, int copy)
{
    const contact_rows* rows = &at->body->at;
    return rows->copy_start ? (size_t)rows->copy[rows->copy_start[at->particle] + copy] : at->row;
}

LARGE void store_row(const point_row* at, void* array, int stride, quad value)
{
    ROLLED
    for (int copy = 0; copy < copy_count(at); ++copy) {
        scalar* to = (scalar*)array + row_of_copy(at, copy) * (size_t)stride;
        quad_store(to, quad_with_last_of(value, quad_load(to)));
    }
}

LARGE void add_to_rows(const point_row* at, void* array, int stride, vec3 more)
{
    ROLLED
    for (int copy = 0; copy < copy_count(at); ++copy) {
        scalar* to = (scalar*)array + row_of_copy(at, copy) * (size_t)stride;
        quad_store(to, quad_with_xyz(quad_load(to), v3_add(quad_xyz(quad_load(to)), more)));
    }
}

// Of second order: what contacts change at once is not to go on changing (particle_push).
LARGE void note_jump(contact_set* s, int point, const point_row* at)
{
    const contact_rows* rows = &at->body->at;
    scalar h = (scalar)rows->past_h[s->substep > 0], inv_h = 1 / (scalar)s->h;
    vec3 push = quad_xyz(load_point(s->increment, point) - load_point(s->velocity, point));
    add_to_rows(at, rows->past, PAST, v3_scale(h * inv_h, push));
    add_to_rows(at, (scalar*)rows->past + PAST_GAIN, PAST, v3_scale(-inv_h, push));
}

// ---- what colliders do --------------------------------------------------------------------------

// A force [N] on a point, as part of the step's mean, for who asks the collider for it.
LARGE void add_load(const contact_set* s, int point, const point_row* at, const contact_body* by,
                    vec3 force)
{
    const contact_rows* rows = &at->body->at;
    if (by->load < 0 || !rows->load) return;
    scalar* load = (scalar*)rows->load + (size_t)by->load * (size_t)rows->load_rows * LOAD;
    quad x = load_point(s->place, point);
    vec3 arm =
        v3((scalar)((double)x[0] - by->position[0]), (scalar)((double)x[1] - by->position[1]),
           (scalar)((double)x[2] - by->position[2]));
    add_to_rows(at, load, LOAD, force);
    add_to_rows(at, load + LOAD_TORQUE, LOAD, v3_cross(arm, force));
}

// What the guard does with a point [kg m] is a force only where a collider stands against it: it
// gets nothing back that could be felt elsewhere.
LARGE void note_guarded(contact_set* s, int point, const contact_body* by, vec3 push)
{
    point_row at = row_of_point(s, point);
    vec3 force = v3_scale((scalar)(1 / (s->h * s->h * s->substeps)), push);
    if (!by->collider || at.body->collider || at.body->frozen) return;
    add_to_rows(&at, at.body->at.contact, CONTACT, force);
    add_load(s, point, &at, by, force);
}

// Rows of rigid bodies get theirs from the bodies (solver/rigid_body.h).
INLINE void store_increment(contact_set* s, int point)
{
    point_row at = row_of_point(s, point);
    const contact_rows* rows = &at.body->at;
    if (at.body->frozen || is_rigid(at.body) || !(load_point(s->place, point)[3] > 0)) return;
    quad d = load_point(s->increment, point);
    if (rows->axes && rows->axes[at.particle])
        d = quad_without(d, rows->axes[at.particle], load_point(s->residue, point));
    store_row(&at, (scalar*)rows->row + ROW_D, ROW, d);
    if (rows->past) note_jump(s, point, &at);
}

// ---- rules --------------------------------------------------------------------------------------

// A body has factors for what a collider has.
INLINE pair_rules rules_of_collider(const contact_set* s, const near_pair* p)
{
    const contact_body *a = &s->body[p->body[0]], *b = &s->body[p->body[1]];
    const contact_body *by = a->collider ? a : b, *of = a->collider ? b : a;
    pair_rules r = {(scalar)p->thickness, (scalar)(of->friction * by->stick),
                    (scalar)(of->friction * by->slip), (scalar)(of->compliance / (s->h * s->h))};
    return r;
}

// Loose particles on both sides.
INLINE bool are_balls(const contact_set* s, const near_pair* p)
{
    return s->body[p->body[0]].surface->grains && s->body[p->body[1]].surface->grains;
}

LARGE pair_rules rules_of(const contact_set* s, const near_pair* p)
{
    if (collider_of(s, p)) return rules_of_collider(s, p);
    const contact_body *a = &s->body[p->body[0]], *b = &s->body[p->body[1]];
    pair_rules r = {(scalar)p->thickness, lane_sqrt((scalar)(a->stick * b->stick)),
                    lane_sqrt((scalar)(a->slip * b->slip)),
                    (scalar)((a->compliance + b->compliance) / (s->h * s->h))};
    scalar limit = are_balls(s, p) ? (scalar)rolling_limit(a, b) : (scalar)INFINITY;
    r.stick = r.stick < limit ? r.stick : limit;
    r.slip = r.slip < limit ? r.slip : limit;
    return r;
}

INLINE void rest_pair(pair_state* c)
{
    c->lambda = 0;
    vec3_store(c->slide, v3_zero());
}

// ---- passes -------------------------------------------------------------------------------------

INLINE scalar calm_depth(const contact_set* s, const near_pair* p, const pair_state* c)
{
    scalar overlap = (scalar)p->thickness - c->sunk - c->distance;
    if (has_rigid_side(s, p)) {
        quad residue[4];
        load_four(s->residue, p, residue);
        overlap = overlap - v3_dot(normal_of(c), weighted(c->weight, residue));
        return resting_depth(c->depth, overlap, c->rests, (scalar)(0.5 * p->thickness));
    }
    double calm = are_balls(s, p) ? CALM_OF_BALLS : CALM_OF_SURFACES;
    return calmed_depth(c->depth, overlap, (scalar)(calm * s->rest_speed * s->h));
}

INLINE void judge_pair(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    c->active = false;
    if (!c->valid) return;
    quad increment[4];
    load_four(s->increment, p, increment);
    c->depth = pair_depth(c, increment, (scalar)p->thickness - c->sunk);
    c->depth = calm_depth(s, p, c);
    c->active = c->depth > 0 || c->lambda > 0;
    if (c->active) flag_raise(&s->flags->touching, s->pass);
}

// What pairs of loose particles do to a point (loose.h).
INLINE quad loose_push(const contact_set* s, const void* push, int point)
{
    return point < s->loose.count ? load_point(push, point) : quad_of(0, 0, 0, 0);
}

INLINE bool is_active(const pair_state* c) { return c->active; }

INLINE void count_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (b->rigid && b->meets) b->rigid->contacts = count_rigid_pairs(s, b, &s->touching, is_active);
}

// A point of a rigid body has those of its body.
INLINE bool take_rigid_count(contact_set* s, int point)
{
    const contact_body* b = &s->body[s->owner[point]];
    if (is_rigid(b)) at_point(s->increment, point)[3] = (scalar)b->rigid->contacts;
    return is_rigid(b);
}

INLINE void count_contacts(contact_set* s, int point)
{
    if (take_rigid_count(s, point)) return;
    int contacts = (int)loose_push(s, s->loose.push, point)[3];
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        const pair_state* c = state_of(s, s->touching.entry[k] / 4);
        contacts += c->active && c->weight[s->touching.entry[k] % 4] != 0;
    }
    at_point(s->increment, point)[3] = (scalar)contacts;
}

// Where a point goes: who leaves his course has to be looked at again, and those of his body may
// follow.
LARGE void watch_course(contact_set* s, int point, quad d)
{
    quad course = load_point(s->course, point);
    vec3 off = quad_xyz(d - course);
    scalar square = v3_dot(off, off);
    if (square <= course[3] * course[3] || !(square < INFINITY)) return;
    contact_body* b = &s->body[s->owner[point]];
    float way = 1.5f * (float)lane_sqrt(square), most = 0.25f * (float)b->surface->mean_edge;
    at_point(s->course, point)[3] = (scalar)way;
    atomic_raise(&b->stir, bits_of_float(way < most ? way : most));
    flag_raise(&s->flags->escaped, s->pass);
}

// How far from its course a point came: so far it may come the next time, and so far pushes may
// take others of its body.
INLINE float note_swerve(contact_set* s, int point, quad d)
{
    vec3 off = quad_xyz(d - load_point(s->course, point));
    scalar square = v3_dot(off, off);
    float way = square < INFINITY ? 1.25f * (float)lane_sqrt(square) : 0;
    if (way > s->swerve[point]) s->swerve[point] = way;
    return way;
}

INLINE void note_stir(contact_set* s, int point)
{
    contact_body* b = &s->body[s->owner[point]];
    if (b->frozen || b->collider) return;
    float way = note_swerve(s, point, load_point(s->increment, point));
    float most = 0.25f * (float)b->surface->mean_edge;
    unsigned bits = bits_of_float(way < most ? way : most);
    if (bits > (unsigned)atomic_read((const int*)&b->stir_next)) atomic_raise(&b->stir_next, bits);
}

// How far the surface of a collider moves where a pair touches it, which is more than its points
// tell: a ball has one, which does not turn, and a belt stays where it is.
INLINE vec3 surface_slide(const contact_body* by, const quad place[4], const pair_state* c,
                          int first, int last)
{
    double arm[3], out[3];
    for (int k = 0; k < 3; ++k) {
        arm[k] = -by->position[k];
        for (int i = first; i < last; ++i) {
            double share = (double)(c->weight[i] < 0 ? -c->weight[i] : c->weight[i]);
            arm[k] += share * (double)place[i][k];
        }
    }
    for (int k = 0; k < 3; ++k)
        out[k] = by->shift[k] + by->turn[k][0] * arm[0] + by->turn[k][1] * arm[1] +
                 by->turn[k][2] * arm[2];
    return v3((scalar)out[0], (scalar)out[1], (scalar)out[2]);
}

// Its points take that as their motion, for friction to see.
LARGE void load_surface(const contact_set* s, const near_pair* p, const pair_state* c,
                        pair_points* at)
{
    const contact_body* by = collider_of(s, p);
    if (!by || by->still) return;
    int side = by != &s->body[p->body[0]], first = pair_first_side(p->kind);
    vec3 slide = side ? surface_slide(by, at->place, c, 0, first)
                      : surface_slide(by, at->place, c, first, 4);
    quad moved = quad_of(slide.x, slide.y, slide.z, 0);
    for (int k = side ? first : 0; k < (side ? 4 : first); ++k)
        at->residue[k] = at->increment[k] - moved;
}

INLINE void load_points(const contact_set* s, const near_pair* p, const pair_state* c,
                        pair_points* at)
{
    load_four(s->place, p, at->place);
    load_four(s->increment, p, at->increment);
    load_four(s->residue, p, at->residue);
    load_surface(s, p, c, at);
}

INLINE void press_active(contact_set* s, const near_pair* p, pair_state* c)
{
    pair_points at;
    load_points(s, p, c, &at);
    pair_rules r = rules_of(s, p);
    scalar pivot = split_pivot(c->weight, at.place, at.increment);
    if (pivot > 0)
        pair_press(&r, pair_slip(&at, c), pivot, pivot, c);
    else
        rest_pair(c); // both sides are held
}

INLINE void press_pair(contact_set* s, int i)
{
    pair_state* c = state_of(s, i);
    vec3_store(c->push, v3_zero());
    if (c->active && !has_rigid_side(s, &s->pair[i])) press_active(s, &s->pair[i], c);
}

// Contacts of rigid bodies, which come after the others: in this pass, or those that bounce.
INLINE bool pair_presses(const contact_set* s, int pair, bool bounces)
{
    const pair_state* c = state_of(s, pair);
    return (bounces ? c->bounces : c->active) && has_rigid_side(s, &s->pair[pair]);
}

INLINE void start_press(contact_set* s, int number)
{
    pressed_contact* k = &s->press[number];
    pair_points at;
    load_points(s, &s->pair[k->pair], state_of(s, k->pair), &at);
    press_start(s, &s->pair[k->pair], state_of(s, k->pair), &at, k);
    for (int i = 0; i < 3; ++i) k->before[i] = k->follow[i] = 0;
}

INLINE void start_bodies(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    memset(&s->rounds[number], 0, sizeof *s->rounds);
    if (b->rigid && b->meets) body_start_rounds(b->rigid);
}

INLINE void measure_round(contact_set* s, int number)
{
    const pressed_contact* k = &s->press[number];
    const pair_state* c = state_of(s, k->pair);
    island_rounds* r = &s->rounds[k->island];
    if (r->ended) return;
    exact_add(&r->done, round_energy(k, c));
    exact_add(&r->pushes, push_energy(k, c));
}

INLINE void measure_islands(contact_set* s, int number)
{
    if (island_measure(&s->rounds[number])) flag_raise(&s->flags->unsettled, s->pass);
}

INLINE void follow_round(contact_set* s, int number)
{
    pressed_contact* k = &s->press[number];
    round_follow(k, state_of(s, k->pair), s->rounds[k->island].part);
}

INLINE void follow_bodies(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (rigid_is_free(b)) body_follow(b->rigid, s->rounds[s->island[number]].part);
}

// Those of two bodies.
INLINE void press_manifold(contact_set* s, int number)
{
    const contact_manifold* m = &s->manifold[s->color_start[s->color] + number];
    if (s->rounds[s->press[m->first].island].ended) return;
    for (int i = m->first; i < m->last; ++i) {
        const pressed_contact* k = &s->press[s->backward ? m->last - 1 - (i - m->first) : i];
        const near_pair* p = &s->pair[k->pair];
        pair_state* c = state_of(s, k->pair);
        pair_rules r = rules_of(s, p);
        if (p->crossed) yield_to_others(k, &r);
        if (k->pivot > 0)
            press_one(s, p, k, &r, c);
        else
            rest_pair(c); // both sides are held
    }
}

// The sum over the pairs of a point, in their order.
INLINE vec3 sum_of_pushes(const contact_set* s, int point)
{
    vec3 sum = quad_xyz(loose_push(s, s->loose.push, point));
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        const pair_state* c = state_of(s, s->touching.entry[k] / 4);
        if (c->active)
            sum = v3_add_scaled(sum, c->weight[s->touching.entry[k] % 4], vec3_load(c->push));
    }
    return sum;
}

INLINE void push_point(contact_set* s, int point, vec3 push)
{
    quad d = load_point(s->increment, point);
    scalar w = load_point(s->place, point)[3];
    d = quad_with_xyz(d, v3_add_scaled(quad_xyz(d), w, push));
    quad_store(at_point(s->increment, point), d);
    if (w > 0) watch_course(s, point, d);
}

// Points of a body that nobody is near to go with it, too: they may have to be looked for.
INLINE void watch_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!(rigid_deviation(b->rigid) > 1e-3 * b->surface->mean_edge)) return;
    for (int point = b->first_point; point < b->first_point + b->surface->point_count; ++point) {
        vec3 to = rigid_increment(s, b, point);
        if (s->loaded[point] != s->meeting) watch_course(s, point, quad_of(to.x, to.y, to.z, 0));
    }
}

INLINE void move_rigid(contact_set* s, int number)
{
    const contact_body* b = &s->body[number];
    if (!rigid_is_free(b) || b->rigid->contacts == 0) return;
    push_rigid(s, b, &s->touching, is_active, side_arm);
    rigid_solve(b->rigid);
    watch_rigid(s, number);
}

// It goes as its body does.
INLINE bool move_with_body(contact_set* s, int point)
{
    const contact_body* b = &s->body[s->owner[point]];
    if (!is_rigid(b)) return false;
    if (!rigid_is_free(b)) return true;
    quad d = quad_with_xyz(load_point(s->increment, point), rigid_increment(s, b, point));
    quad_store(at_point(s->increment, point), d);
    watch_course(s, point, d);
    return true;
}

INLINE void move_point(contact_set* s, int point)
{
    if (!(load_point(s->increment, point)[3] > 0) || move_with_body(s, point)) return;
    push_point(s, point, sum_of_pushes(s, point));
}

// The pushes are those of the substep before.
INLINE void warm_pair(contact_set* s, int i)
{
    pair_state* c = state_of(s, i);
    c->active = c->valid && c->lambda > 0;
    if (!c->active) return;
    pair_rules r = rules_of(s, &s->pair[i]);
    pair_warm(&r, c);
}

// ---- the end of the substep ---------------------------------------------------------------------

typedef struct {
    vec3 all, lasting; // [kg m]
} point_push;

INLINE scalar share_of_pair(const contact_set* s, const near_pair* p, const pair_state* c)
{
    scalar share = lasting_share(c, (scalar)s->h, (scalar)s->rest_speed);
    return are_balls(s, p) ? (scalar)BALLS_LAST * share : share;
}

INLINE point_push total_push(const contact_set* s, int point)
{
    point_push sum = {quad_xyz(loose_push(s, s->loose.total, point)),
                      quad_xyz(loose_push(s, s->loose.lasting, point))};
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        const pair_state* c = state_of(s, s->touching.entry[k] / 4);
        scalar weight = c->weight[s->touching.entry[k] % 4];
        if (!c->valid || !(c->lambda > 0) || weight == 0) continue;
        vec3 push = v3_add_scaled(vec3_load(c->slide), c->lambda, normal_of(c));
        sum.all = v3_add_scaled(sum.all, weight, push);
        scalar share = share_of_pair(s, &s->pair[s->touching.entry[k] / 4], c);
        sum.lasting = v3_add_scaled(sum.lasting, weight * share, push);
    }
    return sum;
}

// Of that, what each collider does.
LARGE void mark_loads(contact_set* s, int point, const point_row* at, scalar to_force)
{
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        int i = s->touching.entry[k] / 4;
        const pair_state* c = state_of(s, i);
        const contact_body* by = collider_of(s, &s->pair[i]);
        scalar weight = c->weight[s->touching.entry[k] % 4];
        if (!by || !c->valid || !(c->lambda > 0) || weight == 0) continue;
        vec3 push = v3_add_scaled(vec3_load(c->slide), c->lambda, normal_of(c));
        add_load(s, point, at, by, v3_scale(weight * to_force, push));
    }
}

// Rows have the force of the step, and what the next prediction expects again.
INLINE void mark_point(contact_set* s, int point)
{
    scalar to_acceleration = (scalar)(1 / (s->h * s->h));
    point_row at = row_of_point(s, point);
    const contact_rows* rows = &at.body->at;
    scalar w = load_point(s->place, point)[3];
    note_stir(s, point);
    if (at.body->frozen || at.body->collider) return;
    point_push push = total_push(s, point);
    if (v3_dot(push.all, push.all) == 0) return;
    scalar to_force = to_acceleration / (scalar)s->substeps;
    add_to_rows(&at, rows->contact, CONTACT, v3_scale(to_force, push.all));
    if (rows->lift && w > 0 && !is_rigid(at.body))
        add_to_rows(&at, rows->lift, ROW4, v3_scale(w * to_acceleration, push.lasting));
    if (rows->load) mark_loads(s, point, &at, to_force);
    flag_raise(&at.body->touched, 1);
}

INLINE void settle_pair(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    c->active = c->bounces = c->valid && c->lambda > 0;
    for (int k = 0; k < 4; ++k) c->hold[k] = c->weight[k];
    c->sunk = lane_max(c->sunk - (scalar)(s->exit_speed * s->h), 0);
    if (!c->active) {
        rest_pair(c);
        return;
    }
    quad increment[4];
    load_four(s->increment, p, increment);
    c->depth = pair_depth(c, increment, (scalar)p->thickness);
    vec3 push = v3_add_scaled(vec3_load(c->slide), c->lambda, normal_of(c));
    vec3_store(c->push, push); // for store_impact
    vec3_store(c->sum, v3_add(vec3_load(c->sum), push));
    scalar share = share_of_pair(s, p, c);
    c->lambda = share * c->lambda;
    vec3_store(c->slide, v3_scale(share, vec3_load(c->slide)));
}

// ---- what pairs hand on -------------------------------------------------------------------------

// The others have nothing to remember, nor to take over, but energy of an impact.
INLINE bool pair_is_close(const contact_set* s, int pair)
{
    const pair_state* c = state_of(s, pair);
    return c->valid || (double)c->distance < s->pair[pair].thickness;
}

// Whether it may push, once it has taken over what it remembers.
INLINE bool pair_may_push(const contact_set* s, int pair)
{
    const pair_state* c = state_of(s, pair);
    return c->valid || c->stored > 0;
}

// Whether a pair that is not close takes over what is kept of it: an impact, or what a collider has
// done in this step, which the guard may go on with.
INLINE bool pair_remembers(const contact_set* s, int pair, const kept_contact* k)
{
    return k->stored > 0 || (collider_of(s, &s->pair[pair]) && kept_has_pushed(k));
}

INLINE void take_kept_contact(contact_set* s, int pair, const kept_contact* from, double carry)
{
    pair_state* c = state_of(s, pair);
    bool knows = from->met && (pair_is_close(s, pair) || from->stored > 0);
    if (s->pair[pair].crossed) carry = carry == 1 ? 1 : 0; // pulled apart, it does not push
    c->pivot = (scalar)from->pivot;
    for (int k = 0; k < 3; ++k) c->sum[k] = (scalar)from->sum[k];
    c->met = from->met;
    c->held = from->held && !s->looks_first;
    if (!knows) return;
    if (s->looks_first && !c->goes_on) return; // as if it had been found later
    c->sunk = (scalar)from->sunk;
    c->stored = (scalar)from->stored;
    if (!c->valid) return;
    c->lambda = (scalar)(carry * from->lambda);
    c->rests = s->looks_first ? c->lambda > 0 : from->rests;
    for (int k = 0; k < 3; ++k) c->slide[k] = (scalar)(carry * from->slide[k]);
}

// False: there is nothing to keep.
INLINE bool give_kept_contact(const contact_set* s, int pair, kept_contact* out)
{
    const pair_state* c = state_of(s, pair);
    out->key = s->pair[pair].key;
    out->lambda = (double)c->lambda;
    out->pivot = (double)c->pivot;
    out->sunk = (double)c->sunk;
    out->stored = (double)c->stored;
    out->rests = c->rests;
    out->overlaps = (double)c->distance < s->pair[pair].thickness;
    out->met = c->met || pair_is_close(s, pair) || c->stored > 0;
    out->held = c->held;
    for (int k = 0; k < 3; ++k) {
        out->slide[k] = (double)c->slide[k];
        out->sum[k] = (double)c->sum[k];
    }
    return kept_goes_on(out) || kept_has_slid(out) || kept_has_pushed(out);
}
