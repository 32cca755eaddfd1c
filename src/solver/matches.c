// Passes over clusters of particles. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "solver/clusters.h"

static match_rows rows_of(const state* s)
{
    match_rows rows = {(scalar*)s->row, (const scalar*)s->velocity, (const scalar*)s->residue};
    return rows;
}

// 32 columns of two, halved until one is left (match.h).
static void look_at_piece(match_rows rows, const cluster_set* c, cluster_state* to, int piece)
{
    double column[MATCH_COLUMNS][MATCH_TERMS], second[MATCH_TERMS], from[3];
    const cluster_piece p = cluster_open_piece(c, piece);
    const double* rest = cluster_rest(c, to);
    const int columns = p.count < MATCH_COLUMNS ? p.count : MATCH_COLUMNS;
    cluster_see_from(rows, c, p.cluster, from);
    for (int i = 0; i < p.count; ++i) {
        const size_t m = (size_t)(p.first + i);
        match_term(rows, c->particle[m], c->weight[m], rest + 3 * m, from,
                   i < MATCH_COLUMNS ? column[i] : second);
        if (i >= MATCH_COLUMNS) match_add(column[i - MATCH_COLUMNS], second);
    }
    for (int stride = MATCH_COLUMNS / 2; stride > 0; stride /= 2)
        for (int i = 0; i < stride && i + stride < columns; ++i)
            match_add(column[i], column[i + stride]);
    for (int k = 0; k < MATCH_TERMS; ++k) to->sum[piece].term[k] = column[0][k];
    for (int k = 0; k < 3 && piece == c->first_piece[p.cluster]; ++k)
        to->pose[p.cluster].from[k] = from[k];
}

static void look(const state* s, const cluster_set* c, cluster_state* to, int first, int last)
{
    for (int piece = first; piece < last; ++piece) look_at_piece(rows_of(s), c, to, piece);
}

static void push(const state* s, const cluster_set* c, cluster_state* to, match_rules rules,
                 bool first_iteration, int first, int last)
{
    const match_rows rows = rows_of(s);
    for (int i = first; i < last; ++i) cluster_push(rows, c, to, &rules, first_iteration, i);
}

extern const match_kernels KERNELS;
const match_kernels KERNELS = {look, push};
