// Clusters of particles that keep their shape (match.h): a constraint on many particles, as the air
// in a closed surface is. Each member is looked at (sums over pieces), each cluster is solved, and
// each particle goes the mean of the ways that its clusters want, by its shares. A particle in n
// clusters has 1/n of its mass in each, so that momentum is kept.
//
// A stiffness s between 0 and 1 is a spring between each particle and its goal, of the frequency
//     omega^2 = s / (1 - s) / T^2,     T = 1/60 s,
// so that a step of T without substeps would go the share s of the way. In a substep of h it is
// (h omega)^2 / (1 + (h omega)^2), as of any spring (xpbd.h): what a body does depends on neither
// substeps nor iterations. 1 is rigid.
#pragma once
#include "solver/cluster_set.h"
#include "solver/state.h"

#define CLUSTER_TIME (1.0 / 60) // [s] T

static inline bool clusters_flow(const cluster_set* c) { return c->yield > 0; }
static inline bool clusters_are_rigid(const cluster_set* c) { return isinf(c->frequency); }
// Not turned, with the shapes of the asset. False when memory runs out.
bool cluster_state_create(const cluster_set* c, int iterations, cluster_state* out);
void cluster_state_destroy(cluster_state* s);
void cluster_state_turn(const cluster_set* c, cluster_state* s, const double by[9]); // by rows
void cluster_state_forget_flow(const cluster_set* c, cluster_state* s);

// h [s] is the substep, `seen` what constraints see of it.
match_rules cluster_rules(const cluster_set* c, double h, double seen, bool first_iteration);

// [J] between steps.
double clusters_energy(const cluster_set* c, const cluster_state* s, const state* of);

// Where the center of a cluster is now [m].
void cluster_find_center(const cluster_set* c, const cluster_state* s, const state* of, int number,
                         double out[3]);
// Where its shape has a member [m].
void cluster_find_goal(const cluster_set* c, const cluster_state* s, int member,
                       const double center[3], double out[3]);

typedef struct {
    // The sums over pieces first to last - 1.
    void (*look)(const state* of, const cluster_set* c, cluster_state* s, int first, int last);
    // Particles first to last - 1 go towards their goals, and shapes flow.
    void (*push)(const state* of, const cluster_set* c, cluster_state* s, match_rules rules,
                 bool first_iteration, int first, int last);
} match_kernels;

const match_kernels* match_kernels_for(int scalar_bytes);

// Between them, clusters first to last - 1.
void clusters_solve(const cluster_set* c, cluster_state* s, int first, int last);
