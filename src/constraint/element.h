// The rest state of an element in double precision, from which every type takes its constants, and
// the substep's numbers, which every projection sees.
#pragma once
#include "math/mat3.h"
#include <stdbool.h>

enum { ELEMENT_PARTICLES = 6 };

typedef struct {
    double rest[ELEMENT_PARTICLES][3]; // [m]
    double volume;                     // [m^3] of a tet
    double mu, gamma;                  // [Pa, -] of Psi = lambda/2 (J - gamma)^2 + mu/2 |F|^2
    double volume_compliance;          // [1/Pa] 1 / lambda, 0 for an incompressible material
    double damping;                    // [s] Kelvin-Voigt time constant
    double relaxation;                 // [-] of the ten rows
    double yield, hardening;           // [Pa] of a tet that flows (flow.h); yield 0: it does not
    double flow_time;                  // [s]
    bool swells;                       // its shape at rest is changed from outside (flow.h)
    double flow_most;                  // [-] strain that can flow; 0: any
    double compliance;                 // of a single row C, whose energy is C^2 / (2 compliance):
                                       // [m/N] of a length, [1/(N m)] of an angle, ...; in the
                                       // classic manner its decay (xpbd.h) [-]
    double slack;                      // [-] of a tether: its length beyond the rest length
    double warp, weft, shear;          // [N/m] of a membrane: moduli of strips, and of its angle
    double bend[2];                    // [N m] of a plate, along the warp and across
    double poisson;                    // [-] of a membrane (membrane.h), and a plate
    double along[3];                   // the direction of its warp, or nearly so
} element;

typedef struct {
    scalar h;         // [s]
    scalar h2;        // [s^2]
    scalar inv_h2;    // [1/s^2]
    scalar own;       // [-] least share of its own motion that an element of ten rows sees
    bool multipliers; // of several iterations; else they start at zero and nobody asks for them
    bool classic;     // rows have decays in place of compliances (xpbd.h)
    scalar share;     // [-] of an iteration: 1 / iterations, for the classic manner
} substep;

INLINE substep substep_of(scalar h, bool multipliers)
{
    substep s = {h, h * h, 1 / (h * h), 1, multipliers, false, 1};
    return s;
}

// What a projection works on: particles relative to the first one's place at the start of the
// substep (or to the point that a single particle is held at), and what it adds to them.
typedef struct {
    vec3 x[ELEMENT_PARTICLES];     // [m] now
    vec3 moved[ELEMENT_PARTICLES]; // [m] since the start of the substep; only where a type asks
    real w[ELEMENT_PARTICLES];     // [1/kg]
    vec3 dx[ELEMENT_PARTICLES];    // [m] out: the correction
} ends;
