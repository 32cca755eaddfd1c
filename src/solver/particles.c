// Compiled once per precision: -DKERNELS=the table's name [-DPRECISION_DOUBLE].
#include "solver/bounds.h"
#include "solver/enclosed.h"
#include "solver/phantoms.h"
#include "solver/rules.h"

static void path_point(const particle_work* w, const path* p, double out[3])
{
    way_point(p->from, p->to, w->substep, w->substeps, out);
}

// What a pass over rows reads again and again, out of the way of what it writes.
typedef struct {
    scalar *row, *velocity, *residue, *force, *contact;
    scalar* past; // NULL: of first order
    scalar* lift; // NULL: of second order
    scalar* load; // of colliders that are asked for their forces, each of all rows
    size_t load_rows;
    int load_count;
    substep_rules rules;
    quad gravity;
    scalar rise_left;
    bool pushed;
    bool settles; // what hardly moves
    row_contacts contacts;
} row_pass;

static row_pass start_pass(const particle_work* w, row_range range)
{
    const state* s = w->s;
    row_pass p = {.row = (scalar*)s->row,
                  .velocity = (scalar*)s->velocity,
                  .residue = (scalar*)s->residue,
                  .force = (scalar*)(w->air ? w->air : s->force),
                  .contact = (scalar*)s->contact,
                  .past = (scalar*)s->past,
                  .lift = (scalar*)s->lift,
                  .load = (scalar*)w->load,
                  .load_rows = (size_t)s->row_count,
                  .load_count = w->load_count,
                  .rules = substep_rules_of(w),
                  .rise_left = rise_left(&w->rising, w->substep),
                  .pushed = s->pushed || w->air,
                  .settles = w->substep == 0,
                  .contacts = *range.contacts};
    p.gravity = quad_gravity(&p.rules);
    return p;
}

INLINE particle_row load_particle(const row_pass* p, size_t i)
{
    particle_row a = {quad_load(p->row + i * ROW), quad_load(p->row + i * ROW + ROW_D),
                      quad_load(p->velocity + i * ROW4), quad_load(p->residue + i * ROW4)};
    return a;
}

INLINE void store_increment(const row_pass* p, size_t i, const particle_row* a)
{
    quad_store(p->row + i * ROW + ROW_D, a->d);
}

INLINE particle_past load_past(const row_pass* p, size_t i)
{
    particle_past past = {quad_load(p->past + i * PAST), quad_load(p->past + i * PAST + PAST_GAIN)};
    return past;
}

INLINE void store_past(const row_pass* p, size_t i, const particle_past* past)
{
    quad_store(p->past + i * PAST, past->moved);
    quad_store(p->past + i * PAST + PAST_GAIN, past->gain);
}

// The surface's speed is beside what the prediction or the past has of contacts.
INLINE contact_mark load_mark(const row_pass* p, size_t i)
{
    quad lift = p->lift ? quad_load(p->lift + i * ROW4) : quad_of(0, 0, 0, 0);
    contact_mark m = {quad_load(p->contact + i * CONTACT),
                      quad_load(p->contact + i * CONTACT + CONTACT_NORMAL), quad_with_last(lift, 0),
                      p->lift ? lift[3] : p->past[i * PAST + PAST_GAIN + 3]};
    return m;
}

// After the past, where there is one.
INLINE void store_mark(const row_pass* p, size_t i, const contact_mark* m)
{
    quad_store(p->contact + i * CONTACT, m->force);
    quad_store(p->contact + i * CONTACT + CONTACT_NORMAL, m->normal);
    if (p->lift)
        quad_store(p->lift + i * ROW4, quad_with_last(m->lift, m->surface));
    else
        p->past[i * PAST + PAST_GAIN + 3] = m->surface;
}

static scalar* load_at(const row_pass* p, int number, size_t i)
{
    return p->load + ((size_t)number * p->load_rows + i) * LOAD;
}

