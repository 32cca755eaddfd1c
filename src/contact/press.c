// Contacts of near pairs. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "contact/press.h"
#include "contact/pressing.h"
#include "solver/rules.h"

static pair_state* states(const contact_system* s) { return (pair_state*)s->contact; }
static scalar* at_point(void* array, int point) { return (scalar*)array + 4 * (size_t)point; }
static quad load_point(const void* array, int point)
{
    return quad_load((const scalar*)array + 4 * (size_t)point);
}
static void load_four(const void* array, const near_pair* p, quad out[4])
{
    for (int k = 0; k < 4; ++k) out[k] = load_point(array, p->point[k]);
}

// ---- points and rows ----------------------------------------------------------------------------

typedef struct {
    contact_body* body;
    const state* s;
    int particle;
    size_t row; // first copy
} point_row;

static point_row row_of(const contact_system* s, int point)
{
    contact_body* b = &s->body[s->owner[point]];
    int local = point - b->first_point;
    return (point_row){b, b->run->s, b->surface->particle[local], (size_t)b->row[local]};
}

static quad at_row(const void* array, int stride, const point_row* at)
{
    return quad_load((const scalar*)array + at->row * (size_t)stride);
}

// A body that left the finite numbers stands still, and nothing moves it.
static void load_increments(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        point_row at = row_of(s, s->live[i]);
        quad d = at.body->frozen ? quad_of(0, 0, 0, 0)
                                 : at_row((const scalar*)at.s->row + ROW_D, ROW, &at);
        quad_store(at_point(s->increment, s->live[i]), quad_with_last(d, 0));
    }
}

// Of second order: in the place of the velocity, which nobody asks for until the substep ends, the
// increment that pushes are counted from.
static void keep_increment(contact_system* s, int point)
{
    quad_store(at_point(s->velocity, point), load_point(s->increment, point));
}

static void load(contact_system* s, int first, int last)
{
    const quad none = quad_of(0, 0, 0, 0);
    load_increments(s, first, last);
    for (int i = first; i < last; ++i) {
        int point = s->live[i];
        point_row at = row_of(s, point);
        quad v = at_row(at.s->velocity, ROW4, &at), x = at_row(at.s->row, ROW, &at);
        bool held = at.body->frozen;
        quad_store(at_point(s->place, point), quad_with_last(x, held ? 0 : v[3]));
        quad_store(at_point(s->residue, point), held ? none : at_row(at.s->residue, ROW4, &at));
        quad_store(at_point(s->velocity, point), held ? none : v);
        if (at.s->past) keep_increment(s, point);
    }
}

// All copies of a particle.
static void store_row(const point_row* at, void* array, int stride, quad value, bool keep_last)
{
    const plan* p = at->s->plan;
    for (int copy = 0; copy < plan_copy_count(p, at->particle); ++copy) {
        scalar* to = (scalar*)array + (size_t)plan_row(p, at->particle, copy) * (size_t)stride;
        quad_store(to, keep_last ? quad_with_last_of(value, quad_load(to)) : value);
    }
}

static void add_to_rows(const point_row* at, void* array, int stride, vec3 more)
{
    const plan* p = at->s->plan;
    for (int copy = 0; copy < plan_copy_count(p, at->particle); ++copy) {
        scalar* to = (scalar*)array + (size_t)plan_row(p, at->particle, copy) * (size_t)stride;
        quad_store(to, quad_with_xyz(quad_load(to), v3_add(quad_xyz(quad_load(to)), more)));
    }
}

// Of second order: what contacts change at once is not to go on changing (particle_push).
static void note_jump(contact_system* s, int point, const point_row* at)
{
    substep_rules r = substep_rules_of(&at->body->run->work);
    vec3 push = quad_xyz(load_point(s->increment, point) - load_point(s->velocity, point));
    add_to_rows(at, at->s->past, PAST, v3_scale(r.past.h * r.inv_h, push));
    add_to_rows(at, (scalar*)at->s->past + PAST_GAIN, PAST, v3_scale(-r.inv_h, push));
    keep_increment(s, point);
}

