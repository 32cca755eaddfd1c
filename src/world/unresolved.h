// How much of a body's elastic energy is an error of the setting (too few substeps) and no motion.
// Two things go wrong, and the larger one counts.
//
// Noise: the sweep leaves strains of the size of one element, and with them forces that do not
// balance. What particle i would give back by settling among its neighbors is
//     r_i^2 / (2 k_i),    r_i = f_i - m_i a
// with the sum f_i of its elements' forces and its own load, its stiffness k_i at rest, and the
// mean acceleration a of the body, which takes gravity and every rigid motion with it. Resolved
// motion has r_i too, but of a frequency omega far below that of the elements: its share is
// (omega / omega_i)^2, next to nothing.
//
// Lag: one sweep solves each element against neighbors of which, on the average, half are still to
// come. Their forces on the element's corners, which in balance are its own with the other sign,
// move them by another w h^2 f, and the element, which no longer answers, is stretched by that:
//     weight h^2 sum over elements and corners of w_i |f_ei|^2,    weight = 1/4,
// and 1/10, measured, where shear is explicit.
// A contact or an attachment, which comes after all elements of its particle, counts as one more
// element there. The body is softer by that share. It is the whole error at small substeps, where
// noise, which is of the next order, has gone. Sweeps beyond the first divide it by about their
// square; elements that see a part b of their corrections (step.h) have b times as much.
//
// Neither may exceed the elastic energy E itself: the noise is cut there, the lag L becomes
// E L / (E + L).
#pragma once
#include "world/reaction.h"

typedef struct {
    double* pull;  // [particles][PULL] force [N] and stiffness [N/m]; lent by the world
    double square; // [N^2/kg] sum of weight w |f|^2
    foresight sees;
} unresolved;
enum { PULL = 4 };

void unresolved_begin(const pliant_world* world, const body* b, unresolved* u);
void unresolved_add(const body* b, const reaction* e, unresolved* u);

// [J] once all elements are added.
double unresolved_energy(const pliant_world* world, const body* b, unresolved* u, double elastic);