static contact_load load_load(const scalar* at)
{
    contact_load l = {quad_load(at), quad_load(at + LOAD_TORQUE), quad_load(at + LOAD_ARM)};
    return l;
}

static void store_load(scalar* at, const contact_load* l)
{
    quad_store(at, l->force);
    quad_store(at + LOAD_TORQUE, l->torque);
    quad_store(at + LOAD_ARM, l->arm);
}

// ---- prediction ---------------------------------------------------------------------------------

static void follow_past(const row_pass* p, size_t i, const particle_row* a)
{
    particle_past past = load_past(p, i);
    past_follow(&p->rules, a, &past);
    store_past(p, i, &past);
}

// Moves pinned particles by a share of their way during this substep.
static void move_pinned(const particle_work* w, row_range range, double share)
{
    const row_pass p = start_pass(w, range);
    for (int i = first_path(w->movers, w->mover_count, range.first); i < w->mover_count; ++i) {
        const path* m = &w->movers[i];
        if (m->row >= range.last) return;
        particle_row a = load_particle(&p, (size_t)m->row);
        double point[3];
        path_point(w, m, point);
        a.d = particle_follow(&a, point, (scalar)share);
        store_increment(&p, (size_t)m->row, &a);
        if (p.past) follow_past(&p, (size_t)m->row, &a);
    }
}

// Rows that are pinned along axes.
static void roll(const particle_work* w, row_range range)
{
    if (w->roller_count == 0) return;
    const row_pass p = start_pass(w, range);
    for (int i = first_roller(w->rollers, w->roller_count, range.first);
         i < w->roller_count && w->rollers[i].row < range.last; ++i) {
        size_t row = (size_t)w->rollers[i].row;
        particle_row a = load_particle(&p, row);
        particle_past past;
        if (p.past) past = load_past(&p, row);
        particle_roll(w->rollers[i].axes, &a, p.past ? &past : NULL);
        if (p.past) store_past(&p, row, &past);
        quad_store(p.velocity + row * ROW4, a.v);
        store_increment(&p, row, &a);
    }
}

static void coast(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        particle_row a = load_particle(&p, i);
        particle_coast(&p.rules, &a);
        store_increment(&p, i, &a);
    }
    move_pinned(w, range, 1);
}

static bool is_lifted(const scalar* lift, row_range range)
{
    bool any = false;
    for (size_t i = (size_t)range.first * ROW4; lift && i < (size_t)range.last * ROW4; ++i)
        any = any || lift[i] != 0;
    return any;
}

// What is left of them in the next substep is their lift.
static void forget_contacts(const particle_work* w, row_range range)
{
    scalar* contact = (scalar*)w->s->contact;
    bool touched = w->substep == 0 || range.contacts->touching;
    range.contacts->lifted = touched && is_lifted((const scalar*)w->s->lift, range);
    for (size_t i = (size_t)range.first; touched && i < (size_t)range.last; ++i) {
        contact[i * CONTACT + CONTACT_PUSH] = 0;
        if (w->substep == 0) quad_store(contact + i * CONTACT, quad_of(0, 0, 0, 0));
    }
    for (int k = 0; w->substep == 0 && k < w->load_count; ++k)
        memset((scalar*)w->load +
                   ((size_t)k * (size_t)w->s->row_count + (size_t)range.first) * LOAD,
               0, (size_t)(range.last - range.first) * LOAD * sizeof(scalar));
    range.contacts->touching = false;
}

// [m/s^2] by gravity and what else is there before the substep begins.
INLINE quad acceleration_of(const row_pass* p, size_t i, scalar inv_mass)
{
    return p->pushed ? p->gravity + inv_mass * quad_load(p->force + i * ROW4) : p->gravity;
}

