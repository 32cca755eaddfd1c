// What air does to a piece of a surface, a piece of a rope and a ball. The same source for the
// processor and for CUDA; in double, whatever the rows have.
//
// A triangle is a thin airfoil. With n its normal, u the velocity of the air as it sees it, A its
// area and sin a = n u / |u|, the sine of the angle of attack,
//
//     drag   rho/2 A u^2 (friction + drag sin^2 a)    along u
//     lift   rho/2 A u^2 lift sin a cos a             across u, in the plane of u and n
//
// Both together, with u_n = n u, need neither angles nor a direction across:
//
//     F = rho/2 A ( (friction |u| + (drag - lift) u_n^2 / |u|) u + lift |u| u_n n ).
//
// F u = rho/2 A |u| (friction u^2 + drag u_n^2) is never below zero: in the axes of the air, it
// only takes energy.
//
// Forces are those of the substep's start. A step that is too long would turn the motion around.
// In a substep of h the air takes h F u of a piece's energy and adds h^2 F^2 / (2 m), where m is
// the mass that moves with it; so the force is made smaller where h F^2 > m F u, and then it takes
// no more than stops the air where the force points. A particle has several pieces: each has a
// share of its mass, by the areas at rest, and the lightest corner counts. By the inequality of
// Cauchy and Schwarz the sum over all pieces then takes at least half of what it would take in a
// very short step: in wind that is the same everywhere light cloth comes to rest in it, whatever
// the wind, the mass and the substep.
#pragma once
#include "math/lane.h"

typedef struct {
    double drag, lift, friction; // [-]
} air_coefficients;

INLINE double air_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// `pressed` is rho/2 A [kg/m], n has length 1, and u is what the air does as the piece sees it
// [m/s].
INLINE void air_press_sheet(const air_coefficients* c, double pressed, const double n[3],
                            const double u[3], double out[3])
{
    double square = air_dot(u, u), speed = sqrt(square), across = air_dot(n, u);
    double along =
        square > 0 ? (c->friction * square + (c->drag - c->lift) * across * across) / speed : 0;
    for (int k = 0; k < 3; ++k) out[k] = pressed * (along * u[k] + c->lift * speed * across * n[k]);
}

// A cylinder with that axis, of length 1: the drag of its cross flow, and friction along it. Here
// A is its length times its diameter; its surface is pi times that, and friction is that of both
// sides of a sheet.
INLINE void air_press_rope(const air_coefficients* c, double pressed, const double axis[3],
                           const double u[3], double out[3])
{
    const double half_pi = 1.5707963267948966;
    double along = air_dot(axis, u), cross[3];
    for (int k = 0; k < 3; ++k) cross[k] = u[k] - along * axis[k];
    double speed = sqrt(air_dot(u, u)), beside = sqrt(air_dot(cross, cross));
    for (int k = 0; k < 3; ++k)
        out[k] = pressed *
                 (c->drag * beside * cross[k] + half_pi * c->friction * speed * along * axis[k]);
}

INLINE void air_press_ball(const air_coefficients* c, double pressed, const double u[3],
                           double out[3])
{
    double speed = sqrt(air_dot(u, u));
    for (int k = 0; k < 3; ++k) out[k] = pressed * c->drag * speed * u[k];
}

// Makes a force smaller that would do more than stop. `lightness` is 1 / m [1/kg].
INLINE void air_limit(double h, double lightness, const double u[3], double force[3])
{
    double gain = h * lightness * air_dot(force, force), loss = air_dot(force, u);
    double part = gain > loss ? loss / gain : 1;
    for (int k = 0; k < 3; ++k) force[k] *= part;
}
