// Liquids in a tank against closed forms: a column at rest, a standing wave, water that sloshes.
#include "base/memory.h"
#include "bench/physics_tank.h"
#include <math.h>

static const double gravity = 9.81, pi = 3.14159265358979323846;

// ---- at rest ------------------------------------------------------------------------------------

// A line through pressures against heights, away from walls and the surface.
typedef struct {
    double n, y, p, yy, yp;
} line_sums;

static pliant_result add_pressures(tank* t, const double size[3], line_sums* sums)
{
    const double edge = 2.4 * t->spacing;
    pliant_result result = tank_read_pressures(t);
    for (int i = 0; i < t->total && !result; ++i) {
        double x = (double)t->at[i].x, y = (double)t->at[i].y, z = (double)t->at[i].z;
        double p = (double)t->pressure[i];
        if (x < edge || x > size[0] - edge || z < edge || z > size[2] - edge || y < edge ||
            y > 0.85 * size[1])
            continue;
        sums->n += 1, sums->y += y, sums->p += p, sums->yy += y * y, sums->yp += y * p;
    }
    return result;
}

// [J] of all, with the mass of one.
static pliant_result find_energy(tank* t, double mass, double* out)
{
    pliant_result result = tank_read_velocities(t);
    *out = 0;
    for (int i = 0; i < t->total && !result; ++i) {
        const pliant_vec3 v = t->velocity[i];
        *out += 0.5 * mass * (double)(v.x * v.x + v.y * v.y + v.z * v.z);
    }
    return result;
}

typedef struct {
    line_sums sums;
    double floor;           // [N]
    double denser, densest; // [-] mean of the steps, and the most of all
    double energy;          // [J]
} rest_course;

static pliant_result watch_rest(tank* t, const double size[3], int steps, rest_course* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < steps && !result; ++i) {
        double force[3] = {0, 0, 0};
        result = tank_step(t, 1 / 60.0f);
        if (i < steps / 2 || result) continue;
        pliant_liquid_stats stats = pliant_world_liquid_stats(t->world);
        result = pliant_collider_force(t->world, t->floor, force, NULL);
        out->floor -= force[1] / (steps - steps / 2);
        out->denser += stats.denser / (steps - steps / 2);
        out->densest = fmax(out->densest, stats.densest);
        if (!result) result = add_pressures(t, size, &out->sums);
    }
    return result ? result : find_energy(t, 1000 * pow(t->spacing, 3), &out->energy);
}

// It carries its weight, the pressure is rho g times the depth, and it does not boil.
pliant_result physics_liquid_rest(judge* j)
{
    const double size[3] = {0.24, 0.4, 0.24};
    const tank_def def = tank_defaults(size, 0.02, 20);
    tank t;
    rest_course c = {0};
    pliant_result result = tank_open(&def, &t);
    if (!result) result = watch_rest(&t, size, j->quick ? 60 : 600, &c);
    const line_sums* s = &c.sums;
    double weight = t.total * 1000 * pow(t.spacing, 3) * gravity, rise = 1000 * gravity;
    double slope = (s->n * s->yp - s->y * s->p) / (s->n * s->yy - s->y * s->y);
    double surface = s->y / s->n - s->p / s->n / slope;
    tank_close(&t);
    if (result) return result;
    judge_row(j, &(judgment){"liquid_rest", "floor_N", weight, c.floor, 0.01, weight});
    judge_row(j, &(judgment){"liquid_rest", "pressure_Pa_m", rise, -slope, 0.02, rise});
    judge_row(j, &(judgment){"liquid_rest", "surface_m", size[1], surface, 0.02, size[1]});
    judge_row(j, &(judgment){"liquid_rest", "denser", 0, c.denser, 0.01, 1});
    judge_row(j, &(judgment){"liquid_rest", "densest", 0, c.densest, 0.03, 1});
    if (!j->quick)
        judge_row(j, &(judgment){"liquid_rest", "energy_J", 0, c.energy, 1e-5, weight * size[1]});
    return result;
}

// ---- a wave -------------------------------------------------------------------------------------

static int below_wave(const double size[3], const double at[3])
{
    return at[1] < size[1] + 0.05 * size[0] * cos(pi * at[0] / size[0]) ? 0 : -1;
}

// Half a wavelength in a tank 1 m long and filled to 0.5 m: omega^2 = g k tanh(k h).
pliant_result physics_liquid_wave(judge* j)
{
    const double size[3] = {1, 0.5, 0.1}, k = pi / size[0];
    double wanted = 2 * pi / sqrt(gravity * k * tanh(k * size[1]));
    double first = 0, last = 0, before = 0;
    int crossings = 0, enough = j->quick ? 4 : 8;
    tank_def def = tank_defaults(size, 0.025, 12);
    tank t;
    def.high = 0.55;
    def.fill = below_wave;
    pliant_result result = tank_open(&def, &t);
    for (int step = 1; crossings < enough && step < 600 && !result; ++step) {
        double middle = -size[0] / 2, time = step / 60.0;
        result = tank_step(&t, 1 / 60.0f);
        for (int i = 0; i < t.total && !result; ++i) middle += (double)t.at[i].x / t.total;
        if (before * middle < 0) {
            last = time - middle / (middle - before) / 60;
            if (crossings++ == 0) first = last;
        }
        before = middle;
    }
    double period = crossings > 1 ? 2 * (last - first) / (crossings - 1) : 0;
    if (!result) judge_row(j, &(judgment){"liquid_wave", "period_s", wanted, period, 0.03, wanted});
    tank_close(&t);
    return result;
}

// ---- sloshing -----------------------------------------------------------------------------------

static int beside_gate(const double size[3], const double at[3])
{
    return at[0] < size[0] / 2 ? 0 : -1;
}

// A half of the tank, twice as deep, is let go; then for 20 s it sloshes. Water that comes to rest
// has the middle of its mass at half of its depth: what is missing of that, is volume.
pliant_result physics_liquid_slosh(judge* j)
{
    const double size[3] = {1, 0.6, 0.2};
    const int steps = j->quick ? 300 : 1200, last = j->quick ? 60 : 120;
    tank_def def = tank_defaults(size, 0.04, 16);
    tank t;
    double height = 0;
    def.fill = beside_gate;
    pliant_result result = tank_open(&def, &t);
    for (int i = 0; i < steps && !result; ++i) {
        result = tank_step(&t, 1 / 60.0f);
        for (int k = 0; k < t.total && i >= steps - last; ++k)
            height += (double)t.at[k].y / t.total / last;
    }
    double wanted = t.total * pow(t.spacing, 3) / (size[0] * size[2]) / 2;
    if (!result)
        judge_row(j, &(judgment){"liquid_slosh", "middle_m", wanted, height, 0.01, wanted});
    tank_close(&t);
    return result;
}
