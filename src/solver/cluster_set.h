// Clusters of particles in memory, and what passes do to one of their members. The same source for
// the processor (matches.c) and for CUDA, where all pointers are to the device's memory.
#pragma once
#include "solver/match.h"
#include <stddef.h>

// Constant: part of an asset.
typedef struct cluster_set {
    int count, member_count, piece_count, particle_count;
    int* first;                    // [count + 1] members
    int* first_piece;              // [count + 1]
    int* piece_cluster;            // [piece_count]
    int* particle;                 // [member_count] ascending in a cluster,
    int* owner;                    // its cluster,
    double* weight;                // [kg] mass times share,
    double* rest;                  // [3] [m] from the center
    double* center;                // [count][3] [m] of the mesh at rest
    double* radius;                // [count] [m] of the farthest member
    int* start;                    // [particle_count + 1] into:
    int* member;                   // members of each particle, in the order of their clusters,
    int* of;                       // and these
    double frequency;              // [rad/s] INFINITY: rigid
    double yield, flow_time, most; // [-], [s], [-] (pliant_clusters_def)
} cluster_set;

// What changes, of a body.
typedef struct {
    double* turn; // [count][9] rotations, by rows
    double* rest; // [member_count][3] shapes at rest that have flowed; NULL: they cannot
    double* done; // [member_count][3] ways of the substep so far; NULL where one pass does all
    // Scratch:
    match_sums* sum;  // of each piece
    match_pose* pose; // of each cluster
} cluster_state;

INLINE const double* cluster_rest(const cluster_set* c, const cluster_state* s)
{
    return s->rest ? s->rest : c->rest;
}

// Places are seen from the first member.
INLINE void cluster_see_from(match_rows of, const cluster_set* c, int cluster, double out[3])
{
    const scalar* x = of.row + (size_t)c->particle[c->first[cluster]] * ROW;
    for (int k = 0; k < 3; ++k) out[k] = (double)x[k];
}

// Members of a piece.
typedef struct {
    int cluster, first, count;
} cluster_piece;

INLINE cluster_piece cluster_open_piece(const cluster_set* c, int piece)
{
    cluster_piece p;
    p.cluster = c->piece_cluster[piece];
    p.first = c->first[p.cluster] + (piece - c->first_piece[p.cluster]) * MATCH_PIECE;
    p.count = c->first[p.cluster + 1] - p.first;
    p.count = p.count < MATCH_PIECE ? p.count : MATCH_PIECE;
    return p;
}

INLINE void cluster_solve(const cluster_set* c, const cluster_state* s, int cluster)
{
    match_sums sum = s->sum[c->first_piece[cluster]];
    for (int piece = c->first_piece[cluster] + 1; piece < c->first_piece[cluster + 1]; ++piece)
        match_add(sum.term, s->sum[piece].term);
    match_solve(sum.term, s->turn + 9 * (size_t)cluster, &s->pose[cluster]);
}

// What one member wants, of its share of the particle. `done`: what it did in the substep so far,
// or NULL.
INLINE void cluster_add_way(const match_rules* r, const match_pose* pose, const double p[3],
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

// A particle goes towards its goals, and the shapes at rest of its members flow.
INLINE void cluster_push(match_rows of, const cluster_set* c, const cluster_state* to,
                         const match_rules* r, bool first_iteration, int particle)
{
    const double* rest = cluster_rest(c, to);
    const int first = c->start[particle], last = c->start[particle + 1];
    double way[3] = {0, 0, 0}, part = 1.0 / (last - first);
    for (int i = first; i < last; ++i) {
        const size_t m = (size_t)c->member[i];
        const match_pose* pose = &to->pose[c->of[i]];
        double p[3], a[3], *done = to->done ? to->done + 3 * m : NULL;
        match_see(of, particle, pose->from, p, a);
        for (int k = 0; k < 3 && done && first_iteration; ++k) done[k] = 0;
        cluster_add_way(r, pose, p, rest + 3 * m, done, way);
        if (r->flow > 0)
            match_flow(pose, r, c->radius[c->of[i]], a, c->rest + 3 * m, to->rest + 3 * m);
    }
    if (!match_is_free(of, particle)) return;
    scalar* d = of.row + (size_t)particle * ROW + ROW_D;
    for (int k = 0; k < 3; ++k) d[k] = (scalar)((double)d[k] + part * way[k]);
}
