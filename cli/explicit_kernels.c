// Compiled once per width: -DLANES=4|8|16 with the matching -m flags and -DKERNELS=the table's
// name.
#include "explicit_kernels.h"
#include "constraint/tet.h"
#include "solver/gather.h"

typedef int mask4 __attribute__((vector_size(16)));

// One row after the other: two lanes of a block may have the same one.
INLINE void subtract_row(float* base, int i, row4 r)
{
    store_row(base, EXPLICIT_ROW, i, load_row(base, EXPLICIT_ROW, i) - r);
}

INLINE void subtract_rows(float* base, const int* i, real a)
{
#if LANES == 4
    subtract_row(base, i[0], a);
#else
    subtract_row(base, i[0], FOUR_LANES(a, 0));
    subtract_row(base, i[4], FOUR_LANES(a, 4));
#if LANES == 16
    subtract_row(base, i[8], FOUR_LANES(a, 8));
    subtract_row(base, i[12], FOUR_LANES(a, 12));
#endif
#endif
}

INLINE void scatter_subtract(float* base, const int* i, vec3 x)
{
    real m[4] = {x.x, x.y, x.z, lane_splat(0)};
    transpose(m);
    UNROLL
    for (int k = 0; k < 4; ++k) subtract_rows(base, i + k, m[k]);
}

INLINE tet_shape load_shape(const float* field)
{
    real b[FIELD_SHEAR];
    UNROLL
    for (int f = 0; f < FIELD_SHEAR; ++f) b[f] = lane_load(field + f * EXPLICIT_BLOCK);
    tet_shape t = {v3(b[0], b[1], b[2]), v3(b[3], b[4], b[5]), v3(b[6], b[7], b[8])};
    return t;
}

// V dPsi/dF = mu V F + (lambda V (J - 1) - mu V) cof F, since lambda (gamma - 1) = mu.
INLINE mat3 stress(mat3 f, real shear, real volume)
{
    mat3 k = m3_cofactor(f);
    real pressure = volume * (v3_dot(f.a, k.a) - 1.0f) - shear;
    return m3_add_scaled(m3_scale(shear, f), pressure, k);
}

INLINE void add_lanes(const explicit_rows* rows, const int* index, const float* field)
{
    vec3 moved[4], gradient[4];
    real unused;
    UNROLL
    for (int c = 0; c < 4; ++c)
        gather(rows->moved, EXPLICIT_ROW, index + c * EXPLICIT_BLOCK, &moved[c], &unused);
    tet_shape t = load_shape(field);
    mat3 f = tet_gradient(&t, moved);
    f.a.x += 1.0f;
    f.b.y += 1.0f;
    f.c.z += 1.0f;
    tet_gradients(&t,
                  stress(f, lane_load(field + FIELD_SHEAR * EXPLICIT_BLOCK),
                         lane_load(field + FIELD_VOLUME * EXPLICIT_BLOCK)),
                  gradient);
    UNROLL
    for (int c = 0; c < 4; ++c)
        scatter_subtract(rows->force, index + c * EXPLICIT_BLOCK, gradient[c]);
}

static void add_forces(const explicit_rows* rows, const int* index, const float* field, int blocks)
{
    for (int b = 0; b < blocks; ++b) {
        for (int lane = 0; lane < EXPLICIT_BLOCK; lane += LANES)
            add_lanes(rows, index + lane, field + lane);
        index += 4 * EXPLICIT_BLOCK;
        field += EXPLICIT_FIELDS * EXPLICIT_BLOCK;
    }
}

// Frictionless: back to the plane, and no way down from there.
static void lift(const explicit_rows* rows, int i)
{
    float *moved = rows->moved + EXPLICIT_ROW * (ptrdiff_t)i,
          *velocity = rows->velocity + EXPLICIT_ROW * (ptrdiff_t)i;
    moved[1] = rows->ground - moved[3];
    rows->residue[EXPLICIT_ROW * (ptrdiff_t)i + 1] = 0;
    if (velocity[1] < 0) velocity[1] = 0;
}

// Steps go into the residue first, so that a float place does not lose them.
static void advance(const explicit_rows* rows, int first, int last)
{
    const row4 gravity = {rows->gravity[0], rows->gravity[1], rows->gravity[2], 0};
    const row4 h = {rows->h, rows->h, rows->h, 0};
    for (int i = first; i < last; ++i) {
        row4 v = load_row(rows->velocity, EXPLICIT_ROW, i);
        row4 weight = {v[3], v[3], v[3], v[3]};
        row4 pull = (row4)((mask4)gravity & (weight > 0)); // pinned particles have no weight
        v += h * (weight * load_row(rows->force, EXPLICIT_ROW, i) + pull);
        row4 x = load_row(rows->moved, EXPLICIT_ROW, i);
        row4 d = h * v + load_row(rows->residue, EXPLICIT_ROW, i), sum = x + d;
        store_row(rows->velocity, EXPLICIT_ROW, i, v);
        store_row(rows->moved, EXPLICIT_ROW, i, sum);
        store_row(rows->residue, EXPLICIT_ROW, i, d - (sum - x));
        if (sum[1] + sum[3] < rows->ground) lift(rows, i);
    }
}

extern const explicit_kernels KERNELS;
const explicit_kernels KERNELS = {LANES, add_forces, advance};
