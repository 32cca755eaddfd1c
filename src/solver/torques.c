// Compiled once per precision: -DKERNELS=the table's name [-DPRECISION_DOUBLE].
#include "solver/torques.h"
#include "solver/bounds.h"
#include "solver/rules.h"
#include "solver/torque.h"

// What the rows of a body are looked at with.
typedef struct {
    const scalar *row, *velocity, *residue, *past, *mass;
    const scalar* before; // the increments that were kept; NULL: the prediction counts
    bool first;           // sweep of the substep
    substep_rules rules;
} torque_pass;

static torque_pass start_pass(const particle_work* w, bool kept, bool first)
{
    const state* s = w->s;
    torque_pass p = {.row = (const scalar*)s->row,
                     .velocity = (const scalar*)s->velocity,
                     .residue = (const scalar*)s->residue,
                     .past = (const scalar*)s->past,
                     .before = kept ? (const scalar*)s->kept : NULL,
                     .mass = (const scalar*)s->mass,
                     .first = first,
                     .rules = substep_rules_of(w)};
    return p;
}

static void keep(const particle_work* w, int first, int last)
{
    const scalar* row = (const scalar*)w->s->row + ROW_D;
    scalar* before = (scalar*)w->s->kept;
    for (size_t i = (size_t)first; i < (size_t)last; ++i)
        quad_store(before + i * ROW4, quad_load(row + i * ROW));
}

// ---- several rows -------------------------------------------------------------------------------

// Of as many rows as are looked at at once: what their torque needs.
typedef struct {
    quads x, d, v, residue;
    quads mass; // in all elements; 0: pinned
    quads rest, push;
} torque_rows;

// Of second order, or with increments that were kept.
static quad increment_before(const torque_pass* p, size_t i)
{
    if (p->before) return quad_load(p->before + i * ROW4);
    particle_row a = {.v = quad_load(p->velocity + i * ROW4),
                      .residue = quad_load(p->residue + i * ROW4)};
    particle_past past;
    if (p->past) past.moved = quad_load(p->past + i * PAST);
    return predicted_increment(&p->rules, &a, p->past ? &past : NULL);
}

// Where they are: i, i + 1, i + apart, i + apart + 1 (quad.h), of which those before `end` count.
// The first one does.
typedef struct {
    size_t i, apart, end;
    bool all; // count, as a literal
} row_places;

INLINE row_places places_from(row_places at, size_t onward)
{
    return (row_places){at.i + onward, at.apart, at.end, at.all};
}

INLINE bool has_row(row_places at, int k)
{
    return at.all || quads_row(at.i, at.apart, k) < at.end;
}

// All of them, of first order and right after the prediction.
INLINE torque_rows load_rows(const torque_pass* p, row_places at)
{
    torque_rows r = {.v = quads_load(p->velocity, at.i, at.apart),
                     .residue = quads_load(p->residue, at.i, at.apart),
                     .mass = quads_load_alike(p->mass, at.i, at.apart)};
    quads_load_long(p->row, at.i, at.apart, &r.x, &r.d);
    r.rest = r.residue;
    r.push = r.d - (r.residue + p->rules.seen * r.v);
    return r;
}

// Of whatever order; in the place of those that do not count is the first one.
static torque_rows load_any_rows(const torque_pass* p, row_places at)
{
    quad x[QUADS], d[QUADS], v[QUADS], residue[QUADS], rest[QUADS], push[QUADS], mass[QUADS];
    for (int k = 0; k < QUADS; ++k) {
        size_t i = has_row(at, k) ? quads_row(at.i, at.apart, k) : at.i;
        residue[k] = quad_load(p->residue + i * ROW4);
        v[k] = quad_load(p->velocity + i * ROW4);
        x[k] = quad_load(p->row + i * ROW);
        d[k] = quad_load(p->row + i * ROW + ROW_D);
        mass[k] = quad_of(1, 1, 1, 1) * p->mass[i];
        quad before = increment_before(p, i);
        rest[k] = p->past ? torque_rest(&p->rules, residue[k], before) : residue[k];
        push[k] = d[k] - before;
    }
    return (torque_rows){.x = quads_join(x),
                         .d = quads_join(d),
                         .v = quads_join(v),
                         .mass = quads_join(mass),
                         .residue = quads_join(residue),
                         .rest = quads_join(rest),
                         .push = quads_join(push)};
}

// What is known of rows before they are looked at, as literals: what is not so costs nothing then.
typedef struct {
    bool simple; // of first order, right after the prediction
    bool free;   // of a component that is not pinned
    bool alone;  // nobody asks for the box around them
} known_rows;
static const known_rows any_rows = {false, false, false};

INLINE torque_rows load(const torque_pass* p, row_places at, known_rows kind)
{
    return kind.simple && at.all ? load_rows(p, at) : load_any_rows(p, at);
}

