#include "world/pinned_rows.h"
#include "mesh/shape.h"
#include <stdlib.h>

static bool is_pinned(const state* s, int row)
{
    return !(state_get(s->velocity, (size_t)row * ROW4 + ROW4_W, s->scalar_bytes) > 0);
}

static bool any_pinned(const state* s)
{
    for (int i = 0; i < s->particle_count; ++i)
        if (!(state_read_inverse_mass(s, i) > 0)) return true;
    return false;
}

static point read_row(const state* s, int row)
{
    double x[3];
    for (size_t k = 0; k < 3; ++k)
        x[k] = state_get(s->row, (size_t)row * ROW + k, s->scalar_bytes) +
               state_get(s->residue, (size_t)row * ROW4 + k, s->scalar_bytes);
    return vertex_at(x, 0);
}

static double length_of(point p) { return sqrt(point_dot(p, p)); }

// The rows of a component that are pinned, one after the other.
typedef struct {
    const state* s;
    int strip, last_strip, at; // the row that comes next
} pin_walk;

static pin_walk walk_pins(const state* s, const component* c)
{
    return (pin_walk){s, c->first_strip, c->first_strip + c->strip_count, 0};
}

// -1: no more.
static int next_pin(pin_walk* w)
{
    for (; w->strip < w->last_strip; w->strip++, w->at = 0) {
        const strip* s = &w->s->plan->strip[w->strip];
        while (w->at < s->count)
            if (is_pinned(w->s, s->first_row + w->at++)) return s->first_row + w->at - 1;
    }
    return -1;
}

// Of the pinned rows the one that is farthest from the first, and how far that is.
static int farthest_pin(const state* s, const component* c, int first, double* out_distance)
{
    pin_walk w = walk_pins(s, c);
    point a = read_row(s, first);
    int farthest = first;
    *out_distance = 0;
    for (int row = next_pin(&w); row >= 0; row = next_pin(&w)) {
        double apart = length_of(point_between(a, read_row(s, row)));
        if (!(apart > *out_distance)) continue;
        *out_distance = apart;
        farthest = row;
    }
    return farthest;
}

// Whether all pinned rows are in the line of two of them, as far as positions are exact.
static bool are_in_line(const state* s, const component* c, int first, int other, double length)
{
    const double exact = 1e-3;
    pin_walk w = walk_pins(s, c);
    point a = read_row(s, first), line = point_between(a, read_row(s, other));
    for (int row = next_pin(&w); row >= 0; row = next_pin(&w)) {
        point beside = point_cross(line, point_between(a, read_row(s, row)));
        if (length_of(beside) > exact * length * length) return false;
    }
    return true;
}

static component_pins find_pins(const state* s, const component* c)
{
    pin_walk w = walk_pins(s, c);
    int first = next_pin(&w);
    double length;
    if (first < 0) return (component_pins){PINS_NONE, 0, 0};
    int other = farthest_pin(s, c, first, &length);
    if (other == first) return (component_pins){PINS_POINT, first, first};
    bool line = are_in_line(s, c, first, other, length);
    return (component_pins){line ? PINS_LINE : PINS_HOLD, first, other};
}

static bool list_pins(body* b)
{
    const plan* p = b->s.plan;
    b->pinned = any_pinned(&b->s);
    if (!b->pinned || p->component_count == 0) return true;
    if (!mem_reserve((void**)&b->pins, &b->pin_capacity, p->component_count, sizeof *b->pins))
        return false;
    for (int i = 0; i < p->component_count; ++i) b->pins[i] = find_pins(&b->s, &p->component[i]);
    return true;
}

static int compare_rows(const void* a, const void* b)
{
    int x = ((const roller*)a)->row, y = ((const roller*)b)->row;
    return x < y ? -1 : x > y;
}

static bool list_rollers(body* b)
{
    const state* s = &b->s;
    b->roller_count = 0;
    for (int i = 0; i < s->particle_count; ++i)
        for (int copy = 0; s->axes[i] && copy < plan_copy_count(s->plan, i); ++copy) {
            if (!mem_reserve((void**)&b->rollers, &b->roller_capacity, (int64_t)b->roller_count + 1,
                             sizeof *b->rollers))
                return false;
            b->rollers[b->roller_count++] = (roller){plan_row(s->plan, i, copy), s->axes[i]};
        }
    if (b->roller_count)
        qsort(b->rollers, (size_t)b->roller_count, sizeof *b->rollers, compare_rows);
    return true;
}

bool body_list_pins(body* b, particle_work* out)
{
    if (!b->pins_known || b->mover_count > 0) b->pins_known = list_pins(b) && list_rollers(b);
    out->rollers = b->rollers;
    out->roller_count = b->roller_count;
    if (b->s.plan->component_count == 0) return b->pins_known;
    out->pins = b->pinned ? b->pins : NULL;
    return b->pins_known;
}
