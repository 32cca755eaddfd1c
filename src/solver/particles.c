// Compiled once per precision: -DKERNELS=the table's name [-DPRECISION_DOUBLE].
#include "solver/particles.h"
#include "collide/probe.h"
#include "constraint/attachment.h"
#include "solver/quad.h"

INLINE vec3 load3(const scalar* a) { return v3(a[0], a[1], a[2]); }

INLINE void store3(scalar* a, vec3 v)
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

// A point on the way at the end of this substep.
static void way_point(const particle_work* w, const double from[3], const double to[3],
                      double out[3])
{
    double done = (double)(w->substep + 1) / w->substeps;
    for (int k = 0; k < 3; ++k) out[k] = from[k] + done * (to[k] - from[k]);
}

// Where the particle was at the start of the substep, seen from a point: a difference of near
// numbers, taken before it is rounded.
INLINE vec3 seen_from(const scalar* row, const double point[3])
{
    return v3((scalar)((double)row[0] - point[0]), (scalar)((double)row[1] - point[1]),
              (scalar)((double)row[2] - point[2]));
}

// The first of the paths, which are in the order of rows, from a row on.
static int first_path(const path* list, int count, int row)
{
    int low = 0;
    while (low < count) {
        int middle = (low + count) / 2;
        if (list[middle].row < row)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

// What a pass over rows reads again and again, out of the way of what it writes.
typedef struct {
    scalar *row, *velocity, *residue, *force;
    scalar h, seen; // [s] substep, and what constraints see of it
    scalar whole;   // [-] correction of the whole substep, for one of what is seen
    quad gravity;
    bool pushed, damped, touching;
} row_pass;

static row_pass start_pass(const particle_work* w, row_range range)
{
    const state* s = w->s;
    const double* g = w->acceleration;
    row_pass p = {.row = (scalar*)s->row,
                  .velocity = (scalar*)s->velocity,
                  .residue = (scalar*)s->residue,
                  .force = (scalar*)s->force,
                  .h = (scalar)w->h,
                  .seen = (scalar)(w->sees.motion * w->h),
                  .whole = (scalar)(1 / w->sees.push),
                  .gravity = {(scalar)g[0], (scalar)g[1], (scalar)g[2], 0},
                  .pushed = s->pushed,
                  .damped = w->damped,
                  .touching = *range.touching};
    return p;
}

// ---- prediction ---------------------------------------------------------------------------------

// Moves pinned particles by a share of their way during this substep.
static void move_pinned(const particle_work* w, row_range range, double share)
{
    for (int i = first_path(w->movers, w->mover_count, range.first); i < w->mover_count; ++i) {
        const path* m = &w->movers[i];
        if (m->row >= range.last) return;
        scalar* row = (scalar*)w->s->row + (size_t)m->row * ROW;
        double point[3];
        way_point(w, m->from, m->to, point);
        store3(row + ROW_D, v3_scale((scalar)-share, seen_from(row, point)));
    }
}

// d = residue + h v beside the radius.
INLINE void set_increment(scalar* row, const scalar* residue, scalar h, quad v)
{
    quad d = quad_load(residue) + h * v;
    quad_store(row + ROW_D, quad_with_last_of(d, quad_load(row + ROW_D)));
}

static void coast(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        quad v = quad_load(p.velocity + i * ROW4);
        set_increment(p.row + i * ROW, p.residue + i * ROW4, p.h, quad_if(v[ROW4_W] > 0, v));
    }
    move_pinned(w, range, 1);
}

static void forget_contacts(const particle_work* w, row_range range)
{
    scalar* contact = (scalar*)w->s->contact;
    if (w->substep > 0 && !*range.touching) return;
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        contact[i * CONTACT + CONTACT_PUSH] = 0;
        if (w->substep == 0) store3(contact + i * CONTACT, v3(0, 0, 0));
    }
    *range.touching = false;
}

INLINE void predict_row(const row_pass* p, size_t i)
{
    scalar *row = p->row + i * ROW, *residue = p->residue + i * ROW4;
    quad before = quad_load(p->velocity + i * ROW4), v = before, a = p->gravity;
    scalar inv_mass = p->velocity[i * ROW4 + ROW4_W];
    if (p->pushed) a = a + inv_mass * quad_load(p->force + i * ROW4);
    // What viscosity has left of the velocity is in the increment.
    if (p->damped) v = (quad_load(row + ROW_D) - quad_load(residue)) / p->h;
    v = quad_with_last_of(quad_if(inv_mass > 0, v + p->h * a), before);
    quad_store(p->velocity + i * ROW4, v);
    set_increment(row, residue, p->seen, v);
}

static void predict(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) predict_row(&p, i);
    forget_contacts(w, range);
    move_pinned(w, range, w->sees.motion);
}