// `second`: of second order, a literal at every call, so that bodies of first order pay nothing.
INLINE void predict_row(const row_pass* p, size_t i, bool second, bool lifted)
{
    particle_row a = load_particle(p, i);
    scalar inv_mass = p->velocity[i * ROW4 + ROW4_W];
    quad acceleration = acceleration_of(p, i, inv_mass);
    if (lifted) acceleration = acceleration + p->rules.lift * quad_load(p->lift + i * ROW4);
    if (second) {
        particle_past past = load_past(p, i);
        particle_predict(&p->rules, acceleration, inv_mass, &a, &past);
        store_past(p, i, &past);
    } else {
        particle_predict(&p->rules, acceleration, inv_mass, &a, NULL);
    }
    quad_store(p->velocity + i * ROW4, a.v);
    store_increment(p, i, &a);
}

INLINE void predict_rows(const row_pass* p, row_range range, bool second)
{
    bool lifted = !second && p->contacts.lifted;
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i)
        predict_row(p, i, second, lifted);
}

static void predict(const particle_work* w, row_range range)
{
    forget_contacts(w, range);
    const row_pass p = start_pass(w, range);
    if (p.past)
        predict_rows(&p, range, true);
    else
        predict_rows(&p, range, false);
    move_pinned(w, range, w->sees.motion);
    roll(w, range);
}

// ---- attachments and contacts -------------------------------------------------------------------

static void hold(const particle_work* w, const row_pass* p, path* held, bool first_iteration)
{
    particle_row a = load_particle(p, (size_t)held->row);
    double point[3];
    real lambda[3] = {0, 0, 0};
    for (int k = 0; k < 3 && !first_iteration; ++k) lambda[k] = (scalar)held->lambda[k];
    path_point(w, held, point);
    particle_hold(&a, point, p->rules.past.reach, (scalar)held->compliance, lambda);
    store_increment(p, (size_t)held->row, &a);
    holder_note(held, &p->rules, lambda, first_iteration);
}

// A particle, and what a contact changes of it.
typedef struct {
    particle_row a;
    contact_mark mark;
    particle_past past;
    contact_load load;
    scalar* sum; // of the collider's forces; NULL: nobody asks
} met_row;

INLINE met_row load_met(const row_pass* p, const obstacle* o, size_t i)
{
    met_row m;
    m.a = load_particle(p, i);
    m.mark = load_mark(p, i);
    m.sum = o->load >= 0 ? load_at(p, o->load, i) : NULL;
    if (p->past) m.past = load_past(p, i);
    if (m.sum) m.load = load_load(m.sum);
    return m;
}

INLINE void store_met(const row_pass* p, size_t i, const met_row* m)
{
    if (m->sum) store_load(m->sum, &m->load);
    if (p->past) {
        store_past(p, i, &m->past);
        quad_store(p->velocity + i * ROW4, m->a.v);
    }
    store_increment(p, i, &m->a);
    quad_store(p->residue + i * ROW4, m->a.residue);
    store_mark(p, i, &m->mark);
}

// Returns whether there is a contact.
INLINE bool contact_one(const row_pass* p, const obstacle* o, size_t i)
{
    particle_row a = load_particle(p, i);
    probe at;
    scalar depth = particle_depth(o, p->rise_left, &a, false, &at);
    if (!(depth > 0)) return false;
    met_row m = load_met(p, o, i);
    particle_push(&p->rules, o, &at, depth, &m.a, &m.mark, p->past ? &m.past : NULL,
                  m.sum ? &m.load : NULL);
    store_met(p, i, &m);
    return true;
}

INLINE void store_increments(const row_pass* p, size_t i, quads d)
{
    for (size_t k = 0; k < QUADS; ++k)
        quad_store(p->row + (i + k) * ROW + ROW_D, quads_part(d, (int)k));
}

typedef bool net_fn(const substep_rules* r, const obstacle* o, particle_row* a, contact_mark* mark,
                    particle_past* past, contact_load* load);

