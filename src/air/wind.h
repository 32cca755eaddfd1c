// How air moves where no body is: a wind that is the same everywhere, with gusts, turbulence that
// it carries along, fans and vortices. What is added up is the velocity of the air at a place and a
// time; nothing of it is state, so that a world that goes back finds the same wind.
#pragma once
#include "pliant.h"

// What a world has of it.
typedef struct {
    pliant_air_def def;
    const pliant_wind_def* winds;
    int wind_count;
} wind_field;

// [m/s] At a place [m] and a time [s].
void wind_at(const wind_field* f, double time, const double place[3], double out[3]);
// [m/s] It is nowhere faster, ever.
double wind_bound(const wind_field* f);
