// How much of a body's elastic energy is an error of the setting (too few substeps) and no motion:
// the sum of two things that go wrong.
//
// Noise: the sweep leaves strains of the size of one element, and with them forces that do not
// balance. What particle i would give back by settling among its neighbors is
//     r_i^2 / (2 k_i),    r_i = f_i - m_i a_i
// with the sum f_i of its elements' forces and its own load, its stiffness k_i at rest, and the
// mean acceleration a_i of the particles around it, its own among them. That takes gravity, every
// rigid motion and all else that is smooth with it: a rope that swings freely has no noise.
//
// Lag: one sweep solves each element against neighbors of which, on the average, half are still to
// come. Their forces on the element's corners, which in balance are its own with the other sign,
// move them by another w h^2 f, and the element, which no longer answers, is stretched by that:
//     weight h^2 sum over elements and corners of w_i |f_ei|^2,    weight = 1/4,
// and 1/10, measured, where shear is explicit.
// An attachment, which comes after all elements of its particle, counts as one more element there;
// so does friction, and a whole contact where it is not expected (step.h). The body is softer by
// that share. It is the whole error at small substeps, where noise, which goes with h^4, has gone.
// Sweeps beyond the first divide it by about their square; elements that see a part b of their
// corrections (step.h) have 0.2 + 0.8 b times as much: b times in the first order of h^2, and as
// much as ever in the next (measured).
//
// Neither may exceed the elastic energy E itself: the noise is cut there, the lag L becomes
// E L / (E + L). What is left of a body at rest by rounding is no error of the setting.
#pragma once
#include "world/reaction.h"

typedef struct {
    double* pull;    // [particles][PULL] lent by the world
    double square;   // [N^2/kg] sum of weight w |f|^2
    double rounding; // [J] sum of k l^2, l the parts' lengths
    foresight sees;
} unresolved;
// Of a particle: force [N] and stiffness [N/m]; then the forces and the mass [kg] around it.
enum { PULL = 8, PULL_STIFFNESS = 3, PULL_AROUND = 4, PULL_MASS = 7 };

void unresolved_begin(const pliant_world* world, const body* b, unresolved* u);
void unresolved_add(const body* b, const reaction* e, unresolved* u);

// [J] once all elements are added.
typedef struct {
    double noise, lag;
} unresolved_parts;
unresolved_parts unresolved_find(const pliant_world* world, const body* b, unresolved* u,
                                 double elastic);
