// The formulas of wind (wind.h). The same source for the processor and for CUDA.
#pragma once
#include "air/noise.h"
#include "air/wind.h"
#include "rigid/rigid.h"

// ---- everywhere ---------------------------------------------------------------------------------

FUNCTION void add_steady(const pliant_air_def* a, double time, double out[3])
{
    double swell = 1;
    if (a->gust > 0)
        swell += (double)a->gust * noise_swell(time / (double)a->gust_time, (uint32_t)a->seed);
    out[0] += swell * (double)a->wind.x;
    out[1] += swell * (double)a->wind.y;
    out[2] += swell * (double)a->wind.z;
}

// Two patterns of eddies, carried by the mean wind. One goes on beside the other, as fast as they
// turn, so that the sum changes where there is no wind, too.
FUNCTION void add_turbulence(const pliant_air_def* a, double time, const double place[3],
                             double out[3])
{
    const double half_root = 0.70710678118654752, third_root = 0.57735026918962576;
    const double wind[3] = {(double)a->wind.x, (double)a->wind.y, (double)a->wind.z};
    const double size = (double)a->turbulence_size, speed = (double)a->turbulence;
    if (!(speed > 0)) return;
    for (int pattern = 0; pattern < 2; ++pattern) {
        double at[3], curl[3], own = pattern ? third_root * speed : -third_root * speed;
        for (int k = 0; k < 3; ++k) at[k] = (place[k] - (wind[k] + own) * time) / size;
        noise_curl(at, (uint32_t)a->seed + 0x51ed270bu * (uint32_t)(pattern + 1), curl);
        for (int k = 0; k < 3; ++k) out[k] += half_root * speed * curl[k];
    }
}

// ---- from somewhere -----------------------------------------------------------------------------

// A place as a fan or a vortex sees it: how far along its axis, and the way from there.
typedef struct {
    double axis[3], along; // [-, m]
    double beside[3];      // [m]
    double distance;       // [m] from the axis
} from_axis;

FUNCTION from_axis look_from(const pliant_wind_def* w, const double place[3])
{
    from_axis f;
    double way[3];
    f.axis[0] = (double)w->direction.x;
    f.axis[1] = (double)w->direction.y;
    f.axis[2] = (double)w->direction.z;
    double length = sqrt(d3_dot(f.axis, f.axis));
    for (int k = 0; k < 3; ++k) {
        f.axis[k] /= length;
        way[k] = place[k] - w->position[k];
    }
    f.along = d3_dot(way, f.axis);
    for (int k = 0; k < 3; ++k) f.beside[k] = way[k] - f.along * f.axis[k];
    f.distance = sqrt(d3_dot(f.beside, f.beside));
    return f;
}

// A jet: it becomes wider by a tenth of its way on each side, and slower as much, so that it keeps
// its momentum. Nothing is drawn in behind the fan.
FUNCTION void add_fan(const pliant_wind_def* w, const double place[3], double out[3])
{
    const double widening = 0.1, radius = (double)w->radius;
    from_axis f = look_from(w, place);
    if (f.along < 0) return;
    double width = radius + widening * f.along, part = f.distance / width;
    if (part >= 1) return;
    double speed = (double)w->speed * radius / width * (1 - part * part) * (1 - part * part);
    for (int k = 0; k < 3; ++k) out[k] += speed * f.axis[k];
}

// Turns about its axis: like what is rigid near it, and by 1 / distance far from it (Scully 1975).
// It is fastest at its radius.
FUNCTION void add_vortex(const pliant_wind_def* w, const double place[3], double out[3])
{
    from_axis f = look_from(w, place);
    double around[3], part = f.distance / (double)w->radius;
    double rate = 2 * (double)w->speed / ((double)w->radius * (1 + part * part));
    d3_cross(f.axis, f.beside, around);
    for (int k = 0; k < 3; ++k) out[k] += rate * around[k];
}

// At a place [m] and a time [s].
FUNCTION void wind_sum(const wind_field* f, double time, const double place[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = 0;
    add_steady(&f->def, time, out);
    add_turbulence(&f->def, time, place, out);
    for (int i = 0; i < f->wind_count; ++i)
        if (f->winds[i].kind == PLIANT_WIND_FAN)
            add_fan(&f->winds[i], place, out);
        else
            add_vortex(&f->winds[i], place, out);
}