static void store_increments(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        int point = s->live[i];
        point_row at = row_of(s, point);
        if (at.body->frozen || !(load_point(s->place, point)[3] > 0)) continue;
        quad d = load_point(s->increment, point);
        if (at.s->axes[at.particle])
            d = quad_without(d, at.s->axes[at.particle], load_point(s->residue, point));
        store_row(&at, (scalar*)at.s->row + ROW_D, ROW, d, true);
        if (at.s->past) note_jump(s, point, &at);
    }
}

// ---- rules --------------------------------------------------------------------------------------

static pair_rules rules_of(const contact_system* s, const near_pair* p)
{
    const contact_body *a = &s->body[p->body[0]], *b = &s->body[p->body[1]];
    pair_rules r = {(scalar)p->thickness, lane_sqrt((scalar)(a->stick * b->stick)),
                    lane_sqrt((scalar)(a->slip * b->slip)),
                    (scalar)((a->compliance + b->compliance) / (s->h * s->h))};
    return r;
}

static void rest(pair_state* c)
{
    c->lambda = 0;
    vec3_store(c->slide, v3_zero());
}

// ---- passes -------------------------------------------------------------------------------------

// What overlaps although it was pushed, since one pass does not solve all, is let out little by
// little, unless it is as little as bodies at rest have: all at once it would gain energy. What
// comes nearer is stopped in any case.
static scalar calm_depth(const contact_system* s, const near_pair* p, const pair_state* c)
{
    const scalar part = (scalar)0.05, little = (scalar)(10 * s->rest_speed * s->h);
    scalar overlap = (scalar)p->thickness - c->sunk - c->distance;
    scalar leaves = overlap - c->depth; // [m] by which it goes apart already
    scalar most = lane_max(part * overlap, little);
    return overlap > 0 ? lane_min(c->depth, most - leaves) : c->depth;
}

static void judge(contact_system* s, int first, int last)
{
    bool any = false;
    for (int i = first; i < last; ++i) {
        const near_pair* p = &s->pair[i];
        pair_state* c = &states(s)[i];
        c->active = false;
        if (!c->valid) continue;
        quad increment[4];
        load_four(s->increment, p, increment);
        c->depth = pair_depth(c, increment, (scalar)p->thickness - c->sunk);
        c->depth = calm_depth(s, p, c);
        c->active = c->depth > 0 || c->lambda > 0;
        any = any || c->active;
    }
    if (any) s->touching = true;
}

static void count(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        int point = s->live[i], contacts = 0;
        for (int k = s->incidence_start[point]; k < s->incidence_end[point]; ++k) {
            const pair_state* c = &states(s)[s->incidence[k] / 4];
            contacts += c->active && c->weight[s->incidence[k] % 4] != 0;
        }
        at_point(s->increment, point)[3] = (scalar)contacts;
    }
}

static bool went_far(const contact_system* s, const contact_body* b, quad d)
{
    double square = 0, apart = 0;
    for (int k = 0; k < 3; ++k) {
        square += ((double)d[k] - s->frame[k]) * ((double)d[k] - s->frame[k]);
        apart += ((double)d[k] - b->mean[k]) * ((double)d[k] - b->mean[k]);
    }
    return !(square <= b->calm * b->calm) || !(apart <= b->self_calm * b->self_calm);
}

static void press_one(contact_system* s, const near_pair* p, pair_state* c)
{
    pair_points at;
    load_four(s->place, p, at.place);
    load_four(s->increment, p, at.increment);
    load_four(s->residue, p, at.residue);
    scalar pivot = 0;
    for (int k = 0; k < 4; ++k)
        pivot = pivot + at.increment[k][3] * at.place[k][3] * c->weight[k] * c->weight[k];
    pair_rules r = rules_of(s, p);
    if (pivot > 0)
        pair_press(&r, &at, pivot, c);
    else
        rest(c); // both sides are held
}

static void press(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        pair_state* c = &states(s)[i];
        vec3_store(c->push, v3_zero());
        if (c->active) press_one(s, &s->pair[i], c);
    }
}

// The sum over the pairs of a point, in their order.
static vec3 sum_of_pushes(const contact_system* s, int point)
{
    vec3 sum = v3_zero();
    for (int k = s->incidence_start[point]; k < s->incidence_end[point]; ++k) {
        const pair_state* c = &states(s)[s->incidence[k] / 4];
        if (c->active) sum = v3_add_scaled(sum, c->weight[s->incidence[k] % 4], vec3_load(c->push));
    }
    return sum;
}

