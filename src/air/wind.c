#include "air/blowing.h"

void wind_at(const wind_field* f, double time, const double place[3], double out[3])
{
    wind_sum(f, time, place, out);
}

// A swell is at most 1 + gust, a component of a curl below 22.
double wind_bound(const wind_field* f)
{
    const double most_curl = 40, root = 1.4142135623730951;
    const pliant_air_def* a = &f->def;
    const double wind[3] = {(double)a->wind.x, (double)a->wind.y, (double)a->wind.z};
    double most =
        (1 + (double)a->gust) * sqrt(d3_dot(wind, wind)) + root * most_curl * (double)a->turbulence;
    for (int i = 0; i < f->wind_count; ++i) most += fabs((double)f->winds[i].speed);
    return most;
}
