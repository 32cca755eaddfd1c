// Compiled once per precision: -DKERNELS=the table's name [-DPRECISION_DOUBLE].
#include "solver/particles.h"
#include "collide/probe.h"
#include "constraint/attachment.h"

INLINE vec3 load3(const scalar* a) { return v3(a[0], a[1], a[2]); }

INLINE void store3(scalar* a, vec3 v)
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

INLINE vec3 from_double(const double a[3]) { return v3((scalar)a[0], (scalar)a[1], (scalar)a[2]); }

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

static void predict_movers(const particle_work* w, int first, int last)
{
    scalar* first_row = (scalar*)w->s->row;
    for (int i = 0; i < w->mover_count; ++i) {
        const mover* m = &w->movers[i];
        if (m->particle < first || m->particle >= last) continue;
        scalar* row = first_row + (size_t)m->particle * ROW;
        double point[3];
        way_point(w, m->from, m->to, point);
        store3(row + ROW_D, v3_neg(seen_from(row, point)));
    }
}

static void coast(const particle_work* w, int first, int last)
{
    scalar *first_row = (scalar*)w->s->row, h = (scalar)w->h;
    const scalar *velocity = (const scalar*)w->s->velocity, *residue = (const scalar*)w->s->residue;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        scalar* row = first_row + i * ROW;
        vec3 v = row[ROW_W] > 0 ? load3(velocity + i * ROW4) : v3(0, 0, 0);
        store3(row + ROW_D, v3_add_scaled(load3(residue + i * ROW4), h, v));
    }
    predict_movers(w, first, last);
}

// The velocity at the start of the substep, after viscosity.
INLINE vec3 start_velocity(const particle_work* w, const scalar* row, const scalar* velocity,
                           const scalar* residue)
{
    if (!w->damped) return load3(velocity);
    scalar h = (scalar)w->h;
    vec3 moved = v3_sub(load3(row + ROW_D), load3(residue));
    return v3(moved.x / h, moved.y / h, moved.z / h);
}

static void predict(const particle_work* w, int first, int last)
{
    scalar *first_row = (scalar*)w->s->row, *velocity = (scalar*)w->s->velocity;
    scalar *contact = (scalar*)w->s->contact, h = (scalar)w->h;
    const scalar *residue = (const scalar*)w->s->residue, *force = (const scalar*)w->s->force;
    vec3 gravity = from_double(w->acceleration);
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        scalar* row = first_row + i * ROW;
        vec3 a = v3_add_scaled(gravity, row[ROW_W], load3(force + i * ROW4));
        vec3 start = start_velocity(w, row, velocity + i * ROW4, residue + i * ROW4);
        vec3 v = v3_add_scaled(start, h, a);
        if (!(row[ROW_W] > 0)) v = v3(0, 0, 0);
        store3(velocity + i * ROW4, v);
        store3(row + ROW_D, v3_add_scaled(load3(residue + i * ROW4), h, v));
        contact[i * CONTACT + CONTACT_PUSH] = 0;
        if (w->substep == 0) store3(contact + i * CONTACT, v3(0, 0, 0));
    }
    predict_movers(w, first, last);
}

