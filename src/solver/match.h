// Shape matching: particles of a cluster are pulled to where they would be if their shape at rest
// were moved and turned as a whole. The same source for the processor and for CUDA, in double
// precision whatever the rows' is.
//
// With weights w (a particle's mass times its share of it in the cluster), places p that
// constraints see, places a at the start of the substep and places b of the shape at rest, each
// from its mean, the goal of a particle is R b. Linear momentum is kept by means that are weighted
// so. R is found in two stages, each a fixed number of Newton's steps on turns.
//
// First the nearest rotation: it makes tr(R^T A) the largest, A = sum w p b^T (polar
// decomposition). With M = R^T A a small turn t, R (1 + [t]), is asked for by
//     (tr(M) 1 - M) t = sum w b x R^T p,
// whose matrix is positive definite at the largest one. Pivots that are not positive are lifted, so
// that steps lead uphill from anywhere, and steps are limited. It begins with the last rotation:
// planar shapes, lines and shapes that are inside out have an answer beside that one, and single
// particles keep it.
//
// The nearest rotation would lose angular momentum, since the pushes R b - p have no torque about
// p, but momentum counts torques about a (torque.h). So it is turned until the pushes have none
// about a:
//     sum w a x R b = sum w a x p.
// With N = R^T sum w a b^T the matrix of this step is tr(N) 1 - N^T. A free body that is rigid then
// keeps its angular momentum to rounding, and goes on as the discrete Euler equations of Moser and
// Veselov (1991) do.
//
// All sums are taken in one go, over pieces of 64 members: a member of a column is added to the
// other one of it, then 32 columns are halved until one is left. Pieces are added in their order.
#pragma once
#include "math/lane.h"
#include "solver/row.h"
#include <stdbool.h>

enum { MATCH_PIECE = 64, MATCH_COLUMNS = 32, MATCH_TERMS = 32 };

// Places of the sums: w, w p, w a, w b, w p b^T, w a b^T (rows), w a x p.
enum {
    MATCH_WEIGHT = 0,
    MATCH_PLACE = 1,
    MATCH_START = 4,
    MATCH_REST = 7,
    MATCH_SHAPE = 10,
    MATCH_BEFORE = 19,
    MATCH_SPIN = 28,
    MATCH_USED = 31
};

typedef struct {
    double term[MATCH_TERMS];
} match_sums;

typedef struct {
    scalar* row;
    const scalar *velocity, *residue;
} match_rows;

// A cluster as it is in a pass.
typedef struct {
    double from[3];                      // [m] where places are seen from: a member, at the start
    double center[3], start[3], rest[3]; // [m] means of p, a and b
    double turn[9], before[9];           // R, by rows, and as it was before the pass
} match_pose;

// What is pinned weighs much more: the goals go through it.
#define MATCH_HELD 1e6

INLINE bool match_is_free(match_rows of, int particle)
{
    return of.velocity[(size_t)particle * ROW4 + ROW4_W] > 0;
}

INLINE void match_see(match_rows of, int particle, const double from[3], double p[3], double a[3])
{
    const scalar* x = of.row + (size_t)particle * ROW;
    const scalar* rest = of.residue + (size_t)particle * ROW4;
    for (int k = 0; k < 3; ++k) {
        double at = (double)x[k] - from[k];
        p[k] = at + (double)x[ROW_D + k];
        a[k] = at + (double)rest[k];
    }
}

INLINE void match_term(match_rows of, int particle, double weight, const double b[3],
                       const double from[3], double out[MATCH_TERMS])
{
    double p[3], a[3], w = match_is_free(of, particle) ? weight : MATCH_HELD * weight;
    match_see(of, particle, from, p, a);
    out[MATCH_WEIGHT] = w;
    UNROLL
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double wp = w * p[i], wa = w * a[i];
        out[MATCH_PLACE + i] = wp;
        out[MATCH_START + i] = wa;
        out[MATCH_REST + i] = w * b[i];
        UNROLL
        for (int n = 0; n < 3; ++n) {
            out[MATCH_SHAPE + 3 * i + n] = wp * b[n];
            out[MATCH_BEFORE + 3 * i + n] = wa * b[n];
        }
        out[MATCH_SPIN + i] = w * (a[j] * p[k] - a[k] * p[j]);
    }
    out[MATCH_USED] = 0;
}

