// Liquids, as the kernels see them: particles in the order of cells, sixteen of them a block, each
// a lane of it, as loose particles that touch (contact/loose.h).
//
// A particle is there as often as it is on a list; both sides of a pair compute the same with
// opposite signs, to the bit. A particle adds up its neighbors in the order of their numbers, which
// does not depend on lists; who is on a list and too far away adds zero.
#pragma once
#include "fluid/kernel.h"
#include <stdbool.h>

enum { FLUID_BLOCK = 16 };

typedef struct {
    int count; // of the particles, which have a place each. At place `count` is nobody, far away

    // Lists.
    int* neighbors; // of each particle: how many
    int* start;     // of each block, and behind the last: its first row
    int* other;     // [rows][FLUID_BLOCK] who is near; `count` where nobody is

    // Of the substep: [count + 1][4] scalars.
    void* place;  // [m] from the set's origin; inverse mass [1/kg]
    void* motion; // [m] of the substep; viscosity [Pa s]. With `notes`, once pressures are found:
                  // by how much it is denser than at rest [-]
    void* press;  // the place; by how much its pressure changes [Pa]. For surface tension: the
                  // root of it [sqrt(N/m)]; in sweeps of viscosity, what it would take of the slips
                  // of the place [-]
    void* move;   // [m] by which the particle is moved; pressure so far [Pa]
    void* give;   // [whole blocks] by how much bodies beside it give way to its pressure
                  // [1/(kg m^2)] (bodies.c); NULL: there are none
    void* wall;   // what walls fill of the kernel: its slope [1/m], and the share [-]. Before, in
                  // sweeps of viscosity: the motion after it; for vorticity: the curl of the motion
                  // and its size [-]

    fluid_kernel kernel;
    double h;     // [s]
    double part;  // [s] of it that a sweep of viscosity is for
    bool classic; // pressures of an iteration do not know those before it
    bool notes;   // how dense it is, in `motion`
} fluid_set;

// What happens to blocks first to last - 1.
typedef void fluid_pass(const fluid_set* s, int first, int last);

typedef struct {
    fluid_pass* draw;  // surface tension
    fluid_pass* gauge; // the pressure that readers get, where there is some
    fluid_pass* curl;  // how does it turn?
    fluid_pass* whirl; // vorticity: what turns is driven
    fluid_pass* stick; // how much of the slips would viscosity take?
    fluid_pass* thin;  // viscosity: motions become more alike
    fluid_pass* press; // how dense is it, and what pressure is missing?
    fluid_pass* push;  // pressures push
} fluid_kernels;

const fluid_kernels* fluid_kernels_for(int lanes, int scalar_bytes);