// One attachment: the block of three rows on a single particle.
static void hold(const particle_work* w, holder* held)
{
    scalar* row = (scalar*)w->s->row + (size_t)held->particle * ROW;
    scalar h = (scalar)w->h;
    substep s = {h, h * h, 1 / (h * h)};
    attachment c = {(scalar)held->compliance};
    double point[3];
    real lambda[3] = {0, 0, 0};
    for (int k = 0; k < 3 && !w->first_iteration; ++k) lambda[k] = (scalar)held->lambda[k];
    way_point(w, held->from, held->to, point);

    ends e;
    row_set r;
    e.w[0] = row[ROW_W];
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

static void contact_one(const particle_work* w, const collider* c, size_t i)
{
    scalar *row = (scalar*)w->s->row + i * ROW, *contact = (scalar*)w->s->contact + i * CONTACT;
    scalar* residue = (scalar*)w->s->residue + i * ROW4;
    vec3 d = load3(row + ROW_D);
    probe p = probe_world(c, v3_add(seen_from(row, c->position), d));
    scalar depth = row[ROW_RADIUS] - p.distance;
    if (!(depth > 0) || !(row[ROW_W] > 0)) return;

    vec3 moved = v3_sub(d, load3(residue));
    scalar inward = -v3_dot(moved, p.normal);
    vec3 slip = v3_add_scaled(moved, inward, p.normal);
    // What was inside already is moved out with the place where the substep started: it makes
    // neither speed nor force nor friction.
    scalar overlap = lane_min(lane_max(depth - inward, 0), depth);
    vec3 push = v3_add_scaled(friction(w, c, slip, depth - overlap), depth - overlap, p.normal);
    store3(row + ROW_D, v3_add(d, v3_add_scaled(push, overlap, p.normal)));
    store3(residue, v3_add_scaled(load3(residue), overlap, p.normal));

    scalar h = (scalar)w->h, to_force = 1 / (row[ROW_W] * h * h * (scalar)w->substeps);
    store3(contact, v3_add_scaled(load3(contact), to_force, push));
    if (!(depth > contact[CONTACT_PUSH])) return;
    contact[CONTACT_PUSH] = depth;
    contact[CONTACT_BOUNCE] = (scalar)(w->restitution * c->restitution);
    store3(contact + CONTACT_NORMAL, p.normal);
}

static void touch(const particle_work* w, int first, int last)
{
    for (int i = 0; i < w->holder_count; ++i)
        if (w->holders[i].particle >= first && w->holders[i].particle < last)
            hold(w, &w->holders[i]);
    for (int k = 0; k < w->collider_count; ++k)
        for (int i = first; i < last; ++i) contact_one(w, &w->colliders[k], (size_t)i);
}

// A particle in contact leaves with at least the restitution's share of its speed of approach. What
// was moved out of an overlap has no speed from that.
INLINE vec3 bounce(const particle_work* w, scalar inv_mass, scalar* contact, vec3 before,
                   vec3 after)
{
    if (!(contact[CONTACT_PUSH] > 0)) return after;
    vec3 n = load3(contact + CONTACT_NORMAL);
    scalar approach = -v3_dot(before, n);
    scalar leave = approach > (scalar)w->rest_speed ? contact[CONTACT_BOUNCE] * approach : 0;
    scalar change = lane_max(leave - v3_dot(after, n), 0); // a contact does not pull
    // The contact's force is what it does to the momentum.
    scalar to_force = 1 / (inv_mass * (scalar)w->h * (scalar)w->substeps);
    store3(contact, v3_add_scaled(load3(contact), to_force * change, n));
    return v3_add_scaled(after, change, n);
}

INLINE bool all_finite(vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static bool update(const particle_work* w, int first, int last)
{
    scalar *first_row = (scalar*)w->s->row, *velocity = (scalar*)w->s->velocity;
    scalar *residue = (scalar*)w->s->residue, h = (scalar)w->h;
    scalar* contact = (scalar*)w->s->contact;
    bool finite = true;
    for (size_t i = (size_t)first; i < (size_t)last; ++i) {
        scalar* row = first_row + i * ROW;
        vec3 x = load3(row), d = load3(row + ROW_D);
        vec3 moved = v3_sub(d, load3(residue + i * ROW4)), to = v3_add(x, d);
        vec3 v = v3(moved.x / h, moved.y / h, moved.z / h);
        v = bounce(w, row[ROW_W], contact + i * CONTACT, load3(velocity + i * ROW4), v);
        if (!all_finite(v) || !all_finite(to)) {
            store3(velocity + i * ROW4, v3(0, 0, 0));
            store3(residue + i * ROW4, v3(0, 0, 0));
            store3(row + ROW_D, v3(0, 0, 0));
            store3(contact + i * CONTACT, v3(0, 0, 0));
            finite = false;
            continue;
        }
        store3(velocity + i * ROW4, v);
        store3(residue + i * ROW4, v3_sub(d, v3_sub(to, x)));
        store3(row, to);
    }
    return finite;
}

extern const particle_kernels KERNELS;
const particle_kernels KERNELS = {coast, predict, touch, update};
