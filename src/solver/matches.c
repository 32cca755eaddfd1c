// Passes over clusters of particles. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "solver/clusters.h"

static match_rows rows_of(const state* s)
{
    return (match_rows){(scalar*)s->row, (const scalar*)s->velocity, (const scalar*)s->residue};
}

static void see_from(const state* s, const cluster_set* c, int cluster, double out[3])
{
    const scalar* x = (const scalar*)s->row + (size_t)c->particle[c->first[cluster]] * ROW;
    for (int k = 0; k < 3; ++k) out[k] = (double)x[k];
}

// 32 columns of two, halved until one is left (match.h).
static void look_at_piece(const state* s, const cluster_set* c, const double* rest, int piece,
                          match_sums* out)
{
    double column[MATCH_COLUMNS][MATCH_TERMS], second[MATCH_TERMS], from[3];
    const match_rows rows = rows_of(s);
    int cluster = c->piece_cluster[piece];
    int first = c->first[cluster] + (piece - c->first_piece[cluster]) * MATCH_PIECE;
    int count = c->first[cluster + 1] - first;
    int members = count < MATCH_PIECE ? count : MATCH_PIECE;
    int columns = count < MATCH_COLUMNS ? count : MATCH_COLUMNS;
    see_from(s, c, cluster, from);
    for (int i = 0; i < members; ++i) {
        size_t m = (size_t)(first + i);
        match_term(rows, c->particle[m], c->weight[m], rest + 3 * m, from,
                   i < MATCH_COLUMNS ? column[i] : second);
        if (i >= MATCH_COLUMNS) match_add(column[i - MATCH_COLUMNS], second);
    }
    for (int stride = MATCH_COLUMNS / 2; stride > 0; stride /= 2)
        for (int i = 0; i < stride && i + stride < columns; ++i)
            match_add(column[i], column[i + stride]);
    for (int k = 0; k < MATCH_TERMS; ++k) out->term[k] = column[0][k];
}

static void look(const state* s, const cluster_set* c, cluster_state* to, int first, int last)
{
    for (int piece = first; piece < last; ++piece)
        look_at_piece(s, c, cluster_rest(c, to), piece, &to->sum[piece]);
    for (int piece = first; piece < last; ++piece) {
        int cluster = c->piece_cluster[piece];
        if (piece == c->first_piece[cluster]) see_from(s, c, cluster, to->pose[cluster].from);
    }
}

// What one member wants, of its share of the particle.
static void add_way(const match_rules* r, const match_pose* pose, const double p[3],
                    const double b[3], double* done, double way[3])
{
    double own[3];
    match_way(pose, p, b, own);
    for (int k = 0; k < 3; ++k) {
        double change = r->share * own[k] - (done ? r->rest_share * done[k] : 0);
        if (done) done[k] += change;
        way[k] += change;
    }
}

static void push_particle(const state* s, const cluster_set* c, cluster_state* to,
                          const match_rules* r, bool first_iteration, int particle)
{
    const match_rows rows = rows_of(s);
    const double* rest = cluster_rest(c, to);
    int first = c->start[particle], last = c->start[particle + 1];
    double way[3] = {0, 0, 0}, part = 1.0 / (last - first);
    for (int i = first; i < last; ++i) {
        size_t m = (size_t)c->member[i];
        const match_pose* pose = &to->pose[c->of[i]];
        double p[3], a[3], *done = to->done ? to->done + 3 * m : NULL;
        match_see(rows, particle, pose->from, p, a);
        for (int k = 0; k < 3 && done && first_iteration; ++k) done[k] = 0;
        add_way(r, pose, p, rest + 3 * m, done, way);
        if (r->flow > 0)
            match_flow(pose, r, c->radius[c->of[i]], a, c->rest + 3 * m, to->rest + 3 * m);
    }
    if (!match_is_free(rows, particle)) return;
    scalar* d = rows.row + (size_t)particle * ROW + ROW_D;
    for (int k = 0; k < 3; ++k) d[k] = (scalar)((double)d[k] + part * way[k]);
}

static void push(const state* s, const cluster_set* c, cluster_state* to, match_rules rules,
                 bool first_iteration, int first, int last)
{
    for (int i = first; i < last; ++i) push_particle(s, c, to, &rules, first_iteration, i);
}

extern const match_kernels KERNELS;
const match_kernels KERNELS = {look, push};
