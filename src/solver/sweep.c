// Compiled once per width and precision: -DLANES=1|4|8|16 [-DPRECISION_DOUBLE] with the matching -m
// flags and -DKERNELS=the table's name.
#include "solver/sweep.h"
#include "constraint/crease.h"
#include "solver/gather.h"

typedef void apply_fn(const real* field, const substep* s, ends* e, real* lambda);

typedef struct {
    int particles, rows, fields, same;
    bool on_motion, either; // places or motion; whether it knows the classic manner
    apply_fn* apply;
} shape;

// Where the rows of LANES corners start: [ROW] scalars each, in pairs.
INLINE void load_index(const void* index, int index_bytes, int at, unsigned out[LANES])
{
#if LANES == 1
    unsigned row = index_bytes == 2 ? ((const uint16_t*)index)[at] : ((const unsigned*)index)[at];
    out[0] = row * (ROW / 2);
#else
    typedef uint16_t narrow __attribute__((vector_size(2 * LANES)));
    typedef unsigned wide __attribute__((vector_size(4 * LANES)));
    narrow n;
    wide w;
    if (index_bytes == 2) {
        memcpy(&n, (const uint16_t*)index + at, sizeof n);
        w = __builtin_convertvector(n, wide);
    } else {
        memcpy(&w, (const unsigned*)index + at, sizeof w);
    }
    w = w * (ROW / 2);
    memcpy(out, &w, sizeof w);
    // Through memory: taking them out of the vector one by one takes longer.
    __asm__("" : "+m"(*(wide*)out));
#endif
}

// How far the corners have moved, for types that ask.
INLINE void load_motion(const block_work* b, unsigned at[][LANES], const rows d[], const shape* t,
                        ends* e)
{
    real unused;
    UNROLL
    for (int i = 0; i < t->particles; ++i) {
        unsigned half[LANES]; // a residue's row is half as long
        for (int k = 0; k < LANES; ++k) half[k] = at[i][k] / (ROW / ROW4);
        vec3 moved, residue;
        rows_transpose(d[i], &moved, &unused);
        rows_transpose(rows_load((const scalar*)b->residue, half), &residue, &unused);
        e->moved[i] = v3_sub(moved, residue);
    }
}

// Positions relative to the first corner, and the rows of the increments.
INLINE void load_ends(const block_work* b, unsigned at[][LANES], const shape* t, ends* e, rows d[])
{
    const scalar* row = (const scalar*)b->row;
    rows first, x;
    vec3 unused;
    rows_load_long(row, at[0], &first, &d[0]);
    rows_transpose(first, &unused, &e->w[0]);
    e->x[0] = v3_zero();
    UNROLL
    for (int i = 1; i < t->particles; ++i) {
        rows_load_long(row, at[i], &x, &d[i]);
        rows_transpose(rows_edge(&x, &d[i], &first, &d[0]), &e->x[i], &e->w[i]);
    }
    if (t->on_motion) load_motion(b, at, d, t, e);
}

// Multipliers go along, so that they stay those of the forces that were applied.
INLINE void relax(const block_work* b, const shape* t, const scalar* multiplier, ends* e,
                  real* lambda)
{
    real factor = lane_splat((scalar)b->relaxation);
    for (int i = 0; i < t->particles; ++i) e->dx[i] = v3_scale(factor, e->dx[i]);
    for (int r = 0; r < t->rows && multiplier; ++r) {
        real before = b->first_iteration ? lane_splat(0) : lane_load(multiplier + r * BLOCK);
        lambda[r] = before + factor * (lambda[r] - before);
    }
}