INLINE bool meet_net(const row_pass* p, const obstacle* o, size_t i, net_fn* meet)
{
    met_row m = load_met(p, o, i);
    if (!meet(&p->rules, o, &m.a, &m.mark, p->past ? &m.past : NULL, m.sum ? &m.load : NULL))
        return false;
    store_met(p, i, &m);
    return true;
}

static bool meet_triangles(const row_pass* p, const obstacle* o, row_range range)
{
    bool any = false;
    for (int i = range.first; i < range.last; ++i)
        any = meet_net(p, o, (size_t)i, particle_meet_net) || any;
    return any;
}

static bool meet_shape(const row_pass* p, const obstacle* o, row_range range)
{
    bool any = false;
    for (int i = range.first; i < range.last; ++i) any = contact_one(p, o, (size_t)i) || any;
    return any;
}

// Of many shapes: only rows that are in its box are looked at closely.
static bool meet_boxed(const row_pass* p, const obstacle* o, const nearby_box* box,
                       const double aside[3], row_range range)
{
    bool any = false;
    scalar low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = (scalar)(box->low[k] - aside[k]);
        high[k] = (scalar)(box->high[k] - aside[k]);
    }
    for (int i = range.first; i < range.last; ++i) {
        const scalar *x = p->row + (size_t)i * ROW, *d = x + ROW_D, r = x[ROW_RADIUS];
        bool apart = false;
        for (int k = 0; k < 3; ++k) {
            scalar at = x[k] + d[k];
            apart = apart || at + r < low[k] || at - r > high[k];
        }
        if (!apart) any = contact_one(p, o, (size_t)i) || any;
    }
    return any;
}

// d of the whole substep, where what constraints see is less. Several rows at once.
static void complete(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    size_t i = (size_t)range.first, end = (size_t)range.last;
    for (; i + QUADS <= end; i += QUADS) {
        quads x, d;
        quads_load_long(p.row, i, 2, &x, &d);
        store_increments(&p, i,
                         completed_increment(&p.rules, d, quads_load(p.residue, i, 2),
                                             quads_load(p.velocity, i, 2)));
    }
    for (; i < end; ++i) {
        particle_row a = load_particle(&p, i);
        a.d = quads_part(
            completed_increment(&p.rules, quads_of(a.d), quads_of(a.residue), quads_of(a.v)), 0);
        store_increment(&p, i, &a);
    }
}

static void take_back_lift(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        particle_row a = load_particle(&p, i);
        particle_take_back(&p.rules, quad_load(p.lift + i * ROW4), &a);
        store_increment(&p, i, &a);
        quad_store(p.velocity + i * ROW4, a.v);
        quad_store(p.lift + i * ROW4, quad_of(0, 0, 0, 0));
    }
    range.contacts->lifted = false;
}

static row_box look_around(const particle_work* w, row_range range)
{
    const scalar* row = (const scalar*)w->s->row;
    bounds box = no_bounds();
    size_t i = (size_t)range.first, end = (size_t)range.last;
    for (; i + QUADS <= end; i += QUADS) {
        quads x, d;
        quads_load_long(row, i, 2, &x, &d);
        bounds_add(&box, x, d);
    }
    for (; i < end; ++i)
        bounds_add(&box, quads_of(quad_load(row + i * ROW)),
                   quads_of(quad_load(row + i * ROW + ROW_D)));
    return bounds_widen(&box);
}

static bool is_far(const collider* c, int number, const row_box* box)
{
    if (!c->way) return collider_is_far(c, box->low, box->high, (double)SCALAR_EPSILON);
    collider here = *c;
    memcpy(here.position, c->way[number].position, sizeof here.position);
    memcpy(here.axis, c->way[number].axis, sizeof here.axis);
    return collider_is_far(&here, box->low, box->high, (double)SCALAR_EPSILON);
}