// What is free is seen from a row, without what that has beside x.
INLINE quads arm_of(const viewpoint* from, const torque_rows* r, known_rows kind)
{
    const quads ones = quads_of(quad_of(1, 1, 1, 1));
    return kind.free ? quads_add_three(ones, r->x - from->x, r->rest)
                     : torque_arm(from, r->x, r->rest);
}

// ---- strips -------------------------------------------------------------------------------------

// Of rows that count; the others count as zero.
INLINE quads of_rows(row_places at, quads sum)
{
    quad part[QUADS];
    for (int k = 0; k < QUADS; ++k) part[k] = quad_if(has_row(at, k), quads_part(sum, k));
    return quads_join(part);
}

static torque_sums sum_some(const torque_pass* p, const viewpoint* from, row_places at)
{
    if (at.i >= at.end) return (torque_sums){{0}, {0}, {0}, {0}};
    bool all = has_row(at, QUADS - 1), simple = !p->before && !p->past;
    torque_rows r = all && simple ? load_rows(p, at) : load_any_rows(p, at);
    torque_sums s = torque_of_rows(torque_arm(from, r.x, r.rest), r.push, r.mass);
    if (all) return s;
    return (torque_sums){of_rows(at, s.torque), of_rows(at, s.moment), of_rows(at, s.square),
                         of_rows(at, s.mixed)};
}

INLINE torque_sums sum_rows(const torque_pass* p, const viewpoint* from, row_places at,
                            known_rows kind)
{
    if (!kind.simple || !at.all) return sum_some(p, from, at);
    torque_rows r = load_rows(p, at);
    return torque_of_rows(arm_of(from, &r, kind), r.push, r.mass);
}

// Of a strip's rows those come together first that are 2 apart, then 4, 8, 16, and 1 at last.
enum { APART = STRIP / 2 };
INLINE torque_sums sum_2_apart(const torque_pass* p, const viewpoint* from, row_places at,
                               known_rows kind)
{
    return torque_add(sum_rows(p, from, at, kind), sum_rows(p, from, places_from(at, 2), kind));
}
INLINE torque_sums sum_4_apart(const torque_pass* p, const viewpoint* from, row_places at,
                               known_rows kind)
{
    return torque_add(sum_2_apart(p, from, at, kind),
                      sum_2_apart(p, from, places_from(at, 4), kind));
}
INLINE torque_sums sum_8_apart(const torque_pass* p, const viewpoint* from, row_places at,
                               known_rows kind)
{
    return torque_add(sum_4_apart(p, from, at, kind),
                      sum_4_apart(p, from, places_from(at, 8), kind));
}

INLINE torque_total total_of(torque_sums s)
{
    return (torque_total){quads_sum(s.torque), quads_sum(s.moment), quads_sum(s.square),
                          quads_sum(s.mixed)};
}

static torque_total add_totals(torque_total a, torque_total b)
{
    return (torque_total){a.torque + b.torque, a.moment + b.moment, a.square + b.square,
                          a.mixed + b.mixed};
}

// Those 16 apart, where they do not come side by side.
INLINE torque_total sum_16_apart(const torque_pass* p, const viewpoint* from, row_places at,
                                 known_rows kind)
{
    torque_sums sum = sum_8_apart(p, from, at, kind);
    if (QUADS == 4) return total_of(sum);
    row_places next = places_from(at, APART);
    return total_of(torque_add(sum, sum_8_apart(p, from, next, kind)));
}

INLINE torque_total sum_places(const torque_pass* p, const viewpoint* from, row_places at,
                               known_rows kind)
{
    torque_total sum = sum_16_apart(p, from, at, kind);
    if (QUADS > 1) return sum;
    return add_totals(sum, sum_16_apart(p, from, places_from(at, 1), kind));
}
static torque_total sum_any_strip(const torque_pass* p, const viewpoint* from, size_t first,
                                  size_t end)
{
    return sum_places(p, from, (row_places){first, APART, end, false}, any_rows);
}

INLINE torque_total sum_strip(const torque_pass* p, const viewpoint* from, const strip* s,
                              known_rows kind)
{
    size_t first = (size_t)s->first_row, end = first + (size_t)s->count;
    if (!kind.simple || s->count < STRIP) return sum_any_strip(p, from, first, end);
    return sum_places(p, from, (row_places){first, APART, end, true}, kind);
}

// What becomes of rows.
typedef struct {
    quads turn, center;
    bounds* box; // they are completed, and this is around them; NULL: they are not
} correction;