static void push_point(contact_system* s, int point, vec3 push)
{
    quad d = load_point(s->increment, point);
    scalar w = load_point(s->place, point)[3];
    d = quad_with_xyz(d, v3_add_scaled(quad_xyz(d), w, push));
    quad_store(at_point(s->increment, point), d);
    if (w > 0 && went_far(s, &s->body[s->owner[point]], d)) s->escaped = true;
}

static void move(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        int point = s->live[i];
        if (load_point(s->increment, point)[3] > 0) push_point(s, point, sum_of_pushes(s, point));
    }
}

// The pushes are those of the substep before.
static void warm_one(const contact_system* s, const near_pair* p, pair_state* c)
{
    c->active = c->valid && c->lambda > 0;
    pair_rules r = rules_of(s, p);
    if (c->active) pair_warm(&r, c);
}

static void warm(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) warm_one(s, &s->pair[i], &states(s)[i]);
}

// ---- the end of the substep ---------------------------------------------------------------------

typedef struct {
    vec3 all, lasting; // [kg m]
} point_push;

static point_push total_push(const contact_system* s, int point)
{
    point_push sum = {v3_zero(), v3_zero()};
    for (int k = s->incidence_start[point]; k < s->incidence_end[point]; ++k) {
        const pair_state* c = &states(s)[s->incidence[k] / 4];
        scalar weight = c->weight[s->incidence[k] % 4];
        if (!c->valid || !(c->lambda > 0) || weight == 0) continue;
        vec3 push = v3_add_scaled(vec3_load(c->slide), c->lambda, normal_of(c));
        sum.all = v3_add_scaled(sum.all, weight, push);
        sum.lasting = v3_add_scaled(sum.lasting, weight * lasting_share(c, (scalar)s->h), push);
    }
    return sum;
}

// Rows have the force of the step, and what the next prediction expects again.
static void mark(contact_system* s, int first, int last)
{
    scalar to_acceleration = (scalar)(1 / (s->h * s->h));
    for (int i = first; i < last; ++i) {
        int point = s->live[i];
        point_row at = row_of(s, point);
        scalar w = load_point(s->place, point)[3];
        if (at.body->frozen) continue;
        point_push push = total_push(s, point);
        if (v3_dot(push.all, push.all) == 0) continue;
        scalar to_force = to_acceleration / (scalar)at.body->run->work.substeps;
        add_to_rows(&at, at.s->contact, CONTACT, v3_scale(to_force, push.all));
        if (at.s->lift && w > 0)
            add_to_rows(&at, at.s->lift, ROW4, v3_scale(w * to_acceleration, push.lasting));
        at.body->touched = true;
    }
}

static void settle(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        const near_pair* p = &s->pair[i];
        pair_state* c = &states(s)[i];
        c->active = c->valid && c->lambda > 0;
        c->sunk = lane_max(c->sunk - (scalar)(s->exit_speed * s->h), 0);
        if (!c->active) {
            rest(c);
            continue;
        }
        quad increment[4];
        load_four(s->increment, p, increment);
        c->depth = pair_depth(c, increment, (scalar)p->thickness);
        vec3 push = v3_add_scaled(vec3_load(c->slide), c->lambda, normal_of(c));
        vec3_store(c->sum, v3_add(vec3_load(c->sum), push));
        scalar share = lasting_share(c, (scalar)s->h);
        c->lambda = share * c->lambda;
        vec3_store(c->slide, v3_scale(share, vec3_load(c->slide)));
    }
}

// ---- what lists hand on -------------------------------------------------------------------------

static void take(contact_system* s, int pair, const kept_contact* from, double carry)
{
    pair_state* c = &states(s)[pair];
    if (s->pair[pair].crossed) carry = carry == 1 ? 1 : 0; // pulled apart, it does not push
    c->pivot = (scalar)from->pivot;
    c->sunk = (scalar)from->sunk;
    c->lambda = c->valid ? (scalar)(carry * from->lambda) : 0;
    for (int k = 0; k < 3; ++k) {
        c->slide[k] = c->valid ? (scalar)(carry * from->slide[k]) : 0;
        c->sum[k] = (scalar)from->sum[k];
    }
}