// Load, project, store the LANES constraints that start at `lane`. The shape is a constant at each
// call and inlines away.
INLINE void solve_lanes(const block_work* b, const substep* s, const shape* t, int lane)
{
    const scalar* source = (const scalar*)b->field + lane;
    scalar* multiplier = s->multipliers ? (scalar*)b->lambda + lane : NULL;
    real field[MAX_FIELDS], lambda[MAX_ROWS];
    rows d[ELEMENT_PARTICLES];
    _Alignas(64) unsigned at[ELEMENT_PARTICLES][LANES];
    ends e;

    UNROLL
    for (int i = 0; i < t->particles; ++i)
        load_index(b->index, b->index_bytes, i * BLOCK + lane, at[i]);
    UNROLL
    for (int f = 0; f < t->fields - t->same; ++f) field[f] = lane_load(source + f * BLOCK);
    UNROLL
    for (int f = t->fields - t->same; f < t->fields; ++f)
        field[f] = b->same ? lane_splat(((const scalar*)b->same)[f + t->same - t->fields])
                           : lane_load(source + f * BLOCK);
    UNROLL
    for (int r = 0; r < t->rows; ++r) lambda[r] = lane_splat(0);
    if (multiplier && !b->first_iteration) {
        UNROLL
        for (int r = 0; r < t->rows; ++r) lambda[r] = lane_load(multiplier + r * BLOCK);
    }
    load_ends(b, at, t, &e, d);

    t->apply(field, s, &e, lambda);
    if (b->relaxation != 1) relax(b, t, multiplier, &e, lambda);

    UNROLL
    for (int i = 0; i < t->particles; ++i)
        scatter_add((scalar*)b->row + ROW_D, at[i], &d[i], e.dx[i]);
    if (!multiplier) return;
    UNROLL
    for (int r = 0; r < t->rows; ++r) lane_store(multiplier + r * BLOCK, lambda[r]);
}

INLINE void solve_block(const block_work* b, const shape* t, int first, int count)
{
    substep one = substep_of((scalar)b->h, false), several;
    one.own = (scalar)b->own;
    several = one;
    several.multipliers = true;
    if (t->either && b->share > 0) {
        one.classic = true;
        one.share = (scalar)b->share;
        for (int lane = first; lane < first + count; lane += LANES) solve_lanes(b, &one, t, lane);
    } else if (b->lambda)
        for (int lane = first; lane < first + count; lane += LANES)
            solve_lanes(b, &several, t, lane);
    else
        for (int lane = first; lane < first + count; lane += LANES) solve_lanes(b, &one, t, lane);
}

