// Flows of liquids against closed forms: between plates (Poiseuille), a vortex that fades (Taylor
// and Green), and a heavy liquid on a light one (Rayleigh and Taylor).
#include "bench/physics_tank.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- between plates -----------------------------------------------------------------------------

// Mean speed of those in the middle of a slab that far from the plane between the plates.
static double speed_within(const tank* t, const double size[3], double share)
{
    double sum = 0, n = 0;
    for (int i = 0; i < t->total; ++i) {
        const double x = (double)t->at[i].x, y = (double)t->at[i].y, z = (double)t->at[i].z;
        if (fabs(x - size[0] / 2) > size[0] / 6 || fabs(z - size[2] / 2) > size[2] / 6 ||
            fabs(y - size[1] / 2) > share * size[1] / 2)
            continue;
        sum += (double)t->velocity[i].x;
        n += 1;
    }
    return sum / n;
}

// A slab between two plates, open on all other sides, is drawn along them until it is steady. It
// goes a few spacings: so long its ends do not matter.
pliant_result physics_liquid_plates(judge* j)
{
    const double spacing = 1e-3, size[3] = {36 * spacing, 12 * spacing, 36 * spacing};
    const double half = size[1] / 2, nu = 1e-4, force = 0.02, dt = 0.01;
    const int steps = (int)((j->quick ? 1 : 2) * half * half / nu / dt);
    tank_def def = tank_defaults(size, spacing, 10);
    tank t;
    def.open[0] = def.open[2] = def.lid = true;
    def.liquid.viscosity = 1000 * nu;
    pliant_result result = tank_open(&def, &t);
    if (!result) pliant_world_set_gravity(t.world, (pliant_vec3){(float)force, 0, 0});
    for (int i = 0; i < steps && !result; ++i) result = tank_step(&t, (float)dt);
    if (!result) result = tank_read_velocities(&t);
    double middle = speed_within(&t, size, 1 / 6.0), all = speed_within(&t, size, 1);
    // Of 12 layers the two in the middle are half a spacing off it; what is not there yet fades.
    double most = force * half * half / (2 * nu);
    double late = 32 / pow(pi, 3) * exp(-pi * pi * nu * steps * dt / (4 * half * half));
    double wanted = most * (1 - 1 / 144.0 - late), mean = most * (2 / 3.0 - 2 / pi * late);
    if (!result) {
        judge_row(j, &(judgment){"liquid_plates", "middle_m_s", wanted, middle, 0.05, wanted});
        judge_row(j, &(judgment){"liquid_plates", "mean_m_s", mean, all, 0.05, mean});
    }
    tank_close(&t);
    return result;
}

// ---- a vortex that fades ------------------------------------------------------------------------

static pliant_vec3 vortex_at(const double size[3], pliant_vec3 x)
{
    const double a = pi * (double)x.x / size[0], b = pi * (double)x.y / size[1];
    return (pliant_vec3){(float)(sin(a) * cos(b)), (float)(-cos(a) * sin(b)), 0};
}

// How much of the vortex is in the velocities [m/s].
static double find_vortex(const tank* t, const double size[3])
{
    double sum = 0, whole = 0;
    for (int i = 0; i < t->total; ++i) {
        const pliant_vec3 m = vortex_at(size, t->at[i]), v = t->velocity[i];
        sum += (double)(m.x * v.x + m.y * v.y);
        whole += (double)(m.x * m.x + m.y * m.y);
    }
    return sum / whole;
}

static pliant_result start_vortex(tank* t, const double size[3], float fast)
{
    pliant_result result = tank_step(t, 1e-4f);
    for (int i = 0; i < t->total && !result; ++i) {
        const pliant_vec3 m = vortex_at(size, t->at[i]);
        t->velocity[i] = (pliant_vec3){fast * m.x, fast * m.y, 0};
    }
    return result ? result : tank_write_velocities(t);
}

// One of Taylor and Green's vortices fills a box, along whose walls it slips.
pliant_result physics_liquid_vortex(judge* j)
{
    const double spacing = 1e-3, wide = 24 * spacing, size[3] = {wide, wide, 6 * spacing};
    const double nu = 1e-4, rate = 2 * nu * pi * pi / (wide * wide), dt = 0.01;
    const int steps = (int)(0.5 / rate / dt);
    double from = 0, to = 0;
    tank_def def = tank_defaults(size, 1.001 * spacing, 10); // under pressure: only that holds it
    tank t;
    def.pitch = spacing;
    def.uneven = 0.1 * spacing;
    def.lid = true;
    def.gravity = 0;
    def.liquid.viscosity = 1000 * nu;
    def.liquid.slips = true;
    pliant_result result = tank_open(&def, &t);
    if (!result) result = start_vortex(&t, size, 0.1f);
    for (int i = 0; i < 2 * steps && !result; ++i) {
        result = tank_step(&t, (float)dt);
        if (result || (i != steps - 1 && i != 2 * steps - 1)) continue;
        result = tank_read_velocities(&t);
        *(i < steps ? &from : &to) = find_vortex(&t, size);
    }
    double found = log(from / to) / (steps * dt);
    if (!result) judge_row(j, &(judgment){"liquid_vortex", "fades_1_s", rate, found, 0.05, rate});
    tank_close(&t);
    return result;
}

// ---- heavy on light -----------------------------------------------------------------------------

static double wave_at(const double size[3], double x) { return cos(pi * x / size[0]); }

static int above_wave(const double size[3], const double at[3])
{
    return at[1] > size[1] / 2 + 0.05 * size[0] * wave_at(size, at[0]) ? 0 : 1;
}

// [m] How high the wave between both is.
static double find_wave(const tank* t, const double size[3])
{
    double sum = 0, volume = pow(t->spacing, 3);
    for (int i = 0; i < t->count[0]; ++i) sum += volume * wave_at(size, (double)t->at[i].x);
    return -2 * sum / (size[0] * size[2]);
}

// Waves of heavy on light, both half of a tank deep, grow by omega^2 = A g k tanh(k H / 2): three
// heights at equal times t apart have (first + last) / middle = 2 cosh(omega t).
pliant_result physics_liquid_layers(judge* j)
{
    const double spacing = j->quick ? 0.02 : 0.01, size[3] = {0.4, 0.4, 6 * spacing};
    const double k = pi / size[0], dt = 0.01, gravity = 9.81;
    const double wanted = sqrt(gravity * k * tanh(k * size[1] / 2) / 3);
    double high[3] = {0, 0, 0};
    tank_def def = tank_defaults(size, spacing, j->quick ? 10 : 20);
    tank t;
    def.lid = true;
    def.fill = above_wave;
    def.uneven = 0.2 * spacing;
    def.density[0] = 2000;
    def.liquid.slips = true;
    pliant_result result = tank_open(&def, &t);
    for (int i = 1; i <= 35 && !result; ++i) {
        result = tank_step(&t, (float)dt);
        if (i % 15 == 5) high[i / 15] = find_wave(&t, size);
    }
    double found = acosh((high[0] + high[2]) / high[1] / 2) / (15 * dt);
    if (!result)
        judge_row(j, &(judgment){"liquid_layers", "grows_1_s", wanted, found, 0.1, wanted});
    tank_close(&t);
    return result;
}
