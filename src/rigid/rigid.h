// A rigid body: where it is, what pushes made of its motion in a substep, and how light it is to a
// push. The same source for the processor and for CUDA. Bodies are few beside their points, and
// compute in double whatever their rows have.
//
// The body's axes are those of its inertia, through its center of mass. Its momentum and its
// angular momentum L about the center are state: nothing but pushes changes them. In a substep of
// h the center goes by push / m, push being h times the momentum, and the body turns by the
// rotation G that has the same angular momentum as the body, twist being h times that:
//
//     sum of m_i r_i x (G r_i) = twist,     r_i from the center when the substep begins.
//
// In the body's axes, with G the unit quaternion (s, u), that is
//
//     s I u + u x (I u) = twist / 2,
//
// the discrete equation of Moser and Veselov, which Newton's method solves in a few rounds. It
// keeps the angular momentum exactly, and the energy for ever, to the second order of h omega. A
// push p at a place adds p and r x p: so both sides of a contact get and lose the same, about any
// point.
#pragma once
#include "math/lane.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

// Axes in the world, one a row.
typedef struct {
    double row[3][3];
} rigid_frame_axes;

typedef struct rigid_state {
    // What is state:
    double center[3];   // [m]
    double turn[4];     // rotation, as a unit quaternion x y z w
    double velocity[3]; // [m/s] of the center
    double momentum[3]; // [kg m^2/s] about the center
    bool held;          // nothing pushes it: it goes on as it does
    // What it is:
    double mass, inertia[3]; // [kg, kg m^2] about its axes; of what is held all three alike
    double reach;            // [m] no particle is farther from its center
    // Of the substep:
    double inv_mass; // [1/kg]; 0: it is held
    rigid_frame_axes axis;
    double inv_inertia[3][3];          // [1/(kg m^2)]; 0: it is held
    double push[3], twist[3];          // [kg m, kg m^2] h times its momenta
    double step[3];                    // [m] of the center
    double spin[3], cosine;            // the rotation of the substep, as a quaternion
    double course[6];                  // [m, -] step and spin as they were without contacts
    double gain_step[3], gain_turn[3]; // [m, rad] what the pass at hand has added,
    double gain_before[6], follow[6];  // before a round; and where rounds lead (manifold.h)
    int contacts;                      // that push it
    bool too_fast;                     // it turns farther in a substep than can be told
} rigid_state;

// ---- vectors ------------------------------------------------------------------------------------

INLINE void d3_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
INLINE double d3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- axes ---------------------------------------------------------------------------------------

INLINE void rigid_axes(const double q[4], rigid_frame_axes* out)
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    out->row[0][0] = 1 - 2 * (y * y + z * z);
    out->row[0][1] = 2 * (x * y + z * w);
    out->row[0][2] = 2 * (x * z - y * w);
    out->row[1][0] = 2 * (x * y - z * w);
    out->row[1][1] = 1 - 2 * (x * x + z * z);
    out->row[1][2] = 2 * (y * z + x * w);
    out->row[2][0] = 2 * (x * z + y * w);
    out->row[2][1] = 2 * (y * z - x * w);
    out->row[2][2] = 1 - 2 * (x * x + y * y);
}

// From the body's axes to the world's, and back.
INLINE void rigid_outward(const rigid_frame_axes* a, const double local[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a->row[0][k] * local[0] + a->row[1][k] * local[1] + a->row[2][k] * local[2];
}
INLINE void rigid_inward(const rigid_frame_axes* a, const double v[3], double out[3])
{
    double in[3];
    for (int k = 0; k < 3; ++k) in[k] = d3_dot(a->row[k], v);
    memcpy(out, in, sizeof in);
}

// First b, then a.
INLINE void quaternion_product(const double a[4], const double b[4], double out[4])
{
    double v[3], product[4];
    d3_cross(a, b, v);
    for (int k = 0; k < 3; ++k) product[k] = a[3] * b[k] + b[3] * a[k] + v[k];
    product[3] = a[3] * b[3] - d3_dot(a, b);
    double length = sqrt(d3_dot(product, product) + product[3] * product[3]);
    for (int k = 0; k < 4; ++k) out[k] = product[k] / length;
}

// ---- what a push does ---------------------------------------------------------------------------

// [1/kg] By how much a place at `arm` [m] from the center goes along a direction, for a push along
// another one; and for one along the same.
INLINE double rigid_give(const rigid_state* r, const double arm[3], const double push[3],
                         const double along[3])
{
    double twist[3], c[3], turned[3];
    d3_cross(arm, push, twist);
    d3_cross(arm, along, c);
    for (int k = 0; k < 3; ++k) turned[k] = d3_dot(r->inv_inertia[k], twist);
    return r->inv_mass * d3_dot(along, push) + d3_dot(c, turned);
}
INLINE double rigid_lightness(const rigid_state* r, const double arm[3], const double along[3])
{
    return rigid_give(r, arm, along, along);
}

INLINE void rigid_push(rigid_state* r, const double arm[3], const double push[3])
{
    double twist[3];
    d3_cross(arm, push, twist);
    for (int k = 0; k < 3; ++k) {
        r->push[k] += push[k];
        r->twist[k] += twist[k];
    }
}

// ---- the motion of a substep --------------------------------------------------------------------

// Where its axes are, and how light it is along the world's.
INLINE void rigid_frame(rigid_state* r)
{
    double free = r->held ? 0 : 1;
    rigid_axes(r->turn, &r->axis);
    r->inv_mass = free / r->mass;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            r->inv_inertia[i][k] = 0;
            for (int a = 0; a < 3; ++a)
                r->inv_inertia[i][k] +=
                    free * r->axis.row[a][i] * r->axis.row[a][k] / r->inertia[a];
        }
}