INLINE void correct_rows(const torque_pass* p, const viewpoint* from, row_places at, correction c,
                         known_rows kind, scalar* row)
{
    torque_rows r = load(p, at, kind);
    quads d = untwist(c.turn, c.center, arm_of(from, &r, kind), r.d);
    if (!kind.free) d = quads_select(r.mass > 0, d, r.d);
    if (c.box) d = completed_increment(&p->rules, d, r.residue, r.v);
    if (c.box && !kind.alone) bounds_add(c.box, r.x, d);
    if (at.all) {
        quads_store_second(row, at.i, at.apart, d);
        return;
    }
    for (int k = 0; k < QUADS; ++k)
        if (has_row(at, k))
            quad_store(row + quads_row(at.i, at.apart, k) * ROW + ROW_D, quads_part(d, k));
}

INLINE void correct_range(const torque_pass* p, const viewpoint* from, size_t i, size_t end,
                          correction c, known_rows kind, scalar* row)
{
    for (; i + QUADS <= end; i += QUADS)
        correct_rows(p, from, (row_places){i, 2, end, true}, c, kind, row);
    if (i < end) correct_rows(p, from, (row_places){i, 2, end, false}, c, kind, row);
}

INLINE void untwist_strip(const torque_pass* p, const viewpoint* from, const strip* s,
                          const twist* t, known_rows kind, scalar* row)
{
    size_t first = (size_t)s->first_row;
    correct_range(p, from, first, first + (size_t)s->count,
                  (correction){quads_of(t->turn), quads_of(t->center), NULL}, kind, row);
}

// ---- components ---------------------------------------------------------------------------------

static component_pins pins_of(const particle_work* w, int number)
{
    return w->pins ? w->pins[number] : (component_pins){PINS_NONE, 0, 0};
}

static bool is_held(const particle_work* w, int number)
{
    return pins_of(w, number).kind == PINS_HOLD;
}

// Where a pinned row begins. Its increment is not read: others may be writing it.
static viewpoint pinned_at(const torque_pass* p, int row)
{
    size_t i = (size_t)row;
    quad rest = quad_load(p->residue + i * ROW4);
    if (p->past) rest = torque_rest(&p->rules, rest, increment_before(p, i));
    return (viewpoint){quads_of(quad_load(p->row + i * ROW)), quads_of(rest)};
}

// From its first row, or from where it is pinned.
static viewpoint view(const particle_work* w, const torque_pass* p, int number)
{
    const plan* of = w->s->plan;
    const component_pins pins = pins_of(w, number);
    if (pins.kind == PINS_NONE) {
        size_t row = (size_t)of->strip[of->component[number].first_strip].first_row;
        return (viewpoint){quads_of(quad_load(p->row + row * ROW)), (quads){0}};
    }
    return pinned_at(p, pins.row);
}

static vec3 line_of_pins(const particle_work* w, const torque_pass* p, const viewpoint* from,
                         int number)
{
    const component_pins pins = pins_of(w, number);
    if (pins.kind != PINS_LINE) return v3_zero();
    viewpoint other = pinned_at(p, pins.other);
    return quad_xyz(quads_part(torque_arm(from, other.x, other.rest), 0));
}

static int columns_of(const particle_work* w)
{
    return w->s->plan->patched ? FEW_COLUMNS : COLUMNS;
}

// What springs left in the substep before.
static quad owed_to(const particle_work* w, const torque_pass* p, int number)
{
    const plan* of = w->s->plan;
    const component* c = &of->component[number];
    quad sum = quad_of(0, 0, 0, 0);
    if (!p->first || !(p->rules.owed > 0)) return sum;
    int i = first_path(w->holders, w->holder_count, of->strip[c->first_strip].first_row);
    int end = component_end(c, of->strip);
    for (; i < w->holder_count && w->holders[i].row < end; ++i) {
        const size_t row = (size_t)w->holders[i].row;
        if (!component_has(c, of->strip, (int)row)) continue;
        particle_row a = {.x = quad_load(p->row + row * ROW),
                          .v = quad_load(p->velocity + row * ROW4),
                          .residue = quad_load(p->residue + row * ROW4)};
        sum = sum + owed_torque(&p->rules, &w->holders[i], w->substep, &a, (scalar)w->s->mass_unit);
    }
    return sum;
}

static twist solve_columns(const particle_work* w, const torque_pass* p, const viewpoint* from,
                           int number, torque_total* column)
{
    for (int half = columns_of(w) / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i) column[i] = add_totals(column[i], column[i + half]);
    const pin_kind pins = pins_of(w, number).kind;
    const rotor turns = rotor_of(column, pins);
    quad torque = column->torque;
    if (w->holder_count) torque = torque + owed_to(w, p, number);
    return twist_of(&turns, torque, pins, line_of_pins(w, p, from, number));
}

