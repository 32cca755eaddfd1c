// What air does to the elements of a body's outside. The same source for the processor and for
// CUDA; in double, whatever the rows have.
#pragma once
#include "air/formula.h"
#include "math/elementary.h"
#include "rigid/rigid.h"
#include "solver/row.h"
#include "solver/scalars.h"

// On a body, in a substep or on the mean of a step: [N], about the origin [N m], [W].
typedef struct {
    double force[3], torque[3], power;
} air_sum;

// What is the same for all pieces of a body in a step.
typedef struct {
    air_coefficients coefficients;
    double density; // [kg/m^3], with the body's exposure
    double h;       // [s] of a substep
    int substeps;
} air_rules;

// Where all of a body is (skin.h).
typedef struct {
    const int* corner; // [3 * elements] points; -1: there is no more
    const int* row;    // of each point, the first one of its particle
    const double* lightness;
    const int *use_start, *use;
    const double* wind;
    double *force, *mean;
    const void *rows, *velocity;
    int scalar_bytes;
    const rigid_state* rigid; // NULL: it deforms
    double sides, diameter;
} air_view;

// An element as it is when a substep begins.
typedef struct {
    int corners;                   // a ball has one, a segment two
    double place[3][3], middle[3]; // [m]
    double velocity[3], wind[3];   // [m/s] means of its corners
    double lightness;              // [1/kg] of the lightest corner
} air_element;

// Of a body that does not deform, at a place: it turns, too. Its elements share its mass.
INLINE double lightness_of_whole(const rigid_state* r, const double middle[3])
{
    double square = 0, least = fmin(r->inertia[0], fmin(r->inertia[1], r->inertia[2]));
    if (r->held) return 0;
    for (int k = 0; k < 3; ++k) square += (middle[k] - r->center[k]) * (middle[k] - r->center[k]);
    return 1 / r->mass + (least > 0 ? square / least : 0);
}

FUNCTION air_element load_element(const air_view* a, int number)
{
    const int* corner = a->corner + 3 * (size_t)number;
    const int bytes = a->scalar_bytes, corners = corner[1] < 0 ? 1 : corner[2] < 0 ? 2 : 3;
    air_element out;
    memset(&out, 0, sizeof out);
    out.corners = corners;
    for (int i = 0; i < corners; ++i) {
        size_t row = (size_t)a->row[corner[i]];
        const double* wind = a->wind + 3 * (size_t)corner[i];
        for (size_t k = 0; k < 3; ++k) {
            out.place[i][k] = state_get(a->rows, row * ROW + k, bytes);
            out.middle[k] += out.place[i][k] / corners;
            out.velocity[k] += state_get(a->velocity, row * ROW4 + k, bytes) / corners;
            out.wind[k] += wind[k] / corners;
        }
        double light = a->lightness[3 * (size_t)number + (size_t)i] *
                       state_get(a->velocity, row * ROW4 + ROW4_W, bytes);
        out.lightness = fmax(out.lightness, light);
    }
    return out;
}

// The force on an element.
INLINE void press_element(const air_view* a, const air_rules* r, const air_element* e,
                          double radius, const double u[3], double out[3])
{
    double n[3] = {0, 0, 0}, p[3], q[3], pressed = r->density / 2, size;
    if (e->corners > 1)
        for (int k = 0; k < 3; ++k) {
            p[k] = e->place[1][k] - e->place[0][k];
            q[k] = e->place[2][k] - e->place[0][k];
            n[k] = p[k];
        }
    if (e->corners == 3) d3_cross(p, q, n);
    size = sqrt(air_dot(n, n));
    for (int k = 0; k < 3; ++k) n[k] = size > 0 ? n[k] / size : 0;
    if (e->corners == 1)
        air_press_ball(&r->coefficients, pressed * HALF_TURN * radius * radius, u, out);
    else if (e->corners == 2)
        air_press_rope(&r->coefficients, pressed * a->diameter * size, n, u, out);
    else
        air_press_sheet(&r->coefficients, pressed * a->sides * size / 2, n, u, out);
}

// What air does to an element, which then knows the force on each of its corners.
FUNCTION void blow_at_element(const air_view* a, const air_rules* r, int number, air_sum* out)
{
    air_element e = load_element(a, number);
    double u[3], radius = 0, force[3];
    for (int k = 0; k < 3; ++k) u[k] = e.wind[k] - e.velocity[k];
    if (e.corners == 1)
        radius =
            state_get(a->rows, (size_t)a->row[a->corner[3 * (size_t)number]] * ROW + ROW_RADIUS,
                      a->scalar_bytes);
    if (a->rigid)
        e.lightness = lightness_of_whole(a->rigid, e.middle) * a->lightness[3 * (size_t)number];
    press_element(a, r, &e, radius, u, force);
    air_limit(r->h, e.lightness, u, force);
    d3_cross(e.middle, force, out->torque);
    for (int k = 0; k < 3; ++k) out->force[k] = force[k];
    out->power = air_dot(force, e.velocity);
    for (int k = 0; k < 3; ++k) a->force[3 * (size_t)number + (size_t)k] = force[k] / e.corners;
}

// What the elements of a point do to it, in their order; its mean over the step so far has it, too.
FUNCTION void blow_at_point(const air_view* a, const air_rules* r, int point, double sum[3])
{
    double* mean = a->mean + 3 * (size_t)point;
    for (int k = 0; k < 3; ++k) sum[k] = 0;
    for (int i = a->use_start[point]; i < a->use_start[point + 1]; ++i)
        for (int k = 0; k < 3; ++k) sum[k] += a->force[3 * (size_t)(a->use[i] / 3) + (size_t)k];
    for (int k = 0; k < 3; ++k) mean[k] += sum[k] / r->substeps;
}

// Sums as arrays of their numbers, which are added up each for itself.
enum { AIR_SUMS = sizeof(air_sum) / sizeof(double) };
INLINE double* air_numbers(air_sum* s) { return s->force; }