// ---- attachments and contacts -------------------------------------------------------------------

// One attachment: the block of three rows on a single particle.
static void hold(const particle_work* w, path* held, bool first_iteration)
{
    scalar* row = (scalar*)w->s->row + (size_t)held->row * ROW;
    scalar h = (scalar)w->h;
    substep s = {h, h * h, 1 / (h * h), true};
    attachment c = {(scalar)held->compliance};
    double point[3];
    real lambda[3] = {0, 0, 0};
    for (int k = 0; k < 3 && !first_iteration; ++k) lambda[k] = (scalar)held->lambda[k];
    way_point(w, held->from, held->to, point);

    ends e;
    row_set r;
    e.w[0] = ((scalar*)w->s->velocity)[(size_t)held->row * ROW4 + ROW4_W];
    e.x[0] = v3_add(seen_from(row, point), load3(row + ROW_D));
    attachment_eval(&c, e.x, &r);
    xpbd_project(1, 3, &r, &s, &e, lambda);
    store3(row + ROW_D, v3_add(load3(row + ROW_D), e.dx[0]));
    for (int k = 0; k < 3; ++k) held->lambda[k] = (double)lambda[k];
}

// Coulomb friction on positions: the slip of the substep is taken back, all of it up to the static
// limit, and beyond that as much as the dynamic coefficient allows.
INLINE vec3 friction(const particle_work* w, const collider* c, vec3 slip, scalar depth)
{
    scalar length = lane_sqrt(v3_dot(slip, slip));
    scalar stick = (scalar)(w->friction * c->static_friction) * depth;
    scalar slide = (scalar)(w->friction * c->dynamic_friction) * depth;
    return length <= lane_max(stick, slide) ? v3_neg(slip) : v3_scale(-slide / length, slip);
}

// Returns whether there is a contact.
static bool contact_one(const particle_work* w, const collider* c, size_t i)
{
    scalar *row = (scalar*)w->s->row + i * ROW, *contact = (scalar*)w->s->contact + i * CONTACT;
    scalar* residue = (scalar*)w->s->residue + i * ROW4;
    scalar inv_mass = ((scalar*)w->s->velocity)[i * ROW4 + ROW4_W];
    vec3 d = load3(row + ROW_D);
    probe p = probe_world(c, v3_add(seen_from(row, c->position), d));
    scalar depth = row[ROW_RADIUS] - p.distance;
    if (!(depth > 0) || !(inv_mass > 0)) return false;

    vec3 moved = v3_sub(d, load3(residue));
    scalar inward = -v3_dot(moved, p.normal);
    vec3 slip = v3_add_scaled(moved, inward, p.normal);
    // What was inside already is moved out with the place where the substep started: it makes
    // neither speed nor force nor friction.
    scalar overlap = lane_min(lane_max(depth - inward, 0), depth);
    vec3 push = v3_add_scaled(friction(w, c, slip, depth - overlap), depth - overlap, p.normal);
    store3(row + ROW_D, v3_add(d, v3_add_scaled(push, overlap, p.normal)));
    store3(residue, v3_add_scaled(load3(residue), overlap, p.normal));

    scalar h = (scalar)w->h, to_force = 1 / (inv_mass * h * h * (scalar)w->substeps);
    store3(contact, v3_add_scaled(load3(contact), to_force, push));
    if (!(depth > contact[CONTACT_PUSH])) return true;
    contact[CONTACT_PUSH] = depth;
    contact[CONTACT_BOUNCE] = (scalar)(w->restitution * c->restitution);
    store3(contact + CONTACT_NORMAL, p.normal);
    return true;
}

// From what constraints saw and did, the increment of the whole substep.
INLINE quad complete_row(const row_pass* p, size_t i)
{
    quad v = quad_load(p->velocity + i * ROW4), start = quad_load(p->residue + i * ROW4);
    quad d = quad_load(p->row + i * ROW + ROW_D), pushed = d - (start + p->seen * v);
    d = quad_with_last_of((start + p->h * v) + p->whole * pushed, d);
    quad_store(p->row + i * ROW + ROW_D, d);
    return d;
}

typedef struct {
    quad low, high; // of places
    quad radius;    // in its last element
} bounds;

static bounds complete(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    const scalar* row = p.row + (size_t)range.first * ROW;
    bool partial = w->sees.motion < 1;
    quad start = quad_load(row), moved = quad_load(row + ROW_D);
    bounds box = {start + moved, start + moved, moved};
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        quad d = partial ? complete_row(&p, i) : quad_load(p.row + i * ROW + ROW_D);
        quad at = quad_load(p.row + i * ROW) + d;
        box.low = quad_min(at, box.low); // what is no number is left out: it touches nothing
        box.high = quad_max(at, box.high);
        box.radius = quad_max(d, box.radius);
    }
    if (partial) move_pinned(w, range, 1);
    return box;
}