// Around where rows are and where they go to.
static row_box look_along(const particle_work* w, row_range range)
{
    const scalar* row = (const scalar*)w->s->row;
    bounds box = no_bounds();
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        quad x = quad_load(row + i * ROW), d = quad_load(row + i * ROW + ROW_D);
        bounds_add(&box, quads_of(x), quads_of(quad_with_last_of(quad_of(0, 0, 0, 0), d)));
        bounds_add(&box, quads_of(x), quads_of(d));
    }
    return bounds_widen(&box);
}

// A box as an instant of a collider sees it, with some room.
static void add_seen_box(const row_box* box, const double position[3], const double axis[3][3],
                         const double aside[3], double room, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) {
        double middle = 0, half = room;
        for (int i = 0; i < 3; ++i) {
            middle += axis[k][i] * ((box->low[i] + box->high[i]) / 2 + aside[i] - position[i]);
            half += fabs(axis[k][i]) * (box->high[i] - box->low[i]) / 2;
        }
        half += 16 * (double)SCALAR_EPSILON * (fabs(middle) + half);
        low[k] = fmin(low[k], middle - half);
        high[k] = fmax(high[k], middle + half);
    }
}

// Of triangles: whether no way comes near to one.
static bool net_passes(const particle_work* w, const collider* c, row_range range)
{
    const row_box box = look_along(w, range);
    const net_view v = net_view_of(c->net->data, c->net->node_count, false);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    const collider_pose* way = c->way ? c->way + w->substep : NULL;
    double room = c->thickness;
    if (!way) add_seen_box(&box, c->position, c->axis, w->aside, room, low, high);
    for (int i = -1; i < 1 && way; ++i)
        add_seen_box(&box, way[i].position, way[i].axis, w->aside, room, low, high);
    return net_is_far(&v, low, high);
}

static obstacle obstacle_now(const particle_work* w, const collider* c)
{
    obstacle o = obstacle_of(w, c);
    return o.way ? obstacle_at(&o, w->substep, w->aside) : o;
}

// ---- which colliders are near -------------------------------------------------------------------

// Goes over the colliders that some rows may touch, in ascending order. Those that are far change
// nothing, so it does not matter which of them are passed over.
typedef struct {
    const particle_work* w;
    row_range range;
    row_box box; // around the rows, as colliders meet them, and their way if there are triangles
    bool stale;  // rows have moved since
    nearby_list near;
    row_box asked; // what was looked for in the tree; there is nothing yet where it is empty
    int swept;     // place in the work's list
} lookout;

static void widen_by(row_box* box, const row_box* other)
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = fmin(box->low[k], other->low[k]);
        box->high[k] = fmax(box->high[k], other->high[k]);
    }
}

static void set_box(lookout* l, row_box box)
{
    if (l->w->net_count > 0) {
        const row_box along = look_along(l->w, l->range);
        widen_by(&box, &along);
    }
    for (int k = 0; k < 3; ++k) {
        box.low[k] += l->w->aside[k];
        box.high[k] += l->w->aside[k];
    }
    l->box = box;
    l->stale = false;
}

static lookout look_out(const particle_work* w, row_range range)
{
    lookout l = {.w = w, .range = range, .stale = true};
    for (int k = 0; k < 3; ++k) l.asked.low[k] = INFINITY, l.asked.high[k] = -INFINITY;
    return l;
}

static bool holds(const row_box* box, const row_box* other)
{
    bool inside = true;
    for (int k = 0; k < 3; ++k)
        inside = inside && box->low[k] <= other->low[k] && box->high[k] >= other->high[k];
    return inside;
}

// Rows that were pushed go a little farther than where they were looked for.
static void ask_tree(lookout* l, int after)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) most = fmax(most, l->box.high[k] - l->box.low[k]);
    for (int k = 0; k < 3; ++k) {
        l->asked.low[k] = l->box.low[k] - most / 16;
        l->asked.high[k] = l->box.high[k] + most / 16;
    }
    nearby_find(&l->w->nearby, l->asked.low, l->asked.high, after, &l->near);
}

