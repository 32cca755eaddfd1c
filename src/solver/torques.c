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

// ---- two rows -----------------------------------------------------------------------------------

// Of two rows: what their torque needs.
typedef struct {
    twin x, d, v, residue;
    twin mass; // in all elements; 0: pinned
    twin rest, push;
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

// Rows i and i + 1, of first order and right after the prediction.
INLINE torque_rows load_rows(const torque_pass* p, size_t i)
{
    twin a = twin_load(p->row + i * ROW), b = twin_load(p->row + (i + 1) * ROW);
    twin v = twin_load(p->velocity + i * ROW4), residue = twin_load(p->residue + i * ROW4);
    torque_rows r = {.x = TWIN_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11),
                     .d = TWIN_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15),
                     .v = v,
                     .residue = residue,
                     .rest = residue};
    twin mass = twin_load(p->mass + i);
    r.mass = TWIN_SHUFFLE(mass, mass, 0, 0, 0, 0, 1, 1, 1, 1);
    r.push = r.d - (residue + p->rules.seen * v);
    return r;
}

// Of whatever order; the second one may be missing.
static torque_rows load_any_rows(const torque_pass* p, size_t i, bool both)
{
    quad x[2], d[2], v[2], residue[2], rest[2], before[2], mass[2];
    for (size_t k = 0; k < 2; ++k) {
        size_t at = both ? i + k : i;
        residue[k] = quad_load(p->residue + at * ROW4);
        v[k] = quad_load(p->velocity + at * ROW4);
        x[k] = quad_load(p->row + at * ROW);
        mass[k] = quad_of(1, 1, 1, 1) * p->mass[at];
        d[k] = quad_load(p->row + at * ROW + ROW_D);
        before[k] = increment_before(p, at);
        rest[k] = p->past ? torque_rest(&p->rules, residue[k], before[k]) : residue[k];
    }
    return (torque_rows){.x = twin_join(x[0], x[1]),
                         .d = twin_join(d[0], d[1]),
                         .v = twin_join(v[0], v[1]),
                         .mass = twin_join(mass[0], mass[1]),
                         .residue = twin_join(residue[0], residue[1]),
                         .rest = twin_join(rest[0], rest[1]),
                         .push = twin_join(d[0] - before[0], d[1] - before[1])};
}

// What is known of rows before they are looked at, as literals: what is not so costs nothing then.
typedef struct {
    bool simple; // of first order, right after the prediction
    bool free;   // none is pinned
} known_rows;
static const known_rows any_rows = {false, false};

INLINE torque_rows load(const torque_pass* p, size_t i, bool both, known_rows kind)
{
    return kind.simple && both ? load_rows(p, i) : load_any_rows(p, i, both);
}

// ---- strips -------------------------------------------------------------------------------------

INLINE torque_sums sum_loaded(const viewpoint* from, torque_rows r)
{
    return torque_of_rows(torque_arm(from, r.x, r.rest), r.push, r.mass);
}

// Rows i to i + 3, and so on: rows that are 2 apart come together first, then 4, 8, 16, and 1 at
// last.
INLINE torque_sums sum_4(const torque_pass* p, const viewpoint* from, size_t i, known_rows kind)
{
    return torque_add(sum_loaded(from, load(p, i, true, kind)),
                      sum_loaded(from, load(p, i + 2, true, kind)));
}
INLINE torque_sums sum_8(const torque_pass* p, const viewpoint* from, size_t i, known_rows kind)
{
    return torque_add(sum_4(p, from, i, kind), sum_4(p, from, i + 4, kind));
}
INLINE torque_sums sum_whole(const torque_pass* p, const viewpoint* from, size_t i, known_rows kind)
{
    torque_sums half[2];
    for (size_t k = 0; k < 2; ++k)
        half[k] =
            torque_add(sum_8(p, from, i + 16 * k, kind), sum_8(p, from, i + 16 * k + 8, kind));
    return torque_add(half[0], half[1]);
}

INLINE torque_sums first_half(torque_sums s)
{
    const twin none = {0};
#define FIRST_HALF(v) TWIN_SHUFFLE(v, none, 0, 1, 2, 3, 8, 9, 10, 11)
    return (torque_sums){FIRST_HALF(s.torque), FIRST_HALF(s.moment), FIRST_HALF(s.square),
                         FIRST_HALF(s.mixed)};
#undef FIRST_HALF
}

// Of a strip that is shorter: what is missing counts as zero.
static torque_sums sum_some(const torque_pass* p, const viewpoint* from, size_t first, int count)
{
    const known_rows any = any_rows;
    torque_sums sum[STRIP / 2];
    for (int i = 0; i < STRIP; i += 2) {
        bool both = i + 1 < count;
        torque_sums two = {{0}, {0}, {0}, {0}};
        if (i < count) two = sum_loaded(from, load(p, first + (size_t)i, both, any));
        sum[i / 2] = both ? two : first_half(two);
    }
    for (int step = 1; step < STRIP / 2; step *= 2)
        for (int i = 0; i < STRIP / 2; i += 2 * step) sum[i] = torque_add(sum[i], sum[i + step]);
    return sum[0];
}

