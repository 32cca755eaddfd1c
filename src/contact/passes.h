// What contacts do, pair by pair and point by point. A pass over pairs reads points and writes
// pairs; a pass over points reads pairs and writes points. So it does not matter in which order
// pairs or points come, nor on how many threads. The same source for the processor and for CUDA.
#pragma once
#include "contact/press.h"
#include "contact/set.h"
#include "solver/particle.h"

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

INLINE void store_increment(contact_set* s, int point)
{
    point_row at = row_of_point(s, point);
    const contact_rows* rows = &at.body->at;
    if (at.body->frozen || !(load_point(s->place, point)[3] > 0)) return;
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
    return s->body[p->body[0]].surface->loose && s->body[p->body[1]].surface->loose;
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

INLINE void count_contacts(contact_set* s, int point)
{
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

INLINE void press_active(contact_set* s, const near_pair* p, pair_state* c)
{
    pair_points at;
    load_four(s->place, p, at.place);
    load_four(s->increment, p, at.increment);
    load_four(s->residue, p, at.residue);
    load_surface(s, p, c, &at);
    scalar pivot = split_pivot(c->weight, at.place, at.increment);
    pair_rules r = rules_of(s, p);
    if (pivot > 0)
        pair_press(&r, &at, pivot, c);
    else
        rest_pair(c); // both sides are held
}

INLINE void press_pair(contact_set* s, int i)
{
    pair_state* c = state_of(s, i);
    vec3_store(c->push, v3_zero());
    if (c->active) press_active(s, &s->pair[i], c);
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

INLINE void move_point(contact_set* s, int point)
{
    if (load_point(s->increment, point)[3] > 0) push_point(s, point, sum_of_pushes(s, point));
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
    point_push sum = {quad_xyz(loose_push(s, s->loose.push, point)),
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
    if (rows->lift && w > 0)
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
    out->overlaps = (double)c->distance < s->pair[pair].thickness;
    out->met = c->met || pair_is_close(s, pair) || c->stored > 0;
    out->held = c->held;
    for (int k = 0; k < 3; ++k) {
        out->slide[k] = (double)c->slide[k];
        out->sum[k] = (double)c->sum[k];
    }
    return kept_goes_on(out) || kept_has_pushed(out);
}

// ---- bounces ------------------------------------------------------------------------------------

INLINE void load_velocity(contact_set* s, int point)
{
    point_row at = row_of_point(s, point);
    if (!at.body->frozen)
        quad_store(at_point(s->velocity, point), at_row(at.body->at.velocity, ROW4, &at));
}

INLINE scalar bounce_of(const contact_set* s, const near_pair* p)
{
    const contact_body *a = &s->body[p->body[0]], *b = &s->body[p->body[1]];
    if (a->collider || b->collider)
        return (scalar)(a->collider ? b->bounce * a->restitution : a->bounce * b->restitution);
    return (scalar)(a->restitution > b->restitution ? a->restitution : b->restitution);
}

// The sum of the weights of a point's pairs, which share its mass.
INLINE void share_point(contact_set* s, int point)
{
    scalar sum = 0;
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        const pair_state* c = state_of(s, s->touching.entry[k] / 4);
        if (c->bounces) sum = sum + share_of(c->hold[s->touching.entry[k] % 4]);
    }
    at_point(s->increment, point)[3] = sum;
}

INLINE scalar pivot_of_shares(const contact_set* s, const near_pair* p, const pair_state* c)
{
    quad place[4], increment[4];
    load_four(s->place, p, place);
    load_four(s->increment, p, increment);
    return shared_pivot(c->hold, place, increment);
}

// An impact is over: the pair comes no nearer, and does not push, but for what gravity or rounding
// brings. As long as it pushes, its bodies are being deformed, and give back what they take.
INLINE bool is_parting(const contact_set* s, const pair_state* c, scalar push)
{
    scalar little = lane_max((scalar)s->rest_speed, (scalar)1e-3 * speed_of(c->stored, c->pivot));
    return c->impact <= little && (!c->active || c->pivot * push <= little);
}

// Where and in which direction (`push`) it will.
INLINE void part_at_end(contact_set* s, const near_pair* p, pair_state* c)
{
    quad place[4], increment[4];
    load_four(s->place, p, place);
    load_four(s->increment, p, increment);
    vec3_store(c->push, direction_at_end(p->kind, place, increment, c, c->hold));
    flag_raise(&s->flags->parting, s->pass);
}

// The share e^2 of what impacts take is stored until the contact parts.
INLINE void store_impact(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    scalar e = bounce_of(s, p), rest = (scalar)s->rest_speed;
    c->bounces = false;
    if (!(e > 0)) return;
    scalar push = c->active ? v3_dot(vec3_load(c->push), normal_of(c)) / (scalar)s->h : 0;
    if (c->active && c->impact > rest)
        c->stored = c->stored + e * e * energy_taken(c, push, pivot_of_shares(s, p, c));
    if (!(c->stored > 0)) return;
    c->bounces = is_parting(s, c, push);
    if (c->bounces)
        part_at_end(s, p, c);
    else
        c->stored = energy_left(c, (scalar)0.5 * rest);
}

// What surfaces of colliders do is friction's, as above.
INLINE vec3 slip_of_rebound(const contact_set* s, const near_pair* p, const pair_state* c, vec3 n,
                            const quad velocity[4])
{
    const contact_body* by = collider_of(s, p);
    vec3 speed = weighted(c->hold, velocity);
    if (by && !by->still) {
        int side = by != &s->body[p->body[0]], first = pair_first_side(p->kind);
        quad place[4], seen[4];
        load_four(s->place, p, place);
        vec3 slide =
            side ? surface_slide(by, place, c, 0, first) : surface_slide(by, place, c, first, 4);
        quad moves = (scalar)(1 / s->h) * quad_of(slide.x, slide.y, slide.z, 0);
        for (int k = 0; k < 4; ++k) seen[k] = (k >= first) == side ? moves : velocity[k];
        speed = weighted(c->hold, seen);
    }
    return v3_add_scaled(speed, -v3_dot(speed, n), n);
}

INLINE void rebound_pair(contact_set* s, int i)
{
    const near_pair* p = &s->pair[i];
    pair_state* c = state_of(s, i);
    vec3 n = vec3_load(c->push), push = v3_zero();
    vec3_store(c->push, push);
    if (!c->bounces) return;
    quad velocity[4];
    load_four(s->velocity, p, velocity);
    scalar leaves = v3_dot(n, weighted(c->hold, velocity)), pivot = pivot_of_shares(s, p, c);
    if (leaves < -(scalar)s->rest_speed) return; // something pressed it on: it parts later
    if (pivot > 0) {
        pair_rules r = rules_of(s, p);
        scalar size = push_of_energy(c->stored, pivot, lane_max(leaves, 0));
        push = impact_friction(&r, size, pivot, slip_of_rebound(s, p, c, n, velocity));
        push = v3_add_scaled(push, size, n);
    }
    c->stored = 0;
    vec3_store(c->push, push);
    vec3_store(c->sum, v3_add_scaled(vec3_load(c->sum), (scalar)s->h, push));
}

INLINE void speed_up_point(contact_set* s, int point)
{
    point_row at = row_of_point(s, point);
    const contact_rows* rows = &at.body->at;
    scalar w = load_point(s->place, point)[3];
    if (at.body->frozen || !(w > 0)) return;
    vec3 push = v3_zero();
    scalar to_force = (scalar)(1 / (s->h * s->substeps));
    for (int k = s->touching.start[point]; k < s->touching.end[point]; ++k) {
        int i = s->touching.entry[k] / 4;
        const pair_state* c = state_of(s, i);
        const contact_body* by = rows->load ? collider_of(s, &s->pair[i]) : (contact_body*)0;
        scalar weight = c->hold[s->touching.entry[k] % 4];
        push = v3_add_scaled(push, weight, vec3_load(c->push));
        if (by) add_load(s, point, &at, by, v3_scale(weight * to_force, vec3_load(c->push)));
    }
    if (v3_dot(push, push) == 0) return;
    quad v = load_point(s->velocity, point);
    v = quad_with_xyz(v, v3_add_scaled(quad_xyz(v), w, push));
    quad_store(at_point(s->velocity, point), v);
    store_row(&at, rows->velocity, ROW4, v);
    if (rows->past) add_to_rows(&at, rows->past, PAST, v3_scale((scalar)s->h * w, push));
    add_to_rows(&at, rows->contact, CONTACT, v3_scale(to_force, push));
}