static int next_in_tree(lookout* l, int after)
{
    if (l->stale) set_box(l, look_around(l->w, l->range));
    if (!holds(&l->asked, &l->box)) ask_tree(l, after);
    for (;;) {
        for (int i = 0; i < l->near.count; ++i)
            if (l->near.number[i] > after) return l->near.number[i];
        if (!l->near.more) return l->w->collider_count;
        ask_tree(l, after);
    }
}

// A few more are sooner looked at closely than rows are looked over again.
static bool passes_over(lookout* l, int number)
{
    enum { FEW = 4 };
    if (l->stale && l->w->collider_count - number < FEW) return false;
    if (l->stale) set_box(l, look_around(l->w, l->range));
    return is_far(&l->w->colliders[number], l->w->substep, &l->box);
}

// The next one behind `after`; as many as there are: no more.
static int next_near(lookout* l, int after)
{
    const particle_work* w = l->w;
    for (int k = after;;) {
        k = w->nearby.leaf_count > 0 ? next_in_tree(l, k) : k + 1;
        if (k >= w->collider_count) return w->collider_count;
        while (l->swept < w->swept_count && w->swept[l->swept] < k) l->swept++;
        if (l->swept < w->swept_count && w->swept[l->swept] == k) continue;
        if (w->colliders[k].shape == PLIANT_SHAPE_TRIANGLES
                ? !net_passes(w, &w->colliders[k], l->range)
                : !passes_over(l, k))
            return k;
    }
}

// Everybody has pushed: what would go through triangles stays before them.
static void stay_before_nets(const particle_work* w, row_range range)
{
    if (w->net_count == 0 || range.first == range.last) return;
    const row_pass p = start_pass(w, range);
    lookout l = look_out(w, range);
    for (int k = next_near(&l, -1); k < w->collider_count; k = next_near(&l, k)) {
        if (w->colliders[k].shape != PLIANT_SHAPE_TRIANGLES) continue;
        obstacle o = obstacle_now(w, &w->colliders[k]);
        for (int i = range.first; i < range.last; ++i) meet_net(&p, &o, (size_t)i, particle_stay);
    }
}

static bool meet_colliders(const particle_work* w, const row_pass* p, row_range range, lookout* l)
{
    bool any = false;
    for (int k = next_near(l, -1); k < w->collider_count; k = next_near(l, k)) {
        const collider* c = &w->colliders[k];
        obstacle o = obstacle_now(w, c);
        bool boxed = w->nearby.leaf_count > 0 && c->shape != PLIANT_SHAPE_PLANE;
        bool met = c->shape == PLIANT_SHAPE_TRIANGLES ? meet_triangles(p, &o, range)
                   : boxed ? meet_boxed(p, &o, &w->nearby.own[k], w->aside, range)
                           : meet_shape(p, &o, range);
        l->stale = l->stale || met;
        any = any || met;
    }
    return any;
}

static void touch(const particle_work* w, row_range range, bool first_iteration)
{
    if (range.first == range.last) return;
    bool partial = w->sees.motion < 1;
    bool moved = range.contacts->lifted;
    if (partial && !range.completed) complete(w, range);
    if (moved) take_back_lift(w, range);
    if (partial) move_pinned(w, range, 1);
    roll(w, range);
    if (w->collider_count == 0 && w->holder_count == 0) return;
    const row_pass p = start_pass(w, range);
    lookout l = look_out(w, range);
    int held = first_path(w->holders, w->holder_count, range.first), holders = held;
    if (!moved) set_box(&l, range.completed ? *range.completed : look_around(w, range));
    for (; holders < w->holder_count && w->holders[holders].row < range.last; ++holders)
        hold(w, &p, &w->holders[holders], first_iteration);
    l.stale = moved = moved || holders > held;
    if (meet_colliders(w, &p, range, &l)) range.contacts->touching = moved = true;
    if (moved) roll(w, range);
}

// ---- the end of the substep ---------------------------------------------------------------------

