// How far lists of liquids reach, and how long they last. The same source for the processor and for
// CUDA. What lists have beyond those that are near changes no bit.
#pragma once
#include "contact/loose_reach.h"

typedef struct {
    double room;   // [m] by which a particle may stray from what is expected
    int age, life; // [substeps] of the lists
} list_span;

// Before lists are made: they last as long as those before did, or a little longer; who strays much
// gets more room.
FUNCTION void span_renew(list_span* s, double spacing)
{
    const double least = 0.02 * spacing, most = 0.2 * spacing;
    if (s->life == 0) {
        s->life = 1;
        s->room = 0.05 * spacing;
    }
    if (s->age == 0) return;
    bool lasted = s->age >= s->life;
    s->life = loose_next_life(s->life, s->age);
    s->room *= lasted ? 0.97 : s->age < 4 ? 1.3 : 1.05;
    s->room = s->room < least ? least : s->room > most ? most : s->room;
    s->age = 0;
}

// Whether a particle is where its list expects it, for all iterations of a substep: it was listed
// at `from` [m], on its way by `course` [m] in a substep, and is at `x` [m].
FUNCTION bool span_holds(const list_span* s, const float from[3], const float course[3],
                         const double x[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double expected = (double)from[k] + s->age * (double)course[k];
        square += (x[k] - expected) * (x[k] - expected);
    }
    return square <= s->room * s->room;
}

// How far a particle reaches while the list lasts: `ball` is where it is, `way` where it goes in a
// substep. What all do does not bring them nearer.
FUNCTION void span_reach(const list_span* s, double kernel_reach, const float drift[3],
                         grid_ball* ball, grid_ball* way)
{
    float reach = (float)(kernel_reach / 2 + s->room);
    way->x -= drift[0];
    way->y -= drift[1];
    way->z -= drift[2];
    float gone = sqrtf(way->x * way->x + way->y * way->y + way->z * way->z);
    way->reach = reach + 4 * FLT_EPSILON * (fabsf(ball->x) + fabsf(ball->y) + fabsf(ball->z));
    ball->reach = way->reach + (float)s->life * gone * 1.001f;
}

// [m] Where places are told from, along an axis along which all particles are between `low` and
// `high`: near the middle of all, on a grid as wide as they are. It seldom changes, and depends on
// nothing but where they are.
FUNCTION double fluid_origin(double low, double high, double spacing)
{
    int exponent;
    if (!(low <= high)) low = high = 0;
    frexp(fmax(high - low, spacing), &exponent);
    double grid = ldexp(1.0, exponent);
    return floor((low + high) / 2 / grid) * grid;
}