// The start: gravity [m/s^2] and other forces [N] with their torque [N m] act for all of it.
INLINE void rigid_begin(rigid_state* r, double h, const double gravity[3], const double force[3],
                        const double torque[3])
{
    double free = r->held ? 0 : 1;
    rigid_frame(r);
    for (int i = 0; i < 3; ++i) {
        r->push[i] = h * (r->mass * r->velocity[i] + free * h * (r->mass * gravity[i] + force[i]));
        r->twist[i] = h * (r->momentum[i] + free * h * torque[i]);
    }
}

// Newton's step for s I u + u x (I u) = m, with s^2 + u^2 = 1.
INLINE void rigid_newton(const double inertia[3], const double m[3], double u[3])
{
    double s = sqrt(1 - d3_dot(u, u)), moved[3], off[3], f[3][3], around[3];
    for (int k = 0; k < 3; ++k) moved[k] = inertia[k] * u[k];
    d3_cross(u, moved, around);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        off[i] = m[i] - (s * moved[i] + around[i]);
        for (int c = 0; c < 3; ++c) f[i][c] = -moved[i] * u[c] / s;
        // u x (I u) has u_j u_k (I_k - I_j) along i.
        f[i][i] += s * inertia[i];
        f[i][j] += u[k] * (inertia[k] - inertia[j]);
        f[i][k] += u[j] * (inertia[k] - inertia[j]);
    }
    double c[3][3], det;
    d3_cross(f[1], f[2], c[0]);
    d3_cross(f[2], f[0], c[1]);
    d3_cross(f[0], f[1], c[2]);
    det = d3_dot(f[0], c[0]);
    for (int k = 0; k < 3; ++k)
        u[k] += (c[0][k] * off[0] + c[1][k] * off[1] + c[2][k] * off[2]) / det;
}

// The rotation, in the body's axes, that twist [kg m^2] in these axes makes: of a part of the
// substep, in which the body turns by half a radian or less.
INLINE void rigid_turn(const double inertia[3], const double twist[3], double out[4])
{
    enum { ROUNDS = 5 };
    double half[3];
    for (int k = 0; k < 3; ++k) {
        half[k] = 0.5 * twist[k];
        out[k] = half[k] / inertia[k];
    }
    for (int i = 0; i < ROUNDS; ++i) rigid_newton(inertia, half, out);
    out[3] = sqrt(1 - d3_dot(out, out));
}

// How many parts of a substep it takes.
INLINE int rigid_parts(const double inertia[3], const double twist[3], bool* out_too_fast)
{
    const double most = 0.5, limit = 4096; // [rad] in a part; parts
    double square = 0;
    for (int k = 0; k < 3; ++k) square += twist[k] / inertia[k] * (twist[k] / inertia[k]);
    double parts = ceil(sqrt(square) / most);
    *out_too_fast = !(parts <= limit);
    return parts <= 1 ? 1 : parts <= limit ? (int)parts : (int)limit;
}

// How it goes, with all the pushes that it has.
INLINE void rigid_solve(rigid_state* r)
{
    double twist[3], part[3], turn[4] = {0, 0, 0, 1}, next[4];
    rigid_frame_axes axis;
    for (int k = 0; k < 3; ++k) r->step[k] = r->push[k] / r->mass;
    rigid_inward(&r->axis, r->twist, twist);
    int parts = rigid_parts(r->inertia, twist, &r->too_fast);
    for (int i = 0; i < parts; ++i) {
        // The angular momentum stays where it is in the world, and the axes turn.
        rigid_axes(turn, &axis);
        rigid_inward(&axis, twist, part);
        for (int k = 0; k < 3; ++k) part[k] /= parts;
        rigid_turn(r->inertia, part, next);
        if (parts == 1)
            memcpy(turn, next, sizeof turn);
        else
            quaternion_product(turn, next, turn);
    }
    rigid_outward(&r->axis, turn, r->spin);
    r->cosine = turn[3];
}