// With their radii, a little too large rather than too small.
static void widen(const bounds* box, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) {
        double size = fmax(fabs((double)box->low[k]), fabs((double)box->high[k]));
        double margin = (double)box->radius[3] + 4 * (double)SCALAR_EPSILON * size;
        low[k] = (double)box->low[k] - margin;
        high[k] = (double)box->high[k] + margin;
    }
}

// The bounds are from before anything was moved here: from the first move on, every collider is
// looked at closely. (A particle of two patches is then treated alike in both.)
static void touch(const particle_work* w, row_range range, bool first_iteration)
{
    double low[3], high[3];
    if (range.first == range.last ||
        (w->collider_count == 0 && w->holder_count == 0 && !(w->sees.motion < 1)))
        return;
    bounds box = complete(w, range);
    int held = first_path(w->holders, w->holder_count, range.first), holders = held;
    for (; holders < w->holder_count && w->holders[holders].row < range.last; ++holders)
        hold(w, &w->holders[holders], first_iteration);
    widen(&box, low, high);
    bool moved = holders > held;
    for (int k = 0; k < w->collider_count; ++k) {
        const collider* c = &w->colliders[k];
        if (!moved && collider_is_far(c, low, high, (double)SCALAR_EPSILON)) continue;
        for (int i = range.first; i < range.last; ++i)
            if (contact_one(w, c, (size_t)i)) *range.touching = moved = true;
    }
}

// ---- the end of the substep ---------------------------------------------------------------------

// A particle in contact leaves with at least the restitution's share of its speed of approach. What
// was moved out of an overlap has no speed from that.
static quad bounce(const particle_work* w, size_t i, quad before, quad after)
{
    scalar* contact = (scalar*)w->s->contact + i * CONTACT;
    if (!(contact[CONTACT_PUSH] > 0)) return after;
    vec3 n = load3(contact + CONTACT_NORMAL), v = v3(after[0], after[1], after[2]);
    scalar approach = -v3_dot(v3(before[0], before[1], before[2]), n);
    scalar leave = approach > (scalar)w->rest_speed ? contact[CONTACT_BOUNCE] * approach : 0;
    scalar change = lane_max(leave - v3_dot(v, n), 0); // a contact does not pull
    // The contact's force is what it does to the momentum.
    scalar to_force = 1 / (before[ROW4_W] * (scalar)w->h * (scalar)w->substeps);
    store3(contact, v3_add_scaled(load3(contact), to_force * change, n));
    v = v3_add_scaled(v, change, n);
    return (quad){v.x, v.y, v.z, 0};
}

// A particle that left the finite numbers stays where it was.
static void stop(const particle_work* w, size_t i)
{
    store3((scalar*)w->s->velocity + i * ROW4, v3(0, 0, 0));
    store3((scalar*)w->s->residue + i * ROW4, v3(0, 0, 0));
    store3((scalar*)w->s->row + i * ROW + ROW_D, v3(0, 0, 0));
    store3((scalar*)w->s->contact + i * CONTACT, v3(0, 0, 0));
}

// False when the particle left the finite numbers.
INLINE bool update_row(const particle_work* w, const row_pass* p, size_t i)
{
    scalar *row = p->row + i * ROW, *residue = p->residue + i * ROW4;
    quad x = quad_load(row), d = quad_with_last(quad_load(row + ROW_D), 0), to = x + d;
    quad before = quad_load(p->velocity + i * ROW4), v = (d - quad_load(residue)) / p->h;
    if (p->touching) v = bounce(w, i, before, v);
    if (!quad_is_finite(v + to)) {
        stop(w, i);
        return false;
    }
    quad_store(p->velocity + i * ROW4, quad_with_last_of(v, before));
    quad_store(residue, d - (to - x));
    quad_store(row, to);
    return true;
}

static bool update(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    bool finite = true;
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i)
        finite = update_row(w, &p, i) && finite;
    return finite;
}

static bool advance(const particle_work* w, row_range range)
{
    const row_pass p = start_pass(w, range);
    particle_work next = *w;
    bool finite = true;
    next.substep++;
    for (size_t i = (size_t)range.first; i < (size_t)range.last; ++i) {
        bool stays = update_row(w, &p, i);
        finite = finite && stays;
        if (stays) predict_row(&p, i);
    }
    forget_contacts(&next, range);
    move_pinned(&next, range, next.sees.motion);
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

extern const particle_kernels KERNELS;
const particle_kernels KERNELS = {coast,   predict, touch, update,
                                  advance, publish, merge, take_over};
