// XPBD projection of one block of 1 to 3 rows, for any constraint: n particles and m rows are
// literals at every call site, so the loops unroll. Solves (G W G^T + A) dl = -(C + A l), then
// dx = W G^T dl, with A the compliance over h^2.
#pragma once
#include "constraint/element.h"

enum { MAX_BLOCK_ROWS = 3 };

typedef struct {
    real value[MAX_BLOCK_ROWS];
    real compliance[MAX_BLOCK_ROWS];
    vec3 grad[MAX_BLOCK_ROWS][ELEMENT_PARTICLES];
} row_set;

// Lower triangle of G W G^T + A in place of a, right-hand side in dl.
INLINE void xpbd_assemble(int n, int m, const row_set* c, const substep* s, const real lambda[],
                          const real w[], real a[3][3], real dl[3])
{
    UNROLL
    for (int r = 0; r < m; ++r) {
        real alpha = s->inv_h2 * c->compliance[r];
        dl[r] = -(s->multipliers ? c->value[r] + alpha * lambda[r] : c->value[r]);
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
        real lost = (8 * SCALAR_EPSILON) * a[r][r];
        UNROLL
        for (int q = 0; q < r; ++q) {
            real l = a[r][q] * inv_d[q];
            UNROLL
            for (int t = q + 1; t <= r; ++t) a[r][t] = a[r][t] - a[r][q] * (t < r ? a[t][q] : l);
            dl[r] = dl[r] - l * dl[q];
            a[r][q] = l;
        }
        inv_d[r] = lane_select(a[r][r] > lost, lane_reciprocal(a[r][r]), lane_splat(0));
    }
    UNROLL
    for (int r = m - 1; r >= 0; --r) {
        dl[r] = dl[r] * inv_d[r];
        UNROLL
        for (int q = r + 1; q < m; ++q) dl[r] = dl[r] - a[q][r] * dl[q];
    }
}

INLINE void xpbd_project(int n, int m, const row_set* c, const substep* s, ends* e, real lambda[])
{
    real a[3][3], dl[3];
    xpbd_assemble(n, m, c, s, lambda, e->w, a, dl);
    xpbd_solve(m, a, dl);
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
