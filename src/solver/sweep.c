// Compiled once per width and precision: -DLANES=1|4|8|16 [-DPRECISION_DOUBLE] with the matching -m
// flags and -DKERNELS=the table's name.
#include "solver/sweep.h"
#include "solver/gather.h"

typedef void apply_fn(const real* field, const substep* s, ends* e, real* lambda);

typedef struct {
    int particles, rows, fields;
    bool on_motion;
    apply_fn* apply;
} shape;

// The rows of LANES corners: narrow indices are widened on the way.
INLINE const int* load_index(const block_work* b, int at, int out[LANES])
{
    if (b->index_bytes == 4) return (const int*)b->index + at;
#if LANES == 1
    out[0] = ((const uint16_t*)b->index)[at];
#else
    typedef uint16_t narrow __attribute__((vector_size(2 * LANES)));
    narrow n;
    memcpy(&n, (const uint16_t*)b->index + at, sizeof n);
    mask wide = __builtin_convertvector(n, mask);
    memcpy(out, &wide, sizeof wide);
#endif
    return out;
}

// Positions relative to the first particle's place at the start of the substep.
INLINE void load_ends(const block_work* b, const int* const index[], const shape* t, ends* e)
{
    const scalar* row = (const scalar*)b->row;
    vec3 x[ELEMENT_PARTICLES], d[ELEMENT_PARTICLES];
    real unused;
    UNROLL
    for (int i = 0; i < t->particles; ++i) {
        gather(row, ROW, index[i], &x[i], &e->w[i]);
        gather(row + ROW_D, ROW, index[i], &d[i], &unused);
    }
    e->x[0] = v3_zero();
    UNROLL
    for (int i = 1; i < t->particles; ++i) e->x[i] = v3_add(v3_sub(x[i], x[0]), v3_sub(d[i], d[0]));
    if (!t->on_motion) return;
    UNROLL
    for (int i = 0; i < t->particles; ++i) {
        vec3 residue;
        gather((const scalar*)b->residue, ROW4, index[i], &residue, &unused);
        e->moved[i] = v3_sub(d[i], residue);
    }
}

// Load, project, store the LANES constraints that start at `lane`. The shape is a constant at each
// call and inlines away.
INLINE void solve_lanes(const block_work* b, const substep* s, const shape* t, int lane)
{
    int widened[ELEMENT_PARTICLES][LANES];
    const int* index[ELEMENT_PARTICLES];
    const scalar* source = (const scalar*)b->field + lane;
    scalar* multiplier = s->multipliers ? (scalar*)b->lambda + lane : NULL;
    real field[MAX_FIELDS], lambda[MAX_ROWS];
    ends e;

    UNROLL
    for (int i = 0; i < t->particles; ++i) index[i] = load_index(b, i * BLOCK + lane, widened[i]);
    UNROLL
    for (int f = 0; f < t->fields; ++f) field[f] = lane_load(source + f * BLOCK);
    UNROLL
    for (int r = 0; r < t->rows; ++r) lambda[r] = lane_splat(0);
    if (multiplier && !b->first_iteration) {
        UNROLL
        for (int r = 0; r < t->rows; ++r) lambda[r] = lane_load(multiplier + r * BLOCK);
    }
    load_ends(b, index, t, &e);

    t->apply(field, s, &e, lambda);

    UNROLL
    for (int i = 0; i < t->particles; ++i)
        scatter_add((scalar*)b->row + ROW_D, ROW, index[i], e.dx[i]);
    if (!multiplier) return;
    UNROLL
    for (int r = 0; r < t->rows; ++r) lane_store(multiplier + r * BLOCK, lambda[r]);
}

INLINE void solve_block(const block_work* b, const shape* t, int first, int count)
{
    scalar h = (scalar)b->h;
    substep one = {h, h * h, 1 / (h * h), false}, several = {h, h * h, 1 / (h * h), true};
    if (b->lambda)
        for (int lane = first; lane < first + count; lane += LANES)
            solve_lanes(b, &several, t, lane);
    else
        for (int lane = first; lane < first + count; lane += LANES) solve_lanes(b, &one, t, lane);
}

#define DEFINE_SOLVE(name, n, m, kind, acts_on)                                                    \
    INLINE void name##_apply_fields(const real* field, const substep* s, ends* e, real* lambda)    \
    {                                                                                              \
        name c;                                                                                    \
        memcpy(&c, field, sizeof c);                                                               \
        name##_apply(&c, s, e, lambda);                                                            \
    }                                                                                              \
    static void name##_solve(const block_work* b, int first, int count)                            \
    {                                                                                              \
        const shape t = {n, m, sizeof(name) / sizeof(real), ON_##acts_on, name##_apply_fields};    \
        solve_block(b, &t, first, count);                                                          \
    }
CONSTRAINT_LIST(DEFINE_SOLVE)

#define SOLVE(name, n, m, kind, acts_on) name##_solve,
extern const sweep_kernels KERNELS;
const sweep_kernels KERNELS = {LANES, sizeof(scalar), {CONSTRAINT_LIST(SOLVE)}};