INLINE quad both_halves(twin v) { return twin_half(v, 0) + twin_half(v, 1); }

INLINE torque_total sum_strip(const torque_pass* p, const viewpoint* from, const strip* s,
                              known_rows kind)
{
    size_t first = (size_t)s->first_row;
    torque_sums t =
        s->count == STRIP ? sum_whole(p, from, first, kind) : sum_some(p, from, first, s->count);
    return (torque_total){both_halves(t.torque), both_halves(t.moment), both_halves(t.square),
                          both_halves(t.mixed)};
}

// What becomes of rows.
typedef struct {
    twin turn, center;
    bounds* box; // they are completed, and this is around them; NULL: they are not
} correction;

INLINE void correct_rows(const torque_pass* p, const viewpoint* from, size_t i, bool both,
                         correction c, known_rows kind, scalar* row)
{
    torque_rows r = load(p, i, both, kind);
    twin d = untwist(c.turn, c.center, torque_arm(from, r.x, r.rest), r.d);
    if (!kind.free) d = twin_select(r.mass > 0, d, r.d);
    if (c.box) {
        d = completed_increment(&p->rules, d, r.residue, r.v);
        bounds_add(c.box, r.x, d);
    }
    quad_store(row + i * ROW + ROW_D, twin_half(d, 0));
    if (both) quad_store(row + (i + 1) * ROW + ROW_D, twin_half(d, 1));
}

INLINE void correct_range(const torque_pass* p, const viewpoint* from, size_t i, size_t end,
                          correction c, known_rows kind, scalar* row)
{
    for (; i + 1 < end; i += 2) correct_rows(p, from, i, true, c, kind, row);
    if (i < end) correct_rows(p, from, i, false, c, kind, row);
}

static void untwist_strip(const torque_pass* p, const viewpoint* from, const strip* s,
                          const twist* t, known_rows kind, scalar* row)
{
    size_t first = (size_t)s->first_row;
    correct_range(p, from, first, first + (size_t)s->count,
                  (correction){twin_of(t->turn), twin_of(t->center), NULL}, kind, row);
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
    return (viewpoint){twin_of(quad_load(p->row + i * ROW)), twin_of(rest)};
}

// From its first row, or from where it is pinned.
static viewpoint view(const particle_work* w, const torque_pass* p, int number)
{
    const plan* of = w->s->plan;
    const component_pins pins = pins_of(w, number);
    if (pins.kind == PINS_NONE) {
        size_t row = (size_t)of->strip[of->component[number].first_strip].first_row;
        return (viewpoint){twin_of(quad_load(p->row + row * ROW)), (twin){0}};
    }
    return pinned_at(p, pins.row);
}

static vec3 line_of_pins(const particle_work* w, const torque_pass* p, const viewpoint* from,
                         int number)
{
    const component_pins pins = pins_of(w, number);
    if (pins.kind != PINS_LINE) return v3_zero();
    viewpoint other = pinned_at(p, pins.other);
    return quad_xyz(twin_half(torque_arm(from, other.x, other.rest), 0));
}

static torque_total add_totals(torque_total a, torque_total b)
{
    return (torque_total){a.torque + b.torque, a.moment + b.moment, a.square + b.square,
                          a.mixed + b.mixed};
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
    const twin turn = twin_of(turned.turn), center = twin_of(turned.center);
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
    bool simple = !p.before && !p.past;
    for (int i = t->first_component; i < t->first_component + t->component_count; ++i) {
        if (is_held(w, i) && !(w->sees.motion < 1)) continue;
        if (simple && !w->pins)
            correct_component(w, &p, t, i, (known_rows){true, true}, &box);
        else if (simple)
            correct_component(w, &p, t, i, (known_rows){true, false}, &box);
        else
            correct_component(w, &p, t, i, any_rows, &box);
    }
    return bounds_widen(&box);
}

// ---- bodies without patches ---------------------------------------------------------------------

static void sum(const particle_work* w, const torque_scratch* t, int first, int last, bool kept)
{
    const torque_pass p = start_pass(w, kept, !kept);
    for (int i = first; i < last; ++i) {
        const strip* s = &w->s->plan->strip[i];
        const viewpoint from = view(w, &p, s->component);
        ((torque_total*)t->sums)[i] = sum_strip(&p, &from, s, any_rows);
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
    for (int i = first; i < last; ++i) {
        const strip* s = &w->s->plan->strip[i];
        if (is_held(w, s->component)) continue;
        const viewpoint from = view(w, &p, s->component);
        untwist_strip(&p, &from, s, (const twist*)t->twists + s->component, any_rows,
                      (scalar*)w->s->row);
    }
}

extern const torque_kernels KERNELS;
const torque_kernels KERNELS = {keep, correct_patch, sum, solve, untwist_strips};
