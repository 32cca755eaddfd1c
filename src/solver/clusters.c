#define PRECISION_DOUBLE
#include "solver/clusters.h"
#include "base/memory.h"
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

bool cluster_state_create(const cluster_set* c, int iterations, cluster_state* out)
{
    size_t clusters = (size_t)c->count, members = (size_t)c->member_count;
    bool flows = clusters_flow(c), keeps = iterations > 1 && !clusters_are_rigid(c);
    *out = (cluster_state){
        .turn = (double*)mem_array_zero(9 * clusters, sizeof(double)),
        .rest = flows ? (double*)mem_array(3 * members, sizeof(double)) : NULL,
        .done = keeps ? (double*)mem_array_zero(3 * members, sizeof(double)) : NULL,
        .sum = (match_sums*)mem_array_zero((size_t)c->piece_count, sizeof(match_sums)),
        .pose = (match_pose*)mem_array_zero(clusters, sizeof(match_pose))};
    if (!out->turn || (flows && !out->rest) || (keeps && !out->done) || !out->sum || !out->pose)
        return false;
    for (size_t i = 0; i < clusters; ++i)
        for (size_t k = 0; k < 9; k += 4) out->turn[9 * i + k] = 1;
    cluster_state_forget_flow(c, out);
    return true;
}

void cluster_state_destroy(cluster_state* s)
{
    mem_free(s->turn);
    mem_free(s->rest);
    mem_free(s->done);
    mem_free(s->sum);
    mem_free(s->pose);
    memset(s, 0, sizeof *s);
}

void cluster_state_turn(const cluster_set* c, cluster_state* s, const double by[9])
{
    for (int i = 0; i < c->count; ++i) {
        double* turn = s->turn + 9 * (size_t)i;
        match_times(by, turn, turn);
        match_straighten(turn);
    }
}

void cluster_state_forget_flow(const cluster_set* c, cluster_state* s)
{
    if (s->rest) memcpy(s->rest, c->rest, 3 * (size_t)c->member_count * sizeof(double));
}

// ---- the step -----------------------------------------------------------------------------------

match_rules cluster_rules(const cluster_set* c, double h, double seen, bool first_iteration)
{
    double square = seen * c->frequency * (seen * c->frequency);
    double left = clusters_are_rigid(c) ? 0 : 1 / (1 + square);
    bool flows = clusters_flow(c) && first_iteration && h > 0;
    return (match_rules){.share = 1 - left,
                         .rest_share = left,
                         .flow = flows ? h / (h + c->flow_time) : 0,
                         .yield = c->yield,
                         .most = c->most};
}

void clusters_solve(const cluster_set* c, cluster_state* s, int first, int last)
{
    for (int i = first; i < last; ++i) cluster_solve(c, s, i);
}

// ---- between steps ------------------------------------------------------------------------------

static double weight_of(const cluster_set* c, const state* of, int member)
{
    bool is_free = state_read_inverse_mass(of, c->particle[member]) > 0;
    return (is_free ? 1 : MATCH_HELD) * c->weight[member];
}

// Means by weight of where the members are [m], and of their shape at rest.
static void find_means(const cluster_set* c, const cluster_state* s, const state* of, int number,
                       double place[3], double rest[3])
{
    const double* shape = cluster_rest(c, s);
    double sum = 0, base[3], x[3];
    state_read_position(of, c->particle[c->first[number]], base);
    for (int k = 0; k < 3; ++k) place[k] = rest[k] = 0;
    for (int m = c->first[number]; m < c->first[number + 1]; ++m) {
        double w = weight_of(c, of, m);
        state_read_position(of, c->particle[m], x);
        sum += w;
        for (int k = 0; k < 3; ++k) {
            place[k] += w * (x[k] - base[k]);
            rest[k] += w * shape[3 * (size_t)m + (size_t)k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        place[k] = base[k] + place[k] / sum;
        rest[k] /= sum;
    }
}

void cluster_find_center(const cluster_set* c, const cluster_state* s, const state* of, int number,
                         double out[3])
{
    double place[3], rest[3], turned[3];
    find_means(c, s, of, number, place, rest);
    match_vector(s->turn + 9 * (size_t)number, rest, turned);
    for (int k = 0; k < 3; ++k) out[k] = place[k] - turned[k];
}

void cluster_find_goal(const cluster_set* c, const cluster_state* s, int member,
                       const double center[3], double out[3])
{
    const double* turn = s->turn + 9 * (size_t)c->owner[member];
    match_vector(turn, cluster_rest(c, s) + 3 * (size_t)member, out);
    for (int k = 0; k < 3; ++k) out[k] += center[k];
}

static double member_energy(const cluster_set* c, const cluster_state* s, const state* of, int m,
                            const double center[3])
{
    double goal[3], x[3], square = 0;
    cluster_find_goal(c, s, m, center, goal);
    state_read_position(of, c->particle[m], x);
    for (int k = 0; k < 3; ++k) square += (x[k] - goal[k]) * (x[k] - goal[k]);
    return c->weight[m] / 2 * c->frequency * c->frequency * square;
}

double clusters_energy(const cluster_set* c, const cluster_state* s, const state* of)
{
    double sum = 0;
    for (int i = 0; i < c->count && !clusters_are_rigid(c); ++i) {
        double center[3];
        cluster_find_center(c, s, of, i, center);
        for (int m = c->first[i]; m < c->first[i + 1]; ++m)
            sum += member_energy(c, s, of, m, center);
    }
    return sum;
}
