// Which bodies meet a collider by its surface in a step: where it wants that always, where it is
// small against the elements of the body, and where one of them passes half of its thickness in a
// substep. The same source for the processor and for CUDA, where a body is measured on the device.
#pragma once
#include "collide/collider.h"
#include "contact/set.h"

// What a step brings along.
typedef struct {
    double dt; // [s] the step
    int substeps;
    double more; // [m/s] how much faster than its particles are now a body may become,
    double pull; // [m/s] and by gravity alone
} select_rules;

// ---- where bodies may go ------------------------------------------------------------------------

typedef struct {
    double low[3], high[3]; // [m]; of a NaN: it overlaps nothing
} overlap_box;

FUNCTION bool box_overlaps(const overlap_box* a, const overlap_box* b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

// From the box around a body, how far it may go: half of its thickness `radius` [m], its fastest
// point and how much faster it may become [m/s], in a time dt [s].
FUNCTION void contact_box_widen(overlap_box* b, double radius, double fastest, double dt,
                                double more)
{
    double size = 0;
    for (int k = 0; k < 3; ++k) {
        double side = b->high[k] - b->low[k];
        size = side > size ? side : size;
    }
    double way = radius + (2 * fastest + more) * dt + size / 8;
    for (int k = 0; k < 3; ++k) {
        b->low[k] -= way;
        b->high[k] += way;
    }
}

// ---- how fast -----------------------------------------------------------------------------------

// How many halves of its thickness something passes in a second, that goes at `u` [m/s] as the
// collider sees it.
FUNCTION double pace_of(const collider* c, const double u[3], double radius)
{
    if (c->shape != PLIANT_SHAPE_BOX)
        return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / (c->thin + radius);
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        const double* axis = c->axis[k];
        double along = fabs(u[0] * axis[0] + u[1] * axis[1] + u[2] * axis[2]);
        double pace = along / (c->half_extents[k] + radius);
        most = pace > most ? pace : most;
    }
    return most;
}

// Of one that goes at a pace [1/s]: whether it passes the middle of the other within a substep, or
// nearly so, since a body gets faster during a step.
FUNCTION bool is_hasty(const contact_body* b, const contact_body* c, const select_rules* r,
                       double pace)
{
    const double little = 0.8, h = r->dt / r->substeps;
    double pull = r->pull / (c->shape->thin + b->smallest);
    return h * (pace + pull + c->haste) > little;
}

// By the speed [m/s] of its fastest point, at most: only then points are looked at.
FUNCTION bool may_be_fast(const contact_body* b, const contact_body* c, const select_rules* r,
                          double speed)
{
    const double* v = c->velocity;
    double own = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return is_hasty(b, c, r, (speed + own) / (c->shape->thin + b->smallest));
}

// A point of the body, with its velocity [m/s].
FUNCTION bool is_fast_point(const contact_body* b, const contact_body* c, const select_rules* r,
                            const double velocity[3])
{
    double u[3];
    for (int k = 0; k < 3; ++k) u[k] = velocity[k] - c->velocity[k];
    return is_hasty(b, c, r, pace_of(c->shape, u, b->smallest));
}

// ---- who needs it -------------------------------------------------------------------------------

// A ball goes through a triangle of particles when it is smaller than the circle around them.
FUNCTION bool is_small(const contact_body* b, const contact_body* c)
{
    const double hole = 0.6; // of the mean edge
    return c->shape->slim + b->smallest < hole * b->surface->mean_edge;
}

typedef enum { NEEDS_NONE, NEEDS_SURFACE, NEEDS_LOOK } surface_need;

// LOOK: if some of its points is fast.
FUNCTION surface_need need_of_surface(const contact_body* b, const contact_body* c,
                                      const select_rules* r)
{
    if (is_rigid(b)) return NEEDS_SURFACE;
    if (c->only_rigid) return NEEDS_NONE;
    if (b->leaves || !(b->speed < INFINITY)) return NEEDS_NONE;
    if (c->shape->surface_contacts != PLIANT_SURFACE_CONTACTS_AUTO)
        return c->shape->surface_contacts == PLIANT_SURFACE_CONTACTS_ALWAYS ? NEEDS_SURFACE
                                                                            : NEEDS_NONE;
    if (is_small(b, c)) return NEEDS_SURFACE;
    return may_be_fast(b, c, r, b->speed) ? NEEDS_LOOK : NEEDS_NONE;
}
