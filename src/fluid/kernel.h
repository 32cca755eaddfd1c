// The kernel by which a liquid's particles count, and what of it a wall fills. Plain functions of
// scalars, for CUDA, too; what lanes compute of it is in passes.h.
//
// Wendland's of second order, C2: W(r) = N (1 - q)^4 (1 + 4 q) with q = r / R, N = 21 / (2 pi R^3).
// Its gradient, -20 N / R^2 (1 - q)^3 times the way, needs no direction. Its transform is positive,
// so that particles do not form pairs.
#pragma once
#include "math/lane.h"

#define FLUID_SUPPORT 2.4 // R over the distance of particles at rest
// Particles that lie as a liquid does count for a little more than their volume, since each counts
// for itself: what all of them together would, times this, is 1.
#define FLUID_FILL 0.975
// What a particle pushes with, times this, is the pressure: the work that a liquid does when it is
// compressed, over its volume.
#define FLUID_PRESSURE 0.98
// Of a correction that would be right if all others stood still, the part that is made: all are
// corrected at the same time. The largest eigenvalue of a liquid's system, with each row over its
// diagonal, is about 2.6 for this support; above 4/3 over that it swings (docs/theory.md).
#define FLUID_RELAXATION 0.25
// Surface tension: pairs push where they are nearer than this share of the reach from each other,
// and draw each other beyond it; so much that a surface costs about what it should
// (docs/theory.md).
#define FLUID_TURN 0.5f
#define FLUID_DRAW 6.5
// What a wall draws with: the work of taking away layers at 1/2 and 3/2 of a spacing is 1.
#define FLUID_ADHESION 2.277

typedef struct {
    double volume; // [m^3] of a particle at rest
    double reach;  // [m] R
    double weight; // [-] volume times N: what a particle adds at its own place
    double slope;  // [1/m^2] that times 20 / R^2
    double draw;   // [-] what two particles draw each other with, over surface tension
    double grip;   // [m] what a wall draws with, over adhesion
} fluid_kernel;

FUNCTION fluid_kernel fluid_kernel_of(double spacing)
{
    const double pi = 3.14159265358979323846;
    double reach = FLUID_SUPPORT * spacing, volume = spacing * spacing * spacing;
    fluid_kernel k = {.volume = volume, .reach = reach};
    k.weight = FLUID_FILL * volume * 21 / (2 * pi * reach * reach * reach);
    k.slope = 20 * k.weight / (reach * reach);
    k.draw = FLUID_DRAW;
    k.grip = FLUID_ADHESION * spacing;
    return k;
}

// Of a wall that fills the half space from `away` [m] on: the share of the kernel that is in
// it, and how much of that comes in for each meter that the particle comes nearer [1/m].
FUNCTION void fluid_wall(const fluid_kernel* k, double away, double* out_share, double* out_slope)
{
    double beyond = (away < 0 ? -away : away) / k->reach, t = beyond < 1 ? 1 - beyond : 0;
    double t2 = t * t, t5 = t2 * t2 * t;
    double share = t5 * t * (3.5 - t * (4.5 - 1.5 * t));
    *out_share = FLUID_FILL * (away < 0 ? 1 - share : share);
    *out_slope = FLUID_FILL * 21 / k->reach * t5 * (1 - t * (1.5 - t * (4.0 / 7)));
}

// What draws a particle to a wall `away` from it [m], over adhesion [N/(N/m)]. Layers of a liquid
// at half of a spacing and one more need as much to be taken away as adhesion says.
FUNCTION double fluid_adhesion(const fluid_kernel* k, double away)
{
    double beyond = (away < 0 ? -away : away) / k->reach, t = beyond < 1 ? 1 - beyond : 0;
    return k->grip * t * t;
}
