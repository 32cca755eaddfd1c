// What a closed surface holds: the first constraint on a whole body. C = volume - wanted [m^3], of
// all triangles together, is reduced to two sums, solved as one row of XPBD, and applied to every
// particle (enclosed.h). Sums are taken over pieces of fixed size, in the order of the particles,
// so that they do not depend on threads.
//
// With the places p relative to one of them, the gradient of particle i is the sum of p_j x p_k / 6
// over its triangles i j k, and three times the volume the sum of p_i times it.
#pragma once
#include "solver/row.h"
#include "solver/state.h"

// Constant: part of an asset.
typedef struct {
    int particle_count;
    int* start;        // particle_count + 1, into pair
    int* pair;         // 2 each: j and k
    double wanted;     // [m^3]
    double compliance; // [m^6/J]
} enclosure;

// Scratch of a body.
typedef struct {
    double* grad;      // [particle_count][3] [m^2]
    enclosed_sum* sum; // of each piece
    double lambda;
    double change; // of lambda, by the last solve
} enclosure_sums;

bool enclosure_create(const int* triangles, int triangle_count, int particle_count, enclosure* out);
void enclosure_destroy(enclosure* e);
bool enclosure_sums_create(const enclosure* e, enclosure_sums* out);
void enclosure_sums_destroy(enclosure_sums* s);

int enclosure_piece_count(const enclosure* e);
enclosed_rules enclosure_rules(const enclosure* e, double h); // h [s]: what constraints see

// [m^3] of the body between steps.
double enclosure_volume(const enclosure* e, const state* s);