// As gravity and the momenta alone make it.
INLINE void rigid_note_course(rigid_state* r)
{
    for (int k = 0; k < 3; ++k) {
        r->course[k] = r->step[k];
        r->course[3 + k] = r->spin[k];
    }
}

// [m] By how much contacts took any of its particles off that, at most, for turns of less than a
// right angle.
INLINE double rigid_deviation(const rigid_state* r)
{
    double step = 0, spin = 0;
    for (int k = 0; k < 3; ++k) {
        step += (r->step[k] - r->course[k]) * (r->step[k] - r->course[k]);
        spin += (r->spin[k] - r->course[3 + k]) * (r->spin[k] - r->course[3 + k]);
    }
    return sqrt(step) + 4 * r->reach * sqrt(spin);
}

// [m] How far it takes a place at `arm` from the center.
INLINE void rigid_motion_at(const rigid_state* r, const double arm[3], double out[3])
{
    double once[3], twice[3];
    d3_cross(r->spin, arm, once);
    d3_cross(r->spin, once, twice);
    for (int k = 0; k < 3; ++k) out[k] = r->step[k] + 2 * (r->cosine * once[k] + twice[k]);
}

INLINE bool rigid_is_finite(const rigid_state* r)
{
    double check = r->cosine;
    for (int k = 0; k < 3; ++k)
        check += r->center[k] + r->step[k] + r->spin[k] + r->push[k] + r->twist[k];
    return check - check == 0 && !r->too_fast;
}

// The end. False when it left the finite numbers: it then stays where it was, at rest.
INLINE bool rigid_end(rigid_state* r, double h)
{
    const double turned[4] = {r->spin[0], r->spin[1], r->spin[2], r->cosine};
    bool good = rigid_is_finite(r);
    if (good) quaternion_product(turned, r->turn, r->turn);
    for (int k = 0; k < 3; ++k) {
        if (good) r->center[k] += r->step[k];
        r->velocity[k] = good ? r->push[k] / (r->mass * h) : 0;
        r->momentum[k] = good ? r->twist[k] / h : 0;
    }
    return good;
}

// Impacts give back: pushes of momentum begin, about where it is now; and have been.
INLINE void rigid_rebound(rigid_state* r)
{
    rigid_frame(r);
    for (int k = 0; k < 3; ++k) r->push[k] = r->twist[k] = 0;
}
INLINE void rigid_rebounded(rigid_state* r)
{
    for (int k = 0; k < 3; ++k) {
        r->velocity[k] += r->push[k] / r->mass;
        r->momentum[k] += r->twist[k];
    }
}

// ---- velocities ---------------------------------------------------------------------------------

// [rad/s] Of the axes that it has now.
INLINE void rigid_angular_velocity(const rigid_state* r, double out[3])
{
    rigid_frame_axes axis;
    double local[3];
    rigid_axes(r->turn, &axis);
    rigid_inward(&axis, r->momentum, local);
    for (int k = 0; k < 3; ++k) local[k] /= r->inertia[k];
    rigid_outward(&axis, local, out);
}

INLINE void rigid_set_angular_velocity(rigid_state* r, const double omega[3])
{
    rigid_frame_axes axis;
    double local[3];
    rigid_axes(r->turn, &axis);
    rigid_inward(&axis, omega, local);
    for (int k = 0; k < 3; ++k) local[k] *= r->inertia[k];
    rigid_outward(&axis, local, r->momentum);
}

// Held, it turns about the axis that it turns about, as a ball does: `inertia` is its own. What
// turns on keeps its angular velocity.
INLINE void rigid_hold(rigid_state* r, const double inertia[3], bool held)
{
    double omega[3], most = inertia[0];
    rigid_angular_velocity(r, omega);
    for (int k = 1; k < 3; ++k) most = inertia[k] > most ? inertia[k] : most;
    for (int k = 0; k < 3; ++k) r->inertia[k] = held ? most : inertia[k];
    r->held = held;
    rigid_set_angular_velocity(r, omega);
}

// [J]
INLINE double rigid_kinetic_energy(const rigid_state* r)
{
    double omega[3];
    rigid_angular_velocity(r, omega);
    return 0.5 * (r->mass * d3_dot(r->velocity, r->velocity) + d3_dot(omega, r->momentum));
}