INLINE void match_add(double to[MATCH_TERMS], const double from[MATCH_TERMS])
{
    UNROLL
    for (int k = 0; k < MATCH_TERMS; ++k) to[k] += from[k];
}

// ---- rotations ----------------------------------------------------------------------------------

// Q^T m, or m Q where m is a rotation, of the turn t: Q = 1 + 2 / (1 + g^2) ([g] + [g]^2), g = t/2.
INLINE void match_turn_matrix(const double t[3], double q[9])
{
    const double x = t[0] / 2, y = t[1] / 2, z = t[2] / 2;
    const double s = 2 / (1 + (x * x + y * y + z * z));
    q[0] = 1 - s * (y * y + z * z), q[1] = s * (x * y - z), q[2] = s * (x * z + y);
    q[3] = s * (x * y + z), q[4] = 1 - s * (x * x + z * z), q[5] = s * (y * z - x);
    q[6] = s * (x * z - y), q[7] = s * (y * z + x), q[8] = 1 - s * (x * x + y * y);
}

// out = a^T b
INLINE void match_back_times(const double a[9], const double b[9], double out[9])
{
    double m[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    for (int i = 0; i < 9; ++i) out[i] = m[i];
}
// out = a b
INLINE void match_times(const double a[9], const double b[9], double out[9])
{
    double m[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    for (int i = 0; i < 9; ++i) out[i] = m[i];
}
INLINE void match_vector(const double a[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
}
INLINE void match_vector_back(const double a[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i) out[i] = a[i] * v[0] + a[3 + i] * v[1] + a[6 + i] * v[2];
}

// J t = r with pivots that are not below `least`, t no longer than `most`.
INLINE void match_step(const double j[9], const double r[3], double least, double most, double t[3])
{
    const double i0 = 1 / (j[0] > least ? j[0] : least), l1 = j[3] * i0, l2 = j[6] * i0;
    const double d1 = j[4] - l1 * j[1], u1 = j[5] - l1 * j[2];
    const double i1 = 1 / (d1 > least ? d1 : least), l3 = (j[7] - l2 * j[1]) * i1;
    const double d2 = j[8] - l2 * j[2] - l3 * u1, i2 = 1 / (d2 > least ? d2 : least);
    const double r1 = r[1] - l1 * r[0], r2 = r[2] - l2 * r[0] - l3 * r1;
    t[2] = i2 * r2;
    t[1] = i1 * (r1 - u1 * t[2]);
    t[0] = i0 * (r[0] - j[1] * t[1] - j[2] * t[2]);
    const double square = t[0] * t[0] + t[1] * t[1] + t[2] * t[2];
    const double s = square > most * most ? most / sqrt(square) : 1;
    for (int k = 0; k < 3; ++k) t[k] = s * t[k];
}

// tr(m) 1 - m
INLINE void match_hessian(const double m[9], double out[9])
{
    const double trace = m[0] + m[4] + m[8];
    for (int i = 0; i < 9; ++i) out[i] = (i % 4 == 0 ? trace : 0) - m[i];
}

INLINE double match_size(const double m[9])
{
    double square = 0;
    for (int i = 0; i < 9; ++i) square += m[i] * m[i];
    return sqrt(square);
}

// Pivots below this part of the size are those of turns that nothing depends on.
#define MATCH_LEAST 1e-9
#define MATCH_TINY  1e-300

// The nearest rotation to a, from the one that is there.
INLINE void match_nearest(const double a[9], double turn[9])
{
    enum { STEPS = 4 };
    const double least = MATCH_LEAST * match_size(a) + MATCH_TINY, most = 1;
    double m[9], j[9], q[9], t[3];
    match_back_times(turn, a, m);
    for (int n = 0; n < STEPS; ++n) {
        const double r[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
        match_hessian(m, j);
        match_step(j, r, least, most, t);
        match_turn_matrix(t, q);
        match_times(turn, q, turn);
        match_back_times(q, m, m);
    }
}

// Turns on until what pushes has no torque about the places at the start: b of those and the shape
// at rest, `spin` the torque of where the particles are.
INLINE void match_keep_spin(const double b[9], const double spin[3], double turn[9])
{
    enum { STEPS = 3 };
    const double least = MATCH_LEAST * match_size(b) + MATCH_TINY, most = 0.25;
    double m[9], back[9], j[9], q[9], t[3], wanted[3];
    match_back_times(turn, b, m);
    match_vector_back(turn, spin, wanted);
    for (int n = 0; n < STEPS; ++n) {
        const double r[3] = {wanted[0] - (m[5] - m[7]), wanted[1] - (m[6] - m[2]),
                             wanted[2] - (m[1] - m[3])};
        for (int i = 0; i < 9; ++i) back[i] = m[i % 3 * 3 + i / 3];
        match_hessian(back, j);
        match_step(j, r, least, most, t);
        match_turn_matrix(t, q);
        match_times(turn, q, turn);
        match_back_times(q, m, m);
        match_vector_back(q, wanted, wanted);
    }
}

// Rounding must not add up: R (3 - R^T R) / 2.
INLINE void match_straighten(double turn[9])
{
    double square[9];
    match_back_times(turn, turn, square);
    for (int i = 0; i < 9; ++i) square[i] = ((i % 4 == 0 ? 3 : 0) - square[i]) / 2;
    match_times(turn, square, turn);
}

// What the sums of a cluster say; `turn` is its rotation and becomes the new one.
INLINE void match_solve(const double sum[MATCH_TERMS], double turn[9], match_pose* out)
{
    const double w = sum[MATCH_WEIGHT], part = w > 0 ? 1 / w : 0;
    double shape[9], before[9], spin[3];
    for (int k = 0; k < 3; ++k) {
        out->center[k] = part * sum[MATCH_PLACE + k];
        out->start[k] = part * sum[MATCH_START + k];
        out->rest[k] = part * sum[MATCH_REST + k];
    }
    for (int i = 0; i < 9; ++i) {
        shape[i] = sum[MATCH_SHAPE + i] - w * out->center[i / 3] * out->rest[i % 3];
        before[i] = sum[MATCH_BEFORE + i] - w * out->start[i / 3] * out->rest[i % 3];
        out->before[i] = turn[i];
    }
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        spin[i] = sum[MATCH_SPIN + i] -
                  w * (out->start[j] * out->center[k] - out->start[k] * out->center[j]);
    }
    match_nearest(shape, turn);
    match_keep_spin(before, spin, turn);
    match_straighten(turn);
    for (int i = 0; i < 9; ++i) out->turn[i] = turn[i];
}

// ---- particles ----------------------------------------------------------------------------------

// How clusters push in a substep.
typedef struct {
    double share, rest_share; // [-] of the way to the goal, and what is left of it
    double flow;              // [-] of what is beyond the limit flows; 0: nothing does
    double yield, most;       // [-] limits, times the cluster's radius; most 0: none
} match_rules;

// From a member to its goal [m].
INLINE void match_way(const match_pose* c, const double p[3], const double b[3], double out[3])
{
    double arm[3], goal[3];
    for (int k = 0; k < 3; ++k) arm[k] = b[k] - c->rest[k];
    match_vector(c->turn, arm, goal);
    for (int k = 0; k < 3; ++k) out[k] = c->center[k] + goal[k] - p[k];
}

// The shape at rest of a member flows where it was too far from its goal at the start of the
// substep. `first` is its place before it ever flowed.
INLINE void match_flow(const match_pose* c, const match_rules* r, double radius, const double a[3],
                       const double first[3], double b[3])
{
    double arm[3], way[3], square = 0, gone = 0;
    for (int k = 0; k < 3; ++k) arm[k] = a[k] - c->start[k];
    match_vector_back(c->before, arm, way);
    for (int k = 0; k < 3; ++k) {
        way[k] -= b[k] - c->rest[k];
        square += way[k] * way[k];
    }
    const double limit = r->yield * radius, far = sqrt(square), most = r->most * radius;
    const double part = far > limit ? r->flow * (far - limit) / far : 0;
    for (int k = 0; k < 3; ++k) {
        b[k] += part * way[k];
        gone += (b[k] - first[k]) * (b[k] - first[k]);
    }
    const double keep = most > 0 && gone > most * most ? most / sqrt(gone) : 1;
    for (int k = 0; k < 3; ++k) b[k] = keep < 1 ? first[k] + keep * (b[k] - first[k]) : b[k];
}