INLINE twist sum_component(const particle_work* w, const torque_pass* p, const viewpoint* from,
                           int number, known_rows kind)
{
    const plan* of = w->s->plan;
    const component* c = &of->component[number];
    torque_total column[FEW_COLUMNS];
    memset(column, 0, sizeof column);
    for (int i = 0; i < c->strip_count; ++i) {
        torque_total sum = sum_strip(p, from, &of->strip[c->first_strip + i], kind);
        column[i % FEW_COLUMNS] = add_totals(column[i % FEW_COLUMNS], sum);
    }
    return solve_columns(w, p, from, number, column);
}

INLINE void correct_component(const particle_work* w, const torque_pass* p, const patch* t,
                              int number, known_rows kind, bounds* box)
{
    const plan* of = w->s->plan;
    const component* c = &of->component[number];
    const viewpoint from = view(w, p, number);
    bounds around = *box;
    scalar* row = (scalar*)w->s->row;
    const twist turned = is_held(w, number) ? no_twist() : sum_component(w, p, &from, number, kind);
    const quads turn = quads_of(turned.turn), center = quads_of(turned.center);
    size_t inner = (size_t)(w->sees.motion < 1 ? t->first_row + t->inner_count : 0);
    for (int i = 0; i < c->strip_count; ++i) {
        const strip* s = &of->strip[c->first_strip + i];
        size_t first = (size_t)s->first_row, last = first + (size_t)s->count, middle = first;
        if (inner > first) middle = inner < last ? inner : last;
        correct_range(p, &from, first, middle, (correction){turn, center, &around}, kind, row);
        correct_range(p, &from, middle, last, (correction){turn, center, NULL}, kind, row);
    }
    *box = around;
}

static row_box correct_patch(const particle_work* w, const patch* t, bool kept, bool first)
{
    const torque_pass p = start_pass(w, kept, first);
    bounds box = no_bounds();
    bool simple = !p.before && !p.past, alone = w->collider_count == 0;
    for (int i = t->first_component; i < t->first_component + t->component_count; ++i) {
        bool free = pins_of(w, i).kind == PINS_NONE;
        if (is_held(w, i) && !(w->sees.motion < 1)) continue;
        if (simple && free && alone)
            correct_component(w, &p, t, i, (known_rows){true, true, true}, &box);
        else if (simple && free)
            correct_component(w, &p, t, i, (known_rows){true, true, false}, &box);
        else if (simple)
            correct_component(w, &p, t, i, (known_rows){true, false, false}, &box);
        else
            correct_component(w, &p, t, i, any_rows, &box);
    }
    return bounds_widen(&box);
}

// ---- bodies without patches ---------------------------------------------------------------------

// What is known of a strip's rows, as literals for `one`.
#define FOR_KIND(one)                                                                              \
    (!simple ? one(any_rows)                                                                       \
     : free  ? one(((known_rows){true, true, true}))                                               \
             : one(((known_rows){true, false, true})))

static void sum(const particle_work* w, const torque_scratch* t, int first, int last, bool kept)
{
    const torque_pass p = start_pass(w, kept, !kept);
    const bool simple = !p.before && !p.past;
    for (int i = first; i < last; ++i) {
        const strip* s = &w->s->plan->strip[i];
        const viewpoint from = view(w, &p, s->component);
        const bool free = pins_of(w, s->component).kind == PINS_NONE;
#define SUM(kind) sum_strip(&p, &from, s, kind)
        ((torque_total*)t->sums)[i] = FOR_KIND(SUM);
    }
}

static void solve(const particle_work* w, const torque_scratch* t, int first, int last, bool kept)
{
    const torque_pass p = start_pass(w, kept, !kept);
    for (int i = first; i < last; ++i) {
        const component* c = &w->s->plan->component[i];
        const viewpoint from = view(w, &p, i);
        torque_total column[COLUMNS];
        memset(column, 0, sizeof column);
        for (int k = 0; k < c->strip_count; ++k)
            column[k % COLUMNS] =
                add_totals(column[k % COLUMNS], ((torque_total*)t->sums)[c->first_strip + k]);
        ((twist*)t->twists)[i] = solve_columns(w, &p, &from, i, column);
    }
}

static void untwist_strips(const particle_work* w, const torque_scratch* t, int first, int last,
                           bool kept)
{
    const torque_pass p = start_pass(w, kept, !kept);
    const bool simple = !p.before && !p.past;
    for (int i = first; i < last; ++i) {
        const strip* s = &w->s->plan->strip[i];
        if (is_held(w, s->component)) continue;
        const viewpoint from = view(w, &p, s->component);
        const bool free = pins_of(w, s->component).kind == PINS_NONE;
        const twist* by = (const twist*)t->twists + s->component;
#define UNTWIST(kind) untwist_strip(&p, &from, s, by, kind, (scalar*)w->s->row)
        FOR_KIND(UNTWIST);
    }
}

extern const torque_kernels KERNELS;
const torque_kernels KERNELS = {keep, correct_patch, sum, solve, untwist_strips};
