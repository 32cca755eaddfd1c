// What a closed surface holds: the first constraint on a whole body. C = volume - wanted [m^3], of
// all triangles together, is reduced to two sums, solved as one row of XPBD, and applied to every
// particle. Sums are taken over pieces of fixed size, in the order of the particles, so that they
// do not depend on threads.
//
// With the places p relative to one of them, the gradient of particle i is the sum of p_j x p_k / 6
// over its triangles i j k, and three times the volume the sum of p_i times it. All in double
// precision, whatever the body's is.
#pragma once
#include "solver/state.h"

// Constant: part of an asset.
typedef struct {
    int particle_count;
    int* start;        // particle_count + 1, into pair
    int* pair;         // 2 each: j and k
    double wanted;     // [m^3]
    double compliance; // [m^6/J]
} enclosure;

enum { ENCLOSURE_PIECE = 64 }; // particles

// Scratch of a body.
typedef struct {
    double* grad; // [particle_count][3] [m^2]
    double* sum;  // of each piece: [2] 3 times the volume, inverse masses times gradients squared
    double lambda;
} enclosure_sums;

bool enclosure_create(const int* triangles, int triangle_count, int particle_count, enclosure* out);
void enclosure_destroy(enclosure* e);
bool enclosure_sums_create(const enclosure* e, enclosure_sums* out);
void enclosure_sums_destroy(enclosure_sums* s);

// Of particles first to last - 1, whole pieces.
void enclosure_reduce(const enclosure* e, const state* s, int first, int last, enclosure_sums* out);
// `h` [s] is what constraints see. Returns what the multiplier changes by.
double enclosure_solve(const enclosure* e, double h, bool first_iteration, enclosure_sums* sums);
void enclosure_apply(const enclosure_sums* sums, double change, int first, int last, state* s);

// [m^3] of the body between steps.
double enclosure_volume(const enclosure* e, const state* s);
