// XPBD projection of one block of 1 to 3 rows, for any constraint: n particles and m rows are
// literals at every call site, so the loops unroll. Solves (G W G^T + A) dl = -(C + A l), then
// dx = W G^T dl, with A the compliance over h^2.
//
// The classic manner (position-based dynamics of 2007 and 2013) is the same projection without
// compliance and multipliers, of a part k' of the value. All n iterations of a substep are to leave
// 1 - k of it, for a stiffness k of 0 to 1: k' = 1 - (1 - k)^(1/n). In the place of its compliance
// such a row has its decay d = -ln(1 - k), and k' = 1 - exp(-d / n).
#pragma once
#include "constraint/element.h"
#include "math/elementary.h"

enum { MAX_BLOCK_ROWS = 3 };

// What rows know.
typedef enum {
    ROWS_HOLD,   // compliance alone
    ROWS_EITHER, // both manners
    ROWS_PULL,   // both, and they only pull: one row, whose multiplier is never positive
} row_kind;

typedef struct {
    real value[MAX_BLOCK_ROWS];
    real compliance[MAX_BLOCK_ROWS]; // for the projection: as the substep sees it
    vec3 grad[MAX_BLOCK_ROWS][ELEMENT_PARTICLES];
} row_set;

// A decay from which on nothing is left in any precision, and one that stands for a stiffness of 1.
#define DECAY_ALL 40.0f
#define DECAY_MAX 1e30

// The decay of a stiffness of 0 to 1.
static inline double decay_of(double stiffness)
{
    return stiffness < 1 ? -log_of_one_plus(-stiffness) : DECAY_MAX;
}

// 1 - exp(-decay): a series for a 64th of it, then doubled six times. Terms for all digits of a
// scalar; none where nothing is left anyway, which is a stiffness of 1.
INLINE real xpbd_decayed(real decay)
{
    enum { TERMS = sizeof(scalar) == 4 ? 9 : 14, DOUBLINGS = 6 };
    const mask left = decay < DECAY_ALL;
    if (!lane_any(left)) return lane_splat(1);
    real u = (1.0f / (1 << DOUBLINGS)) * lane_min(decay, lane_splat(DECAY_ALL));
    real sum = lane_splat(0);
    UNROLL
    for (int i = TERMS; i > 0; --i) sum = u * ((scalar)1 / (scalar)i) * (lane_splat(1) - sum);
    UNROLL
    for (int i = 0; i < DOUBLINGS; ++i) sum = sum * (lane_splat(2) - sum);
    return lane_select(left, sum, lane_splat(1));
}

// What a substep sees of a compliance, whatever the positions: A, or k'.
INLINE real xpbd_seen(row_kind kind, const substep* s, real compliance)
{
    if (kind != ROWS_HOLD && s->classic) return xpbd_decayed(s->share * compliance);
    return s->inv_h2 * compliance;
}

INLINE void xpbd_see_rows(int m, const substep* s, row_set* c)
{
    UNROLL
    for (int r = 0; r < m; ++r) c->compliance[r] = xpbd_seen(ROWS_HOLD, s, c->compliance[r]);
}

// The right-hand side of a row, and what its compliance adds to the pivot.
INLINE real xpbd_side(bool classic, const row_set* c, int r, const substep* s, const real lambda[],
                      real* out_alpha)
{
    *out_alpha = classic ? lane_splat(0) : c->compliance[r];
    if (classic) return -c->value[r] * c->compliance[r];
    return -(s->multipliers ? c->value[r] + *out_alpha * lambda[r] : c->value[r]);
}

// Lower triangle of G W G^T + A in place of a, right-hand side in dl.
INLINE void xpbd_assemble(int n, int m, bool classic, const row_set* c, const substep* s,
                          const real lambda[], const real w[], real a[3][3], real dl[3])
{
    UNROLL
    for (int r = 0; r < m; ++r) {
        real alpha;
        dl[r] = xpbd_side(classic, c, r, s, lambda, &alpha);
        UNROLL
        for (int q = 0; q <= r; ++q) {
            real sum = w[0] * v3_dot(c->grad[r][0], c->grad[q][0]);
            UNROLL
            for (int i = 1; i < n; ++i) sum = sum + w[i] * v3_dot(c->grad[r][i], c->grad[q][i]);
            a[r][q] = r == q ? sum + alpha : sum;
        }
    }
}

// L D L^T in place. A row whose pivot is lost in the rounding of its diagonal (all particles fixed,
// or the same direction as an earlier row, without compliance) does nothing.
INLINE void xpbd_solve(int m, real a[3][3], real dl[3])
{
    real inv_d[3];
    UNROLL
    for (int r = 0; r < m; ++r) {
        real lost = (8 * SCALAR_EPSILON) * a[r][r] + SCALAR_LEAST;
        UNROLL
        for (int q = 0; q < r; ++q) {
            real l = a[r][q] * inv_d[q];
            UNROLL
            for (int t = q + 1; t <= r; ++t) a[r][t] = a[r][t] - a[r][q] * (t < r ? a[t][q] : l);
            dl[r] = dl[r] - l * dl[q];
            a[r][q] = l;
        }
        inv_d[r] = lane_inverse_where(a[r][r] > lost, a[r][r]);
    }
    UNROLL
    for (int r = m - 1; r >= 0; --r) {
        dl[r] = dl[r] * inv_d[r];
        UNROLL
        for (int q = r + 1; q < m; ++q) dl[r] = dl[r] - a[q][r] * dl[q];
    }
}

// A multiplier that would push is as long as it can be without.
INLINE real xpbd_pull(bool classic, const substep* s, real lambda, real dl)
{
    const real none = lane_splat(0);
    real before = !classic && s->multipliers ? lambda : none;
    return lane_min(before + dl, none) - before;
}

INLINE void xpbd_project(int n, int m, row_kind kind, const row_set* c, const substep* s, ends* e,
                         real lambda[])
{
    const bool classic = kind != ROWS_HOLD && s->classic;
    real a[3][3], dl[3];
    xpbd_assemble(n, m, classic, c, s, lambda, e->w, a, dl);
    xpbd_solve(m, a, dl);
    if (kind == ROWS_PULL) dl[0] = xpbd_pull(classic, s, lambda[0], dl[0]);
    UNROLL
    for (int i = 0; i < n; ++i) {
        vec3 push = v3_scale(dl[0], c->grad[0][i]);
        UNROLL
        for (int r = 1; r < m; ++r) push = v3_add_scaled(push, dl[r], c->grad[r][i]);
        e->dx[i] = v3_scale(e->w[i], push);
    }
    UNROLL
    for (int r = 0; r < m; ++r) lambda[r] = lambda[r] + dl[r];
}