enum { KNOWS_block, KNOWS_own = 0, KNOWS_split = 0, KNOWS_either = 1, KNOWS_pull = 1 };
#define DEFINE_SOLVE(name, n, m, alike, kind, acts_on)                                             \
    INLINE void name##_apply_fields(const real* field, const substep* s, ends* e, real* lambda)    \
    {                                                                                              \
        name c;                                                                                    \
        memcpy(&c, field, sizeof c);                                                               \
        name##_apply(&c, s, e, lambda);                                                            \
    }                                                                                              \
    static void name##_solve(const block_work* b, int first, int count)                            \
    {                                                                                              \
        const shape t = {n,                                                                        \
                         m,                                                                        \
                         sizeof(name) / sizeof(real),                                              \
                         alike,                                                                    \
                         ON_##acts_on,                                                             \
                         KNOWS_##kind,                                                             \
                         name##_apply_fields};                                                     \
        solve_block(b, &t, first, count);                                                          \
    }
CONSTRAINT_LIST(DEFINE_SOLVE)

// ---- flow ---------------------------------------------------------------------------------------

INLINE void load_fields(const void* from, int count, int lane, real out[])
{
    UNROLL
    for (int i = 0; i < count; ++i) out[i] = lane_load((const scalar*)from + i * BLOCK + lane);
}

INLINE void store_fields(void* to, int count, int lane, const real from[])
{
    UNROLL
    for (int i = 0; i < count; ++i) lane_store((scalar*)to + i * BLOCK + lane, from[i]);
}

INLINE tet_shape load_shape(const void* from, int lane)
{
    real field[TET_SHAPE];
    tet_shape t;
    load_fields(from, TET_SHAPE, lane, field);
    memcpy(&t, field, sizeof t);
    return t;
}

INLINE flow_state load_flow(const flow_work* w, int lane)
{
    real field[FLOW_STATE];
    flow_state s;
    load_fields(w->state, FLOW_STATE, lane, field);
    memcpy(&s, field, sizeof s);
    return s;
}

// The shapes of what has flowed.
INLINE void reshape_lanes(const flow_work* w, const flow_state* s, int lane)
{
    tet_shape rest = load_shape(w->rest, lane), t = flow_shape(s, &rest);
    real field[TET_SHAPE];
    memcpy(field, &t, sizeof t);
    store_fields(w->shape, TET_SHAPE, lane, field);
}

// Corners at the start of the substep, relative to the first one: with what rounding left over.
INLINE void load_corners(const flow_work* w, int corners, int lane, vec3 x[])
{
    _Alignas(64) unsigned at[LANES], half[LANES];
    rows first, left, place, more;
    real unused;
    x[0] = v3_zero();
    UNROLL
    for (int i = 0; i < corners; ++i) {
        load_index(w->index, w->index_bytes, i * BLOCK + lane, at);
        for (int k = 0; k < LANES; ++k) half[k] = at[k] / (ROW / ROW4);
        place = rows_load((const scalar*)w->row, at);
        more = rows_load((const scalar*)w->residue, half);
        if (i == 0) {
            first = place;
            left = more;
        } else {
            rows_transpose(rows_edge(&place, &more, &first, &left), &x[i], &unused);
        }
    }
}

INLINE bool flow_lanes(const flow_work* w, int lane)
{
    real field[FLOW_STATE];
    flow_rules rules;
    flow_state s = load_flow(w, lane);
    tet_shape now = load_shape(w->shape, lane);
    vec3 x[4];
    load_fields(w->rule, FLOW_RULES, lane, field);
    memcpy(&rules, field, sizeof rules);
    load_corners(w, 4, lane, x);
    if (!flow_advance(&rules, tet_gradient(&now, x), (scalar)w->h, &s)) return false;
    memcpy(field, &s, sizeof s);
    store_fields(w->state, FLOW_STATE, lane, field);
    reshape_lanes(w, &s, lane);
    return true;
}

// ---- bends that stay ----------------------------------------------------------------------------

INLINE void set_bend(const flow_work* w, const crease_state* s, int lane)
{
    real rest[PLATE_ROWS];
    load_fields(w->rest, PLATE_ROWS, lane, rest);
    for (int i = 0; i < PLATE_ROWS; ++i) rest[i] = rest[i] + s->added[i];
    store_fields(w->shape, PLATE_ROWS, lane, rest);
}

INLINE crease_state load_crease(const flow_work* w, int lane)
{
    real field[FLOW_STATE];
    crease_state s;
    load_fields(w->state, FLOW_STATE, lane, field);
    memcpy(&s, field, sizeof s);
    return s;
}

#define DEFINE_CREASE(name, corners)                                                               \
    INLINE bool name##_crease(const flow_work* w, int lane)                                        \
    {                                                                                              \
        real field[sizeof(name) / sizeof(real)], rule[FLOW_RULES], kept[FLOW_STATE];               \
        name c;                                                                                    \
        flow_rules rules;                                                                          \
        row_set bent;                                                                              \
        vec3 x[corners];                                                                           \
        crease_state s = load_crease(w, lane);                                                     \
        load_fields(w->shape, sizeof(name) / sizeof(real), lane, field);                           \
        load_fields(w->rule, FLOW_RULES, lane, rule);                                              \
        memcpy(&c, field, sizeof c);                                                               \
        memcpy(&rules, rule, sizeof rules);                                                        \
        load_corners(w, corners, lane, x);                                                         \
        name##_eval(&c, x, &bent);                                                                 \
        if (!crease_advance(&rules, &bent, (scalar)w->h, &s)) return false;                        \
        memcpy(kept, &s, sizeof s);                                                                \
        store_fields(w->state, FLOW_STATE, lane, kept);                                            \
        set_bend(w, &s, lane);                                                                     \
        return true;                                                                               \
    }
DEFINE_CREASE(plate, 6)
DEFINE_CREASE(plate_side, 5)
DEFINE_CREASE(plate_end, 4)

INLINE bool crease_lanes(const flow_work* w, int lane)
{
    if (w->type == TYPE_plate) return plate_crease(w, lane);
    return w->type == TYPE_plate_side ? plate_side_crease(w, lane) : plate_end_crease(w, lane);
}

static bool flow_block_lanes(const flow_work* w, int first, int count)
{
    bool any = false;
    const bool plates = is_plate(w->type);
    for (int lane = first; lane < first + count; lane += LANES)
        any = (plates ? crease_lanes(w, lane) : flow_lanes(w, lane)) || any;
    return any;
}

static void reshape_block_lanes(const flow_work* w, int first, int count)
{
    for (int lane = first; lane < first + count; lane += LANES) {
        if (is_plate(w->type)) {
            crease_state bent = load_crease(w, lane);
            set_bend(w, &bent, lane);
            continue;
        }
        flow_state s = load_flow(w, lane);
        reshape_lanes(w, &s, lane);
    }
}

#define SOLVE(name, n, m, alike, kind, acts_on) name##_solve,
extern const sweep_kernels KERNELS;
const sweep_kernels KERNELS = {
    LANES, sizeof(scalar), {CONSTRAINT_LIST(SOLVE)}, flow_block_lanes, reshape_block_lanes};