static bool give(const contact_system* s, int pair, kept_contact* out)
{
    const pair_state* c = &states(s)[pair];
    *out = (kept_contact){.key = s->pair[pair].key,
                          .lambda = (double)c->lambda,
                          .pivot = (double)c->pivot,
                          .sunk = (double)c->sunk,
                          .overlaps = (double)c->distance < s->pair[pair].thickness};
    bool any = kept_goes_on(out);
    for (int k = 0; k < 3; ++k) {
        out->slide[k] = (double)c->slide[k];
        out->sum[k] = (double)c->sum[k];
        any = any || c->sum[k] != 0;
    }
    return any;
}

static bool crosses(const contact_system* s, int pair) { return states(s)[pair].crosses; }

static void describe(const contact_system* s, int pair, contact_description* out)
{
    const pair_state* c = &states(s)[pair];
    *out = (contact_description){.depth = (double)c->depth, .pushes = c->active};
    for (int k = 0; k < 4; ++k) out->weight[k] = (double)c->weight[k];
    for (int k = 0; k < 3; ++k) {
        out->normal[k] = (double)c->normal[k];
        out->sum[k] = (double)c->sum[k];
    }
}

// ---- bounces ------------------------------------------------------------------------------------

static void load_velocities(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        point_row at = row_of(s, s->live[i]);
        if (at.body->frozen) continue;
        quad_store(at_point(s->velocity, s->live[i]), at_row(at.s->velocity, ROW4, &at));
    }
}

static void rebound(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        const near_pair* p = &s->pair[i];
        pair_state* c = &states(s)[i];
        vec3_store(c->push, v3_zero());
        double a = s->body[p->body[0]].restitution, b = s->body[p->body[1]].restitution;
        scalar e = (scalar)(a > b ? a : b);
        if (!c->active || !(c->approach > (scalar)s->rest_speed) || !(e > 0) || !(c->pivot > 0))
            continue;
        quad velocity[4];
        load_four(s->velocity, p, velocity);
        scalar leaves = v3_dot(normal_of(c), weighted(c->weight, velocity));
        scalar more = lane_max(e * c->approach - leaves, 0) / c->pivot;
        vec3_store(c->push, v3_scale(more, normal_of(c)));
        vec3_store(c->sum, v3_add_scaled(vec3_load(c->sum), (scalar)s->h * more, normal_of(c)));
    }
}

static void speed_up(contact_system* s, int first, int last)
{
    for (int i = first; i < last; ++i) {
        int point = s->live[i];
        point_row at = row_of(s, point);
        scalar w = load_point(s->place, point)[3];
        if (at.body->frozen || !(w > 0)) continue;
        vec3 push = v3_zero();
        for (int k = s->incidence_start[point]; k < s->incidence_end[point]; ++k) {
            const pair_state* c = &states(s)[s->incidence[k] / 4];
            push = v3_add_scaled(push, c->weight[s->incidence[k] % 4], vec3_load(c->push));
        }
        if (v3_dot(push, push) == 0) continue;
        quad v = load_point(s->velocity, point);
        v = quad_with_xyz(v, v3_add_scaled(quad_xyz(v), w, push));
        quad_store(at_point(s->velocity, point), v);
        store_row(&at, at.s->velocity, ROW4, v, true);
        if (at.s->past) add_to_rows(&at, at.s->past, PAST, v3_scale((scalar)s->h * w, push));
        scalar to_force = (scalar)(1 / (s->h * at.body->run->work.substeps));
        add_to_rows(&at, at.s->contact, CONTACT, v3_scale(to_force, push));
    }
}

#include "contact/guard.h"

extern const pressing_kernels KERNELS;
const pressing_kernels KERNELS = {load,
                                  load_increments,
                                  store_increments,
                                  judge,
                                  press,
                                  settle,
                                  warm,
                                  count,
                                  move,
                                  mark,
                                  load_velocities,
                                  rebound,
                                  speed_up,
                                  look_for_crossing,
                                  count_crossing,
                                  hold,
                                  hold_back,
                                  crosses,
                                  take,
                                  describe,
                                  give};