static quad bounce(const row_pass* p, size_t i, quad before, quad after)
{
    contact_mark mark = load_mark(p, i);
    scalar force;
    quad v =
        particle_bounce(&p->rules, acceleration_of(p, i, before[3]), before, after, &mark, &force);
    store_mark(p, i, &mark);
    for (int k = 0; k < p->load_count; ++k) {
        contact_load load = load_load(load_at(p, k, i));
        load_bounce(&mark, force, &load);
        store_load(load_at(p, k, i), &load);
    }
    return v;
}

INLINE void store_particle(const row_pass* p, size_t i, const particle_row* a)
{
    quad_store(p->row + i * ROW, a->x);
    quad_store(p->velocity + i * ROW4, a->v);
    quad_store(p->residue + i * ROW4, a->residue);
}

static void stop(const row_pass* p, size_t i)
{
    particle_row a = load_particle(p, i);
    contact_mark mark = load_mark(p, i);
    particle_stop(&a, &mark);
    store_particle(p, i, &a);
    store_increment(p, i, &a);
    store_mark(p, i, &mark);
    if (p->past) store_past(p, i, &(particle_past){quad_of(0, 0, 0, 0), quad_of(0, 0, 0, 0)});
}

// False when the particle left the finite numbers.
INLINE bool update_row(const row_pass* p, size_t i, bool second)
{
    particle_row a = load_particle(p, i);
    particle_past past;
    if (second) past = load_past(p, i);
    if (p->settles) {
        particle_settle(&a);
        store_increment(p, i, &a);
    }
    quad after = particle_velocity(&p->rules, &a, second ? &past : NULL), v = after;
    if (p->contacts.touching) v = bounce(p, i, a.v, v);
    if (second) past_end(&p->rules, &a, after, v, &past);
    if (!particle_update(v, &a)) {
        stop(p, i);
        return false;
    }
    store_particle(p, i, &a);
    if (second) store_past(p, i, &past);
    return true;
}

// `on`: and into the next substep.
INLINE bool update_rows(const row_pass* p, row_range range, bool on, bool second)
{
    bool finite = true;
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        bool stays = update_row(p, i, second);
        finite = finite && stays;
        if (on && stays) predict_row(p, i, second, !second && p->contacts.touching);
    }
    return finite;
}

static bool update(const particle_work* w, row_range range)
{
    stay_before_nets(w, range);
    const row_pass p = start_pass(w, range);
    return p.past ? update_rows(&p, range, false, true) : update_rows(&p, range, false, false);
}

static bool advance(const particle_work* w, row_range range)
{
    stay_before_nets(w, range);
    const row_pass p = start_pass(w, range);
    particle_work next = *w;
    next.substep++;
    bool finite = p.past ? update_rows(&p, range, true, true) : update_rows(&p, range, true, false);
    forget_contacts(&next, range);
    move_pinned(&next, range, next.sees.motion);
    roll(&next, range);
    return finite;
}

// ---- copies -------------------------------------------------------------------------------------

// Shared rows of a patch, and slot of the first of them.
#define SHARED_ROW(s_, t_)                                                                         \
    ((scalar*)(s_)->row + (size_t)((t_)->first_row + (t_)->inner_count) * ROW + ROW_D)
#define SHARED_COUNT(t_) ((t_)->row_count - (t_)->inner_count)

// With their shares, so that a merge finds both at one place.
static void publish(state* s, const patch* t, int buffer)
{
    const scalar* d = SHARED_ROW(s, t);
    scalar* out = (scalar*)s->exchange[buffer] + (size_t)t->first_slot * ROW4;
    const scalar* share = (const scalar*)s->share + t->first_slot;
    for (int i = 0; i < SHARED_COUNT(t); ++i, d += ROW, out += ROW4)
        quad_store(out, quad_with_last(quad_load(d), share[i]));
}

