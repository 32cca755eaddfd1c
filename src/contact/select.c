// Which bodies may be near others during a step, and take part in it.
#include "contact/colliders.h"
#include "contact/list.h"
#include "contact/placing.h"
#include <string.h>

// ---- where they may go --------------------------------------------------------------------------

static inline double lower(double a, double b) { return a < b ? a : b; }
static inline double higher(double a, double b) { return a > b ? a : b; }

static inline void measure_points(contact_body* b, int bytes, overlap_box* out)
{
    const state* s = b->s;
    double fastest = 0, smallest = INFINITY;
    for (int i = 0; i < b->surface->point_count; ++i) {
        size_t row = (size_t)b->row[i];
        double square = 0;
        for (size_t k = 0; k < 3; ++k) {
            double x = state_get(s->row, row * ROW + k, bytes);
            double v = state_get(s->velocity, row * ROW4 + k, bytes);
            out->low[k] = lower(x, out->low[k]);
            out->high[k] = higher(x, out->high[k]);
            square += v * v;
        }
        fastest = higher(square, fastest);
        // Of one that is absent it is no size, and far below 0.
        smallest = lower(fabs(state_get(s->row, row * ROW + ROW_RADIUS, bytes)), smallest);
    }
    b->speed = sqrt(fastest);
    b->smallest = smallest;
}

// Around its particles, and as far as they may go.
static void measure_body(contact_body* b, const select_rules* r, overlap_box* out)
{
    *out = NO_OVERLAP;
    if (b->s->scalar_bytes == 8)
        measure_points(b, 8, out);
    else
        measure_points(b, 4, out);
    contact_box_widen(out, b->radius, b->speed, r->dt, r->more);
}

static void measure_collider(contact_body* b, const select_rules* r, overlap_box* out)
{
    *out = NO_OVERLAP; // of a plane, which is looked at apart
    if (b->surface->plane) return;
    collider_measure(b, r->substeps);
    memcpy(out->low, b->low, sizeof out->low);
    memcpy(out->high, b->high, sizeof out->high);
}

// ---- who meets ----------------------------------------------------------------------------------

typedef struct {
    contact_system* s;
    const select_rules* rules;
    bool any;
} selection;

static void measure_bodies(void* context, int first, int last)
{
    const selection* q = (const selection*)context;
    for (int i = first; i < last; ++i) {
        contact_body* b = &q->s->set.body[i];
        if (b->collider)
            measure_collider(b, q->rules, &q->s->near.box[i]);
        else
            measure_body(b, q->rules, &q->s->near.box[i]);
        b->met = b->meets;
        b->meets = false;
    }
}

static void select_body(selection* q, contact_body* b) { b->meets = q->any = true; }

// Bodies of numbers a and b, whose boxes overlap.
static bool select_pair(void* context, int a, int b)
{
    selection* q = (selection*)context;
    contact_body *one = &q->s->set.body[a], *two = &q->s->set.body[b];
    if (one->collider || two->collider) return swept_add(q->s, q->rules, a, b);
    if (groups_meet(one, two)) {
        select_body(q, one);
        select_body(q, two);
    }
    return true;
}

// Whether some part of a box is below a plane, when the step begins or ends.
static bool is_below(const overlap_box* box, const contact_body* plane, int substeps)
{
    const int instant[2] = {-1, substeps - 1};
    for (int i = 0; i < 2; ++i) {
        collider_spot at = place_at_end(plane->shape, instant[i]);
        double least = 0;
        for (int k = 0; k < 3; ++k) {
            double up = at.axis[1][k];
            least += up * ((up > 0 ? box->low[k] : box->high[k]) - at.position[k]);
        }
        if (least < 0) return true;
    }
    return false;
}

// Planes reach everywhere: each body is looked at.
static bool find_planes(contact_system* s, const select_rules* r, overlap_fn* found, void* context)
{
    for (int i = s->set.first_collider; i < s->set.body_count; ++i) {
        const contact_body* plane = &s->set.body[i];
        if (!plane->surface->plane) continue;
        for (int k = 0; k < s->set.first_collider; ++k)
            if (s->set.body[k].rigid && is_below(&s->near.box[k], plane, r->substeps) &&
                !found(context, k, i))
                return false;
    }
    return true;
}

// Lists were made without those that did not meet anybody, and who does no more is not looked at.
static void look_for_new(contact_system* s)
{
    for (int i = 0; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        if (b->meets != b->met) s->listed = b->listed = false;
    }
}

bool contact_system_select(contact_system* s, const select_rules* r, bool* out_any)
{
    enum { GRAIN = 64 };
    selection q = {s, r, false};
    *out_any = false;
    if (!overlaps_reserve(&s->near, s->set.body_count)) return false;
    swept_start(s);
    split_run(s->exec, measure_bodies, &q, s->set.body_count, GRAIN);
    for (int i = 0; i < s->set.body_count; ++i)
        if (s->set.body[i].self) select_body(&q, &s->set.body[i]);
    if (!overlaps_find(&s->near, select_pair, &q) || !find_planes(s, r, select_pair, &q) ||
        !swept_finish(s))
        return false;
    look_for_new(s);
    *out_any = q.any || s->set.swept_count > 0;
    return true;
}

static bool is_apart(void* context, int a, int b)
{
    const selection* q = (const selection*)context;
    const contact_body *one = &q->s->set.body[a], *two = &q->s->set.body[b];
    if (one->collider) return true;
    if (two->collider) return need_of_surface(one, two, q->rules) == NEEDS_NONE;
    return !groups_meet(one, two);
}

bool contact_system_any_near(contact_system* s, const select_rules* r)
{
    selection q = {s, r, false};
    return !overlaps_find(&s->near, is_apart, &q) || !find_planes(s, r, is_apart, &q);
}
