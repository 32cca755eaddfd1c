// Compiled once per width: -DLANES=4|8|16 with the matching -m flags and -DKERNELS=the table's
// name.
#include "bench/explicit_kernels.h"
#include "constraint/tet.h"
#include "solver/gather.h"

typedef int mask4 __attribute__((vector_size(16)));

// One row after the other: two lanes of a block may have the same one.
INLINE void subtract_rows(float* base, const unsigned* at, real a)
{
#define SUBTRACT_GROUP(k) store_row(base, at[k], load_row(base, at[k]) - GROUP_ROW(a, k));
    EACH_GROUP(SUBTRACT_GROUP)
}

INLINE void scatter_subtract(float* base, const unsigned* at, vec3 x)
{
    real m[4] = {x.x, x.y, x.z, lane_splat(0)};
    transpose(m);
    UNROLL
    for (int k = 0; k < 4; ++k) subtract_rows(base, at + k, m[k]);
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

INLINE void add_lanes(const explicit_rows* body, const unsigned* at, const float* field)
{
    vec3 moved[4], gradient[4];
    real unused;
    UNROLL
    for (int c = 0; c < 4; ++c)
        rows_transpose(rows_load(body->moved, at + c * EXPLICIT_BLOCK), &moved[c], &unused);
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
    for (int c = 0; c < 4; ++c) scatter_subtract(body->force, at + c * EXPLICIT_BLOCK, gradient[c]);
}

static void add_forces(const explicit_rows* body, const unsigned* at, const float* field,
                       int blocks)
{
    for (int b = 0; b < blocks; ++b) {
        for (int lane = 0; lane < EXPLICIT_BLOCK; lane += LANES)
            add_lanes(body, at + lane, field + lane);
        at += 4 * EXPLICIT_BLOCK;
        field += EXPLICIT_FIELDS * EXPLICIT_BLOCK;
    }
}

// Frictionless: back to the plane, and no way down from there.
static void lift(const explicit_rows* body, int i)
{
    float *moved = body->moved + EXPLICIT_ROW * (ptrdiff_t)i,
          *velocity = body->velocity + EXPLICIT_ROW * (ptrdiff_t)i;
    moved[1] = body->ground - moved[3];
    body->residue[EXPLICIT_ROW * (ptrdiff_t)i + 1] = 0;
    if (velocity[1] < 0) velocity[1] = 0;
}

// Steps go into the residue first, so that a float place does not lose them.
static void advance(const explicit_rows* body, int first, int last)
{
    const row4 gravity = {body->gravity[0], body->gravity[1], body->gravity[2], 0};
    const row4 h = {body->h, body->h, body->h, 0};
    for (int i = first; i < last; ++i) {
        row4 v = load_row(body->velocity, EXPLICIT_ROW / 2 * (unsigned)i);
        row4 weight = {v[3], v[3], v[3], v[3]};
        row4 pull = (row4)((mask4)gravity & (weight > 0)); // pinned particles have no weight
        v += h * (weight * load_row(body->force, EXPLICIT_ROW / 2 * (unsigned)i) + pull);
        row4 x = load_row(body->moved, EXPLICIT_ROW / 2 * (unsigned)i);
        row4 d = h * v + load_row(body->residue, EXPLICIT_ROW / 2 * (unsigned)i), sum = x + d;
        store_row(body->velocity, EXPLICIT_ROW / 2 * (unsigned)i, v);
        store_row(body->moved, EXPLICIT_ROW / 2 * (unsigned)i, sum);
        store_row(body->residue, EXPLICIT_ROW / 2 * (unsigned)i, d - (sum - x));
        if (sum[1] + sum[3] < body->ground) lift(body, i);
    }
}

extern const explicit_kernels KERNELS;
const explicit_kernels KERNELS = {LANES, add_forces, advance};