// Relative to the last copy, so that equal copies stay as they are, to the bit. Other patches'
// copies are far away in memory: they are asked for ahead.
static void merge(state* s, const patch* t, int buffer)
{
    enum { AHEAD = 16 };
    const copies* c = &s->plan->copies;
    const scalar* from = (const scalar*)s->exchange[buffer];
    scalar* d = SHARED_ROW(s, t);
    const int *start = c->source_start + t->first_slot,
              *end = c->source + c->source_start[c->slot_count];
    for (int i = 0; i < SHARED_COUNT(t); ++i, d += ROW) {
        const int *source = c->source + start[i], *last = c->source + start[i + 1] - 1;
        quad base = quad_load(from + (size_t)*last * ROW4), mean = base;
        for (const int* k = source; k < last; ++k) {
            const scalar* copy = from + (size_t)*k * ROW4;
            mean = mean + copy[ROW4_W] * (quad_load(copy) - base);
        }
        quad_store(d, quad_with_last_of(mean, quad_load(d)));
        for (const int* k = source; k <= last && end - k > AHEAD; ++k)
            __builtin_prefetch(from + (size_t)k[AHEAD] * ROW4);
    }
}

static void take_over(state* s, const patch* t, int buffer)
{
    const copies* c = &s->plan->copies;
    const scalar* from = (const scalar*)s->exchange[buffer];
    scalar* d = SHARED_ROW(s, t);
    for (int i = 0; i < SHARED_COUNT(t); ++i, d += ROW) {
        int slot = t->first_slot + i, before = c->before[slot];
        if (before >= 0)
            quad_store(d, quad_with_last_of(quad_load(from + (size_t)before * ROW4), quad_load(d)));
    }
}

// ---- phantoms -----------------------------------------------------------------------------------

static void spread(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    const int *phantom = w->s->plan->copies.phantom, count = w->s->particle_count;
    for (int i = range.first; i < range.last; ++i)
        phantoms_spread(p.row, w->damped || w->s->flow ? p.residue : NULL, i, count + phantom[i],
                        count + phantom[i + 1]);
}

static void gather(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    const int *phantom = w->s->plan->copies.phantom, count = w->s->particle_count;
    for (int i = range.first; i < range.last; ++i)
        phantoms_gather(p.row, (const scalar*)w->s->share, i, count + phantom[i],
                        count + phantom[i + 1]);
}

// ---- what closed surfaces hold ------------------------------------------------------------------

static enclosed_rows rows_of(const particle_work* w)
{
    return (enclosed_rows){(scalar*)w->s->row, (const scalar*)w->s->velocity};
}

static enclosed_sum enclose_piece(const particle_work* w, row_range range, const enclosure* e,
                                  enclosure_sums* sums)
{
    enclosed_sum out = {0, 0};
    for (int i = range.first; i < range.last; ++i) {
        int first = e->start[i];
        enclosed_sum one = enclosed_look(rows_of(w), i, e->pair + 2 * (size_t)first,
                                         e->start[i + 1] - first, sums->grad + 3 * (size_t)i);
        out.volumes += one.volumes;
        out.pivot += one.pivot;
    }
    return out;
}

static void enclose(const particle_work* w, row_range range, const enclosure* e,
                    enclosure_sums* sums)
{
    for (row_range piece = range; piece.first < range.last; piece.first = piece.last) {
        piece.last = piece.first + ENCLOSURE_PIECE;
        if (piece.last > range.last) piece.last = range.last;
        sums->sum[piece.first / ENCLOSURE_PIECE] = enclose_piece(w, piece, e, sums);
    }
}

static void inflate(const particle_work* w, row_range range, const enclosure_sums* sums)
{
    for (int i = range.first; i < range.last; ++i)
        enclosed_push(rows_of(w), i, sums->grad + 3 * (size_t)i, sums->change);
}

extern const particle_kernels KERNELS;
const particle_kernels KERNELS = {coast, predict,   touch,  update, advance, publish,
                                  merge, take_over, spread, gather, enclose, inflate};
