// Gases and heat of a world during a step: asked once a substep by what flows (fluid/system.h),
// when everybody near is listed and walls are known.
//
//   load      temperatures and vorticities, in the order of places
//   conduct   heat goes from particle to particle, in sweeps
//   look      each particle by itself: how does it turn, where is it warmer, does it lie open?
//   change    each by itself: heat goes out, vorticity grows, is stretched and forgotten; the
//             impulse of buoyancy and of the air around
//   drive     vorticity that the flow has lost drives those around
//   store     impulses into the motion; temperatures and vorticities are the bodies'
#pragma once
#include "air/wind.h"
#include "fluid/system.h"
#include "gas/gas.h"

// What flows, as a gas or a liquid that knows of heat: one for each member of the fluid system.
typedef struct {
    pliant_gas_def gas;   // spacing 0: it is none
    pliant_heat_def heat; // temperature 0: it knows none
    double* temperature;  // [K] of each particle
    double* spin;         // [1/s] 3 each, of a gas with a swirl; NULL: it has none. Where the first
                          // is INFINITY it takes that of the flow
    double particle_mass; // [kg]
    double density;       // [kg/m^3] of the air around it
    double weight[3];     // [m/s^2] gravity, as it acts on it
} gas_member;

typedef struct {
    gas_set set;
    gas_member* member;
    int member_count, sweeps; // of conduction in a substep; 0: nothing conducts
    bool looks, drives;       // somebody is a gas, or gives heat away; somebody has a swirl
    double base;              // [K] from which temperatures are told
    const wind_field* wind;   // NULL: the air rests
    double time;              // [s] of the world, when the step begins
    int member_capacity;
    int heat_capacity, warm_capacity, spin_capacity, turn_capacity, climb_capacity;
    int stretch_capacity, side_capacity, push_capacity;
    fluid_system* fluid; // of the substep at hand
} gas_system;

// Before a step: room for so many members. False when memory runs out.
bool gas_start(gas_system* s, int members);
void gas_add(gas_system* s, const gas_member* m);
// How many sweeps conduction takes in a substep of h [s], once all are added.
void gas_prepare(gas_system* s, double h, double spacing);
void gas_destroy(gas_system* s);

// What `fluid_system` calls. False when memory runs out.
bool gas_flow(void* system, fluid_system* fluid);
